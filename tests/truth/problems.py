# SPDX-License-Identifier: GPL-3.0-or-later
"""problems.py - all problems, by families: (kind, function, how many). The k-th of a family is the same on every machine, as all that is
drawn comes from its name."""
import hashlib
import json
import random

import event_problems
import linear_problems
import smooth_problems

MODULES = (linear_problems, smooth_problems, event_problems)


def problems():
    made = []
    for module in MODULES:
        for kind, function, count in module.FAMILIES:
            for k in range(count):
                one = function(random.Random(f"{function.__name__}:{k}"), k)
                one["kind"] = kind
                one["name"] = one["name"] or f"{function.__name__.replace('_', '-')}-{k:02}"
                made.append(one)
    return made


def system_text(problem):
    """The system file."""
    subsystems = [{key: value for key, value in sub.items() if not key.startswith("_")} for sub in problem["system"]["subsystems"]]
    return json.dumps({**problem["system"], "subsystems": subsystems})


def inputs_text(problem):
    columns, rows = problem["inputs"]
    return "".join(",".join(line) + "\n" for line in [["time"] + columns] + [[repr(value) for value in row] for row in rows])


def digest(problem):
    """Of all that the values hang on."""
    text = system_text(problem) + (inputs_text(problem) if problem["inputs"] else "") + json.dumps(problem["model"])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def steps(problem):
    return round(problem["system"]["end"] / problem["system"]["step_size"])


def times(problem):
    """A communication point that is the same double by n H and by (n - 1) H + H, and the end."""
    h, n = problem["system"]["step_size"], steps(problem) * 2 // 5
    while n > 0 and (n - 1) * h + h != n * h:
        n -= 1
    return ([n * h] if n > 0 else []) + [problem["system"]["end"]]
