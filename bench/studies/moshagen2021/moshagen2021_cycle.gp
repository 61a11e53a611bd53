set multiplot layout 2,2
set lmargin 11
set rmargin 3
set tmargin 5
set key vertical maxrows 1 samplen 2
set xrange [0:60]
set xlabel 'time t / s'
set title 'speed of the cycle, and both flows' offset 0,0.2
plot part('speed') using 'time':'w' with lines lt 1 lw 2 title 'w', '' using 'time':'q' with lines lt 2 lw 2 title 'q', \
    '' using 'time':'r' with lines lt 3 lw 2 title 'r'
array inputs[3] = ['held', 'linear', 'balance']
array colours[3] = [2, 3, 6]
do for [k in '0.5 0.0625'] {
    set title 'H = '.k.' s' offset 0,0.2
    set ylabel 'part of the fluid that is lost'
    plot for [n = 1:3] part(inputs[n].'-'.k) using 'time':'lost' with lines lt colours[n] lw 2 title inputs[n]
}
set title 'largest loss' offset 0,0.2
set logscale xy
set key vertical maxrows 2 samplen 2
set format y powers
set xrange [0.05:0.6]
set xtics (0.0625, 0.125, 0.25, 0.5)
set xlabel 'macro-step H / s'
plot for [n = 1:3] part('sizes') using 'H':inputs[n] with linespoints lt colours[n] lw 2 title inputs[n], \
    0.08*x with lines lt 1 dashtype 3 title 'orders 1, 2', 0.02*x**2 with lines lt 1 dashtype 3 notitle
