/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compression.c - groups of columns, and structures: the example of the thesis, random matrices,
 * detection. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/compression.h>
#include <macrostep/linearisation.h>
#include "coupled.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

static const ms_linearisation_options central = {MS_PARTIALS_CENTRAL, true},
                                      forward = {MS_PARTIALS_FORWARD, true},
                                      dense = {MS_PARTIALS_CENTRAL, false};

/* Andersson (2016), 9.1.1 -------------------------------------------------------------------------------- */

static int example_9_4_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[0];
    dx[1] = at->x[1] + at->x[2];
    dx[2] = at->x[0] + at->x[2];
    return 0;
}

static const ms_subsystem example_9_4[] = {SUPPORT_SUBSYSTEM("ode", 3, 0, 0, .f = example_9_4_f)};

static ms_system *system_of(const ms_subsystem *sub)
{
    static ms_model model;
    model = (ms_model)SUPPORT_MODEL_OF("test", sub, 1, NULL, 0, .stop_time = 1.0, .step_size = 0.1);
    return support_system_of(&model);
}

/* "the construction of the Jacobian only need 2 + 1 evaluations" instead of 3 + 1; its pattern is (9.5). */
static void example_of_the_thesis(void **state)
{
    (void)state;
    const double x[] = {0.3, -1.0, 2.0}, A[] = {1, 0, 0, 0, 1, 1, 1, 0, 1};
    ms_system *system = system_of(example_9_4);
    ms_linearised *l = support_linearised(system, x, &forward);
    for (int k = 0; k < 9; k++) {
        assert_int_equal(l->sparsity[0]->f[k], A[k] != 0.0);
        support_near(l->part[0]->f[k], A[k], 1e-7);
    }
    assert_true(l->sparsity[0]->detected);
    assert_int_equal(l->part[0]->groups, 2);
    assert_int_equal(l->part[0]->bound, 2);
    assert_int_equal(l->part[0]->evaluations, 2 + 1);
    assert_int_equal(l->part[0]->evaluations_dense, 3 + 1);
    assert_int_equal(l->whole->evaluations, 2 + 1);
    ms_linearised_destroy(&l);
    ms_linearised_destroy(&l);
    ms_linearised_destroy(NULL);
    ms_system_destroy(&system);
}

/* Groups ------------------------------------------------------------------------------------------------- */

enum { ROWS = 12, COLUMNS = 15 };

typedef struct product {
    const double *M;
    long calls;
} product;

static int multiply(void *self, const double *v, double *value)
{
    product *p = self;
    p->calls++;
    for (int i = 0; i < ROWS; i++) {
        value[i] = 0.0;
        for (int j = 0; j < COLUMNS; j++)
            value[i] += p->M[i * COLUMNS + j] * v[j];
    }
    return 0;
}

/* Columns of a group share no row; every column with entries is in one; directional derivatives give the
 * matrix itself, differences the matrix to their precision, and calls are counted. */
static void groups_find_random_matrices(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    for (int trial = 0; trial < 200; trial++) {
        double M[ROWS * COLUMNS], found[ROWS * COLUMNS], v[COLUMNS], size[COLUMNS];
        bool pattern[ROWS * COLUMNS];
        const double fill = 0.02 * (trial % 50);
        for (int k = 0; k < ROWS * COLUMNS; k++) {
            pattern[k] = fabs(support_random(&seed)) < fill;
            M[k] = pattern[k] ? support_random(&seed) : 0.0;
        }
        for (int j = 0; j < COLUMNS; j++) {
            v[j] = 10.0 * support_random(&seed);
            size[j] = fmax(1.0, fabs(v[j]));
        }
        ms_compression *c;
        assert_int_equal(ms_compression_create(ROWS, COLUMNS, pattern, &c), MS_OK);
        assert_true(c->groups >= c->bound && c->groups <= COLUMNS);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                for (int k = 0; k < j && pattern[i * COLUMNS + j]; k++)
                    assert_true(!pattern[i * COLUMNS + k] || c->group[k] != c->group[j]);
        for (int j = 0; j < COLUMNS; j++) {
            bool any = false;
            for (int i = 0; i < ROWS; i++)
                any = any || pattern[i * COLUMNS + j];
            assert_int_equal(any, c->group[j] >= 0 && c->group[j] < c->groups);
        }
        product p = {M, 0};
        long evaluations = 0;
        assert_int_equal(ms_compression_collect(c, multiply, &p, found, &evaluations), MS_OK);
        assert_memory_equal(found, M, sizeof M);
        assert_int_equal(evaluations, p.calls);
        for (int kind = 0; kind < 2; kind++) {
            assert_int_equal(ms_compression_differentiate(c, (ms_differences)kind, multiply, &p, v, size,
                                                          found, &evaluations),
                             MS_OK);
            for (int k = 0; k < ROWS * COLUMNS; k++)
                support_near(found[k], M[k], kind == MS_DIFFERENCES_CENTRAL ? 1e-8 : 1e-5);
        }
        assert_int_equal(evaluations, p.calls);
        ms_compression_destroy(&c);
    }
}

/* A tridiagonal matrix takes three groups, whatever its size. */
static void bands_take_their_width(void **state)
{
    (void)state;
    enum { N = 50 };
    static bool pattern[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            pattern[i * N + j] = abs(i - j) <= 1;
    ms_compression *c;
    assert_int_equal(ms_compression_create(N, N, pattern, &c), MS_OK);
    assert_int_equal(c->groups, 3);
    assert_int_equal(c->bound, 3);
    ms_compression_destroy(&c);
    assert_int_equal(ms_compression_create(N, N, NULL, &c), MS_OK);
    assert_int_equal(c->groups, N);
    ms_compression_destroy(&c);
}

/* Patterns ----------------------------------------------------------------------------------------------- */

/* x1' = min(x1, 5) + 0 x2: not-a-number disappears in fmin, and 0 x2 is structure. x2' = x3 - x3.
 * x3' = sqrt(x1) is undefined for x1 < 0. */
static int awkward_f(const ms_point *at, double *dx)
{
    if (!(at->x[0] >= 0.0))
        return 1;
    dx[0] = fmin(at->x[1], 5.0) + 0.0 * at->x[2];
    dx[1] = at->x[2] - at->x[2];
    dx[2] = sqrt(at->x[0]);
    return 0;
}

static const ms_subsystem awkward[] = {SUPPORT_SUBSYSTEM("awkward", 3, 0, 0, .f = awkward_f)};

static void patterns_are_detected(void **state)
{
    (void)state;
    /* x1 leaves the domain with not-a-number: its column is full */
    const bool expected[] = {true, true, true, true, false, true, true, false, false};
    const double x[] = {1.0, 2.0, 3.0};
    ms_system *system = system_of(awkward);
    ms_linearised *l = support_linearised(system, x, &central);
    assert_memory_equal(l->sparsity[0]->f, expected, sizeof expected);
    support_near(l->part[0]->f[1], 1.0, 1e-8);
    support_near(l->part[0]->f[6], 0.5, 1e-8);
    double off;
    const ms_point at = {.t = 0.0, .x = x};
    assert_int_equal(ms_linearisation_check(system, 0, &at, l->part[0], &off), MS_OK);
    assert_true(off < 1e-8);

    /* without an entry the matrix is wrong, and the check says so */
    ms_linearisation *part;
    l->sparsity[0]->f[1] = false;
    assert_int_equal(ms_linearisation_create(system, 0, &at, l->sparsity[0], &central, &part), MS_OK);
    assert_int_equal(ms_linearisation_check(system, 0, &at, part, &off), MS_OK);
    assert_true(off > 0.1);
    ms_linearisation_destroy(&part);
    ms_linearised_destroy(&l);

    /* outside the domain everywhere */
    const double outside[] = {-100.0, 0.0, 0.0};
    ms_error error;
    assert_int_equal(ms_linearised_create(system, 0.0, outside, NULL, -1, &central, &l, &error),
                     MS_SOLVER_FAILED);
    assert_null(l);
    assert_non_null(strstr(error.text, "awkward"));
    ms_system_destroy(&system);
}

/* A structure that was detected at the start gives the bits of all columns at other points, too. */
static void structures_serve_other_points(void **state)
{
    (void)state;
    int compared = 0;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *system = support_system_of_case((*model)->name, NULL, NULL, 0);
        static double x[SUPPORT_COUPLED_SIZE], u[SUPPORT_COUPLED_SIZE], du[SUPPORT_COUPLED_SIZE],
            z[SUPPORT_COUPLED_SIZE];
        assert_true(system->nx <= SUPPORT_COUPLED_SIZE && system->nu <= SUPPORT_COUPLED_SIZE &&
                    system->nz <= SUPPORT_COUPLED_SIZE);
        for (int i = 0; i < system->n; i++) {
            ms_sparsity *sparsity;
            ms_linearisation *with, *without;
            const ms_point at = {.x = x, .u = u, .du = du, .z = z};
            if (system->sub[i].f == NULL || system->sub[i].matrices != NULL)
                continue;
            ms_system_start_discrete(system, z);
            memset(u, 0, sizeof u);
            ms_system_start(system, x);
            memmove(x, x + system->x_at[i], sizeof *x * (size_t)system->sub[i].nx);
            memmove(z, z + system->z_at[i], sizeof *z * (size_t)system->sub[i].nz);
            assert_int_equal(ms_sparsity_create(system, i, &at, &sparsity), MS_OK);
            support_random_point(system, x, u);
            memmove(x, x + system->x_at[i], sizeof *x * (size_t)system->sub[i].nx);
            memmove(u, u + system->u_at[i], sizeof *u * (size_t)system->sub[i].nu);
            assert_int_equal(ms_linearisation_create(system, i, &at, sparsity, &central, &with), MS_OK);
            assert_int_equal(ms_linearisation_create(system, i, &at, sparsity, &dense, &without), MS_OK);
            for (int k = 0; k < (with->nx + with->ny) * with->n; k++)
                assert_true(with->f[k] == without->f[k]);
            compared++;
            ms_linearisation_destroy(&with);
            ms_linearisation_destroy(&without);
            ms_sparsity_destroy(&sparsity);
        }
        ms_system_destroy(&system);
    }
    assert_true(compared > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_thesis),         cmocka_unit_test(groups_find_random_matrices),
        cmocka_unit_test(bands_take_their_width),        cmocka_unit_test(patterns_are_detected),
        cmocka_unit_test(structures_serve_other_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
