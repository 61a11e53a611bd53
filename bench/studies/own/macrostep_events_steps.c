/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How step size control reacts to an event inside a subsystem.
 *
 * Richardson extrapolation compares a macro-step of length H with two halves. Where nothing happens the
 * difference of a scheme of order p is O(H^{p+1}), and H follows tol^{1/(p+1)}. In the macro-step of an
 * event, in which derivative j of the exchanged variables jumps first, the error is O(H^{j+1})
 * (macrostep_events-order.json). One would expect that for j < p it is accepted only with H ~ tol^{1/(j+1)}. But
 *
 *     theta < 1/2    the second half knows of the event and the full step does not: the difference is as
 *                    large as the error, and the step is rejected until the event lies behind it or in
 *     theta > 1/2    the second half, of which both learn at T_{n+1}: the difference sees nothing of an
 *                    event there, and H is what it would have been without one
 *
 * Measured of a run ("event-steps run impact-oscillator .."): its attempts (time, accepted, rejected: their lengths), and what the
 * struct below says. Behind the event it is the history that the controller sees: the secant across the event, which is wrong by
 * O(H^{j-1}), asks for short steps unless it is dropped. */
#include <math.h>

#include <macrostep/cosim.h>
#include "measurement.h"

static const double NEAR = 0.1; /* [s] */

/* One run. */
typedef struct steps {
    json_t *answer; /* takes attempts */
    double mode;    /* of the oscillator, which changes at the event */
    double before;  /* length of the accepted step before the event's, ... */
    double at;      /* ... of the event's own ... */
    double from;    /* ... and its start, */
    double theta;   /* and where in it the event lies, in (0, 1] */
    double least;   /* the shortest accepted step from the event's own on, for NEAR [s] */
    bool met;
} steps;

static int start(void *self, const ms_cosim *cosim, double t)
{
    (void)t;
    steps *s = self;
    s->mode = cosim->instance[0]->z[0];
    return 0;
}

static int attempt(void *self, double t, double h, double estimate, bool accepted)
{
    (void)estimate;
    steps *s = self;
    ms_measured_append(s->answer, "time", t);
    ms_measured_append(s->answer, "accepted", accepted ? h : NAN);
    ms_measured_append(s->answer, "rejected", accepted ? NAN : h);
    return 0;
}

static int step(void *self, const ms_cosim *cosim, double t, double h)
{
    steps *s = self;
    const double mode = cosim->instance[0]->z[0];
    if (mode != s->mode && !s->met) {
        s->met = true;
        s->at = h;
        s->from = t;
        s->theta = (cosim->instance[0]->events->last - t) / h;
        s->least = h;
    } else if (!s->met) {
        s->before = fmax(s->before, h);
    } else if (t < s->from + NEAR) {
        s->least = fmin(s->least, h);
    }
    s->mode = mode;
    return 0;
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    ms_study study;
    steps s = {.answer = answer};
    const ms_observer observer = {.self = &s, .start = start, .step = step, .attempt = attempt};
    const ms_simulation_options request = {.errors = true, .observers = &observer, .n_observers = 1};
    int status = ms_study_run(drawing, &request, &study, error, "%s", words);
    if (status == MS_OK && (study.simulation.result.reason != MS_REASON_END_TIME || !s.met))
        status = ms_fail(error, MS_SOLVER_FAILED, "%s: the run did not meet its event", words);
    ms_measured_members(answer, MS_REALS({"at", s.at}, {"least", s.least}, {"before", s.before},
                                         {"theta", s.theta}, {"error", study.simulation.errors.end}));
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_event_steps = {"event-steps", measure, "impact-oscillator"};
