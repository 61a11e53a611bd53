/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_errata.c - what the papers print wrong, or not at all: inside/errata.json as a table. */
#include <string.h>

#include "html.h"
#include "report.h"
#include "report_pages.h"
#include "templates.h"

/* What shows it: a sentence, a figure, a command. */
static void write_evidence(const ms_report *report, const json_t *row, FILE *file)
{
    const ms_report_entry *entry = ms_report_find(report, ms_report_text(row, "figure"));
    char address[160];
    fputs("<td class=\"note\">", file);
    ms_html_text(ms_report_text(row, "evidence"), file);
    if (entry != NULL) {
        snprintf(address, sizeof address, "%s#%s", report->single_file ? "" : "report.html", entry->name);
        fputs(" See ", file);
        ms_html_link(address, entry->figure->id, file);
        fputc('.', file);
    }
    if (ms_report_text(row, "command")[0] != '\0')
        ms_html_command(ms_report_text(row, "command"), file);
    fputs("</td>", file);
}

static void write_row(const ms_report *report, const json_t *row, FILE *file)
{
    fputs("<tr>", file);
    ms_html_element("th", "scope=\"row\"", ms_report_text(row, "where"), file);
    ms_html_element("td", "", ms_report_text(row, "kind"), file);
    ms_html_element("td", "", ms_report_text(row, "printed"), file);
    ms_html_element("td", "", ms_report_text(row, "correct"), file);
    write_evidence(report, row, file);
    fputs("</tr>\n", file);
}

static void begin_paper(const char *paper, FILE *file)
{
    fputs("<div class=\"wide\"><table class=\"checks errata\">\n", file);
    ms_html_element("caption", "", paper, file);
    fputs("\n<thead><tr><th scope=\"col\">Where</th><th scope=\"col\">Kind</th><th scope=\"col\">Printed</th>"
          "<th scope=\"col\">Correct, or taken</th><th scope=\"col\">Evidence</th></tr></thead>\n<tbody>\n",
          file);
}

json_t *ms_report_errata_rows(void)
{
    return json_loads(ms_template("errata.json"), 0, NULL);
}

void ms_html_errata(const ms_report *report, FILE *file)
{
    const json_t *rows = report->errata;
    json_t *row;
    const char *paper = "";
    size_t k;
    fputs("<p>Misprints that were found by derivation and by computation, and values that the papers do not "
          "print, with "
          "what was taken instead. The papers were read as text, without their pictures. Where a printed "
          "formula is "
          "wrong the program offers both: <code>--as-printed</code>, or a case of the model.</p>\n",
          file);
    json_array_foreach (rows, k, row) {
        if (strcmp(ms_report_text(row, "paper"), paper) != 0) {
            fputs(k > 0 ? "</tbody></table></div>\n" : "", file);
            paper = ms_report_text(row, "paper");
            begin_paper(paper, file);
        }
        write_row(report, row, file);
    }
    fputs(json_array_size(rows) > 0 ? "</tbody></table></div>\n" : "", file);
}

void ms_report_errata(const ms_report *report, FILE *file)
{
    ms_html_begin("Errata of the papers, and of other programs' models", file);
    fputs("<p><a href=\"report.html\">All figures and tables</a> \xc2\xb7 <a href=\"field.html\">the field "
          "on one page</a>"
          "</p>\n",
          file);
    ms_html_errata(report, file);
    ms_html_end(file);
}
