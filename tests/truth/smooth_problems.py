# SPDX-License-Identifier: GPL-3.0-or-later
"""smooth_problems.py - nonlinear systems that are smooth: with closed forms, stiff, long, in other units, differential-algebraic."""
import decimal
import math

from build import draw, draw_log, equations, number, problem, signed, system

BACK = ["a.y b.u", "b.y a.u"]


def helper(name, formula, start=1.0, rate=1.0):
    """q' = -rate q, whose output is a function of its input: the other half of a scalar equation."""
    return equations(name, {"q": (f"-{number(rate)}*q", start)}, {"y": formula}, ["u"])


def logistic(rng, k):
    """x' = r x - r x^2/K."""
    r, K, x0 = draw(rng, 0.5, 4), draw_log(rng, 1e-3, 1e3), draw(rng, 0.01, 0.9)
    parts = [equations("a", {"x": (f"{number(r)}*x-u", x0 * K)}, {"y": "x"}, ["u"]), helper("b", f"{number(r)}*u^2/{number(K)}")]
    return problem(system(parts, BACK, draw(rng, 1, 6, 2), 40), closed=("logistic", {"r": r, "K": K, "x0": x0 * K}))


def tangent(rng, k):
    """x' = 1 + x^2 up to shortly before its pole, or x' = 1 - x^2."""
    sign = 1 if k % 2 else -1
    x0 = draw(rng, -0.5, 0.3)
    end = draw(rng, 0.8, 1.2, 3) if sign > 0 else draw(rng, 2, 8, 2)
    parts = [equations("a", {"x": ("1+u", x0)}, {"y": "x"}, ["u"]), helper("b", f"{'' if sign > 0 else '-'}(u*u)")]
    return problem(system(parts, BACK, end, 40), closed=("tangent", {"sign": float(sign), "x0": x0}))


def pendulum(rng, k):
    """theta'' = -w^2 sin(theta), in two halves, up to large angles."""
    square, start = draw(rng, 1, 9), draw(rng, 0.1, 3.1, 3)
    parts = [equations("a", {"x": ("u", start)}, {"y": "x"}, ["u"]), equations("b", {"v": (f"-{number(square)}*sin(u)", 0.0)}, {"y": "v"}, ["u"])]
    return problem(system(parts, BACK, draw(rng, 2, 10, 2), 200), closed=("pendulum", {"square": square, "start": start}))


def kepler(rng, k):
    """Two bodies, eccentricity up to 0.9: x'' = -x/r^3."""
    e = draw(rng, 0.05, 0.9, 2)
    speed = math.sqrt((1 + e) / (1 - e))
    parts = [equations("a", {"x": ("v", 1.0 - e), "v": ("-x/(x*x+u*u)^1.5", 0.0)}, {"y": "x"}, ["u"]),
             equations("b", {"z": ("w", 0.0), "w": ("-z/(z*z+u*u)^1.5", speed)}, {"y": "z"}, ["u"])]
    return problem(system(parts, BACK, draw(rng, 2, 12, 3), 300), closed=("kepler", {"x": 1.0 - e, "w": speed}))


def spinning(rng, k):
    """Euler's equations of a free rigid body."""
    a, b, c = draw(rng, 0.5, 2), draw(rng, -2, -0.5), draw(rng, 0.3, 1.5)
    parts = [equations("a", {"x": (f"{number(a)}*u*v", 0.1), "z": (f"{number(c)}*x*u", 0.9)}, {"y": "x", "o": "z"}, ["u", "v"]),
             equations("b", {"w": (f"{number(b)}*u*v", 1.0)}, {"y": "w"}, ["u", "v"])]
    parts[0]["states"]["x"]["derivative"] = f"{number(a)}*u*z"
    parts[0]["inputs"] = ["u"]
    wires = ["b.y a.u", "a.y b.u", "a.o b.v"]
    return problem(system(parts, wires, draw(rng, 3, 12, 2), 200))


def predators(rng, k):
    parts = [equations("a", {"x": (f"x*({number(draw(rng, 0.5, 2))}-u)", 1.5)}, {"y": "x"}, ["u"]),
             equations("b", {"z": (f"z*(u-{number(draw(rng, 0.5, 2))})", draw(rng, 0.3, 1.5))}, {"y": "z"}, ["u"])]
    return problem(system(parts, BACK, draw(rng, 3, 15, 2), 200))


def lorenz(rng, k):
    """Errors grow by exp(0.9 t)."""
    parts = [equations("a", {"x": ("10*(u-x)", draw(rng, -5, 5)), "z": ("x*u-2.5*z", 20.0)}, {"y": "x", "o": "z"}, ["u"]),
             equations("b", {"v": ("u*(28-w)-v", 3.0)}, {"y": "v"}, ["u", "w"])]
    return problem(system(parts, ["b.y a.u", "a.y b.u", "a.o b.w"], (2.0, 6.0, 12.0)[k % 3], 600))


def mild_van_der_pol(rng, k):
    mu = draw(rng, 0.2, 8)
    parts = [equations("a", {"x": ("u", 2.0)}, {"y": "x"}, ["u"]),
             equations("b", {"v": (f"{number(mu)}*(1-u*u)*v-u", 0.0)}, {"y": "v"}, ["u"])]
    return problem(system(parts, BACK, draw(rng, 5, 15, 2), 400))


def units(rng, k):
    """The issue's units.json: a problem of size one, in units in which it is s."""
    s = 10.0 ** (-9, -6, -3, 3, 6, 9)[k % 6]
    square = float(f"{1 / s**2:.15g}")
    parts = [equations("a", {"x": ("v", s), "v": (f"-x-{number(square)}*x^3-{number(draw(rng, 0.2, 0.6))}*v+0.5*u", 0.0)}, {"y": "x"}, ["u"]),
             equations("b", {"z": (f"-z+u-{number(square)}*z^3", 0.5 * s)}, {"y": "z"}, ["u"])]
    return problem(system(parts, BACK, draw(rng, 2, 8, 2), 80))


def mixed_units(rng, k):
    """Two states whose sizes differ by up to 1e18."""
    s = 10.0 ** (3, 6, 9)[k % 3]
    parts = [equations("a", {"x": (f"-x+{number(s * s)}*sin({number(1 / s)}*u)/{number(s)}", s)}, {"y": "x"}, ["u"]),
             equations("b", {"z": (f"-2*z+{number(1 / s**2)}*u", 1 / s)}, {"y": "z"}, ["u"])]
    return problem(system(parts, ["a.y b.u", ("b.y", "a.u", s)], draw(rng, 1, 5, 2), 40))


# Stiff -----------------------------------------------------------------------------------------------------------------

def kaps(rng, k):
    """y1' = -(1/e + 2) y1 + y2^2/e, y2' = y1 - y2 - y2^2: exp(-2 t), exp(-t) for any e."""
    fast = draw_log(rng, 1e1, 1e7)
    parts = [equations("a", {"x": (f"-({number(fast)}+2)*x+{number(fast)}*u^2", 1.0)}, {"y": "x"}, ["u"]),
             equations("b", {"z": ("u-z-z^2", 1.0)}, {"y": "z"}, ["u"])]
    return problem(system(parts, BACK, draw(rng, 1, 5, 2), 40), closed=("kaps", {}), stiff=fast > 2e3)


def prothero_robinson(rng, k):
    """x' = -L (x^3 - cos(t)^3)/3 - sin(t), x = cos(t)."""
    fast = draw_log(rng, 1e1, 1e6)
    parts = [equations("a", {"x": (f"-{number(fast)}*(x^3-u)-sin(t)", 1.0)}, {"y": "x"}, ["u"]),
             equations("b", {"q": ("-q+v", 1.0)}, {"y": "cos(t)^3+0*q"}, ["v"])]
    return problem(system(parts, ["b.y a.u", "a.y b.v"], 1.0, 40), closed=("cosine", {}), stiff=fast > 2e3)


def robertson(rng, k):
    """Robertson 1966, up to 1e4 s; the constants of other reactions beside it."""
    slow, fast = (0.04, 3e7) if k < 4 else (draw(rng, 0.02, 0.08), draw_log(rng, 1e6, 5e7))
    end = (0.4, 40.0, 400.0, 1e4)[k % 4]
    parts = [equations("a", {"x": (f"-{number(slow)}*x+10000*v*u", 1.0), "u": (f"{number(slow)}*x-10000*v*u-{number(fast)}*u*u", 0.0)},
                       {"y": "u"}, ["v"]), equations("b", {"z": (f"{number(fast)}*u*u", 0.0)}, {"y": "z"}, ["u"])]
    return problem(system(parts, ["a.y b.u", "b.y a.v"], end, 100), stiff=True)


def stiff_van_der_pol(rng, k):
    """e z' = (1 - x^2) z - x: mu^2 = 1/e up to 1e6, in slow time."""
    fast = (1e6, 1e2, 1e3, 1e4, 1e5, 1e6)[k % 6]
    parts = [equations("a", {"x": ("u", 2.0)}, {"y": "x"}, ["u"]),
             equations("b", {"z": (f"{number(fast)}*((1-u*u)*z-u)", (-0.66 if k == 0 else 0.0))}, {"y": "z"}, ["u"])]
    return problem(system(parts, BACK, 2.0 if k == 0 else 0.5 + 0.25 * (k % 6), 100), stiff=True)


def oregonator(rng, k):
    """Field, Noyes 1974: the parameters of the issue's orego.json."""
    parts = [equations("a", {"x": ("77.27*(u+x*(1-8.375e-6*x-u))", 1.0)}, {"y": "x"}, ["u"]),
             equations("b", {"v": ("(z-(1+u)*v)/77.27", 2.0), "z": ("0.161*(u-z)", 3.0)}, {"y": "v"}, ["u"])]
    return problem(system(parts, BACK, (360.0, 30.0, 302.0)[k], 100), stiff=True)


def e5(rng, k):
    """Enright, Hull, Lindberg 1975, E5: values of 1e-3 and less, to 1e11 s."""
    parts = [equations("a", {"y1": ("-7.89e-10*y1-1.1e7*y1*u", 1.76e-3), "y2": ("7.89e-10*y1-1.13e9*y2*u", 0.0)},
                       {"o1": "y1", "o2": "y2"}, ["u"]),
             equations("b", {"y3": ("7.89e-10*v-1.1e7*v*y3+1.13e3*y4-1.13e9*w*y3", 0.0), "y4": ("1.1e7*v*y3-1.13e3*y4", 0.0)},
                       {"o3": "y3"}, ["v", "w"])]
    return problem(system(parts, ["b.o3 a.u", "a.o1 b.v", "a.o2 b.w"], (1e3, 1e7, 1e11)[k], 100), stiff=True)


def brusselator(rng, k):
    parts = [equations("a", {"x": (f"1+x*x*u-{number(draw(rng, 3, 5, 2))}*x", 1.2)}, {"y": "x"}, ["u"]),
             equations("b", {"z": (f"{number(draw(rng, 3, 3.9, 2))}*u-u*u*z", 3.1)}, {"y": "z"}, ["u"])]
    return problem(system(parts, BACK, draw(rng, 3, 12, 2), 300))


# Long ------------------------------------------------------------------------------------------------------------------

def long_decay(rng, k):
    """x' = -x^3/2: 1/sqrt(t), over many orders of magnitude of time."""
    c, x0, end = draw(rng, 0.2, 2), draw(rng, 0.5, 2), 10.0 ** (2 + k % 4)
    parts = [equations("a", {"x": ("-u", x0)}, {"y": "x"}, ["u"]), helper("b", f"{number(c)}*u^3", rate=0.01)]
    return problem(system(parts, BACK, end, 2000), closed=("decay", {"c": c, "x0": x0, "rate": 0.01}))


def long_pendulum(rng, k):
    square, start = draw(rng, 1, 4), draw(rng, 0.2, 2.5, 3)
    parts = [equations("a", {"x": ("u", start)}, {"y": "x"}, ["u"]), equations("b", {"v": (f"-{number(square)}*sin(u)", 0.0)}, {"y": "v"}, ["u"])]
    return problem(system(parts, BACK, float(rng.choice((100, 200, 400))), 4000), closed=("pendulum", {"square": square, "start": start}))


# Algebraic equations ---------------------------------------------------------------------------------------------------

def nonlinear_loop(rng, k):
    """y_a = x + 0.3 u^2 and u = y_b = c z: no loop to solve by hand, as b does not feed through; or with sqrt, where both do."""
    c, x0 = draw(rng, 0.2, 0.8), draw(rng, 0.6, 1.4)
    # y = x - s p, p = s y: y = x/(1 + s^2); p goes into a.
    s = draw(rng, 0.3, 0.8)
    a = equations("a", {"x": ("-x+u", x0)}, {"y": f"x-{number(c)}*u*u"}, ["u"])
    b = equations("b", {"z": ("-z+u", 0.5)}, {"y": f"{number(s)}*u+0*z"}, ["u"])
    # y = x - c s^2 y^2, the root near x.
    solved_y = f"((sqrt(1+4*{number(c)}*{number(s)}*{number(s)}*x)-1)/(2*{number(c)}*{number(s)}*{number(s)}))"
    solved = equations("a", {"x": (f"-x+{number(s)}*{solved_y}", x0), "z": (f"-z+{solved_y}", 0.5)}, {"y": "x"})
    end = draw(rng, 1, 5, 2)
    return problem(system([a, b], BACK, end, 40), solved=system([solved], [], end, 40))


def dae(rng, k):
    """worker.c's residual: 0 = x' + a x - b z - u, 0 = z + c z^3 - x - d sin(w t); y = z. With f: q' = -q + y, u = g q."""
    decimal.getcontext().prec = 90
    a, b, c, d = draw(rng, 0.5, 3), draw(rng, -1, 0.4), (0.0 if k % 3 == 0 else draw_log(rng, 0.05, 20)), draw(rng, 0, 1)
    w, g, x0 = draw(rng, 0.5, 6), draw(rng, -1, 1), signed(rng, draw(rng, 0.3, 2))
    z = decimal.Decimal(x0)
    for _ in range(200): # Newton's method
        slope = 1 + 3 * decimal.Decimal(c) * z * z
        z -= (z + decimal.Decimal(c) * z**3 - decimal.Decimal(x0)) / slope
    derivative = f"-{number(a)}*x+{number(b)}*z+{number(g)}*q"
    one = equations("dae", {"x": (derivative, x0),
                            "z": (f"({derivative}+{number(d)}*{number(w)}*cos({number(w)}*t))/(1+3*{number(c)}*z*z)", str(z)),
                            "q": ("-q+z", 1.0)}, {"y": "z"})
    end = draw(rng, 1, 5, 2)
    settings = {"a": a, "b": b, "c": c, "d": d, "w": w, "g": g, "x0": x0}
    return problem(system([one], [], end, 40), solved=system([one], [], end, 40), model=("dae", settings))


FAMILIES = [("nonlinear", logistic, 10), ("nonlinear", tangent, 8), ("nonlinear", pendulum, 10), ("nonlinear", kepler, 6),
            ("nonlinear", spinning, 4), ("nonlinear", predators, 5), ("nonlinear", lorenz, 6), ("nonlinear", mild_van_der_pol, 5),
            ("nonlinear", brusselator, 4), ("units", units, 12), ("units", mixed_units, 6), ("stiff", kaps, 10),
            ("stiff", prothero_robinson, 8), ("stiff", robertson, 8), ("stiff", stiff_van_der_pol, 6), ("stiff", oregonator, 3), ("stiff", e5, 3),
            ("long", long_decay, 8), ("long", long_pendulum, 6), ("dae", nonlinear_loop, 8), ("dae", dae, 16)]
