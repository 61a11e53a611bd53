#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --reference: errors against another model, a file, or finer steps, and what does not fit. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

answers run quarter-car --stop-time 0.5 --format json
itself=$(number error)
answers run quarter-car --stop-time 0.5 --reference quarter-car --format json
is "the model itself as a reference: the same error" test "$(number error)" = "$itself"
answers run quarter-car --stop-time 0.5 --step-size 0.0001 --trajectory "$folder/fine.csv"
answers run quarter-car --stop-time 0.5 --reference "$folder/fine.csv" --format json
is "a file's own error is not known" grep -q '"reference_error": null' "$folder/out"
sed -e '1,/^time/s/\([a-z]*\)\.x\./no.\1/g' "$folder/fine.csv" >"$folder/outputs.csv"
answers run quarter-car --stop-time 0.5 --reference "$folder/outputs.csv" --format json
is "... without states outputs are compared" grep -q '"wheel.y.v"' "$folder/out"
answers converge quarter-car --stop-time 0.2 --reference finer --format json
is "converge says what its errors are against" grep -q '"reference": "finer"' "$folder/out"
answers compare quarter-car --reference finer --scheme jacobi,f3ornits --extrapolation-order 0 --format json
is "what has no sixteenth is a row that does not fit" grep -q 'only equal macro-steps have a sixteenth' "$folder/out"
answers sweep --models quarter-car --cases physical --scheme jacobi --extrapolation-order 0 --reference finer --format csv

# Names that match in part: so many of so many, in the answer, in its heading, in every row
cat >"$folder/half.json" <<EOF
{"subsystems": [{"name": "chassis", "model": "quarter-car", "subsystem": "chassis"},
                {"name": "tyre", "model": "quarter-car", "subsystem": "wheel", "set": {"kw": 140000}}],
 "wires": [{"from": "chassis.x", "to": "tyre.x"}, {"from": "chassis.v", "to": "tyre.v"},
           {"from": "tyre.x", "to": "chassis.x"}, {"from": "tyre.v", "to": "chassis.v"}], "end": 0.1, "step_size": 0.001}
EOF
answers run "$folder/half.json" --reference quarter-car --format json
is "names that match in part are counted" test "$(number compared)/$(number of)" = 2/4
is "... the first that has no counterpart is named" grep -q '"message": "errors are those of 2 of 4 states: tyre.x.x is the first that has no' \
    "$folder/out"
answers run "$folder/half.json" --reference quarter-car
is "... and the heading says so" grep -q '^  2 of 4 states ' "$folder/out"
answers compare "$folder/half.json" --scheme jacobi --extrapolation-order 0 --reference quarter-car
is "... as every row of compare does" grep -q '2 of 4 states' "$folder/out"
answers converge "$folder/half.json" --reference quarter-car --format json
is "... and of converge" grep -q '2 of 4 states' "$folder/out"
cut -d , -f 1-3 "$folder/fine.csv" >"$folder/part.csv"
answers judge "$folder/part.csv" quarter-car --format json
is "... and judge" test "$(number compared)/$(number of)" = 2/4

refuses 2 'reference nosuch: neither finer, nor a FILE.csv or FILE.json, nor a model; the nearest is' run quarter-car --reference nosuch
refuses 1 'reference no.csv: .*No such file' run quarter-car --reference no.csv
refuses 2 'neither a state nor an output of model quarter-car' run quarter-car --reference van-der-pol
refuses 2 'only equal macro-steps have a sixteenth' run quarter-car --reference finer --error-controlled richardson
refuses 2 'requires --errors reference' run quarter-car --reference finer --errors none
refuses 2 'not an option of this command' stability quarter-car --critical --reference finer

echo "1..$count"
[ "$failed" -eq 0 ]
