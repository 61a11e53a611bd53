set multiplot layout 3,2 margins 0.1,0.98,0.08,0.93 spacing 0.12,0.11
array titles[3] = ['H = 0.375 s', 'H = 0.1825 s', 'H = 0.09125 s']
array halved[3] = ['', 'H = 0.1875 s', 'H = 0.09375 s']
array colours[3] = [1, 2, 4]
array lighter[3] = [0, 5, 3]
set xlabel 'time t / s'
do for [k = 1:3] {
    name_of = sprintf('%d', k - 1)
    set title '('.'ace'[k:k].') energy, H = '.titles[k][5:*]
    set xrange [0:75]
    unset logscale y
    set yrange [*:*]
    set offsets graph 0, graph 0, graph (k > 1 ? 0.25 : 0), graph 0
    set format y '%.6g'
    set ylabel k == 1 ? 'E / E(0)' : '(E / E(0) - 1) · 10^3'
    set key inside top left vertical maxrows 1 width -3 samplen 1.5
    if (k == 1) {
        unset key
        plot part(name_of) using 'time':(k == 1 ? column('energy') : 1e3*(column('energy') - 1)) with lines lt colours[k] lw 1.4 notitle
    } else {
        plot part(name_of) using 'time':(k == 1 ? column('energy') : 1e3*(column('energy') - 1)) with lines lt colours[k] lw 1.2 dashtype 1 title titles[k], \
            part('halved-'.name_of) using 'time':(k == 1 ? column('energy') : 1e3*(column('energy') - 1)) with lines lt lighter[k] lw 1 dashtype (6,2) title halved[k]
    }
    set title '('.'bdf'[k:k].') its changes, '.titles[k]
    set offsets
    set xrange [0:20]
    set logscale y
    set yrange [1e-15:1]
    set format y powers
    set ylabel '|change of E| / E(0)'
    if (k == 1) { set key at screen 0.54,0.995 center top vertical maxrows 1 width -4 } else { unset key }
    plot part(name_of) using 'time':'law' with points lt 2 pt 7 ps 0.4 title 'law at both ends', \
        part(name_of) using 'time':'fallback' with points lt 3 pt 9 ps 0.5 \
            title 'extrapolated, zero inside', \
        1e-11 with lines lt 9 lw 1.2 dashtype 2 title 'solver tolerance'
}
