/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An FMU alone whose inputs follow a series, as files of fmi-cross-check have it: names in quotes, those of the FMU, jumps, and an end that
 * is a round-off short. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static void move(const char *path, const char *name)
{
    support_shell("mv %s %s", path, support_folder_path("%s.fmu", name));
}

static int set_up(void **state)
{
    static const char only[] = "<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" />";
    const support_decay exchange = {.fmi = 2},
                        held = {.fmi = 2, .source = "tests/support/fmu/stepping_fmu.c", .edit = {only, ""}},
                        discrete = {.fmi = 2,
                                    .source = "tests/support/fmu/stepping_fmu.c",
                                    .edit = {only, "", "causality=\"input\"",
                                             "causality=\"input\" variability=\"discrete\""}};
    char path[256];
    support_folder_create(state);
    support_decay_fmu(&exchange, path, sizeof path);
    move(path, "exchange");
    support_decay_fmu(&held, path, sizeof path);
    move(path, "held");
    support_decay_fmu(&discrete, path, sizeof path);
    move(path, "discrete");
    support_flawed_fmu(&(support_flawed){.fmi = 2}, path, sizeof path);
    move(path, "linear");
    support_folder_write("in.csv", "\"time\",\"u\"\n0,0\n1,1\n1,3\n1.9999999999999998,3\n");
    support_folder_write("rows.csv", "time,u\n0,1\n1,3\n2,3\n");
    return 0;
}

/* The value of the first output at the end. */
static double run(const char *fmu, const char *inputs, double h)
{
    char names[2][300];
    snprintf(names[0], sizeof names[0], "%s", support_folder_path("%s.fmu", fmu));
    snprintf(names[1], sizeof names[1], "%s", support_folder_path("%s", inputs));
    json_decref(
        support_answer_of("run %s --inputs %s --stop-time 2 --step-size %g --errors none --trajectory %s %s",
                          names[0], names[1], h, support_folder_path("rows_out.csv"),
                          strcmp(fmu, "exchange") == 0 ? "--solver-rtol 1e-10 --solver-atol 1e-12" : ""));
    char *rows = support_read_file(support_folder_path("rows_out.csv"), NULL);
    rows[strlen(rows) - 1] = '\0';
    const double y = strtod(strrchr(rows, ',') + 1, NULL);
    free(rows);
    return y;
}

/* x' = -x + u, x(0) = 1: u = t up to 1, then 3. */
static void equations_have_them_at_all_times(void **state)
{
    (void)state;
    const double half = 2.0 * exp(-1.0), end = 3.0 + (half - 3.0) * exp(-1.0);
    support_near(run("exchange", "in.csv", 0.1), end, 1e-8);
    support_near(run("exchange", "in.csv", 0.37), end, 1e-8);
}

/* Without slopes they are held from the start of each step on, behind the jump what is there. */
static void steps_hold_them(void **state)
{
    (void)state;
    double x = 1.0;
    for (int n = 0; n < 20; n++) {
        const double u = n < 10 ? 0.1 * n : 3.0;
        x = u + (x - u) * exp(-0.1);
    }
    support_near(run("held", "in.csv", 0.1), x, 1e-9);
}

/* A discrete one stays what the last row says. */
static void discrete_ones_wait_for_rows(void **state)
{
    (void)state;
    double x = 1.0;
    for (int n = 0; n < 20; n++) {
        const double u = n < 10 ? 1.0 : 3.0;
        x = u + (x - u) * exp(-0.1);
    }
    support_near(run("discrete", "rows.csv", 0.1), x, 1e-9);
}

/* With slopes the length of steps that end where they bend does not matter. */
static void slopes_are_taken(void **state)
{
    (void)state;
    support_near(run("linear", "in.csv", 0.1), run("linear", "in.csv", 0.05), 1e-7);
    assert_true(fabs(run("linear", "in.csv", 0.1) - run("linear", "rows.csv", 0.1)) > 0.1);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } bad[] = {{"time,v\n0,1\n2,1\n", "the nearest is fmu.w.u"},
               {"time,u\n0,1\n1.9,1\n", "they are not extrapolated"},
               {"time,u\n0,1\n1,1\n0.5,2\n", "times must ascend"}};
    const char *command = getenv("MACROSTEP");
    for (int k = 0; k < MS_COUNT(bad); k++) {
        char names[3][300];
        snprintf(names[0], sizeof names[0], "%s", support_folder_path("held.fmu"));
        snprintf(names[1], sizeof names[1], "%s", support_folder_write("bad.csv", bad[k].text));
        snprintf(names[2], sizeof names[2], "%s", support_folder_path("said"));
        support_shell("%s run %s --inputs %s --stop-time 2 >%s 2>&1; test $? = 2",
                      command != NULL ? command : "build/macrostep", names[0], names[1], names[2]);
        char *said = support_read_file(names[2], NULL);
        support_says(said, bad[k].what);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_have_them_at_all_times), cmocka_unit_test(steps_hold_them),
        cmocka_unit_test(discrete_ones_wait_for_rows), cmocka_unit_test(slopes_are_taken),
        cmocka_unit_test(what_does_not_fit_is_refused)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
