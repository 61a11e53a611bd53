/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - the solution of the monolithic model, read from step to step of a run, with an estimate of its own
 * error.
 *
 * Where the model is smooth it is a dense solution (dense_solution.h), which many runs can share; otherwise, and where
 * macro-steps are far longer than the model's own or may become so in a long run, it is computed for the steps of the run
 * (stepped_solution.h). reference_cache.h keeps references on disk. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_reference ms_reference;
typedef struct ms_shared_reference ms_shared_reference;

/* How a run reads it. */
typedef struct ms_reference_reading {
    int n;                   /* samples of each step, */
    const double *fractions; /* at these (n) in (0, 1], ascending */
    bool uneven_steps;       /* steps may become far longer than the first one, as under step control, .. */
    double span;             /* .. in a run of this length [s]; 0: unknown */
    /* its pieces or steps are read where it fits; the bits are the same. NULL: none is */
    ms_shared_reference *shared;
} ms_reference_reading;

/* Stands at the start values. Errors: those of ms_monolithic_create, MS_INVALID (too many samples), MS_NO_MEMORY. */
int ms_reference_create_reading(const ms_system *system, const ms_reference_reading *reading,
                                ms_reference **reference, ms_error *error);

/* The same for n fractions, read alone. */
int ms_reference_create(const ms_system *system, int n, const double *fractions, ms_reference **reference,
                        ms_error *error);
void ms_reference_destroy(ms_reference **reference); /* NULL-safe */

/* Back to the start values, as after creation. */
void ms_reference_start(ms_reference *reference);

/* Advances from the present time t to t + h; the first step begins at the start time. Returns MS_OK, MS_SOLVER_FAILED, MS_SPENT (it
 * would need more work than allowed) or MS_NO_MEMORY; after these three it cannot continue, and earlier results remain valid. */
int ms_reference_step(ms_reference *reference, double t, double h);

/* The states (nx) at the time reached, and at fraction k of the last step. */
const double *ms_reference_state(const ms_reference *reference);
const double *ms_reference_sample(const ms_reference *reference, int k);

/* The discrete variables (nz of the system) at the time reached, right limits at events; NULL where the model is
 * smooth, which has none. */
const double *ms_reference_discrete(const ms_reference *reference);

/* A bound on the error so far, at the times of steps and samples. */
double ms_reference_error(const ms_reference *reference);

/* The largest value of a state so far, at the times of steps and between them where the solution's own pieces end, as in a spike that no
 * step has met. */
double ms_reference_largest(const ms_reference *reference);

#define MS_REFERENCE_USABLE 1e-2

/* Is a reference with that error of its own of use where its largest value so far is `scale`? */
static inline bool ms_reference_usable(double error, double scale)
{
    return error <= MS_REFERENCE_USABLE * scale || error == 0.0;
}

/* Explains such a status to the reader of an answer whose errors end at `known` [s]; NAN: there are none. MS_OK: it continues, but is
 * no longer accurate. */
void ms_reference_explain(int status, double known, char *text, size_t size);

MS_C_LINKAGE_END
