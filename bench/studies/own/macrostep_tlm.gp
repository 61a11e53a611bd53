set multiplot
set lmargin at screen 0.06
set rmargin at screen 0.33
set tmargin at screen 0.88
set bmargin at screen 0.14
set title 'energy of masses and line'
set xlabel 'time t / s'
set ylabel 'energy over that at the start'
set xrange [0:5]
set key inside left bottom
plot csv using (column('step')==0 ? column('time') : NaN):'energy' with lines lt 2 lw 2 title 'H = 0.02 s', \
    csv using (column('step')==1 ? column('time') : NaN):'energy' with lines lt 3 lw 2 title 'H = 0.01 s', \
    csv using (column('step')==2 ? column('time') : NaN):'energy' with lines lt 4 lw 2 title 'H = 0.005 s', \
    csv using (column('step')==0 ? column('time') : NaN):'booked' with lines lt 1 lw 1.5 dashtype 2 title 'plus what is lost'
set lmargin at screen 0.41
set rmargin at screen 0.66
set tmargin at screen 0.88
set bmargin at screen 0.14
set title 'inertia: masses that move alike are slower'
set logscale xy
set format xy powers
set xlabel 'delay T / s'
set ylabel '1 - ω/ω_0'
set xrange [7e-4:0.09]
set yrange [*:*]
set key inside left top
set xtics ("0.001" 0.001, "0.01" 0.01, "0.05" 0.05)
plot part('inertia') using (column('curve')==0 ? column('delay') : NaN):'shift' with points lt 2 pt 7 ps 1.2 lw 1.5 title 'T = H', \
    part('inertia') using (column('curve')==1 ? column('delay') : NaN):'shift' with points lt 3 pt 4 ps 1.2 lw 1.5 title 'T = 4 H', \
    part('inertia') using (column('curve')==0 ? column('delay') : NaN):'exact' with lines lt 1 lw 1 title 'not sampled', \
    part('inertia') using (column('curve')==0 ? column('delay') : NaN):'inertia' with lines lt 9 dashtype 2 title 'k T^2 / (4 m)'
set lmargin at screen 0.74
set rmargin at screen 0.99
set tmargin at screen 0.88
set bmargin at screen 0.14
set title 'errors of the starts'
set xlabel 'macro-step H / s'
set ylabel 'error at 0.96 s / SI units'
set xrange [1e-4:0.012]
set yrange [*:*]
set key inside right bottom
set xtics ("0.0001" 1e-4, "0.001" 1e-3, "0.01" 1e-2)
plot part('starts') using (column('curve')==0 ? column('step') : NaN):'error' with linespoints lt 2 pt 4 lw 1.5 title 'spring', \
    part('starts') using (column('curve')==1 ? column('step') : NaN):'error' with linespoints lt 3 pt 5 lw 1.5 title 'zero-force', \
    part('starts') using (column('curve')==2 ? column('step') : NaN):'error' with linespoints lt 4 pt 6 lw 1.5 title 'zero-wave', \
    part('starts') using (column('curve')==3 ? column('step') : NaN):'error' with linespoints lt 5 pt 7 lw 1.5 title 'zero-force, tense'