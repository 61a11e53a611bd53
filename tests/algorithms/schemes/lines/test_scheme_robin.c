/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_robin.c - impedance conditions between bodies and springs: where the iteration ends, how fast, orders, the propagation matrix,
 * refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include "line_network.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { NETWORKS = 30 };

/* Two free masses of 1/2 kg and a spring of 8 N/m: kappa = 16 H^2. */
static ms_model *two_masses(void)
{
    return support_model_read("{\"subsystems\": [{\"name\": \"a\", \"A\": [[0]], \"B\": [[2]], \"C\": [[1]], "
                              "\"x0\": [1], \"ports\": [{\"name\": \"p\", "
                              "\"input\": 0, \"output\": 0}]}, {\"name\": \"b\", \"A\": [[0]], \"B\": "
                              "[[-2]], \"C\": [[1]], \"x0\": [-0.5], \"ports\": "
                              "[{\"name\": \"p\", \"input\": 0, \"output\": 0, \"gain\": -1}]}], \"lines\": "
                              "[{\"a\": \"a.p\", \"b\": \"b.p\", "
                              "\"stiffness\": 8, \"elongation\": 1}]}");
}

/* The sweeps of a macro-step to a tolerance, or -1 where they do not converge. */
static double sweeps_to(const ms_system *s, double h, double epsilon, const char *more)
{
    const ms_options options =
        support_options_of("scheme=robin solver-nonlinear=fixed-point step-rule=fixed max-iterations=5000 "
                           "epsilon=%g step-size=%.17g stop-time=%.17g %s",
                           epsilon, h, h, more);
    const ms_run_result result = support_run(s, &options, NULL, NULL);
    return result.reason == MS_REASON_END_TIME ? (double)result.sweeps : -1.0;
}

/* Sweeps that shrink a residual by 1e-6, by the factors of the header. */
static void sweeps_shrink_the_error_by_the_factor_computed(void **state)
{
    (void)state;
    ms_model *model = two_masses();
    ms_system *s = support_system_of(model);
    static const double kappa[] = {0.1, 1.0, 1.9, 5.0, 50.0, 100.0};
    for (int k = 0; k < MS_COUNT(kappa); k++)
        for (int plain = 0; plain < 2; plain++) {
            const double h = sqrt(kappa[k] / 16.0), rho = 0.5 * kappa[k];
            const double factor = plain ? 0.5 * kappa[k] : 1.0 - (1.0 - exp(-rho)) / rho;
            const char *more = plain ? "impedance=1e-12" : "";
            const double sweeps = sweeps_to(s, h, 1e-10, more) - sweeps_to(s, h, 1e-4, more);
            if (factor >= 1.0)
                assert_true(sweeps_to(s, h, 1e-4, more) < 0.0);
            else if (!(fabs(sweeps - log(1e-6) / log(factor)) <= 1.5))
                fail_msg("kappa %g: %g sweeps, computed %g", kappa[k], sweeps, log(1e-6) / log(factor));
        }
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

/* Without an impedance: inputs that are lines to the outputs at the end, as of ijcsa. */
static void without_impedance_it_ends_where_ijcsa_does(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int n = 0; n < support_ensemble(NETWORKS); n++) {
        support_line_network network;
        double one[64], other[64];
        ms_system *s = support_line_network_next(&seed, &network);
        const double h = 0.2 / network.fastest;
        ms_options options = support_options_of(
            "scheme=robin impedance=1e-13 epsilon=0 step-size=%.17g stop-time=%.17g", h, 20.0 * h);
        support_finish(s, &options, one, NULL);
        options = support_options_of(
            "scheme=ijcsa input-degree=1 start=hold epsilon=0 step-size=%.17g stop-time=%.17g", h, 20.0 * h);
        support_finish(s, &options, other, NULL);
        if (!(support_distance(s->nx, one, other) < 1e-11))
            fail_msg("network %d: %g", n, support_distance(s->nx, one, other));
        ms_system_destroy(&s);
    }
}

/* Methods do not move where the iteration ends. */
static void methods_end_at_the_same_solution(void **state)
{
    (void)state;
    ms_system *s = support_system("lim-oscillator", "case=force-force");
    static const char *const methods[] = {"fixed-point", "newtonls", "anderson",
                                          "aitken",      "iqn-ils",  "iqn-imvj"};
    double first[64], x[64];
    for (int k = 0; k < MS_COUNT(methods); k++) {
        const ms_options options = support_options_of(
            "scheme=robin solver-nonlinear=%s epsilon=1e-12 max-iterations=500 stop-time=0.3", methods[k]);
        support_finish(s, &options, k == 0 ? first : x, NULL);
        if (k > 0 && !(support_distance(s->nx, x, first) < 1e-9))
            fail_msg("%s: %g", methods[k], support_distance(s->nx, x, first));
    }
    ms_system_destroy(&s);
}

static void it_is_of_order_two(void **state)
{
    (void)state;
    ms_system *s = support_system("precice-oscillator", "case=line");
    double x[64], exact[64], distance[2];
    support_reference(s, 0.7, exact);
    for (int half = 0; half < 2; half++) {
        const ms_options options = support_options_of("scheme=robin epsilon=1e-12 stop-time=0.7 step-size=%g",
                                                      half ? 0.00175 : 0.0035);
        support_finish(s, &options, x, NULL);
        distance[half] = support_distance(s->nx, x, exact);
        assert_int_equal(ms_scheme_order_on(s, &options), 2);
    }
    support_near(log2(distance[0] / distance[1]), 2.0, 0.05);
    ms_system_destroy(&s);
}

static void formula_is_the_probed_matrix(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    static const char *const solvers[] = {"exact", "euler", "rk4"};
    for (int n = 0; n < support_ensemble(NETWORKS); n++) {
        support_line_network network;
        ms_system *s = support_line_network_next(&seed, &network);
        for (int k = 0; k < 2; k++) {
            const ms_options options =
                support_options_of("scheme=robin solver=%s micro-steps=%d %s", solvers[n % 3], 1 + n % 4,
                                   k == 1 ? "impedance=0.7" : "");
            const double h = (0.1 + 0.3 * (n % 5)) / network.fastest;
            const double gap = support_formula_gap(s, &options, h);
            if (!(gap <= 1e-10))
                fail_msg("network %d, %s, %d: %g", n, solvers[n % 3], k, gap);
        }
        ms_system_destroy(&s);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    ms_system *s = support_system("lim-oscillator", "case=force-force");
    support_system_refuses(s, "scheme=robin mask=left:rollback", MS_UNSUPPORTED, "cannot roll back");
    support_system_refuses(s, "scheme=robin mask=element:input-degree=0", MS_UNSUPPORTED, "degree 0 at most");
    support_system_refuses(s, "scheme=robin delay=1", MS_INVALID, "does not have this option");
    ms_system_destroy(&s);
    s = support_system("stiff-damper", "");
    support_system_refuses(s, "scheme=robin", MS_UNSUPPORTED, "needs lines");
    ms_system_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_shrink_the_error_by_the_factor_computed),
        cmocka_unit_test(without_impedance_it_ends_where_ijcsa_does),
        cmocka_unit_test(methods_end_at_the_same_solution),
        cmocka_unit_test(it_is_of_order_two),
        cmocka_unit_test(formula_is_the_probed_matrix),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
