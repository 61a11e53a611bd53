/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ssp_strangers.c - what other tools write and this project does not: bindings and connections as the standard has them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ssp.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

/* Later ones win, and outer ones. */
static void bindings_replace_each_other(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(SUPPORT_BOUND(SUPPORT_INLINE("k", "1") SUPPORT_INLINE("d", "2")
                                                    SUPPORT_INLINE("k", "3"),
                                                SUPPORT_INLINE("a.d", "4")));
    assert_true(support_ssp_setting(&ssp.components[0], "k")->number == 3.0);
    assert_true(support_ssp_setting(&ssp.components[0], "d")->number == 4.0);
    ms_ssp_free(&ssp);
}

/* A set may be for several systems: what it names and there is not is passed over. */
static void names_of_nothing_are_passed_over(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(
        SUPPORT_BOUND("", SUPPORT_INLINE("b.k", "1") SUPPORT_INLINE("k", "1") SUPPORT_INLINE("a.d", "2")));
    assert_true(support_ssp_setting(&ssp.components[0], "d")->number == 2.0);
    assert_null(ssp.components[0].settings->next);
    ms_ssp_free(&ssp);
}

/* A prefix stands before the names of the set, and the mapping maps these. An entry of it that does not say what maps nothing. */
static void prefixes_come_before_mappings(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(SUPPORT_BOUND(
        "", "<ssd:ParameterBinding prefix='his.'><ssd:ParameterValues>" SUPPORT_SET(
                "stiffness", "10") "</ssd:ParameterValues><ssd:ParameterMapping><ssm:ParameterMapping "
                                   "version='1.0'><ssm:MappingEntry source='' target='a.d'/>"
                                   "<ssm:MappingEntry source='his.stiffness' "
                                   "target='a.k'/><ssm:MappingEntry source='stiffness' target='a.d'/>"
                                   "</ssm:ParameterMapping></ssd:ParameterMapping>"
                                   "</ssd:ParameterBinding>"));
    assert_true(support_ssp_setting(&ssp.components[0], "k")->number == 10.0);
    assert_null(ssp.components[0].settings->next);
    ms_ssp_free(&ssp);
}

#define LINK(from, to) "<ssd:Connection " from " " to "/>"

/* A system's parameter in kg sets one in g two systems further in, and an input; another one is its start value. */
static void connectors_of_systems_hand_on_what_they_are_set_to(void **state)
{
    (void)state;
    static const char text[] = SUPPORT_HEAD "<ssd:System name='s'><ssd:Connectors>" SUPPORT_REAL_IN("M", "parameter", "kg") SUPPORT_REAL(
        "force",
        "input") "</ssd:Connectors><ssd:Elements>"
                 "<ssd:System name='t'><ssd:Connectors>" SUPPORT_REAL_IN("N", "parameter", "kg") SUPPORT_REAL(
                     "seen",
                     "local") "</ssd:Connectors><ssd:Elements>"
                              "<ssd:Component name='a' source='a.fmu'><ssd:Connectors>" SUPPORT_REAL_IN(
                                  "m", "parameter", "g") SUPPORT_REAL("u", "input")
                                  SUPPORT_REAL(
                                      "c",
                                      "calculatedParameter") "</ssd:Connectors></ssd:Component>"
                                                             "</ssd:Elements><ssd:Connections>" LINK(
                                                                 "startConnector='N'",
                                                                 "endElement='a' endConnector='m'")
                                                                 LINK(
                                                                     "startElement='a' "
                                                                     "startConnector='c'",
                                                                     "endConnector='seen'") "<ssd:"
                                                                                            "Connectio"
                                                                                            "n "
                                                                                            "startElem"
                                                                                            "ent='a' "
                                                                                            "startConn"
                                                                                            "ector='u'"
                                                                                            " endConne"
                                                                                            "ctor='N' "
                                                                                            "suppressU"
                                                                                            "nitConver"
                                                                                            "sion='"
                                                                                            "true'>"
                                                                                            "<ssc:"
                                                                                            "LinearTra"
                                                                                            "nsformati"
                                                                                            "on "
                                                                                            "factor='"
                                                                                            "2' "
                                                                                            "offset='"
                                                                                            "1'/></"
                                                                                            "ssd:"
                                                                                            "Connectio"
                                                                                            "n>"
                                                                                            "</"
                                                                                            "ssd:"
                                                                                            "Connectio"
                                                                                            "ns></"
                                                                                            "ssd:"
                                                                                            "System>"
                                                                                            "<ssd:"
                                                                                            "Component"
                                                                                            " name='b'"
                                                                                            " source='"
                                                                                            "b.fmu'><"
                                                                                            "ssd:"
                                                                                            "Connector"
                                                                                            "s"
                                                                                            ">" SUPPORT_REAL(
                                                                                                "v",
                                                                                                "inpu"
                                                                                                "t") "</"
                                                                                                     "ssd"
                                                                                                     ":Co"
                                                                                                     "nne"
                                                                                                     "cto"
                                                                                                     "rs>"
                                                                                                     "</"
                                                                                                     "ssd"
                                                                                                     ":Co"
                                                                                                     "mpo"
                                                                                                     "nen"
                                                                                                     "t>"
                                                                                                     "</"
                                                                                                     "ssd"
                                                                                                     ":El"
                                                                                                     "eme"
                                                                                                     "nts"
                                                                                                     "><"
                                                                                                     "ssd"
                                                                                                     ":Co"
                                                                                                     "nne"
                                                                                                     "cti"
                                                                                                     "ons"
                                                                                                     ">" LINK(
                                                                                                         "startConnector='M'",
                                                                                                         "endElement='t' endConnector='N'")
                                                                                                         LINK("startConnector='force'", "endElement='b' endConnector='v'") "</ssd:Connections><ssd:ParameterBindings>" SUPPORT_INLINE(
                                                                                                             "M",
                                                                                                             "3")
                                                                                                             SUPPORT_INLINE(
                                                                                                                 "force",
                                                                                                                 "5") "</ssd:ParameterBindings></ssd:System><ssd:Units><ssc:Unit name='kg'><ssc:BaseUnit kg='1'/></ssc:Unit>"
                                                                                                                      "<ssc:Unit name='g'><ssc:BaseUnit kg='1' factor='0.001'/></ssc:Unit></ssd:Units>" SUPPORT_TAIL;
    ms_ssp ssp = support_ssp_read(text);
    support_near(support_ssp_setting(&ssp.components[0], "m")->number, 3000.0, 1e-9);
    assert_true(support_ssp_setting(&ssp.components[0], "u")->number == 7.0);
    assert_true(support_ssp_setting(&ssp.components[1], "v")->number == 5.0);
    assert_int_equal(ssp.n_wires, 0);
    ms_ssp_free(&ssp);
}

/* Which end of a connection is called its start does not say where it goes. */
static void connections_go_from_outputs_to_inputs(void **state)
{
    (void)state;
    static const char text[] = SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B,
                                              SUPPORT_CONNECT("b", "u", "a", "y",
                                                              "><ssc:LinearTransformation factor='2' "
                                                              "offset='1'/></ssd:Connection>"));
    ms_ssp ssp = support_ssp_read(text);
    assert_int_equal(ssp.n_wires, 1);
    assert_string_equal(ssp.wires[0].output, "y");
    assert_string_equal(ssp.wires[0].input, "u");
    assert_true(ssp.wires[0].from == 0 && ssp.wires[0].to == 1);
    assert_true(ssp.wires[0].gain == 2.0 && ssp.wires[0].offset == 1.0);
    ms_ssp_free(&ssp);
}

#define COMPONENT(name)                                                                                      \
    "<ssd:Component name='" name "' source='a.fmu'><ssd:Connectors>" SUPPORT_REAL("u", "input")              \
        SUPPORT_REAL("y", "output") "</ssd:Connectors></ssd:Component>"

/* Letters that no subsystem may have are one, and names stay different. */
static void names_of_any_letters_differ(void **state)
{
    (void)state;
    static const char *const names[] = {"my_a", "my_a_2", "my_a_3"};
    ms_ssp ssp = support_ssp_read(
        SUPPORT_HEAD "<ssd:System name='s'><ssd:Elements>" COMPONENT("my a") COMPONENT("my_a")
            COMPONENT("my/a") "</ssd:Elements><ssd:Connections>" LINK(
                "startElement='my_a' startConnector='y'",
                "endElement='my/a' endConnector='u'") "</ssd:Connections></ssd:System>" SUPPORT_TAIL);
    for (int k = 0; k < MS_COUNT(names); k++)
        assert_string_equal(ssp.components[k].name, names[k]);
    assert_int_equal(ssp.n_wires, 1);
    ms_ssp_free(&ssp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bindings_replace_each_other),
        cmocka_unit_test(names_of_nothing_are_passed_over),
        cmocka_unit_test(prefixes_come_before_mappings),
        cmocka_unit_test(connectors_of_systems_hand_on_what_they_are_set_to),
        cmocka_unit_test(connections_go_from_outputs_to_inputs),
        cmocka_unit_test(names_of_any_letters_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
