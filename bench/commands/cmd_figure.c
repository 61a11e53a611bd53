/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "answer.h"
#include "commands.h"
#include "figure_registry.h"
#include "provenance.h"

static int find(const ms_arguments *arguments, const ms_figure **figure, ms_error *error)
{
    const char *id = arguments->operand;
    if (id == NULL)
        return ms_fail(error, MS_INVALID,
                       "figure: the ID of a figure is missing; macrostep list figures shows all");
    *figure = ms_figure_find(id);
    if (*figure != NULL)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "unknown figure %s; the nearest is %s (macrostep list figures)", id,
                   ms_figure_nearest(id));
}

/* For readers of a table: without the commands, which the stored answer has, and "5 of 6" checks. */
static void shorten(json_t *answer)
{
    const json_t *held = json_object_get(answer, "checks_held");
    char text[48];
    snprintf(text, sizeof text, "%d of %d", (int)json_integer_value(json_array_get(held, 0)),
             (int)json_integer_value(json_array_get(held, 1)));
    json_object_set_new(answer, "checks_held", json_string(text));
    json_object_del(answer, "commands");
}

int ms_command_figure(int argc, char **argv)
{
    ms_arguments arguments;
    ms_error error = {0};
    ms_output output = {0};
    ms_answer answer = {0};
    const ms_figure *figure = NULL;
    int status = ms_arguments_read(argc, argv, &arguments, &error);
    if (status == MS_OK)
        status = find(&arguments, &figure, &error);
    if (status == MS_OK)
        status = ms_output_open(arguments.text[MS_ARGUMENT_OUTPUT], &output, &error);
    if (status == MS_OK) {
        const char *directory = arguments.text[MS_ARGUMENT_DIRECTORY];
        status = ms_figure_draw(figure, directory != NULL ? directory : "results", &ms_interrupted,
                                &answer.value, &error);
    }
    if (status == MS_OK) {
        if (arguments.format == MS_FORMAT_TABLE)
            shorten(answer.value);
        answer.provenance = ms_provenance(arguments.line);
        status = ms_answer_finish(&answer, &arguments, &output, &error);
    }
    ms_output_discard(&output);
    ms_answer_discard(&answer);
    ms_arguments_destroy(&arguments);
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
