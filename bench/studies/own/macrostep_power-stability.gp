set logscale x
set xrange [0.0045:2.2]
set yrange [0.4:14.6]
set xtics (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
set lmargin 34
set xlabel 'step size H / s'
unset ytics
set ytics scale 0 noenhanced ('constant' 14, 'linear' 13, 'constant, balance correction (raw)' 12, 'linear, balance correction (raw)' 11, 'constant, balance correction (used)' 10, 'linear, balance correction (used)' 9, 'Gauss-Seidel, constant' 8, 'Gauss-Seidel, linear' 7, 'power, step, θ = 1.5' 6, 'power, step, θ = 2' 5, 'power, step, θ = 1/(1 - ωH)' 4, 'power, pointwise, |y| < 0.1' 3, 'power, through' 2, 'power, pointwise, |y| < 0.01' 1)
plot csv using 'step':'kept' with points lt 2 pt 5 ps 0.55 title 'E stays within [1/2, 2] E(0) for 75 s', \
    csv using 'step':'left' with points lt 5 pt 7 ps 0.4 title 'leaves it', \
    csv using 'step':'unsolved' with points lt 3 pt 2 ps 0.5 title 'no solution', \
    part('limits') using 'step':'row':(0):(0.38) with vectors nohead lt 1 lw 2 notitle, \
    part('limits') using 'step':'row':(0):(-0.38) with vectors nohead lt 1 lw 2 title 'first H that does not keep it'
