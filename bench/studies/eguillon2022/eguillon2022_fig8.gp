set multiplot layout 1,2
set lmargin 11
set rmargin 3
set tmargin 4
set offsets 0, 0, graph 0.08, graph 0.08
set for [k = 1:2] arrow from first (k == 1 ? first : second), graph 0 rto 0, graph 1 nohead \
    lt 9 lw 0.8
set key at screen 0.5, screen 0.985 center top vertical maxrows 1
set xtics 0.2
set xlabel 'time t / s'
array names[2] = ['value', 'slope']
array labels[2] = ['input, left velocity v_1 / (m/s)', 'slope of the input / (m/s^2)']
do for [k = 1:2] {
    set title names[k]
    if (k == 2) { unset key }
    set ylabel labels[k]
    plot part('before') using 'time':names[k] with lines lt 3 lw 1.6 dashtype 2 \
        title 'before smoothing', \
        part('smooth') using 'time':names[k] with lines lt 2 lw 2.8 title 'smoothed', \
        part('ends') using 'time':names[k] with points lt 1 pt 7 ps 0.9 title 'ends of steps'
}
