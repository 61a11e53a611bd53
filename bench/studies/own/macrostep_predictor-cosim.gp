array titles[3] = ['quarter car', 'mass-spring-damper', 'coupled pendula']
array left[3] = [0.11, 0.415, 0.72]
array right[3] = [0.375, 0.68, 0.985]
at(model, step, mode) = column('model') == model && column('step') == step && column('mode') == mode ? column('place') + 0.2*(mode - 2) : NaN
set multiplot
set logscale y
set xrange [-1:11]
set xtics ('0' 0, "1\nnone" 1, '2' 2, '0' 4, "1\nC0" 5, '2' 6, '0' 8, "1\nC1" 9, '2' 10)
unset key
set label 10 '● larger ○ smaller H' at screen 0.75,0.965
set label 1 '● proceeding' at screen 0.06,0.965 textcolor lt 2
set label 2 '● corrected in x′' at screen 0.235,0.965 textcolor lt 3
set label 3 '● corrected in x′ and x″' at screen 0.45,0.965 textcolor lt 4
do for [what in 'work error'] {
    set tmargin at screen (what eq 'work' ? 0.87 : 0.48)
    set bmargin at screen (what eq 'work' ? 0.56 : 0.17)
    if (what eq 'work') {
        set yrange [0.04:2]
        set ytics (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2)
    } else {
        set yrange [0.01:2]
        set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
    }
    do for [m = 1:3] {
        set lmargin at screen left[m]
        set rmargin at screen right[m]
        set xlabel (what eq 'error' && m == 2 ? 'extrapolation order and smoothing' : '') offset 0,-0.8
        set title (what eq 'work' ? titles[m] : '')
        set ylabel (m == 1 ? what.' / restarting' : '')
        plot 1 with lines lt 9, for [mode = 1:3] for [step = 0:1] csv using (at(m - 1, step, mode)):what \
            with points lt mode + 1 pt 7 - step ps 0.8 lw 1.5
        unset label
    }
}
