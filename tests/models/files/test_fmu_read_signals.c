/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FMUs whose inputs and outputs are integers, booleans, enumerations and arrays, in systems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "fmu.h"
#include "folder.h"
#include "signals_fmu.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

static int set_up(void **state)
{
    char path[256];
    support_folder_create(state);
    static const struct {
        const char *name, *define;
    } made[] = {{"signals", ""}, {"ends", "-DENDS"}, {"refuses", "-DREFUSES='\"no licence for it\"'"}};
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < MS_COUNT(made); k++) {
            support_signals_fmu(fmi, made[k].define, path, sizeof path);
            support_shell("mv %s %s", path, support_folder_path("%s%d.fmu", made[k].name, fmi));
        }
    return 0;
}

static ms_fmu_reading reading;

/* Two of them, a and b, and c, with these settings of a and wires; the line where they are refused. */
static int read_pair(int fmi, const char *kind, const char *set, const char *wires, ms_model **model,
                     ms_error *error)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"signals%d.fmu\", \"kind\": \"%s\", \"set\": {%s}},\n"
        "{\"name\": \"b\", \"fmu\": \"signals%d.fmu\", \"kind\": \"%s\"},\n"
        "{\"name\": \"c\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"2*u\"}}],\n"
        "\"wires\": [%s], \"end\": 1, \"step_size\": 0.25}",
        fmi, kind, set, fmi, kind, wires);
    const char *path = support_folder_write("pair.json", text);
    return ms_model_read_with(path, &reading, model, error);
}

static double output_of(const ms_system *system, const double *y, const char *sub, const char *name)
{
    const int i = ms_system_find(system, sub);
    for (int j = 0; j < system->sub[i].ny; j++)
        if (strcmp(system->sub[i].y[j].name, name) == 0)
            return y[system->y_at[i] + j];
    fail_msg("no output %s.%s", sub, name);
    return NAN;
}

/* Runs it with these options; y (ny) at the end. */
static ms_system *run_pair(int fmi, const char *kind, const char *set, const char *wires, const char *options,
                           ms_model **model, double *y)
{
    ms_error error = {""};
    const ms_options run = support_options(options);
    if (read_pair(fmi, kind, set, wires, model, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_system *system = support_system_of(*model);
    support_finish(system, &run, NULL, y);
    return system;
}

static const char *const kinds[] = {"co-simulation", "model-exchange"};

#define WIRE(from, to) "{\"from\": \"" from "\", \"to\": \"" to "\"}"

/* m = n + 1, off = not on, other = 3 - way. */
static void whole_numbers_pass_as_they_are(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < 2 * MS_COUNT(kinds); k++) {
            double y[20];
            ms_model *model;
            reading.use.isolate = k >= MS_COUNT(kinds);
            ms_system *system =
                run_pair(fmi, kinds[k % 2], "\"n\": 2, \"on\": true, \"way\": \"fast\"",
                         WIRE("a.m", "b.n") "," WIRE("a.off", "b.on") "," WIRE("a.other", "b.way") "," WIRE(
                             "a.m", "c.u") "," WIRE("a.m", "b.u"),
                         "stop-time=1", &model, y);
            reading.use.isolate = false;
            assert_true(output_of(system, y, "a", "m") == 3.0 && output_of(system, y, "a", "off") == 0.0);
            assert_true(output_of(system, y, "b", "m") == 4.0 && output_of(system, y, "b", "off") == 1.0);
            assert_true(output_of(system, y, "b", "other") == 2.0 && output_of(system, y, "c", "y") == 6.0);
            assert_true(fabs(output_of(system, y, "b", "y") - 6.0) < 1e-9);
            ms_system_destroy(&system);
            ms_model_destroy(&model);
        }
}

/* x' = n with n = 0, 1, 2, 3 over quarters of a second; 1, 2, 3, 4 where the newest values are taken. */
static void they_are_held_whatever_the_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        int kinds; /* that take inputs of that degree */
        double x;
    } schemes[] = {
        {"scheme=jacobi", 2, 1.5},
        {"scheme=jacobi outputs=consistent", 2, 1.5},
        {"scheme=jacobi outputs=corrected", 1, 1.5},
        {"scheme=jacobi extrapolation-order=1", 1, 1.5},
        {"scheme=jacobi extrapolation-order=2 smooth-coupling=c1", 1, 1.5},
        {"scheme=jacobi execution=parallel", 2, 1.5},
        {"scheme=gauss-seidel", 2, 2.5},
        {"scheme=gauss-seidel extrapolation-order=1", 1, 1.5},
        {"scheme=balance", 1, 1.5},
        {"scheme=nepce", 1, 1.5},
        {"scheme=f3ornits", 2, 1.5},
        {"scheme=ifosmondi step-rule=fixed", 1, 1.5},
        {"scheme=zoh-iterative step-rule=fixed", 2, 1.5},
        {"scheme=missiles", 1, 1.5},
        {"scheme=stabilised", 2, 1.5},
        {"scheme=ijcsa step-rule=fixed", 1, 1.5},
        {"scheme=semi-implicit", 1, 1.5},
        {"scheme=waveform step-rule=fixed", 1, 1.5},
        {"scheme=multirate substeps=a=1,b=1,c=2", 1, 1.5},
        {"error-controlled=richardson max-step=0.25 min-step=0.25 scheme=jacobi", 2, 1.5},
    };
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int s = 0; s < MS_COUNT(schemes); s++)
            for (int k = 2 - schemes[s].kinds; k < 2; k++) {
                double y[20];
                ms_model *model;
                char options[200];
                snprintf(options, sizeof options, "%s stop-time=1 step-size=0.25", schemes[s].options);
                ms_system *system = run_pair(
                    fmi, kinds[k], "", WIRE("a.ticks", "b.n") "," WIRE("a.ticks", "c.u"), options, &model, y);
                const double x = output_of(system, y, "b", "y"), last = output_of(system, y, "b", "m");
                if (!(fabs(x - schemes[s].x) < 1e-9 && last == floor(last)))
                    fail_msg("FMI %d, %s, %s: x is %.17g and n %.17g", fmi, kinds[k], options, x, last - 1.0);
                ms_system_destroy(&system);
                ms_model_destroy(&model);
            }
}

static void arrays_are_wired_and_set(void **state)
{
    (void)state;
    static const struct {
        const char *set, *wires;
        double w[2];
    } cases[] = {
        {"", WIRE("a.w", "b.v"), {3.0, 4.0}},
        {"\"gain\": [2, 3]", WIRE("a.w", "b.v"), {6.0, 12.0}},
        {"\"gain[2]\": 5", WIRE("a.w", "b.v"), {3.0, 20.0}},
        {"\"gain\": 10, \"v\": [1, 2]", WIRE("a.w[2]", "b.v[1]") "," WIRE("a.w[1]", "b.v[2]"), {20.0, 10.0}},
        {"\"v[1]\": 7", WIRE("a.w[1]", "b.v[2]"), {3.0, 7.0}},
        {"", "{\"from\": \"a.w\", \"to\": \"b.v\", \"gain\": 2, \"offset\": 1}", {7.0, 9.0}},
    };
    for (int c = 0; c < MS_COUNT(cases); c++)
        for (int k = 0; k < 2 * MS_COUNT(kinds); k++) {
            double y[20];
            ms_model *model;
            reading.use.isolate = k >= MS_COUNT(kinds);
            ms_system *system =
                run_pair(3, kinds[k % 2], cases[c].set, cases[c].wires, "stop-time=1", &model, y);
            reading.use.isolate = false;
            assert_true(output_of(system, y, "b", "w[1]") == cases[c].w[0]);
            assert_true(output_of(system, y, "b", "w[2]") == cases[c].w[1]);
            ms_system_destroy(&system);
            ms_model_destroy(&model);
        }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        int fmi;
        const char *set, *wires, *what;
    } bad[] = {
        {2, "", WIRE("a.y", "b.n"), "y is of type real and n of type integer, which takes that type alone"},
        {3, "", WIRE("a.y", "b.n"), "y is of type real and n of type integer, which takes that type alone"},
        {2, "", WIRE("a.off", "b.n"), "off is of type boolean and n of type integer"},
        {2, "", WIRE("a.m", "b.on"), "m is of type integer and on of type boolean"},
        {2, "", WIRE("a.m", "b.way"), "m is of type integer and way of type enumeration"},
        {2, "", WIRE("a.off", "b.u"),
         "off is of type boolean and u of type real, which takes reals and integers"},
        {2, "", WIRE("c.y", "b.n"), "y is of type real and n of type integer"},
        {2, "", "{\"from\": \"a.m\", \"to\": \"b.n\", \"gain\": 0.5}", "a gain of 0.5 and an offset of 0"},
        {2, "", "{\"from\": \"a.off\", \"to\": \"b.on\", \"gain\": -1, \"offset\": 1}",
         "1 and 0 are expected"},
        {2, "", WIRE("a.off", "b.on") "," WIRE("b.off", "b.on"),
         "two wires end in b.on, which is of type boolean"},
        {3, "", WIRE("a.w", "b.u"), "a.w has 2 values and b.u has 1; equal numbers are expected"},
        {3, "", WIRE("a.w[3]", "b.u"), "has no output w[3]"},
        {3, "\"gain\": [1, 2, 3]", "", "gain is a list of 3, but it has 2 values"},
        {3, "\"gain[0]\": 1", "", "has no variable gain[0]"},
        {3, "\"n\": 300", "", "'300' is not a value of type Int8"},
        {2, "\"on\": 2", "", "'2' is not a value of type Boolean"},
        {2, "\"way\": \"quick\"", "", "quick"},
    };
    for (int c = 0; c < MS_COUNT(bad); c++) {
        ms_model *model = NULL;
        ms_error error = {""};
        assert_int_equal(read_pair(bad[c].fmi, "co-simulation", bad[c].set, bad[c].wires, &model, &error),
                         MS_INVALID);
        if (strstr(error.text, bad[c].what) == NULL)
            fail_msg("'%s' instead of '%s'", error.text, bad[c].what);
    }
}

/* 8 bits hold -128 to 127. */
static void a_value_that_the_type_has_not_ends_the_run(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(kinds); k++) {
        ms_model *model = NULL;
        ms_error error = {""};
        const ms_options run = support_options("stop-time=1 step-size=0.25");
        double y[20];
        assert_int_equal(read_pair(3, kinds[k], "\"n\": 99",
                                   "{\"from\": \"a.m\", \"to\": \"b.n\", \"gain\": 2}", &model, &error),
                         MS_OK);
        ms_system *system = support_system_of(model);
        const ms_run_result result = support_run(system, &run, NULL, y);
        assert_true(result.reason != MS_REASON_END_TIME);
        support_says(result.message, "n cannot be 200: it is of type Int8");
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* The command ends with status 2 and says that. */
static void refused(const char *arguments, const char *what)
{
    const char *command = getenv("MACROSTEP");
    char said[300];
    snprintf(said, sizeof said, "%s", support_folder_path("said"));
    support_shell("%s %s >%s 2>&1; test $? = 2", command != NULL ? command : "build/macrostep", arguments,
                  said);
    char *text = support_read_file(said, NULL);
    support_says(text, what);
    free(text);
}

static void linearisations_say_why_not(void **state)
{
    (void)state;
    static const char *const commands[] = {"spectral", "linearise", "stability --critical"};
    ms_model *model = NULL;
    ms_error error = {""};
    assert_int_equal(read_pair(2, "model-exchange", "", WIRE("a.ticks", "b.n"), &model, &error), MS_OK);
    ms_model_destroy(&model);
    for (int c = 0; c < MS_COUNT(commands); c++) {
        char arguments[400];
        snprintf(arguments, sizeof arguments, "%s %s", commands[c], support_folder_path("pair.json"));
        refused(arguments, "the wire to n of b carries values that jump (integer)");
    }
}

/* The last value of a column of a trajectory. */
static double last_of(const char *path, const char *column)
{
    char *rows = support_read_file(path, NULL), *head = rows, *end, *last;
    int k = 0;
    assert_memory_equal(head, "time,", 5);
    end = strchr(head, '\n');
    rows[strlen(rows) - 1] = '\0';
    last = strrchr(rows, '\n') + 1;
    *end = '\0';
    for (char *name = strtok(head, ","); name != NULL && strcmp(name, column) != 0; name = strtok(NULL, ","))
        k++;
    while (k-- > 0)
        last = strchr(last, ',') + 1;
    const double value = strtod(last, NULL);
    free(rows);
    return value;
}

/* n is 1 from 0 s, 3 from 0.5 s on: x(1) = 0.5 + 1.5, and u adds t^2 / 2. */
static void series_hold_them(void **state)
{
    (void)state;
    char arguments[1000];
    support_folder_write("in.csv", "time,u,n,on\n0,0,1,0\n0.5,0.5,3,1\n1,1,3,1\n");
    for (int fmi = 2; fmi <= 3; fmi++) {
        json_decref(support_answer_of(
            "run %s --inputs %s --stop-time 1 --step-size 0.25 --errors none --trajectory %s",
            support_folder_path("signals%d.fmu", fmi), support_folder_path("in.csv"),
            support_folder_path("out.csv")));
        assert_true(fabs(last_of(support_folder_path("out.csv"), "fmu.y.y") - 2.5) < 1e-6);
        assert_true(last_of(support_folder_path("out.csv"), "fmu.y.m") == 4.0);
        assert_true(last_of(support_folder_path("out.csv"), "fmu.y.off") == 0.0);
    }
    support_folder_write("in.csv", "time,n\n0,1\n0.5,1.5\n1,3\n");
    snprintf(arguments, sizeof arguments, "run %s --inputs %s", support_folder_path("signals2.fmu"),
             support_folder_path("in.csv"));
    refused(arguments, "line 3: n is 1.5, but it is of type integer: whole numbers are expected");
}

#define CONNECTOR(name, kind, type, more)                                                                    \
    "<ssd:Connector name='" name "' kind='" kind "'><ssc:" type "/>" more "</ssd:Connector>"
#define COMPONENT(name, bindings)                                                                            \
    "<ssd:Component name='" name                                                                             \
    "' source='signals3.fmu' implementation='CoSimulation'><ssd:Connectors>" CONNECTOR(                      \
        "n", "input", "Int8", "") CONNECTOR("on", "input", "Boolean", "")                                    \
        CONNECTOR("m", "output", "Int64", "") CONNECTOR("off", "output", "Boolean", "")                      \
            CONNECTOR("way", "input", "Enumeration name='Ways'", "")                                         \
                CONNECTOR("other", "output", "Enumeration name='Ways'", "")                                  \
                    CONNECTOR("v", "input", "Float64", "<ssc:Dimension size='2'/>")                          \
                        CONNECTOR("w", "output", "Float64", "<ssc:Dimension size='2'/>")                     \
                            CONNECTOR("y", "output", "Float64", "") "</ssd:Connectors>" bindings             \
                                                                    "</ssd:Component>\n"
#define CONNECTION(from, to, more)                                                                           \
    "<ssd:Connection startElement='a' startConnector='" from "' endElement='b' endConnector='" to "'" more   \
    "/>\n"
#define PARAMETER(name, value) "<ssv:Parameter name='" name "'><ssv:" value "</ssv:Parameter>"

/* gain = 2, 3 makes w = 6, 12 of v = 3, 4. */
static void structures_have_them_too(void **state)
{
    (void)state;
    static const struct {
        const char *connections;
        double w[2];
    } cases[] = {{CONNECTION("w", "v", ""), {6.0, 12.0}},
                 {CONNECTION("w", "v", " startIndices='2' endIndices='1'"), {12.0, 4.0}}};
    for (int c = 0; c < MS_COUNT(cases); c++) {
        char text[6000];
        double y[20];
        ms_model *model = NULL;
        ms_error error = {""};
        const ms_options run = support_options("stop-time=1 step-size=0.25");
        snprintf(text, sizeof text,
                 SUPPORT_HEAD "<ssd:System name='s'><ssd:Elements>" COMPONENT(
                     "a", "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:"
                          "ParameterSet version='1.0' "
                          "name='p'><ssv:Parameters>" PARAMETER("n", "Integer value='2'/>")
                              PARAMETER("way", "Enumeration value='fast'/>") PARAMETER(
                                  "gain",
                                  "Real value='2 3'/><ssv:Dimension size='2'/>") "</ssv:Parameters></"
                                                                                 "ssv:ParameterSet></"
                                                                                 "ssd:ParameterValues></"
                                                                                 "ssd:ParameterBinding></ssd:"
                                                                                 "ParameterBindings>")
                     COMPONENT("b", "") "</ssd:Elements><ssd:Connections>" CONNECTION("m", "n", "")
                         CONNECTION("off", "on", "")
                             CONNECTION("other", "way", "") "%s"
                                                            "</ssd:Connections></ssd:System>" SUPPORT_TAIL,
                 cases[c].connections);
        if (ms_model_read(support_folder_write("pair.ssd", text), &model, &error) != MS_OK)
            fail_msg("%s", error.text);
        ms_system *system = support_system_of(model);
        support_finish(system, &run, NULL, y);
        assert_true(output_of(system, y, "b", "m") == 4.0 && output_of(system, y, "b", "off") == 0.0);
        assert_true(output_of(system, y, "b", "other") == 2.0);
        assert_true(output_of(system, y, "b", "w[1]") == cases[c].w[0]);
        assert_true(output_of(system, y, "b", "w[2]") == cases[c].w[1]);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* From 0.5 s on it asks for the end, and that is how the run ends. */
static void an_fmu_that_ends_the_simulation_ends_the_run(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < 2 * MS_COUNT(kinds); k++) {
            char text[1000], arguments[600];
            snprintf(text, sizeof text,
                     "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"ends%d.fmu\", \"kind\": \"%s\"}], "
                     "\"wires\": [], "
                     "\"end\": 1, \"step_size\": 0.25}",
                     fmi, kinds[k % 2]);
            snprintf(arguments, sizeof arguments, "run %s --errors none%s",
                     support_folder_write("ends.json", text), k >= MS_COUNT(kinds) ? " --isolate" : "");
            json_t *run = support_answer(arguments);
            assert_string_equal(json_string_value(json_object_get(run, "reason")), "terminated");
            support_says(json_string_value(json_object_get(run, "message")),
                         "subsystem a asks for the end of the simulation between ");
            const double end = json_number_value(json_object_get(run, "end_time"));
            assert_true(end == 0.25 || end == 0.5);
            json_decref(run);
        }
}

/* Its own words are in the line, with the FMU that says them. */
static void what_a_set_up_says_is_said(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < 2 * MS_COUNT(kinds); k++) {
            char text[1000], arguments[600], what[100];
            snprintf(text, sizeof text,
                     "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"refuses%d.fmu\", \"kind\": \"%s\"}], "
                     "\"wires\": []}",
                     fmi, kinds[k % 2]);
            snprintf(arguments, sizeof arguments, "run %s%s", support_folder_write("refuses.json", text),
                     k >= MS_COUNT(kinds) ? " --isolate" : "");
            snprintf(what, sizeof what, "refuses%d.fmu: ", fmi);
            refused(arguments, what);
            refused(arguments, ": no licence for it");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_pass_as_they_are),
        cmocka_unit_test(they_are_held_whatever_the_scheme),
        cmocka_unit_test(arrays_are_wired_and_set),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_value_that_the_type_has_not_ends_the_run),
        cmocka_unit_test(linearisations_say_why_not),
        cmocka_unit_test(series_hold_them),
        cmocka_unit_test(structures_have_them_too),
        cmocka_unit_test(an_fmu_that_ends_the_simulation_ends_the_run),
        cmocka_unit_test(what_a_set_up_says_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
