set multiplot layout 1,2
set tmargin 5
set label 1 sprintf('published: %g %% of the time (evaluations of 142 states: %+.1f)', printed, evaluations - printed) at screen 0.5, screen 0.95 center
set size square
unset key
set xlabel 'column'
set ylabel 'row'
set title 'A, 8 states'
set xrange [0.5:8.5]
set yrange [8.5:0.5]
plot part('A') using 'column':'row' with points lt 2 pt 5 ps 1.5
unset label 1
set title 'K = I ⊗ A + A ⊗ I, 64 entries of P'
set xrange [0.5:64.5]
set yrange [64.5:0.5]
set xtics 8
set ytics 8
plot part('K') using 'column':'row' with points lt 2 pt 5 ps 0.35
