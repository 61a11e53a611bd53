array models[4] = ["mass-spring-damper\nL_2 error", "spring-mass\nL_2 error", "damping-reaction\nD_D = 4: L_2 error", "damping-reaction\nD_D = 0.64: L_2 error"]
array groups[3] = ['explicit', 'Jacobi corrected', 'iterated (ifosmondi)']
array of[3] = ['0 1 2 7 8 9', '3 4 5 6', '10 11 12 13 14 15 16 17 18']
array others[3] = ['3 4 5 6 10 11 12 13 14 15 16 17 18', '0 1 2 7 8 9 10 11 12 13 14 15 16 17 18', '0 1 2 3 4 5 6 7 8 9']
array titles[19] = ['Jacobi, order 0', 'Jacobi, order 1', 'Jacobi, order 2', 'order 0', 'order 1', \
    'order 2', 'order 1, derivatives', 'Gauss-Seidel, order 0', 'Gauss-Seidel, order 1', \
    'Gauss-Seidel, order 2', 'fixed point, 1e-4', 'NewtonLS, 1e-4', 'Anderson, 1e-4', 'NGMRES, 1e-4', \
    'fixed point, 1e-8', 'NewtonLS, 1e-8', 'Anderson, 1e-8', 'NGMRES, 1e-8', 'zoh-iterative, 1e-8']
array line[19] = [2, 3, 4, 2, 3, 4, 9, 2, 3, 4, 1, 6, 5, 7, 1, 6, 5, 7, 8]
array dash[19] = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
array mark[19] = [7, 7, 7, 7, 7, 7, 6, 4, 4, 4, 8, 8, 8, 8, 9, 9, 9, 9, 13]
array width[19] = [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 2, 2, 2, 2, 2]
array left[3] = [0.115, 0.42, 0.725]
array right[3] = [0.365, 0.67, 0.975]
array top[4] = [0.785, 0.595, 0.405, 0.215]
array bottom[4] = [0.64, 0.45, 0.26, 0.07]
do for [k = 1:19] {
    if (dash[k]) {
        set style line k linetype line[k] linewidth width[k] pointtype mark[k] pointsize 0.5 dashtype '-'
    } else {
        set style line k linetype line[k] linewidth width[k] pointtype mark[k] pointsize 0.5 dashtype 1
    }
}
work(model, curve) = column('model') == model && column('curve') == curve ? column('integrations') : NaN
set multiplot
unset key
set logscale xy
set format xy powers
do for [m = 1:4] {
    do for [g = 1:3] {
        set lmargin at screen left[g]
        set rmargin at screen right[g]
        set tmargin at screen top[m]
        set bmargin at screen bottom[m]
        set title m == 1 ? groups[g] : ''
        set format y g == 1 ? powers : ''
        set xlabel (m == 4 ? 'integrations' : '')
        set ylabel (g == 1 ? models[m] : '')
        set yrange [(m < 3 ? 1e-6 : 1e-9):1]
        if (m == 4 && g == 1) { set label 1 'all diverge' at graph 0.97,0.9 right } else { unset label 1 }
        plot for [s in others[g]] csv using (work(m - 1, int(s))):'error' with lines lc rgb '#d0d0d0' lw 1.2 notitle, \
            for [s in of[g]] csv using (work(m - 1, int(s))):'error' with linespoints ls int(s) + 1 notitle
    }
}
unset title
unset xlabel
unset ylabel
unset border
unset tics
unset label
set tmargin at screen 0.998
set bmargin at screen 0.81
set xrange [1:10]
do for [g = 1:3] { # the keys, which need more rows than a panel has
    set lmargin at screen left[g]
    set rmargin at screen right[g]
    set key inside left top vertical maxrows 9 samplen 2 spacing 1 width -3
    plot for [s in of[g]] NaN with linespoints ls int(s) + 1 title titles[int(s) + 1]
}
