set multiplot layout 1,2
set xlabel 'time t / s'
set xrange [0:2]
do for [j = 1:2] {
    set ylabel sprintf('error of x_%d, in 10^{-3}', j)
    plot 0 with lines lt 9 lw 0.6 notitle, \
        csv using 'time':(1e3*column(sprintf('e%d', j))) with linespoints lt 2 lw 1 ps 0.4 \
            title 'H = 0.02 s, no smoothing', \
        part('smoothed') using 'time':(1e3*column(sprintf('e%d', j))) with linespoints lt 3 lw 1 \
            ps 0.5 title 'H = 0.02 s, smoothing'
}
