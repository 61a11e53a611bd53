#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install: the command runs from there, pkg-config finds the headers, and they compile together. TAP on standard
# output.
. "$(dirname "$0")/tap.sh"

prefix=$folder/prefix
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make B="$(dirname "$macrostep")" PREFIX="$prefix" install \
    >"$folder/out" 2>"$folder/err" </dev/null
result $? "make install"

is "the manual page is there" test -s "$prefix/share/man/man1/macrostep.1"
is "the schemas of answers are there" test -s "$prefix/share/macrostep/schemas/run.json"
"$prefix/bin/macrostep" list models >"$folder/out" 2>"$folder/err"
result $? "the installed command runs"

# An observer of a run with the linear pair: the first state at the end, with the largest error.
cat >"$folder/user.c" <<'END'
#include <macrostep.h>
#include <stdio.h>

static int look(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    *(double *)self = ms_run_states(cosim)[0];
    return 0;
}

int main(void)
{
    ms_system *system;
    ms_options options;
    ms_simulation run;
    ms_error error;
    double x = 0.0;
    const ms_observer observer = {.self = &x, .step = look};
    const ms_simulation_options request = {.errors = true, .observers = &observer, .n_observers = 1};
    ms_options_default(&options);
    if (ms_system_create(ms_catalogue_find("linear-pair"), NULL, NULL, 0, &system, &error) != MS_OK ||
        ms_simulation_run(system, &options, &request, &run, &error) != MS_OK)
        return 1;
    printf("%.15g %.15g\n", x, run.errors.max);
    ms_simulation_destroy(&run);
    ms_system_destroy(&system);
    return 0;
}
END
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
flags=$(pkg-config --cflags --libs macrostep 2>"$folder/err")
result $? "pkg-config finds the library"
# shellcheck disable=SC2086
cc -std=c11 -Wall -Wextra -Werror "$folder/user.c" -o "$folder/user" $flags 2>"$folder/err"
result $? "a program with macrostep.h compiles and links"
"$prefix/bin/macrostep" run linear-pair --trajectory "$folder/pair.csv" --format csv >"$folder/run.csv" 2>"$folder/err"
[ "$("$folder/user")" = "$(tail -n 1 "$folder/pair.csv" | cut -d , -f 2 | awk '{printf "%.15g", $1}') $(awk -F, \
    '/^#/ {next} !n {for (k = 1; k <= NF; k++) if ($k == "errors.max") n = k; next} {printf "%.15g", $n}' "$folder/run.csv")" ]
result $? "... its run is that of the command: state at the end, largest error"

echo "1..$count"
[ "$failed" -eq 0 ]
