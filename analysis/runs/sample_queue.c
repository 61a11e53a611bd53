/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_queue.h"

#include <string.h>

#include <macrostep/status.h>
#include "growing.h"

/* Removes used samples if that is worth a copy: values of waiting samples move to the front. */
static void compact(ms_sample_queue *b)
{
    const size_t waiting = b->end - b->begin;
    if (waiting == 0) {
        ms_sample_queue_clear(b);
        return;
    }
    if (b->begin < 256 || b->begin < 4 * waiting)
        return;
    size_t lowest = b->values;
    for (size_t k = b->begin; k < b->end; k++)
        lowest = b->sample[k].at < lowest ? b->sample[k].at : lowest;
    memmove(b->value, b->value + lowest, sizeof *b->value * (b->values - lowest));
    memmove(b->sample, b->sample + b->begin, sizeof *b->sample * waiting);
    for (size_t k = 0; k < waiting; k++)
        b->sample[k].at -= lowest;
    b->values -= lowest;
    b->begin = 0;
    b->end = waiting;
}

ms_sample_queue *ms_sample_queue_create(void)
{
    return calloc(1, sizeof(ms_sample_queue));
}

int ms_sample_queue_add(ms_sample_queue *b, double t, double weight, double other, int first, int count,
                        const double *x)
{
    compact(b);
    MS_TRY_MEMORY(ms_grow(&b->sample, &b->capacity, b->end + 1, sizeof *b->sample) &&
                  ms_grow(&b->value, &b->values_capacity, b->values + (size_t)count, sizeof *b->value));
    size_t at = b->end;
    while (at > b->begin && b->sample[at - 1].t > t)
        at--;
    memmove(b->sample + at + 1, b->sample + at, sizeof *b->sample * (b->end - at));
    b->sample[at] = (ms_sample){t, weight, other, first, count, b->values};
    if (count > 0)
        memcpy(b->value + b->values, x, sizeof *x * (size_t)count);
    b->values += (size_t)count;
    b->end++;
    return MS_OK;
}

bool ms_sample_queue_take(ms_sample_queue *b, double until, ms_sample *sample, const double **x)
{
    if (b->begin == b->end || b->sample[b->begin].t > until)
        return false;
    *sample = b->sample[b->begin++];
    *x = b->value + sample->at;
    return true;
}

void ms_sample_queue_clear(ms_sample_queue *b)
{
    b->begin = b->end = b->values = 0;
}

void ms_sample_queue_destroy(ms_sample_queue **queue)
{
    if (*queue == NULL)
        return;
    MS_FREE((*queue)->sample, (*queue)->value, *queue);
    *queue = NULL;
}
