# SPDX-License-Identifier: GPL-3.0-or-later
"""linear_problems.py - linear systems, whose truth is a matrix exponential over each piece of their inputs.

`closed` is ("linear", {input: pieces}); pieces of an external input are (from, to, form): ("polynomial", t0, c0, c1, ..) in t - t0, or
("sine", amplitude, frequency, phase)."""
import math

from build import RING, as_equations, draw, draw_log, equations, matrices, number, pair, problem, signed, system

SCALES = (1.0, 1.0, 1e-9, 1e9, 1e-6, 1e6, 1e-3, 1e3)


def random_matrix(rng, n, size):
    return [[draw(rng, -size, size) for _ in range(n)] for _ in range(n)]


def shifted(rows, by):
    return [[value + (by if i == j else 0.0) for j, value in enumerate(row)] for i, row in enumerate(rows)]


def random_parts(rng, shift, scale, most=3):
    """Two or three subsystems in a ring; states are of that size."""
    parts = []
    for k in range(rng.choice((2, 2, 3))):
        n = rng.randint(1, most)
        A = shifted(random_matrix(rng, n, 1.0), shift)
        parts.append(matrices("abc"[k], A, [[draw(rng, -1, 1)] for _ in range(n)], [[draw(rng, -1, 1) for _ in range(n)]],
                              [draw(rng, -1, 1) * scale for _ in range(n)]))
    return parts


def ring(parts):
    names = [part["name"] for part in parts]
    return [f"{names[k]}.y1 {names[(k + 1) % len(names)]}.u1" for k in range(len(names))]


def random_linear(rng, k):
    parts = random_parts(rng, -1.0, SCALES[k % len(SCALES)])
    if k % 3 == 2:
        parts = [as_equations(part) for part in parts]
    return problem(system(parts, ring(parts), draw(rng, 1, 10, 2), 40), closed=("linear", {}))


def driven(rng, k):
    """With sines, which are inputs of true time."""
    parts = random_parts(rng, -1.0, 1.0, 2)
    amplitude, frequency, phase = draw(rng, 0.5, 2), draw_log(rng, 0.2, 20), draw(rng, 0, 3)
    parts[0]["E"] = [[1] for _ in parts[0]["A"]]
    parts[0]["external"] = {"w": f"{number(amplitude)}*sin({number(frequency)}*t+{number(phase)})"}
    if k % 2:
        parts = [as_equations(part) for part in parts]
    end = draw(rng, 1, 5, 2)
    return problem(system(parts, ring(parts), end, 50),
                   closed=("linear", {"a.w": [(0.0, end, ("sine", amplitude, frequency, phase))]}))


def loops(rng, k):
    """Feed-through both ways: an algebraic loop."""
    parts = random_parts(rng, -1.0, 1.0, 2)[:2]
    for part in parts:
        part["D"] = [[draw(rng, -0.8, 0.8)]]
    end = draw(rng, 1, 4, 2)
    return problem(system(parts, RING, end, 40), closed=("linear", {}), solved=system([without_loop(*parts)], [], end, 40))


def without_loop(a, b):
    """u_a = (y_b + D_b y_a)/(1 - D_a D_b), where y are C x, and so for b."""
    def y(part):
        return "(" + "+".join(f"{number(c)}*{part['name']}{j + 1}" for j, c in enumerate(part["C"][0])) + ")"
    states = {}
    for part, other in ((a, b), (b, a)):
        D, E = number(part["D"][0][0]), number(other["D"][0][0])
        u = f"(({y(other)}+{E}*{y(part)})/(1-{D}*{E}))"
        for i, row in enumerate(part["A"]):
            own = "+".join(f"{number(entry)}*{part['name']}{j + 1}" for j, entry in enumerate(row))
            states[f"{part['name']}{i + 1}"] = (f"{own}+{number(part['B'][i][0])}*{u}", part["x0"][i])
    return equations("whole", states, {"y": "a1"})


def growing(rng, k):
    """Real parts of eigenvalues above zero: errors grow as the solution does, or faster than one that starts on a stable manifold."""
    rate, end = draw(rng, 0.5, 5, 2), draw(rng, 4, 6, 2)
    back = draw(rng, -0.5, 0.5)
    parts = [matrices("a", [[rate]], [[back]], [[1]], [draw(rng, 0.5, 1)]), matrices("b", [[-draw(rng, 0.5, 2)]], [[1]], [[1]], [1.0])]
    if k % 3 == 1: # x' = v, v' = q x: a saddle that the start is on up to round-off
        q = draw(rng, 0.5, 3)
        parts = [matrices("a", [[0.0]], [[1]], [[1]], [1.0]), matrices("b", [[0.0]], [[q]], [[1]], [-math.sqrt(q)])]
    if k % 3 == 2:
        parts = random_parts(rng, draw(rng, 0.5, 2), SCALES[k % len(SCALES)], 2)
    if k % 2:
        parts = [as_equations(part) for part in parts]
    return problem(system(parts, ring(parts), end, 60), closed=("linear", {}))


def defective(rng, k):
    """A chain x_i' = lambda x_i + x_(i+1) across subsystems: one eigenvalue, one eigenvector."""
    value, n = draw(rng, -2, 0.8, 2), rng.randint(2, 5)
    parts = []
    for i in range(n):
        last = i == n - 1
        parts.append(matrices("abcde"[i], [[value]], [[0.0 if last else 1.0]], [[1]], [draw(rng, -1, 1)]))
    wires = [f"{'abcde'[i + 1]}.y1 {'abcde'[i]}.u1" for i in range(n - 1)]
    if k % 2:
        parts = [as_equations(part) for part in parts]
        wires = wires[:]
    return problem(system(parts, wires, draw(rng, 2, 12, 2), 50), closed=("linear", {}))


def resonant(rng, k):
    """An undamped oscillator driven at its own frequency, by another or by a sine: amplitudes grow as t, or as t^2."""
    w = draw_log(rng, 0.5, 20, 2)
    square = float(f"{w * w:.12g}")
    end = float(f"{rng.choice((10, 30, 60)) * 6 / w:.3g}")
    oscillator = [[0.0, 1.0], [-square, 0.0]]
    if k % 2:
        parts = [matrices("a", oscillator, [[0.0], [1.0]], [[1.0, 0.0]], [0.0, 0.0]),
                 matrices("b", oscillator, [[0.0], [0.0]], [[1.0, 0.0]], [1.0, 0.0])]
        return problem(system(parts, ["b.y1 a.u1"], end, 400), closed=("linear", {}))
    parts = [matrices("a", oscillator, [[0.0], [0.0]], [[1.0, 0.0]], [0.0, 0.0], E=[[0.0], [1.0]], external={"w": f"sin({number(w)}*t)"}),
             matrices("b", [[-1.0]], [[1.0]], [[1.0]], [0.5])]
    if k % 4 == 2:
        parts = [as_equations(part) for part in parts]
    return problem(system(parts, ["a.y1 b.u1"], end, 400), closed=("linear", {"a.w": [(0.0, end, ("sine", 1.0, w, 0.0))]}))


def stiff_linear(rng, k):
    fast, slow = draw_log(rng, 1e2, 1e7), draw(rng, 0.3, 2)
    parts = [matrices("a", [[-slow]], [[1]], [[1]], [1.0]), matrices("b", [[-fast]], [[fast]], [[1]], [draw(rng, -1, 2)])]
    wires = ["b.y1 a.u1", ("a.y1", "b.u1", 0.25)]
    if k % 3 == 1: # an oscillator on a stiff spring with a damper
        parts = [matrices("a", [[0.0, 1.0], [-fast, -draw(rng, 1, 3) * math.sqrt(fast)]], [[0.0], [1.0]], [[1.0, 0.0]], [0.5, 0.0]),
                 matrices("b", [[-slow]], [[1]], [[1]], [1.0])]
        wires = RING
    if k % 2:
        parts = [as_equations(part) for part in parts]
    return problem(system(parts, wires, draw(rng, 1, 3, 2), 40), closed=("linear", {}), stiff=fast > 2e3)


def long_linear(rng, k):
    """Thousands of periods, or of time constants."""
    w, decay = draw(rng, 3, 9), draw_log(rng, 1e-5, 1e-3)
    parts = [matrices("a", [[0.0, 1.0], [-float(f"{w * w:.6g}"), -decay]], [[0.0], [1.0]], [[1.0, 0.0]], [1.0, 0.0]),
             matrices("b", [[-decay]], [[0.01]], [[decay]], [1.0])]
    if k % 2:
        parts = [as_equations(part) for part in parts]
    return problem(system(parts, RING, float(rng.choice((200, 500, 1000))), 8000), closed=("linear", {}))


# Inputs with jumps and kinks -----------------------------------------------------------------------------------------

def step(rng, k):
    """The step of the issue, at a random time."""
    at, end = draw(rng, 0.02, 0.98, 10), 1.0
    height = signed(rng, draw(rng, 0.5, 2))
    parts = pair("equations" if k % 3 == 2 else "matrices", "w", f"t>{number(at)}?{number(height)}:0")
    return problem(system(parts, RING, end, (10, 100, 1)[k % 3 if k % 3 < 2 else k % 2]),
                   closed=("linear", {"a.w": [(at, end, ("polynomial", at, height))]}))


def staircase(rng, k):
    """A sum of steps at random times: what floor does."""
    times = sorted(draw(rng, 0.05, 1.95, 9) for _ in range(rng.randint(3, 9)))
    end = 2.0
    text = "+".join(f"(t>={number(at)})*0.25" if k % 2 else f"(t<{number(at)}?0:0.25)" for at in times)
    pieces = [(at, to, ("polynomial", 0.0, 0.25 * (i + 1))) for i, (at, to) in enumerate(zip(times, times[1:] + [end]))]
    return problem(system(pair("matrices" if k % 4 < 2 else "equations", "w", text), RING, end, (20, 200)[k % 2]),
                   closed=("linear", {"a.w": pieces}))


def rectified(rng, k):
    """abs(sin(w t)), sign(sin(w t)), max(sin(w t), 0)."""
    w, end = draw(rng, 3, 12, 3), draw(rng, 2, 3, 2)
    form = ("abs", "sign", "max")[k % 3]
    text = {"abs": f"abs(sin({number(w)}*t))", "sign": f"sign(sin({number(w)}*t))", "max": f"max(sin({number(w)}*t),0)"}[form]
    return problem(system(pair("matrices" if k % 2 else "equations", "w", text), RING, end, (3, 30, 300)[k // 3 % 3]),
                   closed=("linear", {"a.w": ("rectified", form, w, end)}))


def clipped(rng, k):
    """A ramp between bounds: min and max of time."""
    slope, low, high, end = draw(rng, 0.5, 3), draw(rng, 0.1, 0.4), draw(rng, 0.6, 1.5), 3.0
    text = f"min(max({number(slope)}*t,{number(low)}),{number(high)})"
    first, second = ("quotient", low, slope), ("quotient", high, slope)
    return problem(system(pair("matrices" if k % 2 else "equations", "w", text), RING, end, 30),
                   closed=("linear", {"a.w": [(0.0, first, ("polynomial", 0.0, low)), (first, second, ("polynomial", 0.0, 0.0, slope)),
                                              (second, end, ("polynomial", 0.0, high))]}))


def pulse(rng, k):
    """As short as a millionth of the run, of area one or so: nothing of it may be missed."""
    end = 2.0
    width = 10.0 ** -(3 + k % 4) * end
    at = draw(rng, 0.1, 1.8, 7)
    to = at + width
    height = float(f"{draw(rng, 0.5, 1.5) / width:.4g}")
    text = f"t>{number(at)} && t<{number(to)}?{number(height)}:0"
    if k % 3 == 1:
        text = f"{number(height)}*(t>{number(at)})*(t<{number(to)})"
    return problem(system(pair("matrices" if k % 2 else "equations", "w", text), RING, end, 20),
                   closed=("linear", {"a.w": [(at, to, ("polynomial", at, height))]}))


# Rows of files ---------------------------------------------------------------------------------------------------------

def of_rows(parts, rows, end, steps):
    pieces = [(t0, t1, ("line", t0, v0, t1, v1)) for (t0, v0), (t1, v1) in zip(rows, rows[1:]) if t0 < end]
    pieces[-1] = (pieces[-1][0], end, pieces[-1][2])
    return problem(system(parts, RING, end, steps), inputs=(["a.w.w"], [list(row) for row in rows]), closed=("linear", {"a.w": pieces}))


def file_parts(k):
    return pair("matrices" if k % 2 else "equations", "w", "0")


def file_pulse(rng, k):
    """Ramps up and down around a pulse."""
    end = 2.0
    width = 10.0 ** -(2 + k % 5) * end
    at, height = draw(rng, 0.1, 1.8, 7), float(f"{draw(rng, 0.5, 1.5) / width:.4g}")
    times = (at, at + 0.1 * width, at + 0.9 * width, at + width)
    rows = [(0.0, 0.0)] + list(zip(times, (0.0, height, height, 0.0))) + [(end, 0.0)]
    return of_rows(file_parts(k), rows, end, 20)


def file_rows(rng, k):
    """Random values at random times."""
    end = 2.0
    times = sorted({draw(rng, 0.001, 1.999, 8) for _ in range((3, 12, 60, 200)[k % 4])})
    scale = SCALES[k % len(SCALES)]
    rows = [(t, draw(rng, -1, 1) * scale) for t in [0.0] + times + [end + 0.5 * (k % 2)]]
    parts = file_parts(k // 2)
    return of_rows(parts, rows, end, (20, 10, 100)[k % 3])


def file_jump(rng, k):
    """Steps as ramps over a billionth of the run, or over a few round-offs."""
    end, rows, value = 2.0, [(0.0, 0.0)], 0.0
    for at in sorted(draw(rng, 0.05, 1.95, 6) for _ in range(rng.randint(1, 5))):
        rows += [(at, value), (at + (1e-9, 1e-12, 4e-16 * 2)[k % 3] * end, value + draw(rng, 0.3, 1))]
        value = rows[-1][1]
    return of_rows(file_parts(k), rows + [(end, value)], end, (20, 200)[k % 2])


def trust_rows(rng, k):
    rows = [(0.0, 0.0), (1.3331, 0.0), (1.3341, 100.0), (1.3421, 100.0), (1.3431, 0.0), (2.0, 0.0)]
    made = of_rows(pair("equations", "w", "0"), rows, 2.0, 20)
    return {**made, "name": "trust-inputs-rows"}


def trust_step(rng, k):
    at = 0.4937207179
    made = problem(system(pair("matrices", "w", "t>0.4937207179?1:0"), RING, 1.0, (10, 100, 1)[k]),
                   closed=("linear", {"a.w": [(at, 1.0, ("polynomial", at, 1.0))]}))
    return {**made, "name": ("trust-step-linear", "trust-step-linear-short", "trust-step-linear-whole")[k]}


def trust_pulse(rng, k):
    at = 1.3331
    to = at + 0.001
    made = problem(system(pair("equations", "w", f"t>{number(at)} && t<{number(to)}?1000:0"), RING, 2.0, 20),
                   closed=("linear", {"a.w": [(at, to, ("polynomial", at, 1000.0))]}))
    return {**made, "name": "trust-pulse"}


def trust_rectified(rng, k):
    made = problem(system(pair("matrices", "w", "abs(sin(7*t))"), RING, 3.0, 3), closed=("linear", {"a.w": ("rectified", "abs", 7.0, 3.0)}))
    return {**made, "name": "trust-abs-sine"}


def trust_growing(rng, k):
    parts = [equations("a", {"x": ("5*x+u", 1.0)}, {"y": "x"}, ["u"]), equations("b", {"z": ("-z-u", 0.5)}, {"y": "z"}, ["u"])]
    return {**problem(system(parts, ["a.y b.u", "b.y a.u"], 6.0, 60), closed=("linear", {})), "name": "trust-growing"}


FAMILIES = [("linear", random_linear, 36), ("linear", driven, 16), ("linear", loops, 10), ("growing", growing, 27),
            ("growing", trust_growing, 1), ("defective", defective, 18), ("resonant", resonant, 16), ("stiff", stiff_linear, 24),
            ("long", long_linear, 6), ("jumps", step, 40), ("jumps", staircase, 10), ("jumps", rectified, 12), ("jumps", clipped, 6),
            ("jumps", trust_step, 3), ("jumps", trust_rectified, 1), ("pulses", pulse, 16), ("pulses", file_pulse, 15), ("pulses", trust_pulse, 1),
            ("files", file_rows, 16), ("files", file_jump, 12), ("files", trust_rows, 1)]
