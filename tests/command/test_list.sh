#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep list, show and new: what they count and allow. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

answers list figures --format csv --comments no
figures=$(($(wc -l <"$folder/out") - 1))
answers list studies --format csv --comments no
is "studies have all figures, each once" test "$(sed -n 's/.*,"*\([0-9][0-9]*\) [a-z].*/\1/p' "$folder/out" | awk '{n += $1} END {print n}')" -eq $figures

sed -n 's/^study,\([^,]*\),[^0-9]*\([0-9]*\) .*/\1 \2/p' "$folder/out" >"$folder/studies"
call list figures --format csv --comments no
awk -F '[,:]' 'NR > 1 {n[$2]++} END {for (id in n) print id, n[id]}' "$folder/out" | sort >"$folder/wanted"
is "... and each those of its name" test "$(sort "$folder/studies")" = "$(cat "$folder/wanted")"

answers list --format csv --comments no
is "without a word: all lists but that of commands" test "$(sed 1d "$folder/out" | cut -d, -f1 | sort -u | tr '\n' ' ')" = 'figure model preset scheme solver study '

# Figure 2 of Eguillon et al. (2022) has no inputs, inputs and outputs, no outputs; without both a subsystem stands alone
answers show three-clocks --format json
is "topologies" test "$(sed -n 's/^ *"topology": "\([A-Z]*\)",*/\1/p' "$folder/out" | paste -s -d ' ')" = 'NI IO NO'
echo '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "-x"}}}], "wires": []}' >"$folder/alone.json"
answers show "$folder/alone.json" --format json
is "... of what is coupled to nothing" grep -q '"topology": "NINO"' "$folder/out"

# Feed-through in the first of 2001 outputs, which its input is half of, makes a spectral radius of 1/2; of what is too large for eigenvalues it is not said to be 0.
for first in 'x + u' x; do
    awk -v first="$first" 'BEGIN {
        for (k = 0; k <= 2000; k++) {
            sub_of = sub_of (k ? "," : "") "{\"name\": \"s" k "\", \"inputs\": [\"u\"], \"states\": {\"x\": {\"derivative\": \"-x + u\"}}, \"outputs\": {\"y\": \"" (k ? "x" : first) "\"}}"
            wires = wires (k ? "," : "") "{\"from\": \"s" k ".y\", \"to\": \"s" k ".u\", \"gain\": 0.5}"
        }
        print "{\"subsystems\": [" sub_of "], \"wires\": [" wires "], \"end\": 1, \"step_size\": 0.1}"}' >"$folder/large.json"
    answers show "$folder/large.json" --format json
    number feed_through_spectral_radius
done >"$folder/radii"
is "the radius of a large model is 0 without feed-through, and else not said" test "$(sed '/^ok/d' "$folder/radii")" = 0.0

long=$(printf 'm%063d' 0)
cd "$folder" || exit 1
answers new model "$long"
is "a name of 64 letters" test -s "$long.c"
for name in a z; do
    answers new model $name
done
refuses 2 'at most 63 small letters' new model "${long}0"
refuses 2 'a small letter' new scheme 9to5
refuses 2 'there is a scheme jacobi already; choose another name' new scheme jacobi
refuses 2 'there is a scheme strang already' new iteration strang
refuses 2 'there is a model quarter-car already' new model quarter-car

echo "1..$count"
[ "$failed" -eq 0 ]
