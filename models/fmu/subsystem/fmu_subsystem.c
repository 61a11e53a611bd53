/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_subsystem.h"

#include <math.h>
#include <string.h>

#include "fmu_description_read.h"

/* FMUs of ours name the state x of a subsystem x.x, beside an output x: it comes back as x. */
static int prefix_of_states(const ms_fmu_description *d, int n, const int *states)
{
    bool ours = strncmp(d->tool, "macrostep ", 10) == 0;
    for (int k = 0; k < n && ours; k++)
        ours = strncmp(d->variables[states[k]].name, "x.", 2) == 0;
    return ours ? 2 : 0;
}

/* Of n values, whose variables these are, without their first letters. */
static const ms_variable *names_of(ms_structure *structure, const ms_fmu_description *d, int n,
                                   const int *variables, int prefix)
{
    ms_variable *names = ms_structure_alloc(structure, (size_t)n + 1, sizeof *names);
    for (int k = 0, element = 0; k < n && names != NULL; k++) {
        const ms_fmu_variable *v = &d->variables[variables[k]];
        const char *name = ms_fmu_value_name(v, element, structure);
        element = element + 1 < v->size ? element + 1 : 0;
        if (name == NULL)
            return NULL;
        names[k] = (ms_variable){name + prefix, v->unit};
    }
    return names;
}

static const double *nominals_of(ms_structure *structure, const ms_fmu_description *d, int n,
                                 const int *variables)
{
    double *nominal = ms_structure_alloc(structure, (size_t)n + 1, sizeof *nominal);
    for (int k = 0; k < n && nominal != NULL; k++)
        nominal[k] = d->variables[variables[k]].nominal;
    return nominal;
}

static ms_signal signal_of(const ms_fmu_variable *v)
{
    if (ms_fmu_type_is_real(v->type))
        return ms_fmu_is_continuous(v) ? MS_SIGNAL_CONTINUOUS : MS_SIGNAL_DISCRETE;
    return v->type == MS_FMU_BOOLEAN       ? MS_SIGNAL_BOOLEAN
           : v->type == MS_FMU_ENUMERATION ? MS_SIGNAL_ENUMERATION
                                           : MS_SIGNAL_INTEGER;
}

static const ms_signal *signals_of(ms_structure *structure, const ms_fmu_description *d, int n,
                                   const int *variables)
{
    ms_signal *signal = ms_structure_alloc(structure, (size_t)n + 1, sizeof *signal);
    for (int k = 0; k < n && signal != NULL; k++)
        signal[k] = signal_of(&d->variables[variables[k]]);
    return signal;
}

/* By the dependencies of ModelStructure; without them everything feeds through. */
static const bool *feed_through_of(ms_structure *structure, const ms_fmu_description *d,
                                   const ms_fmu_places *at)
{
    bool *feeds = ms_structure_alloc(structure, (size_t)at->ny * (size_t)at->nu + 1, sizeof *feeds);
    int *input = ms_structure_alloc(structure, (size_t)d->n_variables + 1, sizeof *input); /* 1 + its place */
    if (feeds == NULL || input == NULL)
        return NULL;
    for (int i = at->nu - 1; i >= 0; i--)
        input[d->inputs[i]] = 1 + i; /* of an array the first */
    for (int j = 0; j < at->ny; j++) {
        const ms_fmu_unknown *output = at->output[j];
        bool *row = feeds + (size_t)j * (size_t)at->nu;
        for (int i = 0; i < at->nu; i++)
            row[i] = output->n_dependencies < 0;
        for (int m = 0; m < output->n_dependencies; m++) {
            const int v = output->dependencies[m];
            for (int i = 0; i < d->variables[v].size && input[v] > 0; i++)
                row[input[v] - 1 + i] = true;
        }
    }
    return feeds;
}

/* The inputs become external ones. */
static int drive(const ms_fmu_places *at, ms_structure *structure, ms_subsystem *sub)
{
    bool *held = ms_structure_alloc(structure, (size_t)at->nu + 1, sizeof *held);
    MS_TRY_MEMORY(held);
    for (int i = at->n_continuous; i < at->nu; i++)
        held[i] = true;
    sub->w = sub->u;
    sub->w_signal = sub->u_signal;
    sub->nw = sub->nu;
    sub->nu = 0;
    sub->w_held = held;
    sub->external_constant = true;
    return MS_OK;
}

/* What outputs are said to start from, exactly or about; NaN: nothing. */
static const double *starts_of(ms_structure *structure, const ms_fmu_description *d, const ms_fmu_places *at)
{
    double *y0 = ms_structure_alloc(structure, (size_t)at->ny + 1, sizeof *y0);
    for (int j = 0; j < at->ny && y0 != NULL; j += d->variables[at->y_of[j]].size) {
        const ms_fmu_variable *v = &d->variables[at->y_of[j]];
        const bool said = v->start != NULL && (v->initial == MS_FMU_EXACT || v->initial == MS_FMU_APPROX);
        ms_fmu_start_values(v, y0 + j);
        for (int i = 0; i < v->size && !said; i++)
            y0[j + i] = NAN;
    }
    return y0;
}

/* Is any variable that a difference is made of of single precision? */
static bool is_single(const ms_fmu_description *d, const ms_fmu_places *at)
{
    bool single = false;
    for (int g = 0; g < at->all.n_groups; g++)
        single = single || at->all.group[g].type == MS_FMU_FLOAT32;
    for (int i = 0; i < at->n_continuous; i++)
        single = single || d->variables[d->inputs[i]].type == MS_FMU_FLOAT32;
    return single;
}

int ms_fmu_fill(const ms_fmu *fmu, const ms_fmu_setup *setup, const ms_fmu_places *at, bool driven,
                ms_structure *structure, ms_subsystem *sub)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    double *u0 = ms_structure_alloc(structure, (size_t)at->nu + 1, sizeof *u0);
    *sub =
        (ms_subsystem){.name = setup->instance_name,
                       .nx = at->nx,
                       .nu = at->nu,
                       .ny = at->ny,
                       .x = names_of(structure, d, at->nx, at->x_of, prefix_of_states(d, at->nx, at->x_of)),
                       .u = names_of(structure, d, at->nu, d->inputs, 0),
                       .y = names_of(structure, d, at->ny, at->y_of, 0),
                       .u_signal = signals_of(structure, d, at->nu, d->inputs),
                       .y_signal = signals_of(structure, d, at->ny, at->y_of),
                       .x_nominal = nominals_of(structure, d, at->nx, at->x_of),
                       .u_nominal = nominals_of(structure, d, at->nu, d->inputs),
                       .u0 = u0,
                       .y0 = starts_of(structure, d, at),
                       .single = is_single(d, at),
                       .feed_through = feed_through_of(structure, d, at)};
    if (u0 != NULL)
        ms_fmu_start_inputs(fmu, setup->n_settings, setup->setting, setup->value, u0);
    for (int i = 0; i < at->nu && u0 != NULL; i++)
        u0[i] = ms_fmu_places_carried(at, i, u0[i]);
    if (driven && drive(at, structure, sub) != MS_OK)
        return MS_NO_MEMORY;
    return sub->x != NULL && sub->u != NULL && sub->y != NULL && sub->u_signal != NULL &&
                   sub->y_signal != NULL && sub->y0 != NULL && sub->x_nominal != NULL &&
                   sub->u_nominal != NULL && u0 != NULL && sub->feed_through != NULL
               ? MS_OK
               : MS_NO_MEMORY;
}
