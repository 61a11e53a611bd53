set multiplot layout 2,1
set lmargin 9
set rmargin 3
set xrange [0:1]
set ylabel 'error estimate / tolerance'
set yrange [0:1.4]
plot 1.1 with lines lt 9 dashtype 3 title 'limit of acceptance', \
    csv using 'time':'estimate' with fsteps lt 2 dashtype 1 title 'accepted step', \
    part('rejected') using 'time':'estimate' with points lt 3 pt 2 ps 0.9 lw 2 \
    title 'rejected step'
accepted = sprintf('accepted step: %d published (%+d)', printed_steps, steps - printed_steps)
rejected = sprintf('rejected step: %d published (%+d)', printed_rejections, rejections - printed_rejections)
set xlabel 'time t / s'
set ylabel 'global step size H / ms'
set yrange [0:20]
plot csv using 'time':(1e3*column('step_size')) with fsteps lt 4 dashtype 1 title accepted, \
    part('rejected') using 'time':(1e3*column('step_size')) with points lt 3 pt 2 ps 0.9 lw 2 \
    title rejected
