array extrapolations[2] = ['constant', 'linear']
array errors[3] = ['raw', 'used', 'without']
array names[3] = ['(13) accumulated', 'newest (13) alone', 'without']
set multiplot layout 3,2
set lmargin 10
set rmargin 3
set tmargin 6
set xlabel 'time t / s'
set ylabel 'position s / m, velocity v / (m/s)'
set xrange [0:75]
do for [r = 1:2] {
    do for [e = 1:2] {
        if (e == 1) { set yrange [*:*] } else { set yrange [-1.2:1.2] }
        set title extrapolations[e]." extrapolation,\nbalance correction: ".names[r] offset 0,0.2
        plot part(extrapolations[e].'-'.errors[r]) using 'time':'s' with lines lt 2 lw 2.5 title 's', \
            '' using 'time':'v' with lines lt 5 lw 2.5 title 'v', \
            part('reference') using 'time':'s' with lines lt 1 lw 0.7 title 'exact', \
            '' using 'time':'v' with lines lt 1 lw 0.7 notitle
    }
}
set ylabel 'energy E(t) / E(0)'
set yrange [*:*]
set tmargin 7
do for [e = 1:2] {
    set title extrapolations[e].' extrapolation: energy' offset 0,0.2
    if (e == 1) { set logscale y; set format y powers } else { unset logscale y; set format y '%g' }
    plot for [r = 1:3] part(extrapolations[e].'-'.errors[r]) using 'time':'energy' \
        with lines lt r + 1 lw 2 title names[r]
}
