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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_read_back)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
