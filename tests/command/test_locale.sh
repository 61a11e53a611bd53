#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that link the library, FMUs and plug-ins may choose a locale: with decimal commas (de_DE), or where I in lower case is no i
# (tr_TR). Files are read and written as under C. The locales are made here by localedef. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
export LOCPATH="$folder/locales"
mkdir "$LOCPATH"

# What an FMU that chooses the user's locale does, before main; a word on standard error says that 0,5 is a number in it.
cat >"$folder/choose.c" <<'END'
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void choose(void)
{
    char text[8];
    const char *wanted = getenv("CHOSEN");
    unsetenv("LD_PRELOAD"); /* gnuplot and compilers choose for themselves */
    if (wanted == NULL || setlocale(LC_ALL, wanted) == NULL)
        return;
    snprintf(text, sizeof text, "%.1f", 0.5);
    if (getenv("SHOWS") != NULL)
        fprintf(stderr, "%s %s %d\n", text, strtod("0,5", NULL) == 0.5 ? "comma" : "point", tolower('I') == 'i');
}

/* AS_LIBRARY: main does not choose C, as a program that links the library does not. */
locale_t uselocale(locale_t wanted)
{
    static int calls;
    locale_t (*next)(locale_t) = (locale_t (*)(locale_t))dlsym(RTLD_NEXT, "uselocale");
    return next(getenv("AS_LIBRARY") != NULL && calls++ == 0 ? (locale_t)0 : wanted);
}
END
cc -std=c11 -shared -fPIC "$folder/choose.c" -o "$folder/choose.so" || exit 1

# The same FMU for both, which is compiled once.
call export quarter-car --directory "$folder"
cat >"$folder/loop.json" <<'END'
{"parameters": {"INDEX_I": 0.5},
 "subsystems": [{"name": "PLANT_I", "inputs": ["u"], "outputs": {"y": "x1 + INDEX_I*u"},
                 "states": {"x1": {"derivative": "-x1 + 2*SIN(x2) + u", "start": 1}, "x2": {"derivative": "-2.5*x1 - x2"}}},
                {"name": "control", "A": [[-5]], "B": [[1]], "C": [[-2]], "D": [[-0.8]]}],
 "wires": [{"from": "PLANT_I.y", "to": "control.u1"}, {"from": "control.y1", "to": "PLANT_I.u"}], "step_size": 0.1, "end": 1}
END
sed -i 's/SIN(/sin(/' "$folder/loop.json"
# numbers that become expressions, a unit of broken powers
cat >"$folder/numbers.json" <<'END'
{"parameters": {"k": {"value": 0.5, "unit": "m^0.5"}},
 "subsystems": [{"name": "a", "inputs": ["u"], "outputs": {"y": "x1 + 0.25*u", "constant": 0.125},
                 "states": {"x1": {"derivative": "-k*x1 + 2*sin(x2) + u", "start": 1.5}, "x2": {"derivative": 0.375, "start": "k"}}},
                {"name": "b", "A": [[-0.5]], "B": [[1]], "C": [["-k"]], "D": [[0]], "x0": ["k"]}],
 "wires": [{"from": "a.y", "to": "b.u1"}, {"from": "b.y1", "to": "a.u"}], "step_size": 0.1, "end": 1}
END

# calls: what is compared, one a line; each writes into its folder
calls() {
    cat <<'END'
list schemes --format json
show ../loop.json --format json
run ../loop.json --trajectory t.csv --format json --output answer.json
compare ../loop.json --set INDEX_I=0.25 --scheme jacobi --extrapolation-order 0,1 --format latex --output answer.tex
run ../quarter-car.ssp --stop-time 0.1 --step-size 0.01 --trajectory t2.csv --format json --output answer2.json
run ../loop.json --plot picture.svg --keep --format json --output answer3.json
sweep --system ../loop.json --scheme JACOBI,gauss-seidel --step-size 0.1,0.05 --format csv --output sweep.csv
sweep --system ../loop.json --scheme jacobi,gauss-seidel --step-size 0.1,0.05 --format csv --output sweep.csv
stability ../loop.json --at equilibrium --critical --format json
stability ../loop.json --at equilibrium --x step-size=0.01:1:log:5 --y INDEX_I=0.1:0.9:lin:4 --format csv --output map.csv
judge t.csv ../loop.json --format json
diff t.csv t.csv --format json
export ../loop.json --directory . --as none
figure andersson2016:table6.3 --directory . --format json
END
}

# as_library: where main has not chosen C: what the library itself reads and writes
as_library() {
    cat <<'END'
run ../numbers.json --trajectory t.csv --cache cache --format json --output answer.json
export ../numbers.json --directory . --as none --sources --format json
export mass-spring-damper --directory . --sources --format json
END
}

# under LOCALE FOLDER CALLS: each of these, its output and status into it; what names the machine's time is left out
under() {
    mkdir "$folder/$2"
    $3 | while read -r words; do
        # shellcheck disable=SC2086
        (cd "$folder/$2" && LC_ALL=$1 CHOSEN=$1 LD_PRELOAD="$preload" SOURCE_DATE_EPOCH=1000000000 OPENBLAS_NUM_THREADS=1 \
            "$program" $words </dev/null >>out 2>>err || echo "exit status $?" >>out)
    done
    without_progress "$folder/$2/err"
    rm -f "$folder/$2"/*.log
    find "$folder/$2" -type f -exec sed -i -E '/wall_seconds|seconds|processor|[Dd]ate|^%%CreationDate|modified/d' {} +
}
program=$(cd "$(dirname "$macrostep")" && pwd)/${macrostep##*/}
# a sanitizer wants to be the first that is loaded
preload=$(ldd "$program" | sed -n 's/.*libasan.*=> \([^ ]*\) .*/\1/p')" $folder/choose.so"

under C plain calls
under C bare as_library
is "all calls are answered, but the one of JACOBI" test "$(grep -c 'exit status' "$folder/plain/out")" -eq 1
for locale in de_DE tr_TR; do
    localedef -c -i "$locale" -f UTF-8 "$LOCPATH/$locale.UTF-8" >"$folder/err" 2>&1
    is "$locale is made" test -e "$LOCPATH/$locale.UTF-8/LC_NUMERIC"
    SHOWS=1 CHOSEN=$locale.UTF-8 LD_PRELOAD="$preload" "$program" list >/dev/null 2>"$folder/err"
    is "$locale has decimal commas where it is chosen" grep -q '^0,5 comma' "$folder/err"
    under "$locale.UTF-8" "$locale" calls
    diff -r "$folder/plain" "$folder/$locale" >"$folder/err"
    result $? "$locale: every answer and file has the bytes that it has under C"
    AS_LIBRARY=1 under "$locale.UTF-8" "bare-$locale" as_library
    diff -r "$folder/bare" "$folder/bare-$locale" >"$folder/err"
    result $? "$locale: the library's files and keys are those under C, too, where no one has chosen C"
done

echo "1..$count"
[ "$failed" -eq 0 ]
