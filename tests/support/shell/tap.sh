# SPDX-License-Identifier: GPL-3.0-or-later
# tap.sh - what the tests of the command line share; each sources it first. Not a test itself.
# MACROSTEP is the binary, build/macrostep unless set; TAP goes to standard output.
# shellcheck shell=sh
set -u
macrostep=${MACROSTEP:-build/macrostep}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
count=0
failed=0

# result STATUS WHAT: one TAP line
result() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        failed=$((failed + 1))
        echo "not ok $count - $2"
        sed 's/^/# /' "$folder/err" 2>/dev/null
    fi
}

# is WHAT COMMAND ..: the command succeeds
is() {
    what=$1
    shift
    "$@"
    result $? "$what"
}

# without_progress FILE: takes out the lines of progress, which slow machines see, and what MPI says of machines without /sys
without_progress() {
    sed -i -e '/^macrostep: [a-z-]* [0-9]* %/d' -e '/^\[hwloc\//d' "$1"
}

# call ARGUMENT ..: output in $folder/out and err (progress left out), exit status in $status
call() {
    "$macrostep" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
    without_progress "$folder/err"
}

# refuses STATUS PATTERN ARGUMENT ..: nothing on standard output, one line "macrostep: ..." that matches the pattern
refuses() {
    wanted=$1 pattern=$2
    shift 2
    call "$@"
    [ "$status" -eq "$wanted" ] && [ ! -s "$folder/out" ] && [ "$(wc -l <"$folder/err")" -eq 1 ] &&
        grep -q '^macrostep: ' "$folder/err" && grep -q -e "$pattern" "$folder/err"
    result $? "exit $wanted: $*"
}

# answers ARGUMENT ..: done, with something on standard output and nothing on standard error
answers() {
    call "$@"
    [ "$status" -eq 0 ] && [ -s "$folder/out" ] && [ ! -s "$folder/err" ]
    result $? "exit 0: $*"
}

# number KEY: the first number of that name in the JSON answer $folder/out
number() {
    sed -n "s/^ *\"$1\": \([-+0-9.e]*\),\{0,1\}$/\1/p" "$folder/out" | head -n 1
}

# rows FILE: how many rows a CSV file has below its header
rows() {
    echo $(($(grep -vc '^#' "$1") - 1))
}

# near A B TOLERANCE: |A - B| <= TOLERANCE |B|, of numbers or terms
near() {
    awk "BEGIN {d = ($1) - ($2); b = ($2) < 0 ? -($2) : ($2); exit !(d <= ($3) * b && -d <= ($3) * b)}"
}

# its_turn [N]: each call, but where TEST_EFFORT=short the first of N (4); turn=0 makes the next one the first
turn=0
its_turn() {
    turn=$((turn + 1))
    [ "${TEST_EFFORT-}" != short ] || [ $((turn % ${1:-4})) -eq 1 ]
}

# begun [N]: waits until a command in the background, or N of them, write beside $folder/long
begun() {
    waited=0
    while [ "$(find "$folder" -maxdepth 1 -name 'long.*.part' | wc -l)" -lt "${1:-1}" ] && [ $waited -lt 300 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    sleep 0.3
}
