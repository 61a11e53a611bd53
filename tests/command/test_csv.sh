#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# CSV files as others read them: names in the first line, then remarks (#), then rows; --comments no; files of before, with
# remarks first, are read as ever. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
command -v python3 >/dev/null || exit 1

# What numpy makes of a file, where there is numpy; else Python's csv by the same rule: names are what the first line says.
cat >"$folder/read.py" <<'END'
import csv, sys
path, names, rows = sys.argv[1], sys.argv[2].split(), int(sys.argv[3])
lines = open(path, newline="").read().splitlines()
found = next(csv.reader(lines[:1]))
table = [row for row in csv.reader(line for line in lines[1:] if not line.startswith("#")) if row]
remarks = [k for k, line in enumerate(lines) if line.startswith("#")]
assert found[: len(names)] == names, found
assert len(table) >= rows and all(len(row) == len(found) for row in table), (len(table), len(found))
assert remarks == list(range(1, len(remarks) + 1)), "remarks stand behind the names"
if not remarks:
    assert sys.argv[4:] == ["bare"], "no remarks"
try:
    import numpy
except ImportError:
    sys.exit()
array = numpy.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8")
array = numpy.atleast_1d(array)
assert len(array) == len(table) and len(array.dtype.names) == len(found), (len(array), array.dtype.names)
END

# reads FILE NAMES ROWS [bare]: the first names, and at least that many rows
reads() {
    python3 "$folder/read.py" "$@" 2>"$folder/err"
    result $? "${1##*/} is read by its names"
}

call run spring-mass --trajectory "$folder/run.csv" --energy "$folder/energy.csv" --format csv --output "$folder/answer.csv"
reads "$folder/run.csv" time 100
reads "$folder/energy.csv" time 100
reads "$folder/answer.csv" "model case" 1
call integrate quarter-car --trajectory "$folder/integrate.csv" --history "$folder/history.csv" --events "$folder/events.csv"
reads "$folder/integrate.csv" "time event" 100
reads "$folder/history.csv" time 0
reads "$folder/events.csv" time 0
call drive quarter-car --subsystem wheel --trajectory "$folder/drive.csv"
reads "$folder/drive.csv" time 10
sweep="--models spring-mass --cases first --scheme jacobi --step-size 0.01,0.02 --stop-time 1 --format csv"
call sweep $sweep --output "$folder/sweep.csv"
reads "$folder/sweep.csv" "model case" 2
call converge spring-mass --format csv --output "$folder/converge.csv"
reads "$folder/converge.csv" step_size 5
call converge spring-mass --scheme jacobi,gauss-seidel --extrapolation-order 0,1 --format csv --output "$folder/members.csv"
reads "$folder/members.csv" "member step_size" 10
! grep -v '^#' "$folder/members.csv" | grep -q '"'
result $? "... names of members have no commas, which readers without quotes would take for columns"
call sweep --models linear-pair --cases stable --scheme jacobi --step-size 0.01 --format csv --output "$folder/notes.csv"
reads "$folder/notes.csv" "model case" 2
! grep -v '^#' "$folder/notes.csv" | grep -q '"' && grep -q 'a state; input or output grew' "$folder/notes.csv"
result $? "... nor have messages and notes"
call stability quarter-car --x step-size=0.001:0.1:log:5 --y kc=1e3:1e5:log:4 --format csv --output "$folder/map.csv"
reads "$folder/map.csv" "step-size kc spectral_radius" 20
call export quarter-car --directory "$folder/fmus"
reads "$folder/fmus/quarter-car_ref.csv" time 100
call run quarter-car --plot "$folder/picture.svg" --keep
reads "$folder/picture-states.csv" "curve x y" 0

# Without remarks
call run spring-mass --comments no --trajectory "$folder/bare.csv" --format csv --output "$folder/one.csv"
reads "$folder/bare.csv" time 100 bare
reads "$folder/one.csv" "model case" 1 bare
grep -v '^#' "$folder/run.csv" | cmp -s - "$folder/bare.csv"
result $? "--comments no leaves out remarks alone"
call list schemes --comments no --output "$folder/list.txt"
is "... of tables in files, too" test "$(grep -c '^#' "$folder/list.txt")" -eq 0
refuses 2 '^macrostep: --comments no: --resume needs the remarks of its file' sweep $sweep --comments no --output "$folder/sweep.csv" --resume
refuses 2 '^macrostep: --comments no: --shard needs the remarks' converge spring-mass --comments no --shard 1/2 --output "$folder/part.json"

# Files of before
before() {
    { sed -n '/^#/p' "$1" && sed '/^#/d' "$1"; } >"$2"
}
before "$folder/run.csv" "$folder/old.csv"
call judge "$folder/run.csv" spring-mass --format csv --comments no --output "$folder/new.txt"
call judge "$folder/old.csv" spring-mass --format csv --comments no --output "$folder/old.txt"
plain() { # without the name of the file and its digest
    sed -e 's/^[^,]*,//' -e 's/,[0-9a-f]*$//' "$1"
}
plain "$folder/new.txt" >"$folder/wanted"
plain "$folder/old.txt" | cmp -s - "$folder/wanted"
result $? "judge reads a file whose remarks come first"
answers run spring-mass --reference "$folder/old.csv"
before "$folder/sweep.csv" "$folder/old-sweep.csv"
refuses 2 "old-sweep.csv was made with .*0.01,0.02.*0.05" sweep $(echo "$sweep" | sed "s,0.01\,0.02,0.05,") --output "$folder/old-sweep.csv" --resume
call sweep $sweep --shard 1/2 --output "$folder/1.csv"
call sweep $sweep --shard 2/2 --output "$folder/2.csv"
before "$folder/1.csv" "$folder/old-1.csv"
before "$folder/2.csv" "$folder/old-2.csv"
call merge "$folder/old-1.csv" "$folder/old-2.csv"
before "$folder/sweep.csv" "$folder/whole.csv"
is "merge joins parts whose remarks come first" cmp -s "$folder/out" "$folder/whole.csv"
call diff "$folder/old-sweep.csv" "$folder/sweep.csv"
is "diff reads both" test "$status" -eq 0

echo "1..$count"
[ "$failed" -eq 0 ]
