/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure_registry.h"
#include "output.h"

enum { PATH_LENGTH = 4096 };

const char ms_report_scope[] =
    "Left out are results of commercial models, whose equations are not public: the race car (Andersson, "
    "Figs 6.20 to 6.22 and 7.11, Table 7.4; a linear car made here stands in for it in Fig. 5.13 and Table "
    "9.7), the robot (chapter 8) and the chromatography column (section 9.3.5).";

void ms_report_summary(const ms_report *report, FILE *file)
{
    fprintf(
        file,
        "%d figures and tables: %d reproduced, %d with deviations, %d that the printed text leaves "
        "undetermined, %d studies of our own that miss an expectation, %d not drawn yet. A figure's verdict "
        "is the worst of its checks; own checks in a paper's figure do not count. The papers were "
        "read as text, without their pictures: checks rest on tables, captions and statements.",
        report->n, report->counts[MS_REPRODUCED], report->counts[MS_DEVIATES],
        report->counts[MS_NOT_DETERMINED], report->counts[MS_EXPECTATION_MISSED], report->missing);
}

void ms_report_held(const ms_report_entry *entry, char *text, size_t size)
{
    const json_t *held = json_object_get(entry->answer, "checks_held");
    text[0] = '\0';
    if (json_array_size(held) == 2)
        snprintf(text, size, "%d of %d checks hold", (int)json_integer_value(json_array_get(held, 0)),
                 (int)json_integer_value(json_array_get(held, 1)));
}

bool ms_report_is_aside(const ms_report_entry *entry, const json_t *check)
{
    return json_is_true(json_object_get(check, "own")) && !ms_figure_is_own(entry->figure);
}

const char *ms_report_paper(const char *id)
{
    static const char *const papers[][2] = {
        {"andersson2016", "Andersson (2016): co-simulation of dynamic systems, doctoral thesis"},
        {"moshagen2021", "Moshagen (2021): energy balance in co-simulation"},
        {"eguillon2021", "Eguillon et al. (2021): IFOSMONDI-JFM"},
        {"eguillon2022", "Eguillon et al. (2022): F3ORNITS"},
    };
    for (size_t k = 0; k < sizeof papers / sizeof papers[0]; k++)
        if (strncmp(id, papers[k][0], strlen(papers[k][0])) == 0)
            return papers[k][1];
    return "Studies of this project";
}

/* Values ------------------------------------------------------------------------------------------------- */

static void write_value(json_t *value, FILE *file)
{
    if (json_is_string(value)) {
        fputs(json_string_value(value), file);
    } else if (json_is_integer(value)) {
        fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        fprintf(file, "%.6g", json_real_value(value));
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "yes" : "no", file);
    } else if (json_is_array(value)) {
        for (size_t k = 0; k < json_array_size(value); k++) {
            fputs(k > 0 ? ", " : "", file);
            write_value(json_array_get(value, k), file);
        }
    } else if (json_is_object(value)) {
        const char *key, *separator = "";
        json_t *inner;
        json_object_foreach (value, key, inner) {
            fprintf(file, "%s%s: ", separator, key);
            write_value(inner, file);
            separator = "; ";
        }
    } else {
        fputs("\xe2\x80\x93", file); /* an en dash */
    }
}

char *ms_report_value(json_t *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return NULL;
    write_value(value, file);
    if (fclose(file) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Reading ------------------------------------------------------------------------------------------------ */

/* The whole file, ended by a zero byte; NULL where it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, capacity = 0, n = 1;
    while (file != NULL && n > 0) {
        if (capacity - used < 2) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
            char *grown = realloc(text, capacity);
            if (grown == NULL)
                break;
            text = grown;
        }
        n = fread(text + used, 1, capacity - used - 1, file);
        used += n;
    }
    const int whole = file != NULL && n == 0 && !ferror(file);
    if (file != NULL)
        fclose(file);
    if (!whole) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    return text;
}

/* Does the answer have what the report reads from it? */
static int is_answer(const json_t *answer, const char *id)
{
    const char *own = json_string_value(json_object_get(answer, "id"));
    return own != NULL && strcmp(own, id) == 0 && json_is_string(json_object_get(answer, "status")) &&
           json_is_array(json_object_get(answer, "checks"));
}

static void read_entry(const char *directory, ms_report *report, ms_report_entry *entry)
{
    char path[PATH_LENGTH];
    ms_figure_name(entry->figure, entry->name, sizeof entry->name);
    snprintf(path, sizeof path, "%s/figures/%s.json", directory, entry->name);
    entry->answer = json_load_file(path, 0, NULL);
    if (!is_answer(entry->answer, entry->figure->id)) {
        json_decref(entry->answer);
        entry->answer = NULL;
        report->missing++;
        return;
    }
    const char *status = json_string_value(json_object_get(entry->answer, "status"));
    for (int k = 0; k < MS_VERDICTS; k++)
        report->counts[k] += strcmp(status, ms_verdict_name((ms_verdict)k)) == 0;
    size_t k;
    json_t *stored;
    json_array_foreach (json_object_get(entry->answer, "files"), k, stored) {
        const char *name = json_string_value(stored);
        const size_t length = name != NULL ? strlen(name) : 0;
        if (entry->svg == NULL && length > 4 && strcmp(name + length - 4, ".svg") == 0) {
            snprintf(path, sizeof path, "%s/figures/%s.svg", directory, entry->name);
            entry->svg = read_file(path);
        }
    }
}

/* Writing ------------------------------------------------------------------------------------------------ */

static int write_file(const char *directory, const char *name, const ms_report *report,
                      void (*write)(const ms_report *report, FILE *file), ms_error *error)
{
    char path[PATH_LENGTH];
    ms_output output = {0};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    const int status = ms_output_open(path, &output, error);
    if (status != MS_OK)
        return status;
    write(report, output.file);
    return ms_output_close(&output, error);
}

static json_t *summary_rows(const ms_report *report)
{
    json_t *rows = json_array();
    for (int k = 0; k < report->n; k++) {
        const ms_report_entry *entry = &report->entries[k];
        json_array_append_new(rows, json_pack("{s:s, s:O?, s:O?, s:s}", "id", entry->figure->id, "status",
                                              json_object_get(entry->answer, "status"), "checks_held",
                                              json_object_get(entry->answer, "checks_held"), "title",
                                              entry->figure->title));
    }
    return rows;
}

int ms_report_write(const char *directory, json_t **rows, ms_error *error)
{
    ms_report report = {0};
    int n = 0;
    while (ms_figures[n] != NULL)
        n++;
    report.entries = calloc((size_t)n + 1, sizeof *report.entries);
    if (report.entries == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
    if (strlen(directory) > PATH_LENGTH - 256) {
        free(report.entries);
        return ms_fail(error, MS_INVALID, "--directory: the path must have at most %d letters",
                       PATH_LENGTH - 256);
    }
    report.n = n;
    for (int k = 0; k < n; k++) {
        report.entries[k].figure = ms_figures[k];
        read_entry(directory, &report, &report.entries[k]);
    }
    int status = write_file(directory, "report.html", &report, ms_report_html, error);
    if (status == MS_OK)
        status = write_file(directory, "report.md", &report, ms_report_markdown, error);
    if (status == MS_OK && rows != NULL)
        *rows = summary_rows(&report);
    for (int k = 0; k < n; k++) {
        json_decref(report.entries[k].answer);
        free(report.entries[k].svg);
    }
    free(report.entries);
    return status;
}
