# SPDX-License-Identifier: GPL-3.0-or-later
"""equations_of.py - a system file as one system of differential equations, in numbers of MPFR: a graph of operations that knows
nothing of how macrostep reads, couples or solves it.

A node is a number in `graph.nodes`, whose operations are

    ("number", double) ("time",) ("state", i) ("discrete", i) ("rows", column)
    ("add", a, b) ("sub", a, b) ("mul", a, b) ("div", a, b) ("neg", a) ("exp", a) ("log", a) ("sqrt", a) ("sin", a) ("cos", a)
    ("if", condition, a, b): condition is ("above", s), true where node s > 0, or ("and"|"or", condition, condition)
"""
import re

WORDS = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(&&|\|\||<=|>=|[-+*/^()<>?:,]))")


class Graph:
    def __init__(self):
        self.nodes, self.known = [], {}

    def make(self, *node):
        if node not in self.known:
            self.known[node] = len(self.nodes)
            self.nodes.append(node)
        return self.known[node]

    def number(self, value):
        """Of a double, as macrostep reads it."""
        return self.make("number", float(value))


class Reader:
    """An expression, by recursive descent: ?: binds least, then ||, &&, comparisons, + -, * /, a sign, ^."""

    def __init__(self, graph, text, names):
        self.graph, self.names, self.at, self.words = graph, names, 0, []
        while text.strip():
            found = WORDS.match(text)
            if not found:
                raise ValueError(f"cannot read {text!r}")
            self.words.append((found.lastindex, found.group(found.lastindex)))
            text = text[found.end():]

    def read(self):
        made = self.choice()
        if self.at != len(self.words):
            raise ValueError(f"left over: {self.words[self.at:]}")
        return self.value(made)

    def take(self, *words):
        if self.at < len(self.words) and self.words[self.at][0] == 3 and self.words[self.at][1] in words:
            self.at += 1
            return self.words[self.at - 1][1]
        return None

    def value(self, made):
        """A condition as a number: 1 or 0."""
        if isinstance(made, tuple):
            return self.graph.make("if", made, self.graph.number(1), self.graph.number(0))
        return made

    def choice(self):
        condition = self.joined("||", "or", lambda: self.joined("&&", "and", self.comparison))
        if not self.take("?"):
            return condition
        a = self.value(self.choice())
        self.take(":")
        return self.graph.make("if", condition, a, self.value(self.choice()))

    def joined(self, sign, name, part):
        made = part()
        while self.take(sign):
            made = (name, made, part())
        return made

    def above(self, a, b):
        return ("above", self.graph.make("sub", a, b))

    def comparison(self):
        a = self.sum()
        sign = self.take("<", ">", "<=", ">=")
        if not sign:
            return a
        b = self.sum()
        return self.above(a, b) if sign[0] == ">" else self.above(b, a)

    def sum(self):
        made = self.product()
        while sign := self.take("+", "-"):
            made = self.graph.make("add" if sign == "+" else "sub", self.value(made), self.value(self.product()))
        return made

    def product(self):
        made = self.signed()
        while sign := self.take("*", "/"):
            made = self.graph.make("mul" if sign == "*" else "div", self.value(made), self.value(self.signed()))
        return made

    def signed(self):
        if self.take("-"):
            return self.graph.make("neg", self.signed())
        self.take("+")
        return self.power()

    def power(self):
        base = self.atom()
        if not self.take("^"):
            return base
        kind, word = self.words[self.at]
        self.at += 1
        if float(word) == int(float(word)):
            made = base
            for _ in range(int(float(word)) - 1):
                made = self.graph.make("mul", made, base)
            return made
        return self.graph.make("exp", self.graph.make("mul", self.graph.number(float(word)), self.graph.make("log", base)))

    def atom(self):
        kind, word = self.words[self.at]
        self.at += 1
        if kind == 1:
            return self.graph.number(float(word))
        if word == "(":
            made = self.choice()
            self.take(")")
            return made
        if self.take("("):
            arguments = [self.value(self.choice())]
            while self.take(","):
                arguments.append(self.value(self.choice()))
            self.take(")")
            return self.function(word, *arguments)
        return self.graph.make("time") if word == "t" else self.names(word)

    def function(self, name, a, b=None):
        make, zero = self.graph.make, self.graph.number(0)
        if name == "abs":
            return make("if", self.above(a, zero), a, make("neg", a))
        if name == "sign":
            return make("if", self.above(a, zero), self.graph.number(1), self.graph.number(-1))
        if name in ("min", "max"):
            return make("if", self.above(a, b), *((a, b) if name == "max" else (b, a)))
        if name == "cos":
            make("sin", a)
        if name == "sin":
            make("cos", a)
        return make(name, a)


class Equations:
    """derivatives (n), start (n texts or doubles), events (indicator, direction, [(kind, i, node)]), discrete start values."""

    def __init__(self, problem):
        self.system = problem["solved"] or problem["system"]
        self.inputs = problem["inputs"]
        self.graph = Graph()
        self.states, self.discretes, self.start, self.discrete = {}, {}, [], []
        for sub in self.system["subsystems"]:
            self.declare(sub)
        self.reading = []
        self.derivatives = [None] * len(self.start)
        self.events = []
        for sub in self.system["subsystems"]:
            self.enter(sub)

    def declare(self, sub):
        if "A" in sub:
            named = {f"x{i + 1}": start for i, start in enumerate(sub["x0"])}
        else:
            named = {name: state["start"] for name, state in sub["states"].items()}
        for name, start in named.items():
            self.states[sub["name"], name] = len(self.start)
            self.start.append(start)
        for name, start in sub.get("discrete", {}).items():
            self.discretes[sub["name"], name] = len(self.discrete)
            self.discrete.append(start)

    def sub_of(self, name):
        return next(sub for sub in self.system["subsystems"] if sub["name"] == name)

    def wired(self, name, u):
        """The sum of the wires at an input."""
        total = None
        for wire in self.system["wires"]:
            if wire["to"] != f"{name}.{u}":
                continue
            source, y = wire["from"].split(".")
            if (source, y) in self.reading:
                raise ValueError(f"{source}.{y} stands in an algebraic loop: the problem needs `solved`")
            self.reading.append((source, y))
            part = self.output(self.sub_of(source), y)
            self.reading.pop()
            if wire.get("gain", 1) != 1:
                part = self.graph.make("mul", self.graph.number(wire["gain"]), part)
            total = part if total is None else self.graph.make("add", total, part)
        return self.graph.number(0) if total is None else total

    def external(self, sub, name):
        if self.inputs and f"{sub['name']}.w.{name}" in self.inputs[0]:
            return self.graph.make("rows", self.inputs[0].index(f"{sub['name']}.w.{name}"))
        return Reader(self.graph, str(sub["external"][name]), None).read()

    def name(self, sub):
        def look_up(word):
            key = (sub["name"], word)
            if key in self.states:
                return self.graph.make("state", self.states[key])
            if key in self.discretes:
                return self.graph.make("discrete", self.discretes[key])
            if word in sub.get("external", {}):
                return self.external(sub, word)
            return self.wired(sub["name"], word)
        return look_up

    def combined(self, sub, row_of, i):
        """Row i of matrices times their vectors."""
        total = self.graph.number(0)
        for member, names in row_of:
            for j, entry in enumerate(sub[member][i] if member in sub else []):
                if entry != 0:
                    part = self.graph.make("mul", self.graph.number(entry), self.name(sub)(names(j)))
                    total = self.graph.make("add", total, part)
        return total

    def output(self, sub, y):
        if "A" in sub:
            return self.combined(sub, (("C", lambda j: f"x{j + 1}"), ("D", lambda j: f"u{j + 1}")), int(y[1:]) - 1)
        return Reader(self.graph, sub["outputs"][y], self.name(sub)).read()

    def enter(self, sub):
        if "A" in sub:
            external = list(sub.get("external", {}))
            rows = (("A", lambda j: f"x{j + 1}"), ("B", lambda j: f"u{j + 1}"), ("E", lambda j: external[j]))
            for i in range(len(sub["A"])):
                self.derivatives[self.states[sub["name"], f"x{i + 1}"]] = self.combined(sub, rows, i)
            return
        for name, state in sub["states"].items():
            self.derivatives[self.states[sub["name"], name]] = Reader(self.graph, state["derivative"], self.name(sub)).read()
        for event in sub.get("events", []):
            then = []
            for target, text in event["then"].items():
                key = (sub["name"], target)
                kind, at = ("state", self.states[key]) if key in self.states else ("discrete", self.discretes[key])
                then.append((kind, at, Reader(self.graph, text, self.name(sub)).read()))
            indicator = Reader(self.graph, event["when"], self.name(sub)).read()
            self.events.append((indicator, event.get("direction"), then))
