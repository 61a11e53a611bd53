set multiplot layout 3,2 margins 0.1,0.98,0.08,0.93 spacing 0.12,0.11
array parts[3] = ['linear', 'balance', 'power']
array titles[3] = ['linear extrapolation', 'balance correction', 'negotiated power']
array types[3] = [5, 3, 2]
array widths[3] = [2.6, 1.2, 1.2]
set xrange [0:75]
set xlabel 'time t / s'
set key at screen 0.54,0.995 center top vertical maxrows 1
set yrange [-1.2:1.2]
set ytics 0.5
do for [k = 1:3] {
    set title '('.'abc'[k:k].') '.titles[k]
    set ylabel k % 2 == 1 ? 's / m, v / (m/s)' : ''
    plot part(parts[k]) using 'time':'s' with lines lt 2 lw 1.2 title 'elongation s', \
        part(parts[k]) using 'time':'v' with lines lt 3 lw 1.0 title 'velocity v', \
        1 with lines lt 9 lw 1 dashtype 2 title 'exact amplitude', -1 with lines lt 9 lw 1 dashtype 2 notitle
    unset key
}
set ytics autofreq
set title '(d) energy'
set key inside top left vertical maxrows 3 width -4
set yrange [0.8:1.4]
set ylabel 'E / E(0)'
plot for [k = 1:3] part(parts[k]) using 'time':'energy' with lines lt types[k] lw 1.6 title titles[k]
unset key
set title '(e) its deviation'
set yrange [1e-6:1]
set logscale y
set format y powers
set ylabel '|E / E(0) - 1|'
plot for [k = 1:3] part(parts[k]) using 'time':'deviation' with lines lt types[k] lw widths[k] notitle
unset logscale y
set format y '%.6g'
set title '(f) negotiated power'
set yrange [*:*]
set offsets graph 0, graph 0, graph 0.35, graph 0
set ylabel '(E / E(0) - 1) · 10^3'
set key inside top left vertical maxrows 2 width -4
plot part('steps') using 'time':(1e3 * (column('energy') - 1)) with lines lt 2 lw 1 title 'energy', \
    part('steps') using 'time':(column('fallback') > 0 ? 1e3 * (column('energy') - 1) : NaN) \
        with points lt 3 pt 7 ps 0.3 title 'after an extrapolated end'
