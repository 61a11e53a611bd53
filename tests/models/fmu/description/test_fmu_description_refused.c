/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_description_refused.c - descriptions of FMUs that are refused, with their lines, cut, deep or long. */
#include "description_texts.h"
#include "fmu_description_read.h"
#include "support.h"
#include "unit_test.h"
#include "xml.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Refusals ----------------------------------------------------------------------------------------------- */

#define HEAD2                "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"
#define HEAD3                "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"g\">\n"
#define KIND                 "<CoSimulation modelIdentifier=\"m\"/>\n"
#define EMPTY                "<ModelStructure/></fmiModelDescription>"
#define ALL2(variables)      HEAD2 KIND "<ModelVariables>\n" variables "</ModelVariables>" EMPTY
#define ALL3(variables)      HEAD3 KIND "<ModelVariables>\n" variables "</ModelVariables>" EMPTY
#define V2(attributes, type) "<ScalarVariable " attributes ">" type "</ScalarVariable>\n"
#define WITH2(variables, structure)                                                                          \
    HEAD2 KIND "<ModelVariables>\n" variables "</ModelVariables>\n<ModelStructure>" structure                \
               "</ModelStructure></fmiModelDescription>"
#define WITH3(variables, structure)                                                                          \
    HEAD3 KIND "<ModelVariables>\n" variables "</ModelVariables>\n<ModelStructure>" structure                \
               "</ModelStructure></fmiModelDescription>"

static const struct {
    const char *text, *what;
    int status;
} bad[] = {
    /* no XML, or none that is read */
    {"", "line 1: no element found", MS_INVALID},
    {"<a>\n<b>\n</a>", "line 3: mismatched tag", MS_INVALID},
    {"<a x='1' x='2'/>", "line 1: duplicate attribute", MS_INVALID},
    {"<a>\xff</a>", "line 1: not well-formed", MS_INVALID},
    {"<a b='\xc0\xaf'/>", "line 1: not well-formed", MS_INVALID},
    {"<?xml version='1.0' encoding='ISO-8859-1'?>\n<a x='\xff' x=''/>", "line 2: duplicate attribute",
     MS_INVALID},
    {"<?xml version='1.0' encoding='EBCDIC-OF-MINE'?><a/>", "EBCDIC-OF-MINE is not known", MS_INVALID},
    {"<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "DOCTYPE", MS_INVALID},
    {"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "DOCTYPE", MS_INVALID},
    {"<a>&e;</a>", "undefined entity", MS_INVALID},
    {"<a xmlns:b='c'><d:e/></a>", "unbound prefix", MS_INVALID},
    /* another version, another kind */
    {"<fmiModelDescription fmiVersion='1.0'/>", "FMI 1.0 is not supported; 2.0 and 3.0 are", MS_UNSUPPORTED},
    {"<fmiModelDescription fmiVersion='3.0-beta.2'/>", "FMI 3.0-beta.2 is not", MS_UNSUPPORTED},
    {"<fmiModelDescription fmiVersion='2.1'/>", "FMI 2.1 is not", MS_UNSUPPORTED},
    {"<fmiModelDescription fmiVersion='20'/>", "FMI 20 is not", MS_UNSUPPORTED},
    {HEAD3 "<ScheduledExecution modelIdentifier='m'/></fmiModelDescription>", "scheduled execution only",
     MS_UNSUPPORTED},
    /* missing members */
    {"<x/>", "line 1: <x> is not <fmiModelDescription>", MS_INVALID},
    {"<fmiModelDescription/>", "has no fmiVersion", MS_INVALID},
    {"<fmiModelDescription fmiVersion='2.0' guid='a'>" KIND "</fmiModelDescription>", "has no modelName",
     MS_INVALID},
    {"<fmiModelDescription fmiVersion='2.0' modelName='a'>" KIND "</fmiModelDescription>", "has no guid",
     MS_INVALID},
    {"<fmiModelDescription fmiVersion='3.0' modelName='a' guid='b'>" KIND "</fmiModelDescription>",
     "has no instantiationToken", MS_INVALID},
    {HEAD2 "</fmiModelDescription>", "neither <CoSimulation> nor <ModelExchange>", MS_INVALID},
    {HEAD2 "<CoSimulation/></fmiModelDescription>", "line 2: <CoSimulation> has no modelIdentifier",
     MS_INVALID},
    {HEAD2 "<CoSimulation modelIdentifier=''/></fmiModelDescription>", "is empty", MS_INVALID},
    {HEAD2 KIND EMPTY, "has no <ModelVariables>", MS_INVALID},
    {HEAD2 KIND "<ModelVariables/></fmiModelDescription>", "has no <ModelStructure>", MS_INVALID},
    {ALL2(V2("valueReference='0'", "<Real/>")), "line 4: <ScalarVariable> has no name", MS_INVALID},
    {ALL2(V2("name='a'", "<Real/>")), "line 4: <ScalarVariable> has no valueReference", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "")), "<ScalarVariable> a has a type that FMI 2.0 does not have",
     MS_INVALID},
    {WITH2("", "<Outputs><Unknown/></Outputs>"), "<Unknown> has no index", MS_INVALID},
    /* values of a wrong type */
    {HEAD2 "<CoSimulation modelIdentifier='m' canInterpolateInputs='yes'/></fmiModelDescription>",
     "line 2: canInterpolateInputs of <CoSimulation> is yes, but true or false is expected", MS_INVALID},
    {HEAD2 "<CoSimulation modelIdentifier='m' maxOutputDerivativeOrder='two'/></fmiModelDescription>",
     "is two, but a whole number is expected", MS_INVALID},
    {HEAD2 "<CoSimulation modelIdentifier='m' "
           "maxOutputDerivativeOrder='99999999999999999999'/></fmiModelDescription>",
     "but a whole number is expected", MS_INVALID},
    {HEAD2 "<CoSimulation modelIdentifier='../../m'/></fmiModelDescription>", "cannot be the name of a file",
     MS_INVALID},
    {HEAD2 KIND "<DefaultExperiment stopTime='1,5'/>" EMPTY, "stopTime of <DefaultExperiment> is 1,5",
     MS_INVALID},
    {"<fmiModelDescription fmiVersion='2.0' modelName='m' guid='g' numberOfEventIndicators='-1'>" KIND EMPTY,
     "numberOfEventIndicators is negative", MS_INVALID},
    {ALL2(V2("name='a' valueReference='-1'", "<Real/>")), "valueReference of a is -1", MS_INVALID},
    {ALL2(V2("name='a' valueReference='4294967296'", "<Real/>")), "valueReference of a is 4294967296",
     MS_INVALID},
    {ALL2(V2("name='a' valueReference='0' causality='inputs'", "<Real/>")), "is inputs; the nearest is input",
     MS_INVALID},
    {ALL2(V2("name='a' valueReference='0' variability='variable'", "<Real/>")),
     "variability of <ScalarVariable>", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0' initial='fixed'", "<Real/>")),
     "initial of <ScalarVariable> is fixed", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "<Real start='one'/>")),
     "start of a is one, but a number is expected", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "<Real start=''/>")), "start of a is , but a number", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "<Integer start='1.5'/>")), "but a whole number is expected",
     MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "<Boolean start='2'/>")), "start of <Boolean> is 2", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "<Real min='low'/>")), "min of <Real> is low", MS_INVALID},
    {ALL3("<Real name='a' valueReference='0'/>"), "<Real> a has a type that FMI 3.0 does not have",
     MS_INVALID},
    {ALL3("<Float64 name='a' valueReference='0' start='1 2'/>"), "start of a is 1 2", MS_INVALID},
    /* what stands twice, or nowhere */
    {ALL2(V2("name='a' valueReference='0'", "<Real/>") V2("name='a' valueReference='1'", "<Real/>")),
     "line 5: the name a occurs on line 4 already", MS_INVALID},
    {ALL3("<Float64 name='a' valueReference='7'/>\n<Int32 name='b' valueReference='7'/>"),
     "line 5: a and b have the same valueReference 7", MS_INVALID},
    {ALL3("<Float64 name='a' valueReference='7'><Alias name='a'/></Float64>"),
     "the name a occurs on line 4 already", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "<Real derivative='2'/>")),
     "derivative of a is 2, but there is no such", MS_INVALID},
    {ALL2(V2("name='a' valueReference='0'", "<Real derivative='0'/>")), "derivative of a is 0", MS_INVALID},
    {ALL3("<Float64 name='a' valueReference='1' derivative='x'/>"), "derivative of a is x", MS_INVALID},
    {WITH2(V2("name='a' valueReference='0'", "<Real/>"), "<Outputs><Unknown index='2'/></Outputs>"),
     "line 6: <Unknown> names variable 2, but there is none of that index", MS_INVALID},
    {WITH2(V2("name='a' valueReference='0'", "<Real/>"),
           "<Outputs><Unknown index='1' dependencies='3'/></Outputs>"),
     "<Unknown> names variable 3", MS_INVALID},
    {WITH2(V2("name='a' valueReference='0'", "<Real/>"),
           "<Outputs><Unknown index='1' dependencies='1 x'/></Outputs>"),
     "numbers are expected", MS_INVALID},
    {HEAD2 "<ModelExchange modelIdentifier=\"m\"/><ModelVariables>" V2(
         "name='a' valueReference='0'",
         "<Real/>") "</ModelVariables>"
                    "<ModelStructure><Derivatives><Unknown index='1'/></Derivatives></ModelStructure></fmiModelDescription>",
     "a is listed as a derivative", MS_INVALID},
    {ALL3(
         "<Float64 name='a' valueReference='7'>\n<Dimension start='2'/>\n<Dimension valueReference='9'/></Float64>"),
     "line 6: dimension 2 of a is neither", MS_INVALID},
    {WITH3("<Float64 name='a' valueReference='7'/>", "<Output valueReference='1'/>"),
     "none of that value reference", MS_INVALID},
    {WITH3("<Float64 name='a' valueReference='7'/>", "<Output valueReference='99999999999'/>"),
     "number without a sign", MS_INVALID},
};

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ms_fmu_description *d = NULL;
        ms_error error = {{0}};
        const int status = support_description_read(bad[k].text, strlen(bad[k].text), &d, &error);
        assert_null(d);
        if (status != bad[k].status || strncmp(error.text, "a.fmu: ", 7) != 0 ||
            strstr(error.text, bad[k].what) == NULL)
            fail_msg("%zu: %d, '%s' instead of '%s'", k, status, error.text, bad[k].what);
    }
}

/* Every text that is cut is refused, and so is one with a zero byte. */
static void texts_that_are_cut_are_refused(void **state)
{
    (void)state;
    ms_fmu_description *d = NULL;
    for (size_t size = 0; size + 1 < strlen(support_description_three); size += 7)
        assert_int_equal(support_description_read(support_description_three, size, &d, NULL), MS_INVALID);
    char *copy = strdup(support_description_two);
    assert_non_null(copy);
    copy[500] = '\0';
    assert_int_equal(support_description_read(copy, strlen(support_description_two), &d, NULL), MS_INVALID);
    free(copy);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    enum { DEEP = 1000000 };
    static const char begin[] = {'<', 'a', '>'};
    char *text = malloc(3 * (size_t)DEEP + 1);
    assert_non_null(text);
    for (int k = 0; k < DEEP; k++)
        memcpy(text + 3 * (size_t)k, begin, sizeof begin);
    ms_fmu_description *d = NULL;
    ms_error error = {{0}};
    assert_int_equal(support_description_read(text, 3 * (size_t)DEEP, &d, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "is nested in more than 100 elements"));
    free(text);
}

/* A hundred thousand variables take no time to speak of; more elements than a description has are refused. */
static void many_variables_are_read(void **state)
{
    (void)state;
    enum { MANY = 100000, ROOM = 120 };
    char *text = malloc((size_t)MANY * ROOM + sizeof HEAD3 + sizeof EMPTY + 1000);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "%s%s<ModelVariables>", HEAD3, KIND);
    for (int k = 0; k < MANY; k++)
        at += (size_t)sprintf(text + at, "<Float64 name='v%d' valueReference='%d'/>", k, MANY - k);
    at += (size_t)sprintf(text + at, "</ModelVariables>%s", EMPTY);
    ms_fmu_description *d = support_description(text);
    assert_int_equal(d->n_variables, MANY);
    assert_int_equal(ms_fmu_variable_index(d, "v77777"), 77777);
    ms_fmu_description_free(&d);
    free(text);
    enum { HUGE = MS_XML_ELEMENTS + 1 };
    static const char begin[] = {'<', 'a', '>'}, within[] = {'<', 'b', '/', '>'};
    text = malloc(4 * (size_t)HUGE + 4);
    assert_non_null(text);
    memcpy(text, begin, sizeof begin);
    for (int k = 0; k < HUGE; k++)
        memcpy(text + 3 + 4 * (size_t)k, within, sizeof within);
    ms_error error = {{0}};
    assert_int_equal(support_description_read(text, 3 + 4 * (size_t)HUGE, &d, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "elements"));
    free(text);
}

/* As tools leave it: ModelStructure is empty, or lists some of them; units are empty. */
static void outputs_that_are_not_listed_are_outputs(void **state)
{
    static const char *const texts[] = {
        WITH2(V2("name='a' valueReference='0' causality='output'", "<Real unit=''/>")
                  V2("name='p' valueReference='1' causality='parameter' variability='fixed'",
                     "<Real start='1'/>") V2("name='b' valueReference='2' causality='output'", "<Real/>"),
              "<Outputs><Unknown index='3' dependencies=''/></Outputs>"),
        WITH3("<Float64 name='a' valueReference='0' causality='output' unit=''/>"
              "<Float64 name='p' valueReference='1' causality='parameter' variability='fixed' start='1'/>"
              "<Float64 name='b' valueReference='2' causality='output'/>",
              "<Output valueReference='2' dependencies=''/>")};
    (void)state;
    for (int k = 0; k < 2; k++) {
        ms_fmu_description *d = support_description(texts[k]);
        assert_int_equal(d->n_outputs, 2);
        assert_string_equal(d->variables[d->outputs[0].variable].name, "b");
        assert_int_equal(d->outputs[0].n_dependencies, 0);
        assert_string_equal(d->variables[d->outputs[1].variable].name, "a");
        assert_int_equal(d->outputs[1].n_dependencies, -1);
        assert_string_equal(d->variables[d->outputs[1].variable].unit, "1");
        ms_fmu_description_free(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_that_are_not_listed_are_outputs),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(texts_that_are_cut_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(many_variables_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
