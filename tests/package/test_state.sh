#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/lint_state complains of variables that can be written and of lines whose variable is gone, and of nothing else. TAP on
# standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

script=$(cd "$(dirname "$0")/.." && pwd)/lint_state

# compiled NAME: standard input, as the object file NAME.o
compiled() {
    mkdir -p "$(dirname "$folder/$1")"
    cat >"$folder/$1.c"
    ${CC:-cc} -O1 -fPIE -c "$folder/$1.c" -o "$folder/$1.o"
}

# complains NAME WHAT LINE ..: exactly these lines of this object file, in this order, but for those of variables that are gone
complains() {
    name=$1 what=$2
    shift 2
    for line; do
        printf 'lint_state: state: %s\n' "$line"
    done >"$folder/wanted"
    sh "$script" "$folder/" "$folder/$name.o" >"$folder/err" 2>&1
    grep -v ': gone: ' "$folder/err" | sort | cmp -s "$folder/wanted" -
    result $? "$what"
}

compiled low <<'EOF'
static const double weights[] = {1.0, 2.0};
static const char *const names[] = {"one", "two"};
const char *const *low_names(void) { return names; }
double low_f(int k) { double x[] = {3.0, 4.0}; return k > 0 ? weights[k] : x[-k]; }
EOF
complains low "constants are no state"

compiled low <<'EOF'
int low_seen;
static int first = 3;
static _Thread_local int of_thread;
static const char *name = "one";
static struct { int n; } place;
const char *low_f(int k) { static int calls; calls++; first += k + of_thread++ + place.n++; return k > first ? name : (name = "two"); }
int low_calls(void) { static int calls; return calls++ + low_seen; }
EOF
complains low "variables of a file, of a function, of a thread" "low calls" "low first" "low low_seen" "low name" "low of_thread" \
    "low place"

compiled models/catalogue <<'EOF'
static const int *all[4], *more[4];
void add(int k, const int *one) { all[k] = one; more[k] = one; }
int sum(int k) { return *all[k] + *more[k]; }
EOF
complains models/catalogue "one that is listed is none, by its file and name" "models/catalogue more"
is "where a line's variable is gone it is said" grep -qx 'lint_state: gone: algorithms/extension opened' "$folder/err"
is "and only there" test "$(grep -c 'gone: models/catalogue' "$folder/err")" = 0

echo "1..$count"
[ "$failed" -eq 0 ]
