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
        if (arguments.format == MS_FORMAT_TABLE) /* the stored answer has them */
            json_object_del(answer.value, "commands");
        answer.provenance = ms_provenance(arguments.line);
        status = ms_answer_finish(&answer, &arguments, &output, &error);
    }
    ms_output_discard(&output);
    ms_answer_discard(&answer);
    ms_arguments_destroy(&arguments);
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
