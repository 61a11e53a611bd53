set multiplot layout 1,2
set tmargin 6
set key maxrows 4
set xlabel 'macro-step H / s'
set logscale x
set xrange [0.4:20]
set xtics (0.5, 1, 2, 3, 5, 10, 15)
set logscale y
set format y powers
set ylabel 'largest bias |a - a_{true}| / a_{true}'
plot csv using 'step_size':'order_0' with linespoints lt 2 pt 7 ps 0.7 title 'held inputs', \
    '' using 'step_size':'order_1' with linespoints lt 3 pt 5 ps 0.7 title 'linear extrapolation', \
    '' using 'step_size':'order_2' with linespoints lt 4 pt 9 ps 0.8 title 'quadratic extrapolation', \
    '' using 'step_size':'standard_error' with lines lt 1 dashtype 2 title 'standard error (noise 0.5 mm)'
unset logscale y
set format y '%g'
set yrange [40:102]
set ylabel 'intervals that hold the truth / %'
plot 95 with lines lt 1 dashtype 2 title '95 %', \
    part('coverage') using 'step_size':'coverage_0' with linespoints lt 2 pt 7 ps 0.7 title 'held inputs', \
    '' using 'step_size':'coverage_1' with linespoints lt 3 pt 5 ps 0.7 title 'linear extrapolation'
