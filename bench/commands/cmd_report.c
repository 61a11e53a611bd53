/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "figure_draw.h"
#include "figure_file.h"
#include "figure_registry.h"
#include "output.h"
#include "report.h"

enum { PATH_LENGTH = 4096 };

typedef struct report_call {
    ms_call base;
    int n; /* figure files of the folder */
    ms_figure_file **file;
    const ms_figure **figure; /* ending with NULL; NULL: no folder was given */
    const char **fault;       /* owned: why each could not be drawn; NULL: it could */
} report_call;

/* Figures of a folder ------------------------------------------------------------------------------------- */

static int is_figure_file(const struct dirent *entry)
{
    return ms_figure_file_is_path(entry->d_name);
}

/* Two figures with one ID would overwrite each other's files. */
static int check_id(const report_call *call, const char *path, ms_error *error)
{
    const char *id = call->figure[call->n]->id;
    for (int k = 0; k < call->n; k++)
        if (strcmp(call->figure[k]->id, id) == 0)
            return ms_fail(error, MS_INVALID, "%s: the ID %s is that of %s as well", path, id,
                           call->figure[k]->path);
    return MS_OK;
}

/* Is it an answer, or JSON without `id` and `like`, such as a system file? A file that is not JSON counts as a faulty figure file. */
static bool is_other(const char *path)
{
    json_t *value = json_load_file(path, 0, NULL);
    const bool other =
        value != NULL && (json_object_get(value, "provenance") != NULL ||
                          (json_object_get(value, "id") == NULL && json_object_get(value, "like") == NULL));
    json_decref(value);
    return other;
}

static int read_file(report_call *call, const char *folder, const char *name, ms_error *error)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (is_other(path))
        return MS_OK;
    MS_TRY(ms_figure_file_read(path, &call->file[call->n], error));
    call->figure[call->n] = ms_figure_file_figure(call->file[call->n]);
    int status = check_id(call, path, error);
    call->n++;
    return status;
}

/* By paper, then by file name. */
static int compare_figures(const void *left, const void *right)
{
    const ms_figure *a = *(const ms_figure *const *)left, *b = *(const ms_figure *const *)right;
    const int papers = strncmp(a->id, b->id, strcspn(a->id, ":") + 1);
    return papers != 0 ? papers : strcmp(a->path, b->path);
}

/* Reads all figure files of the folder before any is drawn. */
static int read_folder(void *self, ms_error *error)
{
    report_call *call = self;
    const char *folder = call->base.arguments.operand;
    struct dirent **entry;
    if (folder == NULL)
        return MS_OK;
    const int n = scandir(folder, &entry, is_figure_file, alphasort);
    if (n < 0)
        return ms_fail(error, MS_IO, "%s: %s", folder, strerror(errno));
    call->file = calloc((size_t)n + 1, sizeof(ms_figure_file *));
    call->figure = calloc((size_t)n + 1, sizeof(ms_figure *));
    call->fault = calloc((size_t)n + 1, sizeof(char *));
    int status = call->file != NULL && call->figure != NULL && call->fault != NULL
                     ? MS_OK
                     : ms_fail(error, MS_NO_MEMORY, "not enough memory for the figures");
    for (int k = 0; k < n; k++) {
        MS_THEN(status, read_file(call, folder, entry[k]->d_name, error));
        free(entry[k]);
    }
    free(entry);
    if (status == MS_OK && call->figure != NULL)
        qsort(call->figure, (size_t)call->n, sizeof(const ms_figure *), compare_figures);
    return status != MS_OK || call->n > 0
               ? status
               : ms_fail(error, MS_INVALID, "%s: there are no figure files, NAME.json, in it", folder);
}

/* A figure that cannot be drawn gets a line and an entry of the page; the others are still drawn. */
static int report_fault(report_call *call, int k, ms_error *error)
{
    ms_command_note(NULL, error->text);
    call->base.exit_status = MS_EXIT_BROKEN;
    call->fault[k] = strdup(error->text);
    return call->fault[k] != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the figures");
}

static int draw_folder(report_call *call, const char *directory, ms_error *error)
{
    char folder[MS_FIGURES_PATH];
    int status = ms_figures_folder(directory, folder, error);
    for (int k = 0; call->figure != NULL && k < call->n && status == MS_OK; k++) {
        json_t *answer = NULL;
        status =
            ms_figure_draw(call->figure[k], folder, ms_command_call_within, &ms_interrupted, &answer, error);
        json_decref(answer);
        if (status != MS_OK && status != MS_INTERRUPTED && status != MS_NO_MEMORY)
            status = report_fault(call, k, error);
    }
    return status;
}

/* The report ---------------------------------------------------------------------------------------------- */

static const char *directory_of(const report_call *call, char *buffer, size_t size)
{
    const ms_arguments *arguments = &call->base.arguments;
    if (arguments->operand == NULL || arguments->text[MS_ARGUMENT_DIRECTORY] != NULL)
        return ms_arguments_directory(arguments);
    snprintf(buffer, size, "%s/results", arguments->operand);
    return buffer;
}

/* The pages, with their folder; of figure files, or in a single file, the report alone. */
static json_t *files_of(const char *directory, bool alone)
{
    static const char *const pages[] = {"report.html", "report.md",   "field.html",
                                        "errata.html", "ledger.html", "explorer.html"};
    json_t *files = json_array();
    for (int k = 0; k < (alone ? 2 : MS_COUNT(pages)); k++)
        ms_json_append(&files, json_sprintf("%s/%s", directory, pages[k]));
    return files;
}

static int compute(void *self, ms_error *error)
{
    static const ms_column columns[] = {{"id", "figure"},          {"status", "status"},
                                        {"checks_held.0", "hold"}, {"checks_held.1", "of"},
                                        {"title", "title"},        {NULL, NULL}};
    report_call *call = self;
    char buffer[PATH_LENGTH];
    const char *directory = directory_of(call, buffer, sizeof buffer);
    json_t *rows = NULL;
    const bool single = call->base.arguments.single_file, alone = single || call->figure != NULL;
    int status = call->figure != NULL ? draw_folder(call, directory, error) : ms_figures_read(error);
    MS_THEN(status, ms_output_folder(directory, error));
    MS_THEN(status, ms_report_write(directory, call->figure, call->fault, single, &rows, error));
    call->base.answer.columns = columns;
    if (status == MS_OK)
        call->base.answer.value = ms_json_object("rows:O files:o", rows, files_of(directory, alone));
    json_decref(rows);
    return status;
}

static void destroy(void *self)
{
    report_call *call = self;
    for (int k = 0; k < call->n; k++) {
        ms_figure_file_destroy(&call->file[k]);
        free((char *)call->fault[k]);
    }
    MS_FREE(call->file, call->figure, call->fault);
}

const ms_call_steps ms_command_report = {
    .size = sizeof(report_call), .read = read_folder, .compute = compute, .destroy = destroy};
