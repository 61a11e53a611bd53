/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_exact.c - linear subsystems solved exactly: x(t0 + h) = E x(t0) + sum_k G_k c_k + G_w w, Andersson's (6.6)
 * for inputs of any degree.
 *
 * For the input u(tau) = sum_k c_k tau^k and phi-functions phi_k of Ah (exponential.h),
 *
 *     E = e^{Ah},   G_k = k! h^{k+1} phi_{k+1} B,   G_w = h phi_1 E,
 *
 * so that a singular A needs no special care (instead of Andersson's K1 = A^-1 (e^{AH} - I) B L, 6.12).
 * Integrals q of outputs use
 *
 *     h C phi_1,   k! h^{k+2} C phi_{k+2} B + h^{k+1}/(k+1) D,   h^2 C phi_2 E + h F
 *
 * in the rows of E, G_k, G_w; q does not act back, so maps store only the columns of x.
 *
 * Maps are cached (exact_maps.c). If lengths change from step to step, each would need separate maps for the end and every
 * sample; then samples, or all values, are computed by Taylor's series if it is accurate to round-off
 * (ms_solver_options.series). Time-varying external inputs are added by quadrature (exact_external.c). */
#include <math.h>
#include <stdlib.h>

#include "exact.h"
#include "matrix.h"
#include "micro_step.h"

static void exact_destroy(ms_instance *instance)
{
    exact_data *data = instance->solver_data;
    MS_FREE(data->memory, data->terms);
    ms_exact_maps_destroy(data);
}

/* The rows of B and E side by side, followed by the identity if there are integrals. */
static void join_inputs(const ms_instance *instance, int columns, double *inputs)
{
    const ms_blocks *m = instance->closed;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    for (int i = 0; i < nx; i++, inputs += columns) {
        memset(inputs, 0, sizeof(double) * (size_t)columns);
        memcpy(inputs, m->B + i * nu, sizeof(double) * (size_t)nu);
        memcpy(inputs + nu, m->E + i * nw, sizeof(double) * (size_t)nw);
        if (columns > nu + nw)
            inputs[nu + nw + i] = 1.0;
    }
}

static int create_exponentials(ms_instance *instance, exact_data *data)
{
    const int nx = instance->sub->nx, n = instance->n_state, m = instance->sub->nu + instance->sub->nw;
    const int widest = n > nx ? m + nx : m;
    const size_t phi = (MS_INPUT_DEGREE + 2) * (size_t)nx * (size_t)widest, size = (size_t)nx * (size_t)nx;
    const size_t powers = ms_exponential_size(nx, m), more = n > nx ? ms_exponential_size(nx, widest) : 0;
    double *at = data->memory =
        malloc(sizeof(double) * (powers + more + phi + size + 6 * (size_t)n + (size_t)instance->sub->nw + 1));
    MS_TRY_MEMORY(at);
    data->W = at + powers + more;
    data->X = data->W + phi;
    data->quadrature = data->X + size;
    join_inputs(instance, m, data->W);
    ms_exponential_prepare(&data->states, nx, m, instance->closed->A, data->W, at);
    if (n > nx) {
        join_inputs(instance, widest, data->W);
        ms_exponential_prepare(&data->integrals, nx, widest, instance->closed->A, data->W, at + powers);
    }
    return MS_OK;
}

static bool varies(const ms_subsystem *sub)
{
    return sub->nw > 0 && !sub->external_constant;
}

/* Only if nothing but x is needed. */
static int create_series(const ms_instance *instance, ms_series_use use, exact_data *data)
{
    const ms_subsystem *sub = instance->sub;
    if (use == MS_SERIES_NEVER || instance->n_integrals > 0)
        return MS_OK;
    const size_t series = ms_taylor_size(sub->nx, MS_INPUT_DEGREE), pilot = ms_taylor_size(sub->nx, 0);
    data->use = use;
    data->terms = malloc(sizeof(double) * (series + pilot + (size_t)sub->nx + 1));
    MS_TRY_MEMORY(data->terms);
    ms_taylor_prepare(&data->series, sub->nx, MS_INPUT_DEGREE, instance->closed->A, data->terms);
    ms_taylor_prepare(&data->pilot, sub->nx, 0, instance->closed->A, data->terms + series);
    data->on_its_way = data->terms + series + pilot;
    return MS_OK;
}

static int exact_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    exact_data *data = instance->solver_data;
    (void)error;
    MS_TRY(ms_exact_maps_create(instance, data));
    MS_TRY(create_exponentials(instance, data));
    return create_series(instance, options->series, data);
}

/* Rarely needed, so out of line for the speed of the others: q = q0 + E x0 + G c in the rows of the
 * integrals, and external inputs: constant ones are in instance->w. */
static __attribute__((noinline)) int evaluate_rest(ms_instance *instance, const exact_map *map, double t0,
                                                   double h, const double *x0, const double *c, double *state)
{
    const ms_subsystem *sub = instance->sub;
    const int nx = sub->nx, columns = (instance->input.degree + 1) * sub->nu;
    for (int i = nx; i < instance->n_state; i++)
        state[i] = x0[i] + ms_dot(nx, map->E + i * nx, x0) + ms_dot(columns, map->G + i * columns, c);
    if (varies(sub))
        return ms_exact_external(instance, t0, h, state);
    ms_matrix_add(instance->n_state, sub->nw, map->Gw, instance->w, state);
    return MS_OK;
}

/* The state at t0 + h from x0 at t0 on a piece of the input. */
static inline int evaluate(ms_instance *instance, int piece, double t0, double h, const double *x0,
                           double *state)
{
    const ms_subsystem *sub = instance->sub;
    const ms_input *input = &instance->input;
    const exact_map *map = ms_exact_find(instance, h, input->degree);
    if (map == NULL)
        return MS_SOLVER_FAILED;
    const double *c = ms_input_coefficients(input, piece, 0);
    ms_matrix_two(sub->nx, sub->nx, map->E, x0, (input->degree + 1) * sub->nu, map->G, c,
                  state); /* E x0 + G c */
    return sub->nw == 0 && instance->n_integrals == 0 ? MS_OK
                                                      : evaluate_rest(instance, map, t0, h, x0, c, state);
}

static __attribute__((noinline)) int exact_sample(ms_instance *instance, int piece, double t0,
                                                  const double *x0)
{
    const double begin = ms_input_begin(&instance->input, piece), end = instance->input.end[piece];
    int status = MS_OK;
    for (int k = 0; k < instance->n_places && status == MS_OK; k++) {
        const double after = ms_micro_sample_after(instance, k); /* the same bits each time */
        if (after > begin && after <= end)
            status = evaluate(instance, piece, t0, after - begin, x0, ms_micro_sample(instance, k));
    }
    return status;
}

/* Series ------------------------------------------------------------------------------------------------- */

/* f_k = B c_k of the input from `offset` within the piece on; if w is constant, f_0 includes E w. */
static void fill_driving(ms_instance *instance, int piece, double t0, double offset, ms_taylor *series)
{
    const ms_subsystem *sub = instance->sub;
    const ms_input *input = &instance->input;
    for (int k = 0; k <= input->degree; k++)
        ms_matrix_multiply(sub->nx, sub->nu, instance->closed->B, ms_input_coefficients(input, piece, k),
                           series->f + k * series->lanes);
    for (int i = 0; i < input->degree && offset > 0.0; i++) /* Horner's shift */
        for (int k = input->degree - 1; k >= i; k--)
            for (int j = 0; j < sub->nx; j++)
                series->f[k * series->lanes + j] += offset * series->f[(k + 1) * series->lanes + j];
    if (sub->nw == 0 || varies(sub))
        return;
    ms_subsystem_external(instance->system, sub, t0, instance->w);
    ms_matrix_add(sub->nx, sub->nw, instance->closed->E, instance->w, series->f);
}

/* One of several parts of a step, from t0 + offset on. */
typedef struct part {
    int number, parts;
    double t0, offset, length;
} part;

/* x at `behind` within a part, from the series plus the effect of time-varying external inputs. */
static int sum_at(ms_instance *instance, const part *of, double behind, double *x)
{
    const exact_data *data = instance->solver_data;
    ms_taylor_sum(&data->series, behind / of->length, x);
    return varies(instance->sub) && behind > 0.0 ? ms_exact_external(instance, of->t0 + of->offset, behind, x)
                                                 : MS_OK;
}

/* The samples within a part: each belongs to exactly one part, whatever the round-off of the borders. */
static int sum_samples(ms_instance *instance, int piece, const part *of)
{
    const double begin = ms_input_begin(&instance->input, piece), end = instance->input.end[piece];
    int status = MS_OK;
    for (int k = 0; k < instance->n_places && status == MS_OK; k++) {
        const double at = ms_micro_sample_after(instance, k), after = at - begin;
        const int number = (int)fmin(after / of->length, of->parts - 1);
        if (after > 0.0 && at <= end && number == of->number)
            status = sum_at(instance, of, fmax(after - of->offset, 0.0), ms_micro_sample(instance, k));
    }
    return status;
}

/* Computes the step by series over this many parts. False: they do not converge. */
static bool sum_parts(ms_instance *instance, int piece, double t0, double h, int parts, const double *x0)
{
    exact_data *data = instance->solver_data;
    const size_t size = sizeof *x0 * (size_t)instance->sub->nx;
    double *x = data->on_its_way;
    memcpy(x, x0, size);
    for (int k = 0; k < parts; k++) {
        const part of = {k, parts, t0, k * (h / parts), h / parts};
        fill_driving(instance, piece, t0, of.offset, &data->series);
        if (!ms_taylor_expand(&data->series, instance->input.degree, of.length, x) ||
            sum_samples(instance, piece, &of) != MS_OK || sum_at(instance, &of, of.length, x) != MS_OK)
            return false;
    }
    if (data->use == MS_SERIES_ALL)
        memcpy(instance->state, x, size);
    return true;
}

/* Samples, and the end if it is computed by series too. False: the series do not converge. Out of line like
 * evaluate_rest. */
static __attribute__((noinline)) bool sum_series(ms_instance *instance, int piece, double t0, double h,
                                                 const double *x0)
{
    const exact_data *data = instance->solver_data;
    if (data->use == MS_SERIES_SAMPLES && instance->n_places == 0)
        return false;
    for (int parts = 1; parts <= MS_EXACT_PARTS; parts *= 2)
        if (sum_parts(instance, piece, t0, h, parts, x0))
            return true;
    return false;
}

/* The general case: series, samples, integrals, external inputs, a new length. */
static __attribute__((noinline)) int advance_any(ms_instance *instance, int piece, double t0, double h)
{
    const exact_data *data = instance->solver_data;
    const double *x0 = instance->x_start + piece * instance->n_state;
    const bool series = data->terms != NULL && sum_series(instance, piece, t0, h, x0);
    if (series && data->use == MS_SERIES_ALL)
        return MS_OK;
    if (instance->sub->nw > 0 && !varies(instance->sub))
        ms_subsystem_external(instance->system, instance->sub, t0, instance->w);
    const int status = evaluate(instance, piece, t0, h, x0, instance->state);
    return status != MS_OK || series || instance->n_places == 0 ? status
                                                                : exact_sample(instance, piece, t0, x0);
}

/* The most frequent case, without a call: x = E x0 + G c by the map used last. */
static int exact_advance(ms_instance *instance, int piece, double t0, double h)
{
    const exact_data *data = instance->solver_data;
    const ms_subsystem *sub = instance->sub;
    const ms_input *input = &instance->input;
    const exact_map *map = &data->map[data->last];
    instance->work.micro_steps++;
    if (data->terms != NULL || instance->n_places > 0 || instance->n_integrals > 0 || sub->nw > 0 ||
        !ms_exact_fits(map, h, input->degree))
        return advance_any(instance, piece, t0, h);
    ms_matrix_two(sub->nx, sub->nx, map->E, instance->x_start + piece * sub->nx,
                  (input->degree + 1) * sub->nu, map->G, ms_input_coefficients(input, piece, 0),
                  instance->state);
    return MS_OK;
}

static bool exact_step_map(ms_instance *instance, double h, int degree, const double **E, const double **G)
{
    const exact_data *data = instance->solver_data;
    if (data->terms != NULL || instance->n_integrals > 0 || instance->sub->nw > 0)
        return false;
    const exact_map *map = ms_exact_find(instance, h, degree);
    if (map == NULL)
        return false;
    *E = map->E;
    *G = map->G;
    return true;
}

const ms_solver ms_solver_exact = {.name = "exact",
                                   .summary = "matrix exponential with polynomial input (linear subsystems)",
                                   .source = "Andersson 2016, (6.6); Al-Mohy and Higham 2009",
                                   .linear_only = true,
                                   .linear_map = true,
                                   .shares = true,
                                   .form = MS_STEPS_EXACT,
                                   .data = sizeof(exact_data),
                                   .create = exact_create,
                                   .destroy = exact_destroy,
                                   .advance = exact_advance,
                                   .map = exact_step_map};
