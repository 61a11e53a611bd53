# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries every FMU and system structure in a folder and its subfolders, and reports what loads, runs and agrees with a reference.

Each FMU (FILE.fmu) is shown, probed if it is for co-simulation, and run alone for its DefaultExperiment, as each kind that it has; a
system structure (.ssd, .ssp) is run as it says. As in fmi-cross-check, there may be further files next to FILE: inputs (FILE_in.csv, FILE.csv),
a reference (FILE_ref.csv, FILE_out.csv) and options of the run (FILE_ref.opt). Their names may begin differently if FILE is the only one in
its folder. Input columns that the FMU does not have are ignored.

Every call is a process with a time limit, and every FMU in it is another process (--isolate), so that no item affects the others.

The outcome of an item:
    agrees     it ran, and is everywhere within --tolerance of the range of a column from the reference; times may differ by a macro-step
               or by a row of the reference, at most a 500th of it
    deviates   it ran, and the difference is larger
    runs       it ran, but there was nothing to compare it with: only states, inputs and outputs are recorded
    ended      it ran, but ended before its end time, for a named reason
    refused    a line says why
    died       a signal, or an unexpected end of the process
    timed-out  it took longer than the limit

The exit status is 0, or 1 if an item died or timed out, 2 if the call is wrong. The answer (--output FILE.json) has the shape of
bench/schemas/foreign.json; `macrostep report` makes a page of DIRECTORY/foreign.json.
"""

import argparse
import bisect
import collections
import concurrent.futures
import csv
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import macrostep

OUTCOMES = ("agrees", "deviates", "runs", "ended", "refused", "died", "timed-out")
BAD = ("died", "timed-out")
ENDS = ("end-time", "terminated")  # reasons of a run that went as far as it was to go
DEATH = re.compile(r"ended by signal|it has ended its process|ended by a call of exit")
TAIL = 4000  # bytes of standard error in which the line stands that says why


class Failed(Exception):
    """A call without an answer."""

    def __init__(self, outcome, why):
        super().__init__(why)
        self.outcome, self.why = outcome, why


# Calls ------------------------------------------------------------------------------------------------------------


class Trial:
    """How items are tried. Calls of macrostep are groups of processes, each of which ends at its limit."""

    def __init__(self, root, limit, tolerance):
        self.root, self.limit, self.tolerance = root, limit, tolerance
        self.alive, self.lock = set(), threading.Lock()

    def kill(self):
        with self.lock:
            for group in self.alive:
                os.killpg(group, signal.SIGKILL)

    def wait(self, process):
        with self.lock:
            self.alive.add(process.pid)
        try:
            return process.wait(self.limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with self.lock:
                self.alive.discard(process.pid)
                try:
                    os.killpg(process.pid, signal.SIGKILL)  # whatever an FMU has left
                except ProcessLookupError:
                    pass
            process.wait()

    def answer(self, folder, command, path, **options):
        """The answer of the command for the file; raises Failed if there is none."""
        line = macrostep.command_line(command, path, isolate=True, compile_sources=True, format="json", **options)
        out, err = os.path.join(folder, "out"), os.path.join(folder, "err")
        environment = dict(os.environ, TMPDIR=folder, OMP_WAIT_POLICY="PASSIVE")
        with open(out, "wb") as to, open(err, "wb") as said:
            status = self.wait(subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=to, stderr=said, env=environment,
                                                start_new_session=True))
        if status is None:
            raise Failed("timed-out", f"{command} took longer than {self.limit:g} s")
        if status < 0:
            raise Failed("died", f"{command} was ended by {signal.Signals(-status).name}")
        if status != 0:
            why = line_of(err, path, folder)
            raise Failed("died" if DEATH.search(why) or not why else "refused", why or f"{command} ended with status {status} and no line")
        with open(out, encoding="utf-8") as file:
            try:
                return json.load(file)
            except ValueError:
                raise Failed("died", f"{command} gave no answer") from None


def line_of(err, path, folder):
    """The line that says why, without the path, which the row has already, and without the folder of the call."""
    with open(err, "rb") as file:
        file.seek(max(0, os.path.getsize(err) - TAIL))
        lines = [one for one in file.read().decode(errors="replace").splitlines() if one.startswith("macrostep: ")]
    line = lines[-1][len("macrostep: "):] if lines else ""
    for known in (os.path.realpath(path) + ": ", path + ": ", folder + os.sep):
        line = line.replace(known, "")
    return line


# Tables of numbers ------------------------------------------------------------------------------------------------


def number(text):
    """A cell as a number; None: it is none."""
    try:
        return {"true": 1.0, "false": 0.0}[text.strip().lower()] if text.strip().lower() in ("true", "false") else float(text)
    except ValueError:
        return None


def rows_of(path):
    with open(path, newline="", encoding="utf-8-sig", errors="replace") as file:
        return [[cell.strip() for cell in row] for row in csv.reader(line for line in file if not line.startswith("#")) if row]


def table(path):
    """{NAME: numbers}: the columns that contain only numbers. The first one is the time."""
    rows = rows_of(path)
    columns = {name: [number(row[k]) if k < len(row) else None for row in rows[1:]] for k, name in enumerate(rows[0])} if rows else {}
    return {name: values for name, values in columns.items() if None not in values}


def times_of(columns):
    return next(iter(columns.values()), [])


def recorded(trajectory):
    """{NAME: column}: outputs have priority over states and these over inputs; for a single FMU without the name of its subsystem."""
    found = {}
    for kind in ("u", "x", "y"):
        for name in trajectory:
            subsystem, found_kind, variable = (name.split(".", 2) + ["", ""])[:3]
            if found_kind == kind:
                found[f"{subsystem}.{variable}"] = found[name] = trajectory[name]
                if subsystem == "fmu":
                    found[variable] = trajectory[name]
    return found


def distance(times, values, t, value, within):
    """The distance of a value from those of a curve near t; 0: the curve has it."""
    first, last = bisect.bisect_left(times, t - within) - 1, bisect.bisect_right(times, t + within) + 1
    near = values[max(first, 0):last]
    return max(min(near) - value, value - max(near), 0.0)


def deviation(curve, reference):
    """The largest distance of each common column over its range: (distance, column, number of columns); None: there is none."""
    times, rows = times_of(curve), times_of(reference)
    known, worst = recorded(curve), None
    common = [name for name in list(reference)[1:] if name in known]
    if len(times) < 2 or not common or not rows:
        return None
    step = max(after - before for before, after in zip(times, times[1:]))
    within = max(step, min((rows[-1] - rows[0]) / max(len(rows) - 1, 1), (rows[-1] - rows[0]) / 500.0)) * (1.0 + 1e-9)
    for name in common:
        values = reference[name]
        largest = max(abs(value) for value in values)
        scale = max(max(values) - min(values), 1e-3 * largest) or 1.0
        off = max((distance(times, known[name], t, value, within) / scale for t, value in zip(rows, values)
                   if times[0] <= t <= times[-1] * (1.0 + 1e-9)), default=0.0)
        worst = (off, name) if worst is None or not off <= worst[0] else worst
    return (*worst, len(common))


# Items ------------------------------------------------------------------------------------------------------------


def beside(path, endings, fits):
    """The file beside this one that belongs to it; None: there is none. fits decides for one of another name."""
    folder, stem = os.path.dirname(path), os.path.splitext(path)[0]
    for ending in endings:
        if os.path.isfile(stem + ending):
            return stem + ending
    names = sorted(os.listdir(folder or "."))
    alone = sum(is_item(name) for name in names) == 1
    others = [os.path.join(folder, name) for name in names if name.endswith(tuple(one for one in endings if "_" in one))]
    return next((one for one in others if fits(one)), None) if alone else None


def names_in(path):
    rows = rows_of(path)
    return rows[0][1:] if rows else []


def options_of(path):
    """Options of the run in FILE_ref.opt: lines of a name, a comma and a value."""
    words = {"StartTime": "start_time", "StopTime": "stop_time", "StepSize": "step_size"}
    file = os.path.splitext(path)[0] + "_ref.opt"
    said = [row for row in rows_of(file) if len(row) == 2] if os.path.isfile(file) else []
    values = {words[name]: number(value) for name, value in said if name in words}
    return {name: value for name, value in values.items() if value is not None and (name == "start_time" or value > 0.0)}


def inputs_for(path, known, folder):
    """The inputs beside an FMU, with the columns that it has: (the file to give, its path, the last time); or (None, None, None)."""
    found = beside(path, ("_in.csv", ".csv"), lambda one: set(names_in(one)) & known) if known else None
    rows = rows_of(found) if found else []
    kept = [k for k, name in enumerate(rows[0]) if k == 0 or name in known] if rows else []
    if len(kept) < 2 or len(rows) < 2:
        return None, None, None
    given = os.path.join(folder, "in.csv")
    with open(given, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([row[k] for k in kept] for row in rows)
    return given, found, number(rows[-1][0])


def run(trial, folder, path, shown, row):
    """Runs an item, and compares it if it has a reference."""
    known = {one["name"] for one in shown["inputs"]} if shown else set()
    options, curve = options_of(path), os.path.join(folder, "curve.csv")
    given, row["inputs"], last = inputs_for(path, known, folder)
    if last is not None and "stop_time" not in options and last < shown["run"]["stop_time"]:
        options["stop_time"] = last
    answer = trial.answer(folder, "run", path, kind=row["kind"] if shown else None, errors="none", trajectory=curve, inputs=given,
                          quiet=True, **options)
    row.update(loads=True, reason=answer["reason"], end_time=answer["end_time"], runs=answer["reason"] in ENDS)
    if not row["runs"]:
        raise Failed("died" if DEATH.search(answer["message"]) else "ended", answer["message"] or answer["reason"])
    row["outcome"], row["reference"] = "runs", beside(path, ("_ref.csv", "_out.csv"), names_in)
    if row["reference"]:
        compare(row, table(curve), table(row["reference"]), trial.tolerance)


def compare(row, curve, reference, tolerance):
    found = deviation(curve, reference)
    if found is None:
        row["why"] = "no column of the reference is a state, an input or an output that is recorded"
        return
    off, row["variable"], row["compared"] = found
    row["deviation"] = off if math.isfinite(off) else None  # JSON has no infinities
    row["outcome"] = "agrees" if off <= tolerance else "deviates"


def attempt(trial, file, kind=None, shown=None):
    """The row of an item; shown: the description of an FMU; a row without a kind says why it is unknown."""
    row = {"file": file, "kind": kind, "tool": shown and shown["tool"], "fmi": shown and shown["fmi"], "outcome": None, "loads": False,
           "runs": False, "why": None, "reason": None, "end_time": None, "inputs": None, "reference": None, "variable": None, "compared": 0,
           "deviation": None, "findings": shown and shown["errors"], "probe": {}, "wall_seconds": None}
    path, began = os.path.join(trial.root, file), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="foreign-") as folder:
        try:
            if kind == "co-simulation":
                row["probe"] = trial.answer(folder, "show", path, probe=True)["why"]
            run(trial, folder, path, shown, row)
        except Failed as failed:
            row.update(outcome=failed.outcome, why=failed.why)
    row["wall_seconds"] = round(time.monotonic() - began, 3)
    row.update({name: row[name] and os.path.relpath(row[name], trial.root) for name in ("inputs", "reference")})
    return row


def try_file(trial, file):
    """The rows of a file: one for each kind of an FMU."""
    if not file.endswith(".fmu"):
        return [attempt(trial, file, "system")]
    with tempfile.TemporaryDirectory(prefix="foreign-") as folder:
        try:
            shown = trial.answer(folder, "show", os.path.join(trial.root, file))
        except Failed:
            return [attempt(trial, file)]
    return [attempt(trial, file, kind, shown) for kind in sorted(shown["kinds"])]


# The folder -------------------------------------------------------------------------------------------------------


def is_item(name):
    return name.endswith((".fmu", ".ssd", ".ssp"))


def files_of(root):
    """The items below a folder, by their paths in it."""
    return sorted(os.path.relpath(os.path.join(folder, name), root)
                  for folder, _, names in os.walk(root) for name in names if is_item(name))


def total(folder, rows):
    count = collections.Counter(row["outcome"] for row in rows)
    return {"folder": folder, "files": len({row["file"] for row in rows}), "items": len(rows), "loads": sum(row["loads"] for row in rows),
            "runs": sum(row["runs"] for row in rows), **{name.replace("-", "_"): count[name] for name in OUTCOMES if name != "runs"}}


def totals(rows):
    """A total for each subfolder, and one for all."""
    parts = collections.defaultdict(list)
    for row in rows:
        parts[row["file"].split(os.sep)[0] if os.sep in row["file"] else "."].append(row)
    return [total(name, part) for name, part in sorted(parts.items())] + [total("all", rows)]


def line(row):
    off = "-" if row["deviation"] is None else f"{row['deviation']:.2g}"
    more = row["why"] or (f"{row['variable']} is the furthest of {row['compared']}" if row["variable"] else "")
    return f"{row['outcome']:9}  {row['kind'] or '-':14}  {off:>8}  {row['file']}{': ' if more else ''}{more}"


def summary(count):
    return f"{count['folder']}: {count['items']} in {count['files']} files: " + ", ".join(
        f"{number} {name.replace('_', '-')}" for name, number in count.items() if name not in ("folder", "files", "items"))


def try_all(trial, jobs):
    rows = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for found in pool.map(lambda file: try_file(trial, file), files_of(trial.root)):
                print(*map(line, found), sep="\n", flush=True)
                rows += found
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            trial.kill()
            raise
    return rows


def write(path, answer):
    """Writes the file completely, or not at all."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(answer, file, indent=2, allow_nan=False)
        file.write("\n")
    os.replace(path + ".part", path)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--limit", type=float, default=60.0, metavar="S", help="time limit of a call, in seconds (60)")
    parser.add_argument("--tolerance", type=float, default=0.01, metavar="X", help="tolerance, relative to the range of a column (0.01)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="files at a time (all processors)")
    parser.add_argument("--output", metavar="FILE.json", help="the answer")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.folder):
        parser.error(f"{arguments.folder}: no folder of that name")
    if shutil.which(macrostep.command_line("show")[0]) is None:
        parser.error("the command macrostep was not found; put it on PATH, or name it in MACROSTEP")
    if not arguments.limit > 0.0 or not arguments.tolerance >= 0.0 or arguments.jobs < 1:
        parser.error("--limit, --tolerance and --jobs must be positive")
    return arguments


def main():
    arguments = read_arguments()
    rows = try_all(Trial(arguments.folder, arguments.limit, arguments.tolerance), arguments.jobs)
    counted = totals(rows)
    print(*map(summary, counted if len(counted) > 2 else counted[-1:]), sep="\n")
    if arguments.output:
        made = dict(macrostep.show("linear-pair")["provenance"], command=" ".join(["foreign.py", *sys.argv[1:]]))
        write(arguments.output, {"folder": arguments.folder, "limit": arguments.limit, "tolerance": arguments.tolerance,
                                 "totals": counted, "rows": rows, "provenance": made})
    return 1 if any(row["outcome"] in BAD for row in rows) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
