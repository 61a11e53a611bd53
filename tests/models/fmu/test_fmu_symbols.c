/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An FMU that brings its own solver, or any other library that the program has, calls its own functions, and the program its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static int set_up(void **state)
{
    support_folder_create(state);
    support_stepping_fmu("", "bare");
    support_stepping_fmu("-DLIBRARIES", "libraries");
    support_folder_write(
        "system.json",
        "{\"subsystems\": [{\"name\": \"s\", \"fmu\": \"libraries.fmu\"},\n"
        "{\"name\": \"c\", \"inputs\": [\"y\"], \"states\": {\"i\": {\"derivative\": \"-y\"}},\n"
        "\"outputs\": {\"u\": \"0*i\"}}],\n"
        "\"wires\": [{\"from\": \"s.y\", \"to\": \"c.y\"}, {\"from\": \"c.u\", \"to\": \"s.u\"}]}");
    return 0;
}

/* The last number of a column. */
static double last_of(const char *column)
{
    char *text = support_read_file(support_folder_path("x.csv"), NULL), *head = text;
    int k = 0;
    for (const char *at = head; strncmp(at, column, strlen(column)) != 0; k++) {
        at = strpbrk(at, ",\n");
        assert_true(at != NULL && *at == ',');
        at++;
    }
    text[strlen(text) - 1] = '\0';
    const char *at = strrchr(text, '\n') + 1;
    for (; k > 0; k--)
        at = strchr(at, ',') + 1;
    const double value = strtod(at, NULL);
    free(text);
    return value;
}

static void each_side_calls_its_own(void **state)
{
    (void)state;
    static const char *const options[] = {"", "--isolate"};
    for (int k = 0; k < MS_COUNT(options); k++) {
        char system[300], trajectory[300];
        snprintf(system, sizeof system, "%s", support_folder_path("system.json"));
        snprintf(trajectory, sizeof trajectory, "%s", support_folder_path("x.csv"));
        json_decref(support_answer_of("run %s --stop-time 1 --step-size 0.1 --solver cvode-bdf --errors none "
                                      "--trajectory %s %s",
                                      system, trajectory, options[k]));
        support_near(last_of("s.x.x"), exp(-1.0), 1e-12);
        json_decref(
            support_answer_of("show %s --probe %s", support_folder_path("libraries.fmu"), options[k]));
    }
}

static void shows_why(void **state)
{
    (void)state;
    json_t *shown = support_answer_of("show %s", support_folder_path("libraries.fmu"));
    const char *why = json_string_value(json_object_get(shown, "own_process"));
    assert_non_null(why);
    support_says(why, "which this program also defines");
    json_decref(shown);
    shown = support_answer_of("show %s", support_folder_path("bare.fmu"));
    assert_true(json_is_null(json_object_get(shown, "own_process")));
    json_decref(shown);
}

/* One that lies deeper than the binary, or elsewhere, or has another name. */
static void libraries_beside_the_binary_count(void **state)
{
    (void)state;
    static const char *const places[][2] = {
        {"resources", "libown.so.1"}, {"binaries/linux64/lib", "libown.so.1"}, {"extra", "own.dat"}};
    char folder[300];
    snprintf(folder, sizeof folder, "%s", support_folder_path("beside"));
    for (int k = 0; k < MS_COUNT(places); k++) {
        support_shell("mkdir -p %s && cp %s/../bare.fmu %s/beside.fmu && cd %s && mkdir -p %s && "
                      "echo 'int CVode(void) { return 0; }' | cc -shared -fPIC -x c - -o %s/%s && "
                      "python3 -c 'import sys, zipfile; zipfile.ZipFile(\"beside.fmu\", "
                      "\"a\").write(sys.argv[1])' %s/%s",
                      folder, folder, folder, folder, places[k][0], places[k][0], places[k][1], places[k][0],
                      places[k][1]);
        json_t *shown = support_answer_of("show %s/beside.fmu", folder);
        const char *why = json_string_value(json_object_get(shown, "own_process"));
        assert_non_null(why);
        support_says(why, "defines CVode");
        json_decref(shown);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_side_calls_its_own), cmocka_unit_test(shows_why),
                                       cmocka_unit_test(libraries_beside_the_binary_count)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
