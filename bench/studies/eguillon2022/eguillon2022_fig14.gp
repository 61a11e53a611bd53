set xlabel 'time t / s'
set ylabel 'position of the left mass x_1 / m'
set yrange [-1.1:0.4]
plot csv using 'time':'damped_max' with lines lt 3 lw 2 title 'damped bounds, ν = 5 %', \
    '' using 'time':'damped_min' with lines lt 3 lw 2 notitle, \
    '' using 'time':'max' with lines lt 9 lw 1.5 dashtype 2 title 'bounds without damping', \
    '' using 'time':'min' with lines lt 9 lw 1.5 dashtype 2 notitle, \
    '' using 'time':'x1' with lines lt 2 lw 1.5 title 'y_{1,1} = x_1'
