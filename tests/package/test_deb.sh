#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make deb: the package has the files and fields that it should, and its command runs from where it is unpacked. TAP on standard
# output.
. "$(dirname "$0")/../support/shell/tap.sh"

build=$(dirname "$macrostep")
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make B="$build" DEB="$folder/macrostep.deb" DEB_ROOT="$folder/root" deb \
    >"$folder/out" 2>"$folder/err" </dev/null
result $? "make deb"
is "what it was made of is gone" test ! -e "$folder/root"

field() { dpkg-deb -f "$folder/macrostep.deb" "$1"; }
is "its version is that of the command" test "macrostep $(field Version)" = "$("$macrostep" --version | head -n 1 | cut -d ' ' -f 1-2)"
for library in libopenblas libgsl libsundials-cvode liblapacke libjansson; do
    field Depends >"$folder/err"
    is "it depends on $library" grep -q "$library" "$folder/err"
done
is "not on PETSc, MPI and Arb" test -z "$(field Depends | grep -i 'petsc\|mpi\|flint')"

dpkg-deb -c "$folder/macrostep.deb" >"$folder/list" 2>"$folder/err"
is "all belongs to root" test -z "$(grep -v ' root/root ' "$folder/list")"
is "nobody else may write" test -z "$(grep '^.\(....w\|.......w\)' "$folder/list")"

dpkg-deb -x "$folder/macrostep.deb" "$folder/system" 2>"$folder/err"
result $? "it can be unpacked"
for file in lib/libmacrostep.a lib/pkgconfig/macrostep.pc include/macrostep/macrostep.h share/man/man1/macrostep.1.gz \
    share/doc/macrostep/copyright share/doc/macrostep/changelog.gz share/macrostep/schemas/run.json \
    share/macrostep/python/macrostep/commands.pyi share/bash-completion/completions/macrostep share/zsh/site-functions/_macrostep; do
    is "$file" test -s "$folder/system/usr/$file"
done
is "pkg-config looks in /usr" grep -qx 'prefix=/usr' "$folder/system/usr/lib/pkgconfig/macrostep.pc"
is "what the build opens is there" test "$(ls "$folder/system/usr/lib/macrostep")" = "$(ls "$build/plugins")"
(cd "$folder/system" && dpkg-deb --ctrl-tarfile "$folder/macrostep.deb" | tar -xOf - ./md5sums | md5sum --quiet -c) 2>"$folder/err"
result $? "sums of all files"

# An expression is read by what stands in lib/macrostep.
printf '{"subsystems": [{"name": "a", "states": {"x": {"derivative": "-x", "start": 1}}, "outputs": {"y": "x"}}], "step_size": 0.1}' \
    >"$folder/own.json"
"$folder/system/usr/bin/macrostep" run "$folder/own.json" --stop-time 1 >"$folder/out" 2>"$folder/err"
result $? "the unpacked command runs, with what it opens"
echo "1..$count"
[ "$failed" -eq 0 ]
