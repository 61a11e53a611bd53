/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_jacobi_gauss_seidel.c - the explicit schemes as one engine: `jacobi`, `gauss-seidel`, and `balance`, which is Jacobi with
 * explicit_balance.c. explicit_events.c handles the effect of events on the history, explicit_derivatives.c gives derivatives of
 * outputs, explicit_passivity.c damps bonds that produce energy.
 *
 * A macro-step from T_n to T_n + H:
 *
 *     1. every output follows a polynomial p(tau) whose coefficients are weights times remembered values
 *        (polynomial.h); inputs are u = L p, so extrapolating outputs is extrapolating inputs;
 *     2. every subsystem is integrated under its inputs (Andersson, Algorithm 3; of order 1 (6.31), smoothed (6.72)). Gauss-Seidel takes the
 *        subsystems in their order and replaces the polynomial of a subsystem that has stepped by the
 *        interpolant through its newest raw outputs;
 *     3. outputs at T_n + H, with u- the left limits of the inputs there:
 *          inconsistent   y = g(x, u-)                                       (6.7)
 *          consistent     y = g(x, L y)                                      (6.17), (6.18), Algorithm 4
 *          corrected      (I - D L) y = g(x, u-) - D u-                      Algorithms 5, 6, 7: (6.52)-(6.55), (6.60)-(6.64)
 *        and their derivatives, where the extrapolation uses them:
 *          inconsistent   y' = g_t + g_x f(x, u-) + D u'-                    (6.43c)
 *          consistent     (I - D L) y' = g_t + g_x f(x, L y)
 *          corrected      (I - D L) y' = g_t + g_x f(x, u-)                  Algorithm 6, line 16: (6.66), (6.67)
 *        Gauss-Seidel does this once, after the sweep.
 *
 * Order of convergence: extrapolation order + 1, with the raw balance error one more (Moshagen 6.1); at most 2 for the quadratic
 * extrapolation as printed in (6.30), and if output derivatives come from backward differences, or the start has no past values
 * (--start hold). Smoothing as printed leaves order 1 if outputs depend directly on inputs, and `balance` with used inputs and a
 * box leaves no order if such outputs feed each other. Gauss-Seidel on wires that all run forward in its sequence reads only
 * interpolants: extrapolation order + 1 for any start and any printed variant, one more if they are smoothed c1 (c0: of order 0),
 * see explicit_setup.c.
 *
 * Capabilities: inputs of the polynomial's degree; output derivatives if the extrapolation is analytic; directional derivatives
 * for `corrected`; re-evaluation of outputs for `consistent`.
 *
 * Departures from the source: the start is filled with past values from derivatives (--start hold is PyFMI's lower order at
 * first); order 2 is the true parabola and smoothing follows (6.71) (--as-printed takes 6.30, and 6.73c which evaluates the
 * outputs at u(T_n) instead of u-). Smoothing is p + (p-(H) - p(0)) (1 - tau/H), which is (6.71d, e) for order 1 and serves
 * orders 0 and 2 as well. Andersson omits Gauss-Seidel; the interpolants are the project's definition. */
#include <string.h>

#include <macrostep/cosim_state.h>
#include "explicit.h"
#include "explicit_parts.h"
#include "loop.h"
#include "time_events.h"

static ms_weights smooth(const explicit_data *data, ms_weights p, double h)
{
    if (data->config.smoothing == MS_SMOOTHING_C0)
        return ms_weights_smooth_c0(p, h);
    return data->config.smoothing == MS_SMOOTHING_C1 ? ms_weights_smooth_c1(p, h) : p;
}

/* The terms of coefficient k, at least one. Returns how many there are. */
static int list_coefficient(const explicit_data *data, int kind, int k, explicit_term *term)
{
    const double *w = data->cache.weights[kind].w[k];
    int n = 0;
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
        if (w[s] != 0.0)
            term[n++] = (explicit_term){.k = k, .w = w[s], .v = data->slot[kind][s]};
    if (n == 0) /* a coefficient that vanishes */
        term[n++] = (explicit_term){.k = k, .w = 0.0, .v = data->slot[kind][MS_SLOT_Y0]};
    term[0].n = n;
    return n;
}

/* The weights that are not zero. A polynomial that is one remembered value (order 0) is there already. */
static void list_terms(explicit_data *data, int kind)
{
    int n = 0;
    for (int k = 0; k <= data->cache.weights[kind].degree; k++)
        n += list_coefficient(data, kind, k, &data->cache.term[kind][n]);
    const bool copies = kind == EXTRAPOLATED && n == 1 && data->cache.term[kind][0].w == 1.0;
    data->cache.terms[kind] = copies ? 0 : n;
    data->cache.p[kind] =
        copies ? data->cache.term[kind][0].v : data->cache.coefficients + kind * data->cache.stride;
}

/* Weights, and the shape of the inputs, depend on step lengths only; equal steps find them ready. */
static void new_weights(const ms_cosim *cosim, explicit_data *data, double h)
{
    const explicit_history *past = ms_explicit_history(cosim);
    double *key = data->cache.key;
    key[0] = h;
    key[1] = past->h1;
    key[2] = past->h2;
    key[3] = past->known;
    key[4] = cosim->share;
    const double whole = h / cosim->share; /* the smoothing time is not shortened if an event cuts the step */
    const int known = (int)past->known;
    const int order = data->config.order < known ? data->config.order : known;
    ms_weights p;
    if (data->config.analytic)
        p = ms_weights_derivatives(order);
    else if (order == 2 && (data->config.as_printed & MS_PRINTED_QUADRATIC))
        p = ms_weights_past_as_printed(past->h1, past->h2);
    else
        p = ms_weights_past(ms_weights_supported(order, past->h1, past->h2, h), past->h1, past->h2);
    if (data->config.modify != NULL)
        p = data->config.modify(data, p, h);
    data->cache.weights[EXTRAPOLATED] = smooth(data, p, whole);
    if (data->balance.on)
        ms_explicit_add_hats(cosim, data, h);
    list_terms(data, EXTRAPOLATED);
    if (data->config.pieces > 1)
        list_terms(data, SECOND_PIECE);
    if (data->config.gauss_seidel) {
        const int newest = data->config.order < known + 1 ? data->config.order : known + 1;
        p = ms_weights_newest(newest, data->config.analytic && known > 0, h, past->h1);
        data->cache.weights[NEWEST] = smooth(data, p, whole);
        list_terms(data, NEWEST);
    }
    int degree = data->cache.weights[EXTRAPOLATED].degree;
    if (data->config.gauss_seidel && data->cache.weights[NEWEST].degree > degree)
        degree = data->cache.weights[NEWEST].degree;
    for (int i = 0; i < cosim->system->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        input->pieces = data->config.pieces;
        input->end[0] = data->config.pieces > 1 ? 0.5 * h : h;
        input->end[1] = h;
        input->degree = degree;
    }
}

static inline void update_weights(const ms_cosim *cosim, explicit_data *data, double h)
{
    const explicit_history *past = ms_explicit_history(cosim);
    const double *key = data->cache.key;
    if (key[0] != h || key[1] != past->h1 || key[2] != past->h2 || key[3] != past->known ||
        key[4] != cosim->share)
        new_weights(cosim, data, h);
}

/* c = sum of n weighted values, entries begin .. end - 1: the first up to three in one pass, each further one in its own. */
static void sum_terms(const explicit_term *term, int n, int begin, int end, double *c)
{
    const double w0 = term[0].w, *v0 = term[0].v;
    const double w1 = n > 1 ? term[1].w : 0.0, *v1 = n > 1 ? term[1].v : v0;
    const double w2 = n > 2 ? term[2].w : 0.0, *v2 = n > 2 ? term[2].v : v0;
    if (n == 1)
        for (int j = begin; j < end; j++)
            c[j] = w0 * v0[j];
    else if (n == 2)
        for (int j = begin; j < end; j++)
            c[j] = w0 * v0[j] + w1 * v1[j];
    else
        for (int j = begin; j < end; j++)
            c[j] = w0 * v0[j] + w1 * v1[j] + w2 * v2[j];
    for (int k = 3; k < n; k++)
        for (int j = begin; j < end; j++)
            c[j] += term[k].w * term[k].v[j];
}

static __attribute__((noinline)) void sum_polynomials(const explicit_data *data, int kind, int ny, int begin,
                                                      int end)
{
    const explicit_term *term = data->cache.term[kind], *last = term + data->cache.terms[kind];
    double *c = data->cache.coefficients + kind * data->cache.stride;
    for (; term < last; term += term->n)
        sum_terms(term, term->n, begin, end, c + term->k * ny);
}

/* Coefficients of the polynomials of outputs begin .. end - 1. */
static inline void output_polynomials(const explicit_data *data, int kind, int ny, int begin, int end)
{
    if (data->cache.terms[kind] > 0)
        sum_polynomials(data, kind, ny, begin, end);
}

/* c_k = L p_k of every input, where each has exactly one wire. offset: of the piece, in inputs. */
static void couple_one_to_one(const ms_system *s, const explicit_data *data, int kind, int offset, int degree)
{
    const int nu = s->nu, ny = s->ny, *output = s->wire_output;
    const double *gain = s->wire_gain;
    const explicit_target *target = data->config.target;
    for (int l = 0; l < nu; l++) {
        const double g = gain[l], *p = data->cache.p[kind] + output[l];
        const int stride = target[l].stride;
        double *c = target[l].c + offset * stride;
        *c = g * *p;
        if (degree > 0)
            c[stride] = g * p[ny];
        for (int k = 2; k <= degree; k++)
            c[k * stride] = g * p[k * ny];
    }
}

/* The same for held inputs: their coefficients are contiguous. */
static void couple_held(const ms_system *s, const double *restrict p, double *restrict c)
{
    const int *output = s->wire_output;
    const double *gain = s->wire_gain;
    for (int l = 0; l < s->nu; l++)
        c[l] = gain[l] * p[output[l]];
}

static __attribute__((noinline)) void couple_polynomials(const ms_system *s, const explicit_data *data,
                                                         int kind, int piece)
{
    const int degree = data->cache.weights[kind].degree, offset = piece * data->config.piece_stride;
    if (data->config.one_to_one) {
        couple_one_to_one(s, data, kind, offset, degree);
        return;
    }
    for (int l = 0; l < s->nu; l++)
        for (int k = 0; k <= degree; k++) {
            const double *p = data->cache.p[kind] + k * s->ny;
            double sum = 0.0;
            for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
                sum += s->wire_gain[w] * p[s->wire_output[w]];
            data->config.target[l].c[(offset + k) * data->config.target[l].stride] = sum;
        }
}

/* Jacobi: c_k = L p_k of every input on one piece. */
static inline void couple_jacobi(const ms_cosim *cosim, const explicit_data *data, int kind, int piece)
{
    if (data->config.one_to_one && data->config.piece_stride == 1)
        couple_held(cosim->system, data->cache.p[kind], cosim->coefficients);
    else
        couple_polynomials(cosim->system, data, kind, piece);
}

/* Gauss-Seidel: each wire with the polynomial that its feeder has by now. */
static void couple_gauss_seidel(const ms_system *s, const explicit_data *data, int i, const ms_input *input)
{
    const int first = s->u_at[i], ny = s->ny, *kind = data->config.wire_kind, *output = s->wire_output;
    const int degree[] = {data->cache.weights[EXTRAPOLATED].degree, data->cache.weights[NEWEST].degree};
    const double *const p[] = {data->cache.p[EXTRAPOLATED], data->cache.p[NEWEST]}, *gain = s->wire_gain;
    double *c = ms_input_coefficients(input, 0, 0);
    for (int k = 0; k <= input->degree; k++)
        for (int l = first; l < first + input->n; l++) {
            double sum = 0.0;
            for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
                if (k <= degree[kind[w]])
                    sum += gain[w] * p[kind[w]][k * ny + output[w]];
            *c++ = sum;
        }
}

static void copy(int n, const double *from, double *to)
{
    for (int j = 0; j < n; j++)
        to[j] = from[j];
}

/* y_n, y_{n-1} become y_{n-1}, y_{n-2}. */
static void shift_past(const explicit_data *data, int ny)
{
    for (int s = data->config.order; s > 0 && !data->config.analytic; s--)
        copy(ny, data->slot[0][s - 1], data->slot[0][s]);
}

/* Extrapolates the inputs of all subsystems. */
static void extrapolate(const ms_cosim *cosim, const explicit_data *data)
{
    const int ny = cosim->system->ny;
    output_polynomials(data, EXTRAPOLATED, ny, 0, ny);
    couple_jacobi(cosim, data, EXTRAPOLATED, 0);
    if (data->config.pieces > 1) {
        output_polynomials(data, SECOND_PIECE, ny, 0, ny);
        couple_jacobi(cosim, data, SECOND_PIECE, 1);
    }
}

static int step_jacobi(ms_cosim *cosim, const explicit_data *data, double t, double h)
{
    const int ny = cosim->system->ny;
    extrapolate(cosim, data);
    if (data->balance.held != NULL)
        ms_explicit_hold(cosim, data);
    for (int i = 0; i < cosim->system->n && data->passivity.energy != NULL; i++)
        ms_explicit_damp(cosim, data, i, h);
    if (data->config.in_place && !data->joins)
        shift_past(data, ny);
    return ms_execution_advance(cosim, t, h, NULL);
}

/* Held inputs: the newest values on their wires, since all inputs are of order 0. */
static void hold_newest(const ms_cosim *cosim, int i)
{
    const double *newest = ms_input_coefficients(&cosim->instance[i]->input, 0, 0);
    double *hold = cosim->hold + cosim->system->u_at[i];
    for (int l = 0; l < cosim->system->sub[i].nu; l++)
        hold[l] = isnan(hold[l]) ? hold[l] : newest[l];
}

static int step_gauss_seidel(ms_cosim *cosim, const explicit_data *data, double t, double h)
{
    const ms_system *s = cosim->system;
    output_polynomials(data, EXTRAPOLATED, s->ny, 0, s->ny);
    for (int k = 0; k < s->n; k++) {
        const int i = data->config.sequence[k];
        couple_gauss_seidel(s, data, i, &cosim->instance[i]->input);
        if (cosim->hold != NULL && data->cache.weights[NEWEST].degree == 0)
            hold_newest(cosim, i);
        if (data->passivity.energy != NULL)
            ms_explicit_damp(cosim, data, i, h);
        MS_TRY(ms_execution_advance_one(cosim, i, t, h, NULL));
        output_polynomials(data, NEWEST, s->ny, s->y_at[i], s->y_at[i + 1]);
    }
    return MS_OK;
}

/* y from y_raw, consistent or corrected. */
static int solve_outputs(ms_cosim *cosim, explicit_data *data, double t)
{
    memcpy(data->y, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
    data->y_new = data->y;
    if (data->config.outputs == MS_OUTPUTS_CONSISTENT) {
        data->u_new = data->u;
        return ms_loop_outputs(cosim->loop, t, data->y, data->u);
    }
    MS_TRY(ms_loop_linearise(cosim->loop, t, cosim->u_left));
    ms_loop_feed_through(cosim->loop, -1.0, cosim->u_left, data->y);
    ms_loop_solve(cosim->loop, data->y);
    return MS_OK;
}

/* The outputs by the chosen approach, and the inputs at which derivatives are evaluated. */
static int new_outputs(ms_cosim *cosim, explicit_data *data, double t)
{
    data->y_new = cosim->y_raw;
    data->u_new = cosim->u_left;
    if (data->config.outputs == MS_OUTPUTS_INCONSISTENT)
        return MS_OK;
    const int status = solve_outputs(cosim, data, t);
    ms_execution_share(cosim, data->y);
    return status;
}

/* Left limits of the polynomials at T_n + H. */
static void remember_left(const ms_cosim *cosim, const explicit_data *data, double h)
{
    const int ny = cosim->system->ny;
    for (int kind = 0; kind < (data->config.gauss_seidel ? 2 : 1); kind++) {
        double *left = data->slot[kind][MS_SLOT_LEFT], *slope = data->slot[kind][MS_SLOT_LEFT_SLOPE];
        const int degree = data->cache.weights[kind].degree;
        for (int j = 0; j < ny; j++) {
            double value = 0.0, derivative = 0.0;
            for (int k = degree; k >= 0; k--) {
                derivative = derivative * h + value;
                value = value * h + data->cache.p[kind][k * ny + j];
            }
            left[j] = value;
            if (slope != NULL)
                slope[j] = derivative;
        }
    }
}

/* Updates the time of the newest point to T_n + h. */
static void remember_time(explicit_history *past, const explicit_data *data, double h)
{
    past->gap = data->joins ? h : 0.0;
    if (data->joins) {
        past->h1 += h;
        return;
    }
    past->h2 = past->h1;
    past->h1 = h;
    if (!data->config.analytic && past->known < data->config.order)
        past->known += 1.0;
}

static void remember(ms_cosim *cosim, explicit_data *data, double h)
{
    explicit_history *past = ms_explicit_history(cosim);
    const int ny = cosim->system->ny;
    const bool kept =
        data->joins && data->config.differences; /* y' over a short step would be mostly round-off */
    if (!data->config.in_place) {
        if (!data->joins)
            shift_past(data, ny);
        copy(ny, data->y_new, data->slot[0][MS_SLOT_Y0]);
    }
    if (data->config.analytic) {
        if (!kept)
            copy(ny, data->dy, data->slot[0][MS_SLOT_Y1]);
        if (data->config.order > 1 && !kept)
            copy(ny, data->ddy, data->slot[0][MS_SLOT_Y2]);
        past->known = data->config.order;
    }
    if (data->config.differences && !kept)
        copy(ny, cosim->y_raw, data->raw_before);
    remember_time(past, data, h);
}

/* Completes the macro-step after all subsystems have stepped. */
static int finish(ms_cosim *cosim, explicit_data *data, double t, double h)
{
    if (data->passivity.energy != NULL)
        ms_explicit_produce(cosim, data, h);
    int status = new_outputs(cosim, data, t + h);
    if (status == MS_OK && data->config.analytic)
        status = ms_explicit_derivatives(cosim, data, t + h, h, data->config.order);
    if (status != MS_OK)
        return ms_cosim_loop_failed(cosim, status, t + h);
    if (data->balance.on)
        ms_explicit_balance(cosim, data, h);
    else if (data->config.smoothing != MS_SMOOTHING_NONE)
        remember_left(cosim, data, h);
    remember(cosim, data, h);
    status = data->events.drop ? ms_explicit_drop(cosim, data, t + h, h) : MS_OK;
    return status == MS_OK ? MS_OK : ms_cosim_loop_failed(cosim, status, t + h);
}

int ms_explicit_step(ms_cosim *cosim, double t, double h)
{
    explicit_data *data = cosim->scheme_data;
    const explicit_history *past = ms_explicit_history(cosim);
    update_weights(cosim, data, h);
    data->joins = ms_time_events_join(cosim->share, h, past->h1, past->gap > 0.0);
    if (data->balance.on)
        ms_explicit_feed_back(cosim, data);
    if (data->passivity.energy != NULL)
        memset(data->passivity.power, 0, sizeof(double) * (size_t)cosim->system->n_bonds);
    const int status =
        data->config.gauss_seidel ? step_gauss_seidel(cosim, data, t, h) : step_jacobi(cosim, data, t, h);
    cosim->integrations += cosim->system->n;
    return status == MS_OK ? finish(cosim, data, t, h) : status;
}

/* A macro-step in two parts (explicit_parts.h). */
static int advance_some(ms_cosim *cosim, double t, double h, const bool *which)
{
    for (int i = 0; i < cosim->system->n; i++)
        if (which[i]) {
            cosim->instance[i]->t = t;
            cosim->instance[i]->h = h;
            cosim->integrations++;
        }
    return ms_execution_advance_some(cosim, which, NULL);
}

int ms_explicit_try(ms_cosim *cosim, double t, double h, const bool *which)
{
    explicit_data *data = cosim->scheme_data;
    const explicit_history *past = ms_explicit_history(cosim);
    if (cosim->hold != NULL)
        ms_cosim_hold(cosim);
    update_weights(cosim, data, h);
    data->joins = ms_time_events_join(cosim->share, h, past->h1, past->gap > 0.0);
    extrapolate(cosim, data);
    return advance_some(cosim, t, h, which);
}

int ms_explicit_complete(ms_cosim *cosim, double t, double h, const bool *others)
{
    const int status = advance_some(cosim, t, h, others);
    return status == MS_OK ? finish(cosim, cosim->scheme_data, t, h) : status;
}

/* Functions that the engine provides to all families. */
#define EXPLICIT_ENGINE                                                                                      \
    .form = MS_FORM_EXTRAPOLATED, .memory = ms_explicit_memory, .room = ms_explicit_room,                    \
    .data = sizeof(explicit_data), .create = ms_explicit_create, .start = ms_explicit_start,                 \
    .step = ms_explicit_step, .order = ms_explicit_claimed_order, .order_on = ms_explicit_claimed_order_on,  \
    .claims = ms_explicit_claims

const ms_scheme ms_scheme_jacobi = {.name = "jacobi",
                                    .summary = "all subsystems in parallel from extrapolated inputs",
                                    .source = "Andersson 2016, Algorithms 3-7",
                                    .knows =
                                        (const ms_option_id[]){EXPLICIT_OPTIONS, ECCO_OPTIONS, MS_OPTIONS},
                                    .has_blocks = ms_explicit_has_blocks,
                                    EXPLICIT_ENGINE};

const ms_scheme ms_scheme_gauss_seidel = {
    .name = "gauss-seidel",
    .summary = "subsystems in sequence, newest outputs interpolated",
    .source = "design of macrostep; Andersson 2016, Algorithms 4-7",
    .sequential = true,
    .knows = (const ms_option_id[]){EXPLICIT_OPTIONS, MS_OPTION_SEQUENCE, MS_OPTIONS},
    EXPLICIT_ENGINE};

const ms_scheme ms_scheme_balance = {
    .name = "balance",
    .summary = "jacobi that returns the error of the last extrapolation",
    .source = "Moshagen 2021, Table 2, (13)",
    .integrals = true,
    .knows = (const ms_option_id[]){EXPLICIT_OPTIONS, ECCO_OPTIONS, MS_OPTION_BALANCE_ERROR,
                                    MS_OPTION_BALANCE_HAT, MS_OPTION_BALANCE_STEPS, MS_OPTIONS},
    EXPLICIT_ENGINE};
