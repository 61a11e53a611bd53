#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal at any time ends each command soon, whatever it is at: it does not wait for what it was asked for. SEED= repeats the times.
. tests/support/shell/tap.sh
. tests/support/shell/calls.sh
macrostep=$(realpath "$macrostep")

seed=${SEED:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
echo "# SEED=$seed"
state=$seed

# draw N: $drawn, a random number below it
draw() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 1024 % $1))
}

least=0
# interrupted BEFORE ARGUMENT ..: sends SIGINT, SIGTERM or SIGHUP at a random time from $least on, within BEFORE milliseconds, in a folder of its own.
# $status; 137: it went on for 20 s.
interrupted() {
    draw "$1"
    after=$((least + drawn))
    draw 3
    case $drawn in 0) signal=INT number=2 ;; 1) signal=TERM number=15 ;; *) signal=HUP number=1 ;; esac
    shift
    rm -rf "$folder/place"
    mkdir "$folder/place"
    (cd "$folder/place" && TMPDIR=. exec env --default-signal=INT "$macrostep" "$@" >"$folder/out" 2>"$folder/err" </dev/null) &
    process=$!
    sleep "$(awk "BEGIN {print $after / 1000}")"
    kill -$signal $process 2>/dev/null
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
    [ -z "$(find "$folder/place" -name '*.part' -o -name '*.part.d')" ] &&
        [ "$(grep -vc '^macrostep: sweep: [0-9]* rows' "$folder/err")" -le 1 ]
}

# ended: by the signal, or as interrupted
ended() {
    [ $status -eq 130 ] || [ $status -eq $((128 + number)) ]
}

# long ARGUMENT ..: what takes minutes does not come to its end
long() {
    for most in 300 2000; do
        interrupted $most "$@"
        ended && clean
        result $? "SIG$signal after $after ms: $*: $status"
    done
}

# any ARGUMENT ..: what may have come to its end, or may have been refused, within half a second
any() {
    interrupted 500 "$@"
    { [ $status -eq 0 ] || [ $status -eq 2 ] || ended; } && clean
    result $? "SIG$signal after $after ms: $*: $status"
}

calls_are_all
make_inputs
calls >"$folder/calls"
while read -r line; do
    # shellcheck disable=SC2086
    any $line
done <"$folder/calls"

# References that are slow, loops of solvers, matrices, many rows, and what is large
stiff='quarter-car --set kw=18446744073709551616'
huge='mass-chain --set masses=1000000'
long integrate $stiff
long run $stiff
long run $stiff --plot plot.svg
long integrate van-der-pol --stop-time 1e9
long run van-der-pol --stop-time 1e9
long judge "$folder/in/result.csv" $stiff
long graph $huge
long run $huge
long show $huge
any linearise $huge
long check $huge
long work-precision $stiff
long best $stiff --error 1e-6
long spectral mass-chain --set masses=1000
long spectral mass-chain --set masses=3000 --extreme 3
long stability mass-chain --set masses=1000 --critical
long stability quarter-car --x step-size=0.001:1:lin:4000 --y kc=1000:20000:lin:4000
long integrate mass-chain --set masses=3000 --solver cvode-bdf
long export $stiff --directory exported

any best quarter-car --error 1e-6
any compare quarter-car
any compare $huge
any converge quarter-car --scheme jacobi,ifosmondi
any converge $huge
any drive quarter-car --subsystem wheel --segments 100000
any estimate quadruple-tank --measurements "$folder/in/levels.csv" --parameters a1,a2=2.5e-6,a3,a4
any export quarter-car --directory exported
any export $huge --directory exported
any figure andersson2016:fig6.1 --directory figures
any figures --directory figures
any integrate $huge
any report "$folder/in/own" --directory report
any spectral $huge
any sweep --models quarter-car --step-size 1e-5:1e-2:log:100
any sweep --models quarter-car --cases first --set 'kc=normal(15000,1500)' --sample 100000
any stability quarter-car --critical --scheme all
any stability $huge --critical

# The line comes once, also where what is behind it hangs: here the end of an extension.
here=$PWD
(cd "$folder" && "$macrostep" new model slow-end) >/dev/null
printf '#include <unistd.h>\n__attribute__((destructor)) static void hang(void)\n{\n    for (;;)\n        pause();\n}\n' >>"$folder/slow-end.c"
# shellcheck disable=SC2046
cc -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC "$folder/slow-end.c" -o "$folder/slow-end.so" \
    $(find "$here"/models "$here"/algorithms "$here"/analysis -name macrostep -type d | sed 's|/macrostep$||; s|^|-I|')
least=500
interrupted 500 spectral $stiff --scheme all --step-size 1e-5:1e-2:log:1000 --load "$folder/slow-end.so"
ended && [ "$(cat "$folder/err")" = 'macrostep: interrupted' ]
result $? "one line where the end of an extension hangs: $status"

echo "1..$count"
[ "$failed" -eq 0 ]
