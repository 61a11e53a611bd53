#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawing.h"
#include "figure_registry.h"

#include "figure_run.h"

static ms_drawing *draw_whole(const ms_figure *figure)
{
    ms_drawing *drawing = NULL;
    ms_error error = {0};
    if (ms_drawing_create(figure, NULL, &drawing, &error) != MS_OK)
        fail_msg("%s: %s", figure->id, error.text);
    return drawing;
}

void figure_run(int (*draw)(ms_drawing *drawing, ms_error *error))
{
    const ms_figure figure = {.id = "test:toy", .title = "Runs", .source = "this test", .draw = draw};
    ms_drawing *drawing = draw_whole(&figure);
    ms_drawing_destroy(&drawing);
}

json_t *figure_answer(const char *id)
{
    const ms_figure *figure = ms_figure_find(id);
    assert_non_null(figure);
    ms_drawing *drawing = draw_whole(figure);
    json_t *answer = ms_drawing_answer(drawing);
    ms_drawing_destroy(&drawing);
    assert_non_null(answer);
    return answer;
}
