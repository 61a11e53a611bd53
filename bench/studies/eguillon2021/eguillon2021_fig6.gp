set multiplot layout 1,2
set logscale xy
set format y powers
set xlabel 'dt_{ref} / s'
set xrange [0.008:0.7]
set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
set key at screen 0.5,0.985 center top vertical maxrows 3 width -4
set tmargin 7
set yrange [1e-10:1]
array parts[2] = ['', 'differences']
array names[2] = ['output derivatives exact', 'output derivatives by differences']
do for [k = 1:2] {
    data = k == 1 ? csv : part(parts[k])
    set title names[k]
    set ylabel k == 1 ? 'mean relative error of the states' : ''
    if (k == 2) { unset key }
    plot data using 'step_size':'newtonls' with linespoints lt 2 title 'NewtonLS', \
        '' using 'step_size':'anderson' with linespoints lt 3 title 'Anderson', \
        '' using 'step_size':'ngmres' with linespoints lt 4 title 'NGMRES', \
        '' using 'step_size':'ngmres_ls' with linespoints lt 6 dashtype 2 title 'NGMRES, line search', \
        '' using 'step_size':'fixed_point' with linespoints lt 5 title 'fixed point', \
        '' using 'step_size':'zoh' with linespoints lt 1 title 'explicit zero-order hold', \
        part('tight') using 'step_size':'anderson' with linespoints lt 9 title 'exact, ε = 10^{-12}', \
        (x > 0.02 && x < 0.15 ? 3e-3*x**4 : 1/0) with lines lt 1 lw 1 dashtype 3 title 'order 4'
}
