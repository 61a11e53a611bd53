/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation_limits.c - limits H -> 0 of propagation matrices: as printed by Andersson (ch. 6), their
 * eigenvalues, and the probe at very small steps. The seed is fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/spectrum.h>
#include "backward_error.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

/* The limit as printed: nx + blocks ny rows, with C below I and given factors of D L. */
static void expect_limit(const ms_system *s, const double *limit, int blocks, const double *factor,
                         bool shifts)
{
    const int nx = s->nx, ny = s->ny, n = nx + blocks * ny;
    double DL[SUPPORT_RANDOM_SYSTEM_TOTAL * SUPPORT_RANDOM_SYSTEM_TOTAL];
    support_random_system_loop(s, DL);
    for (int i = 0; i < n; i++)
        for (int j = nx; j < n; j++) {
            const int row = (i - nx) / ny, column = (j - nx) / ny, a = (i - nx) % ny, b = (j - nx) % ny;
            double expected = 0.0;
            if (i >= nx && row == 0)
                expected = factor[column] * DL[a * ny + b];
            else if (i >= nx && shifts)
                expected = column == row - 1 && a == b;
            if (fabs(limit[i * n + j] - expected) > 1e-15 * (1.0 + fabs(expected)))
                fail_msg("limit, row %d, column %d: %.17g instead of %.17g", i, j, limit[i * n + j],
                         expected);
        }
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < nx; j++)
            assert_true(limit[i * n + j] == (i == j));
}

static void limits_are_the_printed_ones(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int blocks;
        double factor[3];
    } limit[] = {{"", 1, {1.0}},                            /* (6.15) */
                 {"extrapolation-order=1", 2, {2.0, -1.0}}, /* (6.39) */
                 {"extrapolation-order=2", 3, {3.0, -3.0, 1.0}},
                 {"extrapolation-order=2 as-printed=quadratic", 3, {2.5, -2.0, 0.5}}, /* (6.30) */
                 {"outputs=consistent", 1, {0.0}},                                    /* (6.22) */
                 {"extrapolation-order=1 outputs=consistent", 2, {0.0, 0.0}},         /* (6.50) */
                 {"extrapolation-order=2 outputs=corrected", 3, {0.0, 0.0, 0.0}}};
    unsigned long long seed = 105;
    for (int k = 0; k < 50; k++) {
        support_random_system s = support_random_system_next(&seed);
        for (size_t m = 0; m < sizeof limit / sizeof *limit; m++) {
            const ms_options options = support_options(limit[m].text);
            int n;
            double *psi = support_random_system_formula(s.system, &options, 0.0, &n);
            assert_int_equal(n, s.system->nx + limit[m].blocks * s.system->ny);
            expect_limit(s.system, psi, limit[m].blocks, limit[m].factor, true);
            free(psi);
        }
        support_random_system_drop(&s);
    }
}

/* (6.45), analytic derivatives: [I 0 0; C DL 0; CA CBL DL]. */
static void limit_with_analytic_derivatives(void **state)
{
    (void)state;
    unsigned long long seed = 106;
    for (int k = 0; k < 50; k++) {
        support_random_system s = support_random_system_next(&seed);
        const ms_system *system = s.system;
        const ms_options options = support_options("extrapolation-order=1 derivatives=analytic");
        int n;
        const int nx = system->nx, ny = system->ny;
        double DL[SUPPORT_RANDOM_SYSTEM_TOTAL * SUPPORT_RANDOM_SYSTEM_TOTAL],
            *psi = support_random_system_formula(system, &options, 0.0, &n);
        support_random_system_loop(system, DL);
        for (int a = 0; a < ny; a++)
            for (int b = 0; b < ny; b++) {
                assert_true(fabs(psi[(nx + a) * n + nx + b] - DL[a * ny + b]) <= 1e-15);
                assert_true(psi[(nx + a) * n + nx + ny + b] == 0.0);
                assert_true(fabs(psi[(nx + ny + a) * n + nx + ny + b] - DL[a * ny + b]) <= 1e-15);
            }
        for (int i = 0; i < system->n; i++) /* C A */
            for (int a = 0; a < system->sub[i].ny; a++)
                for (int b = 0; b < system->sub[i].nx; b++) {
                    const int size = system->sub[i].nx;
                    double sum = 0.0;
                    for (int c = 0; c < size; c++)
                        sum += system->blocks[i].C[a * size + c] * system->blocks[i].A[c * size + b];
                    const double is = psi[(nx + ny + system->y_at[i] + a) * n + system->x_at[i] + b];
                    assert_true(fabs(is - sum) <= 1e-14 * (1.0 + fabs(sum)));
                }
        free(psi);
        support_random_system_drop(&s);
    }
}

/* (6.41) and what follows from (6.45), (6.51), (6.79) with the term that was lost, (6.83). */
static void eigenvalues_of_limits(void **state)
{
    (void)state;
    unsigned long long seed = 107;
    for (int k = 0; k < 40; k++) {
        support_random_system s = support_random_system_next(&seed);
        double DL[SUPPORT_RANDOM_SYSTEM_TOTAL * SUPPORT_RANDOM_SYSTEM_TOTAL];
        ms_spectrum loop;
        support_random_system_loop(s.system, DL);
        assert_int_equal(ms_spectrum_create(s.system->ny, DL, &loop, NULL), MS_OK);
        static const char *const same[] = {"", "extrapolation-order=1 derivatives=analytic",
                                           "extrapolation-order=2 derivatives=analytic"};
        static const char *const past[] = {"extrapolation-order=1",
                                           "extrapolation-order=1 derivatives=analytic smooth-coupling=c0"};
        static const char *const none[] = {
            "outputs=consistent", "extrapolation-order=1 outputs=corrected",
            "extrapolation-order=1 derivatives=analytic smooth-coupling=c0 outputs=corrected",
            "extrapolation-order=1 derivatives=analytic outputs=consistent"};
        for (int m = 0; m < 3; m++) {
            const ms_options options = support_options(same[m]);
            int n;
            double *psi = support_random_system_formula(s.system, &options, 0.0, &n);
            for (int j = 0; j < loop.n; j++)
                assert_true(support_backward_error(n, psi, loop.eigenvalues[2 * j],
                                                   loop.eigenvalues[2 * j + 1]) < 1e-13);
            free(psi);
        }
        for (int m = 0; m < 2; m++) {
            const ms_options options = support_options(past[m]);
            int n;
            double *psi = support_random_system_formula(s.system, &options, 0.0, &n);
            for (int j = 0; j < 2 * loop.n; j++) { /* lambda +- sqrt(lambda^2 - lambda) */
                const double re = loop.eigenvalues[2 * (j / 2)], im = loop.eigenvalues[2 * (j / 2) + 1];
                const double a = re * re - im * im - re, b = 2.0 * re * im - im, r = hypot(a, b);
                const double sign = j % 2 == 0 ? 1.0 : -1.0, p = sqrt(0.5 * (r + a)),
                             q = copysign(sqrt(0.5 * (r - a)), b);
                assert_true(support_backward_error(n, psi, re + sign * p, im + sign * q) < 1e-13);
            }
            free(psi);
        }
        for (int m = 0; m < 4; m++) { /* 1 as often as there are states, and 0 */
            const ms_options options = support_options(none[m]);
            int n;
            double *psi = support_random_system_formula(s.system, &options, 0.0, &n);
            ms_spectrum spectrum;
            assert_int_equal(ms_spectrum_create(n, psi, &spectrum, NULL), MS_OK);
            for (int j = 0; j < n; j++)
                assert_true(fabs(hypot(spectrum.eigenvalues[2 * j], spectrum.eigenvalues[2 * j + 1]) -
                                 (j < s.system->nx)) < 1e-4);
            assert_true(spectrum.stable && !spectrum.defective);
            ms_spectrum_destroy(&spectrum);
            free(psi);
        }
        ms_spectrum_destroy(&loop);
        support_random_system_drop(&s);
    }
}

/* The probe at a very small step, where the memory holds no derivatives. */
static void probe_tends_to_the_limit(void **state)
{
    (void)state;
    unsigned long long seed = 108;
    for (int k = 0; k < 50; k++) {
        support_random_system s = support_random_system_next(&seed);
        support_variant variant;
        for (int m = 0; support_variant_at(m, &variant); m++) {
            if (variant.analytic || variant.smoothing == MS_SMOOTHING_C1)
                continue;
            const ms_options options = support_options(variant.text);
            const double h = 1e-8 * s.h;
            int n;
            double *psi = support_random_system_probe(s.system, &options, h, &n),
                   *limit = support_random_system_formula(s.system, &options, 0.0, &n);
            const double gap = support_matrix_gap(n, psi, limit);
            if (!(gap <= 5e-6 * s.condition))
                fail_msg("%s: %g from its limit", variant.text, gap);
            free(psi);
            free(limit);
        }
        support_random_system_drop(&s);
    }
}

/* With one Jordan block at -1 the limit of analytic derivatives is defective where C B L couples (Table
 * 6.1: "<"). */
static void analytic_limit_is_defective_on_the_circle(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "d1=1 d2=-1");
    ms_options options = support_options("extrapolation-order=1 derivatives=analytic");
    ms_spectrum spectrum;
    int n;
    double *psi = support_random_system_formula(system, &options, 0.0, &n);
    assert_int_equal(ms_spectrum_create(n, psi, &spectrum, NULL), MS_OK);
    assert_true(spectrum.defective && !spectrum.stable);
    ms_spectrum_destroy(&spectrum);
    free(psi);
    support_options_add(&options, "extrapolation-order=0");
    psi = support_random_system_formula(system, &options, 0.0, &n);
    assert_int_equal(ms_spectrum_create(n, psi, &spectrum, NULL), MS_OK);
    assert_true(!spectrum.defective && spectrum.stable && fabs(spectrum.radius - 1.0) < 1e-14);
    ms_spectrum_destroy(&spectrum);
    free(psi);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_the_printed_ones),
        cmocka_unit_test(limit_with_analytic_derivatives),
        cmocka_unit_test(eigenvalues_of_limits),
        cmocka_unit_test(probe_tends_to_the_limit),
        cmocka_unit_test(analytic_limit_is_defective_on_the_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
