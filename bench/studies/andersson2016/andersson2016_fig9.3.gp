set multiplot layout 1,2
set xlabel 'time t / s'
set ylabel 'x_2'
plot csv using 'time':'x2' with lines lt 2 lw 2 title 'x_2'
set ylabel 'input u'
set yrange [-120:120]
plot csv using 'time':'u' with lines lt 3 lw 2 title 'u = 100 sin(30 t)'
