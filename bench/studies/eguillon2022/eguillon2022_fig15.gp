set multiplot layout 2,2
set logscale xy
set xrange [400:30000]
set xlabel 'macro-steps'
set format y '%g'
set key maxrows 4
set label 1 "symbols: medians over 7 tolerances\nbars: from the least to the most" at graph 0.97,0.92 right font ',11'
array kinds[7] = ['jacobi', 'magnitude', 'magnitude-smoothed', 'amplitude', 'amplitude-smoothed', 'damped', 'damped-smoothed']
array names[7] = ['Jacobi', 'magnitude', 'magnitude, smoothed', 'amplitude', 'amplitude, smoothed', 'damped', 'damped, smoothed']
array colours[7] = [1, 2, 2, 3, 3, 4, 4]
array marks[7] = [7, 7, 5, 7, 5, 7, 5]
array titles[2] = ['f as it comes', 'f with the new x1']
array said[7]
of_row(k, row) = k == 1 && row == 1 ? csv : part(kinds[k] . (row == 1 ? '' : '-new'))
# The keys of the panels of a row together name everything: that of x1 Jacobi and the magnitude, that of v1 the amplitudes.
named(k, first) = (k < 4) == first ? said[k] : ''
do for [row = 1:2] {
    do for [k = 1:7] {
        stats of_row(k, row) using (column('x1')/column('published_x1')) prefix 'X' nooutput
        stats of_row(k, row) using (column('v1')/column('published_v1')) prefix 'V' nooutput
        said[k] = sprintf('%s (x_1 %.2g to %.2g, v_1 %.2g to %.2g)', names[k], X_min, X_max, V_min, V_max)
    }
    do for [panel = 0:1] {
        first = panel == 0
        x = first ? 'x1' : 'v1'
        p = 'published_'.x
        set title titles[row]
        set ylabel first ? 'rmse of x_1 / %' : 'rmse of v_1 / %'
        set yrange [first ? 0.002 : 0.004:first ? 6 : 12]
        plot of_row(1, row) using 'steps':x with linespoints lt 1 pt 7 ps 1 title named(1, first), \
            '' using 'published_steps':p with points lt 1 pt 6 ps 1 title first ? 'published: open symbols (in brackets: rmse over it)' : '', \
            for [k = 2:7] of_row(k, row) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars \
                lt colours[k] pt marks[k] ps 1 title named(k, first), \
            for [k = 2:7] of_row(k, row) using 'published_steps':p with points lt colours[k] pt (marks[k] - 1) ps 1 notitle
        unset label 1
    }
}
