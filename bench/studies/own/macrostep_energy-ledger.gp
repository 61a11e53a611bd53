set multiplot
array keys[2] = ['pair', 'chain']
array names[2] = ['spring-mass, H = 0.2 s', 'oscillator-chain, H = 0.1 s']
array top[2] = [0.885, 0.375]
array springs[3] = [2, 4, 7]
array masses[3] = [3, 5, 6]
set xlabel 'time t / s'
do for [m = 1:2] {
    set tmargin at screen top[m]
set bmargin at screen top[m] - 0.31
    set lmargin at screen 0.065
set rmargin at screen 0.305
    unset logscale y
set format y '%.6g'
set xrange [0:20]
set yrange [0:1.1]
    set title names[m] offset 0,-0.6
set ylabel 'energy / E(0), negotiated power'
    set key at screen 0.185,top[m] + 0.113 center top vertical maxrows m + 1 samplen 2
    if (m == 1) {
        plot part('pair-energies') using 'time':'spring' with lines lt 2 title 'spring', \
            '' using 'time':'mass' with lines lt 3 title 'mass', '' using 'time':'all' with lines lt 1 title 'all'
    } else {
        plot for [k = 1:3] part('chain-energies') using 'time':'spring'.k with lines lt springs[k] lw 1.4 title 'spring '.k, \
            for [k = 1:3] '' using 'time':'mass'.k with lines lt masses[k] lw 1.4 dashtype 2 title 'mass '.k, \
            '' using 'time':'all' with lines lt 1 title 'all'
    }
    unset title
    set lmargin at screen 0.395
set rmargin at screen 0.635
    set logscale y
set format y powers
set yrange [5e-19:1e-1]
    set ylabel '|residual| / E(0) of a bond in a macro-step'
    set key at screen 0.515,top[m] + 0.105 center top vertical maxrows 2
    plot part(keys[m].'-residuals') using 'time':'law' with points lt 2 pt 7 ps 0.35 title 'power, law at both ends', \
        '' using 'time':'fallback' with points lt 3 pt 7 ps 0.35 title 'power, an end extrapolated'
    set lmargin at screen 0.730
set rmargin at screen 0.985
    set xrange [0:75]
set yrange [1e-7:1e9]
set ylabel '|accumulated drift| / E(0)'
    if (m == 1) { set yrange [1e-6:1e2] }
    set key at screen 0.855,top[m] + 0.105 center top vertical maxrows 3 samplen 1.6
    plot part(keys[m].'-drift') using 'time':'constant' with lines lt 9 lw 1.8 title 'constant', \
        '' using 'time':'linear' with lines lt 6 lw 4 title 'linear', \
        '' using 'time':'balance' with lines lt 3 lw 1.4 dashtype 2 title 'linear, with balance', \
        '' using 'time':'seidel' with lines lt 4 lw 1 title 'Gauss-Seidel', \
        '' using 'time':'power' with lines lt 2 lw 1.4 title 'power'
}
