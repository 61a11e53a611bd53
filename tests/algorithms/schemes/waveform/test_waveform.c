/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_waveform.c - the waveform iteration: identities that hold to round-off, orders, values that were computed apart from this
 * program, what it converges to and when, and refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/propagation.h>
#include "coupled.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"
#include "waveform.h"

enum { SYSTEMS = 60, STATES = 4 };

#define TIGHT "scheme=waveform epsilon=0 solver-nonlinear=newtonls max-iterations=200 step-rule=fixed "

/* min(m, p) over the numbers of samples that there are, and not over others. */
static void the_degree_is_that_of_the_samples_there_are(void **state)
{
    (void)state;
    for (int p = 0; p <= MS_SPLINE_DEGREE; p++)
        for (unsigned counts = 2; counts < 64; counts += 2) {
            int most = 0;
            for (int m = 1; m < 6; m++)
                if ((counts & 1U << m) != 0)
                    most = m;
            assert_int_equal(ms_waveform_degree(counts, p), most < p ? most : p);
        }
}

/* What has converged has done so in each datum: the samples at the end of each subsystem that is read. */
static void each_datum_has_converged(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    int judged = 0;
    for (int trial = 0; trial < SYSTEMS; trial++) {
        support_random_system s = support_random_system_next(&seed);
        const ms_options options =
            support_options("scheme=waveform samples=2 solver-nonlinear=fixed-point epsilon=1e-3 "
                            "max-iterations=60 start=hold");
        ms_cosim *cosim = support_cosim(s.system, &options);
        const waveform_data *data = cosim->scheme_data;
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        for (int j = 0; j < s.system->nx; j++)
            cosim->x[j] = 1.0 + j % 3;
        const int status = ms_cosim_step(cosim, 0.0, 0.1 * s.h);
        for (int d = 0; status == MS_OK && d < data->n_data; d++, judged++) {
            double change = 0.0, size = 0.0;
            assert_true(data->end_at[2 * d] < data->end_at[2 * d + 1]);
            for (int k = data->end_at[2 * d]; k < data->end_at[2 * d + 1]; k++) {
                change = hypot(change, data->iteration.r[k]);
                size = hypot(size, data->iteration.z[k] - data->iteration.r[k]);
            }
            assert_true(change <= 1e-3 * (size + 1.0) * (1.0 + 1e-12));
        }
        ms_cosim_destroy(&cosim);
        support_random_system_drop(&s);
    }
    assert_true(judged > SYSTEMS / 2);
}

/* With reduced-grid on the methods weigh the samples at the end of macro-steps alone, as many as there are outputs that are read. */
static void a_reduced_grid_has_the_samples_at_the_end(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    for (int trial = 0; trial < SYSTEMS; trial++) {
        support_random_system s = support_random_system_next(&seed);
        for (int reduced = 0; reduced < 2; reduced++) {
            const ms_options options = support_options_of(
                "scheme=waveform samples=3 solver-nonlinear=iqn-ils reduced-grid=%s", reduced ? "on" : "off");
            ms_cosim *cosim = support_cosim(s.system, &options);
            const waveform_data *data = cosim->scheme_data;
            int judged = 0;
            for (int k = 0; k < data->iteration.n; k++)
                if (data->datum[k] >= 0) {
                    const int i = data->datum[k];
                    const int last = data->values_at[i + 1] - s.system->sub[i].ny;
                    assert_true(data->entry[k] >= data->values_at[i] &&
                                data->entry[k] < data->values_at[i + 1]);
                    assert_true(!reduced || data->entry[k] >= last);
                    judged++;
                }
            assert_int_equal(judged, reduced ? data->iteration.n / 3 : data->iteration.n);
            ms_cosim_destroy(&cosim);
        }
        support_random_system_drop(&s);
    }
}

/* Identities -------------------------------------------------------------------------------------------- */

/* to = a b (n x n each). */
static void multiply(int n, const double *a, const double *b, double *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            to[i * n + j] = sum;
        }
}

typedef double *psi_of(const ms_system *system, const ms_options *options, double h, int *n);

/* Degree 1: Psi(H) with m samples is the m-th power of Psi(H/m) with one. */
static void check_power(const support_random_system *s, psi_of *psi, int m)
{
    const ms_options many = support_options_of("scheme=waveform samples=%d", m),
                     one = support_options("scheme=waveform");
    int n, same;
    double *whole = psi(s->system, &many, s->h, &n), *part = psi(s->system, &one, s->h / m, &same);
    double *power = malloc(sizeof *power * 2 * (size_t)(n * n)), *next = power + n * n;
    assert_int_equal(n, same);
    assert_non_null(power);
    memcpy(power, part, sizeof *power * (size_t)(n * n));
    for (int k = 1; k < m; k++) {
        multiply(n, part, power, next);
        memcpy(power, next, sizeof *power * (size_t)(n * n));
    }
    const double gap = support_matrix_gap(n, power, whole), bound = fmin(1e-11 * s->condition, 1e-9);
    if (!(gap <= bound))
        fail_msg("%d samples: off by %g, more than %g", m, gap, bound);
    free(whole);
    free(part);
    free(power);
}

static void lines_through_samples_are_shorter_steps(void **state)
{
    (void)state;
    unsigned long long seed = 601;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int m = 2; m <= 16; m += m < 4 ? 1 : 4) {
            check_power(&s, support_random_system_formula, m);
            check_power(&s, support_random_system_probe, m);
        }
        support_random_system_drop(&s);
    }
}

/* The same of a run that iterates, on a nonlinear model whose micro-solver is nearly exact. */
static void the_same_where_subsystems_are_nonlinear(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    double one[8], many[8];
    static const char *const text =
        "scheme=waveform epsilon=1e-9 solver-nonlinear=newtonls solver=cvode-adams "
        "solver-rtol=1e-13 solver-atol=1e-13 stop-time=0.08 %s";
    const ms_options few = support_options_of(text, "step-size=0.01"),
                     wide = support_options_of(text, "samples=4 step-size=0.04");
    support_finish(system, &few, one, NULL);
    support_finish(system, &wide, many, NULL);
    support_near_all(system->nx, many, one, 1e-7);
    ms_system_destroy(&system);
}

/* Neither the sweep, nor the order of Gauss-Seidel, nor the method moves what it converges to. */
static void all_iterations_end_in_the_same(void **state)
{
    (void)state;
    static const char *const how[] = {"sweep=gauss-seidel",
                                      "sweep=gauss-seidel sequence=right,left",
                                      "solver-nonlinear=newtonls",
                                      "solver-nonlinear=anderson",
                                      "solver-nonlinear=newtonls sweep=gauss-seidel",
                                      "solver-nonlinear=ngmres sweep=gauss-seidel",
                                      "solver-nonlinear=relaxation relaxation=0.9",
                                      "solver-nonlinear=iqn-ils",
                                      "solver-nonlinear=iqn-ils reduced-grid=off",
                                      "solver-nonlinear=iqn-ils sweep=gauss-seidel",
                                      "solver-nonlinear=iqn-imvj",
                                      "solver-nonlinear=iqn-imvj reduced-grid=off sweep=gauss-seidel"};
    static const char *const members[] = {"", "samples=3 spline-degree=2",
                                          "samples=left=2,right=5 spline-degree=3",
                                          "samples=2 spline-degree=0"};
    ms_system *system = support_system("lim-oscillator", "");
    for (int m = 0; m < (int)MS_COUNT(members); m++) {
        const ms_options plain = support_options_of(
            "scheme=waveform epsilon=0 max-iterations=200 step-size=0.01 stop-time=0.2 %s", members[m]);
        double expected[STATES], x[STATES];
        support_finish(system, &plain, expected, NULL);
        for (int k = 0; k < (int)MS_COUNT(how); k++) {
            ms_options other = plain;
            support_options_add(&other, how[k]);
            support_finish(system, &other, x, NULL);
            if (!(support_distance(STATES, x, expected) < 1e-10))
                fail_msg("%s %s: off by %g", members[m], how[k], support_distance(STATES, x, expected));
        }
    }
    ms_system_destroy(&system);
}

/* With as many samples as its degree the spline is one piece: the polynomial through all. */
static void few_samples_make_one_polynomial(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    for (int p = 1; p <= 3; p++) {
        const double h = 0.02;
        const ms_options options =
            support_options_of(TIGHT "samples=%d spline-degree=%d step-size=%g", p, p, h);
        ms_cosim *cosim = support_cosim(system, &options);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        assert_int_equal(ms_cosim_step(cosim, 0.0, h), MS_OK);
        for (int i = 0; i < 2; i++) {
            const ms_input *input = &cosim->instance[i]->input;
            const ms_instance *other = cosim->instance[1 - i];
            assert_true(input->pieces == 1 && input->degree == p);
            for (int j = 1; j <= p; j++) {
                double u;
                const double *x =
                    j == p ? other->x
                           : other->samples + ms_cosim_sample_index(cosim, (double)j / p) * other->n_state;
                ms_input_evaluate(input, 0, 0, h * j / p, &u);
                support_near(u, other->blocks->C[0] * x[0], 1e-10);
            }
        }
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Values and orders ------------------------------------------------------------------------------------- */

/* The largest error of the states at 0.7 s in that many macro-steps. */
static double error_of(const ms_system *system, const char *member, int steps)
{
    const ms_options options =
        support_options_of(TIGHT "%s step-size=%.17g stop-time=0.7", member, 0.7 / steps);
    double x[STATES], exact[STATES], largest = 0.0;
    support_finish(system, &options, x, NULL);
    support_precice_oscillator(0.7, exact);
    for (int j = 0; j < STATES; j++)
        largest = fmax(largest, fabs(x[j] - exact[j]));
    return largest;
}

/* Computed apart from this program, with matrix exponentials: seven digits are given. */
static void errors_are_those_computed_elsewhere(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    static const struct {
        const char *member;
        int steps;
        double error;
    } known[] = {{"samples=1", 20, 9.124693e-01},
                 {"samples=1", 40, 2.285454e-01},
                 {"samples=2 spline-degree=2", 20, 3.916379e-03},
                 {"samples=2 spline-degree=2", 40, 2.491790e-04}};
    for (int k = 0; k < (int)MS_COUNT(known); k++)
        support_near(error_of(system, known[k].member, known[k].steps) / known[k].error, 1.0, 2e-7);
    ms_system_destroy(&system);
}

/* 2-norm of the errors at 1 s with steps of 0.01 s, eleven digits. */
static void end_error_of_lines_is_that_computed_elsewhere(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    const ms_options options = support_options(TIGHT "step-size=0.01 stop-time=1");
    double x[STATES], exact[STATES], sum = 0.0;
    support_finish(system, &options, x, NULL);
    support_precice_oscillator(1.0, exact);
    for (int j = 0; j < STATES; j++)
        sum = hypot(sum, x[j] - exact[j]);
    support_near(sum, 0.16581828273, 1e-10);
    ms_system_destroy(&system);
}

static void orders_are_those_of_the_spline(void **state)
{
    (void)state;
    static const struct {
        const char *member;
        int order;
    } known[] = {{"samples=1 spline-degree=0", 1},
                 {"samples=4 spline-degree=0", 1},
                 {"samples=1", 2},
                 {"samples=4", 2},
                 {"samples=1 spline-degree=3", 2},
                 {"samples=2 spline-degree=2", 4},
                 {"samples=4 spline-degree=2", 4},
                 {"samples=3 spline-degree=2", 4},
                 {"samples=5 spline-degree=2", 4},
                 {"samples=3 spline-degree=3", 4},
                 {"samples=4 spline-degree=3", 4},
                 {"samples=6 spline-degree=3", 4},
                 {"samples=2 spline-degree=3", 4},
                 {"samples=left=2,right=3 spline-degree=2", 4},
                 {"samples=left=1,right=4 spline-degree=3", 2}};
    ms_system *system = support_system("precice-oscillator", "");
    for (int k = 0; k < (int)MS_COUNT(known); k++) {
        const int steps = known[k].order == 4 ? 40 : 320;
        const double slope =
            log2(error_of(system, known[k].member, steps) / error_of(system, known[k].member, 2 * steps));
        const ms_options options = support_options_of("scheme=waveform %s", known[k].member);
        if (!(fabs(slope - known[k].order) < 0.1))
            fail_msg("%s: order %g, not %d", known[k].member, slope, known[k].order);
        ms_cosim *cosim = support_cosim(system, &options);
        if (strstr(known[k].member, "left") == NULL)
            assert_int_equal(cosim->scheme->order(&cosim->variant), known[k].order);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Convergence and what a run does ----------------------------------------------------------------------- */

/* One sweep more than the last whose change was too large: with one sweep allowed nothing is judged as converged. */
static void max_iterations_are_sweeps(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    ms_options options = support_options("scheme=waveform epsilon=1e-6 step-rule=fixed stop-time=0.1");
    const ms_run_result free = support_run(system, &options, NULL, NULL);
    assert_true(free.reason == MS_REASON_END_TIME && free.sweeps == free.iterations &&
                free.integrations == 2 * free.sweeps);
    support_options_add(&options, "max-iterations=2");
    const ms_run_result bound = support_run(system, &options, NULL, NULL);
    assert_int_equal(bound.reason, MS_REASON_ITERATION_FAILED);
    assert_true(bound.sweeps == 2 && strstr(bound.message, "max-iterations") != NULL);
    ms_system_destroy(&system);
}

/* Long macro-steps: quasi-Newton takes half the sweeps of the fixed point with least squares over all samples, and another number
 * with those at the end alone. */
static void quasi_newton_takes_fewer_sweeps(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    const char *const text =
        "scheme=waveform epsilon=1e-9 max-iterations=200 samples=4 spline-degree=3 step-size=0.1 "
        "step-rule=fixed stop-time=2 %s";
    const ms_options plain = support_options_of(text, ""),
                     reduced = support_options_of(text, "solver-nonlinear=iqn-ils"),
                     full = support_options_of(text, "solver-nonlinear=iqn-ils reduced-grid=off");
    const ms_run_result a = support_run(system, &plain, NULL, NULL),
                        b = support_run(system, &reduced, NULL, NULL),
                        c = support_run(system, &full, NULL, NULL);
    assert_true(a.reason == MS_REASON_END_TIME && b.reason == MS_REASON_END_TIME &&
                c.reason == MS_REASON_END_TIME);
    assert_true((double)c.sweeps < 0.7 * (double)a.sweeps && (double)b.sweeps > 1.3 * (double)c.sweeps);
    ms_system_destroy(&system);
}

/* Gauss-Seidel squares the eigenvalues of the sweep: half the sweeps, and one to begin with. */
static void gauss_seidel_takes_half_the_sweeps(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    const char *const text =
        "scheme=waveform epsilon=1e-11 max-iterations=200 samples=4 spline-degree=3 step-size=0.05";
    ms_options options = support_options(text);
    const double together = (double)support_run(system, &options, NULL, NULL).sweeps;
    support_options_add(&options, "sweep=gauss-seidel");
    const double in_sequence = (double)support_run(system, &options, NULL, NULL).sweeps;
    assert_true(in_sequence / together > 0.45 && in_sequence / together < 0.7);
    ms_system_destroy(&system);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const char *const oscillator = "precice-oscillator";
    support_refuses(oscillator, "scheme=waveform mask=left:rollback", "left cannot roll back");
    support_refuses(oscillator, "scheme=waveform mask=right:input-degree=0", "lower `spline-degree`");
    support_refuses(oscillator, "scheme=waveform samples=17",
                    "`samples` 17: must be a whole number in [1, 16]");
    support_refuses(oscillator, "scheme=waveform samples=0", "in [1, 16]");
    support_refuses(oscillator, "scheme=waveform samples=left=2.5", "in [1, 16]");
    support_refuses(oscillator, "scheme=waveform samples=left", "in [1, 16]");
    support_refuses(oscillator, "scheme=waveform samples=top=2", "no subsystem top; its first is left");
    support_refuses(oscillator, "scheme=waveform sequence=left", "names 1 of 2");
    support_refuses(oscillator, "scheme=waveform reuse=3", "does not have this option");
    support_refuses(oscillator, "scheme=jacobi samples=2", "does not have this option");
    support_refuses(oscillator, "scheme=waveform mask=left:step=0.01", "take `step-rule` fixed");
    support_refuses("three-clocks", "scheme=waveform step-rule=fixed", "lower `spline-degree`");
    support_refuses("woodpecker-explicit", "scheme=waveform samples=2 solver=cvode-bdf",
                    "discrete variables");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_degree_is_that_of_the_samples_there_are),
        cmocka_unit_test(each_datum_has_converged),
        cmocka_unit_test(a_reduced_grid_has_the_samples_at_the_end),
        cmocka_unit_test(lines_through_samples_are_shorter_steps),
        cmocka_unit_test(the_same_where_subsystems_are_nonlinear),
        cmocka_unit_test(all_iterations_end_in_the_same),
        cmocka_unit_test(few_samples_make_one_polynomial),
        cmocka_unit_test(errors_are_those_computed_elsewhere),
        cmocka_unit_test(end_error_of_lines_is_that_computed_elsewhere),
        cmocka_unit_test(orders_are_those_of_the_spline),
        cmocka_unit_test(max_iterations_are_sweeps),
        cmocka_unit_test(quasi_newton_takes_fewer_sweeps),
        cmocka_unit_test(gauss_seidel_takes_half_the_sweeps),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
