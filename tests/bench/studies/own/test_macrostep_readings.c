/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_readings.c - macrostep:readings: each sentence of a list is judged in each reading and counts once in the number of
 * sentences that hold. */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "published.h"
#include "unit_test.h"

enum { GROUPS = 9 };

/* How often the expression has the name as a whole. */
static int times(const char *expression, const char *name)
{
    const size_t length = strlen(name);
    int n = 0;
    for (const char *c = expression; (c = strstr(c, name)) != NULL; c += length)
        n += (c == expression || !isalnum((unsigned char)c[-1])) && !isalnum((unsigned char)c[length]);
    return n;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The sentences s1, s2, .. of a list in the values of the group of readings: how many. */
static int judged(const json_t *sentences, const json_t *values)
{
    const int n = (int)json_object_size(sentences);
    char name[16];
    for (int k = 1; k <= n; k++) {
        snprintf(name, sizeof name, "s%d", k);
        assert_non_null(json_object_get(sentences, name));
        assert_non_null(json_object_get(values, name));
        if (times(text_of(values, "held"), name) + times(text_of(values, "by_balance"), name) != 1)
            fail_msg("%s does not count once in %s", name, text_of(values, "held"));
    }
    snprintf(name, sizeof name, "s%d", n + 1);
    assert_null(json_object_get(values, name));
    return n;
}

static void each_sentence_counts_once(void **state)
{
    (void)state;
    const char *text = ms_published_text(ms_figure_texts, "macrostep_readings.json"), *name;
    assert_non_null(text);
    json_t *figure = json_loads(text, 0, NULL), *groups = json_object_get(figure, "groups"), *group;
    int n_groups = 0, n = 0;
    json_object_foreach (groups, name, group) {
        const json_t *over = json_object_get(group, "over"),
                     *list = json_array_get(over, json_array_size(over) - 1);
        if (strstr(name, "_share") == NULL)
            continue;
        n += judged(json_object_get(json_object_get(figure, "lists"), json_string_value(list)),
                    json_object_get(json_object_get(groups, text_of(group, "of")), "values"));
        n_groups++;
    }
    assert_int_equal(n_groups, GROUPS);
    assert_true(n > 0);
    json_decref(figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_sentence_counts_once)};
    return cmocka_run_group_tests_name("macrostep:readings", tests, NULL, NULL);
}
