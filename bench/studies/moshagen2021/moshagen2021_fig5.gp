array couplings[2] = ['one-directional', 'mutual']
array extrapolations[2] = ['constant', 'linear']
array scale[4] = [0.3, 0.1, 2.5, 0.7]
set multiplot layout 2,2
set lmargin 11
set rmargin 3
set logscale xy
set format x powers
set format y powers
set xlabel 'exchange step size H / s'
set ylabel 'largest error of the component'
set xrange [5e-4:0.3]
do for [c = 1:2] {
    set yrange [(c == 1 ? 1e-16 : 1e-8):1]
    do for [e = 1:2] {
        set title couplings[c].' coupling, '.extrapolations[e].' extrapolation' offset 0,0.2
        data = part(couplings[c].'-'.extrapolations[e])
        plot scale[2*c + e - 2]*x**e with lines lt 1 lw 1 dashtype 3 title sprintf('published: order %d (%+.2f)', printed[2*c + e - 2], order[2*c + e - 2] - printed[2*c + e - 2]), \
            data using 'step_size':'first' with linespoints lt 2 title 'x_1', \
            '' using 'step_size':'second' with linespoints lt 3 title 'x_2'
    }
}
