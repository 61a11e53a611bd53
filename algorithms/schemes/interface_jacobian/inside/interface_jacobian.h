/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interface_jacobian.h - shared by the files of the interface-Jacobian schemes: scheme_interface_jacobian.c has the
 * formulas and takes macro-steps, interface_inputs.c computes inputs from past values, interface_sensitivities.c S
 * and Newton's equations, interface_setup.c checks, memory and the start. Private to these files. */
#pragma once

#include "convergence.h"
#include "exponential.h"
#include "predictor_corrector.h"

enum { INTERFACE_DEGREE_MAX = 3, INTERFACE_NODES_MAX = INTERFACE_DEGREE_MAX + 1 };

/* Inputs at the last communication points, newest first, and which of them are valid: at the beginning of aux. */
typedef struct interface_history {
    double known;                    /* of nodes: 1 .. nodes */
    double degree;                   /* degree of the next macro-step's inputs, limited by the known nodes */
    double same;                     /* macro-steps with this degree so far */
    double age[INTERFACE_NODES_MAX]; /* T_n minus their times [s] */
} interface_history;

/* The step for which a matrix S of sensitivities was computed. */
typedef struct interface_key {
    double made;   /* 0: there is none, or it is no longer valid */
    double degree; /* of the inputs */
    double h;      /* [s] */
    double age[INTERFACE_NODES_MAX];
} interface_key;

enum {
    HISTORY_SIZE = sizeof(interface_history) / sizeof(double),
    KEY_SIZE = sizeof(interface_key) / sizeof(double)
};

typedef struct interface_data {
    bool once;       /* semi-implicit */
    bool controlled; /* by predictor and corrector */
    ms_sensitivity sensitivities;
    ms_update update;
    int nodes; /* inputs that are remembered */

    double *past;               /* (nodes x nu), in lin after the outputs */
    interface_history *history; /* in aux, followed by */
    double *kept;               /* the key and S of the last macro-step, followed by */

    /* of the macro-step from t to t + h */
    double t, h;
    int degree; /* of its inputs */
    double weight[INTERFACE_NODES_MAX + 1]
                 [INTERFACE_DEGREE_MAX + 1]; /* of the past values, by powers of t - T_n */
    double newest[INTERFACE_DEGREE_MAX + 1]; /* of u1 */
    double *before;                          /* state of the co-simulation at T_n */

    double *z, *r;        /* u1 and its residual (nu each) */
    double *delta, *zero; /* changes of inputs, and none (nu each) */
    double *base;         /* outputs that responses are counted from (ny) */
    interface_key *key;   /* of S, followed by */
    double *S; /* sensitivities dy_i/du_i of the step, the blocks (ny_i x nu_i) of the subsystems in order */
    double *M; /* factors of I - L S (nu x nu), */
    double *factored; /* and the S from which they were computed, of the size of S, */
    bool has_factors; /* if there are any */
    int *pivots;      /* (nu) */
    int *S_at;        /* offset of each subsystem's block in S (n + 1) */
    bool *which;      /* (n) */
    double *work;     /* of directional derivatives */
    ms_convergence convergence;
    ms_predictor_errors errors; /* of the last macro-step, with step-size control */
} interface_data;

/* Inputs ------------------------------------------------------------------------------------------------ */

/* The weights of a macro-step of length h. */
void ms_interface_weigh(interface_data *data, double h);
/* z = the past values, extrapolated to the end of the macro-step by a polynomial of the degree. */
void ms_interface_predict(const ms_cosim *cosim, const interface_data *data, int degree, double *z);
/* The degree that past values are known for, up to that of the inputs. */
int ms_interface_predicted_degree(const interface_data *data);
/* data->errors of the macro-step with inputs z at its end. */
void ms_interface_compare(const ms_cosim *cosim, interface_data *data, const double *z);
/* Sets all subsystems' inputs to the values z (nu) at the end; past inputs are multiplied by `past`: 1, or 0 to omit them. */
void ms_interface_give(const ms_cosim *cosim, const interface_data *data, double past, const double *z);
/* More of input l of subsystem i: delta at the end, nothing at the past values. */
void ms_interface_add(const ms_cosim *cosim, const interface_data *data, int i, int l, double delta);
/* The macro-step is accepted with inputs z at its end. */
void ms_interface_remember(const ms_cosim *cosim, interface_data *data, const double *z);

/* Sensitivities ----------------------------------------------------------------------------------------- */

/* A macro-step begins with the S that the last one has kept; an accepted one keeps its own. */
void ms_interface_recall(const ms_cosim *cosim, interface_data *data);
void ms_interface_keep(const ms_cosim *cosim, const interface_data *data);
/* Computes S of this macro-step unless the present one is still valid, and the factors of I - L S. The co-simulation is at the end of
 * a sweep with inputs z, and may be changed. Returns MS_OK, MS_NO_SOLUTION (singular), or the errors of ms_execution_advance. */
int ms_interface_linearise(ms_cosim *cosim, interface_data *data, const double *z);
/* Doubles of work for directional derivatives. */
size_t ms_interface_work(const ms_system *system);

/* Setup ------------------------------------------------------------------------------------------------- */

void ms_interface_memory(const ms_cosim *cosim, int *lin, int *aux);
ms_input_room ms_interface_room(const ms_variant *variant);
int ms_interface_create(ms_cosim *cosim, ms_error *error);
int ms_interface_start(ms_cosim *cosim);
int ms_interface_claimed_order(const ms_variant *variant);
extern const ms_modelled ms_interface_claims[];
