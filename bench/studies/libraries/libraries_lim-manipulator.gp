array titles[2] = ['M1: valve jumps at 2 s and 6 s', 'M2: valve swings with 2 Hz']
set multiplot layout 2,2
set lmargin 11
set rmargin 2
set xrange [0:10.3]
set ylabel 'length s / m'
do for [k = 1:2] {
    set title titles[k]
    if (k == 1) { set yrange [0.48:0.66] } else { set yrange [0.465:0.515] }
    plot part(sprintf('m%d-force-state', k)) using 'time':'length' with lines lt 2 lw 1.5 title 'monolithic', \
        part(sprintf('m%d-published', k)) using 'time':'length' with points lt 1 pt 7 ps 0.8 title 'published'
}
unset title
set tmargin 4
set logscale y
set format y powers
set yrange [1e-10:1e-2]
set xlabel 'time t / s'
set ylabel 'error of s / m, H = 5 ms'
do for [k = 1:2] {
    plot part(sprintf('m%d-force-state', k)) using 'time':'error' with lines lt 4 title 'force/state', \
        part(sprintf('m%d-pressure-state', k)) using 'time':'error' with lines lt 3 title 'pressure/state'
}

