set multiplot layout 2,2
set lmargin 8
set rmargin 3
set key vertical maxrows 2
set xlabel 'time t / s'
set ylabel 'angle / rad'
set ytics 0.2
set xtics 0.04
plot part('short') using 'time':'phiB' with lines lt 3 lw 1.5 title sprintf('bird φ_B, hits: %d published (%+d)', printed[1], hits[1] - printed[1]), \
    '' using 'time':'phiS' with lines lt 2 lw 2 title 'sleeve φ_S'
set ylabel 'angle / rad'
set xtics 0.2
plot part('long') using 'time':'phiB' with lines lt 3 lw 1.5 title sprintf('bird φ_B, hits: %d published (%+d)', printed[2], hits[2] - printed[2]), \
    '' using 'time':'phiS' with lines lt 2 lw 2 title 'sleeve φ_S'
set ylabel 'height z / mm'
set ytics autofreq
set xtics 0.04
plot part('short') using 'time':(1000*column('z')) with lines lt 1 lw 2 title 'sleeve z'
set ylabel 'height z / mm'
set xtics 0.2
plot part('long') using 'time':(1000*column('z')) with lines lt 1 lw 2 title 'sleeve z'
