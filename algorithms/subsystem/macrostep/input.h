/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input.h - the inputs of one subsystem over one macro-step: piecewise polynomials in time.
 *
 * Coefficients are local to the start of their piece: on piece j, which begins s_j after the start of
 * the macro-step, u_i(tau) = sum_k c[k] (tau - s_j)^k. */
#pragma once

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

/* Pieces for inputs of schemes that do not state their needs. */
enum { MS_INPUT_DEGREE = 4, MS_INPUT_PIECES = 4 };

/* Capacity of an input: number of pieces, and degree (at most MS_INPUT_DEGREE). */
typedef struct ms_input_room {
    int pieces, degree;
} ms_input_room;

typedef struct ms_input {
    int n;      /* inputs */
    int degree; /* of every piece, 0..room.degree */
    int pieces; /* 1..room.pieces */
    ms_input_room room;
    double *end; /* ends of the pieces after the start of the macro-step [s] (room.pieces) */
    double *c;   /* coefficients, see ms_input_coefficients */
} ms_input;

/* The number of doubles that the coefficients take. */
int ms_input_size(const ms_input *input);

/* One piece, h long. */
static inline void ms_input_set_single(ms_input *input, int degree, double h)
{
    input->pieces = 1;
    input->degree = degree;
    input->end[0] = h;
}

/* The n coefficients of (tau - s_piece)^k. Those of one piece are contiguous, k ascending. */
static inline double *ms_input_coefficients(const ms_input *input, int piece, int k)
{
    return input->c + (piece > 0 ? piece * (input->room.degree + 1) + k : k) * input->n;
}

/* Start of a piece after the start of the macro-step [s]. */
static inline double ms_input_begin(const ms_input *input, int piece)
{
    return piece == 0 ? 0.0 : input->end[piece - 1];
}

/* Derivative of order `order` (0: the value) of all inputs at tau after the start of the macro-step, taken
 * on the given piece, which need not contain tau. du has length n. */
void ms_input_evaluate(const ms_input *input, int piece, int order, double tau, double *du);

/* The value at the end of the macro-step: the left limit there. */
static inline void ms_input_left(const ms_input *input, double *u)
{
    const int piece = input->pieces - 1, n = input->n, degree = input->degree;
    const double *c = ms_input_coefficients(input, piece, 0);
    if (degree == 0) {
        for (int i = 0; i < n; i++)
            u[i] = c[i];
        return;
    }
    const double s = input->end[piece] - ms_input_begin(input, piece);
    for (int i = 0; i < n && degree == 1; i++)
        u[i] = c[n + i] * s + c[i];
    for (int i = 0; i < n && degree > 1; i++) {
        double sum = c[degree * n + i];
        for (int k = degree - 1; k >= 0; k--)
            sum = sum * s + c[k * n + i];
        u[i] = sum;
    }
}

/* Its derivative of the given order there. */
void ms_input_left_derivative(const ms_input *input, int order, double *du);

MS_C_LINKAGE_END
