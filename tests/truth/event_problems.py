# SPDX-License-Identifier: GPL-3.0-or-later
"""event_problems.py - what switches: right-hand sides by conditions of time or state, events that set states, indicators that graze zero."""
import math

from build import draw, draw_log, equations, event, number, problem, signed, system

BACK = ["a.y b.u", "b.y a.u"]


def follower(gain=1.0):
    """z' = -z + u: hears everything, and says nothing that is heard."""
    return equations("b", {"z": (f"-z+{number(gain)}*u", 0.5)}, {"y": "z"}, ["u"])


# Conditions of time in derivatives ----------------------------------------------------------------------------------------

def switched_rate(rng, k):
    """x' = -r x with another r behind a time."""
    at, r, q = draw(rng, 0.1, 1.9, 9), draw(rng, 0.3, 2), draw(rng, -1.5, 3)
    a = equations("a", {"x": (f"t>{number(at)}?-{number(q)}*x:-{number(r)}*x", 1.0)}, {"y": "x"})
    return problem(system([a, follower()], ["a.y b.u"], 2.0, (20, 10, 200)[k % 3]), closed=("rates", {"at": at, "r": r, "q": q}))


def switched_many(rng, k):
    """Several conditions of time and their functions in one expression."""
    w, at, to = draw(rng, 3, 9), draw(rng, 0.3, 0.9, 7), draw(rng, 1.1, 1.8, 7)
    forms = (f"-x*abs(sin({number(w)}*t))+u", f"-x+u*sign(cos({number(w)}*t))", f"-x*max(sin({number(w)}*t),0.25)-u",
             f"-x+(t>{number(at)} && t<{number(to)} ? u : -u)", f"-x*min(t,{number(at)})+u*max(t-{number(to)},0)",
             f"-x+abs(t-{number(at)})*u-abs(t-{number(to)})")
    a = equations("a", {"x": (forms[k % len(forms)], 1.0)}, {"y": "x"}, ["u"])
    b = equations("b", {"z": ("-z-u", 0.5)}, {"y": "z"}, ["u"])
    return problem(system([a, b], BACK, 2.0, (20, 200, 5)[k % 3]))


# Conditions of states -----------------------------------------------------------------------------------------------------

def two_springs(rng, k):
    """x'' = -k x with one stiffness on either side of zero."""
    one, two, start = draw(rng, 1, 30), draw(rng, 1, 30), draw(rng, 0.3, 2)
    a = equations("a", {"x": ("u", start)}, {"y": "x"}, ["u"])
    b = equations("b", {"v": (f"u>0?-{number(one)}*u:-{number(two)}*u", 0.0)}, {"y": "v"}, ["u"])
    return problem(system([a, b], BACK, draw(rng, 2, 6, 2), 200), closed=("two springs", {"one": one, "two": two, "start": start}))


def kinked(rng, k):
    """abs, min, max of states."""
    w = draw(rng, 1, 4)
    forms = (f"u-{number(draw(rng, 0.1, 0.5))}*abs(x)", f"-max(x,{number(draw(rng, -0.3, 0.3))})+u", f"min(1,max(-1,3*u))-0.2*x",
             f"-x*abs(x)+sin({number(w)}*t)")
    a = equations("a", {"x": (forms[k % len(forms)], 1.0)}, {"y": "x"}, ["u"])
    b = equations("b", {"z": ("v", 0.3), "v": (f"-{number(w * w)}*z-u", 0.0)}, {"y": "z"}, ["u"])
    return problem(system([a, b], BACK, draw(rng, 2, 6, 2), 100))


def smooth_pulse(rng, k):
    """A pulse of a state, smooth and as short as a millionth of its way. Beyond nine widths it is less than 1e-35 of its height."""
    width, at = 10.0 ** -(3 + k % 4), draw(rng, 0.3, 1.7, 7)
    height = float(f"{draw(rng, 0.5, 1.5) / width:.4g}")
    text = f"{number(height)}*exp(-((u-{number(at)})/{number(width)})^2)"
    inside = f"(u>{number(at)}-9*{number(width)} && u<{number(at)}+9*{number(width)} ? {text} : 0)"
    clock = equations("a", {"x": ("1", 0.0)}, {"y": "x"})
    first, solved = (system([clock, equations("b", {"z": (f"-z+{f}", 0.5)}, {"y": "z"}, ["u"])], ["a.y b.u"], 2.0, (20, 4)[k % 2])
                     for f in (text, inside))
    return problem(first, solved=solved, closed=("smooth pulse", {"at": at, "width": width, "height": height}))


# Events -------------------------------------------------------------------------------------------------------------------

def ball(rng, k):
    """Bounces with restitution e, never up to where they pile up."""
    e, h, g = draw(rng, 0.6, 0.98, 3), draw_log(rng, 1e-3, 1e3), draw(rng, 1, 20)
    fall = math.sqrt(2 * h / g)
    end = float(f"{fall * (1 + sum(2 * e**i for i in range(1, 2 + k % 7)) - 0.7 * e):.3g}")
    a = equations("a", {"x": ("v", h), "v": (f"-{number(g)}", 0.0)}, {"y": "x"}, events=[event("x", {"v": f"-{number(e)}*v"}, "fall")])
    return problem(system([a, follower()], ["a.y b.u"], end, (50, 7, 500)[k % 3]), closed=("ball", {"e": e, "h": h, "g": g}))


def fires(rng, k):
    """x' = c - x is reset to zero where it reaches one."""
    c = draw(rng, 1.05, 3)
    a = equations("a", {"x": (f"{number(c)}-x", 0.0)}, {"y": "x"}, discrete={"n": 0}, events=[event("x-1", {"x": "0", "n": "n+1"}, "rise")])
    return problem(system([a, follower()], ["a.y b.u"], draw(rng, 3, 12, 3), (60, 11)[k % 2]), closed=("fires", {"c": c}))


def thermostat(rng, k):
    """A relay with hysteresis: x' = z - x, z = c above or 0 below."""
    c, low, high = draw(rng, 1.5, 4), draw(rng, 0.3, 0.6), draw(rng, 0.8, 1.2)
    a = equations("a", {"x": ("z-x", 0.0)}, {"y": "x"}, discrete={"z": c},
                  events=[event(f"x-{number(high)}", {"z": "0"}, "rise"), event(f"x-{number(low)}", {"z": number(c)}, "fall")])
    return problem(system([a, follower()], ["a.y b.u"], draw(rng, 3, 10, 3), (60, 9)[k % 2]),
                   closed=("thermostat", {"c": c, "low": low, "high": high}))


def clocked(rng, k):
    """An event at times of an indicator of time alone, which sets a state that the other one reads and answers to."""
    w = draw(rng, 2, 8)
    a = equations("a", {"x": ("-x+u", 1.0)}, {"y": "x"}, ["u"], events=[event(f"cos({number(w)}*t)", {"x": "0.5*x+0.3"}, "rise")])
    b = equations("b", {"z": ("-2*z-u", 0.5)}, {"y": "z"}, ["u"])
    return problem(system([a, b], BACK, draw(rng, 2, 5, 3), (40, 8)[k % 2]))


def stops(rng, k):
    """A driven oscillator between two stops."""
    w, wall = draw(rng, 1, 3), draw(rng, 0.4, 0.8)
    a = equations("a", {"x": ("v", 0.0), "v": (f"-x-0.1*v+u", 1.0)}, {"y": "x"}, ["u"],
                  events=[event(f"x-{number(wall)}", {"v": "-0.8*v"}, "rise"), event(f"x+{number(wall)}", {"v": "-0.8*v"}, "fall")])
    b = equations("b", {"z": ("w", 1.0), "w": (f"-{number(w * w)}*z", 0.0)}, {"y": "z"})
    return problem(system([a, b], ["b.y a.u"], draw(rng, 4, 10, 2), (100, 20)[k % 2]))


# Grazing --------------------------------------------------------------------------------------------------------------------

def grazing_time(rng, k):
    """sin(w t) - c near its crest: an event for c < 1, none for c > 1."""
    depth = 10.0 ** -(2 + k % 8)
    w, end = draw(rng, 0.8, 1.5), 10.0
    level = 1.0 - depth if k % 5 else 1.0 + depth
    a = equations("a", {"x": ("1+u", 0.0)}, {"y": "x"}, ["u"], events=[event(f"sin({number(w)}*t)-{number(level)}", {"x": "0"}, "rise")])
    b = equations("b", {"z": ("-z", 0.5)}, {"y": "z"}, ["u"])
    return problem(system([a, b], BACK, end, (50, 10, 200)[k % 3]), closed=("grazing", {"w": w, "level": level}))


def grazing_state(rng, k):
    """A thrown ball whose crest touches a ceiling, by so little above it or below."""
    depth = signed(rng, 10.0 ** -(2 + k % 7))
    v, g = draw(rng, 1, 4), draw(rng, 2, 10)
    crest = v * v / (2 * g)
    level = float(f"{crest * (1 - depth):.15g}")
    a = equations("a", {"x": ("v", 0.0), "v": (f"-{number(g)}", v)}, {"y": "x"}, discrete={"hit": 0},
                  events=[event(f"x-{number(level)}", {"hit": "1"}, "rise")])
    a["states"]["s"] = {"derivative": "hit", "start": 0}
    end = float(f"{1.7 * v / g:.3g}")
    return problem(system([a, follower()], ["a.y b.u"], end, (40, 7)[k % 2]), closed=("ceiling", {"v": v, "g": g, "level": level}))


def grazing_pulse(rng, k):
    """A condition in a derivative that is true for a short time around a crest."""
    depth = 10.0 ** -(3 + k % 6)
    w = draw(rng, 0.8, 1.5)
    height = float(f"{0.3 * w / math.sqrt(2 * depth):.3g}")
    a = equations("a", {"x": (f"-x+u+(sin({number(w)}*t)>{number(1 - depth)}?{number(height)}:0)", 1.0)}, {"y": "x"}, ["u"])
    b = equations("b", {"z": ("-z-u", 0.5)}, {"y": "z"}, ["u"])
    return problem(system([a, b], BACK, 10.0, (50, 10)[k % 2]))


def trust_grazing(rng, k):
    a = equations("a", {"x": ("1", 0.0)}, {"y": "x"}, events=[event("sin(t)-0.99999", {"x": "0"}, "rise")])
    made = problem(system([a, follower()], ["a.y b.u"], 10.0, 100), closed=("grazing", {"w": 1.0, "level": 0.99999, "alone": 1.0}))
    return {**made, "name": "trust-grazing"}


# Sliding --------------------------------------------------------------------------------------------------------------------

def slides(rng, k):
    """Falls to zero, where both sides lead back to it."""
    fall, rise, start = draw(rng, 0.3, 2), draw(rng, 0.3, 2), draw(rng, 0.2, 1)
    forms = (f"x>0?-{number(fall)}:{number(rise)}", f"-{number(fall)}*sign(x)", f"{number(rise)}*(x<0)-{number(fall)}*(0<x)",
             f"{number(rise)}-max(sign(x),0)*({number(fall)}+{number(rise)})")
    a = equations("a", {"x": (forms[k % len(forms)], start)}, {"y": "x"})
    solved = equations("a", {"x": ("m", start)}, {"y": "x"}, discrete={"m": -fall}, events=[event("x", {"x": "0", "m": "0"}, "fall")])
    end = float(f"{start / fall * draw(rng, 1.5, 4):.3g}")
    return problem(system([a, follower()], ["a.y b.u"], end, (20, 7, 200)[k % 3]), closed=("slides", {"fall": fall, "start": start}),
                   solved=system([solved, follower()], ["a.y b.u"], end, 20))


def sticks(rng, k):
    """Dry friction mu under a force f t: sticks where v = v0 - mu t + f t^2/2 is zero, and slips again where the force is mu."""
    mu, f = draw(rng, 0.3, 1), draw(rng, 0.3, 1)
    start = float(f"{mu * mu / (2 * f) * rng.uniform(0.1, 0.9):.4g}") if k % 4 else 0.0
    force = f"{number(f)}*t-{number(mu)}"
    a = equations("a", {"v": (f"{number(f)}*t-{number(mu)}*sign(v)", start), "x": ("v", 0.0)}, {"y": "v"})
    solved = equations("a", {"v": (f"m*({force})", start), "x": ("v", 0.0)}, {"y": "v"}, discrete={"m": 1 if k % 4 else 0},
                       events=[event("m*v", {"v": "0", "m": "0"}, "fall"), event(force, {"m": "1"}, "rise")])
    end = float(f"{mu / f * draw(rng, 1.2, 2.5):.3g}")
    return problem(system([a, follower()], ["a.y b.u"], end, (40, 8, 100)[k % 3]), closed=("sticks", {"mu": mu, "f": f, "start": start}),
                   solved=system([solved, follower()], ["a.y b.u"], end, 40))


def meets(rng, k):
    """Two masses with friction between them, one of them pushed, in one subsystem or in two that each know the friction: after they
    have met they go on together."""
    mu, f, start = draw(rng, 0.6, 2), draw(rng, 0.1, 0.5), draw(rng, 0.5, 2)
    friction = number(mu)
    if k % 2:
        parts = [equations("a", {"v": (f"{number(f)}-{friction}*sign(v-u)", start)}, {"y": "v"}, ["u"]),
                 equations("b", {"w": (f"w>u?-{friction}:{friction}", 0.0)}, {"y": "w"}, ["u"])]
    else:
        parts = [equations("a", {"v": (f"{number(f)}-{friction}*sign(v-w)", start), "w": (f"{friction}*sign(v-w)", 0.0)}, {"y": "v"})]
    # m = 1 before they meet, 0 behind
    solved = equations("a", {"v": (f"m*({number(f)}-{friction})+(1-m)*0.5*{number(f)}", start),
                             "w": (f"m*{friction}+(1-m)*0.5*{number(f)}", 0.0)}, {"y": "v"}, discrete={"m": 1},
                       events=[event("v-w", {"m": "0"}, "fall")])
    end = float(f"{start / (2 * mu - f) * draw(rng, 1.5, 4):.3g}")
    return problem(system(parts, BACK if k % 2 else [], end, (30, 200)[k % 2]), closed=("meets", {"mu": mu, "f": f, "start": start}),
                   solved=system([solved], [], end, 30))


def stick_slip(rng, k):
    """An oscillator with dry friction mu, driven. s is the direction in which it slips; 0 where it sticks, as long as the force is below mu,
    which q = 0 says."""
    w, mu, drive = draw(rng, 0.8, 2), draw(rng, 0.3, 0.6), draw(rng, 0.5, 1.2)
    force = f"({number(drive)}*cos({number(draw(rng, 0.4, 1.2))}*t)-{number(w * w)}*x)"
    a = equations("a", {"x": ("v", 1.0), "v": (f"{force}-{number(mu)}*sign(v)", 1.0)}, {"y": "x"})
    squares = f"{force}^2-{number(mu)}^2"
    solved = equations("a", {"x": ("v", 1.0), "v": (f"s*s*({force}-s*{number(mu)})", 1.0)}, {"y": "x"},
                       discrete={"s": 1, "q": int(abs(drive - w * w) > mu)},
                       events=[event("s*v", {"v": "0", "s": "-s*q"}, "fall"),
                               event(squares, {"q": "1-q", "s": f"s+(1-s*s)*{force}/{number(mu)}"})])
    end = draw(rng, 6, 12, 3)
    return problem(system([a, follower()], ["a.y b.u"], end, (60, 15, 200)[k % 3]), solved=system([solved, follower()], ["a.y b.u"], end, 60))


FAMILIES = [("switching", switched_rate, 12), ("switching", switched_many, 12), ("switching", two_springs, 10), ("switching", kinked, 12),
            ("pulses", smooth_pulse, 8),
            ("events", ball, 14), ("events", fires, 8), ("events", thermostat, 10), ("events", clocked, 6), ("events", stops, 6),
            ("grazing", grazing_time, 12), ("grazing", grazing_state, 8), ("grazing", grazing_pulse, 8), ("grazing", trust_grazing, 1),
            ("sliding", slides, 6), ("sliding", sticks, 6), ("sliding", meets, 4), ("sliding", stick_slip, 6)]
