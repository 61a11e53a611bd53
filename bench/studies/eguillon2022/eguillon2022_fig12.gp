set multiplot layout 1,2
set lmargin 10
set rmargin 4
set tmargin 5
set key at screen 0.5, screen 0.985 center top vertical maxrows 1
set xlabel 'time t / s'
set ylabel 'speed of the car v / (m/s)'
set xrange [0:60]
do for [k = 1:2] {
    set title (k == 1 ? 'the whole range, with held inputs' : sprintf("near the published target, %g m/s\n(F3ORNITS: %+.2f m/s)", target, mean - target))
    if (k == 2) { unset key }
    set yrange [0:(k == 1 ? 900 : 25)]
    plot part('jacobi') using 'time':'speed' with lines lt 3 lw 2 title 'Jacobi, held inputs', \
        part('f3ornits') using 'time':'speed' with lines lt 2 lw 3.5 title 'F3ORNITS', \
        '' using 'time':'monolithic' with lines lt 1 lw 1 title 'monolithic', \
        target with lines lt 9 lw 1.5 dashtype 2 notitle
}

