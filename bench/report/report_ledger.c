/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_ledger.c - every printed item of the papers with what judges it, as tables, one a paper. */
#include <string.h>

#include "html.h"
#include "report.h"
#include "report_pages.h"

static void write_figure(const ms_report *report, const json_t *row, FILE *file)
{
    const ms_report_entry *entry = ms_report_find(report, ms_report_text(row, "figure"));
    char address[160];
    fputs("<td>", file);
    if (entry != NULL) {
        snprintf(address, sizeof address, "%s#%s", report->single_file ? "" : "report.html", entry->name);
        ms_html_link(address, entry->figure->id, file);
    } else {
        ms_html_text(ms_report_text(row, "command"), file);
    }
    fputs("</td>", file);
}

static void write_row(const ms_report *report, const json_t *row, FILE *file)
{
    fprintf(file, "<tr><td class=number>%d</td>", (int)json_integer_value(json_object_get(row, "item")));
    ms_html_element("th", "scope=\"row\"", ms_report_text(row, "place"), file);
    ms_html_element("td", "", ms_report_text(row, "printed"), file);
    write_figure(report, row, file);
    fputs("<td>", file);
    ms_html_value(json_object_get(row, "check"), file);
    fputs("</td><td>", file);
    if (json_is_string(json_object_get(row, "verdict")))
        ms_html_badge(ms_report_text(row, "verdict"), file);
    fputs("</td><td class=note>", file);
    ms_html_text(ms_report_text(row, "status"), file);
    if (*ms_report_text(row, "why") != '\0')
        fputs(": ", file);
    ms_html_text(ms_report_text(row, "why"), file);
    fputs("</td></tr>\n", file);
}

static void begin_paper(const char *paper, FILE *file)
{
    char title[96];
    ms_report_paper(paper, title, sizeof title);
    fputs("<div class=\"wide\"><table class=\"checks\">\n", file);
    ms_html_element("caption", "", title, file);
    fputs("\n<thead><tr><th scope=\"col\">Item</th><th scope=\"col\">Where</th><th scope=\"col\">Printed</th>"
          "<th scope=\"col\">Figure</th><th scope=\"col\">Checks</th><th scope=\"col\">Verdict</th>"
          "<th scope=\"col\">Status and why</th></tr></thead>\n<tbody>\n",
          file);
}

/* Equations ----------------------------------------------------------------------------------------------- */

static bool is_named(const json_t *row)
{
    return json_array_size(json_object_get(row, "files")) + json_array_size(json_object_get(row, "tests")) +
               json_array_size(json_object_get(row, "commands")) >
           0;
}

static void write_equation(const json_t *row, FILE *file)
{
    static const char *const lists[] = {"files", "tests", "commands"};
    char paper[64];
    fputs("<tr>", file);
    ms_report_paper_short(ms_report_text(row, "paper"), paper, sizeof paper);
    ms_html_element("td", "", paper, file);
    fputs("<th scope=\"row\">(", file);
    ms_html_text(ms_report_text(row, "equation"), file);
    fputs(")</th>", file);
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        fputs("<td class=note>", file);
        ms_html_value(json_object_get(row, lists[k]), file);
        fputs("</td>", file);
    }
    fputs("</tr>\n", file);
}

static void write_equations(const ms_report *report, FILE *file)
{
    const json_t *counts = json_object_get(report->equations, "counts");
    json_t *row;
    size_t k;
    fputs(
        "<div class=\"wide\"><table class=\"checks\">\n<caption>From an equation to files, tests and commands</caption>\n"
        "<thead><tr><th scope=\"col\">Paper</th><th scope=\"col\">Equation</th><th scope=\"col\">Files</th>"
        "<th scope=\"col\">Tests</th><th scope=\"col\">Commands</th></tr></thead>\n<tbody>\n",
        file);
    json_array_foreach (json_object_get(report->equations, "rows"), k, row) {
        if (is_named(row))
            write_equation(row, file);
    }
    fprintf(
        file,
        "</tbody></table></div>\n<p>Made from the comments of the sources when the program was built: %d numbered "
        "equations are named by one of them, %d by none. <code>macrostep ledger --equations</code> lists all.</p>\n",
        (int)json_integer_value(json_object_get(counts, "named")),
        (int)json_integer_value(json_object_get(counts, "nowhere")));
}

/* The page ------------------------------------------------------------------------------------------------ */

void ms_html_ledger(const ms_report *report, FILE *file)
{
    const char *paper = "", *status;
    json_t *row, *n;
    size_t k;
    fputs(
        "<p>Every figure, table, equation with a claim, number and sentence of the four papers, and what judges it. "
        "fair: what the checks say of it is what can be said, that it holds or that the text does not determine it. "
        "deviates: the print does not hold. too-kind, too-strict: a better check would find something else. "
        "missing: nothing judges it yet. no-check: there is nothing to compare.</p>\n<p><strong>",
        file);
    json_object_foreach (json_object_get(report->ledger, "counts"), status, n) {
        if (json_integer_value(n) > 0)
            fprintf(file, "%d %s. ", (int)json_integer_value(n), status);
    }
    fputs("</strong></p>\n", file);
    json_array_foreach (json_object_get(report->ledger, "rows"), k, row) {
        if (strcmp(ms_report_text(row, "paper"), paper) != 0) {
            fputs(k > 0 ? "</tbody></table></div>\n" : "", file);
            paper = ms_report_text(row, "paper");
            begin_paper(paper, file);
        }
        write_row(report, row, file);
    }
    fputs("</tbody></table></div>\n", file);
    write_equations(report, file);
}

void ms_report_ledger(const ms_report *report, FILE *file)
{
    ms_html_begin("Every printed item of the papers, and what judges it", file);
    fputs(
        "<p><a href=\"report.html\">All figures and tables</a> \xc2\xb7 <a href=\"errata.html\">errata</a></p>\n",
        file);
    ms_html_ledger(report, file);
    ms_html_end(file);
}
