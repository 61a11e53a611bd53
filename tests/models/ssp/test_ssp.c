/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ssp.c - system structures: what is read, through systems within systems, units and bindings; and what is written. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "ssp.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

static ms_ssp read_text(const char *text)
{
    ms_ssp ssp;
    ms_error error = {{0}};
    if (ms_ssp_read(support_folder_write("a.ssd", text), &ssp, &error) != MS_OK)
        fail_msg("%s", error.text);
    return ssp;
}

/* Systems ------------------------------------------------------------------------------------------------ */

/* A plant within a system of its own, a controller beside it; the sensor hands on millimetres. */
static const char nested[] = SUPPORT_HEAD
    "<ssd:System name='loop' description='a loop'>\n"
    "<ssd:Elements>\n"
    "<ssd:System name='plant of it'>\n"
    "<ssd:Connectors>" SUPPORT_REAL("force", "input") SUPPORT_REAL_IN(
        "position", "output",
        "m") "</ssd:Connectors>\n"
             "<ssd:Elements>\n"
             "<ssd:Component name='mass' source='resources/%6fne%20m%41ss.f%6Du' implementation='CoSimulation'>\n"
             "<ssd:Connectors>" SUPPORT_REAL("F", "input") SUPPORT_REAL_IN("x", "output", "m")
                 SUPPORT_REAL_IN(
                     "m", "parameter",
                     "kg") "</ssd:Connectors>\n"
                           "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:"
                           "ParameterSet "
                           "version='1.0' name='p'>"
                           "<ssv:Parameters><ssv:Parameter name='m'><ssv:Real value='500' "
                           "unit='g'/></ssv:Parameter>"
                           "<ssv:Parameter name='n'><ssv:Integer value='3'/></ssv:Parameter>"
                           "<ssv:Parameter name='on'><ssv:Boolean value='true'/></ssv:Parameter>"
                           "<ssv:Parameter name='title'><ssv:String value='a &lt; b'/></ssv:Parameter>"
                           "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></"
                           "ssd:ParameterBinding></"
                           "ssd:ParameterBindings>\n"
                           "</ssd:Component>\n"
                           "<ssd:Component name='sensor' type='application/x-fmu-sharedlibrary' "
                           "source='s.fmu'>\n"
                           "<ssd:Connectors>" SUPPORT_REAL_IN("u", "input", "mm") SUPPORT_REAL_IN(
                               "y", "output",
                               "mm") "</ssd:Connectors><ssd:ElementGeometry/></ssd:Component>\n"
                                     "</ssd:Elements>\n"
                                     "<ssd:Connections>\n"
                                     "<ssd:Connection startConnector='force' endElement='mass' "
                                     "endConnector='F'>"
                                     "<ssc:LinearTransformation factor='2' offset='1'/></ssd:Connection>\n"
                                     "<ssd:Connection startElement='mass' startConnector='x' "
                                     "endElement='sensor' "
                                     "endConnector='u'/>\n"
                                     "<ssd:Connection startElement='sensor' startConnector='y' "
                                     "endConnector='position'/>\n"
                                     "</ssd:Connections>\n"
                                     "</ssd:System>\n"
                                     "<ssd:Component name='control' source='c.fmu' "
                                     "implementation='ModelExchange'>\n"
                                     "<ssd:Connectors>" SUPPORT_REAL("u", "input") SUPPORT_REAL("y", "output")
                                         SUPPORT_REAL(
                                             "w",
                                             "input") "</ssd:Connectors></ssd:Component>\n"
                                                      "</ssd:Elements>\n"
                                                      "<ssd:Connectors>" SUPPORT_REAL(
                                                          "outside",
                                                          "input") "</ssd:Connectors>\n"
                                                                   "<ssd:Connections>\n"
                                                                   "<ssd:Connection startElement='plant of "
                                                                   "it' "
                                                                   "startConnector='position' "
                                                                   "endElement='control' "
                                                                   "endConnector='u'/>\n"
                                                                   "<ssd:Connection startElement='control' "
                                                                   "startConnector='y' endElement='plant of "
                                                                   "it' "
                                                                   "endConnector='force'>"
                                                                   "<ssc:LinearTransformation factor='-3' "
                                                                   "offset='0.5'/></ssd:Connection>\n"
                                                                   "<ssd:Connection startConnector='outside' "
                                                                   "endElement='control' endConnector='w'/>\n"
                                                                   "</ssd:Connections>\n"
                                                                   "<ssd:ParameterBindings><ssd:"
                                                                   "ParameterBinding "
                                                                   "prefix='control.'><ssd:ParameterValues>"
                                                                   "<ssv:ParameterSet version='1.0' "
                                                                   "name='q'><ssv:Parameters><ssv:Parameter "
                                                                   "name='gain'><ssv:Real "
                                                                   "value='7'/></ssv:Parameter>"
                                                                   "</ssv:Parameters></ssv:ParameterSet></"
                                                                   "ssd:ParameterValues></"
                                                                   "ssd:ParameterBinding></"
                                                                   "ssd:ParameterBindings>\n"
                                                                   "<x:anything "
                                                                   "at='all'><x:more/></x:anything>\n"
                                                                   "</ssd:System>\n"
                                                                   "<ssd:Units><ssc:Unit "
                                                                   "name='m'><ssc:BaseUnit "
                                                                   "m='1'/></ssc:Unit><ssc:Unit "
                                                                   "name='mm'><ssc:BaseUnit m='1' "
                                                                   "factor='0.001'/></ssc:Unit>"
                                                                   "<ssc:Unit name='kg'><ssc:BaseUnit "
                                                                   "kg='1'/></ssc:Unit><ssc:Unit "
                                                                   "name='g'><ssc:BaseUnit kg='1' "
                                                                   "factor='0.001'/></ssc:Unit>"
                                                                   "<ssc:Unit name='K'><ssc:BaseUnit "
                                                                   "K='1'/></ssc:Unit></ssd:Units>\n"
                                                                   "<ssd:DefaultExperiment startTime='0' "
                                                                   "stopTime='4'><ssd:Annotations><ssc:"
                                                                   "Annotation "
                                                                   "type='com.opensimulationplatform'>"
                                                                   "<x:Algorithm><x:FixedStepAlgorithm "
                                                                   "baseStepSize='1e-4'/></x:Algorithm></"
                                                                   "ssc:Annotation></ssd:Annotations></"
                                                                   "ssd:DefaultExperiment>\n" SUPPORT_TAIL;

static void components_are_read(void **state)
{
    (void)state;
    ms_ssp ssp = read_text(nested);
    assert_string_equal(ssp.name, "loop");
    assert_true(ssp.stop_time == 4.0 && ssp.step_size == 1e-4);
    assert_int_equal(ssp.n_components, 3);
    const ms_ssp_component *mass = &ssp.components[0], *sensor = &ssp.components[1],
                           *control = &ssp.components[2];
    assert_string_equal(mass->name, "plant_of_it-mass");
    assert_string_equal(sensor->name, "plant_of_it-sensor");
    assert_string_equal(control->name, "control");
    assert_int_equal(mass->implementation, MS_SSP_CO_SIMULATION);
    assert_int_equal(sensor->implementation, MS_SSP_ANY);
    assert_int_equal(control->implementation, MS_SSP_MODEL_EXCHANGE);
    assert_string_equal(strrchr(mass->path, '/'), "/one mAss.fmu");
    assert_true(mass->path[0] == '/');
    assert_int_equal(mass->n_connectors, 3);
    assert_string_equal(mass->connectors[1].unit, "m");
    assert_int_equal(mass->connectors[2].kind, MS_SSP_PARAMETER);
    assert_true(support_ssp_setting(mass, "m")->number == 0.5); /* 500 g */
    assert_string_equal(support_ssp_setting(mass, "n")->text, "3");
    assert_string_equal(support_ssp_setting(mass, "title")->text, "a < b");
    assert_true(support_ssp_setting(control, "gain")->number == 7.0);
    ms_ssp_free(&ssp);
}

static void check_wire(const ms_ssp *ssp, int k, const char *from, const char *to, double gain, double offset)
{
    char name[100];
    const ms_ssp_wire *w = &ssp->wires[k];
    snprintf(name, sizeof name, "%s.%s", ssp->components[w->from].name, w->output);
    assert_string_equal(name, from);
    snprintf(name, sizeof name, "%s.%s", ssp->components[w->to].name, w->input);
    assert_string_equal(name, to);
    support_near(w->gain, gain, 1e-15 * fabs(gain));
    support_near(w->offset, offset, 1e-15);
}

/* F = 2 force + 1, force = -3 y + 0.5: F = -6 y + 2. u [mm] = 1000 x [m], and position [m] = y [mm] / 1000. */
static void connections_become_wires_through_systems(void **state)
{
    (void)state;
    ms_ssp ssp = read_text(nested);
    assert_int_equal(ssp.n_wires, 3);
    check_wire(&ssp, 0, "control.y", "plant_of_it-mass.F", -6.0, 2.0);
    check_wire(&ssp, 1, "plant_of_it-mass.x", "plant_of_it-sensor.u", 1000.0, 0.0);
    check_wire(&ssp, 2, "plant_of_it-sensor.y", "control.u", 1e-3, 0.0);
    ms_ssp_free(&ssp);
}

static void units_with_offsets_are_converted(void **state)
{
    (void)state;
    static const char text[] = SUPPORT_HEAD
        "<ssd:System name='s'><ssd:Elements>"
        "<ssd:Component name='a' source='a.fmu'><ssd:Connectors>" SUPPORT_REAL_IN(
            "y", "output",
            "degF") "</ssd:Connectors></ssd:Component>"
                    "<ssd:Component name='b' source='b.fmu'><ssd:Connectors>" SUPPORT_REAL_IN("u", "input",
                                                                                              "degC")
                        SUPPORT_REAL_IN("v", "input", "degC") SUPPORT_REAL_IN(
                            "w", "input",
                            "") "</ssd:Connectors></ssd:Component></ssd:Elements><ssd:Connections>\n"
                                "<ssd:Connection startElement='a' startConnector='y' endElement='b' "
                                "endConnector='u'>"
                                "<ssc:LinearTransformation factor='2' offset='1'/></ssd:Connection>\n"
                                "<ssd:Connection startElement='a' startConnector='y' endElement='b' "
                                "endConnector='v' suppressUnitConversion='true'/>\n"
                                "<ssd:Connection startElement='a' startConnector='y' endElement='b' "
                                "endConnector='w'/>\n"
                                "</ssd:Connections></ssd:System><ssd:Units>"
                                "<ssc:Unit name='degC'><ssc:BaseUnit K='1' offset='273.15'/></ssc:Unit>"
                                "<ssc:Unit name='degF'><ssc:BaseUnit K='1' factor='0.5555555555555556' "
                                "offset='255.3722222222222'/></ssc:Unit>"
                                "</ssd:Units>" SUPPORT_TAIL;
    ms_ssp ssp = read_text(text);
    assert_int_equal(ssp.n_wires, 3);
    const ms_ssp_wire *w = &ssp.wires[0];
    support_near(w->gain * 212.0 + w->offset, 2.0 * 100.0 + 1.0, 1e-10); /* water boils */
    support_near(w->gain * 32.0 + w->offset, 1.0, 1e-10);                /* and freezes */
    check_wire(&ssp, 1, "a.y", "b.v", 1.0, 0.0);
    check_wire(&ssp, 2, "a.y", "b.w", 1.0, 0.0); /* whose unit is empty: it has none */
    ms_ssp_free(&ssp);
}

static void units_of_different_things_are_not_converted(void **state)
{
    (void)state;
    char text[sizeof nested];
    memcpy(text, nested, sizeof nested);
    char *at = strstr(text, "name='u' kind='input'><ssc:Real unit='mm'");
    assert_non_null(at);
    static const char kelvin[] = {'\'', 'K', '\'', ' '};
    memcpy(strstr(at, "'mm'"), kelvin, sizeof kelvin);
    ms_ssp ssp;
    ms_error error = {{0}};
    assert_int_equal(ms_ssp_read(support_folder_write("a.ssd", text), &ssp, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "unit m cannot be converted to K: they measure different things"));
    ms_ssp_free(&ssp);
}

/* Parameters --------------------------------------------------------------------------------------------- */

static void bindings_stand_in_files_and_are_mapped(void **state)
{
    (void)state;
    support_folder_write("p.ssv", SUPPORT_SET("stiffness", "10"));
    support_folder_write(
        "p.ssm",
        "<ssm:ParameterMapping xmlns:ssm='http://ssp-standard.org/SSP1/SystemStructureParameterMapping' "
        "xmlns:ssc='http://ssp-standard.org/SSP1/SystemStructureCommon' version='1.0'>"
        "<ssm:MappingEntry source='stiffness' target='a.k'><ssc:LinearTransformation factor='3' offset='-1'/>"
        "</ssm:MappingEntry><ssm:MappingEntry source='stiffness' target='a.k2'/>"
        "<ssm:MappingEntry source='other' target='a.k3'/></ssm:ParameterMapping>");
    ms_ssp ssp = read_text(
        SUPPORT_BOUND("", "<ssd:ParameterBinding source='p.ssv' type='application/x-ssp-parameter-set'>"
                          "<ssd:ParameterMapping source='p.ssm'/></ssd:ParameterBinding>"));
    const ms_ssp_component *a = &ssp.components[0];
    assert_true(support_ssp_setting(a, "k")->number == 29.0 && support_ssp_setting(a, "k2")->number == 10.0);
    assert_null(support_ssp_setting(a, "k2")->next);
    ms_ssp_free(&ssp);
}

/* Archives ----------------------------------------------------------------------------------------------- */

static void archives_are_read(void **state)
{
    (void)state;
    assert_int_equal(mkdir(support_folder_path("content"), 0700), 0);
    support_folder_write("content/SystemStructure.ssd",
                         SUPPORT_BOUND("", "<ssd:ParameterBinding source='p.ssv'/>"));
    support_folder_write("content/p.ssv", SUPPORT_SET("a.k", "2"));
    ms_error error = {{0}};
    char path[512];
    snprintf(path, sizeof path, "%s", support_folder_path("a.ssp"));
    assert_int_equal(ms_fmu_archive_write(support_folder_path("content"), path, &error), MS_OK);
    ms_ssp ssp;
    if (ms_ssp_read(path, &ssp, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_true(support_ssp_setting(&ssp.components[0], "k")->number == 2.0);
    assert_non_null(ssp.archive);
    ms_ssp_free(&ssp);
    support_folder_write("content/p.ssv", SUPPORT_SET("a.k", "two"));
    assert_int_equal(ms_fmu_archive_write(support_folder_path("content"), path, &error), MS_OK);
    assert_int_equal(ms_ssp_read(path, &ssp, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "a.ssp/p.ssv: line 1: value of <Real> is two"));
    ms_ssp_free(&ssp);
    support_folder_write("content/SystemStructure.ssd",
                         SUPPORT_BOUND("", "<ssd:ParameterBinding source='../p.ssv'/>"));
    assert_int_equal(ms_fmu_archive_write(support_folder_path("content"), path, &error), MS_OK);
    assert_int_equal(ms_ssp_read(path, &ssp, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "leaves the archive"));
    ms_ssp_free(&ssp);
    unlink(support_folder_path("content/SystemStructure.ssd"));
    assert_int_equal(ms_fmu_archive_write(support_folder_path("content"), path, &error), MS_OK);
    assert_int_equal(ms_ssp_read(path, &ssp, &error), MS_IO);
    assert_non_null(strstr(error.text, "a.ssp/SystemStructure.ssd: No such file"));
    ms_ssp_free(&ssp);
    unlink(support_folder_path("content/p.ssv"));
    rmdir(support_folder_path("content"));
    unlink(support_folder_path("a.ssp"));
}

/* JSON and back ------------------------------------------------------------------------------------------ */

static void it_is_a_system_file(void **state)
{
    (void)state;
    ms_ssp ssp = read_text(nested);
    json_t *root = ms_ssp_json(&ssp), *first = json_array_get(json_object_get(root, "subsystems"), 0);
    assert_string_equal(json_string_value(json_object_get(root, "name")), "loop");
    assert_string_equal(json_string_value(json_object_get(first, "kind")), "co-simulation");
    json_t *set = json_pack("{s:f, s:i, s:b, s:s}", "m", 0.5, "n", 3, "on", 1, "title", "a < b");
    assert_true(json_equal(json_object_get(first, "set"), set));
    json_t *wire = json_pack("{s:s, s:s, s:f, s:f}", "from", "control.y", "to", "plant_of_it-mass.F", "gain",
                             -6.0, "offset", 2.0);
    assert_true(json_equal(json_array_get(json_object_get(root, "wires"), 0), wire));
    assert_true(json_number_value(json_object_get(root, "stop_time")) == 4.0);
    assert_true(json_number_value(json_object_get(root, "step_size")) == 1e-4);
    json_decref(set);
    json_decref(wire);
    json_decref(root);
    ms_ssp_free(&ssp);
}

/* Options of a run, and a start time, as they stand in the file, which knows nothing of them. */
#define OPTIONS(experiment, inside)                                                                          \
    SUPPORT_HEAD "<ssd:System name='s'><ssd:Elements><ssd:Component name='b' "                               \
                 "source='b.fmu'/></ssd:Elements></ssd:System>\n<ssd:DefaultExperiment " experiment          \
                 ">\n<ssd:Annotations>" inside "</ssd:Annotations></ssd:DefaultExperiment>" SUPPORT_TAIL
#define OURS(options) "<ssc:Annotation type='macrostep'>" options "</ssc:Annotation>"
static const char with_options[] =
    OPTIONS("startTime='-0.5' stopTime='2.25'",
            "<ssc:Annotation type='other'><options scheme='theirs'/></ssc:Annotation>" OURS(
                "<options xmlns='urn:macrostep' scheme='gauss-seidel' order='a,b' x:of='another' "
                "set='kc=1'/>\n<options set='kw=&quot;2&quot;'/>"));

static void options_are_handed_on(void **state)
{
    (void)state;
    static const char *const expected[][2] = {
        {"scheme", "gauss-seidel"}, {"order", "a,b"}, {"set", "kc=1"}, {"set", "kw=\"2\""}};
    ms_ssp ssp = read_text(with_options);
    assert_true(ssp.start_time == -0.5 && ssp.stop_time == 2.25 && isnan(ssp.step_size));
    assert_int_equal(ssp.n_options, 4);
    for (int k = 0; k < 4; k++) {
        assert_string_equal(ssp.options[k].option, expected[k][0]);
        assert_string_equal(ssp.options[k].value, expected[k][1]);
        assert_int_equal(ssp.options[k].line, k < 3 ? 4 : 5);
        assert_non_null(strstr(ssp.options[k].path, "a.ssd"));
    }
    json_t *root = ms_ssp_json(&ssp);
    assert_true(json_number_value(json_object_get(root, "stop_time")) == 2.25);
    assert_true(json_number_value(json_object_get(root, "start_time")) == -0.5);
    json_decref(root);
    ms_ssp_free(&ssp);
}

/* An element of an array of two dimensions. The source has one letter. */
#define SQUARE "'><ssc:Real/><ssc:Dimension size='2'/><ssc:Dimension size='3'/></ssd:Connector>"
static const char with_arrays[] = SUPPORT_SYSTEM(
    "<ssd:Component name='a' source='a'><ssd:Connectors><ssd:Connector name='T' kind='output" SQUARE
        SUPPORT_REAL("y", "output") "</ssd:Connectors></ssd:Component>" SUPPORT_COMPONENT_B,
    SUPPORT_CONNECT("a", "T", "b", "u", " startIndices='2 3'/>") SUPPORT_CONNECT("a", "y", "b", "v", "/>"));

static void elements_of_arrays_are_connected(void **state)
{
    (void)state;
    ms_ssp ssp = read_text(with_arrays);
    assert_int_equal(ssp.n_wires, 2);
    check_wire(&ssp, 0, "a.T[2,3]", "b.u", 1.0, 0.0);
    check_wire(&ssp, 1, "a.y", "b.v", 1.0, 0.0);
    ms_ssp_free(&ssp);
}

/* A connector of a kind that is passed over leaves nothing behind, not even its dimensions. */
static void what_is_passed_over_leaves_nothing(void **state)
{
    (void)state;
    ms_ssp ssp = read_text(SUPPORT_SYSTEM(
        "<ssd:Component name='a' source='a'><ssd:Connectors><ssd:Connector name='c' kind='calculatedParameter" SQUARE
        "<ssd:Connector name='y' kind='output'><ssc:Real/><ssc:Dimension size='4'/></ssd:Connector>"
        "</ssd:Connectors></ssd:Component>",
        ""));
    assert_int_equal(ssp.components[0].n_connectors, 1);
    const ms_ssp_connector *y = ssp.components[0].connectors;
    assert_string_equal(y->name, "y");
    assert_int_equal(y->n_dimensions, 1);
    assert_int_equal(y->dimension[0], 4);
    ms_ssp_free(&ssp);
}

/* The step size of an annotation is read only where its type says what it means. */
static void annotations_of_others_are_left_aside(void **state)
{
    (void)state;
    ms_ssp ssp = read_text(
        SUPPORT_HEAD
        "<ssd:System name='s'><ssd:Elements>" SUPPORT_COMPONENT_A
        "</ssd:Elements></ssd:System><ssd:DefaultExperiment><ssd:Annotations><ssc:Annotation type='org.other'>"
        "<x:Algorithm><x:FixedStepAlgorithm baseStepSize='0.5'/></x:Algorithm>"
        "</ssc:Annotation></ssd:Annotations></ssd:DefaultExperiment>" SUPPORT_TAIL);
    assert_true(isnan(ssp.step_size));
    ms_ssp_free(&ssp);
}

/* Write, read, write gives the same bytes, and the same system. What is written has these words. */
static void is_written_and_read_back(const char *text, const char *version, const char *word)
{
    ms_ssp ssp = read_text(text), again;
    ms_error error = {{0}};
    assert_int_equal(ms_ssp_write(&ssp, support_folder_path("first.ssd"), &error), MS_OK);
    if (ms_ssp_read(support_folder_path("first.ssd"), &again, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ms_ssp_write(&again, support_folder_path("second.ssd"), &error), MS_OK);
    char *one = support_read_file(support_folder_path("first.ssd"), NULL),
         *two = support_read_file(support_folder_path("second.ssd"), NULL);
    assert_string_equal(one, two);
    support_says(one, version);
    support_says(one, word);
    json_t *before = ms_ssp_json(&ssp), *after = ms_ssp_json(&again);
    assert_true(json_equal(before, after));
    assert_int_equal(again.n_units, ssp.n_units);
    assert_int_equal(again.n_options, isfinite(ssp.step_size) ? 1 : ssp.n_options);
    assert_true(memcmp(&again.start_time, &ssp.start_time, sizeof ssp.start_time) ==
                0); /* or both are not there */
    assert_true(memcmp(&again.stop_time, &ssp.stop_time, sizeof ssp.stop_time) == 0);
    if (ssp.n_units > 0)
        assert_string_equal(again.components[0].connectors[1].unit, "m");
    json_decref(before);
    json_decref(after);
    free(one);
    free(two);
    ms_ssp_free(&ssp);
    ms_ssp_free(&again);
    unlink(support_folder_path("first.ssd"));
    unlink(support_folder_path("second.ssd"));
    assert_int_equal(ms_ssp_write(&ssp, support_folder_path("none/a.ssd"), &error), MS_IO);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    is_written_and_read_back(nested, "Description version=\"1.0\"", "startConnector=\"x\"");
    is_written_and_read_back(with_options, "Description version=\"1.0\"", "b.fmu");
    is_written_and_read_back(with_arrays, "Description version=\"2.0\"",
                             "startConnector=\"T\" startIndices=\"2 3\"");
    is_written_and_read_back(
        SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B, /* of a size that is not said */
                       SUPPORT_CONNECT("a", "y", "b", "u", " startIndices='4'/>")),
        "Description version=\"1.0\"", "startConnector=\"y\" startIndices=\"4\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_read),
        cmocka_unit_test(connections_become_wires_through_systems),
        cmocka_unit_test(units_with_offsets_are_converted),
        cmocka_unit_test(units_of_different_things_are_not_converted),
        cmocka_unit_test(bindings_stand_in_files_and_are_mapped),
        cmocka_unit_test(archives_are_read),
        cmocka_unit_test(it_is_a_system_file),
        cmocka_unit_test(options_are_handed_on),
        cmocka_unit_test(elements_of_arrays_are_connected),
        cmocka_unit_test(what_is_passed_over_leaves_nothing),
        cmocka_unit_test(annotations_of_others_are_left_aside),
        cmocka_unit_test(what_is_written_is_read_back),
    };
    return cmocka_run_group_tests(tests, support_folder_create, NULL);
}
