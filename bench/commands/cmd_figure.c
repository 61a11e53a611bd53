/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "call.h"
#include "commands.h"
#include "figure_draw.h"
#include "figure_file.h"
#include "figure_registry.h"
#include "value_line.h"

enum { CELL = 56 }; /* letters of a published or measured value */

typedef struct figure_call {
    ms_call base;
    const ms_figure *figure;
    ms_figure_file *file; /* of a path; NULL: the figure is given by its ID */
} figure_call;

static int find(void *self, ms_error *error)
{
    figure_call *call = self;
    const char *id = call->base.arguments.operand;
    const bool width = call->base.arguments.text[MS_ARGUMENT_WIDTH] != NULL;
    if (id == NULL)
        return ms_fail(
            error, MS_INVALID,
            "figure: the ID of a figure or a figure file is missing; macrostep list figures shows all");
    if (ms_figure_file_is_path(id)) {
        const int status = ms_figure_file_read(id, &call->file, error);
        call->figure = status == MS_OK ? ms_figure_file_figure(call->file) : NULL;
        if (status == MS_OK && width)
            ms_figure_file_width(call->file, call->base.arguments.width);
        return status;
    }
    if (width)
        return ms_fail(error, MS_INVALID, "--width applies only to figure files; %s has a fixed size", id);
    call->figure = ms_figure_find(id);
    if (call->figure != NULL)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "unknown figure %s; the nearest is %s (macrostep list figures)", id,
                   ms_figure_nearest(id));
}

/* Shortens the kind to "own". */
static void shorten_check(json_t *check)
{
    static const char *const values[] = {"published", "measured"};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        json_t *value = json_object_get(check, values[k]);
        if (!json_is_number(value) && !json_is_null(value))
            json_object_set_new(check, values[k], ms_value_text(value, CELL));
    }
    json_object_del(check, "own");
}

/* "5 of 6" */
static json_t *held_text(const json_t *held)
{
    char text[48];
    snprintf(text, sizeof text, "%d of %d", (int)json_integer_value(json_array_get(held, 0)),
             (int)json_integer_value(json_array_get(held, 1)));
    return json_string(text);
}

/* In tables: without the commands, which the stored answer has, and without the counts of the verdict. */
static void shorten(json_t *answer)
{
    json_t *check;
    size_t k;
    json_array_foreach (json_object_get(answer, "checks"), k, check) {
        shorten_check(check);
    }
    json_object_set_new(answer, "checks_held", held_text(json_object_get(answer, "checks_held")));
    json_object_del(answer, "held_by_kind");
    json_object_del(answer, "commands");
}

static int compute(void *self, ms_error *error)
{
    figure_call *call = self;
    const char *given = call->base.arguments.text[MS_ARGUMENT_DIRECTORY];
    char folder[MS_FIGURES_PATH];
    int status = given == NULL
                     ? ms_figures_folder(ms_arguments_directory(&call->base.arguments), folder, error)
                     : MS_OK;
    MS_THEN(status, ms_figure_draw(call->figure, given != NULL ? given : folder, ms_command_call_within,
                                   &ms_interrupted, &call->base.answer.value, error));
    if (status == MS_OK && call->base.arguments.format == MS_FORMAT_TABLE)
        shorten(call->base.answer.value);
    return status;
}

static void destroy(void *self)
{
    ms_figure_file_destroy(&((figure_call *)self)->file);
}

const ms_call_steps ms_command_figure = {
    .size = sizeof(figure_call), .read = find, .compute = compute, .destroy = destroy};
