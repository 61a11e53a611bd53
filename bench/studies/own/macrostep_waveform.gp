exact = 'm1p0 m1p1 m4p1 m2p2 m4p2 m3p3 m6p3'
solved = 'euler_m1p1 euler_m2p2 rk4_m1p1 rk4_m4p1 rk4_m2p2 rk4_m3p3'
label(of) = (strstrt(of, '_') > 0 ? of[1:strstrt(of, '_') - 1].', ' : '').'m = '.of[strlen(of) - 2:strlen(of) - 2].', p = '.of[strlen(of):*]
set multiplot
set logscale xy
set format y powers
set tmargin at screen 0.93
set bmargin at screen 0.14
set lmargin at screen 0.1
set rmargin at screen 0.345
set title '(a) exact subsystems'
set xlabel 'macro-step H / s'
set ylabel 'error at 0.7 s / SI units'
set xrange [0.0018:0.085]
set yrange [1e-16:1e3]
set xtics ("0.002" 0.002, "0.01" 0.01, "0.05" 0.05)
set key inside right bottom vertical maxrows 7 samplen 1.5 width -1
plot for [c = 1:words(exact)] part(word(exact, c)) using 'step_size':'error' \
    with linespoints lt c lw 1.5 dashtype 1 + (c - 1)%2 pt c + 3 ps 0.6 title label(word(exact, c))
set lmargin at screen 0.425
set rmargin at screen 0.67
set key width -4
set title '(b) one micro-step a piece'
set ylabel ''
plot for [c = 1:words(solved)] part(word(solved, c)) using 'step_size':'error' \
    with linespoints lt c lw 1.5 dashtype 1 + (c - 1)%2 pt c + 3 ps 0.6 title label(word(solved, c))
set lmargin at screen 0.745
set rmargin at screen 0.985
set title '(c) exact, H = 0.07 s'
set xlabel 'samples m'
set xrange [0.9:18]
set yrange [1e-9:1e2]
set xtics (1, 2, 4, 8, 16)
set key inside left bottom vertical maxrows 3
plot for [p = 1:3] part('p'.p) using 'samples':'error' \
    with linespoints lt p lw 1.5 dashtype 1 + (p - 1)%2 pt p + 3 ps 0.6 title 'p = '.p
