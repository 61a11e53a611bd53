/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "figure_registry.h"
#include "json.h"
#include "ledger.h"
#include "output.h"
#include "report_entry.h"

enum { PATH_LENGTH = 4096 };

/* Reading ------------------------------------------------------------------------------------------------ */

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
    if (status == MS_OK)
        status = write_file(directory, "ledger.html", report, ms_report_ledger, error);
    if (status == MS_OK && report->foreign != NULL)
        status = write_file(directory, "foreign.html", report, ms_report_foreign, error);
    return status;
}

static const ms_figure *figure_at(const ms_figure *const *figures, int k)
{
    return figures != NULL ? figures[k] : ms_figure_at(k);
}

/* What was drawn before, and could not be drawn now, is told as not drawn. */
static int read_entries(const char *directory, const ms_figure *const *figures, const char *const *faults,
                        ms_report *report, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < report->n && status == MS_OK; k++) {
        ms_report_entry *entry = &report->entries[k];
        entry->figure = figure_at(figures, k);
        entry->fault = faults != NULL ? faults[k] : NULL;
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
    json_decref(report->ledger);
    json_decref(report->equations);
    json_decref(report->foreign);
}

/* What is not there, or not whole, has no page. */
static json_t *read_foreign(const char *directory)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/foreign.json", directory);
    return json_load_file(path, 0, NULL);
}

int ms_report_write(const char *directory, const ms_figure *const *figures, const char *const *faults,
                    bool single_file, json_t **rows, ms_error *error)
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
    int status = read_entries(directory, figures, faults, &report, error);
    if (status == MS_OK)
        status = ms_ledger(directory, NULL, &report.ledger, error);
    if (status == MS_OK)
        status = ms_equations(NULL, &report.equations, error);
    if (status == MS_OK)
        status = write_pages(directory, &report, error);
    if (status == MS_OK && rows != NULL && (*rows = summary_rows(&report)) == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
    clear_report(&report);
    return status;
}
