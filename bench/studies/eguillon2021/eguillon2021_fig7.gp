set logscale xy
set format y powers
set xlabel 'dt_{ref} / s'
set ylabel 'mean of the relative errors of the states'
set xrange [0.008:0.7]
set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
set key vertical maxrows 3
set yrange [1e-10:1e-2]
plot csv using 'step_size':'newtonls' with linespoints lt 2 title 'NewtonLS', \
    '' using 'step_size':'anderson' with linespoints lt 3 title 'Anderson', \
    '' using 'step_size':'ngmres' with linespoints lt 4 title 'NGMRES', \
    '' using 'step_size':'ngmres_ls' with linespoints lt 6 dashtype 2 title 'NGMRES, line search', \
    part('tight') using 'step_size':'anderson' with linespoints lt 9 title 'ε = 10^{-12}', \
    (x > 0.02 && x < 0.15 ? 3e-3*x**4 : 1/0) with lines lt 1 lw 1 dashtype 3 title 'order 4'
