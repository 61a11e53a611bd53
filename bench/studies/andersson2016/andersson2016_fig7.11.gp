set multiplot layout 2,2
set lmargin 12
set rmargin 2
set tmargin 5
set xlabel 'time t / s'
set xrange [0:10]
set ylabel 'height z_w / mm'
plot part('states') using 'time':(1e3*column('z')) with lines lt 2 lw 1.5 notitle
set logscale y
set format y powers
set key at screen 0.5, screen 0.985 center top vertical maxrows 2
set ylabel 'error of z_w / m'
plot for [k=1:4] part(ways[k]) using 'time':'position' with lines lt (k + 1) lw 1 title titles[k]
unset key
unset logscale y
set format y '%g'
set ylabel 'velocity v_w / (mm/s)'
plot part('states') using 'time':(1e3*column('v')) with lines lt 2 lw 1 notitle
set logscale y
set format y powers
set ylabel 'error of v_w / (m/s)'
plot for [k=1:4] part(ways[k]) using 'time':'velocity' with lines lt (k + 1) lw 1 title titles[k]
