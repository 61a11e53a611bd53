#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What another version of this program has left: it is read, or refused with the version, or computed again; nothing of it goes into answers
# of this one unnoticed. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
cd "$folder" || exit 1
sweep='sweep --models linear-pair --cases first --scheme jacobi --extrapolation-order 0,1 --stop-time 0.1 --step-size 0.05 --num-threads 1 --quiet'
commit=$("$macrostep" list models --format csv | sed -n 's/^# commit: //p')
is "an answer says which commit has made it" test -n "$commit"

# as_older FILE: as another commit would have written it, to standard output
as_older() {
    sed "s/$commit/0123456789ab/" "$1"
}

# Files of sweeps that go on
for format in csv json jsonl; do
    # shellcheck disable=SC2086
    call $sweep --format $format --output whole.$format
    as_older whole.$format | head -n 24 >half.$format
    cp half.$format before
    # shellcheck disable=SC2086
    refuses 2 "--resume: the commit of half.$format is 0123456789ab, of this call $commit" $sweep --format $format --output half.$format --resume
    is "... and it stays as it is" cmp -s before half.$format
done

# Parts: they are one file of their version, and do not mix with those of this one
for part in 1 2; do
    # shellcheck disable=SC2086
    call $sweep --format csv --shard $part/2 --output part$part.csv
    as_older part$part.csv >older$part.csv
done
answers merge older1.csv older2.csv
as_older whole.csv >wanted
is "older parts make their whole" cmp -s out wanted
refuses 2 "the commit of part2.csv is $commit, of older1.csv 0123456789ab" merge older1.csv part2.csv

# A reference that another program has kept: here this one, one byte longer
if cp "$macrostep" other && printf x >>other && ./other run spring-mass --stop-time 1 --cache cache --quiet >out 2>err; then
    kept=$(cksum cache/*.reference)
    call run spring-mass --stop-time 1 --format csv --cache cache
    is "one line says that the reference is another program's" \
        grep -q '^macrostep: --cache: cache/.*\.reference belongs to another program or system and is computed again' err
    is "... it is this one's now" test "$(cksum cache/*.reference)" != "$kept"
    call run spring-mass --stop-time 1 --format csv --cache cache
    is "... and is read" test ! -s err
fi

# An answer of a figure, as a version before has written it: with less in it
mkdir -p results/figures
cat >results/figures/andersson2016-fig6.1.json <<'END_OF_FILE'
{"id": "andersson2016:fig6.1", "title": "older", "source": "older", "status": "reproduced", "checks_held": [1, 1],
 "checks": [{"kind": "number", "what": "the older check", "published": 1, "measured": 1.02, "tolerance": "0.1"}],
 "commands": ["macrostep run linear-pair"],
 "provenance": {"version": "0.0.9", "commit": "0123456789ab", "command": "macrostep figure andersson2016:fig6.1"}}
END_OF_FILE
for format in html md; do
    answers report --directory results
    is "report.$format has its check" grep -q 'the older check' results/report.$format
    is "... and says who has drawn it" grep -q 'Drawn by macrostep 0\.0\.9, commit 0123456789ab\.' results/report.$format
done
call figure andersson2016:fig6.1 --directory results/figures
answers report --directory results
grep -q 'Drawn by' results/report.html
result $((1 - $?)) "what this version has drawn needs no such word"

echo "1..$count"
[ "$failed" -eq 0 ]
