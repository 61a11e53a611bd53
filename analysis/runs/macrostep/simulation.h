/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation.h - one co-simulation with everything that is said of it: errors, energy, coupling residual,
 * work.
 *
 * What `run`, `compare`, `converge`, the sweeps and the figures have in common. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/choices.h>
#include <macrostep/cosim.h>
#include <macrostep/energy.h>
#include <macrostep/error_norms.h>
#include <macrostep/series.h>
#include <macrostep/trajectory.h>
#include <macrostep/work.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_simulation_energy {
    bool known;        /* every subsystem declares its energy */
    double start, end; /* [J] */
    double drift; /* the largest |E - E_reference| over communication points, relative to |E(0)| (absolute
                     where that is 0); without errors E_reference is E(0) */
    /* energy produced by the coupling [J], the drift of energy.h at the end; NaN: no bonds */
    double residual;
} ms_simulation_energy;

typedef struct ms_simulation {
    const ms_system *system;
    ms_options *options; /* resolved */
    ms_run_result result;
    ms_error_norms errors;
    /* errors were wanted, and there is nothing to compare with: `degraded` says why */
    bool without_reference;
    bool of_outputs;   /* errors.state are those of the outputs (ny) instead of states */
    bool given_up;     /* the run was ended because it misses what is wanted by far (ms_simulation_options) */
    bool errors_valid; /* false: no errors wanted, the run did not reach its end, or the reference did not */
    char note[512];    /* a remark about a completed run; may be empty */
    double coupling_residual; /* largest |u - L y| at communication points, u left limits, y as they came */
    ms_simulation_energy energy;
    ms_work *work;                      /* (system->n) */
    int expected_order;                 /* 0: none is claimed */
    char (*degraded)[MS_DEGRADED_SIZE]; /* (n_degraded) what missing capabilities made of the run */
    int n_degraded;
    bool has_trajectory;
    ms_trajectory trajectory;
    ms_energy ledger; /* of systems that declare their energies: all its rows if wanted, else the last one */
} ms_simulation;

/* Comparison of errors with something other than the system's monolithic form. One of the three is set. States are compared by
 * name if any are common, otherwise outputs, at communication points: max and end as usual, rmse and l2 by the trapezoidal
 * rule on them. */
typedef struct ms_against {
    const char *name; /* as it was given, for messages */
    /* the reference of another model, with the values of parameters of the same name */
    const ms_model *model;
    const ms_series *series; /* a time series, linear between its rows, whose own error is unknown */
    /* the same scheme at a sixteenth of the step; its own error is its difference to an eighth, which is larger */
    bool finer;
    /* of `finer`: steps of that length for runs whose step is a multiple of it [s]; 0: a sixteenth */
    double step;
} ms_against;

/* Has it a state or an output of the system by name? By names alone: neither needs functions. Errors: MS_INVALID, those of
 * ms_system_create, MS_NO_MEMORY. */
int ms_against_check(const ms_system *system, const ms_against *against, ms_error *error);

enum { MS_GIVEN_UP = 100 };

typedef struct ms_simulation_options {
    bool errors;                    /* where the options of the run do not say `none` */
    ms_shared_reference *reference; /* of the same system, shared by several runs; NULL: each has its own */
    const ms_against *against;      /* OPTIONAL, instead */
    /* the largest error of a state that is useful to the caller. A run with MS_GIVEN_UP times as much is ended, as interrupted,
     * and integrals of one with more are not sampled again; 0: no limit */
    double wanted;
    /* only the error in the norm of the options is needed: other values may not be computed, rmse and l2 may be NaN, and
     * there is no energy */
    bool norm_only;
    bool trajectory;
    bool energies; /* keeps all rows of the ledger */
    const ms_series_sink *trajectory_sink,
        *energies_sink;           /* OPTIONAL: rows go there, and do not stay in memory */
    const ms_observer *observers; /* more of the caller's, called after the simulation's own */
    int n_observers;
    const volatile sig_atomic_t *stop;
} ms_simulation_options;

/* Creates, runs and measures. Errors: those of ms_cosim_create (MS_INVALID, MS_UNSUPPORTED, ...), of the
 * reference, MS_NO_MEMORY; nothing is left to destroy then. */
int ms_simulation_run(const ms_system *system, const ms_options *options,
                      const ms_simulation_options *request, ms_simulation *simulation, ms_error *error);
void ms_simulation_destroy(ms_simulation *simulation);

MS_C_LINKAGE_END
