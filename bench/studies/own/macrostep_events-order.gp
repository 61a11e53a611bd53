array cases[6] = ["no event", "impact; spring and\ndamper (j = 0)", "impact; spring,\ndisplacements (j = 1)", "impact; spring,\nvelocities (j = 0)", "force from t_e on; spring\nand damper (j = 1)", "preloaded stop;\nspring (j = 2)"]
array lowest[6] = [1e-11, 1e-6, 1e-7, 1e-6, 1e-7, 1e-10]
array names[13] = ['Jacobi, order 0', 'Jacobi, order 1', 'Jacobi, order 1, dropped', 'Jacobi, order 2', 'Jacobi, order 2, dropped', 'Jacobi, order 1, deriv.', 'Jacobi, order 1, C0', 'Gauss-Seidel, order 1', 'Gauss-Seidel, order 2', 'balance, order 1', 'ifosmondi', 'zoh-iterative', 'f3ornits, equal steps']
array styles[13] = ["lt 9 lw 1.5 dashtype 1 pt 7", "lt 2 lw 1.5 dashtype 1 pt 7", "lt 2 lw 1.5 dashtype '-' pt 6", "lt 3 lw 1.5 dashtype 1 pt 7", "lt 3 lw 1.5 dashtype '-' pt 6", "lt 7 lw 1.5 dashtype 1 pt 9", "lt 7 lw 1.5 dashtype '-' pt 8", "lt 4 lw 1.5 dashtype 1 pt 5", "lt 4 lw 1.5 dashtype '-' pt 4", "lt 6 lw 1.5 dashtype 1 pt 13", "lt 1 lw 1.5 dashtype 1 pt 11", "lt 5 lw 1.5 dashtype 1 pt 1", "lt 1 lw 1.5 dashtype '-' pt 2"]
# Of each case: the slope that is left, above the curve of Jacobi's first order (of the second one where j = 2).
array orders[6] = [0, 1, 2, 1, 2, 3]
array lines[6]
do for [c = 2:6] {
    stats csv using (column('case') == c - 1 && column('curve') == (c == 6 ? 3 : 1) ? column('step') : NaN):'error' nooutput
    lines[c] = sprintf(", [%g:%g] %g*(x/%g)**%d with lines lt 9 lw 1.5 dashtype '.' title 'H^{j+1}'", STATS_min_x, STATS_max_x, 2.5*STATS_max_y, STATS_max_x, orders[c])
}
lines[1] = ''
curve(c, s) = sprintf("csv using (column('case') == %d && column('curve') == %d ? column('step') : NaN):'error' with linespoints %s ps 0.6 title '%s'", c - 1, s - 1, styles[s], names[s])
set multiplot
set logscale xy
set format xy powers
set xrange [1.2e-3:1.6e-2]
set xtics ("0.002" 2e-3, "0.005" 5e-3, "0.01" 1e-2)
do for [panel = 0:11] {
    below = panel / 6
    c = panel % 6 + 1
    bottom = c > 3
    across = (c - 1) % 3
    top = 0.894 - 0.499*below - 0.207*bottom
    set lmargin at screen 0.105 + 0.315*across
    set rmargin at screen 0.345 + 0.315*across
    set tmargin at screen top
    set bmargin at screen top - 0.135
    set title cases[c]
    set xlabel bottom ? 'macro-step H / s' : ''
    set ylabel across == 0 ? 'r.m.s. error / SI' : ''
    set yrange [lowest[c]:1]
    if (c == 3) { set key at screen 0.54, (below ? 0.499 : 0.999) center top vertical maxrows 3 width -2 } else { unset key }
    shown = below ? curve(c, 2) : curve(c, 1)
    do for [s = (below ? 8 : 2):(below ? 13 : 7)] { shown = shown . ', ' . curve(c, s) }
    eval 'plot ' . shown . lines[c]
}
