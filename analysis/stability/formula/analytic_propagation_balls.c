/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic_propagation_balls_parts.h"

typedef struct ms_analytic_propagation_balls balls;

/* Rows ---------------------------------------------------------------------------------------------------- */

static void add_product(const balls *b, const ms_balls *M, const ms_balls *from, int from_row, ms_balls *to,
                        int to_row)
{
    b->plugin->add_product(M, from, from_row, to, to_row, b->bits);
}

/* to -= column `column` of the memory. */
static void subtract_memory(const balls *b, int column, ms_balls *to, int row)
{
    b->plugin->add_row(-1.0, 1.0, b->identity, column, to, row, b->bits);
}

/* rows = (I - D L)^-1 rows, over all outputs, from `row` on. */
static void solve_loop(const balls *b, ms_balls *rows, int row)
{
    b->plugin->clear(b->solved, 0, b->s->ny);
    add_product(b, b->R, rows, row, b->solved, 0);
    b->plugin->copy(b->solved, 0, b->s->ny, rows, row);
}

/* I - D L and its inverse. */
static int invert_loop(balls *b, long bits)
{
    const ms_system *s = b->s;
    if (b->bits == bits)
        return MS_OK;
    b->plugin->clear(b->loop, 0, s->ny);
    for (int j = 0; j < s->ny; j++)
        b->plugin->set(b->loop, j, j, 1.0);
    ms_balls *one = NULL; /* ny x ny */
    if (b->plugin->create(s->ny, s->ny, &one) != MS_OK)
        return MS_SOLVER_FAILED;
    for (int j = 0; j < s->ny; j++)
        b->plugin->set(one, j, j, 1.0);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->sub[i].ny; j++)
            for (int l = 0; l < s->sub[i].nu; l++)
                for (int wire = s->row_at[s->u_at[i] + l]; wire < s->row_at[s->u_at[i] + l + 1]; wire++)
                    b->plugin->add_row(-s->blocks[i].D[j * s->sub[i].nu + l], s->wire_gain[wire], one,
                                       s->wire_output[wire], b->loop, s->y_at[i] + j, bits);
    b->plugin->destroy(&one);
    b->bits = bits;
    return b->plugin->invert(b->loop, b->R, bits);
}

/* to += gain sum_s w_s v_s of output j. */
static void add_slots(const balls *b, int kind, const double *w, int j, double gain, ms_balls *to, int row)
{
    for (int s = 0; s < NEW; s++)
        if (w[s] != 0.0)
            b->plugin->add_row(gain, w[s], b->identity, b->f->column[kind][s] + j, to, row, b->bits);
    if (w[NEW] != 0.0)
        b->plugin->add_row(gain, w[NEW], b->raw, j, to, row, b->bits);
}

/* Inputs of subsystem i: coefficients c, and values and derivatives at the end. */
static void couple(balls *b, int i)
{
    const ms_analytic_propagation *f = b->f;
    const ms_system *s = b->s;
    const int nu = s->sub[i].nu, first = s->u_at[i];
    b->plugin->clear(b->c, 0, (f->degree + 1) * nu);
    for (int k = 0; k < 3; k++)
        b->plugin->clear(b->u[k], 0, nu);
    for (int l = 0; l < nu; l++)
        for (int wire = s->row_at[first + l]; wire < s->row_at[first + l + 1]; wire++) {
            const int j = s->wire_output[wire];
            const int kind = f->gauss_seidel && f->rank[f->system->owner[j]] < f->rank[i] ? NEWEST : PAST;
            const propagation_weights *p = &f->weights[kind];
            for (int k = 0; k <= p->degree; k++)
                add_slots(b, kind, p->w[k], j, s->wire_gain[wire], b->c, k * nu + l);
            for (int k = 0; k < (f->analytic ? 3 : 1); k++)
                add_slots(b, kind, p->end[k], j, s->wire_gain[wire], b->u[k], l);
        }
}

/* to = L from, rows of the inputs of subsystem i; outputs from `row` on. */
static void couple_rows(const balls *b, int i, const ms_balls *from, int row, ms_balls *to)
{
    const ms_system *s = b->s;
    const int first = s->u_at[i];
    b->plugin->clear(to, 0, s->sub[i].nu);
    for (int l = 0; l < s->sub[i].nu; l++)
        for (int wire = s->row_at[first + l]; wire < s->row_at[first + l + 1]; wire++)
            b->plugin->add_row(s->wire_gain[wire], 1.0, from, row + s->wire_output[wire], to, l, b->bits);
}

/* Macro-step ---------------------------------------------------------------------------------------------- */

static int step_map(balls *b, int i, int degree, const ms_balls *h)
{
    const subsystem_balls *m = &b->sub[i];
    const ms_analytic_propagation *f = b->f;
    return b->s->sub[i].nx == 0
               ? MS_OK
               : b->plugin->step_map(m->A, m->B, h, f->method, f->micro_steps, degree, m->E, m->G, b->bits);
}

/* x+ of subsystem i into psi. */
static int advance(balls *b, int i, const ms_balls *h, ms_balls *psi)
{
    const subsystem_balls *m = &b->sub[i];
    const int status = step_map(b, i, b->f->degree, h), at = b->s->x_at[i];
    if (status != MS_OK)
        return status;
    add_product(b, m->E, b->identity, at, psi, at);
    for (int k = 0; k <= b->f->degree; k++)
        add_product(b, m->G[k], b->c, k * b->s->sub[i].nu, psi, at);
    return MS_OK;
}

/* h^2 y'' of subsystem i without D u'': C ddx, ddx = h (A dx + B u'). */
static void differentiate_twice(balls *b, int i)
{
    const ms_system *s = b->s;
    const subsystem_balls *m = &b->sub[i];
    const int at = s->nx + s->x_at[i];
    b->plugin->clear(b->dx, at, s->sub[i].nx);
    add_product(b, m->hA, b->dx, s->x_at[i], b->dx, at);
    add_product(b, m->hB, b->u[1], 0, b->dx, at);
    b->plugin->clear(b->ddy, s->y_at[i], s->sub[i].ny);
    add_product(b, m->C, b->dx, at, b->ddy, s->y_at[i]);
}

/* hy' = C dx (+ D u'), dx = h (A x + B u), and h^2 y'' (+ D u''). */
static void differentiate(balls *b, int i, bool feed_through, const ms_balls *psi)
{
    const ms_system *s = b->s;
    const subsystem_balls *m = &b->sub[i];
    b->plugin->clear(b->dx, s->x_at[i], s->sub[i].nx);
    add_product(b, m->hA, psi, s->x_at[i], b->dx, s->x_at[i]);
    add_product(b, m->hB, b->u[0], 0, b->dx, s->x_at[i]);
    b->plugin->clear(b->dy, s->y_at[i], s->sub[i].ny);
    add_product(b, m->C, b->dx, s->x_at[i], b->dy, s->y_at[i]);
    if (feed_through)
        add_product(b, m->D, b->u[1], 0, b->dy, s->y_at[i]);
    if (b->f->order < 2)
        return;
    differentiate_twice(b, i);
    if (feed_through)
        add_product(b, m->D, b->u[2], 0, b->ddy, s->y_at[i]);
}

/* hy' = y~ - y~_n, without D u' where outputs are solved. */
static void difference(balls *b, int i)
{
    const ms_system *s = b->s;
    b->plugin->copy(b->raw, s->y_at[i], s->sub[i].ny, b->dy, s->y_at[i]);
    for (int j = s->y_at[i]; j < s->y_at[i + 1]; j++)
        subtract_memory(b, b->f->raw_column + j, b->dy, j);
    if (b->f->outputs == MS_OUTPUTS_INCONSISTENT)
        return;
    for (int j = 0; j < s->sub[i].ny; j++)
        for (int l = 0; l < s->sub[i].nu; l++)
            b->plugin->add_row(-s->blocks[i].D[j * s->sub[i].nu + l], 1.0, b->u[1], l, b->dy, s->y_at[i] + j,
                               b->bits);
}

/* One subsystem: x+, y~, and derivatives where they follow from its own inputs. */
static int step(balls *b, int i, const ms_balls *h, ms_balls *psi)
{
    const ms_analytic_propagation *f = b->f;
    const ms_system *s = b->s;
    couple(b, i);
    MS_TRY(advance(b, i, h, psi));
    b->plugin->clear(b->raw, s->y_at[i], s->sub[i].ny);
    add_product(b, b->sub[i].C, psi, s->x_at[i], b->raw, s->y_at[i]);
    add_product(b, b->sub[i].D, f->printed_smoothing ? b->c : b->u[0], 0, b->raw, s->y_at[i]);
    if (f->analytic && f->differences)
        difference(b, i);
    else if (f->analytic && f->outputs != MS_OUTPUTS_CONSISTENT)
        differentiate(b, i, f->outputs == MS_OUTPUTS_INCONSISTENT, psi);
    return MS_OK;
}

/* Consistent, exact: y' and y'' at solved inputs and solved derivatives of inputs. */
static void solved_derivatives(balls *b, const ms_balls *psi)
{
    const ms_system *s = b->s;
    for (int i = 0; i < s->n; i++) {
        couple_rows(b, i, psi, s->nx, b->u[0]);
        differentiate(b, i, false, psi);
    }
    solve_loop(b, b->dy, 0);
    for (int i = 0; i < s->n && b->f->order > 1; i++) { /* u' is known now */
        couple_rows(b, i, b->dy, 0, b->u[1]);
        differentiate_twice(b, i);
    }
    if (b->f->order > 1)
        solve_loop(b, b->ddy, 0);
}

/* y+ and its derivatives, from what the subsystems gave. */
static void outputs(balls *b, ms_balls *psi)
{
    const ms_analytic_propagation *f = b->f;
    const ms_system *s = b->s;
    const bool solved = f->outputs != MS_OUTPUTS_INCONSISTENT;
    if (!solved)
        b->plugin->copy(b->raw, 0, s->ny, psi, s->nx);
    for (int i = 0; i < s->n && solved; i++)
        add_product(b, b->sub[i].C, psi, s->x_at[i], psi, s->nx + s->y_at[i]);
    if (solved)
        solve_loop(b, psi, s->nx);
    if (!f->analytic)
        return;
    if (f->outputs == MS_OUTPUTS_CONSISTENT && !f->differences) {
        solved_derivatives(b, psi);
    } else if (solved) {
        solve_loop(b, b->dy, 0);
        if (f->order > 1 && !f->differences)
            solve_loop(b, b->ddy, 0);
    }
    if (f->order > 1 && f->differences) { /* h^2 y'' = hy'+ - hy' */
        b->plugin->copy(b->dy, 0, s->ny, b->ddy, 0);
        for (int j = 0; j < s->ny; j++)
            subtract_memory(b, f->column[PAST][Y1] + j, b->ddy, j);
    }
    b->plugin->copy(b->dy, 0, s->ny, psi, f->column[PAST][Y1]);
    if (f->order > 1)
        b->plugin->copy(b->ddy, 0, s->ny, psi, f->column[PAST][Y2]);
}

/* Past values move on; left limits and raw outputs are remembered. */
static void remember(balls *b, ms_balls *psi)
{
    const ms_analytic_propagation *f = b->f;
    const int ny = b->s->ny;
    for (int s = 1; s <= f->order && !f->analytic; s++)
        b->plugin->copy(b->identity, f->column[PAST][s - 1], ny, psi, f->column[PAST][s]);
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = LEFT; s <= SLOPE; s++)
            for (int j = 0; j < ny && f->column[kind][s] >= 0; j++)
                add_slots(b, kind, f->weights[kind].end[s - LEFT], j, 1.0, psi, f->column[kind][s] + j);
    if (f->remembers_raw)
        b->plugin->copy(b->raw, 0, ny, psi, f->raw_column);
}

/* Strang: a stretch of subsystem i of length h, see analytic_propagation_split.c. */
static int stretch(balls *b, int i, const ms_balls *h, ms_balls *psi)
{
    const ms_system *s = b->s;
    const subsystem_balls *m = &b->sub[i];
    couple_rows(b, i, psi, s->nx, b->u[0]);
    const int status = step_map(b, i, 0, h), y = s->nx + s->y_at[i];
    b->plugin->clear(b->next, 0, s->sub[i].nx);
    add_product(b, m->E, psi, s->x_at[i], b->next, 0);
    add_product(b, m->G[0], b->u[0], 0, b->next, 0);
    b->plugin->copy(b->next, 0, s->sub[i].nx, psi, s->x_at[i]);
    b->plugin->clear(psi, y, s->sub[i].ny);
    add_product(b, m->C, psi, s->x_at[i], psi, y);
    add_product(b, m->D, b->u[0], 0, psi, y);
    return status;
}

static int split_evaluate(balls *b, const ms_balls *h, ms_balls *psi)
{
    const ms_analytic_propagation *f = b->f;
    int status = MS_OK;
    b->plugin->scale(h, b->half, b->half_h, b->bits);
    b->plugin->copy(b->identity, 0, f->n, psi, 0);
    for (int k = 0; k < b->s->n + f->twice && status == MS_OK; k++) {
        const int at = k < b->s->n ? k : b->s->n + f->twice - 1 - k;
        status = stretch(b, f->sequence[at], at < f->twice ? b->half_h : h, psi);
    }
    return status;
}

int ms_analytic_propagation_balls_evaluate(balls *b, const ms_balls *h, long bits, ms_balls *psi)
{
    const ms_analytic_propagation *f = b->f;
    int status = invert_loop(b, bits);
    if (status == MS_OK && f->split)
        return split_evaluate(b, h, psi);
    for (int i = 0; i < b->s->n && f->analytic; i++) {
        b->plugin->scale(h, b->sub[i].A, b->sub[i].hA, bits);
        b->plugin->scale(h, b->sub[i].B, b->sub[i].hB, bits);
    }
    b->plugin->clear(psi, 0, f->n);
    for (int k = 0; k < b->s->n && status == MS_OK; k++)
        status = step(b, f->sequence[k], h, psi);
    if (status != MS_OK)
        return status;
    outputs(b, psi);
    remember(b, psi);
    return MS_OK;
}
