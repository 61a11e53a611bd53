#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep ledger: an item of a figure that was drawn, of one that was not, counts at the end, the page of the report. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

mkdir "$folder/results"
answers figure andersson2016:fig5.3 --directory "$folder/results/figures"
answers ledger andersson2016 --directory "$folder/results"
grep -q '^andersson2016  *16  *Fig\. 5\.3, .*andersson2016:fig5\.3  *reproduced  *fair$' "$folder/out"
result $? "an item whose figure was drawn"
grep -q '^andersson2016  *17  *Fig\. 5\.4 .*andersson2016:fig5\.4  *-  *not-drawn$' "$folder/out"
result $? "... and one whose figure was not"
is "... counts at the end" test "$(tail -n 7 "$folder/out" | awk '{sum += $2} END {print sum}')" -eq 173
answers ledger --directory "$folder/results" --format csv
is "all papers" test "$(rows "$folder/out")" -eq 331
answers report --directory "$folder/results"
is "report: a page of them" test "$(grep -c '^<tr><td class=number>' "$folder/results/ledger.html")" -eq 331
is "... to which the report links" grep -q 'href="ledger.html"' "$folder/results/report.html"
grep -q '<th scope="row">(6\.41)</th>.*andersson2016_fig6\.4\.json.*test_propagation_limits\.c.*andersson2016:fig6\.4' "$folder/results/ledger.html"
result $? "... and from an equation to files, tests and commands"
answers ledger andersson2016 --equations --format json
is "--equations: every numbered equation" test "$(grep -c '"equation": ' "$folder/out")" -eq 167
is "... and its call is told" grep -q '"command": "macrostep ledger andersson2016 --equations"' "$folder/out"
answers ledger --equations --format json
is "... in a source or a test, or with a reason" python3 -c '
import json, sys
for row in json.load(open(sys.argv[1]))["rows"]:
    assert row["files"] or row["tests"] or row["why"], row' "$folder/out"
answers ledger andersson2016 --equations
grep -q '^andersson2016  *6\.41  .*andersson2016_fig6\.4\.json.*macrostep figure andersson2016:fig6\.4  *-$' "$folder/out"
result $? "... as a table"
refuses 2 'unknown paper moshagen; the nearest is moshagen2021' ledger moshagen

# What shows an item runs; figures are those that the program has (test_ledger.c).
here=$(cd "$(dirname "$0")/../.." && pwd)
sed -n 's/.*"command": "macrostep \([^"]*\)".*/\1/p' "$here"/results/published/*_ledger.json | grep -v '^figure ' | sort -u >"$folder/commands"
is "there are commands" test -s "$folder/commands"
while read -r line; do
    # shellcheck disable=SC2086
    answers $line
done <"$folder/commands"

# Numbers of a reason are those of its command: what Restriction 2.1 costs.
restriction=$(grep '"place": "2.3, Restriction 2.1' "$here/results/published/andersson2016_ledger.json")
for outputs in corrected consistent; do
    answers spectral linear-pair --set d1=0.25 --set d2=-3.2 --extrapolation-order 1 --derivatives analytic \
        --smooth-coupling c0 --outputs $outputs --step-size 0.1 --format csv --columns spectral_radius
    radius=$(tail -n 1 "$folder/out" | awk -F, '{printf "%.5f", $1}')
    is "outputs $outputs: the radius of the reason" test "${restriction#*"$radius"}" != "$restriction"
done

echo "1..$count"
[ $failed -eq 0 ]
