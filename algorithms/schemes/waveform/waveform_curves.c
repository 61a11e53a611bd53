/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waveform_curves.c - inputs as splines through samples of outputs, and samples of outputs under these inputs. */
#include <string.h>

#include "waveform.h"

/* Inserts a time where it is not there yet; ascending. Returns how many there are. */
static int insert(double time, int n, double *times)
{
    int at = n;
    while (at > 0 && times[at - 1] >= time)
        at--;
    if (at < n && times[at] == time)
        return n;
    memmove(times + at + 1, times + at, sizeof *times * (size_t)(n - at));
    times[at] = time;
    return n + 1;
}

int ms_waveform_pieces(unsigned counts, int degree, double *end)
{
    double all[WAVEFORM_PIECES_MAX] = {1.0}, breaks[MS_SPLINE_SAMPLES];
    int n = 1;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++) {
        const int more = (counts >> m & 1U) != 0 ? ms_spline_breaks(m, degree, breaks) : 0;
        for (int k = 0; k < more; k++)
            n = insert(breaks[k], n, all);
    }
    if (end != NULL)
        memcpy(end, all, sizeof *all * (size_t)n);
    return n;
}

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
    const int owner = data->owner[output], ny = cosim->system->sub[owner].ny, m = data->samples[owner];
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
        const int output = s->wire_output[wire], m = data->samples[data->owner[output]];
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

/* The piece that a time after T_n lies on; that of a seam ends there. */
static int piece_at(const ms_input *input, double after)
{
    int piece = 0;
    while (piece < input->pieces - 1 && after > input->end[piece])
        piece++;
    return piece;
}

int ms_waveform_take(ms_cosim *cosim, waveform_data *data, int i)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    const int ny = s->sub[i].ny, m = data->samples[i];
    double *value = data->values + data->values_at[i];
    for (int j = 1; j < m; j++, value += ny) {
        const int k = data->index[m * (MS_SPLINE_SAMPLES + 1) + j];
        const int piece = piece_at(&instance->input, instance->sample_at[k] * instance->h);
        if (ms_instance_sample_outputs(instance, k, piece, value) != 0)
            return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                           "the outputs of subsystem %s are not defined at %.6g s", instance->sub->name,
                           ms_instance_sample_time(instance, k));
    }
    memcpy(value, cosim->y_raw + s->y_at[i], sizeof *value * (size_t)ny);
    return MS_OK;
}
