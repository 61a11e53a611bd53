#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the command opens when it is asked for: PETSc, MPI and Arb, each in a shared object beside it. They are not linked in, nothing
# else opens them, and a shared object that is missing, of another build, or without its library is one line. Where the build
# has no such library, that it says so. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"

LD_TRACE_LOADED_OBJECTS=1 "$macrostep" >"$folder/linked" 2>"$folder/err"
is "the dynamic linker says what the command is linked to" grep -q 'libopenblas' "$folder/linked"
grep -i -e 'petsc' -e 'libmpi' -e 'libopen-rte' -e 'libzip' -e 'libexpat' -e 'libflint' "$folder/linked" >"$folder/err"
is "... neither to PETSc nor to MPI, libzip, Expat or Arb" test ! -s "$folder/err"

# The command alone, in a folder of its own
built=$(cd "$(dirname "$macrostep")" && pwd)/plugins
mkdir "$folder/alone"
cp "$macrostep" "$folder/alone/macrostep"
macrostep=$folder/alone/macrostep
plugins=$folder/alone/plugins
answers list schemes
answers show damping-reaction
answers run quarter-car --stop-time 0.1
answers run damping-reaction --scheme ifosmondi --solver-nonlinear anderson --backend kinsol --stop-time 0.1

# opens NAME TEXT ARGUMENT ..: the call that opens macrostep-NAME.so, and what it then says, in its answer or in its refusal
opens() {
    name=$1 text=$2
    shift 2
    if [ ! -e "$built/macrostep-$name.so" ]; then
        refuses 2 'built without MPI\|built without Arb; install libflint-arb-dev\|--backend petsc: does not have anderson here; use native' "$@"
        return
    fi
    refuses 2 "macrostep-$name.so does not open (.*No such file.*); its place is plugins beside the program" "$@"
    mkdir "$plugins"

    echo "const struct { const char *build; } ms_plugin_table_$name = {\"0.0-1\"};" >"$folder/other.c"
    cc -shared -fPIC "$folder/other.c" -o "$plugins/macrostep-$name.so"
    refuses 2 "macrostep-$name.so is from build 0.0-1, but the program needs [0-9.]*-[0-9]*; install both together" "$@"

    echo 'int other;' >"$folder/other.c"
    cc -shared -fPIC "$folder/other.c" -o "$plugins/macrostep-$name.so"
    refuses 2 "macrostep-$name.so is from build (none), but" "$@"

    cc -shared -fPIC "$folder/other.c" -Wl,-soname,libgone.so -o "$folder/libgone.so"
    cc -shared -fPIC "$folder/other.c" -Wl,--no-as-needed "$folder/libgone.so" -o "$plugins/macrostep-$name.so"
    rm "$folder/libgone.so"
    refuses 2 "macrostep-$name.so does not open (libgone.so: .*No such file" "$@"

    cp "$built/macrostep-$name.so" "$plugins"
    call "$@"
    grep -q "$text" "$folder/out" "$folder/err"
    result $? "beside the command it is opened: $*"
    rm -r "$plugins"

    mkdir -p "$folder/lib/macrostep"
    cp "$built/macrostep-$name.so" "$folder/lib/macrostep"
    call "$@"
    grep -q "$text" "$folder/out" "$folder/err"
    result $? "in ../lib/macrostep, too"
}
opens petsc '^ *backend *petsc' run damping-reaction --verbose --scheme ifosmondi --solver-nonlinear anderson --backend petsc --stop-time 0.1
opens balls '^ *"precision"' spectral mass-spring-damper --step-size 0.01 --certify --format json
# MPI is opened where a launcher says that there are others.
export OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0
opens mpi '^ *execution *mpi' run quarter-car --verbose --execution mpi --stop-time 0.1

# MPI that does not come back from its start, as where a rank never does, is given up; the alarm comes early here.
if [ -e "$built/macrostep-mpi.so" ]; then
    mkdir "$plugins"
    echo 'const struct { const char *build; } ms_plugin_table_mpi = {"none"};' >"$folder/other.c"
    cc -shared -fPIC "$folder/other.c" -o "$plugins/macrostep-mpi.so"
    call run quarter-car --execution mpi
    build=$(sed -n 's/.*the program needs \([^;]*\);.*/\1/p' "$folder/err")
    cat >"$folder/other.c" <<'END'
#include <signal.h>
#include <unistd.h>
static int begin(int *rank, int *ranks)
{
    (void)rank, (void)ranks;
    raise(SIGALRM);
    for (;;)
        pause();
}
const struct { const char *build; int (*begin)(int *, int *); } ms_plugin_table_mpi = {BUILD, begin};
END
    cc -shared -fPIC -DBUILD="\"$build\"" "$folder/other.c" -o "$plugins/macrostep-mpi.so"
    refuses 1 'MPI has not started on all ranks within 60 s; a rank may have ended' run quarter-car --execution mpi
fi

echo "1..$count"
[ "$failed" -eq 0 ]
