array parts[4] = [csv, part('corrected'), part('exact'), part('corrected-exact')]
array titles[4] = ['smoothing, derivatives by differences', 'with linear correction, by differences', \
    'smoothing, exact derivatives', 'with linear correction, exact']
set multiplot layout 2,2
set lmargin 9
set rmargin 3
set xlabel 'time t / s'
set ylabel 'position x / m'
do for [k = 1:4] {
    set title titles[k] offset 0,0.2
    if (k == 1) { set xrange [0:20]; set yrange [*:*]; set ytics 5 } else { set xrange [0:10]; set yrange [-1.2:1.2]; set ytics 0.5 }
    plot parts[k] using 'time':'x1' with lines lt 2 lw 2.5 title 'x_1', \
        '' using 'time':'x2' with lines lt 5 lw 2.5 title 'x_2', \
        part('reference') using 'time':'x1' with lines lt 1 lw 0.8 title 'reference', \
        '' using 'time':'x2' with lines lt 1 lw 0.8 notitle
}
