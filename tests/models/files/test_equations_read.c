/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_equations_read.c - subsystems of a file by their equations, and from the catalogue, against the same in C: the
 * catalogue's models, written anew as text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "catalogue_texts.h"
#include "command_answer.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

enum { STATES_MAX = 16 };

static const struct {
    const char *text, *model, *settings, *own_settings, *options;
} twins[] = {
    {SUPPORT_VAN_DER_POL, "van-der-pol", "mu=20 amplitude=100", "mu=20 amplitude=100",
     "stop-time=2 step-size=1e-3"},
    {SUPPORT_PENDULUM, "double-pendulum", "", "", "stop-time=5 step-size=0.01"},
    {SUPPORT_PENDULUM, "double-pendulum", "m1=2 alpha1=0.4", "m=2 alpha1=0.4",
     "stop-time=2 step-size=0.01 extrapolation-order=1"},
    {SUPPORT_PENDULUM, "double-pendulum", "", "",
     "scheme=gauss-seidel stop-time=2 step-size=0.01 smooth-coupling=c1"},
    {SUPPORT_BELL, "bell", "", "", "stop-time=10 step-size=0.01"},
    {SUPPORT_TANKS, "quadruple-tank", "", "", "stop-time=60 step-size=1 extrapolation-order=2"},
};

/* "name=value name=value" for a system of the text's model. */
static ms_system *bind(const ms_model *model, const char *settings)
{
    ms_setting setting[8];
    char copy[256], *save = NULL;
    int n = 0;
    snprintf(copy, sizeof copy, "%s", settings);
    for (char *word = strtok_r(copy, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        setting[n++] = (ms_setting){word, strtod(equals + 1, NULL)};
    }
    return support_system_set(model, setting, n);
}

/* The largest distance of the final states, by that solver. */
static double distance(int k, const char *solver)
{
    ms_model *model = support_model_read(twins[k].text);
    ms_system *written = bind(model, twins[k].own_settings),
              *built = bind(ms_catalogue_find(twins[k].model), twins[k].settings);
    const ms_options options = support_options_of("%s %s", twins[k].options, solver);
    double x[STATES_MAX], expected[STATES_MAX];
    assert_int_equal(written->nx, built->nx);
    support_finish(written, &options, x, NULL);
    support_finish(built, &options, expected, NULL);
    const double far = support_distance(built->nx, x, expected);
    ms_system_destroy(&written);
    ms_system_destroy(&built);
    ms_model_destroy(&model);
    return far;
}

/* To round-off by the classical Runge-Kutta method, which asks for values of f alone. */
static void test_same_by_runge_kutta(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(twins); k++)
        assert_true(distance(k, "solver=rk4 micro-steps=10") < 1e-12);
}

/* To its tolerance by CVODE, which takes Jacobians from differences there and from formulas here. */
static void test_same_by_cvode(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(twins); k++)
        assert_true(distance(k, "solver=cvode-bdf solver-rtol=1e-10 solver-atol=1e-12") < 2e-7);
}

/* Which outputs feed through is known from what their expressions name. */
static void test_feed_through(void **state)
{
    (void)state;
    ms_model *model = support_model_read("{\"subsystems\": [{\"name\": \"a\", \"states\": {\"x\": "
                                         "{\"derivative\": \"p + q\"}}, \"inputs\": [\"p\", \"q\"],"
                                         "\"outputs\": {\"first\": \"x\", \"second\": \"x + 0*q\", "
                                         "\"third\": {\"value\": \"p*q\", \"unit\": \"W\"}}}],"
                                         "\"wires\": []}");
    ms_system *system = support_system_of(model);
    static const bool expected[] = {false, false, false, true, true, true};
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 2; i++)
            assert_true(ms_subsystem_feeds_through(system, 0, j, i) == expected[2 * j + i]);
    assert_string_equal(system->sub[0].y[2].unit, "W");
    assert_string_equal(system->sub[0].y[0].unit, "1");
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Expressions among the entries of matrices are those of the parameters. */
static void test_matrices(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"parameters\": {\"k\": 3, \"m\": 2}, \"subsystems\": [{\"name\": \"s\", \"A\": [[\"0\", 1], "
        "[\"-k/m\", \"-1/m\"]],"
        "\"B\": [[0], [\"1/m\"]], \"C\": [[\"k\", 0]], \"E\": [[0], [5]], \"F\": [[\"m^2\"]], \"x0\": [\"k + "
        "m\", 7],"
        "\"external\": {\"road\": \"k*sin(t)\"}, \"energy\": \"x1^2 + m*x2\"}], \"wires\": [[0, 0, -1]]}");
    const ms_setting setting = {"m", 4.0};
    ms_system *system = support_system_set(model, &setting, 1);
    const double A[] = {0.0, 1.0, -0.75, -0.25};
    double x[2], w;
    ms_system_start(system, x);
    assert_true(system->linear && x[0] == 7.0 && x[1] == 7.0 && ms_system_energy(system, x) == 77.0);
    assert_memory_equal(system->blocks[0].A, A, sizeof A);
    assert_true(system->blocks[0].B[1] == 0.25 && system->blocks[0].C[0] == 3.0 &&
                system->blocks[0].F[0] == 16.0);
    ms_subsystem_external(system, &system->sub[0], 2.0, &w);
    assert_true(w == 3.0 * sin(2.0) && !system->sub[0].external_constant);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* A pair of the catalogue, taken apart and put together: the same bits, at parameters that the file's make. */
static void test_catalogued(void **state)
{
    (void)state;
    static const char *const schemes[] = {"", "scheme=zoh-iterative",
                                          "extrapolation-order=2 smooth-coupling=c1"};
    ms_model *model = support_model_read(
        "{\"end\": 1, \"step_size\": 0.001, \"parameters\": {\"half\": {\"value\": 7500, \"min\": 0}, "
        "\"ground\": 0.1}, \"subsystems\": ["
        "{\"name\": \"chassis\", \"model\": \"quarter-car\", \"set\": {\"kc\": \"2*half\"}},"
        "{\"name\": \"below\", \"model\": \"quarter-car\", \"subsystem\": \"wheel\", \"set\": {\"kc\": "
        "\"2*half\", \"road\": \"ground\"}}],"
        "\"wires\": [{\"from\": \"below.x\", \"to\": \"chassis.x\"}, {\"from\": \"below.v\", \"to\": "
        "\"chassis.v\"},"
        "{\"from\": \"chassis.x\", \"to\": \"below.x\"}, {\"from\": \"chassis.v\", \"to\": \"below.v\"}]}");
    const ms_setting half = {"half", 6000.0}, kc = {"kc", 12000.0};
    ms_system *system = support_system_set(model, &half, 1),
              *built = support_system_with("quarter-car", &kc, 1);
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        const ms_options options = support_options_of("stop-time=1 step-size=0.001 %s", schemes[k]);
        double x[4], expected[4];
        support_finish(system, &options, x, NULL);
        support_finish(built, &options, expected, NULL);
        assert_memory_equal(x, expected, sizeof x);
    }
    ms_system_destroy(&system);
    ms_system_destroy(&built);
    const ms_setting bad = {"half", 1e300};
    system = support_system_set(model, &bad, 1); /* large, but within its range */
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Subsystems of all models, nonlinear and hybrid ones and those that are built, are what they are in their model. */
static void test_all_of_the_catalogue(void **state)
{
    (void)state;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *built = support_system_of(*model);
        for (int i = 0; i < built->n && i < 3; i++) {
            char text[512];
            snprintf(text, sizeof text,
                     "{\"subsystems\": [{\"model\": \"%s\", \"subsystem\": \"%s\"}], \"wires\": []}",
                     (*model)->name, built->sub[i].name);
            ms_model *alone = support_model_read(text);
            ms_system *system = support_system_of(alone);
            const ms_subsystem *sub = &system->sub[0];
            double x[64], all[1024];
            assert_true(built->nx <= 1024 && sub->nx <= 64);
            assert_true(sub->nx == built->sub[i].nx && sub->nu == built->sub[i].nu &&
                        sub->ny == built->sub[i].ny);
            assert_true((sub->matrices != NULL) == (built->sub[i].matrices != NULL));
            ms_system_start(system, x);
            ms_system_start(built, all);
            assert_memory_equal(x, all + built->x_at[i], sizeof(double) * (size_t)sub->nx);
            ms_system_destroy(&system);
            ms_model_destroy(&alone);
        }
        ms_system_destroy(&built);
    }
}

/* A run that leaves the domain of an event's indicator, x < 0, ends there and says so. */
static void test_undefined_indicator(void **state)
{
    (void)state;
    ms_model *model = support_model_read("{\"subsystems\": [{\"name\": \"a\", \"outputs\": {\"y\": \"x\"}, "
                                         "\"states\": {\"x\": {\"derivative\": \"-2\", "
                                         "\"start\": 1}}, \"events\": [{\"when\": \"sqrt(x) - 3\", \"then\": "
                                         "{\"x\": \"4\"}}]}], \"wires\": []}");
    ms_system *system = support_system_of(model);
    const ms_options options = support_options("solver=rk4 step-size=0.01 stop-time=1");
    const ms_run_result result = support_run(system, &options, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
    support_near(result.end_time, 0.5, 0.0101); /* x = 1 - 2 t */
    if (strstr(result.message, "subsystem a failed") == NULL ||
        strstr(result.message, "an event indicator is not defined or not finite") == NULL)
        fail_msg("%s", result.message);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* An offset is added to what the wire brings. */
static void test_offset(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"name\": \"a\", \"outputs\": {\"y\": \"2\"}}, {\"name\": \"b\", \"inputs\": "
        "[\"u\"], \"outputs\": {\"y\": \"u\"}}],"
        "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\", \"gain\": 1.5, \"offset\": 50}]}");
    ms_system *system = support_system_of(model);
    const double y[] = {2.0, 0.0, 1.0};
    double u[1];
    ms_system_couple(system, y, u);
    assert_true(system->n == 3 && u[0] == 53.0);
    assert_true(system->sub[2].gives_offsets);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* c = sqrt(5 - (1.8 - c)^2 - 1.8^2) is c = 0.9 - or + sqrt(1.12) / 4, and not defined at c = 0. */
static void loops_are_solved_from_starts(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *c;
        int sign; /* of the solution; 0: none is found */
    } cases[] = {{"[\"c\"]", "[\"a\", \"b\"]", "\"sqrt(5-a^2-b^2)\"", 0},
                 {"{\"c\": {\"start\": 1}}", "[\"a\", \"b\"]", "\"sqrt(5-a^2-b^2)\"", 1},
                 {"{\"c\": {\"start\": 0.63}}", "[\"a\", \"b\"]", "\"sqrt(5-a^2-b^2)\"", -1},
                 {"[\"c\"]", "{\"a\": {\"start\": 0.8}, \"b\": {}}", "\"sqrt(5-a^2-b^2)\"", 1},
                 {"[\"c\"]", "[\"a\", \"b\"]", "{\"value\": \"sqrt(5-a^2-b^2)\", \"start\": 1}", 1},
                 {"[\"c\"]", "[\"a\", \"b\"]", "{\"value\": \"sqrt(5-a^2-b^2)\", \"start\": 0.63}", -1}};
    for (int k = 0; k < MS_COUNT(cases); k++) {
        char text[1000];
        double y[3];
        const ms_options run = support_options("outputs=consistent step-size=0.1 stop-time=1");
        snprintf(
            text, sizeof text,
            "{\"subsystems\": [{\"name\": \"A\", \"inputs\": %s, \"outputs\": {\"a\": \"1.8-c\", \"b\": "
            "\"-1.8\"}}, {\"name\": \"B\", \"inputs\": %s, \"outputs\": {\"c\": %s}}], \"wires\": "
            "[{\"from\": "
            "\"A.a\", \"to\": \"B.a\"}, {\"from\": \"A.b\", \"to\": \"B.b\"}, {\"from\": \"B.c\", \"to\": "
            "\"A.c\"}]}",
            cases[k].a, cases[k].b, cases[k].c);
        ms_model *model = support_model_read(text);
        ms_system *system = support_system_of(model);
        const ms_run_result result = support_run(system, &run, NULL, y);
        assert_int_equal(result.reason, cases[k].sign != 0 ? MS_REASON_END_TIME : MS_REASON_NO_SOLUTION);
        if (cases[k].sign != 0)
            assert_true(fabs(y[2] - (0.9 + cases[k].sign * sqrt(1.12) / 4.0)) < 1e-9);
        else
            support_says(result.message, "\"start\" of its inputs or outputs gives others");
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* An input that no wire ends in keeps its start. */
static void free_inputs_keep_their_start(void **state)
{
    (void)state;
    double y[2]; /* behind it that of what offsets come from */
    const ms_options run = support_options("step-size=0.5 stop-time=1");
    ms_model *model =
        support_model_read("{\"subsystems\": [{\"name\": \"a\", \"inputs\": {\"u\": {\"start\": 3}}, "
                           "\"outputs\": {\"y\": \"2*u\"}}], \"wires\": []}");
    ms_system *system = support_system_of(model);
    support_finish(system, &run, NULL, y);
    assert_true(y[0] == 6.0);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* log(-x) has no value, sqrt(x - 0.5) none from 0.69 s on: the run goes on where no wire carries them, its rows read back, and it ends
 * where one does. */
static void test_undefined_outputs(void **state)
{
    (void)state;
    static const char text[] =
        "{\"name\": \"undef\", \"end\": 1, \"step_size\": 0.1, \"subsystems\": [{\"name\": \"a\", \"states\": {\"x\": "
        "{\"derivative\": \"-x\", \"start\": 1}}, \"outputs\": {\"y\": \"x\", \"r\": \"log(-x)\", \"s\": \"sqrt(x - "
        "0.5)\"}}, {\"name\": \"b\", \"inputs\": {\"f\": {}}, \"states\": {\"v\": {\"derivative\": \"f - v\"}}, "
        "\"outputs\": {\"w\": \"v\"}}], \"wires\": [{\"from\": \"a.%s\", \"to\": \"b.f\"}]}";
    static const char *const schemes[] = {"jacobi --extrapolation-order 2",
                                          "gauss-seidel",
                                          "zoh-iterative",
                                          "ijcsa",
                                          "balance",
                                          "strang",
                                          "nepce",
                                          "waveform"};
    char file[600], rows[256];
    snprintf(file, sizeof file, text, "y");
    const char *path = support_folder_write("undef.json", file);
    snprintf(rows, sizeof rows, "%s", support_folder_path("undef.csv"));
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        json_t *run = support_answer_of("run %s --scheme %s --trajectory %s", path, schemes[k], rows);
        assert_string_equal(json_string_value(json_object_get(run, "reason")), "end-time");
        json_decref(run);
    }
    json_t *judged = support_answer_of("judge %s %s", rows, path),
           *row = json_array_get(json_object_get(judged, "rows"), 0);
    assert_int_equal(json_array_size(json_object_get(row, "ignored")), 2);
    assert_true(json_number_value(json_object_get(row, "error")) < 0.05);
    json_decref(judged);
    snprintf(file, sizeof file, text, "s");
    json_t *run = support_answer_of("run %s --errors none", support_folder_write("undef.json", file));
    assert_string_equal(json_string_value(json_object_get(run, "reason")), "diverged");
    json_decref(run);
}

/* What holds an input at its start is no subsystem without an energy: x = 2 - exp(-t), E = x^2 / 2. */
static void test_energies_beside_constants(void **state)
{
    (void)state;
    const char *path = support_folder_write(
        "energies.json",
        "{\"end\": 1, \"step_size\": 0.1, \"subsystems\": [{\"name\": \"a\", \"inputs\": {\"f\": {\"start\": "
        "2}}, \"states\": {\"x\": {\"derivative\": \"f - x\", \"start\": 1}}, \"outputs\": {\"y\": \"x\"}, "
        "\"energy\": \"x * x / 2\"}], \"wires\": []}");
    char rows[256];
    snprintf(rows, sizeof rows, "%s", support_folder_path("energies.csv"));
    json_t *run = support_answer_of("run %s --errors none --energy %s", path, rows);
    const double x = 2.0 - exp(-1.0),
                 end = json_number_value(json_object_get(json_object_get(run, "energy"), "end"));
    assert_true(fabs(end - 0.5 * x * x) < 1e-9);
    json_decref(run);
    support_shell("grep -v '^#' %s | head -1 | grep -qx time,a.energy,energy", rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undefined_outputs),
        cmocka_unit_test(test_energies_beside_constants),
        cmocka_unit_test(test_same_by_runge_kutta),
        cmocka_unit_test(test_same_by_cvode),
        cmocka_unit_test(test_feed_through),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_catalogued),
        cmocka_unit_test(test_undefined_indicator),
        cmocka_unit_test(test_all_of_the_catalogue),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(loops_are_solved_from_starts),
        cmocka_unit_test(free_inputs_keep_their_start),
    };
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
