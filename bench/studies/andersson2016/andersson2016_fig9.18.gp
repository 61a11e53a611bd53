set xlabel 'time t / s'
set ylabel 'voltage u / V'
set xrange [0:60]
set yrange [3.5:7]
plot csv using 'time':'*.w.u1' with lines lt 2 lw 1.8 title 'pump 1, u_1', \
    '' using 'time':'*.w.u2' with lines lt 3 lw 1.8 title 'pump 2, u_2'
