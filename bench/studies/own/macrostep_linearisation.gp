set multiplot
set logscale xy; set format xy powers
set tmargin at screen 0.775; set bmargin at screen 0.18
set xlabel 'states of the model'
set ylabel 'evaluations for the Jacobian'
set yrange [1:5000]
set key at screen 0.36,0.99 center top vertical maxrows 2 width -3
do for [c = 1:2] {
    chain = word('mass-chain plate-chain', c)
    set lmargin at screen 0.1 + 0.29*(c - 1); set rmargin at screen 0.345 + 0.29*(c - 1)
    set title '('.'ab'[c:c].') '.chain
    plot part(chain) using 'states':'coupled_dense' with linespoints lt 3 dashtype 1 pt 7 lw 3 \
        title "coupled x', by columns", \
        '' using 'states':'coupled' with linespoints lt 2 pt 7 ps 0.5 \
        title "coupled x', compressed", \
        '' using 'states':'subsystems_dense' with linespoints lt 5 pt 4 \
        title 'all f and g, by columns', \
        '' using 'states':'subsystems' with linespoints lt 4 pt 5 ps 0.5 \
        title 'all f and g, compressed'
    unset key; unset ylabel; set format y ''
}
unset logscale; set format x '%g'; set format y '%g'
set title sprintf('(c) A of %d masses, %d groups', masses, groups)
set lmargin at screen 0.745; set rmargin at screen 0.985
set key at screen 0.865,0.99 center top vertical maxrows 3 samplen 1 width 1
set xlabel 'column (state)'; set ylabel 'row (derivative)'
set xrange [0:2*masses + 1]; set yrange [2*masses + 1:0]
plot for [g=1:groups] part('structure') using 'column':(column('group') == g ? column('row') : NaN) \
    with points lt (g + 1) pt 5 ps 0.4 title sprintf('group %d', g)
