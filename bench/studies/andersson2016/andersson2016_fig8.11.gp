set multiplot layout 1,2
set xlabel 'time t / s'
set tmargin 4
set key vertical maxrows 2
set ylabel 'x_1'
plot csv using 'time':'dormand_prince' with lines lt 3 lw 5 title 'Dormand-Prince', \
    '' using 'time':'cvode' with lines lt 2 lw 2.5 title 'CVODE', \
    '' using 'time':'reference' with lines lt 1 lw 1 title 'reference'
set ylabel 'error |x_1 - reference|'
set logscale y; set format y powers
plot csv using 'time':'e_dormand_prince' with lines lt 3 lw 1.5 title 'Dormand-Prince', \
    '' using 'time':'e_cvode' with lines lt 2 lw 1.5 title 'CVODE'
