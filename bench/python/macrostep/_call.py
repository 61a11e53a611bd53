# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of the command: words, options, files for models that are dictionaries, errors, progress."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

REPEATED = ("mask", "set", "label")  # options that may be given more than once
DIFFERENT = 3                        # exit status of diff where something differs
HERE = os.path.dirname(os.path.abspath(__file__))
PLACES = ("../../../../bin/macrostep", "../../../build/macrostep")  # of what is installed, and of the tree


class Error(Exception):
    """The command has ended with a line that says why; `status` is its exit status: 1 files, memory, internal errors; 2 the call
    is wrong; 127 there is no command; 130 interrupted."""

    __module__ = "macrostep"

    def __init__(self, line: str, status: int) -> None:
        super().__init__(line)
        self.status = status


def executable() -> str:
    """The command: the one that MACROSTEP names, else the one installed with this package, else that on PATH."""
    near = [os.path.normpath(os.path.join(HERE, place)) for place in PLACES]
    return os.environ.get("MACROSTEP") or next((path for path in near if os.access(path, os.X_OK)), "macrostep")


def plain(value: Any) -> Any:
    """Arrays and numbers of numpy as lists and numbers of Python."""
    return value.tolist() if hasattr(value, "tolist") else value


def text(value: Any) -> str:
    """A value as on the command line: numbers are read back to the same double."""
    value = plain(value)
    if isinstance(value, Mapping):
        return ",".join(f"{name}={text(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple, range)):
        return ",".join(text(one) for one in value)
    return repr(value) if isinstance(value, float) else str(value)


def words_of(option: str, value: Any) -> list[str]:
    """The words of one option: none if it is None or False."""
    name = "--" + option.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    if option in REPEATED and isinstance(value, Mapping):
        return [f"{name}={one}={text(of)}" for one, of in value.items()]
    if option in REPEATED and isinstance(value, (list, tuple)):
        return [f"{name}={text(one)}" for one in value]
    return [f"{name}={text(value)}"]


def command_line(command: str, *words: Any, **options: Any) -> list[str]:
    """The call as a list of words, for a shell or a job array.

    >>> command_line("run", "quarter-car", step_size=0.002, set={"kc": 20000}, mask=["wheel:rollback"])[1:]
    ['run', 'quarter-car', '--step-size=0.002', '--set=kc=20000', '--mask=wheel:rollback']
    """
    line = [executable(), command, *(os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in words)]
    for option, value in options.items():
        line += words_of(option, value)
    return line


def is_watched() -> bool:
    """Is progress shown: on a terminal, or in a notebook?"""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def output(line: list[str], progress: bool | None = None) -> str:
    """The standard output of the command. progress: its lines of progress are written to standard error (None: on a terminal or in a notebook)."""
    show, said = is_watched() if progress is None else progress, ""
    with tempfile.TemporaryFile() as answer:
        try:
            child = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=answer, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
        except FileNotFoundError:
            raise Error(f"{line[0]}: there is no such command; put it on PATH, or name it in MACROSTEP", 127) from None
        with child:
            for one in child.stderr or ():
                if one.startswith("macrostep: "):
                    said = one[len("macrostep: "):].strip()
                if show and (" %" in one or " rows" in one):
                    print(one.strip(), file=sys.stderr)
        if child.returncode != 0 and not (child.returncode == DIFFERENT and line[1] == "diff"):
            raise Error(said or f"macrostep {line[1]} ended with status {child.returncode}", child.returncode)
        answer.seek(0)
        return answer.read().decode("utf-8")


def run(command: str, words: tuple[Any, ...], options: dict[str, Any]) -> str:
    """Standard output of a call; words that are dictionaries are systems, in temporary files."""
    options = dict(options)
    progress = options.pop("progress", None)
    if not any(isinstance(word, Mapping) for word in words):
        return output(command_line(command, *words, **options), progress)
    with tempfile.TemporaryDirectory(prefix="macrostep-") as folder:
        given = []
        for number, word in enumerate(words):
            if isinstance(word, Mapping):
                path = os.path.join(folder, f"model{number or ''}.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(word, file, default=plain)
                word = path
            given.append(word)
        return output(command_line(command, *given, **options), progress)
