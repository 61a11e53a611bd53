# SPDX-License-Identifier: GPL-3.0-or-later
# ranks.sh - calls on the ranks of mpirun, of $program; sourced by tests, behind tap.sh. Not a test.
# shellcheck shell=sh

# What Open MPI wants where root runs it, and where there are fewer processors than ranks. It leaves memory behind itself. Ranks that are told to end
# get a second for it: each refusal waits that long.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_odls_base_sigkill_timeout=1
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# ranks N ARGUMENT ..: on N ranks, for 120 s at most; output in $folder/out and err, exit status in $status
ranks() {
    n=$1
    shift
    timeout -k 5 120 mpirun -n "$n" "$program" "$@" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
    without_progress "$folder/err"
}

# refused STATUS PATTERN N ARGUMENT ..: one line from rank 0, nothing from the others
refused() {
    wanted=$1 pattern=$2
    shift 2
    ranks "$@"
    [ "$status" -eq "$wanted" ] && [ ! -s "$folder/out" ] && [ "$(grep -c '^macrostep: ' "$folder/err")" -eq 1 ] &&
        grep -q "^macrostep: .*$pattern" "$folder/err"
    result $? "exit $wanted on ranks: $*"
}
