model = name[26:*]
titles(of) = of eq 'two-masses' ? 'Two masses, a force from 10 s on, 20 s' : of eq 'mass-spring-damper' ? 'Mass-spring-damper, 10 s' : \
    of eq 'quarter-car' ? 'Quarter car, 1 s' : 'Car with controlled speed, 12 s'
array place[12] = [0, 1, 2, 3, 4, 7, 9, 10, 11, 12, 17, 18]
array line[12] = [9, 2, 2, 7, 7, 6, 5, 5, 3, 3, 4, 4]
array dash[12] = [1, 1, 2, 1, 2, 1, 1, 2, 1, 2, 1, 2]
array curve[12] = ['Jacobi, order 0', 'Jacobi, order 1', 'Jacobi, order 1, C1', 'Jacobi, order 2', 'Jacobi, order 2, C1', 'Gauss-Seidel, order 1', \
    'Richardson, order 1', 'Richardson, order 1, C1', 'F3ORNITS', 'F3ORNITS, C1', 'F3ORNITS, magnitude', 'F3ORNITS, magnitude, C1']
set multiplot layout 2,2
set logscale xy
set format xy powers
set ylabel 'mean relative L_2 error of the states'
unset key
set tmargin 3
do for [panel = 1:4] {
    data = panel == 3 ? part('proceed') : csv
    work = panel == 1 ? 'macro_steps' : 'evaluations'
    set xlabel (panel == 1 ? 'macro-steps' : 'right-hand-side evaluations')
    set title (panel == 1 ? '(a) '.titles(model) : panel == 2 ? '(b) micro-solver restarts' : '(c) micro-solver proceeds')
    if (panel == 4) { # the fourth place holds the key
        unset title
        unset border
        unset tics
        unset xlabel
        unset ylabel
        set key inside center center vertical
        set xrange [1:2]
        set yrange [1e-30:2e-30]
    }
    plot for [k = 1:12] data using (column('curve') == place[k] ? column(work) : NaN):'error' with linespoints lt line[k] lw 2 \
        dashtype dash[k] pt (dash[k] == 1 ? 7 : 6) ps 0.8 title curve[k]
}
