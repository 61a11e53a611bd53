/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "commands.h"
#include "report.h"

static int compute(void *self, ms_error *error)
{
    static const ms_column columns[] = {{"id", "figure"},          {"status", "status"},
                                        {"checks_held.0", "hold"}, {"checks_held.1", "of"},
                                        {"title", "title"},        {NULL, NULL}};
    ms_call *call = self;
    json_t *rows = NULL;
    const bool single = call->arguments.single_file;
    const int status = ms_report_write(ms_arguments_directory(&call->arguments), single, &rows, error);
    call->answer.columns = columns;
    if (status == MS_OK)
        call->answer.value =
            json_pack("{s:O, s:[s, s, s*, s*]}", "rows", rows, "files", "report.html", "report.md",
                      single ? NULL : "field.html", single ? NULL : "errata.html");
    json_decref(rows);
    return status;
}

int ms_command_report(int argc, char **argv)
{
    static const ms_call_steps steps = {.compute = compute};
    ms_call call = {0};
    return ms_call_run(&steps, &call, argc, argv);
}
