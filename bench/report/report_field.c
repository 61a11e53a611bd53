/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_field.c - the field on one page: which scheme for what, as the README says it, and what each family's best member
 * costs, model by model, as the figure macrostep:field has measured it. */
#include <string.h>

#include "html.h"
#include "report.h"
#include "report_pages.h"
#include "templates.h"

static const char measured[] = "macrostep:field";

/* Which scheme for what ---------------------------------------------------------------------------------- */

/* Text with `code` in backquotes. */
static void write_marked(const char *text, size_t length, FILE *file)
{
    char word[1024];
    bool code = false;
    for (size_t k = 0; k < length;) {
        const size_t n = strcspn(text + k, "`") < length - k ? strcspn(text + k, "`") : length - k;
        snprintf(word, sizeof word, "%.*s", (int)n, text + k);
        ms_html_text(word, file);
        k += n + 1;
        if (k <= length) {
            code = !code;
            fputs(code ? "<code>" : "</code>", file);
        }
    }
    fputs(code ? "</code>" : "", file);
}

/* | one | other | as a row of cells. */
static void write_row(const char *line, size_t length, const char *tag, FILE *file)
{
    const char *end = line + length;
    fputs("<tr>", file);
    for (const char *c = line + 1; c < end;) {
        const char *bar = memchr(c, '|', (size_t)(end - c));
        if (bar == NULL)
            break;
        fprintf(file, "<%s%s>", tag, strcmp(tag, "th") == 0 ? " scope=\"col\"" : "");
        write_marked(c, (size_t)(bar - c), file);
        fprintf(file, "</%s>", tag);
        c = bar + 1;
    }
    fputs("</tr>\n", file);
}

/* The table below a heading of the README. */
static void write_guide(FILE *file)
{
    const char *c = strstr(ms_template("README.md"), "\n## Which scheme for what");
    c = c != NULL ? strstr(c, "\n|") : NULL;
    if (c == NULL)
        return;
    fputs("<div class=\"wide\"><table>\n<caption>Which scheme for what</caption>\n", file);
    for (int row = 0; c != NULL && c[0] == '\n' && c[1] == '|'; row++) {
        const size_t length = strcspn(c + 1, "\n");
        fputs(row == 0 ? "<thead>" : "", file);
        if (row != 1) /* the rule below the head */
            write_row(c + 1, length, row == 0 ? "th" : "td", file);
        fputs(row == 0 ? "</thead>\n<tbody>\n" : "", file);
        c += length + 1;
    }
    fputs("</tbody></table></div>\n", file);
}

/* What was measured -------------------------------------------------------------------------------------- */

/* One table a model, in the order of the rows. */
static void write_models(json_t *rows, FILE *file)
{
    const char *before = "";
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row) {
        const char *model = ms_report_text(row, "model");
        if (strcmp(model, before) != 0)
            ms_html_table(model, rows, &(ms_html_part){.column = "model", .value = model}, file);
        before = model;
    }
}

void ms_html_field(const ms_report *report, FILE *file)
{
    const ms_report_entry *entry = ms_report_find(report, measured);
    json_t *tables = entry != NULL ? json_object_get(entry->answer, "tables") : NULL;
    const char *title;
    json_t *rows;
    size_t k;
    json_t *remark;
    write_guide(file);
    fputs(
        "<p>Error over work of each family's best member, and in grey the Pareto front: no member has a smaller "
        "error with less work. The tables have the numbers of the picture, model by model, with the command of each.</p>\n",
        file);
    if (tables == NULL) {
        fputs("<p>Not drawn yet. This command draws it:</p>\n", file);
        ms_html_command("macrostep figure macrostep:field", file);
        return;
    }
    ms_html_picture(report, entry, file);
    json_object_foreach (tables, title, rows) {
        write_models(rows, file);
    }
    json_array_foreach (json_object_get(entry->answer, "remarks"), k, remark) {
        ms_html_element("p", "", json_string_value(remark), file);
    }
    ms_html_command("macrostep figure macrostep:field", file);
}

void ms_report_field(const ms_report *report, FILE *file)
{
    ms_html_begin("The field on one page", file);
    fputs("<p><a href=\"report.html\">All figures and tables</a> \xc2\xb7 <a "
          "href=\"errata.html\">errata</a></p>\n",
          file);
    ms_html_field(report, file);
    ms_html_end(file);
}
