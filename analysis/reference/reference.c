/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/instance.h>
#include "shared_reference_parts.h"
#include "solution_file.h"
#include "stepped_solution.h"

/* Where the first macro-step is longer than this many of the model's own the pieces of a dense solution would be many
 * in each: then the steps of the run serve. */
static const double FAR = 16.0;

/* Where steps may become so, pieces are used for runs of at most this many of the model's own. */
static const double MANY = 1e5;

/* What is known at the time reached. */
typedef struct view {
    const double *x, *z, *samples; /* (nx), (nz), (n, nx) */
    double error;
} view;

struct ms_reference {
    const ms_system *system;
    bool smooth;                         /* the model is */
    bool uneven;                         /* steps may become long */
    bool in_pieces;                      /* pieces serve, unless the first step is long */
    int n;                               /* fractions */
    double fraction[MS_SAMPLES_MAX + 1]; /* the last one is the end of a step */
    ms_shared_reference *shared;         /* NULL: none fits */
    ms_shared_reference *cached;         /* what is kept from one program call to the next; NULL: nothing */
    ms_stepped_solution *stepped;        /* NULL: not needed so far */
    ms_dense_solution *dense;            /* NULL: not needed so far */
    ms_dense_piece *own;                 /* room for its pieces; NULL as it */
    /* (n + 2, nx) of pieces: row n is the state at the time reached, the last one that at a piece's end; NULL:
     * there are none */
    double *samples;

    /* Of the run. */
    bool started, by_steps; /* by_steps: of the run; otherwise in pieces */
    bool alone;             /* nothing is shared, or the shared solution has ended or begins differently */
    double start_time;
    ms_shared_reference *from;   /* whose pieces it reads, unless it is alone: */
    const ms_dense_piece *piece; /* that of the time reached, */
    long at;                     /* piece `at`, from 0 */
    ms_stepped_record *record;   /* whose steps it reads, unless it is alone, */
    long steps;                  /* their number */
    double largest;              /* value so far */
    view now;
};

/* Creation ----------------------------------------------------------------------------------------------- */

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
}

static int create_dense(ms_reference *reference, ms_error *error)
{
    const int status = ms_dense_solution_create(reference->system, &reference->dense, error);
    if (status == MS_OK)
        reference->own = malloc(ms_dense_piece_size(reference->system));
    return status != MS_OK || reference->own != NULL ? status : no_memory(error);
}

static int create_stepped(ms_reference *reference, ms_error *error)
{
    return ms_stepped_solution_create(reference->system, reference->n, reference->fraction, reference->uneven,
                                      &reference->stepped, error);
}

/* What the first run will need. */
static int create_solution(ms_reference *reference, ms_error *error)
{
    const size_t nx = (size_t)reference->system->nx;
    if (!reference->in_pieces)
        return create_stepped(reference, error);
    reference->samples = malloc(sizeof *reference->samples * ((size_t)(reference->n + 2) * nx + 1));
    MS_TRY_MEMORY_OR(reference->samples != NULL, no_memory(error));
    return reference->shared == NULL ? create_dense(reference, error) : MS_OK;
}

int ms_reference_create_reading(const ms_system *system, const ms_reference_reading *reading,
                                ms_reference **out, ms_error *error)
{
    ms_shared_reference *shared = reading->shared;
    *out = NULL;
    if (reading->n > MS_SAMPLES_MAX)
        return ms_fail(error, MS_INVALID, "the reference takes at most %d samples per step, not %d",
                       MS_SAMPLES_MAX, reading->n);
    ms_reference *reference = calloc(1, sizeof *reference);
    MS_TRY_MEMORY_OR(reference != NULL, no_memory(error));
    *out = reference;
    reference->system = system;
    reference->smooth = ms_dense_solution_serves(system);
    reference->uneven = reading->uneven_steps;
    const bool short_run = reading->span > 0.0 && reading->span <= MANY * system->step_size;
    reference->in_pieces = reference->smooth && (!reading->uneven_steps || short_run);
    reference->n = reading->n;
    for (int k = 0; k < reading->n; k++)
        reference->fraction[k] = reading->fractions[k];
    reference->fraction[reading->n] = 1.0;
    if (shared != NULL && ms_shared_reference_fits(shared, system, ms_shared_reference_time(shared)))
        reference->shared = shared;
    const int status = create_solution(reference, error);
    if (status == MS_OK)
        ms_reference_start(reference);
    else
        ms_reference_destroy(out);
    return status;
}

int ms_reference_create(const ms_system *system, int n, const double *fractions, ms_reference **reference,
                        ms_error *error)
{
    const ms_reference_reading alone = {.n = n, .fractions = fractions};
    return ms_reference_create_reading(system, &alone, reference, error);
}

void ms_reference_destroy(ms_reference **out)
{
    if (out == NULL || *out == NULL)
        return;
    ms_shared_reference_destroy(&(*out)->cached);
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

/* As its own steps have left it. */
static void look_at_steps(ms_reference *reference)
{
    const ms_stepped_solution *stepped = reference->stepped;
    reference->now = (view){.x = ms_stepped_solution_state(stepped),
                            .z = ms_stepped_solution_discrete(stepped),
                            .samples = ms_stepped_solution_samples(stepped),
                            .error = ms_stepped_solution_error(stepped)};
}

static void see(ms_reference *reference, const double *x)
{
    for (int j = 0; j < reference->system->nx; j++)
        reference->largest = fmax(reference->largest, fabs(x[j]));
}

void ms_reference_start(ms_reference *reference)
{
    reference->started = false;
    reference->largest = 0.0;
    if (reference->stepped != NULL)
        ms_stepped_solution_start(reference->stepped);
    if (reference->samples == NULL) {
        look_at_steps(reference);
    } else {
        ms_system_start(reference->system, dense_sample(reference, reference->n));
        reference->now = (view){.x = dense_sample(reference, reference->n), .samples = reference->samples};
    }
    see(reference, reference->now.x);
}

/* Pieces ------------------------------------------------------------------------------------------------- */

/* The next piece of its own solution, which has reached `from`, and so on to piece `at`. */
static int own_piece(ms_reference *reference, long from)
{
    for (; from <= reference->at; from++)
        MS_TRY(ms_dense_solution_next(reference->dense, reference->own));
    reference->piece = reference->own;
    return MS_OK;
}

/* From the first piece on. */
static int start_own_pieces(ms_reference *reference)
{
    reference->alone = true;
    const int status = reference->dense == NULL ? create_dense(reference, NULL) : MS_OK;
    if (status != MS_OK)
        return status == MS_NO_MEMORY ? status : MS_SOLVER_FAILED;
    ms_dense_solution_start(reference->dense, reference->start_time);
    return own_piece(reference, 0);
}

/* To piece `at`. */
static int turn(ms_reference *reference)
{
    if (reference->alone)
        return own_piece(reference, reference->at);
    reference->piece = ms_shared_reference_piece(reference->from, reference->at);
    if (reference->piece != NULL)
        return MS_OK;
    const int end = ms_shared_reference_end(reference->from); /* and its own would end so, too */
    return end != MS_OK ? end : start_own_pieces(reference);
}

static bool holds(const ms_dense_piece *piece, double t)
{
    return t <= piece->end;
}

/* To the piece that holds t. */
static int follow(ms_reference *reference, double t)
{
    int status = MS_OK;
    double *x = dense_sample(reference, reference->n + 1);
    while (status == MS_OK && !holds(reference->piece, t)) {
        ms_dense_piece_evaluate(reference->piece, reference->system->nx, 1, &reference->piece->end, x);
        see(reference, x);
        reference->at++;
        status = turn(reference);
    }
    return status;
}

static int dense_step(ms_reference *reference, double t, double h)
{
    const int nx = reference->system->nx, n = reference->n + 1;
    double time[MS_SAMPLES_MAX + 1];
    int status = MS_OK;
    for (int k = 0; k < n; k++)
        time[k] = t + reference->fraction[k] * h;
    for (int k = 0, count; k < n && status == MS_OK; k += count) {
        status = follow(reference, time[k]);
        for (count = 1; status == MS_OK && k + count < n && count < MS_DENSE_TIMES &&
                        holds(reference->piece, time[k + count]);) /* there is none if it failed */
            count++;
        if (status == MS_OK)
            ms_dense_piece_evaluate(reference->piece, nx, count, time + k, dense_sample(reference, k));
    }
    if (status == MS_OK)
        reference->now.error = reference->piece->error;
    return status;
}

/* Steps of the run ----------------------------------------------------------------------------------------- */

static int own_step(ms_reference *reference, double t, double h)
{
    const int status = ms_stepped_solution_step(reference->stepped, t, h);
    look_at_steps(reference);
    return status;
}

/* Leaves the shared solution: its own solution takes the same steps. */
static int go_alone(ms_reference *reference)
{
    int status = MS_OK;
    reference->alone = true;
    for (long k = 0; k < reference->steps && status == MS_OK; k++) {
        const ms_recorded_step step = ms_stepped_record_at(reference->record, k);
        status = ms_stepped_solution_step(reference->stepped, step.t, step.h);
    }
    return status;
}

static int stepped_step(ms_reference *reference, double t, double h)
{
    if (reference->alone)
        return own_step(reference, t, h);
    const ms_recorded_step *step = ms_stepped_record_step(reference->record, reference->steps, t, h);
    if (step != NULL) {
        reference->now = (view){step->x, step->z, step->samples, step->error};
        reference->steps++;
        return MS_OK;
    }
    MS_TRY(ms_stepped_record_end(reference->record, reference->steps, t, h));
    MS_TRY(go_alone(reference));
    return own_step(reference, t, h);
}

/* The first step ----------------------------------------------------------------------------------------- */

/* What it reads from t on; NULL: nothing. Where no shared one exists, and there is a cache, it has one of
 * its own for that. */
static ms_shared_reference *shared_from(ms_reference *reference, double t)
{
    ms_shared_reference **cached = &reference->cached;
    if (reference->shared != NULL)
        return ms_shared_reference_time(reference->shared) == t ? reference->shared : NULL;
    if (!ms_reference_cache_is_open())
        return NULL;
    if (*cached != NULL && ms_shared_reference_time(*cached) != t)
        ms_shared_reference_destroy(cached);
    if (*cached == NULL)
        (void)ms_shared_reference_create(reference->system, t, MS_SHARED_REFERENCE_BYTES, cached, NULL);
    return *cached;
}

/* Steps that may grow, and exponentials, are taken alone. */
static int start_steps(ms_reference *reference, double t, double h)
{
    const bool shares = !reference->smooth && !reference->uneven;
    ms_shared_reference *from = shares ? shared_from(reference, t) : NULL;
    reference->record =
        from != NULL ? ms_shared_reference_record(from, reference->n, reference->fraction, h) : NULL;
    reference->alone = reference->record == NULL;
    const int status = reference->stepped == NULL ? create_stepped(reference, NULL) : MS_OK;
    return status == MS_OK || status == MS_NO_MEMORY ? status : MS_SOLVER_FAILED;
}

static int start_pieces(ms_reference *reference, double t)
{
    reference->from = shared_from(reference, t);
    reference->alone = reference->from == NULL;
    return reference->alone ? start_own_pieces(reference) : turn(reference);
}

/* A first step from t to t + h. */
static int begin(ms_reference *reference, double t, double h)
{
    const bool is_long = h > FAR * reference->system->step_size;
    reference->by_steps = !reference->in_pieces || is_long;
    reference->start_time = t;
    reference->at = reference->steps = 0;
    const int status = reference->by_steps ? start_steps(reference, t, h) : start_pieces(reference, t);
    reference->started = status == MS_OK;
    return status;
}

int ms_reference_step(ms_reference *reference, double t, double h)
{
    int status = reference->started ? MS_OK : begin(reference, t, h);
    MS_THEN(status, reference->by_steps ? stepped_step(reference, t, h) : dense_step(reference, t, h));
    if (status == MS_OK)
        see(reference, reference->now.x);
    return status;
}

double ms_reference_largest(const ms_reference *reference)
{
    return reference->largest;
}

const double *ms_reference_state(const ms_reference *reference)
{
    return reference->now.x;
}

const double *ms_reference_sample(const ms_reference *reference, int k)
{
    return reference->now.samples + (size_t)k * (size_t)reference->system->nx;
}

const double *ms_reference_discrete(const ms_reference *reference)
{
    return reference->now.z;
}

double ms_reference_error(const ms_reference *reference)
{
    return reference->now.error;
}

void ms_reference_explain(int status, double known, char *text, size_t size)
{
    const char *why = status == MS_SPENT ? "it exceeds the allowed work"
                      : status == MS_DISAGREE
                          ? "several solutions go on there, as from x = 0 with x' = sqrt(|x|)"
                          : "its solvers failed";
    if (status == MS_OK)
        snprintf(text, size,
                 "errors are those up to %.6g s; after it the error of the reference exceeds %g of "
                 "its values",
                 known, MS_REFERENCE_USABLE);
    else if (isnan(known))
        snprintf(text, size, "there are no errors, because the reference did not start: %s", why);
    else
        snprintf(text, size, "errors are known up to %.9g s, where the reference ends: %s", known, why);
}
