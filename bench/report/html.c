/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "html.h"

#include <stdbool.h>
#include <string.h>

#include "drawing.h"
#include "templates.h"
#include "value_line.h"
#include "version.h"

/* Texts -------------------------------------------------------------------------------------------------- */

void ms_html_text(const char *text, FILE *file)
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
        else if (*c == '\'')
            fputs("&#39;", file);
        else
            fputc((unsigned char)*c < ' ' && *c != '\n' ? ' ' : *c, file);
    }
}

void ms_html_element(const char *tag, const char *attributes, const char *text, FILE *file)
{
    fprintf(file, "<%s%s%s>", tag, attributes[0] != '\0' ? " " : "", attributes);
    ms_html_text(text, file);
    fprintf(file, "</%s>", tag);
}

void ms_html_value(json_t *value, FILE *file)
{
    ms_value_line(value, ms_html_text, file);
}

void ms_html_badge(const char *status, FILE *file)
{
    const char *name = "missing";
    for (int k = 0; k < MS_VERDICTS && status != NULL; k++)
        if (strcmp(status, ms_verdict_name((ms_verdict)k)) == 0)
            name = ms_verdict_name((ms_verdict)k);
    fprintf(file, "<span class=\"badge %s\">", name);
    if (strcmp(name, "missing") == 0)
        ms_html_text(status != NULL ? status : name, file);
    else
        for (const char *c = name; *c != '\0'; c++)
            fputc(*c == '-' ? ' ' : *c, file);
    fputs("</span>", file);
}

/* Is it a path below this folder, or a place in this page? */
static bool is_address(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/#";
    return text[0] != '\0' && text[0] != '/' && strstr(text, "..") == NULL &&
           text[strspn(text, letters)] == '\0';
}

void ms_html_link(const char *address, const char *text, FILE *file)
{
    const bool linked = is_address(address);
    if (linked)
        fprintf(file, "<a href=\"%s\">", address);
    ms_html_text(text, file);
    fputs(linked ? "</a>" : "", file);
}

void ms_html_command(const char *command, FILE *file)
{
    fputs("<div class=\"command\"><pre tabindex=\"0\"><code>", file);
    ms_html_text(command, file);
    fputs("</code></pre><button type=\"button\" class=\"copy\" hidden>copy</button></div>\n", file);
}

/* Tables ------------------------------------------------------------------------------------------------- */

static bool is_shown(const char *column, const ms_html_part *part)
{
    return part->column == NULL || strcmp(column, part->column) != 0;
}

static bool belongs(const json_t *row, const ms_html_part *part)
{
    const char *value = part->column != NULL ? json_string_value(json_object_get(row, part->column)) : NULL;
    return part->column == NULL || (value != NULL && strcmp(value, part->value) == 0);
}

static void write_head(json_t *row, const ms_html_part *part, FILE *file)
{
    const char *column;
    json_t *cell;
    fputs("<thead><tr>", file);
    json_object_foreach (row, column, cell) {
        if (is_shown(column, part))
            ms_html_element("th", "scope=\"col\"", column, file);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
}

static const char *cell_class(const char *column, const json_t *cell)
{
    if (json_is_number(cell))
        return " class=number";
    return strcmp(column, "command") == 0 ? " class=code" : "";
}

static void write_row(json_t *row, const ms_html_part *part, FILE *file)
{
    const char *column;
    json_t *cell;
    fputs("<tr>", file);
    json_object_foreach (row, column, cell) {
        if (!is_shown(column, part))
            continue;
        fprintf(file, "<td%s>", cell_class(column, cell)); /* the ends of cells and rows go without saying */
        ms_html_value(cell, file);
    }
    fputc('\n', file);
}

void ms_html_table(const char *title, json_t *rows, const ms_html_part *part, FILE *file)
{
    size_t k;
    json_t *row;
    const size_t n = json_array_size(rows);
    const bool cut = part->most > 0 && n > part->most;
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"", file);
    ms_html_text(title, file);
    fputs("\"><table>\n<caption>", file);
    ms_html_text(title, file);
    if (cut)
        fprintf(file, " (the first %zu of %zu rows; the data have all of them)", part->most, n);
    fputs("</caption>\n", file);
    write_head(json_array_get(rows, 0), part, file);
    json_array_foreach (rows, k, row) {
        if (belongs(row, part) && !(cut && k >= part->most))
            write_row(row, part, file);
    }
    fputs("</tbody></table></div>\n", file);
}

/* Pages -------------------------------------------------------------------------------------------------- */

void ms_html_begin(const char *title, FILE *file)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self' file: "
          "data:; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
          file);
    ms_html_element("title", "", title, file);
    fprintf(
        file,
        "\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s</style>\n</head>\n<body>\n<main id=\"top\">\n",
        ms_template("report.css"));
    ms_html_element("h1", "", title, file);
    fputc('\n', file);
}

void ms_html_end(FILE *file)
{
    const char *const texts[] = {"macrostep ", ms_version(),  ", commit ", ms_commit(),
                                 "; ",         ms_compiler(), "; ",        ms_library_versions()};
    fputs("<p class=\"soft\">", file);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        ms_html_text(texts[k], file);
    fprintf(file, "</p>\n</main>\n<script>\n%s</script>\n</body>\n</html>\n", ms_template("report.js"));
}
