set multiplot layout 2,2
set lmargin 11
set rmargin 3
set tmargin 5
set key vertical maxrows 2 samplen 2
set xlabel 'time t / s'
set ylabel 'macro-step / s'
set logscale y
set xrange [0:200]
set title 'macro-steps; (32), (37), (38) ask for' offset 0,0.2
plot part('steps') using 'time':'asked' with points lt 3 pt 6 ps 0.3 title 'asked', '' using 'time':'dt' with lines lt 2 lw 1 title 'taken'
set logscale x
set format y powers
set format x '%g'
set xrange [0.02:0.25]
set xtics (0.025, 0.05, 0.1, 0.2)
set xlabel 'macro-step / s'
set ylabel 'largest error'
set title 'estimates of sin(t) of degree p' offset 0,0.2
plot part('orders') using 'H':'e0' with points lt 2 pt 7 title 'p = 0', '' using 'H':'e1' with points lt 3 pt 5 title 'p = 1', \
    '' using 'H':'e2' with points lt 4 pt 9 title 'p = 2', x with lines lt 1 dashtype 3 title 'H^{p + 1}', x**2 with lines lt 1 dashtype 3 notitle, x**3 with lines lt 1 dashtype 3 notitle
unset logscale
set format xy '%g'
set xtics auto
set xrange [-0.5:5.5]
set rmargin 9
set xlabel 'ν / (10^{-3}/s)'
set ylabel 'macro-steps'
set y2label 'rmse of x_1 / % of 1 m' offset -1,0
set ytics nomirror
set y2tics
set title 'two masses, damped amplitude' offset 0,0.2
plot part('nu') using 0:'steps':xticlabels(sprintf('{/*0.85 %g}', 1e3*column(1))) with linespoints lt 2 title 'macro-steps', '' using 0:'x1' axes x1y2 with linespoints lt 3 title 'rmse'
set rmargin 3
unset y2tics
unset y2label
set ytics nomirror
set xtics auto
set logscale x
set xrange [0.001:0.05]
set xlabel 'tol_{rel}'
set yrange [1:2.2]
set ylabel 'rmse, enhanced / disabled'
set title 'what smoothing changes' offset 0,0.2
plot part('smooth-magnitude') using 'tol':'q' with linespoints lt 2 title 'magnitude', part('smooth-amplitude') using 'tol':'q' with linespoints lt 3 title 'amplitude', \
    part('smooth-damped-amplitude') using 'tol':'q' with linespoints lt 4 title 'damped', 1 with lines lt 9 dashtype 2 notitle
