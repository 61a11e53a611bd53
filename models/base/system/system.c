/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/system.h>

#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "structure.h"
#include "system_parts.h"

/* Parameters --------------------------------------------------------------------------------------------- */

static int unknown_case(const ms_model *model, const char *name, ms_error *error)
{
    return ms_fail(error, MS_INVALID, "model %s has no case %s; the nearest is %s", model->name, name,
                   MS_NEAREST_OF(name, model->cases, model->n_cases));
}

static int set_parameters(ms_system *system, const ms_setting *settings, int n, ms_error *error)
{
    const ms_model *model = system->model;
    for (int i = 0; i < n; i++) {
        MS_TRY(ms_model_check_parameter(model, settings[i].parameter, error));
        system->p[ms_model_parameter(model, settings[i].parameter)] = settings[i].value;
    }
    return MS_OK;
}

static int check_parameters(const ms_system *system, ms_error *error)
{
    const ms_model *model = system->model;
    for (int i = 0; i < model->n_parameters; i++) {
        const ms_parameter *parameter = &model->parameters[i];
        const double value = system->p[i], min = parameter->min, max = parameter->max;
        const bool above = parameter->min_excluded ? value > min : value >= min;
        const bool whole = !parameter->integer || value == floor(value);
        if (isfinite(value) && above && value <= max && whole)
            continue;
        const bool open = parameter->min_excluded || isinf(min);
        return ms_fail(error, MS_INVALID,
                       "parameter %s of model %s is %.15g [%s], but its range is %s%c%g, %g%c",
                       parameter->name, model->name, value, parameter->unit,
                       parameter->integer ? "whole numbers in " : "", open ? '(' : '[', min, max,
                       isinf(max) ? ')' : ']');
    }
    return MS_OK;
}

/* The case's values over the defaults, the settings over both. */
static int bind(ms_system *system, const char *case_name, const ms_setting *settings, int n_settings,
                ms_error *error)
{
    const ms_model *model = system->model;
    const int k = case_name == NULL ? 0 : ms_model_case(model, case_name);
    if (k < 0)
        return unknown_case(model, case_name, error);
    const ms_case *chosen = &model->cases[k];
    system->case_name = chosen->name;
    system->stop_time = chosen->stop_time > 0.0 ? chosen->stop_time : model->stop_time;
    system->step_size = chosen->step_size > 0.0 ? chosen->step_size : model->step_size;
    system->p = ms_structure_alloc(&system->structure, (size_t)model->n_parameters, sizeof *system->p);
    MS_TRY_MEMORY_FOR(system->p != NULL, error, "model %s", model->name);
    for (int i = 0; i < model->n_parameters; i++)
        system->p[i] = model->parameters[i].value;
    MS_TRY(set_parameters(system, chosen->settings, chosen->n_settings, error));
    MS_TRY(set_parameters(system, settings, n_settings, error));
    return check_parameters(system, error);
}

/* Structure ---------------------------------------------------------------------------------------------- */

/* Subsystems and wires of the model, as they are or as it builds them. */
static int copy_structure(ms_system *system, ms_error *error)
{
    const ms_model *model = system->model;
    ms_structure *s = &system->structure;
    if (model->build != NULL)
        return model->build(system->p, s, error);
    s->n_subsystems = model->n_subsystems;
    s->n_wires = model->n_wires;
    s->subsystems = ms_structure_alloc(s, (size_t)s->n_subsystems, sizeof *s->subsystems);
    s->wires = ms_structure_alloc(s, (size_t)s->n_wires, sizeof *s->wires);
    MS_TRY_MEMORY_FOR(s->subsystems != NULL && s->wires != NULL, error, "model %s", model->name);
    if (s->n_subsystems > 0)
        memcpy(s->subsystems, model->subsystems, (size_t)s->n_subsystems * sizeof *s->subsystems);
    if (s->n_wires > 0)
        memcpy(s->wires, model->wires, (size_t)s->n_wires * sizeof *s->wires);
    return MS_OK;
}

/* Allocates n + 1 zeroed items in *array. */
#define ALLOCATE(system, array, n)                                                                           \
    (((array) = ms_structure_alloc(&(system)->structure, (size_t)(n) + 1, sizeof *(array))) != NULL)

int ms_system_lay_out(ms_system *system, ms_error *error)
{
    const int n = system->structure.n_subsystems;
    system->n = n;
    system->sub = system->structure.subsystems;
    if (!ALLOCATE(system, system->x_at, n) || !ALLOCATE(system, system->u_at, n) ||
        !ALLOCATE(system, system->y_at, n) || !ALLOCATE(system, system->w_at, n) ||
        !ALLOCATE(system, system->z_at, n))
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d subsystems", n);
    for (int i = 0; i < n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        system->x_at[i + 1] = system->x_at[i] + sub->nx;
        system->u_at[i + 1] = system->u_at[i] + sub->nu;
        system->y_at[i + 1] = system->y_at[i] + sub->ny;
        system->w_at[i + 1] = system->w_at[i] + sub->nw;
        system->z_at[i + 1] = system->z_at[i] + ms_subsystem_nz(sub);
    }
    system->nx = system->x_at[n];
    system->nu = system->u_at[n];
    system->ny = system->y_at[n];
    system->nw = system->w_at[n];
    system->nz = system->z_at[n];
    if (!ALLOCATE(system, system->owner, system->ny))
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d outputs", system->ny);
    for (int i = 0; i < n; i++)
        for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++)
            system->owner[j] = i;
    return MS_OK;
}

/* row_at from the number of wires of each input; in next (nu) the same, to count on from. */
static void begin_rows(ms_system *system, int *next)
{
    const ms_structure *s = &system->structure;
    for (int k = 0; k < s->n_wires; k++)
        system->row_at[system->u_at[s->wires[k].to] + s->wires[k].input + 1]++;
    for (int i = 0; i < system->nu; i++) {
        system->row_at[i + 1] += system->row_at[i];
        next[i] = system->row_at[i];
    }
}

/* L by rows: wires sorted by input, those of one input in declared order. */
static int connect(ms_system *system, ms_error *error)
{
    const ms_structure *s = &system->structure;
    int *next = calloc((size_t)system->nu + 1, sizeof *next);
    if (next == NULL || !ALLOCATE(system, system->row_at, system->nu) ||
        !ALLOCATE(system, system->wire_output, s->n_wires) ||
        !ALLOCATE(system, system->wire_gain, s->n_wires) || !ALLOCATE(system, system->carried, system->ny)) {
        free(next);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d wires", s->n_wires);
    }
    begin_rows(system, next);
    for (int k = 0; k < s->n_wires; k++) {
        const ms_wire *wire = &s->wires[k];
        const int at = next[system->u_at[wire->to] + wire->input]++;
        system->wire_output[at] = system->y_at[wire->from] + wire->output;
        system->wire_gain[at] = wire->gain;
        system->carried[system->wire_output[at]] = true;
    }
    free(next);
    return MS_OK;
}

/* Held inputs ------------------------------------------------------------------------------------------- */

static ms_signal signal_of(const ms_signal *signal, int k)
{
    return signal != NULL ? signal[k] : MS_SIGNAL_CONTINUOUS;
}

/* Inputs that jump, and those of which a wire's output does. */
static int mark_held(ms_system *system, ms_error *error)
{
    const ms_structure *s = &system->structure;
    bool *held, any = false;
    MS_TRY_MEMORY_FOR(ALLOCATE(system, held, system->nu), error, "model %s", system->model->name);
    for (int k = 0; k < s->n_wires; k++) {
        const ms_wire *w = &s->wires[k];
        const bool jumps = signal_of(system->sub[w->to].u_signal, w->input) != MS_SIGNAL_CONTINUOUS ||
                           signal_of(system->sub[w->from].y_signal, w->output) != MS_SIGNAL_CONTINUOUS;
        held[system->u_at[w->to] + w->input] |= jumps;
        any = any || jumps;
    }
    system->u_held = any ? held : NULL;
    return MS_OK;
}

/* Feed-through -------------------------------------------------------------------------------------- */

bool ms_subsystem_feeds_through(const ms_system *system, int i, int j, int k)
{
    const ms_subsystem *sub = &system->sub[i];
    const int at = j * sub->nu + k;
    if (sub->feed_through != NULL)
        return sub->feed_through[at];
    return sub->matrices == NULL || system->blocks[i].D[at] != 0.0;
}

int ms_system_mark_feed_through(ms_system *system, ms_error *error)
{
    MS_TRY_MEMORY_FOR(ALLOCATE(system, system->feed_through, system->ny), error, "model %s",
                      system->model->name);
    for (int i = 0; i < system->n; i++) {
        const int *row = &system->row_at[system->u_at[i]];
        for (int j = 0; j < system->sub[i].ny; j++)
            for (int k = 0; k < system->sub[i].nu; k++)
                if (row[k + 1] > row[k] && ms_subsystem_feeds_through(system, i, j, k))
                    system->feed_through[system->y_at[i] + j] = true;
    }
    return MS_OK;
}

bool ms_system_exchanges_feed_through(const ms_system *system)
{
    for (int w = 0; w < system->row_at[system->nu]; w++)
        if (system->feed_through[system->wire_output[w]])
            return true;
    return false;
}

/* Systems ------------------------------------------------------------------------------------------------ */

int ms_system_create(const ms_model *model, const char *case_name, const ms_setting *settings, int n_settings,
                     ms_system **system, ms_error *error)
{
    *system = NULL;
    ms_system *s = calloc(1, sizeof *s);
    MS_TRY_MEMORY_FOR(s != NULL, error, "model %s", model->name);
    s->model = model;
    s->structure.model = model;
    int status = bind(s, case_name, settings, n_settings, error);
    MS_THEN(status, copy_structure(s, error));
    MS_THEN(status, ms_system_lay_out(s, error));
    MS_THEN(status, connect(s, error));
    MS_THEN(status, mark_held(s, error));
    MS_THEN(status, ms_system_fill_matrices(s, error));
    MS_THEN(status, ms_system_mark_feed_through(s, error));
    MS_THEN(status, ms_system_find_lines(s, error));
    MS_THEN(status, ms_system_find_bonds(s, error));
    MS_THEN(status, ms_system_find_scales(s, error));
    if (status == MS_OK)
        *system = s;
    else
        ms_system_destroy(&s);
    return status;
}

int ms_system_again(const ms_system *system, ms_system **again, ms_error *error)
{
    const int n = system->model->n_parameters;
    ms_setting *settings = calloc((size_t)n + 1, sizeof *settings);
    *again = NULL;
    MS_TRY_MEMORY_FOR(settings != NULL, error, "the %d parameters of model %s", n, system->model->name);
    for (int k = 0; k < n; k++)
        settings[k] = (ms_setting){system->model->parameters[k].name, system->p[k]};
    int status = ms_system_create(system->model, system->case_name, settings, n, again, error);
    free(settings);
    if (*again == NULL)
        return status;
    (*again)->start_eps = system->start_eps;
    (*again)->homogeneous = system->homogeneous;
    if (system->inputs != NULL)
        status = ms_system_bind_inputs(*again, system->inputs, error);
    if (status != MS_OK)
        ms_system_destroy(again);
    return status;
}

bool ms_system_can_be_lost(const ms_system *system)
{
    int i = 0;
    while (i < system->n && system->sub[i].said == NULL)
        i++;
    return i < system->n;
}

void ms_system_destroy(ms_system **system)
{
    if (system == NULL || *system == NULL)
        return;
    ms_structure_free(&(*system)->structure);
    free(*system);
    *system = NULL;
}
