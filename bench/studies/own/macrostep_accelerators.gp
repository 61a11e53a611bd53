columns = 'fixed_point relaxation aitken unweighted iqn_ils iqn_imvj anderson'
array titles[7] = ['fixed-point', 'relaxation', 'aitken', 'aitken, weights 1', 'iqn-ils', 'iqn-imvj', 'anderson']
set multiplot layout 1,2 margins 0.1,0.98,0.16,0.76 spacing 0.12,0
set key at screen 0.54,0.99 center top vertical maxrows 2 width -2
set logscale xy
set xrange [0.8:1.3e4]
set yrange [1.5:1200]
set xlabel 'mass ratio m_2 / m_1'
set ylabel 'sweeps a macro-step'
set format x powers
set ytics (2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
do for [sweep in 'jacobi gauss-seidel'] {
    set title sweep eq 'jacobi' ? '(a) Jacobi sweeps' : '(b) Gauss-Seidel sweeps'
    plot for [m = 1:7] part(sweep) using 'strength':word(columns, m) with linespoints lt m pt m + 3 ps 0.6 dt 1 + (m - 1)%2 title titles[m]
    unset key
    unset ylabel
}
