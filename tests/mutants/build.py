# SPDX-License-Identifier: GPL-3.0-or-later
"""The build that mutants are tried in: how a source is compiled and a test linked (the Makefile says so in BUILD/mutants/commands), folders
for the programs, and their runs. A script of the command line is shown a command of the mutant's own. Nothing of it is written outside of
BUILD/mutants, where the objects and archives are copied to at the start, so that what is built meanwhile does no harm."""
import collections
import fcntl
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
# Of the programs the others have the library in them: that of an FMU in a process of its own, and the binaries of exported FMUs.
COMMAND = "macrostep"


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
            text = file.read()
        self.sanitized = "ms_allocations_install" not in text
        self.exports = "ms_export" in text or "built_in" in text
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
        os.makedirs(os.path.join(folder, "members"))
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
        self.alone = open(os.path.join(folder, "mutants", "lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(self.alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"mutants: another campaign is at work in {folder}/mutants") from None
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

    def link(self, test, place, objects, library=None, more="", plain=()):
        """The program of a test, with these objects in place of those of their names in the library; `plain` is for what the test opens, which
        has no sanitizers: it dies in its own ways."""
        if isinstance(test, Script):
            self.link_command(place, objects)
            return test.path
        if plain and (test.exports or test.room.startswith("models/fmu")):
            self.link_plugins(place, plain)
        program = os.path.join(place.folder, "tests", test.name)
        archives = " ".join(self.archives[:-1] + [library or self.library])
        subprocess.run(f"{self.linker} {SANITIZERS if test.sanitized else ''} {more} {test.made} {' '.join(objects)} {archives} {self.libraries} -o {program}", shell=True,
                       check=True, stderr=subprocess.DEVNULL if objects else None)
        return program

    def link_command(self, place, objects):
        """The command, with these objects before the library's, and what it opens."""
        linker, rest = self.programs[COMMAND]
        subprocess.run(f"{linker} {' '.join(objects)} {rest} -o {os.path.join(place.folder, COMMAND)}", shell=True, check=True)
        self.link_plugins(place, objects)

    def link_plugins(self, place, objects):
        """What has the library in it, of a library with these objects in it."""
        library = os.path.join(place.folder, "library.a")
        shutil.copyfile(self.library, library)
        for made in objects:
            member = os.path.join(place.folder, "members", os.path.basename(made).split(".")[0] + ".o")
            if os.path.basename(member) not in self.members:
                return
            shutil.copyfile(made, member)
            subprocess.run(["ar", "r", library, member], check=True, stderr=subprocess.DEVNULL)
        for name in self.programs.keys() - {COMMAND}:
            linker, rest = self.programs[name]
            program = os.path.join(place.folder, name)
            os.remove(program)
            subprocess.run(f"{linker} {rest.replace(self.library, library)} -o {program}", shell=True, check=True)

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
