array models[4] = ['mass-spring-damper', 'spring-mass', 'damping-reaction, D_D = 4', 'damping-reaction, D_D = 0.64']
array groups[3] = ['Jacobi', 'Jacobi corrected', 'Gauss-Seidel']
keys = 'j0 j1 j2 c0 c1 c2 g0 g1 g2'
set multiplot
set logscale x
set ytics 0.4,0.2,1.6
set arrow 1 from graph 0,first 1 to graph 1,first 1 nohead lt 9 lw 1.5
do for [panel = 0:11] {
    m = panel / 3
    group = panel % 3
    set lmargin at screen 0.065 + 0.318*group
    set rmargin at screen 0.355 + 0.318*group
    set tmargin at screen 0.925 - 0.232*m
    set bmargin at screen 0.755 - 0.232*m
    set title models[m + 1] . ': ' . groups[group + 1]
    set xrange [0.02:20]
    set yrange [(m < 2 ? 0.4 : 0.8):1.6]
    set xlabel m < 3 ? '' : 'step size H / s'
    set ylabel group == 0 ? 'spectral radius ρ' : ''
    if (panel == 0) { set key at screen 0.53,0.996 center top vertical maxrows 2 } else { unset key }
    step(x) = column('model') == m ? column('step') : NaN
    plot for [k = 0:2] csv using (step(0)):word(keys, 3*group + k + 1) with lines lt k + 2 lw 1.8 dashtype 1 title sprintf('explicit, order %d', k), \
        csv using (step(0)):'ifosmondi' with lines lt 1 lw 3 dashtype 1 title "ifosmondi, converged", \
        csv using (step(0)):'differences' with lines lt 1 lw 3 dashtype '-' title "ifosmondi, converged, y' by differences", \
        csv using (step(0)):'zoh' with lines lt 6 lw 3 dashtype 1 title "zoh-iterative, converged"
}
