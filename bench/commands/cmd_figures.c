/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <stdatomic.h>

#include "commands.h"
#include "figure_draw.h"
#include "figure_registry.h"
#include "threads.h"

typedef struct figures_call {
    ms_call base;
    json_t *rows;
    char folder[MS_FIGURES_PATH];
    pthread_rwlock_t company; /* locked for writing by a figure that must be drawn alone */
    atomic_bool failed;       /* is there a figure that could not be drawn? */
} figures_call;

static const ms_column columns[] = {{"id", "figure"},
                                    {"status", "status"},
                                    {"checks_held.0", "hold"},
                                    {"checks_held.1", "of"},
                                    {"title", "title"},
                                    {"error", "error"},
                                    {NULL, NULL}};

/* A figure that cannot be drawn becomes a row with the reason; the others are still drawn. */
static json_t *failed_row(const ms_figure *figure, const ms_error *error)
{
    return ms_json_object("id:s title:s source:s status:n checks_held:o checks:o files:o error:s", figure->id,
                          figure->title, figure->source, json_pack("[i, i]", 0, 0), json_array(),
                          json_array(), error->text);
}

static void report_failure(figures_call *call, const char *id, const char *why)
{
    ms_command_note(id, why);
    atomic_store(&call->failed, true);
}

/* Draws it along with others, or alone as if there were no other threads. */
static int draw_figure(figures_call *call, const ms_figure *figure, json_t **record, ms_error *error)
{
    if (figure->alone)
        pthread_rwlock_wrlock(&call->company);
    else
        pthread_rwlock_rdlock(&call->company);
    const bool several = ms_threads_say_several(false);
    const int status =
        ms_figure_draw(figure, call->folder, ms_command_call_within, &ms_interrupted, record, error);
    ms_threads_say_several(several);
    pthread_rwlock_unlock(&call->company);
    return status;
}

/* Rows of a part go to its file and are not used again. */
static int draw(void *self, void *context, long k, json_t **record, ms_error *error)
{
    figures_call *call = self;
    const ms_figure *figure = ms_figure_at((int)k);
    (void)context;
    int status = draw_figure(call, figure, record, error);
    if (status != MS_OK && status != MS_INTERRUPTED && status != MS_NO_MEMORY) {
        *record = failed_row(figure, error);
        if (call->base.arguments.shard.of > 0)
            report_failure(call, figure->id, error->text);
        status = MS_OK;
    }
    return status;
}

static void name_figure(void *self, void *context, long k, char *text, size_t size)
{
    (void)self, (void)context;
    snprintf(text, size, "%s", ms_figure_at((int)k)->id);
}

static int take_row(void *self, long k, json_t *record, ms_error *error)
{
    (void)k;
    return json_array_append(((figures_call *)self)->rows, record) == 0
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
}

/* Prints a line for each figure that could not be drawn. */
static void report_failures(figures_call *call)
{
    for (size_t k = 0; k < json_array_size(call->rows); k++) {
        const json_t *row = json_array_get(call->rows, k);
        const char *why = json_string_value(json_object_get(row, "error"));
        if (why != NULL)
            report_failure(call, json_string_value(json_object_get(row, "id")), why);
    }
}

static int compute(void *self, ms_error *error)
{
    figures_call *call = self;
    ms_row_job job = {.what = "figures",
                      .threads = ms_arguments_threads(&call->base.arguments),
                      .self = call,
                      .compute = draw,
                      .name = name_figure,
                      .deliver = take_row};
    while (ms_figure_at((int)job.n) != NULL)
        job.n++;
    pthread_rwlock_init(&call->company, NULL);
    call->rows = json_array();
    int status = ms_figures_folder(ms_arguments_directory(&call->base.arguments), call->folder, error);
    MS_THEN(status, ms_call_rows(&call->base, &job, error));
    pthread_rwlock_destroy(&call->company);
    report_failures(call);
    if (atomic_load(&call->failed))
        call->base.exit_status = MS_EXIT_BROKEN;
    call->base.answer.columns = columns;
    if (status == MS_OK && !call->base.written)
        call->base.answer.value = ms_json_object("rows:O", call->rows);
    return status;
}

static void destroy(void *self)
{
    json_decref(((figures_call *)self)->rows);
}

const ms_call_steps ms_command_figures = {
    .size = sizeof(figures_call), .compute = compute, .destroy = destroy};
