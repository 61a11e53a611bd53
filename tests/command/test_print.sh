#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures as they are printed, at 8 to 17 cm: type of at least 7 pt, exponents as well, no text on another one or beyond the edge, keys,
# labels, what the call says of them. Measured in the PDF by pdftotext (poppler-utils). TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
measure="python3 $(cd "$(dirname "$0")/../support" && pwd)/printed_type.py"
cd "$folder" || exit 1

# printed ARGUMENT ..: at each width
printed() {
    for width in 8 9 11 12 14 17; do
        its_turn 11 || continue
        call "$@" --plot print.pdf --width ${width}cm --keep
        [ "$status" -eq 0 ] && $measure 7 print.pdf print.gp 2>err
        result $? "$width cm: $*"
    done
}
map="stability mass-spring-damper --x step-size=0.01:0.3:lin:30 --y k2=1:100:log:20"
printed converge quarter-car --scheme jacobi,balance,missiles
printed $map
printed $map --scheme jacobi,gauss-seidel,balance,missiles
printed stability mass-spring-damper --x step-size=0.01:0.3:log:30 --y k2=1:100:log:20 --scheme jacobi,gauss-seidel --key below
printed stability mass-spring-damper --critical --scheme jacobi,gauss-seidel,balance
printed stability --x re-lambda=-1.5:1.5:lin:20 --y im-lambda=-1.5:1.5:lin:20 --extrapolation-order 0,1
printed run quarter-car
printed run spring-mass
printed compare quarter-car --extrapolation-order 0
printed spectral quarter-car
printed spectral quarter-car --step-size 0.001:0.2:log:12 --scheme jacobi,balance
printed integrate quarter-car
printed drive quarter-car --subsystem wheel
printed linearise quarter-car
printed sweep --models quarter-car,spring-mass --cases first --step-size 0.01
printed sweep --models quarter-car --cases first --scheme jacobi,gauss-seidel --extrapolation-order 0,1 --derivatives differences \
    --outputs consistent --smooth-coupling none --step-size 0.001,0.01 --stop-time 0.01 --sample 4 --set 'kc=uniform(1e4,2e4)'
long="sweep --models quarter-car --cases first --extrapolation-order 0 --derivatives differences --step-size 0.001,0.01
    --stop-time 0.01 --sample 2 --set kc=uniform(1e4,2e4)"
call $long --scheme jacobi,gauss-seidel --plot long.pdf --width 8cm
$measure 7 long.pdf 2>err
result $? "a key that is higher than the axes stays on the page"
call $long --scheme jacobi --plot long.svg --width 17cm --keep
is "a curve on another one of its family is named by what differs" grep -q "'jacobi, consistent, c0 (on inconsistent, c0)'" long.gp

# What the call says
converge="converge quarter-car --scheme jacobi,balance --stop-time 0.1 --step-size 0.01,0.005,0.0025"
says() {
    grep -qF -e "$1" said.svg
    result $? "the picture says $1"
}
call $converge --plot said.svg
says 'macro-step H / s'
call $converge --plot said.svg --xlabel 'my H (s)' --ylabel 'my error' --label 'jacobi=Parallel' --label 'balance=With $balance$'
says 'my H (s)'
says 'my error'
says 'Parallel, slope 1'
says 'With balance, slope 1.9'
call $converge --plot no.svg --label jacobbi=x
is "a label of no curve is refused" grep -q '^macrostep: --label jacobbi=x: no curve is called jacobbi; the first one is called jacobi$' err
is "... and nothing is drawn" test "$status" -eq 2 -a ! -e no.svg
refuses 2 '^macrostep: --label jacobi: must be MEMBER=TEXT' $converge --plot no.svg --label jacobi
refuses 2 '^macrostep: --key: requires --plot FILE\|^macrostep: --key.*requires' $converge --key none
refuses 2 '^macrostep: --font-size 2: ' $converge --plot no.svg --font-size 2
call $converge --plot said.svg --key none
! grep -q 'jacobi, slope' said.svg
result $? "--key none: there is none"
call $converge --plot print.pdf --width 8cm --font-size 10
$measure 10 print.pdf 2>err
result $? "--font-size 10: ten points"
for lines in 0.5 2; do
    call $converge --plot "lines-$lines.svg" --lines $lines
done
is "--lines: their width" test "$(cmp -s lines-0.5.svg lines-2.svg && echo same)" = ""
call $map --plot said.svg
says 'spring between the masses k2 / (N/m)'
call $map --scheme jacobi,gauss-seidel --plot said.svg
says 'ticks: stable side'
call $converge --plot inside.svg --key inside --keep
is "--key inside" grep -q '^set key inside' inside.gp
call $converge --plot inside.svg --key below --keep
is "--key below" grep -q '^set key at screen' inside.gp
call converge quarter-car --scheme jacobi,f3ornits,ifosmondi,strang --stop-time 0.2 --step-size 0.01,0.005,0.0025 --plot two.pdf --width 8cm --key below --keep
is "five lines of a key in two columns at 8 cm" grep -q '^set key at screen .* vertical maxrows 3 ' two.gp
$measure 7 two.pdf 2>err
result $? "... which no text leaves or lies on"
call work-precision quarter-car --scheme jacobi --stop-time 0.1 --norm rmse --plot said.svg
says '>rms error (max over states)<'
call converge quarter-car --scheme jacobi,strang --stop-time 0.2 --step-size 0.01,0.005 --error-scale range --plot said.svg
says '>error / range (max over states)<'
grep -q '^member *step size *max error / range ' out
result $? "... and so does the head of the table"
call best quarter-car --scheme jacobi --stop-time 0.1 --error 1e-2 --norm end --error-scale range --plot said.svg
says '>error at the end / range (max over states)<'

# Mathematics that the call gives is LaTeX's in LaTeX; in other formats it has subscripts and letters, or else no dollars; what is none
# stays text
typed='coupling stiffness $k_c$ / (N/m)'
call $converge --plot typed.tex --xlabel "$typed" --ylabel 'cost $5 and_more' --label 'jacobi=$e_{\max}$' --title 'a $\frac{1}{2$ b $'
for text in 'coupling stiffness $k_c$ / (N/m)' 'cost \$5 and\_more' '$e_{\max}$' '\$\textbackslash{}frac\{1\}\{2\$ b \$'; do
    grep -qF -e "$text" typed.tex
    result $? "LaTeX has $text"
done
call $converge --plot said.svg --xlabel "$typed" --ylabel 'a $\frac{1}{2}$' --label 'jacobi=$\lambda_{\max}^2$ {x_1}' --keep
grep -qF "set xlabel offset 0,0 'coupling stiffness k_c / (N/m)' enhanced" said.gp && grep -qF 'λ_{max}^2 \{x\_1\}, slope 1' said.gp
result $? "mathematics with subscripts and letters is enhanced text of gnuplot"
grep -qF 'a \frac{1}{2}' said.gp && grep -q '^set ylabel .* noenhanced$' said.gp
result $? "... and what has no notation there is not"
! grep -q 'k_c' said.svg
result $? "a subscript is one"

# One unit an axis
call run quarter-car --plot said.svg
for label in 'x / m' 'v / (m/s)' '|e| / m' '|e| / (m/s)'; do
    says ">$label<"
done
call integrate quarter-car --plot said.svg
says '>v / (m/s)<'

# What is drawn is the caller's choice
call run quarter-car --stop-time 0.1 --plot said.svg --curves chassis.x.x,wheel.u --keep
is "--curves: a state and the inputs of a subsystem, without errors" \
    sh -c 'grep -q "title .chassis.x.x" said.gp && grep -q "title .wheel.u.v" said.gp && ! grep -q "wheel.x\|reference" said.gp'
call run quarter-car --stop-time 0.1 --plot said.svg --curves wheel.v --keep
is "--curves: a state as tables name it, among an input of that name" sh -c 'grep -q "title .wheel.x.v" said.gp && ! grep -q "chassis" said.gp'
call run quarter-car --stop-time 0.1 --plot no.svg --curves chassis.x.x,weel
is "a curve of no column is refused" grep -q '^macrostep: --curves weel: no column of the trajectory is called that; the first one is called chassis.x.x$' err
refuses 2 '^macrostep: --curves.*requires --plot' run quarter-car --curves chassis

# Each axis has two numbers at least, however short it is
call converge quarter-car --scheme jacobi --stop-time 0.2 --step-size 0.004,0.002 --plot said.svg --keep
is "two step sizes: two numbers on their axis" grep -q '^set xtics (0.002, 0.00[23].*, 0.004)$' said.gp
call converge quarter-car --scheme jacobi --stop-time 0.2 --step-size 0.03,0.01,0.003 --plot said.svg --keep
is "... of a decade with one power of ten in it" grep -q '^set xtics (0.005, 0.01, 0.02)$' said.gp

# Lines of PDF are as thick as they are said to be
call $converge --plot lines.pdf --lines 2
python3 -c '
import re, sys, zlib
parts = re.findall(rb"stream\r?\n(.*?)endstream", open("lines.pdf", "rb").read(), re.S)
texts = [zlib.decompress(part) for part in parts if part[:1] == b"x"]
widths = {float(w) for text in texts for w in re.findall(rb"([0-9.]+) w\b", text)}
print(widths)
sys.exit(max(widths) != 2)' >err
result $? "--lines 2: lines of 2 pt"

# Curves differ in colour, dash and mark
call run quarter-car --plot run.svg --keep
is "lines have marks" test "$(grep -c 'with linespoints lt [23]' run.gp)" -ge 4
is "... and dashes" test "$(grep -c '^set linetype [3-8] dashtype' run.gp)" -eq 6

# Panels of published figures, whose keys are narrow: as printed, too
for figure in andersson2016:fig6.6 moshagen2021:fig8 macrostep:accelerators; do
    call figure $figure --directory .
    pdf=$(echo $figure | tr : -).pdf
    [ "$status" -eq 0 ] && $measure 7 "$pdf" 2>err
    result $? "no text of $figure lies on another one"
done
call figure andersson2016:fig5.13 --directory .
size=$(pdftotext -bbox andersson2016-fig5.13.pdf - | sed -n 's/.*<page width="\([0-9]*\)[0-9.]*" height="\([0-9]*\)[0-9.]*".*/\1 \2/p')
is "the graph of the full car is no strip: $size" test "${size#* }" -lt "${size% *}"
# A page is 17 cm wide, 482 pt.
least=$(awk -v width="${size% *}" 'BEGIN { printf "%.3f", (width > 482 ? width / 482 : 1) * 7 }')
is "its words are of 7 pt on a page" $measure "$least" andersson2016-fig5.13.pdf

# LaTeX: type of the size that was asked for
if command -v pdflatex >/dev/null && kpsewhich graphicx.sty >/dev/null; then
    call $map --scheme jacobi,balance --plot map.tex --width 8cm
    printf '%s\n' '\documentclass{article}\usepackage{graphicx,color}\pagestyle{empty}\begin{document}\noindent\input{map}\end{document}' >page.tex
    pdflatex -interaction=batchmode -halt-on-error page.tex >/dev/null 2>err
    $measure 4 page.pdf 2>err
    result $? "a label of two lines lies on no number"
    call $converge --plot tex.tex --width 8cm
    is "the label of the axis is there" grep -q '(max over states)' tex.tex
    printf '%s\n' '\documentclass{article}\usepackage{graphicx,color}\pagestyle{empty}\begin{document}\noindent\input{tex}\end{document}' >page.tex
    pdflatex -interaction=batchmode -halt-on-error page.tex >/dev/null 2>err
    result $? "LaTeX makes a page of it"
    $measure 4 page.pdf 2>err
    result $? "... on which no text lies on another one"
fi

echo "1..$count"
[ "$failed" -eq 0 ]
