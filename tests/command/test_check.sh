#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macrostep check: models and a scheme of one's own that hold, and schemes that fail each question, with what is told of them. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
case $macrostep in /*) ;; *) macrostep=$PWD/$macrostep ;; esac
cd "$folder" || exit 1
find "$here"/models "$here"/algorithms "$here"/analysis -name macrostep -type d | sed 's|/macrostep$||; s|^|-I|' >include

# verdicts QUESTION: how often which
verdicts() {
    sed -n "s/.*,$1,\\([a-z-]*\\),.*/\\1/p" out | sort | uniq -c | tr -d '\n' | tr -s ' '
}

answers check quarter-car --format csv --comments no
for question in restore repeat masks order growth; do
    is "quarter-car: $question holds with three schemes" test "$(verdicts $question)" = ' 3 holds'
done
grep -q '^ifosmondi,quarter-car,order,holds,"observed [0-9.]*, claimed 4"' out
result $? "... with the order of each"
echo '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "-x^3", "start": 1}}, "outputs": {"y": "x"}}], "step_size": 0.1}' >own.json
answers check own.json --format csv --comments no
is "a file: what is not linear claims no order" test "$(verdicts order)" = ' 3 not-asked' -a "$(verdicts restore)" = ' 3 holds'
call export quarter-car --directory fmus
for kind in co-simulation model-exchange; do
    answers check fmus/quarter_car_wheel.fmu --kind $kind --format csv --comments no
    is "an FMU for $kind is taken back" test "$(verdicts restore)" = ' 3 holds' -a "$(verdicts repeat)" = ' 3 holds'
done
echo '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "1", "start": 0}}, "outputs": {"y": "x"},
    "events": [{"when": "x - 0.05", "direction": "rise", "then": {"x": "0"}}]}], "step_size": 0.1}' >saw.json
call export --system saw.json --directory fmus
answers check fmus/saw_a.fmu --kind model-exchange --format csv --comments no
is "an FMU with events as well" test "$(verdicts restore)" = ' 3 holds' -a "$(verdicts repeat)" = ' 3 holds'
refuses 2 'unknown model quarter-cart' check quarter-cart
refuses 1 'none.so: No such file' check ./none.so

# made NAME SED [KIND]: the scheme that `new` writes, changed, checked
made() {
    call new "${3-scheme}" "$1"
    sed -i "s/#include <string.h>/&\\n#include <stdlib.h>/; $2" "$1.c"
    cc -std=c11 -O2 -shared -fPIC -Wall -Werror "$1.c" -o "$1.so" $(cat include) 2>err || cat err >&2
    call check "./$1.so" --format csv --comments no
}
made held ''
is "the scheme of new: nothing fails" test "$status" -eq 0
is "... on five models" test "$(verdicts restore)" = ' 5 holds' -a "$(verdicts allocations)" = ' 5 holds'
is "... its order is the claimed one" test "$(verdicts order)" = ' 4 holds 1 not-asked'
refuses 2 'held.c is C source; compile it first: cc .* held.c -o held.so, with' check held.c
refuses 2 'held.c is C source; compile it first: cc ' run quarter-car --load held.c
answers check ./held.so --system own.json --format csv --comments no
is "... or on the file of --system alone" test "$(grep -c '^held,own,' out)" -eq "$(grep -c . out | awk '{print $1 - 1}')"
is "... whose order is not asked" test "$(verdicts restore)" = ' 1 holds' -a "$(verdicts order)" = ' 1 not-asked'
made repeated '' iteration
is "the iteration of new: nothing fails" test "$status" -eq 0
is "... it takes macro-steps back and has its order" test "$(verdicts restore)" = ' 5 holds' -a "$(verdicts order)" = ' 4 holds 1 not-asked'
made modest 's/^    return 2;/    return 1;/' iteration
is "a higher order than it claims is no failure" test "$status" -eq 0 -a "$(verdicts order)" = ' 4 holds 1 not-asked'
is "... and is told" grep -q 'observed 2.0., more than the claimed 1' out
made scratch 's/^    ms_system_couple(s, cosim->y, u);/    const double kept = u[0];\n&\n    u[0] = 0.5 * (kept + u[0]);/'
is "memory in scratch: exit 3" test "$status" -eq 3
is "... it cannot be taken back, and repeats" test "$(verdicts restore)" = ' 5 fails' -a "$(verdicts repeat)" = ' 5 holds'
grep -q 'scheme_lin and scheme_aux' out
result $? "... and is told where memory stands"
made drifting 's/^    ms_system_couple(s, cosim->y, u);/    static double drift = 0.0;\n&\n    u[0] += drift += 1e-3;/'
is "a static variable: a second co-simulation differs" test "$(verdicts repeat)" = ' 5 fails'
made greedy 's/^    ms_system_couple(s, cosim->y, u);/&\n    void *volatile more = malloc(16);\n    free(more);/'
is "memory taken in a macro-step" test "$(verdicts allocations)" = ' 5 fails' -a "$(verdicts restore)" = ' 5 holds'
grep -q '6 allocations in 6 macro-steps' out
result $? "... is counted"
made boasting 's/^    return 1;/    return 2;/'
is "an order that is not there" test "$(verdicts order)" = ' 4 fails 1 not-asked'
made silent 's/^    cosim->reading = MS_READING_LEFT;/    return MS_UNSUPPORTED;/'
is "refused without a word" test "$(verdicts takes)" = ' 5 fails'
made saying 's/^    cosim->reading = MS_READING_LEFT;/    return ms_fail(error, MS_UNSUPPORTED, "n");/; s/^    (void)error;//'
is "refused with one letter: not asked" test "$(verdicts takes)" = ' 5 not-asked'
made broken 's/^    const int status = ms_execution_advance.*/    (void)t;\n    const int status = MS_SOLVER_FAILED;/'
is "macro-steps that fail" test "$(verdicts repeat)" = ' 5 fails' -a "$(verdicts restore)" = ' 5 fails'

echo "1..$count"
[ "$failed" -eq 0 ]
