/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_others.c - exported FMUs have every function of the standard: those for which they have nothing say so, and what is
 * asked about names, resources and steps is answered. */
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

/* It failed, and said that there is nothing of the kind of that function. */
static void refused(support_binary *b, const char *name, int status)
{
    char line[200];
    snprintf(line, sizeof line, "fmi%d%s: this FMU has nothing of that kind", b->fmi, name);
    assert_int_equal(status, WRONG);
    assert_string_equal(b->said, line);
    b->said[0] = '\0';
}

/* Types of variables that there are none of ----------------------------------------------------------------- */

/* How many arrays, or numbers of values (N), follow the references. */
typedef enum shape { ONE, TWO, THREE, ONE_N, TWO_N } shape;

static int call_shape(const support_binary *b, const char *name, shape s, size_t n)
{
    void *c = b->c, *a = (uint64_t[1]){0}, *more = (uint64_t[1]){0}, *last = (uint64_t[1]){0};
    const unsigned vr[1] = {0};
    switch (s) {
    case ONE:
        return CALL(b, name, void *, const unsigned *, size_t, void *)(c, vr, n, a);
    case TWO:
        return CALL(b, name, void *, const unsigned *, size_t, void *, void *)(c, vr, n, a, more);
    case THREE:
        return CALL(b, name, void *, const unsigned *, size_t, void *, void *, void *)(c, vr, n, a, more,
                                                                                       last);
    case ONE_N:
        return CALL(b, name, void *, const unsigned *, size_t, void *, size_t)(c, vr, n, a, n);
    case TWO_N:
        break;
    }
    return CALL(b, name, void *, const unsigned *, size_t, void *, void *, size_t)(c, vr, n, a, more, n);
}

/* No variable of that type may be asked for; asking for none is right. */
static void check_type(support_binary *b, const char *name, shape s)
{
    b->said[0] = '\0';
    assert_int_equal(call_shape(b, name, s, 0), DONE);
    assert_string_equal(b->said, "");
    refused(b, name, call_shape(b, name, s, 1));
}

/* Get and Set of n types. */
static void check_types(support_binary *b, size_t n, const char *const *types, shape s)
{
    char name[40];
    for (size_t k = 0; k < 2 * n; k++) {
        snprintf(name, sizeof name, "%s%s", k % 2 == 0 ? "Get" : "Set", types[k / 2]);
        check_type(b, name, s);
    }
}

static void test_other_types_2(void **state)
{
    static const char *const types[] = {"Integer", "Boolean", "String"};
    support_binary b;
    (void)state;
    ms_system *system = open_chassis(&b, 2, false);
    check_types(&b, sizeof types / sizeof *types, types, ONE);
    close_chassis(&b, system);
}

static void test_other_types_3(void **state)
{
    static const char *const types[] = {"Float32", "Int8",  "UInt8",  "Int16",   "UInt16", "Int32",
                                        "UInt32",  "Int64", "UInt64", "Boolean", "String"};
    static const char *const binaries[] = {"Binary"};
    support_binary b;
    (void)state;
    ms_system *system = open_chassis(&b, 3, false);
    check_types(&b, sizeof types / sizeof *types, types, ONE_N);
    check_types(&b, 1, binaries, TWO_N);
    close_chassis(&b, system);
}

static void test_clocks(void **state)
{
    static const struct {
        const char *name;
        shape shape;
    } clocks[] = {{"GetClock", ONE},           {"SetClock", ONE},
                  {"GetIntervalDecimal", TWO}, {"GetIntervalFraction", THREE},
                  {"GetShiftDecimal", ONE},    {"GetShiftFraction", TWO},
                  {"SetIntervalDecimal", ONE}, {"SetIntervalFraction", TWO},
                  {"SetShiftDecimal", ONE},    {"SetShiftFraction", TWO}};
    support_binary b;
    (void)state;
    ms_system *system = open_chassis(&b, 3, false);
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
        check_type(&b, clocks[k].name, clocks[k].shape);
    close_chassis(&b, system);
}

/* Abilities that there are none of -------------------------------------------------------------------------- */

static void test_no_cancelling_2(void **state)
{
    support_binary b;
    (void)state;
    ms_system *system = open_chassis(&b, 2, false);
    refused(&b, "CancelStep", CALL(&b, "CancelStep", void *)(b.c));
    close_chassis(&b, system);
}

static void test_no_such_ability_3(void **state)
{
    static const char *const bare[] = {"EnterConfigurationMode", "ExitConfigurationMode", "EnterStepMode"};
    support_binary b;
    size_t n = 7;
    (void)state;
    ms_system *system = open_chassis(&b, 3, false);
    for (size_t k = 0; k < sizeof bare / sizeof *bare; k++)
        refused(&b, bare[k], CALL(&b, bare[k], void *)(b.c));
    refused(&b, "ActivateModelPartition",
            CALL(&b, "ActivateModelPartition", void *, unsigned, double)(b.c, 0, 0.0));
    refused(&b, "GetNumberOfVariableDependencies",
            CALL(&b, "GetNumberOfVariableDependencies", void *, unsigned, size_t *)(b.c, 0, &n));
    assert_int_equal(n, 0);
    refused(&b, "GetVariableDependencies",
            CALL(&b, "GetVariableDependencies", void *, unsigned, size_t *, unsigned *, size_t *, int *,
                 size_t)(b.c, 0, &n, &(unsigned){0}, &n, &(int){0}, 1));
    refused(&b, "GetAdjointDerivative",
            CALL(&b, "GetAdjointDerivative", void *, const unsigned *, size_t, const unsigned *, size_t,
                 const double *, size_t, double *,
                 size_t)(b.c, b.reference, 1, b.reference, 1, &(double){1.0}, 1, &(double){0.0}, 1));
    assert_int_equal(CALL(&b, "EvaluateDiscreteStates", void *)(b.c), DONE); /* there are none */
    close_chassis(&b, system);
}

static char heard[200];

static void hear(void *environment, int status, const char *category, const char *message)
{
    assert_ptr_equal(environment, heard);
    snprintf(heard, sizeof heard, "%d %s %s", status, category, message);
}

typedef void *instantiate_scheduled(const char *, const char *, const char *, bool, bool, void *,
                                    void (*)(void *, int, const char *, const char *), void (*)(void *),
                                    void (*)(void), void (*)(void));

static void test_no_scheduled_execution(void **state)
{
    support_binary b;
    (void)state;
    ms_system *system = open_chassis(&b, 3, false);
    instantiate_scheduled *instantiate =
        (instantiate_scheduled *)support_binary_find(&b, "InstantiateScheduledExecution");
    assert_null(instantiate("a", "", "", false, false, heard, hear, NULL, NULL, NULL));
    assert_string_equal(heard, "3 logStatusError this FMU has no scheduled execution");
    assert_null(instantiate("a", "", "", false, false, NULL, NULL, NULL, NULL, NULL));
    close_chassis(&b, system);
}

/* Answers ------------------------------------------------------------------------------------------------ */

static void test_names(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_binary b;
        ms_system *system = open_chassis(&b, fmi, false);
        const char *(*version)(void) = (const char *(*)(void))support_binary_find(&b, "GetVersion");
        assert_string_equal(version(), fmi == 2 ? "2.0" : "3.0");
        if (fmi == 2) {
            const char *(*platform)(void) =
                (const char *(*)(void))support_binary_find(&b, "GetTypesPlatform");
            assert_string_equal(platform(), "default");
            assert_int_equal(CALL(&b, "SetDebugLogging", void *, int, size_t, void *)(b.c, 1, 0, NULL), DONE);
        } else
            assert_int_equal(CALL(&b, "SetDebugLogging", void *, bool, size_t, void *)(b.c, true, 0, NULL),
                             DONE);
        close_chassis(&b, system);
    }
}

typedef void *instantiate_2(const char *, int, const char *, const char *, const support_callbacks_2 *, int,
                            int);

/* Is there a component with these resources? */
static bool finds(const support_binary *b, const char *resources)
{
    instantiate_2 *instantiate = (instantiate_2 *)support_binary_find(b, "Instantiate");
    void *c = instantiate("a", 1, b->description->token, resources, &b->callbacks, 0, 0);
    if (c != NULL)
        ((void (*)(void *))support_binary_find(b, "FreeInstance"))(c);
    return c != NULL;
}

/* Each byte of the path as %XX. */
static void code(const char *path, bool capitals, char *coded)
{
    for (; *path != '\0'; path++)
        coded += sprintf(coded, capitals ? "%%%02X" : "%%%02x", (unsigned)(unsigned char)*path);
}

/* The resources' URI with and without a host, with bytes as they are and coded; what is no code stands for itself. */
static void test_resources(void **state)
{
    static const char *const before[] = {"file://", "file:", "file://localhost", ""};
    support_binary b;
    char path[4100], coded[3 * sizeof path], uri[3 * sizeof path + 20];
    (void)state;
    ms_system *system = open_chassis(&b, 2, false);
    snprintf(path, sizeof path, "%s/resources", b.folder);
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
        snprintf(uri, sizeof uri, "%s%s", before[k], path);
        assert_true(finds(&b, uri));
    }
    for (int capitals = 0; capitals <= 1; capitals++) {
        code(path, capitals != 0, coded);
        snprintf(uri, sizeof uri, "file:%s", coded);
        assert_true(finds(&b, uri));
    }
    snprintf(uri, sizeof uri, "file://%s%%2", path);
    assert_false(finds(&b, uri));
    snprintf(uri, sizeof uri, "file://%s%%zz", path);
    assert_false(finds(&b, uri));
    close_chassis(&b, system);
}

/* Steps are done when they return: of their status there is the time that they reached, and that they go on. */
static void test_status_of_steps(void **state)
{
    enum { DO_STEP, PENDING, LAST_TIME, TERMINATED };
    support_binary b;
    double t = -1.0;
    int number = -1;
    const char *text = NULL;
    (void)state;
    ms_system *system = open_chassis(&b, 2, false);
    assert_int_equal(support_binary_step(&b, 0.0, 0.25), DONE);
    assert_int_equal(CALL(&b, "GetRealStatus", void *, int, double *)(b.c, LAST_TIME, &t), DONE);
    support_near(t, 0.25, 0.0);
    assert_int_equal(CALL(&b, "GetRealStatus", void *, int, double *)(b.c, PENDING, &t), DISCARDED);
    assert_int_equal(CALL(&b, "GetBooleanStatus", void *, int, int *)(b.c, TERMINATED, &number), DONE);
    assert_int_equal(number, 0);
    assert_int_equal(CALL(&b, "GetBooleanStatus", void *, int, int *)(b.c, PENDING, &number), DISCARDED);
    assert_int_equal(CALL(&b, "GetIntegerStatus", void *, int, int *)(b.c, DO_STEP, &number), DISCARDED);
    assert_int_equal(CALL(&b, "GetStringStatus", void *, int, const char **)(b.c, PENDING, &text), DISCARDED);
    assert_null(text);
    number = -1;
    assert_int_equal(CALL(&b, "GetStatus", void *, int, int *)(b.c, DO_STEP, &number), DISCARDED);
    assert_int_equal(number, DONE);
    close_chassis(&b, system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_types_2),
        cmocka_unit_test(test_other_types_3),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_no_cancelling_2),
        cmocka_unit_test(test_no_such_ability_3),
        cmocka_unit_test(test_no_scheduled_execution),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_resources),
        cmocka_unit_test(test_status_of_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
