/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_equations_read_refused.c - equations of a file that are refused, with their lines; the schema refuses what reading does. */
#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "catalogue_texts.h"
#include "command_answer.h"
#include "json_schema.h"
#include "support.h"
#include "unit_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        SUPPORT_VAN_DER_POL, SUPPORT_BELL,
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
        [] = {SUPPORT_VAN_DER_POL, SUPPORT_PENDULUM, SUPPORT_BELL, SUPPORT_TANKS},
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
        {ONE("\"states\": {\"x\": 1}"),
         "line 4: subsystem s: state x must be an object, as {\"derivative\": \"-x\", \"start\": 1}"},
        {ONE("\"states\": {\"x\": {\"start\": 1}}"), "the derivative of x is not an expression"},
        {ONE("\"states\": {\"x\": {\"derivativ\": \"1\"}}"),
         "unknown member derivativ; the nearest is derivative"},
        {ONE("\"states\": {\"sin\": {\"derivative\": \"1\"}}"), "state sin: that name has a meaning"},
        {ONE("\"states\": {\"2x\": {\"derivative\": \"1\"}}"), "state '2x': a letter or '_'"},
        {ONE("\"states\": {\"x\": {\"derivative\": \"1\"}}, \"inputs\": [\"x\"]"), "the name x occurs twice"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_schema_of_mutants),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
