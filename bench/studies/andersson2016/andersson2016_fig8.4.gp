set multiplot layout 1,2
set xlabel 'time t / s'
set ylabel 'angle θ / rad'
plot csv using 'time':'theta' with lines lt 2 lw 2 title 'angle of the bell', \
    -0.75*pi with lines lt 9 dashtype 2 title 'wall, -3π/4'
set ylabel 'angular velocity ω / (rad/s)'
set yrange [-8:8]
plot csv using 'time':'omega' with lines lt 3 lw 2 title 'its angular velocity'
