/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance_own.h"
#include "instance_scratch.h"
#include "matrix.h"

/* Under a piece of the input ----------------------------------------------------------------------------- */

int ms_instance_allow_laws(ms_instance *instance)
{
    if (instance->law == NULL)
        instance->law = calloc(MS_INPUT_LAWS, sizeof *instance->law);
    return instance->law != NULL ? MS_OK : MS_NO_MEMORY;
}

/* The inputs that follow a law, from the outputs for the polynomials of the others. */
static int apply_laws(ms_instance *instance, double t, const double *x, double *u)
{
    ms_point at = {.t = t, .x = x, .u = u, .du = instance->du, .z = instance->z, .sides = instance->sides};
    const int status = ms_subsystem_g(instance->system, instance->index, &at, instance->w, instance->y);
    for (int k = 0; k < instance->n_laws && status == 0; k++) {
        const ms_input_law *law = &instance->law[k];
        if (law->active)
            u[law->input] = ms_input_law_value(law, t - instance->t, u[law->input], instance->y[law->output]);
    }
    return status;
}

int ms_instance_inputs(ms_instance *instance, int piece, double t, const double *x, double *u)
{
    ms_input_evaluate(&instance->input, piece, 0, t - instance->t, u);
    if (instance->sub->uses_du)
        ms_input_evaluate(&instance->input, piece, 1, t - instance->t, instance->du);
    return instance->n_laws == 0 ? 0 : apply_laws(instance, t, x, u);
}

/* The point at (t, x) under a piece of the input. Returns what g returns. */
static int input_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at)
{
    t = ms_events_time(instance->events, t);
    *at = (ms_point){
        .t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z, .sides = instance->sides};
    return ms_instance_inputs(instance, piece, t, x, instance->u);
}

int ms_instance_rhs(ms_instance *instance, int piece, double t, const double *state, double *dstate)
{
    ms_point at;
    instance->work.rhs_evaluations++;
    int status = input_point(instance, piece, t, state, &at);
    if (status == 0)
        status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, dstate);
    if (status == 0 && instance->n_integrals > 0)
        status =
            ms_subsystem_g(instance->system, instance->index, &at, instance->w, dstate + instance->sub->nx);
    return status;
}

/* A += b (du/dy) c for each law: b the column of B of its input, c the row of C of its output. */
static void add_laws(const ms_instance *instance, const ms_point *at, const ms_blocks *m)
{
    const int nx = instance->sub->nx, nu = instance->sub->nu;
    for (int k = 0; k < instance->n_laws; k++) {
        const ms_input_law *law = &instance->law[k];
        if (!law->active)
            continue;
        const double slope = ms_input_law_slope(law, at->t - instance->t, instance->y[law->output]);
        const double *c = m->C + law->output * nx;
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < nx; j++)
                m->A[i * nx + j] += m->B[i * nu + law->input] * slope * c[j];
    }
}

int ms_instance_jacobian(ms_instance *instance, int piece, double t, const double *state, double *A)
{
    ms_point at;
    instance->work.jacobian_evaluations++;
    int status = input_point(instance, piece, t, state, &at);
    double *C = instance->scratch + ms_instance_scratch_size(instance->sub),
           *B = C + instance->sub->ny * instance->sub->nx;
    ms_blocks m = instance->n_laws > 0 ? (ms_blocks){.A = A, .B = B, .C = C} : (ms_blocks){.A = A};
    if (status == 0)
        status = ms_subsystem_jacobian(instance->system, instance->index, &at, instance->w, instance->scratch,
                                       &m, &instance->work.rhs_evaluations);
    if (status == 0 && m.B != NULL)
        add_laws(instance, &at, &m);
    return status;
}

/* Outputs ------------------------------------------------------------------------------------------------ */

/* y = C x + D u in one pass: the hot path of linear schemes. */
static void linear_outputs(const ms_instance *instance, const double *u, double *y)
{
    const ms_subsystem *sub = instance->sub;
    ms_matrix_two(sub->ny, sub->nx, instance->blocks->C, instance->x, instance->feeds_through ? sub->nu : 0,
                  instance->blocks->D, u, y);
}

/* The u' that g sees: zero where none is given. */
static const double *slopes(ms_instance *instance, const double *du)
{
    if (du != NULL || !instance->sub->uses_du)
        return du;
    memset(instance->du, 0, sizeof(double) * (size_t)instance->sub->nu);
    return instance->du;
}

bool ms_micro_tiny(double t0, double h)
{
    return isfinite(h) && h <= 16.0 * DBL_EPSILON * fmax(fabs(t0), fabs(t0 + h));
}

double ms_announced_due(const ms_system *system, int i, double t, const double *z)
{
    const ms_subsystem *sub = &system->sub[i];
    if (ms_subsystem_announces(sub)) {
        const double served = z[sub->nz + sub->n_indicators];
        if (served > t || ms_micro_tiny(served, t - served))
            t = served;
    }
    return ms_subsystem_next_time(system, i, t, z);
}

double ms_instance_next_time(const ms_instance *instance, double t)
{
    double due = ms_announced_due(instance->system, instance->index, t, instance->z);
    while (due > t && ms_micro_tiny(t, due - t)) {
        const double later = ms_subsystem_next_time(instance->system, instance->index, due, instance->z);
        due = later > due ? later : INFINITY;
    }
    return due > t ? due : INFINITY; /* what names the past is the micro-solver's to report */
}

/* t, or a time event or breakpoint by round-off behind it, which is over: outputs are right limits. Events are
 * over once they are served. */
static double right_time(const ms_instance *instance, double t)
{
    if (instance->left_limits || instance->sub->next_time == NULL)
        return t;
    const double due = ms_subsystem_announces(instance->sub)
                           ? *ms_subsystem_served(instance->sub, instance->z)
                           : ms_subsystem_next_time(instance->system, instance->index, t, instance->z);
    return due > t && ms_micro_tiny(t, due - t) ? due : t;
}

/* Of what is not linear. Out of line for the speed of what is. */
static __attribute__((noinline)) int outputs_by_model(ms_instance *instance, double t, const double *u,
                                                      const double *du, double *y)
{
    if (instance->sub->stepper != NULL)
        return ms_own_outputs(instance, u, y);
    ms_point at = {.t = right_time(instance, t),
                   .x = instance->x,
                   .u = u,
                   .du = slopes(instance, du),
                   .z = instance->z,
                   .sides = instance->sides};
    return ms_subsystem_g(instance->system, instance->index, &at, instance->w, y);
}

int ms_instance_outputs(ms_instance *instance, double t, const double *u, const double *du, double *y)
{
    if (instance->blocks == NULL || instance->sub->nw > 0)
        return outputs_by_model(instance, t, u, du, y);
    linear_outputs(instance, u, y);
    return 0;
}

int ms_instance_sample_outputs(ms_instance *instance, int k, int piece, double *y)
{
    const double t = ms_instance_sample_time(instance, k);
    const double *x = instance->samples + (size_t)k * (size_t)instance->n_state;
    ms_point at = {
        .t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z, .sides = instance->sides};
    const int status = ms_instance_inputs(instance, piece, t, x, instance->u);
    return status == 0 ? ms_subsystem_g(instance->system, instance->index, &at, instance->w, y) : status;
}

/* Moves the ends of a difference around t, a right_time(), between the times at which g may jump. */
static void avoid_jumps(const ms_instance *instance, double t, double *from, double *to)
{
    double due = ms_subsystem_next_time(instance->system, instance->index, *from, instance->z);
    while (due > *from && due <= t) {
        *from = due;
        due = ms_subsystem_next_time(instance->system, instance->index, *from, instance->z);
    }
    if (due > *from && due <= *to)
        *to = nextafter(due, *from);
}

/* dg/dt by a difference, a central one unless g jumps nearby; zero for linear subsystems with constant
 * external inputs. */
static int output_time_derivative(ms_instance *instance, ms_point *at, double *dy)
{
    const int ny = instance->sub->ny;
    double *earlier = instance->scratch;
    const double t = at->t, step = ms_central_time_step(instance->system, t);
    double from = t - step, to = t + step;
    avoid_jumps(instance, t, &from, &to);
    at->t = to;
    int status = ms_subsystem_g(instance->system, instance->index, at, instance->w, dy);
    at->t = from;
    if (status == 0)
        status = ms_subsystem_g(instance->system, instance->index, at, instance->w, earlier);
    at->t = t;
    for (int j = 0; j < ny; j++)
        dy[j] = to > from ? (dy[j] - earlier[j]) / (to - from) : 0.0;
    return status;
}

int ms_instance_output_derivative(ms_instance *instance, double t, const double *u, const double *du,
                                  double *dy)
{
    const ms_subsystem *sub = instance->sub;
    if (sub->stepper != NULL)
        return ms_own_output_derivative(instance, u, du, dy);
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny;
    ms_point at = {.t = right_time(instance, t),
                   .x = instance->x,
                   .u = u,
                   .du = slopes(instance, du),
                   .z = instance->z,
                   .sides = instance->sides};
    int status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, instance->dx);
    if (status != 0)
        return MS_SOLVER_FAILED;
    if (instance->blocks != NULL && (sub->nw == 0 || sub->external_constant)) {
        ms_matrix_multiply(ny, nx, instance->blocks->C, instance->dx, dy); /* C x' + D u' */
        if (du != NULL)
            ms_matrix_add(ny, nu, instance->blocks->D, du, dy);
        return MS_OK;
    }
    double *C = instance->scratch + ms_instance_scratch_size(sub), *D = C + (size_t)(ny * nx);
    status = ms_subsystem_jacobian(instance->system, instance->index, &at, instance->w, instance->scratch,
                                   &(ms_blocks){.C = C, .D = D}, NULL);
    if (status == 0)
        status = output_time_derivative(instance, &at, dy);
    ms_matrix_add(ny, nx, C, instance->dx, dy);
    if (du != NULL)
        ms_matrix_add(ny, nu, D, du, dy);
    return status == 0 ? MS_OK : MS_SOLVER_FAILED;
}

int ms_instance_output_second_derivative(ms_instance *instance, double t, const double *u, const double *du,
                                         const double *ddu, double *ddy)
{
    const ms_blocks *m = instance->blocks;
    if (instance->sub->stepper != NULL)
        return ms_own_output_second_derivative(instance, ddy);
    if (m == NULL)
        return MS_UNSUPPORTED;
    const int nx = instance->sub->nx, nu = instance->sub->nu, ny = instance->sub->ny;
    ms_point at = {
        .t = right_time(instance, t), .x = instance->x, .u = u, .z = instance->z, .sides = instance->sides};
    double *dx = instance->dx, *ddx = instance->dx + nx;
    if (ms_subsystem_f(instance->system, instance->index, &at, instance->w, dx) != 0)
        return MS_SOLVER_FAILED;
    ms_matrix_multiply(nx, nx, m->A, dx, ddx); /* x'' = A x' + B u' */
    ms_matrix_add(nx, nu, m->B, du, ddx);
    ms_matrix_multiply(ny, nx, m->C, ddx, ddy); /* C x'' + D u'' */
    if (ddu != NULL)
        ms_matrix_add(ny, nu, m->D, ddu, ddy);
    return MS_OK;
}

int ms_instance_feed_through(ms_instance *instance, double t, const double *u, double *D)
{
    if (instance->sub->stepper != NULL)
        return ms_own_feed_through(instance, u, D);
    ms_point at = {.t = right_time(instance, t),
                   .x = instance->x,
                   .u = u,
                   .du = slopes(instance, NULL),
                   .z = instance->z,
                   .sides = instance->sides};
    return ms_subsystem_jacobian(instance->system, instance->index, &at, instance->w, instance->scratch,
                                 &(ms_blocks){.D = D}, NULL) == 0
               ? MS_OK
               : MS_SOLVER_FAILED;
}
