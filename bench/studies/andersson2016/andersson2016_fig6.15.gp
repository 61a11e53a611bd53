set multiplot layout 2,2
set lmargin 9
set rmargin 3
set tmargin 4
set xlabel 'time t / s'
set xrange [0:2]
do for [j = 1:2] {
    set ylabel sprintf('error of x_%d, in 10^{-3}', j)
    plot 0 with lines lt 9 lw 0.6 notitle, \
        csv using 'time':(1e3*column(sprintf('e%d', j))) with linespoints lt 2 lw 1 ps 0.4 \
            title 'H = 0.02 s, no smoothing', \
        part('smoothed') using 'time':(1e3*column(sprintf('e%d', j))) with linespoints lt 3 lw 1 \
            ps 0.5 title 'H = 0.0145 s, smoothing'
}
array curves[2] = ['steps-differences', 'steps-exact']
array names[2] = ['output derivatives by differences', 'exact output derivatives']
array measures[4] = ['largest, x_1', 'largest, x_2', 'rms, x_1', 'rms, x_2']
set tmargin 6
set key vertical maxrows 2
set xlabel 'step size H with smoothing / ms'
set xrange [10:20]
set yrange [0:4]
set label 1 sprintf("equal errors: published %g ms\n(%+.1f to %+.1f ms)", printed, least - printed, most - printed) at graph 0.03,0.94
set arrow 1 from 14.5, graph 0 to 14.5, graph 0.75 nohead lt 9 dashtype 2
do for [k = 1:2] {
    set ylabel 'error / error without'
    set title names[k] offset 0,0.2
    plot 1 with lines lt 9 notitle, \
        for [m = 1:4] part(curves[k]) using (1e3*column('step_size')):sprintf('m%d', m) \
        with lines lt (m + 1) title measures[m]
}
