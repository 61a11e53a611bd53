/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_eguillon2021.c - the figures of Eguillon et al. (2021): their verdicts, and what they measure against closed forms. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure_run.h"
#include "nonlinear.h"
#include "support.h"
#include "unit_test.h"

/* Verdicts ------------------------------------------------------------------------------------------------- */

/* Checks that deviate (own ones: that miss their expectation) are those whose names contain these parts, and each part occurs; those
 * behind a '?' are not determined; all others are reproduced. */
static void expect_deviations(const json_t *answer, size_t least, int n, const char *const *deviating)
{
    const json_t *checks = json_object_get(answer, "checks");
    const char *id = json_string_value(json_object_get(answer, "id"));
    size_t k;
    json_t *check;
    int met = 0;
    assert_true(json_array_size(checks) >= least);
    json_array_foreach (checks, k, check) {
        const char *what = json_string_value(json_object_get(check, "what"));
        const char *verdict = json_string_value(json_object_get(check, "verdict")), *expected = "reproduced";
        for (int j = 0; j < n; j++)
            if (strstr(what, deviating[j] + (*deviating[j] == '?')) != NULL) {
                expected = *deviating[j] == '?'                          ? "not-determined"
                           : json_is_true(json_object_get(check, "own")) ? "expectation-missed"
                                                                         : "deviates";
                met++;
            }
        if (strcmp(verdict, expected) != 0)
            fail_msg("%s: '%s' is %s, not %s", id, what, verdict, expected);
    }
    assert_int_equal(met, n);
}

static void verdicts_of_the_model(void **state)
{
    (void)state;
    json_t *force = support_figure_answer("eguillon2021:fig3"),
           *motion = support_figure_answer("eguillon2021:fig5"),
           *method = support_figure_answer("eguillon2021:method");
    expect_deviations(force, 4, 0, NULL);
    expect_deviations(motion, 6, 1, (const char *const[]){"other values of D_D"});
    expect_deviations(method, 9, 1, (const char *const[]){"?Table 2"});
    json_decref(force);
    json_decref(motion);
    json_decref(method);
}

/* Errors and counts of a table by the first columns of its rows. */
static const json_t *row_of(const json_t *answer, const char *title, const char *first, double second)
{
    const json_t *rows = json_object_get(json_object_get(answer, "tables"), title);
    size_t k;
    json_t *row;
    assert_non_null(rows);
    json_array_foreach (rows, k, row) {
        void *iterator = json_object_iter(row);
        const char *name = json_string_value(json_object_iter_value(iterator));
        iterator = json_object_iter_next(row, iterator);
        if (strcmp(name, first) == 0 && json_number_value(json_object_iter_value(iterator)) == second)
            return row;
    }
    fail_msg("%s: no row %s, %g", title, first, second);
    return NULL;
}

/* Explicit zero-order hold at D_D = 4 has an error of the size of dt_ref, the others at 0.1 s are far below. */
static void verdicts_where_the_fixed_point_contracts(void **state)
{
    (void)state;
    static const char *const deviating[] = {"?more accurate than the fixed point"};
    json_t *answer = support_figure_answer("eguillon2021:fig6");
    expect_deviations(answer, 8, 1, deviating);
    const double held = json_number_value(
        json_object_get(row_of(answer, "Errors, counts and ends", "zero-order hold", 0.1), "error"));
    static const char *const methods[] = {"fixed-point", "newtonls", "anderson", "ngmres", "ngmres-ls"};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        const json_t *row = row_of(answer, "Errors, counts and ends", methods[m], 0.1);
        assert_true(json_number_value(json_object_get(row, "error")) < 1e-3 * held);
    }
    json_decref(answer);
}

static void verdicts_where_it_does_not(void **state)
{
    (void)state;
    json_t *answer = support_figure_answer("eguillon2021:fig7");
    expect_deviations(answer, 7, 1, (const char *const[]){"?explicit zero-order hold diverges"});
    json_decref(answer);
}

/* Checks that compare our own backends are own, and what they miss is not in the status. */
static void own_backends_do_not_decide(const json_t *answer)
{
    size_t k;
    json_t *check;
    json_array_foreach (json_object_get(answer, "checks"), k, check) {
        const bool ours =
            strstr(json_string_value(json_object_get(check, "what")), "native and PETSc") != NULL;
        assert_true(json_is_true(json_object_get(check, "own")) == ours);
    }
}

static void verdicts_over_the_spectral_radius(void **state)
{
    (void)state;
    static const char *const deviating[] = {"?NGMRES with line search is the more accurate one",
                                            "?Newton is always more accurate",
                                            "?anderson: the error at the spectral radius 10",
                                            "?Newton and Anderson have larger errors",
                                            "?number of integrations does not grow",
                                            "anderson: native and PETSc"};
    const bool petsc = ms_nonlinear_find("newtonls", "petsc") != NULL;
    json_t *answer = support_figure_answer("eguillon2021:fig8");
    expect_deviations(answer, 13, petsc ? 6 : 5, deviating);
    own_backends_do_not_decide(answer);
    json_decref(answer);
}

/* As the figure's remark says: 50 iterations an attempt. The first macro-step, of 0.01 s, is halved while the half
 * is not below 16 eps times the end, 10 s: 38 times. */
static void the_fixed_point_takes_fifty_an_attempt(void **state)
{
    (void)state;
    static const double failing[] = {1.0, 0.64, 0.25, 0.04, 0.01};
    json_t *answer = support_figure_answer("eguillon2021:fig8");
    const double halvings = floor(log2(0.01 / (16.0 * DBL_EPSILON * 10.0)));
    for (size_t k = 0; k < sizeof failing / sizeof failing[0]; k++) {
        const json_t *row = row_of(answer, "Native and PETSc side by side", "fixed-point", failing[k]);
        assert_true(json_number_value(json_object_get(row, "iterations")) == 50.0 * (1.0 + halvings));
    }
    json_decref(answer);
}

static void verdicts_of_callback_and_traces(void **state)
{
    (void)state;
    json_t *eigenvalues = support_figure_answer("macrostep:callback-eigenvalues"),
           *traces = support_figure_answer("macrostep:iteration-traces");
    expect_deviations(eigenvalues, 19, 1, (const char *const[]){"(34): each eigenvalue"});
    expect_deviations(traces, 8, 0, NULL);
    json_decref(eigenvalues);
    json_decref(traces);
}

/* Closed forms --------------------------------------------------------------------------------------------- */

/* With differences y' = (y - y_n)/dt the lower half of the Jacobian is the upper one over dt: rank 3, so that three eigenvalues are
 * zero at any dt; the largest modulus is sqrt(D_SD/D_D) up to O(dt). */
static void eigenvalues_with_differences(void **state)
{
    (void)state;
    const double dt = 1e-3, damping = 0.64;
    json_t *answer = support_figure_answer("macrostep:callback-eigenvalues");
    const json_t *rows = json_object_get(json_object_get(answer, "tables"),
                                         "Eigenvalues of the Jacobian of Psi over the macro-step");
    size_t k;
    json_t *row;
    int met = 0;
    json_array_foreach (rows, k, row) {
        const char *kind = json_string_value(json_object_get(row, "output derivatives"));
        if (strcmp(kind, "differences") != 0 || json_number_value(json_object_get(row, "D_D")) != damping ||
            json_number_value(json_object_get(row, "dt / s")) != dt)
            continue;
        met++;
        support_near(json_number_value(json_object_get(row, "spectral radius")), sqrt(1.0 / damping),
                     2.0 * dt);
        support_near(json_number_value(json_object_get(row, "others: modulus")), 0.0, 1e-7);
    }
    assert_int_equal(met, 1);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_of_the_model),
        cmocka_unit_test(verdicts_where_the_fixed_point_contracts),
        cmocka_unit_test(verdicts_where_it_does_not),
        cmocka_unit_test(verdicts_over_the_spectral_radius),
        cmocka_unit_test(the_fixed_point_takes_fifty_an_attempt),
        cmocka_unit_test(verdicts_of_callback_and_traces),
        cmocka_unit_test(eigenvalues_with_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
