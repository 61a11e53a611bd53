/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cvode_predictor.h - CVODE keeps its history when the input jumps, and its predictor is corrected.
 *
 * CVODE predicts from the Nordsieck array z_j = h^j x^(j) / j! (7.5), j = 0..q, q its order and h the last step that it took. The
 * prediction is the start of Newton's method (7.6) for the multistep formula (7.4), and the change by it is the error that is tested (7.7).
 * After T_i the array still describes the motion under the old input (7.8). Under the new one (7.9) x' jumps (7.10), and
 *
 *     z_1 = h x'+,          x'+ = f(t, x, u)                         (7.11), (7.12)
 *     z_2 = h^2/2 x''+,     x''+ = f_x x'+ + f_u u' + f_t            (7.13)-(7.15)
 *
 * at t = T_i and x = z_0, which does not change, and neither do z_3, .., z_q. u' is the slope of the new input; f_t, with the derivatives
 * of external inputs, is not in (7.13), since f does not depend on t there.
 *
 *     x'+     one evaluation of f
 *     x''+    one of the Jacobian f_x, and unless f_u u' + f_t follows from the matrices of a linear
 *             subsystem, one more of f: their sum is the derivative of f in t at constant x under the moving
 *             input, by a forward difference over sqrt(eps) ms_time_scale(), which does not leave the piece and
 *             sees external inputs and input laws too
 *
 * The array is corrected at every input change, whether or not the input jumps: x'+ must be known before it can be compared, and without a
 * jump only the error of the last Newton iteration is removed. At order 1 there is no z_2, and x' alone is corrected. CVODE's rules for
 * steps and orders apply unchanged; the correction saved for an increase of its order is not modified.
 *
 * The Jacobian is not evaluated twice: CVODE is told to recompute its Newton matrix in the next micro-step only (CVodeSetLSetupFrequency,
 * CVodeSetJacEvalFrequency), and gets f_x at T_i. That makes one Jacobian per segment, as in Tables 7.2 and 7.3.
 *
 * Access to the array: CVodeGetDky writes a derivative of the interpolant into a vector that the caller owns, as a linear combination of
 * the vectors of the array and then scaled by a power of 1/h. The operations of that vector are the caller's too; here they only record
 * their arguments. The array is CVODE's, and its vectors are never replaced while they are in use.
 *
 * Source: Andersson 2016, ch. 7. Misprints: (7.12) and (7.15) lack the factors h and h^2/2. */
#pragma once

#include "solver_sundials.h"

/* CVODE's current array. */
typedef struct ms_nordsieck {
    int order;       /* q; 0: not seen */
    double h;        /* (nx); z2 is NULL for q = 1 */
    N_Vector z1, z2; /* (nx); z2 is NULL where q = 1 */
} ms_nordsieck;

typedef struct ms_cvode_predictor {
    int derivatives;  /* number of corrected derivatives: 0, 1, 2 */
    N_Vector capture; /* what CVodeGetDky writes into */
    ms_nordsieck array;
    bool handed; /* the Jacobian is ready for CVODE's next micro-step */
} ms_cvode_predictor;

/* `predictor` must not move in memory. Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_cvode_predictor_create(SUNContext context, int derivatives, ms_cvode_predictor *predictor);
void ms_cvode_predictor_destroy(ms_cvode_predictor *predictor);

/* predictor->array = the array of a CVODE that has taken a step. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_cvode_predictor_read(ms_cvode_predictor *predictor, void *cvode);

/* Corrects the array of a CVODE that is at the start of the piece that ms_sundials_begin has announced,
 * with the state of the instance. Returns MS_OK, or MS_SOLVER_FAILED if f or its derivatives are not defined there;
 * the array is then unchanged. */
int ms_cvode_predictor_correct(ms_cvode_predictor *predictor, void *cvode, ms_sundials *common);

/* Called after each micro-step. */
void ms_cvode_predictor_done(ms_cvode_predictor *predictor, void *cvode);
