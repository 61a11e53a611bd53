set multiplot layout 3,3 margins 0.08,0.98,0.07,0.90 spacing 0.07,0.09
set xrange [0:1]
set yrange [-1.2:1.2]
set xtics 0.5
set ytics 1
set key at screen 0.5,0.985 center top vertical maxrows 1
do for [p = 0:2] { do for [taken = 0:2] {
    set title sprintf('estimate of degree %d, taken: %d', p, taken)
    set xlabel p == 2 ? 'part of the step' : ''
    set ylabel taken == 0 ? 'input less its mean / largest' : ''
    data = part(sprintf('case-%d-%d', p, taken))
    plot data using 'part':'given' with lines lt 2 lw 4 title 'input that is given', \
        '' using 'part':'estimate' with lines lt 1 lw 1.4 dashtype 2 title 'estimate'
    unset key
} }
