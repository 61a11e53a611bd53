set multiplot layout 2,2
set key at screen 0.5, screen 0.985 center top vertical maxrows 1
array runs[2] = ['imposed', 'clocks']
array titles[2] = ['two masses, steps of 0.15 s and 0.25 s imposed', \
    'three clocks, 0.25 s imposed on the meter']
array lines[2] = [2, 3]
array from[2] = [0, 4]
array to[2] = [1.5, 6]
names(k, i) = k == 1 ? word('left right', i) : word('swell buoy meter', i)
set lmargin 10
set rmargin 3
do for [k = 1:2] {
    set title titles[k]
    set tmargin 4.5
    if (k == 2) { unset key }
    set xrange [from[k]:to[k]]
    set yrange [0.5:lines[k] + 0.5]
    set xlabel 'time t / s'
    set ylabel ''
    set grid noytics
    set ytics ()
    do for [i = 1:lines[k]] { set ytics add (names(k, i) lines[k] + 1 - i) }
    plot part(runs[k].'-steps') \
        using (0.5*(column('begin') + column('end'))):'line':'begin':'end': \
            (column('line') - 0.12):(column('line') + 0.12): \
            (column('shade') == 0 ? 0x56b4e9 : 0xbfe3f7) \
            with boxxyerror fillstyle solid 1 noborder linecolor rgb variable title 'steps', \
        part(runs[k].'-uses') using 'communication':'line': \
            (column('begin') - column('communication')):(column('reader') - column('line')) \
            with vectors head size graph 0.012,20 filled lt 3 lw 1 \
            title 'data used by a step', \
        part(runs[k].'-steps') using 'communication':'line' with points lt 1 pt 7 ps 0.6 \
            title 'communications'
}
set ytics autofreq
set grid xtics ytics
set key default tmargin center horizontal Left reverse samplen 2.6
do for [k = 1:2] {
    set title 'time reached: flat stretches are idle'
    set xrange [*:*]
    set yrange [from[k]:to[k]]
    set xlabel 'meetings since t = '.sprintf('%g', from[k]).' s'
    set ylabel 'time reached / s'
    plot for [i = 1:lines[k]] part(runs[k].'-progress') using 'meeting':names(k, i) with steps \
        lt i + 1 lw 2 \
        title names(k, i)
}
