set multiplot layout 2,2
array runs[2] = ['jacobi', 'f3ornits']
array names[2] = ['Jacobi, held inputs', 'F3ORNITS']
set lmargin 11
set rmargin 4
set tmargin 5
set key vertical maxrows 2 samplen 2
do for [k = 1:2] {
    set title names[k]
    set xrange [0:60]
    set yrange [(k == 1 ? -50 : -1):(k == 1 ? 900 : 20)]
    set xlabel 'time t / s'
    set ylabel 'speed / (m/s)'
    plot part('speeds-'.runs[k]) using 'time':'car' with lines lt 2 lw 3.5 title 'of the car', \
        '' using 'time':'computed' with lines lt 3 lw 1.6 dashtype (8,6) title 'computed in the controller'
}
do for [k = 1:2] {
    set title names[k].', zoom'
    set xrange [13:13.2]
    set yrange [-0.5:*]
    set xtics 0.05
    set ylabel 'way since 13 s / m'
    plot part('positions-'.runs[k]) using 'time':'car' with lines lt 2 lw 3.5 \
        title 'of the car', \
        '' using 'time':'input' with lines lt 3 lw 1.8 dashtype (8,6) title 'input of the controller'
}
