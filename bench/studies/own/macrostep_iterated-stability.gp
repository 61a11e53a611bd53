array models[4] = ["mass-spring-damper\nspectral radius ρ", "spring-mass\nspectral radius ρ", "damping-reaction\nD_D = 4: radius ρ", "damping-reaction\nD_D = 0.64: radius ρ"]
array groups[3] = ['Jacobi', 'Jacobi corrected', 'Gauss-Seidel']
keys = 'j0 j1 j2 c0 c1 c2 g0 g1 g2'
set multiplot
set logscale x
set ytics 0.4,0.2,1.6
set arrow 1 from graph 0,first 1 to graph 1,first 1 nohead lt 9 lw 1.5
do for [panel = 0:11] {
    m = panel / 3
    group = panel % 3
    set lmargin at screen 0.11 + 0.304*group
    set rmargin at screen 0.365 + 0.304*group
    set tmargin at screen 0.905 - 0.213*m
    set bmargin at screen 0.715 - 0.213*m
    set title m == 0 ? groups[group + 1] : ''
    set format x m < 3 ? '' : '%.6g'
    set format y group == 0 ? '%.6g' : ''
    set xrange [0.02:20]
    set yrange [(m < 2 ? 0.4 : 0.8):1.6]
    set xlabel m < 3 ? '' : 'step size H / s'
    set ylabel group == 0 ? models[m + 1] : ''
    if (panel == 0) { set key at screen 0.54,0.998 center top vertical maxrows 2 width -6 } else { unset key }
    step(x) = column('model') == m ? column('step') : NaN
    plot for [k = 0:2] csv using (step(0)):word(keys, 3*group + k + 1) with lines lt k + 2 lw 1.2 dashtype 1 title sprintf('explicit, order %d', k), \
        csv using (step(0)):'ifosmondi' with lines lt 1 lw 2 dashtype 1 title "ifosmondi", \
        csv using (step(0)):'differences' with lines lt 1 lw 2 dashtype '-' title "ifosmondi, differences", \
        csv using (step(0)):'zoh' with lines lt 6 lw 2 dashtype 1 title "zoh-iterative"
}
