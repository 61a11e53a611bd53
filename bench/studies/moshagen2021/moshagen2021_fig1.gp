set multiplot layout 2,2 margins 0.09,0.98,0.12,0.88 spacing 0.11,0.21
array inputs[3] = ['held', 'linear', 'balance']
array titles[3] = ['(a) Fig. 1: constant extrapolation', '(c) Fig. 3: linear extrapolation', '(d) Fig. 4: balance error']
set xrange [0:6]
set xlabel 'time t / s'
do for [k in '1 2 3'] {
    n = int(k)
    set title titles[n]
    set ylabel 'force F / N'
    set yrange [-2.6:2.6]
    if (n == 1) { set key at screen 0.53,1 center top vertical maxrows 1 samplen 2 } else { unset key }
    if (n == 3) {
        plot part('balance-steps') using (column('from') + 0.25):(column('start') + 0.5*column('repaid')):(0.25):(0.5*column('repaid')) \
            with boxxyerror fillstyle transparent solid 0.5 noborder lt 6 notitle, \
            part('balance') using 'from':'begin':(0.5):(0) with vectors nohead lt 3 dashtype 1 lw 3 notitle, \
            '' using 'time':'F' with points lt 2 pt 7 notitle
    } else {
        plot part('exact') using 'time':'F' smooth csplines lt 1 lw 1 title 'exact', \
            part(inputs[n]) using 'from':'begin':(0.5):(column('end') - column('begin')) with vectors nohead lt 3 dashtype 1 lw 3 title 'input of mass', \
            '' using 'time':'F' with points lt 2 pt 7 title 'communicated', \
            NaN with boxes fillstyle transparent solid 0.5 noborder lt 6 title 'given back'
    }
    if (n == 1) {
        set title '(b) Fig. 2: both go from the last values'
        set yrange [0.7:2.9]
        set ytics ('mass' 1, 'spring' 2)
        unset ylabel
        set key inside top center vertical maxrows 1 samplen 2 width -1
        plot part('held') using 'from':(1):(0.48):(0) with vectors head filled lt 2 lw 1.5 title 'macro-step', \
            '' using 'from':(2):(0.48):(0) with vectors head filled lt 2 lw 1.5 notitle, \
            '' using 'time':(1.9):(0):(-0.8) with vectors head filled lt 3 dashtype 1 lw 0.7 title 'F', \
            '' using (column('time') + 0.12):(1.1):(0):(0.8) with vectors head filled lt 4 lw 0.7 title 'v'
        set ytics auto
    }
}
