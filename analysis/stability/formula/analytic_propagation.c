/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation.c - the propagation matrix of the explicit schemes by formula (Andersson 2016, ch. 6,
 * re-derived); analytic_propagation_iterated.c and analytic_propagation_sampled.c have those of the iterated
 * ones, analytic_propagation_split.c that of strang, analytic_propagation_delayed.c that of tlm.
 *
 * Coupling is stable where rho(Psi) <= 1, (6.2). Subsystems are linear, (6.3), and so every quantity q of a macro-step is linear in the memory v at T_n, which is x, outputs and
 * their derivatives: (6.1), (6.76). It is kept as a matrix of rows, q = Q v, and the macro-step is a composition of such rows. With
 * theta = tau/h, outputs follow p(theta) = sum_k theta^k sum_s w_ks v_s, and
 *
 *     x+  = E x + sum_k G_k L p_k                                                   (6.9)-(6.11), (6.32)-(6.34)
 *     y~  = C x+ + D L p(1)                                                         (6.13), (6.32), (6.37), (6.43b)
 *     y+  = y~  or  (I - D L)^-1 C x+                                               (6.19b), (6.20), (6.48), (6.55)
 *     hy'+ = h C (A x+ + B L p(1)) + D L p'(1)                                      (6.43c), (6.73c)
 *     hy'+ = (I - D L)^-1 h C (A x+ + B L y),  y = y+ consistent, p(1) corrected    (6.80c), (6.81), (6.67)
 *     hy'+ = y~ - y~_n, or (I - D L)^-1 (y~ - y~_n - D L p'(1))                     backward differences
 *
 * with E and G_k of step_map.h, and likewise for h^2 y''. Gauss-Seidel composes the maps of one subsystem
 * after the other.
 *
 * Balance correction (Moshagen 2021, Table 2 and (13); see explicit_balance.c): with p as for Jacobi, inputs
 * follow p + (a/h) h phi, where a/h is the mean of the errors e/h of the last macro-steps, and
 *
 *     e+/h = C 1/h int x dtau + D 1/h int u dtau - int_0^1 p dtheta   (raw)   - a/h   (used)
 *
 * with the means of step_map.h, piece by piece for the triangular hat. nepce multiplies a by alpha, leaves it out of held inputs,
 * and has the mean (y_n + y+)/2 by the trapezoidal rule.
 *
 * Scaling: inside, a derivative of order j is remembered as h^j y^(j) (Andersson's z = H y': (6.75)), where
 * all weights are numbers, and an error of a balance as e/h. The result is scaled back for h > 0. The limit
 * h = 0 is that of the scaled matrix, (6.15), (6.16), (6.39), (6.50), (6.79 with the term D L that the print lost);
 * without smoothing, Jacobi schemes with exact derivatives have a limit without scaling, and that one is
 * taken: (6.45), (6.46). Balance correction has the scaled one always. */
#include <string.h>

#include "analytic_propagation_parts.h"
#include "matrix.h"

/* Rows ------------------------------------------------------------------------------------------------ */

static void clear(double *rows, int count, int n)
{
    memset(rows, 0, sizeof(double) * (size_t)count * (size_t)n);
}

/* rows = (I - D L)^-1 rows, over all outputs. */
static void solve_loop(const ms_analytic_propagation *f, double *rows)
{
    const int ny = f->system->ny;
    const size_t size = (size_t)ny * (size_t)f->n;
    if ((size_t)ny * size > 4096) {
        ms_matrix_product(ny, ny, f->n, f->R, rows, f->solved);
    } else {
        clear(f->solved, ny, f->n);
        ms_analytic_propagation_add_product(ny, ny, f->n, 1.0, f->R, rows, f->solved);
    }
    memcpy(rows, f->solved, sizeof(double) * size);
}

/* to += sum_s w_s v_s of output j. */
static void add_slots(const ms_analytic_propagation *f, int kind, const double *w, int j, double factor,
                      double *to)
{
    for (int s = 0; s < NEW; s++)
        if (w[s] != 0.0)
            to[f->column[kind][s] + j] += factor * w[s];
    if (w[BALANCE] != 0.0)
        for (int m = 0; m < f->errors; m++)
            to[f->error_column + m * f->system->ny + j] += factor * w[BALANCE] / f->errors;
    if (w[NEW] != 0.0) {
        const double *from = f->raw + (size_t)j * (size_t)f->n;
        for (int c = 0; c < f->n; c++)
            to[c] += factor * w[NEW] * from[c];
    }
}

/* Row k of the coefficients of a subsystem's nu inputs on a piece. */
static double *coefficient(const ms_analytic_propagation *f, int piece, int k, int nu)
{
    return propagation_row(f->c, (piece * (f->degree + 1) + k) * nu, f->n);
}

/* Inputs of subsystem i: coefficients c, and values and derivatives at the end. */
static void couple(ms_analytic_propagation *f, int i)
{
    const ms_system *s = f->system;
    const int n = f->n, nu = s->sub[i].nu, first = s->u_at[i];
    clear(f->c, f->pieces * (f->degree + 1) * nu, n);
    for (int k = 0; k < 3; k++)
        clear(f->u[k], nu, n);
    for (int l = 0; l < nu; l++)
        for (int wire = s->row_at[first + l]; wire < s->row_at[first + l + 1]; wire++) {
            const int j = s->wire_output[wire];
            const int kind = f->gauss_seidel && f->rank[f->system->owner[j]] < f->rank[i] ? NEWEST : PAST;
            const bool corrected = f->balance && !f->held[first + l];
            const propagation_weights *p = corrected ? f->piece : &f->weights[kind];
            const double gain = s->wire_gain[wire];
            for (int q = 0; q < f->pieces; q++) /* held inputs have one piece */
                for (int k = 0; k <= p[q].degree; k++)
                    add_slots(f, kind, p[q].w[k], j, gain, coefficient(f, q, k, nu) + l * n);
            p += f->pieces - 1;
            add_slots(f, kind, p->end[0], j, gain, propagation_row(f->u[0], l, n));
            for (int k = 1; k < 3 && f->analytic; k++)
                add_slots(f, kind, p->end[k], j, gain, propagation_row(f->u[k], l, n));
        }
}

/* Macro-step ------------------------------------------------------------------------------------------ */

/* to += factor (E from + sum_k G_k c_k) on a piece. */
static void add_map(const ms_analytic_propagation *f, int i, int piece, double factor, const double *E,
                    const double *G, const double *from, double *to)
{
    const int n = f->n, nx = f->system->sub[i].nx, nu = f->system->sub[i].nu;
    ms_analytic_propagation_add_product(nx, nx, n, factor, E, from, to);
    for (int k = 0; k <= f->degree; k++)
        ms_analytic_propagation_add_product(nx, nu, n, factor, G + k * nx * nu, coefficient(f, piece, k, nu),
                                            to);
}

/* x+ of subsystem i, piece by piece, and the mean of its outputs into the rows of its new error. */
static int advance_pieces(ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny;
    const double share = 1.0 / f->pieces;
    MS_TRY(ms_analytic_propagation_subsystem(f, i, h * share));
    double *x = f->x_start, *e = propagation_row(psi, f->error_column + s->y_at[i], n);
    clear(x, f->pieces * nx, n);
    clear(f->x_mean, nx, n);
    clear(f->u_mean, nu, n);
    for (int a = 0; a < nx; a++)
        propagation_row(x, a, n)[s->x_at[i] + a] = 1.0;
    for (int q = 0; q < f->pieces; q++) {
        double *next = q + 1 < f->pieces ? propagation_row(x, nx, n) : propagation_row(psi, s->x_at[i], n);
        add_map(f, i, q, 1.0, f->E, f->G, x, next);
        add_map(f, i, q, share, f->S, f->T, x, f->x_mean);
        for (int k = 0; k <= f->degree; k++)
            ms_analytic_propagation_add_product(1, 1, nu * n, share, &f->mean[k], coefficient(f, q, k, nu),
                                                f->u_mean);
        x = next;
    }
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, s->blocks[i].C, f->x_mean, e);
    ms_analytic_propagation_add_product(ny, nu, n, 1.0, s->blocks[i].D, f->u_mean, e);
    return MS_OK;
}

/* x+ of subsystem i into psi. */
static int advance(ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu;
    double *x = propagation_row(psi, s->x_at[i], n);
    if (f->balance && !f->trapezoid)
        return advance_pieces(f, i, h, psi);
    if (h == 0.0) {
        for (int a = 0; a < nx; a++)
            propagation_row(x, a, n)[s->x_at[i] + a] = 1.0;
        return MS_OK;
    }
    MS_TRY(ms_analytic_propagation_subsystem(f, i, h));
    for (int a = 0; a < nx; a++)
        memcpy(propagation_row(x, a, n) + s->x_at[i], f->E + a * nx, sizeof(double) * (size_t)nx);
    for (int k = 0; k <= f->degree; k++)
        ms_analytic_propagation_add_product(nx, nu, n, 1.0, f->G + k * nx * nu,
                                            propagation_row(f->c, k * nu, n), x);
    return MS_OK;
}

/* hy' = C dx (+ D u') of subsystem i, dx = h (A x + B u), and h^2 y'' = C ddx (+ D u''), ddx = h (A dx + B
 * u'). h is scale. */
static void differentiate(ms_analytic_propagation *f, int i, double scale, bool feed_through, const double *x)
{
    const ms_system *s = f->system;
    const ms_blocks *m = &s->blocks[i];
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny;
    double *from = propagation_row(f->dx, s->x_at[i], n),
           *ddx = propagation_row(f->dx, s->nx + s->x_at[i], n);
    double *dy = propagation_row(f->dy, s->y_at[i], n), *ddy = propagation_row(f->ddy, s->y_at[i], n);
    clear(from, nx, n);
    ms_analytic_propagation_add_product(nx, nx, n, scale, m->A, x, from);
    ms_analytic_propagation_add_product(nx, nu, n, scale, m->B, f->u[0], from);
    clear(dy, ny, n);
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, m->C, from, dy);
    if (feed_through)
        ms_analytic_propagation_add_product(ny, nu, n, 1.0, m->D, f->u[1], dy);
    if (f->order < 2)
        return;
    clear(ddx, nx, n);
    ms_analytic_propagation_add_product(nx, nx, n, scale, m->A, from, ddx);
    ms_analytic_propagation_add_product(nx, nu, n, scale, m->B, f->u[1], ddx);
    clear(ddy, ny, n);
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, m->C, ddx, ddy);
    if (feed_through)
        ms_analytic_propagation_add_product(ny, nu, n, 1.0, m->D, f->u[2], ddy);
}

/* hy' = y~ - y~_n, without D u' where outputs are solved. */
static void difference(ms_analytic_propagation *f, int i)
{
    const ms_system *s = f->system;
    const int n = f->n, nu = s->sub[i].nu, ny = s->sub[i].ny;
    double *dy = propagation_row(f->dy, s->y_at[i], n);
    memcpy(dy, propagation_row(f->raw, s->y_at[i], n), sizeof(double) * (size_t)ny * (size_t)n);
    for (int j = 0; j < ny; j++)
        propagation_row(dy, j, n)[f->raw_column + s->y_at[i] + j] -= 1.0;
    if (f->outputs != MS_OUTPUTS_INCONSISTENT)
        ms_analytic_propagation_add_product(ny, nu, n, -1.0, s->blocks[i].D, f->u[1], dy);
}

/* One subsystem: x+, y~, and derivatives where they follow from its own inputs. */
static int step(ms_analytic_propagation *f, int i, double h, double scale, double *psi)
{
    const ms_system *s = f->system;
    const ms_blocks *m = &s->blocks[i];
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny;
    const double *x = propagation_row(psi, s->x_at[i], n);
    couple(f, i);
    MS_TRY(advance(f, i, h, psi));
    double *raw = propagation_row(f->raw, s->y_at[i], n);
    clear(raw, ny, n);
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, m->C, x, raw);
    ms_analytic_propagation_add_product(ny, nu, n, 1.0, m->D, f->printed_smoothing ? f->c : f->u[0], raw);
    if (f->analytic && f->differences)
        difference(f, i);
    else if (f->analytic && f->outputs != MS_OUTPUTS_CONSISTENT)
        differentiate(f, i, scale, f->outputs == MS_OUTPUTS_INCONSISTENT, x);
    return MS_OK;
}

/* Consistent, exact: y' and y'' at solved inputs and solved derivatives of inputs. */
static void solved_derivatives(ms_analytic_propagation *f, double scale, const double *psi, const double *y)
{
    const ms_system *s = f->system;
    for (int i = 0; i < s->n; i++) {
        ms_analytic_propagation_couple(f, i, y, f->u[0]);
        differentiate(f, i, scale, false, psi + (size_t)s->x_at[i] * (size_t)f->n);
    }
    solve_loop(f, f->dy);
    for (int i = 0; i < s->n && f->order > 1; i++) { /* u' is known now */
        ms_analytic_propagation_couple(f, i, y, f->u[0]);
        ms_analytic_propagation_couple(f, i, f->dy, f->u[1]);
        const ms_blocks *m = &s->blocks[i];
        const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu;
        double *dx = propagation_row(f->dx, s->x_at[i], n),
               *ddx = propagation_row(f->dx, s->nx + s->x_at[i], n);
        clear(ddx, nx, n);
        ms_analytic_propagation_add_product(nx, nx, n, scale, m->A, dx, ddx);
        ms_analytic_propagation_add_product(nx, nu, n, scale, m->B, f->u[1], ddx);
        clear(propagation_row(f->ddy, s->y_at[i], n), s->sub[i].ny, n);
        ms_analytic_propagation_add_product(s->sub[i].ny, nx, n, 1.0, m->C, ddx,
                                            propagation_row(f->ddy, s->y_at[i], n));
    }
    if (f->order > 1)
        solve_loop(f, f->ddy);
}

/* y+ and its derivatives, from what the subsystems gave. */
static void outputs(ms_analytic_propagation *f, double scale, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->n;
    const bool solved = f->outputs != MS_OUTPUTS_INCONSISTENT;
    const size_t bytes = sizeof(double) * (size_t)s->ny * (size_t)n;
    double *y = propagation_row(psi, s->nx, n);
    if (!solved)
        memcpy(y, f->raw, bytes);
    for (int i = 0; i < s->n && solved; i++)
        ms_analytic_propagation_add_product(s->sub[i].ny, s->sub[i].nx, n, 1.0, s->blocks[i].C,
                                            propagation_row(psi, s->x_at[i], n),
                                            propagation_row(y, s->y_at[i], n));
    if (solved)
        solve_loop(f, y);
    if (!f->analytic)
        return;
    if (f->outputs == MS_OUTPUTS_CONSISTENT && !f->differences) {
        solved_derivatives(f, scale, psi, y);
    } else if (solved) {
        solve_loop(f, f->dy);
        if (f->order > 1 && !f->differences)
            solve_loop(f, f->ddy);
    }
    if (f->order > 1 && f->differences) { /* h^2 y'' = hy'+ - hy' */
        memcpy(f->ddy, f->dy, bytes);
        for (int j = 0; j < s->ny; j++)
            propagation_row(f->ddy, j, n)[f->column[PAST][Y1] + j] -= 1.0;
    }
    memcpy(propagation_row(psi, f->column[PAST][Y1], n), f->dy, bytes);
    if (f->order > 1)
        memcpy(propagation_row(psi, f->column[PAST][Y2], n), f->ddy, bytes);
}

/* Past values and errors are shifted; left limits, raw outputs and the mean error of p are stored. */
static void remember(ms_analytic_propagation *f, double *psi)
{
    const int n = f->n, ny = f->system->ny;
    for (int s = 1; s <= f->order && !f->analytic; s++)
        for (int j = 0; j < ny; j++)
            propagation_row(psi, f->column[PAST][s] + j, n)[f->column[PAST][s - 1] + j] = 1.0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = LEFT; s <= SLOPE; s++)
            for (int j = 0; j < ny && f->column[kind][s] >= 0; j++)
                add_slots(f, kind, f->weights[kind].end[s - LEFT], j, 1.0,
                          propagation_row(psi, f->column[kind][s] + j, n));
    if (f->remembers_raw)
        memcpy(propagation_row(psi, f->raw_column, n), f->raw, sizeof(double) * (size_t)ny * (size_t)n);
    for (int j = 0; j < ny && f->trapezoid; j++) {
        double *e = propagation_row(psi, f->error_column + j, n);
        ms_analytic_propagation_add_row(n, 0.5, propagation_row(psi, f->system->nx + j, n), e);
        e[f->column[PAST][Y0] + j] += 0.5;
    }
    for (int j = 0; j < ny && f->balance; j++)
        add_slots(f, PAST, f->counted, j, -1.0, propagation_row(psi, f->error_column + j, n));
    for (int j = ny; j < f->errors * ny; j++)
        propagation_row(psi, f->error_column + j, n)[f->error_column + j - ny] = 1.0;
}

const char *ms_analytic_propagation_reason(int status)
{
    switch (status) {
    case MS_SOLVER_FAILED:
        return "the matrix exponentials are not finite";
    case MS_NO_SOLUTION:
        return "the equations of the converged macro-step are singular";
    default:
        return "not enough memory";
    }
}

int ms_analytic_propagation_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const bool plain = h == 0.0 && f->plain_limit;
    const double scale = plain ? 1.0 : h, end = plain ? 0.0 : 1.0;
    if (f->iterated != NULL)
        return ms_analytic_propagation_iterated_evaluate(f, h, psi);
    if (f->split)
        return ms_analytic_propagation_split_evaluate(f, h, psi);
    if (f->multirate != NULL)
        return ms_analytic_propagation_multirate_evaluate(f, h, psi);
    if (f->common != NULL)
        return ms_analytic_propagation_common_evaluate(f, h, psi);
    if (f->sampled != NULL)
        return ms_analytic_propagation_sampled_evaluate(f, h, psi);
    if (f->delayed != NULL)
        return ms_analytic_propagation_delayed_evaluate(f, h, psi);
    if (f->end != end)
        ms_analytic_propagation_set_end(f, end);
    clear(psi, f->n, f->n);
    for (int k = 0; k < f->system->n; k++)
        MS_TRY(step(f, f->sequence[k], h, scale, psi));
    outputs(f, scale, psi);
    remember(f, psi);
    ms_analytic_propagation_unscale(f, h, psi);
    return MS_OK;
}
