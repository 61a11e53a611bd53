set multiplot layout 1,2
set lmargin 9
set rmargin 3
set xlabel 'time t / s'
set key vertical maxrows 2
set ylabel 'heave z / mm'
plot csv using 'time':'z' with lines lt 2 lw 2 title 'heave, H = 0.005 s', '' using 'time':'z_reference' with lines lt 1 dashtype 2 title 'reference'
set ylabel 'angle / degree'
plot csv using 'time':'roll' with lines lt 3 lw 2 title 'roll', '' using 'time':'pitch' with lines lt 4 lw 2 title 'pitch', \
    '' using 'time':'roll_reference' with lines lt 1 dashtype 2 title 'references', '' using 'time':'pitch_reference' with lines lt 1 dashtype 2 notitle
