/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connectors and parameters that have no unit in an .ssd have that of the FMU's variable. */
#include <stdio.h>
#include <string.h>

#include "fmu_archive.h"
#include "folder.h"
#include "ssp.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

/* An FMU as far as its description goes: in, out and parameter p of these units. */
static void make(const char *name, const char *in, const char *out, const char *p)
{
    char folder[256], path[300], text[3000];
    ms_error error = {""};
    support_folder_new(folder, sizeof folder);
    snprintf(
        text, sizeof text,
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
        "modelIdentifier=\"m\"/>"
        "<UnitDefinitions><Unit name=\"K\"><BaseUnit K=\"1\"/></Unit><Unit name=\"degC\"><BaseUnit K=\"1\" "
        "offset=\"273.15\"/></Unit><Unit name=\"mm\"><BaseUnit m=\"1\" factor=\"1e-3\"/></Unit>"
        "<Unit name=\"rad/s\"><BaseUnit s=\"-1\" rad=\"1\"/></Unit><Unit name=\"1/s\"><BaseUnit "
        "s=\"-1\"/></Unit><Unit name=\"deg/s\"><BaseUnit s=\"-1\" rad=\"1\" factor=\"0.017453292519943295\"/></Unit>"
        "</UnitDefinitions><ModelVariables>"
        "<ScalarVariable name=\"in\" valueReference=\"0\" causality=\"input\"><Real unit=\"%s\" "
        "start=\"0\"/></ScalarVariable>"
        "<ScalarVariable name=\"out\" valueReference=\"1\" causality=\"output\"><Real "
        "unit=\"%s\"/></ScalarVariable>"
        "<ScalarVariable name=\"p\" valueReference=\"2\" causality=\"parameter\" variability=\"fixed\"><Real "
        "unit=\"%s\" "
        "start=\"1\"/></ScalarVariable></ModelVariables><ModelStructure><Outputs><Unknown "
        "index=\"2\"/></Outputs>"
        "</ModelStructure></fmiModelDescription>",
        in, out, p);
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    support_write_file(path, text);
    snprintf(path, sizeof path, "%s", support_folder_path("%s.fmu", name));
    if (ms_fmu_archive_write(folder, path, &error) != MS_OK)
        fail_msg("%s", error.text);
    support_shell("rm -r %s", folder);
}

#define UNITS                                                                                                \
    "<ssd:Units><ssc:Unit name='K'><ssc:BaseUnit K='1'/></ssc:Unit><ssc:Unit name='m'><ssc:BaseUnit "        \
    "m='1'/></ssc:Unit><ssc:Unit name='kg'><ssc:BaseUnit kg='1'/></ssc:Unit><ssc:Unit name='rad/s'>"         \
    "<ssc:BaseUnit s='-1' rad='1'/></ssc:Unit><ssc:Unit name='1/s'><ssc:BaseUnit s='-1'/></ssc:Unit></ssd:Units>"

static int read_wire(const char *in, const char *out, const char *more, ms_ssp *ssp, ms_error *error)
{
    char text[4000];
    snprintf(
        text, sizeof text,
        SUPPORT_HEAD
        "<ssd:System name='s'><ssd:Elements>"
        "<ssd:Component name='a' source='a.fmu'><ssd:Connectors>"
        "<ssd:Connector name='out' "
        "kind='output'><ssc:Real%s/></ssd:Connector></ssd:Connectors></ssd:Component>"
        "<ssd:Component name='b' source='b.fmu'><ssd:Connectors>"
        "<ssd:Connector name='in' kind='input'><ssc:Real%s/></ssd:Connector></ssd:Connectors></ssd:Component>"
        "</ssd:Elements><ssd:Connections><ssd:Connection startElement='a' startConnector='out' "
        "endElement='b' endConnector='in' %s</ssd:Connections></ssd:System>" UNITS SUPPORT_TAIL,
        out, in, more);
    return ms_ssp_read(support_folder_write("a.ssd", text), ssp, error);
}

static void wires_convert(void **state)
{
    (void)state;
    static const struct {
        const char *fmu[2], *unit[2], *more; /* of out and in */
        double gain, offset;
    } wires[] = {{{"K", "degC"}, {"", ""}, "/>", 1.0, -273.15},
                 {{"degC", "K"}, {"", ""}, "/>", 1.0, 273.15},
                 {{"K", "K"}, {"", ""}, "/>", 1.0, 0.0},
                 {{"K", "degC"}, {" unit='K'", ""}, "/>", 1.0, -273.15},
                 {{"mm", "degC"}, {" unit='K'", ""}, "/>", 1.0, -273.15}, /* what the .ssd says goes before */
                 {{"K", "degC"}, {"", ""}, "suppressUnitConversion='true'/>", 1.0, 0.0},
                 {{"K", "degC"},
                  {"", ""},
                  "><ssc:LinearTransformation factor='2' offset='1'/></ssd:Connection>",
                  2.0,
                  -545.3},
                 {{"rad/s", "1/s"}, {"", ""}, "/>", 1.0, 0.0},
                 {{"deg/s", "1/s"}, {"", ""}, "/>", 0.017453292519943295, 0.0},
                 {{"1/s", "deg/s"}, {"", ""}, "/>", 57.29577951308232, 0.0},
                 {{"mm", "1/s"}, {" unit='rad/s'", ""}, "/>", 1.0, 0.0}, /* one of the .ssd, one of an FMU */
                 {{"rad/s", "mm"}, {"", " unit='1/s'"}, "/>", 1.0, 0.0},
                 {{"nobody's", "degC"}, {"", ""}, "/>", 1.0, 0.0}}; /* not defined, so not known */
    for (int k = 0; k < MS_COUNT(wires); k++) {
        ms_ssp ssp;
        ms_error error = {""};
        make("a", "mm", wires[k].fmu[0], "mm");
        make("b", wires[k].fmu[1], "mm", "mm");
        if (read_wire(wires[k].unit[1], wires[k].unit[0], wires[k].more, &ssp, &error) != MS_OK)
            fail_msg("%d: %s", k, error.text);
        assert_int_equal(ssp.n_wires, 1);
        support_near(ssp.wires[0].gain, wires[k].gain, 1e-12);
        support_near(ssp.wires[0].offset, wires[k].offset, 1e-12);
        ms_ssp_free(&ssp);
    }
}

/* Between two units of the .ssd radians count, as its author has said what both are. */
static void radians_of_the_structure_count(void **state)
{
    (void)state;
    ms_ssp ssp;
    ms_error error = {""};
    make("a", "mm", "rad/s", "mm");
    make("b", "1/s", "mm", "mm");
    assert_int_equal(read_wire(" unit='1/s'", " unit='rad/s'", "/>", &ssp, &error), MS_INVALID);
    support_says(error.text, "unit rad/s cannot be converted to 1/s: they measure different things");
    ms_ssp_free(&ssp);
}

/* From a through a system with b, whose connector has no unit. */
static int read_through(const char *second, const char *more, ms_ssp *ssp, ms_error *error)
{
    char text[4000];
    snprintf(text, sizeof text,
             SUPPORT_HEAD
             "<ssd:System name='s'><ssd:Elements><ssd:Component name='a' source='a.fmu'><ssd:Connectors>%s"
             "</ssd:Connectors></ssd:Component><ssd:System name='t'><ssd:Connectors>%s</ssd:Connectors>"
             "<ssd:Elements><ssd:Component name='b' source='b.fmu'><ssd:Connectors>%s</ssd:Connectors>"
             "</ssd:Component></ssd:Elements><ssd:Connections><ssd:Connection startConnector='through' "
             "endElement='b' endConnector='in'%s</ssd:Connections></ssd:System></ssd:Elements>"
             "<ssd:Connections>" SUPPORT_CONNECT("a", "out", "t", "through",
                                                 "%s") "</ssd:Connections></ssd:System>" UNITS SUPPORT_TAIL,
             SUPPORT_REAL("out", "output"), SUPPORT_REAL("through", "input"), SUPPORT_REAL("in", "input"),
             second, more);
    return ms_ssp_read(support_folder_write("a.ssd", text), ssp, error);
}

/* A connector of a system that has no unit has that of what drives it: K becomes degC behind it, however many there are. */
static void units_pass_through_systems(void **state)
{
    (void)state;
    static const struct {
        const char *driver, *more,
            *second; /* of the connection into the system, and to the component in it */
        double gain, offset;
    } wires[] = {{"K", "/>", "/>", 1.0, -273.15},
                 {"degC", "/>", "/>", 1.0, 0.0},
                 {"K", "/>", " suppressUnitConversion='true'/>", 1.0, 0.0},
                 {"K", " suppressUnitConversion='true'/>", "/>", 1.0, 0.0},
                 {"K", "><ssc:LinearTransformation factor='2'/></ssd:Connection>",
                  "><ssc:LinearTransformation factor='3' offset='1'/></ssd:Connection>", 6.0, -818.45}};
    for (int k = 0; k <= MS_COUNT(wires); k++) {
        const int at = k % MS_COUNT(wires);
        ms_ssp ssp;
        ms_error error = {""};
        make("a", "mm", k < MS_COUNT(wires) ? wires[at].driver : "mm", "mm");
        make("b", "degC", "mm", "mm");
        const int status = read_through(wires[at].second, wires[at].more, &ssp, &error);
        if (k == MS_COUNT(wires)) {
            assert_int_equal(status, MS_INVALID);
            support_says(error.text, "unit mm of a cannot be converted to degC of t-b");
        } else {
            assert_int_equal(ssp.n_wires, 1);
            support_near(ssp.wires[0].gain, wires[at].gain, 1e-12);
            support_near(ssp.wires[0].offset, wires[at].offset, 1e-12);
        }
        ms_ssp_free(&ssp);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    ms_ssp ssp;
    ms_error error = {""};
    make("a", "mm", "mm", "mm");
    make("b", "degC", "mm", "mm");
    assert_int_equal(read_wire("", "", "/>", &ssp, &error), MS_INVALID);
    support_says(error.text, "unit mm of a cannot be converted to degC of b: they measure different things");
    ms_ssp_free(&ssp);
}

static int read_parameter(const char *unit, const char *connector, double *p, ms_error *error)
{
    char text[4000];
    ms_ssp ssp;
    snprintf(
        text, sizeof text,
        SUPPORT_HEAD
        "<ssd:System name='s'><ssd:ParameterBindings><ssd:ParameterBinding prefix='a.'><ssd:ParameterValues>"
        "<ssv:ParameterSet version='1.0' name='p'><ssv:Parameters><ssv:Parameter name='p'><ssv:Real "
        "value='0.002'%s/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>"
        "</ssd:ParameterBinding></ssd:ParameterBindings><ssd:Elements>"
        "<ssd:Component name='a' source='a.fmu'><ssd:Connectors>%s</ssd:Connectors></ssd:Component>"
        "</ssd:Elements></ssd:System>" UNITS SUPPORT_TAIL,
        unit, connector);
    const int status = ms_ssp_read(support_folder_write("a.ssd", text), &ssp, error);
    if (status == MS_OK)
        *p = support_ssp_setting(&ssp.components[0], "p")->number;
    ms_ssp_free(&ssp);
    return status;
}

static void parameters_convert(void **state)
{
    (void)state;
    static const char none[] = "",
                      bare[] = "<ssd:Connector name='p' kind='parameter'><ssc:Real/></ssd:Connector>",
                      metre[] =
                          "<ssd:Connector name='p' kind='parameter'><ssc:Real unit='m'/></ssd:Connector>";
    static const struct {
        const char *unit, *connector;
        double value;
    } parameters[] = {
        {" unit='m'", none, 2.0}, {" unit='m'", bare, 2.0}, {" unit='m'", metre, 0.002}, {"", none, 0.002}};
    ms_error error = {""};
    double p = 0.0;
    make("a", "mm", "mm", "mm");
    for (int k = 0; k < MS_COUNT(parameters); k++) {
        if (read_parameter(parameters[k].unit, parameters[k].connector, &p, &error) != MS_OK)
            fail_msg("%d: %s", k, error.text);
        support_near(p, parameters[k].value, 1e-15);
    }
    assert_int_equal(read_parameter(" unit='kg'", none, &p, &error), MS_INVALID);
    support_says(error.text, "unit kg cannot be converted to mm of a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wires_convert), cmocka_unit_test(radians_of_the_structure_count),
        cmocka_unit_test(units_pass_through_systems), cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(parameters_convert)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
