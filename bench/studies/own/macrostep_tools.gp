members = 'oms_ma libcosim fmpy maestro loose oms_mav pyfmi jacobi ifosmondi'
array titles[9] = ['oms-ma', 'libcosim', 'fmpy', 'maestro, five passes', 'maestro, 0.01', 'oms-mav', 'pyfmi', 'jacobi, order 1', 'ifosmondi']
array line[9] = [2, 3, 5, 4, 4, 6, 7, 9, 9]
array width[9] = [2, 2, 2, 2, 2, 2, 2, 1.5, 1.5]
array dash[9] = [1, 1, 1, 1, 2, 1, 1, 2, 3]
array mark[9] = [7, 5, 9, 13, 12, 11, 15, 6, 4]
set multiplot
set logscale xy
set format xy powers
set tmargin at screen 0.785
set bmargin at screen 0.145
set lmargin at screen 0.1
set rmargin at screen 0.53
set title '(a) error over work'
set xlabel 'integrations of subsystems'
set ylabel 'mean relative L_2 error'
set xrange [100:2e6]
set yrange [1e-7:1]
set key at screen 0.53,0.99 center top vertical maxrows 3
plot for [m = 1:9] part(word(members, m)) using 'integrations':'error' \
    with linespoints lt line[m] lw width[m] dashtype dash[m] pt mark[m] ps 0.7 title titles[m]
set lmargin at screen 0.635
set rmargin at screen 0.985
set title '(b) relative to oms-ma'
set xlabel 'macro-step H / s'
set ylabel 'error over that of oms-ma'
set xrange [7e-5:0.14]
set yrange [0.5:8]
set format y '%g'
set ytics (0.5, 1, 2, 4, 8)
unset key
plot 1 with lines lt 2 lw 1.6, \
    for [m = 2:5] part('ratios') using 'step':word(members, m) with linespoints lt line[m] lw width[m] dashtype dash[m] pt mark[m] ps 0.7
