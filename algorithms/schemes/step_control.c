/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_control.c - fixed steps, and Richardson extrapolation: a step of length H against two of H/2.
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
#include "step_control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the macro-steps after the start, whose errors it compares. */
static int order_of_steps(const ms_cosim *cosim)
{
    ms_variant variant = cosim->variant;
    variant.start = MS_START_DERIVATIVES;
    return cosim->scheme->order(&variant);
}

int ms_step_control_create(const ms_cosim *cosim, ms_step_control *control, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    *control = (ms_step_control){.kind = o->error_controlled,
                                 .order = order_of_steps(cosim),
                                 .rtol = o->rtol,
                                 .atol = o->atol,
                                 .min_step = o->min_step,
                                 .max_step = o->max_step};
    if (control->kind == MS_CONTROL_NONE)
        return MS_OK;
    const char *who = "";
    if (!ms_cosim_can_roll_back(cosim, &who))
        return ms_fail(
            error, MS_UNSUPPORTED,
            "subsystem %s cannot roll back, which --error-controlled needs; use a one-step solver or "
            "--input-change restart, and no mask on rollback",
            who);
    const size_t size = ms_cosim_state_size(cosim);
    const size_t values = (size_t)(cosim->system->nx + cosim->system->ny);
    control->before = malloc(sizeof(double) * (size + values + 1));
    if (control->before == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for step size control");
    control->full = control->before + size;
    return MS_OK;
}

void ms_step_control_destroy(ms_step_control *control)
{
    free(control->before);
    control->before = control->full = NULL;
}

/* What is compared: states, or outputs behind them. */
static const double *compared(const ms_step_control *control, const ms_cosim *cosim, int *n)
{
    *n = control->kind == MS_CONTROL_PYFMI ? cosim->system->ny : cosim->system->nx;
    return control->kind == MS_CONTROL_PYFMI ? cosim->y : cosim->x;
}

static double estimate(const ms_step_control *control, int n, const double *y)
{
    const bool pyfmi = control->kind == MS_CONTROL_PYFMI;
    const double divisor = pyfmi ? 1.0 : ldexp(1.0, control->order) - 1.0;
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        const double delta = fabs(y[j] - control->full[j]) / divisor;
        const double ratio = delta / (control->atol + control->rtol * fabs(y[j]));
        sum += pyfmi ? ratio : ratio * ratio;
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}

static double next_step(const ms_step_control *control, double h, double error)
{
    const bool pyfmi = control->kind == MS_CONTROL_PYFMI;
    const double exponent = pyfmi ? 0.5 : 1.0 / (control->order + 1);
    const double largest = pyfmi ? 6.0 : 5.0;
    const double factor = error > 0.0 ? 0.9 * pow(error, -exponent) : largest;
    return fmin(control->max_step, h * fmin(largest, fmax(0.2, factor)));
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

int ms_step_control_attempt(const ms_step_control *control, ms_cosim *cosim, double t, double h,
                            ms_step_outcome *outcome)
{
    *outcome = (ms_step_outcome){.h = h, .estimate = 0.0, .next = h};
    int n;
    const double *values = compared(control, cosim, &n);
    ms_cosim_save(cosim, control->before);
    int status = ms_cosim_step(cosim, t, h);
    if (status == MS_OK) {
        memcpy(control->full, values, sizeof(double) * (size_t)n);
        ms_cosim_restore(cosim, control->before);
        status = half_steps(cosim, t, h);
    }
    if (status == MS_OK) {
        outcome->estimate = estimate(control, n, values);
        outcome->next = next_step(control, h, outcome->estimate);
        if (outcome->estimate <= (control->kind == MS_CONTROL_PYFMI ? 1.1 : 1.0))
            return MS_OK;
        if (isnan(outcome->estimate))
            outcome->next = 0.25 * h;
    } else { /* a subsystem or a loop failed: try a shorter step */
        outcome->estimate = INFINITY;
        outcome->next = 0.25 * h;
    }
    ms_cosim_restore(cosim, control->before);
    return MS_STEP_REJECTED;
}
