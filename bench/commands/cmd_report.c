/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer.h"
#include "commands.h"
#include "provenance.h"
#include "report.h"

static const ms_column columns[] = {{"id", "figure"},        {"status", "status"}, {"checks_held.0", "hold"},
                                    {"checks_held.1", "of"}, {"title", "title"},   {NULL, NULL}};

int ms_command_report(int argc, char **argv)
{
    ms_arguments arguments;
    ms_error error = {0};
    ms_output output = {0};
    ms_answer answer = {.columns = columns};
    json_t *rows = NULL;
    int status = ms_arguments_read(argc, argv, &arguments, &error);
    const char *directory =
        arguments.text[MS_ARGUMENT_DIRECTORY] != NULL ? arguments.text[MS_ARGUMENT_DIRECTORY] : "results";
    if (status == MS_OK)
        status = ms_report_write(directory, &rows, &error);
    if (status == MS_OK) {
        answer.value = json_pack("{s:O, s:[s, s]}", "rows", rows, "files", "report.html", "report.md");
        answer.provenance = ms_provenance(arguments.line);
        status = ms_answer_finish(&answer, &arguments, &output, &error);
    }
    json_decref(rows);
    ms_output_discard(&output);
    ms_answer_discard(&answer);
    ms_arguments_destroy(&arguments);
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
