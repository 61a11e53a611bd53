# SPDX-License-Identifier: GPL-3.0-or-later
"""explorer.html: its numbers are the command's, with models, schemes, options, parameters and step sizes as a reader sets them."""
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

SIZE = 1500000  # bytes of the page, at most
POINTS = (  # model, scheme, options, axes with their values: what a reader chooses
    ("test-equation", "jacobi", {}, {"x": ("re", -1.25), "y": ("im", 2.5)}),
    ("linear-pair", "gauss-seidel", {"extrapolation-order": "1"}, {"x": ("d1", 1.2), "y": ("step-size", 0.05)}),
    ("linear-pair", "jacobi", {"outputs": "corrected", "extrapolation-order": "2"}, {"x": ("d1", -0.3), "y": ("d2", 0.7)}),
    ("quarter-car", "balance", {"extrapolation-order": "1"}, {"x": ("step-size", 0.004), "y": ("kc", 40000)}),
    ("mass-spring-damper", "strang", {}, {"x": ("step-size", 0.4), "y": ("m1", 0.25)}),
    ("stiff-damper", "nepce", {}, {"x": ("step-size", 0.02), "y": ("cc", 500)}),
)
FORM = "document.querySelector('form.explorer')"


def command(*words):
    return subprocess.run([os.environ.get("MACROSTEP", "build/macrostep"), *words], capture_output=True, text=True, check=True).stdout


def wait(page):
    """Until the region is there, which comes last."""
    page.value("new Promise(done => { const look = () => %s.dataset.mapped ? requestAnimationFrame(() => setTimeout(done, 0)) : setTimeout(look, 10);"
               " requestAnimationFrame(() => setTimeout(look, 0)); })" % FORM)


def put(page, name, value):
    page.value("(() => { const e = %s.elements[%s]; e.value = %s; e.dispatchEvent(new Event('input', {bubbles: true})); })()"
               % (FORM, json.dumps(name), json.dumps(str(value))))
    page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")


def place(page, model, scheme, options, axes):
    put(page, "model", model)
    put(page, "scheme", scheme)
    for name in ("extrapolation-order", "outputs"):
        put(page, name, options.get(name, "0" if name == "extrapolation-order" else "inconsistent"))
    for axis, (name, value) in axes.items():
        put(page, axis, name)
        put(page, axis + "-value", value)
    return float(page.value(FORM + ".rho.dataset.rho"))


def check_numbers(page, result):
    """The command that the page shows gives the number that it shows, and it is the command that was meant."""
    for model, scheme, options, axes in POINTS:
        rho = place(page, model, scheme, options, axes)
        shown = shlex.split(page.value("document.querySelector('[data-says=command]').textContent"))
        meant = ["spectral", model, "--scheme", scheme]
        meant += [word for name, value in options.items() for word in ("--" + name, value)]
        for name, value in axes.values():
            meant += ["--step-size", repr(value)] if name == "step-size" else ["--set", "%s=%r" % (name, value)]
        wanted = [json.loads(command(*words, "--format", "json"))["spectral_radius"] for words in (meant, shown[1:])]
        result(all(abs(rho - w) <= 1e-9 * max(1, w) for w in wanted), "explorer: rho of %s is the command's" % " ".join(meant),
               "%r, not %r" % (rho, wanted))
        word = page.value(FORM + ".rho.value").split(": ")[-1]
        result(word == ("stable" if wanted[0] < 1 else "unstable"), "explorer: ... and so is the word", word)


def check_run(page, result):
    """The run's last value is that of the command's trajectory, as far as it is told."""
    place(page, "mass-spring-damper", "gauss-seidel", {"extrapolation-order": "1"}, {"x": ("step-size", 0.1), "y": ("m1", 2)})
    told = page.value("document.querySelector('canvas[data-picture=run]').getAttribute('aria-label')")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "run.csv")
        command("run", "mass-spring-damper", "--scheme", "gauss-seidel", "--extrapolation-order", "1", "--step-size", "0.1", "--set",
                "m1=2", "--errors", "none", "--trajectory", str(path))
        rows = [line.split(",") for line in path.read_text().splitlines() if not line.startswith("#")]
    subsystem, state = told.split(" over time")[0].split(".")
    last = float(rows[-1][rows[0].index("%s.x.%s" % (subsystem, state))])
    got = float(told.split(" to ")[-1].rstrip(".").split(" ")[0])
    result(abs(got - last) <= 5e-4 * abs(last), "explorer: the run ends where the command's does", "%r, not %r" % (got, last))
    result("%d macro-steps" % (len(rows) - 2) in told, "explorer: ... after as many macro-steps", told)


def check_schemes(page, result):
    """What is offered can be had: every scheme has a number on a model without feed-through."""
    put(page, "model", "spring-mass")
    for scheme in page.value("[...%s.scheme.options].map(o => o.value)" % FORM):
        put(page, "scheme", scheme)
        result(page.value(FORM + ".rho.dataset.rho") != "NaN", "explorer: %s is there" % scheme, page.value(FORM + ".rho.value"))
    for model in page.value("[...%s.model.options].map(o => o.value)" % FORM):
        place(page, model, "jacobi", {}, {})
        result(page.value(FORM + ".rho.dataset.rho") != "NaN", "explorer: model %s is there" % model, page.value(FORM + ".rho.value"))


def check_region(page, result):
    """Linear pair, held inputs: where |d1 d2| is above 1 it is unstable at every step size; the pixels left and right of that line say so."""
    place(page, "linear-pair", "jacobi", {}, {"x": ("d1", 0.9), "y": ("d2", -0.9)})
    wait(page)
    colours = page.value(
        "(() => { const k = document.querySelector('canvas[data-picture=region]'), w = k.clientWidth - 78, h = Math.round(0.72 * k.clientWidth) - 58;"
        "const all = k.getContext('2d').getImageData(0, 0, k.width, k.height), s = k.width / k.clientWidth;"
        "return [[0.1, 0.1], [4.5, 2.9]].map(v => { const x = Math.round(s * (66 + w * (v[0] + 3.1) / 8)), y = Math.round(s * (10 + h * (1 - (v[1] + 4.9) / 8)));"
        "const d = all.data.slice(4 * (y * k.width + x)); return d[1] > d[0]; }); })()")
    result(colours == [True, False], "explorer: the region is green where |d1 d2| is small, and not where it is large", colours)


def check_keys(page, result):
    """An arrow key moves a slider, and rho with it."""
    before = place(page, "linear-pair", "jacobi", {}, {"x": ("d1", 0.9), "y": ("d2", -0.9)})
    page.value("%s.elements['x-slide'].focus()" % FORM)
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")
    after, moved = page.value("[Number(%s.rho.dataset.rho), Number(%s.elements['x-value'].value)]" % (FORM, FORM))
    result(moved > 0.9 and after > before, "explorer: an arrow key moves the point", (before, after, moved))


def check(browser, folder, address, result):
    """result(holds, what, why) tells of each."""
    size = pathlib.Path(folder, "explorer.html").stat().st_size
    result(size < SIZE, "explorer: less than 1.5 MB", size)
    page = browser.page(1200, 900)
    page.open(address)
    wait(page)
    for part in (check_numbers, check_run, check_schemes, check_region, check_keys):
        part(page, result)
    result(page.complaints() == [], "explorer: no errors in the console", page.complaints())
    page.close()
