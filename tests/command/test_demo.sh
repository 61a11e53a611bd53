#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep demo: what it says of its commands is what they answer, and what it says to type next runs. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
cd "$folder" || exit 1

answers demo
cp out told
is "each of its commands has run" test "$(grep -c '^\$ macrostep ' told)" -eq 6 -a "$(grep -c '^Type next: macrostep ' told)" -eq 6

# part NUMBER: its lines
part() {
    sed -n "/^$1\. /,/^Type next/p" told
}
critical=$(part 2 | sed -n 's/^jacobi  *\([0-9.e-]*\) .*/\1/p')
for k in 3 4; do
    part $k | awk -v critical="$critical" -v stable=$((4 - k)) '
        /^step_size/ {step = $2} /^spectral_radius/ {rho = $2}
        END {exit !(critical > 0 && rho > 0 && (step < critical) == stable && (rho < 1) == stable)}'
    result $? "part $k: the step size, the critical one and the spectral radius say the same"
    is "... and there is a picture" test "$(part $k | grep -c '+-----')" -ge 2
done
part 5 | awk '/^  jacobi, order 0/ {held = $4} /^  jacobi, order 1/ {linear = $4} END {exit !(int(held + 0.5) == 1 && int(linear + 0.5) == 2)}'
result $? "part 5: orders 1 and 2"
part 6 | awk '$1 == 1 {for (k = 2; k <= NF; k++) if ($k == "-") error = $(k + 2)} END {exit !(error > 0 && error <= 0.01)}'
result $? "part 6: an error of at most 0.01"
sed -n 's/^Type next: macrostep //p' told | sed 's/--scheme all/--scheme jacobi,tlm/; s/^compare.*/& --scheme strang/' >next
while read -r line; do
    answers $line
done <next
is "... with their files" test -s graph.svg -a -s run.csv -a -s orders.pdf
(cd / && PATH=$folder "$macrostep" demo >"$folder/out" 2>"$folder/err")
is "without gnuplot it ends where a picture is missing, which the status says" test $? -eq 1
! grep -q '^4' out
result $? "... and there"

echo "1..$count"
[ "$failed" -eq 0 ]
