/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_predictor_corrector.c - step and order control of semi-implicit: by the mean defects of inputs of each degree
 * (predictor_corrector.h), in units of the tolerance.
 *
 *     accepted up to e_q <= 1, q the degree of the macro-step
 *     next step      f_j h, f_j = 0.9 e_j^(-1/(j+1)) in [0.2, 2], j the next degree; kept where f_j is in [1, 1.2]
 *     next degree    q - 1, q or q + 1, with the largest f_j, after q + 1 macro-steps with q, or a rejection (only q - 1, q)
 *
 * A run begins with held inputs, degree 0, for any `start`: past values from derivatives would not respect the tolerance. With
 * `order-control` off the degree grows to `input-degree` as past values become available, and stays.
 *
 * After Meyer, Kraft and Schweizer, who compare solutions of degrees q and q - 1; here predicted and final inputs are compared, which
 * costs nothing. The factors are chosen here. */

#include <macrostep/cosim_state.h>
#include "cosim_segments.h"
#include "predictor_corrector.h"
#include "step_control_method.h"

static const double safety = 0.9, shortest = 0.2, longest = 2.0, kept = 1.2;

static double factor(double error, int degree)
{
    return error > 0.0 ? safety * pow(error, -1.0 / (degree + 1)) : longest;
}

/* The best of the degrees from `low` to `high`, the present one where they are equal. */
static int best_degree(const ms_predictor_errors *e, int low, int high)
{
    int best = e->degree;
    for (int j = low; j <= high; j++)
        if (j >= 0 && j < e->n && factor(e->error[j], j) > factor(e->error[best], best))
            best = j;
    return best;
}

/* The degree of the next macro-step after one that was accepted. */
static int next_degree(const ms_cosim *cosim, const ms_predictor_errors *e)
{
    if (cosim->variant.control.order == MS_ORDER_CONTROL_OFF)
        return e->degree < cosim->variant.iteration.input_degree && e->degree < e->n ? e->degree + 1
                                                                                     : e->degree;
    return e->same > e->degree ? best_degree(e, e->degree - 1, e->degree + 1) : e->degree;
}

static double next_step(const ms_cosim *cosim, const ms_predictor_errors *e, int degree, double h)
{
    const int judged = degree < e->n ? degree : e->degree;
    const double f = fmin(longest, fmax(shortest, factor(e->error[judged], judged)));
    return fmin(cosim->variant.control.max_step, f >= 1.0 && f <= kept ? h : f * h);
}

/* An error that is not a number carries no information about lengths. */
static int rejected(ms_step_control *control, const ms_predictor_errors *e, double h, double *proposed)
{
    ms_cosim *cosim = control->cosim;
    const bool finite = isfinite(e->error[e->degree]);
    const bool free = finite && cosim->variant.control.order == MS_ORDER_CONTROL_ON;
    const int degree = free ? best_degree(e, e->degree - 1, e->degree) : e->degree;
    const double f = fmin(safety, fmax(shortest, factor(e->error[degree], degree)));
    *proposed = h * (finite ? f : 0.25);
    ms_cosim_restore(cosim, control->before);
    ms_predictor_set_degree(cosim, degree);
    return MS_STEP_REJECTED;
}

static int try(ms_step_control *control, ms_step_attempt *attempt, double *proposed)
{
    ms_cosim *cosim = control->cosim;
    ms_cosim_save(cosim, control->before);
    if (ms_cosim_step(cosim, attempt->t, attempt->h) != MS_OK) { /* try a shorter step */
        attempt->estimate = INFINITY;
        *proposed = 0.25 * attempt->h;
        ms_cosim_restore(cosim, control->before);
        return MS_STEP_REJECTED;
    }
    const ms_predictor_errors e = ms_predictor_errors_of(cosim);
    attempt->estimate = e.error[e.degree];
    if (!(attempt->estimate <= 1.0))
        return rejected(control, &e, attempt->h, proposed);
    if (ms_cosim_records(cosim))
        ms_cosim_record_segment(cosim, 0, attempt->t, attempt->h);
    const int degree = next_degree(cosim, &e);
    *proposed = next_step(cosim, &e, degree, attempt->h);
    ms_predictor_set_degree(cosim, degree);
    return MS_OK;
}

static int control_create(ms_step_control *control, ms_error *error)
{
    return ms_step_trials_create(control, 0, error);
}

const ms_step_method ms_step_predictor_corrector = {.create = control_create, .trial = try};
