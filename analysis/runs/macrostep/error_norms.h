/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_norms.h - an observer that measures norms of the errors of a run's states against the reference.
 *
 * For a state: max is over communication points, end the last one, rmse = sqrt((1/T) int e^2 dt) and l2 =
 * sqrt(int e^2 / int ref^2). If subsystems have separate clocks, the steps and communication points are those of the state's
 * subsystem.
 *
 * The integrals are sums over points inside each macro-step: three Gauss points on level 0, Fejer's second rule with 15 and 63 on
 * levels 1 and 2. A second rule on the same points, Simpson's or Fejer's with half as many, tells whether they are `resolved`,
 * known to 1e-6. If not, a finer level has to run again (ms_simulation_run does): missing samples cannot be taken afterwards. On
 * the last level the integrals are final: if states jump inside a macro-step, or oscillate more than about four times, they are
 * not known to 1e-6. An event inside a macro-step leaves an error of about 1/64 of the integral over that macro-step. Level 0
 * does not detect components aliased by three points and those with less than 3e-4 of the squares over a macro-step. On
 * MS_ERROR_AT_POINTS nothing is sampled: max and end are the same, the integrals NaN.
 *
 * If the reference's own error grows beyond MS_REFERENCE_USABLE of its largest value, as beyond the horizon of a chaotic model,
 * or if it ends because its budget of work is spent, errors are those up to that time (known_until). */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/error_scale.h>
#include <macrostep/reference.h>
#include <macrostep/run.h>

MS_C_LINKAGE_BEGIN

extern const double ms_gauss_fractions[3]; /* on [0, 1] */
extern const double ms_gauss_weights[3];

typedef struct ms_state_errors {
    double max, rmse, l2,
        end; /* l2: NaN where the reference is within its own error of zero; the others are divided by the state's scale
                                  and NaN where it has none (error_scale.h) */
} ms_state_errors;

/* Divides those of variable j by its scale; false: it has none, and they are NaN. */
bool ms_error_scale_apply(const ms_error_scale *scale, int j, ms_state_errors *errors);

enum { MS_ERROR_AT_POINTS = -1, MS_ERROR_LEVELS = 3, MS_ERROR_POINTS = 63 };

/* A rule on [0, 1], and another one on the same points and both ends. */
typedef struct ms_error_rule {
    int n;
    double at[MS_ERROR_POINTS], weight[MS_ERROR_POINTS];
    double other[MS_ERROR_POINTS], other_end;
    double resolved; /* a macro-step is, if both differ by no more than this part */
} ms_error_rule;

typedef struct ms_error_norms {
    double max, rmse, end;     /* maxima over the states */
    double l2_normalized_mean; /* mean over states whose l2 is a number; NaN: none */
    ms_state_errors *state;    /* (nx) */
    int compared;              /* of the nx states, as many have a reference */
    double reference_error;    /* of the reference itself, largest so far, in the units of the states */
    bool known;                /* the reference is accurate at the time reached */
    double known_until;     /* the last time at which it was [s]; at the end of a run that it reaches NaN */
    double reference_scale; /* the largest reference value so far */
    ms_error_scale scale;   /* of each state; other than `none` it is applied at the end of the run */
    int status; /* MS_OK, or why the reference could not follow: then errors are those up to known_until */
    ms_reference *reference;
    int level;     /* how finely macro-steps are sampled */
    bool resolved; /* rmse and l2 are known to 1e-6 */
    ms_error_rule rule;
    int sample[MS_ERROR_POINTS]; /* where its points are in a segment's samples */
    struct ms_error_sums *sums;  /* (nx) */
    bool keeps;                  /* the reference is not known: what was when it was known last is in .. */
    struct ms_error_kept *kept;  /* .. (nx) */
    double kept_error, kept_elapsed;
    double elapsed; /* [s] */
    int nx;
    struct ms_sample_queue *queue; /* where subsystems have their own clocks */
    double reached;                /* by the reference [s] */
    double *clock;                 /* times that the subsystems have reached (n) */
} ms_error_norms;

/* For runs of cosim, which gets the sampling that the level needs; call before ms_cosim_start. Each run
 * starts anew. The observer's self is the ms_error_norms. The values are complete when the run has ended. Errors:
 * those of ms_reference_create. shared: of which the reference reads where it fits; NULL: it reads alone. */
int ms_error_norms_create(ms_cosim *cosim, int level, ms_shared_reference *shared, ms_error_norms *errors,
                          ms_observer *observer, ms_error *error);
/* rmse and l2 as a finer level has found them in the same run. */
void ms_error_norms_take_integrals(ms_error_norms *errors, const ms_error_norms *finer);
void ms_error_norms_destroy(ms_error_norms *errors);

typedef enum ms_norm { MS_NORM_MAX, MS_NORM_RMSE, MS_NORM_L2, MS_NORM_END } ms_norm;
double ms_state_errors_norm(const ms_state_errors *errors, int norm);
double ms_error_norms_of(const ms_error_norms *errors, int norm); /* of the maxima; l2: of the mean */
/* What an error of a state, in its own unit, may become in that norm, scaled: of l2 the factor is 1 over the largest reference value. */
double ms_error_norms_unit(const ms_error_norms *errors, int norm);

MS_C_LINKAGE_END
