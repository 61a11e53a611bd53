set multiplot layout 2,2
set lmargin 12
set tmargin 7
set xlabel 'time t / s'
set xrange [0:10]
set ylabel 'height of the wheel z_w / m'
plot part('states') using 'time':'z' with lines lt 2 lw 1.5 notitle
set logscale y
set format y powers
set key maxrows 2
set ylabel 'error of z_w / m'
plot for [k=1:4] part(ways[k]) using 'time':'position' with lines lt (k + 1) lw 1 title titles[k]
unset logscale y
set format y '%g'
set ylabel 'velocity of the wheel v_w / (m/s)'
plot part('states') using 'time':'v' with lines lt 2 lw 1 notitle
set logscale y
set format y powers
set ylabel 'error of v_w / (m/s)'
plot for [k=1:4] part(ways[k]) using 'time':'velocity' with lines lt (k + 1) lw 1 title titles[k]
