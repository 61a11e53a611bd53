/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_life.c - exported FMUs: reset, completed steps, points outside the domain, damaged settings, parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "built_in.h"
#include "export_settings.h"
#include "exported_binary.h"
#include "support.h"
#include "unit_test.h"

enum { DONE = 0, DISCARDED = 2, WRONG = 3 };

#define CALL(b, name, ...) ((int (*)(__VA_ARGS__))support_binary_find(b, name))

/* The chassis of the quarter car, with a component in co-simulation or model exchange that has been started. */
static ms_system *open_chassis(support_binary *b, int fmi, bool exchange)
{
    ms_system *system = support_system("quarter-car", NULL);
    const ms_fmu_export what = support_export_of(system, "chassis", fmi, "exact");
    support_binary_open(b, &what);
    assert_true(support_binary_instantiate(b, NULL, exchange));
    assert_int_equal(support_binary_start(b, 0.0, NULL), DONE);
    return system;
}

static void close_chassis(support_binary *b, ms_system *system)
{
    support_binary_close(b);
    ms_system_destroy(&system);
}

/* A component that is reset goes on as a new one does, to the bit: parameters, states and time are the first ones. */
static void test_reset(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_binary b;
        double fresh[2], other[2] = {0.0}, again[2] = {0.0};
        ms_system *system = open_chassis(&b, fmi, false);
        const unsigned kc = support_binary_named(&b, "p.kc"),
                       names[] = {support_binary_named(&b, "x.x"), support_binary_named(&b, "x.v")};
        const double u[] = {0.1, 0.2};
        assert_int_equal(support_binary_set(&b, b.n, b.reference, u), DONE);
        assert_int_equal(support_binary_step(&b, 0.0, 0.01), DONE);
        assert_int_equal(support_binary_get(&b, 2, names, fresh), DONE);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(CALL(&b, "Reset", void *)(b.c), DONE);
            if (round == 0)
                assert_int_equal(support_binary_set(&b, 1, &kc, &(double){20000.0}), DONE);
            assert_int_equal(support_binary_start(&b, 0.0, NULL), DONE);
            assert_int_equal(support_binary_set(&b, b.n, b.reference, u), DONE);
            assert_int_equal(support_binary_step(&b, 0.0, 0.01), DONE);
            assert_int_equal(support_binary_get(&b, 2, names, round == 0 ? other : again), DONE);
        }
        assert_true(other[1] != fresh[1]);
        support_same_bits(&b, "state after a reset", 0.01, 2, again, fresh);
        close_chassis(&b, system);
    }
}

static void check_nominals(support_binary *b)
{
    double nominal[2] = {0.0, 0.0};
    assert_int_equal(CALL(b, "GetNominalsOfContinuousStates", void *, double *, size_t)(b->c, nominal, 2),
                     DONE);
    support_near(nominal[0], 1.0, 0.0);
    support_near(nominal[1], 1.0, 0.0);
}

/* The chassis has no events: a step that is completed asks for none, and neither ends the simulation. */
static void test_completed_steps(void **state)
{
    support_binary b;
    int event = -1, end = -1;
    bool event_3 = true, end_3 = true;
    size_t n = 9;
    (void)state;
    ms_system *system = open_chassis(&b, 2, true);
    assert_int_equal(CALL(&b, "EnterContinuousTimeMode", void *)(b.c), DONE);
    assert_int_equal(CALL(&b, "CompletedIntegratorStep", void *, int, int *, int *)(b.c, 1, &event, &end),
                     DONE);
    assert_int_equal(event, 0);
    assert_int_equal(end, 0);
    check_nominals(&b);
    close_chassis(&b, system);
    system = open_chassis(&b, 3, true);
    assert_int_equal(CALL(&b, "EnterContinuousTimeMode", void *)(b.c), DONE);
    assert_int_equal(
        CALL(&b, "CompletedIntegratorStep", void *, bool, bool *, bool *)(b.c, true, &event_3, &end_3), DONE);
    assert_false(event_3);
    assert_false(end_3);
    check_nominals(&b);
    assert_int_equal(CALL(&b, "GetNumberOfContinuousStates", void *, size_t *)(b.c, &n), DONE);
    assert_int_equal(n, 2); /* position and velocity */
    assert_int_equal(CALL(&b, "GetNumberOfEventIndicators", void *, size_t *)(b.c, &n), DONE);
    assert_int_equal(n, 0);
    close_chassis(&b, system);
}

/* It is discarded, with what is not defined and when. */
static void not_defined(support_binary *b, int status, const char *what)
{
    char line[200];
    snprintf(line, sizeof line, "%s are not defined at 0.5 s", what);
    assert_int_equal(status, DISCARDED);
    assert_string_equal(b->said, line);
    b->said[0] = '\0';
}

/* Left of its domain, x < 0, it says what has no value there; back inside it goes on. */
static void test_outside_the_domain(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"name\": \"root\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"sqrt(x) + u\"},"
        " \"states\": {\"x\": {\"derivative\": \"3*sqrt(x)\", \"start\": 4}},"
        " \"events\": [{\"when\": \"sqrt(x) - 7\", \"then\": {\"x\": \"4\"}}]}], \"wires\": []}");
    ms_system *system = support_system_of(model);
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_binary b;
        const ms_fmu_export what = support_export_of(system, "root", fmi, "rk4");
        double value = 0.0, next;
        support_binary_open(&b, &what);
        assert_true(support_binary_instantiate(&b, NULL, true));
        assert_int_equal(support_binary_start(&b, 0.0, NULL), DONE);
        assert_int_equal(support_binary_events(&b, false, &next), DONE);
        unsigned y, u;
        assert_int_equal(support_binary_outputs(&b, &y), 1);
        assert_int_equal(support_binary_inputs(&b, &u), 1);
        assert_int_equal(support_binary_set_point(&b, 0.5, 1, &(double){-1.0}), DONE);
        not_defined(&b, support_binary_get(&b, 1, &y, &value), "the outputs");
        not_defined(&b, support_binary_derivatives(&b, 1, &value), "the derivatives");
        not_defined(&b, support_binary_indicators(&b, 1, &value), "the event indicators");
        not_defined(&b, support_binary_directional(&b, 1, &y, 1, &u, &(double){1.0}, &value),
                    "the partial derivatives");
        assert_int_equal(support_binary_set_point(&b, 0.5, 1, &(double){9.0}), DONE);
        assert_int_equal(support_binary_get(&b, 1, &y, &value), DONE);
        support_near(value, 3.0, 0.0);
        assert_int_equal(support_binary_derivatives(&b, 1, &value), DONE);
        support_near(value, 9.0, 0.0);
        assert_int_equal(support_binary_indicators(&b, 1, &value), DONE);
        support_near(value, -4.0, 0.0);
        assert_int_equal(support_binary_directional(&b, 1, &y, 1, &u, &(double){1.0}, &value), DONE);
        support_near(value, 1.0, 1e-7);
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Damaged resources ---------------------------------------------------------------------------------------- */

/* With `from` replaced by `to` in its settings there is no component, and a line says why. */
static void damaged(support_binary *b, const char *from, const char *to, const char *line)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/resources/" MS_EXPORT_SETTINGS_FILE, b->folder);
    char *text = support_read_file(path, NULL), *at = strstr(text, from);
    assert_non_null(at);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(file), 0);
    b->said[0] = '\0';
    assert_false(support_binary_instantiate(b, NULL, false));
    support_says(b->said, line);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    free(text);
}

static void test_damaged_settings(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_binary b;
        ms_system *system = support_system("quarter-car", NULL);
        const ms_fmu_export what = support_export_of(system, "chassis", fmi, "exact");
        support_binary_open(&b, &what);
        damaged(&b, "{", "{,", MS_EXPORT_SETTINGS_FILE ": line 1: ");
        damaged(&b, "\"model\"", "\"modell\"",
                MS_EXPORT_SETTINGS_FILE ": a member is missing or has the wrong type");
        damaged(&b, "\"macrostep\": \"", "\"macrostep\": \"0.0.",
                "the resources were written by version 0.0.");
        damaged(&b, "quarter-car", "quarter-kart", "there is no model quarter-kart");
        damaged(&b, "\"kc\"", "\"kk\"", MS_EXPORT_SETTINGS_FILE ": parameter kc is missing");
        damaged(&b, "\"exact\"", "\"exakt\"", "exakt: unknown; the nearest is exact");
        assert_true(support_binary_instantiate(&b, NULL, false));
        close_chassis(&b, system);
    }
}

/* Parameters and states ------------------------------------------------------------------------------------ */

/* A state brings the parameters with it that held when it was saved; a number of parts is a constant. */
static void test_parameters_of_states(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_binary b;
        double after[3][2] = {{0.0}};
        void *saved = NULL;
        ms_system *system = open_chassis(&b, fmi, false);
        const unsigned kc = support_binary_named(&b, "p.kc"),
                       names[] = {support_binary_named(&b, "x.x"), support_binary_named(&b, "x.v")};
        assert_int_equal(CALL(&b, "Reset", void *)(b.c), DONE);
        assert_int_equal(support_binary_save(&b, &saved), DONE);
        for (int round = 0; round < 3; round++) {
            if (round == 2)
                assert_int_equal(support_binary_restore(&b, saved), DONE);
            else
                assert_int_equal(CALL(&b, "Reset", void *)(b.c), DONE);
            if (round == 1)
                assert_int_equal(support_binary_set(&b, 1, &kc, &(double){20000.0}), DONE);
            assert_int_equal(support_binary_start(&b, 0.0, (const double[]){0.1, 0.2}), DONE);
            assert_int_equal(support_binary_step(&b, 0.0, 0.01), DONE);
            assert_int_equal(support_binary_get(&b, 2, names, after[round]), DONE);
        }
        assert_true(after[1][1] != after[0][1]);
        support_same_bits(&b, "state after going back", 0.01, 2, after[2], after[0]);
        support_binary_forget(&b, &saved);
        close_chassis(&b, system);
        system = support_system("mass-chain", "masses=3");
        const ms_fmu_export what = support_export_of(system, NULL, fmi, "exact");
        support_binary_open(&b, &what);
        assert_true(support_binary_instantiate(&b, NULL, false));
        const unsigned masses = support_binary_named(&b, "p.masses");
        b.said[0] = '\0';
        assert_int_equal(support_binary_set(&b, 1, &masses, &(double){4.0}), WRONG);
        assert_non_null(strstr(b.said, " is no variable that can be set: it is a constant"));
        assert_int_equal(support_binary_start(&b, 0.0, NULL), DONE);
        close_chassis(&b, system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reset), cmocka_unit_test(test_completed_steps),
                                       cmocka_unit_test(test_outside_the_domain),
                                       cmocka_unit_test(test_damaged_settings),
                                       cmocka_unit_test(test_parameters_of_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
