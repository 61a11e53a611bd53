set multiplot
array splits[3] = ['displacement / displacement', 'force / displacement', 'force / force']
array schemes[3] = ['Jacobi', 'Jacobi, consistent', 'Gauss-Seidel']
set xrange [log10(0.01):log10(10)]
set yrange [log10(0.01):log10(100)]
set xtics 1
set ytics 1
set format y '10^{%g}'
unset colorbox
set palette defined (0 '#ffffff', 1 '#e3e9f1', 2 '#c4d2e3', 3 '#9fb6d0')
set cbrange [0:3]
stable(rho) = rho <= 1 ? 1 : 0
do for [panel = 0:8] {
    row_at = panel / 3 + 1
    column_at = panel % 3 + 1
    set lmargin at screen 0.072 + 0.316 * (panel % 3)
    set rmargin at screen 0.352 + 0.316 * (panel % 3)
    set tmargin at screen 0.925 - 0.300 * (panel / 3)
    set bmargin at screen 0.672 - 0.300 * (panel / 3)
    set title splits[row_at] . ': ' . schemes[column_at] offset 0,-0.6
    set format x row_at == 3 ? '10^{%g}' : ''
    set xlabel row_at == 3 ? 'step size H ω_1' : ''
    set ylabel column_at == 1 ? 'mass ratio m_2 / m_1' : ''
    if (row_at == 1 && column_at == 1) {
        set key at screen 0.52,0.999 center top vertical maxrows 2
    } else {
        unset key
    }
    file = part(sprintf('boundary-%d-%d', row_at, column_at))
    map = part(sprintf('map-%d-%d', row_at, column_at))
    plot map using (log10($1)):(log10($2)):(stable($3) + stable($4) + stable($5)) with image notitle, \
        file using ($1 == 0 ? log10($2) : NaN):(log10($3)) with lines lt 1 lw 2.5 title 'ρ = 1: constant', \
        NaN with boxes fillcolor rgb '#9fb6d0' fillstyle solid 1 border lt 9 title 'stable: all three', \
        file using ($1 == 1 ? log10($2) : NaN):(log10($3)) with lines lt 2 lw 2.5 title 'linear', \
        NaN with boxes fillcolor rgb '#c4d2e3' fillstyle solid 1 border lt 9 title 'two of them', \
        file using ($1 == 2 ? log10($2) : NaN):(log10($3)) with lines lt 3 lw 2.5 title 'quadratic', \
        NaN with boxes fillcolor rgb '#e3e9f1' fillstyle solid 1 border lt 9 title 'one', \
        NaN with lines lc rgb '#ffffff' title ' ', \
        NaN with boxes fillcolor rgb '#ffffff' fillstyle solid 1 border lt 9 title 'none'
}
