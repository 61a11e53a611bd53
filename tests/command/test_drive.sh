#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep drive: answers, files, refusals. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

mass="drive mass-spring-damper --subsystem right --stop-time 2"

# number PATH: the value of a dotted path in the CSV answer $folder/out
number() {
    grep -v '^#' "$folder/out" | awk -F, -v path="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == path) column = k }
                                                       NR == 2 { print $column }'
}

# below A B: A < B, as numbers
below() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 < b + 0) }'
}

# Help
answers drive --help=all
for option in subsystem segments input-shape history trajectory input-change; do
    grep -q -e "--$option" "$folder/out"
    result $? "the help has --$option"
done
call --help
grep -q '^  drive ' "$folder/out"
result $? "the list of commands has it"

# Answers
for format in table csv json; do
    answers $mass --format $format
done
for key in model case parameters.k1 subsystem segments input_shape solver.name solver.rtol solver.atol \
    solver.input_change reason message end_time work.micro_steps work.rhs_evaluations work.jacobian_evaluations \
    work.error_test_failures work.convergence_failures errors.own.max errors.own.end errors.own.per_state.x.max errors.coupled.per_state.v.end \
    own_reference_error coupled_reference_error wall_seconds; do
    answers $mass --format csv >/dev/null
    grep -v '^#' "$folder/out" | head -n 1 | tr ',' '\n' | grep -qx "$key"
    result $? "the answer has $key"
done

# What it measures
answers $mass --segments 19 --input-shape linear --solver-rtol 1e-6 --solver-atol 1e-8 --format csv
restart=$(number work.micro_steps)
is "19 segments" test "$(number segments)" = 19
is "linear" test "$(number input_shape)" = linear
is "the solver is cvode-bdf" test "$(number solver.name)" = cvode-bdf
answers $mass --segments 19 --input-shape linear --solver-rtol 1e-6 --solver-atol 1e-8 --input-change correct-2 --format csv
is "a correction takes fewer micro-steps" below "$(number work.micro_steps)" "$restart"
answers $mass --segments 19 --input-shape linear --solver exact --format csv
is "exact solves the open-loop problem" below "$(number errors.own.max)" 1e-12
is "... which is not the coupled one" below 1e-3 "$(number errors.coupled.max)"
loose=$(number errors.coupled.max)
answers $mass --segments 190 --input-shape linear --solver exact --format csv
is "... but tends to it" below "$(number errors.coupled.max)" "$loose"
answers $mass --set k3=1e7 --solver euler --segments 40 --format csv
is "a run that diverges is done" test "$(number reason)" = diverged
is "... without errors" test -z "$(number errors.own.max)"

# Files
answers $mass --segments 7 --input-shape constant --trajectory "$folder/t.csv" --history "$folder/s.csv" --format csv
is "a row for each grid point" test "$(rows "$folder/t.csv")" -eq 8
is "a row for each micro-step" test "$(rows "$folder/s.csv")" -eq "$(number work.micro_steps)"
is "its columns" grep -qx 'time,x.x,x.v,u.x,u.v,own.x,own.v,coupled.x,coupled.v' "$folder/t.csv"
is "... and those of the micro-steps" grep -qx 'time,step_size,order' "$folder/s.csv"
is "provenance" grep -q '^# command: macrostep drive mass-spring-damper --subsystem right' "$folder/t.csv"
call $mass --format csv
grep -v '^#' "$folder/out" | sed 's/,[^,]*$//' >"$folder/a"
call $mass --format csv
grep -v '^#' "$folder/out" | sed 's/,[^,]*$//' | cmp -s - "$folder/a"
result $? "the same bytes again, but for the time it took"

# A linear system as a file
cat >"$folder/system.json" <<'END'
{"subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]], "x0": [1]},
                {"name": "b", "A": [[-2]], "B": [[1]], "C": [[1]]}], "wires": [[0, 1, 1], [1, 0, 1]], "end": 1}
END
answers drive --system "$folder/system.json" --subsystem b --segments 4

# Refusals
refuses 2 'has mass1, mass2, .*, mass[0-9]* and [0-9]* more$' drive mass-chain --set masses=300 --subsystem none
is "... all of them counted" test $(($(sed 's/.*, mass\([0-9]*\) and \([0-9]*\) more$/\1 + \2/' "$folder/err"))) -eq 300
refuses 2 '--subsystem: missing; model mass-spring-damper has left, right' drive mass-spring-damper
refuses 2 '--subsystem middle: .* has left, right' drive mass-spring-damper --subsystem middle
for value in x 1.5 1001 -1001; do
    refuses 2 "--perturb-start $value: must be a whole number in \[-1000, 1000\]" $mass --perturb-start $value
done
refuses 2 '--perturb-start: not an option of this command' spectral mass-spring-damper --perturb-start 1
refuses 2 '--segments 0: must be a whole number' $mass --segments 0
refuses 2 '--segments 2.5: must be a whole number' $mass --segments 2.5
refuses 2 '--input-shape quadratic: must be constant, linear or interpolated' $mass --input-shape quadratic
refuses 2 '--step-size: not an option of this command' $mass --step-size 0.1
refuses 2 '--scheme: not an option of this command' $mass --scheme jacobi
refuses 2 '--num-threads: not an option of this command' $mass --num-threads 2
refuses 2 '--solver cvode: unknown; the nearest is cvode-' $mass --solver cvode
refuses 2 '--stop-time -1' drive mass-spring-damper --subsystem right --stop-time -1
refuses 2 'takes one value' $mass --solver-rtol 1e-6,1e-8
refuses 2 'takes one value' $mass --set k1=1,2
refuses 2 '--input-change' $mass --input-change correct-3
refuses 2 'correct' $mass --solver gsl-msadams --input-change correct-1
refuses 2 'nonlinear' drive coupled-pendula --subsystem left --solver exact
refuses 2 '--input-shape: .*degree 0, not 1' drive three-clocks --subsystem buoy --input-shape linear
refuses 2 'every 0.25 s' drive three-clocks --subsystem meter --segments 7
refuses 2 'discrete variables' drive bell
refuses 2 'model.*missing' drive
refuses 2 'the answer goes there' $mass --trajectory -
refuses 2 'the trajectory goes there' $mass --trajectory "$folder/x.csv" --history "$folder/x.csv"
refuses 2 '--subsystem: not an option of this command' run mass-spring-damper --subsystem right
refuses 1 'no/such' $mass --history "$folder/no/such.csv"
refuses 2 'has no reference beyond 0 s' drive quarter-car --case as-printed --subsystem wheel --stop-time 1e4

# Errors are those of the columns: states less what the subsystem does by itself, and less those of the coupled model
answers drive quarter-car --subsystem wheel --segments 7 --trajectory "$folder/columns.csv" --format csv
cp "$folder/out" "$folder/stated"
for against in own coupled; do
    for state in x v; do
        stated=$(awk -F, -v name="errors.$against.per_state.$state.max" \
            '/^#/ {next} !at {for (k = 1; k <= NF; k++) if ($k == name) at = k; next} {print $at}' "$folder/stated")
        awk -F, -v a="x.$state" -v b="$against.$state" -v stated="$stated" '/^#/ {next}
            !i {for (k = 1; k <= NF; k++) {if ($k == a) i = k; if ($k == b) j = k}; next}
            {d = $i - $j; d = d < 0 ? -d : d; most = d > most ? d : most}
            END {exit !(stated > 0 && i && j && (most - stated)^2 <= 1e-6 * stated^2)}' "$folder/columns.csv"
        result $? "the largest $state less $against.$state of the trajectory is the stated error"
    done
done

# Start values that differ by round-off: 0 is the model's own, others are other runs, in each command that counts
for command in 'drive mass-spring-damper --subsystem right --stop-time 2 --input-change proceed' \
    'run mass-spring-damper' 'integrate mass-spring-damper' 'run quarter-car'; do
    answers $command --trajectory "$folder/own.csv"
    answers $command --perturb-start 0 --trajectory "$folder/zero.csv"
    answers $command --perturb-start -4 --trajectory "$folder/less.csv"
    grep -v '^#' "$folder/own.csv" >"$folder/own"
    grep -v '^#' "$folder/zero.csv" | cmp -s - "$folder/own"
    result $? "$command: --perturb-start 0 changes nothing"
    ! grep -v '^#' "$folder/less.csv" | cmp -s - "$folder/own"
    result $? "$command: --perturb-start -4 is another run"
done
grep -q '^# .*--perturb-start -4' "$folder/less.csv"
result $? 'the trajectory says so'

# Interruption, while the coupled model is solved: nothing is written
"$macrostep" drive coupled-pendula --subsystem left --segments 1000000 --output "$folder/answer" >"$folder/out" 2>"$folder/err" &
process=$!
sleep 1
kill -INT $process
wait $process
status=$?
without_progress "$folder/err"
[ $status -eq 130 ] && [ "$(cat "$folder/err")" = 'macrostep: interrupted' ] && [ -z "$(find "$folder" -name 'answer*')" ]
result $? 'interrupted: exit 130, one line, and no file'

echo "1..$count"
[ "$failed" -eq 0 ]
