set multiplot layout 1,2
set logscale xy
set format xy powers
set xlabel 'macro-step dt / s'
set ylabel 'distance of the pair from ± i (D_{SD}/D_D)^{1/2}'
set yrange [1e-14:1]
set key vertical maxrows 3
set tmargin 6
array damping[3] = ['4', '0.64', '0.01']
do for [kind in 'exact differences'] {
    set title kind eq 'exact' ? 'exact output derivatives, the pair double' : 'differences, the pair simple'
    plot for [d = 1:3] part(kind.'-'.damping[d]) using 'step_size':'pair' with linespoints lt d + 1 title 'D_D = '.damping[d], \
        0.02*x**2 with lines lt 1 lw 1 dashtype 3 title 'order 2'
}
