panels = 4
set multiplot layout 3,2 margins 0.09,0.98,0.08,0.93 spacing 0.11,0.11
array titles[4] = ['H = 0.2 s', 'H = 0.1 s', 'H = 0.05 s', 'H = 0.025 s']
set xlabel 'time t / s'
set xrange [0:20]
set key at screen 0.535,0.995 center top vertical maxrows 1
do for [k = 1:panels] {
    set title '('.'abcd'[k:k].') '.titles[k]
    set ylabel k % 2 == 1 ? 's / m, v / (m/s)' : ''
    plot part('h'.k) using 'time':'s' with lines lt 2 lw 2.5 title 'position s', \
        '' using 'time':'v' with lines lt 5 lw 2.5 title 'velocity v', \
        part('reference') using 'time':'s' with lines lt 1 lw 0.7 title 'exact', \
        '' using 'time':'v' with lines lt 1 lw 0.7 notitle
    unset key
}
set title '(e) energy'
set key inside top left vertical maxrows 4 width -2
set yrange [1:1000]
set logscale y
set ylabel 'energy E(t) / E(0)'
plot for [k = 1:4] part('h'.k) using 'time':'energy' with lines lt k + 1 lw 1.6 title titles[k]
set title '(f) growth of the energy'
set label 1 sprintf('order: published %g (%+.2f)', printed, order - printed) at graph 0.97,0.08 right
set xlabel 'exchange step size H / s'
set ylabel 'factor of a step, less 1'
set logscale xy
set xrange [0.02:0.25]
set yrange [1e-4:1]
set xtics (0.025, 0.05, 0.1, 0.2)
set format y powers
plot x**2 with lines lt 1 lw 1 title '(ω H)^2', \
    part('growth') using 'step_size':'measured' with points lt 2 pt 7 ps 0.8 title 'measured'
