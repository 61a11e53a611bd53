# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers: the JSON of the command, with tables of their rows, trajectories and pictures."""

from __future__ import annotations

import html
import json
import os
import tempfile
from typing import Any

from . import _call
from ._files import columns, read

SHOWN = 20  # rows of a table in a notebook


def flat(value: Any, path: str = "") -> dict[str, Any]:
    """Everything inside a value by its dotted path; arrays count from .0.

    >>> flat({"a": 1, "b": {"c": [2, None]}, "d": []})
    {'a': 1, 'b.c.0': 2, 'b.c.1': None, 'd': None}
    """
    if not isinstance(value, (dict, list)) or not value:
        return {path: None if isinstance(value, (dict, list)) else value}
    found: dict[str, Any] = {}
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        found.update(flat(inner, f"{path}.{name}" if path else str(name)))
    return found


def rows(answer: Any) -> list[Any]:
    """The rows of an answer, or the answer itself as the only one."""
    return answer if isinstance(answer, list) else answer.get("rows", [answer])


# Tables -----------------------------------------------------------------------------------------------------------

LEFT_OUT = ("provenance", "per_state")


def _numbers(row: dict[str, Any], path: str = "") -> dict[str, Any]:
    """Numbers and texts of a row, and of objects in it; no arrays."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict) and name not in LEFT_OUT:
            found.update(_numbers(value, f"{path}{name}."))
        elif not isinstance(value, (dict, list)):
            found[path + name] = value
    return found


def _members(answer: Any) -> list[tuple[dict[str, Any], list[Any]]]:
    """(members common to its rows, its rows), one for each scheme, step size or point."""
    if isinstance(answer, list):
        return [({}, answer)]
    if "axes" in answer and isinstance(answer.get("spectral_radius"), list):
        return [(answer, _map_rows(answer))]
    found = []
    for row in rows(answer):
        inner = row.get("rows") if row is not answer else None
        inner = _map_rows(row) if "axes" in row and isinstance(row.get("spectral_radius"), list) else inner
        found.append((row, inner if inner is not None else [{}]))
    return [(answer, answer["rows"])] if "scheme" in answer and "rows" in answer else found


def _map_rows(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The points of a map as rows."""
    names = [axis["name"].replace("-", "_") for axis in answer["axes"]]
    values, radius = [axis["values"] for axis in answer["axes"]], answer["spectral_radius"]
    if len(names) == 1:
        return [{names[0]: x, "spectral_radius": rho} for x, rho in zip(values[0], radius)]
    return [{names[0]: x, names[1]: y, "spectral_radius": rho} for y, line in zip(values[1], radius) for x, rho in zip(values[0], line)]


def _chosen(members: list[dict[str, Any]], group: str) -> list[str]:
    """Options or parameters in which members that have them differ; "scheme" is always included."""
    of = [member.get(group) or {} for member in members]
    names = dict.fromkeys(name for one in of if isinstance(one, dict) for name in one)
    return [name for name in names if (group, name) == ("scheme", "scheme") or
            len({json.dumps(one[name]) for one in of if isinstance(one, dict) and name in one}) > 1]


def tidy(answer: Any) -> list[dict[str, Any]]:
    """Rows with a column for each quantity: a row per run, scheme, step size or point; options and parameters only if they
    differ; no arrays.

    >>> tidy({"rows": [{"member": "a", "scheme": {"scheme": "a", "n": 1}, "rows": [{"h": 1, "e": 2}, {"h": 2, "e": 3}]},
    ...                {"member": "b", "scheme": {"scheme": "b", "n": 1}, "rows": [{"h": 1, "e": 4}]}]})[2]
    {'member': 'b', 'scheme': 'b', 'h': 1, 'e': 4}
    """
    members = _members(answer)
    heads = [member for member, _ in members]
    options, parameters = _chosen(heads, "scheme"), _chosen(heads, "parameters")
    table = []
    for member, own in members:
        scheme, values = member.get("scheme"), member.get("parameters")
        head = {"member": member["member"]} if "member" in member else {}
        if isinstance(scheme, dict):
            head.update({name: scheme.get(name) for name in options})
        if isinstance(values, dict):
            head.update({name: values.get(name) for name in parameters})
        left_out = ("scheme", "parameters", *(("rows", "spectral_radius") if own != [{}] else ()))
        rest = _numbers({name: value for name, value in member.items() if name not in left_out})
        for row in own:
            table.append({**head, **_numbers(row), **{name: value for name, value in rest.items() if name not in head and name not in row}})
    return table


def frame(answer: Any, everything: bool = False) -> Any:
    """Rows as a pandas.DataFrame, or without pandas as a list of dictionaries. everything: each column a dotted path of the answer's rows, as
    in CSV; else the columns of `tidy`."""
    table = [flat(row) for row in rows(answer)] if everything else tidy(answer)
    try:
        import pandas  # where frames are asked for: it takes longer than many calls
    except ImportError:
        return table
    return pandas.DataFrame(table)


def _table(lines: list[dict[str, Any]]) -> str:
    names = [name for name in dict.fromkeys(name for line in lines for name in line)
             if any(line.get(name) not in (None, "") for line in lines)]
    cell = lambda value: html.escape(f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value))
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{cell(line.get(name))}</td>" for name in names) + "</tr>" for line in lines[:SHOWN])
    more = f"<p>and {len(lines) - SHOWN} rows more</p>" if len(lines) > SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


# Objects ----------------------------------------------------------------------------------------------------------


class Picture:
    """A picture that the command has drawn; notebooks show SVG and PNG."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.data, self.kind = data, kind

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it unchanged into a file."""
        with open(path, "wb") as file:
            file.write(self.data)

    def __repr__(self) -> str:
        return f"<picture: {self.kind}, {len(self.data)} bytes; save(PATH) writes it>"

    def _repr_svg_(self) -> str | None:
        return self.data.decode("utf-8") if self.kind == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return self.data if self.kind == "png" else None


class Called:
    """The call that gave an answer."""

    _call: tuple[str, tuple[Any, ...], dict[str, Any]]

    def frame(self, everything: bool = False) -> Any:
        """Rows as a pandas.DataFrame, or a list of dictionaries: a row per run, scheme, step size or point (macrostep.frame)."""
        return frame(self, everything)

    def _again(self, option: str, path: str, more: dict[str, Any]) -> None:
        command, words, options = self._call
        kept = {name: value for name, value in options.items() if name not in ("plot", "trajectory", "output", "keep")}
        _call.run(command, words, {**kept, **more, "format": "json", option: path})

    @property
    def trajectory(self) -> dict[str, Any]:
        """Time, states, inputs and outputs by name: columns, as arrays if numpy is installed. The run is repeated for it, with the same
        numbers; for answers of run, integrate, drive and estimate."""
        with tempfile.TemporaryDirectory(prefix="macrostep-") as folder:
            path = os.path.join(folder, "trajectory.csv")
            self._again("trajectory", path, {})
            return columns(read(path))

    def plot(self, path: str | os.PathLike[str] | None = None, **options: Any) -> Picture:
        """The picture that --plot draws of this answer, by repeating the call; a notebook shows it. path: FILE.svg, .pdf, .png or
        .tex is written, too. options: width, title, key and the others of pictures."""
        with tempfile.TemporaryDirectory(prefix="macrostep-") as folder:
            file = os.fspath(path) if path is not None else os.path.join(folder, "picture.svg")
            self._again("plot", file, options)
            with open(file, "rb") as drawn:
                return Picture(drawn.read(), os.path.splitext(file)[1][1:])

    def _repr_html_(self) -> str:
        lines = tidy(self)
        return _table([{"": name, "value": value} for name, value in lines[0].items()] if len(lines) == 1 else lines)


class Answer(Called, dict):  # type: ignore[type-arg]
    """The answer of a command: a dictionary with the members of its JSON, None for unknown values."""


class Rows(Called, list):  # type: ignore[type-arg]
    """The answer of a command that has only rows (list)."""


def call(command: str, *words: Any, **options: Any) -> Any:
    """The answer of a command, an `Answer`. A word that is a dictionary is a system, as in a system file. `progress=False`: no lines of
    progress. With another `format` the answer is a text, as for commands without an answer; with `output=FILE` it is written there, as `format` says, and None is returned."""
    given = {"format": "json", **options}
    text = _call.run(command, words, given)
    if not text or given["format"] != "json":
        return text or None
    value = json.loads(text)
    answer = Rows(value) if isinstance(value, list) else Answer(value)
    answer._call = command, words, options
    return answer
