/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ifosmondi_sweeps.c - Jacobi and Gauss-Seidel sweeps of the iterated schemes, and accelerators on stiff-damper: eigenvalues of the
 * sweeps, sweeps a macro-step, where Aitken stagnates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include "ifosmondi.h"
#include "support.h"
#include "unit_test.h"

enum { LARGEST = 24 };

/* Matrix of a sweep, gamma(z) = (I - G) z - b, by columns; n unknowns. */
static int sweep_matrix(const ms_system *system, const char *text, double h, double *G)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    double z[LARGEST], none[LARGEST], r[LARGEST];
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    assert_int_equal(ms_ifosmondi_begin(cosim, 0.0, h, z), MS_OK);
    const ms_nonlinear_problem problem = ms_ifosmondi_problem(cosim);
    const int n = problem.n;
    assert_true(n <= LARGEST);
    memset(z, 0, sizeof z);
    assert_int_equal(problem.residual(problem.context, z, none), MS_OK);
    for (int k = 0; k < n; k++) {
        z[k] = 1.0;
        assert_int_equal(problem.residual(problem.context, z, r), MS_OK);
        z[k] = 0.0;
        for (int i = 0; i < n; i++)
            G[i + k * n] = (i == k) - (r[i] - none[i]);
    }
    ms_cosim_destroy(&cosim);
    return n;
}

/* trace G^p: the sum of the powers of its eigenvalues. */
static double power_trace(int n, const double *G, int p)
{
    double P[LARGEST * LARGEST], next[LARGEST * LARGEST], sum = 0.0;
    memcpy(P, G, sizeof(double) * (size_t)(n * n));
    for (; p > 1; p--) {
        for (int i = 0; i < n * n; i++) {
            next[i] = 0.0;
            for (int k = 0; k < n; k++)
                next[i] += P[i % n + k * n] * G[k + i / n * n];
        }
        memcpy(P, next, sizeof(double) * (size_t)(n * n));
    }
    for (int i = 0; i < n; i++)
        sum += P[i * (n + 1)];
    return sum;
}

/* Of two subsystems: those of a Jacobi sweep are +-mu, those of a Gauss-Seidel one mu^2, in either order. */
static void eigenvalues_of_gauss_seidel_are_squares(void **state)
{
    (void)state;
    static const char *const schemes[] = {"zoh-iterative", "ifosmondi"};
    static const char *const models[] = {"stiff-damper", "mass-spring-damper", "damping-reaction"};
    static const char *const orders[] = {"left,right", "right,left", "body,plate", "plate,body"};
    for (int m = 0; m < MS_COUNT(models); m++)
        for (int k = 0; k < 4; k++) {
            char jacobi[96], seidel[160];
            double G[LARGEST * LARGEST], S[LARGEST * LARGEST];
            ms_system *system = support_system(models[m], "");
            snprintf(jacobi, sizeof jacobi, "scheme=%s", schemes[k % 2]);
            snprintf(seidel, sizeof seidel, "%s sweep=gauss-seidel sequence=%s", jacobi,
                     orders[(m == 2 ? 2 : 0) + k / 2]);
            const int n = sweep_matrix(system, jacobi, 0.1, G), fewer = sweep_matrix(system, seidel, 0.1, S);
            assert_true(fewer < n);
            for (int p = 1; p <= 3; p++) {
                const double squares = power_trace(n, G, 2 * p) / 2.0;
                support_near(power_trace(fewer, S, p), squares, 1e-9 * (1.0 + fabs(squares)));
                support_near(power_trace(n, G, 2 * p - 1), 0.0, 1e-9 * (1.0 + pow(fabs(squares), 1.0)));
            }
            ms_system_destroy(&system);
        }
}

static ms_run_result run(const ms_system *system, const char *more, double *x)
{
    const ms_options options = support_options_of("scheme=zoh-iterative step-rule=fixed max-iterations=200 "
                                                  "epsilon=1e-10 step-size=0.001 stop-time=0.05 %s",
                                                  more);
    return support_run(system, &options, x, NULL);
}

/* One unknown, the force: a relaxed sweep, a secant, and the sweep that confirms it; fewer where a column is reused. */
static void one_unknown_takes_three_sweeps(void **state)
{
    (void)state;
    ms_system *system = support_system("stiff-damper", "");
    const ms_run_result aitken = run(system, "sweep=gauss-seidel solver-nonlinear=aitken", NULL);
    assert_int_equal(aitken.sweeps, 3 * aitken.macro_steps);
    assert_int_equal(aitken.iterations, aitken.sweeps);
    assert_int_equal(aitken.integrations, 2 * aitken.sweeps);
    static const char *const reusing[] = {"iqn-ils", "iqn-imvj", "iqn-ils reuse=0"};
    for (int k = 0; k < MS_COUNT(reusing); k++) {
        char text[96];
        snprintf(text, sizeof text, "sweep=gauss-seidel solver-nonlinear=%s", reusing[k]);
        const ms_run_result r = run(system, text, NULL);
        assert_int_equal(r.sweeps, 3 + 2 * (r.macro_steps - 1));
    }
    ms_system_destroy(&system);
}

/* The accelerators and sweeps end where the fixed point does. */
static void all_lead_to_the_same_solution(void **state)
{
    (void)state;
    static const char *const methods[] = {"relaxation",
                                          "iqn-ils",
                                          "iqn-ils filter=none",
                                          "iqn-ils filter=qr1",
                                          "iqn-ils reuse=0 preconditioner=value",
                                          "iqn-imvj",
                                          "iqn-imvj preconditioner=residual reuse=2",
                                          "anderson",
                                          "newtonls"};
    ms_system *system = support_system("stiff-damper", "");
    double expected[4], x[4];
    assert_int_equal(run(system, "", expected).reason, MS_REASON_END_TIME);
    for (int k = 0; k < 2 * MS_COUNT(methods); k++) {
        char text[128];
        snprintf(text, sizeof text, "sweep=%s solver-nonlinear=%s", k % 2 ? "jacobi" : "gauss-seidel",
                 methods[k / 2]);
        assert_int_equal(run(system, text, x).reason, MS_REASON_END_TIME);
        support_near_all(4, x, expected, 1e-8);
    }
    ms_system_destroy(&system);
}

static void aitken_stagnates_on_pairs_and_says_so(void **state)
{
    (void)state;
    ms_system *system = support_system("stiff-damper", "");
    const ms_run_result plain = run(system, "", NULL),
                        stuck = run(system, "solver-nonlinear=aitken preconditioner=constant", NULL);
    assert_int_equal(plain.reason, MS_REASON_END_TIME); /* a contraction */
    assert_int_equal(stuck.reason, MS_REASON_ITERATION_FAILED);
    assert_non_null(strstr(stuck.message, "one relaxation factor"));
    assert_non_null(strstr(stuck.message, "pair"));
    assert_null(strstr(run(system, "solver-nonlinear=iqn-ils max-iterations=2", NULL).message,
                       "one relaxation factor"));
    ms_system_destroy(&system);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"solver-nonlinear=fixed-point relaxation=0.3", "`relaxation`"},
        {"solver-nonlinear=aitken reuse=3", "`reuse`"},
        {"solver-nonlinear=newtonls filter=qr2", "`filter`"},
        {"solver-nonlinear=relaxation preconditioner=value", "`preconditioner`"},
        {"sequence=left,right", "`sequence`"},
        {"sweep=gauss-seidel sequence=left", "`sequence`"},
        {"sweep=gauss-seidel rollback=estimated", "`sweep`"},
        {"solver-nonlinear=iqn-ils backend=kinsol", "`backend`"}};
    for (int k = 0; k < MS_COUNT(texts); k++) {
        char options[256];
        snprintf(options, sizeof options, "scheme=zoh-iterative %s", texts[k][0]);
        support_refuses("stiff-damper", options, texts[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_of_gauss_seidel_are_squares),
        cmocka_unit_test(one_unknown_takes_three_sweeps),
        cmocka_unit_test(all_lead_to_the_same_solution),
        cmocka_unit_test(aitken_stagnates_on_pairs_and_says_so),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
