/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as Markdown; pictures are links into figures/. */
#include <string.h>

#include "report.h"
#include "report_pages.h"
#include "value_line.h"
#include "version.h"

/* Text on one line; in_table: inside a table's cell. */
static void write_text(const char *text, bool in_table, FILE *file)
{
    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        if (*c == '\n' || *c == '\r')
            fputc(' ', file);
        else {
            if (strchr("\\`*_<[]", *c) != NULL || (in_table && *c == '|'))
                fputc('\\', file);
            fputc(*c, file);
        }
    }
}

static void write_in_table(const char *text, FILE *file)
{
    write_text(text, true, file);
}

static void write_cell(json_t *value, FILE *file)
{
    fputc(' ', file);
    ms_value_line(value, write_in_table, file);
    fputs(" |", file);
}

static void write_tables(json_t *tables, FILE *file)
{
    size_t k;
    const char *title, *column;
    json_t *rows, *row, *cell;
    json_object_foreach (tables, title, rows) {
        write_text(title, false, file);
        fputs(":\n\n|", file);
        json_object_foreach (json_array_get(rows, 0), column, cell) {
            fputc(' ', file);
            write_text(column, true, file);
            fputs(" |", file);
        }
        fputs("\n|", file);
        for (size_t n = 0; n < json_object_size(json_array_get(rows, 0)); n++)
            fputs("---|", file);
        fputc('\n', file);
        json_array_foreach (rows, k, row) {
            fputc('|', file);
            json_object_foreach (row, column, cell) {
                write_cell(cell, file);
            }
            fputc('\n', file);
        }
        fputc('\n', file);
    }
}

static void write_checks(const ms_report_entry *entry, FILE *file)
{
    const json_t *checks = json_object_get(entry->answer, "checks");
    static const char *const columns[] = {"what",      "kind",    "published", "measured",
                                          "tolerance", "verdict", "note"};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    size_t k;
    json_t *check;
    if (json_array_size(checks) == 0)
        return;
    fputs(
        "| What | Kind | Published | Measured | Tolerance | Verdict | Why |\n|---|---|---|---|---|---|---|\n",
        file);
    json_array_foreach (checks, k, check) {
        fputc('|', file);
        for (int column = 0; column < COLUMNS; column++) {
            if (strcmp(columns[column], "verdict") == 0 && ms_report_is_own_check(entry, check))
                fputs(" own, does not count:", file);
            write_cell(json_object_get(check, columns[column]), file);
        }
        fputc('\n', file);
    }
    fputc('\n', file);
}

static void write_figure(const ms_report_entry *entry, FILE *file)
{
    const ms_figure *figure = entry->figure;
    char held[64];
    size_t k;
    json_t *remark;
    fputs("### ", file);
    write_text(figure->title, false, file);
    fputs("\n\n", file);
    write_text(figure->source, false, file);
    ms_report_held(entry, held, sizeof held);
    fprintf(file, ". **%s**%s%s\n\n",
            entry->answer != NULL ? ms_report_text(entry->answer, "status") : "missing",
            held[0] != '\0' ? ", " : "", held);
    if (*ms_report_text(entry->answer, "verdict") != '\0') {
        write_text(ms_report_text(entry->answer, "verdict"), false, file);
        fputs(".\n\n", file);
    }
    if (entry->width > 0) {
        fputs("![", file);
        write_text(entry->alt, false, file);
        fprintf(file, "](figures/%s.svg)\n\n", entry->name);
    }
    write_tables(json_object_get(entry->answer, "tables"), file);
    write_checks(entry, file);
    json_array_foreach (json_object_get(entry->answer, "remarks"), k, remark) {
        write_text(json_string_value(remark), false, file);
        fputs("\n\n", file);
    }
    fprintf(file, "    macrostep figure %s\n\n", figure->path != NULL ? figure->path : figure->id);
}

void ms_report_markdown(const ms_report *report, FILE *file)
{
    fputs("# Figures and tables: measured and published\n\n", file);
    ms_report_summary(report, file);
    fprintf(file, "\n\n%s\n", report->chosen ? "" : ms_report_scope);
    const char *paper = "";
    for (int k = 0; k < report->n; k++) {
        const char *own = report->entries[k].paper;
        if (strcmp(own, paper) != 0)
            fprintf(file, "\n## %s\n", own);
        paper = own;
        fputc('\n', file);
        write_figure(&report->entries[k], file);
    }
    fprintf(file, "macrostep %s, commit %s; %s; %s\n", ms_version(), ms_commit(), ms_compiler(),
            ms_library_versions());
}
