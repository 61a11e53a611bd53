/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multirate_curves.c - inputs of a macro-step from outputs at points: extrapolated if their subsystem has not stepped yet,
 * interpolated if it has. */
#include <string.h>

#include "multirate.h"
#include "time_events.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Degree of the curves of subsystems with m points. It is not increased even if zero: Jacobi and Gauss-Seidel do the same, and solutions under a
 * zero slope have different bits from those without one. */
static int degree_of(const multirate_data *data, int m)
{
    const multirate_weights *w = &data->weights[m];
    const int passed = m > 1 ? w->later.degree : w->first.degree;
    return data->in_sequence && passed > w->ahead.degree ? passed : w->ahead.degree;
}

void ms_multirate_weigh(const ms_cosim *cosim, multirate_data *data)
{
    const multirate_history *past = data->history;
    const int order = data->order;
    for (int m = 1; m <= MS_INNER_MAX; m++) {
        const double h = data->h / m, h1 = past->h1 / m + past->gap, h2 = m > 1 ? past->h1 / m : past->h2;
        const int known = least(order, (int)past->known * m);
        multirate_weights *w = &data->weights[m];
        w->ahead = ms_weights_past(ms_weights_supported(known, h1, h2, data->h), h1, h2);
        w->first = ms_weights_newest(least(order, known + 1), false, h, h1);
        w->later = ms_weights_newest(least(order, known + 2), false, h, h);
    }
    data->degree = 0;
    for (int i = 0; i < cosim->system->n; i++) {
        const int degree = degree_of(data, data->points.count[i]);
        data->degree = degree > data->degree ? degree : data->degree;
    }
}

/* c = the sum of weighted values, over the slots in use. */
static void combine(const ms_weights *p, const double *const value[MS_WEIGHT_SLOTS], int at, double *c)
{
    for (int k = 0; k <= MULTIRATE_ORDER_MAX; k++) {
        c[k] = 0.0;
        for (int s = 0, n = 0; k <= p->degree && s < MS_WEIGHT_SLOTS; s++)
            if (value[s] != NULL && p->w[k][s] != 0.0)
                c[k] = n++ == 0 ? p->w[k][s] * value[s][at] : c[k] + p->w[k][s] * value[s][at];
    }
}

/* The same polynomial from `after` on. */
static void move(double after, double *c)
{
    if (after == 0.0)
        return;
    c[0] += after * (c[1] + after * c[2]);
    c[1] += 2.0 * after * c[2];
}

/* Outputs of subsystem i at point j = 0, 1, .. of this macro-step, and before. */
static const double *point(const ms_cosim *cosim, const multirate_data *data, int i, int j)
{
    const ms_system *s = cosim->system;
    return j > 0 ? data->values + data->values_at[i] + (j - 1) * s->sub[i].ny : data->past[-j] + s->y_at[i];
}

/* An output of a subsystem that has not stepped, handed on at m points a macro-step, from `begin` on, in macro-steps. */
static void extrapolate(const multirate_data *data, int output, int m, double begin, double *c)
{
    const double *const value[MS_WEIGHT_SLOTS] = {data->past[0], data->past[1], data->past[2]};
    combine(&data->weights[m].ahead, value, output, c);
    move(begin * data->h, c);
}

/* Output `at` of subsystem i, which has stepped. */
static void interpolate(const ms_cosim *cosim, const multirate_data *data, int i, int at, double begin,
                        double *c)
{
    const int m = data->points.count[i];
    int j = 0;
    while (j + 1 < m && (double)(j + 1) / m <= begin)
        j++;
    const double from = (double)j / m;
    const double *value[MS_WEIGHT_SLOTS] = {
        [MS_SLOT_Y0] = point(cosim, data, i, j), [MS_SLOT_NEW] = point(cosim, data, i, j + 1)};
    value[MS_SLOT_Y1] = data->order > 1 || j > 0 ? point(cosim, data, i, j - 1) : NULL;
    combine(j == 0 ? &data->weights[m].first : &data->weights[m].later, value, at, c);
    move((begin - from) * data->h, c);
}

/* The input of subsystem `reader` from an output, from `begin` on. */
static void curve(const ms_cosim *cosim, const multirate_data *data, int reader, int output, double begin,
                  double *c)
{
    const int owner = cosim->system->owner[output];
    if (data->in_sequence && data->rank[owner] < data->rank[reader])
        interpolate(cosim, data, owner, output - cosim->system->y_at[owner], begin, c);
    else
        extrapolate(data, output, data->points.count[owner], begin, c);
}

void ms_multirate_give(const ms_cosim *cosim, const multirate_data *data, int i)
{
    const ms_system *s = cosim->system;
    const double *end = data->end + data->pieces_at[i];
    ms_input *input = &cosim->instance[i]->input;
    input->pieces = data->pieces_at[i + 1] - data->pieces_at[i];
    input->degree = data->degree;
    for (int q = 0; q < input->pieces; q++) {
        input->end[q] = end[q] * data->h;
        for (int l = 0; l < input->n; l++) {
            double sum[MULTIRATE_ORDER_MAX + 1] = {0.0}, c[MULTIRATE_ORDER_MAX + 1];
            for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++) {
                curve(cosim, data, i, s->wire_output[w], q == 0 ? 0.0 : end[q - 1], c);
                for (int k = 0; k <= MULTIRATE_ORDER_MAX; k++)
                    sum[k] += s->wire_gain[w] * c[k];
            }
            for (int k = 0; k <= input->degree && k <= MULTIRATE_ORDER_MAX; k++)
                ms_input_coefficients(input, q, k)[l] = sum[k];
        }
    }
}

void ms_multirate_remember(const ms_cosim *cosim, multirate_data *data)
{
    const ms_system *s = cosim->system;
    multirate_history *past = data->history;
    const double gap = past->gap;
    const bool joins = ms_time_events_join(cosim->share, data->h, past->h1 + past->gap, past->gap > 0.0);
    for (int k = joins ? 0 : data->order; k >= 0; k--)
        for (int i = 0; i < s->n; i++)
            if (s->sub[i].ny > 0)
                memcpy(data->past[k] + s->y_at[i], point(cosim, data, i, data->points.count[i] - k),
                       sizeof(double) * (size_t)s->sub[i].ny);
    past->gap = joins ? data->h : 0.0;
    if (joins)
        return;
    past->h2 = past->h1 + gap;
    past->h1 = data->h;
    past->known = past->known < data->order ? past->known + 1.0 : data->order;
}
