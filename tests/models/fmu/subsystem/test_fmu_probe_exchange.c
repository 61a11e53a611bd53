/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an FMU for model exchange is found to do at its start. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command_answer.h"
#include "fmu_probe.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static ms_fmu_abilities probe(const support_decay *how, double *values, char *words, size_t size)
{
    char path[256];
    ms_error error = {""};
    ms_fmu *fmu;
    ms_fmu_abilities found;
    ms_fmu_at_start start;
    support_decay_fmu(how, path, sizeof path);
    if (ms_fmu_open(path, MS_FMU_MODEL_EXCHANGE, NULL, &fmu, &error) != MS_OK)
        fail_msg("%s", error.text);
    remove(path);
    const ms_fmu_setup plain = {.instance_name = "fmu"};
    if (ms_fmu_probe_start(fmu, &plain, &found, &start, &error) == MS_OK) {
        assert_int_equal(start.nx, 1);
        assert_true(start.ny >= 1);
        values[0] = start.x[0];
        values[1] = start.dx[0];
        values[2] = start.y[0];
    }
    snprintf(words, size, "%s", error.text);
    ms_fmu_at_start_free(&start);
    ms_fmu_close(&fmu);
    return found;
}

/* x = 1, x' = -x + u, y = x. */
static void what_it_starts_with_is_known(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        double values[3];
        char words[400];
        const ms_fmu_abilities found = probe(&(support_decay){.fmi = fmi}, values, words, sizeof words);
        assert_string_equal(words, "");
        support_near(values[0], 1.0, 0.0);
        support_near(values[1], -1.0, 1e-15);
        support_near(values[2], 1.0, 0.0);
        assert_true(found.can.rollback && found.deterministic && found.steps == 0);
        assert_string_equal(found.why[MS_FMU_ROLLBACK], "");
    }
}

static void a_state_that_is_not_restored_is_seen(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        double values[3];
        char words[400];
        const ms_fmu_abilities found =
            probe(&(support_decay){.fmi = fmi, .define = "-DFORGETS"}, values, words, sizeof words);
        assert_string_equal(words, "");
        assert_false(found.can.rollback);
        support_says(found.why[MS_FMU_ROLLBACK], "a restored state does not have its former values");
    }
}

/* The command, of one that is for model exchange alone. */
static void the_command_shows_it(void **state)
{
    (void)state;
    char path[256];
    support_decay_fmu(
        &(support_decay){.fmi = 2,
                         .edit = {"<CoSimulation", "<!-- ", "<ModelVariables>", "--><ModelVariables>"}},
        path, sizeof path);
    json_t *shown = support_answer_of("show %s --probe", path);
    remove(path);
    const json_t *start = json_object_get(shown, "at_start");
    support_near(json_number_value(json_object_get(json_object_get(start, "states"), "x")), 1.0, 0.0);
    support_near(json_number_value(json_object_get(json_object_get(start, "derivatives"), "der(x)")), -1.0,
                 1e-15);
    support_near(json_number_value(json_object_get(json_object_get(start, "outputs"), "y")), 1.0, 0.0);
    assert_true(json_is_true(json_object_get(json_object_get(shown, "probe"), "rollback")));
    assert_null(json_object_get(shown, "probe_steps"));
    json_decref(shown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_it_starts_with_is_known),
                                       cmocka_unit_test(a_state_that_is_not_restored_is_seen),
                                       cmocka_unit_test(the_command_shows_it)};
    return cmocka_run_group_tests_name("fmu probe exchange", tests, support_folder_create,
                                       support_folder_remove);
}
