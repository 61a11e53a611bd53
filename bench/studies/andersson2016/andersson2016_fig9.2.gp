set xlabel 'time t / s'
set ylabel 'x_2'
plot csv using 'time':'x2' with lines lt 2 lw 2 title 'x_2, u = 0'
