#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep run --execution mpi: the same bits as serial on any number of ranks, failures, refusals, interruption. Where the build has no MPI, or the
# machine no mpirun, that it is refused. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
. "$(dirname "$0")/../support/shell/ranks.sh"

"$macrostep" run quarter-car --execution mpi >"$folder/out" 2>"$folder/err"
if grep -q 'without MPI' "$folder/err"; then
    refuses 2 'built without MPI.*--execution parallel' run quarter-car --execution mpi
    echo "1..$count"
    exit $((failed > 0))
fi
refuses 2 'compare takes serial or parallel' compare quarter-car --execution mpi
if ! command -v mpirun >/dev/null; then
    echo "1..$count"
    exit $((failed > 0))
fi

# A program of a name of its own, so that its processes are known, with what it opens.
cp "$macrostep" "$folder/program"
cp -r "$(dirname "$macrostep")/plugins" "$folder"

program=$folder/program

# alive: the process numbers of the program
alive() {
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/exe" 2>/dev/null)" != "$folder/program" ] || echo "${process#/proc/}"
    done
}

# gone WHAT: no process of the program is left within 20 s
gone() {
    waited=0
    while [ -n "$(alive)" ] && [ $waited -lt 200 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    is "$1" test -z "$(alive)"
}

# plain FILE: without provenance, execution and time
plain() {
    grep -v -e '^#' -e '"execution"' -e '"wall_seconds"' -e '"command"' "$1"
}

# answers_agree: but for where it was run, and nobody complains
answers_agree() {
    plain "$folder/serial.json" >"$folder/serial.answer"
    [ $wanted -eq 0 ] && [ "$status" -eq 0 ] && [ ! -s "$folder/err" ] &&
        plain "$folder/out" | cmp -s - "$folder/serial.answer"
}

# same N ARGUMENT ..: a run on N ranks has the trajectory and the answer of the serial run
same() {
    its_turn 8 || return 0
    n=$1
    shift
    "$macrostep" run "$@" --format json --trajectory "$folder/serial.csv" >"$folder/serial.json" 2>"$folder/err"
    wanted=$?
    ranks "$n" run "$@" --execution mpi --format json --trajectory "$folder/ranks.csv"
    plain "$folder/serial.csv" >"$folder/serial.rows"
    answers_agree && [ "$(wc -l <"$folder/serial.rows")" -gt 2 ] &&
        plain "$folder/ranks.csv" | cmp -s - "$folder/serial.rows"
    result $? "$n ranks as serial: $*"
}

# bare N ARGUMENT ..: the same of the answer where nobody reads states on the way, which then stay on the ranks
bare() {
    its_turn 8 || return 0
    n=$1
    shift
    "$macrostep" run "$@" --errors none --format json >"$folder/serial.json" 2>"$folder/err"
    wanted=$?
    ranks "$n" run "$@" --errors none --execution mpi --format json
    answers_agree
    result $? "$n ranks as serial, states on the ranks: $*"
}

# Trajectories where ranks keep the state of their blocks: any number of ranks, orders, solved outputs across ranks, events
for n in 1 2 3 5; do
    same $n mass-chain --set masses=7 --extrapolation-order 2 --smooth-coupling c1 --stop-time 0.5
    same $n full-car --outputs corrected --extrapolation-order 1 --stop-time 0.05
    bare $n mass-chain --set masses=7 --extrapolation-order 1 --error-controlled richardson --rtol 1e-4 --stop-time 1
done
same 3 quarter-car --stop-time 1
same 2 mass-spring-damper --outputs consistent --extrapolation-order 1 --stop-time 1
same 2 example-6.3.1 --outputs consistent --extrapolation-order 2
same 3 example-5.2.2 --outputs corrected --extrapolation-order 1
same 3 quarter-car --extrapolation-order 1 --error-controlled richardson --rtol 1e-4
same 3 full-car --outputs corrected --extrapolation-order 1 --error-controlled pyfmi --stop-time 0.02
same 2 quarter-car --extrapolation-order 1 --smooth-coupling --as-printed=smoothing --stop-time 1
same 2 impact-oscillator --case both --outputs corrected --extrapolation-order 1 --error-controlled richardson --rtol 1e-4
same 3 impact-oscillator --set s=-0.5 --set e=0.5 --stop-time 5
same 2 impact-oscillator --case time --extrapolation-order 2 --at-time-events communicate
same 2 double-pendulum --outputs consistent --solver gsl-rk8pd --stop-time 0.5
same 4 coupled-pendula --solver cvode-adams --input-change proceed --extrapolation-order 1 --stop-time 0.5
bare 2 full-car --outputs corrected --extrapolation-order 1 --error-controlled richardson --stop-time 0.1

# Trajectories where rank 0 keeps the state
for n in 1 2 3 5; do
    same $n mass-chain --set masses=4 --scheme gauss-seidel --sequence mass3,mass1,mass4,mass2 --stop-time 0.5
    same $n three-clocks --scheme f3ornits --scheduler asynchronous --smooth-coupling c1
done
same 2 quarter-car --extrapolation-order 2 --derivatives analytic --outputs corrected --stop-time 1
same 2 impact-oscillator --case both --extrapolation-order 2 --at-events drop
same 3 impact-oscillator --case both --extrapolation-order 1 --at-events drop --start hold --error-controlled richardson --rtol 1e-4
same 3 impact-oscillator --case switch --scheme f3ornits --scheduler asynchronous --at-events drop
same 2 impact-oscillator --case time --extrapolation-order 2 --at-events drop --at-time-events communicate
same 3 two-masses-springs-dampers --case jump --set change_time=1.234 --scheme f3ornits --stop-time 3 --at-time-events communicate
same 2 double-pendulum --scheme gauss-seidel --extrapolation-order 1 --stop-time 0.2
same 3 mass-chain --set masses=4 --scheme balance --extrapolation-order 1 --balance-hat triangle --stop-time 0.5
same 2 quarter-car --case bonded --error-controlled ecco --stop-time 0.5
same 2 mass-chain --set masses=3 --scheme strang --stop-time 0.2
same 2 quarter-car --as oms-mav --rtol 1e-2 --atol 1e-2 --stop-time 0.3
same 2 quarter-car --as libcosim --substeps wheel=4 --stop-time 0.3
same 2 quarter-car --as maestro --stop-time 0.3
same 2 quarter-car --case bonded --scheme nepce --error-controlled ecco --stop-time 0.5
same 2 spring-mass --scheme power --extrapolation-order 1 --stop-time 5
same 2 oscillator-chain --set masses=2 --scheme power --stop-time 2
same 3 controlled-car --scheme f3ornits --stop-time 2
same 2 damping-reaction --scheme ifosmondi --solver-nonlinear newtonls --stop-time 1
same 3 damping-reaction --case threshold --scheme ifosmondi --solver-nonlinear ngmres --epsilon 1e-8 --solver cvode-bdf --stop-time 0.5
same 2 plate-chain --set plates=2 --scheme ifosmondi --solver-nonlinear anderson --stop-time 0.5
same 2 damping-reaction --scheme zoh-iterative --stop-time 0.5
same 2 lim-oscillator --case force-force --scheme missiles --stop-time 0.5
same 2 lim-oscillator --case force-force --scheme ijcsa --input-degree 2 --stop-time 0.5
same 2 lim-oscillator --scheme multirate --substeps right=4 --extrapolation-order 1 --stop-time 0.5
same 3 lim-oscillator --case force-force --scheme tlm --delay 0.025 --stop-time 0.5
same 2 lim-oscillator --case force-force --scheme tlm --solver cvode-bdf --stop-time 0.2
same 2 lim-oscillator --case force-force --scheme robin --stop-time 0.3
same 2 double-pendulum --scheme multirate --substeps 3 --first fast --solver rk4 --stop-time 0.2
same 2 lim-oscillator --scheme waveform --samples left=3,right=2 --spline-degree 2 --stop-time 0.5
same 2 double-pendulum --scheme waveform --samples 2 --sweep gauss-seidel --solver-nonlinear newtonls --solver rk4 --stop-time 0.2
same 2 double-pendulum --scheme semi-implicit --sensitivities differences --solver rk4 --stop-time 0.2

# A run that diverges in one block, and one whose subsystem fails in the last, end for all at the same time
turn=0
bare 3 mass-chain --set masses=9 --step-size 2 --stop-time 1000 --extrapolation-order 2
is "... which has diverged" grep -q '"reason": "diverged"' "$folder/serial.json"
turn=0
bare 3 quadruple-tank --step-size 100 --stop-time 2000 --extrapolation-order 2
is "... where a subsystem has failed" grep -q '"reason": "subsystem-failed"' "$folder/serial.json"

# A subsystem that fails is a result, with the same name and line on ranks
fails="spring-mass --scheme power --extrapolation-order 1 --fallback-threshold 0.1 --step-size 0.3"
turn=0
same 3 $fails
is "... which has failed" grep -q '"reason": "subsystem-failed"' "$folder/serial.json"
is "... and says who" grep -q '"message": "solver automatic of subsystem ' "$folder/serial.json"

# An FMU that asks for the end of the simulation, on a rank that keeps its state and on one that is sent it
cc -std=c11 -shared -fPIC -w -DENDS=0.6 "$(dirname "$0")/../support/fmu/ticking_fmu.c" -o "$folder/ticking.so" || exit 1
python3 - "$folder" <<'EOF' || exit 1
import os, sys, zipfile
os.chdir(sys.argv[1])
with zipfile.ZipFile("ticking.fmu", "w") as fmu:
    fmu.write("ticking.so", "binaries/linux64/ticking.so")
    fmu.writestr("modelDescription.xml", """<fmiModelDescription fmiVersion="2.0" modelName="ticking" guid="t" numberOfEventIndicators="0">
<ModelExchange modelIdentifier="ticking"/><ModelVariables>
<ScalarVariable name="x" valueReference="0" causality="local" initial="exact"><Real start="1"/></ScalarVariable>
<ScalarVariable name="der(x)" valueReference="1" causality="local"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="u" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="y" valueReference="3" causality="output"><Real/></ScalarVariable>
</ModelVariables><ModelStructure><Outputs><Unknown index="4"/></Outputs><Derivatives><Unknown index="2"/></Derivatives></ModelStructure>
</fmiModelDescription>""")
EOF
cat >"$folder/ends.json" <<'EOF'
{"subsystems": [{"name": "s", "inputs": ["u"], "states": {"x": {"derivative": "u - x"}}, "outputs": {"y": "x"}},
                {"name": "f", "fmu": "ticking.fmu", "kind": "model-exchange"}],
 "wires": [{"from": "s.y", "to": "f.u"}, {"from": "f.y", "to": "s.u"}], "stop_time": 1, "step_size": 0.125}
EOF
for scheme in jacobi gauss-seidel; do
    turn=0
    same 2 "$folder/ends.json" --scheme $scheme --errors none
    is "... which has terminated" grep -q '"reason": "terminated"' "$folder/serial.json"
done

refused 2 'the nearest is quarter-car' 3 run quarter-ca --execution mpi
refused 2 'the nearest is jacobi' 3 run quarter-car --execution mpi --scheme jacobii
refused 2 'compare takes serial or parallel' 3 compare quarter-car --execution mpi
refused 1 'No such file' 3 run quarter-car --execution mpi --output "$folder/missing/x"
refused 1 'No such file' 3 run quarter-car --execution mpi --trajectory "$folder/missing/x.csv"

# Ranks that were started with another model
timeout -k 5 60 mpirun -n 2 "$folder/program" run quarter-car --execution mpi : -n 1 "$folder/program" run mass-chain \
    --set masses=2 --execution mpi >"$folder/out" 2>"$folder/err" </dev/null
[ $? -eq 2 ] && [ ! -s "$folder/out" ] && grep -q '^macrostep: rank 2: .*differs from that of rank 0' "$folder/err"
result $? "a rank with another model is refused"

# Ranks that differ in what decides the answer: a parameter, an option, a start value, an entry, an expression, a row, an FMU. differs LINE WHERE ARGUMENT ..: rank 0
# runs in the folder a with these arguments, rank 1 in WHERE, one or both of which may hold a file of the same name
differs() {
    its_turn || return 0
    line=$1 where=$2
    shift 2
    timeout -k 5 60 mpirun -n 1 -wdir "$folder/a" "$program" run $rank_0 --execution mpi : -n 1 -wdir "$folder/$where" "$program" run "$@" \
        --execution mpi >"$folder/out" 2>"$folder/err" </dev/null
    [ $? -eq 2 ] && [ ! -s "$folder/out" ] && [ "$(grep -c '^macrostep: ' "$folder/err")" -eq 1 ] &&
        grep -q "^macrostep: rank 1: --execution mpi: $line" "$folder/err"
    result $? "rank 0: $rank_0, rank 1: $* in $where: refused"
}
mkdir -p "$folder/a" "$folder/b"
pair() { # FOLDER ENTRY START EXPRESSION
    cat >"$folder/$1/matrices.json" <<EOF
{"subsystems": [{"name": "s1", "A": [[$2]], "B": [[1]], "C": [[1]], "x0": [$3]}, {"name": "s2", "A": [[-2]], "B": [[1]], "C": [[1]]}],
 "L": [[0, 1], [1, 0]], "end": 0.1}
EOF
    cat >"$folder/$1/equations.json" <<EOF
{"subsystems": [{"name": "s1", "states": {"x": {"derivative": "$4 + u + w", "start": 1}}, "inputs": ["u"], "external": {"w": "0"}, "outputs": {"y": "x"}},
                {"name": "s2", "states": {"x": {"derivative": "-x + u", "start": 1}}, "inputs": ["u"], "outputs": {"y": "x"}}],
 "wires": [{"from": "s1.y", "to": "s2.u"}, {"from": "s2.y", "to": "s1.u"}], "end": 0.1, "step_size": 0.01}
EOF
}
rank_0=quarter-car
differs 'the model differs' a quarter-car --set kc=20000
differs 'the model differs' a quarter-car --set kc=15000.000000000002
differs 'the options differ' a quarter-car --step-size 0.001953125
differs 'the options differ' a quarter-car --extrapolation-order 1
differs 'the options differ' a quarter-car --scheme gauss-seidel
for where in "-1.5 1 -x" "-1 1.5 -x"; do
    pair a -1 1 -x
    pair b $where
    rank_0=matrices.json
    differs 'the model differs' b matrices.json
done
pair b -1 1 -1.0001*x
rank_0=equations.json
differs 'the model differs' b equations.json
pair b -1 1 -x
printf 'time,s1.w.w\n0,1\n1,2\n' >"$folder/a/rows.csv"
printf 'time,s1.w.w\n0,1\n1,3\n' >"$folder/b/rows.csv"
rank_0="equations.json --inputs rows.csv"
differs 'the model differs' b equations.json --inputs rows.csv
for kc in "a 15000" "b 20000"; do
    "$macrostep" export quarter-car --set kc="${kc#* }" --directory "$folder/${kc% *}" >/dev/null 2>"$folder/err"
    cat >"$folder/${kc% *}/fmus.json" <<EOF
{"subsystems": [{"name": "chassis", "fmu": "quarter_car_chassis.fmu"}, {"name": "wheel", "fmu": "quarter_car_wheel.fmu"}],
 "wires": [{"from": "wheel.x", "to": "chassis.u.x"}, {"from": "wheel.v", "to": "chassis.u.v"},
           {"from": "chassis.x", "to": "wheel.u.x"}, {"from": "chassis.v", "to": "wheel.u.v"}], "end": 0.1, "step_size": 0.001}
EOF
done
rank_0=fmus.json
differs 'an FMU of fmus differs' b fmus.json
same 2 "$folder/a/fmus.json" --stop-time 0.1

# A rank that is refused before MPI starts, or cannot start it: one line, and nobody waits
together() {
    timeout -k 5 60 mpirun -n 1 "$folder/program" run quarter-car --execution mpi : -n 1 "$@" >"$folder/out" 2>"$folder/err" \
        </dev/null
    status=$?
    [ ! -s "$folder/out" ] && [ "$(grep -c '^macrostep: ' "$folder/err")" -eq 1 ]
}
together "$folder/program" run quarter-ca --execution mpi && [ $status -eq 2 ] &&
    grep -q '^macrostep: rank 1: .*nearest is quarter-car' "$folder/err"
result $? "a rank with an unknown model is refused"
mkdir -p "$folder/alone/bin" && cp "$macrostep" "$folder/alone/bin/program"
"$folder/alone/bin/program" run quarter-car --execution mpi --format json --errors none >"$folder/out" 2>"$folder/err" &&
    "$macrostep" run quarter-car --execution mpi --format json --errors none >"$folder/with"
grep -v '"wall_seconds"\|"command"' "$folder/with" >"$folder/wanted"
grep -v '"wall_seconds"\|"command"' "$folder/out" | cmp -s - "$folder/wanted"
result $? "without mpirun there is one rank, and MPI is not opened: it need not be there"
together "$folder/alone/bin/program" run quarter-car --execution mpi && [ $status -eq 1 ] &&
    grep -q '^macrostep: rank 1: .*macrostep-mpi.so does not open' "$folder/err"
result $? "a rank without the shared object ends all"

# Other commands: rank 0 alone works
call list schemes --format json
plain "$folder/out" >"$folder/one"
ranks 3 list schemes --format json
[ "$status" -eq 0 ] && plain "$folder/out" | cmp -s - "$folder/one"
result $? "list on 3 ranks answers once"
ranks 3 run quarter-car --format json
[ "$status" -eq 0 ] && [ "$(grep -c '"reason"' "$folder/out")" -eq 1 ]
result $? "a serial run on 3 ranks answers once"

# Interruption and death. A run of many hours is at work when its answer's file has been begun.
long="quarter-car --step-size 1e-8 --stop-time 100 --execution mpi --output $folder/long.json"
begin() {
    rm -f "$folder"/long.json*
    mpirun -n 3 "$folder/program" run $long >"$folder/out" 2>"$folder/err" </dev/null &
    launcher=$!
    waited=0
    while [ -z "$(ls "$folder" | grep '^long.json')" ] && [ $waited -lt 200 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    is "a run of many hours is at work" test $waited -lt 200
    sleep 0.5
}

# ended WHAT: mpirun has ended within 40 s and says that something went wrong, and no rank is left
ended() {
    waited=0
    while kill -0 $launcher 2>/dev/null && [ $waited -lt 400 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    if [ $waited -lt 400 ]; then
        wait $launcher
        is "$1" test $? -ne 0
    else
        kill -KILL $launcher
        is "$1 (it hangs)" false
    fi
    gone "... and all ranks with it"
}
export OMPI_MCA_odls_base_sigkill_timeout=5 # a run that is told to stop writes its answer
turn=0
for signal in INT TERM; do
    its_turn || continue
    begin
    kill -$signal $launcher
    ended "SIG$signal ends mpirun"
    is "... and the run says so" grep -q '^reason *interrupted' "$folder/long.json"
done
rank_of() {
    tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null | sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p' | head -n 1
}
turn=0
for victim in 0 2; do
    its_turn || continue
    begin
    for process in $(alive); do
        [ "$(rank_of "$process")" != $victim ] || kill -KILL "$process"
    done
    ended "rank $victim killed: mpirun ends"
done

echo "1..$count"
exit $((failed > 0))
