/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_output_cosim.c - an observer that reads a co-simulation at given times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "simulated_output.h"

enum { NODES = 7 }; /* of the interpolation: the start of a macro-step and its samples */

typedef struct collector {
    const ms_simulated_output *simulated;
    double node[NODES]; /* fractions of a macro-step, 0 first */
    bool sampled;       /* some times are no communication points */
    long *next;         /* (n): the first row that each subsystem has not reached */
    double *x;          /* (nx): states at the last communication point of each subsystem */
    double *between;    /* (nx + nu + ny + nw): values inside a macro-step */
    double *value;      /* (rows x columns) */
    bool undefined;     /* an output could not be computed */
} collector;

/* Polynomials inside a macro-step ------------------------------------------------------------------------ */

/* (1 - cos(pi k / 6)) / 2 */
static void place_nodes(double *node)
{
    for (int k = 0; k < NODES; k++)
        node[k] = 0.5 * (1.0 - cos(acos(-1.0) * k / (NODES - 1)));
    node[NODES - 1] = 1.0;
}

/* Weights of the values at the nodes in the interpolant at s: the barycentric formula with weights (-1)^k,
 * halved at both ends. */
static void weigh(const double *node, double s, double *weight)
{
    double sum = 0.0;
    for (int k = 0; k < NODES; k++) {
        if (s == node[k]) {
            memset(weight, 0, sizeof(double) * NODES);
            weight[k] = 1.0;
            return;
        }
        weight[k] = (k % 2 == 0 ? 1.0 : -1.0) * (k == 0 || k == NODES - 1 ? 0.5 : 1.0) / (s - node[k]);
        sum += weight[k];
    }
    for (int k = 0; k < NODES; k++)
        weight[k] /= sum;
}

/* States, inputs and outputs of subsystem i inside the segment, in their places of c->between. */
static void interpolate(collector *c, const ms_cosim *cosim, const ms_segment *segment, int i, double t)
{
    const ms_system *s = cosim->system;
    const ms_subsystem *sub = &s->sub[i];
    double weight[NODES], *x = c->between, *u = x + s->nx, *y = u + s->nu, *w = y + s->ny;
    weigh(c->node, (t - segment->t) / segment->h, weight);
    for (int j = s->x_at[i]; j < s->x_at[i + 1]; j++) {
        x[j] = weight[0] * c->x[j];
        for (int k = 1; k < NODES; k++)
            x[j] += weight[k] * segment->samples[(k - 1) * s->nx + j];
    }
    for (int j = s->u_at[i]; j < s->u_at[i + 1]; j++) {
        u[j] = weight[0] * segment->u[j];
        for (int k = 1; k < NODES; k++)
            u[j] += weight[k] * segment->inputs[(k - 1) * s->nu + j];
    }
    ms_point at = {.t = t, .x = x + s->x_at[i], .u = u + s->u_at[i], .z = cosim->instance[i]->z};
    if (sub->ny > 0 && !sub->uses_du && ms_subsystem_g(s, i, &at, w, y + s->y_at[i]) != 0)
        c->undefined = true;
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* The columns of subsystem i in a row: x and y of all subsystems. */
static void write_row(const collector *c, const ms_system *s, int i, const double *x, const double *y,
                      long row)
{
    const ms_simulated_output *r = c->simulated;
    for (int k = 0; k < r->columns; k++) {
        const int j = r->source[k];
        if (j >= s->x_at[i] && j < s->x_at[i + 1])
            c->value[row * r->columns + k] = x[j];
        else if (j - s->nx >= s->y_at[i] && j - s->nx < s->y_at[i + 1])
            c->value[row * r->columns + k] = y[j - s->nx];
    }
}

/* The rows of subsystem i in (t, t + h], where it communicates at t + h. segment: what precedes; NULL where
 * all of them are at t + h. */
static void collect(collector *c, const ms_cosim *cosim, const ms_segment *segment, int i, double t, double h)
{
    const ms_simulated_output *r = c->simulated;
    const ms_system *s = cosim->system;
    const double end = t + h, near = 1e-9 * h;
    for (; c->next[i] < r->rows && r->time[c->next[i]] <= end + near; c->next[i]++) {
        const double time = r->time[c->next[i]];
        if (segment == NULL || time >= end - near) {
            write_row(c, s, i, cosim->x, cosim->y, c->next[i]);
        } else {
            interpolate(c, cosim, segment, i, time);
            write_row(c, s, i, c->between, c->between + s->nx + s->nu, c->next[i]);
        }
    }
    if (s->sub[i].nx > 0)
        memcpy(c->x + s->x_at[i], cosim->x + s->x_at[i], sizeof(double) * (size_t)s->sub[i].nx);
}

/* Likewise where another segment follows before the communication point (halves of a controlled macro-step).
 */
static void collect_part(collector *c, const ms_cosim *cosim, const ms_segment *segment, int i)
{
    const ms_simulated_output *r = c->simulated;
    const ms_system *s = cosim->system;
    for (; c->next[i] < r->rows && r->time[c->next[i]] <= segment->t + segment->h; c->next[i]++) {
        interpolate(c, cosim, segment, i, r->time[c->next[i]]);
        write_row(c, s, i, c->between, c->between + s->nx + s->nu, c->next[i]);
    }
    for (int j = s->x_at[i]; j < s->x_at[i + 1]; j++)
        c->x[j] = segment->samples[(NODES - 2) * s->nx + j];
}

static int collect_start(void *self, const ms_cosim *cosim, double t)
{
    collector *c = self;
    for (int i = 0; i < cosim->system->n; i++) {
        c->next[i] = 0;
        collect(c, cosim, NULL, i, t, 0.0);
    }
    return 0;
}

static int collect_step(void *self, const ms_cosim *cosim, double t, double h)
{
    collector *c = self;
    if (!c->sampled) {
        for (int i = 0; i < cosim->system->n; i++)
            collect(c, cosim, NULL, i, t, h);
        return 0;
    }
    for (int k = 0; k < cosim->n_segments; k++) {
        const ms_segment *segment = &cosim->segment[k];
        for (int i = segment->first; i < segment->last; i++)
            if (ms_cosim_next_segment(cosim, k, i) == NULL)
                collect(c, cosim, segment, i, segment->t, segment->h);
            else
                collect_part(c, cosim, segment, i);
    }
    return c->undefined ? 1 : 0;
}

/* Runs --------------------------------------------------------------------------------------------------- */

/* Are the macro-steps equal, and every time at the end of one of them? */
static bool all_are_communication_points(const ms_cosim *cosim, const ms_simulated_output *simulated)
{
    const ms_variant *o = &cosim->variant;
    if (o->control.error_controlled != MS_CONTROL_NONE || cosim->scheme->next_time != NULL ||
        cosim->scheme->retries)
        return false;
    bool meet = true;
    for (long row = 0; row < simulated->rows - 1; row++) { /* the last time is the end */
        const double steps = (simulated->time[row] - o->start_time) / o->step_size;
        meet = meet && fabs(steps - nearbyint(steps)) <= 1e-9;
    }
    return meet;
}

/* Outputs that read u' are known at communication points only. */
static int check_outputs(const ms_cosim *cosim, const ms_simulated_output *simulated, ms_error *error)
{
    const ms_system *s = cosim->system;
    for (int k = 0; k < simulated->columns; k++)
        for (int i = 0; i < s->n; i++)
            if (s->sub[i].uses_du && simulated->source[k] >= s->nx + s->y_at[i] &&
                simulated->source[k] < s->nx + s->y_at[i + 1])
                return ms_fail(error, MS_UNSUPPORTED,
                               "column %s depends on derivatives of inputs, which are known only at "
                               "communication points; all measured times must be multiples of `step-size`",
                               simulated->name[k]);
    return MS_OK;
}

static int create(collector *c, ms_cosim *cosim, const ms_simulated_output *simulated, ms_error *error)
{
    const ms_system *s = cosim->system;
    place_nodes(c->node);
    c->sampled = !all_are_communication_points(cosim, simulated);
    c->next = calloc((size_t)s->n + 1, sizeof *c->next);
    c->x = calloc((size_t)(2 * s->nx + s->nu + s->ny + s->nw) + 1, sizeof *c->x);
    MS_TRY_MEMORY_FOR(c->next != NULL && c->x != NULL, error, "a run");
    c->between = c->x + s->nx;
    if (!c->sampled)
        return MS_OK;
    MS_TRY(ms_system_needs_equations(s, "an estimate from times inside macro-steps", error));
    MS_TRY_MEMORY_FOR(ms_cosim_sample(cosim, NODES - 1, c->node + 1) == MS_OK, error, "the samples of a run");
    return check_outputs(cosim, simulated, error);
}

static int conclude(const collector *c, const ms_run_result *result, ms_error *error)
{
    if (c->undefined)
        return ms_fail(error, MS_STEP_REJECTED, "an output is not defined at %.6g s", result->end_time);
    if (result->reason == MS_REASON_END_TIME)
        return MS_OK;
    if (result->reason == MS_REASON_INTERRUPTED)
        return MS_INTERRUPTED;
    return ms_fail(error, MS_STEP_REJECTED, "the run ends at %.6g s as %s: %.300s", result->end_time,
                   ms_reason_name(result->reason), result->message);
}

int ms_simulated_output_cosim(const ms_simulated_output *simulated, const ms_system *system,
                              const volatile sig_atomic_t *stop, double *value, ms_error *error)
{
    collector c = {.simulated = simulated, .value = value};
    const ms_observer observer = {.self = &c, .start = collect_start, .step = collect_step};
    ms_cosim *cosim = NULL;
    ms_run_result result;
    int status = ms_cosim_of_options(system, &simulated->options, &cosim, error);
    if (status == MS_NO_SOLUTION)
        status = MS_STEP_REJECTED;
    MS_THEN(status, create(&c, cosim, simulated, error));
    MS_THEN(status, ms_run(cosim, &observer, 1, NULL, stop, &result, error));
    MS_THEN(status, conclude(&c, &result, error));
    MS_FREE(c.next, c.x);
    ms_cosim_destroy(&cosim);
    return status;
}
