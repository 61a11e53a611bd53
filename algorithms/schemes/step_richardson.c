/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_richardson.c - step control by Richardson extrapolation: a step of length H against two of H/2.
 *
 *     textbook   err = sqrt(1/N sum (delta/(2^p - 1) / (atol + rtol |x|))^2), accepted up to 1,
 *                next = 0.9 err^(-1/(p+1)) H, factor in [0.2, 5], p the order of the scheme
 *                (Hairer, Norsett, Wanner, Solving ODEs I, II.4)
 *     pyfmi      err = sqrt(1/N sum |delta| / (atol + rtol |y|)), no square inside, accepted below 1.1,
 *                next = 0.9 err^(-1/2) H whatever the order is, factor in [0.2, 6]
 *                (as PyFMI's master algorithm does it; Andersson, Table 9.4)
 *
 * delta is the difference of the two solutions, and the one of the two half steps is kept. The textbook
 * controller looks at the states. PyFMI looks at the outputs y, the only values that its subsystems show:
 * with feed-through and inconsistent outputs these carry D u-, which differs by one order more, so that its
 * steps become very small. */

#include <macrostep/cosim_state.h>
#include "cosim_segments.h"
#include "error_sum.h"
#include "step_control_method.h"

/* Differences between the two rules. */
typedef struct error_rule {
    bool outputs;     /* compares outputs, else states */
    bool squares;     /* sums up squares */
    bool knows_order; /* of the scheme, else divides by 1 and takes the square root */
    double accepted;  /* the largest estimate that is */
    double largest;   /* factor from a step to the next */
} error_rule;

static const error_rule textbook = {.squares = true, .knows_order = true, .accepted = 1.0, .largest = 5.0};
static const error_rule as_pyfmi = {.outputs = true, .accepted = 1.1, .largest = 6.0};

/* Of the macro-steps after the start, whose errors it compares. */
static int order_of_steps(const ms_cosim *cosim)
{
    ms_variant variant = cosim->variant;
    variant.initial.history = MS_START_DERIVATIVES;
    return cosim->scheme->order(&variant);
}

static int extrapolation_create(ms_step_control *control, ms_error *error)
{
    const ms_cosim *cosim = control->cosim;
    control->order = order_of_steps(cosim);
    return ms_step_trials_create(control, (size_t)(cosim->system->nx + cosim->system->ny), error);
}

static double estimate(const ms_step_control *control, const error_rule *rule)
{
    const ms_cosim *cosim = control->cosim;
    const int n = rule->outputs ? cosim->system->ny : cosim->system->nx;
    const ms_error_sum errors = {.outputs = rule->outputs,
                                 .squares = rule->squares,
                                 .divisor = rule->knows_order ? ldexp(1.0, control->order) - 1.0 : 1.0,
                                 .atol = cosim->variant.control.atol,
                                 .rtol = cosim->variant.control.rtol};
    return n > 0 ? sqrt(ms_error_sum_kept(cosim, &errors, control->full) / n) : 0.0;
}

static double next_step(const ms_step_control *control, const error_rule *rule, double h, double error)
{
    const double exponent = rule->knows_order ? 1.0 / (control->order + 1) : 0.5;
    const double factor = error > 0.0 ? 0.9 * pow(error, -exponent) : rule->largest;
    return fmin(control->cosim->variant.control.max_step, h * fmin(rule->largest, fmax(0.2, factor)));
}

/* The two half steps; the segments are kept for observers. */
static int half_steps(ms_cosim *cosim, double t, double h)
{
    int status = MS_OK;
    for (int k = 0; k < 2 && status == MS_OK; k++) {
        status = ms_cosim_step(cosim, t + 0.5 * k * h, 0.5 * h);
        if (ms_cosim_records(cosim))
            ms_cosim_record_segment(cosim, k, t + 0.5 * k * h, 0.5 * h);
    }
    return status;
}

/* A step of length h from t both ways, its estimate, and a proposal for the next attempt [s]. Returns MS_OK or
 * MS_STEP_REJECTED, with everything as it was. */
static int compare(ms_step_control *control, ms_step_attempt *attempt, double *proposed)
{
    const error_rule *rule = control->method->rule;
    ms_cosim *cosim = control->cosim;
    const double t = attempt->t, h = attempt->h;
    ms_cosim_save(cosim, control->before);
    int status = ms_cosim_step(cosim, t, h);
    if (status == MS_OK) {
        ms_error_sum_keep(cosim, rule->outputs, control->full);
        ms_cosim_restore(cosim, control->before);
        status = half_steps(cosim, t, h);
    }
    if (status == MS_OK) {
        attempt->estimate = estimate(control, rule);
        *proposed = next_step(control, rule, h, attempt->estimate);
        if (attempt->estimate <= rule->accepted)
            return MS_OK;
        if (isnan(attempt->estimate))
            *proposed = 0.25 * h;
    } else { /* a subsystem or a loop failed: try a shorter step */
        attempt->estimate = INFINITY;
        *proposed = 0.25 * h;
    }
    ms_cosim_restore(cosim, control->before);
    return MS_STEP_REJECTED;
}

const ms_step_method ms_step_richardson = {
    .create = extrapolation_create, .trial = compare, .rule = &textbook};
const ms_step_method ms_step_pyfmi = {.create = extrapolation_create, .trial = compare, .rule = &as_pyfmi};
