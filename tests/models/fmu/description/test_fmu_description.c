/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_description.c - descriptions of both versions, and what they default to. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "description_texts.h"
#include "fmu_description_read.h"
#include "support.h"
#include "unit_test.h"
#include "xml.h"

static const ms_fmu_variable *find(const ms_fmu_description *d, const char *name)
{
    const int k = ms_fmu_variable_index(d, name);
    assert_true(k >= 0);
    assert_string_equal(d->variables[k].name, name);
    return &d->variables[k];
}

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
        ms_fmu_description *d = support_description(text[k]);
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
        ms_fmu_description *d =
            support_description(fmi == 2 ? support_description_two : support_description_three);
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
        ms_fmu_description *d =
            support_description(fmi == 2 ? support_description_two : support_description_three);
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
        ms_fmu_description *d =
            support_description(fmi == 2 ? support_description_two : support_description_three);
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
        ms_fmu_description *d =
            support_description(fmi == 2 ? support_description_two : support_description_three);
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
    ms_fmu_description *d = support_description(support_description_three);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_versions_are_read_into_one_form),
        cmocka_unit_test(items_of_enumerations_are_found),
        cmocka_unit_test(flags_are_read_by_kind),
        cmocka_unit_test(what_is_missing_has_the_defaults_of_the_standard),
        cmocka_unit_test(structure_names_variables),
        cmocka_unit_test(what_only_three_has_is_known),
        cmocka_unit_test(another_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
