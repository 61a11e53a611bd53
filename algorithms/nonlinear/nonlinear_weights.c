/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nonlinear_weights.h"

#include <math.h>
#include <string.h>

static const double threshold = 10.0; /* of a change that replaces weights after the first macro-step */

static int data_of(const ms_nonlinear_options *options)
{
    return options->n_data > 0 ? options->n_data : 1;
}

size_t ms_nonlinear_weights_memory(const ms_nonlinear_options *options)
{
    return 1 + (size_t)data_of(options);
}

int ms_nonlinear_weights_create(ms_nonlinear_weights *weights, const ms_nonlinear_setup *setup)
{
    const ms_nonlinear_options *options = setup->options;
    const int n = setup->n;
    const size_t data = (size_t)data_of(options);
    *weights = (ms_nonlinear_weights){.n = n, .n_data = (int)data, .kind = options->preconditioner};
    weights->datum = ms_structure_alloc(setup->memory, (size_t)n, sizeof *weights->datum);
    weights->sum = ms_structure_alloc(setup->memory, 2 * data, sizeof *weights->sum);
    MS_TRY_MEMORY(weights->datum != NULL && weights->sum != NULL);
    weights->norm = weights->sum + data;
    if (options->datum != NULL)
        memcpy(weights->datum, options->datum, sizeof(int) * (size_t)n);
    return MS_OK;
}

void ms_nonlinear_weights_begin(ms_nonlinear_weights *weights, double *memory)
{
    weights->memory = memory;
    weights->begins = true;
    memset(weights->sum, 0, sizeof(double) * (size_t)weights->n_data);
}

void ms_nonlinear_weights_end(ms_nonlinear_weights *weights)
{
    weights->memory[0] += 1.0;
}

/* |v_k| for each datum, v = r, or z - r. */
static void norms(ms_nonlinear_weights *w, const double *z, const double *r)
{
    memset(w->norm, 0, sizeof(double) * (size_t)w->n_data);
    for (int i = 0; i < w->n; i++) {
        const double v = z != NULL ? z[i] - r[i] : r[i];
        if (w->datum[i] >= 0)
            w->norm[w->datum[i]] += v * v;
    }
    for (int k = 0; k < w->n_data; k++)
        w->norm[k] = sqrt(w->norm[k]);
}

/* weight_k = 1/size_k */
static void take(ms_nonlinear_weights *w, const double *size)
{
    for (int k = 0; k < w->n_data; k++)
        if (size[k] > 0.0)
            w->memory[1 + k] = 1.0 / size[k];
}

static bool has_changed(const ms_nonlinear_weights *w)
{
    bool changed = false;
    for (int k = 0; k < w->n_data; k++) {
        const double ratio = w->sum[k] * w->memory[1 + k];
        changed |= w->sum[k] > 0.0 && (ratio > threshold || ratio < 1.0 / threshold);
    }
    return changed;
}

static void add_shares(ms_nonlinear_weights *w)
{
    double square = 0.0;
    for (int k = 0; k < w->n_data; k++)
        square += w->norm[k] * w->norm[k];
    for (int k = 0; k < w->n_data && square > 0.0; k++)
        w->sum[k] += w->norm[k] / sqrt(square);
}

void ms_nonlinear_weights_update(ms_nonlinear_weights *w, const double *z, const double *r)
{
    const bool first = w->begins;
    w->begins = false;
    if (w->kind == MS_PRECONDITIONER_CONSTANT || (w->kind == MS_PRECONDITIONER_VALUE && !first))
        return;
    norms(w, w->kind == MS_PRECONDITIONER_VALUE ? z : NULL, r);
    if (w->kind != MS_PRECONDITIONER_RESIDUAL_SUM) {
        take(w, w->norm);
        return;
    }
    add_shares(w);
    if (w->memory[0] == 0.0 || has_changed(w))
        take(w, w->sum);
}
