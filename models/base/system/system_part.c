/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_part.c - some subsystems of a system as a system of their own, and what they read of the others. */
#include <stdlib.h>
#include <string.h>

#include "system_parts.h"

/* The data of the subsystem that means all others. */
typedef struct neighbours {
    int n;
    const double *value; /* (n) */
} neighbours;

static int copy_values(const ms_point *at, double *y)
{
    const neighbours *others = at->data;
    memcpy(y, others->value, sizeof *y * (size_t)others->n);
    return 0;
}

static int copy_subsystems(const ms_system *whole, int first, int last, neighbours others, ms_system *part)
{
    ms_structure *s = &part->structure;
    const size_t n = (size_t)(last - first);
    s->n_subsystems = last - first + 1;
    s->subsystems = ms_structure_alloc(s, n + 1, sizeof *s->subsystems);
    neighbours *data = ms_structure_alloc(s, 1, sizeof *data);
    ms_variable *names = ms_structure_alloc(s, (size_t)others.n + 1, sizeof *names);
    MS_TRY_MEMORY(s->subsystems != NULL && data != NULL && names != NULL);
    *data = others;
    for (int k = 0; k < others.n; k++)
        names[k] = (ms_variable){"y", "1"};
    if (n > 0)
        memcpy(s->subsystems, whole->sub + first, sizeof *s->subsystems * n);
    s->subsystems[n] =
        (ms_subsystem){.name = "neighbours", .ny = others.n, .y = names, .g = copy_values, .data = data};
    return MS_OK;
}

/* Where each output of the whole is in the part, or -1; to be freed. */
static int *places(const ms_system *whole, int first, int last, int n, const int *output)
{
    const int begin = whole->y_at[first], end = whole->y_at[last];
    int *place = malloc(sizeof *place * ((size_t)whole->ny + 1));
    if (place == NULL)
        return NULL;
    for (int j = 0; j < whole->ny; j++)
        place[j] = j >= begin && j < end ? j - begin : -1;
    for (int k = 0; k < n; k++)
        place[output[k]] = end - begin + k;
    return place;
}

/* The rows of L of the inputs of the part. */
static int copy_wires(const ms_system *whole, int first, const int *place, ms_system *part)
{
    const int *row = whole->row_at + whole->u_at[first];
    const size_t wires = (size_t)(row[part->nu] - row[0]);
    part->row_at = ms_structure_alloc(&part->structure, (size_t)part->nu + 1, sizeof *part->row_at);
    part->wire_output = ms_structure_alloc(&part->structure, wires + 1, sizeof *part->wire_output);
    part->wire_gain = ms_structure_alloc(&part->structure, wires + 1, sizeof *part->wire_gain);
    part->carried = ms_structure_alloc(&part->structure, (size_t)part->ny + 1, sizeof *part->carried);
    MS_TRY_MEMORY(part->row_at != NULL && part->wire_output != NULL && part->wire_gain != NULL &&
                  part->carried != NULL);
    for (int j = 0; j < part->ny; j++)
        part->carried[j] = j >= part->y_at[part->n - 1] || whole->carried[whole->y_at[first] + j];
    for (int l = 0; l <= part->nu; l++)
        part->row_at[l] = row[l] - row[0];
    for (int w = 0; w < part->row_at[part->nu]; w++) {
        part->wire_output[w] = place[whole->wire_output[row[0] + w]];
        part->wire_gain[w] = whole->wire_gain[row[0] + w];
    }
    return MS_OK;
}

/* Everything that is not said by subsystems and wires. */
static ms_system inherit(const ms_system *whole, int first)
{
    return (ms_system){.model = whole->model,
                       .p = whole->p,
                       .homogeneous = whole->homogeneous,
                       .inputs = whole->inputs,
                       .input_column =
                           whole->input_column != NULL ? whole->input_column + whole->w_at[first] : NULL,
                       .input_kink = whole->input_kink,
                       .x_scale = whole->x_scale != NULL ? whole->x_scale + whole->x_at[first] : NULL,
                       .u_scale = whole->u_scale != NULL ? whole->u_scale + whole->u_at[first] : NULL,
                       .u_held = whole->u_held != NULL ? whole->u_held + whole->u_at[first] : NULL,
                       .stop_time = whole->stop_time,
                       .step_size = whole->step_size,
                       .start_eps = whole->start_eps,
                       .case_name = whole->case_name,
                       .structure = {.model = whole->model}};
}

int ms_system_part(const ms_system *whole, int first, int last, int n, const int *output, const double *value,
                   ms_system **out, ms_error *error)
{
    int *place = places(whole, first, last, n, output);
    ms_system *part = malloc(sizeof *part);
    int status = place != NULL && part != NULL ? MS_OK : MS_NO_MEMORY;
    if (part != NULL)
        *part = inherit(whole, first);
    MS_THEN(status, copy_subsystems(whole, first, last, (neighbours){n, value}, part));
    MS_THEN(status, ms_system_lay_out(part, error));
    MS_THEN(status, copy_wires(whole, first, place, part));
    MS_THEN(status, ms_system_fill_matrices(part, error));
    MS_THEN(status, ms_system_mark_feed_through(part, error));
    free(place);
    if (status != MS_OK)
        ms_system_destroy(&part);
    else
        part->linear = whole->linear; /* whatever means the others */
    *out = part;
    return status == MS_OK
               ? MS_OK
               : ms_fail(error, status, "not enough memory for a part of model %s", whole->model->name);
}
