# SPDX-License-Identifier: GPL-3.0-or-later
"""Random systems, schemes and options: everything follows from one random.Random.

What options there are is read from `macrostep run --help=all`, so that a new one is drawn on the day it is added.
"""
import json
import re

EDGES = ["0", "-1", "1e-310", "5e-324", "1e300", "nan", "inf", "1e-17", "1"]
# Those of --help=all that are drawn apart, or would make each run long in a way that is asked for.
APART = {"scheme", "as", "step-size", "start-time", "stop-time", "max-steps", "sequence", "wires", "smooth-subsystems", "samples",
         "substeps", "mask", "solver", "errors", "execution"}
LOW_ORDER = {"gsl-rk1imp", "gsl-rk2imp", "gsl-rk2"}


class Option:
    """An option of a run: its choices, or the range of its value, and the families that know it (none: all)."""

    def __init__(self, name, value, families):
        self.name, self.value, self.families = name, value, families

    def draw(self, random):
        if "|" in self.value:
            return random.choice(self.value.split("|"))
        limits = re.fullmatch(r"(\d+)\.\.(\S+)", self.value)
        if limits:
            return str(random.randint(int(limits[1]), min(int(float(limits[2])), 20)))
        return real(random)


def real(random, low=-4, high=1):
    """Mostly a plausible number, sometimes one at an edge."""
    return random.choice(EDGES) if random.random() < 0.06 else f"{10 ** random.uniform(low, high):.3g}"


def options_of_help(text):
    """The options of a run in what --help=all prints."""
    options = []
    for entry in re.split(r"\n  (?=--)", text[text.index("Options of a run"):]):
        entry = entry.split("\n\n")[0]
        head = re.match(r"--([a-z-]+)(?:\[?=?\[?=?)([^\]\s]*)\]?\s", entry)
        words = re.split(r"\s{2,}|\n", entry, maxsplit=1)[0].split(maxsplit=1)
        if not head or head[1] in APART or head[1] in ("linear-correction", "help"):
            continue
        value = (words[1].split()[0] if len(words) > 1 else head[2]).lstrip("=")
        families = re.findall(r"schemes:\s+((?:[a-z0-9-]+,\s+)*[a-z0-9-]+)\s*$", entry)
        options.append(Option(head[1], value.strip("[]="), re.split(r",\s+", families[-1]) if families else []))
    return options


# Systems ------------------------------------------------------------------------------------------------------


def matrix(random, rows, columns, scale):
    return [[round(random.uniform(-scale, scale), 3) if random.random() < 0.7 else 0 for _ in range(columns)] for _ in range(rows)]


def linear(random, name, inputs, outputs):
    states = random.choice([0, 1, 1, 2, 2, 3])
    stiff = random.choice([1, 1, 1, 10, 1000])
    a = matrix(random, states, states, stiff)
    for k in range(states):
        a[k][k] -= round(stiff * random.uniform(0, 1.5), 3)
    through = matrix(random, outputs, inputs, random.choice([0, 0, 0.5, 1.5]))
    return {"name": name, "A": a, "B": matrix(random, states, inputs, 1), "C": matrix(random, outputs, states, 1), "D": through,
            "x0": [round(random.uniform(-1, 1), 3) for _ in range(states)]}


TERMS = ["-{x}", "-{x}^3", "sin({x})", "{u}", "0.5*{u}*{x}", "cos(t)", "-abs({x})*{x}", "sqrt({x})", "1/(1 + {x}^2)", "{u}^2",
         "exp({x})", "{x} > 0 ? -{u} : {u}", "log({x})", "{x}*{x}", "max({x}, {u})"]


def expression(random, states, inputs):
    terms = [random.choice(TERMS).format(x=random.choice(states), u=random.choice(inputs or states)) for _ in range(random.randint(1, 3))]
    return " + ".join(f"({term})" for term in terms)


def equations(random, name, inputs, outputs):
    states = [f"x{k}" for k in range(random.randint(1, 3))]
    names = [f"u{k}" for k in range(inputs)]
    sub = {"name": name, "inputs": names,
           "states": {x: {"derivative": expression(random, states, names), "start": round(random.uniform(-1, 1), 3)} for x in states},
           "outputs": {f"y{k}": random.choice(states) if random.random() < 0.7 else expression(random, states, names)
                       for k in range(outputs)}}
    if random.random() < 0.15:
        sub["events"] = [{"when": random.choice(states), "direction": random.choice(["rise", "fall"]),
                          "then": {random.choice(states): f"-0.8*{random.choice(states)}"}}]
    return sub


def chain(random):
    """Masses between springs as lines, or with a spring of their own that wires couple: systems with ports and energy."""
    n = random.randint(2, 4)
    masses = [{"name": f"s{k}", "states": {"x": {"derivative": "v", "start": round(random.uniform(-1, 1), 3)},
                                           "v": {"derivative": f"(f - {round(random.uniform(0, 20), 2)}*x + g)/{k + 1}"}},
               "inputs": ["f", "g"], "outputs": {"v": "v"}, "energy": f"{(k + 1) / 2}*v^2",
               "ports": [{"name": "left", "input": "f", "output": "v", "gain": 1}, {"name": "right", "input": "g", "output": "v", "gain": 1}]}
              for k in range(n)]
    if random.random() < 0.5:
        lines = [{"a": f"s{k}.right", "b": f"s{k + 1}.left", "stiffness": round(10 ** random.uniform(0, 3), 2)} for k in range(n - 1)]
        return {"subsystems": masses, "lines": lines, "wires": []}
    subsystems, wires = [masses[0]], []
    for k in range(1, n):
        subsystems += [{"name": f"spring{k}", "states": {"d": {"derivative": "a - b"}}, "inputs": ["a", "b"],
                        "outputs": {"p": f"-{10 * k}*d", "q": f"{10 * k}*d"}, "energy": f"{5 * k}*d^2",
                        "ports": [{"name": "a", "input": "a", "output": "p", "gain": -1}, {"name": "b", "input": "b", "output": "q", "gain": -1}]},
                       masses[k]]
        for mass, out, force, end in ((k - 1, "p", "g", "a"), (k, "q", "f", "b")):
            wires += [{"from": f"s{mass}.v", "to": f"spring{k}.{end}"}, {"from": f"spring{k}.{out}", "to": f"s{mass}.{force}"}]
    for mass, port in ((masses[0], 0), (masses[-1], 1)): # nothing is at the ends of the chain
        del mass["ports"][port]
    return {"subsystems": subsystems, "wires": wires}


def blocks(random):
    """2 to 4 subsystems, linear or not, and any wires."""
    n = random.randint(2, 4)
    is_linear = random.random() < 0.6
    ports = [(random.randint(1, 2), random.randint(1, 2)) for _ in range(n)]
    subsystems = [(linear if is_linear or random.random() < 0.5 else equations)(random, f"s{k}", *ports[k]) for k in range(n)]
    outputs = sum(out for _, out in ports)
    wires = [[i, random.randrange(outputs), random.choice([1, -1, 0.5, 2])] for i in range(sum(inn for inn, _ in ports))]
    return {"subsystems": subsystems, "wires": wires}


def system(random):
    """A system as JSON."""
    made = (chain if random.random() < 0.25 else blocks)(random)
    end = 10 ** random.uniform(-1, 0.5)
    return json.dumps(dict(made, end=round(end, 3), step_size=round(end / random.randint(3, 60), 5)))


def linear_system(random):
    """2 to 4 linear subsystems and any wires, as a value."""
    ports = [(random.randint(1, 2), random.randint(1, 2)) for _ in range(random.randint(2, 4))]
    outputs = sum(out for _, out in ports)
    return {"subsystems": [linear(random, f"s{k}", *of) for k, of in enumerate(ports)], "step_size": 0.125, "end": 1,
            "wires": [[i, random.randrange(outputs), random.choice([1, -1, 0.5, 2])] for i in range(sum(inn for inn, _ in ports))]}


# The same system in other words ---------------------------------------------------------------------------------


def permuted(system, order):
    """With its subsystems in that order; wires follow their inputs and outputs."""
    subs = system["subsystems"]

    def places(count):
        at = [sum(count(sub) for sub in subs[:k]) for k in range(len(subs))]
        return {old: new for new, old in enumerate(at[k] + i for k in order for i in range(count(subs[k])))}

    inputs, outputs = places(lambda sub: len(sub["D"][0])), places(lambda sub: len(sub["D"]))
    return dict(system, subsystems=[subs[k] for k in order],
                wires=[[inputs[i], outputs[o], gain] for i, o, gain in system["wires"]])


def scaled_states(system, factors):
    """x = T z with diagonal T: T^-1 A T, T^-1 B, C T."""
    return dict(system, subsystems=[
        dict(sub, A=[[a * t[j] / t[i] for j, a in enumerate(row)] for i, row in enumerate(sub["A"])],
             B=[[b / t[i] for b in row] for i, row in enumerate(sub["B"])], C=[[c * t[j] for j, c in enumerate(row)] for row in sub["C"]],
             x0=[x / t[i] for i, x in enumerate(sub["x0"])]) for sub, t in zip(system["subsystems"], factors)])


def scaled_outputs(system, factor):
    """Outputs in smaller units, which the gains of wires make good."""
    def times(rows):
        return [[factor * value for value in row] for row in rows]

    return dict(system, subsystems=[dict(sub, C=times(sub["C"]), D=times(sub["D"])) for sub in system["subsystems"]],
                wires=[[i, o, gain / factor] for i, o, gain in system["wires"]])


def scaled_inputs(system, factor):
    """Inputs in larger units, which the gains of wires make good."""
    def times(rows):
        return [[factor * value for value in row] for row in rows]

    return dict(system, subsystems=[dict(sub, B=times(sub["B"]), D=times(sub["D"])) for sub in system["subsystems"]],
                wires=[[i, o, gain / factor] for i, o, gain in system["wires"]])


def split_inputs(system):
    """With two inputs in place of each, which have half of its signal each."""
    def twice(rows):
        return [[value for value in row for _ in range(2)] for row in rows]

    return dict(system, subsystems=[dict(sub, B=twice(sub["B"]), D=twice(sub["D"])) for sub in system["subsystems"]],
                wires=[[2 * i + half, o, gain / 2] for i, o, gain in system["wires"] for half in range(2)])


def scaled_time(system, factor):
    """Measures time in a longer unit: rates are multiplied by the factor, the step size is divided by it."""
    def times(rows):
        return [[factor * value for value in row] for row in rows]

    return dict(system, subsystems=[dict(sub, A=times(sub["A"]), B=times(sub["B"])) for sub in system["subsystems"]],
                step_size=system["step_size"] / factor, end=system["end"] / factor)


def smaller(system):
    """Systems that are simpler by one thing: a state less, or a zero in place of a number."""
    for k, sub in enumerate(system["subsystems"]):
        def with_sub(new, at=k):
            return dict(system, subsystems=system["subsystems"][:at] + [new] + system["subsystems"][at + 1:])

        for x in range(len(sub["A"])):
            yield with_sub(dict(sub, A=[row[:x] + row[x + 1:] for i, row in enumerate(sub["A"]) if i != x], B=sub["B"][:x] + sub["B"][x + 1:],
                                C=[row[:x] + row[x + 1:] for row in sub["C"]], x0=sub["x0"][:x] + sub["x0"][x + 1:]))
        for name in "ABCD":
            for i, row in enumerate(sub[name]):
                for j, value in enumerate(row):
                    if value != 0:
                        yield with_sub(dict(sub, **{name: [r[:j] + [0] + r[j + 1:] if at == i else r for at, r in enumerate(sub[name])]}))


# Calls --------------------------------------------------------------------------------------------------------


def scheme_options(random, known):
    """A family and some of the options that it knows, rarely one that it does not."""
    family = random.choice(known.families)
    words = ["--scheme", family]
    fitting = [option for option in known.options if not option.families or family in option.families or random.random() < 0.01]
    for option in random.sample(fitting, min(len(fitting), random.choice([0, 1, 1, 2, 3, 4]))):
        words += [f"--{option.name}={option.draw(random)}"]
    if random.random() < 0.3:
        words += ["--solver", random.choice(known.solvers)]
        if words[-1] in LOW_ORDER: # 1e-10 by steps of order 1 or 2 is work for minutes
            words += ["--solver-rtol", "1e-4", "--solver-atol", "1e-4"]
    if random.random() < 0.1:
        words += ["--mask", random.choice(["*:rollback", "s0:input-degree=0", "s1:output-derivatives=0", "*:reevaluate-outputs",
                                           "*:directional-derivatives", "s0:step=0.01"])]
    return words


def times(random):
    words = []
    if random.random() < 0.4:
        words += ["--step-size", real(random, -3, 0)]
    if random.random() < 0.2:
        words += ["--stop-time", real(random, -2, 0.5)]
    if random.random() < 0.05:
        words += ["--start-time", real(random, -2, 0.5)]
    return words
