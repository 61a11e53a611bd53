stats part('integrations-petsc') using (stringcolumn('newtonls') eq '' ? 0 : 1) nooutput
has = STATS_max > 0 # without PETSc its circles have no size
petsc = part(has ? 'integrations-petsc' : 'integrations')
set multiplot layout 3,2 columnsfirst margins 0.11,0.98,0.06,0.895 spacing 0.13,0.08
set logscale xy
set xlabel 'spectral radius (D_{SD}/D_D)^{1/2}'
set xrange [0.4:12]
set xtics (0.5, 1, 2, 5, 10)
set key at screen 0.5,0.99 center top vertical maxrows 2
set format y powers
array columns[5] = ['fixed_point', 'newtonls', 'anderson', 'ngmres', 'ngmres_ls']
array names[5] = ['fixed point', 'NewtonLS', 'Anderson', 'NGMRES', 'NGMRES, line search']
array colours[5] = [1, 2, 3, 4, 6]
array marks[5] = [7, 5, 9, 13, 4]
array dashes[5] = [1, 1, 1, 1, 2]
array of[2] = ['', '-differences']
array slopes[2] = ['output derivatives exact', 'output derivatives by differences']
set arrow from 1, graph 0 to 1, graph 1 nohead lt 9 dashtype 2
do for [k = 1:2] {
    set title slopes[k]
    set yrange [500:100000]
    set ylabel 'iterations'
    plot for [m = 1:5] part('iterations' . of[k]) using 'radius':columns[m] with linespoints lt colours[m] pt marks[m] dashtype dashes[m] title names[m], \
        keyentry with points lt 1 pt 6 ps (has ? 1.6 : 0) title (has ? 'PETSc' : '')
    unset key
    unset title
    set yrange [4000:100000]
    set ylabel 'integrations'
    plot for [m = 1:5] part('integrations' . of[k]) using 'radius':columns[m] with linespoints lt colours[m] pt marks[m] dashtype dashes[m], \
        for [m = 2:5] petsc using 'radius':columns[m] with points lt 1 pt 6 ps (has && k == 1 ? 1.6 : 0)
    set yrange [1e-9:1e-1]
    set ylabel 'mean relative error'
    set label 1 sprintf("published at 10: below %.0e\nNewtonLS: %.2g of it\nAnderson: %.2g of it", limit, quotient[2*k - 1], quotient[2*k]) at graph 0.04,0.93
    plot for [m = 1:5] part('errors' . of[k]) using 'radius':columns[m] with linespoints lt colours[m] pt marks[m] dashtype dashes[m], \
        (x > 8 ? limit : 1/0) with lines lt 9 lw 2
    unset label 1
}
