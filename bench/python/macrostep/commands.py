# SPDX-License-Identifier: GPL-3.0-or-later
"""A function for each command, from the command's own table of options.

The table, `macrostep list commands`, stands beside this file where the package was installed (commands.json, with the types of all functions
in commands.pyi, both by `write`); in the source tree the command is called for it."""

from __future__ import annotations

import inspect
import json
import keyword
import os
import shlex
import textwrap
from typing import Any

from . import _call
from ._answer import call

TABLE = os.path.join(_call.HERE, "commands.json")
HEAD = '''# Written by macrostep.commands from `macrostep list commands`.
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal
from ._answer import Answer, Rows

'''


def table() -> list[dict[str, Any]]:
    """The table of commands, from the command itself."""
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as file:
            return json.load(file)
    return json.loads(_call.output([_call.executable(), "list", "commands", "--format=json"]))


def identifier(name: str) -> str:
    """The name in Python: as_ for --as."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def annotation(value: str) -> str:
    """The type of an option by the form of its value, `None` if it is not given; a list or "from:to:lin:count" sweeps."""
    form = value.strip()
    names = form.strip("[=]").split("|")
    if form == "":
        return "bool | None"
    if all(name and name.replace("-", "").isalnum() and name == name.lower() for name in names) and ".." not in form:
        literal = "Literal[" + ", ".join(f'"{name}"' for name in names) + "]"
        return f"bool | {literal} | None" if form.startswith("[") else f"{literal} | Sequence[str] | None"
    if "=" in form and not form.startswith("["):
        return "Mapping[str, Any] | Sequence[str] | str | None"
    if "FILE" in form or "DIR" in form:
        return "str | PathLike[str] | None"
    if ".." in form and form.replace(".", "").isalnum():
        return "int | Sequence[int] | str | None"
    return "float | Sequence[float] | str | None" if form == "X" else "str | float | Sequence[Any] | Mapping[str, Any] | None"


def example(line: str, options: dict[str, str]) -> str:
    """A line of the shell as a call from Python; "" if it is more than one command.

    >>> example("macrostep run quarter-car --step-size 0.005 --verbose", {"step-size": " X", "verbose": ""})
    'macrostep.run("quarter-car", step_size=0.005, verbose=True)'
    """
    words = shlex.split(line, comments=True)
    if words[:1] != ["macrostep"] or any(word in ("&&", "|", ">") for word in words):
        return ""
    said, given = [], words[2:]
    while given:
        word = given.pop(0)
        name, equals, value = word[2:].partition("=")
        if not word.startswith("--"):
            said.append(json.dumps(word))
            continue
        form = options.get(name, "")
        value = value if equals else given.pop(0) if given and form and not form.startswith("[") else "True"
        number = value.replace(".", "", 1).replace("e-", "", 1).isdigit() or value == "True"
        said.append(f"{identifier(name)}={value if number else json.dumps(value)}")
    return f"macrostep.{identifier(words[1])}({', '.join(said)})"


def document(row: dict[str, Any]) -> str:
    """The documentation of the function."""
    forms = {option["name"]: option["value"] for option in row["options"]}
    text, _, lines = row["text"].partition("\nExamples:\n")
    examples = [one for one in (example(line.strip(), forms) for line in lines.replace("\\\n", "").splitlines() if line.strip()) if one]
    about = [textwrap.fill(f"{identifier(option['name'])}{option['value']}: {option['summary']}", 110, initial_indent="    ",
                           subsequent_indent="        ") for option in row["options"]]
    return "\n".join([text.strip(), "", "Examples:", *("    " + one for one in examples), "", "Options, by keyword; progress=False: no lines on how far it is:",
                      *about])


def parameters(row: dict[str, Any]) -> list[inspect.Parameter]:
    """The parameters of the function: the model, or words as on the command line, and options by keyword."""
    kinds = inspect.Parameter
    optional = [kinds(identifier(option["name"]), kinds.KEYWORD_ONLY, default=None, annotation=annotation(option["value"]))
                for option in row["options"]]
    progress = [kinds("progress", kinds.KEYWORD_ONLY, default=None, annotation="bool | None")]
    if row["operand"] in ("MODEL", "[MODEL]"):
        words = [kinds("model", kinds.POSITIONAL_OR_KEYWORD, default=None, annotation="str | PathLike[str] | Mapping[str, Any] | None")]
    elif row["operand"]:
        words = [kinds("words", kinds.VAR_POSITIONAL, annotation="str | PathLike[str] | Mapping[str, Any]")]
    else:
        words = []
    return words + optional + progress


def function(row: dict[str, Any]) -> Any:
    """The function that calls the command."""
    has_format = any(option["name"] == "format" for option in row["options"])

    def command(*words: Any, **options: Any) -> Any:
        model = options.pop("model", None) if row["operand"] in ("MODEL", "[MODEL]") else None
        if not has_format:
            options.setdefault("format", None)
        return call(row["name"], *words, *([model] if model is not None else []), **options)

    command.__name__ = command.__qualname__ = identifier(row["name"])
    command.__module__ = "macrostep"
    command.__doc__ = document(row)
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in parameters(row)]  # types are in commands.pyi: here they hide the names
    command.__signature__ = inspect.Signature(bare)  # type: ignore[attr-defined]
    command.__annotations__ = {}
    return command


def stub(row: dict[str, Any]) -> str:
    """The function for type checkers and editors."""
    words = [one for one in parameters(row) if one.kind is not one.KEYWORD_ONLY]
    first = "".join(f"*{one.name}: {one.annotation}, " if one.kind is one.VAR_POSITIONAL else f"{one.name}: {one.annotation} = ..., *, " for one in words)
    options = ", ".join(f"{one.name}: {one.annotation} = ..." for one in parameters(row) if one.kind is one.KEYWORD_ONLY)
    says = document(row).replace("\\", "\\\\").replace('"""', "'''")
    return (f"def {identifier(row['name'])}({first or '*, '}{options}) -> {'Rows' if row['name'] == 'list' else 'Answer'}:\n"
            f'    """{textwrap.indent(says, "    ").strip()}\n    """\n')


def write(folder: str) -> None:
    """commands.json and commands.pyi into the folder of the package."""
    known = json.loads(_call.output([_call.executable(), "list", "commands", "--format=json"]))
    with open(os.path.join(folder, "commands.json"), "w", encoding="utf-8") as file:
        json.dump(known, file, separators=(",", ":"))
    with open(os.path.join(folder, "commands.pyi"), "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(stub(row) for row in known))


_known = {identifier(row["name"]): row for row in table()}
__all__ = list(_known)


def __getattr__(name: str) -> Any:
    """A function is made when it is first asked for."""
    if name not in _known:
        raise AttributeError(f"module 'macrostep' has no attribute {name!r}")
    made = globals()[name] = function(_known[name])
    return made
