/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transformations of system structures by tables: of connections, through systems within systems, and of parameters. */
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "ssp.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

#define PORT(name, kind, type)                                                                               \
    "<ssd:Connector name='" name "' kind='" kind "'><ssc:" type "/></ssd:Connector>"
#define ENTRY(source, target) "<ssc:MapEntry source='" source "' target='" target "'/>"
#define BY(type, entries)     "<ssc:" type "MappingTransformation>" entries "</ssc:" type "MappingTransformation>"
#define MAPPED(from, to, by)  SUPPORT_CONNECT("a", from, "b", to, ">" by "</ssd:Connection>\n")
#define COMPONENT(name, kind)                                                                                \
    "<ssd:Component name='" name "' source='" name ".fmu'><ssd:Connectors>" PORT("n", kind, "Integer")       \
        PORT("on", kind, "Boolean")                                                                          \
            PORT("way", kind, "Enumeration name='W'") "<ssd:Connector name='none' "                          \
                                                      "kind='" kind "'/></ssd:Connectors></ssd:Component>\n"
#define PAIR(connections) SUPPORT_SYSTEM(COMPONENT("a", "output") COMPONENT("b", "input"), connections)

static void becomes(const ms_ssp_map *map, const char *source, const char *target)
{
    for (int k = 0; k < map->n; k++)
        if (strcmp(map->source[k], source) == 0) {
            assert_string_equal(map->target[k], target);
            return;
        }
    fail_msg("there is nothing for %s", source);
}

#define TYPED                                                                                                \
    MAPPED("n", "n", BY("Integer", ENTRY("3", "07") ENTRY("-1", "2")))                                       \
    MAPPED("on", "on", BY("Boolean", ENTRY("0", "true") ENTRY("true", "0")))                                 \
    MAPPED("way", "way", BY("Enumeration", ENTRY("slow", "fast")))

static void connections_have_maps(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(PAIR(TYPED MAPPED("none", "none", BY("Integer", ENTRY("1", "2")))));
    assert_int_equal(ssp.n_wires, 4);
    becomes(ssp.wires[0].map, "3", "7");
    becomes(ssp.wires[0].map, "-1", "2");
    becomes(ssp.wires[1].map, "false", "true");
    becomes(ssp.wires[1].map, "true", "false");
    becomes(ssp.wires[2].map, "slow", "fast");
    json_t *json = ms_ssp_json(&ssp), *wires = json_object_get(json, "wires");
    const char *const wanted[] = {"{\"3\":7,\"-1\":2}", "{\"false\":true,\"true\":false}",
                                  "{\"slow\":\"fast\"}", "{\"1\":2}"};
    for (size_t k = 0; k < 4; k++) {
        json_t *map = json_loads(wanted[k], 0, NULL);
        assert_true(json_equal(json_object_get(json_array_get(wires, k), "map"), map));
        json_decref(map);
    }
    json_decref(json);
    ms_ssp_free(&ssp);
}

/* From a through a connector of the system that b stands in: what the second map has nothing for is left out. */
static void maps_are_joined_through_systems(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(SUPPORT_SYSTEM(
        COMPONENT("a", "output") "<ssd:System name='in'><ssd:Connectors>" PORT(
            "n", "input",
            "Integer") "</ssd:Connectors><ssd:Elements>" COMPONENT("b",
                                                                   "input") "</ssd:Elements>"
                                                                            "<ssd:Connections><ssd:Connection startConnector='n' endElement='b' "
                                                                            "endConnector='n'>" BY(
                                                                                "Integer",
                                                                                ENTRY("7", "70") ENTRY(
                                                                                    "8",
                                                                                    "80")) "</ssd:"
                                                                                           "Connection>"
                                                                                           "</ssd:Connections></ssd:System>",
        SUPPORT_CONNECT(
            "a", "n", "in", "n",
            ">" BY("Integer", ENTRY("1", "7") ENTRY("2", "9") ENTRY("3", "8")) "</ssd:Connection>")));
    assert_int_equal(ssp.n_wires, 1);
    assert_int_equal(ssp.wires[0].map->n, 2);
    becomes(ssp.wires[0].map, "1", "70");
    becomes(ssp.wires[0].map, "3", "80");
    ms_ssp_free(&ssp);
}

#define PARAMETER(name, type, value)                                                                         \
    "<ssv:Parameter name='" name "'><ssv:" type " value='" value "'/></ssv:Parameter>"
#define BOUND_BY(parameters, entries)                                                                        \
    SUPPORT_BOUND("",                                                                                        \
                  "<ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version='1.0' name='p'>"     \
                  "<ssv:Parameters>" parameters "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>" \
                  "<ssd:ParameterMapping><ssm:ParameterMapping version='1.0'>" entries                       \
                  "</ssm:ParameterMapping></ssd:ParameterMapping></ssd:ParameterBinding>")
#define ONE(source, by)                                                                                      \
    "<ssm:MappingEntry source='" source "' target='a." source "'>" by "</ssm:MappingEntry>"

static void parameters_are_mapped(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(BOUND_BY(
        PARAMETER("n", "Integer", "+3") PARAMETER("on", "Boolean", "1")
            PARAMETER("way", "Enumeration", "slow") PARAMETER("by", "Enumeration", "2"),
        ONE("n", BY("Integer", ENTRY("3", "7"))) ONE("on", BY("Boolean", ENTRY("true", "false")))
            ONE("way", BY("Enumeration", ENTRY("slow", "fast"))) ONE("by", BY("Integer", ENTRY("2", "1")))));
    assert_string_equal(support_ssp_setting(&ssp.components[0], "n")->text, "7");
    assert_string_equal(support_ssp_setting(&ssp.components[0], "on")->text, "false");
    assert_string_equal(support_ssp_setting(&ssp.components[0], "way")->text, "fast");
    assert_string_equal(support_ssp_setting(&ssp.components[0], "by")->text, "1");
    ms_ssp_free(&ssp);
}

static void maps_are_written(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(PAIR(TYPED)), again;
    ms_error error = {{0}};
    const char *path = support_folder_path("b.ssd");
    assert_int_equal(ms_ssp_write(&ssp, path, &error), MS_OK);
    assert_int_equal(ms_ssp_read(path, &again, &error), MS_OK);
    json_t *before = ms_ssp_json(&ssp), *after = ms_ssp_json(&again);
    for (size_t k = 0; k < 3; k++)
        assert_true(json_equal(json_array_get(json_object_get(before, "wires"), k),
                               json_array_get(json_object_get(after, "wires"), k)));
    json_decref(before);
    json_decref(after);
    ms_ssp_free(&ssp);
    ms_ssp_free(&again);
}

static void wrong_maps_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {PAIR(MAPPED("n", "n", BY("Boolean", ENTRY("1", "0")))),
         "<BooleanMappingTransformation>, but n is of type Integer"},
        {PAIR(MAPPED("on", "on", BY("Integer", ENTRY("1", "0")))),
         "<IntegerMappingTransformation>, but on is of type Boolean"},
        {PAIR(MAPPED("n", "n", BY("Integer", ENTRY("1.5", "0")))),
         "source is 1.5; a whole number is expected"},
        {PAIR(MAPPED("on", "on", BY("Boolean", ENTRY("1", "off")))), "target is off; a boolean is expected"},
        {PAIR(MAPPED("n", "n", BY("Integer", ""))), "<IntegerMappingTransformation> has no <MapEntry>"},
        {PAIR(MAPPED("n", "n", BY("Integer", ENTRY("1", "0") ENTRY("01", "2")))), "source 1 occurs twice"},
        {PAIR(MAPPED("n", "n", BY("Integer", "<ssc:MapEntry source='1'/>"))), "target"},
        {BOUND_BY(PARAMETER("n", "Integer", "4"), ONE("n", BY("Integer", ENTRY("3", "7")))),
         "n is 4, for which the map has no entry"},
        {BOUND_BY(PARAMETER("n", "Real", "4"), ONE("n", BY("Integer", ENTRY("3", "7")))),
         "<IntegerMappingTransformation>, but n is of type Real"},
    };
    for (int k = 0; k < MS_COUNT(wrong); k++) {
        ms_ssp ssp;
        ms_error error = {{0}};
        assert_int_equal(ms_ssp_read(support_folder_write("a.ssd", wrong[k].text), &ssp, &error), MS_INVALID);
        support_says(error.text, wrong[k].words);
        ms_ssp_free(&ssp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_have_maps), cmocka_unit_test(maps_are_joined_through_systems),
        cmocka_unit_test(parameters_are_mapped), cmocka_unit_test(maps_are_written),
        cmocka_unit_test(wrong_maps_are_refused)};
    return cmocka_run_group_tests_name("ssp maps", tests, support_folder_create, support_folder_remove);
}
