set multiplot
array keys[2] = ['pair', 'chain']
array names[2] = ['spring-mass, H = 0.2 s', 'oscillator-chain, H = 0.1 s']
array left[2] = [0.105, 0.59]
array springs[3] = [2, 4, 7]
array masses[3] = [3, 5, 6]
set xlabel 'time t / s'
do for [m = 1:2] {
    set lmargin at screen left[m]
    set rmargin at screen left[m] + 0.385
    set tmargin at screen 0.955
    set bmargin at screen 0.74
    unset logscale y
    set format y '%.6g'
    set ytics 0.2
    set xrange [0:20]
    set yrange [0:(m == 1 ? 1.3 : 1.8)]
    set title '('.'ab'[m:m].') '.names[m]
    set ylabel m == 1 ? 'energy / E(0)' : ''
    set key inside top center vertical maxrows 2*m - 1 samplen 2 width -1
    if (m == 1) {
        plot part('pair-energies') using 'time':'spring' with lines lt 2 title 'spring', \
            '' using 'time':'mass' with lines lt 3 title 'mass', '' using 'time':'all' with lines lt 1 title 'all'
    } else {
        plot for [k = 1:3] part('chain-energies') using 'time':'spring'.k with lines lt springs[k] dashtype 1 lw 1.2 title 'spring '.k, \
            for [k = 1:3] '' using 'time':'mass'.k with lines lt masses[k] lw 1.2 dashtype (6,3) title 'mass '.k, \
            '' using 'time':'all' with lines lt 1 title 'all'
    }
    set title '('.'cd'[m:m].') negotiated power: residuals'
    set tmargin at screen 0.635
    set bmargin at screen 0.43
    set logscale y
    set format y powers
    set ytics autofreq
    set yrange [5e-19:1e-1]
    set ylabel m == 1 ? '|residual of a bond| / E(0)' : ''
    set key at graph 0.5,0.55 center center vertical maxrows 2 width -4
    plot part(keys[m].'-residuals') using 'time':'law' with points lt 2 pt 7 ps 0.35 title 'law at both ends', \
        '' using 'time':'fallback' with points lt 3 pt 9 ps 0.45 title 'an end extrapolated'
    set title '('.'ef'[m:m].') '.names[m]
    set tmargin at screen 0.28
    set bmargin at screen 0.08
    set xrange [0:75]
    set yrange [1e-7:1e9]
    if (m == 1) { set yrange [1e-6:1e2] }
    set ylabel m == 1 ? '|accumulated drift| / E(0)' : ''
    if (m == 1) { set key at screen 0.54,0.36 center top vertical maxrows 2 width -2 } else { unset key }
    plot part(keys[m].'-drift') using 'time':'constant' with lines lt 9 lw 1.6 title 'constant', \
        '' using 'time':'linear' with lines lt 6 dashtype 1 lw 3 title 'linear', \
        '' using 'time':'balance' with lines lt 3 lw 1.4 dashtype (6,3) title 'linear, with balance', \
        '' using 'time':'seidel' with lines lt 4 lw 1 title 'Gauss-Seidel', \
        '' using 'time':'power' with lines lt 2 lw 1.4 title 'negotiated power'
}
