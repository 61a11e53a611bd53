set multiplot
array rules[2] = ['step', 'pointwise']
array names[2] = ['(a) rule “step”', '(b) rule “pointwise”']
array labels[2] = ['threshold θ of |y| < θ H |y′|', 'threshold of |y| / (N or m/s)']
array steps[4] = [0.1, 0.2, 0.3, 0.4]
array types[4] = [2, 3, 4, 5]
set logscale x
column_at(k) = sprintf('set lmargin at screen %g; set rmargin at screen %g; ', 0.135 + 0.46 * (k - 1), 0.515 + 0.46 * (k - 1)).(k == 1 ? 'set xrange [0.23:4.3]; set xtics (0.25, 0.5, 1, 2, 4); set format x "%.6g"' : 'set xrange [0.8e-4:1.25]; set xtics autofreq; set format x powers')
rows(top, bottom) = sprintf('set tmargin at screen %g; set bmargin at screen %g', top, bottom)
strip = 'unset logscale y; unset xlabel; set ylabel ""; set format x ""; set format y "%.6g"; unset key'
do for [k = 1:2] {
    eval column_at(k)
eval rows(0.885, 0.785)
eval strip
    set title names[k]
set yrange [0.3:4.7]
    set ytics ('0.1 s' 1, '0.2 s' 2, '0.3 s' 3, '0.4 s' 4)
    plot for [j = 1:4] part(rules[k].sprintf('-%d', j)) using 'threshold':(column('failed') > 0 ? j : NaN) \
        with points lt types[j] pt 2 ps 0.7 notitle
    unset title
eval column_at(k)
eval rows(0.77, 0.50)
    set xlabel labels[k]
set ylabel k == 1 ? 'largest |E / E(0) - 1|' : ''
    set logscale y
set yrange [3e-5:10]
set ytics autofreq
set format y powers
    if (k == 1) { set key at screen 0.55,0.998 center top vertical maxrows 2 width -1 } else { unset key }
    if (k == 1) {
        do for [j = 1:4] {
            set arrow j from first 1.0 / (1.0 - steps[j]), graph 0.02 to first 1.0 / (1.0 - steps[j]), graph 0.10 \
                head filled size screen 0.007,20 lt types[j] lw 1.6
        }
    } else { unset arrow }
    plot for [j = 1:4] part(rules[k].sprintf('-%d', j)) using 'threshold':'median':'least':'largest' \
            with yerrorbars lt types[j] lw 1 pt 7 ps 0.45 title sprintf('H = %g s', steps[j]), \
        NaN with points lt 1 pt 2 ps 0.7 title 'a run failed', \
        NaN with vectors filled lt 1 lw 1.6 title 'θ = 1/(1 - ωH)'
    unset arrow
}
do for [k = 1:2] {
    eval column_at(k)
eval rows(0.385, 0.36)
eval strip
    set yrange [0:2]
set ytics ('failed' 1)
    plot part(rules[k].'-order') using 'threshold':(column('failed') > 0 ? 1 : NaN) with points lt 3 pt 2 ps 0.8 notitle
    eval column_at(k)
eval rows(0.345, 0.08)
    set xlabel labels[k]
set ylabel k == 1 ? 'observed order' : ''
set yrange [-0.5:2.5]
    set ytics autofreq
    if (k == 1) { set key at screen 0.55,0.433 center top vertical maxrows 1 } else { unset key }
    plot 2 with lines lt 9 lw 1.2 dashtype 2 title 'order 2', \
        part(rules[k].'-order') using 'threshold':'order' with points lt 2 pt 7 ps 0.7 title 'all runs end', \
        NaN with points lt 3 pt 2 ps 0.8 title 'a run failed'
}

