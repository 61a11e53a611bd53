steppers = 'newmark alpha rk4 radau'
array titles[4] = ['Newmark', 'generalised alpha', 'Runge-Kutta 4', 'Radau IIA']
pair(left, right) = word(steppers, left).'-'.word(steppers, right)
set multiplot
set tmargin at screen 0.955
set bmargin at screen 0.57
set lmargin at screen 0.1
set rmargin at screen 0.48
set title 'orders of pairs of time steppers'
set logscale xy
set format y powers
set xlabel 'window H / s'
set ylabel 'largest error to 0.7 s / SI units'
set xrange [0.0018:0.085]
set yrange [1e-10:1e1]
set xtics ("0.002" 0.002, "0.01" 0.01, "0.05" 0.05)
set key at screen 0.49, screen 0.93 left top Left reverse vertical maxrows 10 samplen 2
plot for [left = 1:4] for [right = left:4] part(pair(left, right)) using 'step_size':'error' \
    with linespoints lt left lw 1.5 pt right + 3 ps 0.8 title titles[left].', '.titles[right]
set tmargin at screen 0.43
set bmargin at screen 0.08
set rmargin at screen 0.97
set title 'energy, the same on both sides, H = 0.04 s'
unset logscale x
set xlabel 'time t / s'
set ylabel '|E(t)/E(0) − 1|'
set xrange [0:20]
set yrange [1e-16:1e4]
set xtics autofreq
set key inside left top Left reverse vertical maxrows 2
plot for [k = 1:4] part('energy-'.word(steppers, k)) using 'time':'deviation' with lines lt k lw 1.5 title titles[k]
