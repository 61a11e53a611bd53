/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_control.c - the methods of step control that estimate no errors, and the table of all. */
#include "step_control.h"

#include <float.h>
#include <stdlib.h>

#include <macrostep/cosim_state.h>
#include "cosim_capabilities.h"
#include "cosim_segments.h"
#include "step_control_method.h"
#include "time_events.h"

double ms_step_smallest(const ms_cosim *cosim, double t)
{
    const double round_off = 16.0 * DBL_EPSILON * fmax(fabs(t), fabs(cosim->variant.stop_time));
    return fmax(cosim->variant.control.min_step, round_off);
}

/* A macro-step, recorded as one segment unless the scheme has done so. */
static int step(ms_cosim *cosim, const ms_step_attempt *attempt)
{
    const int status = ms_cosim_step(cosim, attempt->t, attempt->h);
    if (ms_cosim_records(cosim) && !cosim->asynchronous)
        ms_cosim_record_segment(cosim, 0, attempt->t, attempt->h);
    return status;
}

/* Equal steps, from time event to time event on grids that begin there ------------------------------------ */

static ms_step_grid grid_from(double base, double H, double end)
{
    const double exact = (end - base) / H, round_off = ms_cosim_round_off(exact);
    const long whole = (long)(exact + round_off);
    const bool divides = whole > 0 && fabs(exact - (double)whole) <= round_off;
    return (ms_step_grid){base, H, end, whole, divides ? whole : whole + 1, 0};
}

/* The end of the coming step, and its length. */
static double grid_next(const ms_step_grid *g, double t, double *h)
{
    *h = g->n < g->whole ? g->H : g->end - t;
    return g->n + 1 < g->steps ? g->base + (double)(g->n + 1) * g->H : g->end;
}

/* Does a time event at `stop` cut a step of length h to `next`? Not where both are the same time. */
static bool cuts(const ms_cosim *cosim, double stop, double next, double h)
{
    return stop < cosim->variant.stop_time && stop <= next + ms_time_events_slack(h) &&
           !ms_time_events_coincide(next, stop);
}

static int equal_create(ms_step_control *control, ms_error *error)
{
    (void)error;
    const ms_variant *o = &control->cosim->variant;
    control->grid = grid_from(o->start_time, o->step_size, o->stop_time);
    return MS_OK;
}

static int equal_attempt(ms_step_control *control, ms_step_attempt *attempt)
{
    ms_cosim *cosim = control->cosim;
    ms_step_grid *g = &control->grid;
    const double t = attempt->t, stop = ms_time_events_stop(cosim, t);
    attempt->next = grid_next(g, t, &attempt->h);
    cosim->share = 1.0;
    g->n++;
    if (cuts(cosim, stop, attempt->next, attempt->h)) {
        attempt->next = stop;
        cosim->share = fmin(1.0, (stop - t) / attempt->h);
        attempt->h = stop - t;
        *g = grid_from(stop, g->H, g->end);
    }
    return step(cosim, attempt);
}

static const ms_step_method equal = {.create = equal_create, .attempt = equal_attempt};

/* Halving ------------------------------------------------------------------------------------------------- */

/* Steps decided by iterations: half of one that failed, then 1.3 times the last one up to the given one (Eguillon
 * et al. 2021, 28, where max is printed for min). Lengths cut by a time event do not count. */

static int halving_create(ms_step_control *control, ms_error *error)
{
    (void)error;
    const ms_variant *o = &control->cosim->variant;
    control->h = o->step_size;
    control->grid = (ms_step_grid){.base = o->start_time, .H = o->step_size};
    return MS_OK;
}

/* Where the steps of an iteration from t end: before a time event, at it, or at the end of the run. */
static double halving_stop(ms_cosim *cosim, double t)
{
    const double stop = ms_time_events_stop(cosim, t), before = ms_time_events_before(cosim, stop);
    return stop < cosim->variant.stop_time && t < before ? before : stop;
}

/* The end of a step of length h that is no last one: equal steps go on from where they began. */
static double halving_next(ms_step_grid *g, double t, double h)
{
    if (h != g->H)
        *g = (ms_step_grid){.base = t, .H = h};
    g->n++;
    return g->base + (double)g->n * g->H;
}

static int halving_attempt(ms_step_control *control, ms_step_attempt *attempt)
{
    ms_cosim *cosim = control->cosim;
    const ms_variant *o = &cosim->variant;
    const double t = attempt->t, h = control->h, stop = halving_stop(cosim, t);
    const bool last = t + h * (1.0 + 1e-9) >= stop, event = last && stop < o->stop_time;
    attempt->h = last && (event || fabs(stop - t - h) > 1e-9 * h) ? stop - t : h;
    const int status = ms_cosim_step(cosim, t, attempt->h);
    const bool failed = (status == MS_NOT_CONVERGED || status == MS_SOLVER_FAILED) && !cosim->no_return;
    if (failed && o->iteration.step_rule == MS_STEP_RULE_PAPER &&
        0.5 * attempt->h >= ms_step_smallest(cosim, t)) {
        control->h = 0.5 * attempt->h;
        attempt->rejected = true;
        return MS_STEP_REJECTED;
    }
    if (ms_cosim_records(cosim))
        ms_cosim_record_segment(cosim, 0, t, attempt->h);
    const double next = halving_next(&control->grid, t, attempt->h);
    attempt->next = last ? stop : next;
    control->h = fmin(o->step_size, 1.3 * (event ? fmax(h, attempt->h) : attempt->h));
    return status;
}

static const ms_step_method halving = {.create = halving_create, .attempt = halving_attempt};

/* To one communication point after the other, as the scheme plans them ------------------------------------ */

static int scheme_attempt(ms_step_control *control, ms_step_attempt *attempt)
{
    ms_cosim *cosim = control->cosim;
    attempt->next = cosim->scheme->next_time(cosim);
    attempt->h = attempt->next - attempt->t;
    const int status = ms_cosim_step(cosim, attempt->t, attempt->h);
    if (ms_cosim_records(cosim))
        ms_cosim_record_communication(cosim);
    return status;
}

static const ms_step_method by_scheme = {.attempt = scheme_attempt};

/* By trial ------------------------------------------------------------------------------------------------ */

int ms_step_trials_create(ms_step_control *control, size_t values, ms_error *error)
{
    const int status = ms_cosim_check_rollback(control->cosim, "`error-controlled`", error);
    return status == MS_OK ? ms_step_trials_allocate(control, values, error) : status;
}

int ms_step_trials_allocate(ms_step_control *control, size_t values, ms_error *error)
{
    const ms_cosim *cosim = control->cosim;
    const size_t size = ms_cosim_state_size(cosim);
    control->before = malloc(sizeof(double) * (size + values + 1));
    MS_TRY_MEMORY_FOR(control->before != NULL, error, "step size control");
    control->full = control->before + size;
    control->h = fmin(cosim->variant.step_size, cosim->variant.control.max_step);
    return MS_OK;
}

/* A length cut by a time event does not count, unless its error was too large for the next to be
 * longer. */
int ms_step_by_trial(ms_step_control *control, ms_step_attempt *attempt)
{
    ms_cosim *cosim = control->cosim;
    const double t = attempt->t, h = control->h, smallest = ms_step_smallest(cosim, t);
    const double stop = ms_time_events_stop(cosim, t);
    const bool last = t + h * (1.0 + 1e-10) >= stop;
    double proposed = h;
    attempt->h = last ? stop - t : h;
    attempt->next = last ? stop : t + attempt->h;
    attempt->judged = true;
    cosim->share = last && stop < cosim->variant.stop_time ? fmin(1.0, attempt->h / h) : 1.0;
    if (control->method->trial(control, attempt, &proposed) == MS_OK) {
        const bool cut = cosim->share < 1.0 && proposed >= attempt->h;
        control->h = fmax(cut ? fmax(proposed, h) : proposed, smallest);
        return MS_OK;
    }
    control->h = proposed;
    attempt->rejected = true;
    attempt->underflow = proposed < smallest || attempt->h <= smallest;
    if (attempt->underflow)
        ms_fail(&cosim->error, MS_STEP_REJECTED, "step size control requires steps below %.3g s at %.6g s",
                smallest, t);
    return MS_STEP_REJECTED;
}

/* All ----------------------------------------------------------------------------------------------------- */

static const ms_step_method *const chosen[] = {
    [MS_CONTROL_NONE] = &equal,          [MS_CONTROL_RICHARDSON] = &ms_step_richardson,
    [MS_CONTROL_PYFMI] = &ms_step_pyfmi, [MS_CONTROL_PREDICTOR_CORRECTOR] = &ms_step_predictor_corrector,
    [MS_CONTROL_ECCO] = &ms_step_ecco,   [MS_CONTROL_OMS] = &ms_step_oms};

/* Schemes that plan their communication points, or repeat macro-steps with half the length, leave no choice. */
static const ms_step_method *method_of(const ms_cosim *cosim)
{
    if (cosim->scheme->next_time != NULL)
        return &by_scheme;
    return cosim->scheme->retries ? &halving : chosen[cosim->variant.control.error_controlled];
}

int ms_step_control_create(ms_cosim *cosim, ms_step_control **out, ms_error *error)
{
    ms_step_control *control = calloc(1, sizeof *control);
    *out = control;
    MS_TRY_MEMORY_FOR(control != NULL, error, "step size control");
    control->cosim = cosim;
    control->method = method_of(cosim);
    const int status = control->method->create != NULL ? control->method->create(control, error) : MS_OK;
    if (status != MS_OK)
        ms_step_control_destroy(out);
    return status;
}

void ms_step_control_destroy(ms_step_control **control)
{
    if (*control == NULL)
        return;
    MS_FREE((*control)->before, (*control)->able, *control);
    *control = NULL;
}

bool ms_step_control_watches(const ms_step_control *control)
{
    return control->method->watches;
}

int ms_step_control_attempt(ms_step_control *control, double t, ms_step_attempt *attempt)
{
    *attempt = (ms_step_attempt){.t = t};
    return (control->method->attempt != NULL ? control->method->attempt : ms_step_by_trial)(control, attempt);
}
