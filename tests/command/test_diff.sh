#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep diff A B: exit status 0, 3, 2; verdicts, checks and numbers of figures, answers as JSON, jsonl and CSV. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# differs STATUS PATTERN ARGUMENT ..: the exit status, and a line of the table
differs() {
    wanted=$1 pattern=$2
    shift 2
    call diff "$@"
    [ "$status" -eq "$wanted" ] && [ ! -s "$folder/err" ] && grep -q -e "$pattern" "$folder/out"
    result $? "exit $wanted, $pattern: diff $*"
}

# An answer against itself, another time, another call
for format in json jsonl csv; do
    call compare linear-pair --extrapolation-order 0 --format $format --output "$folder/a.$format"
    call compare linear-pair --extrapolation-order 0 --format $format --output "$folder/b.$format" --num-threads 1
    differs 0 '^same *yes$' "$folder/a.$format" "$folder/b.$format"
    call compare linear-pair --extrapolation-order 0 --step-size 0.02 --format $format --output "$folder/c.$format"
    differs 3 '^number .* rows\.[0-9]*\..*step_size ' "$folder/a.$format" "$folder/c.$format"
    grep -q '^same *no$' "$folder/out"
    result $? "... and says so"
done
rows=$(grep -c '^[a-z]' "$folder/a.csv")
is "csv: of each column one row, with how many of its cells differ" test "$(awk '/scheme.step_size/ {print $NF}' "$folder/out")" -eq $((rows - 1))
call diff "$folder/a.json" "$folder/b.json" --format json
grep -q '"same": true' "$folder/out" && grep -q '"rows": \[\]' "$folder/out"
result $? "json: no rows"

# Tolerances: 1 against 1.0005 and 0 against 1e-5
echo '{"x": [1, 0], "stable": true, "note": "a", "only": 1}' >"$folder/1.json"
echo '{"x": [1.0005, 1e-5], "stable": false, "note": "b", "wall_seconds": 3}' >"$folder/2.json"
differs 3 '^number  *1.json  *x\.1  *0  *1e-05  *1  *2$' "$folder/1.json" "$folder/2.json"
differs 3 '^number  *1.json  *x\.0  *1  *1.0005  *0.00049975  *1$' "$folder/1.json" "$folder/2.json" --absolute-tolerance 2e-5
is "verdicts before numbers, numbers before texts" test "$(awk '$2 == "1.json" {printf "%s ", $1}' "$folder/out")" = "missing verdict number text "
call diff "$folder/1.json" "$folder/2.json" --absolute-tolerance 2e-5 --relative-tolerance 1e-3
is "both tolerances: no number" test "$(grep -c '^number ' "$folder/out")" -eq 0
differs 0 '^differences *0$' "$folder/1.json" "$folder/2.json" --absolute-tolerance 2e-5 --relative-tolerance 1e-3 --ignore stable,note,only
differs 0 '^numbers  *3$' "$folder/1.json" "$folder/1.json" --relative-tolerance 0 --absolute-tolerance 0

# Folders of figures: a verdict, a number of a check, a check and a file that are gone, a cell
mkdir "$folder/A"
call figure andersson2016:fig6.1 --directory "$folder/A/figures"
cp -r "$folder/A" "$folder/B"
json="$folder/B/figures/andersson2016-fig6.1.json" csv="$folder/B/figures/andersson2016-fig6.1-a.csv"
differs 0 '^same *yes$' "$folder/A" "$folder/B"
sed -i '0,/"status": "not-determined"/s//"status": "deviates"/; 0,/"verdict": "reproduced"/s//"verdict": "deviates"/; 0,/"tolerance": 0.002/s//"tolerance": 0.001/' "$json"
sed -i 's/^0\.004,.*/0.004,1/' "$csv"
rm "$folder/B/figures/andersson2016-fig6.1-limit-a.csv"
echo 'x' >"$folder/B/figures/more.csv"
differs 3 '^verdict .*fig6.1.json  *status  *not-determined  *deviates ' "$folder/A" "$folder/B"
for line in '^verdict .*fig6.1.json  *checks\..*\.verdict ' '^check .*fig6.1.json  *checks\..*tolerance  *0.002  *0.001  *0.5 ' \
    '^number .*fig6.1-a.csv  *rows.2.y1 ' '^missing  *figures/andersson2016-fig6.1-limit-a.csv  *there  *-' '^missing  *figures/more.csv  *-  *there'; do
    grep -q "$line" "$folder/out"
    result $? "... $line"
done
call diff "$folder/A" "$folder/B" --format json
is "differences are those of all kinds" test "$(sed -n '/"kinds"/,/}/s/.*: \([0-9]*\),*$/\1/p' "$folder/out" | awk '{n += $1} END {print n}')" = "$(number differences)"
mkdir "$folder/empty"
refuses 2 'hold no results' diff "$folder/empty" "$folder/empty"
refuses 2 'A: is a folder, and .*1.json is none' diff "$folder/A" "$folder/1.json"
refuses 1 'nowhere: No such file' diff "$folder/A" "$folder/nowhere"
refuses 2 'two results are compared' diff "$folder/A"
refuses 2 'unexpected word' diff "$folder/A" "$folder/B" "$folder/A"
echo '{' >"$folder/broken.json"
refuses 2 'broken.json: line 2: ' diff "$folder/1.json" "$folder/broken.json"
printf '# x\na,b\n1,2\n3\n' >"$folder/broken.csv"
refuses 2 'broken.csv: line 4: does not have the 2 cells' diff "$folder/broken.csv" "$folder/broken.csv"
refuses 2 '--relative-tolerance 2: must be' diff "$folder/1.json" "$folder/2.json" --relative-tolerance 2

echo "1..$count"
[ $failed -eq 0 ]
