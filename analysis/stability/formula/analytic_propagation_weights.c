/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_weights.c - inputs over a macro-step as weights of remembered values: extrapolations, interpolations, what
 * smoothing and the balance's hats change of them. */
#include "analytic_propagation_parts.h"

/* Equal steps, theta = tau/h. Past: y_n, y_{n-1}, y_{n-2} at theta = 0, -1, -2. */
static void extrapolate(const ms_analytic_propagation *f, propagation_weights *p)
{
    p->degree = f->order;
    p->w[0][Y0] = 1.0;
    if (f->analytic) { /* (6.42): y + theta hy' + theta^2/2 h^2 y'' */
        p->w[1][Y1] = f->order >= 1;
        p->w[2][Y2] = f->order >= 2 ? 0.5 : 0.0;
        return;
    }
    if (f->order >= 1) { /* (6.29) */
        p->w[1][Y0] = 1.0;
        p->w[1][Y1] = -1.0;
    }
    if (f->order >=
        2) { /* second difference times theta (theta + 1)/2, or times theta^2/2 as printed in (6.30) */
        static const double second[] = {0.5, -1.0, 0.5};
        for (int s = 0; s < 3; s++) {
            p->w[2][s] = second[s];
            p->w[1][s] += f->printed_quadratic ? 0.0 : second[s];
        }
    }
}

/* Through y_{n+1} at theta = 1. */
static void interpolate(const ms_analytic_propagation *f, propagation_weights *p)
{
    p->degree = f->order;
    if (f->order == 0) {
        p->w[0][NEW] = 1.0;
        return;
    }
    p->w[0][Y0] = 1.0;
    if (f->order == 1) {
        p->w[1][NEW] = 1.0;
        p->w[1][Y0] = -1.0;
    } else if (f->analytic) { /* value and slope at 0 */
        p->w[1][Y1] = 1.0;
        p->w[2][NEW] = 1.0;
        p->w[2][Y0] = p->w[2][Y1] = -1.0;
    } else { /* through y_{n-1} at -1 */
        p->w[1][NEW] = p->w[2][NEW] = p->w[2][Y1] = 0.5;
        p->w[1][Y1] = -0.5;
        p->w[2][Y0] = -1.0;
    }
}

/* The jumps at theta = 0 taken out by 1 - theta (C0), or by the cubic Hermite basis (C1). */
static void smooth(const ms_analytic_propagation *f, propagation_weights *p)
{
    static const double value[2][4] = {{1.0, -1.0, 0.0, 0.0}, {1.0, 0.0, -3.0, 2.0}};
    static const double slope[2][4] = {{0.0, 0.0, 0.0, 0.0}, {0.0, 1.0, -2.0, 1.0}};
    if (f->smoothing == MS_SMOOTHING_NONE)
        return;
    const int c1 = f->smoothing == MS_SMOOTHING_C1, least = c1 ? 3 : 1;
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++) {
        const double jump = (s == LEFT) - p->w[0][s], bend = (s == SLOPE) - p->w[1][s];
        for (int k = 0; k <= least; k++)
            p->w[k][s] += value[c1][k] * jump + slope[c1][k] * bend;
    }
    p->degree = p->degree > least ? p->degree : least;
}

/* p at theta = begin + length sigma: the coefficients of sigma^k. */
static propagation_weights part(const propagation_weights *p, double begin, double length)
{
    propagation_weights q = {.degree = p->degree};
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
        for (int k = p->degree; k >= 0; k--) { /* q = (begin + length sigma) q + w_k */
            for (int i = p->degree; i > 0; i--)
                q.w[i][s] = begin * q.w[i][s] + length * q.w[i - 1][s];
            q.w[0][s] = begin * q.w[0][s] + p->w[k][s];
        }
    return q;
}

/* Inputs with the hat over the extrapolation, whose weight multiplies a/h, a the amount that is fed back
 * (Moshagen 2021, Table 2): h phi = 1, or 4 theta and 2 - 4 (theta - 1/2), or 30 theta^2 (1 - theta)^2. */
static void set_hat(ms_analytic_propagation *f, ms_hat hat, ms_balance_error error)
{
    const propagation_weights *p = &f->weights[PAST];
    const int least = hat == MS_HAT_BOX ? 0 : hat == MS_HAT_TRIANGLE ? 1 : 4;
    for (int q = 0; q < f->pieces; q++) {
        propagation_weights *to = &f->piece[q];
        *to = part(p, (double)q / f->pieces, 1.0 / f->pieces);
        to->degree = to->degree > least ? to->degree : least;
    }
    if (hat == MS_HAT_BOX) {
        f->piece[0].w[0][BALANCE] = 1.0;
    } else if (hat == MS_HAT_TRIANGLE) {
        f->piece[0].w[1][BALANCE] = 2.0;
        f->piece[1].w[0][BALANCE] = 2.0;
        f->piece[1].w[1][BALANCE] = -2.0;
    } else {
        f->piece[0].w[2][BALANCE] = f->piece[0].w[4][BALANCE] = 30.0;
        f->piece[0].w[3][BALANCE] = -60.0;
    }
    f->degree = f->piece[0].degree;
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++)
        for (int k = 0; k <= p->degree; k++)
            f->counted[s] += p->w[k][s] / (k + 1);
    for (int q = 0; q < f->pieces; q++)
        for (int k = 0; k <= f->piece[q].degree; k++)
            f->piece[q].w[k][BALANCE] *= f->alpha;
    f->counted[BALANCE] = error == MS_BALANCE_USED ? 1.0 : 0.0;
    ms_step_map_mean(f->degree, f->method, f->micro_steps, f->mean);
}

void ms_analytic_propagation_set_weights(ms_analytic_propagation *f, const ms_variant *v)
{
    extrapolate(f, &f->weights[PAST]);
    interpolate(f, &f->weights[NEWEST]);
    for (int kind = 0; kind < KINDS; kind++) {
        propagation_weights *p = &f->weights[kind];
        smooth(f, p);
        f->degree = p->degree > f->degree ? p->degree : f->degree;
    }
    if (f->balance)
        set_hat(f, v->balance.hat, v->balance.error);
}

/* p, p', p'' at theta = end. */
static void set_end(propagation_weights *p, double end, int pieces)
{
    for (int s = 0; s < MS_WEIGHT_SLOTS; s++) {
        double *value = &p->end[0][s], *slope = &p->end[1][s], *bend = &p->end[2][s];
        *value = *slope = *bend = 0.0;
        for (int k = p->degree; k >= 0; k--) {
            *bend = *bend * end + 2.0 * *slope;
            *slope = *slope * end + *value;
            *value = *value * end + p->w[k][s];
        }
        *slope *= pieces;
        *bend *= pieces * pieces;
    }
}

void ms_analytic_propagation_set_end(ms_analytic_propagation *f, double end)
{
    f->end = end;
    for (int kind = 0; kind < KINDS; kind++)
        set_end(&f->weights[kind], end, 1);
    for (int q = 0; q < PIECES; q++)
        set_end(&f->piece[q], end, f->pieces);
}
