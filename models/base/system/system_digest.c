/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of a model are told by the program and the model's name, or by the text that they are read from, its numbers one by
 * one. */
#include "system_digest.h"

#include <stdlib.h>

static void add_subsystem(ms_digest *digest, const ms_system *system, int i)
{
    const ms_subsystem *sub = &system->sub[i];
    const ms_blocks *m = &system->blocks[i];
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    const int sizes[] = {sub->nx, sub->nu, sub->ny, sub->nw, sub->nz, sub->n_indicators};
    ms_digest_add_text(digest, sub->name);
    ms_digest_add_ints(digest, MS_COUNT(sizes), sizes);
    ms_digest_add_int(digest, system->equal_to[i]);
    if (m->A == NULL || system->equal_to[i] != i)
        return;
    ms_digest_add_numbers(digest, nx * nx, m->A);
    ms_digest_add_numbers(digest, nx * nu, m->B);
    ms_digest_add_numbers(digest, ny * nx, m->C);
    ms_digest_add_numbers(digest, ny * nu, m->D);
    ms_digest_add_numbers(digest, nx * nw, m->E);
    ms_digest_add_numbers(digest, ny * nw, m->F);
}

static void add_wires(ms_digest *digest, const ms_system *system)
{
    ms_digest_add_ints(digest, system->nu + 1, system->row_at);
    ms_digest_add_ints(digest, system->row_at[system->nu], system->wire_output);
    ms_digest_add_numbers(digest, (size_t)system->row_at[system->nu], system->wire_gain);
}

static void add_inputs(ms_digest *digest, const ms_system *system)
{
    const ms_series *series = system->inputs;
    ms_digest_add_int(digest, series != NULL);
    if (series == NULL)
        return;
    ms_digest_add_ints(digest, system->nw, system->input_column);
    ms_digest_add_numbers(digest, (size_t)series->rows, series->time);
    ms_digest_add_numbers(digest, (size_t)series->rows * (size_t)series->columns, series->value);
}

/* Returns MS_OK or MS_NO_MEMORY. */
static int add_start(ms_digest *digest, const ms_system *system)
{
    double *start = calloc((size_t)(system->nx + system->nz) + 1, sizeof *start);
    MS_TRY_MEMORY(start);
    ms_system_start(system, start);
    ms_system_start_discrete(system, start + system->nx);
    ms_digest_add_numbers(digest, (size_t)(system->nx + system->nz), start);
    free(start);
    return MS_OK;
}

int ms_system_digest(const ms_system *system, ms_digest *digest)
{
    *digest = ms_digest_empty;
    ms_digest_add_text(digest, system->model->name);
    ms_digest_add_numbers(digest, (size_t)system->model->n_parameters, system->p);
    ms_digest_add_int(digest, system->homogeneous);
    ms_digest_add_text(digest, system->model->text != NULL ? system->model->text : "");
    for (int i = 0; i < system->n; i++)
        add_subsystem(digest, system, i);
    if (system->x_scale != NULL) {
        ms_digest_add_numbers(digest, (size_t)system->nx, system->x_scale);
        ms_digest_add_numbers(digest, (size_t)system->nu, system->u_scale);
    }
    add_wires(digest, system);
    add_inputs(digest, system);
    return add_start(digest, system);
}
