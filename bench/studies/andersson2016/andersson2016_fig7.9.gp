set multiplot layout 2,2
set lmargin 12
set rmargin 2
set tmargin 5.5
set key vertical maxrows 2
set ylabel 'velocity ω / (rad/s)'
set xlabel 'time behind the input change / ms'
array modes[2] = ['correct-1', 'correct-2']
array titles[2] = ['corrected in x′', 'corrected in x′ and x″']
do for [k = 1:2] {
    set title titles[k]
    set xtics k == 1 ? 0.1 : 0.5
    plot part(modes[k]) using (1e3*(column('time')-T[k])):'omega_original' with lines lt 2 lw 2.5 dashtype 2 \
            title 'original', \
        '' using (1e3*(column('time')-T[k])):'omega_corrected' with lines lt 3 lw 3.5 title 'corrected', \
        '' using (1e3*(column('time')-T[k])):'omega' with lines lt 1 lw 1 title 'motion', \
        part(modes[k].'-accepted') using (1e3*(column('time')-T[k])):'omega' with points lt 1 pt 7 title 'accepted'
}
set logscale y
set format y powers
set yrange [1e-11:1e-1]
set title 'distance to the motion'
set ylabel 'distance / rad, rad/s'
do for [k = 1:2] {
    set xtics k == 1 ? 0.1 : 0.5
    plot part(modes[k]) using (1e3*(column('time')-T[k])):'omega_original_off' with lines lt 2 lw 2.5 dashtype 2 \
            title 'ω original', \
        '' using (1e3*(column('time')-T[k])):'omega_corrected_off' with lines lt 3 lw 2.5 title 'ω corrected', \
        '' using (1e3*(column('time')-T[k])):'theta_original_off' with lines lt 7 lw 1.5 dashtype 2 \
            title 'θ original', \
        '' using (1e3*(column('time')-T[k])):'theta_corrected_off' with lines lt 5 lw 1.5 title 'θ corrected'
}
