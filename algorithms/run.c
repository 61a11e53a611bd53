/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/run.h>

#include <stdio.h>
#include <time.h>

#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "micro_step.h"
#include "step_control.h"

const char *ms_reason_name(ms_reason reason)
{
    static const char *const names[] = {
        "end-time",   "diverged",    "step-size-underflow", "iteration-failed", "subsystem-failed",
        "work-limit", "no-solution", "interrupted",         "terminated",       "incompatible"};
    return names[reason];
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
    bool exploding; /* values are beyond EXPLODING times the scale */
} run_state;

static const double EXPLODING = 1e6, DIVERGED = 1e12;

/* Beyond `factor` times this, values mean divergence (bench/README.md, "How a run ends"). */
static double limit(const run_state *run, double factor)
{
    const double scale = run->start_scale;
    return factor * (run->reference != NULL && *run->reference + 1.0 > scale ? *run->reference + 1.0 : scale);
}

/* Has a subsystem asked for the end? */
static bool is_terminated(const ms_cosim *cosim)
{
    bool any = false;
    for (int i = 0; i < cosim->system->n && !any; i++)
        any = cosim->instance[i] != NULL && ms_instance_ended(cosim->instance[i]);
    return any;
}

/* Why a step that did not succeed ends the run. */
static ms_reason failure(const run_state *run, int status)
{
    if (is_terminated(run->cosim))
        return MS_REASON_TERMINATED;
    if (status == MS_NOT_CONVERGED)
        return MS_REASON_ITERATION_FAILED;
    if (run->exploding || !ms_cosim_within(run->cosim, limit(run, EXPLODING)))
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
    const double bound = limit(run, DIVERGED);
    if (isfinite(bound))
        snprintf(message, sizeof message, "a state, input or output grew beyond %.1e at %.6g s", bound,
                 reached);
    else
        snprintf(message, sizeof message, "a state, input or output is not finite at %.6g s", reached);
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

/* A failure now would be divergence, so that subsystems need not try for long. */
static void note_explosion(run_state *run, bool exploding)
{
    if (exploding == run->exploding)
        return;
    run->exploding = exploding;
    ms_cosim_bound_micro_steps(run->cosim, exploding ? MS_MICRO_STEPS_EXPLODING : MS_MICRO_STEPS_MAX);
}

/* Books an accepted step to t + h. Returns false where the run ends here. */
static inline bool accept(run_state *run, double t, double h, double reached)
{
    run->result->macro_steps++;
    run->result->end_time = reached;
    const bool exploding = !ms_cosim_within(run->cosim, limit(run, EXPLODING));
    if (exploding && !ms_cosim_within(run->cosim, limit(run, DIVERGED)))
        return diverged(run, reached);
    note_explosion(run, exploding);
    return (run->n_observers == 0 || notify_step(run, t, h)) && !interrupted(run);
}

static bool notify_attempt(run_state *run, const ms_step_attempt *a)
{
    for (int k = 0; k < run->n_observers; k++) {
        const ms_observer *o = &run->observers[k];
        if (o->attempt != NULL && o->attempt(o->self, a->t, a->h, a->estimate, !a->rejected) != 0) {
            end_with(run, MS_REASON_INTERRUPTED, "an observer ended the run");
            return false;
        }
    }
    return true;
}

static void fail_with(run_state *run, int status)
{
    if (!interrupted(run)) /* of which it may have failed */
        end_with(run, failure(run, status), run->cosim->error.text);
}

/* Has the run taken as many macro-steps and attempts as it may? */
static bool work_is_spent(run_state *run, double t)
{
    const ms_run_result *r = run->result;
    char message[128];
    if ((double)(r->macro_steps + r->rejected_steps) < run->cosim->variant.max_steps)
        return false;
    snprintf(message, sizeof message,
             "%ld macro-steps and %ld rejected ones have come to %.6g s, not to the end", r->macro_steps,
             r->rejected_steps, t);
    end_with(run, MS_REASON_WORK_LIMIT, message);
    return true;
}

/* From macro-step to macro-step, as long as the control finds one. */
static void run_steps(run_state *run, ms_step_control *control)
{
    ms_cosim *cosim = run->cosim;
    double t = cosim->variant.start_time;
    while (t < cosim->variant.stop_time && !work_is_spent(run, t)) {
        ms_step_attempt attempt;
        const int status = ms_step_control_attempt(control, t, &attempt);
        if (attempt.judged && !notify_attempt(run, &attempt))
            return;
        if (attempt.rejected) {
            run->result->rejected_steps++;
            if (interrupted(run))
                return;
            if (attempt.underflow) {
                end_with(run, MS_REASON_STEP_SIZE_UNDERFLOW, cosim->error.text);
                return;
            }
            continue;
        }
        if (status != MS_OK) {
            fail_with(run, status);
            return;
        }
        if (!accept(run, t, attempt.h, attempt.next))
            return;
        t = attempt.next;
    }
}

/* Is the state needed after each macro-step? */
static bool is_observed(const run_state *run, const ms_step_control *control)
{
    const ms_variant *o = &run->cosim->variant;
    bool observed = ms_cosim_records(run->cosim) || o->at_time_events != MS_TIME_EVENTS_IGNORE ||
                    ms_step_control_watches(control);
    for (int k = 0; k < run->n_observers; k++)
        observed = observed || (run->observers[k].step != NULL && !run->observers[k].of_times);
    return observed;
}

const double *ms_run_states(const ms_cosim *cosim)
{
    return cosim->x;
}

const double *ms_run_outputs(const ms_cosim *cosim)
{
    return cosim->y;
}

int ms_run(ms_cosim *cosim, const ms_observer *observers, int n_observers, const double *scale,
           const volatile sig_atomic_t *stop, ms_run_result *result, ms_error *error)
{
    const double begin = ms_wall_seconds();
    *result = (ms_run_result){.reason = MS_REASON_END_TIME, .end_time = cosim->variant.start_time};
    ms_step_control *control;
    MS_TRY(ms_step_control_create(cosim, &control, error));

    run_state run = {.cosim = cosim,
                     .observers = observers,
                     .n_observers = n_observers,
                     .reference = scale,
                     .stop = stop,
                     .result = result};
    ms_cosim_observe(cosim, is_observed(&run, control));
    int status = ms_cosim_start(cosim);
    ms_system_couple(cosim->system, cosim->y, cosim->u_left);
    ms_cosim_bound_micro_steps(cosim, MS_MICRO_STEPS_MAX);
    run.start_scale = 1.0 + largest_value(cosim);
    if (status != MS_OK && !interrupted(&run)) {
        result->reason = is_terminated(cosim)       ? MS_REASON_TERMINATED
                         : status == MS_NO_SOLUTION ? MS_REASON_NO_SOLUTION
                                                    : MS_REASON_SUBSYSTEM_FAILED;
        snprintf(result->message, sizeof result->message, "%s", cosim->error.text);
    } else if (status == MS_OK) {
        if (!notify_start(&run))
            end_with(&run, MS_REASON_INTERRUPTED, "an observer ended the run");
        else
            run_steps(&run, control);
    }
    ms_cosim_show(cosim);
    result->integrations = cosim->integrations;
    result->held = cosim->held;
    result->iterations = cosim->iterations;
    result->sweeps = cosim->sweeps;
    result->estimate_defect = cosim->defect;
    result->sensitivities = cosim->sensitivities;
    for (int k = 0; k < n_observers; k++)
        if (observers[k].end != NULL)
            observers[k].end(observers[k].self, cosim, result->end_time, result->reason);
    ms_step_control_destroy(&control);
    result->wall_seconds = ms_wall_seconds() - begin;
    return MS_OK;
}
