/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waveform_curves.c - inputs as splines through samples of outputs. */
#include "waveform.h"

int ms_waveform_degree(unsigned counts, int degree)
{
    int most = 0;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++)
        if ((counts >> m & 1U) != 0 && ms_spline_degree(m, degree) > most)
            most = ms_spline_degree(m, degree);
    return most;
}

/* sum_j w_j y_j over an output at T_n and its samples. */
static double combine(const ms_cosim *cosim, const waveform_data *data, int output, const double *w)
{
    const int owner = cosim->system->owner[output], ny = cosim->system->sub[owner].ny,
              m = data->samples.count[owner];
    const double *value = data->values + data->values_at[owner] + (output - cosim->system->y_at[owner]);
    double sum = w[0] * cosim->y[output];
    for (int j = 1; j <= m; j++, value += ny)
        sum += w[j] * *value;
    return sum;
}

/* Coefficient k of input l (of all) on a piece, in macro-steps. */
static double coefficient(const ms_cosim *cosim, const waveform_data *data, const waveform_grid *grid,
                          int piece, int k, int l)
{
    const ms_system *s = cosim->system;
    double sum = 0.0;
    for (int wire = s->row_at[l]; wire < s->row_at[l + 1]; wire++) {
        const int output = s->wire_output[wire], m = data->samples.count[s->owner[output]];
        const double *w = grid->weights[m] + (piece * (grid->degree + 1) + k) * (m + 1);
        sum += s->wire_gain[wire] * combine(cosim, data, output, w);
    }
    return sum;
}

void ms_waveform_give(const ms_cosim *cosim, const waveform_data *data, int i)
{
    const waveform_grid *grid = &data->grid[data->grid_of[i]];
    ms_input *input = &cosim->instance[i]->input;
    input->pieces = grid->pieces;
    input->degree = grid->degree;
    for (int q = 0; q < grid->pieces; q++) {
        double power = 1.0; /* h^k */
        input->end[q] = grid->end[q] * data->h;
        for (int k = 0; k <= grid->degree; k++, power *= data->h)
            for (int l = 0; l < input->n; l++)
                ms_input_coefficients(input, q, k)[l] =
                    coefficient(cosim, data, grid, q, k, cosim->system->u_at[i] + l) / power;
    }
}
