/* SPDX-License-Identifier: GPL-3.0-or-later */
/* petsc.c - macrostep-petsc.so: PETSc's SNES with a database of options of its own.
 *
 * The options of a solver take the place of PETSc's global ones while it works: neither the environment nor a
 * .petscrc changes a result, and nothing is left in the global ones. A solve stops where problem->converged
 * says so; a point without a value is PETSc's domain error. An iteration is SNES's.
 *
 * PETSc is started on the ranks that ask for it and for them alone (PETSC_COMM_SELF; where MPI runs already,
 * PETSc's world is MPI_COMM_SELF), and finalised at exit. */
#include "plugin_petsc.h"

#ifdef MS_HAVE_PETSC
#include <petscsnes.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

_Static_assert(sizeof(PetscScalar) == sizeof(double), "PETSc must have real double precision");

typedef struct solver {
    const char *type;
    int n, max_iterations;
    PetscOptions options;
    Vec z, r;
    SNES snes; /* NULL until the first solve, and after one that PETSc ended by an error */
    const ms_plugin_petsc_problem *problem;
} solver;

/* PETSc itself ------------------------------------------------------------------------------------------- */

/* Open MPI leaves memory behind when it starts and ends, which is not to be found among the leaks of this
 * program. */
static void count_leaks(bool on)
{
#ifdef __SANITIZE_ADDRESS__
    if (on)
        __lsan_enable();
    else
        __lsan_disable();
#else
    (void)on;
#endif
}

static void finalize(void)
{
    int over = 0;
    PetscBool called = PETSC_FALSE;
    count_leaks(false);
    if (MPI_Finalized(&over) == MPI_SUCCESS && !over && PetscFinalized(&called) == 0 && !called)
        (void)PetscFinalize();
    count_leaks(true);
}

/* Without its signal handlers and without a file of options. */
static PetscErrorCode initialize_quietly(void)
{
    int running = 0;
    PetscBool called = PETSC_FALSE;
    PetscErrorCode e = PetscInitialized(&called);
    if (e != 0 || called)
        return e;
    if (MPI_Initialized(&running) == MPI_SUCCESS && running)
        PETSC_COMM_WORLD = MPI_COMM_SELF;
    e = PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
    if (e == 0)
        e = PetscOptionsSetValue(NULL, "-skip_petscrc", "true");
    count_leaks(false);
    if (e == 0)
        e = PetscInitializeNoArguments();
    count_leaks(true);
    if (e != 0)
        return e;
    e = PetscOptionsClearValue(NULL, "-no_signal_handler");
    if (e == 0)
        e = PetscOptionsClearValue(NULL, "-skip_petscrc");
    return e != 0 || atexit(finalize) == 0 ? e : PETSC_ERR_SYS;
}

static int start(void)
{
    return initialize_quietly() == 0 ? MS_OK : MS_UNSUPPORTED;
}

/* Our options instead of the global ones, and no messages. */
static void enter(const solver *s)
{
    (void)PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    (void)PetscOptionsPush(s->options);
}

static void leave(void)
{
    (void)PetscOptionsPop();
    (void)PetscPopErrorHandler();
}

/* Callbacks ---------------------------------------------------------------------------------------------- */

static PetscErrorCode residual(SNES snes, Vec z, Vec r, void *context)
{
    const ms_plugin_petsc_problem *problem = ((const solver *)context)->problem;
    const PetscScalar *from;
    PetscScalar *to;
    PetscCall(VecGetArrayRead(z, &from));
    PetscCall(VecGetArray(r, &to));
    const int status = problem->residual(problem->context, from, to);
    PetscCall(VecRestoreArray(r, &to));
    PetscCall(VecRestoreArrayRead(z, &from));
    if (status < 0)
        return PETSC_ERR_USER;
    if (status != MS_OK)
        PetscCall(SNESSetFunctionDomainError(snes));
    return 0;
}

static PetscErrorCode converged(SNES snes, PetscInt iteration, PetscReal norm_z, PetscReal norm_step,
                                PetscReal norm, SNESConvergedReason *reason, void *context)
{
    (void)iteration, (void)norm_z, (void)norm_step;
    const solver *s = context;
    Vec z, r;
    const PetscScalar *at_z, *at_r;
    PetscCall(SNESGetSolution(snes, &z));
    PetscCall(SNESGetFunction(snes, &r, NULL, NULL));
    PetscCall(VecGetArrayRead(z, &at_z));
    PetscCall(VecGetArrayRead(r, &at_r));
    if (PetscIsInfOrNanReal(norm))
        *reason = SNES_DIVERGED_FNORM_NAN;
    else if (s->problem->converged(s->problem->context, at_z, at_r))
        *reason = SNES_CONVERGED_FNORM_ABS;
    else
        *reason = SNES_CONVERGED_ITERATING;
    PetscCall(VecRestoreArrayRead(r, &at_r));
    PetscCall(VecRestoreArrayRead(z, &at_z));
    return 0;
}

/* The method --------------------------------------------------------------------------------------------- */

static void destroy(void **self)
{
    solver *s = *self;
    if (s == NULL)
        return;
    (void)SNESDestroy(&s->snes);
    (void)VecDestroy(&s->z);
    (void)VecDestroy(&s->r);
    (void)PetscOptionsDestroy(&s->options);
    free(s);
    *self = NULL;
}

static PetscErrorCode prepare(solver *s, const char *options)
{
    PetscCall(PetscOptionsCreate(&s->options));
    PetscCall(PetscOptionsInsertString(s->options, options));
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, s->n, &s->z));
    PetscCall(VecDuplicate(s->z, &s->r));
    return 0;
}

static int create(const char *type, const char *options, int n, int max_iterations, void **out)
{
    solver *s = calloc(1, sizeof *s);
    *out = s;
    MS_TRY_MEMORY(s);
    *s = (solver){.type = type, .n = n, .max_iterations = max_iterations};
    (void)PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    const PetscErrorCode e = prepare(s, options);
    (void)PetscPopErrorHandler();
    if (e == 0)
        return MS_OK;
    destroy(out);
    return MS_NO_MEMORY;
}

static PetscErrorCode build(solver *s)
{
    PetscCall(SNESCreate(PETSC_COMM_SELF, &s->snes));
    PetscCall(SNESSetType(s->snes, s->type));
    PetscCall(SNESSetFunction(s->snes, s->r, residual, s));
    PetscCall(SNESSetConvergenceTest(s->snes, converged, s, NULL));
    PetscCall(SNESSetTolerances(s->snes, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, s->max_iterations,
                                PETSC_DEFAULT));
    PetscCall(SNESSetFromOptions(s->snes));
    PetscInt unknown = 0;
    PetscCall(PetscOptionsAllUsed(s->options, &unknown));
    return unknown == 0 ? 0 : PETSC_ERR_ARG_WRONG; /* an option that the method does not have */
}

/* to = from, (n) each. */
static PetscErrorCode put(const solver *s, const double *from, Vec to)
{
    PetscScalar *array;
    PetscCall(VecGetArray(to, &array));
    memcpy(array, from, sizeof(double) * (size_t)s->n);
    PetscCall(VecRestoreArray(to, &array));
    return 0;
}

static PetscErrorCode get(const solver *s, Vec from, double *to)
{
    const PetscScalar *array;
    PetscCall(VecGetArrayRead(from, &array));
    memcpy(to, array, sizeof(double) * (size_t)s->n);
    PetscCall(VecRestoreArrayRead(from, &array));
    return 0;
}

static PetscErrorCode run(solver *s, double *z, double *r, long *iterations, SNESConvergedReason *reason)
{
    PetscInt taken = 0;
    if (s->snes == NULL)
        PetscCall(build(s));
    PetscCall(put(s, z, s->z));
    PetscCall(put(s, r, s->r));
    PetscCall(SNESSetInitialFunction(s->snes, s->r));
    const PetscErrorCode e = SNESSolve(s->snes, NULL, s->z);
    PetscCall(SNESGetIterationNumber(s->snes, &taken));
    *iterations += taken;
    if (e != 0)
        return e;
    PetscCall(SNESGetConvergedReason(s->snes, reason));
    PetscCall(get(s, s->z, z));
    PetscCall(get(s, s->r, r));
    return 0;
}

static int solve(void *self, const ms_plugin_petsc_problem *problem, double *z, double *r, long *iterations)
{
    solver *s = self;
    SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
    s->problem = problem;
    enter(s);
    const PetscErrorCode e = run(s, z, r, iterations, &reason);
    if (e != 0)
        (void)SNESDestroy(&s->snes);
    leave();
    if (e != 0)
        return MS_SOLVER_FAILED;
    return reason < 0 ? MS_NOT_CONVERGED : MS_OK;
}

const ms_plugin_petsc ms_plugin_table_petsc = {
    .plugin = {.build = MS_PLUGIN_BUILD},
    .start = start,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
#endif
