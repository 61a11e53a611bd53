/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_two_mass_oscillator.c - the two-mass oscillator: one coupled system for all three splits, its energy, and its
 * propagation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/catalogue.h>
#include <macrostep/linearisation_jacobian.h>
#include <macrostep/propagation.h>
#include "coupled.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SPLITS = 3, POINTS = 20, STATES = 4 };

static const char *const splits[SPLITS + 1] = {"displacement-displacement", "force-displacement",
                                               "force-force", "bonded"};

typedef struct values {
    double mu, eta, zeta1, zeta2, kappa, zetac;
} values;

static ms_system *split_system(int split, const values *v)
{
    const ms_setting settings[] = {
        {"mass_ratio", v->mu},  {"frequency_ratio", v->eta},      {"damping1", v->zeta1},
        {"damping2", v->zeta2}, {"coupling_stiffness", v->kappa}, {"coupling_damping", v->zetac}};
    return support_system_of_case("two-mass-oscillator", splits[split], settings, MS_COUNT(settings));
}

static values random_values(unsigned long long *seed)
{
    double r[6];
    for (int k = 0; k < 6; k++)
        r[k] = support_random(seed);
    return (values){exp(2.0 * r[0]),  exp(r[1]),       0.5 + 0.5 * r[2],
                    0.5 + 0.5 * r[3], exp(2.0 * r[4]), 0.5 + 0.5 * r[5]};
}

/* Forces on the masses, written apart from the model. */
static void by_hand(const values *v, const double *x, double *dx)
{
    const double F = v->kappa * (x[2] - x[0]) + 2.0 * v->zetac * (x[3] - x[1]);
    dx[0] = x[1];
    dx[1] = -x[0] - 2.0 * v->zeta1 * x[1] + F;
    dx[2] = x[3];
    dx[3] = -v->eta * v->eta * x[2] - 2.0 * v->zeta2 * v->eta * x[3] - F / v->mu;
}

static void all_splits_are_one_coupled_system(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    for (int n = 0; n < POINTS; n++) {
        const values v = random_values(&seed);
        for (int split = 0; split < SPLITS; split++) {
            ms_system *system = split_system(split, &v);
            double x[STATES], dx[STATES], expected[STATES];
            assert_int_equal(system->nx, STATES);
            assert_int_equal(system->n, split == 2 ? 3 : 2);
            ms_system_start(system, x);
            for (int j = 0; j < STATES; j++)
                assert_true(x[j] == (j == 0 ? 1.0 : 0.0));
            support_random_vector(x, STATES);
            by_hand(&v, x, expected);
            support_monolithic(system, x, dx);
            for (int j = 0; j < STATES; j++)
                support_near_relative(dx[j], expected[j], 1e-13, "x'", splits[split]);
            ms_system_destroy(&system);
        }
    }
}

static void monolithic_matrices_agree(void **state)
{
    (void)state;
    unsigned long long seed = 12;
    const values v = random_values(&seed);
    const double x[STATES] = {0.0};
    double A[SPLITS][STATES * STATES];
    ms_error error = {""};
    for (int split = 0; split < SPLITS; split++) {
        ms_system *system = split_system(split, &v);
        assert_int_equal(ms_linearisation_monolithic(system, 0.0, x, A[split], &error), MS_OK);
        ms_system_destroy(&system);
        for (int k = 0; k < STATES * STATES; k++)
            support_near_relative(A[split][k], A[0][k], 1e-13, "A", splits[split]);
    }
}

/* Powers of D L end at zero: coupling stability for every scheme. */
static void loop_is_nilpotent(void **state)
{
    (void)state;
    unsigned long long seed = 13;
    for (int split = 0; split < SPLITS; split++) {
        const values v = random_values(&seed);
        ms_system *system = split_system(split, &v);
        const int ny = system->ny;
        double DL[SUPPORT_RANDOM_SYSTEM_TOTAL * SUPPORT_RANDOM_SYSTEM_TOTAL];
        int feed_through = 0;
        support_random_system_loop(system, DL);
        for (int i = 0; i < ny; i++)
            for (int j = 0; j < ny; j++) {
                double square = 0.0;
                for (int k = 0; k < ny; k++)
                    square += DL[i * ny + k] * DL[k * ny + j];
                assert_true(square == 0.0);
                feed_through += DL[i * ny + j] != 0.0;
            }
        assert_int_equal(feed_through, 2 * split);
        ms_system_destroy(&system);
    }
}

static double energy(const values *v, const double *x)
{
    return 0.5 * (x[0] * x[0] + x[1] * x[1] + v->mu * (v->eta * v->eta * x[2] * x[2] + x[3] * x[3]) +
                  v->kappa * (x[2] - x[0]) * (x[2] - x[0]));
}

static void energy_is_kept_without_damping(void **state)
{
    (void)state;
    const values v = {2.5, 0.7, 0.0, 0.0, 1.8, 0.0};
    for (int split = 0; split < SPLITS; split++) {
        ms_system *system = split_system(split, &v);
        double x[STATES], reference[STATES], start;
        ms_system_start(system, x);
        start = energy(&v, x);
        support_reference(system, 30.0, reference);
        support_near_relative(energy(&v, reference), start, 1e-11, "energy of the reference", splits[split]);
        /* the scheme's own error is of order h^3 */
        ms_options options =
            support_options("extrapolation-order=2 outputs=consistent step-size=0.005 stop-time=30");
        support_finish(system, &options, x, NULL);
        support_near_relative(energy(&v, x), start, 1e-4, "energy of a run", splits[split]);
        assert_true(support_distance(STATES, x, reference) < 1e-4);
        ms_system_destroy(&system);
    }
}

static void damping_takes_energy(void **state)
{
    (void)state;
    unsigned long long seed = 14;
    for (int n = 0; n < POINTS; n++) {
        const values v = random_values(&seed);
        double x[STATES], dx[STATES];
        support_random_vector(x, STATES);
        by_hand(&v, x, dx);
        const double w = x[3] - x[1], F = v.kappa * (x[2] - x[0]);
        const double power =
            x[0] * dx[0] + x[1] * dx[1] + v.mu * (v.eta * v.eta * x[2] * dx[2] + x[3] * dx[3]) + F * w;
        const double lost =
            2.0 * (v.zeta1 * x[1] * x[1] + v.zeta2 * v.mu * v.eta * x[3] * x[3] + v.zetac * w * w);
        support_near_relative(power, -lost, 1e-13, "power", "two-mass-oscillator");
    }
}

static double *psi_of(const ms_system *system, const ms_options *options, double h, bool probe, int *n)
{
    ms_error error = {""};
    double *psi = NULL;
    if (probe) {
        if (ms_propagation_probe(system, options, h, n, &psi, &error) != MS_OK)
            fail_msg("%s", error.text);
        return psi;
    }
    ms_analytic_propagation *formula;
    if (ms_analytic_propagation_create(system, options, &formula, &error) != MS_OK)
        fail_msg("%s", error.text);
    *n = ms_analytic_propagation_dimension(formula);
    psi = malloc(sizeof *psi * (size_t)(*n * *n));
    assert_non_null(psi);
    assert_int_equal(ms_analytic_propagation_evaluate(formula, h, psi), MS_OK);
    ms_analytic_propagation_destroy(&formula);
    return psi;
}

static void formula_agrees_with_probe(void **state)
{
    (void)state;
    unsigned long long seed = 15;
    for (int split = 0; split < SPLITS; split++) {
        const values v = random_values(&seed);
        ms_system *system = split_system(split, &v);
        support_variant variant;
        for (int k = 0; support_variant_at(k, &variant); k++) {
            const ms_options options = support_options(variant.text);
            int n, m;
            double *formula = psi_of(system, &options, 0.3, false, &n),
                   *probe = psi_of(system, &options, 0.3, true, &m);
            assert_int_equal(n, m);
            assert_true(support_distance(n * n, formula, probe) < 1e-12);
            free(formula);
            free(probe);
        }
        ms_system_destroy(&system);
    }
}

static double radius(const ms_system *system, const char *text, double h)
{
    const ms_options options = support_options(text);
    const double rho = ms_propagation_radius(system, &options, h, 100);
    assert_true(isfinite(rho));
    return rho;
}

/* With new outputs, F at T_{n+1} comes from the masses' states there, whichever way it is obtained. */
static void force_force_has_two_equal_forms(void **state)
{
    (void)state;
    const values v = {1.5, 0.8, 0.1, 0.05, 1.2, 0.08};
    ms_system *system = split_system(2, &v);
    for (int order = 0; order <= 2; order++) {
        char consistent[64], corrected[64], sequential[64];
        snprintf(consistent, sizeof consistent, "extrapolation-order=%d outputs=consistent", order);
        snprintf(corrected, sizeof corrected, "extrapolation-order=%d outputs=corrected", order);
        snprintf(sequential, sizeof sequential, "extrapolation-order=%d scheme=gauss-seidel", order);
        for (int k = 0; k < 5; k++) {
            const double h = ldexp(0.05, k);
            const double rho = radius(system, consistent, h);
            support_near_relative(radius(system, corrected, h), rho, 1e-9, "corrected", splits[2]);
            support_near_relative(radius(system, sequential, h), rho, 1e-9, "Gauss-Seidel", splits[2]);
        }
    }
    ms_system_destroy(&system);
}

/* With the elongation as a state: the same system, and the model's own energy. */
static void bonded_split_has_the_energy(void **state)
{
    (void)state;
    unsigned long long seed = 15;
    for (int n = 0; n < POINTS; n++) {
        const values v = random_values(&seed);
        ms_system *system = split_system(SPLITS, &v);
        double x[STATES + 1], dx[STATES + 1], expected[STATES];
        ms_system_start(system, x);
        support_near(x[4], -1.0, 0.0);
        support_random_vector(x, STATES);
        x[4] = x[2] - x[0];
        by_hand(&v, x, expected);
        support_monolithic(system, x, dx);
        for (int j = 0; j < STATES; j++)
            support_near_relative(dx[j], expected[j], 1e-13, "x'", splits[SPLITS]);
        support_near_relative(ms_system_energy(system, x), energy(&v, x), 1e-13, "energy", splits[SPLITS]);
        assert_int_equal(system->n_bonds, 2);
        assert_int_equal(system->n_lines, 0);
        ms_system_destroy(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_splits_are_one_coupled_system),
        cmocka_unit_test(monolithic_matrices_agree),
        cmocka_unit_test(loop_is_nilpotent),
        cmocka_unit_test(energy_is_kept_without_damping),
        cmocka_unit_test(damping_takes_energy),
        cmocka_unit_test(bonded_split_has_the_energy),
        cmocka_unit_test(formula_agrees_with_probe),
        cmocka_unit_test(force_force_has_two_equal_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
