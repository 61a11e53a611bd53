#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names as long as the reader takes them, which differ in their last letter alone: none is cut, none vanishes.
. "$(dirname "$0")/../support/shell/tap.sh"
long=$(printf '%099d' 0 | tr 0 n)
cat >"$folder/long.json" <<END
{"subsystems": [{"name": "${long}1", "inputs": ["${long}1", "${long}2"],
                 "outputs": {"${long}3": "${long}4", "${long}5": "${long}6"},
                 "states": {"${long}4": {"derivative": "-${long}4^3 + ${long}1", "start": 1},
                            "${long}6": {"derivative": "-${long}6 + ${long}2", "start": 2}}},
                {"name": "${long}2", "A": [[-1, 0], [0, -2]], "B": [[1, 0], [0, 1]], "C": [[1, 0], [0, 1]]}],
 "wires": [[2, 0, 1], [3, 1, 1], [0, 2, -1], [1, 3, -1]]}
END
# words PATTERN: how many different ones of the answer match
words() {
    grep -o "$1" "$folder/out" | sort -u | wc -l
}
answers run "$folder/long.json" --format json
is "four states have errors" test "$(words "\"${long}[12].[^\"]*\": {")" -eq 4
answers run "$folder/long.json" --format csv
is "... as columns, too" test "$(grep -v '^#' "$folder/out" | head -n 1 | tr , '\n' | grep -c 'per_state.*\.rmse')" -eq 4
is "... and all have different names" test -z "$(grep -v '^#' "$folder/out" | head -n 1 | tr , '\n' | sort | uniq -d)"
answers graph "$folder/long.json" --format json
is "eight nodes have different names" test "$(words "\"name\": \"${long}[12]\.[uy]\.[^\"]*\"")" -eq 8
answers show "$folder/long.json" --format json
answers integrate "$folder/long.json" --format json
is "integrate: four states" test "$(words "\"${long}[12].[^\"]*\": {")" -eq 4
answers linearise "$folder/long.json" --format json --state "${long}1.${long}6=0.5"
is "linearise: the state that is set has its name" test "$(words "\"${long}1\.${long}6\": 0.5")" -eq 1
is "... and all others have theirs" test "$(words "\"${long}[12]\.[^\"]*\": -*[0-9.]*")" -ge 8
answers linearise "$folder/long.json" --format csv
answers run "$folder/long.json" --trajectory "$folder/t.csv"
is "twelve different columns and the time" test "$(grep -v '^#' "$folder/t.csv" | head -n 1 | tr , '\n' | sort -u | wc -l)" -eq 13
answers sweep --system "$folder/long.json" --scheme jacobi --step-size 0.1 --format csv --wide --output -
is "sweep: no column twice" test -z "$(grep -v '^#' "$folder/out" | head -n 1 | tr , '\n' | sort | uniq -d)"
answers export "$folder/long.json" --directory "$folder/e"
is "export: a file for each subsystem" test "$(find "$folder/e" -name '*.fmu' | wc -l)" -eq 2
answers run "$folder/e/long.ssp" --format json
sed "s/\"name\": \"${long}1\"/\"name\": \"${long}11\"/" "$folder/long.json" >"$folder/longer.json"
refuses 2 'name of subsystem 1: at most 100 letters' show "$folder/longer.json"

echo "1..$count"
[ "$failed" -eq 0 ]
