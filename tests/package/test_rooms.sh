#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/lint_rooms complains of each thing that it is there for, and of nothing else: on a made-up tree that is well, and on
# the same tree with one thing wrong. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

script=$(cd "$(dirname "$0")/.." && pwd)/lint_rooms

# tree: two rooms, models/low and bench/high, which uses it; high has a private header, and tests
tree() {
    rm -rf "$folder/tree"
    mkdir -p "$folder/tree/models/low" "$folder/tree/bench/high/inside" "$folder/tree/tests/bench/high" \
        "$folder/tree/tests/support" "$folder/tree/algorithms" "$folder/tree/analysis"
    cd "$folder/tree" || exit 1
    printf 'To add one: a file.\n\nMay use: nothing.\n' >models/low/README.md
    printf '## Add one\n\nMay use: `models/low/`, and what it may use.\n' >bench/high/README.md
    echo >models/low/low.h
    echo '#include "low.h"' >models/low/low.c
    echo '#include "low.h"' >bench/high/high.h
    echo '#include "high.h"' >bench/high/inside/high_parts.h
    printf '#include <stdio.h>\n\n  #  include "high_parts.h"\n' >bench/high/high.c
    printf '#include "high_parts.h"\n#include "support.h"\n' >tests/bench/high/test_high.c
    echo '#include "high.h"' >tests/support/support.h
}

lint() {
    sh "$script" models/low:models/low bench/high:bench/high,models/low >"$folder/err" 2>&1
}

# the same, where the room below may use the one above
lint_below() {
    sh "$script" models/low:bench/high,models/low bench/high:bench/high >"$folder/err" 2>&1
}

# complains PATTERN WHAT: exactly one line, with the pattern
complains() {
    ! lint && [ "$(wc -l <"$folder/err")" -eq 1 ] && grep -q "$1" "$folder/err"
    result $? "$2"
}

tree
is "a tree that is well" lint

tree
echo '#include "high.h"' >models/low/other.c
complains 'models/low/other.c: upward: models/low may not use bench/high' "a header of a room above"

tree
echo 'May use: `bench/high/`.' >models/low/README.md
echo 'May use: nothing.' >bench/high/README.md
! lint_below && grep -q '^lint_rooms: below: models/low may not use bench/high' "$folder/err"
result $? "a room that may use one of a folder above its own"

tree
echo >models/low/alone.h
echo '#include "alone.h"' >>models/low/low.c
complains 'models/low/alone.h: private: .* models/low/inside' "a public header that no other room includes"

tree
echo '#include "high_parts.h"' >tests/support/help.c
complains 'tests/support/help.c: upward: bench/high/inside/high_parts.h is private' "a private header of another room"

tree
echo '#include "../high/high.h"' >bench/high/other.c
complains 'bench/high/other.c: relative' "an include with a folder in it"

tree
echo '#include "nothing.h"' >bench/high/other.c
complains 'bench/high/other.c: relative: there is no header nothing.h' "a header that there is not"

tree
printf '#include <stdlib.h>\n#include <low.h>\n' >bench/high/other.c
complains 'bench/high/other.c: brackets: <low.h>' "a header of ours in angle brackets"

tree
echo '#include <inside/high_parts.h>' >bench/high/other.c
complains 'bench/high/other.c: brackets: <inside/high_parts.h>' "the same with a folder"

tree
mkdir models/low/macrostep && echo >models/low/macrostep/macrostep.h
echo '#include <macrostep/macrostep.h>' >bench/high/other.c
is "a header for users, as they include it" lint
echo '#include "macrostep.h"' >bench/high/other.c
complains 'bench/high/other.c: brackets: "macrostep.h" .* <macrostep/macrostep.h>' "the same in quotes"

tree
mkdir models/low/macrostep && echo '#include "low.h"' >models/low/macrostep/macrostep.h
complains 'macrostep.h: installed: models/low/low.h is not' "a header for users with one that is not installed"

tree
mkdir models/low/macrostep && echo >models/low/macrostep/alone.h
complains 'alone.h: installed: macrostep.h does not need it' "a header for users that macrostep.h does not need"

tree
echo >bench/high/low.h
complains 'twice: bench/high/low.h and models/low/low.h' "two headers of one name"

tree
echo '#include "high.h"' >bench/high/other.h
echo '#include "other.h"' >>bench/high/high.c
complains 'circle: bench/high/high bench/high/other bench/high/high' "two files that use each other"

tree
echo '#include "high.h"' >bench/high/other.h
echo '#include "other.h"' >bench/high/high_start.c
complains 'circle: bench/high/high bench/high/other bench/high/high' "the same through a source that goes on from the name"

tree
echo '#include "high.h"' >bench/high/other.h
echo '#include "other.h"' >bench/high/high_start.h
echo '#include "high_start.h"' >bench/high/high_start.c
is "no circle where that has a header of its own" lint

tree
echo >models/new.c
complains 'models/new.c: nowhere' "a source in no room"

tree
mkdir tests/elsewhere && echo >tests/elsewhere/test_it.c
complains 'tests/elsewhere/test_it.c: nowhere' "a test that nobody builds"

tree
echo >tests/bench/high/test_highest.c
complains 'tests/bench/high/test_highest.c: whose' "a test of no file of its room"

tree
echo >tests/bench/high/test_high_memory.c
echo >tests/bench/high/test_high_parts_order.c
echo >tests/bench/high/helper.c
is "tests of aspects, and of a private header" lint

tree
printf '#define SUPPORT_ONE(x, y) (x)\nenum { SUPPORT_A = 1, SUPPORT_B };\n} support_pair;\n' >>tests/support/support.h
is "helpers of tests with their prefix" lint
echo 'enum { SUPPORT_A = 1, B = 2 };' >>tests/support/support.h
complains 'tests/support/support.h: prefix: B$' "an enumerator without it"

tree
echo '} pair;' >>tests/support/support.h
complains 'tests/support/support.h: prefix: pair' "a type without it"

tree
echo '#define ONE(x) 1' >>tests/support/support.h
complains 'tests/support/support.h: prefix: ONE' "a macro without it"

tree
echo '    fail("no --step-size here"); /* nor --stop-time */' >models/low/other.c
echo '/* "--step-size" */ f("a -- b"); f("--help");' >bench/high/other.c
complains 'models/low/other.c: dashes' "a line of the library that names an option as the command does"

tree
rm models/low/README.md
complains 'models/low/README.md: README' "a room without README"

tree
echo 'May use: nothing.' >bench/high/README.md
complains 'bench/high/README.md: README' "a README that says otherwise than the Makefile"

tree
echo 'May use: nothing.' >models/low/README.md
complains 'models/low/README.md: README: it has to say how to add' "a README that does not say how to add to its room"

echo "1..$count"
[ "$failed" -eq 0 ]
