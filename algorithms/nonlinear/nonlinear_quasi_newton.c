/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_quasi_newton.c - interface quasi-Newton methods: the inverse Jacobian from differences of past iterations.
 *
 * With images H = z - r, r = gamma(z), and the pairs v = r_k - r_{k-1}, w = H_k - H_{k-1} of iterations of one macro-step:
 *
 *     iqn-ils     z <- H - W c,                          c = V^+ r
 *     iqn-imvj    z <- H - J_old r - (W - J_old V) c,    J = J_old + (W - J_old V) V^+ at the end of a macro-step
 *
 * V^+ in the norm of the preconditioner, after the filter (nonlinear_secants.h). (With r = H - z, as in preCICE, v and J change their
 * signs.) Columns of the `reuse` newest macro-steps are kept, at most `max_columns` or n; with `reuse` 0 those of the last macro-step
 * are used in the first iteration and dropped when there is a new one. Without a column and a Jacobian an iteration is z <- z - w_0
 * r. The pair that ends in the solution is added, too.
 *
 * On affine equations of n unknowns, without filter, r = 0 after n + 1 iterations at the latest. J of iqn-imvj becomes exact there
 * once the pairs of macro-steps span all unknowns. Memory: columns; for iqn-imvj the n x n matrix, without restart.
 *
 * An iteration is one evaluation. A point without a value ends it.
 *
 * Source: Degroote, Bathe, Vierendeels (2009); Bogaers et al. (2014); Lindner et al. (2015); preCICE, BaseQNAcceleration. */
#include <math.h>
#include <string.h>

#include "nonlinear_secants.h"
#include "nonlinear_shared.h"

typedef struct quasi_newton {
    int n, max_iterations, reuse;
    double first;                      /* w_0 */
    double *image, *image_old, *r_old; /* (n) */
    double *c;                         /* (capacity) */
    double *T, *X; /* (n x capacity), (capacity x n) by columns: W - J_old V and V^+; NULL: no Jacobian */
    double *step, *known,
        *J; /* in the memory: number of the macro-step, is there a Jacobian, (n x n) by columns */
    ms_nonlinear_secants secants;
    ms_nonlinear_weights weights;
} quasi_newton;

static const double initial = 0.1;
enum { COLUMNS_ILS = 100, COLUMNS_IMVJ = 20 };

/* Never more columns than unknowns. */
static int capacity_of(int n, const ms_nonlinear_options *options, int most)
{
    const int wanted = options->max_columns > 0 ? options->max_columns : most;
    return wanted < n ? wanted : n;
}

static size_t memory_ils(int n, const ms_nonlinear_options *options)
{
    return 2 + ms_nonlinear_secants_memory(n, capacity_of(n, options, COLUMNS_ILS)) +
           ms_nonlinear_weights_memory(options);
}

static size_t memory_imvj(int n, const ms_nonlinear_options *options)
{
    return 2 + ms_nonlinear_secants_memory(n, capacity_of(n, options, COLUMNS_IMVJ)) +
           ms_nonlinear_weights_memory(options) + (size_t)n * (size_t)n;
}

static int create(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    quasi_newton *s = workspace;
    const ms_nonlinear_options *options = setup->options;
    const int capacity = capacity_of(setup->n, options, setup->method->kind);
    const size_t n = (size_t)setup->n, columns = (size_t)capacity;
    const bool jacobian = setup->method->kind == COLUMNS_IMVJ;
    (void)error;
    s->n = setup->n;
    s->max_iterations = options->max_iterations;
    s->reuse = options->reuse;
    s->first = options->relaxation > 0.0 ? options->relaxation : initial;
    s->image = ms_structure_alloc(setup->memory, 3 * n + columns + (jacobian ? 2 * n * columns : 0),
                                  sizeof *s->image);
    MS_TRY_MEMORY(s->image != NULL && ms_nonlinear_secants_create(&s->secants, setup, capacity) == MS_OK &&
                  ms_nonlinear_weights_create(&s->weights, setup) == MS_OK);
    s->image_old = s->image + n;
    s->r_old = s->image_old + n;
    s->c = s->r_old + n;
    s->T = jacobian ? s->c + columns : NULL;
    s->X = jacobian ? s->T + n * columns : NULL;
    return MS_OK;
}

/* A macro-step -------------------------------------------------------------------------------------------- */

static void begin(quasi_newton *s, double *memory)
{
    s->step = memory;
    s->known = memory + 1;
    ms_nonlinear_secants_begin(&s->secants, memory + 2);
    double *rest = memory + 2 + ms_nonlinear_secants_memory(s->n, s->secants.capacity);
    ms_nonlinear_weights_begin(&s->weights, rest);
    s->J = s->T != NULL ? rest + 1 + s->weights.n_data : NULL;
    *s->step += 1.0;
}

/* y = y - J v */
static void subtract_product(const quasi_newton *s, const double *v, double *y)
{
    for (int j = 0; j < s->n; j++)
        ms_nonlinear_step(s->n, y, -v[j], s->J + (size_t)j * (size_t)s->n, y);
}

/* T = W - J_old V */
static void unexplained(const quasi_newton *s)
{
    const size_t n = (size_t)s->n, columns = (size_t)*s->secants.size;
    memcpy(s->T, s->secants.W, sizeof(double) * n * columns);
    for (size_t j = 0; j < columns && *s->known != 0.0; j++)
        subtract_product(s, s->secants.V + j * n, s->T + j * n);
}

/* J = J_old + T V^+; e: (n) a unit vector. */
static void update_jacobian(quasi_newton *s, double *e)
{
    const int n = s->n, columns = ms_nonlinear_secants_factor(&s->secants, &s->weights);
    if (columns == 0)
        return;
    unexplained(s);
    memset(e, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        e[i] = 1.0;
        ms_nonlinear_secants_coordinates(&s->secants, &s->weights, e, s->X + (size_t)i * (size_t)columns);
        e[i] = 0.0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++)
            ms_nonlinear_step(n, s->J + i * n, s->X[j + i * columns], s->T + j * n, s->J + i * n);
    *s->known = 1.0;
}

static void end(quasi_newton *s)
{
    if (s->J != NULL)
        update_jacobian(s, s->image_old);
    if (s->reuse > 0)
        ms_nonlinear_secants_keep(&s->secants, s->reuse);
    ms_nonlinear_weights_end(&s->weights);
}

/* The pair of the last two iterations, images in image and image_old. */
static void add_pair(quasi_newton *s, const double *r)
{
    const bool added = ms_nonlinear_secants_add(&s->secants, *s->step, r, s->r_old, s->image, s->image_old);
    if (added && s->reuse == 0)
        ms_nonlinear_secants_keep(&s->secants, 1);
}

/* z after an iteration with the residual r and its image. */
static void update(quasi_newton *s, const double *r, double *z)
{
    ms_nonlinear_weights_update(&s->weights, z, r);
    const int columns = ms_nonlinear_secants_factor(&s->secants, &s->weights);
    const bool jacobian = s->J != NULL && *s->known != 0.0;
    memcpy(s->image_old, s->image, sizeof(double) * (size_t)s->n);
    memcpy(s->r_old, r, sizeof(double) * (size_t)s->n);
    if (columns == 0 && !jacobian) {
        ms_nonlinear_step(s->n, z, -s->first, r, z);
        return;
    }
    const double *W = s->secants.W;
    if (jacobian) {
        unexplained(s);
        W = s->T;
    }
    memcpy(z, s->image, sizeof(double) * (size_t)s->n);
    if (jacobian)
        subtract_product(s, r, z);
    ms_nonlinear_secants_coordinates(&s->secants, &s->weights, r, s->c);
    for (int j = 0; j < columns; j++)
        ms_nonlinear_step(s->n, z, -s->c[j], W + (size_t)j * (size_t)s->n, z);
}

static int iterate(quasi_newton *s, const ms_nonlinear_problem *problem, double *z, double *r,
                   ms_nonlinear_counts *counts)
{
    double norm = ms_nonlinear_norm(s->n, r);
    for (int k = 0; isfinite(norm); k++) {
        ms_nonlinear_step(s->n, z, -1.0, r, s->image);
        if (k > 0)
            add_pair(s, r);
        if (problem->converged(problem->context, z, r))
            return MS_OK;
        if (k == s->max_iterations)
            break;
        update(s, r, z);
        MS_TRY(ms_nonlinear_evaluate(problem, z, r, counts, &norm));
        counts->iterations++;
    }
    return MS_NOT_CONVERGED;
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    quasi_newton *s = workspace;
    begin(s, problem->memory);
    const int status = iterate(s, problem, z, r, counts);
    end(s);
    return status;
}

enum {
    TAKEN = MS_TAKES_RELAXATION | MS_TAKES_REUSE | MS_TAKES_MAX_COLUMNS | MS_TAKES_FILTER |
            MS_TAKES_FILTER_LIMIT | MS_TAKES_PRECONDITIONER
};

/* What both methods have. */
#define QUASI_NEWTON                                                                                         \
    .backend = "native", .evaluations = 1, .takes = TAKEN, .relaxation = 0.1, .counts_calls = true,          \
    .from_start = true, .workspace = sizeof(quasi_newton), .create = create, .solve = solve

const ms_nonlinear_method ms_nonlinear_iqn_ils = {
    .name = "iqn-ils",
    .summary = "interface quasi-Newton, inverse Jacobian from least squares",
    .source = "Degroote, Bathe, Vierendeels (2009); preCICE",
    .reuse = 10,
    .max_columns = COLUMNS_ILS,
    .memory = memory_ils,
    .kind = COLUMNS_ILS,
    QUASI_NEWTON};

const ms_nonlinear_method ms_nonlinear_iqn_imvj = {
    .name = "iqn-imvj",
    .summary = "interface quasi-Newton, inverse Jacobian kept over macro-steps",
    .source = "Bogaers et al. (2014); Lindner et al. (2015); preCICE",
    .reuse = 0,
    .max_columns = COLUMNS_IMVJ,
    .memory = memory_imvj,
    .kind = COLUMNS_IMVJ,
    QUASI_NEWTON};
