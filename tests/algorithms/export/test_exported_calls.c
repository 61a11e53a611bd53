/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_calls.c - what a master that goes by the standards' text may count on in exported FMUs: a discarded step changes nothing,
 * parameters count at once, imposed steps come in multiples, and nobody is told what was not asked for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "built_in.h"
#include "exported_binary.h"
#include "support.h"
#include "unit_test.h"

enum { DONE = 0, DISCARDED = 2 };

#define CALL(b, name, ...) ((int (*)(__VA_ARGS__))support_binary_find(b, name))

/* x' = -10 sqrt(x) + u: a step beyond x = 0 has no value. It jumps at x = 7. */
static ms_model *read_root(void)
{
    return support_model_read(
        "{\"subsystems\": [{\"name\": \"root\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"x + u\"},"
        " \"states\": {\"x\": {\"derivative\": \"-10*sqrt(x) + u\", \"start\": 4}},"
        " \"events\": [{\"when\": \"x - 7\", \"then\": {\"x\": \"4\"}}]}], \"wires\": []}");
}

static void open_root(support_binary *b, const ms_system *system, int fmi, bool exchange)
{
    const ms_fmu_export what = support_export_of(system, "root", fmi, "rk4");
    support_binary_open(b, &what);
    assert_true(support_binary_instantiate(b, NULL, exchange));
    assert_int_equal(support_binary_start(b, 0.0, NULL), DONE);
}

/* Takes a short step, asks for one that fails in between or not, and takes another short one. */
static double walk(const ms_system *system, int fmi, bool fails)
{
    support_binary b;
    double x = NAN, derivative[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{1.0}, {0.5}};
    open_root(&b, system, fmi, false);
    const unsigned name = support_binary_named(&b, "x.x");
    assert_int_equal(support_binary_feed(&b, 0.0, 1, derivative), DONE);
    assert_int_equal(support_binary_step(&b, 0.0, 0.01), DONE);
    if (fails) {
        double before = NAN, after = NAN;
        assert_int_equal(support_binary_get(&b, 1, &name, &before), DONE);
        assert_int_equal(support_binary_step(&b, 0.01, 5.0), DISCARDED);
        assert_int_equal(support_binary_get(&b, 1, &name, &after), DONE);
        assert_memory_equal(&before, &after, sizeof before);
    }
    assert_int_equal(support_binary_step(&b, 0.01, 0.01), DONE);
    assert_int_equal(support_binary_get(&b, 1, &name, &x), DONE);
    support_binary_close(&b);
    return x;
}

static void a_discarded_step_changes_nothing(void **state)
{
    (void)state;
    ms_model *model = read_root();
    ms_system *system = support_system_of(model);
    for (int fmi = 2; fmi <= 3; fmi++) {
        const double with = walk(system, fmi, true), without = walk(system, fmi, false);
        assert_true(isfinite(with));
        assert_memory_equal(&with, &without, sizeof with);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

static void discards_are_said_where_logging_is_on(void **state)
{
    static const char *const errors[] = {"logStatusError"}, *const discards[] = {"logStatusDiscard"};
    (void)state;
    ms_model *model = read_root();
    ms_system *system = support_system_of(model);
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_binary b;
        open_root(&b, system, fmi, false);
        for (int k = 0; k < 4; k++) { /* off; on in another category; on in its own; off in another */
            const char *const *category = k == 2 ? discards : k > 0 ? errors : NULL;
            const bool on = k == 1 || k == 2;
            assert_int_equal(fmi == 2 ? CALL(&b, "SetDebugLogging", void *, int, size_t,
                                             const char *const *)(b.c, on, category != NULL, category)
                                      : CALL(&b, "SetDebugLogging", void *, bool, size_t,
                                             const char *const *)(b.c, on, category != NULL, category),
                             DONE);
            b.said[0] = '\0';
            assert_int_equal(support_binary_step(&b, 0.0, 5.0), DISCARDED);
            assert_true((b.said[0] != '\0') == (k >= 2));
        }
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* States that events change are declared so, others are not. */
static void states_that_jump_are_declared(void **state)
{
    (void)state;
    ms_model *model = read_root();
    ms_system *system = support_system_of(model), *car = support_system("quarter-car", NULL);
    for (int k = 0; k < 4; k++) {
        support_binary b;
        char path[4200];
        const ms_fmu_export what =
            support_export_of(k < 2 ? system : car, k < 2 ? "root" : "wheel", 2 + k % 2, "rk4");
        support_binary_open(&b, &what);
        snprintf(path, sizeof path, "%s/modelDescription.xml", b.folder);
        char *text = support_read_file(path, NULL);
        assert_true((strstr(text, "reinit=\"true\"") != NULL) == (k < 2));
        free(text);
        support_binary_close(&b);
    }
    ms_system_destroy(&car);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* While it is initialised, whatever is asked for knows of a parameter that was set. */
static void parameters_count_at_once(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", NULL);
    for (int fmi = 2; fmi <= 3; fmi++) {
        static const double stiffness[] = {1e4, 3e4};
        double dx[2][2] = {{0.0}}, again[2] = {0.0};
        support_binary b;
        const ms_fmu_export what = support_export_of(system, "chassis", fmi, "rk4");
        support_binary_open(&b, &what);
        const unsigned kc = support_binary_named(&b, "p.kc"),
                       names[] = {support_binary_named(&b, "der(x.x)"), support_binary_named(&b, "der(x.v)")};
        for (int k = 0; k < 2; k++) {
            assert_true(support_binary_instantiate(&b, NULL, true));
            const unsigned x = support_binary_named(&b, "x.x");
            assert_int_equal(support_binary_enter(&b, 0.0), DONE);
            assert_int_equal(support_binary_set(&b, 1, &x, &(double){0.25}), DONE);
            assert_int_equal(support_binary_get(&b, 2, names, again), DONE);
            assert_int_equal(support_binary_set(&b, 1, &kc, &stiffness[k]), DONE);
            assert_int_equal(support_binary_derivatives(&b, 2, dx[k]),
                             DONE); /* before it is asked for by name */
            assert_int_equal(support_binary_get(&b, 2, names, again), DONE);
            assert_memory_equal(dx[k], again, sizeof again);
            support_binary_free(&b);
        }
        assert_true(dx[0][1] != dx[1][1]);
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
}

/* The outputs of a whole model are its states: it has derivatives by them, and promises none by time. */
static void a_whole_model_keeps_what_it_promises(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", NULL);
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_binary b;
        double value[8];
        unsigned at[8];
        const ms_fmu_export what = support_export_of(system, NULL, fmi, "exact");
        support_binary_open(&b, &what);
        assert_int_equal(b.description->flags[MS_FMU_CO_SIMULATION].max_output_derivative, 0);
        assert_true(support_binary_instantiate(&b, NULL, false));
        assert_int_equal(support_binary_start(&b, 0.0, NULL), DONE);
        assert_in_range(support_binary_outputs(&b, at), 2, 8);
        assert_int_equal(support_binary_directional(&b, 2, at, 2, at, (const double[]){3.0, 5.0}, value),
                         DONE);
        assert_true(value[0] == 3.0 && value[1] == 5.0);
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
}

/* Two imposed steps are one of twice the length. */
static void imposed_steps_come_in_multiples(void **state)
{
    (void)state;
    ms_system *system = support_system("three-clocks", NULL);
    for (int fmi = 2; fmi <= 3; fmi++) {
        double q[2] = {0.0};
        for (int k = 0; k < 2; k++) {
            support_binary b;
            const ms_fmu_export what = support_export_of(system, "meter", fmi, "rk4");
            support_binary_open(&b, &what);
            const double step = b.description->step_size;
            const unsigned name = support_binary_named(&b, "x.q");
            double held[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{1.0}};
            assert_true(support_binary_instantiate(&b, NULL, false));
            assert_int_equal(support_binary_start(&b, 0.0, NULL), DONE);
            assert_true(support_binary_step(&b, 0.0, 1.5 * step) > DISCARDED);
            for (int part = 0; part <= k; part++) {
                assert_int_equal(support_binary_feed(&b, part * step, 0, held), DONE);
                assert_int_equal(support_binary_step(&b, part * step, k == 0 ? 2.0 * step : step), DONE);
            }
            assert_int_equal(support_binary_get(&b, 1, &name, &q[k]), DONE);
            support_binary_close(&b);
        }
        assert_true(q[0] > 0.0);
        assert_memory_equal(&q[0], &q[1], sizeof q[0]);
    }
    ms_system_destroy(&system);
}

/* Event mode in co-simulation is not there, and a master that asks for it is told. */
static void there_is_no_event_mode_in_co_simulation(void **state)
{
    typedef void heard(void *, int, const char *, const char *);
    typedef void *instantiate(const char *, const char *, const char *, bool, bool, bool, bool,
                              const unsigned *, size_t, void *, heard *, void *);
    (void)state;
    support_binary b;
    char resources[5000];
    ms_system *system = support_system("quarter-car", NULL);
    const ms_fmu_export what = support_export_of(system, "wheel", 3, "exact");
    support_binary_open(&b, &what);
    snprintf(resources, sizeof resources, "%s/resources/", b.folder);
    instantiate *make = (instantiate *)support_binary_find(&b, "InstantiateCoSimulation");
    assert_null(
        make("a", b.description->token, resources, false, false, true, false, NULL, 0, NULL, NULL, NULL));
    support_binary_close(&b);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_discarded_step_changes_nothing),
        cmocka_unit_test(discards_are_said_where_logging_is_on),
        cmocka_unit_test(states_that_jump_are_declared),
        cmocka_unit_test(parameters_count_at_once),
        cmocka_unit_test(a_whole_model_keeps_what_it_promises),
        cmocka_unit_test(imposed_steps_come_in_multiples),
        cmocka_unit_test(there_is_no_event_mode_in_co_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
