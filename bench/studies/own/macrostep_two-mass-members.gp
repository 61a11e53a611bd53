set multiplot
set logscale xy
set format xy powers
set xrange [0.03:5]
set yrange [0.01:100]
set xlabel 'step size H ω_1'
set ylabel 'mass ratio m_2 / m_1'
set tmargin at screen 0.84
set bmargin at screen 0.12
set key at screen 0.52,0.985 center top vertical maxrows 2
array titles[3] = ['displacement / displacement', 'force / displacement', 'force / force']
array names[7] = ['jacobi, held', 'nepce', 'strang', 'ijcsa, degree 1', 'ijcsa, degree 3', 'waveform, m = p = 2', 'missiles']
do for [split = 1:3] {
    set lmargin at screen 0.06 + 0.325*(split - 1)
    set rmargin at screen 0.33 + 0.325*(split - 1)
    set title titles[split]
    plot for [k = 0:6] part('boundary-'.split) using (column('member') == k ? column('step') : NaN):'ratio' with lines lt k + 1 lw 2 dashtype k % 2 + 1 title names[k + 1]
    unset key
    set ylabel ''
}
