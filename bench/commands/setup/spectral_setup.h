/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectral_setup.h - a call of `macrostep spectral`, and what its options may be together. */
#pragma once

#include <macrostep/analytic_propagation.h>
#include <macrostep/linearisation_jacobian.h>
#include "call.h"
#include "propagation_extreme.h"

typedef struct spectral_call {
    ms_call base;
    ms_options options; /* resolved */
    ms_system *linear;  /* what the matrix belongs to: the model, or its linearisation (owned) */
    ms_linearisation_point linearised_at; /* where it was linearised */
    double *state;                        /* (nx) there */
    double partials_error;                /* the largest of all places where it was */
    int n;
    ms_analytic_propagation *formula_of; /* NULL: none */
    double *formula, *probe;             /* matrices; NULL: none */
    ms_propagation_extreme extreme;      /* of --extreme */
} spectral_call;

/* The options, resolved, and where to linearise; base has arguments and system. Errors: MS_INVALID, MS_UNSUPPORTED. */
int ms_spectral_read(spectral_call *call, ms_error *error);
