# SPDX-License-Identifier: GPL-3.0-or-later
# calls.sh - a call of each command of macrostep, small, for what holds of all of them. Not a test itself; behind tap.sh.
# shellcheck shell=sh

# make_inputs: what the calls below read, in $folder/in
make_inputs() {
    mkdir "$folder/in" "$folder/in/own"
    cp bench/studies/andersson2016/andersson2016_fig6.10.* "$folder/in/own"
    "$macrostep" run quarter-car --trajectory "$folder/in/result.csv" >/dev/null
    "$macrostep" run quadruple-tank --case estimated --step-size 1 --solver rk4 --trajectory "$folder/in/levels.csv" >/dev/null
    "$macrostep" export quarter-car --directory "$folder/in" >/dev/null
    for part in 1 2; do
        "$macrostep" converge quarter-car --stop-time 0.1 --shard $part/2 --output "$folder/in/part-$part.json" --format json
    done
}

# calls: one a line; what they write goes into the folder that they are made in
calls() {
    cat <<END_OF_CALLS
list
show quarter-car
show mass-chain --set masses=200
graph quarter-car --draw graph.svg
run quarter-car --stop-time 0.1 --plot run.svg --trajectory run.csv
run van-der-pol --stop-time 0.1
run $folder/in/quarter-car.ssp --isolate --stop-time 0.1
compare linear-pair --num-threads 2
best linear-pair --error 1e-2 --scheme jacobi,strang
work-precision quarter-car --stop-time 0.1 --error-controlled none,richardson
integrate van-der-pol --stop-time 0.1 --solver all
sweep --models quarter-car --cases first --stop-time 0.1 --set kc=normal(15000,1500) --sample 4
converge quarter-car --stop-time 0.1
spectral mass-chain --set masses=50
spectral quarter-car --scheme all --extreme 3
linearise mass-chain --set masses=50
stability quarter-car --critical
stability --test-equation
estimate quadruple-tank --measurements $folder/in/levels.csv --parameters a1,a2=2.5e-6
drive quarter-car --subsystem wheel --stop-time 0.1
judge $folder/in/result.csv quarter-car
diff $folder/in/result.csv $folder/in/result.csv
export linear-pair --directory exported
figure $folder/in/own/andersson2016_fig6.10.json --directory figure
figures --shard 1/200 --directory figures
merge $folder/in/part-1.json $folder/in/part-2.json
report --directory .
ledger moshagen2021
new model my-model
check mass-spring-damper
demo --quiet
END_OF_CALLS
}

# calls_are_all: no command is missing above
calls_are_all() {
    calls | cut -d ' ' -f 1 | sort -u >"$folder/called"
    "$macrostep" list commands --format csv --comments no | sed -n 's/^command,\([a-z-]*\),.*/\1/p' | sort -u >"$folder/listed"
    is "each command is called" test -z "$(comm -13 "$folder/called" "$folder/listed")"
}
