/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ssp_refused.c - system structures that are refused, by name. */
#include "folder.h"
#include "ssp.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"
#include <string.h>
#include <unistd.h>

/* Refusals ----------------------------------------------------------------------------------------------- */

#define COMPONENT(more) SUPPORT_SYSTEM("<ssd:Component name='a' " more "/>\n", "")

/* Input T of a is an array of two. */
#define WITH_ARRAY(connections)                                                                              \
    SUPPORT_SYSTEM(                                                                                          \
        "<ssd:Component name='a' source='a.fmu'><ssd:Connectors><ssd:Connector name='T' "                    \
        "kind='input'><ssc:Real/><ssc:Dimension size='2'/></ssd:Connector></ssd:Connectors>"                 \
        "</ssd:Component><ssd:Component name='b' source='b.fmu'><ssd:Connectors><ssd:Connector "             \
        "name='y' kind='output'><ssc:Real/><ssc:Dimension size='2'/></ssd:Connector>" SUPPORT_REAL(          \
            "z", "output") "</ssd:Connectors></ssd:Component>",                                              \
        connections)
/* Parameter k of a, an array. */
#define ARRAY(values, sizes)                                                                                 \
    SUPPORT_BOUND(                                                                                           \
        "<ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version='1.0' name='p'>"               \
        "<ssv:Parameters><ssv:Parameter name='k'><ssv:Real value='" values "'/>" sizes                       \
        "</ssv:Parameter></ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding>", \
        "")
#define SIZE(n) "<ssv:Dimension size='" n "'/>"
#define EIGHT   SIZE("1") SIZE("1") SIZE("1") SIZE("1") SIZE("1") SIZE("1") SIZE("1") SIZE("1")

static const struct {
    const char *text, *what;
    int status;
} bad[] = {
    {"<a/>", "line 1: <a> is not <SystemStructureDescription>", MS_INVALID},
    {"<SystemStructureDescription version='1.0'/>", "is not <SystemStructureDescription> of SSP", MS_INVALID},
    {"<a>", "line 1: no element found", MS_INVALID},
    {"<ssd:SystemStructureDescription name='a' xmlns:ssd='http://ssp-standard.org/SSP1/SystemStructureDescription'/>",
     "version (none) is not supported; 1.0 and 2.0 are", MS_UNSUPPORTED},
    {SUPPORT_HEAD SUPPORT_TAIL, "there is no <System>", MS_INVALID},
    {SUPPORT_SYSTEM("", ""), "there is no <Component>", MS_INVALID},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A "<ssd:Gadget/>", ""), "line 3: <Gadget> within <Elements> is unknown",
     MS_INVALID},
    {COMPONENT("source='a.fmu' colour='red'"), "line 2: <Component> has an attribute colour", MS_INVALID},
    {COMPONENT("source='a.ssp' type='application/x-ssp-package'"),
     "component a is of type application/x-ssp-package", MS_UNSUPPORTED},
    {COMPONENT(""), "component a has no source", MS_UNSUPPORTED},
    {COMPONENT("source=''"), "component a has no source", MS_UNSUPPORTED},
    {COMPONENT("source='http://a/b.fmu'"), "source http://a/b.fmu of component a is not relative",
     MS_UNSUPPORTED},
    {COMPONENT("source='file:///a.fmu'"), "is not relative", MS_UNSUPPORTED},
    {COMPONENT("source='a.fmu' implementation='ScheduledExecution'"),
     "implementation of <Component> is ScheduledExecution", MS_INVALID},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B, SUPPORT_CONNECT("a", "y", "c", "u", "/>")),
     "line 5: there is no element c; the nearest is", MS_INVALID},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B, SUPPORT_CONNECT("a", "z", "b", "u", "/>")),
     "line 5: there is no connector z; the nearest is y", MS_INVALID},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B,
                    "<ssd:Connection startElement='a' endElement='b' endConnector='u'/>"),
     "<Connection> has no startConnector", MS_INVALID},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B, SUPPORT_CONNECT("a", "p", "b", "u", "/>")),
     "connector p is of kind parameter", MS_UNSUPPORTED},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B, SUPPORT_CONNECT("b", "u", "b", "v", "/>")),
     "connector u is of kind input", MS_UNSUPPORTED},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B, SUPPORT_CONNECT("a", "s", "b", "s", "/>")),
     "connector s is a String; reals, integers, booleans and enumerations can be wired", MS_UNSUPPORTED},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B,
                    SUPPORT_CONNECT("a", "y", "b", "u", " startIndices='0'/>")),
     "startIndices is 0; the indices of one element, counted from 1, are expected", MS_INVALID},
    {ARRAY("1 2 3", SIZE("2")), "parameter k: 3, but 2 numbers are expected, by its dimensions", MS_INVALID},
    {ARRAY("1", SIZE("2")), "parameter k has 1 values, but its dimensions make 2", MS_INVALID},
    {ARRAY("1", SIZE("2") SIZE("65536") SIZE("65536")), "k has 1 values, but its dimensions make 8.58993e+09",
     MS_INVALID},
    {ARRAY("1 2", SIZE("-2") SIZE("-1")), "size of <Dimension> is -2, but must be positive", MS_INVALID},
    {ARRAY("1", SIZE("0")), "size of <Dimension> is 0, but must be positive", MS_INVALID},
    {ARRAY("1", SIZE("two") SIZE("2")), "size of <Dimension> is two, but a whole number is", MS_INVALID},
    {ARRAY("1", EIGHT SIZE("2")), "parameter k has more than 8 dimensions", MS_UNSUPPORTED},
    {ARRAY("1 INF", SIZE("3")), "parameter k[2] is INF, but a finite number is expected", MS_INVALID},
    {SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B,
                    SUPPORT_CONNECT("a", "y", "b", "u", "/>\n") SUPPORT_CONNECT("a", "y", "b", "u", "/>")),
     "two connections end in u", MS_INVALID},
    {WITH_ARRAY(SUPPORT_CONNECT("b", "y", "a", "T", "/>")
                    SUPPORT_CONNECT("b", "z", "a", "T", " endIndices='2'/>")),
     "two connections end in T", MS_INVALID},
    {WITH_ARRAY(SUPPORT_CONNECT("b", "z", "a", "T", " endIndices='2'/>")
                    SUPPORT_CONNECT("b", "z", "a", "T", " endIndices='2'/>")),
     "two connections end in T", MS_INVALID},
    {SUPPORT_SYSTEM(
         SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B,
         SUPPORT_CONNECT("a", "y", "b", "u", "><ssc:LinearTransformation factor='two'/></ssd:Connection>")),
     "factor of <LinearTransformation> is two", MS_INVALID},
    {SUPPORT_SYSTEM("<ssd:Component name='a' source='a.fmu'><ssd:Connectors>" SUPPORT_REAL_IN(
                        "y", "output", "km") "</ssd:Connectors></ssd:Component>" SUPPORT_COMPONENT_B,
                    SUPPORT_CONNECT("a", "y", "b", "v", "/>")),
     "unit km is to be converted to m, but km is not defined", MS_INVALID},
    {SUPPORT_BOUND(SUPPORT_INLINE("k", "one"), ""), "value of <Real> is one", MS_INVALID},
    {SUPPORT_BOUND(SUPPORT_INLINE("k", "INF"), ""), "parameter k is INF, but a finite number is expected",
     MS_INVALID},
    {SUPPORT_SYSTEM(
         SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B,
         SUPPORT_CONNECT("a", "y", "b", "u", "><ssc:LinearTransformation factor='INF'/></ssd:Connection>")),
     "factor and offset must be finite", MS_INVALID},
    {SUPPORT_BOUND("<ssd:ParameterBinding/>", ""),
     "<ParameterBinding> has neither a source nor a <ParameterSet>", MS_INVALID},
    {SUPPORT_BOUND("<ssd:ParameterBinding source='none.ssv'/>", ""), "none.ssv: No such file", MS_IO},
    {SUPPORT_BOUND("<ssd:ParameterBinding source='p.csv' type='text/csv'/>", ""),
     "type text/csv is not supported", MS_UNSUPPORTED},
    {SUPPORT_BOUND("<ssd:ParameterBinding source='p.ssv' sourceBase='component'/>", ""),
     "sourceBase component is not", MS_UNSUPPORTED},
    {SUPPORT_HEAD "<ssd:System name='s'/><ssd:DefaultExperiment startTime='INF'/>" SUPPORT_TAIL,
     "startTime is inf, but must be a finite number", MS_INVALID},
    {SUPPORT_HEAD "<ssd:System name='s'/><ssd:DefaultExperiment stopTime='0'/>" SUPPORT_TAIL,
     "stopTime is 0, but must be greater than startTime, 0", MS_INVALID},
    {SUPPORT_HEAD "<ssd:System name='s'/><ssd:DefaultExperiment startTime='2' stopTime='1.5'/>" SUPPORT_TAIL,
     "stopTime is 1.5, but must be greater than startTime, 2", MS_INVALID},
    {SUPPORT_HEAD "<ssd:System name='s'/>\n<ssd:DefaultExperiment><ssd:Annotations><ssc:Annotation "
                  "type='macrostep'><options step-size='short'/>"
                  "</ssc:Annotation></ssd:Annotations></ssd:DefaultExperiment>" SUPPORT_TAIL,
     "line 3: step-size of <options> is short", MS_INVALID},
    {SUPPORT_HEAD "<ssd:System name='s'/><ssd:DefaultExperiment><ssd:Annotations><ssc:Annotation "
                  "type='macrostep'><options step-size='-1'/>"
                  "</ssc:Annotation></ssd:Annotations></ssd:DefaultExperiment>" SUPPORT_TAIL,
     "the step size is -1, but must be positive", MS_INVALID},
    {SUPPORT_HEAD "<ssd:System name='s'/><ssd:Units><ssc:Unit name='a'><ssc:BaseUnit "
                  "factor='0'/></ssc:Unit></ssd:Units>" SUPPORT_TAIL,
     "the factor of unit a is zero", MS_INVALID},
};

static void what_is_outside_is_refused_by_name(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ms_ssp ssp;
        ms_error error = {{0}};
        const int status = ms_ssp_read(support_folder_write("a.ssd", bad[k].text), &ssp, &error);
        ms_ssp_free(&ssp);
        if (status != bad[k].status || strstr(error.text, bad[k].what) == NULL) {
            print_message("%zu: %d, '%s' instead of '%s'\n", k, status, error.text, bad[k].what);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* Connectors of systems that drive each other in a circle: no wire comes of it, and no end. */
static void circles_of_connectors_end(void **state)
{
    (void)state;
    static const char text[] = SUPPORT_HEAD
        "<ssd:System name='s'><ssd:Elements>" SUPPORT_COMPONENT_B
        "<ssd:System name='t'><ssd:Connectors>" SUPPORT_REAL("i", "input") SUPPORT_REAL(
            "o",
            "output") "</ssd:Connectors><ssd:Elements/>"
                      "<ssd:Connections><ssd:Connection startConnector='i' "
                      "endConnector='o'/></ssd:Connections></ssd:System>"
                      "</ssd:Elements><ssd:Connections>"
                      "<ssd:Connection startElement='t' startConnector='o' endElement='t' endConnector='i'/>"
                      "<ssd:Connection startElement='t' startConnector='o' endElement='b' endConnector='u'/>"
                      "</ssd:Connections></ssd:System>" SUPPORT_TAIL;
    ms_ssp ssp = support_ssp_read(text);
    assert_int_equal(ssp.n_wires, 0);
    ms_ssp_free(&ssp);
}

static void nothing_is_left(void **state)
{
    unlink(support_folder_path("a.ssd"));
    unlink(support_folder_path("p.ssv"));
    unlink(support_folder_path("p.ssm"));
    support_folder_goes_empty(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_outside_is_refused_by_name),
        cmocka_unit_test(circles_of_connectors_end),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, support_folder_create, NULL);
}
