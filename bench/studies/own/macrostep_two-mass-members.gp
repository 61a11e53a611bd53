set multiplot
set logscale xy
set format xy powers
set xrange [0.03:5]
set yrange [0.01:100]
set xlabel 'step size H ω_1'
set ylabel 'mass ratio m_2 / m_1'
set tmargin at screen 0.78
set bmargin at screen 0.16
set key at screen 0.53,0.99 center top vertical maxrows 3 width -2
array titles[3] = ['displ. / displ.', 'force / displ.', 'force / force']
array names[7] = ['jacobi, held', 'nepce', 'strang', 'ijcsa, degree 1', 'ijcsa, degree 3', 'waveform, m = p = 2', 'missiles']
do for [split = 1:3] {
    set lmargin at screen 0.095 + 0.306*(split - 1)
    set rmargin at screen 0.355 + 0.306*(split - 1)
    set title '('.'abc'[split:split].') '.titles[split]
    plot for [k = 0:6] part('boundary-'.split) using (column('member') == k ? column('step') : NaN):'ratio' with lines lt k + 1 lw 1.7 title names[k + 1]
    unset key
    set ylabel ''
    set format y ''
}
