members = 'held linear parabola seidel strang'
array titles[5] = ['Jacobi, order 0', 'Jacobi, order 1', 'Jacobi, order 2', 'Gauss-Seidel, order 0', 'Strang']
array line[5] = [2, 6, 5, 7, 3]
array mark[5] = [7, 9, 11, 13, 5]
set multiplot
set logscale xy
set format xy powers
set tmargin at screen 0.815
set bmargin at screen 0.165
set lmargin at screen 0.1
set rmargin at screen 0.33
set title '(a) no feed-through'
set xlabel 'integrations'
set ylabel 'mean relative L_2 error'
set xrange [80:8000]
set key at screen 0.54,0.99 center top vertical maxrows 2
plot for [m = 1:5] part('precice-'.word(members, m)) using 'integrations':'error' \
    with linespoints lt line[m] lw 2 pt mark[m] ps 0.7 title titles[m]
set lmargin at screen 0.425
set rmargin at screen 0.655
set title '(b) feed-through, one side'
set ylabel ''
set xrange [300:30000]
unset key
plot for [m = 1:5] part('lim-'.word(members, m)) using 'integrations':'error' \
    with linespoints lt line[m] lw 2 pt mark[m] ps 0.7
set lmargin at screen 0.765
set rmargin at screen 0.985
set title '(c) spring-mass'
unset logscale
set format '%g'
set xlabel 'time t / s'
set ylabel 'energy E / E(0)'
set xrange [0:75]
set xtics 25
set yrange [0.8:1.2]
plot for [m = 1:5] part('energy') using 'time':word(members, m) with lines lt line[m] lw 1.5
