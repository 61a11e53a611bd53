/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_petsc.h - functions of macrostep-petsc.so: the nonlinear solvers of PETSc (SNES) on one process. None of
 * them is thread-safe: one thread calls them all. */
#pragma once

#include <stdbool.h>

#include "plugin.h"

/* As ms_nonlinear_problem, of the size that the solver was made for. */
typedef struct ms_plugin_petsc_problem {
    /* Returns MS_OK, a positive status if there is no value at z, or a negative one, which ends the solve
     * at once. */
    int (*residual)(void *context, const double *z, double *r);
    bool (*converged)(void *context, const double *z, const double *r);
    void *context;
} ms_plugin_petsc_problem;

typedef struct ms_plugin_petsc {
    ms_plugin plugin;

    /* REQUIRED. Starts PETSc, which ends at exit; once. Errors: MS_UNSUPPORTED. */
    int (*start)(void);

    /* REQUIRED. A solver of n unknowns; type and options are PETSc's own ("newtonls", "-snes_mf .."), and type
     * outlives it. Errors: MS_NO_MEMORY. */
    int (*create)(const char *type, const char *options, int n, int max_iterations, void **solver);
    void (*destroy)(void **solver); /* REQUIRED; *solver may be NULL */

    /* REQUIRED. z and r = residual(z), both (n), before and after; adds to iterations. Returns MS_OK,
     * MS_NOT_CONVERGED if PETSc diverged, or MS_SOLVER_FAILED if PETSc ended with an error; z and r are then
     * undefined. */
    int (*solve)(void *solver, const ms_plugin_petsc_problem *problem, double *z, double *r,
                 long *iterations);
} ms_plugin_petsc;
