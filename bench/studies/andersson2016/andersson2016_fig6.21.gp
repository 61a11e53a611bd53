array titles[2] = ['without correction', 'with linear correction']
array parts[2] = ['inconsistent', 'corrected']
set multiplot layout 1,2
set lmargin 10
set rmargin 3
set logscale xy
set format y powers
set xlabel 'step size H / s'
set ylabel 'largest error (m, m/s, rad, rad/s)'
set xrange [0.002:0.025]
set yrange [1e-7:1e-2]
set xtics (0.0025, 0.005, 0.01, 0.02)
do for [k = 1:2] {
    set title titles[k] offset 0,0.2
    plot for [order = 0:2] part(parts[k]) using 'H':'order '.order with linespoints lt order + 2 title 'order '.order
}
