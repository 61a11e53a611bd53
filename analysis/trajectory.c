#include "trajectory.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 256 }; /* rows at first; doubled where they do not suffice */

static int reserve(ms_trajectory *trajectory, long rows)
{
    if (rows <= trajectory->capacity)
        return MS_OK;
    const long capacity = trajectory->capacity == 0 ? CAPACITY : 2 * trajectory->capacity;
    const size_t row_size = sizeof(double) * (size_t)trajectory->columns;
    if ((size_t)capacity > SIZE_MAX / row_size)
        return MS_NO_MEMORY;
    double *row = realloc(trajectory->row, (size_t)capacity * row_size);
    if (row == NULL)
        return MS_NO_MEMORY;
    trajectory->row = row;
    trajectory->capacity = capacity;
    return MS_OK;
}

static double *last_row(const ms_trajectory *trajectory)
{
    return trajectory->row + (size_t)(trajectory->rows - 1) * (size_t)trajectory->columns;
}

/* A row with u = L y. */
static int append(ms_trajectory *trajectory, const ms_cosim *cosim, double t)
{
    trajectory->status = reserve(trajectory, trajectory->rows + 1);
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
    return 0;
}

static int trajectory_start(void *self, const ms_cosim *cosim, double t)
{
    ms_trajectory *trajectory = self;
    trajectory->rows = 0;
    return append(trajectory, cosim, t);
}

/* The time and the right limits of the last row are those with which the step from it began. */
static int trajectory_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_trajectory *trajectory = self;
    if (trajectory->status != MS_OK)
        return 1;
    double *row = last_row(trajectory);
    row[0] = t;
    if (trajectory->nu > 0)
        memcpy(row + 1 + trajectory->nx, cosim->segment[0].u, sizeof(double) * (size_t)trajectory->nu);
    return append(trajectory, cosim, t + h);
}

/* The last row's time is where the run stands: t + h may differ from it by round-off. A last step that
 * diverged has no row. */
static void trajectory_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)reason;
    ms_trajectory *trajectory = self;
    if (trajectory->rows < 2)
        return;
    double *row = last_row(trajectory);
    const double h = row[0] - row[-trajectory->columns];
    if (fabs(t - row[0]) < 0.5 * h)
        row[0] = t;
}

int ms_trajectory_create(ms_cosim *cosim, ms_trajectory *trajectory, ms_observer *observer, ms_error *error)
{
    const ms_system *s = cosim->system;
    *trajectory = (ms_trajectory){.nx = s->nx, .nu = s->nu, .ny = s->ny, .columns = 1 + s->nx + s->nu + s->ny,
                                  .system = s};
    *observer = (ms_observer){.self = trajectory, .start = trajectory_start, .step = trajectory_step,
                              .end = trajectory_end};
    if (ms_cosim_sample(cosim, 0, NULL) != MS_OK || reserve(trajectory, 1) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a trajectory of %d columns",
                       trajectory->columns);
    return MS_OK;
}

void ms_trajectory_destroy(ms_trajectory *trajectory)
{
    free(trajectory->row);
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

void ms_trajectory_name(const ms_trajectory *trajectory, int column, char *name, size_t size)
{
    const ms_system *s = trajectory->system;
    int j = column - 1;
    if (column == 0) {
        snprintf(name, size, "time");
    } else if (j < s->nx) {
        const int i = owner(s->x_at, j);
        snprintf(name, size, "%s.x.%s", s->sub[i].name, s->sub[i].x[j - s->x_at[i]].name);
    } else if ((j -= s->nx) < s->nu) {
        const int i = owner(s->u_at, j);
        snprintf(name, size, "%s.u.%s", s->sub[i].name, s->sub[i].u[j - s->u_at[i]].name);
    } else {
        j -= s->nu;
        const int i = owner(s->y_at, j);
        snprintf(name, size, "%s.y.%s", s->sub[i].name, s->sub[i].y[j - s->y_at[i]].name);
    }
}
