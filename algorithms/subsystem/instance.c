/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/instance.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance_parts.h"
#include "matrix.h"

/* Under a piece of the input ----------------------------------------------------------------------------- */

int ms_instance_allow_laws(ms_instance *instance)
{
    if (instance->law == NULL)
        instance->law = calloc(MS_INPUT_LAWS, sizeof *instance->law);
    return instance->law != NULL ? MS_OK : MS_NO_MEMORY;
}

/* The inputs that follow a law: computed from the outputs under the polynomials of the other inputs. */
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

/* The point (t, x) under a piece of the input. Returns what g returns. */
static int input_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at)
{
    t = ms_events_time(instance->events, t);
    *at = (ms_point){
        .t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z, .sides = instance->sides};
    return ms_instance_inputs(instance, piece, t, x, instance->u);
}

/* x' = A x + B u(t) of a subsystem driven only by its inputs: the sums of ms_subsystem_f, without its calls. */
static void driven_rhs(const ms_instance *instance, int piece, double t, const double *x, double *dx)
{
    const int nx = instance->sub->nx, nu = instance->sub->nu, degree = instance->input.degree;
    const double s = t - instance->t - ms_input_begin(&instance->input, piece);
    const double *c = ms_input_coefficients(&instance->input, piece, 0);
    const double *a = instance->blocks->A, *b = instance->blocks->B;
    double *u = instance->u;
    for (int i = 0; i < nu; i++) {
        u[i] = c[degree * nu + i];
        for (int k = degree - 1; k >= 0; k--)
            u[i] = u[i] * s + c[k * nu + i];
    }
    for (int i = 0; i < nx; i++, a += nx, b += nu) {
        double sum = 0.0;
        for (int j = 0; j < nx; j++)
            sum += a[j] * x[j];
        for (int j = 0; j < nu; j++)
            sum += b[j] * u[j];
        dx[i] = sum;
    }
}

void ms_instance_fill_undefined(const ms_instance *instance, double *y)
{
    const bool *carried = instance->system->carried + instance->system->y_at[instance->index];
    for (int j = 0; j < instance->sub->ny; j++)
        y[j] = isfinite(y[j]) || carried[j] ? y[j] : 0.0;
}

static int integrand(ms_instance *instance, ms_point *at, double *y)
{
    const int status = ms_subsystem_g(instance->system, instance->index, at, instance->w, y);
    ms_instance_fill_undefined(instance, y);
    return status;
}

int ms_instance_rhs(ms_instance *instance, int piece, double t, const double *state, double *dstate)
{
    ms_point at;
    if (instance->field != NULL)
        return instance->field->rhs(instance, piece, t, state, instance->n_state, dstate);
    instance->work.rhs_evaluations++;
    if (instance->driven && instance->n_laws == 0) {
        driven_rhs(instance, piece, t, state, dstate);
        return 0;
    }
    int status = input_point(instance, piece, t, state, &at);
    if (status == 0)
        status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, dstate);
    if (status == 0 && instance->n_integrals > 0)
        status = integrand(instance, &at, dstate + instance->sub->nx);
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
    if (instance->field != NULL)
        return instance->field->jacobian(instance, piece, t, state, A);
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

/* y = C x + D u in one pass: the critical path of linear schemes. */
static void linear_outputs(const ms_instance *instance, const double *u, double *y)
{
    const ms_subsystem *sub = instance->sub;
    ms_matrix_two(sub->ny, sub->nx, instance->blocks->C, instance->x, instance->feeds_through ? sub->nu : 0,
                  instance->blocks->D, u, y);
}

/* The u' passed to g: zero if none is given. */
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

double ms_next_announced_time(const ms_system *system, int i, double t, const double *z)
{
    const ms_subsystem *sub = &system->sub[i];
    if (ms_subsystem_announces(sub)) {
        const double served = z[sub->nz + ms_subsystem_watched(sub)];
        if (served > t || ms_micro_tiny(served, t - served))
            t = served;
    }
    return ms_subsystem_next_time(system, i, t, z);
}

double ms_instance_next_time(const ms_instance *instance, double t)
{
    double due = ms_next_announced_time(instance->system, instance->index, t, instance->z);
    while (due > t && ms_micro_tiny(t, due - t)) {
        const double later = ms_subsystem_next_time(instance->system, instance->index, due, instance->z);
        due = later > due ? later : INFINITY;
    }
    return due > t ? due : INFINITY; /* times in the past are reported by the micro-solver */
}

/* t, or a time event or breakpoint that t misses by round-off and that counts as passed: right limits. Events have passed once they are served.
 * Breakpoints are searched from `from` on; they may be given slightly late, so that micro-solvers can step to them. */
static double behind_times(const ms_instance *instance, double from, double t)
{
    double due;
    if (ms_subsystem_announces(instance->sub)) {
        due = *ms_subsystem_served(instance->sub, instance->z);
        return due > t && ms_micro_tiny(t, due - t) ? due : t;
    }
    due = ms_subsystem_next_time(instance->system, instance->index, from, instance->z);
    while (due > from && due <= t) {
        from = due;
        due = ms_subsystem_next_time(instance->system, instance->index, from, instance->z);
    }
    return due > t && ms_micro_tiny(t, 0.25 * (due - t)) ? due : t;
}

/* The time at which outputs are evaluated. */
static double right_time(const ms_instance *instance, double t)
{
    return instance->left_limits || instance->sub->next_time == NULL ? t : behind_times(instance, t, t);
}

/* The point at which outputs are evaluated. */
static ms_point right_limit(ms_instance *instance, double t, const double *u, const double *du)
{
    return (ms_point){.t = right_time(instance, t),
                      .x = instance->x,
                      .u = u,
                      .du = slopes(instance, du),
                      .z = instance->z,
                      .sides = instance->sides};
}

/* The time for rates of outputs. Rates jump where outputs have a kink: at rows of a series, also where these are too close to t to be breakpoints
 * of a step. */
static double right_time_of_rates(const ms_instance *instance, double t)
{
    return instance->left_limits || !ms_subsystem_has_times(instance->sub)
               ? t
               : behind_times(instance, t - 64.0 * DBL_EPSILON * fabs(t), t);
}

/* Outputs of nonlinear subsystems. Out of line for the speed of the linear ones. */
static __attribute__((noinline)) int outputs_by_model(ms_instance *instance, double t, const double *u,
                                                      const double *du, double *y)
{
    if (instance->sub->stepper != NULL)
        return ms_instance_component_outputs(instance, u, y);
    ms_point at = right_limit(instance, t, u, du);
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

/* Derivatives of outputs --------------------------------------------------------------------------------- */

/* Moves the ends of a difference around t, a right_time(), so that g does not jump in between. */
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

/* dg/dt by a difference: central unless g jumps nearby. */
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

/* For a subsystem without rates. */
static int derivative_by_difference(ms_instance *instance, double t, const double *u, const double *du,
                                    double *dy)
{
    const ms_subsystem *sub = instance->sub;
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny;
    ms_point at = right_limit(instance, t, u, du);
    int status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, instance->dx);
    if (status != 0)
        return MS_SOLVER_FAILED;
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

/* y += M w', by nonzero columns: a rate may be infinite. Returns 0, or 1 if y is not finite. */
static int add_external(int rows, int nw, const double *M, const double *dw, double *y)
{
    int status = 0;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < nw; k++)
            y[i] += M[i * nw + k] != 0.0 ? M[i * nw + k] * dw[k] : 0.0;
        status |= !isfinite(y[i]);
    }
    return status;
}

/* v' = M x' + N u' + O w'. */
static int linear_rate(const ms_subsystem *sub, int rows, const double *M, const double *dx, const double *N,
                       const double *du, const double *O, const double *dw, double *dv)
{
    ms_matrix_multiply(rows, sub->nx, M, dx, dv);
    if (du != NULL)
        ms_matrix_add(rows, sub->nu, N, du, dv);
    return sub->nw > 0 && !sub->external_constant ? add_external(rows, sub->nw, O, dw, dv) : 0;
}

static int linear_rates(const ms_subsystem *sub, const ms_blocks *m, bool second, const ms_rates *r)
{
    if (!second)
        return linear_rate(sub, sub->ny, m->C, r->dx, m->D, r->du, m->F, r->dw, r->dy);
    const int status = linear_rate(sub, sub->nx, m->A, r->dx, m->B, r->du, m->E, r->dw, r->ddx);
    return status | linear_rate(sub, sub->ny, m->C, r->ddx, m->D, r->ddu, m->F, r->ddw, r->ddy);
}

/* From du and ddu the second derivative ddy if asked for, otherwise dy from du, along r->dx. */
static int output_rates_along(ms_instance *instance, ms_point *at, bool second, ms_rates *r)
{
    const ms_subsystem *sub = instance->sub;
    double *dw = instance->w + sub->nw, *ddw = dw + sub->nw;
    r->ddx = instance->dx + sub->nx;
    r->dw = dw;
    r->ddw = ddw;
    if (sub->nw > 0)
        ms_subsystem_external_rates(instance->system, sub, at->t, dw, ddw);
    const int status = instance->blocks != NULL
                           ? linear_rates(sub, instance->blocks, second, r)
                           : ms_subsystem_output_rates(instance->system, instance->index, at, instance->w, r);
    return status == 0 ? MS_OK : MS_SOLVER_FAILED;
}

/* The same along x' = f. */
static int output_rates(ms_instance *instance, double t, const double *u, bool second, ms_rates *r)
{
    ms_point at = {.t = right_time_of_rates(instance, t), .x = instance->x, .u = u, .z = instance->z};
    r->dx = instance->dx;
    if (ms_subsystem_f(instance->system, instance->index, &at, instance->w, instance->dx) != 0)
        return MS_SOLVER_FAILED;
    return output_rates_along(instance, &at, second, r);
}

int ms_instance_output_derivative_along(ms_instance *instance, double t, const double *u, const double *dx,
                                        double *dy)
{
    ms_point at = {.t = t, .x = instance->x, .u = u, .z = instance->z, .sides = instance->sides};
    return output_rates_along(instance, &at, false, &(ms_rates){.dx = dx, .dy = dy});
}

int ms_instance_output_derivative(ms_instance *instance, double t, const double *u, const double *du,
                                  double *dy)
{
    if (instance->sub->stepper != NULL)
        return ms_instance_component_output_derivative(instance, u, du, dy);
    return ms_subsystem_has_rates(instance->sub)
               ? output_rates(instance, t, u, false, &(ms_rates){.du = du, .dy = dy})
               : derivative_by_difference(instance, t, u, du, dy);
}

int ms_instance_output_second_derivative(ms_instance *instance, double t, const double *u, const double *du,
                                         const double *ddu, double *ddy)
{
    if (instance->sub->stepper != NULL)
        return ms_instance_component_output_second_derivative(instance, ddy);
    return ms_subsystem_has_rates(instance->sub)
               ? output_rates(instance, t, u, true, &(ms_rates){.du = du, .ddu = ddu, .ddy = ddy})
               : MS_UNSUPPORTED;
}

int ms_instance_feed_through(ms_instance *instance, double t, const double *u, double *D)
{
    if (instance->sub->stepper != NULL)
        return ms_instance_component_feed_through(instance, u, D);
    ms_point at = right_limit(instance, t, u, NULL);
    return ms_subsystem_jacobian(instance->system, instance->index, &at, instance->w, instance->scratch,
                                 &(ms_blocks){.D = D}, NULL) == 0
               ? MS_OK
               : MS_SOLVER_FAILED;
}
