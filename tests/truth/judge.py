# SPDX-License-Identifier: GPL-3.0-or-later
"""judge.py BUILD [--short] [--seed N] [--jobs N] [--only WORD] [--show NAME] - runs and integrates all problems of truth.csv, and holds the
reference of each answer, and the errors that it states, against the truth.

What fails:

    understated   the reference errs by more than it states, beyond 2 units of round-off (2^-52) of the largest state
    misstated     the error that a run states of a state at the end is not its true one, up to what the reference may miss
    silent        there are no errors although the end was reached, and nothing says why
    refused       a problem that no scheme takes
    no end        an answer took longer than 10 seconds of a processor (worker.c), and a run without errors does not
    other         the command's answer is not the library's

An answer without errors but with a reason is `unknown`; they may be UNKNOWN of all answers at most. The median of stated by true errors,
true ones of less than one unit of round-off counted as that, has to be MEDIAN at most."""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

from problems import digest, inputs_text, problems, system_text, times

UNIT = Fraction(1, 2**52)
MEDIAN = 100
UNKNOWN = Fraction(1, 20)
FAULTS = ("understated", "misstated", "silent", "refused", "no end", "other")
LOW = ("gsl-rk1imp", "gsl-rk2imp", "gsl-rk2") # of order 3 and less: by 1e-6 they take minutes
SAMPLE = 5 # every fifth micro-solver in a short run
HERE = os.path.dirname(os.path.abspath(__file__))

Verdict = collections.namedtuple("Verdict", "problem job what stated true seconds message")


# Problems ------------------------------------------------------------------------------------------------------------------

def read_truth():
    """name: (digest, {time: states})."""
    held = {}
    with open(os.path.join(HERE, "truth.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            held.setdefault(row["name"], (row["digest"], {}))[1][float(row["time"])] = [Fraction(x) for x in row["states"].split()]
    return held


def with_truth(only):
    """Problems and their true states; what the file does not hold ends the program."""
    held, made = read_truth(), []
    for problem in problems():
        if only not in problem["name"] and only != problem["kind"]:
            held.pop(problem["name"], None)
            continue
        known = held.pop(problem["name"], None)
        if known is None or known[0] != digest(problem):
            sys.exit(f"truth.csv does not hold the values of {problem['name']} as it is now: make truth GENERATE=1")
        made.append((problem, known[1]))
    if held:
        sys.exit(f"truth.csv holds values of {next(iter(held))}, which is no problem: make truth GENERATE=1")
    return made


def files_of(problem, folder):
    """Written; their paths."""
    system, inputs = (os.path.join(folder, problem["name"] + end) for end in (".json", ".csv"))
    with open(system, "w", encoding="utf-8") as file:
        file.write(system_text(problem))
    if problem["inputs"]:
        with open(inputs, "w", encoding="utf-8") as file:
            file.write(inputs_text(problem))
    return system, inputs if problem["inputs"] else None


# Jobs ----------------------------------------------------------------------------------------------------------------------

def schemes(problem, k):
    third = ["scheme=ifosmondi", "scheme=waveform", "scheme=strang"]
    if problem["kind"] not in ("long", "resonant", "events"): # of too many steps
        third.append("scheme=jacobi error-controlled=richardson")
    return ("scheme=jacobi", "scheme=gauss-seidel extrapolation-order=1", third[k % len(third)])


def jobs_of(problem, k, solvers, every=1):
    """Problem k of all; solvers: (name, whether it is for stiff problems), of which every so many are taken."""
    micro = ("", " solver=gsl-rk8pd", " solver=cvode-bdf")[k % 3] if not problem["stiff"] and not problem["model"] else ""
    known = [name for name, stiff in solvers if stiff or not problem["stiff"]]
    if problem["stiff"]: # their references take long
        known = [name for i, name in enumerate(known) if name in ("cvode-bdf", "radau-iia") or i % 4 == k % 4]
    known = ["ida"] if problem["model"] else [name for i, name in enumerate(known) if (i + k // 10) % every == 0]
    end = problem["system"]["end"]
    times_of = f" stop-time={end!r} step-size={problem['system']['step_size']!r}" if problem["model"] else ""
    stop = f" stop-time={end!r}" if problem["model"] else ""
    fine = f" step-size={end / (20000 if problem['kind'] in ('long', 'resonant') else 2000)!r}"
    runs = [f"run {scheme}{micro}{times_of}" for scheme in schemes(problem, k)]
    tight = {name: " solver-rtol=1e-3 solver-atol=1e-3" if name in LOW else "" for name in known}
    return runs + [f"integrate solver={name}{tight[name]}{stop}{fine}" for name in known]


class Worker:
    """A process of worker.c, which ends where a job takes too long, and is started again."""

    def __init__(self, program):
        self.program, self.process = program, None

    def start(self):
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", LC_ALL="C")
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def ask(self, words, jobs):
        """Job: its answer, a list of words; None where it has not come to its end, behind which no other is asked for."""
        if self.process is None:
            self.start()
        self.process.stdin.write("\t".join(words + jobs) + "\n")
        self.process.stdin.flush()
        answers = {}
        for text in iter(self.process.stdout.readline, "end\n"):
            if not text.endswith("\n"):
                self.process.wait()
                self.process = None
                answers[jobs[len(answers)]] = None
                break
            job, *rest = text.rstrip("\n").split("\t")
            answers[job] = rest
        return answers

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


# Verdicts --------------------------------------------------------------------------------------------------------------------

def numbers(text):
    return [Fraction(float(word)) for word in text.split()] if "nan" not in text and "inf" not in text else None


def largest_distance(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def judge(problem, truth, job, answer):
    if answer is None:
        return Verdict(problem, job, "no end", None, None, 10.0, "more than 10 s of a processor, or a crash")
    reason, seconds, known, stated, x, errors, reference, middle, message = answer
    seconds = float(seconds)
    if reason != "end-time":
        return Verdict(problem, job, "refused" if reason == "refused" else "ended early", None, None, seconds, message or reason)
    if known != "1" or stated == "nan" or numbers(x) is None:
        return Verdict(problem, job, "unknown" if message else "silent", None, None, seconds, message)
    exact = truth[max(truth)]
    size = max(map(abs, exact))
    stated = Fraction(float(stated))
    x, errors, states = numbers(x), numbers(errors), numbers(reference) if reference else None
    own = max(abs(abs(a - b) - e) for a, b, e in zip(x, exact, errors)) # of the errors that are stated
    true = largest_distance(states, exact) if states else own
    if states and middle and len(truth) > 1:
        early = truth[min(truth)]
        true = max(true, largest_distance(numbers(middle), early))
        size = max([size] + [abs(value) for value in early])
    bound = stated + 2 * UNIT * size
    rounded = bound + 2 * UNIT * max(map(abs, x)) # errors are differences of doubles, which are large where x is
    if true > (bound if states else rounded):
        what = "understated"
    else:
        what = "misstated" if own > rounded else "known"
    return Verdict(problem, job, what, stated / size if size else stated, max(true / size if size else true, UNIT), seconds, message)


def answers_of(worker, words, jobs):
    """Runs and integrations apart: what makes one too slow may not be in the other. What is too slow without errors as well says nothing
    of references."""
    answers = {}
    for word in ("run", "integrate"):
        left = [job for job in jobs if job.startswith(word)]
        while left:
            found = worker.ask(words, left)
            answers.update(found)
            slow = left[len(found) - 1]
            left = left[len(found):]
            if found[slow] is None:
                alone = slow + " errors=none"
                if worker.ask(words, [alone])[alone] is not None:
                    break
                answers[slow] = ["too slow", "10", "0", "nan", "", "", "", "", "more than 10 s of a processor without errors"]
    return answers


def ask(task, folder, workers):
    problem, truth, jobs = task
    worker = workers.get()
    try:
        system, inputs = files_of(problem, folder)
        name, settings = problem["model"] if problem["model"] else (system, {})
        middle = repr(min(truth)) if len(truth) > 1 else "-1"
        text = " ".join(f"{key}={value!r}" for key, value in settings.items()) or "-"
        answers = answers_of(worker, [name, inputs or "-", text, middle], jobs)
    finally:
        workers.put(worker)
    verdicts = [judge(problem, truth, job, answer) for job, answer in answers.items()]
    runs = [verdict for verdict in verdicts if verdict.job.startswith("run")]
    if all(verdict.what == "refused" for verdict in runs):
        return verdicts, answers
    return [verdict._replace(what="not for it") if verdict.what == "refused" else verdict for verdict in verdicts], answers


# The command -------------------------------------------------------------------------------------------------------------------

def options_of(job):
    """As the command has them."""
    return [word for pair in job.split()[1:] for word in ("--" + pair.split("=")[0], pair.split("=")[1])]


def by_command(macrostep, problem, folder, job, answer):
    """Does the command say of a run what the library says?"""
    system, inputs = files_of(problem, folder)
    words = [macrostep, "run", system, *(["--inputs", inputs] if inputs else []), *options_of(job), "--format", "json", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    if done.returncode != 0:
        return Verdict(problem, job, "other", None, None, 0, done.stderr.strip())
    said = json.loads(done.stdout)
    errors = [state["end"] for state in said["errors"]["per_state"].values()] if said["errors"] else []
    same = said["reason"] == answer[0] and (errors == [float(word) for word in answer[4 + 1].split()])
    if same and errors:
        same = said["reference_error"] == float(answer[3])
    return None if same else Verdict(problem, job, "other", None, None, 0, "the command's errors are not the library's")


# Reporting -----------------------------------------------------------------------------------------------------------------------

def ratios(verdicts):
    return [float(one.stated / one.true) for one in verdicts if one.what in ("known", "misstated", "understated")]


def table(verdicts):
    print(f"{'kind':12} {'problems':>8} {'answers':>8} {'known':>7} {'understated':>11} {'other faults':>12} {'unknown':>7} {'stated/true':>12} {'largest':>9}")
    for kind in list(dict.fromkeys(one.problem["kind"] for one in verdicts)) + ["all"]:
        of = [one for one in verdicts if kind in (one.problem["kind"], "all") and one.what != "not for it"]
        count = collections.Counter(one.what for one in of)
        ratio = ratios(of)
        print(f"{kind:12} {len({one.problem['name'] for one in of}):8} {len(of):8} {len(ratio):7} {count['understated']:11} "
              f"{sum(count[what] for what in FAULTS[1:]):12} {count['unknown']:7} {statistics.median(ratio) if ratio else float('nan'):12.3g} "
              f"{max(ratio, default=float('nan')):9.2g}")


def show_faults(verdicts):
    """The worst of each problem and fault, with what repeats it."""
    faults = [one for one in verdicts if one.what in FAULTS]
    worst = {}
    for one in faults:
        key = (one.problem["name"], one.what)
        if key not in worst or (one.true or 0) > (worst[key].true or 0):
            worst[key] = one
    for (name, what), one in worst.items():
        same = sum(other.problem["name"] == name and other.what == what for other in faults)
        by = f"stated {float(one.stated):.2g}, true {float(one.true):.2g} of the largest state" if one.true is not None else one.message
        print(f"{what}: {name}, {by} ({same} of its answers)\n    {command(one)}")
    return faults


def command(verdict):
    name, (word, *_) = verdict.problem["name"], verdict.job.split()
    if verdict.problem["model"]:
        return f"make truth ONLY={name}    # {verdict.job}"
    inputs = f" --inputs {name}.csv" if verdict.problem["inputs"] else ""
    options = [(one, two) for one, two in zip(options_of(verdict.job)[::2], options_of(verdict.job)[1::2])]
    fixed = ("euler", "rk4", "trapezoidal", "radau-iia", "generalised-alpha")
    text = " ".join(f"{one} {two}" for one, two in options if word == "run" or one != "--step-size" or dict(options)["--solver"] in fixed)
    return f"make truth SHOW={name} && build/macrostep {word} {name}.json{inputs} {text}"


def conclude(verdicts, seconds):
    table(verdicts)
    faults = show_faults(verdicts)
    ratio, known = ratios(verdicts), len(ratios(verdicts))
    answers = [one for one in verdicts if one.what != "not for it"]
    unknown = sum(one.what == "unknown" for one in answers)
    median = statistics.median(ratio) if ratio else float("nan")
    slowest = max(verdicts, key=lambda one: one.seconds)
    print(f"the slowest answer took {slowest.seconds:.1f} s of a processor: {slowest.problem['name']}, {slowest.job}")
    kinds = collections.Counter(one.what for one in faults)
    print(f"truth: {len({one.problem['name'] for one in answers})} problems, {known} answers with errors, "
          f"{kinds['understated']} understated, {sum(kinds.values()) - kinds['understated']} other faults, {unknown} unknown, "
          f"median of stated/true {median:.3g}; {seconds:.0f} s")
    return bool(faults) or not median <= MEDIAN or unknown > UNKNOWN * len(answers)


def sees(found, answers, truth):
    """Does a truth that is moved by ten times what a run may miss make it understated?"""
    known = next((one for one in found if one.what == "known" and one.job.startswith("run")), None)
    if known is None:
        return True
    end = max(truth)
    by = 10 * (Fraction(float(answers[known.job][3])) + 2 * UNIT * max(map(abs, truth[end])))
    return judge(known.problem, {**truth, end: [value + by for value in truth[end]]}, known.job, answers[known.job]).what == "understated"


def chosen(options):
    """(index, problem, truth) of those that are asked for; a sample takes a tenth of each family."""
    every = list(enumerate(with_truth(options.only)))
    return [one for one in every if not options.short or one[0] % 10 == options.seed % 10]


def solvers_of(macrostep):
    said = json.loads(subprocess.run([macrostep, "list", "solvers", "--format", "json"], capture_output=True, text=True, check=True).stdout)
    return [(one["name"], "(stiff)" in one["summary"] or one["name"] in ("exact", "ida")) for one in said]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build")
    arguments.add_argument("--short", action="store_true")
    arguments.add_argument("--seed", type=int, default=int(time.strftime("%j")))
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--only", default="")
    arguments.add_argument("--show", default="")
    options = arguments.parse_args()
    if options.show:
        print(*files_of(next(one for one in problems() if one["name"] == options.show), "."))
        return 0
    began, verdicts = time.time(), []
    macrostep = os.path.abspath(os.path.join(options.build, "macrostep"))
    solvers = solvers_of(macrostep)
    every = SAMPLE if options.short else 1
    tasks = [(problem, truth, jobs_of(problem, k, solvers, every)) for k, (problem, truth) in chosen(options)]
    if not tasks:
        sys.exit(f"no problem is called {options.only}")
    workers = queue.Queue()
    for _ in range(options.jobs):
        workers.put(Worker(os.path.join(options.build, "truth", "worker")))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = pool.map(lambda task: ask(task, folder, workers), tasks)
        for n, ((problem, truth, jobs), (found, answers)) in enumerate(zip(tasks, done)):
            verdicts += found
            if not sees(found, answers, truth):
                verdicts.append(Verdict(problem, jobs[0], "other", None, None, 0, "a planted error is not seen"))
            if n % 12 == 0 and not problem["model"] and answers[jobs[0]] and answers[jobs[0]][0] == "end-time":
                verdicts += filter(None, [by_command(macrostep, problem, folder, jobs[0], answers[jobs[0]])])
    while not workers.empty():
        workers.get().close()
    return conclude(verdicts, time.time() - began)


if __name__ == "__main__":
    sys.exit(main())
