set xlabel 'time t / s'
set ylabel 'u_{21} / m, u_{22} / (m/s)'
plot csv using 'time':'velocity' with lines lt 3 lw 2 title 'u_{22}, velocity', \
    csv using 'time':'position' with lines lt 2 lw 2 title 'u_{21}, position', \
    part('coupled') using 'time':'velocity' with points lt 1 pt 7 ps 0.5 title 'coupled model', \
    '' using 'time':'position' with points lt 1 pt 7 ps 0.5 notitle
