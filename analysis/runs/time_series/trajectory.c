/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/trajectory.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim.h>

static double *last_row(const ms_trajectory *trajectory)
{
    return trajectory->row + (size_t)(trajectory->rows - 1) * (size_t)trajectory->columns;
}

/* NaN for a subsystem that does not communicate now. */
static void leave_out(const ms_trajectory *trajectory, int i, double *x, double *u, double *y)
{
    const ms_system *s = trajectory->system;
    for (int j = s->x_at[i]; j < s->x_at[i + 1]; j++)
        x[j] = NAN;
    for (int j = s->u_at[i]; j < s->u_at[i + 1]; j++)
        u[j] = NAN;
    for (int j = s->y_at[i]; j < s->y_at[i + 1] && j < trajectory->ny; j++)
        y[j] = NAN;
}

/* What no macro-step changes any more. */
static int hand_on(ms_trajectory *trajectory)
{
    if (trajectory->sink != NULL)
        trajectory->status =
            ms_run_series_hand_on(trajectory->sink, trajectory->columns, trajectory->row, &trajectory->rows,
                                  trajectory->system->n, trajectory->last);
    return trajectory->status != MS_OK;
}

/* A row with u = L y. */
static int append(ms_trajectory *trajectory, const ms_cosim *cosim, double t)
{
    trajectory->status = ms_run_series_reserve(&trajectory->row, &trajectory->capacity, trajectory->rows + 1,
                                               trajectory->columns);
    if (trajectory->status != MS_OK)
        return 1;
    trajectory->rows++;
    double *row = last_row(trajectory), *x = row + 1, *u = x + trajectory->nx, *y = u + trajectory->nu;
    row[0] = t;
    if (trajectory->nx > 0)
        memcpy(x, cosim->x, sizeof(double) * (size_t)trajectory->nx);
    if (trajectory->ny > 0)
        memcpy(y, cosim->y, sizeof(double) * (size_t)trajectory->ny);
    ms_system_couple(cosim->system, cosim->y, u);
    for (int i = 0; i < cosim->system->n; i++)
        if (cosim->communicates[i])
            trajectory->last[i] = trajectory->rows - 1;
        else
            leave_out(trajectory, i, x, u, y);
    return hand_on(trajectory);
}

static int trajectory_start(void *self, const ms_cosim *cosim, double t)
{
    ms_trajectory *trajectory = self;
    trajectory->rows = 0;
    if (trajectory->sink != NULL)
        trajectory->status = trajectory->sink->begin(trajectory->sink->self, cosim);
    return trajectory->status != MS_OK || append(trajectory, cosim, t);
}

/* The time and the right limits of the last row are those with which the step from it began. */
static int trajectory_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_trajectory *trajectory = self;
    if (trajectory->status != MS_OK)
        return 1;
    const ms_system *s = trajectory->system;
    last_row(trajectory)[0] = t;
    for (int k = 0; k < cosim->n_segments; k++)
        for (int i = cosim->segment[k].first; i < cosim->segment[k].last && !cosim->segment[k].goes_on; i++) {
            double *row = trajectory->row + (size_t)trajectory->last[i] * (size_t)trajectory->columns;
            memcpy(row + 1 + trajectory->nx + s->u_at[i], cosim->segment[k].u + s->u_at[i],
                   sizeof(double) * (size_t)s->sub[i].nu);
        }
    return append(trajectory, cosim, t + h);
}

static void trajectory_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)reason;
    ms_trajectory *trajectory = self;
    ms_run_series_end(trajectory->row, trajectory->rows, trajectory->columns, t);
    if (trajectory->sink != NULL && trajectory->status == MS_OK)
        trajectory->status =
            trajectory->sink->take(trajectory->sink->self, trajectory->rows, trajectory->row);
}

int ms_trajectory_create(ms_cosim *cosim, ms_trajectory *trajectory, ms_observer *observer, ms_error *error)
{
    const ms_system *s = cosim->system;
    const int ny = s->y_at[ms_system_shown(s)];
    *trajectory =
        (ms_trajectory){.nx = s->nx, .nu = s->nu, .ny = ny, .columns = 1 + s->nx + s->nu + ny, .system = s};
    *observer = (ms_observer){
        .self = trajectory, .start = trajectory_start, .step = trajectory_step, .end = trajectory_end};
    trajectory->last = calloc((size_t)s->n + 1, sizeof *trajectory->last);
    MS_TRY_MEMORY_FOR(
        trajectory->last != NULL && ms_cosim_sample_states(cosim, 0, NULL) == MS_OK &&
            ms_run_series_reserve(&trajectory->row, &trajectory->capacity, 1, trajectory->columns) == MS_OK,
        error, "a trajectory of %d columns", trajectory->columns);
    return MS_OK;
}

void ms_trajectory_destroy(ms_trajectory *trajectory)
{
    MS_FREE(trajectory->row, trajectory->last);
    trajectory->last = NULL;
    trajectory->row = NULL;
    trajectory->rows = trajectory->capacity = 0;
}

/* The subsystem whose range in `at` contains j. */
static int owner(const int *at, int j)
{
    int i = 0;
    while (j >= at[i + 1])
        i++;
    return i;
}

/* The variable of a column behind time: its subsystem in *sub, 'x', 'u' or 'y' in *kind. */
static const ms_variable *variable_of(const ms_system *s, int column, int *sub, char *kind)
{
    int j = column - 1;
    if (j < s->nx) {
        *sub = owner(s->x_at, j);
        *kind = 'x';
        return &s->sub[*sub].x[j - s->x_at[*sub]];
    }
    j -= s->nx;
    if (j < s->nu) {
        *sub = owner(s->u_at, j);
        *kind = 'u';
        return &s->sub[*sub].u[j - s->u_at[*sub]];
    }
    j -= s->nu;
    *sub = owner(s->y_at, j);
    *kind = 'y';
    return &s->sub[*sub].y[j - s->y_at[*sub]];
}

void ms_trajectory_name(const ms_trajectory *trajectory, int column, char *name, size_t size)
{
    const ms_system *s = trajectory->system;
    int sub;
    char kind;
    if (column == 0) {
        snprintf(name, size, "time");
        return;
    }
    const ms_variable *variable = variable_of(s, column, &sub, &kind);
    snprintf(name, size, "%s.%c.%s", s->sub[sub].name, kind, variable->name);
}

const char *ms_trajectory_unit(const ms_trajectory *trajectory, int column)
{
    int sub;
    char kind;
    const char *unit = column == 0 ? "s" : variable_of(trajectory->system, column, &sub, &kind)->unit;
    return unit != NULL && unit[0] != '\0' ? unit : "1";
}
