set multiplot layout 2,2 margins 0.1,0.98,0.1,0.95 spacing 0.12,0.16
set logscale y
set format y powers
set xlabel 'time t / s'
set ylabel 'macro-step H / s'
set yrange [1e-6:1]
set key inside bottom left vertical maxrows 4 width -3
array titles[3] = ['(a) impact; spring, damper (j = 0)', '(b) impact; displacements (j = 1)', '(c) preloaded stop; spring (j = 2)']
array types[3] = [3, 2, 4]
do for [c = 0:2] {
    set title titles[c + 1]
    plot part('kept'.c) using 'time':'accepted' with points lt types[c + 1] pt 7 ps 0.7 title 'accepted', '' using 'time':'rejected' with points lt 1 pt 2 ps 0.7 title 'rejected', \
        part('dropped'.c) using 'time':'accepted' with points lt 5 pt 6 ps 1.1 title 'accepted, dropped', '' using 'time':'rejected' with points lt 5 pt 1 ps 0.8 title 'rejected, dropped'
}
set logscale x
set format x powers
set xlabel 'tolerance'
set ylabel 'macro-step H / s'
set title '(d) shortest from the event on'
set key inside bottom right width 0
set xrange [5e-8:2e-3]
of(c, dropped) = column('case') == c && column('dropped') == dropped ? column('tolerance') : NaN
plot csv using (of(0, 0)):'least' with linespoints lt 3 pt 7 dashtype 1 ps 0.8 title 'j = 0', csv using (of(0, 1)):'least' with linespoints lt 3 pt 6 dashtype '-' ps 0.8 notitle, \
    csv using (of(1, 0)):'least' with linespoints lt 2 pt 7 dashtype 1 ps 0.8 title 'j = 1', csv using (of(1, 1)):'least' with linespoints lt 2 pt 6 dashtype '-' ps 0.8 notitle, \
    csv using (of(2, 0)):'least' with linespoints lt 4 pt 7 dashtype 1 ps 0.8 title 'j = 2', csv using (of(2, 1)):'least' with linespoints lt 4 pt 6 dashtype '-' ps 0.8 notitle, \
    NaN with linespoints lt 1 pt 6 dashtype '-' ps 0.8 title 'dropped'
