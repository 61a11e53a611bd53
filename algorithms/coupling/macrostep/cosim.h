/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim.h - a co-simulation: subsystem instances, a scheme, and their state in two flat blocks.
 *
 * `lin` holds the memory that a linear scheme maps linearly: the states x of all subsystems, then the scheme's
 * memory, which begins with the outputs y.
 * `aux` holds the clock, the scheme's step history, discrete variables and step-size memories of the
 * micro-solvers. Saving and restoring copies both blocks and nothing else. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/instance.h>
#include <macrostep/solver_choice.h>
#include <macrostep/variant.h>

MS_C_LINKAGE_BEGIN

/* For which inputs the outputs at the end of a step are read. */
typedef enum ms_reading {
    MS_READING_LEFT, /* left limits of the polynomials there */
    MS_READING_LAWS, /* and of the input laws (input_law.h) */
    MS_READING_START /* the inputs at the start of the step, as (6.73c) of Andersson prints */
} ms_reading;

/* One stretch of the last macro-step, recorded for observers on request. */
typedef struct ms_segment {
    double t, h;
    int first, last; /* subsystems first .. last - 1 took it; values of the others are older */
    /* begins where an earlier segment of the same subsystem has ended within the same macro-step */
    bool goes_on;
    double *u;       /* right limits of the inputs at t (nu) */
    double *start;   /* states at t (nx) */
    double *samples; /* states at t + sample_at[k] h (n_samples x nx) */
    double *inputs;  /* inputs at the same times (n_samples x nu); NULL if not requested */
    double *work;    /* [J] through each port, those of subsystem i from port_at[i] on; NULL: not wanted */
} ms_segment;

/* per subsystem, unless its scheme needs more: a macro-step, or its two halves */
enum { MS_SEGMENTS = 2 };

/* Length of a message about the effect of a missing capability on a run. */
enum { MS_DEGRADED_SIZE = 256 };

struct ms_cosim {
    ms_structure memory; /* of ms_cosim_alloc */
    const ms_system *system;
    ms_options *options; /* resolved: no default is left open */
    ms_variant variant;  /* the same as types, with scheme and solver below */
    const ms_scheme *scheme;
    void *scheme_data;
    const ms_solver *solver; /* properties common to all: choice.all */
    ms_solver_choice choice;
    ms_instance **instance; /* (system->n) */
    struct ms_loop *loop;
    const struct ms_executor *executor; /* advances the subsystems (execution.h) */
    void *executor_data;
    int own;                    /* subsystems 0 .. own - 1 are integrated in this process */
    struct ms_equal_rows *rows; /* of equal_rows.h; NULL: each is advanced by its instance */

    double *lin, *aux;
    int lin_size, aux_size;
    double *x;          /* states (nx): the head of lin */
    double *scheme_lin; /* the scheme's memory in lin */
    double *scheme_aux; /* and in aux */

    double *y;      /* outputs at the last communication point as the scheme holds them (ny), in scheme_lin */
    double *y_raw;  /* the same as they came, before any solving or correction (ny); may be y itself */
    double *u_left; /* left limits of the inputs there (nu) */

    double *hold; /* (nu): values of held inputs over a macro-step, NaN for others; NULL: nothing is held */

    double *coefficients; /* of all inputs, subsystem by subsystem */

    ms_reading reading; /* set by the scheme's create() */
    bool alike;         /* likewise: all inputs have the same pieces and degree in a macro-step */
    bool asynchronous;  /* subsystems step separately, so that each segment belongs to one: the scheme gives
                              them separate clocks, or records them itself (ms_cosim_record_stretch) */
    int stretches;      /* asynchronous: of a subsystem at most, where they are more than MS_SEGMENTS */
    bool *communicates; /* (system->n): has the subsystem communicated at the end of the last
                              macro-step? */
    char (*degraded)[MS_DEGRADED_SIZE]; /* effects of missing capabilities on the scheme (n_degraded lines) */
    int n_degraded;

    /* Announced time events, see time_events.h. */
    double share; /* fraction of the macro-step that remains after a cut by an event; 1: all of it */
    double *due;  /* (system->n): times announced by the subsystems; INFINITY: none, or not requested */

    double defect;  /* of outputs that are estimated: the largest |y - estimate| so far; NAN: none is */
    bool no_return; /* subsystems that cannot roll back have failed in the last macro-step */
    long integrations, iterations;
    long held;   /* number of macro-steps after which step-size control wanted less than the smallest step */
    long sweeps; /* of all subsystems over a macro-step, by schemes that repeat it */
    long sensitivities;               /* columns of sensitivities of a macro-step that were set up */
    bool samples_inputs;              /* and not only states */
    int n_samples;                    /* 0: observers need no states inside macro-steps */
    double sample_at[MS_SAMPLES_MAX]; /* ascending fractions of the stretch */
    int *port_at;                     /* (system->n + 1): where ports begin; NULL: observers need no work */
    int n_segments;
    ms_segment *segment;
    double *segment_memory;
    bool recorded_elsewhere; /* of a part of another one, which records segments */
    ms_work *saved_work;     /* (system->n): of observation.h; NULL where observers ask for nothing */
    ms_error error;          /* why the last step failed */
};

/* The name of the default micro-solver: the first of the list for residuals if a subsystem is
 * differential-algebraic (ida), the exact one for linear models under schemes (NULL: any) whose inputs are polynomials,
 * and the one for all others (automatic). */
const char *ms_cosim_default_solver(const ms_system *system, const ms_scheme *scheme);

/* The name of the options' micro-solver, or the default; if a history should be kept over jumps of inputs, cvode-bdf instead of
 * automatic. */
const char *ms_cosim_solver(const ms_system *system, const ms_scheme *scheme, const ms_options *options);

/* Fills in unset options of a run as ms_cosim_create does: the micro-solver, by the same rule, and from the system
 * step size, stop time and the maximal number of steps. */
void ms_cosim_resolve(const ms_system *system, const ms_scheme *scheme, ms_options *options);

/* Tolerance for a number of macro-steps to count as an integer. */
static inline double ms_cosim_round_off(double steps)
{
    return 1e-9 + 1e-15 * steps;
}

/* The room that inputs have, by their scheme. */
ms_input_room ms_cosim_input_room(const ms_cosim *cosim);

/* Zeroed memory, freed with the co-simulation; NULL: no memory. */
void *ms_cosim_alloc(ms_cosim *cosim, size_t count, size_t size);

/* Adds a line to `degraded`; before the run. Returns MS_OK or MS_NO_MEMORY. */
int ms_cosim_degrade(ms_cosim *cosim, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message if the loop between the outputs could not be solved at a communication point, t. Returns the status. */
int ms_cosim_loop_failed(ms_cosim *cosim, int status, double t);

/* The line of subsystem i that failed between t and t + h, in cosim->error. Returns MS_SOLVER_FAILED. */
int ms_cosim_step_failed(ms_cosim *cosim, int i, double t, double h);

/* From now on a subsystem whose adaptive micro-solver needs more micro-steps on a piece of its input has failed. */
void ms_cosim_bound_micro_steps(ms_cosim *cosim, long most);

/* Records segments from now on, with states and inputs sampled at the given fractions in (0, 1] of each
 * macro-step, in addition to those requested before; call before ms_cosim_start. Returns MS_OK,
 * MS_INVALID (too many), MS_NO_MEMORY. */
int ms_cosim_sample(ms_cosim *cosim, int n, const double *fractions);

/* The same without inputs, unless requested otherwise. */
int ms_cosim_sample_states(ms_cosim *cosim, int n, const double *fractions);

/* Records segments from now on, with the work through each port (port_work.h); call before ms_cosim_start. Returns MS_OK or
 * MS_NO_MEMORY. */
int ms_cosim_measure_work(ms_cosim *cosim);

/* Index of the sample at a fraction that was requested. */
int ms_cosim_sample_index(const ms_cosim *cosim, double fraction);

/* The segment after the k-th that continues subsystem i, or NULL. */
const ms_segment *ms_cosim_next_segment(const ms_cosim *cosim, int k, int i);
/* Does every subsystem communicate? */
bool ms_cosim_all_communicate(const ms_cosim *cosim);
/* Does an observer ask for segments? */
static inline bool ms_cosim_records(const ms_cosim *cosim)
{
    return cosim->segment_memory != NULL;
}

MS_C_LINKAGE_END
