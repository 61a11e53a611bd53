#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# FMUs for co-simulation on the command line: the quarter car, exported and loaded back, runs, converges and is compared; the probe; and what
# needs equations is refused in one line. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

for fmi in 2 3; do
    answers export quarter-car --fmi $fmi --directory "$folder/fmi$fmi"
    cat >"$folder/pair$fmi.json" <<EOF
{"subsystems": [{"name": "chassis", "fmu": "fmi$fmi/quarter_car_chassis.fmu", "kind": "co-simulation"},
                {"name": "wheel", "fmu": "fmi$fmi/quarter_car_wheel.fmu", "kind": "co-simulation"}],
 "wires": [{"from": "wheel.x", "to": "chassis.u.x"}, {"from": "wheel.v", "to": "chassis.u.v"},
           {"from": "chassis.x", "to": "wheel.u.x"}, {"from": "chassis.v", "to": "wheel.u.v"}], "stop_time": 1, "step_size": 0.001}
EOF
    answers show "$folder/fmi$fmi/quarter_car_wheel.fmu" --probe --format json
    is "... it rolls back" grep -q '"rollback": true' "$folder/out"
    is "... and takes steps of any length" grep -q '"hidden_step": null' "$folder/out"
    is "... its states can be bytes, as it declares" test "$(grep -c '"serialisation": true' "$folder/out")" -eq 2
    answers show "$folder/fmi$fmi/quarter_car_wheel.fmu" --probe
    is "... a table has what is declared, what holds, and why" grep -q '^  reevaluate_outputs *no *yes *outputs depend on no' "$folder/out"
    answers show "$folder/fmi$fmi/quarter_car_wheel.fmu"
    is "... without the probe what is declared" grep -q '^  reevaluate_outputs *no$' "$folder/out"

    answers run "$folder/pair$fmi.json" --format json
    is "without a reference errors are null" grep -q '"errors": null' "$folder/out"
    is "... and it says why" grep -q 'no errors: chassis is an FMU for co-simulation' "$folder/out"
    answers run quarter-car --reference quarter-car --format json
    built_in=$(number error)
    answers run "$folder/pair$fmi.json" --reference quarter-car --format json
    is "... the same error as the built-in model" test "$(number error)" = "$built_in"
    answers converge "$folder/pair$fmi.json" --stop-time 0.1 --extrapolation-order 1 --format json
    is "converge takes finer steps by itself" grep -q '"reference": "finer"' "$folder/out"
    is "... and finds the order" awk -v order="$(number order)" 'BEGIN { exit !(order > 1.9 && order < 2.1) }'
    answers compare "$folder/pair$fmi.json" --reference quarter-car --scheme jacobi,zoh-iterative --extrapolation-order 0 --stop-time 0.1
done
answers show "$folder/pair2.json" --format json
is "show says what it cannot tell" grep -q 'everything that follows from the matrices needs the equations' "$folder/out"
answers run "$folder/pair2.json" --probe off --scheme ifosmondi --step-size 0.01

answers spectral quarter-car --step-size 0.01 --extrapolation-order 1 --format json
built_in=$(number spectral_radius)
is_near() {
    is "... $1" awk -v a="$2" -v b="$built_in" 'BEGIN { exit !(a > 0 && a - b < 1e-9 && b - a < 1e-9) }'
}
for file in "$folder/pair2.json" "$folder/pair3.json"; do
    answers spectral "$file" --step-size 0.01 --extrapolation-order 1 --format json
    is_near "the spectral radius of the built-in model" "$(number spectral_radius)"
    is "... from steps of the FMUs" grep -q '"partials": "steps"' "$folder/out"
done
answers stability "$folder/pair2.json" --x step-size=0.01:0.03:lin:2 --extrapolation-order 1 --format csv
is_near "the same in a map" "$(sed -n 's/^jacobi,0.01,//p' "$folder/out")"
refuses 2 'a linearisation elsewhere than at the start needs the equations' spectral "$folder/pair2.json" --at equilibrium
refuses 2 'chassis is an FMU for co-simulation, which has its own solver and shows none' linearise "$folder/pair2.json"
refuses 2 'chassis is an FMU for co-simulation, which has its own solver and shows none' integrate "$folder/pair2.json"
answers spectral "$folder/fmi3/quarter_car_wheel.fmu" --kind model-exchange --format json
built_in=$(number spectral_radius)
answers spectral "$folder/fmi3/quarter_car_wheel.fmu" --kind co-simulation --format json
is_near "the same of one FMU by its equations and by its steps" "$(number spectral_radius)"
answers run "$folder/fmi2/quarter_car_wheel.fmu" --kind co-simulation
grep -q '^degraded  *no errors: .*; --reference gives one$' "$folder/out"
result $? 'what is missing names the option as it is typed'
refuses 2 'applies only to FILE.fmu, FILE.ssp and FILE.ssd.* a subsystem has a member "kind"' run "$folder/pair2.json" --kind co-simulation
refuses 2 'integrals of outputs are required' run "$folder/pair2.json" --scheme balance
refuses 2 'scheme power computes inputs from outputs' run "$folder/pair2.json" --scheme power
answers export "$folder/pair2.json" --directory "$folder/again" --format csv
is 'FMUs are exported as they are, without a reference' test "$(grep -c 'an FMU already: copied unchanged\|^,reference,.*has its own solver' "$folder/out")" -eq 3
refuses 2 'subsystem wheel' run "$folder/pair2.json" --scheme zoh-iterative --mask wheel:rollback

echo "1..$count"
[ "$failed" -eq 0 ]
