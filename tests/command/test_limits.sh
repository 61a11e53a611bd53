#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Limits of the address space: each command ends, with its answer or with one line. OpenBLAS asks again for ever where a map is refused.
. tests/support/shell/tap.sh
. tests/support/shell/calls.sh
macrostep=$(realpath "$macrostep")

# OpenBLAS has no thread of its own, whatever the environment says: the command waits for its model.
unset OPENBLAS_NUM_THREADS OMP_NUM_THREADS
mkfifo "$folder/model.json"
"$macrostep" show "$folder/model.json" >/dev/null 2>&1 &
process=$!
waited=0
until [ "$(readlink "/proc/$process/exe")" = "$(readlink -f "$macrostep")" ] || [ $waited -ge 100 ]; do
    sleep 0.1
    waited=$((waited + 1))
done
sleep 0.2
is "the command has one thread" test "$(sed -n 's/^Threads:[^0-9]*//p' /proc/$process/status)" = 1
echo '{}' >"$folder/model.json"
wait $process

# ... nor where an FMU is in a process of its own
"$macrostep" export quarter-car --directory "$folder/fmus" >/dev/null
"$macrostep" run "$folder/fmus/quarter-car.ssp" --isolate --step-size 1e-6 >/dev/null 2>&1 &
process=$!
waited=0
until children=$(awk '/^PPid:/ {mine = $2 == '$process'} /^Threads:/ && mine {print $2}' /proc/[0-9]*/status 2>/dev/null) &&
    [ -n "$children" ] || [ $waited -ge 100 ]; do
    sleep 0.1
    waited=$((waited + 1))
done
sleep 1
children=$(awk '/^PPid:/ {mine = $2 == '$process'} /^Threads:/ && mine {print $2}' /proc/[0-9]*/status 2>/dev/null | sort -u)
is "nor have isolated FMUs" test "$children" = 1
kill $process
wait $process

# limited KILOBYTES ARGUMENT ..: exit 0 with an answer, or 1 with one line, within a minute
limited() {
    bytes=$1
    shift
    (
        [ ! -d "$folder/place" ] || cd "$folder/place" || exit
        ulimit -v "$bytes"
        exec timeout -s KILL 60 "$macrostep" "$@" </dev/null >"$folder/out" 2>"$folder/err"
    ) 2>/dev/null
    status=$?
    without_progress "$folder/err"
    if [ $status -eq 0 ]; then
        [ -s "$folder/out" ] && [ ! -s "$folder/err" ]
    else
        [ $status -eq 1 ] && [ "$(grep -c '^macrostep: ' "$folder/err")" -eq 1 ]
    fi
    result $? "$bytes kB: $*"
}

calls_are_all
if ! grep -q __asan_init "$macrostep"; then
    make_inputs
    calls >"$folder/calls"
    while read -r line; do
        for kilobytes in 90000 130000 200000 300000 500000 800000 1200000 2000000; do
            mkdir "$folder/place"
            # shellcheck disable=SC2086
            limited $kilobytes $line
            rm -r "$folder/place"
        done
    done <"$folder/calls"
    limited 90000 integrate van-der-pol
    is "... which names what was refused" grep -q 'for a buffer of OpenBLAS (.* MB were requested)$' "$folder/err"
    limited 150000 figure andersson2016:fig6.1 --directory "$folder/figure"
    is "... also in a run of a figure" grep -q 'for a buffer of OpenBLAS (.* MB were requested)$' "$folder/err"
fi

echo "1..$count"
[ "$failed" -eq 0 ]
