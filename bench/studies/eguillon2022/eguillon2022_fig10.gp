set xrange [0:10]
set yrange [0:2.4]
set xlabel 'time t / s'
set ylabel 'force of the controller F / kN'
plot part('jacobi') using 'time':'force' with lines lt 1 lw 2 title 'preset force, Jacobi', \
    part('f3ornits') using 'time':'force' with points lt 3 pt 6 ps 0.8 \
        title 'at the communications of F3ORNITS'

