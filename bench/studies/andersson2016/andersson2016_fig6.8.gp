set multiplot layout 3,2
set lmargin 9
set rmargin 3
set xlabel 'time t / s'
set xrange [0:5]
set ylabel 'ω / (rad/s)'
set yrange [-6:6]
set title 'without correction'
plot csv using 'time':'omega1' with lines lt 2 lw 2.6 title 'ω_1', \
    csv using 'time':'omega2' with lines lt 5 lw 2.6 title 'ω_2', \
    part('reference') using 'time':'omega1' with lines lt 1 lw 1 title 'reference', \
    '' using 'time':'omega2' with lines lt 1 lw 1 notitle
set title 'with linear correction'
plot part('corrected') using 'time':'omega1' with lines lt 2 lw 2.6 title 'ω_1', \
    '' using 'time':'omega2' with lines lt 5 lw 2.6 title 'ω_2', \
    part('reference') using 'time':'omega1' with lines lt 1 lw 1 title 'reference', \
    '' using 'time':'omega2' with lines lt 1 lw 1 notitle
set ylabel 'force f_x / N'
set yrange [-45:45]
set title 'without correction'
plot part('zero') using 'time':'fx' with lines lt 3 lw 1.2 title 'zero inputs', \
    csv using 'time':'fx' with lines lt 2 lw 1.6 title 'consistent'
set title 'with linear correction'
plot part('corrected') using 'time':'fx' with lines lt 2 lw 1.6 title 'consistent'
set title 'without correction'
set ylabel '|r| / (m/s^2)'
set logscale y
set format y powers
set yrange [1e-2:1e3]
plot part('zero') using 'time':'distance' with lines lt 3 title 'zero inputs', \
    csv using 'time':'distance' with lines lt 2 title 'consistent', \
    part('zero') using 'time':'predicted' with lines lt 1 lw 1 dashtype 2 title '|r_1| times all ρ(DL) since'
unset logscale y
set format y '%.6g'
set yrange [0:1.4]
set title 'on the reference'
set ylabel 'ρ(DL)'
plot 1 with lines lt 1 lw 1 dashtype 2 notitle, \
    part('reference') using 'time':'rho' with lines lt 4 lw 2 title 'ρ(DL)'
