set multiplot layout 1,2
set tmargin 5
set lmargin 12
set rmargin 3
set offsets graph 0.04, graph 0.04, graph 0.06, graph 0.06
set key at screen 0.5, screen 0.985 center top vertical maxrows 2
set xlabel 'time t / s'
set ylabel 'left velocity v_1 / (m/s)'
do for [q = 1:2] {
    set title sprintf('degree %d, ', q).when[q]
    set xtics tic[q]
    if (q == 2) { unset key }
    curves = part('curves'.q)
    plot curves using 'time':'extrapolation_next' with lines lt 2 lw 3 title 'extrapolation', \
        curves using 'time':'extrapolation' with lines lt 2 lw 1.4 dashtype 2 notitle, \
        curves using 'time':'cls_next' with lines lt 3 lw 3 title 'CLS', \
        curves using 'time':'cls' with lines lt 3 lw 1.4 dashtype 2 notitle, \
        part('points'.q) using 'time':'newest' with points lt 1 pt 5 ps 1.1 \
            title 'newest, on both', \
        '' using 'time':'used' with points lt 1 pt 7 ps 1.1 title 'used by both', \
        '' using 'time':'oldest' with points lt 1 pt 10 ps 1.4 title 'oldest, used by CLS', \
        '' using 'time':'next' with points lt 9 pt 6 ps 1.3 title 'next value'
}
