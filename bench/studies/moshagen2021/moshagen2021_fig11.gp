set multiplot
array parts[3] = ['linear', 'balance', 'power']
array titles[3] = ['linear extrapolation', 'with balance correction', 'negotiated power']
array types[3] = [5, 3, 2]
set xrange [0:75]
set xlabel 'time t / s'
set tmargin at screen 0.90
set bmargin at screen 0.61
set yrange [-1.2:1.2]
set ytics 0.5
do for [k = 1:3] {
    set lmargin at screen 0.070 + 0.325 * (k - 1)
    set rmargin at screen 0.325 + 0.325 * (k - 1)
    set title titles[k] offset 0,-0.6
    set ylabel k == 1 ? 's / m, v / (m/s)' : ''
    if (k == 1) { set key at screen 0.5,0.995 center top vertical maxrows 1 } else { unset key }
    plot part(parts[k]) using 'time':'s' with lines lt 2 lw 1.2 title 'elongation s', \
        part(parts[k]) using 'time':'v' with lines lt 3 lw 1.0 title 'velocity v', \
        1 with lines lt 9 lw 1 dashtype 2 title 'exact amplitude', -1 with lines lt 9 lw 1 dashtype 2 notitle
}
set ytics autofreq
unset title
set tmargin at screen 0.46
set bmargin at screen 0.09
set key at screen 0.36,0.53 center top vertical maxrows 1
set lmargin at screen 0.070
set rmargin at screen 0.325
set yrange [0.8:1.2]
set ylabel 'energy E / E(0)'
plot for [k = 1:3] part(parts[k]) using 'time':'energy' with lines lt types[k] lw 1.8 title titles[k]
unset key
set lmargin at screen 0.395
set rmargin at screen 0.650
set yrange [1e-6:1]
set logscale y
set format y powers
set ylabel '|E / E(0) - 1|'
array widths[3] = [3.2, 1.2, 1.2]
set title 'grown and damped by nearly the same' offset 0,-0.6
plot for [k = 1:3] part(parts[k]) using 'time':'deviation' with lines lt types[k] lw widths[k] notitle
unset title
unset logscale y
set format y '%.6g'
set lmargin at screen 0.735
set rmargin at screen 0.985
set yrange [*:*]
set ylabel '(E / E(0) - 1) · 10^3'
set key at screen 0.84,0.53 center top vertical maxrows 2
plot part('steps') using 'time':(1e3 * (column('energy') - 1)) with lines lt 2 lw 1.2 title 'power', \
    part('steps') using 'time':(column('fallback') > 0 ? 1e3 * (column('energy') - 1) : NaN) \
        with points lt 3 pt 7 ps 0.3 title 'macro-steps with an extrapolated end'
