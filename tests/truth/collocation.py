# SPDX-License-Identifier: GPL-3.0-or-later
"""collocation.py - stiff solutions by collocation at Radau's points (Hairer, Wanner 1996, IV.5) with many stages, in numbers of MPFR, and what
matrices that takes."""
import operator

import gmpy2
from gmpy2 import mpfr


def identity(n):
    return [[mpfr(i == j) for j in range(n)] for i in range(n)]


def product(a, b):
    columns = list(zip(*b)) if b else []
    return [[sum(map(operator.mul, row, column), mpfr(0)) for column in columns] for row in a]


def solve_columns(matrix, right):
    """matrix^-1 right, by Gauss with row exchanges."""
    n = len(matrix)
    rows = [list(one) + list(two) for one, two in zip(matrix, right)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            if rows[i][k] != 0:
                factor = rows[i][k] / rows[k][k]
                rows[i][k:] = [a - factor * b for a, b in zip(rows[i][k:], rows[k][k:])]
    for k in range(n - 1, -1, -1):
        tail = rows[k][n:]
        for j in range(k + 1, n):
            tail = [a - rows[k][j] * b for a, b in zip(tail, rows[j][n:])]
        rows[k][n:] = [value / rows[k][k] for value in tail]
    return [row[n:] for row in rows]


class Smooth:
    """Values and Jacobians of equations without conditions."""

    def __init__(self, equations):
        self.e, self.nodes = equations, equations.graph.nodes

    def evaluate(self, t, x):
        """f (n) and its Jacobian (n, n)."""
        n, v, g = len(x), [], []
        nothing = [mpfr(0)] * n
        for operation in self.nodes:
            name, places = operation[0], operation[1:]
            a = v[places[0]] if name not in ("number", "time", "state") else None
            if name == "number":
                value, slopes = mpfr(places[0]), ()
            elif name == "time":
                value, slopes = t, ()
            elif name == "state":
                v.append(x[places[0]])
                g.append([mpfr(i == places[0]) for i in range(n)])
                continue
            elif name in ("add", "sub"):
                b = v[places[1]]
                value, slopes = (a + b, (1, 1)) if name == "add" else (a - b, (1, -1))
            elif name == "mul":
                b = v[places[1]]
                value, slopes = a * b, (b, a)
            elif name == "div":
                b = v[places[1]]
                value, slopes = a / b, (1 / b, -a / (b * b))
            elif name == "neg":
                value, slopes = -a, (-1,)
            elif name == "exp":
                value = gmpy2.exp(a)
                slopes = (value,)
            elif name == "log":
                value, slopes = gmpy2.log(a), (1 / a,)
            elif name == "sqrt":
                value = gmpy2.sqrt(a)
                slopes = (1 / (2 * value),)
            elif name == "sin":
                value, slopes = gmpy2.sin(a), (gmpy2.cos(a),)
            elif name == "cos":
                value, slopes = gmpy2.cos(a), (-gmpy2.sin(a),)
            else:
                raise ValueError(f"{name} is not smooth")
            row = nothing
            for slope, place in zip(slopes, places):
                if g[place] is not nothing:
                    row = [one + slope * two for one, two in zip(row, g[place])]
            v.append(value)
            g.append(row)
        return [v[node] for node in self.e.derivatives], [g[node] for node in self.e.derivatives]


def radau_points(s):
    """The zeros of P_s - P_(s-1) on (0, 1], of which the last one is 1, by halving."""
    def legendre(n, x):
        before, now = mpfr(1), x
        for k in range(1, n):
            before, now = now, ((2 * k + 1) * x * now - k * before) / (k + 1)
        return now if n > 0 else before

    def function(c):
        return legendre(s, 2 * c - 1) - legendre(s - 1, 2 * c - 1)
    points, grid = [], [mpfr(k) / (40 * s * s) for k in range(40 * s * s)]
    for low, high in zip(grid, grid[1:]):
        if (function(low) > 0) != (function(high) > 0):
            rises = function(high) > 0
            for _ in range(gmpy2.get_context().precision):
                middle = (low + high) / 2
                low, high = (low, middle) if (function(middle) > 0) == rises else (middle, high)
            points.append((low + high) / 2)
    return points + [mpfr(1)]


class Collocation:
    def __init__(self, equations, stages=12, bits=256, tolerance=1e-22):
        gmpy2.get_context().precision = bits
        self.smooth, self.s, self.tolerance, self.bits = Smooth(equations), stages, mpfr(tolerance), bits
        self.c = radau_points(stages)
        if len(self.c) != stages:
            raise ValueError("points are missing")
        powers = [[c ** k for c in self.c] for k in range(stages)]
        right = [[self.c[i] ** (k + 1) / (k + 1) for i in range(stages)] for k in range(stages)]
        self.A = list(map(list, zip(*solve_columns(powers, right))))
        # The top divided difference over 0 and the points, times the largest value of the product of (c - c_i).
        nodes = [mpfr(0)] + self.c
        self.top = [1 / self.rest(nodes, i) for i in range(stages + 1)]
        self.size = max(abs(self.hump(nodes, mpfr(k) / 997)) for k in range(998))
        self.t, self.x, self.steps = mpfr(0), [mpfr(start) for start in equations.start], 0
        self.largest = [abs(value) for value in self.x]
        self.h = mpfr(1e-9)

    @staticmethod
    def rest(nodes, i):
        made = mpfr(1)
        for j, node in enumerate(nodes):
            if j != i:
                made *= nodes[i] - node
        return made

    @staticmethod
    def hump(nodes, c):
        made = mpfr(1)
        for node in nodes:
            made *= c - node
        return made

    def stages_of(self, h, guess):
        """Newton's method with the whole Jacobian; None: it does not converge."""
        n, s = len(self.x), self.s
        X, last = guess, None
        for _ in range(14):
            values = [self.smooth.evaluate(self.t + self.c[j] * h, X[j]) for j in range(s)]
            right, matrix = [], []
            for i in range(s):
                for p in range(n):
                    total = sum((self.A[i][j] * values[j][0][p] for j in range(s)), mpfr(0))
                    right.append([X[i][p] - self.x[p] - h * total])
                    matrix.append([(1 if i == j and p == q else 0) - h * self.A[i][j] * values[j][1][p][q] for j in range(s) for q in range(n)])
            change = solve_columns(matrix, right)
            X = [[X[i][p] - change[i * n + p][0] for p in range(n)] for i in range(s)]
            size = max(abs(change[i * n + p][0]) / self.scale(p) for i in range(s) for p in range(n))
            if size < mpfr(2) ** (-self.bits // 3): # quadratic: the next one would be round-off
                return X
            if last is not None and (size > 4 * last or size > mpfr(1e12)):
                return None
            last = size
        return None

    def scale(self, p):
        return self.largest[p] + mpfr(1e-10) * max(self.largest) * (1 if self.largest[p] == 0 else mpfr(1e-15))

    def extrapolated(self, h):
        if self.steps == 0:
            return [list(self.x) for _ in range(self.s)]
        nodes, values = [mpfr(0)] + self.c, self.before
        made = []
        for c in self.c:
            at = min(1 + c * h / self.h_before, mpfr(2)) # a polynomial goes astray beyond its points
            weights = [self.hump([x for j, x in enumerate(nodes) if j != i], at) * self.top[i] for i in range(self.s + 1)]
            made.append([sum((w * value[p] for w, value in zip(weights, values)), mpfr(0)) for p in range(len(self.x))])
        return made if h < self.h_before * mpfr(0.6) else [list(self.x) for _ in range(self.s)]

    def step(self, end):
        h = min(self.h, end - self.t)
        X = self.stages_of(h, self.extrapolated(h)) or self.stages_of(h, [list(self.x) for _ in range(self.s)])
        if X is None:
            self.h = h / 4
            return
        everything = [list(self.x)] + X
        error = max(abs(sum((w * value[p] for w, value in zip(self.top, everything)), mpfr(0))) * self.size / self.scale(p)
                    for p in range(len(self.x)))
        factor = (self.tolerance / error) ** (mpfr(1) / (self.s + 1)) * mpfr(0.85) if error > 0 else mpfr(5)
        if error > self.tolerance:
            self.h = h * max(factor, mpfr(0.1))
            return
        self.t = end if h == end - self.t else self.t + h
        self.before, self.h_before, self.x = everything, h, X[-1]
        self.largest = [max(old * mpfr(0.5), abs(value)) for old, value in zip(self.largest, self.x)]
        self.steps += 1
        if h == self.h or factor < 1:
            self.h = h * min(factor, mpfr(4))

    def run(self, end):
        end = mpfr(end)
        while self.t < end:
            self.step(end)
        return self.x
