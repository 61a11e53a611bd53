panels = 4
set multiplot layout 3,2
array titles[4] = ['H = 0.2 s', 'H = 0.1 s', 'H = 0.05 s', 'H = 0.025 s']
set lmargin 9
set rmargin 3
set xlabel 'time t / s'
set ylabel 'position s / m, velocity v / (m/s)'
set xrange [0:20]
do for [k = 1:panels] {
    set title titles[k] offset 0,0.2
    plot part('h'.k) using 'time':'s' with lines lt 2 lw 3 title 's', \
        '' using 'time':'v' with lines lt 5 lw 3 title 'v', \
        part('reference') using 'time':'s' with lines lt 1 lw 1 title 'exact', \
        '' using 'time':'v' with lines lt 1 lw 1 notitle
}
set title 'energy' offset 0,0.2
set tmargin 5
set logscale y
set ylabel 'energy E(t) / E(0)'
plot for [k = 1:4] part('h'.k) using 'time':'energy' with lines lt k + 1 lw 2 title titles[k]
set title 'growth of the energy' offset 0,0.2
set label 1 sprintf('order of the error: published %g (%+.2f)', printed, order - printed) at graph 0.97,0.08 right font ',11'
set xlabel 'exchange step size H / s'
set ylabel 'factor a macro-step, less 1'
set logscale xy
set xrange [0.02:0.25]
set xtics (0.025, 0.05, 0.1, 0.2)
set format y powers
plot x**2 with lines lt 1 lw 1 title '(ω H)^2', \
    part('growth') using 'step_size':'measured' with points lt 2 pt 7 ps 1.2 title 'measured'
