array models[4] = ['mass-spring-damper', 'spring-mass', 'damping-reaction, D_D = 4', 'damping-reaction, D_D = 0.64']
array groups[3] = ['explicit', 'Jacobi corrected', 'iterated']
array of[3] = ['0 1 2 7 8 9', '3 4 5 6', '10 11 12 13 14 15 16 17 18']
array others[3] = ['3 4 5 6 10 11 12 13 14 15 16 17 18', '0 1 2 7 8 9 10 11 12 13 14 15 16 17 18', '0 1 2 3 4 5 6 7 8 9']
array titles[19] = ['Jacobi, order 0', 'Jacobi, order 1', 'Jacobi, order 2', 'Jacobi corrected, order 0', 'Jacobi corrected, order 1', \
    'Jacobi corrected, order 2', 'Jacobi corrected, order 1, derivatives', 'Gauss-Seidel, order 0', 'Gauss-Seidel, order 1', \
    'Gauss-Seidel, order 2', 'ifosmondi, fixed point, 1e-4', 'ifosmondi, newtonls, 1e-4', 'ifosmondi, anderson, 1e-4', 'ifosmondi, ngmres, 1e-4', \
    'ifosmondi, fixed point, 1e-8', 'ifosmondi, newtonls, 1e-8', 'ifosmondi, anderson, 1e-8', 'ifosmondi, ngmres, 1e-8', 'zoh-iterative, anderson, 1e-8']
array line[19] = [2, 3, 4, 2, 3, 4, 9, 2, 3, 4, 1, 6, 5, 7, 1, 6, 5, 7, 8]
array dash[19] = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
array mark[19] = [7, 7, 7, 7, 7, 7, 6, 4, 4, 4, 8, 8, 8, 8, 9, 9, 9, 9, 13]
array width[19] = [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 2, 2, 2, 2, 2]
array left[3] = [0.075, 0.39, 0.705]
array right[3] = [0.34, 0.655, 0.97]
array key_at[3] = [0.205, 0.52, 0.835]
array top[4] = [0.83, 0.622, 0.414, 0.206]
array bottom[4] = [0.675, 0.467, 0.259, 0.051]
do for [k = 1:19] {
    if (dash[k]) {
        set style line k linetype line[k] linewidth width[k] pointtype mark[k] pointsize 0.7 dashtype '-'
    } else {
        set style line k linetype line[k] linewidth width[k] pointtype mark[k] pointsize 0.7 dashtype 1
    }
}
work(model, curve) = column('model') == model && column('curve') == curve ? column('integrations') : NaN
set multiplot
set logscale xy
set format xy powers
do for [m = 1:4] {
    do for [g = 1:3] {
        set lmargin at screen left[g]
        set rmargin at screen right[g]
        set tmargin at screen top[m]
        set bmargin at screen bottom[m]
        set title models[m].': '.groups[g]
        set xlabel (m == 4 ? 'integrations of subsystems' : '')
        set ylabel (g == 1 ? 'mean relative L_2 error' : '')
        set yrange [(m < 3 ? 1e-6 : 1e-9):1]
        if (m == 1) { set key at screen key_at[g],0.997 center top vertical maxrows (g == 3 ? 9 : 7) samplen 2 } else { unset key }
        plot for [s in others[g]] csv using (work(m - 1, int(s))):'error' with lines lc rgb '#d0d0d0' lw 1.2 notitle, \
            for [s in of[g]] csv using (work(m - 1, int(s))):'error' with linespoints ls int(s) + 1 title titles[int(s) + 1]
    }
}
