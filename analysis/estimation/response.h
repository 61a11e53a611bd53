/* response.h - the states and outputs of a model at given times: of its monolithic form, or of a
 * co-simulation.
 *
 * Monolithic: a micro-solver steps from time to time. Co-simulated: what the scheme holds where a time is a
 * communication point (to 1e-9 of the macro-step), and inside a macro-step the polynomial of degree 6 through
 * the states (and inputs, for outputs y = g(t, x, u)) at its start and at six samples, the extreme points of
 * a Chebyshev polynomial: its error, of order 7 in the macro-step, is below that of any scheme where
 * solutions are smooth within a macro-step. */
#ifndef MS_RESPONSE_H
#define MS_RESPONSE_H

#include <signal.h>

#include "options.h"
#include "series.h"
#include "system.h"

typedef struct ms_response {
    int columns;
    int *source; /* (columns) index in x, or nx + index in y */
    char **name; /* (columns) borrowed */
    int *column; /* (columns) in the series that ms_response_columns was given */
    long rows;
    const double *time; /* (rows) ascending, borrowed [s] */
    bool cosimulated;
    ms_options
        options; /* of the co-simulation; else solver, its tolerances, micro-steps and the start time */
} ms_response;

/* The columns SUB.x.NAME and SUB.y.NAME of the series, and its times. SUB.u.NAME, which a trajectory holds
 * too, is left aside: u = L y. Errors: MS_INVALID with file and line (a column that names no state or output,
 * no column at all, a time before the start, none behind it), MS_NO_MEMORY. */
int ms_response_create(const ms_system *system, const ms_series *series, const ms_options *options,
                       bool cosimulated, ms_response *response, ms_error *error);
void ms_response_destroy(ms_response *response);

/* value (rows x columns) of a system of the same model. stop: as in ms_run; may be NULL. Returns MS_OK;
 * MS_INTERRUPTED; MS_STEP_REJECTED where the run did not reach its end or has no solution, with the line why;
 * MS_INVALID, MS_UNSUPPORTED, MS_NO_MEMORY. */
int ms_response_run(const ms_response *response, const ms_system *system, const volatile sig_atomic_t *stop,
                    double *value, ms_error *error);

/* The name of the micro-solver that a run takes. */
const char *ms_response_solver(const ms_response *response, const ms_system *system);

/* In parts: the monolithic form, and the co-simulation. */
int ms_response_whole(const ms_response *response, const ms_system *system, const volatile sig_atomic_t *stop,
                      double *value, ms_error *error);
int ms_response_cosim(const ms_response *response, const ms_system *system, const volatile sig_atomic_t *stop,
                      double *value, ms_error *error);

#endif
