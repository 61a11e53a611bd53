set multiplot
array titles[3] = ['H = 0.375 s', 'H = 0.1825 s', 'H = 0.09125 s']
array halved[3] = ['', 'H = 0.1875 s', 'H = 0.09375 s']
array colours[3] = [1, 2, 4]
array lighter[3] = [0, 5, 7]
array left[3] = [0.075, 0.405, 0.735]
set xlabel 'time t / s'
do for [k = 1:3] {
    column = sprintf('%d', k - 1)
    set lmargin at screen left[k]
set rmargin at screen left[k] + 0.250
    set tmargin at screen 0.90
set bmargin at screen 0.60
    set xrange [0:75]
set yrange [*:*]
unset logscale y
set format y '%.6g'
    set ylabel k == 1 ? 'energy E / E(0)' : ''
    set key at screen left[k] + 0.125,0.985 center top vertical maxrows 1
    if (k == 1) {
        plot part(column) using 'time':'energy' with lines lt colours[k] lw 1.4 title titles[k]
    } else {
        plot part(column) using 'time':'energy' with lines lt colours[k] lw 1.4 title titles[k], \
            part('halved-'.column) using 'time':'energy' with lines lt lighter[k] lw 1.2 title halved[k]
    }
    set tmargin at screen 0.44
set bmargin at screen 0.09
    set xrange [0:20]
set logscale y
set yrange [1e-15:1]
set format y powers
    set ylabel k == 1 ? '|change of E| / E(0) in a macro-step' : ''
    if (k == 2) { set key at screen 0.53,0.515 center top vertical maxrows 1 } else { unset key }
    plot part(column) using 'time':'law' with points lt 2 pt 7 ps 0.4 title 'law at both ends', \
        part(column) using 'time':'fallback' with points lt 3 pt 7 ps 0.4 \
            title 'an end extrapolated, or a zero inside', \
        1e-11 with lines lt 9 lw 1.2 dashtype 2 title 'tolerance of the micro-solver'
}
