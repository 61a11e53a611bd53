/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stepped_record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "stepped_solution.h"

struct ms_stepped_record {
    const ms_system *system;
    int samples; /* of a step */
    size_t most;
    pthread_mutex_t lock; /* of what follows */
    ms_stepped_solution *solution;
    ms_recorded_step **step; /* (n): each in one block */
    long n, capacity;
    bool complete; /* there are no more steps than these */
};

int ms_stepped_record_create(const ms_system *system, int n, const double *fractions, size_t most,
                             ms_stepped_record **out, ms_error *error)
{
    ms_stepped_record *record = calloc(1, sizeof *record);
    *out = NULL;
    if (record == NULL || pthread_mutex_init(&record->lock, NULL) != 0) {
        free(record);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    }
    *out = record;
    record->system = system;
    record->samples = n;
    record->most = most;
    const int status = ms_stepped_solution_create(system, n, fractions, &record->solution, error);
    if (status != MS_OK)
        ms_stepped_record_destroy(out);
    return status;
}

void ms_stepped_record_destroy(ms_stepped_record **record)
{
    if (*record == NULL)
        return;
    ms_stepped_solution_destroy(&(*record)->solution);
    pthread_mutex_destroy(&(*record)->lock);
    for (long k = 0; k < (*record)->n; k++)
        free((*record)->step[k]);
    free((*record)->step);
    free(*record);
    *record = NULL;
}

static size_t doubles(const ms_stepped_record *record)
{
    return (size_t)(record->samples + 1) * (size_t)record->system->nx + (size_t)record->system->nz;
}

/* Room for one step more; NULL: there is none. */
static ms_recorded_step *reserve(ms_stepped_record *record)
{
    const size_t size = sizeof(ms_recorded_step) + sizeof(double) * doubles(record);
    if (((size_t)record->n + 1) * size > record->most)
        return NULL;
    if (record->n == record->capacity) {
        const long capacity = 2 * record->capacity + 64;
        ms_recorded_step **grown = realloc(record->step, sizeof(ms_recorded_step *) * (size_t)capacity);
        if (grown == NULL)
            return NULL;
        record->step = grown;
        record->capacity = capacity;
    }
    ms_recorded_step *step = malloc(size);
    if (step != NULL) {
        step->x = (double *)(step + 1);
        step->z = step->x + record->system->nx;
        step->samples = step->z + record->system->nz;
    }
    return step;
}

static void keep(const ms_stepped_record *record, double t, double h, ms_recorded_step *step)
{
    const ms_stepped_solution *solution = record->solution;
    const size_t nx = (size_t)record->system->nx, nz = (size_t)record->system->nz;
    const size_t samples = (size_t)record->samples * nx;
    step->t = t;
    step->h = h;
    step->error = ms_stepped_solution_error(solution);
    if (nx > 0)
        memcpy(step->x, ms_stepped_solution_state(solution), sizeof(double) * nx);
    if (nz > 0)
        memcpy(step->z, ms_stepped_solution_discrete(solution), sizeof(double) * nz);
    if (samples > 0)
        memcpy(step->samples, ms_stepped_solution_samples(solution), sizeof(double) * samples);
}

static void extend(ms_stepped_record *record, double t, double h)
{
    ms_recorded_step *step = reserve(record);
    if (step != NULL && ms_stepped_solution_step(record->solution, t, h) == MS_OK) {
        keep(record, t, h, step);
        record->step[record->n++] = step;
        return;
    }
    free(step);
    record->complete = true;
}

const ms_recorded_step *ms_stepped_record_step(ms_stepped_record *record, long k, double t, double h)
{
    pthread_mutex_lock(&record->lock);
    if (record->n == k && !record->complete)
        extend(record, t, h);
    const ms_recorded_step *step = k < record->n ? record->step[k] : NULL;
    pthread_mutex_unlock(&record->lock);
    return step != NULL && step->t == t && step->h == h ? step : NULL;
}

ms_recorded_step ms_stepped_record_at(ms_stepped_record *record, long k)
{
    pthread_mutex_lock(&record->lock);
    const ms_recorded_step step = *record->step[k];
    pthread_mutex_unlock(&record->lock);
    return step;
}
