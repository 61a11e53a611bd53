/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard output of the command is its answer, whatever an FMU prints there; what it prints is on standard error. */
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
    support_decay_fmu(&(support_decay){.fmi = 2,
                                       .source = "tests/support/fmu/stepping_fmu.c",
                                       .define = "-DPRINTS",
                                       .edit = {"<ModelExchange modelIdentifier=\"decay\" "
                                                "canGetAndSetFMUstate=\"true\" />",
                                                ""}},
                      path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("printing.fmu"));
    support_folder_write("printing.json",
                         "{\"subsystems\": [{\"name\": \"s\", \"fmu\": \"printing.fmu\"}], \"wires\": []}");
    return 0;
}

static void answers_stand_alone(void **state)
{
    (void)state;
    static const char *const commands[] = {"run %s --errors none %s 2>%s", "show %s --probe %s 2>%s"};
    for (int k = 0; k < 2 * MS_COUNT(commands); k++) {
        char path[400], arguments[1000];
        const char *file = support_folder_path(k / 2 == 0 ? "printing.json" : "printing.fmu");
        snprintf(path, sizeof path, "%s", support_folder_path("said.txt"));
        snprintf(arguments, sizeof arguments, commands[k / 2], file, k % 2 == 0 ? "" : "--isolate", path);
        json_decref(support_answer(arguments));
        char *said = support_read_file(path, NULL);
        static const char *const places[] = {"loaded", "made", "stepped", "freed", "unloaded"};
        for (int j = 0; j < MS_COUNT(places); j++) {
            char line[100];
            snprintf(line, sizeof line, "printed where it is %s, 8\n", places[j]);
            assert_non_null(strstr(said, line));
        }
        assert_non_null(strstr(said, "at once\n"));
        free(said);
    }
}

/* The answer comes, in a file too, or one line does, where an FMU closes the standard streams, and where it closes all that is open. */
static void streams_that_an_fmu_closes(void **state)
{
    (void)state;
    static const struct {
        const char *define, *options, *said, *where;
        int status;
    } calls[] = {
        {"-DCLOSES=0 -DUP_TO=2", "", "end-time", "1", 0},
        {"-DCLOSES=0 -DUP_TO=2", "--output $D/out", "end-time", "out", 0},
        {"-DCLOSES=0 -DUP_TO=2", "--output $D/none/out", "No such file", "2", 1},
        {"-DCLOSES=0 -DUP_TO=99", "--isolate", "end-time", "1", 0},
        {"-DCLOSES=3 -DUP_TO=99", "", "standard output was closed", "2", 1},
    };
    const char *command = getenv("MACROSTEP");
    for (int k = 0; k < MS_COUNT(calls); k++) {
        support_stepping_fmu(calls[k].define, "closing");
        support_shell("D=%s; %s run $D/closing.fmu --errors none --format json %s >$D/1 2>$D/2; "
                      "test $? = %d && grep -q '%s' $D/%s",
                      support_folder(), command != NULL ? command : "build/macrostep", calls[k].options,
                      calls[k].status, calls[k].said, calls[k].where);
    }
}

/* The names that the system has for it mean the same as before. */
static void its_other_names_are_known(void **state)
{
    (void)state;
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1"};
    const char *command = getenv("MACROSTEP");
    for (int k = 0; k < MS_COUNT(names); k++) {
        char path[400];
        snprintf(path, sizeof path, "%s", support_folder_path("list.txt"));
        support_shell("%s list models --output %s >%s", command != NULL ? command : "build/macrostep",
                      names[k], path);
        char *text = support_read_file(path, NULL);
        assert_non_null(strstr(text, "quarter-car"));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_stand_alone),
                                       cmocka_unit_test(streams_that_an_fmu_closes),
                                       cmocka_unit_test(its_other_names_are_known)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
