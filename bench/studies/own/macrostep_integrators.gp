problems = 'stiff mild pendulum bell woodpecker'
array titles[5] = ['van der Pol, μ = 2000', 'van der Pol, μ = 20', 'double pendulum, as a whole', 'bell: 4 impacts, 3 step events', 'woodpecker: 11 hits']
array labels[5] = ['error of x', 'error of x', 'error of α_1 / rad', 'error of θ / rad', 'error of φ_B / rad']
array tops[5] = [0.885, 0.713, 0.541, 0.369, 0.197]
array bottoms[5] = [0.772, 0.6, 0.428, 0.256, 0.084]
own = 'cvode-bdf cvode-adams ida arkode-erk arkode-dirk rk4 euler trapezoidal radau-iia'
array own_place[9] = [1, 2, 3, 4, 5, 18, 17, 19, 20]
array own_line[9] = [2, 7, 9, 3, 4, 1, 1, 5, 6]
array own_dash[9] = [1, 1, 1, 1, 1, 1, 2, 2, 1]
gsl = 'gsl-rk8pd gsl-msadams gsl-msbdf gsl-rk4imp gsl-bsimp'
array gsl_place[5] = [6, 7, 8, 15, 16]
array gsl_line[5] = [6, 7, 2, 4, 5]
array gsl_dash[5] = [1, 2, 2, 2, 1]
work(place) = column('solver') == place ? column('evaluations') : NaN
mark(dash) = dash == 1 ? 7 : 6
set multiplot
set logscale xy
set format xy powers
set yrange [1e-12:10]
do for [p = 1:5] {
    data = part(word(problems, p))
    set tmargin at screen tops[p]
    set bmargin at screen bottoms[p]
    set xlabel (p == 5 ? 'evaluations of f' : '')
    set lmargin at screen 0.12
    set rmargin at screen 0.515
    set title titles[p] offset 0,-0.6
    set ylabel labels[p]
    if (p == 1) { set key at screen 0.29,0.978 center top vertical maxrows 3 samplen 1.2 width -1 noenhanced }
    if (p == 1) { set label 1 'SUNDIALS, and fixed steps' at screen 0.29,0.988 center; set label 2 'GSL' at screen 0.785,0.988 center }
    if (p == 5) { set key inside left bottom vertical width -4 }
    plot for [k = 1:5] data using (work(gsl_place[k])):'error' with lines lc rgb '#d0d0d0' lw 1.2 notitle, \
        for [k = 1:9] data using (work(own_place[k])):'error' with linespoints lt own_line[k] lw 1.5 dashtype own_dash[k] \
            pt mark(own_dash[k]) ps 0.5 title (p == 1 ? word(own, k) : ''), \
        part('dae') using (p == 5 ? column('evaluations') : NaN):'error' with linespoints lt 9 lw 1.5 dashtype 2 pt 6 ps 0.5 \
            title (p == 5 ? 'ida, as DAE' : '')
    set lmargin at screen 0.585
    set rmargin at screen 0.98
    set title titles[p] offset 0,-0.6
    set ylabel ''
    unset label
    if (p == 1) { set key at screen 0.785,0.978 center top vertical maxrows 3 samplen 1.2 width -1 noenhanced }
    if (p == 5) { unset key }
    plot for [k = 1:9] data using (work(own_place[k])):'error' with lines lc rgb '#d0d0d0' lw 1.2 notitle, \
        for [k = 1:5] data using (work(gsl_place[k])):'error' with linespoints lt gsl_line[k] lw 1.5 dashtype gsl_dash[k] \
            pt mark(gsl_dash[k]) ps 0.5 title (p == 1 ? word(gsl, k) : '')
    unset key
}
