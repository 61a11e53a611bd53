/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_kinsol.c - newtonls and anderson by KINSOL of SUNDIALS.
 *
 * newtonls: KIN_LINESEARCH with SPGMR (no preconditioner, up to 30 steps, no restart), a constant forcing
 * term 1e-5, and the product J v of ms_nonlinear_derivative. KINSOL takes the slope of its line search from
 * the GMRES process, so that an iteration has one evaluation fewer than with PETSc. anderson: KIN_FP on z -
 * gamma(z) with min(30, n) past differences, because KINSOL updates a QR factorisation that has no room for
 * more columns than rows.
 *
 * KINSOL has no user-defined stopping rule. Its tolerance of |gamma| is set so small that it is never met, and
 * problem->converged is called at each point that KINSOL evaluates except for the products J v: iterates, and trial
 * points of the line search. The first one accepted is the solution, and a negative value of the callback stops
 * KINSOL there. So no result violates the rule, and a trial point counts as an iterate even if the line search would
 * have continued. If gamma has no value, KINSOL halves a Newton step (up to five times in succession); KIN_FP ends.
 *
 * KINSOL's first evaluation, at the initial guess, uses the known value and is not counted. Iterations are those of
 * KINSOL, including the last one.
 *
 * Source: Hindmarsh et al. (2005), ACM TOMS 31; user documentation of KINSOL 6. */
#include <float.h>
#include <kinsol/kinsol.h>
#include <math.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "nonlinear_shared.h"
#include "sundials_memory.h"

enum { HISTORY = 30 };
static const double forcing_term = 1e-5;
static const double maxstep = 1e8, minstep = 1e-12; /* Eguillon et al. (2021), Table 3; relative to z */

enum { FOUND = -1, STOPPED = -2 }; /* of the callback */

typedef struct solver {
    int n, strategy, max_iterations;
    ms_sundials_memory vectors;
    void *memory;
    SUNLinearSolver linear;
    N_Vector z, one;
    double *last, *last_r, *w; /* (n) the point visited last, its residual, scratch */
    const ms_nonlinear_problem *problem;
    ms_nonlinear_counts *counts;
    const double *known; /* gamma at the initial guess until it has been used */
    int status;          /* of the last evaluation */
    bool found;
} solver;

/* Converts a status of ms_nonlinear_evaluate: 0, 1 if there is no value, STOPPED. */
static int result_of(solver *s, int status)
{
    s->status = status;
    if (ms_nonlinear_stops(status))
        return STOPPED;
    return status == MS_OK ? 0 : 1;
}

/* A point of KINSOL's own: r = gamma(z). */
static int visit(N_Vector z, N_Vector r, void *data)
{
    solver *s = data;
    const size_t size = sizeof(double) * (size_t)s->n;
    double *at = N_VGetArrayPointer(z), *value = N_VGetArrayPointer(r);
    double norm;
    int status = MS_OK;
    if (s->known != NULL)
        memcpy(value, s->known, size);
    else
        status = ms_nonlinear_evaluate(s->problem, at, value, s->counts, &norm);
    s->known = NULL;
    if (status == MS_OK) {
        memcpy(s->last, at, size);
        memcpy(s->last_r, value, size);
        s->found = s->problem->converged(s->problem->context, at, value);
    }
    return s->found ? FOUND : result_of(s, status);
}

/* Jv at z, which is the point that has been visited last. */
static int multiply(N_Vector v, N_Vector Jv, N_Vector z, booleantype *is_new, void *data)
{
    (void)is_new;
    solver *s = data;
    const double *at = N_VGetArrayPointer(z);
    if (memcmp(at, s->last, sizeof(double) * (size_t)s->n) != 0)
        return STOPPED;
    return result_of(s, ms_nonlinear_derivative(s->problem, at, s->last_r, N_VGetArrayPointer(v), s->w,
                                                N_VGetArrayPointer(Jv), s->counts));
}

/* r = z - gamma(z) */
static int visit_fixed_point(N_Vector z, N_Vector r, void *data)
{
    const int result = visit(z, r, data);
    const double *at = N_VGetArrayPointer(z);
    double *value = N_VGetArrayPointer(r);
    for (int i = 0; i < ((const solver *)data)->n && result == 0; i++)
        value[i] = at[i] - value[i];
    return result;
}

static void silent(int code, const char *module, const char *function, char *text, void *data)
{
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

static void destroy(void *workspace)
{
    solver *s = workspace;
    if (s->memory != NULL)
        KINFree(&s->memory);
    if (s->linear != NULL)
        SUNLinSolFree(s->linear);
    if (s->z != NULL)
        N_VDestroy(s->z);
    if (s->one != NULL)
        N_VDestroy(s->one);
    ms_sundials_memory_destroy(&s->vectors);
}

/* On failure KINSOL 6.4.1 has freed its vectors, and KINFree would free them again. */
static bool initialise(solver *s, KINSysFn function)
{
    const bool done = KINInit(s->memory, function, s->z) == KIN_SUCCESS;
    if (!done)
        s->memory = NULL;
    return done;
}

static bool create_newtonls(solver *s)
{
    s->linear = SUNLinSol_SPGMR(s->z, SUN_PREC_NONE, HISTORY, s->vectors.context);
    return s->linear != NULL && initialise(s, visit) &&
           KINSetLinearSolver(s->memory, s->linear, NULL) == KIN_SUCCESS &&
           KINSetJacTimesVecFn(s->memory, multiply) == KIN_SUCCESS &&
           KINSetEtaForm(s->memory, KIN_ETACONSTANT) == KIN_SUCCESS &&
           KINSetEtaConstValue(s->memory, forcing_term) == KIN_SUCCESS &&
           KINSetMaxNewtonStep(s->memory, maxstep) == KIN_SUCCESS;
}

static bool create_anderson(solver *s)
{
    return KINSetMAA(s->memory, s->n < HISTORY ? s->n : HISTORY) == KIN_SUCCESS &&
           initialise(s, visit_fixed_point);
}

static int create(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    solver *s = workspace;
    const int strategy = setup->method->kind;
    const long first = strategy == KIN_FP; /* KIN_FP counts the evaluation at the guess as an iteration */
    (void)error;
    s->n = setup->n;
    s->strategy = strategy;
    s->max_iterations = setup->options->max_iterations;
    s->last = ms_structure_alloc(setup->memory, 3 * (size_t)s->n, sizeof *s->last);
    MS_TRY_MEMORY(s->last != NULL && ms_sundials_memory_create(&s->vectors, s->n) == MS_OK);
    s->z = ms_sundials_vector(&s->vectors, NULL);
    s->one = ms_sundials_vector(&s->vectors, NULL);
    s->memory = KINCreate(s->vectors.context);
    MS_TRY_MEMORY(s->z != NULL && s->one != NULL && s->memory != NULL);
    s->last_r = s->last + s->n;
    s->w = s->last_r + s->n;
    N_VConst(1.0, s->one);
    return KINSetErrHandlerFn(s->memory, silent, NULL) == KIN_SUCCESS &&
                   KINSetUserData(s->memory, s) == KIN_SUCCESS &&
                   KINSetNumMaxIters(s->memory, setup->options->max_iterations + first) == KIN_SUCCESS &&
                   (strategy == KIN_FP ? create_anderson(s) : create_newtonls(s)) &&
                   KINSetFuncNormTol(s->memory, DBL_MIN) == KIN_SUCCESS &&
                   KINSetScaledStepTol(s->memory, minstep) == KIN_SUCCESS && !s->vectors.refused
               ? MS_OK
               : MS_NO_MEMORY;
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    solver *s = workspace;
    long iterations = 0;
    s->problem = problem;
    s->counts = counts;
    s->known = r;
    s->status = MS_OK;
    s->found = false;
    if (!isfinite(ms_nonlinear_norm(s->n, r)))
        return MS_NOT_CONVERGED;
    if (s->max_iterations == 0)
        return problem->converged(problem->context, z, r) ? MS_OK : MS_NOT_CONVERGED;
    memcpy(N_VGetArrayPointer(s->z), z, sizeof(double) * (size_t)s->n);
    (void)KINSol(s->memory, s->z, s->strategy, s->one, s->one); /* its reasons to end are not ours */
    if (KINGetNumNonlinSolvIters(s->memory, &iterations) == KIN_SUCCESS)
        counts->iterations += s->strategy == KIN_FP && iterations > 0 ? iterations - 1 : iterations;
    if (s->found) {
        memcpy(z, s->last, sizeof(double) * (size_t)s->n);
        memcpy(r, s->last_r, sizeof(double) * (size_t)s->n);
        return MS_OK;
    }
    return s->status != MS_OK ? s->status : MS_NOT_CONVERGED;
}

/* What both methods of KINSOL have. */
#define KINSOL                                                                                               \
    .backend = "kinsol", .evaluations = 1, .source = "SUNDIALS; Hindmarsh et al. (2005)",                    \
    .workspace = sizeof(solver), .create = create, .destroy = destroy, .solve = solve

const ms_nonlinear_method ms_nonlinear_kinsol_newtonls = {.name = "newtonls",
                                                          .newton = true,
                                                          .summary =
                                                              "KIN_LINESEARCH with SPGMR, forcing term 1e-5",
                                                          .kind = KIN_LINESEARCH,
                                                          KINSOL};

const ms_nonlinear_method ms_nonlinear_kinsol_anderson = {
    .name = "anderson", .summary = "KIN_FP with min(30, n) past differences", .kind = KIN_FP, KINSOL};
