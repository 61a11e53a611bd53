/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "commands.h"
#include "figure_draw.h"
#include "figure_file.h"
#include "figure_registry.h"
#include "value_line.h"

enum { CELL = 56 }; /* letters of a published or measured value */

typedef struct figure_call {
    ms_call base;
    ms_figure figure;
    char called[4200];    /* the ID or path, and the width that the call gives it */
    ms_figure_file *file; /* of a path; NULL: the figure is given by its ID */
} figure_call;

/* The figure of the ID or the path. */
static int find_figure(figure_call *call, const char *id, ms_error *error)
{
    const ms_figure *figure = NULL;
    if (ms_figure_file_is_path(id)) {
        MS_TRY(ms_figure_file_read(id, &call->file, error));
        figure = ms_figure_file_figure(call->file);
    } else {
        figure = ms_figure_find(id);
    }
    if (figure == NULL)
        return ms_fail(error, MS_INVALID, "unknown figure %s; the nearest is %s (macrostep list figures)", id,
                       ms_figure_nearest(id));
    call->figure = *figure;
    return MS_OK;
}

static int find(void *self, ms_error *error)
{
    figure_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    const char *id = arguments->operand;
    if (id == NULL)
        return ms_fail(
            error, MS_INVALID,
            "figure: the ID of a figure or a figure file is missing; macrostep list figures shows all");
    MS_TRY(find_figure(call, id, error));
    ms_figure *figure = &call->figure;
    if (arguments->text[MS_ARGUMENT_WIDTH] != NULL) {
        snprintf(call->called, sizeof call->called, "%s --width %gcm",
                 figure->path != NULL ? figure->path : figure->id, arguments->width);
        figure->path = call->called;
        figure->width = arguments->width;
    }
    return MS_OK;
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
    MS_THEN(status, ms_figure_draw(&call->figure, given != NULL ? given : folder, ms_command_call_within,
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
