set multiplot layout 2,2
set lmargin 11
set rmargin 3
set tmargin 5
set key vertical maxrows 2 samplen 2
set xrange [0:10]
set xlabel 'time t / s'
set ylabel 'macro-step / s'
set logscale y
set yrange [0.01:0.15]
set title 'NGMRES near its threshold: accepted steps' offset 0,0.2
plot part('steps-b') using 'time':'step' with steps lt 2 title 'D_D = 0.09', part('steps-e') using 'time':'step' with steps lt 3 title 'D_D = 0.0795'
unset logscale
set yrange [-2:4]
set ylabel 'f / N, v_L / (m/s)'
set title 'D_D = 4: stages of the movement' offset 0,0.2
plot part('motion') using 'time':'force' with lines lt 2 lw 2 title 'f_{SD}', '' using 'time':'spring' with lines lt 3 lw 2 title 'spring alone', \
    '' using 'time':'v' with lines lt 1 lw 1 title 'v_L', 0 with lines lt 9 dashtype 2 notitle
set logscale xy
set format y powers
set xrange [300:30000]
set yrange [*:*]
set xlabel 'integrations, or iterations'
set ylabel 'right-hand sides'
set title 'what time goes with' offset 0,0.2
plot part('work') using 'calls':'evaluations' with points lt 2 pt 7 title 'integrations', '' using 'iterations':'evaluations' with points lt 3 pt 6 title 'iterations', \
    26.2*x with lines lt 1 dashtype 3 notitle
array names[4] = ['newtonls', 'anderson', 'ngmres', 'ngmres-ls']
array methods[4] = ['NewtonLS', 'Anderson', 'NGMRES', 'line search']
set xrange [0.4:12]
set yrange [1e-8:1e-3]
set xlabel 'spectral radius'
set ylabel 'residual / (1 + |u|)'
set title 'largest |u - L y| left of a point' offset 0,0.2
plot for [k = 1:4] part('residual') using 'radius':(column('method') == k ? column('left') : NaN) with points lt k + 1 pt k + 4 title methods[k], \
    1e-4 with lines lt 9 dashtype 2 title 'ε'
