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

cat >"$folder/user.c" <<'END'
#include <macrostep.h>
int main(void)
{
    return ms_catalogue[0] == NULL;
}
END
flags=$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags macrostep 2>"$folder/err")
result $? "pkg-config finds the library"
# shellcheck disable=SC2086
cc -std=c11 -Wall -Wextra -Werror -fsyntax-only $flags "$folder/user.c" 2>"$folder/err"
result $? "all headers compile together"

echo "1..$count"
[ "$failed" -eq 0 ]
