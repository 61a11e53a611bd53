/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explicit_setup.c - the explicit engine before its first macro-step: checks, memory, and the values it
 * starts from. */
#include <math.h>
#include <string.h>

#include <macrostep/cosim_start.h>
#include "cosim_capabilities.h"
#include "explicit.h"
#include "wire_order.h"

/* Slots in lin: order + 1 values, then the memory of smoothing for each kind, then raw outputs, then errors
 * of the balance. */
void ms_explicit_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    const ms_variant *o = &cosim->variant;
    const int kinds = cosim->scheme->sequential ? 2 : 1;
    int slots = o->extrapolation.order + 1 + kinds * (int)o->extrapolation.smooth_coupling;
    if (o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC &&
        o->initial.output_derivatives != MS_YDOT_EXACT)
        slots++;
    if (cosim->scheme->integrals)
        slots += o->balance.steps;
    *lin = slots * cosim->system->ny;
    *aux = HISTORY_SIZE + (o->extrapolation.at_events == MS_EVENTS_DROP ? 2 * cosim->system->n : 0) +
           (o->balance.passivity ? cosim->system->n_bonds : 0);
}

/* Checks ------------------------------------------------------------------------------------------------- */

static int polynomial_degree(const ms_variant *o, bool balance)
{
    static const int smooth[] = {0, 1, 3}, hat[] = {0, 1, 4};
    int degree = o->extrapolation.order;
    if (degree < smooth[o->extrapolation.smooth_coupling])
        degree = smooth[o->extrapolation.smooth_coupling];
    return balance && degree < hat[o->balance.hat] ? hat[o->balance.hat] : degree;
}

ms_input_room ms_explicit_room(const ms_variant *o)
{
    const bool balance = o->scheme->integrals;
    return (ms_input_room){.pieces = balance && o->balance.hat == MS_HAT_TRIANGLE ? 2 : 1,
                           .degree = polynomial_degree(o, balance)};
}

static int check_subsystem(const ms_instance *instance, const ms_variant *o, bool balance, ms_error *error)
{
    const ms_capabilities *can = &instance->can;
    const char *name = instance->sub->name;
    const bool asked = o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC &&
                       (o->initial.output_derivatives == MS_YDOT_EXACT ||
                        (o->initial.output_derivatives == MS_YDOT_MIXED && o->extrapolation.order > 1));
    const int derivatives = asked ? o->extrapolation.order : 0;
    const bool drops = o->extrapolation.at_events == MS_EVENTS_DROP &&
                       o->initial.history == MS_START_DERIVATIVES &&
                       o->initial.output_derivatives == MS_YDOT_EXACT &&
                       (o->extrapolation.order > 0 || o->extrapolation.smooth_coupling == MS_SMOOTHING_C1);
    const int degree = polynomial_degree(o, balance);
    MS_TRY(ms_cosim_check_degree(instance, degree,
                                 balance
                                     ? "`extrapolation-order` or `smooth-coupling`, or use `balance-hat` box"
                                     : "`extrapolation-order` or `smooth-coupling`",
                                 error));
    if (can->output_derivatives < derivatives)
        return ms_fail(
            error, MS_UNSUPPORTED,
            "subsystem %s gives output derivatives of order %d at most and `derivatives` analytic needs %d; "
            "use `derivatives` differences or a lower `extrapolation-order`",
            name, can->output_derivatives, derivatives);
    if (drops && can->output_derivatives < 1)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s gives no output derivatives, from which `at-events` drop makes past "
                       "values; use `start` hold",
                       name);
    if (o->extrapolation.order > 0 || o->extrapolation.smooth_coupling == MS_SMOOTHING_C1)
        MS_TRY(ms_cosim_check_start(instance, o, error));
    if (o->extrapolation.outputs == MS_OUTPUTS_CORRECTED && !can->directional_derivatives)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s gives no directional derivatives, which `outputs` corrected needs",
                       name);
    if (o->extrapolation.outputs == MS_OUTPUTS_CONSISTENT && !can->reevaluate_outputs)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s cannot re-evaluate outputs, which `outputs` consistent needs; use "
                       "`outputs` corrected",
                       name);
    return MS_OK;
}

/* The formulas that this variant takes as printed. */
static int printed(const ms_variant *o)
{
    int applies = 0;
    if (o->extrapolation.order == 2 && o->extrapolation.derivatives == MS_DERIVATIVES_DIFFERENCES)
        applies |= MS_PRINTED_QUADRATIC;
    if (o->extrapolation.smooth_coupling == MS_SMOOTHING_C0 &&
        o->extrapolation.outputs == MS_OUTPUTS_INCONSISTENT)
        applies |= MS_PRINTED_SMOOTHING;
    return o->extrapolation.as_printed & applies;
}

static int check_as_printed(const ms_variant *o, ms_error *error)
{
    if (o->extrapolation.as_printed != 0 && printed(o) == 0)
        return ms_fail(error, MS_INVALID,
                       "`as-printed`: no formula of this scheme is printed wrongly; quadratic requires "
                       "`extrapolation-order` 2 with differences, smoothing requires `smooth-coupling` c0 "
                       "with inconsistent outputs");
    return MS_OK;
}

/* Inconsistent inputs at the start leave an error of order H if there is feed-through. */
const ms_modelled ms_explicit_claims[] = {{"scheme", "jacobi gauss-seidel balance nepce"},
                                          {"extrapolation-order", "0 1 2"},
                                          {"derivatives", "differences analytic"},
                                          {"outputs", "inconsistent consistent corrected"},
                                          {"smooth-coupling", "none c0 c1"},
                                          {"sequence", NULL},
                                          {"as-printed", "quadratic smoothing"},
                                          {"balance-error", "raw used"},
                                          {"balance-hat", "box triangle smooth"},
                                          {"balance-steps", NULL},
                                          {"alpha", MS_MODELLED_CHECKED},
                                          {"balance-integral", "trapezoid exact"},
                                          {"at-events", "keep drop"}, /* smooth problems have none */
                                          {"start", "derivatives hold"},
                                          {"initial-inputs", "consistent"},
                                          {"output-derivatives", "exact differences mixed"},
                                          {"error-controlled", NULL},
                                          MS_CLAIMS_OF_ANY_SOLVER,
                                          {NULL, NULL}};

/* Derivatives of outputs are solved for all outputs at once, and an event that drops the history is known everywhere. */
bool ms_explicit_has_blocks(const ms_variant *o)
{
    const bool analytic =
        o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC && o->extrapolation.order > 0;
    return !analytic && !o->balance.passivity && o->initial.output_derivatives == MS_YDOT_EXACT &&
           o->extrapolation.at_events != MS_EVENTS_DROP;
}

/* Are derivatives of outputs differences, themselves of first order? */
static bool is_differenced(const ms_variant *o)
{
    return o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC &&
           o->initial.output_derivatives != MS_YDOT_EXACT;
}

int ms_explicit_claimed_order(const ms_variant *o)
{
    const bool gains = o->scheme->integrals && o->balance.error == MS_BALANCE_RAW && o->balance.alpha == 1.0;
    const int order = o->extrapolation.order + 1;
    const bool limited = order > 2 && (is_differenced(o) || (printed(o) & MS_PRINTED_QUADRATIC));
    const int reached = (limited ? 2 : order) + (gains ? 1 : 0);
    return o->initial.history == MS_START_HOLD && reached > 2 ? 2
                                                              : reached; /* the first macro-step leaves H^2 */
}

/* For subsystems that read only interpolants. The error of an interpolant of order k is of order k + 1. If smoothed, its slopes have equal errors
 * at both ends of a macro-step, and the integral of the error is one order higher: of a hat (c1, or the line of c0), 1/2 -
 * 1/2, or of e h (z - 2 z^2 + z^3) + e h (z^3 - z^2), 1/12 - 1/12, z = tau/h. A start without the slope leaves h^2. */
static int forward_order(const ms_variant *o)
{
    const int k = o->extrapolation.order;
    const bool c1 = o->extrapolation.smooth_coupling == MS_SMOOTHING_C1,
               line = k == 0 && o->extrapolation.smooth_coupling == MS_SMOOTHING_C0;
    const int order = k + 1 + (c1 || line) - (k == 2 && is_differenced(o));
    return c1 && o->initial.history == MS_START_HOLD && order > 2 ? 2 : order;
}

/* Is the correction of a box itself fed back, along paths of feed-through, and so grows with the number of macro-steps? */
static bool feeds_itself(const ms_system *system, const ms_variant *o)
{
    return o->scheme->integrals && !o->scheme->trapezoid && o->balance.error == MS_BALANCE_USED &&
           o->balance.hat == MS_HAT_BOX && ms_feed_through_is_chained(system);
}

int ms_explicit_claimed_order_on(const ms_system *system, const ms_variant *o, const ms_options *options,
                                 int *work)
{
    int *rank = work + system->n;
    if ((printed(o) & MS_PRINTED_SMOOTHING) && ms_system_exchanges_feed_through(system))
        return 1; /* outputs answer to inputs at T_n */
    if (feeds_itself(system, o))
        return 0;
    if (!o->scheme->sequential)
        return ms_explicit_claimed_order(o);
    if (ms_variant_sequence(system, options, work, rank, NULL) != MS_OK)
        return 0;
    return ms_wires_run_forward(system, rank) ? forward_order(o) : ms_explicit_claimed_order(o);
}

/* Creation ----------------------------------------------------------------------------------------------- */

static void place_slots(ms_cosim *cosim, explicit_data *data)
{
    const int ny = cosim->system->ny;
    double *at = cosim->scheme_lin;
    data->config.in_place =
        !data->config.gauss_seidel && !data->balance.on && data->config.outputs == MS_OUTPUTS_INCONSISTENT;
    if (data->config.in_place)
        cosim->y_raw = at;
    for (int s = 0; s <= data->config.order; s++, at += ny)
        data->slot[EXTRAPOLATED][s] = data->slot[NEWEST][s] = at;
    for (int kind = 0; kind < (data->config.gauss_seidel ? 2 : 1); kind++) {
        if (data->config.smoothing >= MS_SMOOTHING_C0) {
            data->slot[kind][MS_SLOT_LEFT] = at;
            at += ny;
        }
        if (data->config.smoothing == MS_SMOOTHING_C1) {
            data->slot[kind][MS_SLOT_LEFT_SLOPE] = at;
            at += ny;
        }
    }
    data->slot[NEWEST][MS_SLOT_NEW] = cosim->y_raw;
    if (data->config.differences) {
        data->raw_before = at;
        at += ny;
    }
    data->balance.errors = at;
    data->slot[EXTRAPOLATED][MS_SLOT_BALANCE] = data->balance.amount;
    memcpy(data->slot[SECOND_PIECE], data->slot[EXTRAPOLATED], sizeof data->slot[SECOND_PIECE]);
}

/* Number of kinds of polynomial in use. */
static int kinds_of(const explicit_config *config)
{
    if (config->pieces > 1)
        return SECOND_PIECE + 1;
    return config->gauss_seidel ? NEWEST + 1 : EXTRAPOLATED + 1;
}

/* Of a sequence that is known. */
static int create_wire_kinds(ms_cosim *cosim, explicit_data *data)
{
    const ms_system *s = cosim->system;
    const int *rank = data->config.rank;
    data->config.wire_kind = ms_cosim_alloc(cosim, (size_t)s->row_at[s->nu], sizeof *data->config.wire_kind);
    MS_TRY_MEMORY(data->config.wire_kind);
    for (int i = 0; i < s->n; i++)
        for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++)
            data->config.wire_kind[w] = rank[s->owner[s->wire_output[w]]] < rank[i] ? NEWEST : EXTRAPOLATED;
    return MS_OK;
}

/* Room for the polynomials and for scratch: where outputs are held no derivative differs from 0, and none of inputs is read. */
static int create_scratch(ms_cosim *cosim, explicit_data *data)
{
    const explicit_config *config = &data->config;
    const size_t ny = (size_t)cosim->system->ny, nu = (size_t)cosim->system->nu;
    const size_t polynomials = (size_t)kinds_of(config) * (size_t)data->cache.stride,
                 balance = data->balance.on ? ny : 0;
    const bool held = config->order == 0 && config->smoothing == MS_SMOOTHING_NONE && !data->balance.on &&
                      cosim->variant.extrapolation.at_events != MS_EVENTS_DROP;
    data->cache.coefficients = ms_cosim_alloc(
        cosim, polynomials + 3 * balance + 2 * ny + nu + (held ? 0 : ny + 2 * nu), sizeof(double));
    MS_TRY_MEMORY(data->cache.coefficients);
    data->balance.amount = data->cache.coefficients + polynomials;
    data->balance.scratch = data->balance.amount + balance;
    data->y = data->balance.scratch + 2 * balance;
    data->dy = data->y + ny;
    data->u = data->dy + ny;
    data->ddy = held ? data->dy : data->u + nu;
    data->du = held ? NULL : data->ddy + ny;
    data->ddu = held ? NULL : data->du + nu;
    return MS_OK;
}

int ms_explicit_create(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    explicit_data *data = cosim->scheme_data;
    data->config.gauss_seidel = cosim->scheme->sequential;
    data->balance.on = cosim->scheme->integrals;
    data->balance.trapezoid = data->balance.on && !o->integrals;
    data->config.pieces = ms_explicit_room(o).pieces;
    data->config.piece_stride = ms_explicit_room(o).degree + 1;
    data->config.order = o->extrapolation.order;
    data->config.analytic = o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC && data->config.order > 0;
    data->config.differences = o->extrapolation.derivatives == MS_DERIVATIVES_ANALYTIC &&
                               o->initial.output_derivatives != MS_YDOT_EXACT;
    data->config.smoothing = o->extrapolation.smooth_coupling;
    data->config.outputs = o->extrapolation.outputs;
    data->config.as_printed = printed(o);
    cosim->reading = data->config.as_printed & MS_PRINTED_SMOOTHING ? MS_READING_START : MS_READING_LEFT;
    cosim->alike = true;
    data->cache.key[0] = NAN;

    for (int i = 0; i < s->n; i++)
        MS_TRY(check_subsystem(cosim->instance[i], o, data->balance.on, error));
    MS_TRY(check_as_printed(o, error));

    const size_t n = (size_t)s->n;
    data->config.sequence = ms_cosim_alloc(cosim, 2 * n, sizeof *data->config.sequence);
    data->cache.stride = data->config.piece_stride * s->ny;
    data->config.target = ms_cosim_alloc(cosim, (size_t)s->nu, sizeof *data->config.target);
    MS_TRY_MEMORY(data->config.sequence != NULL && data->config.target != NULL &&
                  create_scratch(cosim, data) == MS_OK);
    data->config.rank = data->config.sequence + n;
    data->config.one_to_one = true;
    for (int l = 0; l < s->nu; l++)
        data->config.one_to_one &= s->row_at[l + 1] - s->row_at[l] == 1;
    for (int i = 0; i < s->n; i++)
        for (int l = 0; l < s->sub[i].nu; l++)
            data->config.target[s->u_at[i] + l] =
                (explicit_target){ms_input_coefficients(&cosim->instance[i]->input, 0, 0) + l, s->sub[i].nu};
    place_slots(cosim, data);
    data->events.drop = o->extrapolation.at_events == MS_EVENTS_DROP;
    if (data->events.drop)
        MS_TRY(ms_explicit_events_create(cosim, data));
    if (o->balance.passivity)
        MS_TRY(ms_explicit_passivity_create(cosim, data, error));
    MS_TRY(ms_variant_sequence(s, cosim->options, data->config.sequence, data->config.rank, error));
    return data->config.gauss_seidel ? create_wire_kinds(cosim, data) : MS_OK;
}

/* The start ---------------------------------------------------------------------------------------------- */

/* Outputs, inputs and, with solved inputs, derivatives at the start; of the two kinds of ms_initial_inputs. */
static int start_values(ms_cosim *cosim, double t, double *y, double *u, double *dy, double *ddy)
{
    const ms_system *s = cosim->system;
    explicit_data *data = cosim->scheme_data;
    const size_t bytes = sizeof(double) * (size_t)s->ny;
    memset(dy, 0, bytes);
    memset(ddy, 0, bytes);
    if (cosim->variant.initial.inputs != MS_INITIAL_CONSISTENT) {
        const int defined = ms_cosim_start_inconsistent(cosim, t, u, y);
        ms_system_couple(s, y, u);
        return defined;
    }
    MS_TRY(ms_cosim_start_loop(cosim, t, y, u));
    const bool held = cosim->variant.initial.history == MS_START_HOLD && ms_system_own_stepper(s) != NULL;
    if (ms_system_has_residual(s) || held)
        return MS_OK; /* the history is held: check_subsystem, and if no subsystem gives derivatives */
    return data->config.order > 0 || data->config.smoothing == MS_SMOOTHING_C1
               ? ms_cosim_start_derivatives(cosim, t, u, data->config.order, dy, data->du, ddy)
               : MS_OK;
}

int ms_explicit_start(ms_cosim *cosim)
{
    explicit_data *data = cosim->scheme_data;
    explicit_history *past = ms_explicit_history(cosim);
    const int ny = cosim->system->ny;
    const double h = cosim->variant.step_size;
    const bool hold = cosim->variant.initial.history == MS_START_HOLD;
    MS_TRY(start_values(cosim, cosim->variant.start_time, data->y, data->u, data->dy, data->ddy));
    past->h1 = past->h2 = h;
    past->gap = 0.0;
    if (data->passivity.energy != NULL)
        memset(data->passivity.energy, 0, sizeof(double) * (size_t)cosim->system->n_bonds);
    past->known = hold ? 0.0 : data->config.order;
    if (data->events.drop)
        ms_explicit_events_start(cosim, data);
    for (int s = 0; s <= data->config.order; s++)
        for (int j = 0; j < ny; j++) {
            const double back = -s * h; /* ghost past values y(-s h) */
            if (data->config.analytic && s > 0)
                data->slot[0][s][j] = s == 1 ? data->dy[j] : data->ddy[j];
            else
                data->slot[0][s][j] = data->y[j] + back * (data->dy[j] + 0.5 * back * data->ddy[j]);
        }
    for (int kind = 0; kind < SECOND_PIECE; kind++)
        for (int j = 0; j < ny; j++) {
            if (data->slot[kind][MS_SLOT_LEFT] != NULL)
                data->slot[kind][MS_SLOT_LEFT][j] = data->y[j];
            if (data->slot[kind][MS_SLOT_LEFT_SLOPE] != NULL)
                data->slot[kind][MS_SLOT_LEFT_SLOPE][j] = hold ? 0.0 : data->dy[j];
        }
    if (data->config.differences)
        memcpy(data->raw_before, data->y, sizeof(double) * (size_t)ny);
    return MS_OK;
}
