/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spectrum.c - eigenvalues, defective ones on the unit circle, backward errors; linearised models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/linearisation_jacobian.h>
#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include "backward_error.h"
#include "dense.h"
#include "matrix.h"
#include "support.h"
#include "unit_test.h"

enum { SIZE = 8 };

static ms_spectrum spectrum_of(int n, const double *psi)
{
    ms_spectrum s;
    ms_error error = {""};
    if (ms_spectrum_create(n, psi, &s, &error) != MS_OK)
        fail_msg("%s", error.text);
    return s;
}

static void known_eigenvalues_by_modulus(void **state)
{
    (void)state;
    const double psi[] = {0.5, 7.0,   1.0, 0.0, /* a triangle, and the rotation by atan(3/4) times 2 */
                          0.0, -0.25, 3.0, 0.0, 0.0, 0.0, 1.6, -1.2, 0.0, 0.0, 1.2, 1.6};
    const double expected[] = {1.6, 1.2, 1.6, -1.2, 0.5, 0.0, -0.25, 0.0};
    ms_spectrum s = spectrum_of(4, psi);
    for (int k = 0; k < 8; k++)
        assert_true(fabs(s.eigenvalues[k] - expected[k]) < 1e-14);
    assert_true(fabs(s.radius - 2.0) < 1e-14 && !s.stable && !s.defective);
    double copy[16], *work = malloc(sizeof *work * (size_t)ms_spectrum_work(4));
    memcpy(copy, psi, sizeof psi);
    assert_true(fabs(ms_spectrum_radius(4, copy, work) - s.radius) < 1e-14);
    free(work);
    ms_spectrum_destroy(&s);
}

/* Blocks of size m with the eigenvalue re + i im (real where im = 0) and `coupling` between; n in all. */
static void jordan(int n, double re, double im, double coupling, double *psi)
{
    const int m = im != 0.0 ? 2 : 1;
    memset(psi, 0, sizeof *psi * (size_t)(n * n));
    for (int i = 0; i < n; i++) {
        psi[i * n + i] = re;
        if (m == 2)
            psi[i * n + (i ^ 1)] = i % 2 == 0 ? -im : im;
        if (i + m < n)
            psi[i * n + i + m] = coupling;
    }
}

/* Q psi Q' with Q a product of rotations in all planes, so that no structure is left to see. */
static void rotate(int n, double *psi)
{
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            const double c = cos(1.0 + a + 2.0 * b), s = sin(1.0 + a + 2.0 * b);
            for (int j = 0; j < n; j++) {
                const double p = psi[a * n + j], q = psi[b * n + j];
                psi[a * n + j] = c * p - s * q;
                psi[b * n + j] = s * p + c * q;
            }
            for (int i = 0; i < n; i++) {
                const double p = psi[i * n + a], q = psi[i * n + b];
                psi[i * n + a] = c * p - s * q;
                psi[i * n + b] = s * p + c * q;
            }
        }
}

static void defective_eigenvalues_on_the_circle(void **state)
{
    (void)state;
    static const struct {
        int n;
        double re, im, coupling;
        bool defective;
    } matrix[] = {{2, 1.0, 0.0, 1.0, true},   {2, -1.0, 0.0, 1.0, true}, {3, 1.0, 0.0, 1.0, true},
                  {2, 1.0, 0.0, 1e-3, true},  {4, 1.0, 0.0, 0.0, false}, {4, -1.0, 0.0, 0.0, false},
                  {4, 0.6, 0.8, 1.0, true},   {6, 0.6, 0.8, 0.0, false}, {2, 0.5, 0.0, 1.0, false},
                  {3, 0.99, 0.0, 1.0, false}, {4, 0.3, 0.4, 1.0, false}};
    for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++)
        for (int turned = 0; turned < 2; turned++) {
            double psi[SIZE * SIZE];
            jordan(matrix[k].n, matrix[k].re, matrix[k].im, matrix[k].coupling, psi);
            if (turned)
                rotate(matrix[k].n, psi);
            ms_spectrum s = spectrum_of(matrix[k].n, psi);
            if (s.defective != matrix[k].defective)
                fail_msg("matrix %zu%s: defective is %d", k, turned ? " rotated" : "", s.defective);
            assert_true(s.stable == !s.defective);
            ms_spectrum_destroy(&s);
        }
}

/* Eigenvalues that lie close together are not defective: an oscillator under ever smaller steps, beside an
 * integrator. */
static void close_eigenvalues_are_not_defective(void **state)
{
    (void)state;
    for (int a = 1; a <= 7; a++)
        for (int b = -1; b <= 2; b++) {
            const double h = pow(10.0, -a), omega = pow(10.0, b);
            const double c = cos(omega * h), s = sin(omega * h);
            double psi[] = {c, s / omega, 0.0, -s * omega, c, 0.0, 0.0, 0.0, 1.0};
            for (int turned = 0; turned < 2; turned++) {
                ms_spectrum found = spectrum_of(3, psi);
                if (found.defective || !(fabs(found.radius - 1.0) < 1e-12))
                    fail_msg("omega %g, h %g: defective %d, radius %.17g", omega, h, found.defective,
                             found.radius);
                ms_spectrum_destroy(&found);
                rotate(3, psi);
            }
        }
}

static void backward_errors(void **state)
{
    (void)state;
    const double psi[] = {3.0, 0.0, 0.0, -1.0}, none[] = {0.0};
    assert_true(fabs(support_backward_error(2, psi, 3.0, 0.0)) < 1e-16);
    assert_true(fabs(support_backward_error(2, psi, 2.5, 0.0) - 0.5 / 3.0) < 1e-15);
    assert_true(fabs(support_backward_error(2, psi, 3.0, 0.75) - 0.25) < 1e-15);
    assert_true(support_backward_error(1, none, 0.0, 0.0) == 0.0);
}

/* LAPACK takes over what our own code does not finish, and what is too large for it. */
static void radii_by_lapack(void **state)
{
    (void)state;
    enum { LARGE = MS_DENSE_EIGENVALUES_MAX + 2 };
    double psi[LARGE * LARGE], *work = calloc((size_t)ms_spectrum_work(LARGE), sizeof *work);
    static const int sizes[] = {6, MS_DENSE_EIGENVALUES_MAX, LARGE};
    assert_non_null(work);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int steps = 0; steps <= MS_DENSE_QR_STEPS; steps += MS_DENSE_QR_STEPS) {
            const int n = sizes[k];
            jordan(n, 0.6, 0.8, 0.0, psi);
            rotate(n, psi);
            assert_true(fabs(ms_spectrum_radius_within(n, steps, psi, work) - 1.0) < 1e-13);
            psi[n + 1] = INFINITY;
            assert_true(isnan(ms_spectrum_radius_within(n, steps, psi, work)));
        }
    free(work);
}

static void what_has_no_eigenvalues(void **state)
{
    (void)state;
    const double psi[] = {1.0, NAN, 0.0, 1.0};
    double copy[4], work[64];
    ms_spectrum s;
    ms_error error;
    assert_int_equal(ms_spectrum_create(2, psi, &s, &error), MS_NOT_CONVERGED);
    assert_null(s.eigenvalues);
    memcpy(copy, psi, sizeof psi);
    assert_true(ms_spectrum_work(2) <= 64 && isnan(ms_spectrum_radius(2, copy, work)));
    s = spectrum_of(0, psi);
    assert_true(s.n == 0 && s.radius == 0.0 && s.stable);
    ms_spectrum_destroy(&s);
}

/* Linearised models ----------------------------------------------------------------------------------- */

static void linearised_linear_models_are_themselves(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "k1=2"), *linear;
    double x[SIZE] = {1.0, 2.0, 3.0, 4.0};
    const ms_options options = support_options("extrapolation-order=1");
    assert_int_equal(ms_linearisation_system(system, 0.0, x, &linear, NULL), MS_OK);
    assert_true(linear->linear && linear->nx == system->nx && linear->step_size == system->step_size);
    assert_string_equal(linear->case_name, system->case_name);
    assert_true(ms_propagation_radius(linear, &options, 0.05, 200) ==
                ms_propagation_radius(system, &options, 0.05, 200));
    ms_system_destroy(&linear);
    ms_system_destroy(&system);
}

/* The coupled system of the linear parts is the linear part of the coupled system. */
static void linearised_models_have_the_coupled_jacobian(void **state)
{
    (void)state;
    static const char *const models[] = {"double-pendulum", "example-6.3.1"};
    for (int m = 0; m < 2; m++) {
        ms_system *system = support_system(models[m], ""), *linear;
        double x[SIZE], J[SIZE * SIZE], K[SIZE * SIZE];
        const int nx = system->nx;
        ms_system_start(system, x);
        for (int j = 0; j < nx; j++)
            x[j] += 0.1 * (j + 1);
        assert_int_equal(ms_linearisation_system(system, 0.0, x, &linear, NULL), MS_OK);
        assert_int_equal(ms_linearisation_monolithic(system, 0.0, x, J, NULL), MS_OK);
        assert_int_equal(ms_linearisation_monolithic(linear, 0.0, x, K, NULL), MS_OK);
        for (int j = 0; j < nx * nx; j++)
            if (!(fabs(J[j] - K[j]) <= 1e-7 * (1.0 + fabs(J[j]))))
                fail_msg("%s: %.17g instead of %.17g", models[m], K[j], J[j]);
        ms_system_destroy(&linear);
        ms_system_destroy(&system);
    }
}

/* Eigenvalues of the consistent scheme at a small step are e^{lambda h} up to O(h^2). */
static void small_steps_follow_the_coupled_model(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", ""), *linear;
    double x[SIZE], J[SIZE * SIZE], eigenvalues[2 * SIZE];
    const double h = 1e-4;
    const ms_options options = support_options("outputs=consistent extrapolation-order=1");
    int n;
    double *psi;
    ms_system_start(system, x);
    assert_int_equal(ms_linearisation_monolithic(system, 0.0, x, J, NULL), MS_OK);
    assert_int_equal(ms_matrix_eigenvalues(system->nx, J, eigenvalues), MS_OK);
    assert_int_equal(ms_linearisation_system(system, 0.0, x, &linear, NULL), MS_OK);
    assert_int_equal(ms_propagation_probe(linear, &options, h, &n, &psi, NULL), MS_OK);
    ms_spectrum s = spectrum_of(n, psi);
    for (int k = 0; k < system->nx; k++) {
        const double growth = exp(eigenvalues[2 * k] * h), phase = eigenvalues[2 * k + 1] * h;
        double nearest = INFINITY;
        for (int j = 0; j < n; j++)
            nearest = fmin(nearest, hypot(s.eigenvalues[2 * j] - growth * cos(phase),
                                          s.eigenvalues[2 * j + 1] - growth * sin(phase)));
        assert_true(nearest < 1e-6);
    }
    ms_spectrum_destroy(&s);
    free(psi);
    ms_system_destroy(&linear);
    ms_system_destroy(&system);
}

static int whole_number(unsigned long long *seed, int least, int most)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return least + (int)((*seed >> 33) % (unsigned long long)(most - least + 1));
}

/* A triangle with the eigenvalues `known`, some of them close, and couplings up to `strength`; then rows and columns are added to others, as
 * similar matrices are made, without round-off: all entries are multiples of 2^-6 below 2^40. */
static bool make_similar(int n, double strength, unsigned long long *seed, double *known, double *psi)
{
    memset(psi, 0, sizeof *psi * (size_t)(n * n));
    for (int i = 0; i < n; i++) {
        known[i] = psi[i * n + i] = whole_number(seed, -64, 64) / 64.0;
        for (int j = i + 1; j < n; j++)
            psi[i * n + j] = j == i + 1 ? strength : whole_number(seed, -4, 4) == 0 ? strength / 2.0 : 0.0;
    }
    for (int step = 0; step < 2 * n; step++) {
        const int from = whole_number(seed, 0, n - 1), to = whole_number(seed, 0, n - 1);
        const double factor = from == to ? 0.0 : whole_number(seed, -1, 1);
        for (int j = 0; j < n; j++)
            psi[to * n + j] += factor * psi[from * n + j];
        for (int i = 0; i < n; i++)
            psi[i * n + from] -= factor * psi[i * n + to];
    }
    double largest = 0.0;
    for (int k = 0; k < n * n; k++)
        largest = fmax(largest, fabs(psi[k]));
    return largest < 0x1p40;
}

/* From nearly normal matrices to such whose eigenvalues have no digit left; mostly they say how large the error is. */
static void errors_are_bounds(void **state)
{
    (void)state;
    enum { MOST = 24, TRIALS = 500 };
    unsigned long long seed = 7;
    double psi[MOST * MOST], known[MOST], errors[MOST];
    int all = 0, near = 0, lost = 0;
    for (int trial = 0; trial < support_ensemble(TRIALS); trial++) {
        const int n = whole_number(&seed, 2, MOST);
        if (!make_similar(n, ldexp(1.0, whole_number(&seed, -6, 2)), &seed, known, psi))
            continue;
        ms_spectrum s = spectrum_of(n, psi);
        assert_int_equal(ms_spectrum_errors(&s, psi, errors), MS_OK);
        for (int k = 0; k < n; k++, all++) {
            double off = INFINITY;
            for (int j = 0; j < n; j++)
                off = fmin(off, hypot(s.eigenvalues[2 * k] - known[j], s.eigenvalues[2 * k + 1]));
            if (!(off <= errors[k]))
                fail_msg("trial %d: off by %g, said %g", trial, off, errors[k]);
            near += off >= 1e-4 * errors[k];
            lost += off > 1e-8;
        }
        ms_spectrum_destroy(&s);
    }
    assert_true(4 * near > 3 * all && lost > 0);
}

/* Multiplicities that are seen have no bound; a rotation has the bound of a normal matrix. */
static void errors_of_defective_and_of_normal_ones(void **state)
{
    (void)state;
    const double block[] = {0.5, 1.0, 0.0, 0.5}, rotation[] = {0.6, -0.8, 0.8, 0.6};
    double errors[2];
    for (int k = 0; k < 2; k++) {
        const double *psi = k == 0 ? block : rotation;
        ms_spectrum s = spectrum_of(2, psi);
        assert_int_equal(ms_spectrum_errors(&s, psi, errors), MS_OK);
        for (int j = 0; j < 2; j++)
            assert_true(k == 0 ? errors[j] > 1e-9 : errors[j] > 0.0 && errors[j] < 1e-14);
        ms_spectrum_destroy(&s);
    }
}

static void equilibria_are_states_of_rest(void **state)
{
    (void)state;
    ms_system *pendulum = support_system("double-pendulum", "alpha1=0.1 alpha2=-0.1");
    double x[SIZE];
    ms_system_start(pendulum, x);
    assert_int_equal(ms_linearisation_equilibrium(pendulum, 0.0, x, NULL), MS_OK);
    for (int j = 0; j < pendulum->nx; j++)
        assert_true(fabs(x[j]) < 1e-10); /* both hang */
    ms_system_destroy(&pendulum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_eigenvalues_by_modulus),
        cmocka_unit_test(defective_eigenvalues_on_the_circle),
        cmocka_unit_test(close_eigenvalues_are_not_defective),
        cmocka_unit_test(backward_errors),
        cmocka_unit_test(radii_by_lapack),
        cmocka_unit_test(what_has_no_eigenvalues),
        cmocka_unit_test(linearised_linear_models_are_themselves),
        cmocka_unit_test(linearised_models_have_the_coupled_jacobian),
        cmocka_unit_test(small_steps_follow_the_coupled_model),
        cmocka_unit_test(errors_are_bounds),
        cmocka_unit_test(errors_of_defective_and_of_normal_ones),
        cmocka_unit_test(equilibria_are_states_of_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
