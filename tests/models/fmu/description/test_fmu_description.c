/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_description.c - descriptions of both versions, what they default to, and what is refused at which line. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_description.h"
#include "fmu_description_read.h"
#include "support.h"
#include "unit_test.h"
#include "xml.h"

static int read_text(const char *text, size_t size, ms_fmu_description **d, ms_error *error)
{
    return ms_fmu_description_read("a.fmu", text, size, d, error);
}

static ms_fmu_description *description_of(const char *text)
{
    ms_fmu_description *d = NULL;
    ms_error error = {{0}};
    if (read_text(text, strlen(text), &d, &error) != MS_OK)
        fail_msg("%s", error.text);
    return d;
}

static const ms_fmu_variable *find(const ms_fmu_description *d, const char *name)
{
    const int k = ms_fmu_variable_index(d, name);
    assert_true(k >= 0);
    assert_string_equal(d->variables[k].name, name);
    return &d->variables[k];
}

/* Two and three ------------------------------------------------------------------------------------------ */

/* An oscillator as both versions say it; what is the same is tested once. */
static const char two[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Oscillator\" guid=\"{12}\" generationTool=\"by "
    "hand\"\n"
    "    description=\"m &lt; k\" variableNamingConvention=\"structured\" numberOfEventIndicators=\"2\">\n"
    "  <CoSimulation modelIdentifier=\"osc\" canGetAndSetFMUstate=\"true\" canInterpolateInputs=\"1\"\n"
    "    maxOutputDerivativeOrder=\"2\" canHandleVariableCommunicationStepSize=\"true\" "
    "needsExecutionTool=\" true \"/>\n"
    "  <ModelExchange modelIdentifier=\"osc_me\" completedIntegratorStepNotNeeded=\"true\" "
    "canSerializeFMUstate=\"true\"\n"
    "    providesDirectionalDerivative=\"true\" canBeInstantiatedOnlyOncePerProcess=\"true\"/>\n"
    "  <UnitDefinitions><Unit name=\"m\"><BaseUnit m=\"1\"/></Unit></UnitDefinitions>\n"
    "  <TypeDefinitions><SimpleType name=\"Stiff\"><Real unit=\"N/m\" min=\"0\" "
    "max=\"1e9\"/></SimpleType></TypeDefinitions>\n"
    "  <DefaultExperiment startTime=\"0\" stopTime=\"10\" tolerance=\"1e-6\"/>\n"
    "  <VendorAnnotations><Tool name=\"x\"><any thing=\"1\"/></Tool></VendorAnnotations>\n"
    "  <ModelVariables>\n"
    "    <ScalarVariable name=\"x\" valueReference=\"0\" initial=\"exact\"><Real start=\"1.5\" "
    "unit=\"m\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"v\" valueReference=\"1\" initial=\"approx\"><Real start=\"0\" "
    "derivative=\"1\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"der(v)\" valueReference=\"2\"><Real derivative=\"2\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"F\" valueReference=\"3\" causality=\"input\" description=\"a force\"><Real "
    "start=\"0\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"y\" valueReference=\"0\" causality=\"output\"><Real/></ScalarVariable>\n"
    "    <ScalarVariable name=\"k\" valueReference=\"4\" causality=\"parameter\" variability=\"tunable\">\n"
    "      <Real declaredType=\"Stiff\" start=\"20\" max=\"100\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"n\" valueReference=\"0\" causality=\"parameter\" "
    "variability=\"fixed\"><Integer start=\"-3\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"on\" valueReference=\"0\" causality=\"input\"><Boolean "
    "start=\"true\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"title\" valueReference=\"0\" causality=\"parameter\" "
    "variability=\"fixed\"><String start=\"a b\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"mass\" valueReference=\"5\" causality=\"calculatedParameter\" "
    "variability=\"fixed\"><Real/></ScalarVariable>\n"
    "    <ScalarVariable name=\"g\" valueReference=\"6\" variability=\"constant\"><Real "
    "start=\"9.81\"/></ScalarVariable>\n"
    "    <ScalarVariable name=\"time\" valueReference=\"7\" "
    "causality=\"independent\"><Real/></ScalarVariable>\n"
    "    <ScalarVariable name=\"step\" valueReference=\"8\" causality=\"output\" "
    "variability=\"discrete\"><Real/></ScalarVariable>\n"
    "  </ModelVariables>\n"
    "  <ModelStructure>\n"
    "    <Outputs><Unknown index=\"5\" dependencies=\"\"/><Unknown index=\"13\"/></Outputs>\n"
    "    <Derivatives><Unknown index=\"2\" dependencies=\"2\"/><Unknown index=\"3\" dependencies=\" 1 2\n4 "
    "\"/></Derivatives>\n"
    "    <InitialUnknowns><Unknown index=\"3\"/></InitialUnknowns>\n"
    "  </ModelStructure>\n"
    "</fmiModelDescription>\n";

static const char three[] =
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"Oscillator\" instantiationToken=\"{12}\" "
    "generationTool=\"by hand\"\n"
    "    description=\"m &#60; k\" variableNamingConvention=\"structured\">\n"
    "  <ModelExchange modelIdentifier=\"osc_me\" needsCompletedIntegratorStep=\"false\" "
    "canSerializeFMUState=\"true\"\n"
    "    providesDirectionalDerivatives=\"true\" canBeInstantiatedOnlyOncePerProcess=\"true\"/>\n"
    "  <CoSimulation modelIdentifier=\"osc\" canGetAndSetFMUState=\"true\" fixedInternalStepSize=\"0.01\" "
    "hasEventMode=\"true\"\n"
    "    providesIntermediateUpdate=\"true\" mightReturnEarlyFromDoStep=\"true\" "
    "providesAdjointDerivatives=\"true\"\n"
    "    maxOutputDerivativeOrder=\"2\" canHandleVariableCommunicationStepSize=\"true\" "
    "needsExecutionTool=\"true\"/>\n"
    "  <TypeDefinitions><Float64Type name=\"Stiff\" unit=\"N/m\" min=\"0\" max=\"1e9\"/></TypeDefinitions>\n"
    "  <DefaultExperiment startTime=\"0\" stopTime=\"10\" tolerance=\"1e-6\" stepSize=\"1e-2\"/>\n"
    "  <ModelVariables>\n"
    "    <Float64 name=\"time\" valueReference=\"4000000000\" causality=\"independent\" "
    "variability=\"continuous\"/>\n"
    "    <Float64 name=\"x\" valueReference=\"10\" initial=\"exact\" start=\"1.5\" unit=\"m\"/>\n"
    "    <Float64 name=\"v\" valueReference=\"11\" initial=\"approx\" start=\"0\" derivative=\"10\"/>\n"
    "    <Float64 name=\"der(v)\" valueReference=\"12\" derivative=\"11\"/>\n"
    "    <Float64 name=\"F\" valueReference=\"13\" causality=\"input\" start=\"0\" description=\"a force\" "
    "intermediateUpdate=\"true\">\n"
    "      <Alias name=\"force\" description=\"the same\"/></Float64>\n"
    "    <Float64 name=\"y\" valueReference=\"14\" causality=\"output\"/>\n"
    "    <Float64 name=\"k\" valueReference=\"15\" causality=\"parameter\" variability=\"tunable\" "
    "declaredType=\"Stiff\" start=\"20\" max=\"100\"/>\n"
    "    <Int8 name=\"n\" valueReference=\"16\" causality=\"parameter\" variability=\"fixed\" "
    "start=\"-3\"/>\n"
    "    <Boolean name=\"on\" valueReference=\"17\" causality=\"input\" start=\"true\"/>\n"
    "    <String name=\"title\" valueReference=\"18\" causality=\"parameter\" variability=\"fixed\"><Start "
    "value=\"a b\"/></String>\n"
    "    <Float64 name=\"mass\" valueReference=\"19\" causality=\"calculatedParameter\" "
    "variability=\"fixed\"/>\n"
    "    <Float64 name=\"g\" valueReference=\"20\" variability=\"constant\" start=\"9.81\"/>\n"
    "    <Float32 name=\"small\" valueReference=\"21\" causality=\"input\" start=\"0\"/>\n"
    "    <Float64 name=\"u\" valueReference=\"22\" causality=\"input\" start=\"1 2 3\"><Dimension "
    "start=\"3\"/></Float64>\n"
    "    <UInt64 name=\"size\" valueReference=\"23\" causality=\"structuralParameter\" variability=\"fixed\" "
    "start=\"3\"/>\n"
    "    <Clock name=\"tick\" valueReference=\"24\" causality=\"input\" intervalVariability=\"constant\" "
    "intervalDecimal=\"1\"/>\n"
    "    <Enumeration name=\"way\" valueReference=\"25\" declaredType=\"Ways\" variability=\"discrete\"/>\n"
    "    <Binary name=\"bytes\" valueReference=\"26\" causality=\"output\"/>\n"
    "    <Float64 name=\"step\" valueReference=\"27\" causality=\"output\" variability=\"discrete\"/>\n"
    "  </ModelVariables>\n"
    "  <ModelStructure>\n"
    "    <Output valueReference=\"14\" dependencies=\"\"/><Output valueReference=\"27\"/>\n"
    "    <ContinuousStateDerivative valueReference=\"11\" dependencies=\"11\"/>\n"
    "    <ContinuousStateDerivative valueReference=\"12\" dependencies=\"10 11 13\"/>\n"
    "    <EventIndicator valueReference=\"10\"/><EventIndicator valueReference=\"11\"/>\n"
    "  </ModelStructure>\n"
    "</fmiModelDescription>\n";

/* Types of 2.0 hold an element of their kind, of 3.0 they are it; other names of a variable have its items. */
static void items_of_enumerations_are_found(void **state)
{
    (void)state;
    static const char *const text[] = {
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"1\"><CoSimulation "
        "modelIdentifier=\"m\"/>"
        "<TypeDefinitions><SimpleType name=\"Ways\"><Enumeration><Item name=\"up\" value=\"1\"/><Item "
        "name=\"down\" "
        "value=\"-3\"/></Enumeration></SimpleType></TypeDefinitions><ModelVariables><ScalarVariable "
        "name=\"way\" "
        "valueReference=\"1\" causality=\"parameter\" variability=\"fixed\"><Enumeration "
        "declaredType=\"Ways\" "
        "start=\"1\"/></ScalarVariable><ScalarVariable name=\"n\" valueReference=\"1\" "
        "causality=\"parameter\" "
        "variability=\"fixed\"><Integer start=\"1\"/></ScalarVariable></ModelVariables><ModelStructure/>"
        "</fmiModelDescription>",
        "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" instantiationToken=\"1\"><CoSimulation "
        "modelIdentifier=\"m\"/><TypeDefinitions><EnumerationType name=\"Ways\"><Item name=\"up\" "
        "value=\"1\"/><Item "
        "name=\"down\" value=\"-3\"/></EnumerationType></TypeDefinitions><ModelVariables><Enumeration "
        "name=\"way\" "
        "valueReference=\"1\" causality=\"parameter\" variability=\"fixed\" declaredType=\"Ways\" "
        "start=\"1\"><Alias "
        "name=\"other\"/><Alias name=\"third\"/></Enumeration><Int32 name=\"n\" valueReference=\"2\" "
        "causality=\"parameter\" variability=\"fixed\" start=\"1\"/></ModelVariables><ModelStructure/>"
        "</fmiModelDescription>"};
    for (int k = 0; k < 2; k++) {
        ms_fmu_description *d = description_of(text[k]);
        static const char *const names[] = {"way", "other", "third"};
        double number = 0.0;
        for (int n = 0; n < (k == 0 ? 1 : 3); n++) {
            const int way = ms_fmu_variable_index(d, names[n]);
            assert_true(ms_fmu_item(d, way, "up", &number) && number == 1.0);
            assert_true(ms_fmu_item(d, way, "down", &number) && number == -3.0);
            assert_false(ms_fmu_item(d, way, "left", &number));
            assert_false(ms_fmu_item(d, way, "", &number));
        }
        assert_false(ms_fmu_item(d, ms_fmu_variable_index(d, "n"), "up", &number));
        ms_fmu_description_free(&d);
    }
}

static void both_versions_are_read_into_one_form(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu_description *d = description_of(fmi == 2 ? two : three);
        assert_int_equal(d->fmi, fmi);
        assert_string_equal(d->fmi_version, fmi == 2 ? "2.0" : "3.0");
        assert_string_equal(d->model_name, "Oscillator");
        assert_string_equal(d->token, "{12}");
        assert_string_equal(d->tool, "by hand");
        assert_string_equal(d->description, "m < k");
        assert_true(d->structured_names);
        assert_int_equal(d->n_event_indicators, 2);
        assert_true(d->start_time == 0.0 && d->stop_time == 10.0 && d->tolerance == 1e-6);
        assert_true(fmi == 2 ? isnan(d->step_size) : d->step_size == 1e-2);
        assert_string_equal(find(d, "x")->unit, "m");
        assert_string_equal(find(d, "v")->unit, "1");
        assert_true(find(d, "x")->start_value == 1.5);
        assert_string_equal(find(d, "x")->start, "1.5");
        assert_string_equal(find(d, "F")->description, "a force");
        assert_string_equal(find(d, "k")->unit, "N/m");
        assert_true(find(d, "k")->min == 0.0 && find(d, "k")->max == 100.0);
        assert_true(find(d, "x")->min == -INFINITY && find(d, "x")->max == INFINITY);
        assert_int_equal(find(d, "n")->type, fmi == 2 ? MS_FMU_INT32 : MS_FMU_INT8);
        assert_true(find(d, "n")->start_value == -3.0);
        assert_true(find(d, "on")->start_value == 1.0);
        assert_string_equal(find(d, "title")->start, "a b");
        assert_true(isnan(find(d, "title")->start_value));
        assert_null(find(d, "y")->start);
        assert_int_equal(ms_fmu_variable_index(d, "nothing"), -1);
        ms_fmu_description_free(&d);
        assert_null(d);
        ms_fmu_description_free(&d);
    }
}

static void flags_are_read_by_kind(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu_description *d = description_of(fmi == 2 ? two : three);
        const ms_fmu_flags *cs = &d->flags[MS_FMU_CO_SIMULATION], *me = &d->flags[MS_FMU_MODEL_EXCHANGE];
        assert_true(cs->present && me->present);
        assert_false(d->scheduled_execution);
        assert_string_equal(cs->model_identifier, "osc");
        assert_string_equal(me->model_identifier, "osc_me");
        assert_true(cs->get_and_set_state && !cs->serialize_state && !me->get_and_set_state &&
                    me->serialize_state);
        assert_true(cs->variable_step && cs->needs_execution_tool && !me->needs_execution_tool);
        assert_true(me->directional_derivatives && !cs->directional_derivatives);
        assert_true(me->only_once_per_process && !cs->only_once_per_process);
        assert_true(me->no_step_completion && !cs->no_step_completion);
        assert_int_equal(cs->max_output_derivative, 2);
        assert_int_equal(me->max_output_derivative, 0);
        assert_true(cs->interpolate_inputs == (fmi == 2));
        const bool late = fmi == 3;
        assert_true(cs->intermediate_update == late && cs->event_mode == late && cs->early_return == late);
        assert_true(cs->adjoint_derivatives == late && cs->fixed_internal_step == (late ? 0.01 : 0.0));
        ms_fmu_description_free(&d);
    }
}

/* causality, variability and initial where the file says nothing. */
static void what_is_missing_has_the_defaults_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        ms_fmu_causality causality;
        ms_fmu_variability variability;
        ms_fmu_initial initial[2]; /* of 2.0, 3.0 */
    } all[] = {
        {"x", MS_FMU_LOCAL, MS_FMU_CONTINUOUS, {MS_FMU_EXACT, MS_FMU_EXACT}},
        {"v", MS_FMU_LOCAL, MS_FMU_CONTINUOUS, {MS_FMU_APPROX, MS_FMU_APPROX}},
        {"der(v)", MS_FMU_LOCAL, MS_FMU_CONTINUOUS, {MS_FMU_CALCULATED, MS_FMU_CALCULATED}},
        {"F", MS_FMU_INPUT, MS_FMU_CONTINUOUS, {MS_FMU_INITIAL_NONE, MS_FMU_EXACT}},
        {"on", MS_FMU_INPUT, MS_FMU_DISCRETE, {MS_FMU_INITIAL_NONE, MS_FMU_EXACT}},
        {"y", MS_FMU_OUTPUT, MS_FMU_CONTINUOUS, {MS_FMU_CALCULATED, MS_FMU_CALCULATED}},
        {"step", MS_FMU_OUTPUT, MS_FMU_DISCRETE, {MS_FMU_CALCULATED, MS_FMU_CALCULATED}},
        {"k", MS_FMU_PARAMETER, MS_FMU_TUNABLE, {MS_FMU_EXACT, MS_FMU_EXACT}},
        {"mass", MS_FMU_CALCULATED_PARAMETER, MS_FMU_FIXED, {MS_FMU_CALCULATED, MS_FMU_CALCULATED}},
        {"g", MS_FMU_LOCAL, MS_FMU_CONSTANT, {MS_FMU_EXACT, MS_FMU_EXACT}},
        {"time", MS_FMU_INDEPENDENT, MS_FMU_CONTINUOUS, {MS_FMU_INITIAL_NONE, MS_FMU_INITIAL_NONE}},
    };
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu_description *d = description_of(fmi == 2 ? two : three);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            const ms_fmu_variable *v = find(d, all[k].name);
            assert_int_equal(v->causality, all[k].causality);
            assert_int_equal(v->variability, all[k].variability);
            assert_int_equal(v->initial, all[k].initial[fmi - 2]);
        }
        ms_fmu_description_free(&d);
    }
}

static void structure_names_variables(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        ms_fmu_description *d = description_of(fmi == 2 ? two : three);
        const ms_fmu_variable *v = d->variables;
        assert_int_equal(d->n_outputs, fmi); /* one of three is not listed */
        assert_string_equal(v[d->outputs[0].variable].name, "y");
        assert_string_equal(v[d->outputs[1].variable].name, "step");
        assert_int_equal(d->outputs[0].n_dependencies, 0);
        assert_int_equal(d->outputs[1].n_dependencies, -1);
        assert_int_equal(d->n_derivatives, 2);
        static const char *const of[] = {"x", "v"}, *const on[] = {"x", "v", "F"};
        for (int k = 0; k < 2; k++)
            assert_string_equal(v[v[d->derivatives[k].variable].derivative_of].name, of[k]);
        assert_int_equal(d->derivatives[1].n_dependencies, 3);
        for (int k = 0; k < 3; k++)
            assert_string_equal(v[d->derivatives[1].dependencies[k]].name, on[k]);
        assert_int_equal(find(d, "x")->derivative_of, -1);
        static const char *const inputs[] = {"F", "small", "u", "u",
                                             "u"}; /* of 3.0 an array too, value by value */
        assert_int_equal(d->n_inputs, fmi == 2 ? 1 : 5);
        assert_int_equal(d->n_discrete_inputs, 1);
        for (int k = 0; k < d->n_inputs; k++)
            assert_string_equal(v[d->inputs[k]].name, inputs[k]);
        assert_string_equal(v[d->inputs[d->n_inputs]].name, "on");
        ms_fmu_description_free(&d);
    }
}

static void what_only_three_has_is_known(void **state)
{
    (void)state;
    ms_fmu_description *d = description_of(three);
    assert_int_equal(find(d, "u")->n_dimensions, 1);
    assert_true(isnan(find(d, "u")->start_value));
    assert_string_equal(find(d, "u")->start, "1 2 3");
    assert_int_equal(find(d, "tick")->type, MS_FMU_CLOCK);
    assert_int_equal(find(d, "size")->causality, MS_FMU_STRUCTURAL_PARAMETER);
    assert_int_equal(find(d, "way")->type, MS_FMU_ENUMERATION);
    assert_int_equal(find(d, "bytes")->type, MS_FMU_BINARY);
    assert_int_equal(find(d, "small")->type, MS_FMU_FLOAT32);
    assert_true(find(d, "F")->intermediate_update);
    assert_false(find(d, "u")->intermediate_update);
    assert_int_equal(find(d, "force")->value_reference, 13);
    assert_int_equal(find(d, "force")->causality, MS_FMU_LOCAL);
    assert_string_equal(find(d, "force")->description, "the same");
    assert_true(find(d, "time")->value_reference == 4000000000u);
    ms_fmu_description_free(&d);
}

/* Numbers are those of the C locale. */
static void another_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (size_t k = 0; k < 3 && setlocale(LC_ALL, names[k]) == NULL; k++)
        ;
    double value = 0.0;
    assert_true(ms_xml_number(" -1.25e2 ", &value));
    assert_true(value == -125.0);
    assert_false(ms_xml_number("1,5", &value));
    static const char *const bad[] = {"",    " ",     "1 2",  "0x10", "1e", "nan",
                                      "inf", "1e999", "1.5m", "--1",  "+"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(ms_xml_number(bad[k], &value));
    assert_true(ms_xml_number("-INF", &value) && value == -INFINITY);
    assert_true(ms_xml_number("NaN", &value) && isnan(value));
    setlocale(LC_ALL, "C");
}

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
    {ALL2(V2("name='a' valueReference='0'", "")), "<ScalarVariable> a is of no type that FMI 2.0 has",
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
    {ALL3("<Real name='a' valueReference='0'/>"), "<Real> a is of no type that FMI 3.0 has", MS_INVALID},
    {ALL3("<Float64 name='a' valueReference='0' start='1 2'/>"), "start of a is 1 2", MS_INVALID},
    /* what stands twice, or nowhere */
    {ALL2(V2("name='a' valueReference='0'", "<Real/>") V2("name='a' valueReference='1'", "<Real/>")),
     "line 5: the name a stands on line 4 already", MS_INVALID},
    {ALL3("<Float64 name='a' valueReference='7'/>\n<Int32 name='b' valueReference='7'/>"),
     "line 5: a and b have the same valueReference 7", MS_INVALID},
    {ALL3("<Float64 name='a' valueReference='7'><Alias name='a'/></Float64>"),
     "the name a stands on line 4 already", MS_INVALID},
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
    {WITH2(V2("name='a' valueReference='0'", "<Real/>"), "<Derivatives><Unknown index='1'/></Derivatives>"),
     "a is listed as a derivative", MS_INVALID},
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
        const int status = read_text(bad[k].text, strlen(bad[k].text), &d, &error);
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
    for (size_t size = 0; size + 2 < sizeof three; size += 7)
        assert_int_equal(read_text(three, size, &d, NULL), MS_INVALID);
    char copy[sizeof two];
    memcpy(copy, two, sizeof two);
    copy[500] = '\0';
    assert_int_equal(read_text(copy, sizeof two - 1, &d, NULL), MS_INVALID);
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
    assert_int_equal(read_text(text, 3 * (size_t)DEEP, &d, &error), MS_INVALID);
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
    ms_fmu_description *d = description_of(text);
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
    assert_int_equal(read_text(text, 3 + 4 * (size_t)HUGE, &d, &error), MS_INVALID);
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
        ms_fmu_description *d = description_of(texts[k]);
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
        cmocka_unit_test(both_versions_are_read_into_one_form),
        cmocka_unit_test(items_of_enumerations_are_found),
        cmocka_unit_test(outputs_that_are_not_listed_are_outputs),
        cmocka_unit_test(flags_are_read_by_kind),
        cmocka_unit_test(what_is_missing_has_the_defaults_of_the_standard),
        cmocka_unit_test(structure_names_variables),
        cmocka_unit_test(what_only_three_has_is_known),
        cmocka_unit_test(another_locale_changes_nothing),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(texts_that_are_cut_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(many_variables_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
