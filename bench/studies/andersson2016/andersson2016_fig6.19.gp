array parts[2] = ['differences', 'exact']
array titles[2] = ['output derivatives by differences', 'exact output derivatives']
set multiplot layout 1,2
set lmargin 10
set rmargin 3
set logscale xy
set format xy powers
set xlabel 'step size H / s'
set ylabel 'largest error (m, m/s)'
set xrange [2e-4:0.2]
set yrange [1e-6:100]
set key at screen 0.5, screen 0.99 center top vertical maxrows 2 width -3
set tmargin 5
do for [k = 1:2] {
    set title titles[k] offset 0,0.2
    data = part(parts[k])
    if (k == 2) { unset key }
    plot data using 'step_size':'as_printed' with linespoints lt 9 dashtype 2 title 'as printed, (6.73c)', \
        20*x**2 with lines lt 1 lw 1 dashtype 3 title 'order 2', \
        data using 'step_size':'inconsistent' with linespoints lt 2 title 'inconsistent', \
        '' using 'step_size':'smoothed' with linespoints lt 3 title 'smoothing', \
        '' using 'step_size':'corrected' with linespoints lt 4 title 'smoothing, correction'
}

