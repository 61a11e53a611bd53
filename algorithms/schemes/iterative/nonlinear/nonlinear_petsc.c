/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_petsc.c - the methods of PETSc's SNES with the options of Eguillon et al. (2021), appendix A.
 *
 * The options of Tables 3 to 6 stand below as they are printed there and lie in a database of their own,
 * which takes the place of PETSc's global one while a method works: neither the environment nor a .petscrc
 * changes a result, and nothing is left in the global one. Where the tables say nothing PETSc's defaults
 * hold: GMRES restarted after 30 steps with rtol 1e-5 (newtonls), and the search `l2` between the two
 * candidates of ngmres-ls, which the options of Table 6 do not reach. A solve stops where problem->converged
 * says so; a point without a value is PETSc's domain error. Counted are calls of gamma; an iteration is
 * SNES's.
 *
 * PETSc is initialised when a method is first created, on the ranks that create one and for them alone
 * (PETSC_COMM_SELF; where MPI runs already, PETSc's world is MPI_COMM_SELF), and finalised at exit. It is not
 * thread-safe: the first thread that creates a method is the only one that can create and use them, and none
 * is created in a parallel region of several threads. */
#include "nonlinear_shared.h"

#ifdef MS_HAVE_PETSC
#include <omp.h>
#include <petscsnes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

_Static_assert(sizeof(PetscScalar) == sizeof(double), "PETSc has to be one of real double precision");

typedef struct petsc_method {
    const char *type, *options;
} petsc_method;

static const petsc_method newtonls = {
    SNESNEWTONLS, "-snes_mf -snes_linesearch_type bt -snes_linesearch_order 3 -snes_linesearch_norms true "
                  "-snes_linesearch_alpha 1e-4 -snes_linesearch_maxstep 1e8 -snes_linesearch_minlambda 1e-12 "
                  "-snes_linesearch_damping 1 -snes_linesearch_rtol 1e-8 -snes_linesearch_atol 1e-15 "
                  "-snes_linesearch_ltol 1e-8 -snes_linesearch_max_it 40 -snes_linesearch_keeplambda false "
                  "-snes_linesearch_precheck_picard false"};

static const petsc_method anderson = {SNESANDERSON,
                                      "-snes_anderson_m 30 -snes_anderson_beta 1 "
                                      "-snes_anderson_restart_type none -snes_anderson_restart_it 2 "
                                      "-snes_anderson_restart 30"};

#define MS_NGMRES                                                                                            \
    " -snes_ngmres_restart_type difference -snes_ngmres_candidate false -snes_ngmres_approxfunc false "      \
    "-snes_ngmres_m 30 -snes_ngmres_restart_it 2 -snes_ngmres_gammaA 2 -snes_ngmres_gammaC 2 "               \
    "-snes_ngmres_epsilonB 0.1 -snes_ngmres_deltaB 0.9 -snes_ngmres_single_reduction false "                 \
    "-snes_ngmres_restart_fm_rise false"

static const petsc_method ngmres = {SNESNGMRES, "-snes_ngmres_select_type difference" MS_NGMRES};

static const petsc_method ngmres_ls = {
    SNESNGMRES, "-snes_ngmres_select_type linesearch" MS_NGMRES
                " -snes_linesearch_type basic -snes_linesearch_order 0 -snes_linesearch_norms true "
                "-snes_linesearch_maxstep 1e8 -snes_linesearch_minlambda 1e-12 -snes_linesearch_damping 1 "
                "-snes_linesearch_rtol 1e-8 -snes_linesearch_atol 1e-15 -snes_linesearch_ltol 1e-8 "
                "-snes_linesearch_max_it 1 -snes_linesearch_keeplambda false "
                "-snes_linesearch_precheck_picard false"};

typedef struct solver {
    const petsc_method *kind;
    int n, max_iterations;
    PetscOptions options;
    Vec z, r;
    SNES snes; /* NULL until the first solve, and after one that PETSc ended by an error */
    const ms_nonlinear_problem *problem;
    ms_nonlinear_counts *counts;
    int status; /* of the last evaluation */
} solver;

/* PETSc itself ------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the two below */
static bool initialized;
static pthread_t owner; /* the one thread that uses PETSc */

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

static int initialize(ms_error *error)
{
    int status = MS_OK;
    if (omp_get_num_threads() > 1)
        return ms_fail(error, MS_UNSUPPORTED,
                       "PETSc is not thread-safe: take one thread, or the backend native");
    pthread_mutex_lock(&lock);
    if (!initialized && initialize_quietly() != 0) {
        status = ms_fail(error, MS_UNSUPPORTED, "PETSc does not start: take the backend native");
    } else if (!initialized) {
        initialized = true;
        owner = pthread_self();
    } else if (!pthread_equal(owner, pthread_self())) {
        status = ms_fail(error, MS_UNSUPPORTED,
                         "PETSc is not thread-safe and in use by another thread: take the backend native");
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static bool owned(void)
{
    pthread_mutex_lock(&lock);
    const bool is = initialized && pthread_equal(owner, pthread_self());
    pthread_mutex_unlock(&lock);
    return is;
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
    solver *s = context;
    const PetscScalar *from;
    PetscScalar *to;
    double norm;
    PetscCall(VecGetArrayRead(z, &from));
    PetscCall(VecGetArray(r, &to));
    s->status = ms_nonlinear_evaluate(s->problem, from, to, s->counts, &norm);
    PetscCall(VecRestoreArray(r, &to));
    PetscCall(VecRestoreArrayRead(z, &from));
    if (ms_nonlinear_stops(s->status))
        return PETSC_ERR_USER;
    if (s->status != MS_OK)
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

static void destroy(void **workspace)
{
    if (workspace == NULL || *workspace == NULL)
        return;
    solver *s = *workspace;
    if (owned()) { /* elsewhere the objects stay: nothing else would be safe */
        (void)SNESDestroy(&s->snes);
        (void)VecDestroy(&s->z);
        (void)VecDestroy(&s->r);
        (void)PetscOptionsDestroy(&s->options);
    }
    free(s);
    *workspace = NULL;
}

static PetscErrorCode prepare(solver *s)
{
    PetscCall(PetscOptionsCreate(&s->options));
    PetscCall(PetscOptionsInsertString(s->options, s->kind->options));
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, s->n, &s->z));
    PetscCall(VecDuplicate(s->z, &s->r));
    return 0;
}

static int create(const petsc_method *kind, int n, const ms_nonlinear_options *options, void **workspace,
                  ms_error *error)
{
    *workspace = NULL;
    const int status = initialize(error);
    if (status != MS_OK)
        return status;
    solver *s = calloc(1, sizeof *s);
    *workspace = s;
    if (s != NULL) {
        *s = (solver){.kind = kind, .n = n, .max_iterations = options->max_iterations};
        (void)PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
        const PetscErrorCode e = prepare(s);
        (void)PetscPopErrorHandler();
        if (e == 0)
            return MS_OK;
    }
    destroy(workspace);
    return ms_fail(error, MS_NO_MEMORY, "no memory for a method of PETSc");
}

static PetscErrorCode build(solver *s)
{
    PetscCall(SNESCreate(PETSC_COMM_SELF, &s->snes));
    PetscCall(SNESSetType(s->snes, s->kind->type));
    PetscCall(SNESSetFunction(s->snes, s->r, residual, s));
    PetscCall(SNESSetConvergenceTest(s->snes, converged, s, NULL));
    PetscCall(SNESSetTolerances(s->snes, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, s->max_iterations,
                                PETSC_DEFAULT));
    PetscCall(SNESSetFromOptions(s->snes));
    return 0;
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

static PetscErrorCode run(solver *s, double *z, double *r, SNESConvergedReason *reason)
{
    PetscInt iterations = 0;
    if (s->snes == NULL)
        PetscCall(build(s));
    PetscCall(put(s, z, s->z));
    PetscCall(put(s, r, s->r));
    PetscCall(SNESSetInitialFunction(s->snes, s->r));
    const PetscErrorCode e = SNESSolve(s->snes, NULL, s->z);
    PetscCall(SNESGetIterationNumber(s->snes, &iterations));
    s->counts->iterations += iterations;
    if (e != 0)
        return e;
    PetscCall(SNESGetConvergedReason(s->snes, reason));
    PetscCall(get(s, s->z, z));
    PetscCall(get(s, s->r, r));
    return 0;
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    solver *s = workspace;
    SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
    if (!owned())
        return MS_UNSUPPORTED;
    s->problem = problem;
    s->counts = counts;
    s->status = MS_OK;
    enter(s);
    const PetscErrorCode e = run(s, z, r, &reason);
    if (e != 0)
        (void)SNESDestroy(&s->snes);
    leave();
    if (s->status != MS_OK && (e != 0 || reason < 0))
        return s->status;
    /* Some methods of SNES also end by rules of their own. */
    return e == 0 && problem->converged(problem->context, z, r) ? MS_OK : MS_NOT_CONVERGED;
}

/* Behind `table` further members of the method. */
#define MS_PETSC_METHOD(variable, method, text, table, ...)                                                  \
    static int create_##method(int n, const ms_nonlinear_options *options, void **workspace,                 \
                               ms_error *error)                                                              \
    {                                                                                                        \
        return create(&method, n, options, workspace, error);                                                \
    }                                                                                                        \
    const ms_nonlinear_method ms_nonlinear_petsc_##method = {.name = (variable),                             \
                                                             .backend = "petsc",                             \
                                                             .summary = (text),                              \
                                                             .source =                                       \
                                                                 "PETSc; Eguillon et al. (2021), " table,    \
                                                             .create = create_##method,                      \
                                                             .destroy = destroy,                             \
                                                             .solve = solve,                                 \
                                                             __VA_ARGS__};

MS_PETSC_METHOD("newtonls", newtonls, "SNESNEWTONLS with -snes_mf", "Table 3", .newton = true,
                .evaluations = 2)
MS_PETSC_METHOD("anderson", anderson, "SNESANDERSON, normal equations", "Table 4", .evaluations = 1)
MS_PETSC_METHOD("ngmres", ngmres, "SNESNGMRES, normal equations", "Table 5", .reach = MS_REACH_DOWNHILL,
                .evaluations = 2)
MS_PETSC_METHOD("ngmres-ls", ngmres_ls, "SNESNGMRES with line search, normal equations", "Table 6",
                .reach = MS_REACH_DOWNHILL, .evaluations = 5)
#endif
