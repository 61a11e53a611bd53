/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/linearisation.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/linearisation_jacobian.h>
#include "matrix.h"
#include "partials.h"
#include "variables.h"

/* Directional derivatives -------------------------------------------------------------------------------- */

/* The blocks of a subsystem that has them. */
typedef struct seeded {
    const ms_subsystem *sub;
    ms_blocks m;
} seeded;

static void multiply(const ms_subsystem *sub, int rows, const double *X, const double *U, const double *W,
                     const double *seed, double *value)
{
    ms_matrix_multiply(rows, sub->nx, X, seed, value);
    ms_matrix_add(rows, sub->nu, U, seed + sub->nx, value);
    ms_matrix_add(rows, sub->nw, W, seed + sub->nx + sub->nu, value);
}

/* (x', y) in the direction of the seed. */
static int derive(void *self, const double *seed, double *value)
{
    const seeded *of = self;
    multiply(of->sub, of->sub->nx, of->m.A, of->m.B, of->m.E, seed, value);
    multiply(of->sub, of->sub->ny, of->m.C, of->m.D, of->m.F, seed, value + of->sub->nx);
    return 0;
}

static bool is_seedable(const ms_subsystem *sub)
{
    return sub->matrices != NULL || sub->jacobian != NULL;
}

/* Do w columns need differences? Only matrices have derivatives with respect to them. */
static bool lacks_external(const ms_subsystem *sub)
{
    return sub->matrices == NULL && sub->nw > 0;
}

/* Work in progress: f and g are concatenated, and so are their patterns. */
typedef struct task {
    const ms_system *system;
    int index;
    const ms_subsystem *sub;
    ms_point at;
    const ms_sparsity *sparsity;
    bool compress;
    ms_linearisation *to;
    ms_variables *variables;
    bool *pattern; /* (rows x n) of what is being found */
    double *M;     /* ((nx + ny) x n) scratch */
} task;

/* The pattern of columns first .. last - 1, or every column where nothing is compressed. */
static ms_compression *group_columns(const task *k, int rows, const bool *from, int first, int last)
{
    const int n = k->to->n;
    ms_compression *c = NULL;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            k->pattern[i * n + j] = j >= first && j < last && (from[i * n + j] || !k->compress);
    ms_compression_create(rows, n, k->pattern, &c);
    return c;
}

static void take_columns(const task *k, int rows, const double *M, int first, int last, double *to)
{
    for (int i = 0; i < rows; i++)
        for (int j = first; j < last; j++)
            to[i * k->to->n + j] = M[i * k->to->n + j];
}

/* Groups of the columns that the blocks have, and what single columns would cost. */
static int by_seeds(task *k)
{
    ms_linearisation *to = k->to;
    const int last = lacks_external(k->sub) ? to->nx + to->nu : to->n, rows = to->nx + to->ny;
    const size_t n = (size_t)to->n, x = (size_t)to->nx, y = (size_t)to->ny, u = (size_t)to->nu,
                 w = (size_t)to->nw;
    double *memory = calloc((x + y) * n + w + 1, sizeof *memory);
    ms_compression *c = group_columns(k, rows, k->sparsity->f, 0, last);
    int status = memory != NULL && c != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        seeded of = {.sub = k->sub, .m = {.A = memory, .B = memory + x * x}};
        of.m.C = of.m.B + x * u;
        of.m.D = of.m.C + y * x;
        of.m.E = of.m.D + y * u;
        of.m.F = of.m.E + x * w;
        if (ms_subsystem_jacobian(k->system, k->index, &k->at, of.m.F + y * w, NULL, &of.m, NULL) != 0)
            status = MS_SOLVER_FAILED;
        else
            status = ms_compression_collect(c, derive, &of, k->M, &to->evaluations);
    }
    if (status == MS_OK) {
        take_columns(k, to->nx, k->M, 0, last, to->f);
        take_columns(k, to->ny, k->M + x * n, 0, last, to->g);
        to->groups += c->groups;
        to->bound += c->bound;
        to->evaluations_dense += rows > 0 ? last : 0;
    }
    ms_compression_destroy(&c);
    free(memory);
    return status;
}

/* Columns from first on of f or g. */
static int by_differences(task *k, ms_vector_function *function, int rows, const bool *pattern, int first,
                          double *to)
{
    ms_linearisation *l = k->to;
    ms_compression *c = group_columns(k, rows, pattern, first, l->n);
    double error = 0.0;
    int status = c != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK)
        c->single = k->variables->sub->single;
    MS_THEN(status, ms_partials_estimate(c, l->differences, function, k->variables, k->variables->v,
                                         k->variables->size, k->M, &error, &l->evaluations, &l->checks));
    if (status == MS_OK) {
        const ms_compression dense = {.groups = rows > 0 ? l->n - first : 0};
        take_columns(k, rows, k->M, first, l->n, to);
        l->differenced = true;
        l->partials_error = fmax(l->partials_error, error);
        l->groups += c->groups;
        l->bound += c->bound;
        l->evaluations_dense += ms_compression_cost(&dense, l->differences);
    }
    ms_compression_destroy(&c);
    return status;
}

static int fill(task *k)
{
    ms_linearisation *to = k->to;
    int first = 0, status = MS_OK;
    if (to->directional) {
        status = by_seeds(k);
        first = lacks_external(k->sub) ? to->nx + to->nu : to->n;
    }
    if (status == MS_OK && first < to->n)
        status = by_differences(k, ms_variables_f, to->nx, k->sparsity->f, first, to->f);
    if (status == MS_OK && first < to->n)
        status = by_differences(k, ms_variables_g, to->ny, k->sparsity->g, first, to->g);
    return status;
}

int ms_linearisation_create(const ms_system *system, int i, const ms_point *at, const ms_sparsity *sparsity,
                            const ms_linearisation_options *options, ms_linearisation **linearisation)
{
    const ms_subsystem *sub = &system->sub[i];
    const size_t n = (size_t)sparsity->n, x = (size_t)sub->nx, y = (size_t)sub->ny;
    ms_linearisation *to = calloc(1, sizeof *to);
    double *memory = calloc(2 * (x + y) * n + 1, sizeof *memory);
    task k = {.system = system,
              .index = i,
              .sub = sub,
              .at = *at,
              .sparsity = sparsity,
              .compress = options->compress,
              .to = to,
              .pattern = calloc((x + y) * n + 1, sizeof(bool))};
    int status = to != NULL && memory != NULL && k.pattern != NULL
                     ? ms_variables_create(system, i, at, &k.variables)
                     : MS_NO_MEMORY;
    if (status == MS_OK) {
        const bool forward = options->partials == MS_PARTIALS_FORWARD;
        *to = (ms_linearisation){.nx = sub->nx,
                                 .nu = sub->nu,
                                 .nw = sub->nw,
                                 .ny = sub->ny,
                                 .n = sparsity->n,
                                 .f = memory,
                                 .g = memory + x * n,
                                 .directional = options->partials == MS_PARTIALS_BEST && is_seedable(sub),
                                 .differences = forward ? MS_DIFFERENCES_FORWARD : MS_DIFFERENCES_CENTRAL};
        k.M = memory + (x + y) * n;
        memory = NULL;
        status = fill(&k);
    }
    ms_variables_destroy(&k.variables);
    MS_FREE(k.pattern, memory);
    *linearisation = to;
    if (status != MS_OK)
        ms_linearisation_destroy(linearisation);
    return status;
}

void ms_linearisation_destroy(ms_linearisation **linearisation)
{
    if (linearisation == NULL || *linearisation == NULL)
        return;
    free((*linearisation)->f); /* and g behind it */
    free(*linearisation);
    *linearisation = NULL;
}

/* Check -------------------------------------------------------------------------------------------------- */

/* Adds |J d - difference|^2 and |difference|^2 of one function. memory: 2 rows + n. */
static int compare(ms_variables *of, ms_vector_function *function, int rows, const double *J, const double *d,
                   double *memory, double *off, double *size)
{
    const double h = 6.0554544523933429e-06; /* 2^(-52/3) */
    double *above = memory, *below = above + rows, *v = below + rows;
    int failed = 0;
    for (int sign = 1; sign >= -1 && failed == 0; sign -= 2) {
        for (int j = 0; j < of->n; j++)
            v[j] = of->v[j] + sign * h * d[j];
        failed = function(of, v, sign > 0 ? above : below);
    }
    for (int i = 0; i < rows && failed == 0; i++) {
        const double difference = (above[i] - below[i]) / (2.0 * h);
        *off = hypot(*off, ms_dot(of->n, J + (size_t)i * (size_t)of->n, d) - difference);
        *size = hypot(*size, difference);
    }
    return failed == 0 ? MS_OK : MS_SOLVER_FAILED;
}

int ms_linearisation_check(const ms_system *system, int i, const ms_point *at,
                           const ms_linearisation *linearisation, double *off)
{
    const ms_linearisation *l = linearisation;
    const int most = l->nx > l->ny ? l->nx : l->ny;
    ms_variables *of = NULL;
    double size = 0.0, *memory = calloc(2 * (size_t)(most + l->n) + 1, sizeof *memory);
    int status = memory != NULL ? ms_variables_create(system, i, at, &of) : MS_NO_MEMORY;
    *off = 0.0;
    if (status == MS_OK) {
        double *d = memory + 2 * (size_t)most + (size_t)l->n;
        /* entries between 0.5 and 1.5 of the variables' scale, all different */
        for (int j = 0; j < l->n; j++)
            d[j] = of->size[j] * (0.5 + fmod(0.6180339887498949 * (j + 1), 1.0));
        status = compare(of, ms_variables_f, l->nx, l->f, d, memory, off, &size);
        MS_THEN(status, compare(of, ms_variables_g, l->ny, l->g, d, memory, off, &size));
        *off = size > 0.0 ? *off / size : *off;
    }
    ms_variables_destroy(&of);
    free(memory);
    return status;
}

/* All subsystems ----------------------------------------------------------------------------------------- */

static int linearise_part(ms_linearised *l, int i, const ms_linearisation_options *options, ms_error *error)
{
    const ms_system *s = l->system;
    const ms_point at = {.t = l->t,
                         .x = l->x + s->x_at[i],
                         .u = l->u + s->u_at[i],
                         .du = l->du + s->u_at[i],
                         .z = l->z + s->z_at[i]};
    if (s->sub[i].residual != NULL)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s is differential-algebraic: it gives no x' to be linearised",
                       s->sub[i].name);
    int status = ms_sparsity_create(s, i, &at, &l->sparsity[i]);
    MS_THEN(status, ms_linearisation_create(s, i, &at, l->sparsity[i], options, &l->part[i]));
    if (status == MS_OK) {
        status = ms_linearisation_check(s, i, &at, l->part[i], &l->part[i]->residual);
        if (status == MS_SOLVER_FAILED) {
            l->part[i]->residual = NAN;
            status = MS_OK;
        }
    }
    if (status == MS_SOLVER_FAILED)
        ms_fail(error, status, "subsystem %s cannot be evaluated near this state", s->sub[i].name);
    return status;
}

/* Is the coupled model small enough for its matrices, and for the dense loop of its outputs? */
static int check_size(const ms_system *system, ms_error *error)
{
    if (system->nx > MS_COUPLED_STATES_MAX)
        return ms_fail(
            error, MS_INVALID,
            "model %s has %d states: its coupled matrices are computed for at most %d, and those of one "
            "subsystem for any number",
            system->model->name, system->nx, MS_COUPLED_STATES_MAX);
    if (system->ny > MS_COUPLED_OUTPUTS_MAX)
        return ms_fail(
            error, MS_INVALID,
            "model %s has %d outputs, whose loop takes %.2g GB: its coupled matrices are computed for at "
            "most %d, and those of one subsystem for any number",
            system->model->name, system->ny, 8e-9 * system->ny * system->ny, MS_COUPLED_OUTPUTS_MAX);
    return MS_OK;
}

int ms_linearised_create(const ms_system *system, double t, const double *x, const double *z, int only,
                         const ms_linearisation_options *options, ms_linearised **linearised, ms_error *error)
{
    const size_t nx = (size_t)system->nx, nu = (size_t)system->nu, nz = (size_t)system->nz,
                 n = (size_t)system->n;
    const int possible = ms_system_needs_partials(system, "a linearisation", error);
    *linearised = NULL;
    if (possible != MS_OK)
        return possible;
    ms_linearised *l = calloc(1, sizeof *l);
    double *point = calloc(nx + 2 * nu + nz + 1, sizeof *point);
    int status = l != NULL && point != NULL ? MS_OK : MS_NO_MEMORY;
    if (only < 0 && status == MS_OK)
        status = check_size(system, error);
    if (status == MS_OK) {
        *l = (ms_linearised){.system = system,
                             .t = t,
                             .x = point,
                             .u = point + nx,
                             .du = point + nx + nu,
                             .z = point + nx + 2 * nu};
        point = NULL;
        memcpy(l->x, x, sizeof *x * nx);
        if (z != NULL)
            memcpy(l->z, z, sizeof *z * nz);
        else
            ms_system_start_discrete(system, l->z);
        l->sparsity = calloc(n + 1, sizeof(ms_sparsity *));
        l->part = calloc(n + 1, sizeof(ms_linearisation *));
        status = l->sparsity != NULL && l->part != NULL
                     ? ms_linearisation_inputs(system, t, x, l->z, l->u, l->du, error)
                     : MS_NO_MEMORY;
    }
    for (int i = 0; i < system->n && status == MS_OK; i++)
        if (only < 0 || only == i)
            status = linearise_part(l, i, options, error);
    if (status == MS_OK && only < 0)
        status = ms_coupled_create(l, options, &l->whole, error);
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory to linearise model %s", system->model->name);
    free(point);
    *linearised = l;
    if (status != MS_OK)
        ms_linearised_destroy(linearised);
    return status;
}

void ms_linearised_destroy(ms_linearised **linearised)
{
    if (linearised == NULL || *linearised == NULL)
        return;
    ms_linearised *l = *linearised;
    for (int i = 0; l->system != NULL && i < l->system->n; i++) {
        if (l->sparsity != NULL)
            ms_sparsity_destroy(&l->sparsity[i]);
        if (l->part != NULL)
            ms_linearisation_destroy(&l->part[i]);
    }
    ms_coupled_destroy(&l->whole);
    MS_FREE(l->sparsity, l->part);
    free(l->x); /* u, du and z behind it */
    free(l);
    *linearised = NULL;
}
