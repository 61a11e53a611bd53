#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep estimate and --inputs: answers, files, bad data with its line, interruption. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

model=quadruple-tank
m=$folder/m.csv
fit="--measurements $m --parameters a1,a2,a3,a4"

# cell NAME COLUMN: of the CSV answer in $folder/out
cell() {
    grep -v '^#' "$folder/out" | awk -F, -v name="$1" -v column="$2" \
        'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} $at["name"] == name {print $at[column]}'
}

answers help estimate
grep -q '^macrostep estimate MODEL' "$folder/out"
result $? 'the help names its use'

# A trajectory is a file of measurements: states, outputs, and inputs, which are left aside.
answers run $model --case estimated --solver gsl-rk8pd --extrapolation-order 2 --step-size 0.1 --trajectory "$folder/full.csv"
sed -n '/^#/p; /^time/p' "$folder/full.csv" >"$m"
grep -v '^#\|^time' "$folder/full.csv" | awk 'NR % 10 == 1' >>"$m"

# Formats and answers
# shellcheck disable=SC2086
{
    answers estimate $model $fit
    grep -q '^a4 ' "$folder/out" && grep -q '^reason  *converged' "$folder/out"
    result $? 'the table has parameters and the reason'
    answers estimate $model $fit --format csv
    is 'a1 is that of Table 9.6' near "$(cell a1 estimate)" 0.02660115e-4 1e-5
    is 'a4 is that of Table 9.6' near "$(cell a4 estimate)" 0.02929907e-4 1e-5
    is 'it starts from Table 9.5' near "$(cell a1 start)" 0.03e-4 1e-12
    answers estimate $model $fit --format csv --method nelder-mead
    is 'a2 by Nelder and Mead' near "$(cell a2 estimate)" 0.0270179e-4 1e-4
    answers estimate $model $fit --format csv --step-size 1
    is 'held inputs over 1 s shift a1 a little' near "$(cell a1 estimate)" 0.02660115e-4 1e-3
    first=$(cell a1 estimate)
    answers estimate $model $fit --format csv --step-size 0.5
    awk "BEGIN {t = 0.02660115e-4; r = ($first - t) / ($(cell a1 estimate) - t); exit !(r > 1.8 && r < 2.2)}"
    result $? 'half the step, half the shift'
    printf '%s\n' time,mass.y.v 0,0 0.5,-0.479 1,-0.841 1.5,-0.997 >"$folder/spring.csv"
    answers estimate spring-mass --measurements "$folder/spring.csv" --parameters c=1.1 --scheme power --step-size 0.1 --format json
    grep -q '"solver": "automatic"' "$folder/out"
    result $? 'the answer names the micro-solver that laws of inputs take'
    answers estimate $model $fit --format json --step-size 1 --solver rk4
    grep -q '"form": "co-simulated"' "$folder/out" && grep -q '"step_size": 1' "$folder/out"
    result $? 'the answer says that and how it was co-simulated'
    answers estimate $model $fit --format json --solver rk4
    grep -q '"form": "monolithic"' "$folder/out" && grep -q '"scheme": null' "$folder/out"
    result $? 'a micro-solver alone does not make a co-simulation'
    tr -d ' \n' <"$folder/out" | grep -q '"solver":{"name":"rk4",' && grep -q '"parameters": {' "$folder/out"
    result $? 'the answer names it, and all parameters at the start'
    cp "$folder/out" "$folder/first"
    call estimate $model $fit --format json --solver rk4
    cmp -s "$folder/out" "$folder/first"
    result $? 'the same bytes again'
    call estimate $model $fit --solver rk4 --trajectory "$folder/fit.csv" --output "$folder/answer.json" --format json
}
[ "$status" -eq 0 ] && [ -s "$folder/answer.json" ] && [ ! -s "$folder/out" ]
result $? '--output takes the answer'
head=$(grep -v '^#' "$folder/fit.csv" | head -n 1)
[ "${head%%,tank2*}" = time,tank1.x.x1,tank1.x.x1.measured ] && [ "$(grep -vc '^#' "$folder/fit.csv")" -eq 62 ]
result $? '--trajectory: fitted and measured, a row for each'
grep -v '^#' "$m" | tail -n +2 | cut -d, -f1-5,8-11 >"$folder/measured"
grep -v '^#' "$folder/fit.csv" | tail -n +2 | cut -d, -f1,3,5,7,9,11,13,15,17 | cmp -s - "$folder/measured"
result $? '... measured as they were, at their times'
answers estimate $model --measurements "$m" --parameters a1=2.5e-6,a3=3.2e-6 --case estimated --format csv
is 'a start of its own' near "$(cell a3 start)" 3.2e-6 1e-12
is 'two parameters' near "$(cell a3 estimate)" 0.03008687e-4 1e-5

# Standard deviations: the largest absolute value of each column, also where --sigma gives that of another
most=$(grep -v '^#' "$m" | awk -F, 'NR > 1 && $2 + 0 > most + 0 {most = $2} END {print most}')
answers estimate $model --measurements "$m" --parameters a1,a2 --step-size 1 --format csv
largest=$(cell a1 estimate)/$(cell a2 standard_error)
answers estimate $model --measurements "$m" --parameters a1,a2 --step-size 1 --format csv --sigma "tank1.x.x1=$most"
is 'one that is the largest value changes nothing' test "$(cell a1 estimate)/$(cell a2 standard_error)" = "$largest"
answers estimate $model --measurements "$m" --parameters a1,a2,a3,a4 --sigma 1e-3 --solver rk4 --format csv
answers estimate $model --measurements "$m" --parameters a1,a2,a3,a4 --sigma tank1.x.x1=1e-3,tank3.y.q=1e-8 --solver rk4 --format csv
refuses 2 '--sigma 0: must be finite and greater than 0' estimate $model --measurements "$m" --parameters a1 --sigma 0
refuses 2 '--sigma tank1.x.x1=-1: must be greater than 0' estimate $model --measurements "$m" --parameters a1 --sigma tank1.x.x1=-1
refuses 2 '--sigma tank1.x.x1=one: the value' estimate $model --measurements "$m" --parameters a1 --sigma tank1.x.x1=one
refuses 2 '--sigma tank1.x.y: .*the nearest is tank1.x.x1' estimate $model --measurements "$m" --parameters a1 --sigma tank1.x.y=1

# What is missing or wrong
refuses 2 '--measurements FILE.csv is missing' estimate $model --parameters a1
refuses 2 '--parameters NAME\[=START\],.. is missing' estimate $model --measurements "$m"
refuses 2 '--parameters b1: model quadruple-tank has no such parameter; the nearest is' estimate $model --measurements "$m" --parameters b1
refuses 2 'parameter a1 is named twice' estimate $model --measurements "$m" --parameters a1,a1
refuses 2 '--parameters a1=-1: .*range is \[1e-06, inf)' estimate $model --measurements "$m" --parameters a1=-1
refuses 2 '--parameters a1=big: the value must be a finite number' estimate $model --measurements "$m" --parameters a1=big
refuses 2 '--method newton: must be trust-region or nelder-mead' estimate $model --measurements "$m" --parameters a1 --method newton
refuses 2 '--tolerance 0: must be' estimate $model --measurements "$m" --parameters a1 --tolerance 0
refuses 2 '--max-simulations 0: must be' estimate $model --measurements "$m" --parameters a1 --max-simulations 0
refuses 2 '--stop-time: not an option of this command' estimate $model --measurements "$m" --parameters a1 --stop-time 3
refuses 2 '--set a1: estimate takes one value' estimate $model --measurements "$m" --parameters a1 --set a1=1e-6,2e-6
refuses 2 'time 0 is before the start at 1 s' estimate $model --measurements "$m" --parameters a1 --start-time 1
refuses 2 '--step-size 70: must be' estimate $model --measurements "$m" --parameters a1 --step-size 70
refuses 2 '--trajectory .*the answer goes there' estimate $model --measurements "$m" --parameters a1 --trajectory -
cp "$m" "$folder/read.csv"
ln -s read.csv "$folder/link.csv"
refuses 2 'the measurements are read from there' estimate $model --measurements "$folder/read.csv" --parameters a1 --trajectory "$folder/link.csv"
refuses 2 'the measurements are read from there' estimate $model --measurements "$folder/read.csv" --parameters a1 --output "$folder/./read.csv"
is 'what was measured is still there' cmp -s "$m" "$folder/read.csv"
refuses 1 'no-such.csv: cannot be read' estimate $model --measurements "$folder/no-such.csv" --parameters a1
refuses 1 'missing/' estimate $model --measurements "$m" --parameters a1 --output "$folder/missing/x"
refuses 2 'unknown model' estimate quadruple-tnk --measurements "$m" --parameters a1
refuses 2 '--measurements: not an option of this command' run $model --measurements "$m"

# bad WHAT LINES..: a file of these lines is refused with WHAT
bad() {
    what=$1
    shift
    printf '%s\n' "$@" >"$folder/bad.csv"
    refuses 2 "$folder/bad.csv, $what" estimate $model --measurements "$folder/bad.csv" --parameters a1
}
bad 'line 3: no value' time,tank1.x.x1 0,1 1, 2,1
bad 'line 3: nan in column tank1.x.x1' time,tank1.x.x1 0,1 1,nan
bad 'line 4: time 1 after 2 ' time,tank1.x.x1 0,1 2,1 1,1
bad 'line 3: 3 values' time,tank1.x.x1 0,1 1,1,1
bad 'line 2: column tank1.x.y names no state or output' '# remark' time,tank1.x.y 0,1 1,1
bad 'line 2: the file ends without rows' '# remark' time,tank1.x.x1

# Inputs
{
    echo '# steps'
    echo 'time,*.w.u1,*.w.u2'
    printf '%s\n' 0,5,5 20,5,6 21,6,4 60,6,4
} >"$folder/u.csv"
answers run $model --case estimated --inputs "$folder/u.csv" --solver gsl-rk8pd --extrapolation-order 2 --step-size 0.1 \
    --trajectory "$folder/full.csv"
answers estimate $model --inputs "$folder/u.csv" --measurements "$folder/full.csv" --parameters a1,a2,a3,a4 --format csv
is 'a2 with inputs of its own' near "$(cell a2 estimate)" 0.0270179e-4 1e-5
answers estimate $model --measurements "$folder/full.csv" --parameters a1,a2,a3,a4 --format csv
near "$(cell a2 estimate)" 0.0270179e-4 1e-3
[ $? -ne 0 ]
result $? 'and with those of the model another one'
answers run $model --case estimated --inputs "$folder/u.csv" --solver gsl-rk8pd --extrapolation-order 2 --step-size 0.1 \
    --trajectory "$folder/threads.csv" --execution parallel --num-threads 2
grep -v '^#' "$folder/full.csv" >"$folder/a"
grep -v '^#' "$folder/threads.csv" | cmp -s - "$folder/a"
result $? 'the same bits on two threads'
refuses 2 'the inputs are read from there' run $model --inputs "$folder/u.csv" --trajectory "$folder/./u.csv"
refuses 2 'u.csv: the run goes from 0 to 61 s' run $model --inputs "$folder/u.csv" --stop-time 61
sed -i 's/u2/u3/' "$folder/u.csv"
refuses 2 'u.csv, line 2: column \*.w.u3 names no external input' run $model --inputs "$folder/u.csv"
refuses 1 'no-such.csv: cannot be read' run $model --inputs "$folder/no-such.csv"
refuses 2 '--inputs: not an option of this command' show $model --inputs "$folder/u.csv"

# Interruption: the best point so far is the answer; a slow machine has none yet, and says that it was interrupted
"$macrostep" estimate $model --measurements "$m" --parameters a1=2e-5,a2=2e-5,a3=2e-5,a4=2e-5 --method nelder-mead \
    --step-size 0.0005 --solver rk4 >"$folder/out" 2>"$folder/err" &
process=$!
sleep 1
kill -INT $process
wait $process
[ $? -eq 130 ] && { [ -s "$folder/out" ] || [ "$(cat "$folder/err")" = 'macrostep: interrupted' ]; }
result $? 'interrupted: exit 130'

echo "1..$count"
[ "$failed" -eq 0 ]
