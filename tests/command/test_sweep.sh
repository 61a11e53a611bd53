#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep sweep: same bytes for any number of threads, interruption, resumption, refusals. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# sweep ARGUMENT ..: output in $folder/out and err, exit status in $status
sweep() {
    call sweep "$@"
}

# ended FILE: number of its runs that reached their end; 0 for none
ended() {
    n=$(grep -c end-time "$1" 2>/dev/null)
    echo "${n:-0}"
}

few="--models spring-mass,linear-pair --cases first --scheme jacobi --extrapolation-order 0,1"

# Threads
for format in csv json jsonl; do
    for threads in 1 2 3; do
        sweep $few --format $format --output "$folder/$threads.$format" --num-threads $threads
        [ "$status" -eq 0 ] && [ ! -s "$folder/out" ] && cmp -s "$folder/1.$format" "$folder/$threads.$format"
        result $? "$format: the same bytes with $threads threads"
    done
done
sweep $few --format csv
grep -v '^#' "$folder/out" | cmp -s - "$folder/rows" 2>/dev/null || grep -v '^#' "$folder/out" >"$folder/rows"
grep -v '^#' "$folder/1.csv" | cmp -s - "$folder/rows"
result $? "standard output has the same rows"

# Many rows: some of them are run before the others
many="--models example-6.3.1 --cases first --scheme jacobi --extrapolation-order 0 --stop-time 0.002 --format csv"
for threads in 1 3; do
    sweep $many --step-size 0.0001:0.0009:lin:250 --output "$folder/many$threads.csv" --num-threads $threads
done
is "many rows" test "$(rows "$folder/many1.csv")" -eq 2250
cmp -s "$folder/many1.csv" "$folder/many3.csv"
result $? "... the same bytes with 3 threads"
sweep $many --outputs consistent --smooth-coupling c0 --step-size 0.0001:0.0009:lin:250
grep ',consistent,c0,' "$folder/many1.csv" >"$folder/rows"
grep -v '^#' "$folder/out" | tail -n +2 | cmp -s - "$folder/rows"
result $? "... in the order of the grid"
head -c "$(($(wc -c <"$folder/many1.csv") / 3))" "$folder/many1.csv" >"$folder/many3.csv"
sweep $many --step-size 0.0001:0.0009:lin:250 --output "$folder/many3.csv" --num-threads 3 --resume
cmp -s "$folder/many1.csv" "$folder/many3.csv"
result $? "... and after --resume"

# A large grid says its rows, 45 variants of 400 pairs of values, and those of the default options
large="--models spring-mass --cases first --scheme jacobi --step-size 0.001:0.002:lin:20 --set c=1:2:lin:20 --stop-time 0.01"
sweep $large --format csv --shard 1/18000
is "a large grid says its rows before it starts" \
    grep -qxF 'macrostep: sweep: 18000 rows, with all variants of each scheme; --variants default has 400' "$folder/err"
sweep $large --format csv --shard 1/18000 --quiet
is "... and nothing with --quiet" test ! -s "$folder/err"
sweep $large --format csv --variants default
[ "$status" -eq 0 ] && [ "$(rows "$folder/out")" -eq 400 ] && [ ! -s "$folder/err" ]
result $? "--variants default: one row for each pair of values, and nothing to say"
call compare spring-mass --scheme jacobi --variants default --format csv --extrapolation-order 1,2
is "... and a list is a list" test "$(rows "$folder/out")" -eq 2
refuses 2 '--variants none: must be all or default' sweep --variants none

# Rows: 2 models, 1 case, 9 members of order 0, 18 of order 1, 2 step sizes
is "as many rows as the grid has" test "$(rows "$folder/1.csv")" -eq 108
grep -q '^# rows_of_grid: 108$' "$folder/1.csv"
result $? "... and the head says so"
sweep $few --format csv --wide --output "$folder/wide.csv"
awk -F, '!/^#/ && !/"/ {if (!n) n = NF; if (NF != n) exit 1}' "$folder/wide.csv"
result $? "csv --wide: as many cells as columns"
grep -q '^model,case,parameters\.[a-z]' "$folder/wide.csv" && grep -q ',errors.per_state.[a-z0-9.]*.max,' "$folder/wide.csv"
result $? "... with a column for each parameter and each state"
grep -q '^model,case,parameters,scheme.scheme,' "$folder/1.csv" && grep -q ',errors.per_state,.*,work,degraded,' "$folder/1.csv"
result $? "csv: one column of parameters, of errors of states and of work"
# The text of JSON in the column, with its quotes doubled
sed -n 's/^[a-z-]*,[a-z-]*,"\({[^}]*}\)",.*/\1/p' "$folder/1.csv" | sed 's/""/"/g' >"$folder/cells"
sed -n 's/.*"parameters": \({[^}]*}\).*/\1/p' "$folder/1.json" | cmp -s - "$folder/cells"
result $? "... which is that of the row in JSON"
is "... of each row" test "$(wc -l <"$folder/cells")" -eq 108
# JSON without what stands around the rows and between them is JSON by lines
sed -n -e '1d' -e 's/,$//' -e '/^{"model"/p' "$folder/1.json" >"$folder/lines"
tail -n +2 "$folder/1.jsonl" | cmp -s - "$folder/lines"
result $? "jsonl: the rows of json"
is "... each on a line" test "$(wc -l <"$folder/1.jsonl")" -eq 109
head -n 1 "$folder/1.jsonl" | grep -q '^{"provenance": {"version": .*}, "rows_of_grid": 108}$'
result $? "... behind a line with the provenance"
grep -v '^#' "$folder/1.csv" | head -n 1 | grep -q 'growth_observed,growth_predicted,agree,note$'
result $? "csv: growth stands at the end"
grep -q 'wall_seconds' "$folder/1.csv" "$folder/1.json"
is "no wall_seconds" test $? -eq 1
is "every growth agrees" test "$(grep -c '"agree": true' "$folder/1.json")" -eq 108
grep -q ' done; 108 rows; of them growth as predicted 108, otherwise 0$' "$folder/1.csv.log"
result $? "the log beside the file"
sweep --models example-6.3.1 --stop-time 0.05 --extrapolation-order 2 --derivatives analytic --scheme jacobi --format json
is "a pair that does not fit is done" test "$status" -eq 0
grep -q '"reason": "incompatible", "message": "[^"]' "$folder/out" && grep -q '"agree": null' "$folder/out"
result $? "... and a row with the reason"
echo '{"subsystems": [{"A": [[1e200]], "B": [[1]], "C": [[1]]}], "wires": [[0, 0, 1]]}' >"$folder/steep.json"
sweep --system "$folder/steep.json" --scheme jacobi --extrapolation-order 0 --format json
is "exponentials that overflow: no growth is predicted" test "$(grep -c '"growth_predicted": null' "$folder/out")" -eq 18 \
    -a "$(grep -c '"spectral_radius": null' "$folder/out")" -eq 18
sweep --models spring-mass --scheme jacobi --extrapolation-order 0 --set c=1,4 --step-size 0.1
is "table: both values of the list, nine members" test "$(grep -c '^spring-mass' "$folder/out")" -eq 18
sweep --models quarter-car,linear-pair --cases physical,stable --extrapolation-order 0 --outputs corrected --format csv
is "cases by name" test "$(grep -c ',physical,' "$folder/out")" -gt 0 -a "$(grep -c ',as-printed,' "$folder/out")" -eq 0

# Wrong calls
tiny="--scheme jacobi --extrapolation-order 0 --derivatives differences --outputs inconsistent --smooth-coupling none"
sweep --models all --cases first $tiny --stop-time 0.001 --step-size 0.001 --format csv
grep -q '^plate-chain,' "$folder/out" && ! grep -q -e '^bell,' -e '^lim-manipulator,' "$folder/out"
result $? "all: the models with couplings, but for slow ones"
sweep --models spring-mass $tiny --stop-time 1 --step-size 0.1 --format json
is "a row takes ten times its steps at most" grep -q '"max_steps": 100.0' "$folder/out"
sweep --models spring-mass $tiny --stop-time 1 --step-size 0.1 --max-steps 7 --format json
is "... or as many as are asked for" grep -q '"reason": "work-limit"' "$folder/out"
sweep --models bell,van-der-pol --cases first $tiny --step-size 0.1 --format csv
is "... others where they are named" test "$(grep -c -e '^bell,.*end-time' -e '^van-der-pol,.*end-time' "$folder/out")" -eq 2
refuses 2 '--models spring-mas: unknown model; the nearest is spring-mass' sweep --models spring-mas
echo '{}' >"$folder/own.json"
refuses 2 "these are names of models; a file is swept by --system $folder/own.json" sweep --models "$folder/own.json"
small="--scheme jacobi --extrapolation-order 0 --outputs inconsistent --step-size 0.01 --stop-time 0.1 --format csv --comments no"
echo '{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]]}], "wires": [[0, 0, 0.5]]}' >"$folder/named.json"
for given in '--models spring-mass' "--system $folder/named.json"; do
    answers sweep $small $given
    cp "$folder/out" "$folder/named"
    answers sweep ${given#* } $small
    is "the word is read as $given" cmp "$folder/named" "$folder/out"
done
refuses 2 '^macrostep: spring-mass and --models quarter-car: leave one of them out' sweep spring-mass --models quarter-car
refuses 2 '^macrostep: spring-mass and --system .*own.json: leave one of them out' sweep spring-mass --system "$folder/own.json"
refuses 1 'missing.json: No such file' sweep "$folder/missing.json"
refuses 2 '--models' sweep --models spring-mass,
refuses 2 '--cases fien' sweep --models mass-spring-damper --cases fien
refuses 2 'linear-pair has none of these' sweep --models quarter-car,linear-pair --cases physical
refuses 2 '--scheme jacobbi: unknown; the nearest is jacobi' sweep --scheme jacobi,jacobbi
refuses 2 '--set kc=1: ' sweep --models quarter-car,spring-mass --set kc=1
refuses 2 '--set c=-1: ' sweep --models spring-mass --set c=1,-1
refuses 2 '--num-threads 0: must be a whole number' sweep --num-threads 0
refuses 2 '--num-threads two' sweep --num-threads two
refuses 2 '--num-threads 0x2' sweep --num-threads 0x2
refuses 2 '--solver nope: unknown' sweep --models spring-mass --solver exact,nope
refuses 2 '--models all: cannot be part of a list' sweep --models all,spring-mass
refuses 2 '--cases first: cannot be part of a list' sweep --models quarter-car --cases first,physical
refuses 2 '--step-size 100.*at most' sweep --models spring-mass --step-size 100
refuses 2 '--resume: needs' sweep --models spring-mass --format csv --resume
refuses 2 '--resume: requires' sweep --models spring-mass --resume --output "$folder/x"
refuses 2 '--resume: takes no value' sweep --models spring-mass --resume=yes
refuses 2 'unexpected word quarter-car' sweep spring-mass quarter-car
is "a call that is wrong makes no file" test ! -e "$folder/x"

# Resumption with other options
refuses 2 '1.csv was made with --extrapolation-order 0,1, this call has --extrapolation-order 0,2' sweep \
    --models spring-mass,linear-pair --cases first --scheme jacobi --extrapolation-order 0,2 \
    --format csv --output "$folder/1.csv" --resume
refuses 2 '1.csv was made without --step-size 0.1' sweep $few --step-size 0.1 --format csv --output "$folder/1.csv" --resume
refuses 2 '1.jsonl was made without --step-size 0.1' sweep $few --step-size 0.1 --format jsonl --output "$folder/1.jsonl" --resume
refuses 2 '1.csv was made without --wide' sweep $few --wide --format csv --output "$folder/1.csv" --resume
refuses 2 '--wide applies only to --format csv' sweep $few --wide --format json
refuses 2 '1.csv is not a sweep in the format' sweep $few --format json --output "$folder/1.csv" --resume
echo other >"$folder/other"
refuses 2 'other is not a sweep' sweep $few --format csv --output "$folder/other" --resume
is "... and the file is left as it was" test "$(cat "$folder/other")" = other

# A whole file, an empty one, a missing one, and torn ones
cp "$folder/1.csv" "$folder/a.csv"
sweep $few --format csv --output "$folder/a.csv" --resume
[ "$status" -eq 0 ] && cmp -s "$folder/1.csv" "$folder/a.csv"
result $? "--resume of a whole sweep changes nothing"
for format in csv json jsonl; do
    size=$(wc -c <"$folder/1.$format")
    for part in 0 100 $((size / 3)) $((size / 2)) $((size - 3)) $((size - 1)); do
        head -c "$part" "$folder/1.$format" >"$folder/a.$format"
        sweep $few --format $format --output "$folder/a.$format" --resume
        [ "$status" -eq 0 ] && cmp -s "$folder/1.$format" "$folder/a.$format"
        result $? "$format torn at byte $part of $size is resumed to the same bytes"
    done
done
rm "$folder/a.csv"
sweep $few --format csv --output "$folder/a.csv" --resume
cmp -s "$folder/1.csv" "$folder/a.csv"
result $? "--resume of nothing begins"

# Interruption
long="--models quarter-car,mass-spring-damper --cases first --step-size 0.00005"
short="$long --scheme jacobi --extrapolation-order 0 --stop-time 1.5"

# interrupted SIGNAL FORMAT: the signal comes when some rows are there; the exit status in $status
interrupted() {
    rm -f "$folder/k.$2"
    "$macrostep" sweep $short --format "$2" --output "$folder/k.$2" >"$folder/out" 2>"$folder/err" </dev/null &
    process=$!
    waited=0
    while [ "$(ended "$folder/k.$2")" -lt 2 ] && [ $waited -lt 200 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
    kill -"$1" $process
    wait $process 2>/dev/null
    status=$?
}

sweep $short --format csv --output "$folder/whole.csv"
sweep $short --format json --output "$folder/whole.json"
is "18 rows" test "$(rows "$folder/whole.csv")" -eq 18
for case in INT:csv:130 INT:json:130 TERM:csv:130 KILL:csv:137 KILL:json:137; do
    signal=${case%%:*} wanted=${case##*:}
    format=${case#*:}
    format=${format%:*}
    interrupted "$signal" "$format"
    is "SIG$signal: exit $wanted" test "$status" -eq "$wanted"
    if [ "$wanted" -eq 130 ]; then
        grep -q 'interrupted after [0-9]* of 18 rows; the same call with --resume' "$folder/err"
        result $? "... with a line that says how to go on"
    fi
    if [ "$format" = csv ]; then
        head -c "$(wc -c <"$folder/k.csv")" "$folder/whole.csv" | cmp -s - "$folder/k.csv"
    else
        tail -c 4 "$folder/k.json" | tr -d '\n' | grep -q ']}'
    fi
    result $? "... and the file with the rows so far is valid $format"
    is "... with fewer rows than the grid" test "$(ended "$folder/k.$format")" -lt 18
    sweep $short --format "$format" --output "$folder/k.$format" --resume --num-threads 1
    [ "$status" -eq 0 ] && cmp -s "$folder/whole.$format" "$folder/k.$format"
    result $? "... and --resume ends with the bytes of an uninterrupted sweep"
done

# A grid so large that counting it takes days
"$macrostep" sweep --models spring-mass --step-size 0.1:0.2:lin:1000000 --set c=1:2:lin:1000000 --format csv \
    --output "$folder/huge.csv" >"$folder/out" 2>"$folder/err" </dev/null &
process=$!
waited=0
while kill -0 $process 2>/dev/null && [ $waited -lt 400 ]; do
    sleep 0.05
    waited=$((waited + 1))
    [ $((waited % 20)) -ne 10 ] || kill -INT $process # a command that has not begun yet does not hear the first one
done
kill -KILL $process 2>/dev/null
wait $process 2>/dev/null
is "SIGINT before the first row: exit 130" test $? -eq 130 -a ! -e "$folder/huge.csv"

# Two sweeps on one file. The first holds it from before it has a byte.
rm -f "$folder/k.csv"
"$macrostep" sweep $long --format csv --output "$folder/k.csv" >"$folder/out" 2>&1 </dev/null &
process=$!
waited=0
while [ ! -s "$folder/k.csv" ] && [ $waited -lt 1200 ]; do
    sleep 0.05
    waited=$((waited + 1))
done
sweep $long --format csv --output "$folder/k.csv"
[ "$status" -eq 1 ] && grep -q 'another sweep is writing it' "$folder/err"
result $? "a file that another sweep writes is refused"
kill -INT $process
wait $process

echo "1..$count"
[ $failed -eq 0 ]
