#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep spectral: the largest eigenvalues of large systems. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

answers spectral mass-chain --set masses=5000 --extreme 2 --max-applications 60 --format json
grep -q '"status": "not-converged"' "$folder/out" && grep -q '"applications": 60' "$folder/out" && grep -q '"dimension": 20000' "$folder/out" &&
    grep -q '"stable": null' "$folder/out" && grep -q '"formula": null' "$folder/out"
result $? "spectral --extreme: of a large system what was found, and that it has not converged"
answers spectral mass-chain --set masses=50 --extreme 3 --format json
grep -q '"status": "converged"' "$folder/out" && grep -q '"stable": null' "$folder/out"
result $? "spectral --extreme: converged, and whether the others are smaller is not known"
is "spectral --extreme: both of a pair" test "$(sed -n '/"residuals"/s/e-/\n/gp' "$folder/out" | wc -l)" -eq 5
cp "$folder/out" "$folder/extreme"
answers spectral mass-chain --set masses=50 --format json
sed -n 's/^ *"spectral_radius": \([^,]*\).*/\1/p' "$folder/out" "$folder/extreme" |
    awk '{d = $1 - first; if (!first) first = $1; else if (d^2 > 1e-16) wrong = 1} END {exit wrong || NR < 3}'
result $? "... to the radius of the whole matrix"

echo "1..$count"
[ "$failed" -eq 0 ]
