set multiplot layout 2,2 margins 0.1,0.98,0.12,0.94 spacing 0.13,0.22
set key inside center right vertical maxrows 3 samplen 2
set xrange [0:60]
set xlabel 'time t / s'
set title '(a) speed of the cycle, and both flows'
set ylabel 'speed, flow'
plot part('speed') using 'time':'w' with lines lt 1 lw 1.6 title 'w', '' using 'time':'q' with lines lt 2 lw 1.6 title 'q', \
    '' using 'time':'r' with lines lt 3 lw 1.6 title 'r'
array inputs[3] = ['held', 'linear', 'balance']
array colours[3] = [2, 3, 4]
set key inside center center
array letters[2] = ['b', 'c']
do for [n = 1:2] {
    k = word('0.5 0.0625', n)
    set title '('.letters[n].') loss, H = '.k.' s'
    set ylabel 'part of the fluid lost'
    set ytics n == 1 ? 0.01 : 0.002
    plot for [m = 1:3] part(inputs[m].'-'.k) using 'time':'lost' with lines lt colours[m] lw 1.6 title inputs[m]
}
set title '(d) largest loss'
set ytics autofreq
set logscale xy
set key inside bottom right maxrows 4 width -2
set format y powers
set xrange [0.05:0.6]
set yrange [1e-7:0.1]
set xtics (0.0625, 0.125, 0.25, 0.5)
set xlabel 'macro-step H / s'
plot for [n = 1:3] part('sizes') using 'H':inputs[n] with linespoints lt colours[n] lw 1.6 title inputs[n], \
    0.08*x with lines lt 1 dashtype 3 title 'orders 1, 2', 0.02*x**2 with lines lt 1 dashtype 3 notitle
