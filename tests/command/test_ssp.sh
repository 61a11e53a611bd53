#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Systems of SSP and single FMUs where a model's name stands: what export writes is read back with the same bits, a structure written by
# hand is the system that it says, what is outside is one line, and nothing of what was unpacked is left, whatever ends the command. TAP on
# standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

mkdir "$folder/unpacked"
export TMPDIR="$folder/unpacked"

# left WHAT: nothing was left
left() {
    is "$1" test -z "$(ls "$folder/unpacked")"
}

# rows FILE: the numbers of a trajectory, without remarks and names
rows() {
    grep -v '^#' "$1" | sed 1d
}

# The quarter car, out and in again: the same bits
answers export quarter-car --directory "$folder/out.d"
ssp="$folder/out.d/quarter-car.ssp"
answers run quarter-car --solver rk4 --stop-time 0.2 --trajectory "$folder/own.csv"
answers run "$ssp" --solver rk4 --stop-time 0.2 --trajectory "$folder/back.csv"
rows "$folder/own.csv" >"$folder/own" && rows "$folder/back.csv" >"$folder/back"
[ -s "$folder/own" ] && cmp "$folder/own" "$folder/back" 2>"$folder/err"
result $? 'an SSP that is exported and read back has the bits of the model'
is 'states come back by their names' grep -q '^time,chassis.x.x,chassis.x.v,wheel.x.x,wheel.x.v,' "$folder/back.csv"
answers run "$ssp" --kind co-simulation --step-size 0.002 --stop-time 0.2 --trajectory "$folder/co.csv"
answers run quarter-car --step-size 0.002 --stop-time 0.2 --trajectory "$folder/own.csv"
rows "$folder/own.csv" >"$folder/own" && rows "$folder/co.csv" >"$folder/co"
[ -s "$folder/own" ] && cmp "$folder/own" "$folder/co" 2>"$folder/err"
result $? '--kind co-simulation: its FMUs have their own solver, and the bits of the model'
refuses 2 '^macrostep: --kind hybrid: must be model-exchange or co-simulation' run "$ssp" --kind hybrid
answers show "$ssp" --format csv
is 'name, stop time and step size are the model'\''s' grep -q '^quarter-car,.*default,1,0.001,' "$folder/out"
call show "$ssp"
is 'wires are the model'\''s' grep -q '^  wheel.u.v    chassis.v     1$' "$folder/out"
answers stability "$ssp" --critical --max-step 1
left 'nothing of it is left'

# A loop that is not defined at inputs of zero: a parameter binding of an input says where to begin
cat >"$folder/loop.json" <<'JSON'
{"subsystems": [{"name": "A", "inputs": ["c"], "outputs": {"a": "1.8-c", "b": "-1.8"}}, {"name": "B", "inputs": ["a", "b"], "outputs": {"c": "sqrt(5-a^2-b^2)"}}],
 "wires": [{"from": "A.a", "to": "B.a"}, {"from": "A.b", "to": "B.b"}, {"from": "B.c", "to": "A.c"}], "end": 1, "step_size": 0.1}
JSON
call export "$folder/loop.json" --directory "$folder/loop.d"
(cd "$folder/loop.d" && python3 - <<'PYTHON'
import zipfile
zipfile.ZipFile("loop.ssp").extractall()
s = open("SystemStructure.ssd").read()
i = s.index("</ssd:Connectors>") + len("</ssd:Connectors>")
open("start.ssd", "w").write(s[:i] + '<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version="1.0" name="p">'
    '<ssv:Parameters><ssv:Parameter name="c"><ssv:Real value="1"/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>'
    '</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>' + s[i:])
PYTHON
)
answers run "$folder/loop.d/start.ssd" --outputs consistent --errors none --trajectory "$folder/loop.csv"
is 'the loop is solved from there' test "$(rows "$folder/loop.csv" | tail -n 1 | cut -d, -f2 | cut -c1-6)" = 1.1645

# Written by hand, beside its FMUs: a factor and an offset, millimetres, a parameter; the same as equations
(cd "$folder" && cat >spring.json <<'JSON'
{"parameters": {"k": 2}, "subsystems": [
    {"name": "spring", "inputs": {"l": {"unit": "m"}}, "outputs": {"F": {"value": "-k*l - z", "unit": "N"}}, "states": {"z": {"derivative": "l - z"}}},
    {"name": "mass", "inputs": ["F"], "outputs": {"x": {"value": "x", "unit": "m"}}, "states": {"x": {"derivative": "v", "start": 1}, "v": {"derivative": "F"}}}],
    "wires": [{"from": "spring.F", "to": "mass.F"}, {"from": "mass.x", "to": "spring.l"}]}
JSON
sed -e 's/"k": 2/"k": 3/' -e 's|"to": "mass.F"}|"to": "mass.F", "gain": 0.5, "offset": 0.25}|' \
    -e 's|"to": "spring.l"}|"to": "spring.l", "gain": 1000}|' spring.json >same.json)
answers export "$folder/spring.json" --directory "$folder/hand"
cat >"$folder/hand/system.ssd" <<'XML'
<SystemStructureDescription version="1.0" name="by hand" xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues">
  <System name="hand"><Elements>
    <Component name="spring" source="spring_spring.fmu" implementation="ModelExchange"><Connectors>
      <Connector name="l" kind="input"><ssc:Real unit="mm"/></Connector><Connector name="F" kind="output"><ssc:Real unit="N"/></Connector></Connectors>
      <ParameterBindings><ParameterBinding source="k.ssv"/></ParameterBindings></Component>
    <Component name="mass" source="spring_mass.fmu" implementation="ModelExchange"><Connectors>
      <Connector name="F" kind="input"><ssc:Real unit="N"/></Connector><Connector name="x" kind="output"><ssc:Real unit="m"/></Connector></Connectors></Component>
  </Elements><Connections>
    <Connection startElement="spring" startConnector="F" endElement="mass" endConnector="F"><ssc:LinearTransformation factor="0.5" offset="0.25"/></Connection>
    <Connection startElement="mass" startConnector="x" endElement="spring" endConnector="l"/>
  </Connections></System>
  <Units><ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit><ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="0.001"/></ssc:Unit>
    <ssc:Unit name="N"><ssc:BaseUnit kg="1" m="1" s="-2"/></ssc:Unit></Units>
  <DefaultExperiment stopTime="0.5"/>
</SystemStructureDescription>
XML
cat >"$folder/hand/k.ssv" <<'XML'
<ParameterSet version="1.0" name="k" xmlns="http://ssp-standard.org/SSP1/SystemStructureParameterValues">
  <Parameters><Parameter name="p.k"><Real value="3"/></Parameter></Parameters></ParameterSet>
XML
answers run "$folder/same.json" --solver rk4 --stop-time 0.5 --trajectory "$folder/own.csv"
answers run "$folder/hand/system.ssd" --solver rk4 --trajectory "$folder/back.csv"
rows "$folder/own.csv" >"$folder/own" && rows "$folder/back.csv" >"$folder/back"
[ "$(wc -l <"$folder/own")" -gt 40 ] && cmp "$folder/own" "$folder/back" 2>"$folder/err"
result $? 'a structure by hand is the system of equations that it says'

# A single FMU is a system of its own
answers show "$folder/hand/spring_mass.fmu"
answers run "$folder/hand/spring_mass.fmu" --solver rk4 --stop-time 0.1

# What is wrong is named with its line; of an FMU as well
sed 's/spring_mass.fmu/none.fmu/' "$folder/hand/system.ssd" >"$folder/hand/none.ssd"
refuses 2 'none.ssd: line 7: subsystem mass: .*none.fmu: No such file' run "$folder/hand/none.ssd"
sed 's/name="x" kind/name="y" kind/; s/startConnector="x"/startConnector="y"/' "$folder/hand/system.ssd" >"$folder/hand/y.ssd"
refuses 2 'subsystem mass has no output y; the nearest is x' run "$folder/hand/y.ssd"
sed 's|<ssc:Real[^/]*/>|<ssc:Binary mime-type="x"/>|' "$folder/hand/system.ssd" >"$folder/hand/binary.ssd"
refuses 2 'binary.ssd: line [0-9]*: .* is of type Binary, which is not supported' show "$folder/hand/binary.ssd"
sed 's/unit="mm"/unit="K"/; s/name="mm"><ssc:BaseUnit m="1"/name="K"><ssc:BaseUnit K="1"/' "$folder/hand/system.ssd" >"$folder/hand/units.ssd"
refuses 2 'unit m cannot be converted to K' show "$folder/hand/units.ssd"
refuses 1 'none.ssp: No such file' run "$folder/none.ssp"
left 'nothing is left of what was refused'

# Options of a run that an SSP says are defaults: it runs as the model does with them; what is given wins; wrong ones are named
options='--scheme gauss-seidel --extrapolation-order 1 --sequence wheel,chassis --step-size 0.004'
# shellcheck disable=SC2086 # words
answers export quarter-car $options --linear-correction --mask chassis:rollback --mask wheel:input-degree=1 --directory "$folder/says.d"
says="$folder/says.d/quarter-car.ssp"
# shellcheck disable=SC2086
answers run quarter-car $options --linear-correction --solver rk4 --trajectory "$folder/own.csv"
answers run "$says" --solver rk4 --trajectory "$folder/back.csv"
rows "$folder/own.csv" >"$folder/own" && rows "$folder/back.csv" >"$folder/back"
[ "$(wc -l <"$folder/own")" -eq 251 ] && cmp "$folder/own" "$folder/back" 2>"$folder/err"
result $? 'an SSP with options of a run has the bits of the model with them'
is 'its scheme is theirs' grep -q '^scheme  *gauss-seidel --extrapolation-order 1 --outputs corrected --sequence wheel,chassis --mask chassis:rollback --mask wheel:input-degree=1$' "$folder/out"
answers show "$says"
is 'show lists them' grep -q '^  sequence  *wheel,chassis$' "$folder/out"
answers run "$says" --scheme f3ornits --step-size 0.01 --format json
is 'options of another scheme are passed over' sh -c "grep -q '\"scheme\": \"f3ornits\"' '$folder/out' && ! grep -q extrapolation_order '$folder/out'"
answers run "$says" --as fmpy
is 'a master by name wins' grep -q '^scheme  *jacobi --as fmpy --extrapolation-order 0 ' "$folder/out"
refuses 2 'takes inputs of degree 1 at most' run "$says" --extrapolation-order 2
answers compare "$says" --scheme jacobi --stop-time 0.1
is 'compare tries what it always tries' grep -q 'jacobi, order 0, differences, inconsistent' "$folder/out"
answers integrate "$says" --solver rk4 --stop-time 0.1
cat >"$folder/hand/times.ssd" <<'XML'
<SystemStructureDescription version="1.0" name="h" xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription"
  xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <System name="h"><Elements><Component name="mass" source="spring_mass.fmu"/></Elements></System>
  <DefaultExperiment startTime="0.25" stopTime="0.5"><Annotations><ssc:Annotation type="macrostep">
    <options solver="rk4" step-size="0.01"/></ssc:Annotation></Annotations></DefaultExperiment>
</SystemStructureDescription>
XML
answers run "$folder/hand/times.ssd" --trajectory "$folder/back.csv"
is 'it begins and ends when the file says' sh -c "sed -n '/^[0-9]/p' '$folder/back.csv' | sed -n '1s/,.*//p; \$s/,.*//p' | tr '\n' ' ' | grep -q '^0.25 0.5 \$'"
wrong() {
    sed "s/solver=\"rk4\"/$1/" "$folder/hand/times.ssd" >"$folder/hand/wrong.ssd"
    for command in show run; do
        refuses 2 "wrong.ssd: line 5: $2" $command "$folder/hand/wrong.ssd"
    done
}
wrong 'sover="rk4"' 'unknown option .sover.; did you mean --solver?'
wrong 'solver="rk5"' '--solver rk5: unknown; the nearest is rk4'
wrong 'scheme="jakobi"' '--scheme jakobi: unknown; the nearest is jacobi'
wrong 'extrapolation-order="3"' '--extrapolation-order 3: '
wrong 'scheme="ifosmondi" extrapolation-order="1"' '--extrapolation-order: scheme ifosmondi does not have this option'
wrong 'as="fmpy" scheme="strang"' '.*--as fmpy means --scheme jacobi; leave one of them out'
wrong 'solver="rk4"\/><options solver="rk4"' '--solver: given twice'
sed 's/solver="rk4"/start-time="0"/' "$folder/hand/times.ssd" >"$folder/hand/wrong.ssd"
refuses 2 'wrong.ssd: line 4: --start-time: given twice' run "$folder/hand/wrong.ssd"
left 'nothing is left of options'

# Whatever ends it
ends() {
    "$macrostep" run "$ssp" --step-size 1e-6 --stop-time 1000 --errors none >"$folder/out" 2>"$folder/err" </dev/null &
    process=$!
    while [ -z "$(ls "$folder/unpacked")" ] && kill -0 $process 2>/dev/null; do sleep 0.05; done
    sleep 0.3
    kill -"$1" $process
    wait $process 2>/dev/null
    left "signal $1 leaves nothing"
}
ends INT
ends TERM
ends HUP
ends ABRT

echo "1..$count"
[ "$failed" -eq 0 ]
