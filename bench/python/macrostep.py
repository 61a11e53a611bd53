# SPDX-License-Identifier: GPL-3.0-or-later
"""macrostep from Python: calls the installed command, gives dictionaries, arrays and frames.

One file, which needs the standard library alone; where numpy and pandas are there, numbers come as arrays and rows as frames. The command
is `macrostep`, or what the environment variable MACROSTEP names.

Every command is a function of this module: words as they stand on the command line, options by keyword. `step_size=0.002` is
--step-size 0.002, `True` an option without a value, a list sweeps where the command takes lists, a dictionary is NAME=VALUE.

>>> import macrostep
>>> answer = macrostep.run("quarter-car", step_size=0.002, extrapolation_order=1, set={"kc": 20000})
>>> answer["reason"], answer["macro_steps"], answer["parameters"]["kc"]
('end-time', 500, 20000.0)
>>> sorted(answer["errors"])
['compared', 'end', 'l2_normalized_mean', 'max', 'of', 'over', 'per_state', 'rmse']

The critical step size of Jacobi and Gauss-Seidel; Psi by rows, as an array where there is numpy:

>>> step = {scheme: macrostep.stability("mass-spring-damper", critical=True, scheme=scheme)["critical_step_size"]
...         for scheme in ("jacobi", "gauss-seidel")}
>>> step["jacobi"] < step["gauss-seidel"]
True
>>> psi = macrostep.array(macrostep.spectral("linear-pair", matrix=True)["matrix"])
>>> len(psi) == len(psi[0])
True

Rows of an answer as a frame (pandas), or without pandas as a list of dictionaries; columns are dotted paths, as in CSV:

>>> answer = macrostep.converge("quarter-car", step_size=[0.002, 0.001, 0.0005])
>>> [row["step_size"] for row in macrostep.rows(answer)]
[0.002, 0.001, 0.0005]
>>> round(answer["order"])
1
>>> rows = macrostep.frame(macrostep.compare("linear-pair", scheme="jacobi", extrapolation_order=[0, 1], outputs="consistent"))
>>> len(rows), sorted(set(order for order in macrostep.column(rows, "scheme.extrapolation_order")))
(9, [0, 1])

A trajectory by its columns, and files that the command has written:

>>> curves = macrostep.trajectory("quarter-car", step_size=0.01, stop_time=0.5)
>>> len(curves["time"]), float(curves["time"][-1]), "chassis.x.x" in curves
(51, 0.5, True)

What is wrong with a call is what the command says of it:

>>> macrostep.run("quarter-cart")
Traceback (most recent call last):
    ...
macrostep.Error: unknown model quarter-cart; the nearest is quarter-car (macrostep list models)
"""

import csv
import functools
import json
import os
import subprocess
import tempfile

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

REPEATED = ("mask", "set")  # options that may be given more than once
DIFFERENT = 3               # exit status of diff where something differs


class Error(Exception):
    """The command has ended with a line that says why; `status` is its exit status: 1 files, memory, internal errors; 2 the call
    is wrong; 130 interrupted."""

    def __init__(self, line, status):
        super().__init__(line)
        self.status = status


# Calls ------------------------------------------------------------------------------------------------------------


def _text(value):
    """A value as it stands on the command line: numbers are read back to the same double."""
    if isinstance(value, (list, tuple)) or (numpy is not None and isinstance(value, numpy.ndarray)):
        return ",".join(_text(one) for one in value)
    if isinstance(value, dict):
        return ",".join(f"{name}={_text(one)}" for name, one in value.items())
    if isinstance(value, float) or (numpy is not None and isinstance(value, numpy.floating)):
        return repr(float(value))
    return str(value)


def _words(option, value):
    """The words of one option: none where it is None or False."""
    name = "--" + option.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    if option in REPEATED and isinstance(value, dict):
        return [f"{name}={one}={_text(of)}" for one, of in value.items()]
    if option in REPEATED and isinstance(value, (list, tuple)):
        return [f"{name}={_text(one)}" for one in value]
    return [f"{name}={_text(value)}"]


def command_line(command, *words, **options):
    """The call as a list of words, for a shell or a job array.

    >>> command_line("run", "quarter-car", step_size=0.002, set={"kc": 20000}, mask=["wheel:rollback"])[1:]
    ['run', 'quarter-car', '--step-size=0.002', '--set=kc=20000', '--mask=wheel:rollback']
    """
    line = [os.environ.get("MACROSTEP", "macrostep"), command, *(str(word) for word in words)]
    for option, value in options.items():
        line += _words(option, value)
    return line


def _output(line):
    """What the command writes on standard output."""
    done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0 or (done.returncode == DIFFERENT and line[1] == "diff"):
        return done.stdout
    said = [one for one in done.stderr.splitlines() if one.startswith("macrostep: ")] or ["macrostep: " + done.stderr]
    raise Error(said[-1][len("macrostep: "):].strip(), done.returncode)


def call(command, *words, **options):
    """The answer of a command: what its JSON holds, dictionaries, lists, numbers, None for what is not known. With `output=FILE`
    it is written there, as `format` says (json unless given), and None is returned."""
    given = {"format": "json", **options}
    text = _output(command_line(command, *words, **given))
    return json.loads(text) if text and given["format"] == "json" else text or None


def __getattr__(name):
    """Every command is a function: macrostep.run(..) is call("run", ..)."""
    if name.startswith("_"):
        raise AttributeError(name)
    return functools.partial(call, name.rstrip("_").replace("_", "-"))


def trajectory(model, **options):
    """Time, states, inputs and outputs of a run at its communication points: columns by name, as `run --trajectory` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trajectory.csv")
        call("run", model, trajectory=path, **options)
        return columns(read(path))


# Rows -------------------------------------------------------------------------------------------------------------


def flat(value, path=""):
    """Everything inside a value by its dotted path; arrays count from .0.

    >>> flat({"a": 1, "b": {"c": [2, None]}, "d": []})
    {'a': 1, 'b.c.0': 2, 'b.c.1': None, 'd': None}
    """
    if not isinstance(value, (dict, list)) or not value:
        return {path: None if isinstance(value, (dict, list)) else value}
    found = {}
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        found.update(flat(inner, f"{path}.{name}" if path else str(name)))
    return found


def rows(answer):
    """The rows of an answer, or the answer itself as the only one."""
    if isinstance(answer, list):
        return answer
    return answer.get("rows", [answer])


def frame(answer):
    """Rows as a pandas.DataFrame, or without pandas as a list of dictionaries; each column a dotted path."""
    flat_rows = [flat(row) for row in rows(answer)]
    return flat_rows if pandas is None else pandas.DataFrame(flat_rows)


def column(table, name):
    """One column of what `frame` or `read` gives, as a list."""
    return [row[name] for row in table] if isinstance(table, list) else table[name].tolist()


def array(values):
    """Numbers, or rows of numbers, as a numpy.ndarray, None as nan; without numpy as they are."""
    return values if numpy is None else numpy.array(values, dtype=float)


def columns(table):
    """{"NAME": numbers}: rows turned into columns, arrays where there is numpy."""
    return {name: array([row[name] for row in table]) for name in table[0]} if table else {}


# Files ------------------------------------------------------------------------------------------------------------


def _cell(text):
    """A cell of CSV: empty is None; numbers, true and false as such; an object or array of JSON as what it holds."""
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    try:
        return json.loads(text) if text[0] in "{[" else int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


def read(path):
    """The rows of a file that macrostep has written, CSV or jsonl, as a list of dictionaries, or the answer in a file of JSON.
    Remarks and provenance are left out."""
    with open(path, newline="", encoding="utf-8") as file:
        if str(path).endswith(".json"):
            return json.load(file)
        if str(path).endswith(".jsonl"):
            next(file, None)
            return [json.loads(line) for line in file]
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{name: _cell(text) for name, text in line.items()} for line in lines]


def provenance(path):
    """What a file says of where it comes from: version, commit, command and so on, as texts."""
    with open(path, encoding="utf-8") as file:
        if str(path).endswith((".json", ".jsonl")):
            return json.loads(file.readline() if str(path).endswith("l") else file.read())["provenance"]
        return dict(line[2:].rstrip("\n").split(": ", 1) for line in file if line.startswith("# ") and ": " in line)
