#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exported FMUs in a master that knows nothing of macrostep (tests/support/fmu/plain_master.c): all models, FMI 2.0 and 3.0, co-simulation
# and model exchange, inputs held over each step. Co-simulation has the bits of `run`; model exchange has them up to round-off, because
# linear subsystems are stepped by their matrices there and by x + h x' here. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

sanitizers=
if grep -q __asan_init "$macrostep"; then # FMUs of a command with sanitizers need a program that has them too
    sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'
fi
# shellcheck disable=SC2086
cc -std=c11 -O1 -ffp-contract=off -w $sanitizers "$(dirname "$0")/../support/fmu/plain_master.c" -o "$folder/master" -ldl || exit 1
cat >"$folder/compare.py" <<'END_OF_SCRIPT'
"""compare.py MACROSTEP MASTER FOLDER MODEL: a line for each version and kind, "same" or what is not."""
import csv, io, json, os, subprocess, sys, zipfile

macrostep, master, folder, model = sys.argv[1:]
STEPS = 10


def call(*words):
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def rows_of(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


show = json.loads(call(macrostep, "show", model, "--format", "json").stdout)
h = show["step_size"]
names = [s["name"] for s in show["subsystems"]]


def run(solver):
    file = os.path.join(folder, "run.csv")
    done = call(macrostep, "run", model, "--scheme", "jacobi", "--extrapolation-order", "0", "--outputs", "inconsistent", "--errors", "none",
                *solver, "--step-size", repr(h), "--stop-time", repr(STEPS * h), "--trajectory", file, "--format", "json")
    if done.returncode != 0:
        return None, False
    rows = rows_of(open(file).read())
    ended = json.loads(done.stdout)["reason"] == "end-time"
    return (rows if ended else rows[:-1]), ended


def parted(name):
    """The subsystem's place and its variable."""
    at = max((k for k in range(len(names)) if name.startswith(names[k] + ".")), key=lambda k: len(names[k]))
    return at, name[len(names[at]) + 1:]


def compare(got, wanted, exact):
    """Of the times that both have. An Euler step of a linear subsystem is a sum in another order."""
    for k, (a, b) in enumerate(zip(got, wanted)):
        for name in a:
            if name == "time":
                continue
            x, y = float(a[name]), float(b[name])
            scale = max(1e-3, max(abs(float(v)) for row in wanted[:k + 1] for v in row.values()))
            if x != y and (exact or not abs(x - y) <= 1e-13 * scale):
                return f"row {k}: {name}: {a[name]} in the master, {b[name]} in run"
    return "same" if len(got) > 1 and len(wanted) > 1 else "nothing to compare"


solver = ["--solver", "euler", "--micro-steps", "1"]
wanted, ended = run(solver)
explicit = wanted is not None
if not explicit:  # it is differential-algebraic
    solver = []
    wanted, ended = run(solver)
for fmi in "2", "3":
    here = os.path.join(folder, model + fmi)
    exported = json.loads(call(macrostep, "export", model, "--directory", here, "--fmi", fmi, *solver, "--format", "json").stdout)
    fmus = {row["subsystem"]: row for row in exported["rows"] if row["kind"] == "fmu"}
    words = []
    for name in names:
        place = os.path.join(here, name)
        zipfile.ZipFile(fmus[name]["file"]).extractall(place)
        words.append(f"{name}={place}")
    with open(os.path.join(here, "wires"), "w") as file:
        for wire in show["couplings"]:
            (to, u), (of, y) = parted(wire["input"]), parted(wire["output"])
            print(to, u, of, y, repr(wire["gain"]), file=file)
    for kind in "c", "m":
        if kind == "m" and not (explicit and all(row["model_exchange"] for row in fmus.values())):
            continue
        done = call(master, fmi, kind, repr(h), str(STEPS), file.name, *words)
        if done.returncode == 3 and any(s["feed_through"] for s in show["subsystems"]):
            print(f"{model}, FMI {fmi}, {kind}: loop")
        elif done.returncode != 0 and ended:  # where it diverges, a step may fail
            print(f"{model}, FMI {fmi}, {kind}: {done.stderr.strip()}")
        else:
            print(f"{model}, FMI {fmi}, {kind}: {compare(rows_of(done.stdout), wanted, kind == 'c')}")
END_OF_SCRIPT

"$macrostep" list models --format csv | sed -n 's/^model,\([^,]*\),.*/\1/p' >"$folder/models"
tried=0
while read -r model; do
    its_turn 8 || continue
    tried=$((tried + 1))
    python3 "$folder/compare.py" "$macrostep" "$folder/master" "$folder" "$model" >"$folder/lines" 2>"$folder/err"
    result $? "$model is exported and run"
    cat "$folder/lines" >>"$folder/all"
done <"$folder/models"
while read -r line; do
    is "$line" test "${line##*: }" = same -o "${line##*: }" = loop
done <"$folder/all"
is "a loop is the exception" test "$(grep -c ': loop$' "$folder/all")" -le 8
least=3 # of four of each model that was tried, as some have loops
[ "${TEST_EFFORT-}" != short ] || least=2
is "all models are there" test "$(wc -l <"$folder/models")" -ge 30 -a "$(grep -c ': same$' "$folder/all")" -ge $((tried * least))

echo "1..$count"
[ "$failed" -eq 0 ]
