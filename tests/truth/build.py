# SPDX-License-Identifier: GPL-3.0-or-later
"""build.py - what problems are made of: system files as dictionaries, expressions of time, and what is known of them.

A problem is a dictionary:

    name, kind
    system      a system file (bench/README.md, "A system as a file"), all numbers exact doubles
    inputs      None, or (columns, rows) of the CSV file of --inputs
    closed      None, or (NAME, parameters): the formula of closed.py
    solved      None, or a system with the same solution that the truth is computed from, where `system` has what the solver of
                the truth does not know (algebraic loops, residuals); its states are those of `system`, in the same order
    model       None, or (NAME, settings): a model of worker.c, in place of `system`
    stiff       explicit micro-solvers need too many steps
"""
import math

KEYS = ("name", "kind", "system", "inputs", "closed", "solved", "model", "stiff")


def problem(system, kind=None, inputs=None, closed=None, solved=None, model=None, stiff=False, name=None):
    return dict(zip(KEYS, (name, kind, system, inputs, closed, solved, model, stiff)))


def system(subsystems, wires, end, steps, parameters=None):
    """A system whose run takes so many macro-steps; wires as "from to" or (from, to, gain)."""
    members = {"parameters": parameters} if parameters else {}
    named = []
    for wire in wires:
        source, target, *gain = wire.split() if isinstance(wire, str) else wire
        named.append({"from": source, "to": target, **({"gain": gain[0]} if gain else {})})
    return {**members, "subsystems": subsystems, "wires": named, "end": end, "step_size": end / steps}


def equations(name, states, outputs, inputs=(), external=None, discrete=None, events=None):
    """states: name: (derivative, start)."""
    made = {"name": name, "inputs": list(inputs), "outputs": outputs,
            "states": {x: {"derivative": f, "start": start} for x, (f, start) in states.items()}}
    for member, value in (("external", external), ("discrete", discrete), ("events", events)):
        if value:
            made[member] = value
    return made


def matrices(name, A, B, C, x0, D=None, E=None, external=None):
    made = {"name": name, "A": A, "B": B, "C": C, "x0": x0}
    for member, value in (("D", D), ("E", E), ("external", external)):
        if value:
            made[member] = value
    return made


def event(when, then, direction=None):
    return {"when": when, **({"direction": direction} if direction else {}), "then": then}


def number(value):
    """A literal that reads back to the same double, in brackets where it has a sign."""
    text = repr(float(value))
    return f"({text})" if text.startswith("-") else text


def as_equations(sub):
    """A subsystem of matrices by its equations; members that begin with _ are not written."""
    def combine(rows, i, names):
        return "+".join(f"{number(c)}*{name}" for c, name in zip(rows[i], names) if c != 0)
    states = [f"x{j + 1}" for j in range(len(sub["A"]))]
    inputs = [f"u{j + 1}" for j in range(len(sub["B"][0]))] if sub["A"] else []
    external = list(sub.get("external", {}))
    derivative = {x: ("+".join(part for part in (combine(sub["A"], i, states), combine(sub["B"], i, inputs),
                                                 combine(sub["E"], i, external) if external else "") if part) or "0",
                      sub["x0"][i]) for i, x in enumerate(states)}
    outputs = {f"y{i + 1}": "+".join(part for part in (combine(sub["C"], i, states), combine(sub["D"], i, inputs) if "D" in sub else "")
                                     if part) or "0" for i in range(len(sub["C"]))}
    return {**equations(sub["name"], derivative, outputs, inputs, sub.get("external")), "_matrices": sub}


def pair(kind_of, w, external, coupling=1.0, x0=(1.0, 0.5), decay=(1.0, 1.0)):
    """The pair of the issue: x' = -d x + u + w, z' = -e z - u; as matrices or equations."""
    a = matrices("a", [[-decay[0]]], [[coupling]], [[1]], [x0[0]], E=[[1]], external={w: external})
    b = matrices("b", [[-decay[1]]], [[-coupling]], [[1]], [x0[1]])
    return [a, b] if kind_of == "matrices" else [as_equations(a), as_equations(b)]


RING = ["a.y1 b.u1", "b.y1 a.u1"]


# Digits of doubles that are drawn: short, so that a problem can be read, and exact as they are the shortest decimals.
def draw(rng, low, high, digits=4):
    value = rng.uniform(low, high)
    return float(f"{value:.{digits}g}")


def draw_log(rng, low, high, digits=3):
    return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.{digits}g}")


def signed(rng, value):
    return value if rng.random() < 0.5 else -value
