set multiplot
array splits[3] = ['displacement / displacement', 'force / displacement', 'force / force']
array schemes[3] = ['Jacobi', 'Jacobi, consistent', 'Gauss-Seidel']
set xrange [log10(0.01):log10(10)]
set yrange [log10(0.01):log10(100)]
set xtics -2,2
set mxtics 2
set ytics -2,2
set mytics 2
unset colorbox
set palette defined (0 '#ffffff', 1 '#e3e9f1', 2 '#c4d2e3', 3 '#9fb6d0')
set cbrange [0:3]
stable(rho) = rho <= 1 ? 1 : 0
do for [panel = 0:8] {
    row_at = panel / 3 + 1
    column_at = panel % 3 + 1
    set lmargin at screen 0.110 + 0.304 * (panel % 3)
    set rmargin at screen 0.366 + 0.304 * (panel % 3)
    set tmargin at screen 0.915 - 0.285 * (panel / 3)
    set bmargin at screen 0.665 - 0.285 * (panel / 3)
    set title '('.'abcdefghi'[panel + 1:panel + 1].') '.schemes[column_at]
    set format x row_at == 3 ? '10^{%g}' : ''
    set xlabel row_at == 3 ? 'step size H ω_1' : ''
    set ylabel column_at == 1 ? splits[row_at]."\nm_2 / m_1" : ''
    set format y column_at == 1 ? '10^{%g}' : ''
    if (row_at == 1 && column_at == 1) {
        set key at screen 0.53,0.998 center top vertical maxrows 2 samplen 2 width -2
    } else {
        unset key
    }
    file = part(sprintf('boundary-%d-%d', row_at, column_at))
    map = part(sprintf('map-%d-%d', row_at, column_at))
    plot map using (log10($1)):(log10($2)):(stable($3) + stable($4) + stable($5)) with image notitle, \
        file using ($1 == 0 ? log10($2) : NaN):(log10($3)) with lines lt 1 lw 1.8 title 'ρ = 1: constant', \
        NaN with boxes fillcolor rgb '#9fb6d0' fillstyle solid 1 border lt 9 dashtype 1 title 'stable: all three', \
        file using ($1 == 1 ? log10($2) : NaN):(log10($3)) with lines lt 2 dashtype (16,3,3,3) lw 1.8 title 'linear', \
        NaN with boxes fillcolor rgb '#c4d2e3' fillstyle solid 1 border lt 9 dashtype 1 title 'two of them', \
        file using ($1 == 2 ? log10($2) : NaN):(log10($3)) with lines lt 3 lw 1.8 title 'quadratic', \
        NaN with boxes fillcolor rgb '#e3e9f1' fillstyle solid 1 border lt 9 dashtype 1 title 'one', \
        NaN with lines lc rgb '#ffffff' title ' ', \
        NaN with boxes fillcolor rgb '#ffffff' fillstyle solid 1 border lt 9 dashtype 1 title 'none'
}
