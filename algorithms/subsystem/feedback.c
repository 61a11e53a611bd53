/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "feedback.h"

#include <stdlib.h>
#include <string.h>

/* A copy of the matrices, in memory behind them. */
static ms_blocks *copy_blocks(const ms_subsystem *sub, const ms_blocks *from)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny, nw = (size_t)sub->nw;
    const size_t size[] = {nx * nx, nx * nu, ny * nx, ny * nu, nx * nw, ny * nw};
    const double *source[] = {from->A, from->B, from->C, from->D, from->E, from->F};
    ms_blocks *to = calloc(1, sizeof *to + sizeof(double) * ((nx + ny) * (nx + nu + nw) + 1));
    if (to == NULL)
        return NULL;
    double *next = (double *)(to + 1), *place[6];
    for (int k = 0; k < 6; next += size[k], k++) {
        place[k] = next;
        if (size[k] > 0)
            memcpy(next, source[k], sizeof(double) * size[k]);
    }
    *to = (ms_blocks){place[0], place[1], place[2], place[3], place[4], place[5]};
    return to;
}

/* to += gain (column `input` of `column`) (row), of `rows` rows and n columns. */
static void add_outer(int rows, int n, double gain, const double *column, int nu, const double *row,
                      double *to)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] += gain * column[i * nu] * row[j];
}

static void close_loop(const ms_subsystem *sub, const ms_blocks *m, const ms_input_law *law,
                       const ms_blocks *to)
{
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny, nw = sub->nw, j = law->output;
    const double *b = m->B + law->input, *d = m->D + law->input;
    const double g = law->feedback;
    add_outer(nx, nx, g, b, nu, m->C + j * nx, to->A);
    add_outer(nx, nu, g, b, nu, m->D + j * nu, to->B);
    add_outer(nx, nw, g, b, nu, m->F + j * nw, to->E);
    add_outer(ny, nx, g, d, nu, m->C + j * nx, to->C);
    add_outer(ny, nu, g, d, nu, m->D + j * nu, to->D);
    add_outer(ny, nw, g, d, nu, m->F + j * nw, to->F);
}

int ms_feedback_create(ms_instance *instance, int n, const ms_input_law *laws)
{
    if (n == 0)
        return MS_OK;
    if (ms_instance_allow_laws(instance) != MS_OK)
        return MS_NO_MEMORY;
    memcpy(instance->law, laws, sizeof *laws * (size_t)n);
    instance->n_laws = n;
    if (instance->blocks == NULL)
        return MS_OK;
    instance->feedback = copy_blocks(instance->sub, instance->blocks);
    if (instance->feedback == NULL)
        return MS_NO_MEMORY;
    for (int k = 0; k < n; k++)
        close_loop(instance->sub, instance->blocks, &laws[k], instance->feedback);
    instance->closed = instance->feedback;
    return MS_OK;
}

void ms_feedback_destroy(ms_instance *instance)
{
    free(instance->feedback);
    instance->feedback = NULL;
}
