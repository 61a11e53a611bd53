set multiplot
set style fill solid 1 noborder
set xlabel 'Re λ'
set ylabel 'Im λ' offset 1,0
set lmargin at screen 0.09
set rmargin at screen 0.565
set bmargin at screen 0.607
set tmargin at screen 0.99
set xrange [-1.2:1.2]
set yrange [-1.2:1.2]
set xtics 0.5
set ytics 0.5
set key at screen 0.61,0.9 left top vertical maxrows 6 spacing 1.6
plot csv using 're':'im' with lines lt 1 lw 2.5 title 'constant', \
    part('analytic') using 're':'im' with lines lt 8 lw 2.5 dashtype 2 title 'linear, derivatives', \
    part('linear') using 're':'im' with lines lt 2 lw 2.5 title 'linear', \
    part('smoothed') using 're':'im' with lines lt 5 lw 2.5 dashtype 2 title 'linear, smoothed', \
    part('quadratic') using 're':'im' with lines lt 3 lw 2.5 title 'quadratic, parabola', \
    part('printed') using 're':'im' with lines lt 4 lw 2.5 title 'quadratic, as printed'
unset key
set palette defined (0 '#08306b', 0.5 '#4292c6', 0.98 '#c6dbef', 1 '#deebf7', 1.001 '#fee8c8', 2 '#b30000')
set cbrange [0:2]
set xrange [-1.5:1.5]
set yrange [-1.5:1.5]
set xtics 1
set ytics 1
array names[6] = ['constant', 'linear', 'quadratic, parabola', 'quadratic, as printed', 'linear, derivatives', 'linear, smoothed']
array columns[6] = ['constant', 'linear', 'quadratic', 'printed', 'analytic', 'smoothed']
do for [k = 1:6] {
    column_at = (k - 1) % 3
    row_at = (k - 1) / 3
    set lmargin at screen 0.09 + 0.27 * column_at
    set rmargin at screen 0.345 + 0.27 * column_at
    set bmargin at screen 0.3144 - 0.249 * row_at
    set tmargin at screen 0.52 - 0.249 * row_at
    set format x row_at == 1 ? '%.6g' : ''
    set format y column_at == 0 ? '%.6g' : ''
    set xlabel row_at == 1 ? 'Re λ' : ''
    set ylabel column_at == 0 ? 'Im λ' : ''
    if (k == 6) {
        set colorbox user origin 0.905,0.0654 size 0.02,0.4546
        set label 1 'ρ' at screen 0.915,0.537 center
    } else {
        unset colorbox
    }
    set title names[k]
    plot part('map') using 're':'im':columns[k] with image, \
        (k == 1 ? csv : part(columns[k])) using 're':'im' with lines lt 1 lw 1.5
}
