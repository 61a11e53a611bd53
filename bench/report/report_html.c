/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html.c - the report as a page: the table of all figures, then each of them. Pictures are beside it and are loaded
 * when they come into view, unless the page is to be a single file. */
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "report.h"
#include "report_pages.h"

/* What a page under 1 MB has room for of each figure; a single file has all of it. */
enum { ROWS_MOST = 24, RUNS_MOST = 4 };

/* Checks ------------------------------------------------------------------------------------------------- */

static void write_cell(json_t *value, FILE *file)
{
    fputs("<td>", file); /* the ends of cells and rows go without saying */
    ms_html_value(value, file);
}

static void write_check(const ms_report_entry *entry, const json_t *check, FILE *file)
{
    fputs("<tr>", file);
    ms_html_element("th", "scope=\"row\"", ms_report_text(check, "what"), file);
    ms_html_element("td", "", ms_report_text(check, "kind"), file);
    write_cell(json_object_get(check, "published"), file);
    write_cell(json_object_get(check, "measured"), file);
    write_cell(json_object_get(check, "tolerance"), file);
    fputs("<td class=note>", file);
    ms_html_badge(ms_report_text(check, "verdict"), file);
    fputs(ms_report_is_own_check(entry, check) ? " (own, does not count) " : " ", file);
    ms_html_text(ms_report_text(check, "note"), file);
    fputc('\n', file);
}

/* Open where one of them does not hold. */
static void write_checks(const ms_report_entry *entry, FILE *file)
{
    const json_t *checks = json_object_get(entry->answer, "checks");
    char held[64];
    size_t k;
    json_t *check;
    if (json_array_size(checks) == 0)
        return;
    ms_report_held(entry, held, sizeof held);
    fprintf(file, "<details class=\"checks\"%s>", ms_report_status(entry) == MS_REPRODUCED ? "" : " open");
    ms_html_element("summary", "", held[0] != '\0' ? held : "Checks", file);
    fputs("\n<div class=\"wide\"><table class=\"checks\">\n<thead><tr><th scope=\"col\">What</th>"
          "<th scope=\"col\">Kind</th>"
          "<th scope=\"col\">Published</th><th scope=\"col\">Measured</th><th scope=\"col\">Tolerance</th>"
          "<th scope=\"col\">Verdict and why</th></tr></thead>\n<tbody>\n",
          file);
    json_array_foreach (checks, k, check) {
        write_check(entry, check, file);
    }
    fputs("</tbody></table></div></details>\n", file);
}

/* Files and runs ----------------------------------------------------------------------------------------- */

/* What follows the name of the figure in that of its file, where it is one of its files, or NULL. */
static const char *file_tail(const ms_report_entry *entry, const char *path)
{
    static const char folder[] = "figures/";
    const size_t length = strlen(entry->name);
    if (path == NULL || strncmp(path, folder, sizeof folder - 1) != 0)
        return NULL;
    const char *name = path + sizeof folder - 1;
    if (strncmp(name, entry->name, length) != 0 || (name[length] != '.' && name[length] != '-') ||
        strchr(name, '/') != NULL)
        return NULL;
    return name + length;
}

static const char *file_label(const char *tail)
{
    static const char *const labels[][2] = {{".svg", "SVG"},         {".pdf", "PDF"},
                                            {".png", "PNG"},         {".gp", "script"},
                                            {".dot", "graph (DOT)"}, {".json", "answer (JSON)"},
                                            {".csv", "data (CSV)"}};
    for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++)
        if (strcmp(tail, labels[k][0]) == 0)
            return labels[k][1];
    return tail + 1; /* a part of the data */
}

/* Pictures, script and answer, or the data. */
static void write_links(const ms_report_entry *entry, bool data, FILE *file)
{
    size_t k;
    json_t *stored;
    json_array_foreach (json_object_get(entry->answer, "files"), k, stored) {
        const char *tail = file_tail(entry, json_string_value(stored));
        if (tail == NULL || (strstr(tail, ".csv") != NULL) != data)
            continue;
        ms_html_link(json_string_value(stored), file_label(tail), file);
        fputc('\n', file);
    }
}

static void write_files(const ms_report_entry *entry, FILE *file)
{
    fputs("<p class=\"files\">", file);
    write_links(entry, false, file);
    write_links(entry, true, file);
    fputs("</p>\n", file);
}

static void write_runs(const ms_report *report, const ms_report_entry *entry, FILE *file)
{
    const json_t *commands = json_object_get(entry->answer, "commands");
    const size_t n = json_array_size(commands), most = report->single_file ? n : RUNS_MOST;
    size_t k;
    json_t *command;
    if (n == 0)
        return;
    fprintf(file,
            "<details class=\"runs\"><summary>%zu run%s behind it</summary>\n<pre tabindex=\"0\"><code>", n,
            n == 1 ? "" : "s");
    json_array_foreach (commands, k, command) {
        if (k < most) {
            ms_html_text(json_string_value(command), file);
            fputc('\n', file);
        }
    }
    fputs("</code></pre>", file);
    if (n > most)
        fprintf(file, "<p>The first %zu; all of them are <code>commands</code> of the answer (JSON).</p>",
                most);
    fputs("</details>\n", file);
}

/* Figures ------------------------------------------------------------------------------------------------ */

static void write_neighbour(const ms_report *report, int k, const char *rel, const char *arrow, FILE *file)
{
    char label[64];
    if (k < 0 || k >= report->n)
        return;
    ms_report_label(report->entries[k].figure->id, label, sizeof label);
    fprintf(file, "<a rel=\"%s\" href=\"#%s\">%s %s</a> ", rel, report->entries[k].name, arrow, label);
}

static void write_turn(const ms_report *report, int k, FILE *file)
{
    fputs("<p class=\"turn\">", file);
    write_neighbour(report, k - 1, "prev", "previous:", file);
    write_neighbour(report, k + 1, "next", "next:", file);
    fputs("<a href=\"#top\">all figures</a></p>\n", file);
}

static void write_heading(const ms_report_entry *entry, FILE *file)
{
    char label[64];
    ms_report_label(entry->figure->id, label, sizeof label);
    fprintf(file, "<section class=\"figure\" id=\"%s\">\n<h3><a href=\"#%s\">%s.</a> ", entry->name,
            entry->name, label);
    ms_html_text(entry->figure->title, file);
    fputs("</h3>\n<p>", file);
    ms_html_badge(entry->answer != NULL ? ms_report_text(entry->answer, "status") : NULL, file);
    fputs(" <span class=\"soft\">", file);
    if (*ms_report_text(entry->answer, "verdict") != '\0') {
        ms_html_text(ms_report_text(entry->answer, "verdict"), file);
        fputs(". ", file);
    }
    ms_html_text(entry->figure->source, file);
    fputs("</span></p>\n", file);
}

static void write_figure(const ms_report *report, int place, FILE *file)
{
    const ms_report_entry *entry = &report->entries[place];
    const ms_html_part part = {.most = report->single_file ? 0 : ROWS_MOST};
    const char *title;
    const ms_figure *figure = entry->figure;
    char command[1024];
    size_t k;
    json_t *rows, *remark;
    write_heading(entry, file);
    if (entry->fault != NULL)
        ms_html_element("p", "", entry->fault, file);
    if (entry->answer == NULL)
        fprintf(file, "<p>Not drawn%s. This command draws it:</p>\n", entry->fault != NULL ? "" : " yet");
    ms_html_picture(report, entry, file);
    if (entry->answer != NULL && !report->single_file)
        write_files(entry, file);
    snprintf(command, sizeof command, "macrostep figure %s",
             figure->path != NULL ? figure->path : figure->id);
    ms_html_command(command, file);
    json_object_foreach (json_object_get(entry->answer, "tables"), title, rows) {
        ms_html_table(title, rows, &part, file);
    }
    write_checks(entry, file);
    json_array_foreach (json_object_get(entry->answer, "remarks"), k, remark) {
        ms_html_element("p", "", json_string_value(remark), file);
    }
    write_runs(report, entry, file);
    write_turn(report, place, file);
    fputs("</section>\n", file);
}

/* The whole ---------------------------------------------------------------------------------------------- */

static bool begins_group(const ms_report *report, int k)
{
    return k == 0 || strcmp(report->entries[k].paper, report->entries[k - 1].paper) != 0;
}

static void write_count(int n, const char *status, FILE *file)
{
    if (n == 0)
        return;
    fprintf(file, "<span class=\"count\">%d ", n);
    ms_html_badge(status, file);
    fputs("</span> ", file);
}

static void write_top(const ms_report *report, FILE *file)
{
    fprintf(file, "<p class=\"counts\"><strong>Checks held: %ld of %ld.</strong> ", report->held,
            report->checks);
    for (int k = MS_VERDICTS - 1; k >= 0; k--)
        write_count(report->counts[k], ms_verdict_name((ms_verdict)k), file);
    write_count(report->missing, NULL, file);
    fputs("</p>\n<details><summary>What the verdicts mean, and what is left out</summary>\n<p>", file);
    ms_report_summary(report, file);
    fputs("</p>\n", file);
    if (report->chosen) {
        fputs("</details>\n", file);
        return;
    }
    ms_html_element("p", "", ms_report_scope, file);
    fprintf(
        file,
        "</details>\n<p>Beside it: <a href=\"%s\">the field on one page</a> (which scheme for what), "
        "<a href=\"%s\">errata</a> of the papers, and <a href=\"%s\">the ledger</a>: every printed item, and what "
        "judges it%s.</p>\n",
        report->single_file ? "#field" : "field.html", report->single_file ? "#errata" : "errata.html",
        report->single_file ? "#ledger" : "ledger.html",
        report->foreign != NULL ? "; <a href=\"foreign.html\">models as their makers ship them</a>" : "");
}

/* The pages that otherwise are beside it. */
static void write_appended(const ms_report *report, FILE *file)
{
    fputs("<section id=\"field\">\n<h2>The field on one page</h2>\n", file);
    ms_html_field(report, file);
    fputs("</section>\n<section id=\"errata\">\n<h2>Errata</h2>\n", file);
    ms_html_errata(report, file);
    fputs("</section>\n<section id=\"ledger\">\n<h2>Ledger</h2>\n", file);
    ms_html_ledger(report, file);
    fputs("</section>\n", file);
}

void ms_report_html(const ms_report *report, FILE *file)
{
    ms_html_begin("Figures and tables: measured and published", file);
    write_top(report, file);
    ms_html_index(report, file);
    for (int k = 0; k < report->n; k++) {
        if (begins_group(report, k)) {
            fprintf(file, "%s<div class=\"group\">\n", k > 0 ? "</div>\n" : "");
            ms_html_element("h2", "", report->entries[k].paper, file);
            fputc('\n', file);
        }
        write_figure(report, k, file);
    }
    fputs(report->n > 0 ? "</div>\n" : "", file);
    if (report->single_file && !report->chosen)
        write_appended(report, file);
    ms_html_end(file);
}
