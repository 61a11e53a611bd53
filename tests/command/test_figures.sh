#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep figures: a row says of a figure what `macrostep figure` says, with the same files; one that cannot be drawn is a row
# and a line that say why. Of all figures one or two are drawn here, as parts of the rows. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

"$macrostep" list figures --format csv | sed -n 's/^figure,\([^,]*\),.*/\1/p' >"$folder/figures"
n=$(wc -l <"$folder/figures")

# place_of ID: its number among all
place_of() {
    grep -nxF "$1" "$folder/figures" | cut -d: -f1
}

cat >"$folder/compare.py" <<'END_OF_SCRIPT'
import json, sys
rows, alone = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
assert rows["rows_of_grid"] == int(sys.argv[3]) and len(rows["rows"]) == 1
row = rows["rows"][0]
assert row["id"] == sys.argv[4], row["id"]
for name in "title", "source", "status", "checks_held", "checks", "remarks", "commands":
    assert row[name] == alone[name], name
assert [f.rsplit("/", 1)[1] for f in row["files"]] == [f.rsplit("/", 1)[1] for f in alone["files"]]
assert sum(c["verdict"] == "reproduced" for c in row["checks"] if not c["own"]) <= row["checks_held"][1]
END_OF_SCRIPT

for id in andersson2016:fig5.11 andersson2016:fig6.1; do
    call figures --shard "$(place_of $id)/$n" --directory "$folder/all" --format json
    is "figures: $id as a part of the rows" test "$status" -eq 0
    mv "$folder/out" "$folder/rows.json"
    call figure $id --directory "$folder/one" --format json
    is "figures: the row of $id says what figure says" \
        python3 "$folder/compare.py" "$folder/rows.json" "$folder/out" "$n" $id
done
for file in "$folder"/all/figures/*.csv "$folder"/all/figures/*.svg; do
    cmp -s "$file" "$folder/one/${file##*/}" || echo "$file"
done >"$folder/err"
is "figures: the same data and pictures as figure gives" test ! -s "$folder/err"

# As a table: what was published and measured, whatever their shape, and the verdict in words.
# A figure has also the name of its files.
call figure andersson2016-fig5.4 --directory "$folder/one"
grep -q '^verdict  *reproduced (2 sentences)$' "$folder/out"
result $? "figure: the verdict says what was compared"
grep -q '^  strongly connected components  *sentence  *one component of more than one node  *s1\.u\.u2, .*reproduced' "$folder/out"
result $? "... and a row what was published, and what was measured"

held=$(sed -n 's/^  "checks_held": \[\([0-9]*\), *\([0-9]*\)\].*/\1  *\2/p' "$folder/all/figures/andersson2016-fig5.11.json")
call report --directory "$folder/all"
grep -q "^andersson2016:fig5\.11  *reproduced  *${held:-none}  *The same" "$folder/out"
result $? "report: a row with how many checks of a figure hold"

# Without gnuplot: the row is there, with why.
mkdir "$folder/empty"
lost=$(place_of andersson2016:fig6.1)
PATH="$folder/empty" "$macrostep" figures --shard "$lost/$n" --directory "$folder/none" --output "$folder/part" 2>"$folder/err"
is "figures without gnuplot: exit 1, also of a part" test $? -eq 1
without_progress "$folder/err"
is "... and one line" test "$(sed 's/; .*//' "$folder/err")" = "macrostep: andersson2016:fig6.1: gnuplot is not on PATH"
grep -q '"id": "andersson2016:fig6\.1".*"status": null.*"error": "gnuplot is not on PATH' "$folder/part"
result $? "... a row without a status that says why"

# All rows together, which here are made up but for that one: they are a table, and what is missing is said.
awk -v n="$n" -v lost="$lost" '
    FNR == NR {id[FNR] = $0; next}
    /^{"id": / {failed = $0; next}
    {sub("\"shard\": .*", "\"shard\": \"1/1\","); line[++lines] = $0}
    END {
        for (k = 1; k < lines; k++)
            print line[k]
        for (k = 1; k <= n; k++)
            print (k == lost ? failed : "{\"id\": \"" id[k] "\", \"title\": \"title of " k "\", \"status\": \"reproduced\", " \
                "\"checks_held\": [" k ", 200], \"row\": " k - 1 "}") (k < n ? "," : "")
        print line[lines]
    }' "$folder/figures" "$folder/part" >"$folder/whole"
call merge "$folder/whole"
is "merged, with a figure that failed: exit 1" test "$status" -eq 1
is "... a line for that figure alone" test "$(sed 's/; .*//' "$folder/err")" = "macrostep: andersson2016:fig6.1: gnuplot is not on PATH"
is "... a row for each figure" test "$(grep -cF -f "$folder/figures" "$folder/out")" -eq "$n"
grep -q '^andersson2016:fig5\.1  *reproduced  *1  *200  *title of 1 ' "$folder/out" &&
    grep -q '^andersson2016:fig6\.1  *-* *0  *0  *Linear pair.*gnuplot is not on PATH' "$folder/out"
result $? "... with its status, how many checks hold, its title and what went wrong"

echo "1..$count"
[ $failed -eq 0 ]
