array extrapolations[2] = ['constant', 'linear']
array errors[3] = ['raw', 'used', 'without']
array names[3] = ['(13) accumulated', 'newest (13) alone', 'without']
set multiplot layout 3,2 margins 0.09,0.98,0.08,0.93 spacing 0.11,0.11
set xlabel 'time t / s'
set xrange [0:75]
set key at screen 0.535,0.995 center top vertical maxrows 1
do for [r = 1:2] {
    do for [e = 1:2] {
        k = 2*r + e - 2
        if (e == 1) { set yrange [*:*] } else { set yrange [-1.2:1.2] }
        set title '('.'abcd'[k:k].') '.extrapolations[e].', '.names[r]
        set ylabel e == 1 ? 's / m, v / (m/s)' : ''
        plot part(extrapolations[e].'-'.errors[r]) using 'time':'s' with lines lt 2 lw 1.6 title 'position s', \
            '' using 'time':'v' with lines lt 5 lw 1.6 title 'velocity v', \
            part('reference') using 'time':'s' with lines lt 1 lw 0.5 title 'exact', \
            '' using 'time':'v' with lines lt 1 lw 0.5 notitle
        unset key
    }
}
set yrange [*:*]
set key inside top left vertical maxrows 3 width -4
do for [e = 1:2] {
    set title '('.'ef'[e:e].') energy, '.extrapolations[e].' extrapolation'
    set ylabel e == 1 ? 'energy E(t) / E(0)' : ''
    if (e == 1) { set logscale y; set yrange [1:1e10]; set format y powers } else { unset logscale y; set yrange [0.85:1.3]; set format y '%g' }
    plot for [r = 1:3] part(extrapolations[e].'-'.errors[r]) using 'time':'energy' \
        with lines lt r + 1 lw 1.6 title names[r]
}
