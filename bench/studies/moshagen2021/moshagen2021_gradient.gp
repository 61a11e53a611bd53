set multiplot layout 2,2
set lmargin 11
set rmargin 3
set tmargin 5
set key vertical maxrows 1 samplen 2
set xrange [0:5]
set xlabel 'time t / s'
set title 'two masses and a damper: velocities' offset 0,0.2
set ylabel 'v / (m/s)'
set yrange [0.45:1.05]
plot part('model') using 'time':'v1' with lines lt 1 lw 2 title 'model', '' using 'time':'v2' with lines lt 1 lw 2 notitle, \
    part('pair') using 'time':'v1' with lines lt 2 lw 2 title 'negotiated power', '' using 'time':'v2' with lines lt 2 lw 2 notitle
set title 'and their energy' offset 0,0.2
set ylabel 'E / E(0)'
set yrange [0.88:1.02]
plot part('model') using 'time':'E' with lines lt 1 lw 2 title 'model', part('pair') using 'time':'E' with lines lt 2 lw 2 title 'negotiated power'
set title 'spring-mass, negotiated power: largest E / E(0) in 75 s' offset 0,0.2
set xrange [0:0.4]
set yrange [0.9:2.5]
set xlabel 'macro-step H / s'
plot part('largest') using 'H':'step' with linespoints lt 2 title 'step', '' using 'H':'pointwise' with linespoints lt 3 title 'pointwise', \
    '' using 'H':'through' with linespoints lt 4 title 'through', 1.02 with lines lt 9 dashtype 2 title '2 %'
set title 'x'' = -M K x: fastest growth of |x|^2' offset 0,0.2
set xrange [-0.05:1]
set yrange [*:*]
set xlabel 'b, the coupling in K'
set ylabel '1/s'
plot part('definite') using 'b':'most' with points lt 2 pt 7 title 'of 36 directions', '' using 'b':(-2*column('least')) with lines lt 1 title '-2 times the least eigenvalue', \
    0 with lines lt 9 dashtype 2 notitle
