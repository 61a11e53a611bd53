/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "commands.h"
#include "drawing.h"
#include "figure_registry.h"
#include "unit_test.h"

#include "figure_run.h"

static ms_drawing *draw_whole(const ms_figure *figure)
{
    ms_drawing *drawing = NULL;
    ms_error error = {0};
    int status = ms_drawing_create(figure, NULL, &drawing, &error);
    if (status == MS_OK) {
        ms_drawing_call_by(drawing, ms_command_call_within);
        status = ms_drawing_fill(drawing, &error);
    }
    if (status != MS_OK)
        fail_msg("%s: %s", figure->id, error.text);
    return drawing;
}

void support_figure_run(int (*draw)(ms_drawing *drawing, ms_error *error))
{
    const ms_figure figure = {.id = "test:toy", .title = "Runs", .source = "this test", .draw = draw};
    ms_drawing *drawing = draw_whole(&figure);
    ms_drawing_destroy(&drawing);
}

json_t *support_figure_answer_of(const ms_figure *figure)
{
    ms_drawing *drawing = draw_whole(figure);
    json_t *answer = ms_drawing_answer(drawing);
    ms_drawing_destroy(&drawing);
    assert_non_null(answer);
    return answer;
}

json_t *support_figure_answer(const char *id)
{
    const ms_figure *figure = ms_figure_find(id);
    assert_non_null(figure);
    return support_figure_answer_of(figure);
}

static size_t find_part(const char *what, size_t n, const support_figure_verdict *verdicts)
{
    size_t j = 0;
    while (j < n && strstr(what, verdicts[j].part) == NULL)
        j++;
    return j;
}

void support_figure_expect(const json_t *answer, size_t checks, size_t n,
                           const support_figure_verdict *verdicts)
{
    enum { MOST = 16 };
    const char *id = json_string_value(json_object_get(answer, "id"));
    int met[MOST + 1] = {0};
    size_t k;
    json_t *check;
    assert_true(n <= MOST);
    assert_int_equal(json_array_size(json_object_get(answer, "checks")), checks);
    json_array_foreach (json_object_get(answer, "checks"), k, check) {
        const char *what = json_string_value(json_object_get(check, "what"));
        const char *verdict = json_string_value(json_object_get(check, "verdict"));
        const size_t j = find_part(what, n, verdicts);
        const char *expected = j < n ? verdicts[j].verdict : "reproduced";
        met[j]++;
        if (strcmp(verdict, expected) != 0)
            fail_msg("%s: '%s' is %s, not %s", id, what, verdict, expected);
    }
    for (size_t j = 0; j < n; j++)
        if (met[j] != 1)
            fail_msg("%s: %d checks are named '%s'", id, met[j], verdicts[j].part);
    if (n == 0)
        assert_string_equal(json_string_value(json_object_get(answer, "status")), "reproduced");
}

void support_figure_expect_verdicts(const char *id, size_t checks, size_t n,
                                    const support_figure_verdict *verdicts)
{
    json_t *answer = support_figure_answer(id);
    support_figure_expect(answer, checks, n, verdicts);
    json_decref(answer);
}
