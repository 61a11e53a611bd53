/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared_reference_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "stepped_solution.h"

struct ms_stepped_record {
    ms_reference_key of;
    const ms_system *system; /* of.system */
    size_t most;
    pthread_mutex_t lock;          /* of what follows */
    ms_stepped_solution *solution; /* NULL: all steps so far were read */
    ms_recorded_step **step;       /* (n): each in one block */
    long n;
    size_t capacity;
    long kept;     /* number in the cache */
    bool complete; /* there are no more steps than these, */
    int end;       /* because of MS_SOLVER_FAILED or MS_SPENT .. */
    double t, h;   /* .. in this one */
};

static size_t doubles(const ms_stepped_record *record)
{
    return (size_t)(record->of.n + 1) * (size_t)record->system->nx + (size_t)record->system->nz;
}

/* Room for one more step; NULL: none. */
static ms_recorded_step *reserve(ms_stepped_record *record)
{
    const size_t size = sizeof(ms_recorded_step) + sizeof(double) * doubles(record);
    if (((size_t)record->n + 1) * size > record->most)
        return NULL;
    if (!ms_grow(&record->step, &record->capacity, (size_t)record->n + 1, sizeof(ms_recorded_step *)))
        return NULL;
    ms_recorded_step *step = malloc(size);
    if (step != NULL) {
        step->x = (double *)(step + 1);
        step->z = step->x + record->system->nx;
        step->samples = step->z + record->system->nz;
    }
    return step;
}

/* The cache ---------------------------------------------------------------------------------------------- */

enum { STEP_NUMBERS = 3 };

/* x, z and samples are concatenated. */
static void fill_item(const void *of, long k, double *item)
{
    const ms_stepped_record *record = of;
    const ms_recorded_step *step = record->step[k];
    const double numbers[STEP_NUMBERS] = {step->t, step->h, step->error};
    memcpy(item, numbers, sizeof numbers);
    memcpy(item + STEP_NUMBERS, step->x, sizeof(double) * doubles(record));
}

/* Reads steps from the cache, up to the memory limit. */
static void read_steps(ms_stepped_record *record)
{
    const size_t n = doubles(record), size = STEP_NUMBERS + n;
    const ms_reference_items items = ms_reference_file_read(&record->of, size);
    ms_recorded_step *step;
    for (long k = 0; k < items.n && (step = reserve(record)) != NULL; k++) {
        const double *item = items.item + (size_t)k * size;
        step->t = item[0];
        step->h = item[1];
        step->error = item[2];
        memcpy(step->x, item + STEP_NUMBERS, sizeof(double) * n);
        record->step[record->n++] = step;
    }
    record->kept = items.n;
    free(items.memory);
}

static void keep_steps(const ms_stepped_record *record)
{
    if (record->n > record->kept)
        ms_reference_file_write(&record->of, STEP_NUMBERS + doubles(record), record->n, fill_item, record);
}

/* Creation ----------------------------------------------------------------------------------------------- */

static int create_solution(ms_stepped_record *record, ms_error *error)
{
    return ms_stepped_solution_create(record->system, record->of.n, record->of.fractions, false,
                                      &record->solution, error);
}

int ms_stepped_record_create(const ms_reference_key *key, size_t most, ms_stepped_record **out,
                             ms_error *error)
{
    ms_stepped_record *record = calloc(1, sizeof *record);
    *out = NULL;
    if (record == NULL || pthread_mutex_init(&record->lock, NULL) != 0) {
        free(record);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    }
    *out = record;
    record->of = *key;
    record->system = key->system;
    record->most = most;
    read_steps(record);
    const int status = record->n > 0 ? MS_OK : create_solution(record, error);
    if (status != MS_OK)
        ms_stepped_record_destroy(out);
    return status;
}

void ms_stepped_record_destroy(ms_stepped_record **record)
{
    if (*record == NULL)
        return;
    keep_steps(*record);
    ms_stepped_solution_destroy(&(*record)->solution);
    pthread_mutex_destroy(&(*record)->lock);
    for (long k = 0; k < (*record)->n; k++)
        free((*record)->step[k]);
    MS_FREE((*record)->step, *record);
    *record = NULL;
}

/* Steps -------------------------------------------------------------------------------------------------- */

static void keep(const ms_stepped_record *record, double t, double h, ms_recorded_step *step)
{
    const ms_stepped_solution *solution = record->solution;
    const size_t nx = (size_t)record->system->nx, nz = (size_t)record->system->nz;
    const size_t samples = (size_t)record->of.n * nx;
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

/* Where all steps so far were read the solution has yet to take them. Has it? */
static bool catch_up(ms_stepped_record *record)
{
    if (record->solution != NULL)
        return true;
    int status = create_solution(record, NULL);
    for (long k = 0; k < record->n && status == MS_OK; k++)
        status = ms_stepped_solution_step(record->solution, record->step[k]->t, record->step[k]->h);
    return status == MS_OK;
}

static void extend(ms_stepped_record *record, double t, double h)
{
    ms_recorded_step *step = reserve(record);
    if (step != NULL && catch_up(record)) {
        const int status = ms_stepped_solution_step(record->solution, t, h);
        if (status == MS_OK) {
            keep(record, t, h, step);
            record->step[record->n++] = step;
            return;
        }
        record->end = status == MS_NO_MEMORY ? MS_OK : status;
        record->t = t;
        record->h = h;
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

int ms_stepped_record_end(ms_stepped_record *record, long k, double t, double h)
{
    pthread_mutex_lock(&record->lock);
    const int end = k == record->n && t == record->t && h == record->h ? record->end : MS_OK;
    pthread_mutex_unlock(&record->lock);
    return end;
}

ms_recorded_step ms_stepped_record_at(ms_stepped_record *record, long k)
{
    pthread_mutex_lock(&record->lock);
    const ms_recorded_step step = *record->step[k];
    pthread_mutex_unlock(&record->lock);
    return step;
}
