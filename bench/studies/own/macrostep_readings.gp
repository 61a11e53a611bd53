array groups[3] = ['jfm', 'balance', 'f3']
array titles[3] = ['(a) IFOSMONDI-JFM, 12 readings', '(b) energy balance, 20 readings', '(c) F3ORNITS, 48 readings']
array counts[3] = [15, 14, 9]
array tops[3] = [0.88, 0.88, 0.40]
array bottoms[3] = [0.10, 0.51, 0.10]
array left[3] = [0.335, 0.815, 0.815]
name(g, k) = g == 1 ? jfm_names[k] : g == 2 ? balance_names[k] : f3_names[k]
set multiplot
set xrange [0:1.12]
set xtics 0, 0.5, 1
set style fill solid 0.35
set boxwidth 0.6
do for [g = 1:3] {
    set lmargin at screen left[g]
    set rmargin at screen left[g] + 0.165
    set tmargin at screen tops[g]
    set bmargin at screen bottoms[g]
    set title titles[g] offset -10,-0.4
    set xlabel g == 2 ? '' : 'share of readings'
    set yrange [counts[g] + 0.6:0.4]
    set ytics ('' 1)
    do for [k = 1:counts[g]] { set ytics add (name(g, k) k) }
    if (g == 1) { set key at screen 0.56,0.985 center top vertical maxrows 1 } else { unset key }
    plot part(groups[g]) using (column('share')/2):(column(0) + 1):(column('share')/2):(0.3) with boxxyerror lt 2 notitle, \
        '' using (column('best') == 1 ? 1.06 : NaN):(column(0) + 1) with points lt 3 pt 7 ps 0.7 title 'holds in the reading with most sentences', \
        '' using (column('best') == 0 ? 1.06 : NaN):(column(0) + 1) with points lt 4 pt 6 ps 0.7 title 'does not hold in it'
}
