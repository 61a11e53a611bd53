/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of a run on the clocks of its subsystems: recorded by an observer, read by formulas. */
#include "eguillon2022_log.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim.h>
#include <macrostep/run_series.h>
#include "f3ornits.h"

/* Recording -------------------------------------------------------------------------------------------- */

/* Appends the communication of subsystem i at t; the inputs of its next step are not known yet. */
static int append(ms_run_log *log, const ms_cosim *cosim, int i, long n, double t)
{
    const ms_system *s = cosim->system;
    ms_clock_log *clock = &log->clock[i];
    log->status = ms_run_series_reserve(&clock->row, &clock->capacity, n + 1, clock->columns);
    if (log->status != MS_OK)
        return 1;
    double *row = clock->row + (size_t)n * (size_t)clock->columns;
    memset(row, 0, sizeof(double) * (size_t)clock->columns);
    row[0] = t;
    for (int j = 0; j < clock->nx; j++)
        row[1 + j] = cosim->x[s->x_at[i] + j];
    for (int j = 0; j < clock->ny; j++)
        row[1 + clock->nx + j] = cosim->y[s->y_at[i] + j];
    clock->steps = n;
    return 0;
}

static int append_communication(ms_run_log *log, int n, double t)
{
    log->status = ms_run_series_reserve(&log->communication, &log->capacity, log->communications + 1, 1 + n);
    if (log->status != MS_OK)
        return 1;
    double *row = log->communication + (size_t)log->communications++ * (size_t)(1 + n);
    row[0] = t;
    for (int i = 0; i < n; i++)
        row[1 + i] = ms_clock_time(&log->clock[i], log->clock[i].steps);
    return 0;
}

static int log_start(void *self, const ms_cosim *cosim, double t)
{
    ms_run_log *log = self;
    const ms_system *s = cosim->system;
    int stop = 0;
    log->clock = calloc((size_t)s->n, sizeof *log->clock);
    log->status = log->clock != NULL ? MS_OK : MS_NO_MEMORY;
    log->degraded = cosim->n_degraded;
    for (int i = 0; i < s->n && log->status == MS_OK; i++) {
        ms_clock_log *clock = &log->clock[i];
        clock->nx = s->sub[i].nx;
        clock->nu = s->sub[i].nu;
        clock->ny = s->sub[i].ny;
        clock->columns = 1 + clock->nx + clock->ny + clock->nu * MS_LOG_COEFFICIENTS;
        stop |= append(log, cosim, i, 0, t);
    }
    return log->status != MS_OK || stop != 0 || append_communication(log, s->n, t) != 0;
}

/* Time and inputs with which the step that has ended began, into the row of its beginning. */
static void complete(ms_clock_log *clock, const ms_instance *instance)
{
    double *row = clock->row + (size_t)clock->steps * (size_t)clock->columns;
    double *c = row + 1 + clock->nx + clock->ny;
    row[0] = instance->t;
    for (int k = 0; k <= instance->input.degree && k < MS_LOG_COEFFICIENTS; k++)
        for (int l = 0; l < clock->nu; l++)
            c[l * MS_LOG_COEFFICIENTS + k] = ms_input_coefficients(&instance->input, 0, k)[l];
}

static int log_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_run_log *log = self;
    const int n = cosim->system->n;
    for (int i = 0; i < n; i++) {
        ms_clock_log *clock = &log->clock[i];
        if (!cosim->communicates[i]) {
            clock->idle++;
            continue;
        }
        complete(clock, cosim->instance[i]);
        if (append(log, cosim, i, clock->steps + 1, t + h) != 0)
            return 1;
    }
    return append_communication(log, n, t + h);
}

static void log_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    ms_run_log *log = self;
    for (int i = 0; i < cosim->system->n && log->status == MS_OK; i++) {
        ms_clock_log *clock = &log->clock[i];
        clock->ends_exactly =
            reason == MS_REASON_END_TIME && cosim->communicates[i] && t == cosim->variant.stop_time;
        if (cosim->communicates[i]) /* t + h may differ from it by round-off */
            clock->row[(size_t)clock->steps * (size_t)clock->columns] = t;
    }
}

int ms_run_log_create(ms_drawing *drawing, const ms_simulation_options *request, ms_run_log *log,
                      ms_error *error, const char *command)
{
    *log = (ms_run_log){0};
    const ms_observer observer = {.self = log, .start = log_start, .step = log_step, .end = log_end};
    ms_simulation_options all = request != NULL ? *request : (ms_simulation_options){0};
    all.observers = &observer;
    all.n_observers = 1;
    int status = ms_study_run(drawing, &all, &log->study, error, "%s", command);
    if (status == MS_OK && (log->clock == NULL || log->status != MS_OK))
        status = ms_fail(error, log->status != MS_OK ? log->status : MS_SOLVER_FAILED, "%s: no log was made",
                         command);
    return status;
}

void ms_run_log_destroy(ms_run_log *log)
{
    for (int i = 0; log->clock != NULL && i < log->study.system->n; i++)
        free(log->clock[i].row);
    MS_FREE(log->clock, log->communication);
    ms_study_destroy(&log->study);
    *log = (ms_run_log){0};
}

/* Reading ---------------------------------------------------------------------------------------------- */

double ms_clock_input_at(const ms_clock_log *clock, long n, int l, int order, double t)
{
    const double *c = ms_clock_input(clock, n, l), s = t - ms_clock_time(clock, n);
    return order == 0 ? c[0] + s * (c[1] + s * (c[2] + s * c[3])) : c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
}

int ms_clock_input_degree(const ms_clock_log *clock, long n, int l)
{
    const double *c = ms_clock_input(clock, n, l), h = ms_clock_time(clock, n + 1) - ms_clock_time(clock, n);
    const double scale = ms_clock_input_scale(clock, l);
    int degree = MS_LOG_COEFFICIENTS - 1;
    while (degree > 0 && fabs(c[degree]) * pow(h, degree) <= 16.0 * DBL_EPSILON * scale)
        degree--;
    return degree;
}

double ms_clock_input_scale(const ms_clock_log *clock, int l)
{
    double scale = 0.0;
    for (long n = 0; n < clock->steps; n++)
        scale = fmax(scale, fabs(ms_clock_input(clock, n, l)[0]));
    return scale;
}

long ms_clock_latest(const ms_clock_log *clock, double t)
{
    long low = 0, high = clock->steps + 1; /* time[low] <= t < time[high] */
    while (high - low > 1) {
        const long middle = (low + high) / 2;
        if (ms_clock_time(clock, middle) <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double ms_clock_extrapolation(const ms_clock_log *clock, int j, long m, int q, double t)
{
    double value[MS_LOG_DEGREE + 1] = {0.0};
    for (int r = 0; r <= q; r++)
        value[r] = ms_clock_output(clock, m - r, j);
    for (int k = 1; k <= q; k++)
        for (int r = 0; r + k <= q; r++) {
            const double a = ms_clock_time(clock, m - r), b = ms_clock_time(clock, m - r - k);
            value[r] = ((t - b) * value[r] - (t - a) * value[r + 1]) / (a - b);
        }
    return value[0];
}

int ms_clock_degree(const ms_clock_log *clock, int j, long m, double errors[MS_LOG_DEGREE + 1],
                    int *candidates)
{
    const int highest = m - 1 < MS_LOG_DEGREE ? (int)(m - 1) : MS_LOG_DEGREE;
    const double y = ms_clock_output(clock, m, j);
    double miss[MS_LOG_DEGREE + 1], largest = fabs(y);
    int best = 0;
    for (int q = 0; q <= highest; q++) {
        miss[q] = fabs(y - ms_clock_extrapolation(clock, j, m - 1, q, ms_clock_time(clock, m)));
        largest = fmax(largest, fabs(ms_clock_output(clock, m - 1 - q, j)));
    }
    for (int q = 1; q <= highest; q++)
        if (miss[q] < miss[best] - 16.0 * DBL_EPSILON * largest)
            best = q;
    if (errors != NULL && highest >= 0)
        memcpy(errors, miss, sizeof(double) * (size_t)(highest + 1));
    if (candidates != NULL)
        *candidates = highest + 1;
    return best;
}

void ms_clock_estimate(const ms_clock_log *clock, int j, long m, bool cls, double c[MS_LOG_DEGREE + 1])
{
    double t[MS_F3_POINTS] = {0.0}, y[MS_F3_POINTS] = {0.0};
    const int q = ms_clock_degree(clock, j, m, NULL, NULL);
    for (int r = 0; r < MS_F3_POINTS && r <= m; r++) {
        t[r] = ms_clock_time(clock, m - r);
        y[r] = ms_clock_output(clock, m - r, j);
    }
    if (cls)
        ms_f3_least_squares(q, t, y, c);
    else
        ms_f3_extrapolation(q, t, y, c);
}

/* Inputs ----------------------------------------------------------------------------------------------- */

int ms_output_owner(const ms_system *s, int output)
{
    int i = 0;
    while (output >= s->y_at[i + 1])
        i++;
    return i;
}

double ms_run_log_input(const ms_run_log *log, int i, int l, long n, double t)
{
    const ms_system *s = log->study.system;
    const int row = s->u_at[i] + l;
    double u = 0.0;
    for (int w = s->row_at[row]; w < s->row_at[row + 1]; w++) {
        const int from = ms_output_owner(s, s->wire_output[w]), j = s->wire_output[w] - s->y_at[from];
        const ms_clock_log *feeder = &log->clock[from];
        const long m = ms_clock_latest(feeder, ms_clock_time(&log->clock[i], n));
        u += s->wire_gain[w] *
             ms_clock_extrapolation(feeder, j, m, ms_clock_degree(feeder, j, m, NULL, NULL), t);
    }
    return u;
}
