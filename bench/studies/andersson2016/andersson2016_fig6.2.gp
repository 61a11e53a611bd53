set multiplot
set lmargin 9
set rmargin 2
set xlabel 'time t / s'
set xrange [0:1]
set ylabel 'output y_1'
set size 0.3333,0.5
set key vertical maxrows 2 samplen 2
set yrange [low:high]
do for [k = 1:3] {
    set origin (k - 1)/3.0,0.5
    set title sprintf('ρ(DL) = %g', rhos[k])
    plot part(sprintf('%d', k)) using 'time':'y1' with lines lt (k + 1) lw 2.6 title 'y_1', '' using 'time':'y1_ref' with lines lt 1 lw 1 title 'reference'
}
set origin 0,0
set size 0.5,0.5
set title 'H = 0.002 s'
set key maxrows 3
set ylabel 'error of x_1, x_2'
set logscale y
set format y powers
set yrange [1e-5:1e-1]
plot for [k = 1:3] part(sprintf('%d', k)) using 'time':'error' with lines lt (k + 1) lw 2 title sprintf('ρ = %g', rhos[k])
set origin 0.5,0
set title 'largest within 1 s'
set xlabel 'ρ(DL)'
set xrange [0:2]
set yrange [1e-4:1e2]
plot part('errors') using 'rho':'inconsistent' with linespoints lt 9 dashtype 2 title 'inconsistent, 0.02 s', \
    '' using 'rho':'coarse' with linespoints lt 2 title 'H = 0.02 s', \
    '' using 'rho':'fine' with linespoints lt 4 title 'H = 0.002 s'
