/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as FMUs have them, with commas, quotes, brackets and ends of lines: files of rows read back, here and elsewhere. */
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static int set_up(void **state)
{
    char path[256];
    support_folder_create(state);
    support_decay_fmu(
        &(support_decay){.fmi = 2,
                         .edit = {"name=\"x\"", "name=\"mass.x[1,2]\"", "name=\"y\"", "name=\"T[1,2]\"",
                                  "name=\"u\"", "name=\"&quot;line&#10;break&quot;\""}},
        path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("named.fmu"));
    return 0;
}

static void rows_read_back(void **state)
{
    (void)state;
    char system[300], rows[300];
    snprintf(system, sizeof system, "%s", support_folder_path("named.fmu"));
    snprintf(rows, sizeof rows, "%s", support_folder_path("rows.csv"));
    json_decref(support_answer_of("run %s --errors none --stop-time 1 --step-size 0.1 --trajectory %s",
                                  system, rows));
    /* another reader of RFC 4180 */
    support_shell("grep -v '^#' %s | python3 -c 'import csv, sys\n"
                  "rows = list(csv.reader(sys.stdin))\n"
                  "assert rows[0] == [\"time\", \"fmu.x.mass.x[1,2]\", \"fmu.u.\\\"line\\nbreak\\\"\", "
                  "\"fmu.y.T[1,2]\"], rows[0]\n"
                  "assert len(rows) == 12 and all(len(row) == 4 for row in rows), rows'",
                  rows);
    json_t *judged = support_answer_of("judge %s %s", rows, system);
    const json_t *row = json_array_get(json_object_get(judged, "rows"), 0);
    assert_non_null(row);
    json_decref(judged);
    json_decref(support_answer_of("run %s --stop-time 1 --step-size 0.1 --reference %s", system, rows));
}

/* What two runs have at their ends, and that an input has moved it. */
static void check_same_end(const char *one, const char *other)
{
    support_shell("test $(tail -n 1 %s) = $(tail -n 1 %s)", one, other);
    support_shell("tail -n 1 %s | awk -F, '{exit !($3 == 2 && $2 > 1)}'", one);
}

/* A system of an FMU in which its input is called that (JSON), set or wired to a constant; its last rows go to a file. */
static const char *run_system(const char *fmu, const char *input, bool wired)
{
    char text[1000], rows[300], system[300];
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"co-simulation\", "
             "\"set\": {\"%s\": 2}}, {\"name\": \"c\", \"outputs\": {\"two\": \"2\"}}], \"wires\": [",
             fmu, input);
    if (wired)
        snprintf(text + strlen(text), sizeof text - strlen(text), "{\"from\": \"c.two\", \"to\": \"fmu.%s\"}",
                 input);
    snprintf(text + strlen(text), sizeof text - strlen(text), "], \"stop_time\": 1, \"step_size\": 0.1}");
    snprintf(system, sizeof system, "%s", support_folder_write("system.json", text));
    snprintf(rows, sizeof rows, "%s", support_folder_path("%s-%d.csv", fmu, wired));
    json_decref(support_answer_of("run %s --errors none --trajectory %s", system, rows));
    return support_folder_path("%s-%d.csv", fmu, wired);
}

/* System files name such variables, as wires do and settings. */
static void system_files_name_them(void **state)
{
    (void)state;
    char path[256];
    support_decay_fmu(&(support_decay){.fmi = 2}, path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("plain.fmu"));
    for (int wired = 0; wired < 2; wired++)
        check_same_end(run_system("named.fmu", "\\\"line\\nbreak\\\"", wired),
                       run_system("plain.fmu", "u", wired));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_read_back),
                                       cmocka_unit_test(system_files_name_them)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
