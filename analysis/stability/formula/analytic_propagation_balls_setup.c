/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include <macrostep/options.h>
#include "analytic_propagation_balls_parts.h"

typedef struct ms_analytic_propagation_balls balls;

static ms_balls *make(balls *b, int rows, int columns)
{
    ms_balls *matrix = NULL;
    b->memory = b->memory && b->plugin->create(rows, columns, &matrix) == MS_OK;
    return matrix;
}

/* Scales -------------------------------------------------------------------------------------------------- */

/* Row and column sums of |A| besides the diagonal, for unit. */
static void sums(int n, const double *A, const double *unit, int i, double *row, double *column)
{
    *row = *column = 0.0;
    for (int j = 0; j < n; j++) {
        *row += j != i ? fabs(A[i * n + j]) * unit[j] / unit[i] : 0.0;
        *column += j != i ? fabs(A[j * n + i]) * unit[i] / unit[j] : 0.0;
    }
}

/* Powers of 2 that balance row i and column i of unit^-1 A unit (Osborne 1960). */
static void balance(int n, const double *A, double *unit)
{
    for (int i = 0; i < n; i++)
        unit[i] = 1.0;
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < n; i++) {
            double row, column;
            sums(n, A, unit, i, &row, &column);
            if (row > 0.0 && column > 0.0 && isfinite(row / column))
                unit[i] = ldexp(unit[i], (int)lrint(0.5 * log2(row / column)));
        }
}

/* to = row units^-1 M column units, NULL: 1. */
static void set_scaled(const balls *b, int rows, int columns, const double *M, const double *row,
                       const double *column, ms_balls *to)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            b->plugin->set(to, i, j,
                           M[i * columns + j] / (row != NULL ? row[i] : 1.0) *
                               (column != NULL ? column[j] : 1.0));
}

static double norm(int n, const double *A, const double *unit)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += pow(A[i * n + j] * unit[j] / unit[i], 2.0);
    return sqrt(sum);
}

double ms_analytic_propagation_balls_rate(const balls *b)
{
    double rate = 0.0;
    for (int i = 0; i < b->s->n; i++)
        rate = fmax(rate, norm(b->s->sub[i].nx, b->s->blocks[i].A, b->unit + b->s->x_at[i]));
    return rate;
}

/* Making -------------------------------------------------------------------------------------------------- */

static void make_subsystem(balls *b, int i)
{
    const int nx = b->s->sub[i].nx, nu = b->s->sub[i].nu, ny = b->s->sub[i].ny;
    subsystem_balls *to = &b->sub[i];
    to->A = make(b, nx, nx);
    to->B = make(b, nx, nu);
    to->C = make(b, ny, nx);
    to->D = make(b, ny, nu);
    to->hA = make(b, nx, nx);
    to->hB = make(b, nx, nu);
    to->E = make(b, nx, nx);
    for (int k = 0; k <= b->f->degree; k++)
        to->G[k] = make(b, nx, nu);
    if (!b->memory)
        return;
    const ms_blocks *m = &b->s->blocks[i];
    double *unit = b->unit + b->s->x_at[i];
    balance(nx, m->A, unit);
    set_scaled(b, nx, nx, m->A, unit, unit, to->A);
    set_scaled(b, nx, nu, m->B, unit, NULL, to->B);
    set_scaled(b, ny, nx, m->C, NULL, unit, to->C);
    set_scaled(b, ny, nu, m->D, NULL, NULL, to->D);
}

static int most_inputs(const ms_system *s)
{
    int most = 0;
    for (int i = 0; i < s->n; i++)
        most = s->sub[i].nu > most ? s->sub[i].nu : most;
    return most;
}

static void make_rows(balls *b)
{
    const ms_analytic_propagation *f = b->f;
    const int n = f->n, nu = most_inputs(b->s), ny = b->s->ny;
    b->identity = make(b, n, n);
    b->loop = make(b, ny, ny);
    b->R = make(b, ny, ny);
    b->c = make(b, (f->degree + 1) * nu, n);
    for (int k = 0; k < 3; k++)
        b->u[k] = make(b, nu, n);
    b->raw = make(b, ny, n);
    b->solved = make(b, ny, n);
    b->dy = make(b, ny, n);
    b->ddy = make(b, ny, n);
    b->dx = make(b, 2 * b->s->nx, n);
    b->next = make(b, b->s->nx, n);
    b->half = make(b, 1, 1);
    b->half_h = make(b, 1, 1);
    for (int j = 0; j < n && b->memory; j++)
        b->plugin->set(b->identity, j, j, 1.0);
    if (b->memory)
        b->plugin->set(b->half, 0, 0, 0.5);
}

static bool is_explicit(const ms_analytic_propagation *f)
{
    return f->iterated == NULL && f->multirate == NULL && f->common == NULL && f->delayed == NULL &&
           f->sampled == NULL && !f->balance;
}

int ms_analytic_propagation_balls_create(const ms_plugin_balls *plugin, const ms_system *system,
                                         const ms_options *options, balls **out, ms_error *error)
{
    balls *b = calloc(1, sizeof *b);
    *out = b;
    MS_TRY_MEMORY_FOR(b != NULL, error, "a certificate");
    *b = (balls){.plugin = plugin, .s = system, .memory = true};
    int status = ms_analytic_propagation_create(system, options, &b->f, error);
    if (status == MS_OK && !is_explicit(b->f))
        status = ms_fail(
            error, MS_UNSUPPORTED,
            "`scheme` %s: the formula in balls exists for explicit schemes without a balance correction, "
            "and for strang; use jacobi, gauss-seidel or strang",
            options->scheme);
    if (status == MS_OK) {
        b->sub = calloc((size_t)system->n + 1, sizeof *b->sub);
        b->unit = calloc((size_t)system->nx + 1, sizeof *b->unit);
        b->memory = b->sub != NULL && b->unit != NULL;
        for (int i = 0; i < system->n && b->memory; i++)
            make_subsystem(b, i);
        make_rows(b);
        if (!b->memory)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a certificate of %d rows", b->f->n);
    }
    if (status != MS_OK)
        ms_analytic_propagation_balls_destroy(out);
    return status;
}

static void destroy_subsystem(const balls *b, subsystem_balls *sub)
{
    ms_balls **all[] = {&sub->A, &sub->B, &sub->C, &sub->D, &sub->hA, &sub->hB, &sub->E};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        b->plugin->destroy(all[k]);
    for (int k = 0; k < COEFFICIENTS; k++)
        b->plugin->destroy(&sub->G[k]);
}

void ms_analytic_propagation_balls_destroy(balls **out)
{
    balls *b = *out;
    if (b == NULL)
        return;
    ms_balls **all[] = {&b->identity, &b->loop, &b->R,   &b->c,  &b->u[0], &b->u[1], &b->u[2],  &b->raw,
                        &b->solved,   &b->dy,   &b->ddy, &b->dx, &b->next, &b->half, &b->half_h};
    for (int i = 0; i < b->s->n && b->sub != NULL; i++)
        destroy_subsystem(b, &b->sub[i]);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        b->plugin->destroy(all[k]);
    ms_analytic_propagation_destroy(&b->f);
    MS_FREE(b->sub, b->unit, b);
    *out = NULL;
}

int ms_analytic_propagation_balls_dimension(const balls *b)
{
    return b->f->n;
}
