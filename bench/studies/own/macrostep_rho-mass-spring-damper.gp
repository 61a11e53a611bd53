set multiplot
set logscale x
set xrange [least:largest]
set yrange [0.6:1.6]
set ytics 0.6,0.2,1.6
set mytics 2
set arrow 1 from graph 0,first 1 to graph 1,first 1 nohead lt 9 lw 1.5
if (marked > 0) { set arrow 2 from first marked,graph 0 to first marked,graph 1 nohead lt 9 lw 1.5 dashtype 3 }
array outputs[3] = ['inconsistent', 'consistent', 'corrected']
array smoothings[3] = ['none', 'c0', 'c1']
array labels[3] = ['unsmoothed', 'C^{/*1.1 0} smooth', 'C^{/*1.1 1} smooth']
array names[5] = ['constant', 'linear', 'quadratic', 'linear, derivatives', 'quadratic, derivatives']
array keys[5] = ['0', '1', '2', '1d', '2d']
member(e, r, c, k) = e . '-' . smoothings[r] . '-' . outputs[c] . '-' . keys[k]
array executions[2] = ['jacobi', 'gauss-seidel']
array coupled[2] = ['Jacobi', 'Gauss-Seidel']
do for [panel = 0:17] {
    e = panel / 9 + 1
    row_at = panel % 9 / 3 + 1
    column_at = panel % 3 + 1
    set lmargin at screen 0.085 + 0.308 * (panel % 3)
    set rmargin at screen 0.365 + 0.308 * (panel % 3)
    set tmargin at screen 0.930 - 0.146 * (panel / 3)
    set bmargin at screen 0.800 - 0.146 * (panel / 3)
    set title panel < 3 ? outputs[column_at] . ' outputs' : ''
    set label 1 labels[row_at] . ",\n" . coupled[e] at graph 0.03,0.9 font ',8'
    set format x panel > 14 ? '%.6g' : ''
    set xlabel panel > 14 ? 'step size H / s' : ''
    set format y column_at == 1 ? '%.6g' : ''
    if (panel == 0) { set label 2 'spectral radius ρ' at screen 0.015,0.5 rotate center } else { unset label 2 }
    if (panel == 0) { set key at screen 0.53,0.998 center top vertical maxrows 2 width -4 } else { unset key }
    plot for [k = 1:5] csv using 'step':(column(member(executions[e], row_at, column_at, k))) with lines lt k lw (k == 1 ? 2.2 : 1.4) title names[k]
}
