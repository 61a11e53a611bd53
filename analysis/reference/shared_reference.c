/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared_reference.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

/* Steps that begin in the same way: of runs with one macro-step, sampled alike. */
typedef struct track {
    int n;
    double fraction[MS_SAMPLES_MAX], h;
    ms_stepped_record *record;
} track;

enum { TRACKS_MAX = 12 };

struct ms_shared_reference {
    const ms_system *system;
    ms_dense_solution *solution; /* NULL: the model is not smooth, there are tracks */
    double start_time;
    size_t most;          /* bytes of all pieces */
    pthread_mutex_t lock; /* of what follows */
    ms_dense_piece **piece;
    long n, capacity;
    bool complete; /* there are no more pieces than these: no memory, or the solver has failed */
    track track[TRACKS_MAX];
    int n_tracks;
};

int ms_shared_reference_create(const ms_system *system, double start_time, size_t most,
                               ms_shared_reference **out, ms_error *error)
{
    ms_shared_reference *shared = calloc(1, sizeof *shared);
    *out = NULL;
    if (shared == NULL || pthread_mutex_init(&shared->lock, NULL) != 0) {
        free(shared);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    }
    *out = shared;
    shared->system = system;
    shared->start_time = start_time;
    shared->most = most;
    if (!ms_dense_solution_serves(system))
        return MS_OK;
    const int status = ms_dense_solution_create(system, &shared->solution, error);
    if (status == MS_OK)
        ms_dense_solution_start(shared->solution, start_time);
    else
        ms_shared_reference_destroy(out);
    return status;
}

void ms_shared_reference_destroy(ms_shared_reference **shared)
{
    if (*shared == NULL)
        return;
    ms_dense_solution_destroy(&(*shared)->solution);
    pthread_mutex_destroy(&(*shared)->lock);
    for (long k = 0; k < (*shared)->n; k++)
        free((*shared)->piece[k]);
    free((*shared)->piece);
    for (int k = 0; k < (*shared)->n_tracks; k++)
        ms_stepped_record_destroy(&(*shared)->track[k].record);
    free(*shared);
    *shared = NULL;
}

bool ms_shared_reference_fits(const ms_shared_reference *shared, const ms_system *system, double start_time)
{
    const ms_system *of = shared->system;
    return of->model == system->model && of->start_eps == system->start_eps &&
           of->homogeneous == system->homogeneous && of->step_size == system->step_size &&
           of->inputs == system->inputs && shared->start_time == start_time &&
           memcmp(of->p, system->p, sizeof *of->p * (size_t)of->model->n_parameters) == 0;
}

double ms_shared_reference_time(const ms_shared_reference *shared)
{
    return shared->start_time;
}

/* Pieces ------------------------------------------------------------------------------------------------- */

static bool reserve(ms_shared_reference *shared)
{
    if (shared->n < shared->capacity)
        return true;
    const long capacity = 2 * shared->capacity + 64;
    ms_dense_piece **grown = realloc(shared->piece, sizeof(ms_dense_piece *) * (size_t)capacity);
    if (grown == NULL)
        return false;
    shared->piece = grown;
    shared->capacity = capacity;
    return true;
}

/* One piece more. */
static void extend(ms_shared_reference *shared)
{
    const size_t size = ms_dense_piece_size(shared->solution);
    ms_dense_piece *piece =
        ((size_t)shared->n + 1) * size <= shared->most && reserve(shared) ? malloc(size) : NULL;
    if (piece != NULL && ms_dense_solution_next(shared->solution, piece) == MS_OK) {
        shared->piece[shared->n++] = piece;
        return;
    }
    free(piece);
    shared->complete = true;
}

const ms_dense_piece *ms_shared_reference_piece(ms_shared_reference *shared, long k)
{
    pthread_mutex_lock(&shared->lock);
    while (shared->n <= k && !shared->complete)
        extend(shared);
    const ms_dense_piece *piece = k < shared->n ? shared->piece[k] : NULL;
    pthread_mutex_unlock(&shared->lock);
    return piece;
}

/* Steps -------------------------------------------------------------------------------------------------- */

static track *add_track(ms_shared_reference *shared, int n, const double *fractions, double h)
{
    track *new = &shared->track[shared->n_tracks];
    if (shared->n_tracks == TRACKS_MAX ||
        ms_stepped_record_create(shared->system, n, fractions, shared->most / TRACKS_MAX, &new->record,
                                 NULL) != MS_OK)
        return NULL;
    new->n = n;
    new->h = h;
    memcpy(new->fraction, fractions, sizeof(double) * (size_t)n);
    shared->n_tracks++;
    return new;
}

ms_stepped_record *ms_shared_reference_record(ms_shared_reference *shared, int n, const double *fractions,
                                              double h)
{
    track *found = NULL;
    pthread_mutex_lock(&shared->lock);
    for (int k = 0; k < shared->n_tracks && found == NULL; k++) {
        track *one = &shared->track[k];
        if (one->n == n && one->h == h && memcmp(one->fraction, fractions, sizeof(double) * (size_t)n) == 0)
            found = one;
    }
    if (found == NULL)
        found = add_track(shared, n, fractions, h);
    pthread_mutex_unlock(&shared->lock);
    return found != NULL ? found->record : NULL;
}
