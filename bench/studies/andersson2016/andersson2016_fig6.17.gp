set multiplot layout 2,1
set lmargin 9
set rmargin 3
set xrange [0:10]
set yrange [-1.2:1.2]
do for [j = 1:2] {
    set xlabel (j == 2 ? 'time t / s' : '')
    set ylabel sprintf('position x_%d / m', j)
    x = sprintf('x%d', j)
    plot csv using 'time':x with linespoints lt 3 lw 2 title 'derivatives by differences', \
        part('exact') using 'time':x with linespoints lt 2 lw 2 title 'exact derivatives', \
        part('reference') using 'time':x with lines lt 1 lw 1 title 'reference'
    unset key
}
