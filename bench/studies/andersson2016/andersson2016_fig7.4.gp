set multiplot layout 2,2 title subject . (many ? ' (ticks at the foot' : ' (dotted') . ': the input changes)'
set xrange [0:2]
set lmargin 10
set clip two
unset key
dash = many ? 1 : 3
do for [row = 1:2] {
    if (row == 1) {
        set logscale y
        set format y powers
        set yrange [1e-8:1e-1]
        set ylabel 'micro-step / s'
    } else {
        unset logscale y
        set format y '%g'
        set yrange [0:6]
        set ytics 1
        set ylabel 'order'
        set xlabel 'time t / s'
    }
    y = row == 1 ? 'step' : 'order'
    do for [k = 1:2] {
        set title row == 1 ? titles[k] : ''
        plot part('grid') using 'time':y with lines lt (many ? 1 : 9) lw 0.7 dashtype dash, part(ways[k]) using 'time':y with steps lt types[k] lw 1.2 dashtype 1
    }
}
