#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal at any time ends each command soon, whatever it is at: it does not wait for what it was asked for.
. tests/support/shell/tap.sh

# a random number of milliseconds below $1
random() {
    od -An -N2 -tu2 /dev/urandom | awk -v most="$1" '{printf "%d", $1 / 65536 * most}'
}

# interrupted BEFORE ARGUMENT ..: SIGTERM after a random time below so many milliseconds. $status; 137: it went on for 20 s. Two lines at most.
interrupted() {
    after=$(random "$1")
    shift
    "$macrostep" "$@" --output "$folder/answer" >"$folder/out" 2>"$folder/err" </dev/null &
    process=$!
    sleep "$(awk "BEGIN {print $after / 1000}")"
    kill -TERM $process 2>/dev/null
    waited=0
    while kill -0 $process 2>/dev/null && [ $waited -lt 200 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    kill -KILL $process 2>/dev/null
    wait $process 2>/dev/null
    status=$?
    without_progress "$folder/err"
}

# clean: no part of a file or folder is left, and there is one line at most, but for the size of a large sweep
clean() {
    [ -z "$(find "$folder" -name '*.part' -o -name '*.part.d')" ] &&
        [ "$(grep -vc '^macrostep: sweep: [0-9]* rows' "$folder/err")" -le 1 ]
}

# long ARGUMENT ..: what takes minutes does not come to its end
long() {
    for most in 300 2000; do
        interrupted $most "$@"
        { [ $status -eq 130 ] || [ $status -eq 143 ]; } && clean
        result $? "SIGTERM after $after ms: $*: $status"
    done
}

# any ARGUMENT ..: what may have come to its end, within half a second
any() {
    interrupted 500 "$@"
    { [ $status -le 3 ] || [ $status -eq 130 ] || [ $status -eq 143 ]; } && clean
    result $? "SIGTERM after $after ms: $*: $status"
}

"$macrostep" run quarter-car --trajectory "$folder/result.csv" >/dev/null
"$macrostep" run quadruple-tank --case estimated --step-size 1 --solver rk4 --trajectory "$folder/levels.csv" >/dev/null

stiff='quarter-car --set kw=18446744073709551616'
huge='mass-chain --set masses=1000000'
long integrate $stiff
long run $stiff
long run $stiff --plot "$folder/plot.svg"
long integrate van-der-pol --stop-time 1e9
long run van-der-pol --stop-time 1e9
long judge "$folder/result.csv" $stiff
long graph $huge
long run $huge
long show $huge

any best quarter-car --error 1e-6
any compare quarter-car
any compare $huge
any converge quarter-car --scheme jacobi,ifosmondi
any converge $huge
any diff "$folder/result.csv" "$folder/result.csv"
any drive quarter-car --subsystem wheel --segments 100000
any estimate quadruple-tank --measurements "$folder/levels.csv" --parameters a1,a2=2.5e-6,a3,a4
any export quarter-car --directory "$folder/exported"
any export $huge --directory "$folder/exported"
any figure andersson2016:fig6.1 --directory "$folder/figures"
any figures --directory "$folder/figures"
any graph quarter-car
any integrate $huge
any judge "$folder/result.csv" quarter-car
any linearise quarter-car
any linearise $huge
any list models
any report "$folder/figures"
any spectral quarter-car --extreme 3
any spectral $huge
any sweep --models quarter-car --step-size 1e-5:1e-2:log:100
any stability quarter-car --critical --scheme all
any stability $huge --critical

echo "1..$count"
[ "$failed" -eq 0 ]
