#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: exit statuses, one-line errors, files, formats, interruption. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

model=mass-spring-damper

# Help and version
call
is "without arguments: a short help and exit 2" test "$status" -eq 2 -a -s "$folder/err" -a ! -s "$folder/out"
answers --help
answers help run
is "help run: the same as run --help" test "$("$macrostep" run --help)" = "$(cat "$folder/out")"
answers --version
answers --version --verbose
is "... with a line for each library that the loader says it has" sh -c 'ldd "$1" | sed -n "s/.* => \(\/.*\) (0x.*/\1/p" | while read -r file; do
    grep -q " $(realpath "$file")" "$2" || exit 1; done' sh "$macrostep" "$folder/out"
is "... and what the libraries state of themselves" grep -q '^stated at run time: SUNDIALS [0-9.]*; GSL [0-9.]*; OpenBLAS .*; Jansson [0-9.]*; glibc [0-9.]*$' "$folder/out"
for command in $("$macrostep" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'); do
    answers "$command" --help
    grep -q "^macrostep $command" "$folder/out"
    result $? "the help of $command names it"
    is "... fits a screen, with three examples" test "$(wc -l <"$folder/out")" -le 40 -a "$(wc -L <"$folder/out")" -le 110 -a \
        "$(sed -n '/^Examples:/,/^$/p' "$folder/out" | wc -l)" -ge 5
    is "... and ten options at most" test "$(grep -c '^  --' "$folder/out")" -le 11
done
answers run $model --help=all
title=$(grep -B 1 '^  --system' "$folder/out" | head -n 1)
is "run --help=all: options stand under their titles" test "$title" = 'The model:'
grep -q '^  --num-threads N' "$folder/out"
result $? "run --help=all: --num-threads"

answers run --scheme jacobi --help=all
is "... of a scheme: its options, by topics, and no others" test "$(grep -c -e '^  --extrapolation-order' -e '^Events:$' -e '^  --mask' "$folder/out")" -eq 3 -a \
    "$(grep -c -e '^  --epsilon' -e '^Iterations:$' "$folder/out")" -eq 0
answers run --scheme=jacobi,ifosmondi --help=all
is "... of two schemes: those of both" test "$(grep -c -e '^  --extrapolation-order' -e '^  --epsilon' "$folder/out")" -eq 2
refuses 2 '--scheme jacoby: unknown; the nearest is jacobi' run --help=all --scheme jacoby
refuses 2 '--help=most: must be --help or --help=all' run --help=most

# Names
refuses 2 'the nearest is run' runn
refuses 2 'unknown command' ''
for call in show export check figure report list ledger 'diff a' 'merge a' 'judge a.csv'; do
    refuses 2 "unexpected word ''; the call is macrostep ${call%% *}" $call ''
done
refuses 2 'unknown command simulate; the nearest is run ' simulate quarter-car
refuses 2 'the nearest is mass-spring-damper' run mass-spring-dampre
refuses 2 'model.*missing' run
refuses 2 'unexpected word extra' run $model extra
refuses 2 'unknown model spring.jsn, and there is no file of that name' run spring.jsn
refuses 2 'unexpected word' figures extra
refuses 2 'the nearest is models' list modles
refuses 2 '--scheme jacobbi.*the nearest is jacobi' run $model --scheme jacobbi
refuses 2 '--solver cvode.*the nearest is cvode-bdf' run $model --solver cvode
refuses 2 '^macrostep: unknown option --dt; did you mean --step-size?' run $model --dt 0.1
for pair in stepsize:step-size step-siz:step-size step:step-size final-time:stop-time tend:stop-time T_End:stop-time tol:solver-rtol \
    algorithm:scheme extrapolation-ordr:extrapolation-order threads:num-threads; do
    refuses 2 "unknown option --${pair%:*}; did you mean --${pair#*:}?" run $model --${pair%:*} 1
done
refuses 2 '--tolerance: not an option of this command; did you mean --solver-rtol?' run $model --tolerance 1e-6
refuses 2 '--scheme gs: unknown; the nearest is gauss-seidel' run $model --scheme gs
refuses 2 '--solver dopri5: unknown; the nearest is arkode-erk' run $model --solver dopri5
refuses 2 '--case fien.*the nearest is fine' run $model --case fien
refuses 2 '--set k9=1:.*no parameter k9; the nearest is k' run $model --set k9=1
refuses 2 'two dashes' run $model -x
refuses 2 '--scheme: not an option of this command' show $model --scheme jacobi
refuses 2 '--draw: not an option of this command' show $model --draw "$folder/g.svg"
refuses 2 '--draw .*g.png: .*\.svg.*\.dot' graph $model --draw "$folder/g.png"
refuses 2 'det(I - D L) = 0: .*s1\.u\.u2, s2\.u\.u1, s3\.u\.u2, s1\.y\.y1' run example-5.1.1 --case printed
refuses 2 '--trajectory: not an option of this command' compare $model --trajectory "$folder/t.csv"

# Masters of other tools
refuses 2 '--as omsma: must be none, oms-ma, oms-mav, libcosim, maestro, fmpy or pyfmi' run $model --as omsma
refuses 2 '--outputs corrected: --as oms-ma means --outputs consistent' run $model --as oms-ma --outputs corrected
refuses 2 '--outputs: --as oms-ma means --outputs consistent' run $model --outputs corrected --as oms-ma
refuses 2 '--as: given twice' run $model --as oms-ma --as fmpy
refuses 2 'only equal macro-steps have a propagation matrix' spectral quarter-car --as oms-mav
refuses 2 'macro-steps are not linear' stability quarter-car --as maestro --critical
refuses 2 'converge needs macro-steps of equal length' converge quarter-car --as pyfmi
answers run quarter-car --as oms-ma --outputs consistent --format json
is "the answer names the preset" grep -q '"as": "oms-ma"' "$folder/out"
is "and what it stands for" grep -q '"outputs": "consistent"' "$folder/out"
answers run quarter-car --format json
is "where there is none it says nothing of it" test "$(grep -c '"as"' "$folder/out")" -eq 0
answers spectral quarter-car --as libcosim --substeps wheel=4
answers converge quarter-car --as maestro --step-size 0.01,0.005
answers compare quarter-car --as oms-ma,oms-mav,libcosim,maestro,fmpy,pyfmi --stop-time 0.05 --format csv
is "six masters, a row each" test "$(grep -c '^quarter-car' "$folder/out")" -eq 6
is "all of them reach the end" test "$(grep -c ',end-time,' "$folder/out")" -eq 6
answers converge quarter-car --as oms-ma,libcosim --step-size 0.01,0.005 --format json
is "members are called after their masters" test "$(grep -c '"member": "\(oms-ma\|libcosim\)"' "$folder/out")" -ge 2
answers sweep --models quarter-car,linear-pair --as fmpy,oms-mav --step-size 0.01 --stop-time 0.05 --format csv
is "of two models: a loop does not fit oms-mav" grep -q '^linear-pair.*,incompatible,.*algebraic loop' "$folder/out"
answers list schemes --format json
is "presets are listed with what they stand for" grep -q '"stands_for": "--scheme jacobi --outputs consistent"' "$folder/out"

# Numbers
for value in 0 -1 nan inf -inf 1e9 abc 1e-300 0.1x; do
    refuses 2 "--step-size $value\|--step-size 1e" run $model --step-size "$value"
done
refuses 2 '--step-size 11.*greater than 0 and at most 10' run $model --step-size 11
refuses 2 '--step-size 11.*at most 10' compare $model --step-size 11
refuses 2 '--step-size 11.*at most 10' converge $model --step-size 11
refuses 2 '--step-size 11.*at most 10' converge $model --step-size 0.1,11
refuses 2 '--stop-time 0' run $model --stop-time 0
refuses 2 '--stop-time inf' run $model --stop-time inf
refuses 2 '--extrapolation-order 3.*\[0, 2\]' run $model --extrapolation-order 3
refuses 2 '--extrapolation-order 0.5.*whole number' run $model --extrapolation-order 0.5
refuses 2 '--outputs corected.*corrected' run $model --outputs corected
for command in run compare 'best --error 1e-3' converge integrate; do
    refuses 2 'state chassis.x of model quarter-car has no nominal value; use range' $command quarter-car --error-scale nominal
done
refuses 2 '--error-scale: not an option of this command' spectral quarter-car --error-scale range
refuses 2 '--smooth-coupling c3.*none, c0 or c1' run $model --smooth-coupling c3
refuses 2 '--micro-steps 0' run $model --solver euler --micro-steps 0
refuses 2 'm1 of model mass-spring-damper.*range' run $model --set m1=-1
refuses 2 '--set m1=nan' run $model --set m1=nan

# Missing values, empty values, repetitions
refuses 2 '--step-size: a value is missing' run $model --step-size
refuses 2 '--step-size: a value is missing' run $model --step-size --scheme jacobi
refuses 2 '--step-size: a value is missing' run $model --step-size ''
refuses 2 '--step-size: a value is missing' run $model --step-size=
refuses 2 '--set: a value is missing' run $model --set
refuses 2 '--output: a value is missing' run $model --output
refuses 2 "--set '': must be PARAMETER=VALUE" run $model --set ''
refuses 2 'must be PARAMETER=VALUE' run $model --set m1
refuses 2 'must be PARAMETER=VALUE' run $model --set =1
refuses 2 'must be PARAMETER=VALUE' run $model --set m1=
refuses 2 'finite number' run $model --set m1=heavy
refuses 2 'm1 is set twice' run $model --set m1=1 --set m1=2
refuses 2 '--step-size: given twice' run $model --step-size 0.1 --step-size 0.2
refuses 2 '--outputs: given twice' run $model --linear-correction --outputs consistent
refuses 2 '--linear-correction takes no value' run $model --linear-correction=yes
refuses 2 '--format xml: must be table, csv, json, jsonl, latex, latex-siunitx or markdown' run $model --format xml

# Options and capabilities that do not fit together
refuses 2 '--sequence: scheme jacobi does not have this option; it has' run $model --sequence left,right
refuses 2 '--sequence left: ' run $model --scheme gauss-seidel --sequence left
refuses 2 'no subsystem middle' run $model --scheme gauss-seidel --sequence left,middle
refuses 2 'must be SUBSYSTEM:CAPABILITY' run $model --mask left
refuses 2 'the nearest is rollback' run $model --mask left:rolback
refuses 2 'no subsystem middle' run $model --mask middle:rollback
refuses 2 'directional derivatives' run $model --mask right:directional-derivatives --linear-correction
refuses 2 're-evaluate' run $model --mask '*:reevaluate-outputs' --outputs consistent
refuses 2 'roll back' run $model --mask left:rollback --error-controlled
refuses 2 'inputs of degree 0' run $model --mask left:input-degree=0 --extrapolation-order 1
refuses 2 'exact' run double-pendulum --solver exact
answers run $model --mask left:rollback

# Lists
refuses 2 'run takes one value; lists are for compare, best, work-precision, integrate, sweep, converge, spectral and stability' run $model --step-size 0.1,0.2
refuses 2 'run takes one value' run $model --step-size 0.1:0.2:lin:3
refuses 2 'run takes one value' run $model --set m1=1,2
refuses 2 'from:to:log:count' converge $model --step-size 0.1:0.2:3
refuses 2 'count must be a whole number' converge $model --step-size 0.1:0.2:log:1
refuses 2 'greater than 0' converge $model --step-size 0:0.2:log:3
refuses 2 'value 2 of the list is empty' converge $model --step-size 0.1,,0.2
refuses 2 'equal length' converge $model --error-controlled
answers converge bell --step-size 0.1,0.05 --stop-time 0.5 --format json
is "nothing is coupled: no order is expected" grep -q '"expected_order": null' "$folder/out"

# Options whose value may be missing, and --option=value
answers run $model --smooth-coupling
answers run --smooth-coupling $model
answers run $model --smooth-coupling c1
answers run --smooth-coupling=c0 --step-size=0.05 $model
answers run $model --linear-correction --extrapolation-order 1
answers run $model --error-controlled --rtol 1e-2 --atol 1e-2
answers run $model --as-printed --extrapolation-order 2
answers run $model --as-printed=quadratic --extrapolation-order 2

# A run that diverges is done
call run quarter-car --case as-printed --stop-time 100 --step-size 0.01 --format csv
is "a run that diverges is done" test "$status" -eq 0
grep -q ',diverged,' "$folder/out"
result $? "... and says so"

# A linear system as a file
cat >"$folder/system.json" <<'SYSTEM'
{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]], "D": [[0.5]], "x0": [1]},
                {"name": "b", "A": [[-2]], "B": [[1]], "C": [[1]], "D": [[0.25]]}], "L": [[0, 1], [1, 0]]}
SYSTEM
sed 's/0.25/2/' "$folder/system.json" >"$folder/singular.json"
sed 's/\[\[0.5\]\]/[[0.5, 1]]/' "$folder/system.json" >"$folder/shape.json"
for command in run show compare converge 'sweep --scheme jacobi'; do
    answers $command --system "$folder/system.json"
    refuses 2 'I - D *L' $command --system "$folder/singular.json"
done
refuses 2 'D' run --system "$folder/shape.json"
refuses 1 'missing.json' run --system "$folder/missing.json"
for command in run show integrate 'run spring-mass --reference'; do
    echo '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "v - t", "unit": "m"}, "v": {"derivative": "-1", "unit": "m/s"}}}]}' >"$folder/units.json"
    refuses 2 'units.json: line 1: subsystem a: the derivative of x: m/s - s: units do not fit (v - t); --units off' $command "$folder/units.json"
done
answers run "$folder/units.json" --units off
refuses 2 'on.*off' run "$folder/units.json" --units of
refuses 2 'none is given' run $model --units off
refuses 2 'takes the place of the model' run $model --system "$folder/system.json"
refuses 2 '' run --system "$0"

# Formats and files
answers run $model --format csv
grep -v '^#' "$folder/out" >"$folder/rows"
is "csv: a header and one row" test "$(wc -l <"$folder/rows")" -eq 2
head -n 1 "$folder/rows" | grep -q 'errors\.per_state\.left\.x\.max.*work\.0\.subsystem'
result $? "csv: dotted paths, arrays with .0"
grep -q '^# version: ' "$folder/out" && grep -q "^# command: macrostep run $model" "$folder/out"
result $? "csv: provenance"
awk -F, 'NR == 1 {n = NF} NF != n {exit 1}' "$folder/rows"
result $? "csv: as many cells as columns"
for threads in 1 2; do
    call compare $model --format json --scheme jacobi,ifosmondi --num-threads $threads
    grep -v '"wall_seconds"\|"command"\|"degraded": \[\]$' "$folder/out" >"$folder/rows$threads"
done
cmp -s "$folder/rows1" "$folder/rows2" && test -s "$folder/rows1"
result $? "compare: the same rows on one thread and on two"
answers compare $model --format csv --scheme jacobi --extrapolation-order 0
is "compare as csv: one header" test "$(grep -c '^model,' "$folder/out")" -eq 1
awk -F, '!/^#/ && !/"/ {if (!n) n = NF; if (NF != n) exit 1}' "$folder/out"
result $? "compare as csv: as many cells as columns"
answers converge $model --format csv --step-size 0.01:0.04:log:3
is "converge as csv: four rows" test "$(grep -vc '^#' "$folder/out")" -eq 4
grep -v '^#' "$folder/out" | sed -n 2p | grep -q '^0.04'
result $? "converge as csv: the largest step comes first"

call run $model --output "$folder/a.csv" --format csv --trajectory "$folder/t.csv"
is "--output: nothing on standard output" test "$status" -eq 0 -a ! -s "$folder/out"
grep -v '^#' "$folder/t.csv" >"$folder/rows"
is "trajectory: a header and a row for each of 119 communication points" test "$(wc -l <"$folder/rows")" -eq 120
head -n 1 "$folder/rows" | grep -q '^time,left\.x\.x,.*left\.u\.dx.*right\.y\.dv$'
result $? "trajectory: names of columns"
grep -q '^# scheme.step_size: 0.085' "$folder/t.csv"
result $? "trajectory: resolved options"
call run $model --errors none --format json --trajectory "$folder/u.csv"
sed '/^#/d' "$folder/u.csv" | cmp -s - "$folder/rows"
result $? "--errors none: the same trajectory"
grep -q '"reference_error": null' "$folder/out" && grep -q '"errors": null' "$folder/out"
result $? "--errors none: no errors"
refuses 2 '--errors: not an option of this command' converge $model --errors none
call run $model --max-steps 5 --format json
grep -q '"reason": "work-limit"' "$folder/out" && grep -q '"macro_steps": 5' "$folder/out"
result $? "--max-steps: the run ends there"
refuses 2 '--max-steps 0: .*at least 1' run $model --max-steps 0
call run $model --output "$folder/b.csv" --format csv --trajectory "$folder/u.csv"
cmp -s "$folder/t.csv" "$folder/u.csv"
result $? "equal runs give equal files, whatever their names"

# The energy ledger
call run spring-mass --step-size 0.1 --stop-time 1 --format json --energy "$folder/e.csv"
grep -q '^    "residual": 0\.05' "$folder/out" # (1.01^10 - 1) / 2
result $? "energy: the residual of a run"
grep -v '^#' "$folder/e.csv" >"$folder/rows"
head -n 1 "$folder/rows" | grep -q '^time,spring\.energy,mass\.energy,energy,spring\.end\.power,.*spring\.end-mass\.end\.residual,.*supplied$'
result $? "energy: names of columns"
awk -F, 'NR == 2 && ($1 != 0 || $4 != 0.5 || $12 != 0) {exit 1}
    NR == 12 && ($1 != 1 || ($4 - 0.5 - $12)^2 > 1e-28) {exit 1}
    NF != 13 {exit 1} END {exit NR != 12}' "$folder/rows"
result $? "energy: a row for each of 11 communication points, with the balance"
grep -q '^# model: spring-mass' "$folder/e.csv" && grep -q '^# scheme.step_size: 0.1' "$folder/e.csv"
result $? "energy: provenance"
call run spring-mass --step-size 3 --stop-time 300 --energy "$folder/e.csv"
is "energy: a run that diverges" test "$status" -eq 0
awk -F, '!/^#/ {n++; for (k = 1; k <= 13; k++) if (n > 1 && $k !~ /^-?[0-9]/) exit 1; if (NF != 13) exit 1} END {exit n < 13}' "$folder/e.csv"
result $? "... leaves a whole file"
refuses 2 "--energy .*model $model declares no energies; these do: .*spring-mass" run $model --energy "$folder/no.csv"
refuses 1 'nowhere' run spring-mass --energy "$folder/nowhere/file"
refuses 2 'the answer goes there' run spring-mass --energy -
refuses 2 'the trajectory goes there' run spring-mass --energy "$folder/t" --trajectory "$folder/t"
refuses 2 '--energy: not an option of this command' compare spring-mass --energy "$folder/e.csv"
answers compare spring-mass --scheme jacobi --extrapolation-order 0 --format csv
grep -q '^model,.*,energy\.drift,energy\.residual,' "$folder/out"
result $? "compare: the residual of the energy"
answers sweep --models $model,spring-mass --scheme jacobi --extrapolation-order 0 --stop-time 1 --format csv --wide
awk -F, '/^model/ {for (k = 1; k <= NF; k++) if ($k == "energy.residual") at = k}
    /^spring-mass/ && $at + 0 > 0 {n++} END {exit n == 0}' "$folder/out"
result $? "sweep: the residual of the energy"

echo before >"$folder/kept"
refuses 2 'at most 10' run $model --step-size 11 --output "$folder/kept"
is "a call that is wrong leaves the file as it was" test "$(cat "$folder/kept")" = before
refuses 1 'nowhere' run $model --output "$folder/nowhere/file"
refuses 1 'nowhere' run $model --trajectory "$folder/nowhere/file"
refuses 1 "$folder" run $model --output "$folder"
refuses 2 'the answer goes there' run $model --trajectory -
ln -s kept "$folder/link"
call run $model --output "$folder/link"
is "--output through a symbolic link writes the file behind it" test -L "$folder/link" -a -s "$folder/kept"
call run $model --output -
is "--output - is standard output" test "$status" -eq 0 -a -s "$folder/out"
"$macrostep" run $model --trajectory - --output "$folder/alone" >&- 2>"$folder/err"
[ $? -eq 1 ] && grep -q '^macrostep: standard output: ' "$folder/err" && [ ! -e "$folder/alone" ]
result $? "closed standard output: said, and no file takes its place"
if [ -c /dev/full ]; then
    "$macrostep" run $model >/dev/full 2>"$folder/err"
    is "a full device: exit 1" test $? -eq 1
fi
is "no file is left over" test -z "$(find "$folder" -name '*.part')"

# Times below the resolution of doubles
for scheme in jacobi ifosmondi f3ornits; do
    refuses 2 '--step-size 1e-310: must be at least 1.0e-292' run linear-pair --scheme $scheme --step-size 1e-310 --stop-time 1e-310
done
refuses 2 '--step-size 4.94066e-324: must be at least 1.0e-292' spectral linear-pair --step-size 5e-324
answers run linear-pair --scheme ifosmondi --step-size 1e-290 --stop-time 1e-290

# Interruption: the answer of what was done is written, and the file appears only then
interrupt() {
    echo before >"$folder/long"
    "$macrostep" "$@" --output "$folder/long" >"$folder/out" 2>"$folder/err" &
    process=$!
    begun
    before=$(cat "$folder/long")
    kill -"$signal" $process
    kill -"$signal" $process 2>/dev/null # a second one that comes with the first changes nothing
    wait $process
    status=$?
}
signal=INT
interrupt run $model --step-size 1e-7 --stop-time 1000 --format json
is "Ctrl-C: exit 130" test "$status" -eq 130
is "... the old file stood until then" test "$before" = before
grep -q '"reason": "interrupted"' "$folder/long"
result $? "... and the answer says interrupted"
signal=TERM
interrupt run $model --step-size 1e-7 --stop-time 1000 --format json
is "SIGTERM: exit 130" test "$status" -eq 130
signal=INT
interrupt compare $model --step-size 1e-7 --stop-time 1000 --format json
is "Ctrl-C in compare: exit 130" test "$status" -eq 130
grep -q '"reason": "interrupted"' "$folder/long"
result $? "... with the rows so far"
interrupt converge $model --step-size 1e-7,1e-8 --stop-time 1000 --format json
is "Ctrl-C in converge: exit 130" test "$status" -eq 130
is "no file is left over after interruptions" test -z "$(find "$folder" -name '*.part')"

# Eigenvalues of the propagation matrix
answers spectral --help
answers spectral $model --format json
for key in scheme step_size dimension spectral_radius eigenvalues errors formula probe max_difference stable defective; do
    grep -q "^  \"$key\": " "$folder/out"
    result $? "spectral: $key"
done
grep -q '^  "matrix": ' "$folder/out"
is "spectral: no matrix unless it is asked for" test $? -ne 0
answers spectral $model --matrix --format json
grep -q '^  "matrix": ' "$folder/out"
result $? "spectral: --matrix"
answers spectral linear-pair --case unstable --step-size 0 --format json
grep -q '^  "spectral_radius": 1.1,' "$folder/out" && grep -q '^  "probe": null' "$folder/out" &&
    grep -q '^  "stable": false' "$folder/out"
result $? "spectral: the limit, by formula only"
# Huge numbers: on a tyre as stiff as that the chassis decays by exp(-dc/(2 mc) H), and formula and probe know it alike
for value in 1e12 1e15 1e18 9223372036854775808 1e20 1e25; do
    answers spectral quarter-car --set kw=$value --format json
    is "spectral: kw = $value" near "$(number spectral_radius)" "exp(-0.00125)" 1e-8
    answers spectral quarter-car --set kc=$value --set "dc=$(awk -v k=$value 'BEGIN {print k / 1000}')" --format json
    is "spectral: kc = $value, an overdamped suspension" awk -v d="$(number max_difference)" \
        'BEGIN {exit !(d != "" && d + 0 < 1e-6)}'
    answers spectral mass-spring-damper --set k1=$value
    answers spectral two-mass-oscillator --case force-displacement --set mass_ratio=$value --extrapolation-order 2
    answers spectral quarter-car --set kw=$value --scheme ifosmondi
done
answers spectral $model --step-size 100 --scheme gauss-seidel --order right,left --solver rk4 --format csv
grep -v '^# ' "$folder/out" >"$folder/former"
answers spectral $model --step-size 100 --scheme gauss-seidel --sequence right,left --solver rk4 --format csv
grep -v '^# ' "$folder/out" | cmp -s - "$folder/former"
result $? "--order, the former name of --sequence, is read"
refuses 2 '--sequence: given twice' run $model --scheme gauss-seidel --sequence right,left --order left,right
answers spectral --system "$folder/system.json"
answers run two-masses-springs-dampers --case jump --set change_time=0.25 --stop-time 1 --at-time-events communicate --format json
grep -q '"at_time_events": "communicate"' "$folder/out" && grep -q '"macro_steps": 11,' "$folder/out"
result $? "run: the macro-step that would pass a time event is cut, and steps go on from there"
refuses 2 '--at-time-events sometimes: must be ignore or communicate' run $model --at-time-events sometimes
refuses 2 'subsystem meter imposes a step of 0.25 s; --at-time-events communicate' run three-clocks --scheme f3ornits \
    --scheduler asynchronous --at-time-events communicate
answers spectral two-masses-springs-dampers --step-size 0.1 --matrix --format json
grep -v '"command"\|time_events' "$folder/out" >"$folder/ignored"
answers spectral two-masses-springs-dampers --step-size 0.1 --matrix --format json --set change_time=0.05 \
    --mask '*:step=0.1' --at-time-events communicate
grep -v '"command"\|time_events' "$folder/out" >"$folder/met"
is "spectral: takes no notice of time events" test "$(grep -A40 '"matrix"' "$folder/ignored")" = "$(grep -A40 '"matrix"' "$folder/met")"
refuses 2 'I - D *L' spectral --system "$folder/singular.json"
refuses 2 'model mass-chain: its propagation matrix has 20000 rows or more, which take 3.2 GB; all eigenvalues are computed for at most 4000 rows, and the largest ones for any number by macrostep spectral --extreme K' \
    spectral mass-chain --set masses=5000
cat >"$folder/own.json" <<'END'
{"parameters": {"k": {"value": 2, "min": 0}},
 "subsystems": [{"name": "mass", "inputs": ["F"], "outputs": {"x": "x"},
                 "states": {"x": {"derivative": "v", "start": 1}, "v": {"derivative": "F - sin(x)"}}},
                {"name": "spring", "A": [["-k"]], "B": [[1]], "C": [["k"]]}],
 "wires": [{"from": "mass.x", "to": "spring.u1"}, {"from": "spring.y1", "to": "mass.F", "gain": -1}]}
END
for call in show graph linearise spectral 'run --stop-time 1' 'compare --stop-time 1' 'converge --stop-time 1 --step-size 0.1,0.05' \
    'stability --x step-size=0.1:1:lin:3 --y k=1:3:lin:3' 'stability --critical --max-step 1' 'integrate --stop-time 1' \
    'drive --subsystem mass --stop-time 1'; do
    answers ${call%% *} "$folder/own.json" ${call#"${call%% *}"}
done
refuses 2 'model own has no parameter kk; the nearest is k' run "$folder/own.json" --set kk=1
refuses 1 'no/such.json: No such file' run no/such.json
printf '{"subsystems": [\n\n{"name": "mass", "outputs": {"y": "k"}}]}' >"$folder/bad.json"
refuses 2 'bad.json: line 3: subsystem mass: output y: .*'"'"'k'"'"'.*there are: t, pi' show "$folder/bad.json"
answers spectral double-pendulum --at equilibrium --extreme 2
answers spectral $model --extreme 1000 --scheme gauss-seidel --mask '*:rollback' --format json
refuses 2 '--extreme 0: must be' spectral $model --extreme 0
refuses 2 '--matrix: --extreme 2 does not make the matrix' spectral $model --extreme 2 --matrix
refuses 2 '--along: --extreme 2 applies to one point' spectral double-pendulum --extreme 2 --along
refuses 2 '--step-size 0: .*--extreme' spectral $model --extreme 2 --step-size 0
refuses 2 '--max-applications: requires --extreme K' spectral $model --max-applications 10
refuses 2 '--solver cvode-bdf.*: its steps are not linear.*; exact, euler.* have one' spectral $model --extreme 2 --solver cvode-bdf
refuses 2 'solver rk4 of subsystem left failed' spectral $model --extreme 2 --step-size 1e300 --solver rk4
refuses 2 'model mass-chain: its propagation matrix has 20000 rows or more, .*--extreme K' \
    stability mass-chain --set masses=5000 --critical
answers show coupled-pendula
is 'show: the eigenvalues of a nonlinear model are those at the start' grep -qx 'linearised  *start' "$folder/out"
answers show $model --format json
is '... and of a linear one everywhere' grep -q '^  "linearised": null,$' "$folder/out"
answers show mass-chain --set masses=5000 --format json
grep -q 'eigenvalues are computed for at most 2000' "$folder/out" && grep -q '"feed_through_spectral_radius": 0.0' "$folder/out"
result $? "show: of a large system all but the eigenvalues"
for option in '--error-controlled' '--norm rmse' '--start hold' '--initial-inputs zero' '--max-steps 9' '--execution serial' '--passivity on' \
    '--rtol 1e-3' '--max-step 1' '--num-threads 2'; do
    refuses 2 "^macrostep: ${option%% *}: not an option of this command" spectral $model $option
    call spectral --help=all
    is "... and its help does not have it" test "$(grep -c -e "^  ${option%% *}[ =[]" "$folder/out")" -eq 0
done
refuses 2 '--stop-time: model .* is linear' spectral $model --stop-time 3
refuses 2 '--solver-rtol applies only to solvers that choose their step sizes; this run uses exact' run $model --solver-rtol 1e-8
refuses 2 '--micro-steps applies only to fixed-step solvers such as rk4; this run uses exact' spectral $model --micro-steps 4
refuses 2 '--input-change applies only to multistep solvers' run $model --solver rk4 --input-change proceed
refuses 2 '--micro-steps applies only to fixed-step solvers' drive $model --subsystem left --micro-steps 3
# The table of a run: a summary, and all of it
for call in "quarter-car --set kc=20000" "mass-chain --scheme ifosmondi" "$model --stop-time 1 --mask left:rollback --mask *:input-degree=1"; do
    set -f
    answers run $call
    set +f
    is "... fits a screen" test "$(wc -l <"$folder/out")" -le 30 -a "$(wc -L <"$folder/out")" -le 100
done
grep -q '^scheme  *jacobi --stop-time 1.0 --mask left:rollback --mask \*:input-degree=1$' "$folder/out"
result $? "... and says what was given"
answers run mass-chain
worst=$(sed -n '/all states/{s/ *all states *//;s/ .*//p}' "$folder/out")
is "... the states with the largest errors first" test -n "$worst" -a "$(sed -n '/all states/{n;s/ *[a-z0-9.]* *//;s/ .*//p}' "$folder/out")" = "$worst"
grep -q '^states_not_shown  *16$' "$folder/out" && grep -q '^  all 10 together  *10000$' "$folder/out"
result $? "... how many more there are, and the sum of the work"
answers run quarter-car
awk '/^ *max  *rmse  *relative l2  *end$/ {on = 1; next} /all states/ {all = $5} on && NF == 5 && /\./ {sum += $4; n++}
    /^reference_error/ {on = 0} END {d = sum / n - all; exit !(n == 4 && d * d <= 1e-10 * all * all)}' "$folder/out"
result $? "... l2 is named as relative, and the mean of the states over all"
answers run mass-chain --verbose
is "--verbose: all states" test "$(grep -c '^    mass[0-9]*\.[xv] ' "$folder/out")" -eq 20
refuses 2 '--verbose applies only to the table' run mass-chain --verbose --format json
refuses 2 '--passivity-limit: requires --passivity on' run $model --passivity-limit 2
refuses 2 '--probe applies only to FMUs' run $model --probe off
answers run $model --solver rk4 --micro-steps 4
answers run $model --solver cvode-bdf --solver-rtol 1e-8 --input-change proceed
echo '{}' >"$folder/model"
refuses 2 "unknown model $folder/model; there is a file of that name, which --system" run "$folder/model"
# The eigenvalues of the propagation matrix: re^2 + im^2 = modulus^2, the largest is the spectral radius
answers spectral $model
is "spectral: the table names real and imaginary parts" awk '
    $1 == "spectral_radius" && !rho {rho = $2}
    $1 == "re" && $2 == "im" && $3 == "modulus" {on = 1; next}
    on && NF == 3 {n++; d = $1 * $1 + $2 * $2 - $3 * $3; if (d > 1e-5 || d < -1e-5) bad++; if ($3 > most) most = $3; next}
    {on = 0} END {exit !(n > 1 && !bad && most == rho)}' "$folder/out"
answers spectral $model --format csv
is "... and so does csv" test "$(grep -c 'eigenvalues\.0\.re,eigenvalues\.0\.im,eigenvalues\.0\.modulus,eigenvalues\.1\.re' "$folder/out")" -eq 1
refuses 2 '--solver cvode-bdf.*: its steps are not linear.*; exact, euler.* have one' spectral $model --solver cvode-bdf
refuses 2 '--step-size -1' spectral $model --step-size -1
refuses 2 '--step-size 0' converge $model --step-size 0
refuses 2 '--step-size 1e+300' spectral $model --step-size 1e300
refuses 2 '--at: model mass-spring-damper is linear' spectral $model --at start
refuses 2 '--at 1x: must be start, equilibrium or a time in \[0, 5\]' spectral double-pendulum --at 1x
refuses 2 '--at 6: ' spectral double-pendulum --at 6
refuses 2 '--along' spectral double-pendulum --at 1 --along
answers spectral double-pendulum --at equilibrium
answers spectral double-pendulum --at 0.5 --step-size 0 --linear-correction
answers spectral double-pendulum --along --stop-time 0.1 --format csv
is "spectral --along: a row for each of 11 communication points" test "$(grep -c '^[0-9]' "$folder/out")" -eq 11
call run $model --format json
grep -q '^  "spectral_radius": [0-9]' "$folder/out"
result $? "run: spectral radius of a linear member"
call run double-pendulum --format json
grep -q '^  "spectral_radius": null' "$folder/out"
result $? "run: none for a nonlinear model"

# Progress: nothing for short work, lines for long work where standard error is no terminal
"$macrostep" run $model --step-size 1e-7 --stop-time 1000 >"$folder/out" 2>"$folder/err" &
process=$!
sleep 3.5
kill -INT $process
wait $process
grep -q '^macrostep: run [0-9]* %, at [0-9.e+-]* of 1000 s, .* left$' "$folder/err"
result $? "progress after two seconds: how much, where, how long"
"$macrostep" run $model --step-size 1e-7 --stop-time 1000 --quiet >"$folder/out" 2>"$folder/err" &
process=$!
sleep 3.5
kill -INT $process
wait $process
is "--quiet: none" test $? -eq 130 -a ! -s "$folder/err"
refuses 2 '--quiet: not an option of this command' show $model --quiet

echo "1..$count"
[ $failed -eq 0 ]
