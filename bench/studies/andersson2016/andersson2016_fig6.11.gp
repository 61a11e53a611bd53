array parts[2] = [part('angles'), part('velocities')]
array labels[2] = ['largest error of α_1, α_2 / rad', 'largest error of ω_1, ω_2 / rad s^{-1}']
set multiplot layout 1,2
set lmargin 11
set rmargin 3
set key maxcols 2
set logscale xy
set format xy powers
set xlabel 'global step size H / s'
set xrange [0.000120192:0.013]
do for [k = 1:2] {
    set ylabel labels[k]
plot parts[k] using 'step_size':'slope' with lines lt 9 dashtype 2 title 'order 2', \
    parts[k] using 'step_size':'damped' with linespoints lt 2 lw 3 title 'outputs with damping', \
    parts[k] using 'step_size':'as_printed' with linespoints lt 3 lw 1.4 title 'outputs as printed (6.57)', \
    parts[k] using 'step_size':'past' with linespoints lt 4 lw 1.4 title 'damping, past values'
}

