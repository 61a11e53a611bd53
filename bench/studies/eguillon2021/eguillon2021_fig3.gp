set xlabel 'time t / s'
set ylabel 'force f_L / N'
set yrange [-0.2:5.5]
plot csv using 'time':'force' with lines lt 2 lw 2 notitle
