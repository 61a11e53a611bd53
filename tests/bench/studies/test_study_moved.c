/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_study_moved.c - every check of a figure is seen to change: what was measured is moved, and one that was reproduced must fail, one that
 * was not must be reproduced.
 *
 * In C the values that decide a check are moved one after the other out of the bounds that they are compared with, or into them where they
 * are outside; the figure's verdict must change as well. Figure files move them by themselves, each time they are drawn (figure_checks.c).
 *
 * The figures that take longer than all others are drawn in the long form alone, EFFORT=long. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "drawing.h"
#include "figure_registry.h"
#include "support.h"
#include "unit_test.h"

static const char *const slow[] = {"andersson2016:fig6.21", "andersson2016:fig6.22", "andersson2016:table9.7",
                                   "eguillon2021:fig8",     "eguillon2022:fig15",    "eguillon2022:table1",
                                   "moshagen2021:fig12",    "moshagen2021:fig9"};

static const char own[] = "macrostep:", libraries[] = "libraries:";

/* The figure with the k-th value that decides a check moved, 0: as it is. */
static ms_drawing *fill(const ms_figure *figure, int k)
{
    ms_drawing *drawing;
    ms_error error = {0};
    assert_int_equal(ms_drawing_create(figure, NULL, &drawing, &error), MS_OK);
    ms_drawing_call_by(drawing, ms_command_call_within);
    ms_judge_move(drawing, k);
    if (ms_drawing_fill(drawing, &error) != MS_OK)
        fail_msg("%s: %s", figure->id, error.text);
    return drawing;
}

/* Its answer; *judged: how many such values there were. */
static json_t *answer_of(const ms_figure *figure, int k, int *judged)
{
    ms_drawing *drawing = fill(figure, k);
    json_t *answer = ms_drawing_answer(drawing);
    *judged = ms_judge_count(drawing);
    ms_drawing_destroy(&drawing);
    assert_non_null(answer);
    return answer;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Has the k-th value changed a verdict of a check, and with it what the figure says? seen: checks whose verdict has changed. */
static bool is_changed(const ms_figure *figure, const json_t *answer, int k, bool *seen)
{
    int judged;
    json_t *moved = answer_of(figure, k, &judged), *checks = json_object_get(answer, "checks"), *check;
    size_t j;
    bool changed = false;
    assert_int_equal(json_array_size(json_object_get(moved, "checks")), json_array_size(checks));
    json_array_foreach (checks, j, check) {
        const json_t *other = json_array_get(json_object_get(moved, "checks"), j);
        if (strcmp(text_of(check, "verdict"), text_of(other, "verdict")) == 0)
            continue;
        changed = seen[j] = true;
        if (ms_figure_is_own(figure) || !json_is_true(json_object_get(check, "own")))
            assert_string_not_equal(text_of(answer, "verdict"), text_of(moved, "verdict"));
        else
            assert_false(
                json_equal(json_object_get(answer, "held_by_kind"), json_object_get(moved, "held_by_kind")));
    }
    json_decref(moved);
    return changed;
}

static bool is_open(const json_t *check)
{
    return strcmp(text_of(check, "verdict"), "not-determined") == 0;
}

static void moves(const ms_figure *figure)
{
    int judged;
    json_t *answer = answer_of(figure, 0, &judged), *checks = json_object_get(answer, "checks"), *check;
    bool *seen = calloc(json_array_size(checks) + 1, sizeof *seen);
    size_t j;
    assert_non_null(seen);
    for (int k = 1; k <= judged; k++)
        if (!is_changed(figure, answer, k, seen))
            fail_msg("%s: value %d decides no check", figure->id, k);
    json_array_foreach (checks, j, check)
        if (!seen[j] && !is_open(check))
            fail_msg("%s: \"%s\" cannot fail", figure->id, text_of(check, "what"));
    free(seen);
    json_decref(answer);
}

static bool is_listed(const char *id)
{
    bool listed = false;
    for (int k = 0; k < MS_COUNT(slow); k++)
        listed |= strcmp(slow[k], id) == 0;
    return listed;
}

static bool is_long(void)
{
    const char *effort = getenv("EFFORT");
    return effort != NULL && strcmp(effort, "long") == 0;
}

static bool is_file(const ms_figure *figure)
{
    return figure->draw == ms_figure_find("andersson2016:fig6.1")->draw;
}

static void every_check_in_c_is_seen_to_change(void **state)
{
    (void)state;
    static const char *const slow_own[] = {"macrostep:sweep", "macrostep:field", "macrostep:estimation"};
    const ms_figure *figure;
    int n = 0;
    for (int k = 0; (figure = ms_figure_at(k)) != NULL; k++) {
        bool slowly = is_listed(figure->id);
        for (int j = 0; j < MS_COUNT(slow_own); j++)
            slowly |= strcmp(slow_own[j], figure->id) == 0;
        if (is_file(figure) || (slowly && !is_long()))
            continue;
        moves(figure);
        n++;
    }
    assert_true(n > 0);
}

/* Of the papers; those of the project in the long form. */
static void every_check_of_a_figure_file_is_seen_to_change(void **state)
{
    (void)state;
    const ms_figure *figure;
    int n = 0;
    for (int k = 0; (figure = ms_figure_at(k)) != NULL; k++) {
        const bool slowly = is_listed(figure->id) || strncmp(figure->id, own, sizeof own - 1) == 0 ||
                            strncmp(figure->id, libraries, sizeof libraries - 1) == 0;
        if (!is_file(figure) || (slowly && !is_long()))
            continue;
        ms_drawing *drawing = fill(figure, 0);
        if (ms_judge_first_stuck(drawing) != NULL)
            fail_msg("%s: \"%s\" has its verdict whatever is measured", figure->id,
                     ms_judge_first_stuck(drawing));
        ms_drawing_destroy(&drawing);
        n++;
    }
    assert_true(n > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_check_in_c_is_seen_to_change),
                                       cmocka_unit_test(every_check_of_a_figure_file_is_seen_to_change)};
    return cmocka_run_group_tests_name("checks of figures, moved", tests, NULL, NULL);
}
