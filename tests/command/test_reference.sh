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
is "what has no sixteenth is a row that does not fit" grep -q 'a sixteenth of equal macro-steps only' "$folder/out"
answers sweep --models quarter-car --cases physical --scheme jacobi --extrapolation-order 0 --reference finer --format csv

refuses 2 'reference nosuch: neither finer, nor a FILE.csv or FILE.json, nor a model; the nearest is' run quarter-car --reference nosuch
refuses 1 'reference no.csv: .*No such file' run quarter-car --reference no.csv
refuses 2 'neither a state nor an output of model quarter-car' run quarter-car --reference van-der-pol
refuses 2 'a sixteenth of equal macro-steps only' run quarter-car --reference finer --error-controlled richardson
refuses 2 'goes with --errors reference' run quarter-car --reference finer --errors none
refuses 2 'not an option of this command' stability quarter-car --critical --reference finer

echo "1..$count"
[ "$failed" -eq 0 ]
