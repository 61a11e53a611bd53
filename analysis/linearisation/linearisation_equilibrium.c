/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linearisation_equilibrium.c - states of rest, by Newton's method. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/linearisation_jacobian.h>
#include "monolithic.h"

typedef struct newton {
    const ms_system *whole; /* the monolithic model */
    double t;
    double *trial, *f, *step, *A, *values, *w, *scratch;
    double *z; /* discrete variables, as they start */
} newton;

static int residual(const newton *n, const double *x, double *f, double *norm)
{
    ms_point at = {.t = n->t, .x = x, .z = n->z};
    *norm = 0.0;
    if (ms_subsystem_f(n->whole, 0, &at, n->w, f) != 0)
        *norm = INFINITY;
    for (int j = 0; j < n->whole->nx; j++)
        *norm = hypot(*norm, f[j]);
    return isfinite(*norm) ? MS_OK : MS_SOLVER_FAILED;
}

/* n->step = pseudo-inverse(A) n->step; A is overwritten. We allocate the workspace, since LAPACKE prints a message if it cannot. */
static int least_squares(const newton *n, int nx)
{
    lapack_int rank, integers = 0;
    double size = 0.0;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j <= i; j++) { /* by columns */
            const double low = n->A[i * nx + j], high = n->A[j * nx + i];
            if (!isfinite(low) || !isfinite(high))
                return MS_NO_SOLUTION;
            n->A[i * nx + j] = high;
            n->A[j * nx + i] = low;
        }
    if (LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, nx, nx, 1, n->A, nx, n->step, nx, n->values, 1e-10, &rank,
                            &size, -1, &integers) != 0)
        return MS_NO_SOLUTION;
    double *work = malloc(sizeof *work * ((size_t)size + 1));
    lapack_int *more = malloc(sizeof *more * ((size_t)integers + 1)), info = 0;
    const bool ready = work != NULL && more != NULL;
    if (ready)
        info = LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, nx, nx, 1, n->A, nx, n->step, nx, n->values, 1e-10,
                                   &rank, work, (int)size, more);
    MS_FREE(work, more);
    return !ready ? MS_NO_MEMORY : info == 0 ? MS_OK : MS_NO_SOLUTION;
}

/* x - pseudo-inverse(A) f, with a share of the step that makes f smaller and moves no state by more than
 * half the size of x. MS_NO_SOLUTION: none does; MS_NO_MEMORY. */
static int improve(const newton *n, double *x, double *norm)
{
    const int nx = n->whole->nx;
    ms_point at = {.t = n->t, .x = x, .z = n->z};
    if (ms_subsystem_jacobian(n->whole, 0, &at, n->w, n->scratch, &(ms_blocks){.A = n->A}, NULL) != 0)
        return MS_NO_SOLUTION;
    memcpy(n->step, n->f, sizeof(double) * (size_t)nx);
    MS_TRY(least_squares(n, nx));
    double longest = 0.0, size = 1.0;
    for (int j = 0; j < nx; j++) {
        longest = fmax(longest, fabs(n->step[j]));
        size = fmax(size, fabs(x[j]));
    }
    double share = fmin(1.0, 0.5 * size / longest);
    for (int halvings = 0; halvings < 20; halvings++, share *= 0.5) {
        double next;
        for (int j = 0; j < nx; j++)
            n->trial[j] = x[j] - share * n->step[j];
        if (residual(n, n->trial, n->f, &next) == MS_OK && next < *norm) {
            memcpy(x, n->trial, sizeof(double) * (size_t)nx);
            *norm = next;
            return MS_OK;
        }
    }
    residual(n, x, n->f, norm);
    return MS_NO_SOLUTION;
}

int ms_linearisation_equilibrium(const ms_system *system, double t, double *x, ms_error *error)
{
    ms_system *whole = NULL;
    MS_TRY(ms_monolithic_create(system, &whole, error));
    const size_t nx = (size_t)whole->nx, nw = (size_t)whole->nw,
                 scratch = 5 * nx + 2 * (size_t)whole->ny + nw;
    double *memory = calloc(4 * nx + nx * nx + nw + scratch + (size_t)whole->nz + 1, sizeof *memory);
    if (memory == NULL) {
        ms_monolithic_destroy(&whole);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for an equilibrium of model %s",
                       system->model->name);
    }
    const newton n = {.whole = whole,
                      .t = t,
                      .trial = memory,
                      .f = memory + nx,
                      .step = memory + 2 * nx,
                      .values = memory + 3 * nx,
                      .A = memory + 4 * nx,
                      .w = memory + 4 * nx + nx * nx,
                      .scratch = memory + 4 * nx + nx * nx + nw,
                      .z = memory + 4 * nx + nx * nx + nw + scratch};
    double norm, size = 1.0;
    ms_system_start_discrete(system, n.z);
    int status = residual(&n, x, n.f, &norm);
    for (int k = 0; k < 200 && status == MS_OK && norm > 0.0; k++)
        status = improve(&n, x, &norm);
    for (size_t j = 0; j < nx; j++)
        size = fmax(size, fabs(x[j]));
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for an equilibrium of model %s", system->model->name);
    else if ((status == MS_OK || status == MS_NO_SOLUTION) && norm <= 1e-9 * size)
        status = MS_OK;
    else
        status = ms_fail(error, MS_NO_SOLUTION, "no equilibrium of model %s was found from its start",
                         system->model->name);
    free(memory);
    ms_monolithic_destroy(&whole);
    return status;
}
