set multiplot layout 2,2
set lmargin 11
set rmargin 3
set tmargin 5
set key vertical maxrows 1 samplen 2
set xrange [0:8.38]
set xlabel 'time t / s'
set title 'exact solution: power and work of the mass' offset 0,0.2
plot part('exact') using 'time':'P' with lines lt 2 lw 2 title 'P / W', '' using 'time':'W' with lines lt 3 lw 2 title 'W / J'
set title 'derivative of the power, printed, and quotients' offset 0,0.2
plot part('exact') using 'time':'slope' with lines lt 2 lw 2 title 'm (a^2 + v f'' / m)', \
    part('quotients') using 'time':'quotient' every 5 with points lt 3 pt 7 ps 0.6 title 'quotients'
set title 'negotiated power: both sides'' views' offset 0,0.2
set ylabel 'power / W'
plot part('idle') using 'time':'P12' with lines lt 2 lw 3 title 'P_{12}', '' using 'time':'P21' with points lt 3 pt 6 ps 0.6 title '-P_{21}'
set title 'held inputs: energy that a macro-step makes' offset 0,0.2
set logscale xy
set format y powers
set xrange [0.02:0.25]
set xtics (0.025, 0.05, 0.1, 0.2)
set xlabel 'macro-step H / s'
set ylabel 'in units of the energy'
plot part('growth') using 'H':'delayed' with lines lt 1 lw 1 title 'sines shifted by H/2', '' using 'H':'made' with points lt 2 pt 7 ps 1.2 title 'measured'
