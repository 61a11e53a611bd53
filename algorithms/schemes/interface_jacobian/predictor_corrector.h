/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predictor_corrector.h - the error estimate of a macro-step of semi-implicit: the distance between predicted and final inputs, for
 * each degree of inputs.
 *
 * Inputs of degree j through u1 and j past values have the error u^(j+1) omega_I(s)/(j+1)!, omega_I(s) = (s - h) prod_{i<j} (s +
 * a_i), a_i the ages of the past values; the prediction of degree j at the end, through j + 1 of them, has the error u^(j+1)
 * omega_E/(j+1)!, omega_E = prod_{i<=j} (h + a_i). So the mean defect of inputs over the macro-step is
 *
 *     d_j = |u1 - predicted_j| |int_0^h omega_I ds| / (h omega_E),
 *
 * 1/2, 1/12, 1/24, 19/720 of the difference for equal steps and j = 0 .. 3 (Milne's device, with Adams-Moulton's constants). It is of
 * order h^(j+1), like the global error: keeping it at the tolerance makes errors proportional to the tolerance. */
#pragma once

#include <macrostep/cosim.h>

enum { MS_PREDICTOR_DEGREES = 4 };

/* Of the last macro-step. */
typedef struct ms_predictor_errors {
    int degree;                         /* of its inputs */
    int n;                              /* degrees 0 .. n - 1 had the past values for a prediction */
    int same;                           /* macro-steps with this degree so far, this one included */
    double error[MS_PREDICTOR_DEGREES]; /* RMS of d_j/(atol + rtol max(|u_n|, |u1|)) over all inputs */
} ms_predictor_errors;

ms_predictor_errors ms_predictor_errors_of(const ms_cosim *cosim);

/* The degree of the inputs of the coming macro-steps. */
void ms_predictor_set_degree(ms_cosim *cosim, int degree);
