/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_inputs.c - external inputs that follow a time series. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/system.h>
#include "nearest.h"

/* "name" or "name, line n" of the series. */
static void place(const ms_series *series, char *text, size_t size)
{
    if (series->path[0] != '\0')
        snprintf(text, size, "%s, line %ld", series->path, series->name_line);
    else
        snprintf(text, size, "external inputs");
}

static int unknown_column(const ms_system *system, const ms_series *series, const char *name, ms_error *error)
{
    char where[256];
    place(series, where, sizeof where);
    if (system->w_at[ms_system_shown(system)] == 0)
        return ms_fail(error, MS_INVALID, "%s: column %.60s: model %s has no external inputs", where, name,
                       system->model->name);
    const char **names = calloc((size_t)system->nw, sizeof *names);
    char(*text)[160] = calloc((size_t)system->nw, sizeof *text);
    int status = MS_NO_MEMORY;
    if (names != NULL && text != NULL) {
        for (int i = 0; i < ms_system_shown(system); i++)
            for (int j = 0; j < system->sub[i].nw; j++) {
                const int k = system->w_at[i] + j;
                snprintf(text[k], sizeof *text, "%s.w.%s", system->sub[i].name, system->sub[i].w[j].name);
                names[k] = text[k];
            }
        status = ms_fail(
            error, MS_INVALID, "%s: column %.60s names no external input of model %s; the nearest is %s",
            where, name, system->model->name, ms_nearest(name, names, system->w_at[ms_system_shown(system)]));
    }
    MS_FREE(names, text);
    return status;
}

/* Does the column's name mean external input `input` of the subsystem? One that is alone needs no name. */
static bool means(const char *column, const ms_subsystem *sub, bool alone, const char *input)
{
    if (alone && strcmp(column, input) == 0)
        return true;
    const char *dot = strstr(column, ".w.");
    if (dot == NULL || strcmp(dot + 3, input) != 0)
        return false;
    const size_t length = (size_t)(dot - column);
    return (length == 1 && column[0] == '*') ||
           (strlen(sub->name) == length && strncmp(column, sub->name, length) == 0);
}

/* Has the column whole numbers where the external input is one, 0 and 1 where it is a boolean? */
static int check_whole(const ms_series *series, int k, ms_signal signal, ms_error *error)
{
    for (long r = 0; r < series->rows && signal >= MS_SIGNAL_INTEGER; r++) {
        const double v = series->value[r * series->columns + k];
        const bool fits = v == floor(v) && (signal != MS_SIGNAL_BOOLEAN || v == 0.0 || v == 1.0);
        if (!fits)
            return ms_fail(error, MS_INVALID,
                           "%s, line %ld: %.60s is %.15g, but it is of type %s: %s are expected",
                           series->path[0] != '\0' ? series->path : "external inputs",
                           series->name_line + 1 + r, series->name[k], v, ms_signal_names[signal],
                           signal == MS_SIGNAL_BOOLEAN ? "0 and 1" : "whole numbers");
    }
    return MS_OK;
}

/* Column k goes wherever its name says. */
static int assign(ms_system *system, const ms_series *series, int k, ms_error *error)
{
    int found = 0;
    for (int i = 0; i < ms_system_shown(system); i++)
        for (int j = 0; j < system->sub[i].nw; j++) {
            int *column = &system->input_column[system->w_at[i] + j];
            if (!means(series->name[k], &system->sub[i], ms_system_shown(system) == 1,
                       system->sub[i].w[j].name))
                continue;
            if (*column >= 0) {
                char where[256];
                place(series, where, sizeof where);
                return ms_fail(error, MS_INVALID,
                               "%s: columns %.60s and %.60s name the same external input; leave one out",
                               where, series->name[*column], series->name[k]);
            }
            const ms_signal *signal = system->sub[i].w_signal;
            if (signal != NULL)
                MS_TRY(check_whole(series, k, signal[j], error));
            *column = k;
            system->structure.subsystems[i].external_constant = false;
            system->structure.subsystems[i].follows_series = true;
            found++;
        }
    return found > 0 ? MS_OK : unknown_column(system, series, series->name[k], error);
}

static int find_kinks(ms_system *system, const ms_series *inputs, ms_error *error)
{
    long *kink = ms_structure_alloc(&system->structure, (size_t)inputs->rows, sizeof *kink);
    bool *marked = calloc((size_t)inputs->columns + 1, sizeof *marked);
    if (kink == NULL || marked == NULL) {
        free(marked);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %ld rows of external inputs",
                       inputs->rows);
    }
    for (int k = 0; k < system->nw; k++)
        if (system->input_column[k] >= 0)
            marked[system->input_column[k]] = true;
    ms_series_find_kinks(inputs, marked, kink);
    system->input_kink = kink;
    free(marked);
    return MS_OK;
}

int ms_system_bind_inputs(ms_system *system, const ms_series *inputs, ms_error *error)
{
    system->input_column =
        ms_structure_alloc(&system->structure, (size_t)system->nw + 1, sizeof *system->input_column);
    MS_TRY_MEMORY_FOR(system->input_column != NULL, error, "%d external inputs", system->nw);
    for (int k = 0; k < system->nw; k++)
        system->input_column[k] = -1;
    for (int k = 0; k < inputs->columns; k++)
        MS_TRY(assign(system, inputs, k, error));
    MS_TRY(find_kinks(system, inputs, error));
    system->inputs = inputs;
    return MS_OK;
}

int ms_system_check_inputs(const ms_system *system, double from, double to, ms_error *error)
{
    const ms_series *inputs = system->inputs;
    const double slack = 1e-9 * (to - from); /* ends as files write them */
    if (inputs == NULL || (inputs->time[0] <= from + slack && to - slack <= inputs->time[inputs->rows - 1]))
        return MS_OK;
    return ms_fail(
        error, MS_INVALID,
        "%s%sthe run goes from %.15g to %.15g s, but the external inputs from %.15g to %.15g s; they are not "
        "extrapolated",
        inputs->path, inputs->path[0] != '\0' ? ": " : "", from, to, inputs->time[0],
        inputs->time[inputs->rows - 1]);
}
