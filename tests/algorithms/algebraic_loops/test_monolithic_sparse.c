/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_monolithic_sparse.c - the matrix of the whole by its entries against the one that goes through the loop's solution. */
#include <math.h>
#include <string.h>

#include "coupled.h"
#include "matrix.h"
#include "monolithic.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { N = SUPPORT_RANDOM_SYSTEM_TOTAL };

/* Is there a path from an output back to itself, by the powers of |D| |L|? */
static bool has_loop(const ms_system *s)
{
    double DL[N * N], power[N * N], next[N * N], sum = 0.0;
    const int n = s->ny;
    support_random_system_loop(s, DL);
    for (int k = 0; k < n * n; k++)
        power[k] = DL[k] = DL[k] != 0.0 ? 1.0 : 0.0;
    for (int step = 0; step < n; step++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                next[i * n + j] = 0.0;
                for (int k = 0; k < n; k++)
                    if (power[i * n + k] != 0.0 && DL[k * n + j] != 0.0)
                        next[i * n + j] = 1.0;
            }
        memcpy(power, next, sizeof(double) * (size_t)(n * n));
    }
    for (int k = 0; k < n * n; k++)
        sum += power[k];
    return sum > 0.0;
}

static void compare(const ms_system *s, const ms_sparse *sparse)
{
    ms_system *whole;
    assert_int_equal(ms_monolithic_create(s, &whole, NULL), MS_OK);
    assert_true(sparse->rows == s->nx && sparse->columns == s->nx);
    const double *A = whole->blocks[0].A;
    double size = 0.0;
    for (int k = 0; k < s->nx * s->nx; k++)
        size = fmax(size, fabs(A[k]));
    for (int i = 0; i < s->nx; i++) {
        double row[N] = {0.0};
        for (size_t k = sparse->row_at[i]; k < sparse->row_at[i + 1]; k++)
            row[sparse->column[k]] += sparse->value[k];
        support_near_all(s->nx, row, A + i * s->nx, 1e-13 * (1.0 + size));
    }
    ms_monolithic_destroy(&whole);
}

static void random_systems(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    int with = 0, without = 0, through = 0;
    for (int trial = 0; trial < support_ensemble(4000); trial++) {
        support_random_system r = support_random_system_next(&seed);
        ms_sparse *sparse = ms_monolithic_sparse(r.system);
        assert_true((sparse == NULL) == has_loop(r.system));
        if (sparse != NULL) {
            double DL[N * N];
            support_random_system_loop(r.system, DL);
            compare(r.system, sparse);
            through += support_random_system_frobenius((size_t)r.system->ny, DL) > 0.0;
        }
        with += sparse == NULL;
        without += sparse != NULL;
        ms_sparse_destroy(&sparse);
        support_random_system_drop(&r);
    }
    assert_true(with > 0 && without > 0 && through > 0);
}

static void nonlinear_systems_have_none(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    assert_null(ms_monolithic_sparse(system));
    ms_system_destroy(&system);
}

/* The one subsystem hands out its matrices like any other, and stores what the parts store, where all of them say what. */
static void the_whole_is_a_subsystem(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", ""), *pair = support_system("linear-pair", ""), *whole;
    const int nx = system->nx, nw = system->nw;
    double A[N * N] = {0.0}, E[N * N] = {0.0}, x[N], w[N] = {0.0}, dx[N] = {0.0}, expected[N];
    assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
    const ms_subsystem *sub = &whole->sub[0];
    assert_true(sub->matrices != NULL && nx <= N && nw <= N && sub->nw == nw);
    sub->matrices(whole->p, sub->data, &(ms_blocks){.A = A, .E = E});
    for (int k = 0; k < nx; k++)
        x[k] = 1.0 + 0.5 * k;
    ms_subsystem_external(whole, sub, 0.0, w);
    ms_matrix_add(nx, nx, A, x, dx);
    ms_matrix_add(nx, nw, E, w, dx);
    support_monolithic(system, x, expected);
    for (int k = 0; k < nx; k++)
        support_near_relative(dx[k], expected[k], 1e-12, "x'", "whole");
    assert_true(ms_system_energy(system, x) > 0.0);
    assert_true(ms_system_energy(whole, x) == ms_system_energy(system, x));
    ms_monolithic_destroy(&whole);
    assert_int_equal(ms_monolithic_create(pair, &whole, NULL), MS_OK);
    assert_null(whole->sub[0].energy);
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&pair);
    ms_system_destroy(&system);
}

/* One of many states is evaluated by its subsystems, until these are freed. */
static void a_released_one_is_not_evaluated(void **state)
{
    (void)state;
    enum { STATES = 400 };
    ms_system *system = support_system("mass-chain", "masses=200"), *whole;
    double x[STATES], dx[STATES];
    assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
    assert_int_equal(whole->nx, STATES);
    ms_system_start(whole, x);
    ms_point at = {.x = x};
    assert_int_equal(ms_subsystem_f(whole, 0, &at, NULL, dx), 0);
    for (int k = 0; k < 2; k++) {
        ms_monolithic_release(whole);
        assert_int_equal(ms_subsystem_f(whole, 0, &at, NULL, dx), 1);
    }
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems), cmocka_unit_test(the_whole_is_a_subsystem),
        cmocka_unit_test(a_released_one_is_not_evaluated), cmocka_unit_test(nonlinear_systems_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
