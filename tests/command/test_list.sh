#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep list, show and new: what they count and allow. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

answers list figures --format csv --comments no
figures=$(($(wc -l <"$folder/out") - 1))
answers list studies --format csv --comments no
is "studies have all figures, each once" test "$(sed -n 's/.*,"*\([0-9][0-9]*\) [a-z].*/\1/p' "$folder/out" | awk '{n += $1} END {print n}')" -eq $figures

answers list --format csv --comments no
is "without a word: all lists but that of commands" test "$(sed 1d "$folder/out" | cut -d, -f1 | sort -u | tr '\n' ' ')" = 'figure model preset scheme solver study '

# Figure 2 of Eguillon et al. (2022) has no inputs, inputs and outputs, no outputs; without both a subsystem stands alone
answers show three-clocks --format json
is "topologies" test "$(sed -n 's/^ *"topology": "\([A-Z]*\)",*/\1/p' "$folder/out" | paste -s -d ' ')" = 'NI IO NO'
echo '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "-x"}}}], "wires": []}' >"$folder/alone.json"
answers show "$folder/alone.json" --format json
is "... of what is coupled to nothing" grep -q '"topology": "NINO"' "$folder/out"

long=$(printf 'm%063d' 0)
cd "$folder" || exit 1
answers new model "$long"
is "a name of 64 letters" test -s "$long.c"
refuses 2 'at most 63 small letters' new model "${long}0"
refuses 2 'a small letter' new scheme 9to5
refuses 2 'there is a scheme jacobi already; choose another name' new scheme jacobi
refuses 2 'there is a scheme strang already' new iteration strang
refuses 2 'there is a model quarter-car already' new model quarter-car

echo "1..$count"
[ "$failed" -eq 0 ]
