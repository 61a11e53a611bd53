set multiplot layout 2,2
set logscale xy
set xrange [400:30000]
set xlabel 'macro-steps'
set format y '%g'
set key maxrows 4
set label 1 "symbols: medians over 7 tolerances\nbars: from the least to the most" at graph 0.97,0.92 right font ',11'
# The keys of the panels of a row together name everything: that of x1 Jacobi and the magnitude, that of v1 the amplitudes.
array suffixes[2] = ['', '-new']
array titles[2] = ['f as it comes', 'f with the new x1']
do for [panel = 0:3] {
    suffix = suffixes[panel/2 + 1]
    first = panel % 2 == 0
    x = first ? 'x1' : 'v1'
    p = 'published_'.x
    of(low, high) = first == low ? high : ''
    set title titles[panel/2 + 1]
    set ylabel first ? 'rmse of x_1 / %' : 'rmse of v_1 / %'
    set yrange [first ? 0.002 : 0.004:first ? 6 : 12]
    plot (panel < 2 ? csv : part('jacobi-new')) using 'steps':x with linespoints lt 1 pt 7 ps 1 title of(1, 'Jacobi, held inputs'), \
        '' using 'published_steps':p with points lt 1 pt 6 ps 1 title of(1, 'published: open symbols'), \
        part('magnitude'.suffix) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars lt 2 pt 7 ps 1 title of(1, 'magnitude'), \
        '' using 'published_steps':p with points lt 2 pt 6 ps 1 notitle, \
        part('magnitude-smoothed'.suffix) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars lt 2 pt 5 ps 1 title of(1, 'magnitude, smoothed'), \
        '' using 'published_steps':p with points lt 2 pt 4 ps 1 notitle, \
        part('amplitude'.suffix) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars lt 3 pt 7 ps 1 title of(0, 'amplitude'), \
        '' using 'published_steps':p with points lt 3 pt 6 ps 1 notitle, \
        part('amplitude-smoothed'.suffix) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars lt 3 pt 5 ps 1 title of(0, 'amplitude, smoothed'), \
        '' using 'published_steps':p with points lt 3 pt 4 ps 1 notitle, \
        part('damped'.suffix) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars lt 4 pt 7 ps 1 title of(0, 'damped amplitude'), \
        '' using 'published_steps':p with points lt 4 pt 6 ps 1 notitle, \
        part('damped-smoothed'.suffix) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars lt 4 pt 5 ps 1 title of(0, 'damped amplitude, smoothed'), \
        '' using 'published_steps':p with points lt 4 pt 4 ps 1 notitle
    unset label 1
}
