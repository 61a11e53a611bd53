/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the JSON answers say. Their shapes are held against bench/schemas by support_answer. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "command_answer.h"
#include "unit_test.h"

static json_t *member(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        fail_msg("member %s is missing", key);
    return value;
}

static const char *text(const json_t *object, const char *key)
{
    assert_true(json_is_string(member(object, key)));
    return json_string_value(member(object, key));
}

static double number(const json_t *object, const char *key)
{
    if (!json_is_number(member(object, key)))
        fail_msg("%s is no number", key);
    return json_number_value(member(object, key));
}

static void test_list(void **state)
{
    (void)state;
    const char *const lists[] = {"models", "schemes", "solvers", "studies", "figures", "commands", ""};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "list %s", lists[k]);
        json_t *rows = support_answer(arguments), *row;
        size_t i;
        json_array_foreach (rows, i, row) {
            if (strcmp(lists[k], "studies") == 0) /* authors (year), or of its own */
                assert_true(strchr(text(row, "source"), ')') != NULL ||
                            strcmp(text(row, "source"), "macrostep") == 0);
        }
        json_decref(rows);
    }
}

static void test_show_all_models(void **state)
{
    (void)state;
    json_t *models = support_answer("list models"), *model;
    size_t k;
    assert_true(json_array_size(models) > 0);
    json_array_foreach (models, k, model) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "show %s", text(model, "name"));
        json_t *shown = support_answer(arguments), *row;
        size_t i, states = 0, ordered = 0;
        assert_string_equal(text(shown, "name"), text(model, "name"));
        json_array_foreach (member(shown, "subsystems"), i, row) {
            states += (size_t)number(row, "states");
        }
        json_array_foreach (member(shown, "evaluation_order"), i, row) {
            ordered += json_array_size(row);
        }
        assert_int_equal(ordered, json_array_size(member(shown, "subsystems")));
        if (json_is_array(member(shown, "eigenvalues")))
            assert_int_equal(json_array_size(member(shown, "eigenvalues")), states);
        json_decref(shown);
    }
    json_decref(models);
}

/* Ports and bonds; the angular frequencies 2 sin((2j - 1) pi / (4N + 2)) of a chain of N = 3. */
static void test_show_bonds(void **state)
{
    (void)state;
    json_t *shown = support_answer("show oscillator-chain --case default"), *row;
    const json_t *bonds = member(shown, "bonds");
    static const char *const ends[][2] = {{"spring1.right", "mass1.left"},
                                          {"mass1.right", "spring2.left"},
                                          {"spring2.right", "mass2.left"},
                                          {"mass2.right", "spring3.left"},
                                          {"spring3.right", "mass3.left"}};
    assert_int_equal(json_array_size(bonds), 5);
    for (size_t b = 0; b < 5; b++) {
        assert_int_equal(json_array_size(json_array_get(bonds, b)), 2);
        for (size_t e = 0; e < 2; e++)
            assert_string_equal(json_string_value(json_array_get(json_array_get(bonds, b), e)), ends[b][e]);
    }
    const json_t *spring = json_array_get(member(shown, "subsystems"), 2);
    assert_string_equal(text(spring, "name"), "spring2");
    assert_int_equal(json_array_size(member(spring, "ports")), 2);
    const json_t *left = json_array_get(member(spring, "ports"), 1);
    assert_string_equal(text(left, "name"), "left");
    assert_string_equal(text(left, "input"), "vl");
    assert_string_equal(text(left, "output"), "F");
    assert_true(number(left, "gain") == 1.0);

    bool found[3] = {false};
    size_t i;
    json_array_foreach (member(shown, "eigenvalues"), i, row) {
        assert_true(fabs(json_number_value(json_array_get(row, 0))) < 1e-12);
        for (int j = 0; j < 3; j++) {
            const double omega = 2.0 * sin((2 * j + 1) * acos(-1.0) / 14.0);
            found[j] = found[j] || fabs(json_number_value(json_array_get(row, 1)) - omega) < 1e-12;
        }
    }
    assert_true(i == 6 && found[0] && found[1] && found[2]);
    json_decref(shown);

    shown = support_answer("show quarter-car");
    assert_int_equal(json_array_size(member(shown, "bonds")), 0);
    assert_int_equal(json_array_size(member(json_array_get(member(shown, "subsystems"), 0), "ports")), 0);
    json_decref(shown);
}

/* In the table the bonds are one line. */
static void test_show_bonds_table(void **state)
{
    (void)state;
    char command[512], line[512];
    const char *binary = getenv("MACROSTEP");
    snprintf(command, sizeof command, "'%s' show spring-mass", binary != NULL ? binary : "build/macrostep");
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    int found = 0;
    while (fgets(line, sizeof line, pipe) != NULL)
        if (strncmp(line, "bonds ", 6) == 0 && strstr(line, " [spring.end, mass.end]\n") != NULL)
            found++;
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(found, 1);
}

static void test_run(void **state)
{
    (void)state;
    json_t *run = support_answer("run spring-mass --extrapolation-order 1");
    assert_string_equal(text(run, "reason"), "end-time");
    const json_t *errors = member(run, "errors");
    double largest = 0.0;
    const char *name;
    json_t *e;
    json_object_foreach (member(errors, "per_state"), name, e) {
        assert_non_null(strchr(name, '.'));
        largest = fmax(largest, number(e, "max"));
    }
    assert_true(largest == number(errors, "max"));
    assert_true(number(run, "error") == number(errors, "max"));
    assert_true(json_is_object(member(run, "energy")));
    json_decref(run);
}

static void test_norm(void **state)
{
    (void)state;
    json_t *run = support_answer("run spring-mass --norm rmse");
    assert_true(number(run, "error") == number(member(run, "errors"), "rmse"));
    json_decref(run);
}

/* Errors of a run that diverges are null, and it is done all the same. */
static void test_diverged(void **state)
{
    (void)state;
    json_t *run = support_answer("run quarter-car --case as-printed --stop-time 100 --step-size 0.01");
    assert_string_equal(text(run, "reason"), "diverged");
    assert_true(json_is_null(member(member(run, "errors"), "max")));
    assert_true(json_is_null(member(run, "error")));
    assert_true(number(run, "end_time") < 100.0);
    json_decref(run);
}

static void test_converge(void **state)
{
    (void)state;
    json_t *found = support_answer("converge spring-mass --extrapolation-order 1 --derivatives analytic"),
           *row;
    size_t i;
    double before = INFINITY;
    json_array_foreach (member(found, "rows"), i, row) {
        assert_true(number(row, "step_size") < before);
        before = number(row, "step_size");
    }
    assert_int_equal(json_array_size(member(found, "rows")), 7);
    assert_true(number(found, "expected_order") == 2.0);
    assert_true(fabs(number(found, "order") - 2.0) < 0.1);
    json_decref(found);
}

static void test_converge_list(void **state)
{
    (void)state;
    json_t *found = support_answer("converge spring-mass --step-size 0.01:0.04:log:3"),
           *rows = member(found, "rows");
    assert_int_equal(json_array_size(rows), 3);
    assert_true(number(json_array_get(rows, 0), "step_size") == 0.04);
    assert_true(fabs(number(json_array_get(rows, 1), "step_size") - 0.02) < 1e-15);
    assert_true(number(json_array_get(rows, 2), "step_size") == 0.01);
    json_decref(found);
}

/* Notes of the rows, joined by commas. */
static void notes_of(json_t *found, char *notes, size_t size)
{
    size_t i, used = 0;
    json_t *row;
    notes[0] = '\0';
    json_array_foreach (member(found, "rows"), i, row)
        used += (size_t)snprintf(notes + used, size - used, "%s%s", i > 0 ? "," : "", text(row, "note"));
}

#define PENDULUM "converge double-pendulum --scheme ifosmondi --solver gsl-rk8pd --stop-time 0.2 "

/* With the default epsilon, 1e-4, these errors are those of the iteration. */
static void test_converge_tightens_epsilon(void **state)
{
    (void)state;
    char notes[256];
    json_t *found =
        support_answer(PENDULUM "--solver-nonlinear newtonls --step-size 0.02,0.01,0.005,0.0025,0.00125");
    notes_of(found, notes, sizeof notes);
    assert_string_equal(notes, ",,,,");
    assert_true(fabs(number(found, "order") - 4.0) < 0.05);
    assert_true(json_is_null(member(found, "message")));
    assert_true(number(member(found, "iteration"), "epsilon") == 1e-12);
    assert_true(json_is_true(member(member(found, "iteration"), "chosen")));
    assert_true(number(member(found, "scheme"), "epsilon") == 1e-12);
    assert_string_equal(text(member(found, "scheme"), "step_rule"), "fixed");
    json_decref(found);

    found = support_answer(
        PENDULUM "--solver-nonlinear newtonls --epsilon 1e-4 --step-size 0.005,0.0025,0.00125,0.000625");
    notes_of(found, notes, sizeof notes);
    assert_string_equal(notes, "floor,floor,floor,floor");
    assert_true(json_is_null(member(found, "order")));
    assert_true(json_is_null(json_array_get(member(found, "range"), 0)));
    assert_non_null(strstr(text(found, "message"), "leave --epsilon out or lower it"));
    assert_true(number(member(found, "iteration"), "epsilon") == 1e-4);
    assert_true(json_is_false(member(member(found, "iteration"), "chosen")));
    json_decref(found);

    found = support_answer("converge spring-mass --step-size 0.04,0.02");
    assert_true(json_is_null(member(found, "iteration")));
    json_decref(found);
}

/* The error falls by sixteen, far below what 50 times the tolerances of the micro-solver would leave. */
static void test_converge_keeps_rows_that_fall(void **state)
{
    (void)state;
    size_t i;
    json_t *row, *found = support_answer(PENDULUM "--solver-nonlinear newtonls --epsilon 1e-12 --step-size "
                                                  "0.02,0.01,0.005,0.0025,0.00125,0.000625");
    json_array_foreach (member(found, "rows"), i, row) {
        if (i > 0 && fabs(number(row, "slope") - 4.0) < 0.1)
            assert_string_equal(text(row, "note"), "");
        assert_true(i == 0 || i == 5 || json_is_number(member(row, "slope")));
    }
    assert_true(number(json_array_get(member(found, "rows"), 4), "error") < 5e-9);
    assert_true(fabs(number(found, "order") - 4.0) < 0.05);
    json_decref(found);
}

/* The default fixed point does not contract here. The method that is named does converge. */
static void test_converge_names_a_method(void **state)
{
    (void)state;
    static const char steps[] = "--step-size 0.02,0.01";
    char line[512], method[32];
    size_t i;
    json_t *row, *found;
    snprintf(line, sizeof line, PENDULUM "%s", steps);
    found = support_answer(line);
    assert_true(json_is_null(member(found, "order")));
    const char *named = strstr(text(found, "message"), "--solver-nonlinear ");
    assert_non_null(named);
    assert_int_equal(sscanf(named, "--solver-nonlinear %31s", method), 1);
    json_array_foreach (member(found, "rows"), i, row) {
        assert_non_null(strstr(text(row, "message"), method));
    }
    json_decref(found);
    snprintf(line, sizeof line, PENDULUM "%s --solver-nonlinear %s", steps, method);
    found = support_answer(line);
    json_array_foreach (member(found, "rows"), i, row) {
        assert_true(number(row, "error") > 0.0);
    }
    json_decref(found);
}

/* A macro-step that was halved is none of the length that the row stands for. */
static void test_converge_wants_equal_steps(void **state)
{
    (void)state;
    json_t *row,
        *found = support_answer("converge damping-reaction --scheme ifosmondi --solver-nonlinear anderson "
                                "--set d_d=0.64 --step-rule paper --max-iterations 3 --epsilon 1e-4 "
                                "--step-size 1,0.5 --stop-time 2");
    size_t i;
    json_array_foreach (member(found, "rows"), i, row) {
        assert_true(json_is_null(member(row, "error")));
        assert_string_equal(text(row, "note"), "failed");
        assert_non_null(strstr(text(row, "message"), "equal length"));
    }
    json_decref(found);
}

static void test_compare(void **state)
{
    (void)state;
    json_t *found = support_answer(
               "compare mass-spring-damper --scheme jacobi,gauss-seidel --mask '*:directional-derivatives' "
               "--step-size 0.01,0.02"),
           *row;
    size_t i, incompatible = 0, best = 0;
    const size_t n = json_array_size(member(found, "rows"));
    json_array_foreach (member(found, "rows"), i, row) {
        if (strcmp(text(row, "reason"), "incompatible") == 0) {
            incompatible++;
            assert_string_equal(text(member(row, "scheme"), "outputs"), "corrected");
            assert_non_null(strstr(text(row, "message"), "directional derivatives"));
            assert_true(json_is_null(member(row, "rank")));
        } else if (number(row, "rank") == 1.0) {
            best++;
        }
    }
    assert_true(incompatible > 0 && incompatible < n && best >= 1);
    json_decref(found);
}

/* A given option replaces the values that would be tried; a parameter's list multiplies the grid. */
static void test_compare_fixed(void **state)
{
    (void)state;
    json_t *found = support_answer(
               "compare mass-spring-damper --scheme jacobi --extrapolation-order 1,2 --outputs consistent "
               "--smooth-coupling none --derivatives analytic --set m1=1,2,3"),
           *row;
    size_t i;
    assert_int_equal(json_array_size(member(found, "rows")), 6);
    json_array_foreach (member(found, "rows"), i, row) {
        const size_t mass = 1 + i / 2, order = 1 + i % 2;
        assert_true(number(member(row, "parameters"), "m1") == (double)mass);
        assert_true(number(member(row, "scheme"), "extrapolation_order") == (double)order);
    }
    json_decref(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_show_all_models),
        cmocka_unit_test(test_show_bonds),
        cmocka_unit_test(test_show_bonds_table),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_norm),
        cmocka_unit_test(test_diverged),
        cmocka_unit_test(test_converge),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_converge_list),
        cmocka_unit_test(test_converge_tightens_epsilon),
        cmocka_unit_test(test_converge_keeps_rows_that_fall),
        cmocka_unit_test(test_converge_names_a_method),
        cmocka_unit_test(test_converge_wants_equal_steps),
        cmocka_unit_test(test_compare_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
