#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/python/foreign.py (make foreign) over FMUs as strangers may ship them, and a system that is exported: each has the outcome that it is to
# have, whatever becomes of its neighbours; the answer fits its schema, and the report has a page of it. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
cd "$here" || exit 1
export MACROSTEP="$macrostep" PYTHONDONTWRITEBYTECODE=1
mkdir "$folder/tmp" "$folder/results"

# tries FOLDER OPTION ..: what is said goes to $folder/out
tries() {
    TMPDIR=$folder/tmp python3 bench/python/foreign.py "$@" >"$folder/out" 2>"$folder/err"
    status=$?
}

python3 tests/support/fmu/make_foreign.py "$folder/all" >"$folder/err" 2>&1
result $? "FMUs are made"
answers export quarter-car --directory "$folder/all/good"
tries "$folder/all" --limit 15 --jobs 3 --output "$folder/results/foreign.json"
is "where anything dies the exit status is 1" test $status -eq 1
is "... and nothing goes to standard error" test ! -s "$folder/err"
is "nothing is left" test -z "$(ls "$folder/tmp")"
python3 -W ignore tests/package/fits.py bench/schemas/foreign.json "$folder/results/foreign.json" 2>"$folder/err"
result $? "the answer fits its schema"

# becomes FILE OUTCOME KINDS [PATTERN]: so often, and with such a line
becomes() {
    lines=$(grep "^$2 .* $1: \|^$2 .* $1\$" "$folder/out")
    [ "$(printf '%s\n' "$lines" | grep -c .)" -eq "$3" ] && printf '%s\n' "$lines" | grep -q -e "${4-}"
    result $? "$1: $2"
}
for name in decay always banner matrix newline latin latin_name ascii wide driven; do
    becomes "good/$name.fmu" agrees 2
done
for name in clocks again grid10 grid60; do
    becomes "good/$name.fmu" agrees 1
done
becomes good/quarter-car.ssp agrees 1 'of 8$'
becomes good/unjudged.fmu runs 2
becomes doubtful/wrong.fmu deviates 2 '0\.1  .*y is the furthest of 1'
becomes doubtful/fault.fmu ended 1 'it is broken'
becomes doubtful/junk.fmu refused 1 'Not a zip archive'
becomes doubtful/platform.fmu refused 1 'it has binaries for: win64; it has no sources'
becomes bad/crash.fmu died 1 'signal 11 (SIGSEGV) while it did a step'
becomes bad/open.fmu died 1 'signal 6 (SIGABRT) while its binary was opened'
becomes bad/exit.fmu died 1 'exit status 0'
becomes bad/hang.fmu timed-out 1 'longer than 15 s'
is "a total of each folder, and of all" grep -q '^doubtful: 5 in 4 files: 3 loads, 2 runs, 0 agrees, 2 deviates, 1 ended, 2 refused, 0 died, 0 timed-out$' "$folder/out"

answers report --directory "$folder/results"
is "the report has a page of it" grep -q 'bad/hang.fmu' "$folder/results/foreign.html"
is "... and leads there" grep -q 'href="foreign.html"' "$folder/results/report.html"

tries "$folder/all/doubtful"
is "what is refused, and what deviates, is an answer" test $status -eq 0
tries "$folder/none"
is "a folder that is not there is refused" test $status -eq 2
tries "$folder/all" --tolerance -1
is "... and so is a tolerance below zero" test $status -eq 2

echo "1..$count"
[ "$failed" -eq 0 ]
