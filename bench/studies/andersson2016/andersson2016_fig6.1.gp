# The second curve of a panel is narrower, and the reference dashed, so that curves that coincide are seen.
set multiplot
set lmargin 9
set rmargin 2
set xlabel 'time t / s'
set xrange [0:end]
set yrange [low:high]
set ylabel 'output y_1'
set key maxcols 2 samplen 2
set tmargin 6.6
set size 0.3333,0.49
do for [p = 1:3] {
    command = 'plot '
    left = ''
    seen = 0
    do for [k = 1:|curves|] {
        if (panels[k] == p) {
            said = by_rho ? 'y_1' : titles[k]
            if (leaves[k]) { left = left.(left eq '' ? said.' leaves' : ', '.said).sprintf(' at %.2g s', until[k]) }
            command = command.sprintf("part('%s') using 'time':(column('time') < %.12g ? column('y1') : NaN) with lines lt %d lw %g title '%s', ", curves[k], until[k] + 0.5*H, colours[k], seen == 0 ? 2.4 : 1.2, said)
            seen = seen + 1
            last = k
        }
    }
    set origin (p - 1)/3.0,0.51
    set title sprintf("ρ(DL) = %g, H = %g s\n{/*0.75 %s }", rhos[last], H, left)
    eval command.sprintf("part('reference-%s') using 'time':'y1' with lines lt 1 lw 1 dashtype (9,12) title 'reference'", curves[last])
}
set origin 0,0
set size 0.5,0.49
set title "perturbed start, H = 10^{-12} s; marks: observed\nlines: predicted growth, through the last point"
set xlabel 'macro-step n'
set ylabel '|r_n| / |r_0|'
set xrange [0:60]
set yrange [lowest:highest]
set logscale y
set format y powers
set key vertical maxrows 3 samplen 1.6 width (format eq 'pdf' ? -4 : 0)
set tmargin (|curves| > 4 ? 8 : 6.6)
plot for [k = 1:|curves|] part('limit-'.curves[k]) using 'step':'predicted' with lines lt 9 lw 1.2 notitle, \
    for [k = 1:|curves|] part('limit-'.curves[k]) using 'step':'distance' every 2 with points lt colours[k] pt (3 + k) title (by_rho ? sprintf('ρ = %g', rhos[k]) : |readings| == 2 ? sprintf('%s, ρ = %g', titles[k], rhos[k]) : titles[k])
unset logscale y
set format y '%.6g'
set origin 0.5,0
set title "H → 0; marks: observed\nlines: predicted"
set xlabel 'ρ(DL)'
set ylabel 'growth per macro-step'
set xrange [0:rho_max]
set yrange [0:growth_max]
set key horizontal maxrows auto maxcols 4 width 0
set label 'stable up to 1' at graph 0.99, first 1 right offset 0,-0.6
plot 1 with lines lt 1 lw 1 dashtype 2 notitle, \
    for [k = 1:|readings|] part('predicted-'.readings[k]) using 'rho':'growth' with lines lt reading_colours[k] lw 1.4 notitle, \
    for [k = 1:|readings|] part('observed-'.readings[k]) using 'rho':'growth' with points lt reading_colours[k] ps 0.9 notitle, \
    for [k = 1:|readings|] NaN with linespoints lt reading_colours[k] lw 1.4 ps 0.9 title reading_titles[k]
