/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop_derivative.c - time derivatives of the outputs, with the algebraic loop solved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loop_parts.h"

/* The monolithic solution near t ------------------------------------------------------------------------- */

typedef struct tangent {
    double *x, *dx; /* (nx): states at t and x' */
    double step;    /* of differences: balances its square against round-off over it [s] */
} tangent;

/* memory: 2 nx. Where f fails at.x is NULL, and there is no way back to go. */
static int tangent_at(const ms_loop *loop, double t, const double *u, double *memory, tangent *at)
{
    const ms_system *s = loop->system;
    double *x = memory, rate = 1.0;
    at->dx = memory + s->nx;
    for (int i = 0; i < s->n; i++) {
        ms_instance *instance = loop->instance[i];
        ms_point point = {.t = t, .x = instance->x, .u = u + s->u_at[i], .z = instance->z};
        memcpy(x + s->x_at[i], instance->x, sizeof(double) * (size_t)instance->sub->nx);
        if (ms_subsystem_f(s, i, &point, instance->w, at->dx + s->x_at[i]) != 0)
            return MS_SOLVER_FAILED;
    }
    for (int j = 0; j < s->nx; j++)
        rate = fmax(rate, fabs(at->dx[j]) / (1.0 + fabs(x[j])));
    at->step = 1e-4 / rate;
    at->x = x;
    return MS_OK;
}

/* The instances' states x + ahead x'. */
static void go_ahead(const ms_loop *loop, const tangent *at, double ahead)
{
    const ms_system *s = loop->system;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->sub[i].nx; j++)
            loop->instance[i]->x[j] = at->x[s->x_at[i] + j] + ahead * at->dx[s->x_at[i] + j];
}

static void go_back(const ms_loop *loop, const tangent *at)
{
    const ms_system *s = loop->system;
    for (int i = 0; i < s->n && at->x != NULL; i++)
        memcpy(loop->instance[i]->x, at->x + s->x_at[i], sizeof(double) * (size_t)s->sub[i].nx);
}

/* First derivatives -------------------------------------------------------------------------------------- */

/* Outputs at consistent inputs u0, from which the solutions nearby are found. */
static int outputs_at(ms_loop *loop, double t, const double *u0, double *y, double *u)
{
    if (loop->block_solver == NULL)
        return MS_OK;
    memcpy(u, u0, sizeof(double) * (size_t)loop->system->nu);
    return ms_block_solver_start(loop->block_solver, t, y, u);
}

/* Where g reads u' a formula would need u'': a difference of second order of the solved outputs, forwards,
 * because the solution begins at t. */
static int first_by_differences(ms_loop *loop, double t, const double *u0, double *dy)
{
    const ms_system *s = loop->system;
    const size_t nx = (size_t)s->nx, ny = (size_t)s->ny, nu = (size_t)s->nu;
    static const double weight[] = {-1.5, 2.0, -0.5};
    tangent at = {0};
    double *memory = calloc(2 * nx + ny + nu + 1, sizeof *memory);
    MS_TRY_MEMORY(memory);
    double *y = memory + 2 * nx, *u = y + ny;
    int status = tangent_at(loop, t, u0, memory, &at);
    MS_THEN(status, outputs_at(loop, t, u0, y, u));
    memset(dy, 0, sizeof(double) * ny);
    for (int k = 0; k < 3 && status == MS_OK; k++) {
        go_ahead(loop, &at, k * at.step);
        status = ms_loop_outputs(loop, t + k * at.step, y, u);
        for (size_t j = 0; j < ny && status == MS_OK; j++)
            dy[j] += weight[k] / at.step * y[j];
    }
    go_back(loop, &at);
    free(memory);
    return status;
}

int ms_loop_derivative(ms_loop *loop, double t, const double *u, double *dy)
{
    const ms_system *s = loop->system;
    if (loop->reads_slopes)
        return first_by_differences(loop, t, u, dy);
    for (int i = 0; i < s->n; i++)
        if (ms_instance_output_derivative(loop->instance[i], t, u + s->u_at[i], NULL, dy + s->y_at[i]) !=
            MS_OK)
            return MS_SOLVER_FAILED;
    MS_TRY(ms_loop_linearise(loop, t, u));
    ms_loop_solve(loop, dy);
    return MS_OK;
}

/* Second derivatives ------------------------------------------------------------------------------------- */

/* y'(t + ahead) on the tangent of the monolithic solution. */
static int derivative_ahead(ms_loop *loop, double t, const tangent *at, double ahead, double *y, double *u,
                            double *dy)
{
    go_ahead(loop, at, ahead);
    const int status = ms_loop_outputs(loop, t + ahead, y, u);
    return status == MS_OK ? ms_loop_derivative(loop, t + ahead, u, dy) : status;
}

static int second_by_differences(ms_loop *loop, double t, const double *u0, double *ddy)
{
    const ms_system *s = loop->system;
    const size_t nx = (size_t)s->nx, ny = (size_t)s->ny, nu = (size_t)s->nu;
    tangent at = {0};
    double *memory = calloc(2 * nx + 2 * ny + nu + 1, sizeof *memory);
    MS_TRY_MEMORY(memory);
    double *y = memory + 2 * nx, *earlier = y + ny, *u = earlier + ny;
    int status = tangent_at(loop, t, u0, memory, &at);
    MS_THEN(status, outputs_at(loop, t, u0, y, u));
    MS_THEN(status, derivative_ahead(loop, t, &at, at.step, y, u, ddy));
    MS_THEN(status, derivative_ahead(loop, t, &at, -at.step, y, u, earlier));
    go_back(loop, &at);
    for (size_t j = 0; j < ny && status == MS_OK; j++)
        ddy[j] = (ddy[j] - earlier[j]) / (2.0 * at.step);
    free(memory);
    return status;
}

int ms_loop_second_derivative(ms_loop *loop, double t, const double *u, const double *du, double *ddy)
{
    const ms_system *s = loop->system;
    bool by_formula = true;
    for (int i = 0; i < s->n; i++) {
        const ms_subsystem *sub = &s->sub[i];
        by_formula &= sub->stepper != NULL ||
                      (ms_subsystem_has_rates(sub) && (sub->matrices == NULL || !ms_subsystem_jumps(sub)));
    }
    if (!by_formula)
        return second_by_differences(loop, t, u, ddy);
    for (int i = 0; i < s->n; i++)
        MS_TRY(ms_instance_output_second_derivative(loop->instance[i], t, u + s->u_at[i], du + s->u_at[i],
                                                    NULL, ddy + s->y_at[i]));
    ms_loop_solve(loop, ddy);
    return MS_OK;
}
