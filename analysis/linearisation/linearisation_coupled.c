/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linearisation_coupled.c - the matrices of the coupled model, from those of its subsystems and the wires:
 *
 *     y = (I - D L)^-1 (C x + F w),   x' = A x + E w + B L y        A .. F block-diagonal
 *
 * and its A once more, by compressed differences of the monolithic x'. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/linearisation.h>
#include "matrix.h"
#include "monolithic.h"
#include "partials.h"

/* Entry (row, column) of a subsystem's f or g, columns counted through x, u, w. */
static double entry(const ms_linearisation *part, const double *M, int row, int column)
{
    return M[(size_t)row * (size_t)part->n + (size_t)column];
}

/* I - D L (ny x ny). */
static void form_loop(const ms_linearised *l, double *M)
{
    const ms_system *s = l->system;
    const size_t ny = (size_t)s->ny;
    memset(M, 0, sizeof *M * ny * ny);
    for (size_t j = 0; j < ny; j++)
        M[j * ny + j] = 1.0;
    for (int i = 0; i < s->n; i++)
        ms_system_add_feed_through(s, i, -1.0, l->part[i]->g + s->sub[i].nx, l->part[i]->n, NULL, s->ny, M);
}

/* What a change of one variable does: column `column` of subsystem i, into column j of X (nx x n) and Y
 * (ny x n). */
typedef struct response {
    const ms_linearised *parts;
    double *loop; /* factors of I - D L */
    int *pivots;
    double *y, *u; /* (ny), (nu) */
} response;

static void respond(const response *r, int i, int column, int n, int j, double *X, double *Y)
{
    const ms_system *s = r->parts->system;
    ms_linearisation *const *part = r->parts->part;
    memset(r->y, 0, sizeof *r->y * (size_t)s->ny);
    for (int k = 0; k < s->sub[i].ny; k++)
        r->y[s->y_at[i] + k] = entry(part[i], part[i]->g, k, column);
    ms_matrix_solve(s->ny, r->loop, r->pivots, r->y);
    ms_system_couple(s, r->y, r->u);
    for (int k = 0; k < s->ny; k++)
        Y[(size_t)k * (size_t)n + (size_t)j] = r->y[k];
    for (int q = 0; q < s->n; q++)
        for (int row = 0; row < s->sub[q].nx; row++) {
            const double *B = part[q]->f + (size_t)row * (size_t)part[q]->n + s->sub[q].nx;
            X[(size_t)(s->x_at[q] + row) * (size_t)n + (size_t)j] =
                (q == i ? entry(part[i], part[i]->f, row, column) : 0.0) +
                ms_dot(s->sub[q].nu, B, r->u + s->u_at[q]);
        }
}

static int assemble(const ms_linearised *l, ms_coupled *c, ms_error *error)
{
    const ms_system *s = l->system;
    const size_t ny = (size_t)s->ny;
    double *memory = calloc(ny * ny + ny + (size_t)s->nu + 1, sizeof *memory);
    int *pivots = calloc(ny + 1, sizeof *pivots);
    int status = memory != NULL && pivots != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        const response r = {
            .parts = l, .loop = memory, .pivots = pivots, .y = memory + ny * ny, .u = memory + ny * ny + ny};
        form_loop(l, memory);
        status = ms_matrix_factor(s->ny, memory, pivots);
        if (status != MS_OK)
            ms_fail(error, status, "the algebraic loop of model %s has no unique solution at this state",
                    s->model->name);
        for (int i = 0; i < s->n && status == MS_OK; i++) {
            for (int k = 0; k < s->sub[i].nx; k++)
                respond(&r, i, k, s->nx, s->x_at[i] + k, c->A, c->C);
            for (int k = 0; k < s->sub[i].nw; k++)
                respond(&r, i, s->sub[i].nx + s->sub[i].nu + k, s->nw, s->w_at[i] + k, c->B, c->D);
        }
    }
    free(memory);
    free(pivots);
    return status;
}

/* The monolithic model as a function of its states. */
typedef struct monolithic {
    const ms_system *whole;
    double t, *w;
    const double *z;
} monolithic;

static int monolithic_f(void *self, const double *x, double *dx)
{
    const monolithic *m = self;
    ms_point at = {.t = m->t, .x = x, .z = m->z};
    return ms_subsystem_f(m->whole, 0, &at, m->w, dx);
}

/* Where a state that is stepped leaves the domain, as the root of 0, there are no differences; the subsystems' own partial derivatives do
 * without. */
static int without_differences(ms_coupled *c, const ms_system *s, ms_error *error)
{
    if (!c->assembled)
        return ms_fail(error, MS_SOLVER_FAILED, "model %s cannot be evaluated near this state",
                       s->model->name);
    for (int k = 0; k < c->nx * c->nx; k++)
        c->A_differences[k] = NAN;
    c->partials_error = NAN;
    return MS_OK;
}

static int differentiate(const ms_linearised *l, const ms_linearisation_options *options, ms_coupled *c,
                         ms_error *error)
{
    ms_system *whole = NULL;
    ms_compression *groups = NULL;
    double *memory = calloc((size_t)(2 * c->nx + c->nw) + 1, sizeof *memory);
    int status = memory != NULL ? ms_monolithic_create(l->system, &whole, error) : MS_NO_MEMORY;
    MS_THEN(status, ms_compression_create(c->nx, c->nx, options->compress ? c->structure : NULL, &groups));
    if (status == MS_OK) {
        const ms_compression dense = {.groups = c->nx};
        monolithic m = {.whole = whole, .t = l->t, .w = memory + c->nx, .z = l->z};
        double *size = memory + c->nx + c->nw;
        memcpy(memory, l->x, sizeof *memory * (size_t)c->nx);
        for (int j = 0; j < c->nx; j++)
            size[j] = fmax(whole->x_scale != NULL ? whole->x_scale[j] : 1.0, fabs(l->x[j]));
        for (int i = 0; i < l->system->n; i++)
            groups->single = groups->single || l->system->sub[i].single;
        status = ms_partials_estimate(groups, c->differences, monolithic_f, &m, memory, size,
                                      c->A_differences, &c->partials_error, &c->evaluations, &c->checks);
        if (status == MS_SOLVER_FAILED)
            status = without_differences(c, l->system, error);
        c->groups = groups->groups;
        c->bound = groups->bound;
        c->evaluations_dense = ms_compression_cost(&dense, c->differences);
    }
    ms_compression_destroy(&groups);
    ms_monolithic_destroy(&whole);
    free(memory);
    return status;
}

static int allocate(const ms_system *s, ms_coupled *c)
{
    const size_t nx = (size_t)s->nx, nw = (size_t)s->nw, ny = (size_t)s->ny;
    c->A = calloc((nx + ny) * (nx + nw) + nx * nx + 1, sizeof(double));
    c->structure = calloc(nx * nx + 1, sizeof(bool));
    MS_TRY_MEMORY(c->A != NULL && c->structure != NULL);
    c->B = c->A + nx * nx;
    c->C = c->B + nx * nw;
    c->D = c->C + ny * nx;
    c->A_differences = c->D + ny * nw;
    return MS_OK;
}

int ms_coupled_create(const ms_linearised *parts, const ms_linearisation_options *options,
                      ms_coupled **coupled, ms_error *error)
{
    const ms_system *s = parts->system;
    const bool forward = options->partials == MS_PARTIALS_FORWARD;
    ms_coupled *c = calloc(1, sizeof *c);
    int status = c != NULL ? allocate(s, c) : MS_NO_MEMORY;
    if (status == MS_OK) {
        c->nx = s->nx;
        c->nw = s->nw;
        c->ny = s->ny;
        c->assembled = !ms_system_reads_slopes(s);
        c->differences = forward ? MS_DIFFERENCES_FORWARD : MS_DIFFERENCES_CENTRAL;
        status = ms_sparsity_couple(s, parts->sparsity, c->structure);
    }
    MS_THEN(status, differentiate(parts, options, c, error));
    if (status == MS_OK && c->assembled) {
        status = assemble(parts, c, error);
    } else if (status == MS_OK) { /* the way through u' is in the differences only */
        memcpy(c->A, c->A_differences, sizeof(double) * (size_t)s->nx * (size_t)s->nx);
        for (double *entry_of = c->B; entry_of < c->A_differences; entry_of++)
            *entry_of = NAN;
    }
    *coupled = c;
    if (status != MS_OK)
        ms_coupled_destroy(coupled);
    return status;
}

void ms_coupled_destroy(ms_coupled **coupled)
{
    if (coupled == NULL || *coupled == NULL)
        return;
    free((*coupled)->A); /* all matrices */
    free((*coupled)->structure);
    free(*coupled);
    *coupled = NULL;
}
