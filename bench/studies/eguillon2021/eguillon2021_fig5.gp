set xlabel 'time t / s'
set ylabel 'displacement of the body x_L / m'
set tmargin 5.5
set key at screen 0.5,0.985 center top vertical maxrows 4 width -7
plot for [d = 7:1:-1] csv using 1:(column(d + 1)) with lines lt d lw 2 title 'D_D = '.dampings[d].', ϱ = '.published[d]
