/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trajectory of ms_integrate against the reference. */
#include <math.h>

#include <macrostep/energy.h>
#include <macrostep/reference.h>
#include "integrate_record.h"

typedef struct comparison {
    const ms_recorder *recorder;
    ms_integration *run;
    ms_reference *reference; /* NULL: none */
    double t;                /* present time [s] */
    int lost;                /* MS_OK, or why it could not follow further */
    long points;             /* with errors that are known, the last one at .. */
    double until;            /* .. [s] */
    bool ends;               /* there are others behind */
} comparison;

/* Has the reference reached this output point, and is it accurate there? At the start both are given by the model. */
static bool is_known(const comparison *c)
{
    return c->reference != NULL && c->lost == MS_OK &&
           ms_reference_usable(ms_reference_error(c->reference), ms_reference_largest(c->reference));
}

/* Takes the reference to t, where it can follow. */
static void follow(comparison *c, double t)
{
    if (c->reference == NULL || c->lost != MS_OK)
        return;
    if (t > c->t)
        c->lost = ms_reference_step(c->reference, c->t, t - c->t);
    if (c->lost == MS_OK)
        c->t = t;
}

/* Of the states x at an output point. */
static void add_errors(comparison *c, const double *x)
{
    const double *exact = ms_reference_state(c->reference);
    for (int j = 0; j < c->run->system->nx; j++) {
        ms_integration_error *e = &c->run->error[j];
        const double difference = fabs(x[j] - exact[j]);
        e->max = fmax(e->max, difference);
        e->rmse += difference * difference;
        e->end = difference;
        ms_error_scale_see(&c->run->scale, j, exact[j]);
    }
    c->run->reference_error = ms_reference_error(c->reference);
    c->until = c->t;
    c->points++;
}

static void add_energy(comparison *c, const double *x)
{
    ms_integration *run = c->run;
    run->energy_end = ms_system_energy(run->system, x);
    const double expected = c->reference != NULL
                                ? ms_system_energy(run->system, ms_reference_state(c->reference))
                                : run->energy_start;
    if (c->reference == NULL || is_known(c))
        run->energy_drift = fmax(run->energy_drift, fabs(run->energy_end - expected));
}

/* The time up to which the reference is accurate, and the reason if that is not the end. */
static void note_horizon(comparison *c)
{
    ms_integration *run = c->run;
    if (!c->ends || run->reason != MS_REASON_END_TIME)
        return;
    run->known_until = c->until;
    if (c->points == 0)
        run->energy_drift = NAN;
    ms_reference_explain(c->lost, c->points > 0 || c->lost == MS_OK ? c->until : NAN, run->message,
                         sizeof run->message);
}

static void conclude(comparison *c)
{
    ms_integration *run = c->run;
    run->errors_valid = c->reference != NULL && run->reason == MS_REASON_END_TIME && c->points > 0;
    if (fabs(run->energy_start) > 0.0)
        run->energy_drift /= fabs(run->energy_start);
    note_horizon(c);
    if (!run->errors_valid)
        return;
    ms_error_scale_conclude(&run->scale, run->reference_error);
    if (isnan(ms_error_scale_unit(&run->scale)))
        run->max = run->rmse = run->end = NAN; /* and fmax begins anew */
    for (int j = 0; j < run->system->nx; j++) {
        ms_integration_error *e = &run->error[j];
        const double scale = run->scale.of[j];
        *e =
            (ms_integration_error){e->max / scale, sqrt(e->rmse / (double)c->points) / scale, e->end / scale};
        run->max = fmax(run->max, e->max);
        run->rmse = fmax(run->rmse, e->rmse);
        run->end = fmax(run->end, e->end);
    }
}

/* The states at the output point of row n: where an event is handled there, those behind it, as the reference has them. */
static const double *states_at(const ms_run_series *rows, long n)
{
    const double *row = ms_run_series_row(rows, n), *last = row;
    while (++n < rows->rows) {
        const double *next = ms_run_series_row(rows, n);
        if (next[0] != row[0] || next[1] == MS_ROW_OUTPUT)
            break;
        last = next;
    }
    return last + 2;
}

int ms_integration_compare(ms_recorder *recorder, bool errors, ms_error *error)
{
    ms_integration *run = recorder->run;
    const ms_run_series *rows = &run->trajectory;
    comparison c = {.recorder = recorder, .run = run, .t = recorder->start, .until = recorder->start};
    int status = MS_OK;
    if (errors)
        status = ms_error_scale_create(run->system, run->options.error_scale, &run->scale, error);
    if (status != MS_OK)
        return status;
    ms_error_scale_start(&run->scale);
    run->energy_known = ms_energy_declared(run->system) && rows->rows > 0;
    if (errors && run->reason == MS_REASON_END_TIME)
        status = ms_reference_create(run->system, 0, NULL, &c.reference, error);
    if (status != MS_OK)
        return status;
    if (run->energy_known)
        run->energy_start = ms_system_energy(run->system, ms_run_series_row(rows, 0) + 2);
    for (long n = 0; n < rows->rows && (c.reference != NULL || run->energy_known); n++) {
        const double *row = ms_run_series_row(rows, n);
        if (row[1] != MS_ROW_OUTPUT)
            continue;
        if (ms_recorder_interrupted(recorder))
            break;
        follow(&c, row[0]);
        if (c.lost == MS_NO_MEMORY)
            break;
        if (is_known(&c) && row[0] > recorder->start)
            add_errors(&c, states_at(rows, n));
        c.ends = c.reference != NULL && !is_known(&c);
        if (run->energy_known)
            add_energy(&c, states_at(rows, n));
    }
    if (c.lost == MS_NO_MEMORY)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference");
    else
        conclude(&c);
    ms_reference_destroy(&c.reference);
    return status;
}
