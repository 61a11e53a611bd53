/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_tools.c - the masters of other tools on one model: what was expected holds, and what the table says is what a tool's
 * loop has by hand. */
#include <math.h>
#include <string.h>

#include "figure_run.h"
#include "support.h"
#include "unit_test.h"

static void all_expectations_hold(void **state)
{
    (void)state;
    json_t *answer = support_figure_answer("macrostep:tools");
    support_figure_expect(answer, 13, 0, NULL);
    json_decref(answer);
}

/* Five passes of two subsystems are ten integrations a macro-step, a plain step is two, and error control six for each attempt. */
static void work_is_counted(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int integrations; /* a macro-step */
    } fixed[] = {{"oms-ma", 2}, {"libcosim", 2}, {"fmpy", 2}, {"maestro, five passes", 10}};
    json_t *answer = support_figure_answer("macrostep:tools");
    const char *title;
    json_t *rows, *row;
    size_t k;
    int seen = 0;
    json_object_foreach (json_object_get(answer, "tables"), title, rows) {
        json_array_foreach (rows, k, row) {
            const char *name = json_string_value(json_object_get(row, "master"));
            const double steps = json_number_value(json_object_get(row, "macro-steps")),
                         integrations = json_number_value(json_object_get(row, "integrations"));
            for (int m = 0; m < MS_COUNT(fixed); m++)
                if (strcmp(name, fixed[m].name) == 0) {
                    assert_true(integrations == fixed[m].integrations * steps);
                    seen++;
                }
            if (strcmp(name, "pyfmi") == 0)
                assert_true(integrations >= 6.0 * steps && fmod(integrations, 6.0) == 0.0);
            if (strcmp(name, "oms-mav") == 0)
                assert_true(integrations >= 2.0 * steps && fmod(integrations, 2.0) == 0.0);
        }
    }
    assert_int_equal(seen, 24);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_expectations_hold),
                                       cmocka_unit_test(work_is_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
