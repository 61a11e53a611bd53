# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests reach which line, and how long each takes: one run of all tests with the mutated files compiled for gcov and with the
sanitizers, so that a test which fails without a mutant is told. What is found is kept
until a source or the test changes."""
import bisect
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import time

import build as building

COUNTED = building.SANITIZED + " -O1 -g --coverage -fprofile-update=prefer-atomic -fno-inline -w"


class Reach:
    """lines[path][line]: the tests that were there; known[path]: the lines with code; seconds[test]."""

    def __init__(self, found, files):
        self.lines, self.seconds = collections.defaultdict(lambda: collections.defaultdict(set)), {}
        self.known, self.functions = {}, {}
        for test, (seconds, paths) in found.items():
            self.seconds[test] = seconds
            for path, (reached, lines, functions) in paths.items():
                self.known[path], self.functions[path] = sorted(lines), functions
                for line in reached:
                    self.lines[path][line].add(test)
        self.text = {file.path: file.lines for file in files}

    def tests(self, path, line):
        """Those that reached some line of the statement that this line stands in; outside of functions all."""
        if not any(a <= line <= b for a, b in self.functions.get(path, [])):
            return set(self.seconds)
        text, first, last = self.text[path], line, line
        while first > 1 and not re.search(r"[;{}:](?: */\*.*\*/)?$|\*/$|^ *(?:else|do)$", text[first - 2]):
            first -= 1
        while last < len(text) and not re.search(r"[;{}](?: */\*.*\*/)?$", text[last - 1]):
            last += 1
        known = self.known[path]
        wanted = set(known[bisect.bisect_left(known, first):bisect.bisect_right(known, last)])
        before = bisect.bisect_right(known, line)
        if not wanted and before:
            wanted = {known[before - 1]}
        return set().union(*(self.lines[path][k] for k in wanted))


def measure(build, files, folder):
    """Reach of all tests; of those that did not change, as it was."""
    cache, found = os.path.join(folder, "reach.json"), {}
    if os.path.exists(cache):
        with open(cache, encoding="utf-8") as file:
            found = json.load(file)
    missing = [test for test in build.tests if found.get(test.name, [None])[0] != build.identity + test.identity()]
    if missing:
        print(f"{len(missing)} tests are run once to see what they reach", flush=True)
        objects = os.path.join(folder, "objects")
        for sanitized in (True, False):
            chosen = [test for test in missing if test.sanitized == sanitized]
            archive = compile_all(build, files, objects, COUNTED if sanitized else COUNTED.replace(building.SANITIZERS, "")) if chosen else None
            with concurrent.futures.ThreadPoolExecutor(build.jobs) as pool:
                jobs = [pool.submit(run_one, build, test, archive, objects) for test in chosen]
                for job in concurrent.futures.as_completed(jobs):
                    test, seconds, paths = job.result()
                    found[test.name] = [build.identity + test.identity(), seconds, paths]
                    write(cache, found)
        shutil.rmtree(objects, ignore_errors=True)
    return Reach({test.name: found[test.name][1:] for test in build.tests}, files)


def write(path, found):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(found, file)
    os.replace(path + ".new", path)


def compile_all(build, files, folder, flags):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    archive = os.path.join(folder, "library.a")
    shutil.copyfile(build.library, archive)

    def one(file):
        made = os.path.join(folder, os.path.basename(file.path)[:-2] + ".o")
        subprocess.run(f"{build.compile[file.path]} {flags} -c {file.path} -o {made}", shell=True, check=True)
        return made

    with concurrent.futures.ThreadPoolExecutor(build.jobs) as pool:
        made = list(pool.map(one, files))
    subprocess.run(["ar", "r", archive] + made, check=True)
    return archive


def run_one(build, test, archive, objects):
    place = build.place(f"reach-{test.name}")
    program = build.link(test, place, [], archive, "--coverage")
    data = os.path.join(place.folder, "data")
    began = time.monotonic()
    status, log = build.run(program, place, 1000, {"GCOV_PREFIX": data})
    seconds = time.monotonic() - began
    if status != 0:
        raise SystemExit(f"mutants: {test.name} fails without a mutant (exit status {status}):\n{log[-2000:]}")
    paths = {}
    counts = [os.path.join(root, name) for root, _, names in os.walk(data) for name in names if name.endswith(".gcda")]
    for count in counts: # gcov looks for the notes beside the counts
        shutil.copyfile(os.path.join(objects, os.path.basename(count)[:-5] + ".gcno"), count[:-5] + ".gcno")
    if counts:
        told = subprocess.run(["gcov", "--json-format", "--stdout"] + counts, check=True, capture_output=True, text=True)
        for line in told.stdout.splitlines():
            for file in json.loads(line)["files"]:
                if file["file"] in build.compile:
                    lines = {entry["line_number"]: 0 for entry in file["lines"]}
                    for entry in file["lines"]:
                        lines[entry["line_number"]] += entry["count"]
                    paths[file["file"]] = [[k for k, n in lines.items() if n], sorted(lines),
                                           [(f["start_line"], f["end_line"]) for f in file["functions"]]]
    place.remove()
    return test, seconds, paths
