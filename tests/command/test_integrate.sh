#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command integrate: answers, files, lists of solvers, and calls that are wrong. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

# has KEY ..: keys of the JSON answer, wherever they stand
has() {
    for key in "$@"; do
        grep -q "\"$key\":" "$folder/out"
        result $? "the answer has $key"
    done
}

answers integrate --help=all
is "--help=all: the options of a run that it takes, and no others" test "$(grep -c -e '^  --solver-rtol' -e '^  --step-size' "$folder/out")" -eq 2 -a \
    "$(grep -c -e '--scheme' -e '--micro-steps' -e '--mask' "$folder/out")" -eq 0

# A system file that begins at another time than 0
echo '{"start_time": -1, "stop_time": 2, "subsystems": [{"A": [[-1]], "B": [[1]], "C": [[1]], "x0": [1]}], "wires": []}' >"$folder/times.json"
answers integrate "$folder/times.json" --format json
is "start_time and stop_time of a system file" test "$(number start_time)" = -1.0 -a "$(number stop_time)" = 2.0
answers integrate "$folder/times.json" --start-time 1 --format json
is "... --start-time goes before; the length stays" test "$(number start_time)" = 1.0 -a "$(number stop_time)" = 4.0

# One integration
answers integrate van-der-pol --case mild --format json
has model case parameters solver reason message end_time output_points micro_steps rhs_evaluations jacobian_evaluations \
    error_test_failures output_evaluations step_sizes orders events total state time step announced list errors max rmse end per_state reference_error energy \
    wall_seconds provenance rtol atol step_size start_time stop_time smallest largest lowest highest
is "500 output points unless given" test "$(number output_points)" = 500
grep -q '"name": "automatic"' "$folder/out" && grep -q '"rtol": 1e-6' "$folder/out"
result $? "automatic at 1e-6 unless given"
answers integrate van-der-pol --case mild
answers integrate van-der-pol --case mild --format csv
is "csv: one row" test "$(rows "$folder/out")" -eq 1
answers integrate mass-spring-damper --format json
grep -q '"name": "exact"' "$folder/out"
result $? "exact for a linear model"

# Files
answers integrate bell --stop-time 4 --output-points 40 --format json --trajectory "$folder/t.csv" --history "$folder/h.csv" \
    --events "$folder/e.csv"
steps=$(number micro_steps)
events=$(sed -n 's/^    "total": \([0-9]*\),*$/\1/p' "$folder/out")
is "events are there: 2 impacts, 1 step event" test "$events" -eq 3
is "history: a row for each micro-step" test "$(rows "$folder/h.csv")" -eq "$steps"
is "events: a row each" test "$(rows "$folder/e.csv")" -eq "$events"
is "trajectory: output points, and two rows for each event" test "$(rows "$folder/t.csv")" -eq $((41 + 2 * events))
grep -q '^time,event,bell.x.theta,bell.x.omega,bell.z.armed$' "$folder/t.csv" &&
    grep -q '^time,step_size,order$' "$folder/h.csv" &&
    grep -q '^time,state_event,time_event,step_event,indicator.1,left.bell.x.theta,.*,right.bell.z.armed$' "$folder/e.csv"
result $? "the columns have their names"
is "impacts turn the velocity" awk -F, '!/^#/ && $2 == 1 {n++; if ($7 != -$10 || $5 != -1) bad++} END {exit !(n == 2 && !bad)}' "$folder/e.csv"
is "steps sum up to the run" awk -F, '!/^#/ && NR > 1 && $2 + 0 == $2 {s += $2} END {d = s - 4; exit !(d < 1e-9 && d > -1e-9)}' "$folder/h.csv"
grep -q '^# command: macrostep integrate bell' "$folder/t.csv" && grep -q '^# solver.name: automatic' "$folder/t.csv"
result $? "files carry their provenance"
answers integrate bell --output-points 0 --trajectory "$folder/t0.csv" --format json
events=$(sed -n 's/^    "total": \([0-9]*\),*$/\1/p' "$folder/out")
is "--output-points 0: micro-steps that move, and the start" awk -F, -v n="$(number micro_steps)" -v e="$events" '
    !/^#/ && $2 == 0 {k++} END {exit !(k <= n + 1 && k >= n + 1 - 2 * e)}' "$folder/t0.csv"
call integrate van-der-pol --case forced --trajectory - --output "$folder/answer" --output-points 2
is "--trajectory -: external inputs too" grep -q '^time,event,oscillator.x.x,oscillator.x.v,oscillator.w.u$' "$folder/out"

# A system from a file
cat >"$folder/system.json" <<'END'
{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]], "x0": [1]},
                {"name": "b", "A": [[-2]], "B": [[1]], "C": [[1]], "x0": [0]}], "wires": [[0, 1, 1], [1, 0, 1]], "end": 1}
END
answers integrate --system "$folder/system.json" --solver arkode-erk --format json
is "its end" test "$(number end_time)" = 1.0

# Lists
answers integrate van-der-pol --case mild --solver all --format csv
all=$("$macrostep" list solvers --format csv | grep -vc '^#')
is "--solver all: a row for each" test "$(rows "$folder/out")" -eq $((all - 1))
is "... exact does not fit, the others end" awk -F, '/^model/ {for (i = 1; i <= NF; i++) if ($i == "reason") r = i; else if ($i == "solver.name") s = i}
    !/^#/ && !/^model/ {if ($s == "exact" || $s == "ida") {x += $r == "incompatible" || $r == "end-time"} else if ($r != "end-time") bad++; n++} END {exit !(n > 6 && x && !bad)}' "$folder/out"
answers integrate bell --solver cvode-bdf,rk4 --solver-rtol 1e-4:1e-8:log:3 --step-size 0.001 --format json
is "a list by a list" test "$(grep -c '"reason": "end-time"' "$folder/out")" -eq 6
answers integrate bell --set g0=9.81,5 --solver cvode-bdf
answers integrate van-der-pol --solver euler,rk4 --step-size 0.01
is "runs that diverge are done" test "$(grep -c diverged "$folder/out")" -ge 2

# The macro-step of the case is none of an adaptive solver's
answers integrate van-der-pol --case mild --stop-time 200000 --solver-rtol 0.1 --solver-atol 0.1

# Runs that fail are data
answers integrate bell --set armed-always=1 --format json
grep -q '"reason": "subsystem-failed"' "$folder/out" && grep -q chattering "$folder/out"
result $? "stuck at the wall: subsystem-failed, and why"
is "... at the first impact" awk -v t="$(number end_time)" 'BEGIN {exit !(t > 0.89 && t < 0.9)}'

# Dry friction at rest, which slips from 1 s on: both are counted
cat >"$folder/stick.json" <<'END'
{"subsystems": [{"name": "a", "states": {"v": {"derivative": "t - sign(v)", "start": 0}}, "outputs": {"v": "v"}}], "wires": [], "end": 2, "step_size": 0.1}
END
answers integrate --system "$folder/stick.json" --format json
is "slides once" grep -q '"slides": 1' "$folder/out"
is "... and leaves once" grep -q '"switches": 1' "$folder/out"
answers run --system "$folder/stick.json" --format json
is "... in macro-steps, too" grep -q '"slides": 1' "$folder/out"
is "... and the error at the end is small" awk -v e="$(number end)" 'BEGIN {exit !(e < 1e-4)}'

# Wrong calls
refuses 2 'nearest is bell' integrate bel
refuses 2 'is missing' integrate
refuses 2 'nearest is cvode-bdf' integrate bell --solver cvode-bd
refuses 2 'nearest is rk4' integrate bell --solver cvode-bdf,rk5
refuses 2 'but its range is whole numbers in' integrate woodpecker --set release=2
refuses 2 'linear' integrate bell --solver exact
refuses 2 'differential-algebraic' integrate woodpecker --solver cvode-bdf
refuses 2 'not an option of this command' integrate bell --scheme jacobi
refuses 2 'not an option of this command' integrate bell --micro-steps 3
refuses 2 '--tolerance: not an option of this command' integrate bell --tolerance 3
refuses 2 'value is missing' integrate bell --solver
refuses 2 'value is missing' integrate bell --trajectory
refuses 2 'solver-rtol' integrate bell --solver-rtol 0
refuses 2 'solver-atol' integrate bell --solver-atol -1
refuses 2 'solver-rtol' integrate bell --solver-rtol nan
refuses 2 'chooses its steps' integrate bell --solver cvode-bdf --step-size 0.1
refuses 2 'step-size' integrate bell --solver rk4 --step-size 0
refuses 2 'step-size' integrate bell --solver rk4 --step-size -1
refuses 2 'length of the run' integrate bell --solver rk4 --step-size 100
refuses 2 'at least' integrate bell --solver rk4 --step-size 1e-12
refuses 2 'output-points' integrate bell --output-points -1
refuses 2 'output-points' integrate bell --output-points 2.5
refuses 2 'output-points' integrate bell --output-points 1e9
refuses 2 'output-points' integrate bell --output-points 99999999999999999999
refuses 2 'stop-time' integrate bell --stop-time 0
refuses 2 'stop-time' integrate bell --start-time 3 --stop-time 2
refuses 2 'set' integrate bell --set length=2
refuses 2 'case' integrate bell --case none
refuses 2 'unexpected word' integrate bell bell
refuses 2 'name another file' integrate bell --trajectory "$folder/same" --history "$folder/same"
refuses 2 'name another file' integrate bell --events "$folder/same" --output "$folder/same"
refuses 2 'the trajectory goes there' integrate bell --trajectory "$folder/other" --history "$folder/./other"
refuses 2 'from output point to output point' integrate mass-spring-damper --step-size 0.5
answers integrate mass-spring-damper --step-size 0.5 --output-points 0
refuses 2 'not lists' integrate bell --solver all --trajectory "$folder/t.csv"
refuses 1 'nowhere' integrate bell --trajectory "$folder/nowhere/t.csv"
refuses 1 'nowhere' integrate bell --output "$folder/nowhere/answer"
is "a refused call leaves no file" test ! -e "$folder/same"

# Recorded inputs
printf 'time,*.w.u\n0,0\n2,8\n' >"$folder/u.csv"
answers integrate van-der-pol --case mild --inputs "$folder/u.csv" --output-points 4 --trajectory "$folder/w.csv"
is "w follows the file" test "$(grep -v '^[#t]' "$folder/w.csv" | cut -d, -f5 | tr '\n' ' ')" = '0 2 4 6 8 '
refuses 2 'u.csv: the run goes from 0 to 3 s' integrate van-der-pol --inputs "$folder/u.csv" --stop-time 3

# Interrupted
"$macrostep" integrate van-der-pol --set mu=1e6 --stop-time 1e5 --solver gsl-rk8pd --format json >"$folder/out" 2>"$folder/err" &
pid=$!
sleep 1
kill -INT $pid
wait $pid
is "interrupted: 130" test $? -eq 130
grep -q '"reason": "interrupted"' "$folder/out"
result $? "... with the answer so far"

# x = cos(3 t): the scales of x and v are 2 and 6
echo '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "v", "start": 1}, "v": {"derivative": "-9*x"}}, "outputs": {"x": "x"}}],
"wires": [], "step_size": 0.1, "end": 10}' >"$folder/circle.json"
answers integrate "$folder/circle.json" --error-scale range --format json
sed -n 's/^ *"scale": \([0-9.e-]*\),*$/\1/p' "$folder/out" >"$folder/scales"
near "$(sed -n 1p "$folder/scales")" 2 1e-3 && near "$(sed -n 2p "$folder/scales")" 6 1e-3
result $? "each state has the scale of its own range"

echo "1..$count"
[ "$failed" -eq 0 ]
