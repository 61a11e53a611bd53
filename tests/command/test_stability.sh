#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command stability: maps, boundaries, critical step sizes, and calls that are wrong. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# is_near WHAT VALUE EXPECTED RELATIVE
is_near() {
    is "$1: $2" near "$2" "$3" "$4"
}

model=mass-spring-damper
pair="--x step-size=0.001:0.2:lin:40 --y k2=1:100:log:30"

# The scheme
answers spectral quarter-car --extrapolation-order 1 --smooth-coupling c0
is 'in the terminal the scheme is one line, with the options that were given' \
    grep -qx 'scheme  *jacobi --extrapolation-order 1 --smooth-coupling c0' "$folder/out"

# Maps
answers stability --help
answers stability $model $pair --format json
for key in axes spectral_radius boundary evaluations coarse_spacing raster_evaluations tolerance; do
    grep -q "^  \"$key\":" "$folder/out"
    result $? "the answer has $key"
done
is "two axes, 30 rows of radii" test "$(grep -c '"name": ' "$folder/out")" -eq 2 -a \
    "$(sed -n '/"spectral_radius"/,/"boundary"/p' "$folder/out" | grep -c '^    \[')" -eq 30
is "1200 evaluations of the grid" test "$(number raster_evaluations)" = 1200
cp "$folder/out" "$folder/one"
for threads in 1 2 3; do
    call stability $model $pair --format json --num-threads $threads
    cmp -s "$folder/one" "$folder/out"
    result $? "the same bytes with $threads threads"
done
sed -n '/^  "boundary"/,/^  "[e-z]/p' "$folder/out" | sed '$d' >"$folder/boundary"
answers stability $model $pair --format json --boundary-only
grep -q '^  "spectral_radius": null' "$folder/out"
result $? "--boundary-only: no radii"
sed -n '/^  "boundary"/,/^  "[e-z]/p' "$folder/out" | sed '$d' | cmp -s - "$folder/boundary"
result $? "... and the same boundary"
answers stability $model $pair --format csv
is "csv: a header and 1200 rows" test "$(grep -vc '^#' "$folder/out")" -eq 1201
answers stability $model $pair --format csv --boundary-only
is "csv: the points of the boundary" test "$(grep -vc '^#' "$folder/out")" -gt 20
is "... each with its curve" test "$(grep -v '^#' "$folder/out" | head -n 1)" = curve,step-size,k2 -a \
    "$(grep -c '^$' "$folder/out")" -eq 0
answers stability --x re-lambda=-0.5:0.5:lin:65 --y im-lambda=-1.5:1.5:lin:65 --format csv --boundary-only
is "... two arcs of the unit circle are curves 0 and 1" awk -F, '/^[0-9]/ {
    n[$1]++; above[$1] += $3 > 0} END {exit !(length(n) == 2 && n[0] > 9 && n[1] > 9 && \
    above[0] + above[1] == (above[0] > 0 ? n[0] : n[1]) && above[0] * above[1] == 0)}' "$folder/out"
answers stability $model $pair
grep -q '^curve' "$folder/out"
result $? "table: the curves"

# The eigenvalue of D L in the limit H -> 0
lambda="--x re-lambda=-1.5:1.5:lin:301 --y im-lambda=-1.5:1.5:lin:301"
answers stability $lambda --format csv --boundary-only
is "constant: the unit circle" awk -F, '!/^#/ && /^[-0-9]/ {
    d = sqrt($2 * $2 + $3 * $3) - 1; n++; if (d > 1e-6 || d < -1e-6) bad++} END {exit !(n > 300 && !bad)}' "$folder/out"
grep -v '^#' "$folder/out" >"$folder/own-scheme"
answers stability $lambda --scheme jacobi --format csv --boundary-only
grep -v '^#' "$folder/out" | cmp -s - "$folder/own-scheme"
result $? "... a scheme by name is no option without effect"
answers stability --x re-lambda=-1:1:lin:5 --y im-lambda=-1:1:lin:5 --scheme ifosmondi --format json
answers stability --x re-lambda=-1:1.2:lin:201 --y im-lambda=-0.7:0.7:lin:201 --format csv --extrapolation-order 1
is "linear: (6.41) at every point" awk -F, '!/^#/ && /^[-0-9]/ {
    # rho of z^2 = 2 l z - l: z = l +- sqrt(q), q = l^2 - l
    a = $1; b = $2; qr = a * a - b * b - a; qi = 2 * a * b - b; m = sqrt(qr * qr + qi * qi)
    sr = sqrt((m + qr) / 2 > 0 ? (m + qr) / 2 : 0); si = sqrt((m - qr) / 2 > 0 ? (m - qr) / 2 : 0); if (qi < 0) si = -si
    p = sqrt((a + sr)^2 + (b + si)^2); q = sqrt((a - sr)^2 + (b - si)^2); r = p > q ? p : q
    d = r - $3; n++; if (d > 1e-7 || d < -1e-7) bad++} END {exit !(n == 201 * 201 && !bad)}' "$folder/out"
answers stability --y re-lambda=-2:2:lin:5 --x im-lambda=-1:1:lin:3 --format json --linear-correction
is "corrected: null at lambda = 1 only" test "$(sed -n '/"spectral_radius"/,/"boundary"/p' "$folder/out" | grep -c null)" -eq 1
answers stability --x re-lambda=-2:2:lin:1024 --y im-lambda=-2:2:lin:1024 --format json --boundary-only
is "a boundary costs at most a tenth of 1024 x 1024 points" test "$(number evaluations)" -le 104857
is "the coarse grid has every 16th line" test "$(number coarse_spacing)" = 16

# Points of a boundary, at any number of lines: radii on both sides of each lie on both sides of 1, as a line says
oscillator="two-mass-oscillator --case force-displacement --extrapolation-order 1"
for lines in 80 120 200; do
    answers stability $oscillator --x step-size=0.01:10:log:$lines --y mass_ratio=0.01:100:log:$lines --boundary-only \
        --format csv
    is "... no bracket of $lines lines is wider than 1e-6" awk '/boundary_width/ {n = $3 > 0 && $3 <= 1e-6} END {exit !n}' \
        "$folder/out"
    awk -F, '/^[0-9]/ && n++ % 40 == 7 {print $2, $3}' "$folder/out" >"$folder/points"
    off=0
    while read -r x y; do
        sides=$(awk -v x="$x" 'BEGIN {printf "%.17g,%.17g", x * (1 - 2e-6), x * (1 + 2e-6)}')
        heights=$(awk -v y="$y" 'BEGIN {printf "%.17g,%.17g", y * (1 - 2e-6), y * (1 + 2e-6)}')
        call stability $oscillator --x step-size="$sides" --set mass_ratio="$y" --format csv
        cp "$folder/out" "$folder/around"
        call stability $oscillator --x mass_ratio="$heights" --step-size "$x" --format csv
        awk -F, '/^jacobi,/ {stable[n++] = $3 <= 1 + 1e-10}
            END {exit !(n == 4 && (stable[0] != stable[1] || stable[2] != stable[3]))}' "$folder/around" "$folder/out" ||
            off=$((off + 1))
    done <"$folder/points"
    is "... $(grep -c . "$folder/points") of its points are on the boundary" test "$off" -eq 0 -a -s "$folder/points"
done
answers stability mass-chain --x masses=2:5:lin:4 --y step-size=0.05:0.2:lin:4 --boundary-only --format json
is "between whole numbers points are undefined" grep -q '"kind": "undefined"' "$folder/out"
refuses 2 'boundary-tolerance.*two axes' stability $model --x step-size=0.1:1:lin:3 --boundary-tolerance 1e-3
refuses 2 'boundary-tolerance' stability $model --critical --boundary-tolerance 1e-3
refuses 2 'boundary-tolerance' stability $model $pair --boundary-tolerance 0

# Critical step sizes
answers stability $model --critical --format json
critical=$(number critical_step_size)
is "a critical step size" test -n "$critical"
grep -q '^  "stable_intervals": \[' "$folder/out"
result $? "stable intervals"
answers stability $model --x step-size=0.001:0.2:lin:401 --y k1=10:11:lin:2 --format csv
is "the map changes where the critical step size says" awk -F, -v c="$critical" '
    !/^#/ && /^[0-9]/ && $2 == 10 {if (($3 <= 1) != ($1 <= c)) bad++; n++} END {exit !(n == 401 && !bad)}' "$folder/out"
answers stability $model --critical --max-step 0.01 --format json
grep -q '^  "critical_step_size": null' "$folder/out"
result $? "none up to --max-step 0.01"
is_near "... and one interval up to there" "$(number largest_step_size)" 0.01 1e-15
answers stability $model --critical --start-time 1 --stop-time 1.25 --format json
is_near "... and up to the length of the run" "$(number largest_step_size)" 0.25 1e-15
cat >"$folder/system.json" <<'END'
{"subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]], "D": [[1.2]]}, {"A": [[-1]], "B": [[1]], "C": [[1]], "D": [[1.2]]}],
 "L": [[0, 1], [1, 0]]}
END
answers stability --system "$folder/system.json" --critical --format json
is "a loop gain above 1: unstable from the start" test "$(number critical_step_size)" = 0.0
sed 's/1\.2/1/g' "$folder/system.json" >"$folder/singular.json"
refuses 2 'det(I - D L) = 0' stability --system "$folder/singular.json" --critical

# A tongue of two oscillators, 4e-6 wide; `spectral` says the same beside and within it
cat >"$folder/tongue.json" <<'END'
{"subsystems": [
  {"name": "s0", "A": [[0, 1], [-41.452422806721756, -0.00048281053004966797]], "B": [[0], [1]], "C": [[1, 0]], "x0": [1, 0]},
  {"name": "s1", "A": [[0, 1], [-6809.035590714657, -0.0028988827493588044]], "B": [[0], [1]], "C": [[1, 0]], "x0": [1, 0]}],
 "L": [[0, 0.012375012811462326], [2.0327377017666928, 0]], "end": 5.0, "step_size": 0.005}
END
answers stability "$folder/tongue.json" --critical --max-step 5 --scheme jacobi --format json
is "no crossing of eigenvalues is left out" test "$(number looked_into)" -gt 100 -a \
    "$(awk -v c="$(number crossings)" 'BEGIN {print c + 0}')" -eq "$(number looked_into)"
tr -d ' \n' <"$folder/out" | sed 's/.*"stable_intervals":\[\[//; s/\]\].*//; s/\],\[/ /g; s/,/ /g' >"$folder/ends"
is "the tongue at 0.49443 is found" awk '{for (k = 2; k < NF; k += 2) if ($k > 0.494 && $k < 0.4945) {n++
    bad += $k - 0.49442978 > 1e-7 || $k - 0.49442978 < -1e-7 || $(k + 1) - 0.49443353 > 1e-7 || $(k + 1) - 0.49443353 < -1e-7}}
    END {exit !(n == 1 && !bad)}' "$folder/ends"
tr ' ' '\n' <"$folder/ends" | sed '1d; $d' | sed 'N; s/\n/ /' >"$folder/tongues"
while read -r from to; do
    for part in -0.5 0.5 1.5; do
        h=$(awk -v a="$from" -v b="$to" -v p=$part 'BEGIN {printf "%.17g", a + p * (b - a)}')
        call spectral "$folder/tongue.json" --scheme jacobi --step-size "$h" --format json
        is "... $h" awk -v r="$(number spectral_radius)" -v p=$part 'BEGIN {exit !(r != "" && (r > 1) == (p == 0.5))}'
    done
done <"$folder/tongues"

# Certificates: the proof reaches the critical step size but for 1e-6, or the build says what it lacks
if [ -e "$(dirname "$macrostep")/plugins/macrostep-balls.so" ]; then
    answers stability $model --critical --certify --scheme gauss-seidel --max-step 1 --format json
    is "an interval is proved, with a gap at its end" test "$(grep -c '"status": "proved"' "$folder/out")" -eq 1 -a \
        "$(sed -n '/"proved": \[/,/\]/p' "$folder/out" | grep -c '\[0.0, ')" -eq 1
    answers stability $model --critical --certify --scheme jacobi,gauss-seidel --extrapolation-order 0,1 --max-step 0.3
    is "a table says what is proved" test "$(grep -c ' proved' "$folder/out")" -eq 4
    answers stability $model --critical --certify --scheme jacobi,waveform --max-step 0.1 --format json
    grep -q '"message": ".*formula in balls' "$folder/out"
    result $? "... and what there is no proof of"
    answers spectral $model --step-size 0.01 --certify --format json
    grep -q '"spectral_radius": \[0.99[0-9]*, 0.99[0-9]*\]' "$folder/out"
    result $? "bounds of a radius"
    refuses 2 'scheme.*waveform' stability $model --critical --certify --scheme waveform
    refuses 2 'nonlinear' stability double-pendulum --critical --certify
    refuses 2 'nonlinear' spectral double-pendulum --certify --step-size 0.01
    refuses 2 'the step size must be greater than 0; it is 0' spectral $model --certify --step-size 0
else
    refuses 2 'built without Arb; install libflint-arb-dev' stability $model --critical --certify
    refuses 2 'built without Arb; install libflint-arb-dev' spectral $model --step-size 0.01 --certify
fi
refuses 2 'certify: requires --critical' stability $model $pair --certify

# A nonlinear model linearised elsewhere than at its start, where spectral says the same
swing="double-pendulum --set alpha1=-0.5 --set alpha2=0.05 --linear-correction --extrapolation-order 1"
for at in 0.5 5.0 equilibrium; do
    answers stability $swing --critical --max-step 1 --at $at --format json
    critical=$(number critical_step_size)
    echo "$critical" >>"$folder/criticals"
    grep -q "^  \"linearised\": \"*$at\"*,\$" "$folder/out"
    result $? "... which says that it was linearised at $at"
    for factor in 0.999 1.001; do
        h=$(awk -v c="$critical" -v f=$factor 'BEGIN {printf "%.17g", f * c}')
        call spectral $swing --at $at --step-size "$h" --format json
        is "... spectral at $factor of it" awk -v r="$(number spectral_radius)" -v f=$factor 'BEGIN {exit !(r != "" && (r < 1) == (f < 1))}'
    done
done
is "three places, three critical step sizes" test "$(sort -u "$folder/criticals" | grep -c .)" -eq 3
call spectral $swing --at 0.5 --set m1=2 --step-size 0.02 --format json
radius=$(number spectral_radius)
answers stability $swing --at 0.5 --x step-size=0.02,0.04 --y m1=1,2 --format csv
is_near "a map's point is that of spectral" "$(sed -n 's/^0.02,2,//p' "$folder/out")" "$radius" 1e-13
answers stability $swing --critical --max-step 1 --at start
refuses 2 'must be start, equilibrium or a time in \[0, 5\]' stability $swing --critical --at 5.1
refuses 2 'is linear' stability $model --critical --at start
refuses 2 'take no model' stability $lambda --at start

# Interruption
"$macrostep" stability $model --x step-size=0.001:0.2:lin:1000000 --y k2=1:100:log:2 --output "$folder/map" \
    >"$folder/out" 2>"$folder/err" </dev/null &
process=$!
sleep 1
kill -INT $process
wait $process 2>/dev/null
is "SIGINT: exit 130" test $? -eq 130
is "... and no file" test -z "$(find "$folder" -name 'map*')"

# The test equation: with held inputs the factors are e + q and e - q, e = exp((1 - w) z), q = (e - 1) w / (1 - w), z = H lambda.
plane="--x re=-2:1:lin:4 --y im=-1.5:2.5:lin:5"
answers stability --test-equation $plane --set w=0.4 --format csv --comments no
cp "$folder/out" "$folder/radii"
grep -v '^[#r]' "$folder/out" | awk -F, '
    {   w = 0.4; size = exp((1 - w) * $1); c = size * cos((1 - w) * $2); s = size * sin((1 - w) * $2)
        qc = (c - 1) * w / (1 - w); qs = s * w / (1 - w)
        a = sqrt((c + qc) ^ 2 + (s + qs) ^ 2); b = sqrt((c - qc) ^ 2 + (s - qs) ^ 2); rho = a > b ? a : b
        d = $3 - rho; n++; if (d > 1e-12 || d < -1e-12) wrong++ }
    END {exit !(n == 20 && wrong == 0)}'
result $? "--test-equation: radii of held inputs are those of the closed form"
answers stability --test-equation $plane --set w=0.4 --format csv --comments no --order-star
paste -d , "$folder/radii" "$folder/out" | grep -v '^[#r]' | awk -F, '
    {a = $1 > 0 ? $1 : 0.2 * $1; d = $6 * exp(a) / $3 - 1; n++; if (d > 1e-12 || d < -1e-12) wrong++}
    END {exit !(n == 20 && wrong == 0)}'
result $? "--order-star: radii over exp(a H), a of the slower of both copies"
# With w = 1 the factors are those of Adams and Bashforth at z and -z: the third method holds i y up to 0.72361
answers stability --test-equation --set w=1 --extrapolation-order 2 --boundary-only --format json
is "--test-equation: its own plane" test "$(grep -c '"name": "[ri][em]"' "$folder/out")" -eq 2
is_near "imaginary limit" "$(number imaginary)" 0.72363 2e-5
is_near "real limit" "$(number real)" 0 0
answers stability --test-equation --scheme gauss-seidel --boundary-only --format json
is "held inputs in sequence: the whole negative axis is stable" grep -q '^    "real": null' "$folder/out"
answers stability --test-equation --critical --set re=0 --set im=1 --set w=1 --extrapolation-order 2 --max-step 2 --format json
is_near "the same limit by --critical" "$(number critical_step_size)" 0.72363 2e-5
refuses 2 'leave out quarter-car' stability --test-equation quarter-car
refuses 2 'leave out .*system.json' stability --test-equation --system "$folder/system.json"
refuses 2 'order-star' stability $lambda --order-star
refuses 2 'order-star' stability quarter-car --critical --order-star

# Calls that are wrong
refuses 2 'x.*missing' stability $model
refuses 2 'y.*missing' stability $model --x re-lambda=0.1:1:lin:3
refuses 2 'y.*missing' stability $model --x step-size=0.1:1:lin:3 --boundary-only
refuses 2 'NAME=RANGE' stability $model --x step-size --y k1=1:2:lin:3
refuses 2 'a range is needed' stability $model --x step-size=0.1 --y k1=1:2:lin:3
refuses 2 'from:to' stability $model --x step-size=0.1:1:lim:3 --y k1=1:2:lin:3
refuses 2 'finite number' stability $model --x step-size=0.1,b --y k1=1:2:lin:3
refuses 2 'greater than 0' stability $model --x step-size=0:1:log:3 --y k1=1:2:lin:3
refuses 2 'at least 0' stability $model --x step-size=-1:1:lin:3 --y k1=1:2:lin:3
refuses 2 'ascend or descend' stability $model --x step-size=0.1:0.1:lin:3 --y k1=1:2:lin:3
refuses 2 'at most' stability $model --x step-size=0.1:0.2:lin:20000 --y k1=1:2:lin:20000
refuses 2 'nearest name is step-size' stability $model --x stepsize=0.1:1:lin:3 --y k1=1:2:lin:3
refuses 2 '^macrostep: --y k1.*range' stability $model --x step-size=0.1:1:lin:3 --y k1=-1:2:lin:3
refuses 2 '2.5 must be a whole number' stability mass-chain --x masses=2:3:lin:3 --y step-size=0.1:1:lin:2
answers stability mass-chain --x masses=2:5:lin:4 --y step-size=0.1:1:lin:2
answers stability $model --x step-size=1e-200:1e-190:log:3 --y k1=1:2:lin:3
refuses 2 'two different' stability $model --x k1=1:2:lin:3 --y k1=1:2:lin:3
refuses 2 'is an axis' stability $model --x k1=1:2:lin:3 --y k2=1:2:lin:3 --set k1=4
refuses 2 'is an axis' stability $model --x step-size=1:2:lin:3 --y k2=1:2:lin:3 --step-size 0.1
refuses 2 'used together' stability --x re-lambda=0:1:lin:3 --y k1=1:2:lin:3
refuses 2 'takes no model' stability $model $lambda
for option in "step-size 0.1" "max-step 1" "order a,b" "start-time 1" "solver euler"; do
    refuses 2 'no effect' stability $lambda --$option
done
refuses 2 'gauss-seidel' stability $lambda --scheme gauss-seidel
for option in "norm end" "start hold" "error-controlled richardson" "safety 0.7" "ratio-min 0.5"; do
    refuses 2 'not an option of this command' stability $lambda --$option
done
refuses 2 'num-threads' stability $lambda --num-threads 0
refuses 2 'excludes --x' stability $model --critical --x k1=1:2:lin:3
refuses 2 'max-step' stability $model --critical --step-size 0.1
refuses 2 'takes no value' stability $model --critical=yes
refuses 2 'stop-time -5.*greater than the start time' stability $model --critical --stop-time -5
refuses 2 'name of a model' stability --critical
answers stability double-pendulum --critical --linear-correction --solver exact --max-step 1 --num-threads 1
refuses 2 'no such parameter\|nearest' stability --system "$folder/system.json" --x step-size=0.1:1:lin:3 --y k1=1:2:lin:3

# The search for a resonance goes beyond --max-step, its intervals do not
cat >"$folder/osc.json" <<'END'
{"parameters": {"k": 10, "kc": 5, "c": 0.2, "cc": 0.1},
 "subsystems": [
  {"name": "left", "inputs": ["F"], "outputs": {"x": "x1", "v": "v1"},
   "states": {"x1": {"derivative": "v1", "start": 1}, "v1": {"derivative": "-k*x1 - c*v1 + F"}}},
  {"name": "right", "inputs": ["xl", "vl"], "outputs": {"F": "kc*(x2 - xl) + cc*(v2 - vl)"},
   "states": {"x2": {"derivative": "v2"}, "v2": {"derivative": "-k*x2 - c*v2 - kc*(x2-xl) - cc*(v2-vl)"}}}],
 "wires": [{"from": "left.x", "to": "right.xl"}, {"from": "left.v", "to": "right.vl"}, {"from": "right.F", "to": "left.F"}],
 "step_size": 0.05}
END
for end in 0.9 1 1.2 2; do
    call stability "$folder/osc.json" --critical --scheme ijcsa --max-step $end --format json
    is "no stable step beyond $end" python3 -c "
import json, sys
steps = [h for pair in json.load(open(sys.argv[1]))['stable_intervals'] for h in pair]
whole = [0, 0.736014, 0.805774, 0.823863, 0.932982, $end] # rho at 1.25 is 0.885
sys.exit(not (len(steps) == 2 * (2 + ($end > 0.94)) and all(abs(a - b) < 1e-6 for a, b in zip(steps, whole))))" "$folder/out"
done

# Where there is no formula the map probes: its radii are those of spectral at each step
call stability quarter-car --solver-of wheel=euler --x step-size=0.01:0.03:lin:3 --format csv
sed -n 's/^jacobi,\([^,]*\),/\1 /p' "$folder/out" >"$folder/map"
while read -r h radius; do
    call spectral quarter-car --solver-of wheel=euler --step-size "$h" --format json
    grep -q '^  *"formula": null' "$folder/out" || echo 'a formula'
    sed -n 's/^  "spectral_radius": \([0-9.]*\),*$/\1/p' "$folder/out" | awk -v map="$radius" 'NR == 1 {
        d = $1 - map; if (d > 1e-12 || d < -1e-12) print $1, map}'
done <"$folder/map" >"$folder/err"
is "without a formula: the map has the radii of spectral" test ! -s "$folder/err" -a "$(wc -l <"$folder/map")" -eq 3
refuses 1 'nowhere' stability $lambda --output "$folder/nowhere/file"

echo "1..$count"
[ $failed -eq 0 ]
