/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_script.c - variables of the gnuplot script that a figure file computes. */

#include "canvas.h"
#include "figure_parts.h"

/* A number, or {"text": ..}, written in double quotes, where \\n is the end of a line. */
static int assign(ms_figure_scope *scope, const char *variable, const json_t *spec, const ms_passage *at,
                  ms_error *error)
{
    const json_t *text = json_object_get(spec, "text");
    const char *filled = NULL;
    double value = 0.0;
    int status = MS_OK;
    if (text != NULL)
        status = ms_passage_locate(at, ms_figure_text(scope, json_string_value(text), false, &filled, error),
                                   error);
    else
        status = ms_figure_one(scope, spec, at, &value, error);
    if (status != MS_OK || scope->work->dry)
        return status;
    if (text != NULL)
        ms_drawing_script(scope->work->drawing, "%s = %s\n", variable,
                          ms_drawing_quoted_lines(scope->work->drawing, filled));
    else
        ms_drawing_script(scope->work->drawing, "%s = %.17g\n", variable, value);
    return MS_OK;
}

/* An array with one element per member. */
static int assign_each(const ms_figure_work *work, const char *name, const json_t *spec, const ms_passage *at,
                       ms_error *error)
{
    const ms_passage each_at = ms_passage_member(at, "each"), value_at = ms_passage_member(at, "value");
    const ms_figure_family *family;
    int status = ms_figure_family_get(work, json_object_get(spec, "each"), &each_at, &family, error);
    if (status == MS_OK && !work->dry)
        ms_drawing_script(work->drawing, "array %s[%zu]\n", name, family->n);
    for (size_t k = 0; status == MS_OK && k < family->n; k++) {
        ms_figure_scope scope = {.work = work, .family = family, .member = &family->member[k]};
        const char *element = ms_drawing_text(work->drawing, "%s[%zu]", name, k + 1);
        status = assign(&scope, element, json_object_get(spec, "value"), &value_at, error);
    }
    return status;
}

int ms_figure_script_make(ms_figure_work *work, ms_error *error)
{
    const ms_passage file = ms_figure_whole(work), at = ms_passage_member(&file, "script");
    const char *name;
    json_t *spec;
    int status = MS_OK;
    json_object_foreach (json_object_get(work->file->spec, "script"), name, spec) {
        const ms_passage here = ms_passage_member(&at, name);
        ms_figure_scope scope = {.work = work};
        MS_THEN(status, json_object_get(spec, "each") != NULL ? assign_each(work, name, spec, &here, error)
                                                              : assign(&scope, name, spec, &here, error));
    }
    return status;
}
