set multiplot
set lmargin at screen 0.21
set rmargin at screen 0.94
set tmargin at screen 0.885
set bmargin at screen 0.455
unset key
unset grid
set border 0
set label 1 '(a) change of energy in a period, %' at screen 0.02,0.985
set xrange [0.5:10.5]
set yrange [18.5:0.5]
set x2range [0.5:10.5]
unset xtics
set x2tics ('' 1) rotate by 25 scale 0
set ytics ('' 1) scale 0
do for [k = 1:10] { set x2tics add (plants[k] k) }
do for [k = 1:18] { set ytics add (schemes[k] k) }
x(k) = int(k)/18 + 1
y(k) = int(k)%18 + 1
paint(rate, state) = state < 1 ? 0xffffff : state < 3 ? 0xdddddd : rate > 0.1 ? 0xe69f5a : rate >= 0.005 ? 0xf5d3b3 : rate > -0.005 ? 0xb9dfc4 : rate > -0.1 ? 0xbcd7ec : 0x6ba5d1
percent(rate) = 100*(exp(rate) - 1)
say(rate, state) = state < 1 ? '' : state < 2 ? 'dear' : state < 3 ? 'none' : abs(rate) < 0.00005 ? '0' : abs(percent(rate)) < 9.95 ? sprintf('%+.2f', percent(rate)) : sprintf('%+.0f', percent(rate))
set style fill solid 1
plot part('tiles') using (x(column(0))):(y(column(0))):(0.47):(0.44):(paint(column('rate'), column('state'))) with boxxyerror lc rgb variable, \
    '' using (x(column(0))):(y(column(0))):(say(column('rate'), column('state'))) with labels
unset label 1
unset x2tics
set border 3
set grid
set xtics autofreq scale 1
set ytics autofreq scale 1
set lmargin at screen 0.1
set rmargin at screen 0.49
set tmargin at screen 0.325
set bmargin at screen 0.085
set title '(b) change in a period'
set ylabel '|log energy|'
set logscale xy
set xrange [0.09:1.6]
set yrange [1e-5:10]
set format y powers
set xtics (0.1, 0.2, 0.5, 1)
set xlabel 'ω H'
set key at screen 0.295,0.44 center top vertical maxrows 3 samplen 1.5
plot for [k = 1:3] part('undamped-'.word('held zoh linear', k)) using 'H':(abs(column('law'))) with lines lt k notitle, \
    part('undamped-held') using 'H':(abs(column('rate'))) with points lt 1 pt 4 ps 1.4 title 'held', \
    part('undamped-zoh') using 'H':(abs(column('rate'))) with points lt 2 pt 7 ps 0.6 title 'held, iterated', \
    part('undamped-linear') using 'H':(abs(column('rate'))) with points lt 3 pt 6 title 'linear', \
    part('undamped-through') using 'H':(abs(column('rate'))) with points lt 4 pt 9 title 'power', \
    part('undamped-iqn') using 'H':(abs(column('rate'))) with points lt 5 pt 11 title 'C1, iterated'
set lmargin at screen 0.595
set rmargin at screen 0.985
set title '(c) work of a macro-step'
set ylabel 'solves a macro-step'
unset logscale x
set xrange [0:1]
set yrange [1:300]
set format y '%g'
set xtics 0, 0.2, 1
set xlabel 'spectral radius'
set key at screen 0.79,0.44 center top vertical maxrows 3 samplen 1.5
plot part('accelerators') using 'rho':'fixed' with linespoints lt 1 pt 4 title 'fixed point', \
    '' using 'rho':'newton' with linespoints lt 2 pt 7 title 'Newton', \
    '' using 'rho':'anderson' with linespoints lt 3 pt 6 title 'Anderson', \
    '' using 'rho':'ngmres' with linespoints lt 4 pt 9 ps 0.6 title 'NGMRES', \
    '' using 'rho':'iqn' with linespoints lt 5 pt 11 title 'IQN-ILS'
