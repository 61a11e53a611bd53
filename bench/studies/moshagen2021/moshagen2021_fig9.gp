set logscale xy
set format xy powers
set xlabel 'exchange step size H / s'
set ylabel 'largest error of the states / m, m s^{-1}'
set xrange [5e-4:0.3]
set yrange [1e-10:20]
set key vertical maxrows 4
plot csv using 'step_size':'constant' with linespoints lt 2 title 'constant', \
    '' using 'step_size':'linear' with linespoints lt 3 title 'linear', \
    '' using 'step_size':'constant_balance' with linespoints lt 4 title 'constant, balance', \
    '' using 'step_size':'linear_balance' with linespoints lt 6 title 'linear, balance', \
    '' using 'step_size':'power' with linespoints lt 5 title 'negotiated power', \
    '' using 'step_size':'constant_used' with linespoints lt 4 dashtype 2 pt 6 title 'constant, newest (13) alone', \
    '' using 'step_size':'linear_used' with linespoints lt 6 dashtype 2 pt 4 title 'linear, newest (13) alone', \
    (x > 1e-3 && x < 0.1 ? 2.2*x : 1/0) with lines lt 1 lw 1 dashtype 3 title 'orders 1, 2, 3', \
    (x > 1e-3 && x < 0.1 ? 0.7*x**2 : 1/0) with lines lt 1 lw 1 dashtype 3 notitle, \
    (x > 1e-3 && x < 0.1 ? 0.6*x**3 : 1/0) with lines lt 1 lw 1 dashtype 3 notitle
