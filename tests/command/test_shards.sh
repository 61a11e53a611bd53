#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --shard I/N, macrostep merge, and rows shared over MPI ranks: the bytes of the whole call, whoever computed the rows; kills,
# resumption, refusals. Where the build has no MPI, or the machine no mpirun, ranks are refused. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
. "$(dirname "$0")/../support/shell/ranks.sh"

call run quarter-car --execution mpi
mpi=yes
! grep -q 'without MPI' "$folder/err" && command -v mpirun >/dev/null || mpi=no

sweep="sweep --models spring-mass,linear-pair --cases first --scheme jacobi --extrapolation-order 0,1"
compare="compare linear-pair --extrapolation-order 0"
converge="converge quarter-car --extrapolation-order 1"
stability="stability mass-spring-damper --x step-size=0.01:0.2:lin:30 --y k2=1:100:log:20"
narrow="stability --x re-lambda=-1.5:1.5:lin:300 --y im-lambda=-1:1:lin:3"
work='work-precision quarter-car --stop-time 0.1 --scheme jacobi,f3ornits --starts 3 --rtol 1e-1,1e-2'

# plain FILE: without the time of a run, which compare answers with and no two calls have in common
plain() {
    sed -e 's/"wall_seconds": [^,}]*//' -e 's/^\(linear-pair,.*,\)[-0-9.e+]*,\([0-9]*,[0-9]*,"*[a-z].*\)$/\1\2/' "$1"
}

# same FILE WHAT: the file is that of the whole call, in $folder/whole
same() {
    plain "$folder/whole" >"$folder/wanted"
    [ -s "$folder/wanted" ] && plain "$1" | cmp -s - "$folder/wanted"
    result $? "$2"
}

# parts N ARGUMENT ..: all parts of the call, in $folder/1 to $folder/N, on one thread and two in turn
parts() {
    n=$1
    shift
    for i in $(seq "$n"); do
        call "$@" --shard "$i/$n" --output "$folder/$i" --num-threads $((i % 2 + 1))
        [ "$status" -eq 0 ] && [ ! -s "$folder/out" ] && [ ! -s "$folder/err" ] || result 1 "part $i/$n of $*"
    done
}

# whole ARGUMENT ..: the whole call
whole() {
    call "$@" --output "$folder/whole" --num-threads 1
    is "exit 0: $*" test "$status" -eq 0
}

# Merged parts are the whole
for format in csv json jsonl; do
    whole $sweep --format $format
    parts 3 $sweep --format $format
    call merge "$folder/2" "$folder/3" "$folder/1"
    same "$folder/out" "sweep as $format: three parts merged, in any order"
    grep -q 'shard.*2/3' "$folder/2"
    result $? "... the provenance of a part names it"
    rows=$(cat "$folder/1" "$folder/2" "$folder/3" | grep -c '^spring-mass,\|^linear-pair,\|^{"model"')
    is "... and each row was computed once" test "$rows" -eq 108
done
few="sweep --models spring-mass --cases first --scheme jacobi --extrapolation-order 0 --outputs inconsistent" # six rows
parts 9 $few --format csv
whole $few --format csv
call merge $(seq -f "$folder/%g" 9) --output "$folder/merged"
same "$folder/merged" "more parts than rows"
is "... and there are parts without any" test "$(grep -c '^spring-mass,' "$folder/9")" -eq 0 -a "$(cat "$folder"/[1-9] | grep -c '^spring-mass,')" -eq 6
for command in "$compare" "$work" "$converge" "$stability" "$narrow"; do
    formats="csv jsonl json"
    [ "$command" != "$compare" ] || formats="table csv jsonl json"
    for format in $formats; do
        its_turn || continue
        whole $command --format $format
        parts 3 $command --format $format
        call merge "$folder/1" "$folder/2" "$folder/3" --output "$folder/merged"
        is "exit 0: merge, nothing printed" test "$status" -eq 0 -a ! -s "$folder/out" -a ! -s "$folder/err"
        same "$folder/merged" "... the whole: $command --format $format"
    done
    whole $command --format json
    call $command --format json --num-threads 2 --output "$folder/threads"
    same "$folder/threads" "... and on two threads"
done
whole $converge --format json
parts 1 $converge --format json
call merge "$folder/1"
same "$folder/out" "one part of one"
whole $converge --format json --plot "$folder/whole.svg" --width 8cm --title 'One of two'
parts 2 $converge --format json
call merge "$folder/1" "$folder/2" --output="$folder/merged" --plot "$folder/merged.svg" --width=8cm --title 'One of two'
is "the picture of merged parts is that of the whole" cmp "$folder/whole.svg" "$folder/merged.svg"

# Refusals
for i in 1 2 3; do
    call $sweep --format json --shard $i/3 --output "$folder/$i"
    call $compare --format json --shard $i/3 --output "$folder/c$i"
done
call converge linear-pair --extrapolation-order 0 --format json --shard 2/3 --output "$folder/d2"
call $sweep --format json --shard 2/3 --output "$folder/2"
is "a part that is whole is made anew" test "$status" -eq 0
refuses 2 'part 3/3 is missing' merge "$folder/1" "$folder/2"
refuses 2 'parts 1/3, 2/3 are missing' merge "$folder/3"
refuses 2 '2: is part 2/3, as .*2 is' merge "$folder/1" "$folder/2" "$folder/2"
refuses 2 'd2.* another command' merge "$folder/c1" "$folder/d2" "$folder/c3"
refuses 2 'c2 was made with --extrapolation-order 0, .*1 has' merge "$folder/1" "$folder/c2" "$folder/3"
refuses 1 'nothing: No such file' merge "$folder/1" "$folder/nothing"
refuses 1 ': Is a directory' merge "$folder"
refuses 2 'parts are missing' merge
refuses 2 '^macrostep: --plot: the rows of this sweep are joined as they are' merge "$folder/1" "$folder/2" "$folder/3" --plot no.svg
refuses 2 '^macrostep: --plot no.svg: a part .* has no picture of its own; merge PART.. --plot no.svg draws all' \
    $compare --format json --shard 1/3 --output "$folder/p" --plot no.svg
refuses 2 'is not a part of a command' merge "$macrostep"
call $sweep --format json --output "$folder/whole"
refuses 2 'whole: is not a part' merge "$folder/whole"
refuses 2 '--output .*: a part is read from there' merge "$folder/1" "$folder/2" "$folder/3" --output "$folder/2"
call $sweep --step-size 0.1 --format json --shard 2/3 --output "$folder/other"
refuses 2 'other was made with --step-size 0.1, which .*1 lacks' merge "$folder/1" "$folder/other" "$folder/3"
call $sweep --format json --shard 2/4 --output "$folder/other"
refuses 2 'other: is part 2 of 4, but .*1 is one of 3' merge "$folder/1" "$folder/other" "$folder/3"
call $sweep --format csv --shard 2/3 --output "$folder/other"
refuses 2 'other is not a part in the format of ' merge "$folder/1" "$folder/other" "$folder/3"
sed 's/"version": "/&9/' "$folder/2" >"$folder/other"
refuses 2 'the version of .*other is 9.*, of .*1 ' merge "$folder/1" "$folder/other" "$folder/3"
for word in version commit; do
    for i in 1 2 3; do
        sed "s/\"$word\": \"/&9/" "$folder/c$i" >"$folder/v$i"
    done
    refuses 2 'v1: was made by macrostep .*\b9.*, this is' merge "$folder/v1" "$folder/v2" "$folder/v3"
done
for file in 2 c2; do
    size=$(wc -c <"$folder/$file")
    for bytes in $((size / 2)) $((size - 100)); do
        head -c $bytes "$folder/$file" >"$folder/other"
        refuses 2 'other: holds [0-9]* of the [0-9]* rows of part 2/3; --resume' merge \
            "$folder/${file%2}1" "$folder/other" "$folder/${file%2}3" --output "$folder/new"
        is "... and nothing is written" test ! -e "$folder/new"
    done
done
head -c 100 "$folder/2" >"$folder/other"
refuses 2 'other: is not a part' merge "$folder/1" "$folder/other" "$folder/3"
awk '{print} /"reason"/ && !n++' "$folder/2" >"$folder/other"
refuses 2 'other: has more than the [0-9]* rows of part 2/3' merge "$folder/1" "$folder/other" "$folder/3"
for wrong in 0/3 4/3 1 1/ /3 1/0 a/b 1/3x -1/3 1/9999999; do
    refuses 2 "--shard $wrong: " $sweep --format csv --shard $wrong
done
refuses 2 '--shard 1/3: requires --format csv, json or jsonl' $sweep --shard 1/3
refuses 2 '--shard 1/2: --critical and --boundary-only' stability mass-spring-damper --critical --shard 1/2
refuses 2 '--shard 1/2: a scheme that iterates' converge spring-mass --scheme ifosmondi --shard 1/2
refuses 2 '--resume: applies only to parts' $compare --output "$folder/x" --resume
refuses 2 '--resume: needs the file' $compare --shard 1/2 --resume
refuses 2 '--shard: not an option of this command' run quarter-car --shard 1/2
is "a call that is wrong makes no file" test ! -e "$folder/x"
cp "$folder/c1" "$folder/other"
refuses 2 'other was made with --extrapolation-order 0, this call has' compare linear-pair --extrapolation-order 1 \
    --format json --shard 1/3 --output "$folder/other" --resume
cmp -s "$folder/c1" "$folder/other"
result $? "... and the file is left as it was"

# A part that is killed and goes on
slow="--scheme jacobi --extrapolation-order 0 --step-size 0.0001 --stop-time 6"
slow_sweep="sweep --models quarter-car,mass-spring-damper --cases first $slow"
slow_compare="compare quarter-car --scheme jacobi --extrapolation-order 0 --step-size 0.00002 --stop-time 10"

# rows_in FILE: how many rows of JSON it holds; 0 for none
rows_in() {
    n=$(grep -c '"reason"' "$1" 2>/dev/null)
    echo "${n:-0}"
}

# killed SIGNAL FILE ARGUMENT ..: the call gets the signal when it has written a row; it stands still while its rows are counted, so
# that it cannot end meanwhile on a machine where this script hardly gets a turn
killed() {
    signal=$1 file=$2
    shift 2
    rm -f "$file"
    "$@" --output "$file" >"$folder/out" 2>"$folder/err" </dev/null &
    process=$!
    waited=0
    kill -STOP $process
    while [ "$(rows_in "$file")" -lt 1 ] && [ $waited -lt 2000 ]; do
        kill -CONT $process
        sleep 0.01
        kill -STOP $process
        waited=$((waited + 1))
    done
    kill -"$signal" $process
    kill -CONT $process
    wait $process 2>/dev/null
    is "SIG$signal after a row: $*" test -s "$file"
}

turn=0
for command in "$slow_sweep" "$slow_compare"; do
    whole $command --format json
    for signal in KILL INT; do
        its_turn || continue
        killed $signal "$folder/1" "$macrostep" $command --format json --shard 1/2 --num-threads 2
        if [ $signal = INT ]; then
            grep -q 'interrupted after [0-9]* of [0-9]* rows; the same call with --resume' "$folder/err"
            result $? "... and it says how to go on"
        fi
        rows=$(rows_in "$folder/1")
        call $command --format json --shard 2/2 --output "$folder/2"
        refuses 2 "1: holds $rows of the " merge "$folder/1" "$folder/2"
        cp "$folder/1" "$folder/kept"
        refuses 2 "1: holds $rows of the [0-9]* rows of part 1/2; --resume continues it" $command --format json --shard 1/2 \
            --output "$folder/1"
        is "... without --resume nothing of it is lost" cmp -s "$folder/kept" "$folder/1"
        call $command --format json --shard 1/2 --output "$folder/1" --resume --num-threads 1
        is "... it goes on" test "$status" -eq 0
        call merge "$folder/1" "$folder/2"
        same "$folder/out" "... and merged it is the whole"
    done
done

# The job script of the manual, where a loop stands in for the array, and one task is queued again
sed -n '/^    #!\/bin\/sh$/,/^$/s/^    //p' "$(dirname "$0")/../../bench/README.md" >"$folder/sweep.sh"
mkdir "$folder/bin" "$folder/jobs"
ln -s "$(realpath "$macrostep")" "$folder/bin/macrostep"
task() { # I SECONDS: part I of 4, ended after so many
    (cd "$folder/jobs" && SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_COUNT=4 PATH="$folder/bin:$PATH" \
        timeout --signal KILL "$2" sh ../sweep.sh 2>"$1.log")
}
grep -q '^#SBATCH.*--array=1-4' "$folder/sweep.sh"
result $? "the manual has a job script"
task 2 0.3
for i in 1 2 3 4; do
    task $i 600
    is "task $i of the job script" test $? -eq 0
done
(cd "$folder/jobs" && PATH="$folder/bin:$PATH" macrostep merge part-*.csv >sweep.csv 2>"$folder/err")
whole $(sed -n 's/^macrostep \(.*\) --num-threads.*/\1/p' "$folder/sweep.sh")
is "... the parts are the bytes of the whole" cmp -s "$folder/jobs/sweep.csv" "$folder/whole"

# Ranks
if [ $mpi = no ]; then
    export OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0
    call $compare
    is "ranks without MPI: refused, or started" test "$status" -ne 0
    echo "1..$count"
    exit $((failed > 0))
fi

program=$macrostep
for command in "$sweep --format csv" "$sweep --format json" "$sweep" "$compare --format json" "$converge --format json" \
    "$stability --format json"; do
    whole $command
    for n in 2 3; do
        its_turn || continue
        ranks $n $command --output "$folder/ranks"
        is "$n ranks: nothing printed" test "$status" -eq 0 -a ! -s "$folder/out" -a ! -s "$folder/err"
        same "$folder/ranks" "... as one process: $command"
    done
done
whole $sweep --format csv
ranks 3 $sweep --format csv --num-threads 2
same "$folder/out" "rank 0 with two threads"
parts 2 $sweep --format csv
ranks 2 $sweep --format csv --shard 2/2 --output "$folder/2"
call merge "$folder/1" "$folder/2"
same "$folder/out" "a part that ranks have made"
whole $sweep --format csv
first=$(grep -n '^model,' "$folder/whole" | cut -d : -f 1)
head -n $((first + 28)) "$folder/whole" >"$folder/ranks" # and 80 rows are left
ranks 2 $sweep --format csv --output "$folder/ranks" --resume
same "$folder/ranks" "ranks go on in a file that was interrupted"
iterates="converge mass-spring-damper --scheme ifosmondi --stop-time 1 --format json"
whole $iterates
ranks 2 $iterates --output "$folder/ranks"
same "$folder/ranks" "rows that cannot be shared are those of rank 0"

refused 2 'the nearest is linear-pair' 3 compare linear-pai
refused 1 'No such file' 3 $sweep --format csv --output "$folder/missing/x"
refused 1 'No such file' 3 $compare --output "$folder/missing/x"
refused 2 '--step-size 100: must be' 3 compare spring-mass --step-size 100
for pair in "$compare:$compare --norm rmse" "$sweep --format csv:$sweep --format json"; do
    timeout -k 5 60 mpirun -n 2 "$macrostep" ${pair%%:*} : -n 1 "$macrostep" ${pair#*:} >"$folder/out" 2>"$folder/err" </dev/null
    [ $? -eq 2 ] && grep -q '^macrostep: rank 2: its call, program' "$folder/err"
    result $? "a rank with another call is refused: ${pair#*:}"
done

# Killed: rank 0, which takes all with it, and then the launcher is told to stop; a rank finishes its row
export OMPI_MCA_odls_base_sigkill_timeout=5
whole $slow_sweep --format json
for signal in KILL INT; do
    killed $signal "$folder/ranks" mpirun -n 2 "$macrostep" $slow_sweep --format json
    waited=0
    until call $slow_sweep --format json --output "$folder/ranks" --resume && [ "$status" -eq 0 ] || [ $waited -gt 100 ]; do
        sleep 0.1 # ranks whose launcher was killed end a moment later, and hold the file until then
        waited=$((waited + 1))
    done
    same "$folder/ranks" "... and one process goes on where ranks were killed"
done

echo "1..$count"
exit $((failed > 0))
