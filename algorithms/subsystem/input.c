/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/input.h>

int ms_input_size(const ms_input *input)
{
    return input->room.pieces * (input->room.degree + 1) * input->n;
}

void ms_input_evaluate(const ms_input *input, int piece, int order, double tau, double *du)
{
    const double s = tau - ms_input_begin(input, piece);
    const int n = input->n;
    for (int i = 0; i < n; i++)
        du[i] = 0.0;
    for (int k = input->degree; k >= order; k--) { /* Horner; k!/(k-order)! from differentiation */
        const double *c = ms_input_coefficients(input, piece, k);
        double factor = 1.0;
        for (int j = k; j > k - order; j--)
            factor *= j;
        for (int i = 0; i < n; i++)
            du[i] = du[i] * s + factor * c[i];
    }
}

void ms_input_left_derivative(const ms_input *input, int order, double *du)
{
    const int piece = input->pieces - 1;
    ms_input_evaluate(input, piece, order, input->end[piece], du);
}
