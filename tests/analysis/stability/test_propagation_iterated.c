/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_propagation_iterated.c - the propagation matrix of converged iterated macro-steps: by formula against
 * the probe on random linear systems and against matrices worked out by hand; where the iteration does not
 * converge there is no matrix. The seed is fixed. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/spectrum.h>
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 300, STATES = 2, LARGEST = 24 };

static const char *const members[] = {"scheme=ifosmondi",
                                      "scheme=ifosmondi output-derivatives=differences",
                                      "scheme=ifosmondi solver=rk4 micro-steps=2",
                                      "scheme=ifosmondi solver=euler output-derivatives=differences",
                                      "scheme=ifosmondi rollback=estimated",
                                      "scheme=missiles",
                                      "scheme=zoh-iterative",
                                      "scheme=zoh-iterative solver=euler micro-steps=3",
                                      "scheme=zoh-iterative sweep=gauss-seidel",
                                      "scheme=ifosmondi sweep=gauss-seidel output-derivatives=differences",
                                      "scheme=ijcsa input-degree=0",
                                      "scheme=ijcsa solver=rk4 sensitivities=differences",
                                      "scheme=ijcsa input-degree=2 solver=euler micro-steps=2",
                                      "scheme=ijcsa input-degree=3 sensitivities=directional update=slow",
                                      "scheme=semi-implicit input-degree=0 solver=rk4",
                                      "scheme=semi-implicit",
                                      "scheme=semi-implicit input-degree=2",
                                      "scheme=semi-implicit input-degree=3 solver=rk4 micro-steps=2",
                                      "scheme=waveform",
                                      "scheme=waveform samples=3 spline-degree=0",
                                      "scheme=waveform samples=2 spline-degree=2 sweep=gauss-seidel",
                                      "scheme=waveform samples=5 spline-degree=2",
                                      "scheme=waveform samples=6 spline-degree=3 sweep=gauss-seidel"};
enum { MEMBERS = sizeof members / sizeof *members };

/* Against the probe ----------------------------------------------------------------------------------- */

/* Up to 1e-12 cond(I - D L), as for explicit schemes, and at most 1e-10. */
static void agree(const support_random_system *s, const char *text)
{
    const ms_options options = support_options(text);
    const double gap = support_formula_gap(s->system, &options, s->h),
                 bound = fmin(1e-12 * s->condition, 1e-10);
    if (!(gap <= bound))
        fail_msg("%s: formula and probe differ by %g, more than %g (h %g)", text, gap, bound, s->h);
}

static void formula_agrees_with_probe(void **state)
{
    (void)state;
    unsigned long long seed = 201;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int m = 0; m < MEMBERS; m++)
            agree(&s, members[m]);
        support_random_system_drop(&s);
    }
}

/* How a run iterates does not enter: Psi is that of the converged macro-step. */
static void options_of_the_iteration_do_not_matter(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", "d_d=0.01");
    const ms_options plain = support_options("scheme=ifosmondi"),
                     loose = support_options("scheme=ifosmondi solver-nonlinear=fixed-point epsilon=0.1 "
                                             "max-iterations=1 step-rule=fixed");
    int n, m;
    double *one = support_random_system_probe(system, &plain, 0.02, &n),
           *other = support_random_system_probe(system, &loose, 0.02, &m);
    assert_int_equal(n, m);
    assert_memory_equal(one, other, sizeof(double) * (size_t)(n * n));
    free(one);
    free(other);
    ms_system_destroy(&system);
}

/* From the second macro-step on a run that iterates to round-off follows Psi; the first one is another. */
static void a_run_follows_it(void **state)
{
    (void)state;
    static const char *const models[] = {"mass-spring-damper", "spring-mass"};
    for (int k = 0; k < 2 * MEMBERS; k++) {
        ms_system *system = support_system(models[k % 2], "");
        ms_options options = support_options(members[k / 2]);
        support_options_add(&options, "step-size=0.05");
        const ms_scheme *family = ms_scheme_find(options.scheme);
        if (ms_scheme_knows(family, MS_OPTION_EPSILON))
            support_options_add(&options, "epsilon=0");
        if (ms_scheme_knows(family, MS_OPTION_SOLVER_NONLINEAR))
            support_options_add(&options, "solver-nonlinear=newtonls");
        int n;
        double *psi = support_random_system_formula(system, &options, 0.05, &n), v[LARGEST] = {0.0};
        ms_cosim *cosim = support_cosim(system, &options);
        assert_true(n <= LARGEST && cosim->lin_size == n);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        for (int step = 0; step < 4; step++) {
            assert_int_equal(ms_cosim_step(cosim, step * 0.05, 0.05), MS_OK);
            for (int i = 0; i < n && step > 0; i++) {
                double expected = 0.0;
                for (int j = 0; j < n; j++)
                    expected += psi[i * n + j] * v[j];
                assert_true(fabs(cosim->lin[i] - expected) <= 1e-11 * (1.0 + fabs(expected)));
            }
            memcpy(v, cosim->lin, sizeof(double) * (size_t)n);
        }
        ms_cosim_destroy(&cosim);
        free(psi);
        ms_system_destroy(&system);
    }
}

/* Held inputs, or cubic ones: every accelerator and sweep leads to what the formula says, the second macro-step included. */
static void accelerators_and_sweeps_share_one_matrix(void **state)
{
    (void)state;
    static const char *const methods[] = {"fixed-point", "relaxation", "aitken", "iqn-ils", "iqn-imvj"};
    unsigned long long seed = 77;
    int run = 0;
    for (int k = 0; k < support_ensemble(60); k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int m = 0; m < 2 * 2 * 5; m++) {
            ms_options options = support_options_of("scheme=%s solver-nonlinear=%s sweep=%s epsilon=0 "
                                                    "max-iterations=300 step-rule=fixed step-size=%.17g",
                                                    m % 2 ? "zoh-iterative" : "ifosmondi", methods[m / 4],
                                                    m / 2 % 2 ? "gauss-seidel" : "jacobi", s.h);
            int n;
            double *psi = support_random_system_formula(s.system, &options, s.h, &n), v[64] = {0.0};
            ms_cosim *cosim = support_cosim(s.system, &options);
            assert_true(n <= 64);
            assert_int_equal(ms_cosim_start(cosim), MS_OK);
            for (int step = 0; step < 3 && ms_cosim_step(cosim, step * s.h, s.h) == MS_OK; step++) {
                double size = 1.0, off = 0.0;
                for (int i = 0; i < n && step > 0; i++) {
                    double expected = 0.0;
                    for (int j = 0; j < n; j++)
                        expected += psi[i * n + j] * v[j];
                    off = fmax(off, fabs(cosim->lin[i] - expected));
                    size = fmax(size, fabs(expected));
                }
                if (off > 1e-9 * s.condition * size)
                    fail_msg("%s %s: off by %g of %g", options.scheme, methods[m / 4], off, size);
                run += step == 2;
                memcpy(v, cosim->lin, sizeof(double) * (size_t)n);
            }
            ms_cosim_destroy(&cosim);
            free(psi);
        }
        support_random_system_drop(&s);
    }
    assert_true(run > 3 * support_ensemble(60));
}

/* By hand --------------------------------------------------------------------------------------------- */

/* Spring and mass integrate their inputs exactly. Held at the new values that is the implicit Euler method,
 * with eigenvalues 1/(1 -+ i h); under cubics it is s+ = s + h/2 (v + v+) + h^2/12 (v' - v'+), and likewise
 * for v, with v' = -s, s' = v: eigenvalues (p +- i h/2)/(p -+ i h/2), p = 1 - h^2/12, of modulus 1. */
static void spring_mass_is_a_known_method(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    const ms_options held = support_options("scheme=zoh-iterative"),
                     cubic = support_options("scheme=ifosmondi");
    for (int k = 0; k < 40; k++) {
        const double h = 0.05 * (1 + k);
        for (int which = 0; which < 2; which++) {
            const double p = which == 0 ? 1.0 : 1.0 - h * h / 12.0, q = which == 0 ? h : 0.5 * h;
            const double size = which == 0 ? 1.0 / hypot(p, q) : 1.0;
            const double angle = atan2(q, p) * (which == 0 ? 1.0 : 2.0);
            ms_spectrum spectrum;
            int n, found = 0;
            double *psi = support_random_system_formula(system, which == 0 ? &held : &cubic, h, &n);
            assert_int_equal(ms_spectrum_create(n, psi, &spectrum, NULL), MS_OK);
            for (int e = 0; e < n; e++) {
                const double re = spectrum.eigenvalues[2 * e], im = spectrum.eigenvalues[2 * e + 1];
                if (hypot(re, im) < 1e-3) /* the memory is determined by the states */
                    continue;
                found++;
                assert_true(fabs(re - size * cos(angle)) < 1e-13);
                assert_true(fabs(fabs(im) - size * sin(angle)) < 1e-13);
            }
            assert_int_equal(found, STATES);
            ms_spectrum_destroy(&spectrum);
            free(psi);
        }
    }
    ms_system_destroy(&system);
}

/* h = 0: the states stand still, and nothing else is left, whatever the eigenvalues of D L are. */
static void the_limit_is_stable(void **state)
{
    (void)state;
    unsigned long long seed = 202;
    for (int k = 0; k < 100; k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int m = 0; m < MEMBERS; m++) {
            const ms_options options = support_options(members[m]);
            ms_spectrum spectrum;
            int n, ones = 0;
            double *psi = support_random_system_formula(s.system, &options, 0.0, &n);
            assert_int_equal(ms_spectrum_create(n, psi, &spectrum, NULL), MS_OK);
            for (int e = 0; e < n; e++) {
                const double re = spectrum.eigenvalues[2 * e], im = spectrum.eigenvalues[2 * e + 1];
                ones += hypot(re - 1.0, im) < 1e-9;
                assert_true(hypot(re - 1.0, im) < 1e-9 || hypot(re, im) < 1e-3);
            }
            assert_int_equal(ones, s.system->nx);
            ms_spectrum_destroy(&spectrum);
            free(psi);
        }
        support_random_system_drop(&s);
    }
}

/* No solution ----------------------------------------------------------------------------------------- */

/* Two integrators, each driven by the other: x1+ = x1 + h g x2+ and x2+ = x2 + h g x1+ have no unique
 * solution at h g = 1, near to which Psi grows beyond all bounds. Held, h = 1/2. */
static void singular_interface_is_an_error(void **state)
{
    (void)state;
    static const double gains[] = {2.0, 1.0};
    for (int k = 0; k < 2; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"A\": [[0]], \"B\": [[1]], \"C\": [[1]]}, {\"A\": [[0]], \"B\": [[1]], "
                 "\"C\": [[1]]}], "
                 "\"L\": [[0, %g], [%g, 0]], \"end\": 1, \"step_size\": 0.5}",
                 gains[k], gains[k]);
        ms_model *model = support_model_read(text);
        ms_system *system = support_system_of(model);
        const ms_options options = support_options("scheme=zoh-iterative");
        const bool regular = k == 1;
        ms_analytic_propagation *formula;
        ms_error error = {""};
        int n;
        double psi[LARGEST * LARGEST], *probe;
        assert_int_equal(ms_analytic_propagation_create(system, &options, &formula, NULL), MS_OK);
        assert_int_equal(ms_analytic_propagation_evaluate(formula, 0.5, psi),
                         regular ? MS_OK : MS_NO_SOLUTION);
        const int status = ms_propagation_probe(system, &options, 0.5, &n, &probe, &error);
        assert_int_equal(status, regular ? MS_OK : MS_NOT_CONVERGED);
        assert_true(regular == (probe != NULL));
        assert_true(regular == !isnan(ms_propagation_radius(system, &options, 0.5, 100)));
        if (regular) /* x1+ = (x1 + x2/2)/(1 - 1/4) */
            assert_true(fabs(psi[0] - 4.0 / 3.0) < 1e-14 && probe != NULL &&
                        fabs(probe[1] - 2.0 / 3.0) < 1e-14);
        else
            assert_non_null(strstr(error.text, "did not converge"));
        free(probe);
        ms_analytic_propagation_destroy(&formula);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* The status of the probe with a spring of that stiffness, and whether there is a matrix. */
static int probe_spring(double stiffness, bool *has_matrix)
{
    const ms_setting setting = {"k2", stiffness};
    ms_system *system = support_system_with("mass-spring-damper", &setting, 1);
    const ms_options options = support_options("scheme=ifosmondi");
    ms_error error = {""};
    int n;
    double *probe;
    const int status = ms_propagation_probe(system, &options, 0.01, &n, &probe, &error);
    assert_true((status == MS_NOT_CONVERGED) == (strstr(error.text, "did not converge") != NULL));
    *has_matrix = probe != NULL;
    free(probe);
    ms_system_destroy(&system);
    return status;
}

/* An iteration whose residual stagnates above 1e-12 gives no matrix. It does from about 1e8 N/m on, where
 * round-off decides: a spring of 1e11 N/m is far above, one of 1e5 N/m far below, whatever the last bits. */
static void stagnation_is_an_error(void **state)
{
    (void)state;
    for (int k = -4; k <= 4; k++) {
        bool has_matrix;
        assert_int_equal(probe_spring(1e11 * (1.0 + k * DBL_EPSILON), &has_matrix), MS_NOT_CONVERGED);
        assert_false(has_matrix);
        assert_int_equal(probe_spring(1e5 * (1.0 + k * DBL_EPSILON), &has_matrix), MS_OK);
        assert_true(has_matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_agrees_with_probe),
        cmocka_unit_test(options_of_the_iteration_do_not_matter),
        cmocka_unit_test(a_run_follows_it),
        cmocka_unit_test(accelerators_and_sweeps_share_one_matrix),
        cmocka_unit_test(spring_mass_is_a_known_method),
        cmocka_unit_test(the_limit_is_stable),
        cmocka_unit_test(singular_interface_is_an_error),
        cmocka_unit_test(stagnation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
