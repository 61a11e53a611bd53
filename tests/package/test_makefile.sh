#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Makefile: builds alone install nothing, tests are chosen by room, and editors are told how a file is compiled. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

here=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
cd "$here" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES

# A package that nobody has; with dry runs nothing is installed whatever happens.
missing() {
    env PATH="$folder/bin:$PATH" make B="$folder/build" PACKAGES=no-such-package PACKAGES_TEST= "$@" >"$folder/said" 2>&1
}
mkdir "$folder/bin"
printf '#!/bin/sh\necho "apt-get $*" >>"%s"\nexit 1\n' "$folder/installed" >"$folder/bin/apt-get"
printf '#!/bin/sh\nexit 1\n' >"$folder/bin/sudo"
chmod +x "$folder/bin/apt-get" "$folder/bin/sudo"

missing; status=$?
[ $status -eq 2 ] && grep -q '^Packages are missing: no-such-package$' "$folder/said" && [ ! -e "$folder/installed" ]
result $? 'make alone says which packages are missing, and stops'
missing deps
grep -q 'no-such-package' "$folder/said" && { [ "$(id -u)" != 0 ] || [ -e "$folder/installed" ]; }
result $? 'make deps would install them'

make -n TEST=algorithms/schemes/explicit test 2>/dev/null | grep 'sh tests/run' | tr ' ' '\n' | grep '/test_' |
    sed 's:.*/::' | sort >"$folder/chosen"
ls tests/algorithms/schemes/explicit | sed -n 's/^\(test_.*\)\.c$/\1/p' | sort >"$folder/there"
cmp -s "$folder/chosen" "$folder/there"
result $? 'TEST=ROOM runs the tests of that room'
make -n TEST=no/such/room test >/dev/null 2>"$folder/said"; status=$?
[ $status -eq 2 ] && grep -q 'no test or room is called no/such/room' "$folder/said"
result $? 'a room without tests is refused'

commands=$(dirname "$macrostep")/compile_commands.json
python3 - "$commands" <<'PYTHON'
import json, subprocess, sys
entries = {e["file"]: e for e in json.load(open(sys.argv[1]))}
entry = entries["algorithms/schemes/explicit/explicit_setup.c"]
sys.exit(subprocess.run(entry["command"].replace(" -c ", " -fsyntax-only "), shell=True, cwd=entry["directory"]).returncode)
PYTHON
result $? 'compile_commands.json compiles a file'

# make coverage has another _exit for all files, which one file defines itself.
make -s CONFIG=coverage B="$folder/coverage" "$folder/coverage/obj/bench/exits.o" >/dev/null 2>"$folder/err"
is 'the file with the ends of the program is compiled for make coverage' test -f "$folder/coverage/obj/bench/exits.o"

echo "1..$count"
[ "$failed" -eq 0 ]
