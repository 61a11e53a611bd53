/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as one HTML file: pictures inline, nothing loaded from elsewhere. */
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "version.h"

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>macrostep: figures and tables, measured and published</title>\n"
    "<style>\n"
    ":root { color-scheme: light dark; --page: #f7f7f5; --card: #ffffff; --text: #1d1d1f; --soft: #5c5c63;\n"
    "  --line: #dcdcd8; --link: #005a8f; --good: #006b4e; --good-back: #d9f1e8; --bad: #9a3a00;\n"
    "  --bad-back: #fde6d6; --open: #5a4a00; --open-back: #f8efc7; --none: #55555b; --none-back: #e8e8e6;\n"
    "  --miss: #5b3a8c; --miss-back: #ece2f8; }\n"
    "@media (prefers-color-scheme: dark) { :root { --page: #161618; --card: #1f1f22; --text: #ececee;\n"
    "  --soft: #a6a6ad; --line: #3a3a3f; --link: #7cc0ee; --good: #8fe0c2; --good-back: #10392d;\n"
    "  --bad: #ffb68a; --bad-back: #4a2410; --open: #f0dc82; --open-back: #3d3510; --none: #b8b8be;\n"
    "  --none-back: #333338; --miss: #cdb4f0; --miss-back: #36264f; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0; background: var(--page); color: var(--text); \n"
    "  font: 16px/1.5 system-ui, \"DejaVu Sans\", sans-serif; }\n"
    "main { max-width: 62rem; margin: 0 auto; padding: 1rem; }\n"
    "h1 { font-size: 1.6rem; line-height: 1.2; }\n"
    "h2 { margin-top: 2.5rem; font-size: 1.3rem; line-height: 1.25; }\n"
    "h3 { margin: 0 0 .3rem; font-size: 1.1rem; line-height: 1.3; }\n"
    "a { color: var(--link); }\n"
    "p { margin: .5rem 0; }\n"
    ".soft { color: var(--soft); }\n"
    "section.figure { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;\n"
    "  padding: 1rem; margin: 1.2rem 0; overflow-wrap: anywhere; }\n"
    ".badge { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .8rem;\n"
    "  line-height: 1.6; font-weight: 600; white-space: nowrap; }\n"
    ".reproduced { color: var(--good); background: var(--good-back); }\n"
    ".deviates { color: var(--bad); background: var(--bad-back); }\n"
    ".expectation-missed { color: var(--miss); background: var(--miss-back); }\n"
    ".not-determined { color: var(--open); background: var(--open-back); }\n"
    ".missing { color: var(--none); background: var(--none-back); }\n"
    ".picture { background: #ffffff; border-radius: .4rem; padding: .4rem; margin: .8rem 0;\n"
    "  overflow-x: auto; }\n"
    ".picture svg { display: block; width: 100%; height: auto; min-width: 26rem; max-width: 58rem;\n"
    "  margin: 0 auto; }\n"
    ".picture text { font-family: \"DejaVu Sans\", Verdana, Arial, sans-serif; }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; width: 100%; font-size: .92rem; margin: .6rem 0; }\n"
    "caption { text-align: left; font-weight: 600; padding: .2rem 0; }\n"
    "th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;\n"
    "  border-top: 1px solid var(--line); }\n"
    "th { font-weight: 600; color: var(--soft); }\n"
    "th, td { overflow-wrap: break-word; }\n" /* columns as wide as their longest word */
    "td.note { min-width: 14rem; }\n"
    "td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    "code { font-size: .88em; }\n"
    "pre { overflow-x: auto; margin: .4rem 0; padding: .5rem; \n"
    "  border: 1px solid var(--line); border-radius: .4rem; }\n"
    "nav ul { list-style: none; padding: 0; margin: .4rem 0; }\n"
    "nav li { display: flex; gap: .6rem; align-items: baseline; padding: .15rem 0; }\n"
    "nav li .badge { flex: 0 0 auto; min-width: 8.2rem; text-align: center; }\n"
    "@media (max-width: 40rem) {\n"
    "  table.checks thead { display: none; }\n"
    "  table.checks, table.checks tbody, table.checks tr, table.checks td { display: block; width: 100%; }\n"
    "  table.checks tr { border-top: 2px solid var(--line); padding: .4rem 0; }\n"
    "  table.checks td { border: 0; padding: .1rem 0; }\n"
    "  table.checks td[data-label]::before { content: attr(data-label) \": \"; color: var(--soft); }\n"
    "}\n"
    "@media print { .picture, section.figure { break-inside: avoid; } }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<main>\n";

static void write_text(const char *text, FILE *file)
{
    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        if (*c == '<')
            fputs("&lt;", file);
        else if (*c == '>')
            fputs("&gt;", file);
        else if (*c == '&')
            fputs("&amp;", file);
        else if (*c == '"')
            fputs("&quot;", file);
        else
            fputc(*c, file);
    }
}

static void write_value(json_t *value, FILE *file)
{
    char *text = ms_report_value(value);
    write_text(text, file);
    free(text);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static const char *status_of(const ms_report_entry *entry)
{
    return entry->answer != NULL ? text_of(entry->answer, "status") : "missing";
}

static void write_badge(const char *status, FILE *file)
{
    fprintf(file, "<span class=\"badge %s\">", status);
    for (const char *c = status; *c != '\0'; c++)
        fputc(*c == '-' ? ' ' : *c, file);
    fputs("</span>", file);
}

/* Pictures ----------------------------------------------------------------------------------------------- */

/* Does the text at c begin with what comes before an identifier? Its length, or 0. */
static size_t before_identifier(const char *c)
{
    static const char *const starts[] = {" id=\"", " id='", "url(#", "href=\"#", "href='#"};
    for (size_t k = 0; k < sizeof starts / sizeof starts[0]; k++)
        if (strncmp(c, starts[k], strlen(starts[k])) == 0)
            return strlen(starts[k]);
    return 0;
}

/* The picture from its <svg> on, with its identifiers made unique by the figure's name, and without fixed
 * size. */
static void write_svg(const ms_report_entry *entry, FILE *file)
{
    const char *start = strstr(entry->svg, "<svg");
    if (start == NULL)
        return;
    fputs("<div class=\"picture\" role=\"img\" aria-label=\"", file);
    write_text(entry->figure->title, file);
    fputs("\">\n", file);
    for (const char *c = start; *c != '\0';) {
        const size_t length = before_identifier(c);
        if (length == 0) {
            fputc(*c++, file);
            continue;
        }
        fwrite(c, 1, length, file);
        fprintf(file, "%s-", entry->name);
        c += length;
    }
    fputs("</div>\n", file);
}

/* Figures ------------------------------------------------------------------------------------------------ */

static void write_cell(const char *label, json_t *value, FILE *file)
{
    fprintf(file, "<td data-label=\"%s\">", label);
    write_value(value, file);
    fputs("</td>", file);
}

static void write_checks(const ms_report_entry *entry, FILE *file)
{
    const json_t *checks = json_object_get(entry->answer, "checks");
    size_t k;
    json_t *check;
    if (json_array_size(checks) == 0)
        return;
    fputs("<div class=\"wide\"><table class=\"checks\">\n<thead><tr><th>What</th><th>Published</th>"
          "<th>Measured</th><th>Tolerance</th><th>Verdict and why</th></tr></thead>\n<tbody>\n",
          file);
    json_array_foreach (checks, k, check) {
        fputs("<tr><td><strong>", file);
        write_text(text_of(check, "what"), file);
        fputs("</strong></td>", file);
        write_cell("published", json_object_get(check, "published"), file);
        write_cell("measured", json_object_get(check, "measured"), file);
        write_cell("tolerance", json_object_get(check, "tolerance"), file);
        fputs("<td class=\"note\">", file);
        write_badge(text_of(check, "verdict"), file);
        fputs(ms_report_is_aside(entry, check) ? " (own, does not count) " : " ", file);
        write_text(text_of(check, "note"), file);
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

static void write_tables(json_t *tables, FILE *file)
{
    size_t k;
    const char *title, *column;
    json_t *rows, *row, *cell;
    json_object_foreach (tables, title, rows) {
        fputs("<div class=\"wide\"><table>\n<caption>", file);
        write_text(title, file);
        fputs("</caption>\n<thead><tr>", file);
        json_object_foreach (json_array_get(rows, 0), column, cell) {
            fputs("<th>", file);
            write_text(column, file);
            fputs("</th>", file);
        }
        fputs("</tr></thead>\n<tbody>\n", file);
        json_array_foreach (rows, k, row) {
            fputs("<tr>", file);
            json_object_foreach (row, column, cell) {
                fputs(json_is_number(cell) ? "<td class=\"number\">" : "<td>", file);
                write_value(cell, file);
                fputs("</td>", file);
            }
            fputs("</tr>\n", file);
        }
        fputs("</tbody></table></div>\n", file);
    }
}

static void write_commands(const json_t *commands, FILE *file)
{
    size_t k;
    json_t *command;
    if (json_array_size(commands) == 0)
        return;
    fprintf(file, "<details><summary>%zu run%s behind it</summary>\n<pre><code>", json_array_size(commands),
            json_array_size(commands) == 1 ? "" : "s");
    json_array_foreach (commands, k, command) {
        write_text(json_string_value(command), file);
        fputc('\n', file);
    }
    fputs("</code></pre></details>\n", file);
}

static void write_figure(const ms_report_entry *entry, FILE *file)
{
    const ms_figure *figure = entry->figure;
    char held[64];
    size_t k;
    json_t *remark;
    fprintf(file, "<section class=\"figure\" id=\"%s\">\n<h3>", entry->name);
    write_text(figure->title, file);
    fputs("</h3>\n<p>", file);
    write_badge(status_of(entry), file);
    fputs(" <span class=\"soft\">", file);
    ms_report_held(entry, held, sizeof held);
    write_text(held, file);
    fputs(held[0] != '\0' ? ". " : "", file);
    write_text(figure->source, file);
    fputs("</span></p>\n", file);
    if (entry->answer == NULL)
        fputs("<p>Not drawn yet. This command draws it:</p>\n", file);
    if (entry->svg != NULL)
        write_svg(entry, file);
    write_tables(json_object_get(entry->answer, "tables"), file);
    write_checks(entry, file);
    json_array_foreach (json_object_get(entry->answer, "remarks"), k, remark) {
        fputs("<p>", file);
        write_text(json_string_value(remark), file);
        fputs("</p>\n", file);
    }
    fprintf(file, "<pre><code>macrostep figure %s</code></pre>\n", figure->id);
    write_commands(json_object_get(entry->answer, "commands"), file);
    fputs("</section>\n", file);
}

/* The whole ---------------------------------------------------------------------------------------------- */

static bool begins_group(const ms_report *report, int k)
{
    return k == 0 || strcmp(ms_report_paper(report->entries[k].figure->id),
                            ms_report_paper(report->entries[k - 1].figure->id)) != 0;
}

static void write_contents(const ms_report *report, FILE *file)
{
    char held[64];
    fputs("<nav aria-label=\"Contents\">\n", file);
    for (int k = 0; k < report->n; k++) {
        const ms_report_entry *entry = &report->entries[k];
        if (begins_group(report, k)) {
            fprintf(file, "%s<p><strong>", k > 0 ? "</ul>\n" : "");
            write_text(ms_report_paper(entry->figure->id), file);
            fputs("</strong></p>\n<ul>\n", file);
        }
        fputs("<li>", file);
        write_badge(status_of(entry), file);
        ms_report_held(entry, held, sizeof held);
        const char *colon = strchr(entry->figure->id, ':');
        fprintf(file, " <span><a href=\"#%s\">%s</a> ", entry->name,
                colon != NULL ? colon + 1 : entry->figure->id);
        write_text(entry->figure->title, file);
        fprintf(file, " <span class=\"soft\">%s</span></span></li>\n", held);
    }
    fprintf(file, "%s</nav>\n", report->n > 0 ? "</ul>\n" : "");
}

void ms_report_html(const ms_report *report, FILE *file)
{
    fputs(head, file);
    fputs("<h1>Figures and tables: measured and published</h1>\n", file);
    fputs("<p>", file);
    ms_report_summary(report, file);
    fputs("</p>\n<p>", file);
    write_text(ms_report_scope, file);
    fputs("</p>\n", file);
    write_contents(report, file);
    for (int k = 0; k < report->n; k++) {
        if (begins_group(report, k)) {
            fputs("<h2>", file);
            write_text(ms_report_paper(report->entries[k].figure->id), file);
            fputs("</h2>\n", file);
        }
        write_figure(&report->entries[k], file);
    }
    fputs("<p class=\"soft\">macrostep ", file);
    write_text(ms_version(), file);
    fputs(", commit ", file);
    write_text(ms_commit(), file);
    fputs("; ", file);
    write_text(ms_compiler(), file);
    fputs("; ", file);
    write_text(ms_library_versions(), file);
    fputs("</p>\n</main>\n</body>\n</html>\n", file);
}
