set multiplot
set logscale y
set format y powers
set yrange [1e-14:1e6]
array dampings[3] = ['4', '0.64', '0.01']
array methods[5] = ['fixed-point', 'newtonls', 'anderson', 'ngmres-ls', 'ngmres']
array names[5] = ['fixed point', 'NewtonLS', 'Anderson', 'NGMRES, line search', 'NGMRES']
array colours[5] = [1, 2, 3, 6, 4]
array marks[5] = [7, 5, 9, 6, 13]
array sizes[5] = [0.3, 0.5, 0.6, 1.2, 0.6]
array widths[5] = [1.2, 1.2, 1.2, 2.8, 1]
do for [p = 0:5] {
    x = p < 3 ? 'iteration' : 'calls'
    set lmargin at screen 0.1 + 0.304 * (p % 3)
    set rmargin at screen 0.365 + 0.304 * (p % 3)
    set tmargin at screen 0.86 - 0.465 * (p / 3)
    set bmargin at screen 0.57 - 0.465 * (p / 3)
    set xlabel (p < 3 ? 'iterations' : 'calls of γ')
    set format y p % 3 == 0 ? powers : ''
    set xtics p < 3 ? 5 : 20
    set ylabel p % 3 == 0 ? 'max |γ_i|' : ''
    set xrange [0:(p < 3 ? 20 : 60)]
    if (p == 0) { set key at screen 0.54,0.995 center top vertical maxrows 2 width -2 } else { unset key }
    set title '('.'abcdef'[p + 1:p + 1].') D_D = '.dampings[p % 3 + 1]
    plot for [m = 1:5] part(dampings[p % 3 + 1].'-'.methods[m]) using x:'residual' with linespoints lt colours[m] \
            pt marks[m] ps sizes[m] lw widths[m] title names[m], \
        1e-4 with lines lt 9 dashtype 2 notitle
}
