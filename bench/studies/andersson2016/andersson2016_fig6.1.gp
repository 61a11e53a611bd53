# The second curve of a panel is narrower, and the reference dashed, so that curves that coincide are seen.
set multiplot
set xlabel 'time t / s'
set xrange [0:end]
set yrange [low:high]
set key vertical maxrows 3 samplen 2
set tmargin at screen 0.805
set bmargin at screen 0.6
do for [p = 1:3] {
    command = 'plot '
    left = ''
    seen = 0
    do for [k = 1:|curves|] {
        if (panels[k] == p) {
            said = by_rho ? 'y_1' : titles[k]
            if (leaves[k]) { left = left.(left eq '' ? said.' leaves' : ",\n".said).sprintf(' at %.2g s', until[k]) }
            command = command.sprintf("part('%s') using 'time':(column('time') < %.12g ? column('y1') : NaN) with lines lt %d lw %g title '%s', ", curves[k], until[k] + 0.5*H, colours[k], seen == 0 ? 2.4 : 1.2, said)
            seen = seen + 1
            last = k
        }
    }
    set lmargin at screen 0.31*p - 0.215
    set rmargin at screen 0.31*p + 0.045
    set key center top at screen 0.31*p - 0.085, screen 0.99
    set title sprintf("ρ(DL) = %g, H = %g s\n%s", rhos[last], H, left)
    set ylabel p == 1 ? 'output y_1' : ''
    set format y p == 1 ? '%.6g' : ''
    eval command.sprintf("part('reference-%s') using 'time':'y1' with lines lt 1 lw 1 dashtype (9,12) title 'reference'", curves[last])
}
set lmargin at screen 0.095
set rmargin at screen 0.475
set tmargin at screen 0.36
set bmargin at screen 0.07
set title "perturbed start, H = 10^{-12} s; marks: observed\nlines: predicted growth, through the last point"
set xlabel 'macro-step n'
set ylabel '|r_n| / |r_0|'
set xrange [0:60]
set yrange [lowest:highest]
set logscale y
set format y powers
set key center top at screen 0.29, screen 0.51 samplen 1.6
plot for [k = 1:|curves|] part('limit-'.curves[k]) using 'step':'predicted' with lines lt 9 lw 1.2 notitle, \
    for [k = 1:|curves|] part('limit-'.curves[k]) using 'step':'distance' every 2 with points lt colours[k] pt (3 + k) title (by_rho ? sprintf('ρ = %g', rhos[k]) : |readings| == 2 ? sprintf('%s, ρ = %g', titles[k], rhos[k]) : titles[k])
unset logscale y
set format y '%.6g'
set lmargin at screen 0.61
set rmargin at screen 0.975
set title "H → 0; marks: observed, lines: predicted\ndashes: limit of stability"
set xlabel 'ρ(DL)'
set ylabel 'growth per macro-step'
set xrange [0:rho_max]
set yrange [0:growth_max]
set key center top at screen 0.79, screen 0.51 maxrows 2 samplen 3
plot 1 with lines lt 1 lw 1 dashtype 2 notitle, \
    for [k = 1:|readings|] part('predicted-'.readings[k]) using 'rho':'growth' with lines lt reading_colours[k] lw 1.4 notitle, \
    for [k = 1:|readings|] part('observed-'.readings[k]) using 'rho':'growth' with points lt reading_colours[k] ps 0.9 notitle, \
    for [k = 1:|readings|] NaN with linespoints lt reading_colours[k] lw 1.4 ps 0.9 title reading_titles[k]
