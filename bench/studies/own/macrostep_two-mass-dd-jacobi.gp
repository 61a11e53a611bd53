set multiplot
set xrange [log10(0.01):log10(10)]
set yrange [log10(0.01):log10(100)]
set xtics 1
set ytics 1
do for [d = -2:1] {
    do for [m = 2:9] {
        set xtics add ('' d + log10(m) 1)
        set ytics add ('' d + log10(m) 1)
    }
}
nodes = 257
across(k) = log10(0.01) + log10(1000) * (int(k) % nodes) / (nodes - 1)
up(k) = log10(0.01) + log10(10000) * (int(k) / nodes) / (nodes - 1)
array outputs[3] = ['inconsistent', 'consistent', 'corrected']
array smoothings[3] = ['no smoothing', 'C^0 smoothing', 'C^1 smoothing']
array names[5] = ['constant', 'linear', 'quadratic', 'linear, derivatives', 'quadratic, derivatives']
set dashtype 11 (8,8)
set dashtype 12 (4,4)
array dashes[5] = [1, 1, 1, 11, 12]
array widths[5] = [2, 1.6, 1, 1.4, 1.6]
set palette maxcolors 6 defined (0 '#ffffff', 1 '#a8bcd4')
set cbrange [-0.5:5.5]
set style fill solid 1 noborder
unset grid
set tics out
set colorbox horizontal user origin 0.62,0.035 size 0.33,0.012
set cbtics 1 scale 0 offset 0,0.4
set label 1 picture at screen 0.53,0.985 center
set label 2 'stable extrapolations of five:' at screen 0.97,0.06 right
set label 3 'dots: islands within 4 cells, grid 257 × 257' at screen 0.03,0.06
do for [panel = 0:8] {
    row_at = panel / 3 + 1
    column_at = panel % 3 + 1
    set lmargin at screen 0.105 + 0.302 * (panel % 3)
    set rmargin at screen 0.358 + 0.302 * (panel % 3)
    set tmargin at screen 0.880 - 0.252 * (panel / 3)
    set bmargin at screen 0.665 - 0.252 * (panel / 3)
    set title outputs[column_at] . ', ' . smoothings[row_at]
    set format x row_at == 3 ? '10^{%g}' : ''
    set format y column_at == 1 ? '10^{%g}' : ''
    set xlabel row_at == 3 ? 'step size H ω_1' : ''
    set ylabel column_at == 1 ? 'mass ratio m_2 / m_1' : ''
    set label 4 notes[panel + 1] at graph 0.03, graph 0.94 front
    if (row_at == 1 && column_at == 1) {
        set key at screen 0.53,0.968 center top vertical maxrows 2 samplen 3.5 width -4
    } else {
        unset key
        unset colorbox
        unset label 1
        unset label 2
        unset label 3
    }
    boundary = part(sprintf('boundary-%d', panel))
    islands = part(sprintf('islands-%d', panel))
    plot part(sprintf('stable-%d', panel)) using (across($0)):(up($0)):1 with image notitle, \
        for [k = 1:5] boundary using ($1 == k - 1 ? log10($2) : NaN):(log10($3)) with lines lt k dashtype dashes[k] lw widths[k] title names[k], \
        for [k = 1:5] islands using ($1 == k - 1 ? log10($2) : NaN):(log10($3)) with points lt k pt 7 ps 0.35 notitle
}
