/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "commands.h"
#include "figure_registry.h"
#include "progress.h"

static const ms_column columns[] = {{"id", "figure"},
                                    {"status", "status"},
                                    {"checks_held.0", "hold"},
                                    {"checks_held.1", "of"},
                                    {"title", "title"},
                                    {"error", "error"},
                                    {NULL, NULL}};

/* A figure that could not be drawn is a row that says why, and does not keep others from being drawn. */
static json_t *failed_row(const ms_figure *figure, const ms_error *error)
{
    return json_pack("{s:s, s:s, s:s, s:n, s:[i, i], s:[], s:[], s:o}", "id", figure->id, "title",
                     figure->title, "source", figure->source, "status", "checks_held", 0, 0, "checks",
                     "files", "error", ms_json_text(error->text));
}

/* Draws all; *broken: the number of figures that failed. */
static int draw_all(const char *directory, json_t *rows, int *broken, ms_error *error)
{
    ms_progress progress;
    int n = 0, status = MS_OK;
    while (ms_figures[n] != NULL)
        n++;
    ms_progress_begin(&progress, "figures", n > 0 ? n : 1);
    for (int k = 0; k < n && status == MS_OK; k++) {
        json_t *row = NULL;
        ms_progress_part(&progress, k, 1.0);
        status = ms_figure_draw(ms_figures[k], directory, &ms_interrupted, &row, error);
        if (status != MS_OK && status != MS_INTERRUPTED && status != MS_NO_MEMORY) {
            ms_progress_end(&progress);
            fprintf(stderr, "macrostep: %s: %s\n", ms_figures[k]->id, error->text);
            row = failed_row(ms_figures[k], error);
            status = MS_OK;
            ++*broken;
        }
        if (status == MS_OK && json_array_append_new(rows, row) != 0)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    }
    ms_progress_end(&progress);
    return status;
}

static int compute(void *self, ms_error *error)
{
    ms_call *call = self;
    json_t *rows = json_array();
    int broken = 0;
    const int status = draw_all(ms_arguments_directory(&call->arguments), rows, &broken, error);
    call->answer.columns = columns;
    if (status == MS_OK)
        call->answer.value = json_pack("{s:O}", "rows", rows);
    json_decref(rows);
    call->exit_status = broken > 0 ? MS_EXIT_BROKEN : MS_EXIT_DONE;
    return status;
}

int ms_command_figures(int argc, char **argv)
{
    static const ms_call_steps steps = {.compute = compute};
    ms_call call = {0};
    return ms_call_run(&steps, &call, argc, argv);
}
