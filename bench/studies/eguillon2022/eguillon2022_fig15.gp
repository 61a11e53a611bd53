set multiplot layout 2,2 margins 0.1,0.985,0.055,0.8 spacing 0.12,0.2
set logscale xy
set xrange [400:30000]
set xlabel 'macro-steps'
set format y '%g'
set label 1 "marks: medians over 7 tolerances, bars: from the least to the most; open: published\nnumbers: rmse over the published one, of x_1; of v_1" at screen 0.5,0.985 center
array kinds[7] = ['jacobi', 'magnitude', 'magnitude-smoothed', 'amplitude', 'amplitude-smoothed', 'damped', 'damped-smoothed']
array names[7] = ['Jacobi', 'magnitude', 'magnitude, smoothed', 'amplitude', 'amplitude, smoothed', 'damped', 'damped, smoothed']
array colours[7] = [1, 2, 2, 3, 3, 4, 4]
array marks[7] = [7, 7, 5, 7, 5, 7, 5]
array titles[2] = ['f as it comes', 'f with the new x_1']
array said[7]
of_row(k, row) = k == 1 && row == 1 ? csv : part(kinds[k] . (row == 1 ? '' : '-new'))
do for [row = 1:2] {
    do for [k = 1:7] {
        stats of_row(k, row) using (column('x1')/column('published_x1')) prefix 'X' nooutput
        stats of_row(k, row) using (column('v1')/column('published_v1')) prefix 'V' nooutput
        said[k] = sprintf('%s: %.2g–%.2g; %.2g–%.2g', names[k], X_min, X_max, V_min, V_max)
    }
    do for [panel = 0:1] {
        first = panel == 0
        x = first ? 'x1' : 'v1'
        p = 'published_'.x
        set title titles[row]
        if (first) { set key at screen 0.54, screen (row == 1 ? 0.945 : 0.468) center top vertical maxrows 4 width -4 } else { unset key }
        set ylabel first ? 'rmse of x_1 / %' : 'rmse of v_1 / %'
        set yrange [first ? 0.002 : 0.004:first ? 6 : 12]
        plot of_row(1, row) using 'steps':x with linespoints lt 1 pt 7 ps 1 title said[1], \
            '' using 'published_steps':p with points lt 1 pt 6 ps 1 notitle, \
            for [k = 2:7] of_row(k, row) using 'steps':x:'steps_low':'steps_high':x.'_low':x.'_high' with xyerrorbars \
                lt colours[k] pt marks[k] ps 1 title said[k], \
            for [k = 2:7] of_row(k, row) using 'published_steps':p with points lt colours[k] pt (marks[k] - 1) ps 1 notitle
        unset label 1
    }
}
