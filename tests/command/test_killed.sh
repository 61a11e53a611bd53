#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What SIGKILL leaves of each command that writes goes with the next one that writes there.
. tests/support/shell/tap.sh
. tests/support/shell/calls.sh
macrostep=$(realpath "$macrostep")
mkdir "$folder/tmp" "$folder/place"
TMPDIR=$folder/tmp
export TMPDIR

# left: what is no file under its own name
left() {
    find "$folder/tmp" "$folder/place" -mindepth 1 \( -name '*.part*' -o -name '.*' -o -path "$folder/tmp/*" \)
}

# writes MILLISECONDS ARGUMENT ..: in a folder, killed at four times below, then whole
writes() {
    most=$1
    shift
    for part in 1 2 3 4; do
        (cd "$place" && exec "$macrostep" "$@" >/dev/null 2>&1 </dev/null) &
        process=$!
        sleep "$(awk "BEGIN {print $most * $part / 4000}")"
        { kill -KILL $process && wait $process; } 2>/dev/null
        [ -z "$(left)" ] || seen=$((seen + 1))
        wait
    done
    rm -f "$place/my-model.c" # which is not written over
    (cd "$place" && exec "$macrostep" "$@" >/dev/null 2>"$folder/err" </dev/null) && [ -z "$(left)" ]
    result $? "killed and called again: $*"
    left | sed 's/^/# /'
}

seen=0
"$macrostep" export quarter-car --directory "$folder/exported" >/dev/null
"$macrostep" run quarter-car --trajectory "$folder/result.csv" >/dev/null
mkdir "$folder/own"
cp bench/studies/andersson2016/andersson2016_fig6.10.* "$folder/own"
place=$folder/place
writes 800 run quarter-car --step-size 1e-4 --plot "$place/plot.svg" --trajectory "$place/rows.csv" --output "$place/answer"
writes 800 run quarter-car --plot "$place/plot.pdf" --keep
writes 300 run "$folder/exported/quarter-car.ssp" --stop-time 0.1
writes 300 run "$folder/exported/quarter-car.ssp" --isolate --stop-time 0.1
writes 800 figure andersson2016:fig6.1 --directory "$place/figures"
writes 800 report "$folder/own" --directory "$place/report"
writes 800 export quarter-car --directory "$place/exported"
writes 800 export linear-pair --directory "$place/exported" --fmi 3
writes 300 graph quarter-car --draw "$place/graph.svg"
writes 300 run van-der-pol --cache "$place/cache" --stop-time 1
writes 500 sweep --models quarter-car --scheme jacobi --step-size 1e-3:1e-2:log:5 --format csv --output "$place/sweep.csv"
writes 500 converge quarter-car --plot "$place/orders.svg" --output "$place/orders.json" --format json
writes 300 judge "$folder/result.csv" quarter-car --output "$place/judged"

# ... each command
make_inputs
calls_are_all
calls | sed '/^demo/d; s/ --plot [^ ]*//' >"$folder/calls"
while read -r line; do
    # shellcheck disable=SC2086
    ! its_turn || writes 200 $line --output "$place/answer"
done <"$folder/calls"

# ... each picture, and each table beside the answer
inputs=$folder/in
writes 400 compare linear-pair --plot "$place/compare.svg"
writes 400 best linear-pair --error 1e-2 --scheme jacobi,strang --plot "$place/best.svg"
writes 400 work-precision quarter-car --stop-time 0.1 --error-controlled none,richardson --plot "$place/work.svg"
writes 400 integrate van-der-pol --stop-time 0.1 --plot "$place/steps.svg" --trajectory "$place/steps.csv"
writes 400 sweep --models quarter-car --cases first --scheme jacobi --step-size 0.01,0.005 --plot "$place/sweep.svg"
writes 400 spectral quarter-car --scheme jacobi,strang --step-size 0.01,0.02 --plot "$place/spectral.svg"
writes 400 linearise quarter-car --plot "$place/linearise.svg"
writes 400 stability quarter-car --x step-size=0.001:0.1:lin:20 --plot "$place/stability.svg"
writes 400 estimate quadruple-tank --measurements "$inputs/levels.csv" --parameters a1,a2=2.5e-6 --plot "$place/estimate.svg" \
    --trajectory "$place/estimate.csv"
writes 400 drive quarter-car --subsystem wheel --stop-time 0.1 --plot "$place/drive.svg" --trajectory "$place/drive.csv"
writes 400 run spring-mass --energy "$place/energy.csv"
writes 400 judge "$inputs/result.csv" quarter-car --cache "$place/cache"

# Slow machines come so far later.
for later in 2000 6000 18000; do
    [ $seen -gt 0 ] || writes $later report "$folder/own" --directory "$place/report"
done
is "some of them were killed while they wrote" test $seen -gt 0

# A program that draws does not go on alone: this one takes the place of dot, and would take a minute.
mkdir "$folder/bin"
printf '#!/bin/sh\necho $$ >"%s/drawing.new"\nmv "%s/drawing.new" "%s/drawing"\nexec sleep 60\n' "$folder" "$folder" "$folder" >"$folder/bin/dot"
chmod +x "$folder/bin/dot"
PATH="$folder/bin:$PATH" "$macrostep" graph quarter-car --draw "$place/graph.svg" >/dev/null 2>&1 </dev/null &
process=$!
for tenth in $(seq 300); do
    [ ! -s "$folder/drawing" ] || break
    sleep 0.1
done
{ kill -KILL $process && wait $process; } 2>/dev/null
drawing=$(cat "$folder/drawing")
for tenth in $(seq 100); do
    kill -0 "$drawing" 2>/dev/null || break
    sleep 0.1
done
is "the program at work on a picture ends with the command" eval '[ -n "$drawing" ] && ! kill -0 "$drawing" 2>/dev/null'

echo "1..$count"
[ "$failed" -eq 0 ]
