array couplings[2] = ['one-directional', 'mutual']
array extrapolations[2] = ['constant', 'linear']
array scale[4] = [0.3, 0.1, 2.5, 0.7]
set multiplot layout 2,2 margins 0.11,0.98,0.1,0.9 spacing 0.11,0.16
set logscale xy
set format x powers
set format y powers
set xlabel 'exchange step size H / s'
set xrange [5e-4:0.3]
set key at screen 0.54,0.995 center top vertical maxrows 1
do for [c = 1:2] {
    set yrange [(c == 1 ? 1e-16 : 1e-8):1]
    do for [e = 1:2] {
        k = 2*c + e - 2
        set title '('.'abcd'[k:k].') '.couplings[c].', '.extrapolations[e].' extrapolation'
        set ylabel e == 1 ? 'error of the component' : ''
        set label 1 sprintf('published order %d (%+.2f)', printed[k], order[k] - printed[k]) at graph 0.97,(c == 1 ? 0.35 : 0.08) right
        data = part(couplings[c].'-'.extrapolations[e])
        plot scale[k]*x**e with lines lt 1 lw 1 dashtype 3 title 'published order', \
            data using 'step_size':'first' with linespoints lt 2 title 'x_1', \
            '' using 'step_size':'second' with linespoints lt 3 title 'x_2'
        unset key
    }
}
