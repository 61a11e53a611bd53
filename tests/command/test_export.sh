#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep export: files, what is said of them, the reference, refusals. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

model=quarter-car

answers help export
grep -q '^macrostep export MODEL' "$folder/out"
result $? 'the help names its use'

# Every subsystem, and the reference, which judge finds without an error
answers export $model --directory "$folder/two" --format csv
is 'an FMU for each subsystem, the SSP of both, and the reference' test \
    "$(cd "$folder/two" && echo *)" = 'quarter-car.ssp quarter-car_ref.csv quarter_car_chassis.fmu quarter_car_wheel.fmu'
is 'rows name them' test "$(grep -c 'fmu,chassis,true\|fmu,wheel,true\|quarter-car.ssp,ssp\|_ref.csv,reference' "$folder/out")" -eq 4
grep -q '^# libraries.0: ' "$folder/out"
result $? 'the libraries of the binaries are listed'
answers judge "$folder/two/quarter-car_ref.csv" $model --format csv
is 'the reference has no error' test "$(grep -v '^#' "$folder/out" | awk -F, \
    'NR == 1 {for (k = 1; k <= NF; k++) if ($k == "errors.max") at = k} NR == 2 {print ($at < 1e-12)}')" = 1

# The same call gives the same bytes; another version, subsystem, parameter other ones
answers export $model --directory "$folder/again" --format csv
is 'the same bytes' cmp "$folder/two/quarter_car_wheel.fmu" "$folder/again/quarter_car_wheel.fmu"
is 'of the SSP, too' cmp "$folder/two/quarter-car.ssp" "$folder/again/quarter-car.ssp"
answers export $model --directory "$folder/again" --set kc=20000
is 'another parameter, other bytes' test "$(cmp -s "$folder/two/quarter_car_wheel.fmu" "$folder/again/quarter_car_wheel.fmu"; echo $?)" = 1
answers export $model --directory "$folder/three" --fmi 3 --subsystem whole --solver cvode-bdf --solver-rtol 1e-6
is 'the coupled model alone' test "$(cd "$folder/three" && echo *.fmu)" = quarter_car_whole.fmu
is 'nothing half-written is left' test -z "$(find "$folder" -name '*.part*')"

# What is for co-simulation alone, and why; what has no reference
answers export woodpecker --directory "$folder/bird" --format csv
grep -q 'false.*co-simulation only: it is differential-algebraic' "$folder/out"
result $? 'a differential-algebraic subsystem: co-simulation only'

# A model of one's own goes with its FMU
printf '%s' '{"parameters": {"d": 0.5}, "subsystems": [{"name": "plant", "inputs": ["u"], "outputs": {"y": "x1 + d*u"},
    "states": {"x1": {"derivative": "-x1 + u", "start": 1}}}, {"name": "control", "A": [[-5]], "B": [[1]], "C": [[-2]]}],
    "wires": [{"from": "plant.y", "to": "control.u1"}, {"from": "control.y1", "to": "plant.u"}]}' >"$folder/loop.json"
answers export "$folder/loop.json" --directory "$folder/own"
is 'two FMUs, the SSP and the reference' test "$(cd "$folder/own" && echo *)" = 'loop.ssp loop_control.fmu loop_plant.fmu loop_ref.csv'

# An output that is a state has its unit and depends on it alone; an input of another unit is refused beside it
printf '%s' '{"subsystems": [{"name": "a", "inputs": {"F": {"unit": "m/s"}}, "outputs": {"y": "x", "s": "x + 2*v", "u": "F"},
    "states": {"x": {"derivative": "v", "unit": "m", "start": 1}, "v": {"derivative": "-x", "start": 1}}}],
    "wires": [{"from": "a.s", "to": "a.F"}], "end": 1, "step_size": 0.1}' >"$folder/shown.json"
answers export "$folder/shown.json" --directory "$folder/shown"
answers show "$folder/shown/shown_a.fmu" --format json
python3 - "$folder/out" <<'END'
import json, sys
row = {r["name"]: r for r in json.load(open(sys.argv[1]))["outputs"]}
sys.exit(row["y"]["unit"] != "m" or row["s"]["unit"] == "m")
END
result $? 'an output that is a state has its unit, a sum has none'
unzip -p "$folder/shown/shown_a.fmu" modelDescription.xml >"$folder/shown.xml"
# y, s and u are variables 3, 4 and 5, x and v variables 6 and 7; time comes first
is 'y depends on x, s on both, u on the input alone' test \
    "$(sed -n '/<Outputs>/,/<.Outputs>/s/.*dependencies="\(.*\)".*/\1/p' "$folder/shown.xml" | tr '\n' ,)" = '6,6 7,2,'
printf '%s' '{"subsystems": [{"name": "a", "fmu": "shown/shown_a.fmu"}], "wires": [{"from": "a.s", "to": "a.F"}], "end": 1, "step_size": 0.1}' \
    >"$folder/back.json"
answers run "$folder/shown.json" --trajectory "$folder/shown.csv"
answers run "$folder/back.json" --trajectory "$folder/back.csv"
answers diff "$folder/shown.csv" "$folder/back.csv" --relative-tolerance 1e-6 --absolute-tolerance 1e-6
is 'diff knows the states of the FMU as those of the file' grep -q '^  missing  0$' "$folder/out"
sed 's/"a.s"/"a.y"/' "$folder/shown.json" >"$folder/unfit.json"
refuses 2 'a.y to a.F: m where m/s is expected' run "$folder/unfit.json"

# What is an FMU already stays as it is: an SSP is written back, and a file of FMUs and equations becomes one
answers export "$folder/two/quarter-car.ssp" --directory "$folder/bak" --format csv
is 'the FMUs as they were' cmp "$folder/two/quarter_car_wheel.fmu" "$folder/bak/quarter_car_wheel.fmu"
is 'which is said' test "$(grep -c 'an FMU already: copied unchanged' "$folder/out")" -eq 2
is 'the SSP gives the same answers, paths of the same length apart' test "$("$macrostep" show "$folder/two/quarter-car.ssp" | grep -v "$folder")" = "$("$macrostep" show "$folder/bak/quarter-car.ssp" | grep -v "$folder")"
cp "$folder/two/quarter_car_wheel.fmu" "$folder/mixed.fmu"
printf '%s' '{"parameters": {"k": 20000}, "subsystems": [{"name": "wheel", "fmu": "mixed.fmu"},
    {"name": "chassis", "inputs": ["w", "wv"], "outputs": {"y": "x", "yv": "v"},
     "states": {"x": {"derivative": "v"}, "v": {"derivative": "(k*(w - x) + 1000*(wv - v))/400"}}}],
    "wires": [{"from": "wheel.x", "to": "chassis.w"}, {"from": "wheel.v", "to": "chassis.wv"},
    {"from": "chassis.y", "to": "wheel.u.x"}, {"from": "chassis.yv", "to": "wheel.u.v"}], "end": 1, "step_size": 0.001}' >"$folder/mixed.json"
answers export "$folder/mixed.json" --directory "$folder/mixed"
answers run "$folder/mixed.json" --solver rk4 --trajectory "$folder/mixed_file.csv"
answers run "$folder/mixed/mixed.ssp" --solver rk4 --trajectory "$folder/mixed_ssp.csv"
is 'and the same bits' test "$(grep -v '^#' "$folder/mixed_file.csv" | sed 1d)" = "$(grep -v '^#' "$folder/mixed_ssp.csv" | sed 1d)"
answers export "$folder/mixed.json" --directory "$folder" --format csv
grep -q 'mixed.fmu,fmu,wheel,true,.*at that place' "$folder/out"
result $? 'an FMU is not copied onto itself'
refuses 2 'subsystem wheel is an FMU, which another FMU cannot hold' export "$folder/mixed.json" --subsystem whole --directory "$folder/mixed"
sed 's|"mixed.fmu"|"mixed.fmu", "set": {"p.kc": 20000}|' "$folder/mixed.json" >"$folder/set.json"
answers export "$folder/set.json" --directory "$folder/set" --format csv
grep -q '^,ssp,.*the file sets values of the FMU of subsystem wheel' "$folder/out"
result $? 'values of its own have no place in the SSP'
mkdir "$folder/other"
cp "$folder/two/quarter_car_chassis.fmu" "$folder/other/mixed.fmu"
printf '%s' '{"subsystems": [{"name": "wheel", "fmu": "mixed.fmu"}, {"name": "chassis", "fmu": "other/mixed.fmu"}],
    "wires": [{"from": "wheel.x", "to": "chassis.u.x"}]}' >"$folder/names2.json"
refuses 2 'subsystems wheel and chassis would be two FMUs with the name mixed.fmu' export "$folder/names2.json" --directory "$folder/names2"

# Names of all kinds: nothing leaves the folder, subsystems whose names differ by what files do not have stay apart, `time` may be
# wired, and two variables of one name are refused
long=$(printf 'n%.0s' $(seq 1 400))
printf '%s' '{"name": "../up", "subsystems": [{"name": "a-b", "inputs": ["time"], "outputs": {"x": "x"}, "states": {"x": {"derivative": "time - x", "start": 1}}},
    {"name": "a_b", "outputs": {"time": "x"}, "states": {"x": {"derivative": "-2*x", "start": 3}}}], "wires": [{"from": "a_b.time", "to": "a-b.time"}]}' >"$folder/names.json"
mkdir "$folder/in"
answers export "$folder/names.json" --directory "$folder/in/names"
is 'all files are in the folder' test "$(LC_ALL=C ls -A "$folder/in" "$folder/in/names" | grep -v ':$' | tr '\n' ' ')" = 'names  _._up.ssp _._up_ref.csv m___up_a_b.fmu m___up_a_b_2.fmu '
answers run "$folder/names.json" --solver rk4 --stop-time 0.2 --trajectory "$folder/own.csv"
answers run "$folder/in/names/_._up.ssp" --solver rk4 --stop-time 0.2 --trajectory "$folder/back.csv"
is 'and give the same' test "$(grep -v '^#' "$folder/own.csv" | sed 1d)" = "$(grep -v '^#' "$folder/back.csv" | sed 1d)"
sed "s|../up|$long|" "$folder/names.json" >"$folder/long.json"
answers export "$folder/long.json" --directory "$folder/long"
answers show "$folder/long/"*.ssp
printf '%s' '{"parameters": {"x1": 1}, "subsystems": [{"name": "p", "A": [["-x1"]], "B": [[1]], "C": [[1]]}], "wires": []}' >"$folder/p.json"
refuses 2 'two variables of FMU p_whole would have the name p.x1' export "$folder/p.json" --subsystem whole --directory "$folder/long"

# Sources, where there are any
answers export $model --sources --directory "$folder/sources" --format csv
is 'linear subsystems have sources' test "$(grep -c 'no sources' "$folder/out")" -eq 0
answers export double-pendulum --sources --directory "$folder/sources" --format csv
is 'nonlinear ones have none' test "$(grep -c 'no sources: it is nonlinear' "$folder/out")" -eq 2
for fmi in 2 3; do
    answers export $model --sources --fmi $fmi --directory "$folder/shown"
    answers show "$folder/shown/quarter_car_wheel.fmu"
done

# FMUs of others beside offsets of wires: each subsystem is an FMU, and the SSP says of which kind the file takes them. What is no
# letter of a URI in a name is written by its bytes, and found again.
unpacked() {
    python3 -c 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("SystemStructure.ssd").decode())' "$1"
}
cp "$folder/shown/quarter_car_wheel.fmu" "$folder/a #1%41.fmu"
printf '%s' '{"name": "offsets", "step_size": 0.01, "subsystems": [{"name": "w", "fmu": "a #1%41.fmu", "kind": "co-simulation"},
    {"name": "y", "inputs": ["u"], "outputs": {"y": "x"}, "states": {"x": {"derivative": "u - x", "start": 1}}}],
    "wires": [{"from": "w.x", "to": "y.u", "offset": 2}]}' >"$folder/offsets.json"
answers show "$folder/offsets.json"
answers export "$folder/offsets.json" --directory "$folder/offsets"
unpacked "$folder/offsets/offsets.ssp" >"$folder/ssd"
is 'the source is a URI' grep -q 'source="resources/a%20%231%2541.fmu" implementation="CoSimulation"' "$folder/ssd"
answers run "$folder/offsets/offsets.ssp" --errors none --stop-time 0.1
printf '%s' '{"name": "alone", "subsystems": [{"name": "a", "outputs": {"x": "x"}, "states": {"x": {"derivative": "-x", "start": 1}}}], "wires": []}' >"$folder/alone.json"
answers export "$folder/alone.json" --directory "$folder/alone"
unpacked "$folder/alone/alone.ssp" >"$folder/ssd"
is 'no list of connections where there are none' test "$(grep -c 'Connections' "$folder/ssd")" -eq 0
answers run "$folder/alone/alone.ssp"

# What is absent is not what there is no memory for.
answers export linear-pair --as none --directory "$folder/pair"
python3 - "$folder/pair/linear_pair_s1.fmu" "$folder/bare.fmu" <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as whole, zipfile.ZipFile(sys.argv[2], "w") as bare:
    for name in whole.namelist():
        if "resources/" not in name:
            bare.writestr(name, whole.read(name))
END
python3 - "$folder/pair/linear_pair_s1.fmu" "$folder/turned.fmu" <<'END'
import re, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as whole, zipfile.ZipFile(sys.argv[2], "w") as turned:
    for name in whole.namelist():
        text = whole.read(name)
        if name == "modelDescription.xml":
            text = re.sub(rb' name="u"', ' name="x\u202ey"'.encode(), text)
        turned.writestr(name, text)
END
answers show "$folder/turned.fmu"
is 'a table shows printable letters alone' test "$(grep -c "$(printf '\342\200\256')" "$folder/out")" -eq 0 -a "$(grep -c 'x?y' "$folder/out")" -gt 0
answers show "$folder/turned.fmu" --format json
is '... and JSON has them by number' grep -q 'x\\u202Ey' "$folder/out"
refuses 2 'bare.fmu: it cannot be instantiated: .*resources/macrostep.json: No such file' run "$folder/bare.fmu"

refuses 2 'the name of a model or --system FILE is missing' export
refuses 2 'no subsystem weel; the nearest is wheel, and whole' export $model --subsystem weel --directory "$folder/two"
refuses 2 '--fmi 1: .*\[2, 3\]' export $model --fmi 1
refuses 2 '--solver exakt.*the nearest is exact' export $model --solver exakt --directory "$folder/two"
refuses 2 'solver exact needs a linear subsystem' export double-pendulum --solver exact --directory "$folder/two"
refuses 2 '--execution: not an option of this command' export $model --execution parallel
refuses 2 'jakobi' export $model --scheme jakobi
refuses 2 '--extrapolation-order: scheme ifosmondi does not have this option' export $model --scheme ifosmondi --extrapolation-order 1
refuses 2 'takes one value' export $model --step-size 0.1,0.2
refuses 1 'loop.json: is no folder' export $model --directory "$folder/loop.json"

echo "1..$count"
[ "$failed" -eq 0 ]
