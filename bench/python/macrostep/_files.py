# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the command has written, and their columns."""

from __future__ import annotations

import csv
import json
from typing import Any


def column(table: Any, name: str) -> list[Any]:
    """One column of a table of `frame` or `read`, as a list."""
    return [row[name] for row in table] if isinstance(table, list) else table[name].tolist()


def array(values: Any) -> Any:
    """Numbers, or rows of numbers, as a numpy.ndarray, None as nan; without numpy unchanged."""
    try:
        import numpy  # where arrays are asked for: it takes longer than many calls
    except ImportError:
        return values
    return numpy.array(values, dtype=float)


def columns(table: list[dict[str, Any]]) -> dict[str, Any]:
    """{"NAME": numbers}: rows turned into columns, arrays if numpy is installed."""
    return {name: array([row[name] for row in table]) for name in table[0]} if table else {}


def _cell(name: str, text: str) -> Any:
    """A cell of CSV: empty is None; numbers, true and false as such; an object or array of JSON as its value; members with their commas."""
    if name == "member":
        return text.replace(";", ",")
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    try:
        return json.loads(text) if text[0] in "{[" else int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


def read(path: Any) -> Any:
    """The rows of a file that macrostep has written, CSV or jsonl, as a list of dictionaries, or the answer in a file of JSON.
    Remarks and provenance are left out."""
    with open(path, newline="", encoding="utf-8") as file:
        if str(path).endswith(".json"):
            return json.load(file)
        if str(path).endswith(".jsonl"):
            next(file, None)
            return [json.loads(line) for line in file]
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{name: _cell(name, text) for name, text in line.items()} for line in lines]


def provenance(path: Any) -> dict[str, Any]:
    """The provenance of a file: version, commit, command and so on, as texts."""
    with open(path, encoding="utf-8") as file:
        if str(path).endswith((".json", ".jsonl")):
            return json.loads(file.readline() if str(path).endswith("l") else file.read())["provenance"]
        return dict(line[2:].rstrip("\n").split(": ", 1) for line in file if line.startswith("# ") and ": " in line)
