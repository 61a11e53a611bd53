set multiplot layout 1,3
set tmargin 7
set logscale xy; set format xy powers
set xlabel 'states of the model'
set ylabel 'evaluations for the Jacobian'
set yrange [1:5000]
do for [chain in 'mass-chain plate-chain'] {
set title chain
plot part(chain) using 'states':'coupled_dense' with linespoints lt 3 pt 7 lw 5 \
    title "coupled x', by columns", \
    '' using 'states':'coupled' with linespoints lt 2 pt 7 ps 0.6 \
    title "coupled x', compressed", \
    '' using 'states':'subsystems_dense' with linespoints lt 5 pt 4 \
    title 'all f and g, by columns', \
    '' using 'states':'subsystems' with linespoints lt 4 pt 5 ps 0.6 \
    title 'all f and g, compressed'
}
unset logscale; set format x '%g'; set format y '%g'
set title sprintf('structure of A: mass-chain, %d masses, %d groups', masses, groups)
set xlabel 'column (state)'; set ylabel 'row (derivative)'
set xrange [0:2*masses + 1]; set yrange [2*masses + 1:0]; set size square
plot for [g=1:groups] part('structure') using 'column':(column('group') == g ? column('row') : NaN) \
    with points lt (g + 1) pt 5 ps 0.55 title sprintf('group %d', g)
