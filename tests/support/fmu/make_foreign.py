# SPDX-License-Identifier: GPL-3.0-or-later
"""make_foreign.py FOLDER - FMUs as strangers may ship them, with what lies beside them, made of tests/models/fmu/decay_fmu.c:
x' = -k x + u, y = x, x(0) = 1, k = 1. References are computed here, from the solution."""
import csv
import math
import os
import subprocess
import sys
import zipfile

TO, SOURCE = sys.argv[1], "tests/models/fmu/decay_fmu.c"
STOP = 2.0
BOTH = ("ModelExchange", "CoSimulation")
TIMES = [0.05 + 0.1 * k for k in range(20)]  # between events


def description(names, kinds, encoding, flags, step):
    x, dx, u, y = names
    kinds = "".join(f'<{kind} modelIdentifier="decay" canGetAndSetFMUstate="true" {flags if kind == BOTH[1] else ""}/>' for kind in kinds)
    text = f'''<?xml version="1.0" encoding="{encoding}"?>
<fmiModelDescription fmiVersion="2.0" modelName="decay" guid="right" numberOfEventIndicators="0" generationTool="by hand">{kinds}
<DefaultExperiment startTime="0" stopTime="{STOP}" {step}/><ModelVariables>
<ScalarVariable name="{x}" valueReference="0" causality="local" initial="exact"><Real start="1"/></ScalarVariable>
<ScalarVariable name="{dx}" valueReference="1" causality="local"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="{u}" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
<ScalarVariable name="{y}" valueReference="3" causality="output"><Real/></ScalarVariable>
</ModelVariables><ModelStructure><Outputs><Unknown index="4"/></Outputs><Derivatives><Unknown index="2"/></Derivatives></ModelStructure>
</fmiModelDescription>'''
    return text.encode(encoding)


def write(name, head, rows):
    with open(os.path.join(TO, name), "w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_NONNUMERIC).writerows([head, *rows])


def make(name, *defines, names=("x", "der(x)", "u", "y"), kinds=BOTH, encoding="UTF-8", platform="linux64", step="",
         flags='canHandleVariableCommunicationStepSize="true"', y=lambda t: math.exp(-t)):
    """One FMU, and its reference unless y is None."""
    path = os.path.join(TO, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run(["cc", "-std=c11", "-shared", "-fPIC", "-w", "-DFMI=2", *("-D" + one for one in defines), SOURCE, "-o", path + ".so"],
                   check=True)
    with zipfile.ZipFile(path + ".fmu", "w") as archive:
        archive.writestr("modelDescription.xml", description(names, kinds, encoding, flags, step))
        archive.write(path + ".so", f"binaries/{platform}/decay.so")
    os.remove(path + ".so")
    if y is not None:
        write(name + "_ref.csv", ["time", names[3]], [[t, y(t)] for t in TIMES])


def jumps(t, at):
    """The solution with jumps (time, size)."""
    return math.exp(-t) + sum(size * math.exp(-(t - when)) for when, size in at if when < t)


FIXED = 'canHandleVariableCommunicationStepSize="false"'
CLOCKS = [(0.1 * k, 1.0) for k in range(1, 20)] + [(0.3 * k, 100.0) for k in range(1, 7)]

make("good/decay")
make("good/clocks", "CLOCKS=0", kinds=BOTH[:1], y=lambda t: jumps(t, CLOCKS))
make("good/again", "CLOCKS=2", kinds=BOTH[:1], y=lambda t: jumps(t, CLOCKS + 2 * [(0.5, 10000.0)]))
make("good/always", "ASKS")
make("good/banner", "CRASH=STEPPED", 'BY=puts("and now for the next step")')
make("good/matrix", names=("mass.x[1,2]", "der(mass.x[1,2])", "u", "T[1,2]"))
make("good/newline", names=("x", "der(x)", "line&#10;break", "y"))
make("good/latin", encoding="ISO-8859-1")
make("good/latin_name", encoding="ISO-8859-1", names=("h\u00f6he", "der(h\u00f6he)", "u", "y"))
make("good/ascii", encoding="us-ascii")
make("good/wide", encoding="UTF-16")
make("good/grid60", kinds=BOTH[1:], flags=FIXED, step='stepSize="0.0166666666666667"')
make("good/grid10", kinds=BOTH[1:], flags=FIXED, step='stepSize="0.01"')
make("good/driven", y=lambda t: 2.0 - math.exp(-t))
write("good/driven_in.csv", ["time", "u", "nobody's"], [[0.0, 2.0, 1.0], [STOP, 2.0, 1.0]])
make("good/unjudged", y=None)
make("doubtful/wrong", y=lambda t: 1.1 * math.exp(-t))
make("doubtful/platform", platform="win64", kinds=BOTH[1:], y=None)
make("doubtful/fault", "FAULT=ERROR", kinds=BOTH[1:], y=None)
with open(os.path.join(TO, "doubtful/junk.fmu"), "w", encoding="utf-8") as junk:
    junk.write("no archive")
make("bad/crash", "CRASH=STEPPED", "BY=raise(SIGSEGV)", kinds=BOTH[1:], y=None)
make("bad/open", "CRASH=OPENED", "BY=abort()", kinds=BOTH[1:], y=None)
make("bad/exit", "CRASH=STEPPED", "BY=exit(0)", kinds=BOTH[1:], y=None)
make("bad/hang", "CRASH=STEPPED", "BY=for(;;)pause()", kinds=BOTH[1:], y=None)
