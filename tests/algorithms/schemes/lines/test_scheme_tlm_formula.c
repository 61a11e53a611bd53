/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_tlm_formula.c - tlm by its formula: stability, the limit, claimed orders, starts, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "cosim_segments.h"
#include "line_network.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { NETWORKS = 60, GAUSS = 8 };

static const double gauss_at[GAUSS] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355,
                                       0.4082826787521751,   0.5917173212478249,  0.7627662049581645,
                                       0.8983332387068134,   0.98014492824876812};
static const double gauss_weight[GAUSS] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363,
                                           0.18134189168918100, 0.18134189168918100, 0.15685332293894363,
                                           0.11119051722668724, 0.05061426814518813};

/* Propagation matrix --------------------------------------------------------------------------------------- */

static void formula_is_the_probed_matrix(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    static const char *const solvers[] = {"exact", "euler", "rk4"};
    static const char *const more[] = {"", "impedance=2.5", "wave-damping=0.3",
                                       "wave-damping=0.6 impedance=0.7 wave-start=zero-wave"};
    for (int n = 0; n < support_ensemble(NETWORKS); n++) {
        support_line_network network;
        ms_system *s = support_line_network_next(&seed, &network);
        for (int k = 0; k < MS_COUNT(more); k++) {
            const ms_options options = support_options_of("scheme=tlm solver=%s micro-steps=%d %s",
                                                          solvers[n % 3], 1 + n % 4, more[k]);
            const double h = (0.1 + n % 7) / network.fastest;
            if (!(support_formula_gap(s, &options, h) <= 1e-12))
                fail_msg("network %d, %s, %s", n, solvers[n % 3], more[k]);
        }
        ms_system_destroy(&s);
    }
}

/* Subsystems that are passive, and lines that lose: at any step, delay, damping and impedance. */
static void stable_at_any_step(void **state)
{
    (void)state;
    unsigned long long seed = 4;
    for (int n = 0; n < support_ensemble(NETWORKS); n++) {
        support_line_network network;
        ms_system *s = support_line_network_next(&seed, &network);
        const double h = pow(10.0, 2.0 * support_random(&seed)) / network.fastest;
        const double delay = n % 4 == 0 ? h * (1.0 + fabs(3.0 * support_random(&seed))) : 0.0;
        const ms_options options =
            support_options_of("scheme=tlm step-size=%.17g delay=%.17g impedance=%.17g", h, delay,
                               n % 3 == 0 ? pow(10.0, support_random(&seed)) : 0.0);
        const double radius = ms_propagation_radius(s, &options, h, 1000);
        if (!(radius <= 1.0 + 1e-6)) /* double eigenvalues at 1 */
            fail_msg("network %d, h %g: %.12g", n, h, radius);
        ms_system_destroy(&s);
    }
}

/* H = 0: waves go to and fro, all else stays. */
static void the_limit_of_short_steps(void **state)
{
    (void)state;
    ms_system *s = support_system("lim-oscillator", "case=force-force");
    const ms_options options = support_options("scheme=tlm");
    support_near(ms_propagation_radius(s, &options, 0.0, 100), 1.0, 1e-12);
    ms_system_destroy(&s);
}

/* Convergence ---------------------------------------------------------------------------------------------- */

static double error_at(const ms_system *s, const char *more, double h, const double *exact)
{
    double x[64];
    const ms_options options = support_options_of("scheme=tlm stop-time=1 step-size=%.17g %s", h, more);
    support_finish(s, &options, x, NULL);
    return support_distance(s->nx, x, exact);
}

static void orders_are_those_claimed(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings, *more;
    } of[] = {{"lim-oscillator", "case=force-force", ""},
              {"lim-oscillator", "case=force-force", "wave-start=zero-force"},
              {"lim-oscillator", "case=force-force", "wave-start=zero-wave"},
              {"precice-oscillator", "case=line", ""},
              {"two-mass-oscillator", "coupling=2 coupling_damping=0", ""}};
    for (int k = 0; k < MS_COUNT(of); k++) {
        ms_system *s = support_system(of[k].model, of[k].settings);
        double exact[64];
        support_reference(s, 1.0, exact);
        const ms_options options = support_options_of("scheme=tlm %s", of[k].more);
        const int order = ms_scheme_order_on(s, &options);
        assert_int_equal(order, of[k].more[0] == '\0' ? 2 : 1);
        const double slope =
            log2(error_at(s, of[k].more, 0.0005, exact) / error_at(s, of[k].more, 0.00025, exact));
        if (!(fabs(slope - order) < 0.15))
            fail_msg("%s %s: order %g", of[k].model, of[k].more, slope);
        ms_system_destroy(&s);
    }
}

static void what_is_given_claims_no_order(void **state)
{
    (void)state;
    ms_system *s = support_system("lim-oscillator", "case=force-force");
    static const char *const given[] = {"delay=0.02", "impedance=3", "wave-damping=0.1"};
    for (int k = 0; k < MS_COUNT(given); k++) {
        const ms_options options = support_options_of("scheme=tlm %s", given[k]);
        assert_int_equal(ms_scheme_order_on(s, &options), 0);
    }
    ms_system_destroy(&s);
}

/* The force of a spring under tension at the start is lost for good where waves do not know of it. */
static void a_start_without_the_spring_loses_its_force(void **state)
{
    (void)state;
    ms_system *s = support_system("lim-oscillator", "case=force-force x2=1");
    double exact[64];
    support_reference(s, 1.0, exact);
    assert_true(error_at(s, "", 0.0005, exact) < 0.01);
    assert_true(error_at(s, "wave-start=zero-force", 0.0005, exact) > 5.0 * error_at(s, "", 0.0005, exact));
    ms_system_destroy(&s);
}

/* Energy that LIM's oscillator has lost after 5 s, the line's own included: by a program apart, of the classical Runge-Kutta method in
 * steps of H/40 and sums over their middles. */
static void lim_oscillator_loses_what_was_computed_apart(void **state)
{
    (void)state;
    static const double step[] = {0.01, 0.005, 0.0025}, percent[] = {4.882, 0.902, 0.182};
    ms_system *s = support_system("lim-oscillator", "case=force-force");
    for (int k = 0; k < MS_COUNT(step); k++) {
        const double h = step[k], Z = 100.0 * h;
        const ms_options options = support_options_of("scheme=tlm step-size=%g", h);
        const int steps = (int)lround(5.0 / h);
        ms_cosim *cosim = support_cosim(s, &options);
        double held = 0.0, start = 0.0;
        assert_int_equal(ms_cosim_sample(cosim, GAUSS, gauss_at), MS_OK);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        for (int e = 0; e < 2; e++)
            start += 0.25 * h / Z * (Z * 100.0) * (Z * 100.0) + 0.5 * 100.0 * 100.0;
        for (int n = 0; n < steps; n++) {
            assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
            ms_cosim_record_segment(cosim, 0, n * h, h);
        }
        for (int e = 0; e < 2; e++)
            for (int g = 0; g < GAUSS; g++) {
                const double force = (e == 0 ? 1.0 : -1.0) * cosim->segment[0].inputs[g * s->nu + e];
                const double a = -force + Z * cosim->segment[0].samples[g * s->nx + 2 * e + 1];
                held += 0.25 / Z * h * gauss_weight[g] * a * a;
            }
        const double *x = cosim->x;
        const double end =
            held + 0.5 * (x[1] * x[1] + x[3] * x[3] + 10.0 * x[0] * x[0] + 1000.0 * x[2] * x[2]);
        support_near(100.0 * (1.0 - end / start), percent[k], 1e-3);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&s);
}

/* Laws of feedback ----------------------------------------------------------------------------------------- */

/* Each micro-solver evaluates the law by itself, `exact` has it in its matrices. */
static void micro_solvers_agree(void **state)
{
    (void)state;
    ms_system *s = support_system("lim-oscillator", "case=force-force");
    double expected[64], x[64];
    ms_options options = support_options("scheme=tlm stop-time=0.2");
    support_finish(s, &options, expected, NULL);
    for (int k = 0; ms_solvers[k] != NULL; k++) {
        if (ms_solvers[k]->order == 1)
            continue;
        options = support_options_of(
            "scheme=tlm stop-time=0.2 solver=%s micro-steps=40 solver-rtol=1e-6 solver-atol=1e-6",
            ms_solvers[k]->name);
        support_finish(s, &options, x, NULL);
        if (!(support_distance(s->nx, x, expected) < 1e-2))
            fail_msg("%s: off by %g", ms_solvers[k]->name, support_distance(s->nx, x, expected));
    }
    ms_system_destroy(&s);
}

/* The right-hand side under a law is that of the closed matrices, and so is its Jacobian. The body has an output that its force feeds
 * through to, and an external input that its velocity shows. */
static void laws_and_closed_matrices_say_the_same(void **state)
{
    (void)state;
    static const char *const text = "{\"subsystems\": [{\"name\": \"a\", \"A\": [[0, 1], [-3, -0.2]], \"B\": "
                                    "[[0], [2]], \"C\": [[0, 1], [-3, -0.2]], "
                                    "\"D\": [[0], [2]], \"E\": [[0], [1.5]], \"F\": [[0.4], [1.5]], "
                                    "\"external\": {\"w\": \"0.7\"}, \"ports\": [{\"name\": "
                                    "\"p\", \"input\": 0, \"output\": 0, \"gain\": -2}]}, {\"name\": \"b\", "
                                    "\"A\": [[0]], \"B\": [[1]], \"C\": [[1]], \"ports\": "
                                    "[{\"name\": \"p\", \"input\": 0, \"output\": 0}]}], \"lines\": [{\"a\": "
                                    "\"a.p\", \"b\": \"b.p\", \"stiffness\": 5}]}";
    ms_model *model = support_model_read(text);
    ms_system *s = support_system_of(model);
    const ms_options options = support_options("scheme=tlm step-size=0.1");
    ms_cosim *cosim = support_cosim(s, &options);
    ms_instance *a = cosim->instance[0];
    const ms_blocks *m = a->closed;
    const double x[2] = {0.3, -1.7}, p = 0.9, w = 0.7, g = 5.0 * 0.1 / 2.0; /* u = p + g y */
    double dx[2], y[2], u = p, A[4];
    a->input.pieces = 1;
    a->input.degree = 0;
    a->input.end[0] = 0.1;
    ms_input_coefficients(&a->input, 0, 0)[0] = p;
    assert_int_equal(ms_instance_rhs(a, 0, 0.0, x, dx), 0);
    assert_int_equal(ms_instance_jacobian(a, 0, 0.0, x, A), 0);
    assert_int_equal(ms_instance_inputs(a, 0, 0.0, x, &u), 0);
    support_near(u, p + g * (x[1] + 0.4 * w), 1e-15);
    for (int i = 0; i < 2; i++) {
        support_near(dx[i], m->A[2 * i] * x[0] + m->A[2 * i + 1] * x[1] + m->B[i] * p + m->E[i] * w, 1e-14);
        y[i] = s->blocks[0].C[2 * i] * x[0] + s->blocks[0].C[2 * i + 1] * x[1] + s->blocks[0].D[i] * u +
               s->blocks[0].F[i] * w;
        support_near(y[i], m->C[2 * i] * x[0] + m->C[2 * i + 1] * x[1] + m->D[i] * p + m->F[i] * w, 1e-14);
    }
    support_near_all(4, A, m->A, 1e-15);
    support_near(A[3], -0.2 + 2.0 * g, 1e-15);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

/* Refusals ------------------------------------------------------------------------------------------------- */

static void refuse_file(const char *json, const char *what)
{
    ms_model *model = support_model_read(json);
    ms_system *s = support_system_of(model);
    support_system_refuses(s, "scheme=tlm", MS_UNSUPPORTED, what);
    ms_system_destroy(&s);
    ms_model_destroy(&model);
}

#define PORT "\"ports\": [{\"name\": \"p\", \"input\": 0, \"output\": 0}]"
#define BODY "{\"name\": \"b\", \"A\": [[0]], \"B\": [[1]], \"C\": [[1]], " PORT "}"
#define LINE "\"lines\": [{\"a\": \"a.p\", \"b\": \"b.p\", \"stiffness\": 5}]"

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    ms_system *s = support_system("lim-oscillator", "case=force-force");
    support_system_refuses(s, "scheme=tlm delay=0.009", MS_INVALID, "at least the macro-step");
    support_system_refuses(s, "scheme=tlm delay=1e300", MS_INVALID, "at most");
    support_system_refuses(s, "scheme=tlm at-time-events=communicate", MS_UNSUPPORTED, "equal macro-steps");
    support_system_refuses(s, "scheme=tlm mask=left:input-degree=0", MS_UNSUPPORTED, "degree 0 at most");
    support_system_refuses(s, "scheme=jacobi delay=1", MS_INVALID, "does not have this option");
    ms_system_destroy(&s);
    s = support_system("lim-oscillator", "case=force-force-damped");
    support_system_refuses(s, "scheme=tlm", MS_UNSUPPORTED, "without a damper");
    ms_system_destroy(&s);
    s = support_system("quarter-car", "");
    support_system_refuses(s, "scheme=tlm", MS_UNSUPPORTED, "has no ports");
    ms_system_destroy(&s);
    refuse_file("{\"subsystems\": [{\"name\": \"a\", \"A\": [[-1]], \"B\": [[1, 1]], \"C\": [[1]], " PORT
                "}, " BODY "], \"wires\": [{\"from\": \"b.y1\", \"to\": \"a.u2\"}], " LINE "}",
                "input u2 of subsystem a belongs to no line");
    refuse_file(
        "{\"subsystems\": [{\"name\": \"a\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]], \"D\": [[0.1]], " PORT
        "}, " BODY "], " LINE "}",
        "depends directly");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_is_the_probed_matrix),
        cmocka_unit_test(stable_at_any_step),
        cmocka_unit_test(the_limit_of_short_steps),
        cmocka_unit_test(orders_are_those_claimed),
        cmocka_unit_test(what_is_given_claims_no_order),
        cmocka_unit_test(a_start_without_the_spring_loses_its_force),
        cmocka_unit_test(lim_oscillator_loses_what_was_computed_apart),
        cmocka_unit_test(micro_solvers_agree),
        cmocka_unit_test(laws_and_closed_matrices_say_the_same),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
