/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_foreign.c - what bench/python/foreign.py has found of models as their makers ship them: DIRECTORY/foreign.json as a page. */
#include "html.h"
#include "json.h"
#include "report.h"

/* What is told of each item; the rest stands in the answer. */
static json_t *told(const json_t *rows)
{
    static const char *const names[] = {"file",    "kind",      "fmi",      "tool",
                                        "outcome", "deviation", "variable", "why"};
    json_t *list = json_array(), *row;
    size_t k;
    json_array_foreach (rows, k, row) {
        json_t *some = json_object();
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            json_t *value = json_object_get(row, names[i]);
            ms_json_set(&some, names[i], value != NULL ? json_incref(value) : json_null());
        }
        ms_json_append(&list, some);
    }
    return list;
}

void ms_report_foreign(const ms_report *report, FILE *file)
{
    json_t *rows = told(json_object_get(report->foreign, "rows"));
    ms_html_begin("Models as their makers ship them", file);
    fputs("<p><a href=\"report.html\">All figures and tables</a></p>\n<p>FMUs and system structures, each "
          "run for what it "
          "says itself, in processes of their own. What agrees is nowhere further from its reference than ",
          file);
    ms_html_value(json_object_get(report->foreign, "tolerance"), file);
    fputs(" of the range of a column. This command tries them:</p>\n", file);
    ms_html_command("make foreign FOLDER=..", file);
    ms_html_table("By folder", json_object_get(report->foreign, "totals"), &(ms_html_part){0}, file);
    ms_html_table("Each of them", rows, &(ms_html_part){0}, file);
    ms_html_end(file);
    json_decref(rows);
}
