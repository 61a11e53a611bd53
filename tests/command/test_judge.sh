#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep judge: runs of our own and results of other tools, orders over several files, bad files. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

model=spring-mass
scheme='--scheme gauss-seidel --extrapolation-order 1 --stop-time 10'

# cell ROW COLUMN: of the CSV answer in $folder/out, rows from 1; remark NAME: what stands above its rows
cell() {
    grep -v '^#' "$folder/out" | awk -F, -v row="$1" -v column="$2" \
        'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} NR == row + 1 && column in at {print $at[column]}'
}
remark() {
    sed -n "s/^# $1: //p" "$folder/out"
}

answers help judge
grep -q '^macrostep judge RESULT.csv.. MODEL' "$folder/out"
result $? 'the help names its use'

# What a run says of itself
for h in 0.2 0.1 0.05; do
    # shellcheck disable=SC2086
    answers run $model $scheme --step-size $h --trajectory "$folder/$h.csv" --format csv
    for column in max end per_state.mass.v.max per_state.spring.s.end; do
        cell 1 "errors.$column"
    done >"$folder/$h.said"
    cell 1 energy.drift >>"$folder/$h.said"
done
answers judge "$folder/0.1.csv" $model --format csv
for column in max end per_variable.mass.x.v.max per_variable.spring.x.s.end; do
    cell 1 "errors.$column"
done >"$folder/judged"
cell 1 energy.drift >>"$folder/judged"
paste "$folder/judged" "$folder/0.1.said" | while read -r judged said; do near "$judged" "$said" 1e-9 || exit 1; done
result $? 'a trajectory has the errors and the energy that its run had'
is 'one file has no order' test "$(remark message)" = 'an order requires two files'
cp "$folder/out" "$folder/first"
call judge $model "$folder/0.1.csv" --format json
is 'a result goes from its first time to its last' test "$(number start_time) $(number end_time)" = '0.0 10.0'
call judge $model "$folder/0.1.csv" --format csv
sed '/^# command/d' "$folder/out" >"$folder/second"
sed -i '/^# command/d' "$folder/first"
cmp -s "$folder/first" "$folder/second"
result $? 'operands in any order'

# Orders
# shellcheck disable=SC2086
{
    answers judge "$folder/0.05.csv" $model "$folder/0.2.csv" "$folder/0.1.csv" --norm end --format csv
    judged=$(remark order)
    is 'rows in the order given' test "$(cell 2 file)" = "$folder/0.2.csv"
    slope=$(cell 1 slope)
    answers converge $model $scheme --step-size 0.2,0.1,0.05 --norm end --format csv
    is 'the order is that of converge' near "$judged" "$(remark order)" 1e-6
    is 'and so are slopes' near "$slope" "$(cell 3 slope)" 1e-6
}
answers judge "$folder/0.1.csv" "$folder/0.1.csv" $model --format csv
remark message | grep -q 'largest time steps all differ'
result $? 'equal steps have no order'
printf '%s\n' time,mass.v 0,0 5,0.95 10,0.54 >"$folder/v.csv"
answers judge "$folder/v.csv" "$folder/0.1.csv" $model --format csv
remark message | grep -q 'same variables'
result $? 'other variables have no order'
answers judge "$folder/v.csv" $model --format csv
[ "$(cell 1 missing.0)" = spring.x.s ] && [ -z "$(cell 1 energy.drift)" ]
result $? 'without all states there is no energy, and the answer says which one is missing'
answers judge "$folder/v.csv" "$folder/0.1.csv" $model
grep -q '^order  *-' "$folder/out" && grep -q '0.1.csv  *101' "$folder/out"
result $? 'the table has a row a file'
call judge "$folder/0.1.csv" $model --format csv --output "$folder/answer.csv" --cache "$folder/cache"
[ "$status" -eq 0 ] && grep -q '^file,points' "$folder/answer.csv" && ls "$folder"/cache/*.reference >"$folder/list"
result $? '--output takes the answer, --cache the reference'

# Systems of one's own, and other parameters
printf '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "-x", "start": 1}}}]}' >"$folder/own.json"
printf '%s\n' '# their tool' 'time, a.x ,a.flag' '0,1,7' '1,0.5,7' >"$folder/own.csv"
answers judge "$folder/own.csv" "$folder/own.json" --format csv
is 'a decay by e is known to the test' near "$(cell 1 errors.end)" '(0.5 - exp(-1))' 1e-9
is 'what no variable is named is ignored' test "$(cell 1 ignored.0)" = a.flag
answers judge --system "$folder/own.json" "$folder/own.csv"
printf '%s\n' time,mass.v 0,0 1,-0.5 >"$folder/heavy.csv"
answers judge "$folder/heavy.csv" $model --set m=4 --format csv
is '--set changes the reference' near "$(cell 1 errors.max)" '(0.5 - 0.5 * sin(0.5))' 1e-9

# Wrong calls
refuses 2 'judge: a result is missing: macrostep judge RESULT.csv.. MODEL' judge $model
refuses 2 'judge: the name of a model or --system FILE is missing' judge "$folder/v.csv"
refuses 2 'unexpected word other; .* spring-mass is the model' judge "$folder/v.csv" $model other
refuses 2 'takes the place of the model spring-mass' judge "$folder/v.csv" $model --system "$folder/own.json"
refuses 2 '--step-size: not an option of this command' judge "$folder/v.csv" $model --step-size 0.1
refuses 2 '--output .*: a result is read from there' judge "$folder/v.csv" $model --output "$folder/v.csv"
refuses 1 'no/such.csv: cannot be read' judge no/such.csv $model

# bad PATTERN LINE ..: a file of these lines is refused
bad() {
    pattern=$1
    shift
    printf '%s\n' "$@" >"$folder/bad.csv"
    refuses 2 "bad.csv.*$pattern" judge "$folder/bad.csv" $model
}
bad 'line 1: no column is a variable of model spring-mass; of mass.z the nearest is mass.x.v' time,mass.z,F 0,0,0
bad 'line 1: columns mass.x.v and mass.v are both mass.x.v' time,mass.x.v,mass.v 0,0,0
bad 'line 1: the first column is t; it must be time' t,mass.v 0,0
bad 'line 3: fast in column mass.v is not a number' time,mass.v 0,0 1,fast
bad 'line 3: nan in column mass.v; it must be a finite number' time,mass.v 0,0 1,nan
bad 'line 3: time 0 after 0 in the row before; times must ascend' time,mass.v 0,0 0,1
bad 'line 4: time 0.5 after 1' time,mass.v 0,0 1,0 0.5,0
bad 'line 2: time -1 is before the start at 0 s (--start-time)' time,mass.v -1,0
bad 'no value in some rows of column mass.v' time,mass.v 0,
bad 'ends without rows' time,mass.v
bad 'ends without the line of names' '# nothing'
: >"$folder/bad.csv"
refuses 2 'bad.csv.*ends without the line of names' judge "$folder/bad.csv" $model
head -c 300 "$macrostep" >"$folder/bad.csv"
refuses 2 'bad.csv' judge "$folder/bad.csv" $model
printf '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "x^2", "start": 1}}}]}' >"$folder/escapes.json"
printf '%s\n' time,a.x 0,1 2,1 >"$folder/escapes.csv"
refuses 2 'escapes.csv, line 3: time 2: the reference of model .* does not reach beyond 0 s' judge "$folder/escapes.csv" "$folder/escapes.json"

echo "1..$count"
[ "$failed" -eq 0 ]
