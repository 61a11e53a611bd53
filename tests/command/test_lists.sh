#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lists where one value stands, names included; work to reach an error. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# column NAME: of the CSV answer, quoted cells left whole
column() {
    grep -v '^#' "$folder/out" | awk -v name="$1" '
        function cut(line, cells,    n, k, c, quoted) {
            n = 1; cells[1] = ""
            for (k = 1; k <= length(line); k++) {
                c = substr(line, k, 1)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) cells[++n] = ""
                else cells[n] = cells[n] c
            }
            return n
        }
        {n = cut($0, cell)}
        NR == 1 {for (k = 1; k <= n; k++) if (cell[k] == name) at = k; next}
        {print cell[at]}'
}

# Orders
three="--scheme jacobi,gauss-seidel,ifosmondi --extrapolation-order 0,1"
steps="--step-size 0.01,0.005,0.0025 --stop-time 0.2"
answers converge quarter-car $three $steps --format csv
column member | uniq >"$folder/members"
printf '%s\n' 'jacobi; order 0' 'jacobi; order 1' 'gauss-seidel; order 0' 'gauss-seidel; order 1' ifosmondi | cmp -s - "$folder/members"
result $? "an option applies to the schemes that know it, the others appear once"
column error >"$folder/together"
for scheme in jacobi gauss-seidel; do
    for order in 0 1; do
        call converge quarter-car --scheme $scheme --extrapolation-order $order $steps --format csv
        column error
    done
done >"$folder/apart"
call converge quarter-car --scheme ifosmondi $steps --format csv
column error >>"$folder/apart"
cmp -s "$folder/together" "$folder/apart"
result $? "... and their errors are those of calls of their own"
answers converge quarter-car $three $steps --format json
is "json: five answers with an order each" test "$(grep -c '"expected_order"' "$folder/out")" -eq 5
answers converge quarter-car --set mc=300,400 $steps --format csv
is "parameters too" test "$(column member | uniq | tr '\n' '/')" = 'jacobi; mc = 300/jacobi; mc = 400/'
answers converge quarter-car --scheme jacobi,power $steps --format csv
is "what does not fit is rows that say so" test "$(column message | grep -c '^incompatible: .*power ports')" -eq 3
refuses 2 'power ports' converge quarter-car --scheme power $steps
refuses 2 'power ports' converge quarter-car --scheme power $steps --set mc=300,400
refuses 2 'nearest is gauss-seidel' converge quarter-car --scheme jacobi,gaus-seidel
refuses 2 'none of these 2 schemes has this option' converge quarter-car --scheme jacobi,strang --epsilon 1e-3
refuses 2 'does not have this option' converge quarter-car --scheme jacobi --epsilon 1e-3

# Fractions of natural frequencies, against closed forms: those of a chain with damping in proportion to stiffness are
# 2 sqrt(k/m) sin(j pi/(2 (N + 1)))
chain="mass-chain --set masses=4 --set k=40 --set m=2.5 --set d=0.1 --scheme jacobi"
for j in 1 4; do
    answers spectral $chain --step-size 0.2/omega$j,0.01,0.1/omega$j --format csv
    column step_size >"$folder/steps"
    near "$(sed -n 1p "$folder/steps")" "0.2 / (8 * sin($j * 3.141592653589793 / 10))" 1e-12 &&
        near "$(sed -n 3p "$folder/steps")" "0.1 / (8 * sin($j * 3.141592653589793 / 10))" 1e-12 &&
        [ "$(sed -n 2p "$folder/steps")" = 0.01 ]
    result $? "--step-size over omega$j of four masses"
done
answers spectral spring-mass --set c=9 --set m=4 --step-size 0.3/omega1 --format csv
near "$(column step_size)" 0.2 1e-12
result $? "... over sqrt(c/m), in the answer"
refuses 2 'step-size: omega2: spring-mass has 1 natural frequency, up to omega1 = 1 rad/s' run spring-mass --step-size 0.1/omega2
refuses 2 'omega1: linear-pair has no natural frequency at its start: all its eigenvalues are real' run linear-pair --step-size 0.1/omega1
cat >"$folder/triple.json" <<'END'
{"subsystems": [{"name": "left", "inputs": ["w"], "states": {"a": {"derivative": "b"}, "b": {"derivative": "w"}}, "outputs": {"a": "a", "b": "b"}},
 {"name": "right", "inputs": ["a", "b"], "states": {"w": {"derivative": "-3*w-3*b-a"}}, "outputs": {"w": "w"}}],
 "wires": [{"from": "right.w", "to": "left.w"}, {"from": "left.a", "to": "right.a"}, {"from": "left.b", "to": "right.b"}]}
END
refuses 2 'triple has no natural frequency .*all its eigenvalues are real' run "$folder/triple.json" --stop-time 1 --step-size 0.1/omega1
refuses 2 '0.1/omega: a positive number over the k-th natural frequency is expected, such as 0.1/omega1' run spring-mass --step-size 0.1/omega
refuses 2 'positive number over' run spring-mass --step-size -1/omega1
refuses 2 'step-size 0.1/omega1: .*has events' run bell --step-size 0.1/omega1
refuses 2 'frequencies are those of one model, and sweep runs many' sweep --step-size 0.1/omega1
call run spring-mass --set m=4 --set c=9 --format csv --comments no
cp "$folder/out" "$folder/wanted"
call run spring-mass --set m=4,c=9 --format csv --comments no
cut -d, -f1-20 "$folder/wanted" >"$folder/steps"
cut -d, -f1-20 "$folder/out" | cmp -s - "$folder/steps"
result $? "--set m=4,c=9 are two settings"
refuses 2 'frequencies need one value of each parameter' converge spring-mass --set m=1,2 --step-size 0.1/omega1

# Propagation matrices
answers spectral quarter-car --scheme jacobi,strang --step-size 0.01,0.1 --format csv
column spectral_radius >"$folder/together"
for scheme in jacobi strang; do
    for step in 0.01 0.1; do
        call spectral quarter-car --scheme $scheme --step-size $step --format csv
        column spectral_radius
    done
done | cmp -s - "$folder/together"
result $? "radii of a list are those of calls of their own"
answers spectral quarter-car --scheme all --step-size 0.01
grep -q '^f3ornits .*not linear' "$folder/out"
result $? "--scheme all: one without a matrix says why"
refuses 2 'not linear' spectral quarter-car --scheme f3ornits --step-size 0.1,0.2
refuses 2 'not lists' spectral double-pendulum --along --scheme jacobi,gauss-seidel

# Stability
answers stability quarter-car --critical --scheme all --format csv
is "--critical --scheme all: a row a scheme" test "$(column member | wc -l)" -eq "$("$macrostep" list schemes --format csv | grep -c '^scheme,')"
want=$(column member | grep -n '^nepce$' | cut -d: -f1)
column critical_step_size | sed -n "${want}p" >"$folder/together"
call stability quarter-car --critical --scheme nepce --format json
sed -n 's/^  "critical_step_size": \(.*\),/\1/p' "$folder/out" | cmp -s - "$folder/together"
result $? "... the critical step is that of a call of its own"
answers stability quarter-car --critical --scheme jacobi,power --format json
is "json: incompatible with its reason" test "$(grep -c '"reason": "incompatible"' "$folder/out")" -eq 1
answers stability quarter-car --critical --scheme jacobi,semi-implicit --max-step 0.2 --format csv
is "--max-step ends the search of all" test "$(column stable_intervals | sort -u)" = '0 to 0.2'
# one axis: x' = -2 x + u, u = -6 x of the last point: exp(-2 H) - 3 (1 - exp(-2 H)) = -1 at H = ln(2) / 2
cat >"$folder/lag.json" <<'END'
{"subsystems": [{"name": "a", "A": [[-2]], "B": [[1]], "C": [[1]]}, {"name": "b", "A": [[0]], "B": [[0]], "C": [[0]], "D": [[-6]]}],
 "wires": [[0, 1, 1], [1, 0, 1]], "end": 10, "step_size": 0.1}
END
answers stability "$folder/lag.json" --scheme gauss-seidel --x step-size=0.01:1:lin:12 --format json
is "one axis: stable up to ln(2) / 2" awk '/"stable_intervals"/ {on = 1} on && /0\.3465/ {gsub(/[^0-9.e-]/, " "); for (k = 1; k <= NF; k++)
    {d = $k - log(2) / 2; if (d < 1e-9 && d > -1e-9) found = 1}} END {exit !found}' "$folder/out"
answers stability "$folder/lag.json" --scheme gauss-seidel --x step-size=0.01:1:lin:12 --format csv
column spectral_radius | awk '{h = 0.01 + n++ * 0.09; r = exp(-2 * h) - 3 * (1 - exp(-2 * h)); r = r < 0 ? -r : r; r = r > 1 ? r : r
    d = $1 - (r > 1 ? r : 1); if (d > 1e-9 || d < -1e-9) bad++} END {exit !(n == 12 && !bad)}'
result $? "... radii by hand"
map="stability mass-spring-damper --x step-size=0.01:0.2:lin:12 --y k2=1:100:log:10"
answers $map --scheme jacobi,strang --boundary-only --format csv
is "maps of several: points with their scheme" test "$(column member | sort -u | tr '\n' '/')" = 'jacobi/strang/'
answers $map --scheme jacobi,strang --format csv
is "... 240 nodes" test "$(column spectral_radius | wc -l)" -eq 240
refuses 2 'no rows that could be shared' $map --scheme jacobi,strang --shard 1/2

# Ranks
answers compare quarter-car --scheme jacobi,ifosmondi,strang --stop-time 0.2 --rank pareto --format csv
column member >"$folder/members"
is "each row has a name of its own" test "$(sort "$folder/members" | uniq -d | wc -l)" -eq 0
column cost >"$folder/cost"
column error >"$folder/error"
column rank | paste "$folder/cost" "$folder/error" - | awk -F '\t' '{c[NR] = $1; e[NR] = $2; r[NR] = $3} END {
    for (i = 1; i <= NR; i++) {
        front = 1
        for (k = 1; k <= NR; k++) if (c[k] <= c[i] && e[k] <= e[i] && (c[k] < c[i] || e[k] < e[i])) front = 0
        if (front != (r[i] == 1)) bad++
    } exit !(NR > 10 && !bad)}'
result $? "--rank pareto: 1 is what no other row beats in both"
answers compare quarter-car --scheme jacobi,ifosmondi --stop-time 0.2 --rank work --format csv
column cost >"$folder/cost"
column rank | paste "$folder/cost" - | sort -k2 -n | awk '{if ($1 < last) bad++; last = $1} END {exit bad > 0}'
result $? "--rank work: by integrations"

# Work to reach an error
few="quarter-car --scheme jacobi,strang,missiles --stop-time 0.2"
answers best $few --error 1e-3 --format csv
is "each row reaches it" test "$(column error | awk '$1 > 1e-3' | wc -l)" -eq 0
is "... ranked by cost" test "$(column cost)" = "$(column cost | sort -n)"
least=$(column cost | head -n 1)
is "... at most twice the lowest" test "$(column cost | awk -v least="$least" '$1 > 2 * least' | wc -l)" -eq 0
step=$(column step_size | head -n 1)
member=$(column member | head -n 1)
call compare $few --step-size 0.02857142857142857,0.014285714285714285,0.0071428571428571426,0.0035714285714285713 --format csv
column error >"$folder/error"
column cost | paste - "$folder/error" | awk -v least="$least" '$2 != "" && $2 <= 1e-3 && (!n++ || $1 < c) {c = $1} END {exit !(n && c >= least)}'
result $? "nothing that compare finds at four step sizes is cheaper ($member, $step)"
answers best $few --error 1e-3 --format csv --num-threads 1
cp "$folder/out" "$folder/one"
call best $few --error 1e-3 --format csv --num-threads 2
column cost >"$folder/two"
cp "$folder/one" "$folder/out"
column cost | cmp -s - "$folder/two"
result $? "threads make no difference"
# The error is in proportion to the step size: 0.9 of that of 0.1 is reached just below 0.09, between the sizes 0.1 and 0.05 that are tried first.
held='spring-mass --scheme jacobi --extrapolation-order 0 --outputs inconsistent --smooth-coupling none --step-size 0.1 --stop-time 10'
answers run $held --format csv
largest=$(column errors.max)
answers best $held --error "$(awk "BEGIN {print 0.9 * $largest}")" --format csv
is "the largest step that reaches an error is found between those tried first" awk "BEGIN {exit !($(column step_size) > 0.075)}"
answers best quarter-car --error 1e-6 --scheme jacobi --extrapolation-order 0 --stop-time 0.2
grep -q 'no scheme reaches it; the closest is jacobi' "$folder/out"
result $? "what no scheme reaches is said"
grep -qE '^tried  *9 variants in [0-9]+ runs, of which [0-9]+ were ended early because of large errors$' "$folder/out" &&
    ! grep -q '^given_up' "$folder/out"
result $? "... and in one line how much was tried"
answers best quarter-car --error 1e-4 --scheme f3ornits --variants default --stop-time 0.2
grep -qE 'the closest is f3ornits with .*; the tolerance asked for less than --min-step [0-9.]+ in ([0-9]+) of \1 macro-steps$' "$folder/out"
result $? "... and why the tolerance has not helped"
answers best quarter-car --error 1e-30 --scheme jacobi --extrapolation-order 0 --stop-time 0.2
grep -q 'no scheme reaches it; each run has an error of more than 100 times as much' "$folder/out"
result $? "... and where every run is far off"
# Lorenz's system to 60 s: behind some 36 s the reference knows nothing, and a run may be off by anything.
printf '%s\n' '{"subsystems": [{"name": "a", "inputs": ["z"], "outputs": {"x": "x", "y": "y"}, "states":' \
    '  {"x": {"derivative": "10*(y - x)", "start": 1}, "y": {"derivative": "x*(28 - z) - y", "start": 1}}},' \
    ' {"name": "b", "inputs": ["x", "y"], "outputs": {"z": "z"}, "states": {"z": {"derivative": "x*y - 8/3*z", "start": 1}}}],' \
    ' "wires": [{"from": "a.x", "to": "b.x"}, {"from": "a.y", "to": "b.y"}, {"from": "b.z", "to": "a.z"}], "end": 60, "step_size": 0.01}' \
    >"$folder/lorenz.json"
answers best "$folder/lorenz.json" --scheme jacobi --extrapolation-order 0 --outputs inconsistent --smooth-coupling none --solver rk4 \
    --error 1e6
grep -q 'none has an error that is known up to the end' "$folder/out"
result $? "an error that is known in part has not been reached"
refuses 2 'is missing' best quarter-car

# Errors over work: the same runs as by run
steps="quarter-car --stop-time 0.2 --scheme jacobi --extrapolation-order 1"
answers work-precision $steps --error-controlled none,richardson --step-size 0.01,0.005 --rtol 0.5,0.015625 --format csv
column error >"$folder/error"
column work >"$folder/work"
for options in '--step-size 0.01' '--step-size 0.005' '--error-controlled richardson --rtol 0.5 --atol 0.005' \
    '--error-controlled richardson --rtol 0.015625 --atol 0.00015625'; do
    call run $steps $options --format csv
    column error >>"$folder/errors"
    column integrations >>"$folder/integrations"
done
cmp -s "$folder/error" "$folder/errors" && cmp -s "$folder/work" "$folder/integrations"
result $? "work-precision: errors and integrations are those of the runs"
answers work-precision $steps --error-controlled none,richardson --step-size 0.01 --rtol 0.5 --format csv
is "... which have names, also of one run each" test "$(column member | tr '\n' ,)" = 'jacobi,jacobi; richardson,'
answers best quarter-car --stop-time 0.2 --scheme jacobi --extrapolation-order 0,1 --outputs inconsistent --smooth-coupling none \
    --error-controlled none,richardson --error 1e-2 --format csv
column step_size >"$folder/sizes"
column tolerance >"$folder/tolerances"
is "best: a step size or a tolerance, never both" test "$(paste -d ' ' "$folder/sizes" "$folder/tolerances" | grep -c '^[^ ]* $\|^ [^ ]*$')" -eq "$(wc -l <"$folder/sizes")"
answers work-precision $steps --solver cvode-bdf --step-size 0.01 --work evaluations --starts 3 --format csv
column work_range.0 >"$folder/least"
column work_range.1 >"$folder/most"
column work >"$folder/work"
for K in -1 0 1; do
    call run $steps --solver cvode-bdf --step-size 0.01 --perturb-start $K --format csv
    expr "$(column work.0.rhs_evaluations)" + "$(column work.1.rhs_evaluations)"
done | sort -n >"$folder/evaluations"
cat "$folder/least" "$folder/work" "$folder/most" | cmp -s - "$folder/evaluations"
result $? "... --starts 3: least, median and largest number of evaluations"
refuses 2 'every scheme here has equal steps' work-precision $steps --rtol 1e-3
refuses 2 'chooses its steps itself' work-precision $steps --error-controlled richardson --step-size 0.1
refuses 2 'measured on one thread' work-precision $steps --work time --num-threads 2
refuses 2 'starts 0: must be a whole number' work-precision $steps --starts 0
refuses 2 'lists make more than 100000 runs' work-precision $steps --step-size 1e-4:1e-2:log:90000 --starts 2
refuses 2 'error 0: must be' best quarter-car --error 0
refuses 2 'lists make more than 100000 rows, which are held in memory; macrostep sweep writes them' compare quarter-car --step-size 1e-6:1e-2:log:1000000
refuses 2 'lists make more than 100000 rows' spectral quarter-car --step-size 1e-6:1e-2:log:1000000
refuses 2 'one value' best quarter-car --error 1 --step-size 0.1,0.2

echo "1..$count"
[ "$failed" -eq 0 ]
