/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "exact_piece.h"

#include <math.h>
#include <string.h>

#include "extended_exponential.h"
#include "matrix.h"
#include "solver_fixture.h"

void support_exact_piece(const ms_input *input, int piece, bool is_full, double t, double h, double *x,
                         double *q)
{
    enum { Q = 2, U = 5, W = U + 2 * (MS_INPUT_DEGREE + 1), N = W + 2 };
    double v[N] = {x[0], x[1], q[0], q[1], q[2]}, M[N * N] = {0}, X[N * N], factorial = 1.0;
    for (int i = 0; i < 2; i++)
        memcpy(M + i * N, support_full_A + 2 * i, sizeof(double) * 2);
    for (int i = 0; i < Q + 3; i++) {
        for (int j = 0; j < 2 && i >= Q; j++)
            M[i * N + j] = support_full_C[2 * (i - Q) + j];
        for (int j = 0; j < 2; j++)
            M[i * N + U + j] = i < Q ? support_full_B[2 * i + j] : support_full_D[2 * (i - Q) + j];
        M[i * N + W] = 0.5 * (i < Q ? support_full_E[i] : support_full_F[i - Q]);
    }
    for (int k = 0; k <= input->degree; factorial *= ++k)
        for (int i = 0; i < 2; i++)
            v[U + 2 * k + i] = factorial * ms_input_coefficients(input, piece, k)[i];
    for (int i = U; i < W - 2; i++)
        M[i * N + i + 2] = 1.0;
    v[W] = is_full ? sin(3.0 * t) : 1.0;
    v[W + 1] = is_full ? cos(3.0 * t) : 0.0;
    M[W * N + W + 1] = is_full ? 3.0 : 0.0;
    M[(W + 1) * N + W] = is_full ? -3.0 : 0.0;
    support_exponential(N, M, h, X);
    for (int i = 0; i < Q + 3; i++)
        (i < Q ? x : q - Q)[i] = ms_dot(N, X + i * N, v);
}
