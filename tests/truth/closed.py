# SPDX-License-Identifier: GPL-3.0-or-later
"""closed.py - the closed forms of the problems, in numbers of MPFR: closed(problem, t) are the states in the order of the system file."""
import gmpy2
from gmpy2 import mpfr

from collocation import identity, product, solve_columns
from equations_of import Equations
from collocation import Smooth


def exponential(M, h):
    """exp(M h) by scaling, Taylor's series and squaring; squarings lose bits, and have them."""
    n = len(M)
    size = max(sum(abs(value) for value in row) for row in M) * h
    halvings = max(0, int(gmpy2.ceil(gmpy2.log2(size))) + 4) if size > 0 else 0
    scaled = [[value * h / mpfr(2) ** halvings for value in row] for row in M]
    total, term, k = identity(n), identity(n), 0
    while max(abs(value) for row in term for value in row) > mpfr(2) ** -gmpy2.get_context().precision:
        k += 1
        term = [[value / k for value in row] for row in product(term, scaled)]
        total = [[a + b for a, b in zip(one, two)] for one, two in zip(total, term)]
    for _ in range(halvings):
        total = product(total, total)
    return total


# Linear systems ------------------------------------------------------------------------------------------------------------

def blocks(parts):
    """A, B, C, D, E of all subsystems, and where the states of each begin."""
    size = {m: [0, 0] for m in "ABCDE"}
    at, row, u, y, w = {}, 0, 0, 0, 0
    sums = {"A": [], "B": [], "C": [], "D": [], "E": []}
    for sub in parts:
        nx, nu, ny, nw = len(sub["A"]), len(sub["B"][0]), len(sub["C"]), len(sub.get("external", {}))
        at[sub["name"]] = (row, u, y, w)
        for name, rows, columns, first in (("A", nx, nx, row), ("B", nx, nu, u), ("E", nx, nw, w), ("C", ny, nx, row), ("D", ny, nu, u)):
            for i in range(rows):
                entries = [mpfr(0)] * first + [mpfr(value) for value in (sub[name][i] if name in sub else [0.0] * columns)]
                sums[name].append(entries)
        row, u, y, w = row + nx, u + nu, y + ny, w + nw
    del size
    width = {"A": row, "B": u, "C": row, "D": u, "E": w}
    full = {name: [line + [mpfr(0)] * (width[name] - len(line)) for line in lines] for name, lines in sums.items()}
    return full, at, u, y


def assembled(problem):
    """A and E of the whole: x' = A x + E w, with u = (I - L D)^-1 L C x."""
    parts = [sub if "A" in sub else sub["_matrices"] for sub in problem["system"]["subsystems"]]
    m, at, nu, ny = blocks(parts)
    L = [[mpfr(0)] * ny for _ in range(nu)]
    for wire in problem["system"]["wires"]:
        (source, y), (target, u) = wire["from"].split("."), wire["to"].split(".")
        L[at[target][1] + int(u[1:]) - 1][at[source][2] + int(y[1:]) - 1] += mpfr(wire.get("gain", 1))
    LD, LC = product(L, m["D"]), product(L, m["C"])
    left = [[(1 if i == j else 0) - LD[i][j] for j in range(nu)] for i in range(nu)]
    feedback = product(m["B"], solve_columns(left, LC))
    A = [[a + b for a, b in zip(one, two)] for one, two in zip(m["A"], feedback)]
    names = [f"{sub['name']}.{w}" for sub in parts for w in sub.get("external", {})]
    x0 = [mpfr(value) for sub in parts for value in sub["x0"]]
    return A, m["E"], names, x0


def rectified(form, w, end):
    """Pieces of |sin|, sign(sin), max(sin, 0)."""
    pieces, half, k = [], gmpy2.const_pi() / mpfr(w), 0
    while k * half < end:
        up = k % 2 == 0
        shape = {"abs": ("sine", 1.0 if up else -1.0, w, 0.0), "sign": ("polynomial", 0.0, 1.0 if up else -1.0),
                 "max": ("sine", 1.0 if up else 0.0, w, 0.0)}[form]
        pieces.append((k * half, (k + 1) * half, shape))
        k += 1
    return pieces


def time_of(value):
    return mpfr(value[1]) / mpfr(value[2]) if isinstance(value, tuple) else mpfr(value)


def generator(shape, t):
    """G and start values of v' = G v, of which v[0] is the input from t on."""
    if shape[0] == "sine":
        _, amplitude, w, phase = shape
        angle = mpfr(w) * t + mpfr(phase)
        return [[mpfr(0), mpfr(w)], [-mpfr(w), mpfr(0)]], [mpfr(amplitude) * gmpy2.sin(angle), mpfr(amplitude) * gmpy2.cos(angle)]
    if shape[0] == "line":
        t0, v0, t1, v1 = map(mpfr, shape[1:])
        slope = (v1 - v0) / (t1 - t0)
        return [[mpfr(0), mpfr(1)], [mpfr(0), mpfr(0)]], [v0 + slope * (t - t0), slope]
    t0, c = mpfr(shape[1]), [mpfr(value) for value in shape[2:]]
    value, slope = c[0] + (c[1] * (t - t0) if len(c) > 1 else 0), c[1] if len(c) > 1 else mpfr(0)
    return [[mpfr(0), mpfr(1)], [mpfr(0), mpfr(0)]], [value, slope]


def linear(problem, inputs, end):
    gmpy2.get_context().precision = 640
    if not inputs and any("A" not in sub and "_matrices" not in sub for sub in problem["system"]["subsystems"]):
        smooth = Smooth(Equations(problem))
        x = [mpfr(start) for start in smooth.e.start]
        A, E, names = smooth.evaluate(mpfr(0), x)[1], [], []
    else:
        A, E, names, x = assembled(problem)
    n, end = len(A), mpfr(end)
    pieces = {name: rectified(*value[1:]) if value[0] == "rectified" else value for name, value in inputs.items()}
    times = sorted({mpfr(0), end} | {time_of(side) for value in pieces.values() for piece in value for side in piece[:2]})
    t = mpfr(0)
    for to in [time for time in times if 0 < time <= end]:
        shapes = [next((shape for first, last, shape in pieces.get(name, []) if time_of(first) <= t and to <= time_of(last)),
                       ("polynomial", 0.0, 0.0)) for name in names]
        made = [generator(shape, t) for shape in shapes]
        M = [A[i] + [entry for w in range(len(names)) for entry in (E[i][w], mpfr(0))] for i in range(n)]
        for w, (G, _) in enumerate(made):
            M += [[mpfr(0)] * (n + 2 * w) + row + [mpfr(0)] * (2 * (len(names) - w - 1)) for row in G]
        whole = x + [value for _, start in made for value in start]
        x = [sum((a * b for a, b in zip(row, whole)), mpfr(0)) for row in exponential(M, to - t)[:n]]
        t = to
    return x


# Formulas ------------------------------------------------------------------------------------------------------------------

def logistic(p, t):
    growth = gmpy2.exp(p["r"] * t)
    return [p["K"] * p["x0"] * growth / (p["K"] + p["x0"] * (growth - 1)), gmpy2.exp(-t)]


def tangent(p, t):
    x = gmpy2.tan(t + gmpy2.atan(p["x0"])) if p["sign"] > 0 else gmpy2.tanh(t + gmpy2.atanh(p["x0"]))
    return [x, gmpy2.exp(-t)]


def pendulum(p, t):
    """sin(theta/2) = k sn(K + w t), by descending Landen transformations."""
    w, k = gmpy2.sqrt(p["square"]), gmpy2.sin(p["start"] / 2)
    a, b, c = [mpfr(1)], gmpy2.sqrt(1 - k * k), [k]
    while abs(c[-1]) > mpfr(2) ** (16 - gmpy2.get_context().precision):
        a, b, c = a + [(a[-1] + b) / 2], gmpy2.sqrt(a[-1] * b), c + [(a[-1] - b) / 2]
    u = gmpy2.const_pi() / (2 * a[-1]) + w * t
    angle = mpfr(2) ** (len(a) - 1) * a[-1] * u
    for i in range(len(a) - 1, 0, -1):
        angle = (angle + gmpy2.asin(c[i] / a[i] * gmpy2.sin(angle))) / 2
    return [2 * gmpy2.asin(k * gmpy2.sin(angle)), 2 * w * k * gmpy2.cos(angle)]


def kepler(p, t):
    """From an apsis: Kepler's equation by Newton's method."""
    a = 1 / (2 / p["x"] - p["w"] ** 2)
    e = 1 - p["x"] / a
    n, root = a ** mpfr(-1.5), gmpy2.sqrt(1 - e * e)
    anomaly = n * t
    for _ in range(200):
        anomaly -= (anomaly - e * gmpy2.sin(anomaly) - n * t) / (1 - e * gmpy2.cos(anomaly)) * (1 if _ > 100 else mpfr(0.5))
    s, c = gmpy2.sin(anomaly), gmpy2.cos(anomaly)
    return [a * (c - e), -a * n * s / (1 - e * c), a * root * s, a * n * root * c / (1 - e * c)]


def kaps(p, t):
    return [gmpy2.exp(-2 * t), gmpy2.exp(-t)]


def cosine(p, t):
    return [gmpy2.cos(t), (gmpy2.cos(t) + gmpy2.sin(t) + gmpy2.exp(-t)) / 2]


def decay(p, t):
    return [p["x0"] / gmpy2.sqrt(1 + 2 * p["c"] * p["x0"] ** 2 * t), gmpy2.exp(-p["rate"] * t)]


def heard(z, x, rate, h):
    """z' = -z + x behind h, x' = -rate x."""
    return z * gmpy2.exp(-h) + (x * (gmpy2.exp(-rate * h) - gmpy2.exp(-h)) / (1 - rate) if rate != 1 else x * h * gmpy2.exp(-h))


def heard_polynomial(z, p, h):
    """z' = -z + p0 + p1 s + p2 s^2."""
    start = p[0] - p[1] + 2 * p[2]
    return start + (p[1] - 2 * p[2]) * h + p[2] * h * h + (z - start) * gmpy2.exp(-h)


def rates(p, t):
    x, z, first = mpfr(1), mpfr(0.5), min(t, p["at"])
    x, z = x * gmpy2.exp(-p["r"] * first), heard(z, x, p["r"], first)
    if t > first:
        x, z = x * gmpy2.exp(-p["q"] * (t - first)), heard(z, x, p["q"], t - first)
    return [x, z]


def smooth_pulse(p, t):
    """The square in the exponent is completed."""
    at, width = p["at"], p["width"]
    way = gmpy2.erf((t - at) / width - width / 2) + gmpy2.erf(at / width + width / 2)
    area = p["height"] * width * gmpy2.sqrt(gmpy2.const_pi()) / 2 * way
    return [t, gmpy2.exp(-t) / 2 + area * gmpy2.exp(at + width * width / 4 - t)]


def two_springs(p, t):
    one, two = gmpy2.sqrt(p["one"]), gmpy2.sqrt(p["two"])
    speed = p["start"] * one
    half = (gmpy2.const_pi() / one, gmpy2.const_pi() / two)
    s = t + half[0] / 2 # since x rose through zero
    s -= gmpy2.floor(s / (half[0] + half[1])) * (half[0] + half[1])
    if s < half[0]:
        return [p["start"] * gmpy2.sin(one * s), speed * gmpy2.cos(one * s)]
    s -= half[0]
    return [-speed / two * gmpy2.sin(two * s), -speed * gmpy2.cos(two * s)]


def ball(p, t):
    x, v, z, g = p["h"], mpfr(0), mpfr(0.5), p["g"]
    while True:
        hit = (v + gmpy2.sqrt(v * v + 2 * g * x)) / g
        h = min(hit, t)
        z = heard_polynomial(z, (x, v, -g / 2), h)
        if hit >= t:
            return [x + v * h - g * h * h / 2, v - g * h, z]
        x, v, t = mpfr(0), -p["e"] * (v - g * hit), t - hit


def relay(x, z, to, h):
    """x' = to - x, z' = -z + x."""
    decayed = gmpy2.exp(-h)
    return to + (x - to) * decayed, z * decayed + to * (1 - decayed) + (x - to) * h * decayed


def fires(p, t):
    x, z, period = mpfr(0), mpfr(0.5), gmpy2.log(p["c"] / (p["c"] - 1))
    while t > period:
        z, t = relay(x, z, p["c"], period)[1], t - period
    return list(relay(x, z, p["c"], t))


def thermostat(p, t):
    x, z, to = mpfr(0), mpfr(0.5), p["c"]
    while True:
        goal = p["high"] if to > 0 else p["low"]
        h = gmpy2.log((x - to) / (goal - to))
        if h >= t:
            return list(relay(x, z, to, t))
        x, z, t = goal, relay(x, z, to, h)[1], t - h
        to = mpfr(0) if to > 0 else p["c"]


def grazing(p, t):
    """Back to zero at each rise of sin(w t) through the level; alone: x' = 1, and z hears x."""
    hits, start, z = [], mpfr(0), mpfr(0.5)
    if p["level"] < 1:
        first = gmpy2.asin(p["level"]) / p["w"]
        period = 2 * gmpy2.const_pi() / p["w"]
        hits = [first + k * period for k in range(1000) if first + k * period < t]
    if "alone" not in p:
        last = hits[-1] if hits else mpfr(0)
        return [t - last + (gmpy2.exp(-last) - gmpy2.exp(-t)) / 2, gmpy2.exp(-t) / 2]
    for to in hits + [t]:
        z, length = heard_polynomial(z, (mpfr(0), mpfr(1), mpfr(0)), to - start), to - start
        start = to
    return [length, z]


def ceiling(p, t):
    v, g, level = p["v"], p["g"], p["level"]
    inside = v * v - 2 * g * level
    hit = (v - gmpy2.sqrt(inside)) / g if inside > 0 else t
    return [v * t - g * t * t / 2, v - g * t, max(mpfr(0), t - hit), heard_polynomial(mpfr(0.5), (mpfr(0), v, -g / 2), t)]


def slides(p, t):
    fall = min(p["start"] / p["fall"], t)
    z = heard_polynomial(mpfr(0.5), (p["start"], -p["fall"], mpfr(0)), fall)
    return [p["start"] - p["fall"] * fall, z * gmpy2.exp(fall - t)]


def sticks(p, t):
    """Of v and x, and z' = -z + v."""
    mu, f, v0 = p["mu"], p["f"], p["start"]
    stick, slip = (mu - gmpy2.sqrt(mu * mu - 2 * f * v0)) / f, mu / f
    s, rest, again = min(stick, t), min(max(t - stick, mpfr(0)), slip - stick), max(t - slip, mpfr(0))
    x = v0 * s - mu * s * s / 2 + f * s**3 / 6
    z = heard_polynomial(mpfr(0.5), (v0, -mu, f / 2), s) * gmpy2.exp(-rest)
    z = heard_polynomial(z, (mpfr(0), mpfr(0), f / 2), again)
    v = v0 - mu * s + f * s * s / 2 if t < stick else f * again * again / 2
    return [v, x + f * again**3 / 6, z]


def meets(p, t):
    apart = min(p["start"] / (2 * p["mu"] - p["f"]), t)
    together = p["f"] / 2 * (t - apart)
    return [p["start"] + (p["f"] - p["mu"]) * apart + together, p["mu"] * apart + together]


FORMULAS = {"logistic": logistic, "tangent": tangent, "pendulum": pendulum, "kepler": kepler, "kaps": kaps, "cosine": cosine, "decay": decay,
            "rates": rates, "two springs": two_springs, "ball": ball, "fires": fires, "thermostat": thermostat, "grazing": grazing,
            "ceiling": ceiling, "smooth pulse": smooth_pulse, "slides": slides, "sticks": sticks, "meets": meets}


def closed(problem, t):
    name, parameters = problem["closed"]
    if name == "linear":
        return linear(problem, parameters, t)
    gmpy2.get_context().precision = 400
    return FORMULAS[name]({key: mpfr(value) for key, value in parameters.items()}, mpfr(t))
