/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "polynomial.h"

ms_weights ms_weights_past(int order, double h1, double h2)
{
    ms_weights p = {.degree = order};
    p.w[0][MS_SLOT_Y0] = 1.0;
    if (order >= 1) { /* first divided difference */
        p.w[1][MS_SLOT_Y0] = 1.0 / h1;
        p.w[1][MS_SLOT_Y1] = -1.0 / h1;
    }
    if (order >= 2) { /* Newton's form: d1 tau + d2 tau (tau + h1) */
        const double span = h1 + h2;
        const double d2[] = {1.0 / (h1 * span), -1.0 / (h1 * h2), 1.0 / (h2 * span)};
        for (int s = 0; s < 3; s++) {
            p.w[1][s] += d2[s] * h1;
            p.w[2][s] = d2[s];
        }
    }
    return p;
}

int ms_weights_supported(int order, double h1, double h2, double h)
{
    if (order > 1 && h1 * (h1 + h2) < 1e-8 * h * h)
        order = 1;
    return order == 1 && h1 < 1e-8 * h ? 0 : order;
}

ms_weights ms_weights_past_as_printed(double h1, double h2)
{
    ms_weights p = ms_weights_past(2, h1, h2);
    p.w[1][MS_SLOT_Y0] = 1.0 / h1;
    p.w[1][MS_SLOT_Y1] = -1.0 / h1;
    p.w[1][MS_SLOT_Y2] = 0.0;
    return p;
}

ms_weights ms_weights_derivatives(int order)
{
    ms_weights p = {.degree = order};
    p.w[0][MS_SLOT_Y0] = 1.0;
    if (order >= 1)
        p.w[1][MS_SLOT_Y1] = 1.0;
    if (order >= 2)
        p.w[2][MS_SLOT_Y2] = 0.5;
    return p;
}

ms_weights ms_weights_newest(int order, bool derivatives, double h, double h1)
{
    ms_weights p = {.degree = order};
    if (order == 0) {
        p.w[0][MS_SLOT_NEW] = 1.0;
        return p;
    }
    p.w[0][MS_SLOT_Y0] = 1.0;
    if (order == 1) {
        p.w[1][MS_SLOT_Y0] = -1.0 / h;
        p.w[1][MS_SLOT_NEW] = 1.0 / h;
    } else if (derivatives) { /* c2 = (y_{n+1} - y_n - h y'_n) / h^2 */
        p.w[1][MS_SLOT_Y1] = 1.0;
        p.w[2][MS_SLOT_NEW] = 1.0 / (h * h);
        p.w[2][MS_SLOT_Y0] = -1.0 / (h * h);
        p.w[2][MS_SLOT_Y1] = -1.0 / h;
    } else { /* y_n + d1 tau + d2 tau (tau - h), d1 = (y_{n+1} - y_n)/h */
        const double span = h + h1;
        p.w[2][MS_SLOT_NEW] = 1.0 / (h * span);
        p.w[2][MS_SLOT_Y0] = -1.0 / (h * h1);
        p.w[2][MS_SLOT_Y1] = 1.0 / (h1 * span);
        for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
            p.w[1][s] = -h * p.w[2][s];
        p.w[1][MS_SLOT_Y0] -= 1.0 / h;
        p.w[1][MS_SLOT_NEW] += 1.0 / h;
    }
    return p;
}

ms_weights ms_weights_smooth_c0(ms_weights p, double h)
{
    double jump[MS_WEIGHT_SLOTS];
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
        jump[s] = (s == MS_SLOT_LEFT ? 1.0 : 0.0) - p.w[0][s];
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++) {
        p.w[0][s] += jump[s];
        p.w[1][s] -= jump[s] / h;
    }
    p.degree = p.degree > 1 ? p.degree : 1;
    return p;
}

ms_weights ms_weights_smooth_c1(ms_weights p, double h)
{
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++) {
        const double jump = (s == MS_SLOT_LEFT ? 1.0 : 0.0) - p.w[0][s];
        const double slope = (s == MS_SLOT_LEFT_SLOPE ? 1.0 : 0.0) - p.w[1][s];
        p.w[0][s] += jump; /* jump (1 - 3 z^2 + 2 z^3) + h slope (z - 2 z^2 + z^3), z = tau/h */
        p.w[1][s] += slope;
        p.w[2][s] += (-3.0 * jump / h - 2.0 * slope) / h;
        p.w[3][s] += (2.0 * jump / h + slope) / (h * h);
    }
    p.degree = p.degree > 3 ? p.degree : 3;
    return p;
}

ms_weights ms_weights_box(ms_weights p, double h)
{
    p.w[0][MS_SLOT_BALANCE] += 1.0 / h;
    return p;
}

/* p local to `begin`. */
static ms_weights shift(const ms_weights *p, double begin)
{
    ms_weights shifted = {.degree = p->degree};
    double factorial = 1.0;
    for (int k = 0; k <= p->degree; k++) {
        ms_weights_at(p, k, begin, shifted.w[k]);
        for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
            shifted.w[k][s] /= factorial;
        factorial *= k + 1;
    }
    return shifted;
}

ms_weights ms_weights_triangle(ms_weights p, double h, int piece)
{
    p.degree = p.degree > 1 ? p.degree : 1;
    if (piece > 0)
        p = shift(&p, 0.5 * h);
    p.w[0][MS_SLOT_BALANCE] += piece > 0 ? 2.0 / h : 0.0;
    p.w[1][MS_SLOT_BALANCE] += (piece > 0 ? -4.0 : 4.0) / (h * h);
    return p;
}

ms_weights ms_weights_smooth_hat(ms_weights p, double h)
{
    const double unit = 30.0 / (h * h * h);
    p.degree = 4;
    p.w[2][MS_SLOT_BALANCE] += unit;
    p.w[3][MS_SLOT_BALANCE] -= 2.0 * unit / h;
    p.w[4][MS_SLOT_BALANCE] += unit / (h * h);
    return p;
}

void ms_weights_integral(const ms_weights *p, double tau, double w[MS_WEIGHT_SLOTS])
{
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++) {
        double sum = 0.0;
        for (int k = p->degree; k >= 0; k--)
            sum = (sum + p->w[k][s] / (k + 1)) * tau;
        w[s] = sum;
    }
}

void ms_weights_at(const ms_weights *p, int derivative, double tau, double w[MS_WEIGHT_SLOTS])
{
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++) {
        double sum = 0.0;
        for (int k = p->degree; k >= derivative; k--) {
            double factor = 1.0;
            for (int j = k; j > k - derivative; j--)
                factor *= j;
            sum = sum * tau + factor * p->w[k][s];
        }
        w[s] = sum;
    }
}

void ms_polynomial_lagrange(int n, const double *nodes, int which, double *c)
{
    c[0] = 1.0;
    for (int j = 0, degree = 0; j < n; j++) {
        if (j == which)
            continue;
        const double scale = 1.0 / (nodes[which] - nodes[j]);
        c[++degree] = 0.0;
        for (int k = degree; k > 0; k--) /* times (x - nodes[j]) scale */
            c[k] = scale * (c[k - 1] - nodes[j] * c[k]);
        c[0] *= -nodes[j] * scale;
    }
}
