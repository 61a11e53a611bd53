# SPDX-License-Identifier: GPL-3.0-or-later
"""taylor.py - solutions by Taylor series of high order in numbers of MPFR, from each place that is not smooth to the next.

In a step the right-hand side is that of one mode: each condition is true or false. The places where one changes, and events, are
zeros of polynomials, the series of their indicators, which are isolated in Bernstein form: no zero can be missed that the series has.
"""
import bisect
import operator

import gmpy2
from gmpy2 import mpfr


def series_sum(a, b, k, first=0):
    """sum of a_i b_(k-i) for i = first .. k."""
    return sum(map(operator.mul, a[first:k + 1], b[k - first::-1] if k >= first else []), mpfr(0))


class Tape:
    """What a mode needs, in order."""

    def __init__(self, solver, roots):
        self.solver, self.order, self.seen, self.conditions = solver, [], {}, []
        self.roots = [self.visit(node) for node in roots]

    def true(self, condition):
        if condition[0] == "above":
            if condition[1] not in self.conditions:
                self.conditions.append(condition[1])
                self.visit(condition[1])
            return self.solver.above[condition[1]]
        both = [self.true(part) for part in condition[1:]] # all, so that all are watched
        return all(both) if condition[0] == "and" else any(both)

    def visit(self, node):
        if node in self.seen:
            return self.seen[node]
        operation = self.solver.graph.nodes[node]
        if operation[0] == "if":
            chosen = self.visit(operation[2] if self.true(operation[1]) else operation[3])
            self.seen[node] = chosen
            return chosen
        if operation[0] in ("sin", "cos"):
            a = self.visit(operation[1])
            for name in ("sin", "cos"):
                twin = self.solver.graph.make(name, operation[1])
                self.seen[twin] = twin
            pair = tuple(self.solver.graph.make(name, operation[1]) for name in ("sin", "cos"))
            self.order.append((pair, "sincos", (a,)))
            return node
        inner = operation[1:] if operation[0] in ("add", "sub", "mul", "div", "neg", "exp", "log", "sqrt") else ()
        places = tuple(self.visit(part) for part in inner)
        self.seen[node] = node
        self.order.append((node, operation[0], places or operation[1:]))
        return node


class Solver:
    def __init__(self, equations, order=40, bits=256, tolerance=1e-40):
        self.e, self.graph, self.order = equations, equations.graph, order
        self.bits = bits
        gmpy2.get_context().precision = bits
        self.tolerance = mpfr(tolerance)
        self.tiny = mpfr(tolerance) * mpfr(1e6)
        self.t = mpfr(0)
        self.x = [mpfr(start) for start in equations.start]
        self.z = [mpfr(start) for start in equations.discrete]
        self.above, self.sides = {}, {}
        self.conditions = sorted({node for operation in self.graph.nodes if operation[0] == "if" for node in self.leaves(operation[1])})
        self.steps = self.switches = 0
        self.row_times = [mpfr(row[0]) for row in equations.inputs[1]] if equations.inputs else []
        self.settle_all()

    def leaves(self, condition):
        return [condition[1]] if condition[0] == "above" else [leaf for part in condition[1:] for leaf in self.leaves(part)]

    # Series ---------------------------------------------------------------------------------------------------------------

    def of_rows(self, column):
        rows = self.e.inputs[1]
        at = min(max(bisect.bisect_right(self.row_times, self.t) - 1, 0), len(rows) - 2)
        t0, t1 = self.row_times[at], self.row_times[at + 1]
        v0, v1 = mpfr(rows[at][column + 1]), mpfr(rows[at + 1][column + 1])
        slope = (v1 - v0) / (t1 - t0)
        return [v0 + slope * (self.t - t0), slope]

    def expand(self, order, extra=()):
        """Series of all nodes that the derivatives, and `extra`, need in this mode."""
        tape = Tape(self, list(self.e.derivatives) + list(extra))
        c = {}
        zero = mpfr(0)
        plain = {"number": lambda o: [mpfr(o[0])], "time": lambda o: [self.t, mpfr(1)], "discrete": lambda o: [self.z[o[0]]],
                 "rows": lambda o: self.of_rows(o[0])}
        states = [self.graph.make("state", i) for i in range(len(self.x))]
        for i, state in enumerate(states):
            c[state] = [self.x[i]]
        work = []
        for node, name, places in tape.order:
            if name in plain:
                c[node] = plain[name](places) + [zero] * (order + 1)
            elif name == "sincos":
                c[node[0]], c[node[1]] = [], []
                work.append((node, name, places))
            elif name != "state":
                c[node] = []
                numbers = [self.graph.nodes[place][0] == "number" for place in places]
                if name == "mul" and any(numbers):
                    name, places = "scale", places if numbers[0] else places[::-1]
                work.append((node, name, places))
        roots = tape.roots[:len(self.x)]
        for k in range(order + 1):
            for node, name, places in work:
                self.coefficient(c, node, name, places, k)
            for i, state in enumerate(states):
                c[state].append(c[roots[i]][k] / (k + 1))
        return c, states, tape

    def coefficient(self, c, node, name, places, k):
        a = c[places[0]]
        if name == "sincos":
            s, co = c[node[0]], c[node[1]]
            if k == 0:
                s.append(gmpy2.sin(a[0]))
                co.append(gmpy2.cos(a[0]))
                return
            slope = [i * a[i] for i in range(1, k + 1)]
            s.append(sum(map(operator.mul, slope, co[k - 1::-1]), mpfr(0)) / k)
            co.append(-sum(map(operator.mul, slope, s[k - 1::-1]), mpfr(0)) / k)
            return
        made = c[node]
        if name == "add":
            made.append(a[k] + c[places[1]][k])
        elif name == "sub":
            made.append(a[k] - c[places[1]][k])
        elif name == "neg":
            made.append(-a[k])
        elif name == "scale":
            made.append(a[0] * c[places[1]][k])
        elif name == "mul":
            made.append(series_sum(a, c[places[1]], k))
        elif name == "div":
            b = c[places[1]]
            made.append((a[k] - (series_sum(b, made + [mpfr(0)], k, 1) if k else 0)) / b[0])
        elif name == "exp":
            made.append(gmpy2.exp(a[0]) if k == 0 else sum((i * a[i] * made[k - i] for i in range(1, k + 1)), mpfr(0)) / k)
        elif name == "log":
            made.append(gmpy2.log(a[0]) if k == 0 else
                        (a[k] - sum((i * made[i] * a[k - i] for i in range(1, k)), mpfr(0)) / k) / a[0])
        elif name == "sqrt":
            made.append(gmpy2.sqrt(a[0]) if k == 0 else
                        (a[k] - sum((made[i] * made[k - i] for i in range(1, k)), mpfr(0))) / (2 * made[0]))
        else:
            raise ValueError(f"no series of {name}")

    # Modes ----------------------------------------------------------------------------------------------------------------

    def sign_after(self, series):
        """Of a function just behind its first term; what round-off has left of a zero does not count."""
        scale = max((abs(value) for value in series), default=mpfr(0))
        for value in series:
            if abs(value) > self.tiny * scale:
                return value > 0
        return False

    def settle(self, condition):
        c, _, tape = self.expand(6, [condition])
        return self.sign_after(c[tape.roots[-1]][:7])

    def settle_all(self):
        """Conditions from what they say of the values here."""
        for condition in self.conditions:
            self.above.setdefault(condition, False)
        for _ in range(4): # conditions may stand inside each other
            for condition in self.conditions:
                self.above[condition] = self.settle(condition)
        for indicator, _, _ in self.e.events:
            self.sides[indicator] = self.settle(indicator)

    def first_zero(self, series, h):
        """The smallest s in (0, h] where the polynomial changes its sign; one at 0 itself is past. None: nowhere."""
        scaled, power = [], mpfr(1)
        for value in series:
            scaled.append(value * power)
            power *= h
        if abs(scaled[0]) <= self.tiny * max(abs(value) for value in scaled):
            scaled = scaled[1:]
        if abs(scaled[0]) > sum(map(abs, scaled[1:])):
            return None
        n = len(scaled) - 1
        bernstein = [sum((mpfr(gmpy2.bincoef(j, i)) / gmpy2.bincoef(n, i) * scaled[i] for i in range(j + 1)), mpfr(0)) for j in range(n + 1)]
        found = self.isolate(bernstein, mpfr(0), mpfr(1), 0)
        return None if found is None else found * h

    def isolate(self, b, low, high, depth):
        signs = [value > 0 for value in b if value != 0]
        changes = sum(one != two for one, two in zip(signs, signs[1:]))
        if changes == 0:
            return None
        if depth > 3 * self.bits // 4 or (changes > 1 and high - low < mpfr(2) ** (-self.bits // 3)):
            return high if changes % 2 else None # a double zero to round-off: touched, not crossed
        left, right, row = [b[0]], [b[-1]], list(b)
        while len(row) > 1:
            row = [(one + two) / 2 for one, two in zip(row, row[1:])]
            left.append(row[0])
            right.append(row[-1])
        middle = (low + high) / 2
        found = self.isolate(left, low, middle, depth + 1)
        return found if found is not None else self.isolate(right[::-1], middle, high, depth + 1)

    # Steps ----------------------------------------------------------------------------------------------------------------

    def length(self, series, left):
        h = left
        largest = max(abs(value) for value in self.x)
        for c in series:
            scale = abs(c[0]) + largest * mpfr(1e-6)
            if scale == 0:
                scale = max(abs(value) for value in c)
            for k in (len(c) - 1, len(c) - 2, len(c) - 3):
                if c[k] != 0 and scale != 0:
                    h = min(h, (self.tolerance * scale / abs(c[k])) ** (mpfr(1) / k))
        return h

    def watched_length(self, series, h):
        """So that the indicators' series hold as well; one that begins at its zero is compared with its next terms."""
        for c in series:
            scale = max(map(abs, c[:3]))
            for k in (len(c) - 1, len(c) - 2):
                if c[k] != 0 and scale != 0:
                    h = min(h, (self.tolerance * scale / abs(c[k])) ** (mpfr(1) / k))
        return h

    def step(self, end):
        watched = list(dict.fromkeys(indicator for indicator, _, _ in self.e.events))
        c, states, tape = self.expand(self.order, watched)
        series = [c[state] for state in states]
        indicators = [c[tape.seen[node]][:self.order + 1] for node in list(dict.fromkeys(tape.conditions)) + watched]
        h = self.watched_length(indicators, self.length(series, end - self.t))
        at = bisect.bisect_right(self.row_times, self.t)
        if at < len(self.row_times):
            h = min(h, self.row_times[at] - self.t)
        zeros = []
        for node, coefficients in zip(list(dict.fromkeys(tape.conditions)) + watched, indicators):
            zero = self.first_zero(coefficients, h)
            if zero is not None:
                zeros.append((zero, node))
        first = min((zero for zero, _ in zeros), default=None)
        h = h if first is None else first
        to = end if h == end - self.t else self.t + h
        self.x = [self.value(coefficients, h) for coefficients in series]
        self.t = self.row_times[at] if at < len(self.row_times) and h == self.row_times[at] - self.t else to
        self.steps += 1
        if first is not None:
            self.switch({node for zero, node in zeros if zero - first <= self.tiny * first})

    def value(self, c, s):
        total = mpfr(0)
        for coefficient in reversed(c):
            total = total * s + coefficient
        return total

    def switch(self, nodes):
        self.switches += 1
        for node in nodes & set(self.conditions):
            self.above[node] = not self.above[node]
        changed = False
        x, z = list(self.x), list(self.z)
        for indicator, direction, then in self.e.events:
            if indicator not in nodes:
                continue
            rises = not self.sides[indicator]
            self.sides[indicator] = rises
            if direction in (None, "rise" if rises else "fall"):
                c, _, tape = self.expand(0, [node for _, _, node in then])
                for (kind, at, _), place in zip(then, tape.roots[len(self.x):]):
                    (x if kind == "state" else z)[at] = c[place][0]
                changed = True
        if changed:
            self.x, self.z = x, z
            self.settle_all()

    def run(self, end):
        end = mpfr(end)
        while self.t < end:
            self.step(end)
        return self.x
