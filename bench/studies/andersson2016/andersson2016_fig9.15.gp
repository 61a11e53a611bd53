set multiplot layout 1,2
set xlabel 'time t / s'
set ylabel 'position x / m'
plot csv using 'time':'x_w' with lines lt 2 lw 3.5 title 'wheel', \
    '' using 'time':'x_c' with lines lt 5 lw 3.5 title 'chassis', \
    '' using 'time':'x_w_ref' with lines lt 1 lw 1 title 'reference', \
    '' using 'time':'x_c_ref' with lines lt 1 lw 1 notitle
set ylabel 'velocity v / (m/s)'
plot csv using 'time':'v_w' with lines lt 2 lw 3.5 title 'wheel', \
    '' using 'time':'v_c' with lines lt 5 lw 3.5 title 'chassis', \
    '' using 'time':'v_w_ref' with lines lt 1 lw 1 title 'reference', \
    '' using 'time':'v_c_ref' with lines lt 1 lw 1 notitle
