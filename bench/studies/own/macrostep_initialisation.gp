set xlabel 'subsystems'
set logscale x 2
set xtics (2, 4, 8, 16, 32)
set xrange [1.8:45]
set yrange [0.95:1.7]
set ylabel 'evaluations per subsystem'
set multiplot layout 1,2 margins 0.1,0.98,0.16,0.85 spacing 0.1,0
set key at screen 0.54,0.995 center top vertical maxrows 1
set title '(a) without loops'
plot part('acyclic') using 'subsystems':'first' with linespoints lt 3 lw 2 pt 7 title 'Algorithm 1', '' using 'subsystems':'reduced' with linespoints lt 2 lw 3 pt 5 title 'Algorithm 2', '' using 'subsystems':'minimum' with linespoints lt 1 lw 1 pt 6 title 'minimum'
unset key
unset ylabel
set title '(b) with loops'
plot part('loops') using 'subsystems':'first' with linespoints lt 3 lw 2 pt 7 title 'Algorithm 1', '' using 'subsystems':'reduced' with linespoints lt 2 lw 3 pt 5 title 'Algorithm 2', '' using 'subsystems':'minimum' with linespoints lt 1 lw 1 pt 6 title 'minimum'
