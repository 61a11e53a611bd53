/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "linearise_answer.h"
#include "nearest.h"
#include "plots.h"

typedef struct linearise_call {
    ms_call base;
    ms_linearisation_options options;
    ms_linearisation_point linearised_at;
    int only;                 /* subsystem; -1: all */
    double *state, *discrete; /* (nx), (nz) */
    ms_linearised *linearised;
} linearise_call;

/* Options ------------------------------------------------------------------------------------------------ */

static ms_linearisation_options options_of(const ms_arguments *arguments)
{
    static const ms_partials differences[] = {MS_PARTIALS_FORWARD, MS_PARTIALS_CENTRAL};
    return (ms_linearisation_options){arguments->differences < 0 ? MS_PARTIALS_BEST
                                                                 : differences[arguments->differences],
                                      arguments->compression == 0};
}

static int read_subsystem(linearise_call *call, ms_error *error)
{
    const char *name = call->base.arguments.text[MS_ARGUMENT_SUBSYSTEM];
    call->only = name != NULL ? ms_system_find(call->base.system, name) : -1;
    if (name != NULL && call->only < 0)
        return ms_fail(error, MS_INVALID, "--subsystem %s: model %s has none of that name; the nearest is %s",
                       name, call->base.system->model->name,
                       MS_NEAREST_OF(name, call->base.system->sub, call->base.system->n));
    return MS_OK;
}

/* Sets one state from "SUB.NAME=VALUE". */
static int set_state(const ms_system *system, const ms_pair *pair, double *x, ms_error *error)
{
    const char *dot = strchr(pair->name, '.');
    if (pair->text == NULL || dot == NULL || dot == pair->name || dot[1] == '\0')
        return ms_fail(error, MS_INVALID,
                       "--state %s: must be SUB.NAME=VALUE, or several with commas between", pair->name);
    const size_t length = (size_t)(dot - pair->name);
    int i = 0;
    while (i < system->n &&
           (strlen(system->sub[i].name) != length || strncmp(system->sub[i].name, pair->name, length) != 0))
        i++;
    if (i == system->n)
        return ms_fail(error, MS_INVALID, "--state %s: model %s has no subsystem %.*s; the nearest is %s",
                       pair->name, system->model->name, (int)length, pair->name,
                       MS_NEAREST_OF(pair->name, system->sub, system->n));
    int k = 0;
    while (k < system->sub[i].nx && strcmp(system->sub[i].x[k].name, dot + 1) != 0)
        k++;
    if (system->sub[i].nx == 0)
        return ms_fail(error, MS_INVALID, "--state %s: subsystem %s has no states", pair->name,
                       system->sub[i].name);
    if (k == system->sub[i].nx)
        return ms_fail(error, MS_INVALID, "--state %s: subsystem %s has no such state; the nearest is %s",
                       pair->name, system->sub[i].name,
                       MS_NEAREST_OF(dot + 1, system->sub[i].x, system->sub[i].nx));
    x[system->x_at[i] + k] = pair->value;
    return MS_OK;
}

static int set_states(const linearise_call *call, ms_error *error)
{
    const ms_pairs *given = &call->base.arguments.state;
    for (int k = 0; k < given->n; k++)
        MS_TRY(set_state(call->base.system, &given->pair[k], call->state, error));
    return MS_OK;
}

/* An opened FMU has discrete states that its description does not tell. */
static int allocate_state(linearise_call *call, ms_error *error)
{
    const ms_system *s = call->base.system;
    free(call->state);
    call->state = calloc((size_t)(s->nx + s->nz) + 1, sizeof *call->state);
    MS_TRY_MEMORY_FOR(call->state != NULL, error, "the states of model %s", s->model->name);
    call->discrete = call->state + s->nx;
    return MS_OK;
}

static int check(void *self, ms_error *error)
{
    linearise_call *call = self;
    MS_TRY(allocate_state(call, error));
    MS_TRY(read_subsystem(call, error));
    return set_states(call, error);
}

/* Reads time and states of the point. */
static int read_point(linearise_call *call, ms_error *error)
{
    ms_system *s = call->base.system;
    if (s->linear && call->base.arguments.text[MS_ARGUMENT_STATE] != NULL)
        return ms_fail(
            error, MS_INVALID,
            "--state: model %s is linear, its matrices are the same everywhere; leave the option out",
            s->model->name);
    MS_TRY(allocate_state(call, error));
    int status = ms_linearisation_point_read(call->base.arguments.text[MS_ARGUMENT_AT], s,
                                             &call->base.arguments.options, &call->linearised_at, error);
    MS_THEN(status, ms_linearisation_point_state(s, &call->linearised_at, &ms_interrupted, call->state,
                                                 call->discrete, error));
    MS_THEN(status, set_states(call, error));
    return status;
}

/* The command -------------------------------------------------------------------------------------------- */

static int compute(void *self, ms_error *error)
{
    linearise_call *call = self;
    const bool table = call->base.arguments.format == MS_FORMAT_TABLE;
    call->options = options_of(&call->base.arguments);
    int status = read_point(call, error);
    MS_THEN(status,
            ms_linearised_create(call->base.system, call->linearised_at.t, call->state, call->discrete,
                                 call->only, &call->options, &call->linearised, error));
    if (status == MS_SOLVER_FAILED) /* a fault of the point asked for */
        status = MS_INVALID;
    if (status == MS_OK && table && call->base.arguments.text[MS_ARGUMENT_PLOT] != NULL)
        call->base.plotted = ms_linearise_answer(call->linearised, &call->linearised_at, call->only);
    if (status == MS_OK)
        call->base.answer.value = (table ? ms_linearise_table : ms_linearise_answer)(
            call->linearised, &call->linearised_at, call->only);
    return status;
}

static void destroy(void *self)
{
    linearise_call *call = self;
    ms_linearised_destroy(&call->linearised);
    free(call->state);
}

const ms_call_steps ms_command_linearise = {.size = sizeof(linearise_call),
                                            .binds = MS_BINDS_SYSTEM,
                                            .check = check,
                                            .compute = compute,
                                            .plot_answer = ms_plot_linearise,
                                            .destroy = destroy};
