set multiplot
set lmargin at screen 0.105
set rmargin at screen 0.455
set tmargin at screen 0.66
set bmargin at screen 0.13
set title '(a) performance profile'
set logscale x 2
set xrange [1:32]
set yrange [0:1]
set xlabel 'work over the least work'
set ylabel 'share of problems solved'
set key at screen 0.265,0.985 center top vertical maxrows 5 samplen 2.5
plot part('profile') using 'tau':'full' with lines lt 1 lw 2 title 'F3ORNITS, all freedoms', \
    '' using 'tau':'plain' with lines lt 2 lw 2 title 'F3ORNITS, degree and step alone', \
    '' using 'tau':'held' with lines lt 3 lw 2 title 'equal steps, order 0', \
    '' using 'tau':'linear' with lines lt 4 lw 2 title 'equal steps, order 1', \
    '' using 'tau':'quadratic' with lines lt 5 lw 2 title 'equal steps, order 2'
unset key
set lmargin at screen 0.70
set rmargin at screen 0.985
set tmargin at screen 0.91
set title '(b) work without it over work with all' offset -5,0
set xlabel 'ratio of works'
set ylabel ''
set logscale x 10
set xrange [0.02:2000]
set xtics ("0.1" 0.1, "1" 1, "10" 10)
set yrange [10.6:0]
set ytics ('' 1)
do for [k = 1:10] { set ytics add (names[k] k) }
set style fill solid 0.35
set label 'saves on' at 50,0.4
set arrow from 1,0 to 1,10.6 nohead lt -1 lw 1
plot part('worth') using 'least':(column(0) + 1):(column('most') - column('least')):(0) with vectors nohead lt 2 notitle, \
    '' using (column('low')):(column(0) + 1):(column('low')):(column('high')):(column(0) + 0.72):(column(0) + 1.28) with boxxyerror lt 2 notitle, \
    '' using 'median':(column(0) + 1) with points lt 3 pt 7 ps 0.8 notitle, \
    '' using (50):(column(0) + 1):(sprintf(' %.0f/%.0f', column('saves'), column('of'))) with labels left notitle
