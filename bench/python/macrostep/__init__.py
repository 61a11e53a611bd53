# SPDX-License-Identifier: GPL-3.0-or-later
"""macrostep from Python: calls of the command, with answers that have tables, trajectories and pictures.

Needs only the standard library. With numpy and pandas installed, numbers are arrays and tables are frames. The command is the one that the
environment variable MACROSTEP names, else the one installed with this package, else `macrostep` on PATH.

Every command is a function of this module; `help(macrostep.run)` has its options. Words are as on the command line, options are keywords:
`step_size=0.002` is --step-size 0.002, `True` is an option without a value, a list sweeps if the command takes lists, a dictionary is NAME=VALUE.
A model may be a dictionary, as in a system file. Long calls show their progress on a terminal and in a notebook (not with `progress=False`).

>>> import macrostep
>>> answer = macrostep.run("quarter-car", step_size=0.002, extrapolation_order=1, set={"kc": 20000})
>>> answer["reason"], answer["macro_steps"], answer["parameters"]["kc"]
('end-time', 500, 20000.0)
>>> sorted(answer["errors"])
['compared', 'end', 'l2_normalized_mean', 'max', 'of', 'over', 'per_state', 'rmse']

The critical step size of Jacobi and Gauss-Seidel; Psi by rows, as an array if numpy is installed:

>>> step = {scheme: macrostep.stability("mass-spring-damper", critical=True, scheme=scheme)["critical_step_size"]
...         for scheme in ("jacobi", "gauss-seidel")}
>>> step["jacobi"] < step["gauss-seidel"]
True
>>> psi = macrostep.array(macrostep.spectral("linear-pair", matrix=True)["matrix"])
>>> len(psi) == len(psi[0])
True

Your own system:

>>> loop = {"subsystems": [{"name": "a", "inputs": ["u"], "outputs": {"y": "x"}, "states": {"x": {"derivative": "u - x", "start": 1}}},
...                        {"name": "b", "inputs": ["u"], "outputs": {"y": "x"}, "states": {"x": {"derivative": "-u - x"}}}],
...         "wires": [{"from": "a.y", "to": "b.u"}, {"from": "b.y", "to": "a.u"}], "step_size": 0.1, "stop_time": 1}
>>> macrostep.run(loop)["macro_steps"]
10

Tables have a row for each run, scheme, step size or point, and a column for each quantity and for options and parameters that differ. They are pandas
frames, or without pandas lists of dictionaries. `everything=True` has all of the answer's rows by dotted paths, as in CSV:

>>> answer = macrostep.converge("quarter-car", scheme=["jacobi", "strang"], step_size=[0.002, 0.001], stop_time=0.1)
>>> table = answer.frame()
>>> macrostep.column(table, "scheme"), macrostep.column(table, "step_size")
(['jacobi', 'jacobi', 'strang', 'strang'], [0.002, 0.001, 0.002, 0.001])
>>> [round(order) for order in macrostep.column(table, "order")]
[1, 1, 2, 2]
>>> rows = macrostep.compare("linear-pair", scheme="jacobi", extrapolation_order=[0, 1], outputs="consistent").frame(everything=True)
>>> len(rows), sorted(set(macrostep.column(rows, "scheme.extrapolation_order")))
(9, [0, 1])

A trajectory by its columns, and a picture, both by repeating the call; a notebook shows pictures and answers:

>>> run = macrostep.run("quarter-car", step_size=0.01, stop_time=0.5)
>>> curves = run.trajectory
>>> len(curves["time"]), float(curves["time"][-1]), "chassis.x.x" in curves
(51, 0.5, True)
>>> run.plot(width="8cm").data[:5]
b'<?xml'

An error in a call has the message of the command:

>>> macrostep.run("quarter-cart")
Traceback (most recent call last):
    ...
macrostep.Error: unknown model quarter-cart; the nearest is quarter-car (macrostep list models)
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import commands as _commands
from ._answer import Answer, Picture, Rows, call, flat, frame, rows, tidy
from ._call import Error, command_line
from ._files import array, column, columns, provenance, read

if _TYPE_CHECKING:
    from .commands import *  # noqa: F403

__all__ = ["Answer", "Error", "Picture", "Rows", "array", "call", "column", "columns", "command_line", "flat", "frame", "provenance", "read", "rows",
           "tidy", "trajectory", *_commands.__all__]


def __getattr__(name: str) -> _Any:
    return getattr(_commands, name)


def __dir__() -> "_Any":
    return [*globals(), *_commands.__all__]


def trajectory(model: _Any, **options: _Any) -> "dict[str, _Any]":
    """Time, states, inputs and outputs of a run at its communication points: columns by name, as `run --trajectory` writes them."""
    answer = Answer()
    answer._call = "run", (model,), options
    return answer.trajectory
