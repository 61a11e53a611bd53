/* errors.h - an observer that measures the errors of a run's states against the reference.
 *
 * For a state: max is over communication points, end the last one, rmse = sqrt((1/T) int e^2 dt) and l2 =
 * sqrt(int e^2 / int ref^2), both by three Gauss points inside each macro-step. Where subsystems have their
 * own clocks, the steps and communication points are those of the state's subsystem. */
#ifndef MS_ERRORS_H
#define MS_ERRORS_H

#include "backlog.h"
#include "reference.h"
#include "run.h"

extern const double ms_gauss_fractions[3]; /* on [0, 1] */
extern const double ms_gauss_weights[3];

typedef struct ms_state_errors {
    double max, rmse, l2, end; /* l2: NaN where the reference is within its own error of zero */
} ms_state_errors;

typedef struct ms_errors {
    double max, rmse, end;         /* maxima over the states */
    double l2_normalized_mean;     /* mean over states whose l2 is a number; NaN: there is none */
    ms_state_errors *state;        /* (nx) */
    double reference_error;        /* of the reference itself, largest so far */
    double reference_scale;        /* the largest reference value so far */
    int status;                    /* MS_OK, or why the reference could not follow: then all errors are NaN */
    ms_reference *reference;
    double *integrals; /* of e^2 (nx), of ref^2 (nx) */
    double elapsed;    /* [s] */
    int nx;
    ms_backlog backlog; /* where subsystems have their own clocks */
    double reached;     /* by the reference [s] */
    double *clock;      /* times that the subsystems have reached (n) */
} ms_errors;

/* For runs of cosim, which gets the sampling that is needed; call before ms_cosim_start. Each run starts
 * anew. The observer's self is the ms_errors. The values are complete when the run has ended. Errors:
 * those of ms_reference_create. */
int ms_errors_create(ms_cosim *cosim, ms_errors *errors, ms_observer *observer, ms_error *error);
void ms_errors_destroy(ms_errors *errors);

typedef enum ms_norm { MS_NORM_MAX, MS_NORM_RMSE, MS_NORM_L2, MS_NORM_END } ms_norm;
double ms_errors_norm(const ms_errors *errors, int norm);

#endif
