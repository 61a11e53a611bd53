/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "figure_registry.h"
#include "json.h"
#include "ledger.h"
#include "output.h"
#include "page.h"
#include "report_parts.h"
#include "templates.h"

enum { PATH_LENGTH = 4096 };

json_t *ms_report_errata_rows(void)
{
    return json_loads(ms_template("errata.json"), 0, NULL);
}

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

/* Each with its title: in all reports; in reports on all figures that are not a single file; and if there is a foreign.json. */
static const struct page {
    const char *name, *title;
    bool beside, foreign;
} pages[] = {
    {"report.html", "Figures and tables: measured and published", false, false},
    {"report.md", "Figures and tables: measured and published", false, false},
    {"field.html", "The field on one page", true, false},
    {"errata.html", "Errata of the papers, and of other programs' models", true, false},
    {"ledger.html", "Every printed item of the papers, with its checks", true, false},
    {"explorer.html", "Stability explorer", true, false},
    {"foreign.html", "FMUs and systems of other tools", true, true},
};
enum { PAGES = sizeof pages / sizeof pages[0] };

static int write_page(const char *directory, const struct page *page, json_t *texts, ms_error *error)
{
    char path[PATH_LENGTH];
    ms_output output = {0};
    if (json_object_set_new(texts, "title", json_string(page->title)) != 0)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
    snprintf(path, sizeof path, "%s/%s", directory, page->name);
    MS_TRY(ms_output_open(path, &output, error));
    ms_page_write(page->name, texts, output.file);
    return ms_output_close(&output, error);
}

static json_t *summary_rows(const ms_report *report)
{
    json_t *rows = json_array();
    for (int k = 0; k < report->n; k++) {
        const ms_report_entry *entry = &report->entries[k];
        ms_json_append(&rows,
                       ms_json_object("id:s status:O? checks_held:O? title:s", entry->figure->id,
                                      json_object_get(entry->answer, "status"),
                                      json_object_get(entry->answer, "checks_held"), entry->figure->title));
    }
    return rows;
}

static int write_pages(const char *directory, const ms_report *report, ms_error *error)
{
    json_t *texts = ms_report_page(report);
    const bool alone = report->single_file || report->chosen;
    int status = texts != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
    for (int k = 0; k < PAGES && status == MS_OK; k++)
        if (!(pages[k].beside && alone) && !(pages[k].foreign && report->foreign == NULL))
            status = write_page(directory, &pages[k], texts, error);
    json_decref(texts);
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
    json_decref(report->explorer);
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
    MS_THEN(status, ms_ledger(directory, NULL, &report.ledger, error));
    MS_THEN(status, ms_equations(NULL, &report.equations, error));
    if (status == MS_OK && !single_file && !report.chosen)
        status = ms_report_explorer(&report.explorer, error);
    MS_THEN(status, write_pages(directory, &report, error));
    if (status == MS_OK && rows != NULL && (*rows = summary_rows(&report)) == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
    clear_report(&report);
    return status;
}
