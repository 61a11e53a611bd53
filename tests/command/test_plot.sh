#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --plot: pictures of answers, their files, their texts, and calls that are wrong. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
cd "$folder" || exit 1
mkdir pictures

# drawn FILE TEXT ..: the SVG has these texts
drawn() {
    file=$1
    shift
    for text; do
        grep -qF -e "$text" "$file"
        result $? "$file says $text"
    done
}

# clean: nothing is left of how pictures were made
clean() {
    is "nothing is left aside" test -z "$(find . -name '.new*')"
}

# Formats
converge="converge quarter-car --step-size 0.01,0.005,0.0025 --stop-time 0.2"
for format in svg pdf png tex; do
    answers $converge --plot "pictures/c.$format" --width 8cm --format json
    grep -q "\"pictures/c.$format\"" out
    result $? "the answer lists pictures/c.$format"
done
is "svg: is one" grep -q '^<svg' pictures/c.svg
is "pdf: is one" test "$(head -c 5 pictures/c.pdf)" = '%PDF-'
! grep -qa '/CreationDate (D' pictures/c.pdf
result $? "pdf: has no date"
is "png: is one" test "$(head -c 4 pictures/c.png | tail -c 3)" = PNG
is "tex: shows its PDF" grep -q 'includegraphics.*{c-tex}' pictures/c.tex
is "... which is not the picture c.pdf" test "$(pdftotext pictures/c.pdf - | grep -c 'jacobi, slope')" -eq 1
is "svg: 8 cm are 302 points" grep -q 'width="302"' pictures/c.svg
is "four formats, and a PDF for LaTeX" test "$(ls pictures | wc -l)" -eq 5
clean
answers $converge --plot -
grep -q 'macro-step H / s' out && grep -q '^ *|.*#E#' out
result $? "-: drawn with letters, below the table"
"$macrostep" $converge --plot - --output c.json >/dev/full 2>err
[ $? -eq 1 ] && grep -q 'standard output: the picture could not be printed: No space left' err
result $? "... or it says that it cannot be printed"
is "... and nothing is written" test "$(ls pictures | wc -l)" -eq 5
drawn pictures/c.svg 'jacobi, slope 1.0' 'slope 1' '>error (max over states)<'

# Scripts and data
answers $converge --plot c.svg --keep
is "--keep: script and data" test -s c.gp -a -s c-errors.csv
cp c.svg first.svg
gnuplot c.gp 2>err && cmp -s c.svg first.svg
result $? "... from which gnuplot draws the same bytes"
is "... three errors, each with its step size" test "$(grep -c '^0,0.0' c-errors.csv)" -eq 3
answers $converge --plot c.svg --num-threads 2
cmp -s c.svg first.svg
result $? "threads make no difference"
answers $converge --plot t.svg --title 'Order {of} the_car & "more"' --style screen --width 17cm
drawn t.svg 'Order {of} the_car &amp; "more"'

# Lists: a curve each; curves that coincide are named
answers $converge --scheme jacobi,gauss-seidel,ifosmondi --extrapolation-order 0,1 --plot three.svg --format json
drawn three.svg 'jacobi, order 0' 'jacobi, order 1' 'gauss-seidel, order 1' 'ifosmondi, slope' '(on jacobi)'
answers spectral quarter-car --scheme jacobi,strang --step-size 1e-3:1:log:20 --plot s.svg
drawn s.svg 'spectral radius' strang
answers spectral quarter-car --plot e.svg
drawn e.svg '|λ| = 1' 'Re λ'
answers spectral double-pendulum --along --stop-time 0.1 --plot along.svg --keep --format csv
drawn along.svg 'along the reference' 'time t / s' 'spectral radius'
grep '^[0-9]' out | cut -d, -f1,2 >rows
sed -n 's/^0,//p' along-radii.csv >points
[ "$(wc -l <rows)" -eq 11 ] && cmp -s rows points
result $? "... each radius of the answer is a point"
region="stability --x re-lambda=-1.5:1.5:lin:41 --y im-lambda=-1.5:1.5:lin:41"
answers $region --extrapolation-order 0,1,2 --plot regions.tex
is "regions as LaTeX: text and picture" test -s regions.tex -a -s regions-tex.pdf
grep -q 'Re \$.lambda\$' regions.tex
result $? "... with LaTeX's own Greek"
answers $region --extrapolation-order 1 --plot region.svg --keep --format csv
is "one region is filled" test "$(grep -c '^-*0' region-region.csv)" -gt 100
# of the constant extrapolation it is the unit disc: each box ends on the circle
answers $region --plot region.svg --keep
awk -F, '/^[-0-9]/ {y = ($3 + $4) / 2; d = sqrt($2 * $2 + y * y) - 1; if (d > 0.02 || d < -0.02) bad++; n++} END {exit !(n > 200 && !bad)}' \
    region-region.csv
result $? "... that of constant extrapolation is the unit disc"
answers stability quarter-car --critical --scheme jacobi,power,nepce --plot k.svg --keep
drawn k.svg 'power (no matrix)' nepce
answers stability mass-spring-damper --x step-size=0.01:1:log:5 --y k1=1:100:lin:4 --plot axes.svg
drawn axes.svg 'macro-step H / s' 'k1 / (N/m)'
answers stability linear-pair --x d1=-1:1:lin:5 --y d2=-1:1:lin:4 --plot plain.svg
drawn plain.svg '>feed-through of subsystem s1 d1<' '>feed-through of subsystem s2 d2<'
answers stability quarter-car --x step-size=0.01:1:log:20 --scheme jacobi,nepce --plot l.svg
answers compare quarter-car --scheme jacobi,strang,missiles --plot p.svg
drawn p.svg missiles 'Pareto front'
answers run spring-mass --stop-time 5 --plot r.svg --keep
drawn r.svg 'spring.x.s' 'a  states' 'b  states' 'c  errors against the reference' 'e  energy' 'time t / s'
is "the states are those of the trajectory" test "$(grep -c '^[01],' r-states.csv)" -gt 20
answers best quarter-car --scheme jacobi,missiles --stop-time 0.2 --error 1e-2 --plot b.svg --keep
drawn b.svg missiles 'wanted: 0.01' 'the cheapest'
is "all its runs are drawn" test "$(grep -c '^[0-9]*,[0-9]' b-rows.csv)" -gt 6
few="quarter-car --stop-time 0.2 --extrapolation-order 1"
answers compare $few --scheme jacobi --derivatives differences --outputs inconsistent --smooth-coupling none \
    --error-controlled none,richardson --step-size 0.01,0.005 --plot m.svg --keep
drawn m.svg '>jacobi<' '>jacobi, richardson<'
is "compare: a line a member, through both steps" test "$(sed -n '/^0,/p' m-rows.csv | wc -l)" -eq 2
answers work-precision $few --error-controlled none,richardson --step-size 0.01,0.005 --rtol 1e-1,1e-2,1e-3 --plot w.svg --keep
drawn w.svg '>jacobi<' '>jacobi, richardson<' 'number of integrations'
is "work-precision: two step sizes, three tolerances" test "$(grep -c '^0,' w-rows.csv) $(grep -c '^1,' w-rows.csv)" = "2 3"
grep -q 'index 1 using 2:3 with linespoints lt 3 dt' w.gp
result $? "... steps that are chosen have a dash of their own"
answers work-precision $few --step-size 0.01,0.005 --work time --starts 5 --plot s.svg --keep
is "... bars: two points for each step size at least" test "$(grep -c '^1,' s-rows.csv)" -ge 4
answers linearise quarter-car --plot m.svg --keep
drawn m.svg 'wheel.road → chassis.x' 'a  poles' 'c  phase' degrees
# At low frequencies the chassis follows the road: G(0) = 1, here at a tenth of the smallest pole; and its phase is that of
# a delay, falling to -270 degrees where four poles and one zero have turned it
awk -F, '$1 == 0 && !n++ {first = $3} END {exit !(first > 0.99 && first < 1.02)}' m-modulus.csv
result $? "Bode: the chassis follows the road"
awk -F, '$1 == 0 {last = $3} END {exit !(last > -275 && last < -265)}' m-phase.csv
result $? "... and lags behind by 270 degrees at last"
is "four poles" test "$(grep -c '^0,-' m-poles.csv)" -eq 4
answers integrate bell --plot i.svg --keep
drawn i.svg bell.x.theta 'c  micro-steps'
answers integrate van-der-pol --solver gsl-rk8pd,cvode-bdf --solver-rtol 1e-4,1e-6 --stop-time 2 --plot j.svg
drawn j.svg gsl-rk8pd 'evaluations of f'
answers drive spring-mass --subsystem spring --segments 10 --plot d.svg
drawn d.svg 'x.s - coupled' 'a  inputs'
answers sweep --models linear-pair,spring-mass --cases first --scheme jacobi,power,f3ornits --extrapolation-order 0 --plot w.svg --keep
drawn w.svg 'growth as predicted' spring-mass
is "one cell a model and scheme" test "$(cat w-agree.csv w-unknown.csv w-disagree.csv 2>/dev/null | grep -c '^[123],[12],')" -eq 6
call sweep --models linear-pair --cases first --scheme jacobi --extrapolation-order 0 --format csv --output rows.csv --plot w2.svg
is "as CSV, with a picture" test "$status" -eq 0 -a -s rows.csv -a -s w2.svg
refuses 2 'does not read all rows' sweep --models linear-pair --cases first --format csv --output rows.csv --resume --plot w2.svg
answers run mass-chain --stop-time 0.1 --plot f.svg
drawn f.svg 'more curves are left out'
call run quadruple-tank --case estimated --stop-time 100 --step-size 10 --solver gsl-rk8pd --trajectory tank.csv
answers estimate quadruple-tank --measurements tank.csv --parameters a1 --plot g.svg
drawn g.svg 'a  measurements and fit' 'b  residuals'
clean

# Where there is nothing to draw the picture says so
empty() {
    text=$1
    shift
    answers "$@" --plot empty.svg
    drawn empty.svg "$text"
    rm -f empty.svg
}
answers integrate quarter-car --plot x.svg
drawn x.svg chassis.x.x 'time t / s'
! grep -q 'micro-steps' x.svg
result $? "integrate: a solver without steps of its own has no panel of their lengths"
empty 'no error above zero is known' compare quarter-car --scheme power
empty 'no error over work above zero is known' work-precision quarter-car --stop-time 0.1 --work evaluations
empty 'no error above zero is known' compare quarter-car --scheme jacobi --extrapolation-order 0 --errors none
empty 'no error above zero is known' best quarter-car --scheme jacobi --extrapolation-order 0 --stop-time 0.1 --error 1e-30
wrong="quarter-car --case as-printed"
empty 'no error above zero is known' converge $wrong --stop-time 3000 --step-size 0.1,0.05
empty 'no stable macro-step up to 1 s' stability $wrong --critical
map="$wrong --x step-size=0.01:1:lin:5 --y kc=1e4:2e4:lin:4"
empty 'nothing is stable here' stability $map
empty 'no boundary here' stability $map --boundary-only
empty '(unstable everywhere)' stability $map --scheme jacobi,strang
grep -q '^jacobi *unstable everywhere ' out && grep -q '^strang *unstable everywhere ' out
result $? "... and so does the table, with a row for each scheme"
empty '(none here)' stability $map --scheme jacobi,strang --boundary-only
small="quarter-car --x step-size=1e-4:1e-3:lin:5 --y kc=1e4:2e4:lin:4"
empty 'gauss-seidel (stable everywhere)' stability $small --scheme gauss-seidel,strang
grep -q '^strang *stable everywhere ' out
result $? "... and so does the table where all is stable"
answers stability $small --scheme strang --format json
is "... and JSON" grep -q "\"stable\": \"everywhere\"" out
empty 'all values are zero' run quarter-car --set road=0

# Each curve shows its stable side once at least, around narrow bands and small islands as well
cat >narrow.json <<'END'
{"parameters": {"k1": 10, "k2": 20, "kc": 30, "d1": 0.2, "d2": 0.4, "dc": 0.3}, "stop_time": 10, "step_size": 0.01, "subsystems": [
  {"name": "a", "inputs": ["y", "w"], "outputs": {"x": "x", "v": "v"},
   "states": {"x": {"derivative": "v", "start": 1}, "v": {"derivative": "-k1*x - d1*v + kc*(y - x) + dc*(w - v)"}}},
  {"name": "b", "inputs": ["y", "w"], "outputs": {"x": "x", "v": "v"},
   "states": {"x": {"derivative": "v", "start": 0}, "v": {"derivative": "(-k2*x - d2*v + kc*(y - x) + dc*(w - v))/2"}}}],
 "wires": [{"from": "a.x", "to": "b.y"}, {"from": "a.v", "to": "b.w"}, {"from": "b.x", "to": "a.y"}, {"from": "b.v", "to": "a.w"}]}
END
answers stability narrow.json --x kc=0:200:lin:101 --y step-size=0.001:0.5:lin:101 --scheme gauss-seidel,ifosmondi --extrapolation-order 1 \
    --plot narrow.svg --keep --format json
cat >ticks.py <<'END'
import json
rows = json.load(open("out"))["rows"]
ticks = [[float(cell) for cell in line.split(",")[:2]] for line in open("narrow-sides.csv") if line[0].isdigit()]
curves = [curve for row in rows for curve in row["boundary"]]
assert len(curves) > 5, curves
for curve in curves:
    assert any(abs(x - a) <= 1e-6 * x and abs(y - b) <= 1e-6 * y for x, y in curve for a, b in ticks), curve[0]
END
is "a tick on each boundary" python3 ticks.py
rm -f narrow* ticks.py

# Radii that are 1 but for round-off have an axis as well
for wanted in 'spectral damping-reaction --step-size 0.1,0.01' 'stability three-clocks --x step-size=0.001:1:log:8'; do
    answers $wanted --plot one.svg
    drawn one.svg '>0.9<' '>1.1<'
done

# Values up to the largest number there is: as far as an axis of finite ends goes
answers run $wrong --stop-time 100 --step-size 0.01 --plot q.svg --keep
drawn q.svg 'a  states' 1e+300
awk -F, '/^[0-9]/ {if ($3 > 1e300 || $3 < -1e300) bad++; n++} END {exit !(n > 5000 && !bad)}' q-states*.csv
result $? "... and no further"
grep -q 'is not finite at' out && ! grep -q 'beyond inf' out
result $? "... whose message knows of no bound that is infinite"
clean

# Names are text and nothing else
wicked="t'; system('touch pwned'); '\`touch pwned\` \\input{/etc/passwd} \$x_1\$ % # @y ^{2}
set output 'pwned'"
for file in wicked.svg wicked.tex -; do
    call run quarter-car --stop-time 0.1 --plot "$file" --title "$wicked" --set "mc=300"
    is "a title of any kind: $file" test "$status" -eq 0 -a ! -e pwned
done
drawn wicked.svg "t'; system('touch pwned'); '\`touch pwned\` \\input{/etc/passwd} x<" '> % # @y ^{2}'
! grep -q '\\input{/etc' wicked.tex
result $? "... and LaTeX runs no command of a title"
if command -v pdflatex >/dev/null; then
    printf '%s\n' '\documentclass{article}\usepackage{graphicx,color}\begin{document}\input{wicked}\end{document}' >page.tex
    pdflatex -interaction=batchmode page.tex >/dev/null 2>err
    result $? "... which makes a page of it"
fi

# Calls that are wrong
refuses 2 'must end in .svg' $converge --plot c.gif
refuses 2 'must end in .svg' $converge --plot .svg
refuses 2 '/.svg: a name is missing before .svg$' $converge --plot "$folder/.svg"
refuses 2 '\--width 8: must be a length' $converge --plot c.svg --width 8
refuses 2 '\--width 1cm: must be a length' $converge --plot c.svg --width 1cm
refuses 2 'letters, digits' $converge --plot 'c d.tex'
for option in '--width 8cm' '--title x' '--style paper' --keep; do
    refuses 2 'requires --plot FILE' $converge $option
done
refuses 2 'requires --plot FILE' $converge --plot - --keep
refuses 2 'standard output as well' $converge --plot - --format json
refuses 2 'has no picture' $converge --plot c.svg --shard 1/2
refuses 2 'another file' $converge --plot c.svg --output c.svg
refuses 2 'output same.gp: --plot same.svg writes there as well' run quarter-car --plot same.svg --keep --output same.gp
refuses 2 'trajectory ./same-states.csv' run quarter-car --plot same.svg --keep --trajectory ./same-states.csv
refuses 2 'output same-tex.pdf: --plot same.tex' run quarter-car --plot same.tex --keep --output same-tex.pdf
is '... and nothing is written' test -z "$(ls same* 2>/dev/null)"
touch same.gp
ln same.gp linked
refuses 2 'output linked: --plot same.svg' run quarter-car --plot same.svg --keep --output linked
answers run quarter-car --plot same.svg --trajectory same.csv
rm same.* linked
mkdir drawn
refuses 2 'output drawn/andersson2016-fig6.1.json: --directory' figure andersson2016:fig6.1 --directory drawn --output drawn/andersson2016-fig6.1.json
mkdir deep
(
    ulimit -f 8
    exec "$macrostep" run quarter-car --plot deep/same.svg >/dev/null 2>err
)
[ $? -eq 1 ] && grep -q '^macrostep: deep/.*same-states.csv: File too large$' err
result $? 'a file that is too large is named with its folder'
for title in "'x" "'" 'a "b" `echo c` \d' "''a''"; do
    for kind in svg tex; do
        answers run quarter-car --plot same.$kind --title "$title"
    done
done
answers run quarter-car --plot same.svg --title "'x'"
is 'titles are text' grep -q "'x'" same.svg
answers run quarter-car --plot same.svg --title "$(printf 'a\342\200\256b\377c')"
is '... of printable letters' grep -q 'a b c' same.svg
GNUTERM=x11
export GNUTERM
answers run quarter-car --plot same.svg
unset GNUTERM
rm same.*
refuses 2 'output pair.ssp: --directory' export linear-pair --directory . --output pair.ssp
refuses 2 'not an option of this command' show quarter-car --plot c.svg
refuses 1 'No such file' $converge --plot nowhere/c.svg
mkdir bare
ln -s "$(command -v rm)" "$(command -v sed)" bare
PATH=$folder/bare call $converge --plot missing.svg
is "without gnuplot: an answer, no picture, exit 1" test "$status" -eq 1 -a -s out -a ! -e missing.svg
grep -q 'gnuplot' err
result $? "... and a line that says so"
clean

# A program that is killed while gnuplot works leaves what it has; the next one removes it.
mkdir killing
printf '#!/bin/sh\nkill -KILL $PPID\n' >killing/gnuplot
chmod +x killing/gnuplot
for drawn in "$converge --plot killed.svg" "figure andersson2016:fig6.1 --directory figures"; do
    PATH=$folder/killing:$PATH call $drawn
    is "killed" test "$status" -eq 137 -a -n "$(find . -name '.new*')"
    answers $drawn
    clean
done

echo "1..$count"
[ "$failed" -eq 0 ]
