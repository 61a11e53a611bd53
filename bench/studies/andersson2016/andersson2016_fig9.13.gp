set multiplot layout 1,2
set xlabel 'time t / s'
set logscale y; set format y powers
set ylabel 'error of φ_B / rad'
plot csv using 'time':'phiB_explicit' with lines lt 2 lw 1.5 title 'explicit, CVODE', \
    '' using 'time':'phiB_dae' with lines lt 3 lw 1.5 title 'DAE, IDA'
set ylabel 'error of z / m'
plot csv using 'time':'z_explicit' with lines lt 2 lw 1.5 title 'explicit, CVODE', \
    '' using 'time':'z_dae' with lines lt 3 lw 1.5 title 'DAE, IDA'
