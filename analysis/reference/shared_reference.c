/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "growing.h"
#include "shared_reference_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance.h>

/* Steps with the same beginning: of runs with equal macro-steps and samples. */
typedef struct track {
    int n;
    double fraction[MS_SAMPLES_MAX], h;
    ms_stepped_record *record;
} track;

enum { TRACKS_MAX = 12 };

struct ms_shared_reference {
    const ms_system *system;
    double start_time;
    size_t most;          /* bytes of all pieces */
    pthread_mutex_t lock; /* of what follows */
    /* NULL: the model is not smooth, there are tracks; or all pieces so far were read */
    ms_dense_solution *solution;
    ms_dense_piece **piece;
    long n;
    size_t capacity;
    long kept;     /* number in the cache */
    bool complete; /* there are no more pieces than these: no memory, or ... */
    int end;       /* ... MS_SOLVER_FAILED or MS_SPENT, the same for all readers */
    track track[TRACKS_MAX];
    int n_tracks;
};

/* Room for one more piece; NULL: none. */
static ms_dense_piece *new_piece(ms_shared_reference *shared)
{
    const size_t size = ms_dense_piece_size(shared->system);
    if (((size_t)shared->n + 1) * size > shared->most ||
        !ms_grow(&shared->piece, &shared->capacity, (size_t)shared->n + 1, sizeof(ms_dense_piece *)))
        return NULL;
    ms_dense_piece *piece = malloc(size);
    if (piece != NULL)
        piece->c = (double *)(piece + 1);
    return piece;
}

/* The cache ---------------------------------------------------------------------------------------------- */

enum { PIECE_NUMBERS = 5 };

static size_t coefficients(const ms_system *system)
{
    return (MS_DENSE_DEGREE + 1) * (size_t)system->nx;
}

static void fill_item(const void *of, long k, double *item)
{
    const ms_shared_reference *shared = of;
    const ms_dense_piece *piece = shared->piece[k];
    const double numbers[PIECE_NUMBERS] = {piece->begin, piece->end, piece->middle, piece->scale,
                                           piece->error};
    memcpy(item, numbers, sizeof numbers);
    memcpy(item + PIECE_NUMBERS, piece->c, sizeof(double) * coefficients(shared->system));
}

static void take_item(const double *item, size_t n, ms_dense_piece *piece)
{
    piece->begin = item[0];
    piece->end = item[1];
    piece->middle = item[2];
    piece->scale = item[3];
    piece->error = item[4];
    memcpy(piece->c, item + PIECE_NUMBERS, sizeof(double) * n);
}

static ms_reference_key key_of(const ms_shared_reference *shared)
{
    return (ms_reference_key){.system = shared->system, .start_time = shared->start_time, .n = -1};
}

/* Reads pieces from the cache, up to the memory limit. */
static void read_pieces(ms_shared_reference *shared)
{
    const ms_reference_key key = key_of(shared);
    const size_t n = coefficients(shared->system), size = PIECE_NUMBERS + n;
    const ms_reference_items items = ms_reference_file_read(&key, size);
    ms_dense_piece *piece;
    for (long k = 0; k < items.n && (piece = new_piece(shared)) != NULL; k++) {
        take_item(items.item + (size_t)k * size, n, piece);
        shared->piece[shared->n++] = piece;
    }
    shared->kept = items.n;
    free(items.memory);
}

static void keep_pieces(const ms_shared_reference *shared)
{
    const ms_reference_key key = key_of(shared);
    if (shared->n > shared->kept)
        ms_reference_file_write(&key, PIECE_NUMBERS + coefficients(shared->system), shared->n, fill_item,
                                shared);
}

/* Creation ----------------------------------------------------------------------------------------------- */

static int create_solution(ms_shared_reference *shared, ms_error *error)
{
    MS_TRY(ms_dense_solution_create(shared->system, &shared->solution, error));
    ms_dense_solution_start(shared->solution, shared->start_time);
    return MS_OK;
}

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
    read_pieces(shared);
    const int status = shared->n > 0 ? MS_OK : create_solution(shared, error);
    if (status != MS_OK)
        ms_shared_reference_destroy(out);
    return status;
}

void ms_shared_reference_destroy(ms_shared_reference **shared)
{
    if (*shared == NULL)
        return;
    keep_pieces(*shared);
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

/* If all pieces so far were read from the cache, the solution has to reach their end first. Has it? scratch: for a
 * piece. */
static bool catch_up(ms_shared_reference *shared, ms_dense_piece *scratch)
{
    if (shared->solution != NULL)
        return true;
    int status = create_solution(shared, NULL);
    for (long k = 0; k < shared->n && status == MS_OK; k++)
        status = ms_dense_solution_next(shared->solution, scratch);
    return status == MS_OK;
}

/* One piece more. */
static void extend(ms_shared_reference *shared)
{
    ms_dense_piece *piece = new_piece(shared);
    if (piece != NULL && catch_up(shared, piece)) {
        const int status = ms_dense_solution_next(shared->solution, piece);
        shared->end = status == MS_NO_MEMORY ? MS_OK : status;
        if (status == MS_OK) {
            shared->piece[shared->n++] = piece;
            return;
        }
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

int ms_shared_reference_end(ms_shared_reference *shared)
{
    pthread_mutex_lock(&shared->lock);
    const int end = shared->end;
    pthread_mutex_unlock(&shared->lock);
    return end;
}

/* Steps -------------------------------------------------------------------------------------------------- */

static track *add_track(ms_shared_reference *shared, int n, const double *fractions, double h)
{
    if (shared->n_tracks == TRACKS_MAX)
        return NULL;
    track *new = &shared->track[shared->n_tracks];
    const ms_reference_key key = {shared->system, shared->start_time, n, new->fraction, h};
    memcpy(new->fraction, fractions, sizeof(double) * (size_t)n);
    if (ms_stepped_record_create(&key, shared->most / TRACKS_MAX, &new->record, NULL) != MS_OK)
        return NULL;
    new->n = n;
    new->h = h;
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
