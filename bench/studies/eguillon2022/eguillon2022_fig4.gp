set multiplot layout 2,1
set lmargin 11
set rmargin 3
set xrange [100:108]
set xlabel 'time t / s'
set title 'estimated output, each to the next communication'
set ylabel 'left velocity v_1 / (m/s)'
plot for [q = 0:2] part('degree'.q) using 'time':'estimate' with lines lt q + 2 lw 2.5 \
        title sprintf('degree %d', q), \
    part('values') using 'time':'value' with points lt 1 pt 7 ps 0.5 title 'communicated'
set title 'order function'
set ylabel 'degree p_{1,2}(t)'
set yrange [-0.2:2.2]
set ytics 1
plot part('values') using 'time':'degree' with steps lt 1 lw 2 notitle
