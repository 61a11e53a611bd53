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
#include "command_answer.h"
#include "json_schema.h"
#include "support.h"
#include "unit_test.h"

enum { STATES_MAX = 16 };

#define VAN_DER_POL                                                                                          \
    "{\"parameters\": {\"mu\": 2000, \"amplitude\": 0, \"frequency\": 30}, \"subsystems\": [{\"name\": "     \
    "\"oscillator\","                                                                                        \
    "\"states\": {\"x\": {\"derivative\": \"v\", \"start\": 2}, \"v\": {\"derivative\": \"mu*((1 - x^2)*v "  \
    "- x) + u\","                                                                                            \
    "\"start\": -0.6}}, \"external\": {\"u\": \"amplitude*sin(frequency*t)\"}}]}"

#define FORCE   "(fx*cos(alpha) + (fy - m*g)*sin(alpha))"
#define A_UPPER "(" FORCE "/m - d*omega/(m*l))"
#define TENSION "(ax*sin(alpha) - ay*cos(alpha) - l*omega^2 - g*cos(alpha))"
#define PENDULUM                                                                                             \
    "{\"parameters\": {\"m\": 1, \"m2\": 1.5, \"l\": {\"value\": 1, \"unit\": \"m\", \"min\": 0}, \"d\": "   \
    "0.5, \"g\": 9.81,"                                                                                      \
    "\"alpha1\": -1, \"alpha2\": 0.3}, \"subsystems\": ["                                                    \
    "{\"name\": \"top\", \"states\": {\"alpha\": {\"derivative\": \"omega\", \"start\": \"alpha1\"},"        \
    "\"omega\": {\"derivative\": \"(" FORCE "*l - d*omega)/(m*l^2)\"}}, \"inputs\": [\"fx\", \"fy\"],"       \
    "\"outputs\": {\"ax\": \"" A_UPPER "*cos(alpha) - omega^2*l*sin(alpha)\","                               \
    "\"ay\": \"" A_UPPER "*sin(alpha) + omega^2*l*cos(alpha)\"}},"                                           \
    "{\"name\": \"bottom\", \"states\": {\"alpha\": {\"derivative\": \"omega\", \"start\": \"alpha2\"},"     \
    "\"omega\": {\"derivative\": \"-(g*sin(alpha) + ax*cos(alpha) + ay*sin(alpha))/l\"}},"                   \
    "\"inputs\": {\"ax\": {\"unit\": \"m/s^2\"}, \"ay\": {\"unit\": \"m/s^2\"}},"                            \
    "\"outputs\": {\"fx\": \"-m2*" TENSION "*sin(alpha)\", \"fy\": \"m2*" TENSION "*cos(alpha)\"}}],"        \
    "\"wires\": [{\"from\": \"bottom.fx\", \"to\": \"top.fx\"}, {\"from\": \"bottom.fy\", \"to\": "          \
    "\"top.fy\"},"                                                                                           \
    "{\"from\": \"top.ax\", \"to\": \"bottom.ax\"}, {\"from\": \"top.ay\", \"to\": \"bottom.ay\"}]}"

#define BELL                                                                                                 \
    "{\"parameters\": {\"g0\": 9.81, \"l\": 1}, \"subsystems\": [{\"name\": \"bell\", \"states\": {"         \
    "\"theta\": {\"derivative\": \"omega\", \"start\": 1.57079632679489662},"                                \
    "\"omega\": {\"derivative\": \"-(g0/l)*sin(theta)\", \"start\": -4}},"                                   \
    "\"events\": [{\"when\": \"theta + 3*pi/4\", \"direction\": \"fall\", \"then\": {\"omega\": "            \
    "\"-omega\"}}],"                                                                                         \
    "\"energy\": \"0.5*l^2*omega^2 + g0*l*(1 - cos(theta))\"}]}"

#define RUN_OFF "a*sqrt(2*g*x)"
#define UPPER(i, u)                                                                                          \
    "{\"name\": \"tank" i "\", \"states\": {\"x\": {\"start\": \"x" i "_start\", \"derivative\":"            \
    " \"((1 - share)*pump*" u " - " RUN_OFF ")/A\"}}, \"outputs\": {\"q\": \"" RUN_OFF                       \
    "\"}, \"external\": {" VOLTAGES "}}"
#define LOWER(i, u)                                                                                          \
    "{\"name\": \"tank" i "\", \"states\": {\"x\": {\"start\": \"x" i "_start\", \"derivative\":"            \
    " \"(q_in + share*pump*" u " - " RUN_OFF                                                                 \
    ")/A\"}}, \"inputs\": [\"q_in\"], \"outputs\": {\"q\": \"" RUN_OFF "\"},"                                \
    "\"external\": {" VOLTAGES "}}"
#define VOLTAGES "\"u1\": \"5.2 + 1.5*sin(2*pi*t/30)\", \"u2\": \"5.2 + 1.5*sin(2*pi*t/22 + 2)\""
#define TANKS                                                                                                \
    "{\"end\": 60, \"step_size\": 1, \"parameters\": {\"A\": 4.9e-4, \"a\": 0.03e-4, \"g\": 9.81, "          \
    "\"pump\": 0.56e-6,"                                                                                     \
    "\"share\": 0.3, \"x1_start\": 0.0627, \"x2_start\": 0.06044, \"x3_start\": 0.024, \"x4_start\": "       \
    "0.023},"                                                                                                \
    "\"subsystems\": [" LOWER("1", "u1") ", " LOWER("2", "u2") ", " UPPER("3", "u2") ", " UPPER(             \
        "4", "u1") "],"                                                                                      \
                   "\"wires\": [[0, 2, 1], {\"from\": \"tank4.q\", \"to\": \"tank2.q_in\"}]}"

/* What is written out, with settings that are named alike. */
static const struct {
    const char *text, *model, *settings, *own_settings, *options;
} twins[] = {
    {VAN_DER_POL, "van-der-pol", "mu=20 amplitude=100", "mu=20 amplitude=100", "stop-time=2 step-size=1e-3"},
    {PENDULUM, "double-pendulum", "", "", "stop-time=5 step-size=0.01"},
    {PENDULUM, "double-pendulum", "m1=2 alpha1=0.4", "m=2 alpha1=0.4",
     "stop-time=2 step-size=0.01 extrapolation-order=1"},
    {PENDULUM, "double-pendulum", "", "",
     "scheme=gauss-seidel stop-time=2 step-size=0.01 smooth-coupling=c1"},
    {BELL, "bell", "", "", "stop-time=10 step-size=0.01"},
    {TANKS, "quadruple-tank", "", "", "stop-time=60 step-size=1 extrapolation-order=2"},
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

#define ONE(members)                                                                                         \
    "{\n\"subsystems\": [\n{\"name\": \"first\", \"outputs\": {}},\n{\"name\": \"s\", " members              \
    "}],\n\"wires\": []}"

static bool is_read(const char *text)
{
    char path[4096];
    ms_model *model;
    support_temporary_file(text, path, sizeof path);
    const int status = ms_model_read(path, &model, NULL);
    remove(path);
    ms_model_destroy(&model);
    return status == MS_OK;
}

static void check_taken(const json_t *root)
{
    char why[512], *text = json_dumps(root, JSON_ENCODE_ANY);
    if (is_read(text) && !support_schema_fits(SUPPORT_SCHEMAS, "system.json", root, why, sizeof why))
        fail_msg("%s\nis read, but: %s", text, why);
    free(text);
}

static void check_mutants(const json_t *root, json_t *at);

/* Values of all types in the place of the element, which `set` puts there, and in those of all that it holds. */
static void check_element(const json_t *root, json_t *at, const char *name, size_t index, json_t *element)
{
    static const char *const others[] = {"null", "true", "-1",    "1.5",      "\"x\"",
                                         "[]",   "{}",   "[[0]]", "[0, 0, 0]"};
    json_incref(element);
    for (int k = 0; k <= MS_COUNT(others); k++) {
        json_t *other =
            k < MS_COUNT(others) ? json_loads(others[k], JSON_DECODE_ANY, NULL) : json_incref(element);
        assert_int_equal(
            name != NULL ? json_object_set_new(at, name, other) : json_array_set_new(at, index, other), 0);
        check_taken(root);
    }
    check_mutants(root, element);
    json_decref(element);
}

static void check_mutants(const json_t *root, json_t *at)
{
    for (void *it = json_object_iter(at); it != NULL; it = json_object_iter_next(at, it))
        check_element(root, at, json_object_iter_key(it), 0, json_object_iter_value(it));
    for (size_t k = 0; k < json_array_size(at); k++)
        check_element(root, at, NULL, k, json_array_get(at, k));
}

/* Whatever the reader takes fits the schema, in files with a value of another type in each place. */
static void test_schema_of_mutants(void **state)
{
    (void)state;
    static const char *const texts[] = {
        VAN_DER_POL, BELL,
        "{\"name\": \"all\", \"parameters\": {\"k\": {\"value\": 1, \"unit\": \"m\", \"min\": 0, \"max\": 9, "
        "\"summary\": "
        "\"k\", \"integer\": true}}, \"end\": 1, \"step_size\": 0.1, \"subsystems\": ["
        "{\"name\": \"m\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]], \"D\": [[0]], \"E\": [[1]], \"F\": "
        "[[0]], \"x0\": "
        "[1], \"external\": {\"w\": \"t\"}, \"energy\": \"x1\", \"ports\": [{\"name\": \"p\", \"input\": "
        "\"u1\", "
        "\"output\": 0, \"gain\": 1}]},"
        "{\"name\": \"e\", \"outputs\": {\"y\": {\"value\": \"z\", \"unit\": \"m\"}}, \"discrete\": {\"z\": "
        "1}, "
        "\"inputs\": {\"u\": {\"unit\": \"m\"}}, \"events\": [{\"when\": \"t\", \"direction\": \"rise\", "
        "\"then\": "
        "{\"z\": 0}}]},"
        "{\"name\": \"c\", \"model\": \"quarter-car\", \"subsystem\": \"wheel\", \"case\": \"physical\", "
        "\"set\": "
        "{\"kc\": \"k\"}}],"
        "\"wires\": [[0, 0, 1], {\"from\": \"m.y1\", \"to\": \"e.u\", \"gain\": 1, \"offset\": 1}]}"};
    for (int k = 0; k < MS_COUNT(texts); k++) {
        json_t *root = json_loads(texts[k], 0, NULL);
        assert_true(is_read(texts[k]));
        check_mutants(root, root);
        json_decref(root);
    }
}

/* A name of 101 letters, one too many. */
#define FIFTY "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
static const char long_name[] = "{\"subsystems\": [{\"A\": [], \"name\": \"" FIFTY FIFTY "n\"}]}";

/* The schema knows what the reader takes, and no more. */
static void test_schema(void **state)
{
    (void)state;
    static const char *const good
        [] = {VAN_DER_POL, PENDULUM, BELL, TANKS},
    *const bad[] = {
        "{}",
        "{\"subsystems\": []}",
        "{\"subsystems\": [{\"B\": [[1]]}]}",
        "{\"subsystems\": [{}]}",
        long_name,
        "{\"subsystems\": [{\"inputs\": [], \"events\": []}]}",
        "{\"subsystems\": [{\"A\": []}], \"wires\": [[0.5, 0, 1]]}",
        "{\"subsystems\": [{\"A\": []}], \"wires\": [[0, -1, 1]]}",
        "{\"subsystems\": [{\"states\": {}, \"ports\": [{\"name\": \"p\", \"input\": -1, \"output\": 0}]}]}",
        "{\"subsystems\": [{\"name\": \"\", \"A\": []}]}",
        "{\"subsystems\": [{\"A\": [[1]], \"states\": {}}]}",
        "{\"subsystems\": [{\"model\": \"bell\", \"A\": []}]}",
        "{\"subsystems\": [{\"A\": []}], \"wires\": [[0, 1]]}",
        "{\"subsystems\": [{\"A\": []}], \"end\": 0}",
        "{\"subsystems\": [{\"states\": {\"x\": {\"start\": 1}}}]}",
        "{\"subsystems\": [{\"A\": []}], \"parameters\": {\"k\": \"1\"}}",
        "{\"subsystems\": [{\"states\": {}, \"events\": [{\"when\": \"x\", \"then\": 7}]}]}"};
    char why[512];
    for (int k = 0; k < MS_COUNT(good); k++) {
        json_t *value = json_loads(good[k], 0, NULL);
        if (!support_schema_fits(SUPPORT_SCHEMAS, "system.json", value, why, sizeof why))
            fail_msg("%s\n%s", good[k], why);
        assert_true(is_read(good[k]));
        json_decref(value);
    }
    for (int k = 0; k < MS_COUNT(bad); k++) {
        json_t *value = json_loads(bad[k], 0, NULL);
        assert_non_null(value);
        if (support_schema_fits(SUPPORT_SCHEMAS, "system.json", value, why, sizeof why))
            fail_msg("%s fits", bad[k]);
        assert_false(is_read(bad[k]));
        json_decref(value);
    }
}

/* Refusals ----------------------------------------------------------------------------------------------- */

#define STATE(text) ONE("\"states\": {\"x\": {\"derivative\": \"" text "\"}}, \"inputs\": [\"F\"]")
#define STATE_BEGINS                                                                                         \
    "{\n\"subsystems\": [\n{\"name\": \"first\", \"outputs\": {}},\n{\"name\": \"s\", \"states\": {\"x\": {" \
    "\"derivative\": \""
#define STATE_ENDS "\"}}}], \"wires\": []}"
#define WIRE(text)                                                                                           \
    "{\"subsystems\": [{\"name\": \"a\", \"outputs\": {\"y\": \"1\"}}, {\"name\": \"b\", \"inputs\": "       \
    "[\"u\"], \"outputs\": {}}],"                                                                            \
    "\"wires\": [" text "]}"

static void check_refused(const char *text, const char *expected)
{
    char path[4096];
    ms_model *model;
    ms_error error;
    support_temporary_file(text, path, sizeof path);
    const int status = ms_model_read(path, &model, &error);
    remove(path);
    assert_null(model);
    if (status != MS_INVALID || strstr(error.text, expected) == NULL ||
        strncmp(error.text, path, strlen(path)) != 0)
        fail_msg("%s\n%d: \"%s\" does not say \"%s\"", text, status, error.text, expected);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } bad[] = {
        {STATE("-k*x"),
         "line 4: subsystem s: the derivative of x: at position 2, 'k': a name that is known is "
         "expected (-k*x); there are: t, x, F, pi"},
        {STATE("sin(x"), "the derivative of x: it ends where ')' is expected"},
        {STATE(""), "the derivative of x: it ends where a value is expected"},
        {STATE("x = 2"), "'=': == for a comparison, as = assigns nothing, is expected"},
        {STATE("x, F"), "',': one value is expected"},
        {STATE("_pi*x"), "_pi"},
        {ONE("\"states\": {\"x\": 1}"), "line 4: subsystem s: state x is not an object"},
        {ONE("\"states\": {\"x\": {\"start\": 1}}"), "the derivative of x is not an expression"},
        {ONE("\"states\": {\"x\": {\"derivativ\": \"1\"}}"),
         "unknown member derivativ; the nearest is derivative"},
        {ONE("\"states\": {\"sin\": {\"derivative\": \"1\"}}"), "state sin: that name means something"},
        {ONE("\"states\": {\"2x\": {\"derivative\": \"1\"}}"), "state '2x': a letter or '_'"},
        {ONE("\"states\": {\"x\": {\"derivative\": \"1\"}}, \"inputs\": [\"x\"]"), "the name x stands twice"},
        {ONE("\"states\": {}, \"inputs\": [7]"), "input ''"},
        {ONE("\"states\": {}, \"inputs\": 7"), "inputs is not a list of names"},
        {ONE("\"states\": {}, \"inputs\": {\"u\": 7}"), "input u is not an object"},
        {ONE("\"states\": {}, \"inputs\": {\"u\": {\"units\": \"m\"}}"),
         "unknown member units; the nearest is unit"},
        {ONE("\"states\": {}, \"outputs\": {\"y\": true}"), "output y is not an expression"},
        {ONE("\"states\": {}, \"events\": [{\"when\": \"1\", \"then\": {\"v\": \"1\"}}]"),
         "there is no state and no discrete variable"},
        {ONE("\"states\": {\"v\": {\"derivative\": \"1\"}}, \"events\": [{\"when\": \"v\", \"then\": {\"w\": "
             "\"1\"}}]"),
         "the nearest is v"},
        {ONE("\"states\": {\"v\": {\"derivative\": \"1\"}}, \"events\": [{\"when\": \"v\", \"direction\": "
             "\"down\", \"then\": {\"v\": 1}}]"),
         "neither rise nor fall"},
        {ONE("\"states\": {\"v\": {\"derivative\": \"1\"}}, \"events\": [{\"then\": {\"v\": 1}}]"),
         "when of an event is not an expression"},
        {ONE("\"states\": {}, \"energy\": \"F\""), "energy: at position 1, 'F': a name that is known"},
        {ONE("\"states\": {}, \"external\": {\"w\": \"x\"}"), "external input w: at position 1, 'x'"},
        {ONE("\"states\": {}, \"ports\": [{\"name\": \"p\", \"input\": \"F\"}]"),
         "port: input is not the name of one of 0 inputs"},
        {ONE("\"A\": [[\"k\"]], \"B\": [[1]], \"C\": [[1]]"), "row 1, column 1 of A: at position 1, 'k'"},
        {ONE("\"A\": [[\"t\"]], \"B\": [[1]], \"C\": [[1]]"),
         "row 1, column 1 of A: matrices do not depend on t"},
        {ONE("\"model\": \"quarter-cart\""), "unknown model quarter-cart; the nearest is quarter-car"},
        {ONE("\"model\": \"quarter-car\", \"subsystem\": \"wheels\""),
         "has no subsystem wheels; the nearest is wheel"},
        {ONE("\"model\": \"quarter-car\", \"subsystem\": \"wheel\", \"set\": {\"mw\": -1}"),
         "parameter mw of model quarter-car is -1"},
        {ONE("\"model\": \"quarter-car\", \"subsystem\": \"wheel\", \"set\": {\"kk\": 1}"),
         "no parameter kk"},
        {WIRE("{\"from\": \"a.y\", \"to\": \"c.u\"}"), "wires[0]: c.u belongs to no subsystem"},
        {WIRE("{\"from\": \"a.y\", \"to\": \"b.v\"}"),
         "wires[0]: subsystem b has no input v; the nearest is u"},
        {WIRE("{\"from\": \"b.y\", \"to\": \"b.u\"}"), "wires[0]: subsystem b has no outputs"},
        {WIRE("{\"from\": \"a\", \"to\": \"b.u\"}"), "from is not of the form \"SUBSYSTEM.OUTPUT\""},
        {WIRE("{\"from\": \"a.y\", \"to\": \"b.u\", \"gain\": \"k\"}"), "gain is not a number"},
        {"{\"parameters\": {\"k\": {\"value\": -1, \"min\": 0}}, \"subsystems\": []}",
         "parameter k is -1, but its range is [0, inf]"},
        {"{\"parameters\": {\"k\": \"1\"}, \"subsystems\": []}",
         "parameter k is neither a number nor an object"},
        {"{\"parameters\": {\"k\": {\"value\": 1.5, \"integer\": true}}, \"subsystems\": []}",
         "whole number"},
    };
    for (int i = 0; i < MS_COUNT(bad); i++)
        check_refused(bad[i].text, bad[i].expected);
}

/* What is wrong is said whatever the length of what is wrong. */
static void test_long(void **state)
{
    (void)state;
    static const int lengths[] = {101, 900, 1100, 2047, 2048, 3000, 9000};
    static const struct {
        const char *before, *after, *expected;
    } bad[] = {
        {STATE_BEGINS, STATE_ENDS, "line 4: subsystem s: the derivative of x: "},
        {STATE_BEGINS "@", STATE_ENDS, "line 4: subsystem s: the derivative of x: "},
        {STATE_BEGINS "sin(x) + ", STATE_ENDS, "line 4: subsystem s: the derivative of x: "},
        {"{\"subsystems\": [{\"name\": \"", "\"}]}", "at most 100 letters"},
        {"{\"subsystems\": [{\"outputs\": {}, \"inputs\": [\"", "\"]}]}", "at most 100 characters"},
        {"{\"subsystems\": [{\"model\": \"", "\"}]}", "the nearest is"},
        {"{\"subsystems\": [{\"model\": \"bell\", \"subsystem\": \"", "\"}]}", "the nearest is"},
        {"{\"subsystems\": [{\"outputs\": {}, \"", "\": 1}]}", "the nearest is"},
        {"{\"subsystems\": [{\"outputs\": {\"y\": 1}}], \"wires\": [{\"to\": \"", ".u\"}]}",
         "the nearest is"},
    };
    static char text[10000], name[9001];
    for (int i = 0; i < MS_COUNT(bad); i++)
        for (int k = 0; k < MS_COUNT(lengths); k++) {
            memset(name, 'a', (size_t)lengths[k]);
            name[lengths[k]] = '\0';
            snprintf(text, sizeof text, "%s%s%s", bad[i].before, name, bad[i].after);
            check_refused(text, bad[i].expected);
        }
}

/* A line stays one, and says nothing to a terminal. */
static void test_control_characters(void **state)
{
    (void)state;
    check_refused("{\"subsystems\": [{\"outputs\": {}, \"a\\n\\u001b[2J\\tb\": 1}]}",
                  "'a  [2J b' has a control character; letters, digits and signs are expected");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_schema_of_mutants),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
