#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/python: examples in docstrings, the notebook, the wheel, files of all formats, with and without numpy and pandas. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
MACROSTEP=$macrostep PYTHONPATH=$PWD/bench/python PYTHONDONTWRITEBYTECODE=1
export MACROSTEP PYTHONPATH PYTHONDONTWRITEBYTECODE
python=/usr/bin/python3
[ -x $python ] || python=python3

# python WHAT: the lines on standard input say nothing wrong
python() {
    $python - >"$folder/out" 2>"$folder/err"
    result $? "$1"
}

cat >"$folder/examples.py" <<'END'
import doctest, importlib, sys
sys.exit(sum(doctest.testmod(importlib.import_module("macrostep" + name)).failed for name in ("", "._answer", "._call", ".commands")))
END
$python "$folder/examples.py" >"$folder/err" 2>&1
result $? "examples in docstrings"
sed -n '/^    import macrostep$/,/^\.fi$/p' bench/macrostep.1 | sed '$d; s/^    //; s/\\-/-/g' >"$folder/example"
python "the frame of the manual page" <"$folder/example"
is "... has rows of both orders" grep -q 'order 1' "$folder/out"
is "... which is pandas's, or a list" grep -q 'extrapolation_order\|rows x [0-9]* columns' "$folder/out"
python "a large sweep says its rows where progress is shown" <<'END'
import contextlib, io, macrostep
said = [io.StringIO(), io.StringIO()]
for progress in (False, True):
    with contextlib.redirect_stderr(said[progress]):
        macrostep.sweep(models="spring-mass", cases="first", scheme="jacobi", step_size="0.001:0.002:lin:20", set="c=1:2:lin:20", stop_time=0.01,
                        shard="1/18000", progress=progress)
assert said[False].getvalue() == "" and "18000 rows" in said[True].getvalue(), [one.getvalue() for one in said]
END
python "numpy and pandas are loaded where arrays and frames are asked for, not before" <<'END'
import sys, macrostep
macrostep.run("quarter-car")
assert not {"numpy", "pandas"} & set(sys.modules)
END
mkdir "$folder/none"
echo 'raise ImportError' >"$folder/none/numpy.py"
cp "$folder/none/numpy.py" "$folder/none/pandas.py"
PYTHONPATH=$folder/none:$PYTHONPATH $python "$folder/examples.py" >"$folder/err" 2>&1
result $? "... without numpy and pandas"
PYTHONPATH=$folder/none:$PYTHONPATH $python -c "
import macrostep
rows = macrostep.frame({'rows': [{'a': {'b': 1}}]}, everything=True)
assert rows == [{'a.b': 1}] and macrostep.array([[1, None]]) == [[1, None]], rows" 2>"$folder/err"
result $? "... lists and dictionaries then"

# What the module hands to them, wherever they are not
mkdir "$folder/fakes"
cat >"$folder/fakes/pandas.py" <<'END'
class DataFrame(list):
    pass
END
cat >"$folder/fakes/numpy.py" <<'END'
class ndarray(list):
    def tolist(self):
        return list(self)


def array(values, dtype):
    return ndarray(dtype("nan") if value is None else dtype(value) for value in values)
END
PYTHONPATH=$folder/fakes:$PYTHONPATH $python -c "
import macrostep, numpy, pandas
rows = macrostep.frame({'rows': [{'a': {'b': 1}}, {'a': {'b': 2}}]})
assert type(rows) is pandas.DataFrame and rows == [{'a.b': 1}, {'a.b': 2}], rows
assert type(macrostep.columns([{'x': 1}, {'x': 2}])['x']) is numpy.ndarray
assert macrostep.command_line('converge', 'm', step_size=numpy.array([0.1, 0.2], float))[-1] == '--step-size=0.1,0.2'" 2>"$folder/err"
result $? "frames and arrays where there are pandas and numpy"

"$macrostep" compare linear-pair --extrapolation-order 0 --format csv --output "$folder/a.csv"
"$macrostep" compare linear-pair --extrapolation-order 0 --format jsonl --output "$folder/a.jsonl"
"$macrostep" compare linear-pair --extrapolation-order 0 --format json --output "$folder/a.json"
"$macrostep" sweep --models linear-pair --cases stable --scheme jacobi --extrapolation-order 0 --format csv --output "$folder/one.csv"
"$macrostep" sweep --models linear-pair,spring-mass --cases stable,default --scheme jacobi --extrapolation-order 0 --format csv --output "$folder/s.csv"
python "files: CSV, jsonl and JSON have the same rows" <<END
import macrostep
csv, lines, json = (macrostep.read("$folder/a." + ending) for ending in ("csv", "jsonl", "json"))
json = macrostep.rows(json)
assert len(csv) == len(lines) == len(json) > 1
for a, b, c in zip(csv, lines, json):
    assert macrostep.flat(b).keys() == macrostep.flat(c).keys()
    for name, value in macrostep.flat(b).items():
        if name in a and not name.endswith("wall_seconds") and value != "":
            value = value.replace(",", ";") if name in ("note", "message") else value  # CSV has no commas there
            assert a[name] == value, (name, a[name], value)
END
python "... and their provenance" <<END
import macrostep
for ending in ("csv", "jsonl", "json"):
    assert macrostep.provenance("$folder/a." + ending)["command"] == "macrostep compare linear-pair --extrapolation-order 0"
END
python "parameters have columns, and of several models one, of objects" <<END
import macrostep
assert macrostep.read("$folder/one.csv")[0]["parameters.d1"] == 0.9
row = macrostep.read("$folder/s.csv")[0]
assert row["parameters"]["d1"] == 0.9 and row["work"][0]["subsystem"] == "s1" and row["errors.per_state"], row
END
python "numbers go and come as they are" <<END
import macrostep
answer = macrostep.run("quarter-car", step_size=1 / 3000, stop_time=0.1, set={"kc": 0.1 + 0.2})
assert answer["scheme"]["step_size"] == 1 / 3000 and answer["parameters"]["kc"] == 0.1 + 0.2
END
python "errors have the line and the exit status" <<END
import macrostep
for call, status, says in ((lambda: macrostep.run("quarter-car", step_size=-1), 2, "--step-size -1: "),
                           (lambda: macrostep.call("nothing"), 2, "unknown command nothing"),
                           (lambda: macrostep.run("quarter-car", output="$folder/no/where"), 1, "No such file")):
    try:
        call()
        raise SystemExit("no error")
    except macrostep.Error as error:
        assert error.status == status and says in str(error), error
END
python "diff: a difference is an answer" <<END
import macrostep
macrostep.run("quarter-car", output="$folder/1.json")
macrostep.run("quarter-car", step_size=0.002, output="$folder/2.json")
assert macrostep.diff("$folder/1.json", "$folder/1.json")["same"] is True
answer = macrostep.diff("$folder/1.json", "$folder/2.json")
assert answer["same"] is False and any(row["where"] == "macro_steps" for row in answer["rows"])
END
python "a list of models, a table, an option that is left out" <<END
import macrostep
assert "quarter-car" in [row["name"] for row in macrostep.list("models")]
assert macrostep.run("quarter-car", format="table", norm=None, critical=False).startswith("model ")
END
cat >"$folder/slow" <<'END'
#!/bin/sh
echo 'macrostep: run 50 %, 3 s left' >&2
echo '{"reason": "end-time"}'
END
chmod +x "$folder/slow"
python "models as dictionaries, by the name of the operand; pictures; what progress says; no command" <<END
import contextlib, io, os, macrostep
loop = {"subsystems": [{"name": "a", "states": {"x": {"derivative": "-x", "start": 1}}, "outputs": {"y": "x"}}], "step_size": 0.1, "stop_time": 1}
answer = macrostep.run(model=loop, solver="rk4")
assert answer.trajectory["a.x.x"][0] == 1 and answer.trajectory["time"][-1] == 1
assert answer.plot("$folder/run.pdf").kind == "pdf" and open("$folder/run.pdf", "rb").read(4) == b"%PDF"
assert "<td>jacobi</td>" in answer._repr_html_() and "<svg" in answer.plot()._repr_svg_()
os.environ["MACROSTEP"] = "$folder/slow"
for progress, wanted in ((True, "macrostep: run 50 %, 3 s left\n"), (False, ""), (None, "")):
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        assert macrostep.run("any", progress=progress) == {"reason": "end-time"}
    assert said.getvalue() == wanted, said.getvalue()
os.environ["MACROSTEP"] = "$folder/none/macrostep"
try:
    macrostep.run("quarter-car")
    raise SystemExit("no error")
except macrostep.Error as error:
    assert error.status == 127 and "MACROSTEP" in str(error), error
END
python "a row a scheme and step size; a row a point; options that differ" <<END
import macrostep
table = macrostep.tidy(macrostep.converge("quarter-car", scheme=["jacobi", "strang"], step_size=[0.01, 0.005], stop_time=0.1))
assert [(row["scheme"], row["step_size"]) for row in table] == [(s, h) for s in ("jacobi", "strang") for h in (0.01, 0.005)], table
assert len(table[0]) < 20 and table[0]["error"] > table[1]["error"] > 0, table[0]
answer = macrostep.stability("mass-spring-damper", x="step-size=0.1,0.2", y="k2=1,10,100")
table = macrostep.tidy(answer)
assert len(table) == 6 and (table[3]["step_size"], table[3]["k2"]) == (0.2, 10) and table[3]["spectral_radius"] == answer["spectral_radius"][1][1]
table = macrostep.tidy(macrostep.compare("linear-pair", scheme=["jacobi", "strang"], extrapolation_order=[0, 1], outputs="consistent", derivatives="analytic"))
assert {row["extrapolation_order"] for row in table} == {0, 1, None} and "rtol" not in table[0], table
END
python "functions have the options of their commands, and types of the same" <<END
import ast, inspect, os, macrostep, macrostep.commands
os.mkdir("$folder/written")
macrostep.commands.write("$folder/written")
tree = ast.parse(open("$folder/written/commands.pyi").read())
types = {one.name: [a.arg for a in one.args.args + one.args.kwonlyargs] for one in tree.body if isinstance(one, ast.FunctionDef)}
assert list(types) == macrostep.commands.__all__ and len(types) > 20
for name, named in types.items():
    function = getattr(macrostep, name)
    assert named == [p for p in inspect.signature(function).parameters if p != "words"], name
    assert name in ("list", "new") or "macrostep." + name + "(" in function.__doc__, function.__doc__
assert "\n    step_size X: " in macrostep.run.__doc__ and "as_" in types["run"]
END
python "a wheel, by Python alone" <<END
import subprocess, sys, zipfile
sys.path.insert(0, "$PWD/bench/python")
import backend
name = backend.build_wheel("$folder")
with zipfile.ZipFile("$folder/" + name) as wheel:
    names = wheel.namelist()
    assert {"macrostep/py.typed", "macrostep/commands.pyi", "macrostep/commands.json"} < set(names), names
    record = wheel.read(names[-1]).decode().split()
    assert [line.split(",")[0] for line in record] == names
    wheel.extractall("$folder/wheel")
assert subprocess.run([sys.executable, "-c", "import macrostep; print(macrostep.__file__, macrostep.list('models')[0]['kind'])"], text=True, check=True,
                      env={"PYTHONPATH": "$folder/wheel", "MACROSTEP": "$MACROSTEP"}, capture_output=True).stdout.endswith(" model\\n")
END

# The notebook: as notebooks are run where that can be done, else the lines of its cells
cat >"$folder/notebook.py" <<'END'
import json, sys
notebook = json.load(open("bench/python/macrostep.ipynb"))
try:
    import ipykernel, nbclient, nbformat
    nbclient.NotebookClient(nbformat.read("bench/python/macrostep.ipynb", 4), timeout=120).execute()
except ImportError:
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["figure"]["status"] == "reproduced" and names["curves"], names["figure"]
assert not any(cell.get("outputs") for cell in notebook["cells"])
END
$python "$folder/notebook.py" >"$folder/out" 2>"$folder/err"
result $? "the notebook"

echo "1..$count"
[ $failed -eq 0 ]
