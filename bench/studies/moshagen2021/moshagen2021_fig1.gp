set multiplot layout 2,2
array inputs[3] = ['held', 'linear', 'balance']
array titles[3] = ['Fig. 1: constant extrapolation', 'Fig. 3: linear extrapolation', 'Fig. 4: balance error and what is given back']
set lmargin 9
set rmargin 3
set tmargin 6
set key vertical maxrows 2 samplen 2
set xrange [0:6]
set xlabel 'time t / s'
do for [k in '1 2 3'] {
    n = int(k)
    set title titles[n] offset 0,0.2
    set ylabel 'force F / N'
    set yrange [-2.6:2.6]
    if (n == 3) {
        plot part('balance-steps') using (column('from') + 0.25):(column('start') + 0.5*column('repaid')):(0.25):(0.5*column('repaid')) \
            with boxxyerror fillstyle transparent solid 0.25 noborder lt 6 title 'given back', \
            part('balance') using 'from':'begin':(0.5):(0) with vectors nohead lt 3 lw 3 title 'what the mass is given', \
            '' using 'time':'F' with points lt 2 pt 7 title 'at communication points'
    } else {
        plot part('exact') using 'time':'F' smooth csplines lt 1 lw 1 title 'exact solution', \
            part(inputs[n]) using 'from':'begin':(0.5):(column('end') - column('begin')) with vectors nohead lt 3 lw 3 title 'what the mass is given', \
            '' using 'time':'F' with points lt 2 pt 7 title 'at communication points'
    }
    if (n == 1) {
        set title 'Fig. 2: both go from values of the last communication' offset 0,0.2
        set yrange [0:3]
        set ytics ('mass' 1, 'spring' 2)
        unset ylabel
        plot part('held') using 'from':(1):(0.48):(0) with vectors head filled lt 2 lw 2 title 'macro-step', \
            '' using 'from':(2):(0.48):(0) with vectors head filled lt 2 lw 2 notitle, \
            '' using 'time':(1.9):(0):(-0.8) with vectors head filled lt 3 title 'F', \
            '' using (column('time') + 0.06):(1.1):(0):(0.8) with vectors head filled lt 4 title 'v'
        set ytics auto
    }
}
