/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "figure_registry.h"
#include "json.h"
#include "output.h"
#include "report_entry.h"

enum { PATH_LENGTH = 4096 };

const char ms_report_scope[] =
    "Left out are results of commercial models, whose equations are not public: the race car (Andersson, "
    "Figs 6.20 to 6.22 and 7.11, Table 7.4; a linear car made here replaces it in Fig. 5.13 and Table "
    "9.7), the robot (chapter 8) and the chromatography column (section 9.3.5).";

void ms_report_summary(const ms_report *report, FILE *file)
{
    fprintf(file,
            "%d figures and tables: %d reproduced, %d with deviations, %d that the printed text leaves "
            "undetermined, %d studies of our own that miss an expectation, %d not drawn yet. Checks held: "
            "%ld of %ld. A figure's verdict "
            "is the worst of its checks; own checks in a paper's figure do not count. The papers were "
            "read as text, without their pictures: checks rest on tables, captions and statements.",
            report->n, report->counts[MS_REPRODUCED], report->counts[MS_DEVIATES],
            report->counts[MS_NOT_DETERMINED], report->counts[MS_EXPECTATION_MISSED], report->missing,
            report->held, report->checks);
}

void ms_report_held(const ms_report_entry *entry, char *text, size_t size)
{
    const json_t *held = json_object_get(entry->answer, "checks_held");
    text[0] = '\0';
    if (json_array_size(held) == 2)
        snprintf(text, size, "%d of %d checks hold", (int)json_integer_value(json_array_get(held, 0)),
                 (int)json_integer_value(json_array_get(held, 1)));
}

bool ms_report_is_own_check(const ms_report_entry *entry, const json_t *check)
{
    return json_is_true(json_object_get(check, "own")) && !ms_figure_is_own(entry->figure);
}

static const char *const papers[][3] = {
    {"andersson2016", "Andersson (2016): co-simulation of dynamic systems, doctoral thesis",
     "Andersson 2016"},
    {"moshagen2021", "Moshagen (2021): energy balance in co-simulation", "Moshagen 2021"},
    {"eguillon2021", "Eguillon et al. (2021): IFOSMONDI-JFM", "Eguillon 2021"},
    {"eguillon2022", "Eguillon et al. (2022): F3ORNITS", "Eguillon 2022"},
    {"libraries", "Other programs: values published with their benchmark models", "other programs"},
    {"macrostep:", "Studies of this project", "own studies"},
    {"", "Figures of figure files", "figure files"},
};

static const char *const *paper_of(const char *id)
{
    size_t k = 0;
    while (strncmp(id, papers[k][0], strlen(papers[k][0])) != 0)
        k++;
    return papers[k];
}

const char *ms_report_paper(const char *id)
{
    return paper_of(id)[1];
}

const char *ms_report_paper_short(const char *id)
{
    return paper_of(id)[2];
}

void ms_report_label(const char *id, char *label, size_t size)
{
    const char *colon = strchr(id, ':'), *name = colon != NULL ? colon + 1 : id;
    if (strncmp(name, "fig", 3) == 0)
        snprintf(label, size, "Fig. %s", name + 3);
    else if (strncmp(name, "table", 5) == 0)
        snprintf(label, size, "Table %s", name + 5);
    else
        snprintf(label, size, "%s", name);
}

/* Reading ------------------------------------------------------------------------------------------------ */

ms_verdict ms_report_status(const ms_report_entry *entry)
{
    const char *status = json_string_value(json_object_get(entry->answer, "status"));
    int k = 0;
    while (k < MS_VERDICTS && (status == NULL || strcmp(status, ms_verdict_name((ms_verdict)k)) != 0))
        k++;
    return (ms_verdict)k;
}

const ms_report_entry *ms_report_find(const ms_report *report, const char *id)
{
    for (int k = 0; k < report->n; k++)
        if (strcmp(report->entries[k].figure->id, id) == 0)
            return &report->entries[k];
    return NULL;
}

static void count_entry(ms_report *report, const ms_report_entry *entry)
{
    const ms_verdict verdict = ms_report_status(entry);
    const json_t *held = json_object_get(entry->answer, "checks_held");
    report->missing += entry->answer == NULL;
    report->held += (long)json_integer_value(json_array_get(held, 0));
    report->checks += (long)json_integer_value(json_array_get(held, 1));
    if (verdict < MS_VERDICTS)
        report->counts[verdict]++;
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
        ms_json_append(&rows, json_pack("{s:s, s:O?, s:O?, s:s}", "id", entry->figure->id, "status",
                                        json_object_get(entry->answer, "status"), "checks_held",
                                        json_object_get(entry->answer, "checks_held"), "title",
                                        entry->figure->title));
    }
    return rows;
}

static int write_pages(const char *directory, const ms_report *report, ms_error *error)
{
    int status = write_file(directory, "report.html", report, ms_report_html, error);
    if (status == MS_OK)
        status = write_file(directory, "report.md", report, ms_report_markdown, error);
    if (report->single_file || report->chosen)
        return status;
    if (status == MS_OK)
        status = write_file(directory, "field.html", report, ms_report_field, error);
    if (status == MS_OK)
        status = write_file(directory, "errata.html", report, ms_report_errata, error);
    if (status == MS_OK && report->foreign != NULL)
        status = write_file(directory, "foreign.html", report, ms_report_foreign, error);
    return status;
}

static const ms_figure *figure_at(const ms_figure *const *figures, int k)
{
    return figures != NULL ? figures[k] : ms_figure_at(k);
}

static int read_entries(const char *directory, const ms_figure *const *figures, ms_report *report,
                        ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < report->n && status == MS_OK; k++) {
        ms_report_entry *entry = &report->entries[k];
        entry->figure = figure_at(figures, k);
        status = ms_report_entry_read(directory, report->single_file, entry, error);
        count_entry(report, entry);
    }
    return status;
}

static void clear_report(ms_report *report)
{
    for (int k = 0; k < report->n; k++)
        ms_report_entry_clear(&report->entries[k]);
    free(report->entries);
    json_decref(report->errata);
    json_decref(report->foreign);
}

/* What is not there, or not whole, has no page. */
static json_t *read_foreign(const char *directory)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/foreign.json", directory);
    return json_load_file(path, 0, NULL);
}

int ms_report_write(const char *directory, const ms_figure *const *figures, bool single_file, json_t **rows,
                    ms_error *error)
{
    ms_report report = {.single_file = single_file, .chosen = figures != NULL};
    while (figure_at(figures, report.n) != NULL)
        report.n++;
    if (strlen(directory) > PATH_LENGTH - 256)
        return ms_fail(error, MS_INVALID, "--directory: the path must have at most %d letters",
                       PATH_LENGTH - 256);
    report.errata = ms_report_errata_rows();
    report.entries = calloc((size_t)report.n + 1, sizeof *report.entries);
    if (report.entries == NULL || report.errata == NULL) {
        free(report.entries);
        json_decref(report.errata);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
    }
    report.foreign = single_file || report.chosen ? NULL : read_foreign(directory);
    int status = read_entries(directory, figures, &report, error);
    if (status == MS_OK)
        status = write_pages(directory, &report, error);
    if (status == MS_OK && rows != NULL && (*rows = summary_rows(&report)) == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
    clear_report(&report);
    return status;
}
