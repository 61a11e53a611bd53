/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waveform.h - shared by the files of the waveform iteration: scheme_waveform.c has the formulas and takes macro-steps,
 * waveform_curves.c computes inputs from samples and samples from macro-steps, waveform_setup.c has checks, memory and the
 * start. Private to these files. */
#pragma once

#include "inner_outputs.h"
#include "iteration.h"
#include "spline.h"

/* Pieces of the inputs of readers whose providers have the same numbers of samples, and the providers' splines on them. */
typedef struct waveform_grid {
    unsigned counts; /* bit m: a provider has m samples */
    int pieces, degree;
    double *end; /* of the pieces, in macro-steps (pieces) */
    /* for providers with m samples, ms_spline_weights; NULL: none */
    double *weights[MS_SPLINE_SAMPLES + 1];
} waveform_grid;

typedef struct waveform_data {
    bool sequential; /* Gauss-Seidel sweeps */
    bool reduced;    /* methods use only samples at the end */
    int n_grids;
    waveform_grid *grid;
    int *grid_of;             /* of a reader (n) */
    ms_inner_outputs samples; /* of providers */
    int *values_at; /* offsets of its samples (n + 1): those of all its outputs at t_1, then at t_2, .. */
    int *sequence, *rank; /* of Gauss-Seidel (n) */
    double *values;       /* samples of all outputs: used in the sweep, then computed by it (values_at[n]) */
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
