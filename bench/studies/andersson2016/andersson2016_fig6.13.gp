array parts[2] = [csv, part('smoothed')]
array titles[2] = ['linear extrapolation', 'linear extrapolation with smoothing']
set multiplot layout 2,2
set lmargin 9
set rmargin 3
set ylabel 'input u_1'
set xlabel 'time t / s'
do for [row = 1:2] {
    do for [k = 1:2] {
        if (row == 1) {
            set title titles[k]
            set xrange [0:2]
            set yrange [0:3.5]
            set key inside right top vertical
        } else {
            set title titles[k].', start'
            set xrange [0:0.16]
            set yrange [2.35:3.15]
            unset key
            set xtics 0.04
        }
        plot parts[k] using 'time':'u1' with lines lt (k + 1) lw 2.5 title 'input', \
            part('reference') using 'time':(column('x2') + sin(column('x1'))) with lines lt 1 lw 1 \
            title 'reference'
    }
}
