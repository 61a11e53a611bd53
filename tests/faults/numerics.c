/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numerics.c - calls of GSL, SUNDIALS and LAPACK that are refused: they do nothing, and return an error.
 *
 * Each function of the table stands before the library's own of that name. One text serves all signatures: it keeps all that
 * arguments may stand in, asks where to go, and jumps to the library's function or returns the error. x86-64 alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <stddef.h>

#include "refuse.h"

/* NAME of the library behind this one; NULL: refused. */
__attribute__((visibility("hidden"))) void *fault_numerics_next(const char *name);

void *fault_numerics_next(const char *name)
{
    return fault_refuses(FAULT_NUMERICS, 0) ? NULL : dlsym(RTLD_NEXT, name);
}

#ifdef __x86_64__

/* On the stack: the name, the error, where the caller goes on. */
__asm__(".text\n"
        ".type numerics_enter, @function\n"
        "numerics_enter:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa_offset 24\n"
        "pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n pushq %rax\n"
        "subq $128, %rsp\n"
        ".cfi_def_cfa_offset 208\n"
        "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"
        "movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
        "movq 184(%rsp), %rdi\n"
        "call fault_numerics_next\n"
        "movq %rax, %r11\n"
        "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n"
        "movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"
        "addq $128, %rsp\n"
        "popq %rax\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n"
        ".cfi_def_cfa_offset 24\n"
        "testq %r11, %r11\n"
        "cmoveq 8(%rsp), %rax\n"
        "leaq 16(%rsp), %rsp\n"
        ".cfi_def_cfa_offset 8\n"
        "je 1f\n"
        "jmp *%r11\n"
        "1: ret\n"
        ".cfi_endproc\n");

#define REFUSABLE(name, error)                                                                               \
    __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n"                                     \
            "pushq $" #error "\ncall numerics_enter\n.asciz \"" #name "\"\n")

/* GSL: a failure, a singularity, too many iterations. */
REFUSABLE(gsl_linalg_SV_decomp, 21);
REFUSABLE(gsl_min_fminimizer_iterate, 5);
REFUSABLE(gsl_min_fminimizer_set_with_values, 4);
REFUSABLE(gsl_multifit_nlinear_init, 5);
REFUSABLE(gsl_multifit_nlinear_iterate, 27);
REFUSABLE(gsl_multimin_fminimizer_iterate, 27);
REFUSABLE(gsl_multimin_fminimizer_set, 5);
REFUSABLE(gsl_odeiv2_driver_reset, 5);
REFUSABLE(gsl_odeiv2_evolve_apply, 5);
REFUSABLE(gsl_odeiv2_step_apply, 5);
REFUSABLE(gsl_odeiv2_step_set_driver, 5);
REFUSABLE(gsl_root_fsolver_iterate, 9);
REFUSABLE(gsl_root_fsolver_set, 4);

/* SUNDIALS: no convergence, input that it will not have, a failed set-up. */
REFUSABLE(ARKStepEvolve, -4);
REFUSABLE(ARKStepGetDky, -26);
REFUSABLE(ARKStepReInit, -22);
REFUSABLE(ARKStepSStolerances, -22);
REFUSABLE(ARKStepSetLinearSolver, -3);
REFUSABLE(ARKStepSetStopTime, -22);
REFUSABLE(ARKStepSetTables, -22);
REFUSABLE(CVode, -4);
REFUSABLE(CVodeGetDky, -25);
REFUSABLE(CVodeInit, -22);
REFUSABLE(CVodeReInit, -22);
REFUSABLE(CVodeSStolerances, -22);
REFUSABLE(CVodeSetLinearSolver, -3);
REFUSABLE(CVodeSetStopTime, -22);
REFUSABLE(IDACalcIC, -4);
REFUSABLE(IDAGetDky, -26);
REFUSABLE(IDAInit, -22);
REFUSABLE(IDAReInit, -22);
REFUSABLE(IDASStolerances, -22);
REFUSABLE(IDASetLinearSolver, -3);
REFUSABLE(IDASetStopTime, -22);
REFUSABLE(IDASolve, -4);
REFUSABLE(KINInit, -2);
REFUSABLE(KINSetLinearSolver, -3);
REFUSABLE(KINSetNumMaxIters, -2);
REFUSABLE(KINSol, -5);

/* LAPACK: a zero pivot, no convergence, eigenvalues that cannot be told apart; -1010 where memory is all that may be missing. What fails
 * for wrong arguments alone, as solving with factors does, is not here. tests/lint_returns reads this table, too. */
REFUSABLE(LAPACKE_dgebal, -1010);
REFUSABLE(LAPACKE_dgbtrf_work, 1);
REFUSABLE(LAPACKE_dgees_work, 1);
REFUSABLE(LAPACKE_dgeev_work, 1);
REFUSABLE(LAPACKE_dgelsd_work, 1);
REFUSABLE(LAPACKE_dgesdd_work, 1);
REFUSABLE(LAPACKE_dgetrf_work, 1);
REFUSABLE(LAPACKE_dtrsen_work, 1);
REFUSABLE(LAPACKE_zgetrf_work, 1);

#endif
