set multiplot
set logscale y
set boxwidth 0.18
set xrange [-0.6:2.6]
set xtics ('10^{-4}' 0, '10^{-6}' 1, '10^{-8}' 2)
set style fill solid 0.35 border
unset key
set label 1 '■ proceeding' at screen 0.27,0.965 textcolor lt 2
set label 2 '■ corrected in x′' at screen 0.49,0.965 textcolor lt 3
set label 3 '■ corrected in x′ and x″' at screen 0.71,0.965 textcolor lt 4
array left[4] = [0.1, 0.33, 0.56, 0.79]
array right[4] = [0.295, 0.525, 0.755, 0.985]
array titles[4] = ['mass, linear', 'mass, constant', 'mass, interpolated', 'pendulum, constant']
of(q, m) = column('quantity') == q && column('mode') == m ? column('x') : NaN
do for [panel = 0:7] {
    p = panel % 4
    q = panel / 4 * 2
    set lmargin at screen left[p + 1]
    set rmargin at screen right[p + 1]
    set tmargin at screen q == 0 ? 0.86 : 0.46
    set bmargin at screen q == 0 ? 0.5 : 0.1
    set title q == 0 ? titles[p + 1] : ''
    set ylabel p > 0 ? '' : q == 0 ? 'micro-steps / restarting' : 'error / restarting'
    set xlabel q == 0 ? '' : 'relative tolerance'
    set yrange [q == 0 ? 0.35 : 0.05:q == 0 ? 2 : 100]
    if (q == 0) { set ytics (0.4, 0.5, 0.7, 1, 1.5, 2) } else { set ytics autofreq; set format y powers }
    data = part(sprintf('%d', p))
    plot 1 with lines lt 9, \
        data using (of(q, 1)):'quarter':'low':'high':'three_quarters' with candlesticks lt 2 whiskerbars 0.5, '' using (of(q, 1)):'median':'median':'median':'median' with candlesticks lt 1 lw 1.5, \
        data using (of(q, 2)):'quarter':'low':'high':'three_quarters' with candlesticks lt 3 whiskerbars 0.5, '' using (of(q, 2)):'median':'median':'median':'median' with candlesticks lt 1 lw 1.5, \
        data using (of(q, 3)):'quarter':'low':'high':'three_quarters' with candlesticks lt 4 whiskerbars 0.5, '' using (of(q, 3)):'median':'median':'median':'median' with candlesticks lt 1 lw 1.5
    unset label
}
