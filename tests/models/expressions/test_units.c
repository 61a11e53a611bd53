/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_units.c - which units fit each other in expressions, and in a system file. */
#include "units.h"

#include <string.h>

#include <macrostep/system_file.h>
#include "structure.h"
#include "support.h"
#include "unit_powers.h"
#include "unit_test.h"

/* m: a length, s: a time, v: a speed, N: a force, phi: an angle, a: an area, n: undeclared, mm: a unit that is none of the SI. */
static const char *const state_names[] = {"m", "s", "v", "N", "phi", "a", "n", "mm"}, *const state_units[] = {
                                                                                          "m", "s",   "m/s",
                                                                                          "N", "rad", "m^2",
                                                                                          "1", "mm"};
static const ms_names names = {.n = {[MS_NAMES_STATES] = MS_COUNT(state_names)},
                               .name = {[MS_NAMES_STATES] = state_names},
                               .unit = {[MS_NAMES_STATES] = state_units}};

/* What is said of one expression whose value is to have the unit; "": nothing. Returns line. */
static const char *said(const char *text, const char *unit, char line[200])
{
    ms_structure owner = {0};
    const ms_expressions *e;
    ms_expression_fault fault;
    if (ms_expressions_create(&owner, &names, 1, &text, true, &e, &fault) != MS_OK)
        fail_msg("%s: %s", text, fault.text);
    const int status = ms_expressions_check_units(e, &names, &unit, &fault);
    if (status != (fault.text[0] != '\0' ? MS_INVALID : MS_OK))
        fail_msg("%s: status %d", text, status);
    snprintf(line, 200, "%s", fault.text);
    ms_structure_free(&owner);
    return line;
}

static void test_fit(void **state)
{
    (void)state;
    static const char *const of[][2] = {
        {"m + v*s", "m"},
        {"m - 3", "m"},
        {"2*m/s", "m/s"},
        {"sqrt(a) + m", "m"},
        {"cbrt(a*m)", "m"},
        {"a^0.5 + m^3/a", "m"},
        {"sqrt(m)^2", "m"},
        {"N*m/(v*s)", "kg m/s^2"},
        {"sin(phi)*m + cos(m/hypot(m, sqrt(a)))*m", "m"},
        {"exp(-s/t)*v + m*sign(v)/s", "m/s"},
        {"atan2(m, v*t) + phi", "rad"},
        {"floor(m) + abs(m) + fdim(m, 1) + mod(m, v*s) + copysign(m, v) + ldexp(m, 2)", "m"},
        {"(m > 1)*N + (v < m/s && !(s == 2))*N", "N"},
        {"m > 0 ? m : 0", "m"},
        {"s > 1 ? v*s : m", "m"},
        {"min(m, v*s, 3) + max(0, m) + avg(m, m)", "m"},
        {"fma(v, s, m)", "m"},
        {"(m/v/s)^n", "1"},
        {"2^phi", "rad"},
        {"m*n", "N"}, /* n: undeclared */
        {"m + n", "m"},
        {"mm + n", "N"},
        {"mm + m", "m"},
        {"sin(n*t) + sin(mm)", "N"},
        {"m^n", "s"},
        {"v*t + m", "m"}, /* t: in seconds */
        {"t - s", "s"},
        {"sin(t) + cos(2*pi*t + phi)*exp(-t)", "rad"},
        {"sin(2*t)*exp(-t)", "N"},
        {"m*(1 + 0.1*t)", "m"},
        {"m + 0.1*sin(3*t)", "m"},
        {"0.5*t", "N"},
        {"t + t^2", "N"},
    };
    char line[200];
    for (int k = 0; k < MS_COUNT(of); k++)
        if (said(of[k][0], of[k][1], line)[0] != '\0')
            fail_msg("%s: %s", of[k][0], line);
}

static void test_do_not_fit(void **state)
{
    (void)state;
    static const char *const of[][3] = {
        {"m + s", NULL, "m + s: "},
        {"n*m*(v + 2*(m - s))", NULL, "m - s: "},
        {"2*m + t", NULL, "m + s: "},
        {"m + 2*t", NULL, "m + s: "},
        {"m*(m/s) - v", NULL, "m^2/s - m/s: "},
        {"N + m", NULL, "kg m/s^2 + m: "},
        {"n + m + s", NULL, "m + s: "},
        {"min(m, s)", NULL, "min(m, s): "},
        {"fdim(m, s)", NULL, "fdim(m, s): "},
        {"hypot(m, v)", NULL, "hypot(m, m/s): "},
        {"atan2(m, s)", NULL, "atan2(m, s): "},
        {"fmod(m, s) + mod(m, 1)", NULL, "fmod(m, s): "},
        {"remainder(m, s)", NULL, "remainder(m, s): "},
        {"m < s", NULL, "m < s: "},
        {"m == s", NULL, "m == s: "},
        {"n > 0 ? m : s", NULL, "if(1, m, s): "},
        {"fma(m, s, s)", NULL, "fma(m, s, s): "},
        {"sin(m)", NULL, "sin(m): "},
        {"exp(-v)", NULL, "exp(m/s): "},
        {"log(N*s)", NULL, "log(kg m/s): "},
        {"2^s", NULL, "pow(1, s): "},
        {"sqrt(m) + s", NULL, "m^0.5 + s: "},
        {"abs(m) + s", NULL, "m + s: "},
        {"sin(phi) + m", NULL, "1 + m: "},
        {"copysign(m, s) + s", NULL, "m + s: "},
        {"m", "m/s", "m where m/s is expected: "},
        {"t", "m", "s where m is expected: "},
        {"phi", "m", "1 where m is expected: "},
        {"1/m", "m", "1/m where m is expected: "},
    };
    char line[200], right[200];
    for (int k = 0; k < MS_COUNT(of); k++) {
        snprintf(right, sizeof right, "%sunits do not fit", of[k][2]);
        if (strcmp(said(of[k][0], of[k][1], line), right) != 0)
            fail_msg("%s: '%s', but '%s' is right", of[k][0], line, right);
    }
}

/* The expression that has the fault first is named, in whichever way they share what is equal. */
static void test_which(void **state)
{
    (void)state;
    static const char *const text[] = {"m*s", "m", "m*s + sin(m + s)", "sin(m + s)"};
    static const char *const expected[] = {NULL, NULL, NULL, NULL};
    for (int together = 0; together < 2; together++) {
        ms_structure owner = {0};
        const ms_expressions *e;
        ms_expression_fault fault;
        assert_int_equal(
            ms_expressions_create(&owner, &names, MS_COUNT(text), text, together == 1, &e, &fault), MS_OK);
        assert_int_equal(ms_expressions_check_units(e, &names, expected, &fault), MS_INVALID);
        assert_int_equal(fault.index, 2);
        ms_structure_free(&owner);
    }
}

static void test_names_of_units(void **state)
{
    (void)state;
    static const double power[MS_UNIT_BASES] = {1, 2, -3, -1}, root[MS_UNIT_BASES] = {0, 0.5, -1.5};
    char name[64];
    int read[MS_UNIT_BASES];
    assert_string_equal(ms_unit_name(power, name, sizeof name), "kg m^2/s^3/A");
    assert_true(ms_unit_powers(name, read));
    for (int k = 0; k < MS_UNIT_BASES; k++)
        assert_true(read[k] == power[k]);
    assert_string_equal(ms_unit_name(root, name, sizeof name), "m^0.5/s^1.5");
}

#define FILE_OF(members)                                                                                     \
    "{\"parameters\": {\"l\": {\"value\": 1, \"unit\": \"m\"}, \"T\": {\"value\": 1, \"unit\": \"s\"}}, "    \
    "\"subsystems\": [\n{\"A\": [], \"D\": [[1]]},\n{\"name\": \"body\", " members "}], \"wires\": []}"
#define STATES(members)                                                                                      \
    "\"states\": {\"x\": {\"derivative\": \"v\", \"start\": \"l\", \"unit\": \"m\"}, \"v\": "                \
    "{\"derivative\": "                                                                                      \
    "\"-v/T\", \"unit\": \"m/s\"}}" members

/* Wherever an expression may stand; the file is read all the same. */
static void test_files(void **state)
{
    (void)state;
    static const char *const of[][2] = {
        {FILE_OF(STATES(", \"outputs\": {\"y\": {\"value\": \"x\", \"unit\": \"m\"}, \"z\": \"x/l + 1\"}")),
         ""},
        {FILE_OF("\"states\": {\"v\": {\"derivative\": \"l*2 + t\", \"unit\": \"m/s\"}}"),
         "the derivative of v: m + s: units do not fit (l*2 + t)"},
        {FILE_OF("\"states\": {\"v\": {\"derivative\": \"l\", \"unit\": \"m\"}}"),
         "the derivative of v: m where m/s is expected: units do not fit (l)"},
        {FILE_OF("\"states\": {\"v\": {\"derivative\": \"l\", \"unit\": \"mm\"}}"), ""},
        {FILE_OF("\"states\": {\"v\": {\"derivative\": \"0\", \"start\": \"T\", \"unit\": \"m\"}}"),
         "start value of v: s where m is expected: units do not fit (T)"},
        {FILE_OF("\"inputs\": {\"u\": {\"unit\": \"V\"}}, \"outputs\": {\"y\": \"u + l\"}"),
         "output y: kg m^2/s^3/A + m: units do not fit (u + l)"},
        {FILE_OF(STATES(", \"outputs\": {\"y\": {\"value\": \"v\", \"unit\": \"m\"}}")),
         "output y: m/s where m is expected: units do not fit (v)"},
        {FILE_OF(STATES(", \"events\": [{\"when\": \"x - T\", \"then\": {\"v\": \"-v\"}}]")),
         "when of an event: m - s: units do not fit (x - T)"},
        {FILE_OF(STATES(", \"events\": [{\"when\": \"x - l\", \"then\": {\"v\": \"-x\"}}]")),
         "the new value of v: m where m/s is expected: units do not fit (-x)"},
        {FILE_OF(STATES(
             ", \"discrete\": {\"last\": 0}, \"events\": [{\"when\": \"x - l\", \"then\": {\"last\": \"v\"}}]")),
         ""},
        {FILE_OF(STATES(", \"external\": {\"w\": \"sin(l)\"}")),
         "external input w: sin(m): units do not fit (sin(l))"},
        {FILE_OF(STATES(", \"energy\": \"x^2 + v^2\"")),
         "energy: m^2 + m^2/s^2: units do not fit (x^2 + v^2)"},
        {FILE_OF("\"A\": [[\"l + T\"]], \"B\": [], \"C\": []"),
         "row 1, column 1 of A: m + s: units do not fit (l + T)"},
        {FILE_OF("\"model\": \"quarter-car\", \"subsystem\": \"wheel\", \"set\": {\"kc\": \"l\"}"),
         "kc: m where kg/s^2 is expected: units do not fit (l)"},
    };
    for (int k = 0; k < MS_COUNT(of); k++) {
        ms_model *model = support_model_read(of[k][0]);
        ms_error error = {0};
        assert_int_equal(ms_model_check_units(model, &error), of[k][1][0] == '\0' ? MS_OK : MS_INVALID);
        if (of[k][1][0] != '\0' && (strstr(error.text, ": line 3: subsystem body: ") == NULL ||
                                    strcmp(strstr(error.text, "body: ") + 6, of[k][1]) != 0))
            fail_msg("'%s', but '%s' is right", error.text, of[k][1]);
        ms_model_destroy(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_do_not_fit),
                                       cmocka_unit_test(test_which), cmocka_unit_test(test_names_of_units),
                                       cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
