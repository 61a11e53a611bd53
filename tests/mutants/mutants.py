# SPDX-License-Identifier: GPL-3.0-or-later
"""mutants.py BUILD [--count N] [--seed S] [--jobs N] [--files WORD] [--rooms ROOMS] [--short] [--list] [--only K] [--check] - see README.md."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build as building # noqa: E402
import places # noqa: E402
import reach as reaching # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
WANTED = 0.95
SCRIPTS_SHORT = 5 # scripts of the command line are slow: those that say most of a file
SEEN = re.compile(r"AddressSanitizer|LeakSanitizer|: runtime error: ")
GONE = ("same object code", "listed", "not C") # what does not count


def read_equivalent(path, files):
    """{(file and function, line, changed line)} of the list: `FILE FUNCTION: LINE`, `=> CHANGED LINE`, `because ..`. What matches no place
    any more is an error, and what has no proof. Files of other rooms are left aside, where there are such."""
    rooms = {file.path for file in files}
    possible = {key_of(mutant) for file in files for mutant in file.mutants()}
    entries, wrong = set(), []
    with open(path, encoding="utf-8") as file:
        blocks = [block.splitlines() for block in file.read().split("\n\n")]
    for block in ([line.strip() for line in block if not line.startswith("#")] for block in blocks):
        if not block:
            continue
        where, _, before = block[0].partition(": ")
        if where.split()[0] not in rooms and os.path.exists(where.split()[0]):
            continue
        entry = (where, before, block[1][3:] if len(block) > 1 and block[1].startswith("=> ") else "")
        if entry not in possible or entry in entries:
            wrong.append(f"{os.path.relpath(path)}: {'twice' if entry in entries else 'nothing there is changed so'}: " +
                         " ".join(block[:2]))
        if len(block) < 3 or not block[2].startswith("because "):
            wrong.append(f"{os.path.relpath(path)}: without a proof: {' '.join(block)}")
        entries.add(entry)
    if wrong:
        raise SystemExit("\n".join(wrong))
    return entries


class Known:
    """What earlier runs found, for the same library and the same test: verdicts are kept as they come. Of other libraries `last` knows which
    test killed it, which is tried first."""

    def __init__(self, path):
        self.path, self.killed, self.passed, self.last, self.lock = path, {}, set(), {}, threading.Lock()
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    if line.endswith("\n"):
                        self.keep(json.loads(line))

    def keep(self, entry):
        if entry["how"] == "passed":
            self.passed.add((entry["key"], entry["test"]))
        else:
            self.killed.setdefault(entry["key"], []).append((entry["test"], entry["how"]))
            self.last[entry["where"]] = entry["test"][40:]

    def add(self, key, where, test, how):
        entry = {"key": key, "where": where, "test": test, "how": how}
        with self.lock, open(self.path, "a", encoding="utf-8") as file:
            self.keep(entry)
            file.write(json.dumps(entry) + "\n")


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = os.path.join(arguments.build, "mutants")
        self.build = building.Build(arguments.build, arguments.jobs)
        self.files = []
        for path in sorted(self.build.compile):
            with open(path, encoding="utf-8") as file:
                self.files.append(places.File(path, file.read()))
        self.text = {file.path: file for file in self.files}
        self.equivalent = read_equivalent(os.path.join(HERE, "equivalent"), self.files)
        self.drawn = places.draw([file for file in self.files if self.wanted(file.path)], arguments.count, arguments.seed)
        self.known, self.reach = Known(os.path.join(self.folder, "known")), None
        self.workers, self.slow = threading.local(), {}
        self.started = 0
        self.lock, self.measuring = threading.Lock(), threading.Lock()

    def wanted(self, path):
        rooms = self.arguments.rooms.split()
        return self.arguments.files in path and (not rooms or any(path.startswith(room + "/") for room in rooms))

    def place(self):
        if not hasattr(self.workers, "place"):
            with self.lock:
                self.started += 1
                self.workers.place = self.build.place(f"job{self.started}")
        return self.workers.place

    def order(self, mutant):
        """The tests of a mutant, those that are likely and quick first."""
        stem = os.path.basename(mutant.path)[:-2]
        room = os.path.dirname(mutant.path)

        def likely(test):
            bare = test.name[len("test_"):].removesuffix(".sh")
            named = stem.endswith(bare) or bare.startswith(stem) or stem.startswith(bare) or bool(set(stem.split("_")) & set(bare.split("_")) - {"scheme"})
            return 0 if named else 1 if test.room == room else 2 if test.room == "conformance" and room.startswith(("algorithms", "analysis")) else 3

        scripts = sorted((script for script in self.build.scripts if script.reaches(mutant.path)),
                         key=lambda script: (likely(script), -script.reaches(mutant.path)))
        if self.arguments.short:
            return sorted([test for test in self.build.tests if likely(test) < 3] + scripts[:SCRIPTS_SHORT], key=lambda test: (likely(test), test.name))
        with self.measuring:
            self.reach = self.reach or reaching.measure(self.build, self.files, self.folder)
        reached = self.reach.tests(mutant.path, mutant.line)
        return sorted([test for test in self.build.tests if test.name in reached] + scripts,
                      key=lambda test: (max(likely(test), 1) * (1.0 + self.reach.seconds.get(test.name, 10.0)), test.name))

    def try_one(self, mutant):
        """(verdict, test): killed, time limit, sanitizers, alive, or one of GONE."""
        listed = key_of(mutant) in self.equivalent
        if listed and not self.arguments.check:
            return "listed", None
        file, place = self.text[mutant.path], self.place()
        at = file.starts[mutant.line - 1] + mutant.column - 1
        source = os.path.join(place.folder, os.path.basename(mutant.path))
        made, plain = source[:-2] + ".o", source[:-2] + ".plain.o"
        where = "|".join(key_of(mutant) + (str(mutant.column),))
        key = f"{self.build.identity[:16]}|{at}|{where}"
        with open(source, "w", encoding="utf-8") as out:
            out.write(file.text)
        self.build.object(mutant.path, source, plain)
        with open(source, "w", encoding="utf-8") as out:
            out.write(file.text[:at] + mutant.new + file.text[at + len(mutant.old):])
        if not self.build.object(mutant.path, source, made):
            return "not C", None
        if building.digest(made) == building.digest(plain):
            return "same object code", None
        watched = source[:-2] + ".watched.o"
        self.build.object(mutant.path, source, watched, building.SANITIZED)
        last, made = self.known.last.get(where), {True: watched, False: made}
        verdict = self.show([test for test in self.build.tests + self.build.scripts if test.name == last], key, where, place, made, mutant.path)
        tests = [] if verdict else self.order(mutant)
        verdict = verdict or self.show(tests, key, where, place, made, mutant.path)
        if listed and verdict is not None:
            print(f"wrongly listed as equivalent: {verdict[1]} kills it", flush=True)
            return verdict
        return verdict or ("listed" if listed else "alive", f"{len(tests)} tests")

    def is_slow(self, test, path, place, limit):
        """Does the test take so long without a mutant too? One that fails without a mutant ends the campaign."""
        if (test.name, path) not in self.slow:
            source = os.path.join(place.folder, os.path.basename(path))
            made = source[:-2] + ".unchanged.o"
            with open(source, "w", encoding="utf-8") as out:
                out.write(self.text[path].text)
            self.build.object(path, source, made, building.SANITIZED if test.sanitized else "")
            program = self.build.link(test, place, [made], plain=[source[:-2] + ".plain.o"])
            status, log = self.build.run(program, place, limit)
            self.build.forget(program, place)
            if status not in (0, None):
                raise SystemExit(f"mutants: {test.name} fails without a mutant (exit status {status}):\n{log[-2000:]}")
            self.slow[test.name, path] = status is None
            if status is None:
                print(f"{test.name} takes more than {limit:.0f} s without a mutant too, and tells nothing of {path}", flush=True)
        return self.slow[test.name, path]

    def show(self, tests, key, where, place, made, path):
        """(how, which test) it is that sees the mutant, if any."""
        for test, how in self.known.killed.get(key, []):
            if any(test == t.identity() + t.name for t in tests):
                return how, test[40:]
        for test in tests:
            name = test.identity() + test.name
            if (key, name) in self.known.passed or self.slow.get((test.name, path)):
                continue
            limit = building.Script.limit if test in self.build.scripts else max(20.0, self.reach.seconds[test.name]) if self.reach else 60.0
            program = self.build.link(test, place, [made[test.sanitized]], plain=[made[False]])
            status, log = self.build.run(program, place, limit)
            self.build.forget(program, place)
            if (status is None or status != 0 and test in self.build.scripts) and self.is_slow(test, path, place, limit):
                continue
            how = "passed" if status == 0 else "time limit" if status is None else "sanitizers" if SEEN.search(log) else "killed"
            self.known.add(key, where, name, how)
            if status != 0:
                return how, test.name
        return None

    def run(self):
        chosen = [(k, m) for k, m in enumerate(self.drawn, 1) if self.arguments.only in (None, k)]
        verdicts = []
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            jobs = {pool.submit(self.try_one, mutant): (k, mutant) for k, mutant in chosen}
            for job in concurrent.futures.as_completed(jobs):
                (k, mutant), (verdict, test) = jobs[job], job.result()
                verdicts.append((k, mutant, verdict, test))
                print(f"{k:4d} {verdict + (' by ' + test if verdict == 'killed' else ''):40s} {shown(mutant)}", flush=True)
        for k in range(1, self.started + 1):
            self.build.place(f"job{k}").remove()
        return self.judge(sorted(verdicts))

    def judge(self, verdicts):
        alive = [(k, mutant, test) for k, mutant, verdict, test in verdicts if verdict == "alive"]
        for k, mutant, test in alive:
            print(f"\nalive after {test}: mutant {k}, {mutant.path}:{mutant.line}\n    {mutant.before}\n    {mutant.after}")
        table("kind", ((mutant.kind, verdict) for _, mutant, verdict, _ in verdicts))
        table("room", ((os.path.dirname(mutant.path), verdict) for _, mutant, verdict, _ in verdicts))
        count = sum(verdict not in GONE for _, _, verdict, _ in verdicts)
        killed = count - len(alive)
        print(f"\n{len(verdicts)} mutants, seed {self.arguments.seed}: {killed} of {count} killed"
              f" ({100.0 * killed / max(count, 1):.1f} %)" + (", by the tests of their rooms alone" if self.arguments.short else ""))
        return 0 if len(alive) <= max((1.0 - WANTED) * count, 1 if self.arguments.short else 0) else 1


def key_of(mutant):
    return f"{mutant.path} {mutant.function}", mutant.before, mutant.after


def shown(mutant):
    return f"{mutant.path}:{mutant.line}:{mutant.column}  {mutant.kind}  `{mutant.old}` -> `{mutant.new}`"


def table(head, pairs):
    counts, order = collections.defaultdict(collections.Counter), ("killed", "time limit", "sanitizers", "alive") + GONE
    for name, verdict in pairs:
        counts[name][verdict] += 1
    print(f"\n{head:46s}" + "".join(f"{word:>18s}" if word == "same object code" else f"{word:>12s}" for word in order))
    for name in sorted(counts, key=lambda n: (places.KINDS.index(n) if n in places.KINDS else 0, n)):
        print(f"{name:46s}" + "".join(f"{counts[name][word] or '.':>{18 if word == 'same object code' else 12}}" for word in order))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--files", default="")
    parser.add_argument("--rooms", default="")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", type=int)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    arguments.count = arguments.count or (8 if arguments.short else 200)
    campaign = Campaign(arguments)
    if arguments.list:
        for k, mutant in enumerate(campaign.drawn, 1):
            print(f"{k:4d} {shown(mutant)}")
        return 0
    return campaign.run()


if __name__ == "__main__":
    sys.exit(main())
