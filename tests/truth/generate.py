# SPDX-License-Identifier: GPL-3.0-or-later
"""generate.py [--check|--all] [--only WORD] FILE - computes the true states of problems twice, by two ways that have nothing in common but
their numbers (MPFR, by python3-gmpy2), and writes FILE, a line each; --check compares with what FILE holds instead.

    formula    a closed form (closed.py), or a matrix exponential over each piece of the inputs
    taylor     series of order 40 from one place that is not smooth to the next (taylor.py)
    taylor-60  the same of order 60, with longer numbers: where there is no closed form
    radau      collocation with 12 stages (collocation.py), where a problem is stiff; radau-9 with 9

Both have to agree to AGREE, relative to the largest state; values are written with 25 digits."""
import argparse
import collections
import csv
import multiprocessing
import os
import sys
import time

import gmpy2

from closed import closed
from collocation import Collocation
from equations_of import Equations
from problems import digest, problems, times
from taylor import Solver

AGREE = 1e-20
COLUMNS = ["name", "kind", "digest", "ways", "agreement", "time", "states"]


def along(solver, at):
    return [[gmpy2.mpfr(value) for value in solver.run(t)] for t in at]


def by_taylor(problem, at, order, bits, tolerance):
    return along(Solver(Equations(problem), order, bits, tolerance), at)


def by_radau(problem, at, stages, tolerance):
    return along(Collocation(Equations(problem), stages, 288, tolerance), at)


def both_ways(problem):
    """Names of the ways, and their values at the times."""
    at = times(problem)
    if problem["closed"]:
        first = ("formula", [closed(problem, t) for t in at])
        if problem["stiff"]:
            return first, ("radau", by_radau(problem, at, 12, 1e-18))
        return first, ("taylor", by_taylor(problem, at, 40, 256, 1e-38))
    if problem["stiff"]:
        return ("radau", by_radau(problem, at, 12, 1e-18)), ("radau-9", by_radau(problem, at, 9, 1e-18))
    return ("taylor-60", by_taylor(problem, at, 60, 400, 1e-56)), ("taylor", by_taylor(problem, at, 40, 256, 1e-38))


def truth(problem):
    began = time.time()
    try:
        (one, first), (two, second) = both_ways(problem)
    except Exception as error: # the line says which problem
        return problem, None, f"{type(error).__name__}: {error}", time.time() - began
    apart = max(max(abs(a - b) for a, b in zip(x, y)) / (max(map(abs, x)) or 1) for x, y in zip(first, second))
    rows = [{"name": problem["name"], "kind": problem["kind"], "digest": digest(problem), "ways": f"{one} {two}", "agreement": f"{float(apart):.0e}",
             "time": repr(t), "states": " ".join(f"{value:.25g}" for value in x)} for t, x in zip(times(problem), first)]
    return problem, rows, "" if apart <= AGREE else f"{one} and {two} differ by {float(apart):.3g}", time.time() - began


def read(file):
    if not os.path.exists(file):
        return []
    with open(file, encoding="utf-8") as stored:
        return list(csv.DictReader(line for line in stored if not line.startswith("#")))


def check(held, made):
    """The number of values that are not those of the file."""
    held = {(row["name"], row["time"]): row for row in held}
    wrong = 0
    for row in made:
        other = held.get((row["name"], row["time"]))
        a, b = ([gmpy2.mpfr(value) for value in one["states"].split()] if one else [] for one in (row, other))
        if len(a) != len(b) or max(abs(x - y) for x, y in zip(a, b)) > gmpy2.mpfr(AGREE) * max(map(abs, a)):
            print(f"{row['name']} at {row['time']}: the file does not hold {row['states']}", file=sys.stderr)
            wrong += 1
    return wrong


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("file")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--all", action="store_true")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    every, held = problems(), read(options.file)
    asked = [problem for problem in every if options.only in problem["name"] or options.only == problem["kind"]]
    kept = collections.defaultdict(list)
    for row in held:
        kept[row["name"], row["digest"]].append(row)
    made = {problem["name"]: kept[problem["name"], digest(problem)] for problem in every}
    chosen, failed = [problem for problem in asked if options.check or options.all or not made[problem["name"]]], 0
    with multiprocessing.Pool(options.jobs, maxtasksperchild=20) as pool:
        for problem, rows, complaint, seconds in pool.imap(truth, chosen, chunksize=1):
            if complaint:
                failed += 1
                print(f"{problem['name']}: {complaint}", file=sys.stderr)
            elif seconds > 60:
                print(f"{problem['name']}: {seconds:.0f} s", file=sys.stderr)
            made[problem["name"]] = rows if not complaint else []
    rows = [row for problem in every for row in made[problem["name"]]]
    print(f"{len(chosen)} problems computed, {failed} whose two ways differ, largest difference "
          f"{max((float(row['agreement']) for row in rows), default=0):.0e}")
    if options.check:
        return check(held, [row for problem in chosen for row in made[problem["name"]]]) > 0 or failed > 0
    with open(options.file, "w", encoding="utf-8", newline="") as file:
        file.write("# True states, in the order of the system file, by tests/truth/generate.py; ways and their relative difference\n")
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
