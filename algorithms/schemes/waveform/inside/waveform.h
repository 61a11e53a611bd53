/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waveform.h - what the files of the waveform iteration share: scheme_waveform.c has the formulas and takes macro-steps,
 * waveform_curves.c makes inputs of samples and samples of macro-steps, waveform_setup.c checks, memory and the start. Nobody
 * else includes it. */
#ifndef MS_WAVEFORM_H
#define MS_WAVEFORM_H

#include <macrostep/cosim.h>
#include "inner_outputs.h"
#include "iteration.h"
#include "spline.h"

/* The pieces of the inputs of readers whose providers have the same numbers of samples, and what the providers' splines are there. */
typedef struct waveform_grid {
    unsigned counts; /* bit m: a provider has m samples */
    int pieces, degree;
    double *end; /* of the pieces, in macro-steps (pieces) */
    double *weights[MS_SPLINE_SAMPLES +
                    1]; /* of providers with m samples, ms_spline_weights; NULL: there is none */
} waveform_grid;

typedef struct waveform_data {
    bool sequential; /* Gauss-Seidel sweeps */
    bool reduced;    /* methods look at samples at the end alone */
    int n_grids;
    waveform_grid *grid;
    int *grid_of;             /* of a reader (n) */
    ms_inner_outputs samples; /* of providers */
    int *values_at; /* where its samples begin (n + 1): those of all its outputs at t_1, then at t_2, .. */
    int *owner;     /* of an output (ny) */
    int *sequence, *rank; /* of Gauss-Seidel (n) */
    double *values;       /* samples of all outputs: what is read, then what has come (values_at[n]) */
    double *before;       /* state of the co-simulation at T_n */
    double t, h;

    ms_iteration iteration; /* unknown are samples of outputs that are read before their owner has stepped */
    int *entry;             /* which of the values they are (n) */
    int n_data;             /* subsystems among their owners */
    int *end_at; /* unknowns end_at[2 d] .. end_at[2 d + 1] - 1 are the samples at the end of datum d */
    int *datum;  /* of an unknown: its owner; negative: none (n) */
} waveform_data;

/* Curves ------------------------------------------------------------------------------------------------ */

/* The highest degree of splines through the numbers of samples in `counts`. */
int ms_waveform_degree(unsigned counts, int degree);

/* The input of subsystem i from the values at hand. */
void ms_waveform_give(const ms_cosim *cosim, const waveform_data *data, int i);

/* Setup ------------------------------------------------------------------------------------------------- */

void ms_waveform_memory(const ms_cosim *cosim, int *lin, int *aux);
ms_input_room ms_waveform_room(const ms_variant *variant);
int ms_waveform_create(ms_cosim *cosim, ms_error *error);
int ms_waveform_start(ms_cosim *cosim);
int ms_waveform_claimed_order(const ms_variant *variant);
extern const ms_modelled ms_waveform_claims[];

#endif
