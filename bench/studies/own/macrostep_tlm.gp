set multiplot
set lmargin at screen 0.1
set rmargin at screen 0.345
set tmargin at screen 0.93
set bmargin at screen 0.14
set title '(a) masses and line'
set xlabel 'time t / s'
set ylabel 'energy / E(0)'
set xrange [0:5]
set yrange [0.8:1.02]
set key inside left bottom vertical maxrows 4 samplen 2 width -2
plot csv using (column('step')==0 ? column('time') : NaN):'energy' with lines lt 2 lw 2 title 'H = 0.02 s', \
    csv using (column('step')==1 ? column('time') : NaN):'energy' with lines lt 3 lw 2 title 'H = 0.01 s', \
    csv using (column('step')==2 ? column('time') : NaN):'energy' with lines lt 4 lw 2 title 'H = 0.005 s', \
    csv using (column('step')==0 ? column('time') : NaN):'booked' with lines lt 1 lw 1.5 dashtype 2 title 'plus what is lost'
set lmargin at screen 0.44
set rmargin at screen 0.665
set tmargin at screen 0.93
set bmargin at screen 0.14
set title '(b) inertia of the line'
set logscale xy
set format xy powers
set xlabel 'delay T / s'
set ylabel '1 - ω/ω_0'
set xrange [7e-4:0.09]
set yrange [1e-5:1e2]
set key inside left top
set xtics ("0.001" 0.001, "0.01" 0.01)
plot part('inertia') using (column('curve')==0 ? column('delay') : NaN):'shift' with points lt 2 pt 7 ps 0.8 lw 1.2 title 'T = H', \
    part('inertia') using (column('curve')==1 ? column('delay') : NaN):'shift' with points lt 3 pt 4 ps 0.8 lw 1.2 title 'T = 4 H', \
    part('inertia') using (column('curve')==0 ? column('delay') : NaN):'exact' with lines lt 1 lw 1 title 'not sampled', \
    part('inertia') using (column('curve')==0 ? column('delay') : NaN):'inertia' with lines lt 9 dashtype 2 title 'k T^2 / (4 m)'
set lmargin at screen 0.77
set rmargin at screen 0.985
set tmargin at screen 0.93
set bmargin at screen 0.14
set title '(c) errors of the starts'
set xlabel 'macro-step H / s'
set ylabel 'error at 0.96 s / SI'
set xrange [1e-4:0.012]
set yrange [1e-7:1e3]
set key inside right bottom width -4
set xtics ("10^{-4}" 1e-4, "10^{-3}" 1e-3, "10^{-2}" 1e-2)
plot part('starts') using (column('curve')==0 ? column('step') : NaN):'error' with linespoints lt 2 pt 4 lw 1.5 title 'spring', \
    part('starts') using (column('curve')==1 ? column('step') : NaN):'error' with linespoints lt 3 pt 5 lw 1.5 title 'zero-force', \
    part('starts') using (column('curve')==2 ? column('step') : NaN):'error' with linespoints lt 4 pt 6 lw 1.5 title 'zero-wave', \
    part('starts') using (column('curve')==3 ? column('step') : NaN):'error' with linespoints lt 5 pt 7 lw 1.5 title 'zero-force, tense'