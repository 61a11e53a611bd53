set logscale xy
set format xy powers
set xlabel 'exchange step size H / s'
set ylabel 'largest error of the states / m, m s^{-1}'
set xrange [5e-4:0.3]
set yrange [1e-10:20]
set key vertical maxrows 4 width -3
named(name, k) = sprintf('%s: order %s (%+.2f)', name, word(printed, k), order[k] - word(printed, k))
plot csv using 'step_size':'constant' with linespoints lt 2 title named('constant', 1), \
    '' using 'step_size':'linear' with linespoints lt 3 title named('linear', 2), \
    '' using 'step_size':'constant_balance' with linespoints lt 4 title named('constant, balance', 3), \
    '' using 'step_size':'linear_balance' with linespoints lt 6 title named('linear, balance', 4), \
    '' using 'step_size':'power' with linespoints lt 5 title named('negotiated power', 5), \
    '' using 'step_size':'constant_used' with linespoints lt 4 dashtype 2 pt 6 title 'constant, newest (13) alone', \
    '' using 'step_size':'linear_used' with linespoints lt 6 dashtype 2 pt 4 title 'linear, newest (13) alone', \
    (x > 1e-3 && x < 0.1 ? 2.2*x : 1/0) with lines lt 1 lw 1 dashtype 3 title 'published orders 1, 2, 3', \
    (x > 1e-3 && x < 0.1 ? 0.7*x**2 : 1/0) with lines lt 1 lw 1 dashtype 3 notitle, \
    (x > 1e-3 && x < 0.1 ? 0.6*x**3 : 1/0) with lines lt 1 lw 1 dashtype 3 notitle
