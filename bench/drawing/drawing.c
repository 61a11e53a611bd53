/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing_parts.h"
#include "process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "published.h"

enum { WIDTH = 760, HEIGHT = 460, TEXT_MAX = 2048 };

void ms_drawing_remark(ms_drawing *drawing, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ms_drawing_append(drawing, drawing->remarks, ms_json_text(text));
}

void ms_drawing_note_command(ms_drawing *drawing, const char *line)
{
    size_t k;
    json_t *known;
    json_array_foreach (drawing->commands, k, known)
        if (strcmp(json_string_value(known), line) == 0)
            return;
    ms_drawing_append(drawing, drawing->commands, ms_json_text(line));
}

/* gnuplot ------------------------------------------------------------------------------------------------ */

/* Has gnuplot drawn something else than was meant, although it has not failed? Columns that do not exist or
 * hold no numbers are warnings to it; a range that it widens is no fault. */
static bool is_faulty(const char *said)
{
    while (*said != '\0') {
        char text[256];
        const size_t length = strcspn(said, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, said);
        said += length + (said[length] == '\n');
        if (strstr(text, ": warning:") != NULL && strstr(text, "adjusting to") == NULL &&
            strstr(text, "difficulty fitting plot titles") == NULL)
            return true;
    }
    return false;
}

/* Runs `gnuplot SCRIPT` in the folder. stop (may be NULL): becomes non-zero to end it. Errors: MS_IO with
 * what gnuplot said, or that it is not installed; MS_INTERRUPTED. */
static int run_gnuplot(const char *folder, const char *script, const volatile sig_atomic_t *stop,
                       ms_error *error)
{
    const ms_process process = {.words = (const char *const[]){"gnuplot", "-d", script, NULL},
                                .folder = folder,
                                .input = -1,
                                .output = -1,
                                .package = "gnuplot-nox",
                                .use = "figures need it"};
    char said[MS_PROCESS_SAID_MAX], line[400];
    const int status = ms_process_run(&process, script, stop, said, error);
    if (status != MS_OK || !is_faulty(said))
        return status;
    ms_process_join(said, line, sizeof line);
    return ms_fail(error, MS_IO, "gnuplot %s: %s", script, line);
}

/* Published values --------------------------------------------------------------------------------------- */

/* The entry "fig6.4" of the paper before the colon; NULL if there is none. */
static json_t *find_published(const char *id)
{
    const size_t length = strcspn(id, ":");
    json_t *entry = NULL;
    for (const ms_published *file = ms_published_files; file->name != NULL && entry == NULL; file++) {
        if (strncmp(file->name, id, length) != 0 || strcmp(file->name + length, ".json") != 0)
            continue;
        json_t *all = json_loadb((const char *)file->data, file->size, 0, NULL);
        entry = json_incref(json_object_get(all, id[length] == ':' ? id + length + 1 : id));
        json_decref(all);
    }
    return entry;
}

const json_t *ms_drawing_published_entry(const ms_drawing *drawing)
{
    return drawing->published;
}

const json_t *ms_drawing_published(ms_drawing *drawing, const char *key)
{
    const json_t *value = ms_json_at(drawing->published, key);
    if (value == NULL)
        ms_drawing_fail(drawing, MS_INVALID, "%s: the published values have no %s", drawing->figure->id, key);
    return value;
}

double ms_drawing_published_number(ms_drawing *drawing, const char *key)
{
    const json_t *value = ms_drawing_published(drawing, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *ms_drawing_published_text(ms_drawing *drawing, const char *key)
{
    const json_t *value = ms_drawing_published(drawing, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

/* Life --------------------------------------------------------------------------------------------------- */

const void *ms_drawing_subject(const ms_drawing *drawing)
{
    return drawing->figure->subject;
}

void *ms_drawing_memory(const ms_drawing *drawing)
{
    return drawing->memory;
}

void *ms_drawing_kept(ms_drawing *drawing, size_t size, void (*let_go)(void *object))
{
    for (int k = 0; k < MS_KEPT; k++) {
        ms_kept *kept = &drawing->kept[k];
        if (kept->let_go == let_go)
            return kept->object;
        if (kept->object == NULL) {
            kept->object = calloc(1, size);
            kept->let_go = kept->object != NULL ? let_go : NULL;
            return kept->object;
        }
    }
    return NULL;
}

ms_drawing_caller *ms_drawing_calls(const ms_drawing *drawing)
{
    return drawing->call;
}

void ms_drawing_call_by(ms_drawing *drawing, ms_drawing_caller *call)
{
    drawing->call = call;
}

const volatile sig_atomic_t *ms_drawing_stop(const ms_drawing *drawing)
{
    return drawing->stop;
}

int ms_drawing_create(const ms_figure *figure, const volatile sig_atomic_t *stop, ms_drawing **created,
                      ms_error *error)
{
    *created = NULL;
    ms_drawing *drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for the figure", figure->id);
    *drawing = (ms_drawing){.figure = figure, .stop = stop, .width = WIDTH, .height = HEIGHT};
    ms_figure_name(figure, drawing->name, sizeof drawing->name);
    drawing->checks = json_array();
    drawing->remarks = json_array();
    drawing->commands = json_array();
    drawing->texts = json_array();
    drawing->published = find_published(figure->id);
    drawing->memory = figure->memory > 0 ? calloc(1, figure->memory) : NULL;
    *created = drawing;
    if (drawing->checks != NULL && drawing->remarks != NULL && drawing->commands != NULL &&
        drawing->texts != NULL && (figure->memory == 0 || drawing->memory != NULL))
        return MS_OK;
    ms_drawing_destroy(created);
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for the figure", figure->id);
}

int ms_drawing_fill(ms_drawing *drawing, ms_error *error)
{
    const int status = drawing->figure->draw(drawing, error);
    for (ms_data *data = drawing->data; data != NULL; data = data->next)
        ms_data_end_row(data);
    if (status == MS_OK && drawing->graph != NULL)
        ms_drawing_mark_graph(drawing);
    return status == MS_OK && drawing->status != MS_OK
               ? ms_fail(error, drawing->status, "%s", drawing->error.text)
               : status;
}

void ms_drawing_destroy(ms_drawing **drawing)
{
    if (*drawing == NULL)
        return;
    for (int k = 0; k < MS_KEPT; k++)
        if ((*drawing)->kept[k].object != NULL)
            (*drawing)->kept[k].let_go((*drawing)->kept[k].object);
    ms_data_destroy((*drawing)->data);
    ms_table_destroy((*drawing)->tables);
    json_decref((*drawing)->checks);
    json_decref((*drawing)->remarks);
    json_decref((*drawing)->commands);
    json_decref((*drawing)->texts);
    json_decref((*drawing)->published);
    MS_FREE((*drawing)->script, (*drawing)->graph, (*drawing)->memory, *drawing);
    *drawing = NULL;
}

/* Files and answer --------------------------------------------------------------------------------------- */

/* Where there is such a PDF: its bytes are the same every day. */
static int drop_date(const ms_drawing *drawing, const char *folder, const char *part, ms_error *error)
{
    char *pdf = ms_drawing_path(drawing, folder, part, "pdf");
    if (pdf == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the picture");
    const int status = access(pdf, F_OK) == 0 ? ms_pdf_drop_date(pdf, error) : MS_OK;
    free(pdf);
    return status;
}

int ms_drawing_write(const ms_drawing *drawing, const char *folder, ms_error *error)
{
    int status = ms_drawing_write_data(drawing, folder, error);
    MS_THEN(status, ms_drawing_write_tables(drawing, folder, error));
    if (status == MS_OK && drawing->graph != NULL)
        return ms_drawing_write_graph(drawing, folder, error);
    if (status != MS_OK || drawing->script_length == 0)
        return status;
    status = ms_drawing_write_script(drawing, folder, error);
    char script[MS_FIGURE_NAME_MAX + 8];
    snprintf(script, sizeof script, "./%s.gp", drawing->name);
    MS_THEN(status, run_gnuplot(folder, script, drawing->stop, error));
    if (status == MS_IO)
        ms_drawing_locate_fault(drawing, folder, error);
    static const char *const parts[] = {"", "tex"};
    for (size_t k = 0; k < 2 && status == MS_OK; k++)
        status = drop_date(drawing, folder, parts[k], error);
    return status;
}

/* Title -> rows. */
static json_t *tables_json(const ms_table *table)
{
    json_t *tables = json_object();
    for (; table != NULL && tables != NULL; table = table->next)
        if (json_object_set_new(tables, table->title, ms_table_rows(table)) != 0) {
            json_decref(tables);
            tables = NULL;
        }
    return tables;
}

json_t *ms_drawing_answer(const ms_drawing *drawing)
{
    const ms_figure *figure = drawing->figure;
    return ms_json_object(
        "id:s title:s source:s status:s verdict:o checks_held:o held_by_kind:o lost:o checks:O "
        "tables:o remarks:O commands:O",
        figure->id, figure->title, figure->source, ms_verdict_name(drawing->verdict),
        ms_drawing_verdict(drawing),
        json_pack("[i, I]", drawing->checks_held, (json_int_t)json_array_size(drawing->checks)),
        ms_drawing_held_by_kind(drawing), ms_drawing_lost(drawing), drawing->checks,
        tables_json(drawing->tables), drawing->remarks, drawing->commands);
}
