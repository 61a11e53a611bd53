# SPDX-License-Identifier: GPL-3.0-or-later
# kernels.sh - the kernel types of OpenBLAS and the processor features that they need; sourced by tests. Not a test.
# shellcheck shell=sh

# kernel_list: NAME:FEATURE,FEATURE one a line, features as /proc/cpuinfo has them
kernel_list() {
    cat <<'END'
Prescott:pni
Core2:ssse3
Nehalem:sse4_2
Sandybridge:avx
Haswell:avx2,fma
Zen:avx2,fma
SkylakeX:avx512f,avx512dq,avx512bw,avx512vl
Cooperlake:avx512f,avx512dq,avx512bw,avx512vl,avx512_bf16
END
}

# kernel_runs FEATURES: can this processor execute them all?
kernel_runs() {
    features=$(sed -n 's/^flags[^:]*://p' "${CPUINFO:-/proc/cpuinfo}" 2>/dev/null | head -n 1)
    for feature in $(echo "$1" | tr ',' ' '); do
        case " $features " in
            *" $feature "*) ;;
            *) return 1 ;;
        esac
    done
}

# kernels_here, kernels_elsewhere: the names of those that it can and cannot execute
kernels_here() {
    kernel_list | while IFS=: read -r name features; do
        if kernel_runs "$features"; then echo "$name"; fi
    done
}

kernels_elsewhere() {
    kernel_list | while IFS=: read -r name features; do
        kernel_runs "$features" || echo "$name"
    done
}

# kernel_taken NAME BINARY: does the command say that it has these kernels?
kernel_taken() {
    OPENBLAS_CORETYPE=$1 "$2" run linear-pair --stop-time 0.01 --format csv 2>/dev/null |
        grep -q "^# blas_core: $1\$"
}
