set multiplot layout 2,1
array titles[2] = ['both impose their steps, 0.2 s and 0.5 s', \
    'the reader is free, at most 0.5 s']
set lmargin 11
set rmargin 3
set tmargin 5
set xrange [3:6]
set xlabel 'time t / s'
set ylabel 'left velocity v_1 / (m/s)'
do for [k = 1:2] {
    run = k == 1 ? 'imposed' : 'free'
    set title titles[k]
    inputs = part(run.'-inputs')
    values = part(run.'-values')
    estimates = part(run.'-estimates')
    if (k == 1) {
        plot inputs using 'time':'within' with lines lt 2 lw 4 title 'input of the right mass', \
            '' using 'time':'past' with lines lt 3 lw 4 \
                title 'past the next communication', \
            estimates using 'time':'estimate' with lines lt 1 lw 1 \
                title 'estimates of the left mass', \
            values using 'time':'value' with points lt 1 pt 7 ps 0.7 title 'communicated'
    } else {
        plot inputs using 'time':'within' with lines lt 2 lw 4 title 'input of the right mass', \
            estimates using 'time':'estimate' with lines lt 1 lw 1 \
                title 'estimates of the left mass', \
            values using 'time':'value' with points lt 1 pt 7 ps 0.7 title 'communicated'
    }
}
