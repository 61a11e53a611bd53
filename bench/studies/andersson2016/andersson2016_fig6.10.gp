names = 'inconsistent corrected'
array titles[2] = [sprintf("without correction\nbeyond 10^{12} at %.2g s and %.2g s", a, b), "with linear correction\nall lie on each other"]
keep(value, limit) = abs(value) < limit ? value : NaN
set multiplot layout 2,2
set lmargin 9
set rmargin 3
set xlabel 'time t / s'
set xrange [0:5]
set ylabel 'ω_1 / (rad/s)'
set yrange [-8:8]
do for [k = 1:2] {
    set title titles[k]
    plot part(word(names, k).'-0') using 'time':(keep(column('omega1'), 24)) with lines lt 2 lw 2 title 'exact derivatives', \
        part(word(names, k).'-1') using 'time':(keep(column('omega1'), 24)) with lines lt 3 lw 1.2 title 'past values', \
        part('reference') using 'time':'omega1' with lines lt 1 lw 1 title 'reference'
}
set ylabel 'force f_x / N'
set yrange [-60:60]
do for [k = 1:2] {
    set title titles[k]
    plot part(word(names, k).'-0') using 'time':(keep(column('fx'), 600)) with lines lt 2 lw 2 title 'exact derivatives', \
        part(word(names, k).'-1') using 'time':(keep(column('fx'), 600)) with lines lt 3 lw 1.2 title 'past values'
}
