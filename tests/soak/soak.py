# SPDX-License-Identifier: GPL-3.0-or-later
"""soak.py MACROSTEP [--seconds N] [--seed S] [--jobs N] [--only K] - random systems, schemes and options, for a while.

Trial K of seed S is the same on every machine: `--only K --seed S` repeats it alone, and shows its calls. Each draws a system and
one of these:

    run        one run; with other threads, the same answer and trajectory
    kernels    a linear system under `exact` with other kernels of OpenBLAS: the same trajectory; any other, the same status
    resume     a sweep that is killed again and again, on other numbers of threads: the same file
    invariants the same linear system in other words: subsystems in another order, states, inputs, outputs and time in other units, inputs
               split in two; what must not change does not, up to round-off; where it does, the smallest system that still shows it is looked
               for. The matrix by formula is the one that is probed, and what is certified holds at step sizes in between
    ways       the same run of a linear system in other ways: later, as FMUs, as a figure file, by ranks: the same trajectory or error
    analyses   show, spectral, stability, converge, compare: what they answer is not looked at

A violation: a signal, an exit status other than 0 and 2 (and 3 of diff), a refusal that is not one line, an answer that is no JSON or
has an unknown reason, other bytes, no end within BOUND seconds of processor time (of many rows BOUND_ROWS) although --max-steps is given.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import draw  # noqa: E402

BOUND = 20 # seconds of a processor; of the clock ten times as many
BOUND_ROWS = 120 # the same of commands with many rows, each of which may be a run
MAX_STEPS = 3000
REASONS = {"end-time", "diverged", "step-size-underflow", "iteration-failed", "subsystem-failed", "work-limit", "no-solution"}
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
KERNELS = {"Prescott": "pni", "Nehalem": "sse4_2", "Sandybridge": "avx", "Haswell": "avx2", "SkylakeX": "avx512vl"}


def bound_of(words):
    """What its end may take of a processor [s]."""
    return BOUND_ROWS if words[0] in ("sweep", "compare", "converge", "stability", "spectral", "best") else BOUND


class Violation(Exception):
    pass


class Trial:
    """One trial: its random numbers, its folder, its calls."""

    def __init__(self, macrostep, seed, k, folder):
        self.random = random.Random(f"{seed}:{k}")
        self.macrostep, self.folder, self.calls = macrostep, folder, []
        with open(os.path.join(folder, "system.json"), "w", encoding="utf-8") as file:
            file.write(draw.system(self.random))

    def start(self, words, ranks=1, **more):
        # Threads of several calls at once are more than there are processors: those that wait are not to use them up.
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_WAIT_POLICY="PASSIVE", LC_ALL="C",
                           TMPDIR=self.folder, **more)
        self.calls.append(" ".join([f"{name}={value}" for name, value in more.items()] + ["macrostep"] + words))
        limited = ["sh", "-c", f'ulimit -t {bound_of(words)}; exec "$@"', "sh"] + MPIRUN * (ranks > 1) + [self.macrostep]
        return subprocess.Popen(limited + words, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def call(self, words, statuses=(0, 2), **more):
        """Status and standard output of a call that may end with these statuses."""
        child = self.start(words, **more)
        try:
            out, err = child.communicate(timeout=10 * bound_of(words))
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            raise Violation(f"no end within {10 * bound_of(words)} s of the clock") from None
        if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            raise Violation(f"no end within {bound_of(words)} s of processor time")
        if child.returncode < 0:
            raise Violation(f"{signal.Signals(-child.returncode).name}: {err.strip()[-300:]}")
        if child.returncode not in statuses:
            raise Violation(f"exit status {child.returncode}: {err.strip()[-300:]}")
        if child.returncode == 2 and (not err.startswith("macrostep: ") or err.count("\n") != 1 or out):
            raise Violation(f"refused, but not by one line: {err!r} {out[:100]!r}")
        return child.returncode, out

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()


def same(what, a, b):
    if a != b:
        lines = [f"{x} | {y}" for x, y in zip(a.splitlines(), b.splitlines()) if x != y]
        raise Violation(f"{what}: other bytes: {(lines or ['one is longer'])[0][:300]}")


# What is tried ------------------------------------------------------------------------------------------------


def model_of(trial, names):
    """The random system, or one of the catalogue."""
    return trial.random.choice(names) if trial.random.random() < 0.3 else "system.json"


def answer_of(out):
    """The answer of a run without what may differ, and its reason."""
    try:
        answer = json.loads(out)
    except ValueError:
        raise Violation(f"no JSON: {out[:200]!r}") from None
    if answer["reason"] not in REASONS:
        raise Violation(f"unknown reason {answer['reason']}")
    for name in ("wall_seconds", "provenance"):
        answer.pop(name, None)
    answer["scheme"].pop("execution")
    return json.dumps(answer, indent=1), answer["reason"]


def rows_of(trial, name):
    return "".join(line for line in trial.read(name).splitlines(True) if not line.startswith("#"))


def settle(trial, head, known, file, **more):
    """A run whose trajectory goes into the file, with fewer of the drawn options as long as it is refused: (words, status, output)."""
    drawn = draw.scheme_options(trial.random, known) + draw.times(trial.random)
    while True:
        words = ["run"] + head + drawn + ["--max-steps", str(MAX_STEPS), "--format", "json", "--trajectory"]
        status, out = trial.call(words + [file], **more)
        if status != 2 or len(drawn) <= 2: # the scheme itself
            return words, status, out
        del drawn[-1 if drawn[-1].startswith("--") else -2:]


def try_run(trial, known):
    words, status, out = settle(trial, [model_of(trial, known.models)], known, "one.csv")
    if status != 0:
        return "refused"
    answer, reason = answer_of(out)
    threads = str(trial.random.choice([2, 3, 4]))
    status, out = trial.call(words + ["other.csv", "--execution", "parallel", "--num-threads", threads])
    if status == 2:
        return reason # not all that runs here runs on threads
    same(f"{threads} threads", answer, answer_of(out)[0])
    same(f"trajectory by {threads} threads", rows_of(trial, "one.csv"), rows_of(trial, "other.csv"))
    return reason


def try_kernels(trial, known):
    one, other = trial.random.sample(known.kernels, 2) if len(known.kernels) > 1 else known.kernels * 2
    words, first, out = settle(trial, ["system.json"], known, "one.csv", OPENBLAS_CORETYPE=one)
    second, again = trial.call(words + ["other.csv"], OPENBLAS_CORETYPE=other)
    if first != second:
        raise Violation(f"status {first} under {one}, {second} under {other}")
    if first != 0:
        return "refused"
    answer, reason = answer_of(out)
    answer_of(again)
    if json.loads(answer)["scheme"].get("solver") in ("exact", "euler", "rk4") and known.is_linear(trial):
        same(f"trajectory under {one} and {other}", rows_of(trial, "one.csv"), rows_of(trial, "other.csv"))
    return reason


def cut(trial, words):
    """Starts the call, and ends it somewhere on its way."""
    child = trial.start(words)
    number = trial.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    time.sleep(trial.random.uniform(0.005, 0.12))
    child.send_signal(number)
    try:
        _, err = child.communicate(timeout=10 * BOUND)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise Violation(f"no end within {10 * BOUND} s of {number.name}") from None
    if child.returncode not in (0, 2, 130, -signal.SIGKILL, -number):
        raise Violation(f"exit status {child.returncode} of {number.name}: {err[-300:]}")


def try_resume(trial, known):
    form = trial.random.choice(["csv", "json", "jsonl"])
    families = ",".join(trial.random.sample(known.families, trial.random.randint(1, 4)))
    words = ["sweep", "--system", "system.json", "--scheme", families, "--max-steps", str(MAX_STEPS), "--format", form, "--output"]
    threads = ["--num-threads", "1"]
    status, _ = trial.call(words + ["whole"] + threads)
    if status != 0:
        return "refused"
    for k in range(trial.random.randint(1, 4)):
        threads[1] = str(trial.random.randint(1, 4))
        cut(trial, words + ["pieces"] + threads + (["--resume"] if k > 0 else []))
    trial.call(words + ["pieces"] + threads + ["--resume"], statuses=(0,))
    same("resumed", trial.read("whole"), trial.read("pieces"))
    left = [name for name in os.listdir(trial.folder) if name.endswith(".part")]
    if left:
        raise Violation(f"left {left}")
    return "resumed"


def try_analyses(trial, known):
    model = model_of(trial, known.models)
    scheme = draw.scheme_options(trial.random, known)
    words = trial.random.choice([["show", model], ["graph", model], ["linearise", model], ["spectral", model] + scheme,
                                 ["spectral", model, "--matrix"] + scheme, ["stability", model, "--critical"] + scheme,
                                 ["stability", model, "--x", "step-size=0.01:1:log:5"] + scheme,
                                 ["converge", model, "--max-steps", str(MAX_STEPS)] + scheme,
                                 ["compare", model, "--max-steps", str(MAX_STEPS), "--scheme", ",".join(trial.random.sample(known.families, 3))]])
    status, _ = trial.call(words + ["--format", "csv" if words[0] == "graph" else "json"])
    return words[0] if status == 0 else "refused"


def variants(random, system):
    """(name, the same system in other words): nothing that a scheme that treats all at once computes may depend on them."""
    order = list(range(len(system["subsystems"])))
    random.shuffle(order)
    yield "permuted", draw.permuted(system, order)
    yield "states scaled", draw.scaled_states(system, [[2.0 ** random.randint(-4, 4) for _ in sub["A"]] for sub in system["subsystems"]])
    yield "inputs in other units", draw.scaled_inputs(system, 2.0 ** random.randint(1, 4))
    yield "inputs split", draw.split_inputs(system)
    yield "outputs in other units", draw.scaled_outputs(system, 2.0 ** random.randint(1, 4))
    yield "time in other units", draw.scaled_time(system, 2.0 ** random.randint(1, 4))


def radius_of(trial, system, options):
    """The spectral radius of the propagation matrix of a system; None: it has none."""
    with open(os.path.join(trial.folder, "system.json"), "w", encoding="utf-8") as file:
        json.dump(system, file)
    status, out = trial.call(["spectral", "system.json", "--solver", "exact", "--step-size", repr(system["step_size"]),
                              "--format", "json"] + options, statuses=(0, 1, 2))
    if status != 0:
        return None
    answer = json.loads(out)
    if answer["max_difference"] > 1e-6 * max(1.0, answer["spectral_radius"]):
        raise Violation(f"formula and probe differ by {answer['max_difference']}")
    return answer["spectral_radius"]


def check_certificate(trial, system):
    """What is proved of an interval of step sizes holds at some that are drawn in it. Proofs for more states may take minutes."""
    if sum(len(sub["A"]) for sub in system["subsystems"]) > 5:
        return
    status, out = trial.call(["stability", "system.json", "--critical", "--certify", "--format", "json"], statuses=(0, 1, 2))
    for entry in json.loads(out)["certify"] if status == 0 else []:
        for low, high in entry["proved"]:
            h = trial.random.uniform(max(low, 1e-3 * high), high)
            radius = radius_of(trial, dict(system, step_size=h), [])
            if radius is None or radius > 1 + 1e-9:
                raise Violation(f"certified from {low} to {high}, but the spectral radius is {radius} at {h}")


def differing(trial, system, options, seed):
    """What of the variants of a system has another spectral radius; None: nothing. Powers of two as factors leave round-off alone,
    but a new order does not, and six eigenvalues that are equal move by its sixth root."""
    here = radius_of(trial, system, options)
    for name, other in variants(random.Random(seed), system) if here is not None else []:
        there = radius_of(trial, other, options)
        if there is None or abs(here - there) > 1e-2 * max(1.0, here):
            return f"{name}: spectral radius {there}, it was {here}"
    return None


def shrink(trial, system, options, seed):
    """A smaller system that differs too: with fewer states and zeros in place of numbers, as long as one is found."""
    found = True
    while found:
        found = False
        for smaller in draw.smaller(system):
            if differing(trial, smaller, options, seed) is not None:
                system, found = smaller, True
                break
    return system


def try_invariants(trial, known):
    system = draw.linear_system(trial.random)
    options = trial.random.choice([[], ["--extrapolation-order", "1"], ["--linear-correction"]])
    seed = trial.random.random()
    if radius_of(trial, system, options) is None:
        return "refused"
    wrong = differing(trial, system, options, seed)
    if wrong is not None:
        del trial.calls[:]
        small = shrink(trial, system, options, seed)
        raise Violation(f"{differing(trial, small, options, seed)}; of {json.dumps(small)}")
    check_certificate(trial, system)
    return "the same"


def close(trial, what, one, other):
    """Two trajectories agree, each column up to its largest value, but for the time."""
    def columns(name):
        return list(zip(*([float(cell) for cell in line.split(",")] for line in rows_of(trial, name).splitlines()[1:])))

    for a, b in zip(columns(one)[1:], columns(other)[1:], strict=True):
        largest = max(abs(x) for x in a)
        if len(a) != len(b) or (largest < 1e100 and not all(abs(x - y) <= 1e-6 * max(1.0, largest) for x, y in zip(a, b))):
            raise Violation(f"{what}: {a} and {b}")


FIGURE = {"id": "own:fig", "title": "One run", "source": "this trial", "picture": False, "lists": {"H": [0.125]},
          "tables": {"errors": {"title": "Errors", "of": "run", "columns": {"error": "error"}}}}


def try_ways(trial, known):
    system = draw.linear_system(trial.random)
    with open(os.path.join(trial.folder, "system.json"), "w", encoding="utf-8") as file:
        json.dump(system, file)
    options = ["--scheme", trial.random.choice(["jacobi", "gauss-seidel"]), "--format", "json"]
    words = ["run", "system.json", "--solver", "exact"] + options
    status, out = trial.call(words + ["--trajectory", "one.csv"])
    if status != 0:
        return "refused"
    answer = json.loads(out)
    trial.call(words + ["--trajectory", "later.csv", "--start-time", "8", "--stop-time", "9"], statuses=(0,))
    close(trial, "later", "one.csv", "later.csv")
    with open(os.path.join(trial.folder, "figure.json"), "w", encoding="utf-8") as file:
        run = {"command": " ".join(words[:-2]) + " --step-size {H}", "over": ["H"], "values": {"error": "answer.errors.max"}}
        json.dump(dict(FIGURE, runs={"run": run}), file)
    _, out = trial.call(["figure", "figure.json", "--directory", "figure", "--format", "json"], statuses=(0,))
    error = json.loads(out)["tables"]["Errors"][0]["error"]
    if error != answer["errors"]["max"]:
        raise Violation(f"error {error} in a figure, {answer['errors']['max']} of the run")
    if known.mpirun:
        trial.call(words + ["--trajectory", "ranks.csv", "--execution", "mpi"], statuses=(0,), ranks=2)
        close(trial, "two ranks", "one.csv", "ranks.csv")
    if trial.call(["export", "system.json", "--directory", "."])[0] == 0:
        trial.call(["run", "system.ssp", "--trajectory", "fmus.csv", "--step-size", "0.125", "--stop-time", "1"] + options, statuses=(0,))
        close(trial, "as FMUs", "one.csv", "fmus.csv")
    return answer["reason"]


TRIALS = [try_invariants] * 3 + [try_ways] * 2 + [try_run] * 6 + [try_kernels] * 2 + [try_resume] + [try_analyses] * 3


# All of them --------------------------------------------------------------------------------------------------


class Known:
    """What the command knows, and this processor."""

    def __init__(self, macrostep):
        def listed(what):
            out = subprocess.run([macrostep, "list", what, "--format", "json"], capture_output=True, text=True, check=True).stdout
            return json.loads(out)

        self.families = [entry["name"] for entry in listed("schemes") if entry["kind"] == "scheme"]
        self.solvers = [entry["name"] for entry in listed("solvers")]
        self.models = [entry["name"] for entry in listed("models")]
        text = subprocess.run([macrostep, "run", "--help=all"], capture_output=True, text=True, check=True).stdout
        self.options = draw.options_of_help(text)
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = next((line for line in file if line.startswith("flags")), "").split()
        self.mpirun = shutil.which("mpirun") is not None and os.path.exists(os.path.join(os.path.dirname(macrostep), "plugins/macrostep-mpi.so"))
        self.kernels = [name for name, flag in KERNELS.items() if flag in flags] or ["Prescott"]

    @staticmethod
    def is_linear(trial):
        return all("A" in sub for sub in json.loads(trial.read("system.json"))["subsystems"])


def try_one(macrostep, known, seed, k):
    """(what was tried, what came of it, violation or None, calls)"""
    folder = tempfile.mkdtemp(prefix="soak-")
    trial = Trial(macrostep, seed, k, folder)
    what = trial.random.choice(TRIALS)
    try:
        outcome, wrong = what(trial, known), None
    except Violation as violation:
        outcome, wrong = "violation", str(violation)
    system = trial.read("system.json")
    shutil.rmtree(folder)
    return what.__name__[4:], outcome, wrong, trial.calls, system


def show(seed, k, result):
    what, outcome, wrong, calls, system = result
    print(f"trial {k} of seed {seed}, {what}: {wrong or outcome}")
    for line in [f"system.json: {system}"] + calls:
        print(f"    {line}")
    sys.stdout.flush()


def summarise(counts, seconds):
    for what in sorted({key[0] for key in counts}):
        outcomes = {key[1]: n for key, n in counts.items() if key[0] == what}
        print(f"{what:9} {sum(outcomes.values()):6}  " + ", ".join(f"{name} {n}" for name, n in sorted(outcomes.items(), key=lambda o: -o[1])))
    violations = sum(n for key, n in counts.items() if key[1] == "violation")
    print(f"{sum(counts.values())} trials in {seconds:.0f} s, {violations} violations")
    return violations


def soak(macrostep, arguments):
    known, counts, began = Known(macrostep), collections.Counter(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting, k = {}, 0
        while waiting or time.monotonic() - began < arguments.seconds:
            while len(waiting) < arguments.jobs and time.monotonic() - began < arguments.seconds:
                waiting[pool.submit(try_one, macrostep, known, arguments.seed, k)] = k
                k += 1
            done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                result, number = future.result(), waiting.pop(future)
                counts[result[0], result[1]] += 1
                if result[2] is not None:
                    show(arguments.seed, number, result)
    return summarise(counts, time.monotonic() - began)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("macrostep")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    macrostep = os.path.abspath(arguments.macrostep)
    if arguments.only is None:
        return soak(macrostep, arguments) > 0
    result = try_one(macrostep, Known(macrostep), arguments.seed, arguments.only)
    show(arguments.seed, arguments.only, result)
    return result[2] is not None


if __name__ == "__main__":
    sys.exit(main())
