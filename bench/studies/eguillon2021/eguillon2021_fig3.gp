set xlabel 'time t / s'
set ylabel 'force f_L / N'
set yrange [-0.2:5.5]
plot csv using 'time':'force' with lines lt 2 lw 2 notitle, \
    part('published') using 'time':'force':(sprintf('%+g', column('deviation'))) with labels point lt 3 pt 6 ps 1.5 offset 3,1 \
    title 'published, and what was measured less that'
