/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_eguillon2022_4_2.c - Table 1 and Figs 14, 15 of Eguillon et al. (2022): what they measure against a
 * simulation of its own, and their verdicts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "eguillon2022_4_2.h"
#include "figure_run.h"
#include "study.h"
#include "support.h"
#include "unit_test.h"

/* Two masses by the classical Runge-Kutta method --------------------------------------------------------- */

/* Mg, kN, m, s; the case sine. State: x1, v1, x2, v2. */
static const double PI = 3.14159265358979323846, END = 200.0;

static double force(double t)
{
    return t > 100.0 ? 0.4 * sin(2.0 * PI * 0.3 * (t - 100.0)) : 0.0;
}

/* held: f and x1 as the subsystems have them in a macro-step; NULL: coupled. */
static void derivative(double t, const double x[4], const double *held, double dx[4])
{
    const double f_left = held != NULL ? held[0] : x[2] - x[0], x1 = held != NULL ? held[1] : x[0];
    dx[0] = x[1];
    dx[1] = -x[0] - x[1] + f_left;
    dx[2] = x[3];
    dx[3] = -x[2] - x[3] - (x[2] - x1) + force(t);
}

static void runge_kutta(double t, double h, int n, const double *held, double x[4])
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0},
                        weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int k = 0; k < n; k++) {
        double slope[4] = {0.0}, sum[4] = {0.0};
        for (int stage = 0; stage < 4; stage++) {
            double point[4];
            for (int j = 0; j < 4; j++)
                point[j] = x[j] + at[stage] * h / n * slope[j];
            derivative(t + (k + at[stage]) * h / n, point, held, slope);
            for (int j = 0; j < 4; j++)
                sum[j] += weight[stage] * slope[j];
        }
        for (int j = 0; j < 4; j++)
            x[j] += h / n * sum[j];
    }
}

/* x by Jacobi's macro-step and the coupled motion, both over a part of it; adds int e^2 dt by Simpson's
 * rule. */
static void advance_part(double t, double h, const double held[2], double x[4], double exact[4],
                         double integral[2])
{
    static const double weight[3] = {1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 2; j++)
            integral[j] += weight[k] * h * (x[j] - exact[j]) * (x[j] - exact[j]);
        if (k < 2) {
            runge_kutta(t + 0.5 * k * h, 0.5 * h, 1, NULL, exact);
            runge_kutta(t + 0.5 * k * h, 0.5 * h, 1, held, x);
        }
    }
}

/* Continuous rmse of Jacobi with held inputs in percent of the range of the reference. solved: f is taken
 * with the new x1. */
static void simulate_jacobi(double h, bool solved, double rmse[2])
{
    double exact[4] = {-1.0, 0.0, 0.0, 0.0}, x[4] = {-1.0, 0.0, 0.0, 0.0};
    double held[2] = {1.0, -1.0}; /* f = x2 - x1 and x1 at the start */
    double low[2] = {-1.0, 0.0}, high[2] = {-1.0, 0.0}, integral[2] = {0.0, 0.0};
    const int steps = (int)lround(END / h), parts = (int)lround(h / 0.01);
    for (int n = 0; n < steps; n++) {
        for (int part = 0; part < parts; part++) { /* the range is that of the motion, not of its samples */
            advance_part(n * h + part * 0.01, 0.01, held, x, exact, integral);
            for (int j = 0; j < 2; j++) {
                low[j] = fmin(low[j], exact[j]);
                high[j] = fmax(high[j], exact[j]);
            }
        }
        const double f_came = x[2] - held[1];
        held[1] = x[0];
        held[0] = solved ? x[2] - x[0] : f_came;
    }
    for (int j = 0; j < 2; j++)
        rmse[j] = 100.0 * sqrt(integral[j] / END) / (high[j] - low[j]);
}

/* Table 1 [%]. */
static const double printed[MS_JACOBI_ROWS][MS_MEASURED] = {
    {0.030, 0.074}, {0.197, 0.462}, {0.412, 0.981}, {0.772, 2.044}, {1.928, 5.194}};

static int draw_jacobi(ms_drawing *drawing, ms_error *error)
{
    static const double steps[MS_JACOBI_ROWS] = {0.01, 0.05, 0.1, 0.2, 0.4};
    const ms_two_masses_case *of = &ms_two_masses_cases[MS_SINE];
    ms_left_mass mass;
    assert_int_equal(ms_left_mass_create(drawing, of, &mass, error), MS_OK);
    for (int r = 0; r < MS_READINGS; r++) {
        ms_left_run rows[MS_JACOBI_ROWS];
        assert_int_equal(ms_jacobi_measure(drawing, of, &mass, r, rows, error), MS_OK);
        for (int k = 0; k < MS_JACOBI_ROWS; k++) {
            double rmse[MS_MEASURED];
            simulate_jacobi(steps[k], r == MS_NEW_X1, rmse);
            support_near(rows[k].steps, END / steps[k], 0.5);
            support_near(rows[k].rmse[MS_X1], rmse[0], 1e-3 * rmse[0]);
            support_near(rows[k].rmse[MS_V1], rmse[1], 1e-3 * rmse[1]);
        }
    }
    ms_left_mass_destroy(&mass);
    return MS_OK;
}

static void test_jacobi(void **state)
{
    (void)state;
    support_figure_run(draw_jacobi);
}

static int draw_reference(ms_drawing *drawing, ms_error *error)
{
    double exact[4] = {-1.0, 0.0, 0.0, 0.0}, motion[2], t = 0.0;
    ms_left_mass mass;
    assert_int_equal(ms_left_mass_create(drawing, &ms_two_masses_cases[MS_SINE], &mass, error), MS_OK);
    for (int k = 0; k < 40; k++) { /* not on the grid of the table */
        const double next = 3.137 * (k + 1);
        runge_kutta(t, 100.0 > t && next > 100.0 ? 100.0 - t : next - t, 1000, NULL, exact);
        if (t < 100.0 && next > 100.0)
            runge_kutta(100.0, next - 100.0, 1000, NULL, exact);
        t = next;
        ms_left_mass_at(&mass, t, motion);
        support_near(motion[MS_X1], exact[0], 1e-9);
        support_near(motion[MS_V1], exact[1], 1e-6);
    }
    ms_left_mass_destroy(&mass);
    return MS_OK;
}

static void test_reference(void **state)
{
    (void)state;
    support_figure_run(draw_reference);
}

/* The rmse of a run of F3ORNITS against that which the run itself measures inside macro-steps. The force
 * in N and in kN is the same motion. */
static int draw_rmse(ms_drawing *drawing, ms_error *error)
{
    const ms_two_masses_case *of = &ms_two_masses_cases[MS_SINE];
    ms_left_mass mass, newton;
    double steps[MS_READINGS];
    assert_int_equal(ms_left_mass_create(drawing, of, &mass, error), MS_OK);
    assert_int_equal(ms_left_mass_create(drawing, &ms_two_masses_cases[MS_SINE_NEWTON], &newton, error),
                     MS_OK);
    for (int r = 0; r < MS_READINGS; r++) {
        const ms_left_row row = ms_left_row_of(of, r, MS_DAMPED, MS_EXTRAPOLATED, MS_ENHANCED);
        const char *options = ms_left_row_options(drawing, &row, 1.0);
        ms_left_run run;
        ms_study study;
        assert_int_equal(ms_left_run_measure(drawing, of, &mass, options, &run, error), MS_OK);
        assert_int_equal(ms_study_run(drawing, &(ms_simulation_options){.errors = true}, &study, error,
                                      "run %s %s", of->model, options),
                         MS_OK);
        assert_int_equal(study.arguments->options.extrapolation.outputs,
                         r == MS_NEW_X1 ? MS_OUTPUTS_CONSISTENT : MS_OUTPUTS_INCONSISTENT);
        for (int j = 0; j < MS_MEASURED; j++) {
            const double inside = 100.0 * study.simulation.errors.state[j].rmse / mass.range[j];
            support_near(run.rmse[j], inside, 2e-3 * inside);
            support_near(newton.range[j], mass.range[j], 1e-9);
        }
        support_near(run.steps, (double)study.simulation.result.macro_steps, 0.0);
        steps[r] = run.steps;
        ms_study_destroy(&study);
    }
    assert_true(steps[MS_AS_IT_COMES] != steps[MS_NEW_X1]);
    ms_left_mass_destroy(&newton);
    ms_left_mass_destroy(&mass);
    return MS_OK;
}

static void test_rmse(void **state)
{
    (void)state;
    support_figure_run(draw_rmse);
}

/* rmse = 100 / steps: between rows and beyond them. */
static void test_jacobi_interpolation(void **state)
{
    (void)state;
    static const double steps[MS_JACOBI_ROWS] = {20000.0, 4000.0, 2000.0, 1000.0, 500.0};
    static const double at[] = {50000.0, 20000.0, 5000.0, 1500.0, 700.0, 500.0, 100.0};
    ms_left_run rows[MS_JACOBI_ROWS];
    for (int k = 0; k < MS_JACOBI_ROWS; k++)
        rows[k] = (ms_left_run){steps[k], {100.0 / steps[k], 0.0}};
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++)
        support_near(ms_jacobi_rmse_at(rows, MS_X1, at[k]), 100.0 / at[k], 1e-9 / at[k]);
    rows[1].rmse[MS_X1] *= 4.0; /* half-way between rows 0 and 1 in the logarithm: twice as much */
    support_near(ms_jacobi_rmse_at(rows, MS_X1, sqrt(20000.0 * 4000.0)), 200.0 / sqrt(20000.0 * 4000.0),
                 1e-12);
}

static void test_factors(void **state)
{
    (void)state;
    ms_factors factors = {0};
    support_near(ms_factors_typical(&factors), 0.0, 0.0);
    ms_factors_include(&factors, 6.0, 3.0);
    support_near(factors.low, 2.0, 0.0);
    ms_factors_include(&factors, 1.0, 4.0);
    ms_factors_include(&factors, 5.0, 5.0);
    support_near(factors.low, 0.25, 0.0);
    support_near(factors.high, 2.0, 0.0);
    support_near(ms_factors_typical(&factors), 2.0, 1e-12); /* |log2| of 2, 1/4, 1: mean 1 */
}

/* Verdicts ----------------------------------------------------------------------------------------------- */

/* Every check by its place, its verdict and a part of its name. */
static void expect_checks(const char *id, const json_t *answer, int n,
                          const support_figure_verdict *expectations)
{
    const json_t *checks = json_object_get(answer, "checks");
    assert_int_equal(json_array_size(checks), n);
    for (int k = 0; k < n; k++) {
        const json_t *check = json_array_get(checks, (size_t)k);
        const char *what = json_string_value(json_object_get(check, "what"));
        const char *verdict = json_string_value(json_object_get(check, "verdict"));
        if (strstr(what, expectations[k].part) == NULL || strcmp(verdict, expectations[k].verdict) != 0)
            fail_msg("%s: '%s' is %s, expected '%s' to be %s", id, what, verdict, expectations[k].part,
                     expectations[k].verdict);
    }
}

/* The cell of a table whose title begins so. */
static const char *text_of(const json_t *answer, const char *title, size_t row, const char *column)
{
    json_t *tables = json_object_get(answer, "tables");
    for (void *at = json_object_iter(tables); at != NULL; at = json_object_iter_next(tables, at))
        if (strncmp(json_object_iter_key(at), title, strlen(title)) == 0) {
            const json_t *cells = json_array_get(json_object_iter_value(at), row);
            return json_string_value(json_object_get(cells, column));
        }
    fail_msg("there is no table %s", title);
    return NULL;
}

static double cell(const json_t *answer, const char *title, size_t row, const char *column)
{
    return strtod(text_of(answer, title, row, column), NULL);
}

static void test_table1(void **state)
{
    (void)state;
    static const char *const readings[MS_READINGS] = {"f as it comes", "f with the new x1"};
    static const support_figure_verdict each[] = {{"NI Jacobi: rmse", "not-determined"},
                                                  {"macro-steps of the twelve rows", "not-determined"},
                                                  {"rmse of the twelve rows", "not-determined"},
                                                  {"fewer steps than Jacobi", "not-determined"},
                                                  {"how many times smaller", "not-determined"},
                                                  {"amplitude < damped amplitude < magnitude", "reproduced"},
                                                  {"minor incidence", "reproduced"},
                                                  {"slightly damages", "not-determined"}};
    enum { EACH = sizeof each / sizeof each[0] };
    support_figure_verdict all[MS_READINGS * EACH];
    json_t *answer = support_figure_answer("eguillon2022:table1");
    for (int k = 0; k < MS_READINGS * EACH; k++) {
        const char *what = json_string_value(
            json_object_get(json_array_get(json_object_get(answer, "checks"), (size_t)k), "what"));
        all[k] = each[k % EACH];
        assert_non_null(what);
        assert_non_null(strstr(what, readings[k / EACH]));
    }
    expect_checks("eguillon2022:table1", answer, MS_READINGS * EACH, all);
    for (size_t r = 0; r < MS_READINGS; r++) {
        static const double steps[MS_JACOBI_ROWS] = {0.01, 0.05, 0.1, 0.2, 0.4};
        double sum = 0.0, rmse[MS_MEASURED];
        for (int k = 0; k < MS_JACOBI_ROWS; k++) {
            simulate_jacobi(steps[k], r == MS_NEW_X1, rmse);
            for (int j = 0; j < MS_MEASURED; j++)
                sum += fabs(log(rmse[j] / printed[k][j]));
        }
        support_near(cell(answer, "Readings", 4 * r, "rmse of Jacobi"), exp(sum / 10.0),
                     0.006); /* two decimals */
        support_near(cell(answer, "Sensitivity", r, "Jacobi off by"), exp(sum / 10.0), 0.006);
    }
    /* with the new x1, percents of 1 m and 1 m/s, smooth inputs of S2 only: over the jump, and met at it */
    assert_string_equal(text_of(answer, "Readings", 23, "case"), "jump");
    assert_string_equal(text_of(answer, "Readings", 31, "case"), "jump-met");
    assert_true(cell(answer, "Readings", 23, "rmse of F3ORNITS") > 5.0);
    assert_true(cell(answer, "Readings", 31, "rmse of F3ORNITS") < 2.0);
    assert_string_equal(json_string_value(json_object_get(answer, "status")), "not-determined");
    json_decref(answer);
}

static void test_figures(void **state)
{
    (void)state;
    support_figure_expect_verdicts(
        "eguillon2022:fig14", 2, 2,
        (const support_figure_verdict[]){{"do not forget", "reproduced"}, {"follow", "reproduced"}});
    support_figure_expect_verdicts(
        "eguillon2022:fig15", 2, 2,
        (const support_figure_verdict[]){{"better than Jacobi; f as it comes", "reproduced"},
                                         {"better than Jacobi; f with the new x1", "reproduced"}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobi),  cmocka_unit_test(test_reference),
        cmocka_unit_test(test_rmse),    cmocka_unit_test(test_jacobi_interpolation),
        cmocka_unit_test(test_factors), cmocka_unit_test(test_table1),
        cmocka_unit_test(test_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
