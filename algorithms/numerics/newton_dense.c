/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "newton_dense.h"

#include <float.h>
#include <kinsol/kinsol.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>

#include "matrix.h"
#include "sundials_memory.h"

enum { PASSES_MAX = 8 };

struct ms_newton_dense {
    ms_newton_dense_problem problem;
    ms_newton_dense_reason reason;
    long iterations;
    double *r, *step, *M; /* (n), (n), (n x n) */
    int *pivots;          /* (n) */
    ms_sundials_memory memory;
    void *kinsol;
    N_Vector values, scale;
    SUNMatrix matrix;
    SUNLinearSolver linear_solver;
};

/* F(v), finite. */
static int evaluate(const ms_newton_dense *newton, const double *v, double *r)
{
    if (newton->problem.residual(newton->problem.user, v, r) != 0)
        return 1;
    for (int k = 0; k < newton->problem.n; k++)
        if (!isfinite(r[k]))
            return 1;
    return 0;
}

static int residual(N_Vector values, N_Vector value, void *user)
{
    return evaluate(user, N_VGetArrayPointer(values), N_VGetArrayPointer(value));
}

static int jacobian(N_Vector values, N_Vector value, SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2)
{
    (void)value, (void)w1, (void)w2;
    ms_newton_dense *newton = user;
    const int n = newton->problem.n;
    newton->iterations++;
    if (newton->problem.matrix(newton->problem.user, N_VGetArrayPointer(values), newton->M) != 0)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            SM_ELEMENT_D(matrix, i, j) = newton->M[i * n + j];
    return 0;
}

static int fail(ms_newton_dense *newton, ms_newton_dense_reason reason)
{
    newton->reason = reason;
    return MS_NO_SOLUTION;
}

/* The largest of |v|. */
static double largest(int n, const double *v)
{
    double norm = 0.0;
    for (int k = 0; k < n; k++)
        norm = fabs(v[k]) > norm ? fabs(v[k]) : norm;
    return norm;
}

static int factor(ms_newton_dense *newton, const double *v)
{
    newton->iterations++;
    const bool defined = newton->problem.matrix(newton->problem.user, v, newton->M) == 0;
    return defined && ms_matrix_factor(newton->problem.n, newton->M, newton->pivots) == MS_OK
               ? MS_OK
               : MS_NO_SOLUTION;
}

/* The largest entry of the step that follows from M and r: the error at v. */
static double step_size(ms_newton_dense *newton)
{
    const int n = newton->problem.n;
    memcpy(newton->step, newton->r, sizeof *newton->step * (size_t)n);
    ms_matrix_solve(n, newton->M, newton->pivots, newton->step);
    return largest(n, newton->step);
}

/* Newton steps until the next one is round-off or the residual stops falling; it is evaluated last. The matrix of the step before tells
 * how large the next one would be. A solution that is asked for again stays. Above `near` each step must halve the residual. */
static int take_steps(ms_newton_dense *newton, double *v, double near)
{
    const int n = newton->problem.n;
    double best = INFINITY, norm = INFINITY, size = 0.0;
    for (int pass = 0;; pass++) {
        if (evaluate(newton, v, newton->r) != 0)
            return fail(newton, MS_NEWTON_DENSE_STALLED);
        norm = largest(n, newton->r);
        size = largest(n, v);
        if (pass == PASSES_MAX || !(norm < best) || norm == 0.0)
            break;
        if (pass > 0 && norm > 0.5 * best && norm > near * (1.0 + size))
            break;
        if (pass > 0 && step_size(newton) <= 2.0 * DBL_EPSILON * size)
            break;
        if (factor(newton, v) != MS_OK)
            return fail(newton, MS_NEWTON_DENSE_SINGULAR);
        if (step_size(newton) <= 4.0 * DBL_EPSILON * size) {
            if (evaluate(newton, v, newton->r) != 0) /* the matrix may have come from differences */
                return fail(newton, MS_NEWTON_DENSE_STALLED);
            break;
        }
        best = norm;
        for (int k = 0; k < n; k++)
            v[k] -= newton->step[k];
    }
    return norm <= near * (1.0 + size) ? MS_OK : fail(newton, MS_NEWTON_DENSE_STALLED);
}

/* KINSOL's line search takes whole steps where they halve the residual, and so goes the way that plain steps go. It is asked where
 * these do not arrive. */
int ms_newton_dense_solve(ms_newton_dense *newton, double *v)
{
    double *values = N_VGetArrayPointer(newton->values);
    const size_t bytes = sizeof(double) * (size_t)newton->problem.n;
    memcpy(values, v, bytes);
    newton->reason = MS_NEWTON_DENSE_SOLVED;
    if (take_steps(newton, v, 1e-11) == MS_OK)
        return MS_OK;
    newton->reason = MS_NEWTON_DENSE_SOLVED;
    const int flag = KINSol(newton->kinsol, newton->values, KIN_LINESEARCH, newton->scale, newton->scale);
    if (flag == KIN_FIRST_SYSFUNC_ERR)
        return fail(newton, MS_NEWTON_DENSE_UNDEFINED);
    if (flag == KIN_LSETUP_FAIL || flag == KIN_LINSOLV_NO_RECOVERY || flag == KIN_LSOLVE_FAIL)
        return fail(newton, MS_NEWTON_DENSE_SINGULAR);
    if (flag < 0 && flag != KIN_LINESEARCH_NONCONV)
        return fail(newton, MS_NEWTON_DENSE_STALLED);
    memcpy(v, values, bytes);
    return take_steps(newton, v, 1e-8);
}

ms_newton_dense_reason ms_newton_dense_last_reason(const ms_newton_dense *newton)
{
    return newton->reason;
}

long ms_newton_dense_iterations(const ms_newton_dense *newton)
{
    return newton->iterations;
}

static void silent(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code, (void)module, (void)function, (void)message, (void)data;
}

static int create_kinsol(ms_newton_dense *newton)
{
    const int n = newton->problem.n;
    MS_TRY_MEMORY(ms_sundials_memory_create(&newton->memory, n) == MS_OK);
    newton->values = ms_sundials_vector(&newton->memory, NULL);
    newton->scale = ms_sundials_vector(&newton->memory, NULL);
    newton->matrix = ms_sundials_matrix(&newton->memory);
    newton->kinsol = KINCreate(newton->memory.context);
    MS_TRY_MEMORY(newton->values != NULL && newton->scale != NULL && newton->matrix != NULL &&
                  newton->kinsol != NULL);
    N_VConst(1.0, newton->scale);
    newton->linear_solver = SUNLinSol_Dense(newton->values, newton->matrix, newton->memory.context);
    MS_TRY_MEMORY(newton->linear_solver);
    int flag = KINSetErrHandlerFn(newton->kinsol, silent, NULL);
    if (KINInit(newton->kinsol, residual, newton->values) != KIN_SUCCESS) {
        newton->kinsol = NULL; /* 6.4.1 has freed its vectors then, and KINFree would free them again */
        return MS_NO_MEMORY;
    }
    flag |= KINSetUserData(newton->kinsol, newton);
    flag |= KINSetLinearSolver(newton->kinsol, newton->linear_solver, newton->matrix);
    flag |= KINSetJacFn(newton->kinsol, jacobian);
    flag |= KINSetFuncNormTol(newton->kinsol, 1e-11);
    flag |= KINSetScaledStepTol(newton->kinsol, 1e-13);
    flag |=
        KINSetMaxNewtonStep(newton->kinsol, 1e100); /* its default grows with the guess, which may be zero */
    flag |= KINSetMaxSetupCalls(newton->kinsol, 1); /* a new Jacobian at every iteration */
    return flag == KIN_SUCCESS && !newton->memory.refused ? MS_OK : MS_NO_MEMORY;
}

int ms_newton_dense_create(const ms_newton_dense_problem *problem, ms_newton_dense **out)
{
    const size_t n = (size_t)problem->n;
    ms_newton_dense *newton = calloc(1, sizeof *newton);
    *out = newton;
    MS_TRY_MEMORY(newton);
    newton->problem = *problem;
    newton->r = calloc(2 * n + n * n + 1, sizeof *newton->r);
    newton->pivots = calloc(n + 1, sizeof *newton->pivots);
    int status = newton->r != NULL && newton->pivots != NULL ? create_kinsol(newton) : MS_NO_MEMORY;
    newton->step = newton->r != NULL ? newton->r + n : NULL;
    newton->M = newton->r != NULL ? newton->r + 2 * n : NULL;
    if (status != MS_OK)
        ms_newton_dense_destroy(out);
    return status;
}

void ms_newton_dense_destroy(ms_newton_dense **out)
{
    ms_newton_dense *newton = *out;
    if (newton == NULL)
        return;
    if (newton->kinsol != NULL)
        KINFree(&newton->kinsol);
    if (newton->linear_solver != NULL)
        SUNLinSolFree(newton->linear_solver);
    if (newton->matrix != NULL)
        SUNMatDestroy(newton->matrix);
    if (newton->values != NULL)
        N_VDestroy(newton->values);
    if (newton->scale != NULL)
        N_VDestroy(newton->scale);
    ms_sundials_memory_destroy(&newton->memory);
    MS_FREE(newton->r, newton->pivots, newton);
    *out = NULL;
}
