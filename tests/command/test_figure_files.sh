#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep figure FILE.json: the example of the manual is drawn and judged, what it measures is what the commands say, and faults are
# refused with their lines; macrostep report FOLDER. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
here=$(cd "$(dirname "$0")" && pwd) || exit 1
manual=$here/../../bench/README.md
schema=$here/../../bench/schemas/figure_file.json
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
cd "$folder" || exit 1

# A picture whose figure has checks of printed numbers says them, and the deviation.
for script in "$here"/../../bench/studies/*/*.gp; do
    checks=${script%.gp}.json
    [ -f "$checks" ] && grep -q '"kind": "\(number\|ensemble\)"' "$checks" || continue
    case $checks in */own/* | */libraries/*) continue ;; esac
    is "$(basename "$script"): what was published" grep -q publish "$script"
done

# The example of the manual ---------------------------------------------------------------------------------

mkdir my
sed -n '/^    {$/,/^    }$/p' "$manual" | sed 's/^    //' >my/fig3.json
sed -n "/^    set logscale xy$/,/title 'linear'$/p" "$manual" | sed 's/^    //' >my/fig3.gp
python3 -W ignore "$here/../package/fits.py" "$schema" my/fig3.json "$here"/../../bench/studies/*/*.json
result $? "the example and all figure files fit the schema"
answers figure my/fig3.json --directory drawn --format json
cp out answer.json
for suffix in svg pdf png gp json csv; do
    is "... its .$suffix is there" test -s "drawn/doe2024-fig3.$suffix"
done
is "... a row for each step size" test "$(rows drawn/doe2024-fig3.csv)" -eq 4
is "... a file for each run" test "$(rows drawn/doe2024-fig3-held-0.02.csv)" -eq 1001

answers run spring-mass --extrapolation-order 0 --step-size 0.01 --stop-time 20 --format json --energy energy.csv
cat >compare.py <<'END_OF_SCRIPT'
import csv, json, math
answer, run = json.load(open("answer.json")), json.load(open("out"))
def table(path):
    return list(csv.DictReader(line for line in open(path) if not line.startswith("#")))
rows = table("drawn/doe2024-fig3.csv")
assert answer["status"] == "reproduced" and answer["checks_held"] == [3, 3], answer["status"]
assert float(rows[1]["held"]) == run["errors"]["max"]
x, y = ([math.log(float(row[name])) for row in rows] for name in ("H", "held"))
mx, my = sum(x) / 4, sum(y) / 4
slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
order, growth, end = (check["measured"] for check in answer["checks"])
assert abs(order - slope) < 1e-12, (order, slope)
assert all(abs(factor - (1 + h * h)) < 1e-12 for factor, h in zip(growth, (0.02, 0.01, 0.005, 0.0025))), growth
energy = [float(row["energy"]) for row in table("energy.csv")]
assert end == energy[-1] / energy[0], end
assert answer["provenance"]["command"] == "macrostep figure my/fig3.json"
assert len(answer["commands"]) == 8 and answer["remarks"] == ["Mass and stiffness are not printed: 1 kg, 1 N/m."]
END_OF_SCRIPT
is "... what it measures is what the command says" python3 compare.py

# Verdicts --------------------------------------------------------------------------------------------------

# other FROM TO: my/bad.json is the example with that change
other() {
    FROM=$1 TO=$2 python3 -c 'import os; text = open("my/fig3.json").read(); assert os.environ["FROM"] in text, os.environ["FROM"]
open("my/bad.json", "w").write(text.replace(os.environ["FROM"], os.environ["TO"], 1))' || exit 1
    cp my/fig3.gp my/bad.gp
}

# On a page: 8 cm are 227 points, type has 8 of them, and its height is in proportion to its size
other '"id":' '"width": "8cm", "size": [400, 300], "id":'
answers figure my/bad.json --directory narrow
other '"id":' '"size": [400, 300], "id":'
answers figure my/bad.json --directory page --width 8cm --format json
grep -q '"command": "macrostep figure my/bad.json --width 8cm"' page/doe2024-fig3.json
result $? "--width: is in the command that draws it"
for way in narrow page; do
    grep -q 'width="302" height="227"' $way/doe2024-fig3.svg && grep -q 'font-size="10.67"' $way/doe2024-fig3.svg
    result $? "$way: the size and type of a page"
    grep -qa 'MediaBox \[ 0 0 22[67]' $way/doe2024-fig3.pdf
    result $? "... in PDF as well"
done
refuses 2 'width 3cm: must be a length' figure my/fig3.json --width 3cm
refuses 2 'fig5.13: has no picture with a width: it is a graph' figure andersson2016:fig5.13 --directory page --width 8cm
refuses 2 'table6.1: has no picture with a width: it is a table' figure andersson2016:table6.1 --directory page --width 8cm
answers figure andersson2016:fig6.9 --directory page --width 8cm
is "--width: of a figure of a paper" grep -q 'viewBox="0 0 302 ' page/andersson2016-fig6.9.svg

# judges WHAT STATUS HELD: the changed example
judges() {
    call figure my/bad.json --directory judged --format json
    grep -q "^  \"status\": \"$2\"" out && grep -q "^  \"checks_held\": \[$3, 3\]" out
    result $? "$1"
}
other '"end": [1.1, 1.3]' '"end": [1.1, 1.2]'
judges "a number outside of its range deviates" deviates 2
other '"order": 1,' '"order": 2,'
judges "a number away from the print deviates" deviates 2
other 'all(motion.held.growth > 1)"' 'all(motion.held.growth > 1.0001)"'
judges "a claim that does not hold deviates" deviates 2
other 'all(motion.held.growth > 1)"' 'all(motion.held.growth > 1)", "determined": "count(motion.held.growth > 1.001) > 0"'
judges "what the text does not determine is not determined" not-determined 2
other '"kind": "claim", "what": "held inputs: energy", "published": "growth"' '"kind": "own", "what": "energy", "expected": "it falls"'
judges "an expectation of one's own holds" reproduced 3
other '"holds": "all' '"holds": "!all'
sed -i 's/"kind": "claim", "what": "held inputs: energy", "published": "growth"/"kind": "own", "what": "energy", "expected": "it falls"/' my/bad.json
judges "... and where it fails it has no say" reproduced 2

other '"measured": "motion.held.growth"' '"measured": {"each": "motion", "as": "{inputs}-{H}", "value": {"text": "{answer.reason}"}}'
judges "what is measured may be a text of an answer" reproduced 3
is "... of each member" grep -q '"linear-0.0025": "end-time"' out

# Like another one: what it does not say is what that one says.
printf '%s\n' '{"like": "fig3.json", "id": "doe2024:fig4", "title": "The same", "published": {"end": [1.1, 1.2]}, "groups": {"unused": null}}' >my/fig4.json
answers figure my/fig4.json --directory alike --format json
is "a figure may be like another" test "$(grep -c '"verdict": "reproduced"' out)" -eq 2
is "... but for what it says" grep -q '"title": "The same"' out
is "... with its picture" test -s alike/doe2024-fig4.svg
printf '%s\n' '{"like": "fig4.json", "id": "doe2024:fig5"}' >my/fig5.json
refuses 2 'my/fig5.json: line 1: like: my/fig4.json has a member like itself' figure my/fig5.json
printf '%s\n' '{"like": "fig3", "id": "doe2024:fig5"}' >my/fig5.json
refuses 2 'my/fig5.json: line 1: like: the name of a figure file is expected' figure my/fig5.json
printf '%s\n' '{"like": "none.json", "id": "doe2024:fig5"}' >my/fig5.json
refuses 1 'my/none.json: No such file' figure my/fig5.json
rm my/fig4.json my/fig5.json

# Fields of items and words that name others, as the same texts written out.
sed -e 's/"held": "--extrapolation-order 0"/"held": {"degree": 0}/' -e 's/"linear": "--extrapolation-order 1 \([^"]*\)"/"linear": {"degree": 1, "rest": "\1"}/' \
    -e 's/run spring-mass {inputs}/run spring-mass {options} {inputs.rest}/' \
    -e 's/^  "lists": {/  "words": {"options": "--extrapolation-order {inputs.degree}"},\n&/' \
    -e 's/"measured": "curve.held.order", "tolerance": 0.15/"measured": "order", "each": "curve", "where": "inputs.degree == 0", "tolerance": 0.15/' my/fig3.json >my/bad.json
judges "an item may have fields, and a text others" reproduced 3
sed -e '/"files": /,$d' out >fields
sed -e '/"files": /,$d' answer.json >written_out
is "... with the same answer" cmp fields written_out

# Systems of its own: x' = -k x, against its solution.
printf '%s\n' '{"id": "doe2024:decay", "title": "t", "source": "s", "picture": false,
 "systems": {"decay": {"parameters": {"k": 1}, "subsystems": [{"name": "a", "states": {"x": {"derivative": "-k*x", "start": 1}}, "outputs": {"x": "x"}}], "wires": [], "stop_time": 2}},
 "runs": {"decay": {"command": "run {system.decay} --set k=3", "values": {"end": "last(trajectory.a.x.x)"}}},
 "checks": [{"kind": "number", "what": "end", "published": 0.0024787521766663585, "measured": "decay.end", "tolerance": 1e-9}]}' >my/decay.json
answers figure my/decay.json --directory decay --format json
is "a figure may have systems of its own" grep -q '"status": "reproduced"' out
is "... which the answer lists by their names" grep -q '"macrostep run decay.json --set k=3"' out
sed 's/system\.decay/system.decoy/' my/decay.json >my/bad.json
refuses 2 'my/bad.json: line 3: runs.decay.command: unknown name system.decoy' figure my/bad.json
rm my/decay.json

# Columns of what other commands write, and the item of a place.
printf '%s\n' '{"id": "doe2024:bell", "title": "t", "source": "s", "picture": false,
 "lists": {"solver": {"cvode-bdf": {"short": "BDF"}, "cvode-adams": {"short": "Adams"}}},
 "runs": {"bell": {"command": "integrate bell --solver {solver}", "over": ["solver"],
   "values": {"hits": "count(events.state_event)", "high": "max(where(trajectory.bell.x.theta, trajectory.event == 0))", "short": "min(history.step_size)"}}},
 "groups": {"none": {"of": "bell", "over": ["solver"], "where": "hits > 100", "values": {"hits": "hits"}}},
 "checks": [{"kind": "undetermined", "what": "{solver.short[least_at(-bell.hits)]}, {solver[2]}, {solver[1/0]}", "published": {"text": "printed"},
   "measured": {"hits": "bell.hits", "high": "bell.high", "short": "bell.short", "none": "none.hits"}}]}' >my/bell.json
answers figure my/bell.json --directory bell --format json
cp out bell.out
is "the item of a place" grep -q '"what": "BDF, cvode-adams, -"' out
is "what was published may be a text" grep -q '"published": "printed"' out
answers integrate bell --solver cvode-bdf --format json --trajectory trajectory.csv --history history.csv
cat >compare.py <<'END_OF_SCRIPT'
import csv, json
def column(path, name):
    return [float(row[name]) for row in csv.DictReader(line for line in open(path) if not line.startswith("#")) if row.get("event", "0") == "0"]
measured, run = json.load(open("bell.out"))["checks"][0]["measured"], json.load(open("out"))
assert measured["hits"][0] == run["events"]["state"] == 4 and measured["none"] == []
assert measured["high"][0] == max(column("trajectory.csv", "bell.x.theta"))
assert measured["short"][0] == min(column("history.csv", "step_size"))
END_OF_SCRIPT
is "columns of what integrate writes" python3 compare.py
sed 's/history.step_size/history.step/' my/bell.json >my/bad.json
refuses 2 'my/bad.json: line 4: runs.bell.values.short: there is no column step; the nearest is' figure my/bad.json
printf '%s\n' '{"id": "doe2024:steps", "title": "t", "source": "s", "picture": false,
 "runs": {"car": {"command": "run quarter-car --error-controlled pyfmi --rtol 1e-4 --atol 1e-4 --step-size 0.001",
   "values": {"steps": "answer.macro_steps", "rejected": "answer.rejected_steps", "accepted": "attempts.accepted", "sum": "sum(where(attempts.step_size, accepted))",
              "most": "max(where(attempts.estimate, accepted))"}}},
 "checks": [{"kind": "own", "what": "attempts", "expected": "all", "measured": "car.sum", "each": "car",
   "holds": "count(accepted) == steps && rows(accepted) == steps + rejected && abs(sum - 1) < 1e-12 && most < 1.1"}]}' >my/bell.json
answers figure my/bell.json --directory bell --format json
is "attempts of a step control" grep -q '"verdict": "reproduced"' out
rm my/bell.json

# In a group columns named through the run are its rows, as those named alone; another item may be named.
cat >my/order.json <<'END_OF_FILE'
{"id": "doe2024:order", "title": "t", "source": "s", "picture": false, "lists": {"k": [1, 2, 3], "H": [0.4, 0.2, 0.1]},
 "runs": {"r": {"command": "run quarter-car --stop-time 0.1", "over": ["k", "H"], "values": {"e": "H ^ k"}}},
 "groups": {"o": {"of": "r", "over": ["k"], "values": {"p": "order(r.H, r.e)", "s": "slope(r.H, r.e)", "most": "max(r.e)", "n": "rows(r.e)", "other": "order(r.2.H, r.2.e)"}}},
 "checks": [{"kind": "own", "each": "o", "what": "orders", "expected": "k", "measured": "slope(r.H, r.e)",
   "holds": "abs(p - k) < 1e-9 && abs(s - k) < 1e-9 && abs(most - 0.4 ^ k) < 1e-9 && n == 3 && abs(other - 2) < 1e-9"}]}
END_OF_FILE
answers figure my/order.json --directory order --format json
is "a group's rows, named through the run" test "$(grep -c '"verdict": "reproduced"' out)" -eq 3
rm my/order.json

# Nine runs whose starts differ by round-off, and members with the items of the check's own.
cat >my/nine.json <<'END_OF_FILE'
{"id": "doe2024:nine", "title": "t", "source": "s", "picture": false, "published": {"claim": "c"},
 "lists": {"start": [-4, -3, -2, -1, 0, 1, 2, 3, 4], "H": [0.1, 0.05]},
 "runs": {"car": {"command": "run quarter-car --stop-time 0.5 --step-size {H} --perturb-start {start}", "over": ["H", "start"], "values": {"steps": "answer.macro_steps"}}},
 "groups": {"H": {"of": "car", "over": ["H"], "values": {"n": "max(steps)"}}},
 "checks": [
  {"kind": "ensemble", "what": "number", "published": 5, "runs": "car.0.1.steps", "tolerance": 0, "note": "n"},
  {"kind": "ensemble-claim", "what": "claim", "published": "claim", "measured": 1, "runs": "car.0.1.steps + (car.0.1.start > 3) == 5", "range": "car.0.1.start"},
  {"kind": "undetermined", "each": "H", "what": "H = {H}", "measured": {"each": "car", "value": "steps"}}]}
END_OF_FILE
answers figure my/nine.json --directory nine --format json
cat >compare.py <<'END_OF_SCRIPT'
import json
number, claim, one, other = json.load(open("out"))["checks"]
assert number["verdict"] == "reproduced" and number["measured"] == 5 and number["range"] == [5, 5], number
assert claim["verdict"] == "not-determined" and claim["runs_held"] == [8, 9] and claim["range"] == [-4, 4], claim
assert one["measured"] == 9 * [5] and other["measured"] == 9 * [10], (one, other)
END_OF_SCRIPT
is "checks over nine runs, and members of the check's own" python3 compare.py
sed 's/"runs": "car.0.1.steps", /"runs": "car.steps", /' my/nine.json >my/bad.json
refuses 2 'my/bad.json: line 6: checks.0.runs: the numbers of nine runs are expected, not of 18' figure my/bad.json
rm my/nine.json

# A range as a list, and a command that is refused and may be.
printf '%s\n' '{"id": "doe2024:range", "title": "t", "source": "s", "picture": false, "lists": {"k": "0:3:lin:4", "degree": [0, 1]},
 "runs": {"car": {"command": "run controlled-car --derivatives analytic --extrapolation-order {degree} --stop-time 1 --step-size {0.1/2^k}", "over": ["degree", "k"],
   "optional": true, "values": {"steps": "answer.macro_steps"}}},
 "tables": {"": {"title": "t", "of": "car", "columns": {"k": "k", "empty": {"text": ""}}}},
 "checks": [{"kind": "undetermined", "what": "w", "measured": {"steps": "car.0.steps", "refused": "count(car.1.steps == car.1.steps)"}}]}' >my/range.json
answers figure my/range.json --directory range --format jsonl
is "a list may be a range" grep -q '"steps": *\[10, *20, *40, *80\]' out
is "what is refused has no numbers, if it may" grep -q '"refused": *0' out
is "an empty text is null" grep -q '"k": *3, *"empty": *null' out
sed 's/"optional": true/"optional": false/' my/range.json >my/bad.json
refuses 2 'my/bad.json: line 2: runs.car.command: .*--derivatives analytic needs 1' figure my/bad.json
sed 's/run controlled-car --derivatives analytic --extrapolation-order/spectral controlled-cat --extrapolation-order/' my/range.json >my/bad.json
refuses 2 'my/bad.json: line 2: runs.car.command: unknown model controlled-cat; the nearest is controlled-car' figure my/bad.json
sed 's/0:3:lin:4/0:3:lin/' my/range.json >my/bad.json
refuses 2 'my/bad.json: line 1: lists.k: k 0:3:lin: a range must be' figure my/bad.json
# A run that a solver has ended: its work is not that of the run, unless a value looks at how it ended.
failing='run spring-mass --scheme power --extrapolation-order 1 --fallback pointwise --solver gsl-rk8pd --solver-rtol 1e-11 --step-size 0.2'
sed "s/run controlled-car [^\"]*\"/$failing\"/" my/range.json >my/bad.json
sed 's/"values": {/&"ended": "`answer.reason.end-time`", /' my/bad.json >my/looks.json
refuses 1 'my/bad.json: line 2: runs.car.command: the run ended at 1.4 s, subsystem-failed: solver gsl-rk8pd' figure my/bad.json
answers figure my/looks.json --directory drawn --format json
rm my/range.json my/looks.json

# Tables, remarks, checks and curves by member.
cat >my/each.json <<'END_OF_FILE'
{"id": "doe2024:each", "title": "t", "source": "s", "published": {"claim": "it ends", "end": 1},
 "lists": {"degree": [0, 1], "H": [0.1, 0.05, 0.025]},
 "runs": {"car": {"command": "run quarter-car --extrapolation-order {degree} --step-size {H}", "over": ["degree", "H"], "values": {"steps": "answer.macro_steps"}}},
 "groups": {"curve": {"of": "car", "over": ["degree"], "values": {"n": "median(steps)"}}},
 "data": {"all": {"of": "car", "columns": {"steps": "steps"}, "break": "degree"}, "of-{degree}": {"each": "curve", "columns": {"steps": "steps"}, "break": "steps > 15"},
  "wide": {"columns": {"H": "car.0.H", "n-{degree}-{H}": {"each": "car", "value": "100*steps"}}}},
 "tables": {"{degree}": {"each": "curve", "title": "Degree {degree}", "of": "car", "columns": {"a": {"text": "{H}"}, "b": {"text": "none", "number": "steps/(steps < 30)"}}, "then": {"of": "curve", "columns": {"a": {"text": "median"}, "b": "n"}}}},
 "checks": [{"each": "curve", "checks": [
  {"kind": "claim", "what": "first of {degree}", "published": {"measured": ["published.end", {"text": "{published.claim}"}]}, "measured": "n", "holds": "n == 20"},
  {"kind": "claim", "what": "second of {degree}", "published": "claim", "measured": {"each": "car", "as": "{H}", "value": "steps", "and": {"most": "max(steps)"}}, "holds": "rows(steps) == 4"}]}],
 "remarks": ["first", {"each": "curve", "text": "Degree {degree}: {first(car.{degree}.steps)} to {n}."}],
 "script": {"most": "max(car.steps)", "titles": {"each": "curve", "value": {"text": "degree {degree}\\n{n} steps"}}, "n": {"each": "curve", "value": "n"}}}
END_OF_FILE
echo "plot part('all') using 1 with lines title titles[2], most notitle" >my/each.gp
answers figure my/each.json --directory each --format json
cat >compare.py <<'END_OF_SCRIPT'
import json
answer = json.load(open("out"))
assert [check["what"] for check in answer["checks"]] == [f"{k} of {d}" for d in (0, 1) for k in ("first", "second")]
assert [check["verdict"] for check in answer["checks"]] == 2 * ["reproduced", "deviates"]
assert answer["checks"][0]["published"] == [1, "it ends"] and list(answer["checks"][3]["measured"].items()) == [("0.1", 10), ("0.05", 20), ("0.025", 40), ("most", 40)]
rows = [{"a": "0.1", "b": 10}, {"a": "0.05", "b": 20}, {"a": "0.025", "b": "none"}, {"a": "median", "b": 20}]
assert answer["tables"] == {"Degree 0": rows, "Degree 1": rows}, answer["tables"]
assert answer["remarks"] == ["first", "Degree 0: 10 to 20.", "Degree 1: 10 to 20."]
def lines(part):
    return [line.strip() for line in open(f"each/doe2024-each-{part}.csv") if not line.startswith("#")]
assert lines("all") == ["steps", "10", "20", "40", "", "10", "20", "40", ""], lines("all")
assert lines("wide") == ["H,n-0-0.1,n-0-0.05,n-0-0.025,n-1-0.1,n-1-0.05,n-1-0.025"] + [f"{h},1000,2000,4000,1000,2000,4000" for h in (0.1, 0.05, 0.025)], lines("wide")
script = open("each/doe2024-each.gp").read()
assert 'most = 40\narray titles[2]\ntitles[1] = "degree 0\\n20 steps"\ntitles[2] = "degree 1\\n20 steps"\narray n[2]\nn[1] = 20\nn[2] = 20\nplot' in script, script
assert lines("of-1") == ["steps", "10", "", "20", "40", ""], lines("of-1")
END_OF_SCRIPT
is "tables, remarks, checks and curves by member" python3 compare.py
sed 's/"then": {"of": "curve"/"then": {"on": "curve"/' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 7: tables.{degree}.then.on: unknown member; the nearest is of' figure my/bad.json
sed 's/"as": "{H}", "value": "steps", "and"/"value": "steps", "and"/' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 10: checks.0.checks.1.measured.and: needs as' figure my/bad.json
sed 's/"remarks": \["first", /"remarks": [1, /' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 11: remarks.0: a text, or an object with each and text is expected' figure my/bad.json
sed 's/"kind": "claim", "what": "second/"kind": "clam", "what": "second/' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 10: checks.0.checks.1.kind: unknown kind clam; the nearest is claim' figure my/bad.json
sed 's/"command": "run/"command": "left-mas run/' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 3: runs.car.command: unknown command left-mas' figure my/bad.json
sed 's/"command": "run quarter/"command": "left-mass run quater/' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 3: runs.car.command: unknown model quater-car' figure my/bad.json
# Measurements refuse what they cannot measure.
while read -r command what; do
    sed "s/\"command\": \"run quarter-car [^\"]*/\"command\": \"$(echo "$command" | tr _ ' ')/" my/each.json >my/bad.json
    refuses 2 "my/bad.json: line 3: runs.car.command: $what" figure my/bad.json
done <<'END_OF_FILE'
line-energy_run_quarter-car line-energy: two bodies and one line are expected, not model quarter-car
prediction_1_drive_lim-manipulator_--subsystem_arm_--solver_cvode-bdf prediction: a subsystem of 2 states is expected, not arm
input-limits_run_quarter-car_--stop-time_0.1 input-limits: a first subsystem with one input is expected
power-bonds_run_quarter-car_--stop-time_0.1 power-bonds: model quarter-car has no energies
callback-jacobian_1_1_1_run_quarter-car callback-jacobian: model damping-reaction is expected
callback-jacobian_1_1_1_run_damping-reaction callback-jacobian: --scheme ifosmondi is expected
END_OF_FILE
sed 's/"break": "degree"/"break": "degre"/' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 5: data.all.break: unknown name degre; the nearest is degree' figure my/bad.json
sed 's/"most": "max(car.steps)"/"most": "car.steps"/' my/each.json >my/bad.json
cp my/each.gp my/bad.gp
refuses 2 'my/bad.json: line 12: script.most: a column of 6 rows where one number is expected' figure my/bad.json
sed 's/"command": "run quarter/"command": "growth 10 {0\/0} run quarter/' my/each.json >my/bad.json
refuses 2 'my/bad.json: line 3: runs.car.command: {0/0} is -*nan, which a command cannot take' figure my/bad.json
rm my/each.json my/each.gp my/bad.gp

# Faults ----------------------------------------------------------------------------------------------------

# fault PATTERN FROM TO: a change that is refused
fault() {
    other "$2" "$3"
    refuses 2 "my/bad.json: line [1-9][0-9]*: $1" figure my/bad.json --directory refused
}
fault 'cheks: unknown member; the nearest is checks' '"checks"' '"cheks"'
fault 'runs.motion.comand: unknown member; the nearest is command' '"command"' '"comand"'
fault 'checks.1: member holds is missing' '"holds"' '"where"'
fault 'checks.0.kind: unknown kind numbr; the nearest is number' '"kind": "number"' '"kind": "numbr"'
fault 'width: a length from 4cm to 60cm is expected, as 8cm' '"id":' '"width": "8", "id":'
fault 'groups.curve.of: unknown run motoin; the nearest is motion' '"of": "motion"' '"of": "motoin"'
fault 'runs.motion.over.1: unknown list G' '"over": ["inputs", "H"]' '"over": ["inputs", "G"]'
fault 'checks.0.measured: unknown column curve.held.ordr' 'curve.held.order"' 'curve.held.ordr"'
fault 'runs.motion.values.energy: unknown column ledger.enrgy' 'ledger.energy / first' 'ledger.enrgy / first'
fault 'runs.motion.values.error: the answer has no number answer.errors.maxi' 'answer.errors.max' 'answer.errors.maxi'
fault 'groups.curve.values.order: unknown name err; the nearest is error' 'order(H, error)' 'order(H, err)'
fault 'groups.curve.values.order: motion is no number; a name with other letters is `motion.NAME` as a whole' 'order(H, error)' 'order(H, motion.`held`.error)'
fault 'runs.motion.values.growth: .*a value is expected, in the expression' 'energy / previous(energy)' 'energy / / previous(energy)'
fault 'groups.curve.values.order: order does not take 1 arguments' 'order(H, error)' 'order(error)'
fault 'checks.0.measured: one number is expected' 'curve.held.order"' 'curve.order"'
fault 'checks.0.published: nothing was published as ordr' '"published": "order"' '"published": "ordr"'
fault 'checks.0.note: .*a format of one number' '%.2f' '%s'
fault 'runs.motion.command: {0/0} is -*nan, which a command cannot take' '--step-size {H}' '--step-size {0/0}'
fault 'runs.motion.command: unknown option --step-sise; did you mean --step-size' '--step-size {H}' '--step-sise {H}'
fault 'runs.motion.command: unknown model spring-mas' 'run spring-mass' 'run spring-mas'
fault 'runs.motion.command: figures gives no answer' '"run spring-mass' '"figures spring-mass'
fault 'data..columns: columns of 4 and of 8 rows' 'motion.linear.error"' 'motion.error"'
fault 'checks.1.measured.value: trajectory.time: it is available only in the values of the run' '"measured": "motion.held.growth"' \
    '"measured": {"each": "motion", "value": "last(trajectory.time)"}'
fault 'checks.0: a check that can fail is expected; this one is reproduced whatever is measured' '"measured": "curve.held.order"' '"measured": "1"'
fault 'checks.1: a check that can fail is expected' 'all(motion.held.growth > 1)' 'rows(motion.held.growth) > 1'
fault 'id: PAPER:NAME is expected' 'doe2024:fig3' 'doe2024'
fault '' '"lists": {' '"lists": ('
other '"id"' '"id"'
rm my/bad.gp
refuses 1 'my/bad.gp: No such file' figure my/bad.json
refuses 1 'my/none.json: No such file' figure my/none.json
is "nothing is drawn of what is refused" test ! -e refused/doe2024-fig3.json
rm my/bad.json

# Other commands --------------------------------------------------------------------------------------------

cat >my/spectrum.json <<'END_OF_FIGURE'
{"id": "doe2024:table1", "title": "Radius", "source": "Doe (2024), Table 1", "picture": false,
 "runs": {"spectrum": {"command": "spectral spring-mass --extrapolation-order 0 --step-size 0.1", "values": {"radius": "answer.spectral_radius"}}},
 "checks": [{"kind": "number", "what": "radius", "published": 1.00498756211, "measured": "spectrum.radius", "tolerance": 1e-10}]}
END_OF_FIGURE
answers figure my/spectrum.json --directory drawn --format json
is "sqrt(1 + H^2) is the spectral radius of held inputs" grep -q '"status": "reproduced"' out
is "... and a table has no picture" test ! -e drawn/doe2024-table1.svg

# Arrays of an answer, faults of names, and numbers that are none.
cat >my/map.json <<'END_OF_FIGURE'
{"id": "doe2024:map", "title": "Boundary", "source": "Doe (2024)", "picture": false,
 "runs": {"map": {"command": "stability mass-spring-damper --x step-size=0.01:0.2:lin:20 --y k2=1:100:log:20",
                  "values": {"H": "`answer.boundary.*.*.0`", "k2": "`answer.boundary.*.*.1`", "curve": "`answer.boundary.#.*.0`"}},
          "end": {"command": "run spring-mass --step-size 0.1 --stop-time 1", "values": {"ends": "`answer.reason.end-time`"}}},
 "data": {"": {"columns": {"H": "map.H", "k2": "map.k2"}, "break": "map.curve"}},
 "checks": [{"kind": "own", "what": "ends", "expected": "at its end", "measured": "end.ends", "holds": "end.ends"}]}
END_OF_FIGURE
answers figure my/map.json --directory drawn --format json
is "a text of an answer with a hyphen, between backquotes" grep -q '"measured": 1' out
answers stability mass-spring-damper --x step-size=0.01:0.2:lin:20 --y k2=1:100:log:20 --format json
cat >compare.py <<'END_OF_SCRIPT'
import csv, json
points = [p for curve in json.load(open("out"))["boundary"] for p in curve]
rows = list(csv.DictReader(line for line in open("drawn/doe2024-map.csv") if not line.startswith("#")))
assert len(points) > 20 and [[float(row["H"]), float(row["k2"])] for row in rows] == points
END_OF_SCRIPT
is "points of a boundary are columns" python3 compare.py
sed 's/`answer.reason.end-time`/answer.reason.end-time/' my/map.json >my/bad.json
refuses 2 'a name with a hyphen must be between backquotes: `answer.reason.end-time`' figure my/bad.json
sed 's/`answer.boundary.#.\*.0`/answer.axes.2.values/' my/map.json >my/bad.json
refuses 2 'answer.axes.2.values; an array of 2 has the places 0 to 1' figure my/bad.json
sed -e 's/run spring-mass --step-size 0.1 /converge spring-mass --scheme jacobi,gauss-seidel --step-size 0.1,0.05,0.025 /' -e 's/reason.end-time/order/' my/map.json >my/bad.json
refuses 2 'answers in rows: answer.rows.order' figure my/bad.json
cat >my/bad.json <<'END_OF_FIGURE'
{"id": "doe2024:none", "title": "None", "source": "Doe (2024)", "picture": false, "lists": {"H": [0.5, 1.0]},
 "runs": {"car": {"command": "run quarter-car --extrapolation-order 2 --step-size {H} --stop-time 100", "over": ["H"], "values": {"error": "answer.errors.max"}}},
 "checks": [{"kind": "number", "what": "error", "published": 1, "measured": "mean(car.error)", "tolerance": 0.1, "note": "Mine."}]}
END_OF_FIGURE
answers figure my/bad.json --directory judged --format json
is "what is not a number deviates, and says how the runs ended" grep -q '"note": "Mine. The measured value is not a number. 2 of 2 runs of car ended as diverged."' out
rm my/bad.json my/map.json
other '"id"' '"id"'
printf '%s\n' "set logscale xy" "set xlabel 'H'" "plot csv using 'H':'helt'" >my/bad.gp
refuses 1 'my/bad.gp: line 3: warning: no column with header "helt"' figure my/bad.json
printf '%s\n' "set logscale xy" "seet" >my/bad.gp
refuses 1 'my/bad.gp: line 2: invalid command' figure my/bad.json

# A whole paper ---------------------------------------------------------------------------------------------

sed -i 's/doe2024:fig3/roe2025:fig1/' my/bad.json
call report my --directory mixed
is "report: what cannot be drawn ends with status 1" test "$status" -eq 1
is "... on its line" grep -q '^macrostep: my/bad.gp: line 2: invalid command' err
is "... and on the page" grep -q 'my/bad.gp: line 2: invalid command' mixed/report.html
is "... beside what is drawn" test -s mixed/figures/doe2024-fig3.svg
is "... by papers" test "$(grep -o '<h2>[a-z]*20[0-9]*</h2>' mixed/report.html | tr '\n' ' ')" = '<h2>doe2024</h2> <h2>roe2025</h2> '
is "... which are not those of this program" test "$(grep -c 'papers were read' mixed/report.html)" -eq 0
rm my/bad.json my/bad.gp
call run spring-mass --stop-time 1 --format json --output my/answer.json

echo '{"subsystems": [], "wires": []}' >my/system.json
answers report my
for name in report.html report.md figures/doe2024-fig3.svg figures/doe2024-table1.json; do
    is "report my: $name" test -s "my/results/$name"
done
is "... of these figures alone" test "$(grep -c '^doe2024:' out)" -eq 2
is "... with the command that draws it" grep -q 'macrostep figure my/fig3.json' my/results/report.html
refuses 2 'there are no figure files' report drawn
refuses 1 'No such file' report none

echo "1..$count"
[ "$failed" -eq 0 ]
