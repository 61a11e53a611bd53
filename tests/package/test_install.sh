#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install: the command runs from there, pkg-config finds the headers, and they compile together. TAP on standard
# output.
. "$(dirname "$0")/../support/shell/tap.sh"

prefix=$folder/prefix
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make B="$(dirname "$macrostep")" PREFIX="$prefix" install \
    >"$folder/out" 2>"$folder/err" </dev/null
result $? "make install"

is "the manual page is there" test -s "$prefix/share/man/man1/macrostep.1"
for text in README.md bench/README.md bench/studies/README.md algorithms/schemes/README.md models/fmu/README.md; do
    is "the manual has $text" test -s "$prefix/share/doc/macrostep/$text"
done
is "what completes command lines is there" test -s "$prefix/share/bash-completion/completions/macrostep" -a \
    -s "$prefix/share/zsh/site-functions/_macrostep"
is "the schemas of answers are there" test -s "$prefix/share/macrostep/schemas/run.json"
MACROSTEP="$prefix/bin/macrostep" PYTHONPATH="$prefix/share/macrostep/python" PYTHONDONTWRITEBYTECODE=1 \
    python3 -c 'import macrostep; assert macrostep.run("linear-pair", stop_time=0.1)["reason"] == "end-time"' 2>"$folder/err"
result $? "the installed Python package calls the installed command"
(unset MACROSTEP; PYTHONPATH="$prefix/share/macrostep/python" PYTHONDONTWRITEBYTECODE=1 python3 -c "
import macrostep, macrostep.commands
assert macrostep.command_line('list')[0] == '$prefix/bin/macrostep', macrostep.command_line('list')
assert macrostep.list('models').frame() is not None") 2>"$folder/err"
result $? "... and finds it"
"$prefix/bin/macrostep" list models >"$folder/out" 2>"$folder/err"
result $? "the installed command runs"

# What the build opens when it is asked for, the installed command does, too.
plugins=$(cd "$(dirname "$macrostep")/plugins" && ls)
is "what the command opens is there" test "$(ls "$prefix/lib/macrostep")" = "$plugins"
petsc='damping-reaction --scheme ifosmondi --solver-nonlinear anderson --backend petsc --stop-time 0.1'
"$macrostep" run $petsc --trajectory "$folder/built.csv" >"$folder/out" 2>"$folder/err"
wanted=$?
"$prefix/bin/macrostep" run $petsc --trajectory "$folder/installed.csv" >"$folder/out" 2>"$folder/err"
[ $? -eq $wanted ] && { [ $wanted -ne 0 ] || cmp -s "$folder/built.csv" "$folder/installed.csv"; }
result $? "... PETSc runs as it does from the build, or is refused"

# An observer of a run with the linear pair, or the model that is named, with options NAME VALUE ..: the first state at the end,
# with the largest error.
cat >"$folder/user.c" <<'END'
#include <macrostep/macrostep.h>
#include <stdio.h>

static int look(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    *(double *)self = ms_run_states(cosim)[0];
    return 0;
}

int main(int argc, char **argv)
{
    ms_system *system;
    ms_options options;
    ms_simulation run;
    ms_error error;
    double x = 0.0;
    const ms_observer observer = {.self = &x, .step = look};
    const ms_simulation_options request = {.errors = true, .observers = &observer, .n_observers = 1};
    ms_options_default(&options);
    for (int k = 2; k + 1 < argc; k += 2)
        if (ms_options_set(&options, argv[k], argv[k + 1], &error) != MS_OK)
            return 2;
    if (ms_system_create(ms_catalogue_find(argc > 1 ? argv[1] : "linear-pair"), NULL, NULL, 0, &system, &error) != MS_OK ||
        ms_simulation_run(system, &options, &request, &run, &error) != MS_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("%.15g %.15g\n", x, run.errors.max);
    ms_simulation_destroy(&run);
    ms_system_destroy(&system);
    return 0;
}
END
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
flags=$(pkg-config --cflags --libs macrostep 2>"$folder/err")
result $? "pkg-config finds the library"
pkg-config --print-requires --print-requires-private macrostep | grep -i -e petsc -e mpi >"$folder/err"
is "... and asks for neither PETSc nor MPI" test ! -s "$folder/err"
# shellcheck disable=SC2086
cc -std=c11 -Wall -Wextra -Werror "$folder/user.c" -o "$folder/user" $flags 2>"$folder/err"
result $? "a program with macrostep.h compiles and links"
"$prefix/bin/macrostep" run linear-pair --trajectory "$folder/pair.csv" --format csv >"$folder/run.csv" 2>"$folder/err"
[ "$("$folder/user")" = "$(tail -n 1 "$folder/pair.csv" | cut -d , -f 2 | awk '{printf "%.15g", $1}') $(awk -F, \
    '/^#/ {next} !n {for (k = 1; k <= NF; k++) if ($k == "errors.max") n = k; next} {printf "%.15g", $n}' "$folder/run.csv")" ]
result $? "... its run is that of the command: state at the end, largest error"
case $flags in # the dlopen of a sanitizer does not look where the program has been linked to look
    *-fsanitize*) export LD_LIBRARY_PATH="$prefix/lib/macrostep" ;;
esac
set -- damping-reaction scheme ifosmondi solver-nonlinear anderson stop-time 0.1 backend
case $plugins in
    *petsc*) "$folder/user" "$@" petsc >"$folder/out" 2>"$folder/err" ;;
    *) "$folder/user" "$@" petsc 2>&1 | grep -q 'does not have anderson here' && "$folder/user" "$@" native >"$folder/out" ;;
esac
result $? "... it opens PETSc where that is installed"
"$folder/user" "$@" native >"$folder/native" 2>"$folder/err"
cat "$folder/out" "$folder/native" | awk 'NR == 1 {x = $1} NR == 2 {d = $1 - x} END {exit !(NR == 2 && d * d <= 1e-12 * x * x && x != 0)}'
result $? "... and ends where the method of our own does"

# Each header alone, from C++, out of a folder with a blank in its name: what pkg-config says is quoted as shells read it.
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make B="$(dirname "$macrostep")" PREFIX="$folder/pre fix" install >"$folder/out" 2>"$folder/err" </dev/null
result $? "make install into a folder with a blank"
flags=$(PKG_CONFIG_PATH="$folder/pre fix/lib/pkgconfig" pkg-config --cflags --libs macrostep 2>"$folder/err")
eval "set -- $flags"
for header in "$folder/pre fix/include/macrostep"/*.h; do
    echo "#include <macrostep/$(basename "$header")>" | g++ -Wall -Wextra -Werror -fsyntax-only -x c++ - "$@" || echo "$header"
done >"$folder/out" 2>"$folder/err"
is "each header compiles alone in C++" test ! -s "$folder/out"
printf '#include <macrostep/catalogue.h>\nint main() { return ms_catalogue_find("quarter-car") == nullptr; }\n' >"$folder/found.cpp"
g++ -Wall -Wextra -Werror "$folder/found.cpp" -o "$folder/found" "$@" 2>"$folder/err" && "$folder/found"
result $? "a C++ program finds a model"

# Models and schemes of one's own: what `new` writes compiles without a warning, and does what it says.
mkdir "$folder/own" && cd "$folder/own" || exit 1
for kind in model scheme; do
    "$prefix/bin/macrostep" new $kind my-$kind --format json >"$folder/out" 2>"$folder/err"
    result $? "new $kind"
    compile=$(sed -n 's/^  "compile": "\(.*\)",$/\1/p' "$folder/out")
    eval "$compile -Wall -Wextra -Werror" 2>"$folder/err"
    result $? "... compiles by the line that it prints"
done
"$prefix/bin/macrostep" run my-model --load my-model.so,my-scheme.so --scheme my-scheme --trajectory own.csv >"$folder/out" 2>"$folder/err"
result $? "a model and a scheme from shared objects"
"$prefix/bin/macrostep" run my-model --load my-model.so --trajectory jacobi.csv >"$folder/out" 2>"$folder/err"
grep -v '^#' own.csv >own && grep -v '^#' jacobi.csv >jacobi && cmp -s own jacobi && [ -s own ]
result $? "... with the bits of jacobi, order 0"
"$prefix/bin/macrostep" spectral quarter-car --load my-scheme.so --scheme all --format csv 2>"$folder/err" | grep -q '^my-scheme,'
result $? "... the scheme is one of --scheme all"
"$prefix/bin/macrostep" list models --load my-model.so 2>"$folder/err" | grep -q '^my-model '
result $? "... are listed"
printf '{"subsystems": [{"model": "my-model", "subsystem": "left", "set": {"k1": 2}}], "wires": []}' >left.json
"$prefix/bin/macrostep" show left.json --load my-model.so >"$folder/out" 2>"$folder/err"
result $? "... and serve system files"

# refuses_load PATTERN WORD ..: the exit status $wanted, and one line with the pattern
wanted=2
refuses_load() {
    pattern=$1
    shift
    "$prefix/bin/macrostep" "$@" >"$folder/out" 2>"$folder/err"
    [ $? -eq $wanted ] && [ "$(wc -l <"$folder/err")" -eq 1 ] && grep -q -e "$pattern" "$folder/err"
    result $? "exit $wanted: $*"
}
sed 's/MS_EXTENSION(&model, NULL)/static const ms_extension old = {0, MS_EXTENSION_SIZES, \&model, NULL};\nextern const ms_extension macrostep_extension;\nconst ms_extension macrostep_extension = {0, {0}, \&model, NULL};\nint used(void) { return old.interface; }/' my-model.c >old.c
cc -std=c11 -shared -fPIC old.c -o old.so $(pkg-config --cflags macrostep) 2>"$folder/err"
result $? "an extension of an older interface compiles"
refuses_load 'compiled with headers of another version' run my-model --load old.so
wanted=1 # as of every missing file
refuses_load 'no-such.so: No such file' run quarter-car --load no-such.so
wanted=2
refuses_load 'there is a scheme my-scheme already' run quarter-car --load my-scheme.so,my-scheme.so
refuses_load 'FILE.so' run quarter-car --load ,
refuses_load 'my-model.c exists already' new model my-model
refuses_load 'model, scheme or iteration is expected' new thing x
refuses_load 'a small letter' new model Big
refuses_load 'a small letter' new model
refuses_load 'unexpected word' new model a b

echo "1..$count"
[ "$failed" -eq 0 ]
