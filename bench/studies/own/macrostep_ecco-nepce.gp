members = 'held trapezoid exact ecco both'
array titles[5] = ['held', 'nepce, trapezoidal', 'nepce, exact', 'held, ecco', 'nepce, exact, ecco']
array line[5] = [2, 5, 4, 2, 4]
array dash[5] = [1, 1, 1, 2, 2]
array mark[5] = [7, 9, 5, 6, 4]
set multiplot
set logscale xy
set format xy powers
set xrange [60:12000]
set key at screen 0.54,0.99 center top vertical maxrows 2 width -2
do for [damper in 'linear power'] {
    do for [kind in 'error energy'] {
        set lmargin at screen (damper eq 'linear' ? 0.11 : 0.6)
        set rmargin at screen (damper eq 'linear' ? 0.49 : 0.98)
        set tmargin at screen (kind eq 'error' ? 0.875 : 0.455)
        set bmargin at screen (kind eq 'error' ? 0.545 : 0.125)
        set title (damper eq 'linear' ? (kind eq 'error' ? '(a)' : '(c)').' linear damper' : (kind eq 'error' ? '(b)' : '(d)').' damper of power 1/2')
        set xlabel (kind eq 'error' ? '' : 'macro-steps')
        set ylabel (damper eq 'power' ? '' : kind eq 'error' ? 'relative L_2 error' : '|coupling energy| / J')
        plot for [m = 1:5] part(damper.'-'.word(members, m)) using 'steps':kind \
            with linespoints lt line[m] lw 1.6 dashtype dash[m] pt mark[m] ps 0.7 title titles[m]
        unset key
    }
}
