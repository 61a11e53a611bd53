set multiplot
set lmargin at screen 0.14
set rmargin at screen 0.66
set offsets graph 0.06, graph 0.1, graph 0.06, graph 0.06
set key vertical maxrows 5 spacing 1.4
set ylabel 'left velocity v_1 / (m/s)'
do for [k = 0:2] {
    set title sprintf('degree %d is chosen, ', k).when[k + 1]
    set xtics tic[k + 1]
    set tmargin at screen 0.965 - 0.32*k
    set bmargin at screen 0.725 - 0.32*k
    set key left top at screen 0.68, screen 0.945 - 0.32*k
    set xlabel k == 2 ? 'time t / s' : ''
    plot for [q = 0:2] part('curves'.k) using 'time':sprintf('degree%d', q) with lines \
            lt q + 2 lw (q == k ? 3 : 1.6) title (q == 0 ? error0[k + 1] : q == 1 ? error1[k + 1] : error2[k + 1]), \
        part('errors'.k) \
            using 'time':'extrapolated':(0):(column('newest') - column('extrapolated')) \
            with vectors nohead lt 9 lw 1 dashtype 2 notitle, \
        part('points'.k) using 'time':'past' with points lt 1 pt 7 ps 1 title 'past values', \
        '' using 'time':'newest' with points lt 1 pt 6 ps 1.3 title 'newest value'
}
