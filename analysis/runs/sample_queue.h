/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample_queue.h - states of subsystems at times that the reference has not reached yet.
 *
 * If every subsystem has a separate clock, data of one are ahead of or behind data of another. Samples wait here,
 * in the order of their times, until no earlier one can come. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ms_sample {
    double t;         /* [s] */
    double weight;    /* of an integral over time [s]; 0: a communication point */
    double other;     /* the same by a second rule on the same points */
    int first, count; /* states first .. first + count - 1 of the system */
    size_t at;        /* their values */
} ms_sample;

typedef struct ms_sample_queue {
    ms_sample *sample; /* sorted by time, those of one time in the order in which they came */
    size_t begin, end, capacity;
    double *value;
    size_t values, values_capacity;
} ms_sample_queue;

ms_sample_queue *ms_sample_queue_create(void); /* empty; NULL: no memory */

/* Adds a sample with its values (count). Returns MS_OK or MS_NO_MEMORY. */
int ms_sample_queue_add(ms_sample_queue *queue, double t, double weight, double other, int first, int count,
                        const double *x);

/* The earliest sample, if it is not later than `until`; it is taken out. Its values stay valid until the next
 * ms_sample_queue_add. */
bool ms_sample_queue_take(ms_sample_queue *queue, double until, ms_sample *sample, const double **x);

void ms_sample_queue_clear(ms_sample_queue *queue);
void ms_sample_queue_destroy(ms_sample_queue **queue); /* NULL-safe */
