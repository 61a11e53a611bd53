#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep report: its pages, a single file, commands of the errata. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)

mkdir "$folder/results"
answers figure andersson2016:fig6.1 --directory "$folder/results/figures"
answers report --directory "$folder/results" --format json
for page in report.html report.md field.html errata.html ledger.html explorer.html; do
    is "report: a file $page" test -s "$folder/results/$page"
    grep -qF "\"$folder/results/$page\"" "$folder/out"
    result $? "... the answer names it, with its folder"
done
page=$folder/results/report.html
for link in andersson2016-fig6.1.svg andersson2016-fig6.1.pdf andersson2016-fig6.1.gp andersson2016-fig6.1-limit-a.csv; do
    is "report: a link to $link" grep -q "href=\"figures/$link\"" "$page"
done
is "report: each figure has a section" \
    test "$(grep -c '<section class="figure"' "$page")" -eq "$("$macrostep" list figures --format csv | grep -c "^figure,")"
rm -f "$folder"/results/*.html
answers report --directory "$folder/new" --single-file # a folder that is not there is made
answers report --directory "$folder/results" --single-file
is "report --single-file: the picture is in it" grep -q 'src="data:image/svg' "$page"
is "... and no other page beside it" test ! -e "$folder/results/errata.html"
grep -q 'href="figures/' "$page"
is "... and no link to a file" test $? -ne 0
refuses 2 'single-file' list --single-file

# Figures of a folder: by paper, then by file
mkdir "$folder/own"
for figure in a=doe2020b:one b=doe2020:two c=doe2020b:three d=doe2020:four e=abe2021:five; do
    printf '{"id": "%s", "title": "t", "source": "s", "picture": false, "runs": {"r": {"command": "run linear-pair --stop-time 0.1", "values": {"n": "answer.macro_steps"}}},
        "checks": [{"kind": "own", "what": "steps", "expected": "some", "measured": "r.n", "holds": "r.n > 0"}]}' "${figure#*=}" >"$folder/own/${figure%%=*}.json"
done
answers report "$folder/own" --directory "$folder/pages" --format csv --comments no
is "figures of a folder are sorted by paper, then by file" \
    test "$(sed 's/,.*//; 1d' "$folder/out" | tr '\n' ' ')" = 'abe2021:five doe2020:two doe2020:four doe2020b:one doe2020b:three '

# What shows an erratum runs.
sed -n 's/^ *"command": "macrostep \(.*\)",*$/\1/p; s/.*"command": "macrostep \([^"]*\)".*/\1/p' \
    "$here/bench/report/inside/errata.json" | sort -u >"$folder/commands"
is "errata: there are commands" test -s "$folder/commands"
while read -r line; do
    # shellcheck disable=SC2086
    answers $line
done <"$folder/commands"

echo "1..$count"
[ $failed -eq 0 ]
