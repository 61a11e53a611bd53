/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_wires_read.c - the units of both ends of a wire: they fit, or the line names the wire, both units and what would be right. */
#include <stdio.h>
#include <string.h>

#include <macrostep/system_file.h>
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

/* What the check says of the file; "" where units fit. */
static void check(const char *text, const char *right)
{
    ms_model *model = support_model_read(text);
    ms_error error = {""};
    assert_int_equal(ms_model_check_units(model, &error), right[0] == '\0' ? MS_OK : MS_INVALID);
    const char *said = strstr(error.text, "wire ");
    if (strcmp(said != NULL ? said : "", right) != 0)
        fail_msg("'%s', but '%s' is right", error.text, right);
    ms_model_destroy(&model);
}

static void units_of_both_ends_fit(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *wire, *right;
    } cases[] = {
        {"m", "m", "", ""},
        {"1", "m", "", ""},
        {"parsec", "m", "", ""}, /* which is not known */
        {"N.m", "kg m2/s2", "", ""},
        {"rad/s", "1/s", "", ""},
        {"m", "s", "", "wire a.y to b.u: m where s is expected: units do not fit"},
        {"m", "s", ", \"gain\": 3", "wire a.y to b.u: m where s is expected: units do not fit"},
        {"mm", "m", "",
         "wire a.y to b.u: mm where m is expected: units do not fit; a gain of 0.001 is right"},
        {"mm", "m", ", \"gain\": -1",
         "wire a.y to b.u: mm where m is expected: units do not fit; a gain of -0.001 is right"},
        {"mm", "m", ", \"gain\": 0.001", ""},
        {"km/h", "m/s", "",
         "wire a.y to b.u: km/h where m/s is expected: units do not fit; a gain of 0.277777778 is right"},
        {"bar", "Pa", "",
         "wire a.y to b.u: bar where Pa is expected: units do not fit; a gain of 100000 is right"},
        {"degC", "K", "",
         "wire a.y to b.u: degC where K is expected: units do not fit; a gain of 1 and an offset of 273.15 "
         "are right"},
        {"degC", "K", ", \"offset\": 273.15", ""},
    };
    for (int k = 0; k < MS_COUNT(cases); k++) {
        char text[800];
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"a\", \"outputs\": {\"y\": {\"value\": \"1\", \"unit\": "
                 "\"%s\"}}}, "
                 "{\"name\": \"b\", \"inputs\": {\"u\": {\"unit\": \"%s\"}}, \"outputs\": {}}], "
                 "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"%s}]}",
                 cases[k].from, cases[k].to, cases[k].wire);
        check(text, cases[k].right);
    }
}

/* Wires by numbers, and entries of L, are wires. */
static void wires_without_names_are_compared(void **state)
{
    (void)state;
    static const char *const couplings[] = {"\"wires\": [[0, 0, 1]]", "\"L\": [[1]]"};
    for (int k = 0; k < MS_COUNT(couplings); k++) {
        char text[800];
        snprintf(
            text, sizeof text,
            "{\"subsystems\": [{\"name\": \"a\", \"outputs\": {\"y\": {\"value\": \"1\", \"unit\": \"m\"}}}, "
            "{\"name\": \"b\", \"inputs\": {\"u\": {\"unit\": \"N\"}}, \"outputs\": {}}], %s}",
            couplings[k]);
        check(text, "wire a.y to b.u: m where N is expected: units do not fit");
    }
}

/* What the name of a unit means of an FMU is what its description says, and nothing where it does not say it. */
static void units_of_fmus_are_as_defined(void **state)
{
    (void)state;
    static const char
        *const definitions[] = {"<BaseUnit m=\"1\" factor=\"1000\"/>", "<BaseUnit K=\"1\"/>", ""},
               *const right[] = {
                   "wire a.y to fmu.u: m where m is expected: units do not fit; a gain of 0.001 is right",
                   "wire a.y to fmu.u: m where m is expected: units do not fit", ""};
    for (int k = 0; k < MS_COUNT(definitions); k++)
        for (int fmi = 2; fmi <= 3; fmi++) {
            char path[256], text[1000], unit[200];
            snprintf(unit, sizeof unit,
                     "<UnitDefinitions><Unit name=\"m\">%s</Unit></UnitDefinitions><ModelVariables>",
                     definitions[k]);
            const support_decay decay = {
                .fmi = fmi,
                .edit = {
                    "<ModelVariables>", unit, fmi == 2 ? "causality=\"input\"><Real" : "causality=\"input\"",
                    fmi == 2 ? "causality=\"input\"><Real unit=\"m\"" : "causality=\"input\" unit=\"m\""}};
            support_decay_fmu(&decay, path, sizeof path);
            snprintf(text, sizeof text,
                     "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"co-simulation\"}, "
                     "{\"name\": \"a\", \"outputs\": {\"y\": {\"value\": \"2\", \"unit\": \"m\"}}}], "
                     "\"wires\": [{\"from\": \"a.y\", \"to\": \"fmu.u\"}]}",
                     path);
            check(text, right[k]);
            remove(path);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units_of_both_ends_fit),
                                       cmocka_unit_test(wires_without_names_are_compared),
                                       cmocka_unit_test(units_of_fmus_are_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
