array tank[4] = [3, 4, 1, 2]
set xrange [0:60]
set multiplot layout 2,2
set key at screen 0.5, screen 0.985 center top vertical maxrows 1
set tmargin 4
do for [k = 1:4] {
    column_name = sprintf('tank%d.x.x%d', tank[k], tank[k])
    set title sprintf('tank %d', tank[k])
    if (k < 3) { set yrange [1.4:3.4] } else { set yrange [4.4:6.8] }
    set xlabel (k > 2 ? 'time t / s' : '')
    set ylabel (k % 2 == 1 ? 'level x / cm' : '')
    plot part('measured') using 'time':(100*column(column_name)) with points lt 3 pt 7 ps 0.45 \
        title 'synthetic measurement', \
        part('simulated') using 'time':(100*column(column_name)) with lines lt 1 lw 1.5 title 'simulated'
    unset key
}
