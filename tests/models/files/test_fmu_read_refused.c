/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What descriptions decide is decided before a binary is opened: the line that refuses stands alone, whatever FMUs print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static int set_up(void **state)
{
    char path[256];
    support_folder_create(state);
    support_decay_fmu(
        &(support_decay){
            .fmi = 2,
            .source = "tests/support/fmu/stepping_fmu.c",
            .define = "-DPRINTS",
            .edit = {"<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" />", ""}},
        path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("printing.fmu"));
    return 0;
}

static void the_line_stands_alone(void **state)
{
    (void)state;
    static const struct {
        const char *first, *wire, *what;
    } bad[] = {
        {"", "{\"from\": \"a.out\", \"to\": \"b.u\"}", "subsystem a has no output out; the nearest is y"},
        {"", "{\"from\": \"a.y\", \"to\": \"b.in\"}", "subsystem b has no input in; the nearest is u"},
        {"", "{\"from\": \"a.y\", \"to\": \"c.u\"}", "c.u belongs to no subsystem; the nearest is a"},
        {", \"kind\": \"model-exchange\"", "", "it is not for model-exchange"},
        {", \"set\": {\"kk\": 1}", "", "has no variable kk; the nearest is k"},
        {", \"set\": {\"n\": 0.5}", "{\"from\": \"a.out\", \"to\": \"b.u\"}", "has no output out"}};
    const char *command = getenv("MACROSTEP");
    for (int k = 0; k < MS_COUNT(bad); k++) {
        char text[1000], names[2][300];
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"printing.fmu\"%s}, {\"name\": \"b\", "
                 "\"fmu\": \"printing.fmu\"}],"
                 "\"wires\": [%s]}",
                 bad[k].first, bad[k].wire);
        snprintf(names[0], sizeof names[0], "%s", support_folder_write("bad.json", text));
        snprintf(names[1], sizeof names[1], "%s", support_folder_path("said"));
        support_shell("%s run %s >%s 2>&1; test $? = 2", command != NULL ? command : "build/macrostep",
                      names[0], names[1]);
        char *said = support_read_file(names[1], NULL);
        support_says(said, bad[k].what);
        assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_line_stands_alone)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
