/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ms_integrate keeps while the solver works, and the names of its columns. */
#include "integrate_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the run: within such a part of it more events than MS_EVENTS_MAX are chattering. */
static const double WINDOW = 1e-3;

/* Rows --------------------------------------------------------------------------------------------------- */

/* A new row, or NULL without memory, which the recorder remembers. */
static double *append(ms_recorder *recorder, ms_run_series *series)
{
    double *row = ms_run_series_append(series);
    if (row == NULL)
        recorder->status = MS_NO_MEMORY;
    return row;
}

/* (n) numbers of v behind `to`. Returns what is behind them. */
static double *put(double *to, int n, const double *v)
{
    if (n > 0)
        memcpy(to, v, sizeof *to * (size_t)n);
    return to + n;
}

/* The discrete variables of all subsystems out of z, which holds more (ms_subsystem_nz). */
static double *put_discrete(double *to, const ms_system *s, const double *z)
{
    for (int i = 0; i < s->n; i++)
        to = put(to, s->sub[i].nz, z + s->z_at[i]);
    return to;
}

/* Of the state at t. */
static void add_row(ms_recorder *recorder, double t, int event, const double *x, const double *z)
{
    const ms_system *s = recorder->run->system;
    double *row = append(recorder, &recorder->run->trajectory);
    if (row == NULL)
        return;
    row[0] = t;
    row[1] = event;
    double *w = put_discrete(put(row + 2, s->nx, x), s, z);
    for (int i = 0; i < ms_system_shown(s); i++)
        if (s->sub[i].nw > 0)
            ms_subsystem_external(s, &s->sub[i], t, w + s->w_at[i]);
}

void ms_recorder_flush(ms_recorder *recorder, double t)
{
    const int n = recorder->run->output_points;
    if (n == 0) {
        const ms_run_series *rows = &recorder->run->trajectory;
        if (rows->rows == 0 || ms_run_series_row(rows, rows->rows - 1)[0] < t)
            add_row(recorder, t, MS_ROW_OUTPUT, recorder->instance->state, recorder->instance->z);
        return;
    }
    for (; recorder->next <= n && ms_recorder_output(recorder, recorder->next) <= t; recorder->next++)
        add_row(recorder, ms_recorder_output(recorder, recorder->next), MS_ROW_OUTPUT,
                recorder->instance->state, recorder->instance->z);
}

/* Hooks -------------------------------------------------------------------------------------------------- */

static void note_step(void *self, double from, double to, int order)
{
    ms_recorder *recorder = self;
    ms_integration *run = recorder->run;
    const double h = to - from;
    const bool first = isnan(run->largest_step);
    if (recorder->instance->events == NULL || !recorder->instance->events->state)
        run->smallest_step = fmin(run->smallest_step, h);
    run->largest_step = fmax(run->largest_step, h);
    run->lowest_order = first || order < run->lowest_order ? order : run->lowest_order;
    run->highest_order = first || order > run->highest_order ? order : run->highest_order;
    double *row = recorder->request->history ? append(recorder, &run->history) : NULL;
    if (row != NULL) {
        row[0] = to;
        row[1] = h;
        row[2] = order;
    }
}

bool ms_recorder_interrupted(ms_recorder *recorder)
{
    ms_integration *run = recorder->run;
    if (recorder->request->stop == NULL || *recorder->request->stop == 0)
        return false;
    run->reason = MS_REASON_INTERRUPTED;
    snprintf(run->message, sizeof run->message, "interrupted");
    return true;
}

bool ms_recorder_stays(ms_recorder *recorder, double t)
{
    const double limit = 1e12 * recorder->scale;
    ms_integration *run = recorder->run;
    for (int j = 0; j < run->system->nx; j++)
        if (!(fabs(recorder->instance->state[j]) <= limit)) {
            run->reason = MS_REASON_DIVERGED;
            snprintf(run->message, sizeof run->message, "a state grew beyond %.1e at %.6g s", limit, t);
            return false;
        }
    return true;
}

static void report_progress(ms_recorder *recorder, double t)
{
    const double done = (t - recorder->start) / (recorder->stop - recorder->start);
    if (recorder->request->progress == NULL || done < recorder->shown)
        return;
    recorder->request->progress(recorder->request->self, done);
    recorder->shown = done + 1e-3;
}

/* The output points within a micro-step. */
static int outputs_within(ms_recorder *recorder, double from, double to, ms_micro_dense *dense, void *solver)
{
    const int n = recorder->run->output_points;
    for (; n > 0 && recorder->next <= n; recorder->next++) {
        const double t = ms_recorder_output(recorder, recorder->next);
        const double *x = recorder->x;
        if (t > to)
            return 0;
        if (t == to)
            x = recorder->instance->state;
        else if (dense(solver, fmax(t, from), recorder->x) != 0)
            return 1;
        add_row(recorder, t, MS_ROW_OUTPUT, x, recorder->instance->z);
    }
    if (n == 0)
        ms_recorder_flush(recorder, to);
    return 0;
}

static int look_inside(void *self, double from, double to, ms_micro_dense *dense, void *solver)
{
    ms_recorder *recorder = self;
    const ms_work before = recorder->instance->work;
    if (recorder->run->output_points == 0 && recorder->run->trajectory.rows == 0 &&
        dense(solver, from, recorder->x) == 0)
        add_row(recorder, from, MS_ROW_OUTPUT, recorder->x, recorder->instance->z);
    const int status = outputs_within(recorder, from, to, dense, solver);
    recorder->dense.rhs_evaluations += recorder->instance->work.rhs_evaluations - before.rhs_evaluations;
    recorder->dense.jacobian_evaluations +=
        recorder->instance->work.jacobian_evaluations - before.jacobian_evaluations;
    if (status != 0)
        return 1;
    recorder->run->end_time = to;
    report_progress(recorder, to);
    return !ms_recorder_stays(recorder, to) || ms_recorder_interrupted(recorder) || recorder->status != MS_OK;
}

static void note_event(void *self, double t, const ms_event *event)
{
    ms_recorder *recorder = self;
    ms_integration *run = recorder->run;
    const ms_system *s = run->system;
    ms_events *events = recorder->instance->events;
    run->state_events += event->state;
    run->time_events += event->time;
    run->step_events += event->step;
    ms_recorder_flush(recorder, nextafter(t, -INFINITY));
    add_row(recorder, t, MS_ROW_LEFT, events->x, events->z);
    add_row(recorder, t, MS_ROW_RIGHT, event->x, event->z);
    double *row = append(recorder, &run->events);
    if (row != NULL) {
        row[0] = t;
        row[1] = event->state;
        row[2] = event->time;
        row[3] = event->step;
        for (int k = 0; k < run->n_indicators; k++)
            row[4 + k] = event->state ? event->crossed[k] : 0;
        double *next = put_discrete(put(row + 4 + run->n_indicators, s->nx, events->x), s, events->z);
        put_discrete(put(next, s->nx, event->x), s, event->z);
    }
    if (t - recorder->window > WINDOW * (recorder->stop - recorder->start)) {
        recorder->window = t;
        events->n_jumps = 1;
    }
}

int ms_recorder_create(ms_recorder *recorder, ms_integration *run, const ms_integrate_options *request,
                       ms_instance *instance, const ms_system *whole, ms_error *error)
{
    const ms_system *s = run->system;
    *recorder = (ms_recorder){.run = run,
                              .request = request,
                              .instance = instance,
                              .start = run->options.start_time,
                              .stop = run->options.stop_time,
                              .scale = 1.0,
                              .window = run->options.start_time};
    for (int j = 0; j < s->nx; j++)
        recorder->scale = fmax(recorder->scale, 1.0 + fabs(instance->x[j]));
    run->n_indicators = whole->sub[0].n_indicators;
    for (int i = 0; i < s->n; i++)
        run->nz += s->sub[i].nz;
    run->trajectory.columns = 2 + s->nx + run->nz + s->w_at[ms_system_shown(s)];
    run->history.columns = 3;
    run->events.columns = 4 + run->n_indicators + 2 * (s->nx + run->nz);
    recorder->x = calloc((size_t)s->nx + 1, sizeof *recorder->x);
    MS_TRY_MEMORY_FOR(recorder->x != NULL, error, "an integration of %d states", s->nx);
    instance->monitor =
        (ms_monitor){.self = recorder, .micro_step = note_step, .inside = look_inside, .event = note_event};
    return MS_OK;
}

void ms_recorder_destroy(ms_recorder *recorder)
{
    free(recorder->x);
    recorder->x = NULL;
}

/* Names -------------------------------------------------------------------------------------------------- */

/* Variables of a kind in subsystem i. */
static int count(const ms_subsystem *sub, char kind)
{
    return kind == 'x' ? sub->nx : kind == 'z' ? sub->nz : sub->nw;
}

/* "SUB.KIND.NAME" of variable j of all subsystems. */
static void variable_name(const ms_system *s, char kind, int j, const char *prefix, char *name, size_t size)
{
    int i = 0;
    for (; j >= count(&s->sub[i], kind); i++)
        j -= count(&s->sub[i], kind);
    const ms_subsystem *sub = &s->sub[i];
    const ms_variable *variables = kind == 'x' ? sub->x : kind == 'z' ? sub->z : sub->w;
    snprintf(name, size, "%s%s.%c.%s", prefix, sub->name, kind, variables[j].name);
}

void ms_integration_trajectory_name(const void *integration, int column, char *name, size_t size)
{
    const ms_integration *run = integration;
    const ms_system *s = run->system;
    const int j = column - 2;
    if (j < 0)
        snprintf(name, size, "%s", column == 0 ? "time" : "event");
    else if (j < s->nx)
        variable_name(s, 'x', j, "", name, size);
    else if (j - s->nx < run->nz)
        variable_name(s, 'z', j - s->nx, "", name, size);
    else
        variable_name(s, 'w', j - s->nx - run->nz, "", name, size);
}

void ms_integration_history_name(const void *integration, int column, char *name, size_t size)
{
    static const char *const names[] = {"time", "step_size", "order"};
    (void)integration;
    snprintf(name, size, "%s", names[column]);
}

void ms_integration_events_name(const void *integration, int column, char *name, size_t size)
{
    static const char *const names[] = {"time", "state_event", "time_event", "step_event"};
    const ms_integration *run = integration;
    const ms_system *s = run->system;
    const int half = s->nx + run->nz;
    int j = column - 4 - run->n_indicators;
    if (column < MS_COUNT(names)) {
        snprintf(name, size, "%s", names[column]);
    } else if (j < 0) {
        snprintf(name, size, "indicator.%d", column - 3);
    } else {
        const char *side = j < half ? "left." : "right.";
        j = j < half ? j : j - half;
        if (j < s->nx)
            variable_name(s, 'x', j, side, name, size);
        else
            variable_name(s, 'z', j - s->nx, side, name, size);
    }
}
