# two columns of panels, all rows of the same height
array groups[9] = ['jfm', 'balance', 'f3', 'rest', 'loop', 'tips', 'pair', 'mass', 'change']
array titles[9] = ['(a) IFOSMONDI-JFM', '(b) energy balance', '(c) F3ORNITS', '(d) Andersson 8, 9', '(e) Andersson 6.1', '(f) Andersson 6.2', \
    '(g) Andersson 6.3', '(h) Andersson 6.4, 10.1', '(i) Andersson 7.4']
array counts[9] = [|jfm_names|, |balance_names|, |f3_names|, |rest_names|, |loop_names|, |tips_names|, |pair_names|, |mass_names|, |change_names|]
name(g, k) = g == 1 ? jfm_names[k] : g == 2 ? balance_names[k] : g == 3 ? f3_names[k] : g == 4 ? rest_names[k] : g == 5 ? loop_names[k] : \
    g == 6 ? tips_names[k] : g == 7 ? pair_names[k] : g == 8 ? mass_names[k] : change_names[k]
unit = 0.0140
set multiplot
set xrange [0:1.12]
set xtics 0, 0.5, 1
set style fill solid 0.35
set boxwidth 0.6
do for [g = 1:9] {
    if (g == 1 || g == 5) { top = 0.945 }
    set lmargin at screen g < 5 ? 0.335 : 0.825
    set rmargin at screen (g < 5 ? 0.335 : 0.825) + 0.16
    set tmargin at screen top
    set bmargin at screen top - counts[g]*unit
    top = top - (counts[g] + 3.4)*unit
    set title sprintf('%s: %d readings', titles[g], value(groups[g].'_n')) offset -10,-0.4
    set xlabel g == 4 || g == 9 ? 'share of readings' : ''
    set yrange [counts[g] + 0.6:0.4]
    set ytics ('' 1)
    do for [k = 1:counts[g]] { set ytics add (name(g, k) k) }
    if (g == 1) { set key at screen 0.56,0.990 center top vertical maxrows 1 } else { unset key }
    plot part(groups[g]) using (column('share')/2):(column(0) + 1):(column('share')/2):(0.3) with boxxyerror lt 2 notitle, \
        '' using (column('best') == 1 ? 1.06 : NaN):(column(0) + 1) with points lt 3 pt 7 ps 0.7 title 'holds in the reading with most sentences', \
        '' using (column('best') == 0 ? 1.06 : NaN):(column(0) + 1) with points lt 4 pt 6 ps 0.7 title 'does not hold in it'
}
