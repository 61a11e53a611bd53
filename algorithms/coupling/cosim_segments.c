/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_segments.c - segments of the last macro-step for observers, with states and inputs sampled inside
 * them. */
#include "cosim_segments.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include "equal_rows.h"
#include "port_work.h"

/* Merges ascending fractions into those already requested. Returns MS_OK or MS_INVALID. */
static int merge_samples(ms_cosim *cosim, int n, const double *fractions)
{
    for (int k = 0; k < n; k++) {
        int at = cosim->n_samples;
        while (at > 0 && cosim->sample_at[at - 1] >= fractions[k])
            at--;
        if (at < cosim->n_samples && cosim->sample_at[at] == fractions[k])
            continue;
        if (cosim->n_samples == MS_SAMPLES_MAX)
            return MS_INVALID;
        memmove(cosim->sample_at + at + 1, cosim->sample_at + at,
                sizeof(double) * (size_t)(cosim->n_samples - at));
        cosim->sample_at[at] = fractions[k];
        cosim->n_samples++;
    }
    return MS_OK;
}

/* Doubles of a segment. */
static size_t segment_size(const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const size_t samples = (size_t)cosim->n_samples, nx = (size_t)s->nx, nu = (size_t)s->nu;
    return nu + nx + samples * (nx + (cosim->samples_inputs ? nu : 0)) +
           (cosim->port_at != NULL ? (size_t)cosim->port_at[s->n] : 0);
}

static void place(const ms_cosim *cosim, ms_segment *segment, size_t block)
{
    const size_t samples = (size_t)cosim->n_samples, nx = (size_t)cosim->system->nx,
                 nu = (size_t)cosim->system->nu;
    segment->u = cosim->segment_memory + block * segment_size(cosim);
    segment->start = segment->u + nu;
    segment->samples = segment->start + nx;
    segment->inputs = cosim->samples_inputs ? segment->samples + samples * nx : NULL;
    segment->work =
        cosim->port_at != NULL ? segment->samples + samples * (nx + (cosim->samples_inputs ? nu : 0)) : NULL;
}

/* Segments of an asynchronous scheme have one subsystem each; k-th segments share memory. */
static int create_segments(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const size_t size = segment_size(cosim);
    const int most = cosim->stretches > MS_SEGMENTS ? cosim->stretches : MS_SEGMENTS,
              n = most * (cosim->asynchronous ? s->n : 1);
    MS_FREE(cosim->segment, cosim->segment_memory, cosim->saved_work);
    cosim->saved_work = calloc((size_t)s->n + 1, sizeof *cosim->saved_work);
    cosim->segment = calloc((size_t)n + 1, sizeof *cosim->segment);
    cosim->segment_memory = calloc((size_t)most * size + 1, sizeof(double));
    MS_TRY_MEMORY(cosim->segment != NULL && cosim->segment_memory != NULL && cosim->saved_work != NULL);
    for (int k = 0; k < n; k++) {
        place(cosim, &cosim->segment[k], cosim->asynchronous ? 0 : (size_t)k);
    }
    return MS_OK;
}

static int tell_instances(ms_cosim *cosim)
{
    MS_TRY(create_segments(cosim));
    MS_TRY(ms_equal_rows_observe(cosim));
    for (int i = 0; i < cosim->system->n; i++)
        MS_TRY(ms_instance_observe(cosim->instance[i], cosim->n_samples, cosim->sample_at,
                                   cosim->port_at != NULL));
    return MS_OK;
}

int ms_cosim_sample(ms_cosim *cosim, int n, const double *fractions)
{
    cosim->samples_inputs = true;
    return ms_cosim_sample_states(cosim, n, fractions);
}

int ms_cosim_sample_states(ms_cosim *cosim, int n, const double *fractions)
{
    if (merge_samples(cosim, n, fractions) != MS_OK)
        return MS_INVALID;
    return tell_instances(cosim);
}

int ms_cosim_measure_work(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    if (cosim->port_at != NULL)
        return MS_OK;
    cosim->port_at = calloc((size_t)s->n + 1, sizeof *cosim->port_at);
    MS_TRY_MEMORY(cosim->port_at);
    for (int i = 0; i < s->n; i++)
        cosim->port_at[i + 1] = cosim->port_at[i] + s->sub[i].n_ports;
    return tell_instances(cosim);
}

int ms_cosim_sample_index(const ms_cosim *cosim, double fraction)
{
    int k = 0;
    while (k < cosim->n_samples - 1 && cosim->sample_at[k] != fraction)
        k++;
    return k;
}

/* The piece that sample k lies on; one at a seam belongs to the earlier piece, as in the micro-solvers. */
static int sample_piece(const ms_instance *instance, int k)
{
    const ms_input *input = &instance->input;
    int piece = 0;
    while (piece < input->pieces - 1 && instance->sample_at[k] * instance->h > input->end[piece])
        piece++;
    return piece;
}

static void record_instance(const ms_cosim *cosim, ms_instance *instance, ms_segment *segment)
{
    const ms_system *s = cosim->system;
    const int x_at = s->x_at[instance->index], u_at = s->u_at[instance->index];
    ms_instance_inputs(instance, 0, instance->t, instance->x_start, segment->u + u_at);
    memcpy(segment->start + x_at, instance->x_start, sizeof(double) * (size_t)instance->sub->nx);
    if (cosim->port_at != NULL && instance->port_work != NULL)
        memcpy(segment->work + cosim->port_at[instance->index], ms_port_work_values(instance),
               sizeof(double) * (size_t)instance->sub->n_ports);
    for (int k = 0; k < instance->n_samples; k++) {
        const double *x = instance->samples + (size_t)k * (size_t)instance->n_state;
        memcpy(segment->samples + k * s->nx + x_at, x, sizeof(double) * (size_t)instance->sub->nx);
        if (cosim->samples_inputs)
            ms_instance_inputs(instance, sample_piece(instance, k), ms_instance_sample_time(instance, k), x,
                               segment->inputs + k * s->nu + u_at);
    }
}

/* The start is kept of rows, and samples follow from it. Then those that are in no row. */
static void record_rows(const ms_cosim *cosim, ms_segment *segment)
{
    const ms_system *s = cosim->system;
    memcpy(segment->start, cosim->rows->start, sizeof *segment->start * (size_t)s->nx);
    for (int k = 0; k < cosim->rows->n; k++) {
        const ms_equal_row *row = &cosim->rows->row[k];
        const int x_at = s->x_at[row->first];
        if (row->advance != NULL) {
            ms_equal_row_inputs(row, segment->u + s->u_at[row->first]);
            ms_equal_row_samples(row, row->start, segment->samples + x_at);
        }
        for (int i = row->first; i < row->last && row->advance == NULL; i++)
            record_instance(cosim, cosim->instance[i], segment);
    }
    for (int i = cosim->own; i < s->n; i++)
        record_instance(cosim, cosim->instance[i], segment);
}

void ms_cosim_record_segment(ms_cosim *cosim, int k, double t, double h)
{
    ms_segment *segment = &cosim->segment[k];
    cosim->n_segments = k + 1;
    segment->t = t;
    segment->h = h;
    segment->first = 0;
    segment->last = cosim->system->n;
    segment->goes_on = k > 0;
    if (cosim->rows != NULL && cosim->rows->recorded)
        record_rows(cosim, segment);
    else
        for (int i = 0; i < cosim->system->n; i++)
            record_instance(cosim, cosim->instance[i], segment);
}

bool ms_cosim_all_communicate(const ms_cosim *cosim)
{
    bool all = true;
    for (int i = 0; i < cosim->system->n; i++)
        all = all && cosim->communicates[i];
    return all;
}

/* Do all subsystems start their last step at the same time? */
static bool started_together(const ms_cosim *cosim)
{
    bool together = true;
    for (int i = 1; i < cosim->system->n; i++)
        together = together && cosim->instance[i]->t == cosim->instance[0]->t;
    return together;
}

void ms_cosim_record_stretch(ms_cosim *cosim, int i, int k)
{
    ms_segment *segment = &cosim->segment[cosim->n_segments++];
    place(cosim, segment, (size_t)k);
    segment->t = cosim->instance[i]->t;
    segment->h = cosim->instance[i]->h;
    segment->first = i;
    segment->last = i + 1;
    segment->goes_on = k > 0;
    record_instance(cosim, cosim->instance[i], segment);
}

const ms_segment *ms_cosim_next_segment(const ms_cosim *cosim, int k, int i)
{
    for (const ms_segment *next = &cosim->segment[k + 1]; next < cosim->segment + cosim->n_segments; next++)
        if (next->first <= i && i < next->last)
            return next;
    return NULL;
}

void ms_cosim_record_communication(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    if (ms_cosim_all_communicate(cosim) && started_together(cosim)) {
        ms_cosim_record_segment(cosim, 0, cosim->instance[0]->t, cosim->instance[0]->h);
        return;
    }
    cosim->n_segments = 0;
    for (int i = 0; i < s->n; i++)
        if (cosim->communicates[i]) {
            ms_cosim_record_stretch(cosim, i, 0);
        }
}
