/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offsets of wires come from a subsystem that nobody has written: nobody can name it, and no file or table does. */
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

#define SUBSYSTEMS                                                                                                           \
    "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"u\"], \"states\": {\"x\": {\"derivative\": \"u-x\", \"start\": 1}}," \
    "\"outputs\": {\"y\": \"x\"}}, {\"name\": \"b\", \"inputs\": [\"u\"], \"states\": {\"x\": "                              \
    "{\"derivative\": \"u-x\", \"start\": 2}}, \"outputs\": {\"y\": \"x\"}}"
#define WIRES "\"wires\": [{\"from\": \"b.y\", \"to\": \"a.u\"}, {\"from\": \"a.y\", \"to\": \"b.u\""

static const char system_text[] = SUBSYSTEMS "]," WIRES ", \"offset\": 1}], \"end\": 1}";
/* The same with one that is there to be named. */
static const char written_text[] =
    SUBSYSTEMS ", {\"name\": \"constant\", \"outputs\": {\"y\": \"1\"}}]," WIRES
               "}, {\"from\": \"constant.y\", \"to\": \"b.u\"}], \"end\": 1}";

static void orders_do_without_it(void **state)
{
    (void)state;
    static const char *const schemes[] = {"gauss-seidel", "strang"};
    ms_model *model = support_model_read(system_text);
    ms_system *system = support_system_of(model);
    ms_model *written = support_model_read(written_text);
    ms_system *same = support_system_of(written);
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        double x[2][2];
        char line[500];
        const ms_options with = support_options_of("scheme=%s sequence=constant,b,a", schemes[k]),
                         without = support_options_of("scheme=%s sequence=b,a", schemes[k]),
                         part = support_options_of("scheme=%s sequence=b", schemes[k]);
        support_finish(same, &with, x[0], NULL);
        support_finish(system, &without, x[1], NULL);
        support_near_all(2, x[1], x[0], 1e-6); /* micro-solvers differ */
        assert_int_equal(support_refusal(system, &part, line, sizeof line), MS_INVALID);
        support_says(line, "`sequence` b: names 1 of 2 subsystems, not a");
        assert_int_equal(support_refusal(system, &with, line, sizeof line), MS_INVALID);
        support_says(line, "has no subsystem constant");
    }
    ms_system_destroy(&same);
    ms_model_destroy(&written);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* f3ornits leaves values out where a subsystem does not communicate. */
static void rows_do_without_it(void **state)
{
    (void)state;
    static const char *const schemes[] = {"jacobi", "f3ornits"};
    char names[2][300];
    snprintf(names[0], sizeof names[0], "%s", support_folder_write("offsets.json", system_text));
    snprintf(names[1], sizeof names[1], "%s", support_folder_path("rows.csv"));
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        json_t *run = support_answer_of("run %s --scheme %s --trajectory %s", names[0], schemes[k], names[1]);
        assert_int_equal(json_array_size(json_object_get(run, "work")), 2);
        char *rows = support_read_file(names[1], NULL);
        assert_ptr_equal(strstr(rows, "time,a.x.x,b.x.x,a.u.u,b.u.u,a.y.y,b.y.y\n#"), rows);
        assert_non_null(strstr(rows, "\n0,1,2,2,2,1,2\n"));
        free(rows);
        json_decref(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders_do_without_it),
                                       cmocka_unit_test(rows_do_without_it)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
