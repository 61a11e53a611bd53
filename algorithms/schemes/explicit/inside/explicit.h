/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explicit.h - shared by the files of the explicit engine: scheme_jacobi_gauss_seidel.c takes macro-steps,
 * explicit_derivatives.c differentiates outputs, explicit_balance.c corrects balances, explicit_events.c drops
 * history made obsolete by events, explicit_setup.c checks, allocates and starts. Private to these files. */
#pragma once

#include <macrostep/cosim.h>
#include "polynomial.h"

/* Head of the scheme's memory in aux. */
typedef struct explicit_history {
    double h1, h2; /* distances of the remembered points: newest to last, and to the one before [s] */
    double gap;    /* length of the last macro-step where its end took the place of a point (time_events.h);
                      else 0 [s] */
    double known;  /* highest order that the remembered values support */
    double of_events[]; /* (2 n): distance and known of explicit_events, where events drop the
                           history */
} explicit_history;

enum { HISTORY_SIZE = (int)(sizeof(explicit_history) / sizeof(double)) };

/* Kinds of polynomial: of feeders that have not stepped yet, of those that have (Gauss-Seidel), and the first
 * kind on the second piece of a triangular hat. */
enum { EXTRAPOLATED, NEWEST, SECOND_PIECE, KINDS };

/* A term w v of coefficient c_k: a nonzero weight, and the value it multiplies. */
typedef struct explicit_term {
    int k, n; /* n: terms of c_k, in the first of them */
    double w;
    const double *v;
} explicit_term;

/* Destination of the coefficients c_0, c_1, .. of an input. */
typedef struct explicit_target {
    double *c;
    int stride;
} explicit_target;

typedef struct explicit_data explicit_data;

/* The chosen options and the shape of the system: constant during a run. */
typedef struct explicit_config {
    bool gauss_seidel, analytic, differences; /* differences: output derivatives by backward differences */
    bool one_to_one;                          /* each input has exactly one wire */
    bool in_place; /* raw outputs are the new ones and go straight to where they are remembered */
    int order, smoothing, outputs, as_printed;
    int pieces;              /* of the inputs: 2 with a triangular hat */
    int piece_stride;        /* coefficients of an input from one piece to the next */
    explicit_target *target; /* (nu) */
    int *sequence;           /* (n): order of the subsystems */
    int *rank;               /* (n): its inverse */
    int *
        wire_kind; /* Gauss-Seidel, for each wire: NEWEST if its feeder has stepped before, otherwise EXTRAPOLATED */
    /* OPTIONAL, set by the create() of a family: modifies the extrapolation over a macro-step of length h before
     * smoothing, keeping the degree. The scheme's form is then MS_FORM_OTHER, since the formula of the propagation
     * matrix does not cover it. tests/algorithms/schemes/explicit/test_explicit_modify.c is an example. */
    ms_weights (*modify)(const explicit_data *data, ms_weights p, double h);
} explicit_config;

/* Weights and values derived from them: reused in equal macro-steps. */
typedef struct explicit_cache {
    double key[5]; /* h, h1, h2, known, share that they are for */
    ms_weights weights[KINDS];
    explicit_term term[KINDS][(MS_WEIGHT_DEGREE + 1) * MS_WEIGHT_SLOTS]; /* their entries that are not zero */
    int terms[KINDS];
    /* (kinds in use x stride): of the output polynomials, p = (degree + 1) x ny of them */
    double *coefficients;
    int stride;
    const double *p[KINDS];
} explicit_cache;

/* Errors of the balance that are fed back. */
typedef struct explicit_balance {
    bool on, trapezoid;               /* trapezoid: integrals of outputs by their values at both ends */
    bool *held;                       /* (nu): inputs that are left as extrapolated; NULL: none */
    ms_weights extrapolation;         /* weights[EXTRAPOLATED] before the hat is added */
    double integral[MS_WEIGHT_SLOTS]; /* and of its integral over the macro-step */
    double *errors;                   /* (balance_steps x ny): errors of the last macro-steps, newest first */
    double *amount;                   /* (ny): correction fed back in the current macro-step */
    double *scratch;                  /* (2 ny) */
} explicit_balance;

/* The history at events; unused unless `drop`. */
typedef struct explicit_events {
    bool drop;
    bool *reads; /* (n x n): does an output of subsystem i depend directly on one of subsystem k? */
    /* (n): distance in subsystems from an event, counted from 1, at the end of the step; 0: none */
    int *jumped;
    double *distance; /* (n): the same at the end of the next step, if known; in aux */
    double *known;    /* (n): the highest order that the remembered values of a subsystem support; in aux */
} explicit_events;

/* Energy produced by bonds, and their damping (explicit_passivity.c). */
typedef struct explicit_passivity {
    double *energy; /* (n_bonds): produced so far [J]; in aux. NULL: the option is off */
    double *power;  /* (n_bonds): produced at the start of the macro-step [W] */
    int *end;       /* (n_bonds): the end whose input is damped */
    bool *transit;  /* (n_bonds): is there energy in transit that the observer leaves out? */
} explicit_passivity;

struct explicit_data {
    explicit_config config;
    explicit_cache cache;
    explicit_balance balance;
    explicit_events events;
    explicit_passivity passivity;
    double *slot[KINDS][MS_WEIGHT_SLOTS]; /* (ny) each: the values that the weights multiply; NULL: unused */
    double *raw_before;                   /* (ny): raw outputs at T_n, with differences */
    bool joins;                           /* the end of the macro-step takes the place of the last point */
    const double *y_new, *u_new;          /* (ny), (nu): solved outputs at T_n + H, and the inputs for them */
    double *y, *dy, *ddy, *u, *du, *ddu;  /* scratch */
};

static inline explicit_history *ms_explicit_history(const ms_cosim *cosim)
{
    return (explicit_history *)(void *)cosim->scheme_aux;
}

/* Balance correction, see explicit_balance.c: adds hats to the extrapolation; the correction of the next
 * macro-step, and the held inputs that it does not change; errors and left limits of the last one, before its values are stored. */
void ms_explicit_add_hats(const ms_cosim *cosim, explicit_data *data, double h);
void ms_explicit_feed_back(const ms_cosim *cosim, const explicit_data *data);
void ms_explicit_hold(const ms_cosim *cosim, const explicit_data *data);
void ms_explicit_balance(const ms_cosim *cosim, const explicit_data *data, double h);

/* Passivity, see explicit_passivity.c. create: errors MS_UNSUPPORTED (no bonds), MS_NO_MEMORY. damp: bond ends of subsystem i, with
 * its inputs set; produce: at the end of a macro-step, before its values are remembered. */
int ms_explicit_passivity_create(ms_cosim *cosim, explicit_data *data, ms_error *error);
void ms_explicit_damp(const ms_cosim *cosim, const explicit_data *data, int i, double h);
void ms_explicit_produce(const ms_cosim *cosim, const explicit_data *data, double h);

/* Events, see explicit_events.c. drop: at the end of a macro-step, with everything remembered. Errors: those
 * of ms_explicit_derivatives. */
int ms_explicit_events_create(ms_cosim *cosim, explicit_data *data);
void ms_explicit_events_start(const ms_cosim *cosim, const explicit_data *data);
int ms_explicit_drop(ms_cosim *cosim, explicit_data *data, double t, double h);

/* dy and, with orders = 2, ddy: derivatives of the outputs at t, the end of the macro-step of length h.
 * Returns MS_OK, or a negative status. */
int ms_explicit_derivatives(ms_cosim *cosim, explicit_data *data, double t, double h, int orders);

/* Operations of the scheme, see ms_scheme. */
void ms_explicit_memory(const ms_cosim *cosim, int *lin, int *aux);
ms_input_room ms_explicit_room(const ms_variant *variant);
int ms_explicit_create(ms_cosim *cosim, ms_error *error);
int ms_explicit_start(ms_cosim *cosim);
int ms_explicit_step(ms_cosim *cosim, double t, double h);
bool ms_explicit_has_blocks(const ms_variant *variant);
int ms_explicit_claimed_order(const ms_variant *variant);
int ms_explicit_claimed_order_on(const ms_system *system, const ms_variant *variant,
                                 const ms_options *options, int *work);
extern const ms_modelled ms_explicit_claims[];

/* The options that all families of this engine know. */
#define EXPLICIT_OPTIONS                                                                                     \
    MS_OPTION_PASSIVITY, MS_OPTION_PASSIVITY_LIMIT, MS_OPTION_EXTRAPOLATION_ORDER, MS_OPTION_DERIVATIVES,    \
        MS_OPTION_OUTPUTS, MS_OPTION_SMOOTH_COUPLING, MS_OPTION_AS_PRINTED, MS_OPTION_ERROR_CONTROLLED,      \
        MS_OPTION_RTOL, MS_OPTION_ATOL, MS_OPTION_MIN_STEP, MS_OPTION_MAX_STEP, MS_OPTION_AT_EVENTS
/* Those of energy-controlled steps (step_ecco.c). */
#define ECCO_OPTIONS                                                                                         \
    MS_OPTION_SAFETY, MS_OPTION_RATE_MIN, MS_OPTION_RATE_MAX, MS_OPTION_GAIN_P, MS_OPTION_GAIN_I,            \
        MS_OPTION_ECCO_SCALE, MS_OPTION_ECCO_ROUNDING
