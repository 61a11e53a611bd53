#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command linearise: answers in all formats, points, and calls that are wrong. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# says WHAT PATTERN: the answer has a line that matches
says() {
    grep -q -e "$2" "$folder/out"
    result $? "$1"
}

# block KEY: the numbers of the first matrix of that name in the JSON answer, on one line
block() {
    awk -v key="\"$1\": [" 'index($0, key) && !on && !done {on = 1; depth = 0}
        on {line = $0; depth += gsub(/\[/, "", line) - gsub(/\]/, "", line); gsub(/[^-+.0-9e ]/, "", line)
            sub(/^ *[A-F]?  */, "", line); if (line != "") printf "%s ", line; if (depth == 0) {on = 0; done = 1}}' "$folder/out"
}

answers linearise --help
says "help: --differences" '--differences forward|central'
answers linearise quarter-car --format json
for key in model case parameters at subsystems whole; do
    says "the answer has $key" "^  \"$key\":"
done
for key in name states inputs outputs A B C D structure partials groups evaluations evaluations_without_compression residual; do
    says "a subsystem has $key" "^      \"$key\":"
done
for key in states inputs outputs A B C D structure evaluations evaluations_without_compression max_difference; do
    says "the whole has $key" "^    \"$key\":"
done
# (9.11a): mc xc'' = kc (xw - xc) + dc (xw' - xc'), 400 kg, 15000 N/m, 1000 N s/m
is "A of the chassis" test "$(block A | tr -s ' ')" = "0.0 1.0 -37.5 -2.5 "
is "B of the chassis" test "$(block B | tr -s ' ')" = "0.0 0.0 37.5 2.5 "
answers linearise quarter-car
says "table: counts" '^  chassis  *2  *2  *2  *directional  *7  *4  *4  *4 '
says "table: a row of the chassis" '^  d v/dt  -37.5  -2.5  37.5  2.5$'
answers linearise quarter-car --format csv --subsystem wheel
says "csv: a header of dotted paths" '^model,.*subsystems.0.A.0.0'
answers linearise quarter-car --subsystem wheel --format json
says "--subsystem: no coupled model" '^  "whole": null'
is "... and one subsystem" test "$(grep -c '^      "name":' "$folder/out")" -eq 1

# Compression: fewer evaluations, the same matrices
answers linearise mass-chain --differences forward --format json
says "20 states in 6 groups" '^    "evaluations": 7,'
says "... instead of 20" '^    "evaluations_without_compression": 21,'
sed -n '/"A": \[/,/\]$/p' "$folder/out" >"$folder/with"
is "there are matrices" test -s "$folder/with"
answers linearise mass-chain --differences forward --compression off --format json
says "--compression off" '^    "evaluations": 21,'
sed -n '/"A": \[/,/\]$/p' "$folder/out" | cmp -s - "$folder/with"
result $? "the same matrices"
# 71 masses: 142 rows of 142 numbers, of several matrices
answers linearise mass-chain --set masses=71 --format json
is "rows of matrices stand on one line" test "$(wc -l <"$folder/out")" -lt 6000
says "numbers are the shortest that read back" '^      \[0\.0, 1\.0'

# Points
answers linearise double-pendulum --at 0.5 --format json
says "--at: the time" '^    "time": 0.5,'
answers linearise double-pendulum --at equilibrium --state bottom.omega=2,top.alpha=0.25 --format json
says "--state over --at" '"top.alpha": 0.25,'
says "... both" '"bottom.omega": 2.0'
answers linearise controlled-car --format json
says "u' is read: no B" '^    "B": null'
cat >"$folder/system.json" <<'END'
{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]], "D": [[0.5]]},
                {"name": "b", "A": [], "B": [], "C": [[]], "D": [[2]]}], "wires": [[0, 1, 1], [1, 0, 0.25]]}
END
answers linearise --system "$folder/system.json" --subsystem b
answers linearise --system "$folder/system.json" --format json
# y_a = x + 0.5 y_b, y_b = 2 * 0.25 y_a: y_a = x / 0.75, y_b = x / 1.5, x' = -x + y_b
says "static subsystems take part: A = -1 + 1 / 1.5" '^      \[-0.3333333333333'

# Models with events: the smooth motion, in the mode of the place
answers linearise bell --state bell.theta=0,bell.omega=0 --differences central --format json
tr -d ' \n' <"$folder/out" | grep -q '"A":\[\[0\.0,1\.0\],\[-9\.8[01][0-9]*,0\.0\]\]'
result $? "a bell at rest: A = [0, 1; -g/l, 0]"
sleeve() { # acceleration of the woodpecker's sleeve by the bird's angle, at time $1
    call linearise woodpecker-explicit --at "$1" --format json
    tr -d ' \n' <"$folder/out" | sed 's/.*"A":\[//; s/\],\[/\n/g; s/\]\].*//' | sed -n 4p
}
is "a blocked sleeve does not feel the bird" test "$(sleeve 0.03)" = 0.0,0.0,0.0,0.0,0.0,0.0
is "... a free one does" test "$(sleeve 0.037)" != 0.0,0.0,0.0,0.0,0.0,0.0

# Wrong calls
refuses 2 'has events' spectral bell
refuses 2 "needs x' = f" linearise woodpecker
refuses 2 'the nearest is chassis' linearise quarter-car --subsystem chasis
refuses 2 'must be forward or central' linearise quarter-car --differences backward
refuses 2 'must be on or off' linearise quarter-car --compression yes
refuses 2 'leave the option out' linearise quarter-car --state chassis.x=1
refuses 2 'leave the option out' linearise quarter-car --at 0.5
refuses 2 'must be start, equilibrium or a time' linearise double-pendulum --at later
refuses 2 'the nearest is alpha' linearise double-pendulum --state top.alph=1
refuses 2 'the nearest is top' linearise double-pendulum --state tob.alpha=1
refuses 2 'SUB.NAME=VALUE' linearise double-pendulum --state alpha=1
refuses 2 'SUB.NAME=VALUE' linearise double-pendulum --state top.alpha=1,
refuses 2 'finite number' linearise double-pendulum --state top.alpha=one
refuses 2 'has no states' linearise controlled-car --state controller.x=1
refuses 2 'at most 1000' linearise mass-chain --set masses=501
{
    printf '{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]'
    printf ', [1]%.0s' $(seq 10000)
    printf '], "D": [[0]'
    printf ', [0]%.0s' $(seq 10000)
    printf ']}], "wires": [{"from": "a.y1", "to": "a.u1"}], "step_size": 0.1}'
} >"$folder/wide.json"
refuses 2 '10001 outputs, whose loop takes 0.8 GB: .* at most 10000' linearise "$folder/wide.json"
answers linearise mass-chain --set masses=501 --subsystem mass7
refuses 2 'unknown model' linearise quarter-cart
refuses 2 'not an option of this command' linearise quarter-car --step-size 0.1
refuses 1 'missing' linearise quarter-car --output "$folder/missing/file"

# What has no linear form, and places that there are none of
refuses 2 'outputs of subsystem controller depend on derivatives of its inputs' spectral controlled-car --at start
refuses 2 'model mass-spring-damper is linear, its matrix is the same everywhere' spectral mass-spring-damper --along
refuses 2 'gives spectral radii only; --matrix requires one point' spectral double-pendulum --along --matrix
cat >"$folder/grows.json" <<'END_OF_SYSTEM'
{"subsystems": [{"name": "a", "inputs": ["u"], "outputs": {"y": "x"}, "states": {"x": {"derivative": "1 + x*x + 0*u"}}},
                {"name": "b", "inputs": ["u"], "outputs": {"y": "z"}, "states": {"z": {"derivative": "u - z"}}}],
 "wires": [{"from": "a.y", "to": "b.u"}, {"from": "b.y", "to": "a.u"}]}
END_OF_SYSTEM
refuses 2 'no equilibrium of model grows was found from its start' spectral "$folder/grows.json" --at equilibrium
# its solution is tan t, which ends at pi/2
refuses 2 'the coupled model has no reference beyond 1.5 s' drive "$folder/grows.json" --subsystem a --stop-time 3
# y = y^2 + 1 has no solution
sed 's/"y": "x"/"y": "u*u + 1"/; s/"y": "z"/"y": "u"/' "$folder/grows.json" >"$folder/none.json"
for command in spectral linearise; do
    refuses 2 'u = L g(x, u) of model none was not solved at this state: the algebraic loop of a.u.u, b.u.u' $command "$folder/none.json" --at start
done
refuses 2 'the coupling equations have no solution at 0 s' drive "$folder/none.json" --subsystem a
sed 's/1 + x\*x/sqrt(x - 1)/' "$folder/grows.json" >"$folder/outside.json"
refuses 2 'subsystem a cannot be evaluated near this state' linearise "$folder/outside.json" --at start
refuses 2 'subsystem a cannot be evaluated at this state' spectral "$folder/outside.json" --at start
# x^1.5 has the derivative 0 at 0, below which it has no value: partial derivatives there are exact, differences are not
sed 's/1 + x\*x + 0\*u/u - x^1.5/' "$folder/grows.json" >"$folder/edge.json"
answers linearise "$folder/edge.json" --at start --format json
says 'a derivative at the edge of a domain is exact' '"max_difference": null'

echo "1..$count"
[ $failed -eq 0 ]
