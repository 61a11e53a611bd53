#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/python/macrostep.py: the example in its docstring, files of all formats, with and without numpy and pandas. TAP on standard output.
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

$python -m doctest bench/python/macrostep.py >"$folder/err" 2>&1
result $? "the example in its docstring"
sed -n '/^    import macrostep$/,/^\.fi$/p' bench/macrostep.1 | sed '$d; s/^    //; s/\\-/-/g' >"$folder/example"
python "the frame of the manual page" <"$folder/example"
is "... has rows of both orders" grep -q 'order 1' "$folder/out"
mkdir "$folder/none"
echo 'raise ImportError' >"$folder/none/numpy.py"
cp "$folder/none/numpy.py" "$folder/none/pandas.py"
PYTHONPATH=$folder/none:$PYTHONPATH $python -m doctest bench/python/macrostep.py >"$folder/err" 2>&1
result $? "... without numpy and pandas"
PYTHONPATH=$folder/none:$PYTHONPATH $python -c "
import macrostep
rows = macrostep.frame({'rows': [{'a': {'b': 1}}]})
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
    pass


class floating(float):
    pass


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
"$macrostep" sweep --models linear-pair --cases stable --scheme jacobi --extrapolation-order 0 --format csv --output "$folder/s.csv"
python "files: CSV, jsonl and JSON have the same rows" <<END
import macrostep
csv, lines, json = (macrostep.read("$folder/a." + ending) for ending in ("csv", "jsonl", "json"))
json = macrostep.rows(json)
assert len(csv) == len(lines) == len(json) > 1
for a, b, c in zip(csv, lines, json):
    assert macrostep.flat(b).keys() == macrostep.flat(c).keys()
    for name, value in macrostep.flat(b).items():
        if name in a and not name.endswith("wall_seconds") and value != "":
            assert a[name] == value, (name, a[name], value)
END
python "... and their provenance" <<END
import macrostep
for ending in ("csv", "jsonl", "json"):
    assert macrostep.provenance("$folder/a." + ending)["command"] == "macrostep compare linear-pair --extrapolation-order 0"
END
python "the column of parameters is an object" <<END
import macrostep
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
                           (lambda: macrostep.nothing(), 2, "unknown command nothing"),
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

echo "1..$count"
[ $failed -eq 0 ]
