/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signal dictionaries of system structures: a signal is the same for all references to its dictionary, in whatever system. */
#include <string.h>

#include "folder.h"
#include "ssp.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

#define REFERENCE(name)                                                                                      \
    "<ssd:SignalDictionaryReference name='" name "' dictionary='d'><ssd:Connectors>" SUPPORT_REAL(           \
        "s", "inout") "</ssd:Connectors></ssd:SignalDictionaryReference>\n"
#define TIMES(factor) "><ssc:LinearTransformation factor='" factor "'/></ssd:Connection>\n"
#define INNER                                                                                                \
    "<ssd:System name='in'><ssd:Elements>" SUPPORT_COMPONENT_B REFERENCE(                                    \
        "other") "</ssd:Elements><ssd:Connections>" SUPPORT_CONNECT("other", "s", "b", "u",                  \
                                                                    TIMES("3")) "</ssd:Connections></ssd:"   \
                                                                                "System>\n"

static void connects(const char *text, double gain)
{
    ms_ssp ssp = support_ssp_read(text);
    assert_int_equal(ssp.n_wires, 1);
    const ms_ssp_wire *wire = &ssp.wires[0];
    assert_string_equal(ssp.components[wire->from].title, "a");
    assert_string_equal(wire->output, "y");
    assert_string_equal(wire->input, "u");
    assert_true(wire->gain == gain);
    ms_ssp_free(&ssp);
}

static void signals_connect(void **state)
{
    (void)state;
    connects(SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B REFERENCE("bus"),
                            SUPPORT_CONNECT("a", "y", "bus", "s", TIMES("2"))
                                SUPPORT_CONNECT("bus", "s", "b", "u", "/>\n")),
             2.0);
    connects(SUPPORT_SYSTEM(SUPPORT_COMPONENT_A SUPPORT_COMPONENT_B REFERENCE("bus"),
                            SUPPORT_CONNECT("b", "u", "bus", "s", "/>\n")
                                SUPPORT_CONNECT("bus", "s", "a", "y", "/>\n")),
             1.0);
    connects(SUPPORT_SYSTEM(SUPPORT_COMPONENT_A REFERENCE("bus") INNER,
                            SUPPORT_CONNECT("a", "y", "bus", "s", TIMES("2"))),
             6.0);
}

static void refused(const char *connections, const char *what)
{
    char text[4000];
    ms_ssp ssp;
    ms_error error = {{0}};
    snprintf(text, sizeof text, SUPPORT_SYSTEM(SUPPORT_COMPONENT_A REFERENCE("bus") INNER, "%s"),
             connections);
    assert_int_equal(ms_ssp_read(support_folder_write("a.ssd", text), &ssp, &error), MS_INVALID);
    support_says(error.text, what);
    ms_ssp_free(&ssp);
}

static void a_signal_has_one_driver_and_is_known(void **state)
{
    (void)state;
    refused(SUPPORT_CONNECT("a", "y", "bus", "s", "/>\n") SUPPORT_CONNECT("a", "y", "bus", "s", TIMES("2")),
            "two connections end in s");
    refused(SUPPORT_CONNECT("a", "y", "bus", "t", "/>\n"), "there is no connector t; the nearest is s");
}

/* A signal that nothing drives drives nothing. */
static void signals_without_a_driver(void **state)
{
    (void)state;
    ms_ssp ssp = support_ssp_read(SUPPORT_SYSTEM(SUPPORT_COMPONENT_A REFERENCE("bus") INNER, ""));
    assert_int_equal(ssp.n_wires, 0);
    ms_ssp_free(&ssp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(signals_connect),
                                       cmocka_unit_test(a_signal_has_one_driver_and_is_known),
                                       cmocka_unit_test(signals_without_a_driver)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
