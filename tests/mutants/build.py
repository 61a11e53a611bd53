# SPDX-License-Identifier: GPL-3.0-or-later
"""The build that mutants are tried in: how a source is compiled and a test linked (the Makefile says so in BUILD/mutants/commands), folders
for the programs, and their runs. A script of the command line is shown a command of the mutant's own. Nothing of it is written outside of
BUILD/mutants, where the objects and archives are copied to at the start, so that what is built meanwhile does no harm."""
import collections
import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess

# Mutants are compiled as in make asan, so that a step beyond the end of an array is seen.
SANITIZERS = "-fsanitize=address,undefined"
SANITIZED = SANITIZERS + " -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -U_FORTIFY_SOURCE"
FMU_PROGRAM = "plugins/macrostep-fmu" # an FMU in a process of its own


def digest(*paths):
    whole = hashlib.sha1()
    for path in paths:
        with open(path, "rb") as file:
            whole.update(file.read())
    return whole.hexdigest()


class Test:
    def __init__(self, path, made):
        self.path, self.made, self.name = path, made, os.path.basename(path)[:-2]
        self.room = os.path.dirname(path)[len("tests/"):]
        with open(path, encoding="utf-8") as file: # it has the linker's table of allocators changed, which the sanitizers do as well
            self.sanitized = "ms_allocations_install" not in file.read()
        self._identity = None

    def identity(self):
        self._identity = self._identity or digest(self.made)
        return self._identity


class Script:
    """A test of the command line. What it sees of the sources is told by what it calls, in words."""
    sanitized, room, limit = False, "command", 300.0

    def __init__(self, path):
        self.path, self.name, self.made = path, os.path.basename(path), path
        with open(path, encoding="utf-8") as file:
            self.words = collections.Counter(re.findall(r"[a-z-]+", file.read()))

    def identity(self):
        return digest(self.path)

    def reaches(self, path):
        """How often: cmd_X.c by the word X, another file by the first word of its name and by that of its room."""
        stem = os.path.basename(path)[:-2]
        wanted = {stem[4:].replace("_", "-")} if stem.startswith("cmd_") else {stem.split("_")[0], os.path.basename(os.path.dirname(path))}
        return sum(self.words[word] for word in wanted)


class Place:
    """A folder laid out as the build is: the command, programs in tests/, what they open in plugins/, temporary files in tmp/."""

    def __init__(self, build, folder):
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "tests"))
        os.makedirs(os.path.join(folder, "tmp"))
        self.plugins = os.path.abspath(os.path.join(build.folder, "plugins"))
        self.provide()

    def provide(self):
        """Plug-ins without the mutant."""
        mine = os.path.join(self.folder, "plugins")
        shutil.rmtree(mine, ignore_errors=True)
        os.makedirs(mine)
        for name in os.listdir(self.plugins):
            os.symlink(os.path.join(self.plugins, name), os.path.join(mine, name))

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Build:
    def __init__(self, folder, jobs):
        self.folder, self.jobs, self.compile, self.tests, self.children = folder, jobs, {}, [], set()
        self.scripts, self.programs = [], {}
        for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(which, self.end)
        with open(os.path.join(folder, "mutants", "commands"), encoding="utf-8") as file:
            for line in file:
                word, *rest = line.rstrip("\n").split("\t")
                if word == "compile":
                    self.compile[rest[0]] = rest[1]
                elif word == "test":
                    self.tests.append(Test(rest[0], self.copy(rest[1])))
                elif word == "script":
                    self.scripts.append(Script(rest[0]))
                elif word == "program":
                    self.programs[rest[0]] = rest[1], " ".join(self.copy(w) if w.endswith((".o", ".a")) else w for w in rest[2].split())
                elif word == "link":
                    self.linker, archives, self.libraries = rest
        self.archives = [self.copy(archive) for archive in archives.split()]
        self.library = self.archives[-1]
        self.members = set(subprocess.run(["ar", "t", self.library], check=True, capture_output=True, text=True).stdout.split())
        self.identity = digest(*self.archives)

    def end(self, which, _):
        """Tests of mutants may go on for ever."""
        for child in list(self.children):
            try:
                os.killpg(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os._exit(128 + which)

    def copy(self, path):
        """As it is now: the name of the copy."""
        copied = os.path.join(self.folder, "mutants", "copied", os.path.basename(path))
        os.makedirs(os.path.dirname(copied), exist_ok=True)
        shutil.copyfile(path, copied)
        return copied

    def place(self, name):
        return Place(self, os.path.join(self.folder, "mutants", name))

    def object(self, path, source, made, more=""):
        """Compiles the text of `source`, which stands for the file `path`; whether it is C. Without -g equal code gives equal objects."""
        command = f"{self.compile[path]} -g0 {more} -w -c {source} -o {made}"
        return subprocess.run(command, shell=True, stderr=subprocess.DEVNULL, check=False).returncode == 0

    def link(self, test, place, objects, library=None, more=""):
        """The program of a test, with these objects in place of those of their names in the library."""
        if isinstance(test, Script):
            for name in self.programs:
                self.link_command(name, place, objects, test)
            return test.path
        if test.room.startswith("models/fmu"):
            self.link_command(FMU_PROGRAM, place, objects, test)
        program = os.path.join(place.folder, "tests", test.name)
        archives = " ".join(self.archives[:-1] + [library or self.library])
        subprocess.run(f"{self.linker} {SANITIZERS if test.sanitized else ''} {more} {test.made} {' '.join(objects)} {archives} {self.libraries} -o {program}", shell=True,
                       check=True, stderr=subprocess.DEVNULL if objects else None)
        return program

    def link_command(self, name, place, objects, test):
        """What a test calls, with those of these objects before the library's that it can have."""
        linker, rest = self.programs[name]
        mine = [made for made in objects if name != FMU_PROGRAM or os.path.basename(made).split(".")[0] + ".o" in self.members]
        program = os.path.join(place.folder, name)
        if os.path.lexists(program):
            os.remove(program)
        sanitized = SANITIZERS if test.sanitized and mine else ""
        subprocess.run(f"{linker} {sanitized} {' '.join(mine)} {rest} -o {program}", shell=True, check=True)

    @staticmethod
    def forget(program, place):
        if not program.endswith(".sh"):
            os.remove(program)
        place.provide()

    def run(self, program, place, limit, more=None):
        """Exit status (None: ended after `limit` seconds) and what was printed."""
        script = program.endswith(".sh")
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="2", LC_ALL="C", TMPDIR=os.path.abspath(os.path.join(
            place.folder, "tmp")), MACROSTEP=os.path.abspath(os.path.join(place.folder if script else self.folder, "macrostep")),
            ASAN_OPTIONS="detect_leaks=0:strict_string_checks=1:hard_rss_limit_mb=4000", UBSAN_OPTIONS="print_stacktrace=1", **(more or {}))

        def bounded():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 32, 1 << 32) if script else (1 << 30, 1 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (int(4 * limit), int(4 * limit)))

        with open(os.path.join(place.folder, "log"), "w+b") as log:
            child = subprocess.Popen(["sh"] * script + [os.path.abspath(program)], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     preexec_fn=bounded, start_new_session=True)
            self.children.add(child.pid)
            try:
                status = child.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            self.children.discard(child.pid)
            log.seek(0)
            return (None if status == -signal.SIGXCPU else status), log.read().decode("utf-8", "replace")
