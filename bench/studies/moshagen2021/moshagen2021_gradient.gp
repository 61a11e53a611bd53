set multiplot layout 2,2 margins 0.1,0.98,0.11,0.94 spacing 0.13,0.2
set key inside top right vertical maxrows 3 width -3
set xrange [0:5]
set xlabel 'time t / s'
set title '(a) two masses and a damper: velocities'
set ylabel 'v / (m/s)'
set yrange [0.45:1.05]
plot part('model') using 'time':'v1' with lines lt 1 lw 1.6 title 'model', '' using 'time':'v2' with lines lt 1 lw 1.6 notitle, \
    part('pair') using 'time':'v1' with lines lt 3 lw 1.6 title 'negotiated power', '' using 'time':'v2' with lines lt 3 lw 1.6 notitle
set title '(b) and their energy'
set ylabel 'E / E(0)'
set yrange [0.88:1.02]
set key inside center right
plot part('model') using 'time':'E' with lines lt 1 lw 1.6 title 'model', part('pair') using 'time':'E' with lines lt 3 lw 1.6 title 'negotiated power'
set title '(c) spring-mass: largest energy in 75 s'
set key inside top left maxrows 4
set xrange [0:0.4]
set yrange [0.9:2.5]
set xtics 0.1
set xlabel 'macro-step H / s'
plot part('largest') using 'H':'step' with linespoints lt 2 title 'step', '' using 'H':'pointwise' with linespoints lt 3 title 'pointwise', \
    '' using 'H':'through' with linespoints lt 4 title 'through', 1.02 with lines lt 9 dashtype 2 title '2 %'
set title "(d) x' = -M K x: fastest growth of |x|^2"
set xrange [-0.05:1]
set yrange [*:*]
set xtics 0.2
set xlabel 'b, the coupling in K'
set ylabel 'rate / (1/s)'
plot part('definite') using 'b':'most' with points lt 2 pt 7 ps 0.8 title 'of 36 directions', '' using 'b':(-2*column('least')) with lines lt 1 title '-2 · least eigenvalue', \
    0 with lines lt 9 dashtype 2 notitle
