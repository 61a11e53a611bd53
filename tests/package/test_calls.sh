#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/lint_calls complains of files that call each other, and of nothing else. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

script=$(cd "$(dirname "$0")/.." && pwd)/lint_calls

# compiled NAME: standard input, as the object file NAME.o
compiled() {
    cat >"$folder/$1.c"
    ${CC:-cc} -O1 -fPIE -c "$folder/$1.c" -o "$folder/$1.o"
}

# lint NAME ..: of these object files
lint() {
    for name; do
        set -- "$@" "$folder/$name.o"
        shift
    done
    sh "$script" "$folder/" "$@" >"$folder/err" 2>&1
}

# complains LINE WHAT NAME ..: exactly this line of these object files
complains() {
    printf 'lint_calls: %s\n' "$1" >"$folder/wanted"
    what=$2
    shift 2
    ! lint "$@" && cmp -s "$folder/wanted" "$folder/err"
    result $? "$what"
}

compiled low <<'EOF'
int low_f(int x) { return x + 1; }
int low_g(int x) { return low_f(x); }
EOF
compiled middle <<'EOF'
int low_f(int x);
int middle_f(int x) { return low_f(x) + low_f(x + 1); }
EOF
compiled high <<'EOF'
int low_f(int x);
int middle_f(int x);
int high_f(int x) { return low_f(x) + middle_f(x); }
EOF
is "files that call downwards, and themselves" lint low middle high
is "in any order" lint high middle low

compiled low <<'EOF'
int middle_f(int x);
int low_f(int x) { return x > 0 ? middle_f(x - 1) + 1 : 0; }
EOF
complains 'circle: low -middle_f-> middle -low_f-> low' "two files that call each other" low middle
complains 'circle: low -middle_f-> middle -low_f-> low' "the same with one that calls both" low middle high

compiled low <<'EOF'
int high_f(int x);
int low_f(int x) { return x > 0 ? high_f(x - 1) + 1 : 0; }
EOF
compiled round <<'EOF'
int middle_f(int x);
int high_f(int x) { return middle_f(x) + 1; }
EOF
complains 'circle: low -high_f-> round -middle_f-> middle -low_f-> low' "three in a round" low middle round

compiled low <<'EOF'
int middle_f(int x);
int (*low_address(void))(int) { return middle_f; }
int low_f(int x) { return x; }
EOF
complains 'circle: low -middle_f-> middle -low_f-> low' "a function that is handed on counts as called" low middle

compiled low <<'EOF'
int middle_f(int x);
int (*const low_table[])(int) = {middle_f, 0};
int low_f(int x) { return low_table[x] != 0 ? low_table[x](0) : 0; }
EOF
is "a table of functions is no call" lint low middle

compiled low <<'EOF'
extern const int middle_number;
int low_f(int x) { return x + middle_number; }
EOF
compiled middle <<'EOF'
int low_f(int x);
const int middle_number = 3;
int middle_f(int x) { return low_f(x) + 1; }
EOF
is "nor is a number" lint low middle

compiled empty <<'EOF'
extern int nothing;
EOF
complains 'no calls in 0 files' "files in which nothing is found" empty empty

echo "1..$count"
[ "$failed" -eq 0 ]
