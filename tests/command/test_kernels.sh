#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Linear models with micro-solvers of our own take the same bits under every kernel type of OpenBLAS that this processor can
# execute, and the provenance says where that is not promised. TAP on standard output.
. "$(dirname "$0")/../support/shell/tap.sh"
. "$(dirname "$0")/../support/shell/kernels.sh"

# bits: the trajectories and errors of runs that together use every dense operation, one after the other
bits() {
    while read -r call; do
        # shellcheck disable=SC2086
        "$macrostep" run $call --stop-time 1 --trajectory "$folder/trajectory" --format json 2>&1 |
            sed -n '/"errors"/,/"per_state"/p'
        grep -v '^#' "$folder/trajectory"
    done <<'END'
quarter-car --extrapolation-order 2 --linear-correction
quarter-car --solver rk4 --micro-steps 3 --scheme gauss-seidel --outputs consistent
quarter-car --solver trapezoidal
full-car --solver radau-iia --micro-steps 2
linear-pair --solver euler --smooth-coupling c1
full-car --scheme ifosmondi --solver-nonlinear anderson
damping-reaction --scheme ifosmondi --solver-nonlinear newtonls
damping-reaction --scheme ifosmondi --solver-nonlinear ngmres-ls
mass-spring-damper --scheme balance --extrapolation-order 1
linear-pair --error-controlled richardson --extrapolation-order 2
mass-chain --set masses=70 --step-size 0.01
END
}

# round_off ARGUMENT ..: the line of provenance
round_off() {
    "$macrostep" run "$@" --stop-time 0.01 --trajectory "$folder/trajectory" >/dev/null 2>"$folder/err"
    sed -n 's/^# round_off: //p' "$folder/trajectory"
}

bits >"$folder/bits"
is "there is something to compare" test "$(wc -l <"$folder/bits")" -gt 1000
[ -n "$(kernels_here)" ]
result $? "this processor executes one of the kernel types"
for kernel in $(kernels_here); do
    its_turn || continue
    is "$kernel is what OpenBLAS takes" kernel_taken "$kernel" "$macrostep"
    OPENBLAS_CORETYPE=$kernel
    export OPENBLAS_CORETYPE
    bits >"$folder/of-$kernel"
    unset OPENBLAS_CORETYPE
    is "the same bits with the kernels of $kernel" cmp -s "$folder/bits" "$folder/of-$kernel"
done

round_off quarter-car | grep -q '^own code: the same under every blas_core$'
result $? "provenance says what is the same everywhere"
round_off quarter-car --solver cvode-bdf | grep -q "blas_core: the micro-solver is from a library$"
result $? "provenance says that CVODE is a library's"
round_off double-pendulum | grep -q 'blas_core: subsystems are nonlinear or have events$'
result $? "provenance says that a model is nonlinear"
cat >"$folder/large.json" <<END
{"subsystems": [{"A": [$(awk 'BEGIN {for (i = 0; i < 200; i++) {
    printf "%s[", i ? "," : ""; for (j = 0; j < 200; j++) printf "%s%d", j ? "," : "", -(i == j); printf "]"}}')],
    "B": [], "C": [], "D": []}], "L": []}
END
round_off --system "$folder/large.json" | grep -q "matrices may have order 200, and above 192 LAPACK is used$"
result $? "provenance says that a matrix is large"

echo "1..$count"
[ "$failed" -eq 0 ]
