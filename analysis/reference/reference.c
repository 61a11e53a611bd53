/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dense_solution.h"
#include "instance.h"
#include "stepped_record.h"
#include "stepped_solution.h"

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

/* Where the first macro-step is longer than so many of the model's own the pieces of a dense solution would be many
 * in each: then the steps of the run serve. */
static const double FAR = 16.0;

struct ms_reference {
    const ms_system *system;
    bool by_steps;                /* of the run; otherwise in pieces */
    bool uneven;                  /* these may become long */
    ms_stepped_solution *stepped; /* NULL: not needed so far */
    ms_dense_solution *dense;     /* NULL: the model is not smooth */
    ms_dense_piece *own;          /* room for its pieces */
    ms_shared_reference *shared;
    const ms_dense_piece *piece;      /* that of the time reached; NULL: not started */
    long at;                          /* it is piece `at`, from 0 */
    bool alone;                       /* shared pieces or steps are at their end, or begin otherwise */
    ms_stepped_record *record;        /* whose steps it reads; NULL: not started */
    const ms_recorded_step *recorded; /* the last one of them, */
    long steps;                       /* of so many; NULL: it stands at the start or is alone */
    double start_time;
    int n;                               /* fractions */
    double fraction[MS_SAMPLES_MAX + 1]; /* the last one is the end of a step */
    double *samples;                     /* (n + 1, nx): the last one is the state at the time reached */
    double error;
};

/* Creation ----------------------------------------------------------------------------------------------- */

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
}

static int create_dense(ms_reference *reference, ms_error *error)
{
    const int status = ms_dense_solution_create(reference->system, &reference->dense, error);
    if (status != MS_OK)
        return status;
    reference->own = malloc(ms_dense_piece_size(reference->dense));
    reference->samples =
        malloc(sizeof *reference->samples * ((size_t)(reference->n + 1) * (size_t)reference->system->nx + 1));
    return reference->own != NULL && reference->samples != NULL ? MS_OK : no_memory(error);
}

int ms_reference_create(const ms_system *system, int n, const double *fractions, ms_reference **out,
                        ms_error *error)
{
    *out = NULL;
    if (n > MS_SAMPLES_MAX)
        return ms_fail(error, MS_INVALID, "the reference takes at most %d samples a step, not %d",
                       MS_SAMPLES_MAX, n);
    ms_reference *reference = calloc(1, sizeof *reference);
    if (reference == NULL)
        return no_memory(error);
    *out = reference;
    reference->system = system;
    reference->n = n;
    for (int k = 0; k < n; k++)
        reference->fraction[k] = fractions[k];
    reference->fraction[n] = 1.0;
    const int status = ms_dense_solution_serves(system)
                           ? create_dense(reference, error)
                           : ms_stepped_solution_create(system, n, fractions, &reference->stepped, error);
    if (status == MS_OK)
        ms_reference_start(reference);
    else
        ms_reference_destroy(out);
    return status;
}

void ms_reference_destroy(ms_reference **out)
{
    if (out == NULL || *out == NULL)
        return;
    ms_stepped_solution_destroy(&(*out)->stepped);
    ms_dense_solution_destroy(&(*out)->dense);
    free((*out)->own);
    free((*out)->samples);
    free(*out);
    *out = NULL;
}

static double *dense_sample(const ms_reference *reference, int k)
{
    return reference->samples + (size_t)k * (size_t)reference->system->nx;
}

void ms_reference_start(ms_reference *reference)
{
    reference->error = 0.0;
    reference->piece = NULL;
    reference->alone = reference->shared == NULL;
    reference->by_steps = reference->dense == NULL;
    reference->record = NULL;
    reference->recorded = NULL;
    reference->steps = 0;
    if (reference->stepped != NULL)
        ms_stepped_solution_start(reference->stepped);
    if (reference->dense != NULL)
        ms_system_start(reference->system, dense_sample(reference, reference->n));
}

void ms_reference_expect_uneven_steps(ms_reference *reference)
{
    reference->uneven = true;
}

/* Shared pieces ------------------------------------------------------------------------------------------ */

int ms_shared_reference_create(const ms_system *system, double start_time, size_t most,
                               ms_shared_reference **out, ms_error *error)
{
    ms_shared_reference *shared = calloc(1, sizeof *shared);
    *out = shared;
    if (shared == NULL)
        return no_memory(error);
    shared->system = system;
    shared->start_time = start_time;
    shared->most = most;
    if (pthread_mutex_init(&shared->lock, NULL) != 0) {
        free(shared);
        *out = NULL;
        return no_memory(error);
    }
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

void ms_reference_share(ms_reference *reference, ms_shared_reference *shared)
{
    const bool fits =
        shared != NULL && ms_shared_reference_fits(shared, reference->system, shared->start_time);
    reference->shared = fits ? shared : NULL;
    ms_reference_start(reference);
}

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

/* Piece k, or NULL where there is none. */
static const ms_dense_piece *shared_piece(ms_shared_reference *shared, long k)
{
    pthread_mutex_lock(&shared->lock);
    while (shared->n <= k && !shared->complete)
        extend(shared);
    const ms_dense_piece *piece = k < shared->n ? shared->piece[k] : NULL;
    pthread_mutex_unlock(&shared->lock);
    return piece;
}

/* Reading ------------------------------------------------------------------------------------------------ */

/* Piece `at` of its own solution, which has come as far as `from`. */
static int own_piece(ms_reference *reference, long from)
{
    for (; from <= reference->at; from++)
        if (ms_dense_solution_next(reference->dense, reference->own) != MS_OK)
            return MS_SOLVER_FAILED;
    reference->piece = reference->own;
    return MS_OK;
}

/* To piece `at`. */
static int turn(ms_reference *reference)
{
    if (reference->alone)
        return own_piece(reference, reference->at);
    const ms_dense_piece *piece = shared_piece(reference->shared, reference->at);
    if (piece != NULL) {
        reference->piece = piece;
        return MS_OK;
    }
    reference->alone = true; /* the same pieces, from the first one on */
    ms_dense_solution_start(reference->dense, reference->start_time);
    return own_piece(reference, 0);
}

static int begin(ms_reference *reference, double t)
{
    const bool elsewhere = reference->shared == NULL || reference->shared->start_time != t;
    reference->at = 0;
    reference->start_time = t;
    reference->alone = elsewhere;
    if (elsewhere)
        ms_dense_solution_start(reference->dense, t);
    return turn(reference);
}

static bool holds(const ms_dense_piece *piece, double t)
{
    return t <= piece->end;
}

/* To the piece that holds t. */
static int follow(ms_reference *reference, double t)
{
    int status = MS_OK;
    while (status == MS_OK && !holds(reference->piece, t)) {
        reference->at++;
        status = turn(reference);
    }
    return status;
}

static int dense_step(ms_reference *reference, double t, double h)
{
    const int nx = reference->system->nx, n = reference->n + 1;
    double time[MS_SAMPLES_MAX + 1];
    int status = reference->piece != NULL ? MS_OK : begin(reference, t);
    for (int k = 0; k < n; k++)
        time[k] = t + reference->fraction[k] * h;
    for (int k = 0, count; k < n && status == MS_OK; k += count) {
        status = follow(reference, time[k]);
        for (count = 1; k + count < n && count < MS_DENSE_TIMES && holds(reference->piece, time[k + count]);)
            count++;
        if (status == MS_OK)
            ms_dense_piece_evaluate(reference->piece, nx, count, time + k, dense_sample(reference, k));
    }
    if (status == MS_OK)
        reference->error = reference->piece->error;
    return status;
}

/* Steps of the run ----------------------------------------------------------------------------------------- */

/* A new track for steps that begin with h; NULL: there are too many, or no memory. */
static track *add_track(ms_shared_reference *shared, const ms_reference *reference, double h)
{
    track *new = &shared->track[shared->n_tracks];
    if (shared->n_tracks == TRACKS_MAX ||
        ms_stepped_record_create(shared->system, reference->n, reference->fraction, shared->most / TRACKS_MAX,
                                 &new->record, NULL) != MS_OK)
        return NULL;
    new->n = reference->n;
    new->h = h;
    memcpy(new->fraction, reference->fraction, sizeof(double) * (size_t)reference->n);
    shared->n_tracks++;
    return new;
}

static ms_stepped_record *find_record(ms_shared_reference *shared, const ms_reference *reference, double h)
{
    const size_t size = sizeof(double) * (size_t)reference->n;
    track *found = NULL;
    pthread_mutex_lock(&shared->lock);
    for (int k = 0; k < shared->n_tracks && found == NULL; k++) {
        track *one = &shared->track[k];
        if (one->n == reference->n && one->h == h && memcmp(one->fraction, reference->fraction, size) == 0)
            found = one;
    }
    if (found == NULL)
        found = add_track(shared, reference, h);
    pthread_mutex_unlock(&shared->lock);
    return found != NULL ? found->record : NULL;
}

/* Leaves what is shared: its own solution takes the same steps. */
static int go_alone(ms_reference *reference)
{
    int status = MS_OK;
    for (long k = 0; k < reference->steps && status == MS_OK; k++) {
        const ms_recorded_step step = ms_stepped_record_at(reference->record, k);
        status = ms_stepped_solution_step(reference->stepped, step.t, step.h);
    }
    reference->alone = true;
    reference->recorded = NULL;
    return status;
}

static int stepped_step(ms_reference *reference, double t, double h)
{
    if (reference->dense != NULL || reference->uneven)
        reference->alone = true;
    if (!reference->alone && reference->steps == 0)
        reference->record = find_record(reference->shared, reference, h);
    if (!reference->alone) {
        const ms_recorded_step *step = reference->record != NULL
                                           ? ms_stepped_record_step(reference->record, reference->steps, t, h)
                                           : NULL;
        if (step != NULL) {
            reference->recorded = step;
            reference->steps++;
            return MS_OK;
        }
        const int status = go_alone(reference);
        if (status != MS_OK)
            return status;
    }
    return ms_stepped_solution_step(reference->stepped, t, h);
}

/* Before the first step: is it long? */
static int choose(ms_reference *reference, double h)
{
    const bool is_long = reference->uneven || h > FAR * reference->system->step_size;
    if (reference->by_steps || reference->piece != NULL || !is_long)
        return MS_OK;
    reference->by_steps = true;
    return reference->stepped != NULL
               ? MS_OK
               : ms_stepped_solution_create(reference->system, reference->n, reference->fraction,
                                            &reference->stepped, NULL);
}

int ms_reference_step(ms_reference *reference, double t, double h)
{
    const int status = choose(reference, h);
    if (status != MS_OK)
        return status;
    return reference->by_steps ? stepped_step(reference, t, h) : dense_step(reference, t, h);
}

const double *ms_reference_state(const ms_reference *reference)
{
    if (reference->recorded != NULL)
        return reference->recorded->x;
    return reference->by_steps ? ms_stepped_solution_state(reference->stepped)
                               : dense_sample(reference, reference->n);
}

const double *ms_reference_sample(const ms_reference *reference, int k)
{
    if (reference->recorded != NULL)
        return reference->recorded->samples + (size_t)k * (size_t)reference->system->nx;
    return reference->by_steps
               ? ms_stepped_solution_samples(reference->stepped) + (size_t)k * (size_t)reference->system->nx
               : dense_sample(reference, k);
}

const double *ms_reference_discrete(const ms_reference *reference)
{
    if (reference->recorded != NULL)
        return reference->recorded->z;
    return reference->by_steps ? ms_stepped_solution_discrete(reference->stepped) : NULL;
}

double ms_reference_error(const ms_reference *reference)
{
    if (reference->recorded != NULL)
        return reference->recorded->error;
    return reference->by_steps ? ms_stepped_solution_error(reference->stepped) : reference->error;
}
