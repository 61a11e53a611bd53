set multiplot layout 2,2 margins 0.1,0.98,0.11,0.94 spacing 0.13,0.2
set key inside top right vertical maxrows 1 samplen 2
set xrange [0:8.38]
set xlabel 'time t / s'
set title '(a) exact: power and work of the mass'
set ylabel 'P / W, W / J'
set yrange [-1.5:2.2]
plot part('exact') using 'time':'P' with lines lt 2 lw 1.6 title 'power P', '' using 'time':'W' with lines lt 3 lw 1.6 title 'work W'
set title '(b) derivative of the power'
set ylabel 'dP/dt / (W/s)'
set yrange [-5:7]
set key width -6
set ytics 2
plot part('exact') using 'time':'slope' with lines lt 2 lw 1.6 title "m (a^2 + v f' / m)", \
    part('quotients') using 'time':'quotient' every 5 with points lt 3 pt 7 ps 0.4 title 'quotients'
set key width 0
set title '(c) negotiated power, seen by both sides'
set ylabel 'power / W'
set yrange [-1.5:2.2]
set ytics autofreq
plot part('idle') using 'time':'P12' with lines lt 2 lw 1.6 title 'P_{12}', '' using 'time':'P21' with points lt 3 pt 6 ps 0.6 title '-P_{21}'
set title '(d) held inputs: energy made a step'
set key inside top left maxrows 2 width -2
set logscale xy
set format y powers
set xrange [0.02:0.25]
set yrange [1e-3:1]
set xtics (0.025, 0.05, 0.1, 0.2)
set xlabel 'macro-step H / s'
set ylabel 'in units of the energy'
plot part('growth') using 'H':'delayed' with lines lt 1 lw 1 title 'sines shifted by H/2', '' using 'H':'made' with points lt 2 pt 7 ps 0.8 title 'measured'
