/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_field.c - the field on one page: orders are those claimed, each entry is a command of its family, each model has a
 * front. */
#include <math.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include "figure_run.h"
#include "support.h"
#include "unit_test.h"

enum { MODELS = 6 };

static json_t *answer;

static int draw(void **state)
{
    (void)state;
    answer = support_figure_answer("macrostep:field");
    return 0;
}

static int forget(void **state)
{
    (void)state;
    json_decref(answer);
    return 0;
}

static json_t *rows(void)
{
    json_t *tables = json_object_get(answer, "tables");
    return json_object_iter_value(json_object_iter(tables));
}

static const char *word(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static void orders_are_those_claimed(void **state)
{
    (void)state;
    json_t *row;
    size_t k;
    int compared = 0;
    json_array_foreach (rows(), k, row) {
        const json_t *claimed = json_object_get(row, "order claimed"),
                     *observed = json_object_get(row, "order observed");
        if (!json_is_integer(claimed) || !json_is_real(observed) ||
            strcmp(word(row, "model"), "impact oscillator") == 0)
            continue; /* events cost everybody the order */
        support_near(json_real_value(observed), (double)json_integer_value(claimed), 0.3);
        compared++;
    }
    assert_true(compared > 40);
}

static void entries_are_commands_of_their_family(void **state)
{
    (void)state;
    json_t *row;
    size_t k;
    json_array_foreach (rows(), k, row) {
        const char *command = word(row, "command");
        if (command == NULL)
            continue;
        assert_true(strncmp(command, "macrostep run ", 14) == 0);
        assert_non_null(strstr(command, word(row, "family")));
    }
}

/* Families with feedback need lines, which one of the models has. */
static void a_family_that_no_model_fits_says_why(void **state)
{
    (void)state;
    json_t *row;
    size_t k;
    int refused = 0, families = 0;
    for (int f = 0; ms_schemes[f] != NULL; f++)
        families += ms_schemes[f]->feedback != NULL;
    json_array_foreach (rows(), k, row) {
        if (ms_scheme_find(word(row, "family"))->feedback == NULL)
            continue;
        if (strcmp(word(row, "model"), "two masses and a spring") == 0) {
            assert_non_null(word(row, "command"));
            continue;
        }
        assert_non_null(strstr(word(row, "needs"), "needs lines"));
        refused++;
    }
    assert_int_equal(refused, families * (MODELS - 1));
}

static void each_model_has_a_front(void **state)
{
    (void)state;
    const char *models[MODELS] = {NULL};
    bool front[MODELS] = {false};
    json_t *row;
    size_t k;
    int n = 0;
    json_array_foreach (rows(), k, row) {
        if (n == 0 || strcmp(models[n - 1], word(row, "model")) != 0)
            models[n++] = word(row, "model");
        front[n - 1] = front[n - 1] || strcmp(word(row, "on the front"), "yes") == 0;
    }
    assert_int_equal(n, MODELS);
    for (int m = 0; m < MODELS; m++)
        assert_true(front[m]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_claimed), cmocka_unit_test(entries_are_commands_of_their_family),
        cmocka_unit_test(a_family_that_no_model_fits_says_why), cmocka_unit_test(each_model_has_a_front)};
    return cmocka_run_group_tests(tests, draw, forget);
}
