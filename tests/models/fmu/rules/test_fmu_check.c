/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_check.c - the rules of FMI 2.0 and 3.0: two descriptions that keep all of them, and for each rule a change by which
 * one of them breaks it, and no other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_check.h"
#include "fmu_check_parts.h"
#include "fmu_description_read.h"
#include "support.h"
#include "unit_test.h"

static const char two[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='m' guid='g' "
    "generationDateAndTime='2026-01-31T12:00:00Z' "
    "variableNamingConvention='structured' numberOfEventIndicators='1' "
    "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:noNamespaceSchemaLocation='a.xsd'>\n"
    "<ModelExchange modelIdentifier='m_1' canGetAndSetFMUstate='true' canSerializeFMUstate='true'>"
    "<SourceFiles><File name='a.c'/></SourceFiles></ModelExchange>\n"
    "<CoSimulation modelIdentifier='m_1' canRunAsynchronuously='false'/>\n"
    "<UnitDefinitions><Unit name='m'><BaseUnit m='1'/><DisplayUnit name='mm' factor='1000'/></Unit>"
    "<Unit name='m/s'><BaseUnit m='1' s='-1'/></Unit></UnitDefinitions>\n"
    "<TypeDefinitions><SimpleType name='Length'><Real unit='m' displayUnit='mm'/></SimpleType>"
    "<SimpleType name='Way'><Enumeration><Item name='on' value='1'/><Item name='off' "
    "value='2'/></Enumeration>"
    "</SimpleType></TypeDefinitions>\n"
    "<LogCategories><Category name='logAll'/></LogCategories>\n"
    "<DefaultExperiment startTime='0' stopTime='1' tolerance='1e-6' stepSize='0.1'/>\n"
    "<VendorAnnotations><Tool name='x'><any thing='1'/></Tool></VendorAnnotations>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name='x' valueReference='1' initial='exact'><Real declaredType='Length' "
    "start='1'/></ScalarVariable>\n"
    "<ScalarVariable name='v' valueReference='2' initial='approx'><Real unit='m/s' start='0' "
    "reinit='true'/></ScalarVariable>\n"
    "<ScalarVariable name='der(x)' valueReference='2'><Real unit='m/s' derivative='1'/></ScalarVariable>\n"
    "<ScalarVariable name='der(v)' valueReference='3'><Real derivative='2'/></ScalarVariable>\n"
    "<ScalarVariable name='a.F[1]' valueReference='4' causality='input' "
    "canHandleMultipleSetPerTimeInstant='true'>"
    "<Real start='0' nominal='2'/></ScalarVariable>\n"
    "<ScalarVariable name='y' valueReference='5' causality='output'><Real unit='m' "
    "displayUnit='mm'/></ScalarVariable>\n"
    "<ScalarVariable name='n' valueReference='5' causality='output' "
    "variability='discrete'><Integer/></ScalarVariable>\n"
    "<ScalarVariable name='k' valueReference='6' causality='parameter' variability='tunable'>"
    "<Real start='2' min='0' max='3'/></ScalarVariable>\n"
    "<ScalarVariable name='way' valueReference='1' causality='parameter' variability='fixed'>"
    "<Enumeration declaredType='Way' start='1'/><Annotations><Tool "
    "name='x'/></Annotations></ScalarVariable>\n"
    "<ScalarVariable name='q' valueReference='7' causality='calculatedParameter' "
    "variability='tunable'><Real/></ScalarVariable>\n"
    "<ScalarVariable name='g' valueReference='8' variability='constant'><Real "
    "start='9.81'/></ScalarVariable>\n"
    "<ScalarVariable name='time' valueReference='9' causality='independent'><Real/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure>\n"
    "<Outputs><Unknown index='6' dependencies='1 2 5' dependenciesKind='dependent constant fixed'/>"
    "<Unknown index='7' dependencies=''/></Outputs>\n"
    "<Derivatives><Unknown index='3' dependencies='2'/><Unknown index='4'/></Derivatives>\n"
    "<InitialUnknowns><Unknown index='2' dependencies='1 5'/><Unknown index='4'/><Unknown index='6'/>"
    "<Unknown index='7'/><Unknown index='10' dependencies='8'/></InitialUnknowns>\n"
    "</ModelStructure>\n"
    "</fmiModelDescription>\n";

static const char three[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='m' instantiationToken='g' "
    "generationDateAndTime='2026-01-31T12:00:00.5+01:00'>\n"
    "<ModelExchange modelIdentifier='m' needsCompletedIntegratorStep='true'><Annotations/></ModelExchange>\n"
    "<CoSimulation modelIdentifier='m' fixedInternalStepSize='0.1' hasEventMode='true'/>\n"
    "<ScheduledExecution modelIdentifier='m'/>\n"
    "<UnitDefinitions><Unit name='m'><BaseUnit m='1'/><DisplayUnit name='1/m' "
    "inverse='true'/></Unit></UnitDefinitions>\n"
    "<TypeDefinitions><Float64Type name='Length' unit='m'/><EnumerationType name='Way'><Item name='on' "
    "value='1'/>"
    "</EnumerationType></TypeDefinitions>\n"
    "<LogCategories><Category name='a'/><Category name='b'/></LogCategories>\n"
    "<DefaultExperiment stopTime='1'/>\n"
    "<ModelVariables>\n"
    "<Float64 name='time' valueReference='0' causality='independent' variability='continuous'/>\n"
    "<Float64 name='x of it' valueReference='1' initial='exact' start='1' declaredType='Length'>"
    "<Alias name='the same' displayUnit='1/m'/></Float64>\n"
    "<Float64 name='dx' valueReference='2' derivative='1'/>\n"
    "<Float64 name='u' valueReference='3' causality='input' start='0' initial='exact'/>\n"
    "<Float64 name='w' valueReference='4' causality='input' start='0 0'><Dimension "
    "valueReference='5'/></Float64>\n"
    "<UInt64 name='size' valueReference='5' causality='structuralParameter' variability='fixed' start='2'/>\n"
    "<Float32 name='y' valueReference='6' causality='output'/>\n"
    "<Int32 name='n' valueReference='7' causality='output' initial='exact' start='3'/>\n"
    "<String name='s' valueReference='8' causality='parameter' variability='fixed'><Start "
    "value='a'/></String>\n"
    "<Binary name='b' valueReference='9' causality='parameter' variability='fixed' mimeType='a/b'><Start "
    "value='00'/></Binary>\n"
    "<Enumeration name='way' valueReference='10' causality='parameter' variability='fixed' "
    "declaredType='Way' start='1'/>\n"
    "<Clock name='tick' valueReference='11' causality='input' intervalVariability='constant' "
    "intervalDecimal='1'/>\n"
    "<Int32 name='count' valueReference='12' causality='output' clocks='11' initial='exact' start='0'/>\n"
    "<Float64 name='z' valueReference='13'/>\n"
    "</ModelVariables>\n"
    "<ModelStructure>\n"
    "<Output valueReference='6' dependencies='3 1' dependenciesKind='tunable dependent'/><Output "
    "valueReference='7'/>"
    "<Output valueReference='12' dependencies='11'/>\n"
    "<ContinuousStateDerivative valueReference='2'/>\n"
    "<InitialUnknown valueReference='2' dependencies='1' dependenciesKind='constant'/><InitialUnknown "
    "valueReference='6'/>\n"
    "<EventIndicator valueReference='13'/>\n"
    "</ModelStructure>\n"
    "<Annotations><Annotation type='x'><a/></Annotation></Annotations>\n"
    "</fmiModelDescription>\n";

static ms_fmu_description *description_of(const char *text)
{
    ms_fmu_description *d = NULL;
    ms_error error = {{0}};
    if (ms_fmu_description_read("a.fmu", text, strlen(text), &d, &error) != MS_OK)
        fail_msg("%s", error.text);
    return d;
}

static ms_fmu_findings check(const char *text)
{
    ms_fmu_description *d = description_of(text);
    ms_fmu_findings findings;
    assert_int_equal(ms_fmu_check(d, &findings, NULL), MS_OK);
    ms_fmu_description_free(&d);
    return findings;
}

static void nothing_is_found_where_nothing_is_wrong(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ms_fmu_findings findings = check(k == 0 ? two : three);
        if (findings.n > 0)
            fail_msg("line %ld: %s", findings.finding[0].line, findings.finding[0].text);
        ms_fmu_findings_free(&findings);
        assert_null(findings.finding);
    }
}

/* The text with the first `from` replaced; freed by the caller. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (at == NULL)
        fail_msg("'%s' is not there", from);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

/* A change of `two` or `three`, its line (0: not looked at), what is found, and how many findings there are. */
static const struct {
    const char *text, *from, *to;
    long line;
    const char *found;
    int n;
} wrong[] = {
    /* elements and attributes */
    {two, "<LogCategories>", "<Categories/><LogCategories>", 6,
     "<Categories> within <fmiModelDescription> is unknown", 1},
    {two, "<DefaultExperiment startTime='0' stopTime='1' tolerance='1e-6' stepSize='0.1'/>\n", "\n", 0, "",
     0},
    {two, "</ModelVariables>\n", "</ModelVariables><DefaultExperiment/>\n", 0, "is after <ModelVariables>",
     2},
    {two, "<ModelStructure>\n", "<ModelStructure><Outputs/>\n", 0, "<Outputs> has no <Unknown>", 4},
    {two, "name='x' valueReference='1'", "name='x' size='2' valueReference='1'", 10,
     "attribute size, which is unknown", 1},
    {two, "<BaseUnit m='1'/>", "<BaseUnit m='1' inch='3'/>", 4, "attribute inch", 1},
    {two, "<Category name='logAll'/>", "<Category/>", 6, "<Category> has no name", 1},
    {two, "<Category name='logAll'/>", "", 6, "<LogCategories> has no <Category>", 1},
    {two, "canRunAsynchronuously='false'", "canRunAsynchronously='false'", 3, "canRunAsynchronously", 1},
    {three, "<Alias name=", "<Dimension start='2'/><Alias name=", 0, "", 0},
    {three, "<ScheduledExecution modelIdentifier='m'/>\n", "<CoSimulation modelIdentifier='m'/>\n", 4,
     "more than once", 1},
    {three, "<Output valueReference='7'/>", "", 25, "output n is not listed", 1},
    {three, "<EventIndicator valueReference='13'/>",
     "<EventIndicator valueReference='13'/><Output valueReference='1'/>", 0,
     "<Output> is after <EventIndicator>", 2},
    /* head */
    {two, "'2026-01-31T12:00:00Z'", "'31.1.2026'", 1, "generationDateAndTime 31.1.2026", 1},
    {two, "modelIdentifier='m_1' canGet", "modelIdentifier='1-m' canGet", 2,
     "modelIdentifier 1-m is not a C identifier", 1},
    {two, "canGetAndSetFMUstate='true'", "canGetAndSetFMUstate='false'", 2, "only if it can be read and set",
     1},
    {two, "stopTime='1'", "stopTime='0'", 7, "stopTime 0 is not after startTime 0", 1},
    {two, "tolerance='1e-6'", "tolerance='0'", 7, "tolerance is not positive", 1},
    {two, "stepSize='0.1'", "stepSize='-1'", 7, "stepSize is not positive", 1},
    {three, "fixedInternalStepSize='0.1'", "fixedInternalStepSize='0'", 3,
     "fixedInternalStepSize is not positive", 1},
    {two, "<Unit name='m/s'>", "<Unit name='m'>", 4, "two units have the name m", 5},
    {two, "name='Way'><E", "name='Length'><E", 5, "two types have the name Length", 3},
    {two, "m='1' s='-1'", "m='1' s='-0.5'", 4, "s of <BaseUnit> is -0.5", 1},
    {two, "factor='1000'", "factor='thousand'", 4, "factor of <DisplayUnit> is thousand", 1},
    {two, "name='off' value='2'", "name='off' value='1'", 5, "two <Item> have the value 1", 1},
    {three, "<Category name='b'/>", "<Category name='a'/>", 7, "two <Category> have the name a", 1},
    /* causality, variability, initial, start */
    {two, " variability='tunable'><Real start", "><Real start", 17,
     "k: a parameter must be declared fixed or tunable", 1},
    {two, "causality='parameter' variability='tunable'", "causality='parameter' variability='discrete'", 17,
     "k: causality parameter and variability discrete cannot be combined", 1},
    {two, "causality='input' can", "causality='input' initial='exact' can", 14,
     "cannot be combined with initial exact", 1},
    {two, "causality='calculatedParameter'", "initial='exact' causality='calculatedParameter'", 19,
     "q: causality calculatedParameter and variability tunable cannot be combined with initial exact", 2},
    {three, "<Float64 name='z' ", "<Float64 name='z' initial='exact' start='1' ", 0, "", 0},
    {three, "<Int32 name='n' valueReference='7'",
     "<Int32 name='n' variability='continuous' valueReference='7'", 17,
     "n: a variable of type Int32 cannot be continuous", 1},
    {two, "<Real declaredType='Length' start='1'/>", "<Real declaredType='Length'/>", 10,
     "x has no start value", 1},
    {two, "<Real start='0' nominal='2'/>", "<Real nominal='2'/>", 14, "a.F[1] has no start value", 1},
    {two, "<Real unit='m/s' derivative='1'/>", "<Real unit='m/s' derivative='1' start='1'/>", 12,
     "der(x) has a start value, but is calculated", 2},
    {two, "causality='independent'><Real/>", "causality='independent'><Real start='0'/>", 21,
     "time has a start value, but is independent", 1},
    {two, "start='2' min='0'", "start='-2' min='0'", 17, "start of k is -2, but its range is [0, 3]", 1},
    {two, "start='2' min='0'", "start='4' min='4'", 17, "min 4 of k is above its max 3", 2},
    {three, "causality='independent' variability='continuous'", "causality='independent' initial='exact'", 10,
     "cannot be combined with initial exact", 1},
    {three, "causality='independent' variability", "variability", 9, "no variable is independent", 1},
    {three, "<Float64 name='z' ", "<Float64 name='z' causality='independent' ", 9,
     "2 variables are independent", 1},
    /* names, types, units */
    {two, "name='a.F[1]'", "name='a.F[1'", 14, "a.F[1 is not a structured name", 1},
    {three, "name='x of it'", "name='x&#10;y'", 11, "more than one line", 1},
    {two, "declaredType='Length' start", "declaredType='Size' start", 10,
     "declaredType Size of x is not defined", 1},
    {two, "declaredType='Length' start", "declaredType='Way' start", 10,
     "declaredType Way of x is of type Enumeration", 1},
    {three, "declaredType='Length'", "declaredType='Way'", 11,
     "declaredType Way of x of it is of type EnumerationType", 1},
    {two, "<Real unit='m' displayUnit='mm'/></ScalarVariable>", "<Real unit='km'/></ScalarVariable>", 15,
     "unit km of y is not defined", 1},
    {two, "<Real unit='m' displayUnit='mm'/></ScalarVariable>", "<Real displayUnit='mm'/></ScalarVariable>",
     15, "y has a displayUnit, but no unit", 1},
    {two, "<Real unit='m' displayUnit='mm'/></ScalarVariable>",
     "<Real unit='m' displayUnit='cm'/></ScalarVariable>", 15, "displayUnit cm of y is not defined for m", 1},
    {two, "<Real unit='m' displayUnit='mm'/></SimpleType>", "<Real unit='mile'/></SimpleType>", 5,
     "unit mile of Length is not defined", 2},
    {two, "nominal='2'", "nominal='0'", 14, "nominal of a.F[1] is 0, but must be positive", 1},
    /* derivatives, aliases, marks */
    {two, "<Real derivative='2'/>", "<Real derivative='4'/>", 13, "der(v) is its own derivative", 4},
    {two, "<Real start='0' nominal='2'/>", "<Real start='0' derivative='8'/>", 14,
     "a.F[1] is the derivative of k, which is not continuous", 1},
    {two, "<Real unit='m/s' derivative='1'/>", "<Real unit='m' derivative='1'/>", 12,
     "der(x) [m] shares its value with v [m/s]", 1},
    {two, "<Real start='0' nominal='2'/>", "<Real start='0' reinit='true'/>", 14,
     "has reinit, but is not a continuous state", 1},
    {two, "name='y' ", "name='y' canHandleMultipleSetPerTimeInstant='true' ", 15, "but is not an input", 1},
    {three, "<Enumeration name='way' ", "<Enumeration name='way' intermediateUpdate='true' ", 20,
     "way is a parameter, but has intermediateUpdate", 1},
    {three, "<Clock name='tick' valueReference='11' causality='input'",
     "<Clock name='tick' valueReference='11' causality='parameter' variability='fixed'", 21,
     "tick: a clock is an input", 1},
    /* structure */
    {two, "<Unknown index='7' dependencies=''/></Outputs>", "</Outputs>", 24,
     "output n is not listed in <ModelStructure>", 1},
    {two, "<Unknown index='7' dependencies=''/></Outputs>",
     "<Unknown index='7' dependencies=''/><Unknown index='1'/></Outputs>", 24,
     "x is listed as output, but its causality is local", 1},
    {two, "<Unknown index='7' dependencies=''/></Outputs>",
     "<Unknown index='7' dependencies=''/><Unknown index='7' dependencies=''/></Outputs>", 24,
     "n is listed twice as an output", 1},
    {two, "dependencies='1 2 5'", "dependencies='2 1 5'", 24, "dependencies of y are not in ascending order",
     1},
    {two, "dependencies='1 2 5'", "dependencies='1 2 4'", 24,
     "y depends on der(v), which is not a known of an output", 1},
    {two, "dependenciesKind='dependent constant fixed'", "dependenciesKind='dependent constant'", 24,
     "y has 3 dependencies, but 2 dependenciesKind", 1},
    {two, "dependenciesKind='dependent constant fixed'", "dependenciesKind='dependent constant free'", 24,
     "dependenciesKind of y has free", 1},
    {two, "<Unknown index='4'/></Derivatives>", "<Unknown index='4' dependenciesKind='fixed'/></Derivatives>",
     25, "der(v) has dependenciesKind without dependencies", 1},
    {two, "<Unknown index='4'/></Derivatives>", "<Unknown index='4'/><Unknown index='4'/></Derivatives>", 25,
     "der(v) is listed twice as a derivative", 2},
    {two, "name='v' valueReference='2' initial",
     "name='v' causality='calculatedParameter' variability='fixed' valueReference='2' initial", 11,
     "v is a state, but its causality is calculatedParameter", 2},
    {two, "<Unknown index='4'/><Unknown index='6'/>", "<Unknown index='6'/>", 26,
     "der(v) is not listed as an initial unknown", 1},
    {two, "<Unknown index='10' dependencies='8'/>", "", 26, "q is not listed as an initial unknown", 1},
    {two, "<Unknown index='2' dependencies='1 5'/>", "<Unknown index='1'/><Unknown index='2'/>", 26,
     "x is listed as an initial unknown, but is none", 1},
    {two, "<Unknown index='2' dependencies='1 5'/>",
     "<Unknown index='2' dependencies='1' dependenciesKind='fixed'/>", 26,
     "dependenciesKind of v has fixed; there are: dependent constant", 1},
    {two, "<Unknown index='2' dependencies='1 5'/>", "<Unknown index='2' dependencies='2'/>", 26,
     "v depends on v, which is not a known of an initial unknown", 1},
    {three, "<Output valueReference='7'/>",
     "<Output valueReference='7' dependencies='3' dependenciesKind='fixed'/>", 26,
     "dependenciesKind of n, of type Int32, must be dependent", 1},
    {three, "<EventIndicator valueReference='13'/>", "<EventIndicator valueReference='7'/>", 29,
     "n is an event indicator, but not continuous", 1},
};

static void each_rule_that_is_broken_is_named_with_its_line(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char *text = replaced(wrong[k].text, wrong[k].from, wrong[k].to);
        ms_fmu_findings findings = check(text);
        bool found = wrong[k].n == 0;
        for (int j = 1; j < findings.n; j++)
            assert_true(findings.finding[j - 1].line <= findings.finding[j].line);
        for (int j = 0; j < findings.n; j++)
            found = found || (strstr(findings.finding[j].text, wrong[k].found) != NULL &&
                              (wrong[k].line == 0 || findings.finding[j].line == wrong[k].line));
        if (!found || findings.n != wrong[k].n) {
            for (int j = 0; j < findings.n; j++)
                print_message("line %ld: %s\n", findings.finding[j].line, findings.finding[j].text);
            print_message("%zu: %d findings instead of %d, '%s' %s\n", k, findings.n, wrong[k].n,
                          wrong[k].found, found ? "among them" : "not among them");
            failures++;
        }
        ms_fmu_findings_free(&findings);
        free(text);
    }
    assert_int_equal(failures, 0);
}

static void advice_is_no_error(void **state)
{
    (void)state;
    char *text = replaced(two, "name='y' ", "name='y' canHandleMultipleSetPerTimeInstant='true' ");
    ms_fmu_findings findings = check(text);
    assert_int_equal(findings.n, 1);
    assert_int_equal(findings.n_errors, 0);
    assert_false(findings.finding[0].error);
    ms_fmu_findings_free(&findings);
    free(text);
}

/* All are counted, and the first are kept. */
static void findings_without_end_are_counted(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    char *text = malloc(200 * MANY);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "<fmiModelDescription fmiVersion='2.0' modelName='m' guid='g'>"
                                      "<CoSimulation modelIdentifier='m'/><ModelVariables>");
    for (int k = 0; k < MANY; k++)
        at += (size_t)sprintf(
            text + at,
            "<ScalarVariable name='v%d' valueReference='%d' causality='input'><Real/></ScalarVariable>", k,
            k);
    sprintf(text + at, "</ModelVariables><ModelStructure/></fmiModelDescription>");
    ms_fmu_findings findings = check(text);
    assert_int_equal(findings.n, MS_FMU_FINDINGS);
    assert_int_equal(findings.n_errors, MANY);
    ms_fmu_findings_free(&findings);
    free(text);
}

/* A text with a few letters changed, taken out or copied is refused in one line, or read and checked. */
static void texts_changed_at_random_are_read_or_refused(void **state)
{
    (void)state;
    unsigned long long seed = 20260131;
    int read = 0, refused = 0;
    for (int k = 0; k < support_ensemble(4000); k++) {
        const char *from = k % 2 == 0 ? two : three;
        const int length = (int)strlen(from);
        char *text = malloc((size_t)length + 1);
        assert_non_null(text);
        memcpy(text, from, (size_t)length + 1);
        for (int change = support_random_below(&seed, 4); change >= 0; change--) {
            const int at = support_random_below(&seed, length), other = support_random_below(&seed, length);
            const int size = support_random_below(&seed, 12), most = length - (at > other ? at : other);
            memmove(text + at, text + other, (size_t)(size < most ? size : most));
            if (size == 0)
                text[at] = (char)support_random_below(&seed, 256);
        }
        ms_fmu_description *d = NULL;
        ms_error error = {{0}};
        if (ms_fmu_description_read("a.fmu", text, (size_t)length, &d, &error) == MS_OK) {
            ms_fmu_findings findings;
            assert_int_equal(ms_fmu_check(d, &findings, NULL), MS_OK);
            ms_fmu_findings_free(&findings);
            ms_fmu_description_free(&d);
            read++;
        } else {
            assert_null(d);
            assert_int_equal(strncmp(error.text, "a.fmu: ", 7), 0);
            refused++;
        }
        free(text);
    }
    assert_true(read > 10 && refused > 10);
}

static void structured_names_follow_the_grammar(void **state)
{
    (void)state;
    static const char *const good[] = {"x",
                                       "_a1",
                                       "vehicle.engine.speed",
                                       "robot.axis.'motor #234'",
                                       "a[1]",
                                       "a[1,2].b[3]",
                                       "der(x)",
                                       "der(pipe[3,4].T[14],2)",
                                       "'a\\'b'",
                                       "'12'.x",
                                       "der"};
    static const char *const bad[] = {"",    "1a",   "a.",   ".a",       "a b",   "a[",         "a[]",
                                      "a[1", "a[x]", "a]",   "der(x",    "der()", "der(x,)",    "der(x)y",
                                      "'a",  "''",   "a'b'", "\303\266", "a-b",   "der(der(x))"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        if (!ms_fmu_is_structured(good[k]))
            fail_msg("%s is one", good[k]);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (ms_fmu_is_structured(bad[k]))
            fail_msg("%s is none", bad[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_where_nothing_is_wrong),
        cmocka_unit_test(each_rule_that_is_broken_is_named_with_its_line),
        cmocka_unit_test(advice_is_no_error),
        cmocka_unit_test(findings_without_end_are_counted),
        cmocka_unit_test(texts_changed_at_random_are_read_or_refused),
        cmocka_unit_test(structured_names_follow_the_grammar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
