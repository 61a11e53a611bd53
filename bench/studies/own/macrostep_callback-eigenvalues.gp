set multiplot layout 1,2 margins 0.11,0.98,0.16,0.85 spacing 0.12,0
set logscale xy
set format xy powers
set xlabel 'macro-step dt / s'
set ylabel 'distance from ± i (D_{SD}/D_D)^{{/*1.1 1/2}}'
set yrange [1e-14:1]
set key at screen 0.545,0.995 center top vertical maxrows 1
array damping[3] = ['4', '0.64', '0.01']
do for [kind in 'exact differences'] {
    set title kind eq 'exact' ? '(a) exact derivatives, the pair double' : '(b) differences, the pair simple'
    plot for [d = 1:3] part(kind.'-'.damping[d]) using 'step_size':'pair' with linespoints lt d + 1 title 'D_D = '.damping[d], \
        0.02*x**2 with lines lt 1 lw 1 dashtype 3 title 'order 2'
    unset key
    unset ylabel
}
