/* cosim.h - a co-simulation: subsystem instances, a scheme, and their state in two flat blocks.
 *
 * `lin` holds what a linear scheme maps linearly: the states x of all subsystems, then the scheme's memory, which
 * begins with the outputs y.
 * `aux` holds the clock, the scheme's step history, discrete variables and step-size memories of the
 * micro-solvers. Saving and restoring copies both blocks and nothing else. */
#ifndef MS_COSIM_H
#define MS_COSIM_H

#include "instance.h"
#include "loop.h"
#include "options.h"
#include "scheme.h"

/* What happened on one stretch of the last macro-step, kept for observers where they ask for it. */
typedef struct ms_segment {
    double t, h;
    double *u;       /* right limits of the inputs at t (nu) */
    double *samples; /* states at t + sample_at[k] h (n_samples x nx) */
} ms_segment;

enum { MS_SEGMENTS_MAX = 2 };

struct ms_cosim {
    const ms_system *system;
    ms_options options; /* resolved: no default is left open */
    const ms_scheme *scheme;
    void *scheme_data;
    const ms_solver *solver;
    ms_instance **instance; /* (system->n) */
    ms_loop *loop;

    double *lin, *aux;
    int lin_size, aux_size;
    double *x;          /* states (nx): the head of lin */
    double *scheme_lin; /* the scheme's memory in lin */
    double *scheme_aux; /* and in aux */

    double *y;      /* outputs at the last communication point as the scheme holds them (ny): the head of scheme_lin */
    double *y_raw;  /* the same as they came, before any solving or correction (ny); may be y itself */
    double *u_left; /* left limits of the inputs there (nu) */

    double *output_memory; /* owns y_raw and u_left */

    long integrations, iterations;
    int n_samples;   /* 0: observers need no states inside macro-steps */
    int n_segments;
    ms_segment segment[MS_SEGMENTS_MAX];
    double *segment_memory;
    ms_error error;  /* why the last step failed */
};

/* Resolves the options against system and scheme and makes everything ready for ms_cosim_start.
 * Errors: MS_INVALID (unknown name, option that the scheme does not know, bad value), MS_UNSUPPORTED
 * (capabilities), MS_NO_MEMORY. */
int ms_cosim_create(const ms_system *system, const ms_options *options, ms_cosim **cosim, ms_error *error);
void ms_cosim_destroy(ms_cosim **cosim); /* NULL-safe */

/* States sampled at the given ascending fractions of each macro-step; call before ms_cosim_start. */
int ms_cosim_sample(ms_cosim *cosim, int n, const double *fractions);

/* Start values, consistent inputs and the scheme's memory at options.start_time.
 * Returns MS_OK, MS_NO_SOLUTION or another negative status; the line is in cosim->error. */
int ms_cosim_start(ms_cosim *cosim);

/* One macro-step from t to t + h, as the scheme's step(). */
static inline int ms_cosim_step(ms_cosim *cosim, double t, double h)
{
    return cosim->scheme->step(cosim, t, h);
}

/* Copies lin and aux to or from a block of ms_cosim_state_size doubles. */
size_t ms_cosim_state_size(const ms_cosim *cosim);
void ms_cosim_save(const ms_cosim *cosim, double *state);
void ms_cosim_restore(ms_cosim *cosim, const double *state);
/* Can every subsystem roll back? Otherwise *who names the first that cannot (may be NULL). */
bool ms_cosim_can_roll_back(const ms_cosim *cosim, const char **who);

/* Records the finished stretch [t, t + h] as segment k for observers. */
void ms_cosim_record_segment(ms_cosim *cosim, int k, double t, double h);
/* Does an observer ask for segments? */
static inline bool ms_cosim_records(const ms_cosim *cosim)
{
    return cosim->segment_memory != NULL;
}

#endif
