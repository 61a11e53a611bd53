/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "step_control.h"
#include "time_events.h"

const char *ms_reason_name(ms_reason reason)
{
    static const char *const names[] = {"end-time",         "diverged",         "step-size-underflow",
                                        "iteration-failed", "subsystem-failed", "no-solution",
                                        "interrupted",      "incompatible"};
    return names[reason];
}

/* Sum of n absolute values. */
static inline double sum_abs(int n, const double *v)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += fabs(v[j]);
    return sum;
}

static bool each_within(int n, const double *v, double limit)
{
    bool all = true;
    for (int j = 0; j < n; j++)
        all &= fabs(v[j]) <= limit;
    return all;
}

/* Are all states, outputs and inputs at most `limit`? Not-a-number is not. Their sum decides almost
 * always. */
static bool all_within(const ms_cosim *cosim, double limit)
{
    const ms_system *s = cosim->system;
    const int n = s->nx + s->ny; /* y stands behind x */
    if (sum_abs(n, cosim->x) + sum_abs(s->nu, cosim->u_left) <= limit)
        return true;
    return each_within(n, cosim->x, limit) && each_within(s->nu, cosim->u_left, limit);
}

static double largest_entry(double largest, int n, const double *v)
{
    for (int j = 0; j < n; j++)
        largest = fmax(largest, fabs(v[j]));
    return largest;
}

/* Largest start value |x|, |y|, |u|. */
static double largest_value(const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const double largest = largest_entry(largest_entry(0.0, s->nx, cosim->x), s->ny, cosim->y);
    return largest_entry(largest, s->nu, cosim->u_left);
}

double ms_wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct run_state {
    ms_cosim *cosim;
    const ms_observer *observers;
    int n_observers;
    double start_scale;      /* 1 + the largest start value */
    const double *reference; /* the largest reference value so far; NULL: none */
    const volatile sig_atomic_t *stop;
    ms_run_result *result;
} run_state;

/* Beyond `factor` times this, values mean divergence (bench/README.md, "How a run ends"). */
static double limit(const run_state *run, double factor)
{
    const double scale = run->start_scale;
    return factor * (run->reference != NULL && *run->reference + 1.0 > scale ? *run->reference + 1.0 : scale);
}

/* Why a step that did not succeed ends the run. */
static ms_reason failure(const run_state *run, int status)
{
    if (status == MS_NOT_CONVERGED)
        return MS_REASON_ITERATION_FAILED;
    if (!all_within(run->cosim, limit(run, 1e8)))
        return MS_REASON_DIVERGED;
    if (status == MS_STEP_REJECTED)
        return MS_REASON_STEP_SIZE_UNDERFLOW;
    return status == MS_NO_SOLUTION ? MS_REASON_NO_SOLUTION : MS_REASON_SUBSYSTEM_FAILED;
}

static void end_with(run_state *run, ms_reason reason, const char *message)
{
    run->result->reason = reason;
    snprintf(run->result->message, sizeof run->result->message, "%s", message);
}

static bool interrupted(run_state *run)
{
    if (run->stop == NULL || *run->stop == 0)
        return false;
    end_with(run, MS_REASON_INTERRUPTED, "interrupted");
    return true;
}

static bool diverged(run_state *run, double reached)
{
    char message[128];
    snprintf(message, sizeof message, "a state, input or output grew beyond %.1e at %.6g s", limit(run, 1e12),
             reached);
    end_with(run, MS_REASON_DIVERGED, message);
    return false;
}

static bool notify_start(const run_state *run)
{
    bool go_on = true;
    for (int k = 0; k < run->n_observers; k++)
        if (run->observers[k].start != NULL)
            go_on &= run->observers[k].start(run->observers[k].self, run->cosim,
                                             run->cosim->variant.start_time) == 0;
    return go_on;
}

static bool notify_step(run_state *run, double t, double h)
{
    for (int k = 0; k < run->n_observers; k++)
        if (run->observers[k].step != NULL &&
            run->observers[k].step(run->observers[k].self, run->cosim, t, h) != 0) {
            end_with(run, MS_REASON_INTERRUPTED, "an observer ended the run");
            return false;
        }
    return true;
}

/* Books an accepted step to t + h. Returns false where the run ends here. */
static inline bool accept(run_state *run, double t, double h, double reached)
{
    run->result->macro_steps++;
    run->result->end_time = reached;
    if (!all_within(run->cosim, limit(run, 1e12)))
        return diverged(run, reached);
    return (run->n_observers == 0 || notify_step(run, t, h)) && !interrupted(run);
}

static bool notify_attempt(run_state *run, double t, const ms_step_outcome *outcome, bool accepted)
{
    for (int k = 0; k < run->n_observers; k++) {
        const ms_observer *o = &run->observers[k];
        if (o->attempt != NULL && o->attempt(o->self, t, outcome->h, outcome->estimate, accepted) != 0) {
            end_with(run, MS_REASON_INTERRUPTED, "an observer ended the run");
            return false;
        }
    }
    return true;
}

static void fail_with(run_state *run, int status)
{
    end_with(run, failure(run, status), run->cosim->error.text);
}

/* Equal steps base + n H up to the end; where H does not divide the way there, a shorter one at last. */
typedef struct grid {
    double base, H, end;
    long whole, steps, n; /* whole ones; all; those that have been taken */
} grid;

static grid grid_from(double base, double H, double end)
{
    const double exact = (end - base) / H, round_off = ms_cosim_round_off(exact);
    const long whole = (long)(exact + round_off);
    const bool divides = whole > 0 && fabs(exact - (double)whole) <= round_off;
    return (grid){base, H, end, whole, divides ? whole : whole + 1, 0};
}

/* The end of the coming step, and its length. */
static double grid_next(const grid *g, double t, double *h)
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

/* From time event to time event on grids that begin there. */
static void run_fixed(run_state *run)
{
    ms_cosim *cosim = run->cosim;
    const double H = cosim->variant.step_size, t1 = cosim->variant.stop_time;
    double t = cosim->variant.start_time;
    grid g = grid_from(t, H, t1);
    while (g.n < g.steps) {
        const double stop = ms_time_events_stop(cosim, t);
        double h, next = grid_next(&g, t, &h);
        cosim->share = 1.0;
        g.n++;
        if (cuts(cosim, stop, next, h)) {
            next = stop;
            cosim->share = fmin(1.0, (stop - t) / h);
            h = stop - t;
            g = grid_from(stop, H, t1);
        }
        const int status = ms_cosim_step(cosim, t, h);
        if (ms_cosim_records(cosim))
            ms_cosim_record_segment(cosim, 0, t, h);
        if (status != MS_OK) {
            fail_with(run, status);
            return;
        }
        if (!accept(run, t, h, next))
            return;
        t = next;
    }
}

/* Where the steps of an iteration from t stop: before a time event, at it, or at the end of the run. */
static double iterated_stop(ms_cosim *cosim, double t)
{
    const double stop = ms_time_events_stop(cosim, t), before = ms_time_events_before(cosim, stop);
    return stop < cosim->variant.stop_time && t < before ? before : stop;
}

/* Steps that iterations decide on: half of one that failed, then 1.3 times the last one up to the given one
 * (Eguillon et al. 2021, 28, where max is printed for min). What a time event takes from a step does not
 * count. */
static void run_iterated(run_state *run)
{
    ms_cosim *cosim = run->cosim;
    const ms_variant *o = &cosim->variant;
    const double t1 = o->stop_time;
    double t = o->start_time, h = o->step_size, base = t, equal = h;
    long n = 0; /* equal steps since base */
    while (t < t1) {
        const double stop = iterated_stop(cosim, t);
        const double smallest = fmax(o->min_step, 16.0 * DBL_EPSILON * fmax(fabs(t), fabs(t1)));
        const bool last = t + h * (1.0 + 1e-9) >= stop, event = last && stop < t1;
        const double attempt = last && (event || fabs(stop - t - h) > 1e-9 * h) ? stop - t : h;
        const int status = ms_cosim_step(cosim, t, attempt);
        const bool failed = status == MS_NOT_CONVERGED || status == MS_SOLVER_FAILED;
        if (failed && o->step_rule == MS_STEP_RULE_PAPER && 0.5 * attempt >= smallest) {
            run->result->rejected_steps++;
            h = 0.5 * attempt;
            if (interrupted(run))
                return;
            continue;
        }
        if (ms_cosim_records(cosim))
            ms_cosim_record_segment(cosim, 0, t, attempt);
        if (status != MS_OK) {
            fail_with(run, status);
            return;
        }
        if (attempt != equal) {
            base = t;
            equal = attempt;
            n = 0;
        }
        n++;
        const double next = last ? stop : base + (double)n * equal;
        if (!accept(run, t, attempt, next))
            return;
        t = next;
        h = fmin(o->step_size, 1.3 * (event ? fmax(h, attempt) : attempt));
    }
}

/* To one communication point after the other, as the scheme plans them. */
static void run_planned(run_state *run)
{
    ms_cosim *cosim = run->cosim;
    double t = cosim->variant.start_time;
    while (t < cosim->variant.stop_time) {
        const double next = cosim->scheme->next_time(cosim);
        const int status = ms_cosim_step(cosim, t, next - t);
        if (ms_cosim_records(cosim))
            ms_cosim_record_communication(cosim);
        if (status != MS_OK) {
            fail_with(run, status);
            return;
        }
        if (!accept(run, t, next - t, next))
            return;
        t = next;
    }
}

/* Steps that a controller decides on. What a time event takes from one does not count, unless its error was
 * too large for the next to be longer. */
static void run_controlled(run_state *run, const ms_step_control *control)
{
    ms_cosim *cosim = run->cosim;
    const ms_variant *o = &cosim->variant;
    const double t1 = o->stop_time;
    double t = o->start_time, h = fmin(o->step_size, o->max_step);
    while (t < t1) {
        const double stop = ms_time_events_stop(cosim, t);
        const double smallest = fmax(o->min_step, 16.0 * DBL_EPSILON * fmax(fabs(t), fabs(t1)));
        const bool last = t + h * (1.0 + 1e-10) >= stop;
        const double attempt = last ? stop - t : h;
        ms_step_outcome outcome;
        cosim->share = last && stop < t1 ? fmin(1.0, attempt / h) : 1.0;
        const int status = ms_step_control_attempt(control, cosim, t, attempt, &outcome);
        if (!notify_attempt(run, t, &outcome, status == MS_OK))
            return;
        if (status == MS_OK) {
            const double next = last ? stop : t + attempt;
            if (!accept(run, t, attempt, next))
                return;
            t = next;
            h = fmax(cosim->share < 1.0 && outcome.next >= attempt ? fmax(outcome.next, h) : outcome.next,
                     smallest);
        } else if (status == MS_STEP_REJECTED) {
            run->result->rejected_steps++;
            if (interrupted(run))
                return;
            if (outcome.next < smallest || attempt <= smallest) {
                char message[128];
                snprintf(message, sizeof message, "step size control wants less than %.3g s at %.6g s",
                         smallest, t);
                end_with(run, MS_REASON_STEP_SIZE_UNDERFLOW, message);
                return;
            }
            h = outcome.next;
        } else {
            fail_with(run, status);
            return;
        }
    }
}

int ms_run(ms_cosim *cosim, const ms_observer *observers, int n_observers, const double *scale,
           const volatile sig_atomic_t *stop, ms_run_result *result, ms_error *error)
{
    const double begin = ms_wall_seconds();
    *result = (ms_run_result){.reason = MS_REASON_END_TIME, .end_time = cosim->variant.start_time};
    ms_step_control control;
    int status = ms_step_control_create(cosim, &control, error);
    if (status != MS_OK)
        return status;

    run_state run = {.cosim = cosim,
                     .observers = observers,
                     .n_observers = n_observers,
                     .reference = scale,
                     .stop = stop,
                     .result = result};
    status = ms_cosim_start(cosim);
    ms_system_couple(cosim->system, cosim->y, cosim->u_left);
    run.start_scale = 1.0 + largest_value(cosim);
    if (status != MS_OK) {
        result->reason = status == MS_NO_SOLUTION ? MS_REASON_NO_SOLUTION : MS_REASON_SUBSYSTEM_FAILED;
        snprintf(result->message, sizeof result->message, "%s", cosim->error.text);
    } else {
        if (!notify_start(&run))
            end_with(&run, MS_REASON_INTERRUPTED, "an observer ended the run");
        else if (cosim->scheme->next_time != NULL)
            run_planned(&run);
        else if (cosim->scheme->retries)
            run_iterated(&run);
        else if (cosim->variant.error_controlled == MS_CONTROL_NONE)
            run_fixed(&run);
        else
            run_controlled(&run, &control);
    }
    result->integrations = cosim->integrations;
    result->iterations = cosim->iterations;
    for (int k = 0; k < n_observers; k++)
        if (observers[k].end != NULL)
            observers[k].end(observers[k].self, cosim, result->end_time, result->reason);
    ms_step_control_destroy(&control);
    result->wall_seconds = ms_wall_seconds() - begin;
    return MS_OK;
}
