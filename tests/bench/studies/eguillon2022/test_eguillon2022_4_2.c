/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_eguillon2022_4_2.c - Table 1 and Figs 14, 15 of Eguillon et al. (2022): what they measure against a
 * simulation of its own, and their verdicts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure_run.h"
#include "measurement.h"
#include "study.h"
#include "support.h"
#include "unit_test.h"

enum { X1, V1, MEASURED, JACOBI_ROWS = 5 };
enum { AS_IT_COMES, NEW_X1, READINGS }; /* of f */

static const char *const outputs[READINGS] = {"inconsistent", "consistent"};

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
static const double printed[JACOBI_ROWS][MEASURED] = {
    {0.030, 0.074}, {0.197, 0.462}, {0.412, 0.981}, {0.772, 2.044}, {1.928, 5.194}};

#define SINE                                                                                                 \
    "two-masses-springs-dampers --case sine --set m1=1 --set m2=1 --set c1=1 --set c2=1 --set c3=1 --set "   \
    "d1=1 --set d3=1 --set amplitude=0.4"

extern const ms_measurement ms_measurement_left_mass;

typedef struct left_run {
    double steps, rmse[MEASURED], range[MEASURED]; /* rmse in percent of 1 m and 1 m/s */
} left_run;

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static left_run measure(ms_drawing *drawing, const char *words, ms_error *error)
{
    json_t *answer = json_object();
    assert_int_equal(ms_measurement_left_mass.measure(drawing, words, answer, error), MS_OK);
    const left_run run = {number(answer, "steps"),
                          {number(answer, "x1"), number(answer, "v1")},
                          {number(answer, "range_x1"), number(answer, "range_v1")}};
    json_decref(answer);
    return run;
}

static int draw_jacobi(ms_drawing *drawing, ms_error *error)
{
    static const double steps[JACOBI_ROWS] = {0.01, 0.05, 0.1, 0.2, 0.4};
    for (int r = 0; r < READINGS; r++)
        for (int k = 0; k < JACOBI_ROWS; k++) {
            double rmse[MEASURED];
            const left_run run =
                measure(drawing,
                        ms_drawing_text(drawing,
                                        "run " SINE " --extrapolation-order 0 --outputs %s --step-size %g "
                                        "--solver gsl-rk8pd",
                                        outputs[r], steps[k]),
                        error);
            simulate_jacobi(steps[k], r == NEW_X1, rmse);
            support_near(run.steps, END / steps[k], 0.5);
            for (int j = 0; j < MEASURED; j++)
                support_near(run.rmse[j] / run.range[j], rmse[j], 1e-3 * rmse[j]);
        }
    return MS_OK;
}

static void test_jacobi(void **state)
{
    (void)state;
    support_figure_run(draw_jacobi);
}

/* The rmse of a run of F3ORNITS against that which the run itself measures inside macro-steps. The force
 * in N and in kN is the same motion. */
static int draw_rmse(ms_drawing *drawing, ms_error *error)
{
    double steps[READINGS];
    for (int r = 0; r < READINGS; r++) {
        static const char options[] =
            "--scheme f3ornits --error-normalization damped-amplitude --smooth-coupling c1 --rtol "
            "0.01 --atol 1e-4 --max-step 1 --step-size 0.01 --min-step 0.01 --damping 0.05 "
            "--scheduler synchronous --solver gsl-rk8pd";
        ms_study study;
        const left_run run = measure(
            drawing, ms_drawing_text(drawing, "run " SINE " %s --outputs %s", options, outputs[r]), error);
        const left_run newton = measure(
            drawing, "run two-masses-springs-dampers --case sine --solver gsl-rk8pd --step-size 0.4", error);
        assert_int_equal(ms_study_run(drawing, &(ms_simulation_options){.errors = true}, &study, error,
                                      "run " SINE " %s --outputs %s", options, outputs[r]),
                         MS_OK);
        for (int j = 0; j < MEASURED; j++) {
            const double inside = 100.0 * study.simulation.errors.state[j].rmse;
            support_near(run.rmse[j], inside, 2e-3 * inside);
            support_near(newton.range[j], run.range[j], 1e-9);
        }
        support_near(run.steps, (double)study.simulation.result.macro_steps, 0.0);
        steps[r] = run.steps;
        ms_study_destroy(&study);
    }
    assert_true(steps[AS_IT_COMES] != steps[NEW_X1]);
    return MS_OK;
}

static void test_rmse(void **state)
{
    (void)state;
    support_figure_run(draw_rmse);
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
    static const char *const readings[READINGS] = {"f as it comes", "f with the new x1"};
    enum { EACH = 10 };
    static const support_figure_verdict all[READINGS * EACH] = {
        {"NI Jacobi: rmse", "not-determined"},
        {"macro-steps of the twelve rows", "not-determined"},
        {"rmse of the twelve rows", "not-determined"},
        {"fewer steps than Jacobi", "not-determined"},
        {"how many times smaller", "not-determined"},
        {"amplitude < damped amplitude < magnitude", "reproduced"},
        {"minor incidence", "deviates"},
        {"slightly damages", "deviates"},
        {"magnitude < damped amplitude < amplitude", "not-determined"},
        {"better than Jacobi", "reproduced"},
        {"NI Jacobi: rmse", "not-determined"},
        {"macro-steps of the twelve rows", "not-determined"},
        {"rmse of the twelve rows", "not-determined"},
        {"fewer steps than Jacobi", "not-determined"},
        {"how many times smaller", "not-determined"},
        {"amplitude < damped amplitude < magnitude", "reproduced"},
        {"minor incidence", "not-determined"},
        {"slightly damages", "not-determined"},
        {"magnitude < damped amplitude < amplitude", "not-determined"},
        {"better than Jacobi", "not-determined"}};
    json_t *answer = support_figure_answer("eguillon2022:table1");
    for (int k = 0; k < READINGS * EACH; k++) {
        const char *what = json_string_value(
            json_object_get(json_array_get(json_object_get(answer, "checks"), (size_t)k), "what"));
        assert_non_null(what);
        assert_non_null(strstr(what, readings[k / EACH]));
    }
    expect_checks("eguillon2022:table1", answer, READINGS * EACH, all);
    for (size_t r = 0; r < READINGS; r++) {
        static const double steps[JACOBI_ROWS] = {0.01, 0.05, 0.1, 0.2, 0.4};
        double sum = 0.0, rmse[MEASURED];
        for (int k = 0; k < JACOBI_ROWS; k++) {
            simulate_jacobi(steps[k], r == NEW_X1, rmse);
            for (int j = 0; j < MEASURED; j++)
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
    assert_string_equal(json_string_value(json_object_get(answer, "status")), "deviates");
    json_decref(answer);
}

/* The rmse that Jacobi would have with this number of steps: on the line through two rows of the print, in logarithms. */
static double as_jacobi(const json_t *jacobi, const char *key, double steps)
{
    double n[JACOBI_ROWS], e[JACOBI_ROWS];
    int k = 1;
    for (size_t i = 0; i < JACOBI_ROWS; i++) {
        n[i] = log(json_number_value(json_array_get(json_object_get(jacobi, "steps"), i)));
        e[i] = log(json_number_value(json_array_get(json_object_get(jacobi, key), i)));
    }
    while (k + 1 < JACOBI_ROWS && n[k] > log(steps))
        k++;
    return exp(e[k] + (e[k - 1] - e[k]) * (log(steps) - n[k]) / (n[k - 1] - n[k]));
}

/* Quotients of the printed rows and of Jacobi with as many steps: the least and the largest. */
static int draw_trade_off(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    static const char *const norms[] = {"magnitude", "amplitude", "damped_amplitude"}, *const keys[] = {"x1",
                                                                                                        "v1"};
    const json_t *published = ms_drawing_published_entry(drawing),
                 *jacobi = json_object_get(published, "jacobi");
    double least = INFINITY, largest = 0.0;
    for (int n = 0; n < 3; n++)
        for (size_t k = 0; k < 4; k++)
            for (int j = 0; j < MEASURED; j++) {
                const json_t *rows = json_object_get(published, norms[n]);
                const double steps = json_number_value(json_array_get(json_object_get(rows, "steps"), k)),
                             quotient = json_number_value(json_array_get(json_object_get(rows, keys[j]), k)) /
                                        as_jacobi(jacobi, keys[j], steps);
                least = fmin(least, quotient);
                largest = fmax(largest, quotient);
            }
    json_t *answer = support_figure_answer("eguillon2022:fig15");
    const json_t *check = json_array_get(json_object_get(answer, "checks"), 0),
                 *print = json_object_get(json_object_get(check, "measured"),
                                          "printed rows, rmse over that of Jacobi with as many steps");
    support_near(json_number_value(json_array_get(print, 0)), least, 1e-12);
    support_near(json_number_value(json_array_get(print, 1)), largest, 1e-12);
    support_figure_expect(
        answer, 2, 2,
        (const support_figure_verdict[]){{"better than Jacobi; f as it comes", "reproduced"},
                                         {"better than Jacobi; f with the new x1", "reproduced"}});
    json_decref(answer);
    return MS_OK;
}

static void test_figures(void **state)
{
    (void)state;
    static const ms_figure trade_off = {"eguillon2022:fig15", "", "", .draw = draw_trade_off};
    json_decref(support_figure_answer_of(&trade_off));
    support_figure_expect_verdicts(
        "eguillon2022:fig14", 2, 2,
        (const support_figure_verdict[]){{"do not forget", "reproduced"}, {"follow", "reproduced"}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobi),
        cmocka_unit_test(test_rmse),
        cmocka_unit_test(test_table1),
        cmocka_unit_test(test_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
