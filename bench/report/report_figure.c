/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report_parts.h"

#include <string.h>

#include "json.h"
#include "version.h"

/* What a page under 1 MB has room for of each figure; a single file has all of it. */
enum { ROWS_MOST = 24, RUNS_MOST = 4 };

/* What is at most so wide is shown whole on a screen of 390 points, and what is at least so large at its own size, to scroll
 * in, as its letters would be too small otherwise. */
enum { NARROW = 560, LARGE = 1400 };

/* Badges and tables --------------------------------------------------------------------------------------- */

json_t *ms_badge_json(const char *status)
{
    char text[32];
    for (int k = 0; k < MS_VERDICTS && status != NULL; k++) {
        const char *name = ms_verdict_name((ms_verdict)k);
        if (strcmp(status, name) != 0)
            continue;
        snprintf(text, sizeof text, "%s", name);
        for (char *c = text; *c != '\0'; c++)
            *c = *c == '-' ? ' ' : *c;
        return ms_json_object("class:s text:s", name, text);
    }
    return ms_json_object("class:s text:s", "missing", status != NULL ? status : "missing");
}

static json_t *cells_json(json_t *row, const char *hidden)
{
    json_t *cells = json_array(), *cell;
    const char *column;
    json_object_foreach (row, column, cell) {
        if (hidden == NULL || strcmp(column, hidden) != 0)
            ms_json_append(&cells, ms_json_object("text:O number:b code:b", cell, json_is_number(cell),
                                                  strcmp(column, "command") == 0 && !json_is_number(cell)));
    }
    return cells;
}

static json_t *columns_json(json_t *row, const char *hidden)
{
    json_t *columns = json_array(), *cell;
    const char *column;
    json_object_foreach (row, column, cell) {
        if (hidden == NULL || strcmp(column, hidden) != 0)
            ms_json_append(&columns, json_string(column));
    }
    return columns;
}

json_t *ms_table_json(const char *title, json_t *rows, const char *by, size_t most)
{
    const size_t n = json_array_size(rows);
    const bool cut = most > 0 && n > most;
    json_t *list = json_array(), *row;
    size_t k;
    json_array_foreach (rows, k, row) {
        if (by == NULL || strcmp(ms_report_text(row, by), title) == 0)
            ms_json_append(&list, ms_json_object("cells:o beyond:b", cells_json(row, by), cut && k >= most));
    }
    return ms_json_object("title:s cut:I n:I columns:o rows:o", title, (json_int_t)(cut ? most : 0),
                          (json_int_t)n, columns_json(json_array_get(rows, 0), by), list);
}

/* Files and runs ------------------------------------------------------------------------------------------ */

/* What follows the name of the figure in that of its file, where it is one of its files, or NULL. */
static const char *file_tail(const ms_report_entry *entry, const char *name)
{
    const size_t length = strlen(entry->name);
    if (name == NULL || strncmp(name, entry->name, length) != 0 ||
        (name[length] != '.' && name[length] != '-') || strchr(name, '/') != NULL)
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

/* Is it a name that a link can have as it is? */
static bool is_address(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return strstr(name, "..") == NULL && name[strspn(name, letters)] == '\0';
}

/* Pictures, script and answer, or the data. */
static void add_files(const ms_report_entry *entry, bool data, json_t **files)
{
    size_t k;
    json_t *stored;
    json_array_foreach (json_object_get(entry->answer, "files"), k, stored) {
        const char *name = json_string_value(stored), *tail = file_tail(entry, name);
        if (tail != NULL && (strstr(tail, ".csv") != NULL) == data)
            ms_json_append(files, ms_json_object("text:s address:o*", file_label(tail),
                                                 is_address(name) ? json_sprintf("figures/%s", name) : NULL));
    }
}

static json_t *runs_json(const ms_report *report, const json_t *commands)
{
    const size_t n = json_array_size(commands), most = report->single_file || n < RUNS_MOST ? n : RUNS_MOST;
    if (n == 0)
        return json_null();
    json_t *lines = json_array();
    for (size_t k = 0; k < most; k++)
        ms_json_append(&lines, json_incref(json_array_get(commands, k)));
    return ms_json_object("n:I several:b lines:o most:I", (json_int_t)n, n > 1, lines,
                          (json_int_t)(n > most ? most : 0));
}

/* Checks -------------------------------------------------------------------------------------------------- */

/* A check of our own in a figure of a paper does not count for the status. */
static json_t *check_json(const ms_report_entry *entry, const json_t *check)
{
    static const char *const values[] = {"published", "measured", "tolerance"};
    json_t *told = json_copy((json_t *)check);
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        if (json_object_get(check, values[k]) == NULL)
            ms_json_set(&told, values[k], json_null());
    ms_json_set(&told, "badge", ms_badge_json(ms_report_text(check, "verdict")));
    ms_json_set(
        &told, "not_counted",
        json_boolean(json_is_true(json_object_get(check, "own")) && !ms_figure_is_own(entry->figure)));
    return told;
}

static json_t *checks_json(const ms_report_entry *entry)
{
    json_t *list = json_array(), *check;
    size_t k;
    json_array_foreach (json_object_get(entry->answer, "checks"), k, check) {
        ms_json_append(&list, check_json(entry, check));
    }
    return list;
}

/* "5 of 6 checks hold"; empty where the figure has not been drawn. */
static json_t *held_json(const ms_report_entry *entry)
{
    const json_t *held = json_object_get(entry->answer, "checks_held");
    return json_array_size(held) == 2
               ? json_sprintf("%d of %d checks hold", (int)json_integer_value(json_array_get(held, 0)),
                              (int)json_integer_value(json_array_get(held, 1)))
               : json_string("");
}

/* Who has drawn it, where that is another program than the one that makes the report. */
static json_t *older_json(const ms_report_entry *entry)
{
    const json_t *by = json_object_get(entry->answer, "provenance");
    const char *version = ms_report_text(by, "version"), *commit = ms_report_text(by, "commit");
    if (entry->answer == NULL || (strcmp(version, ms_version()) == 0 && strcmp(commit, ms_commit()) == 0))
        return json_null();
    return by != NULL ? json_sprintf("Drawn by macrostep %s, commit %s.", version, commit)
                      : json_string("The version of macrostep that has drawn it is unknown.");
}

/* The whole ----------------------------------------------------------------------------------------------- */

json_t *ms_report_picture(const ms_report *report, const ms_report_entry *entry)
{
    const char *class = entry->width <= NARROW ? " narrow" : entry->width >= LARGE ? " large" : "";
    if (entry->width == 0)
        return json_null();
    return ms_json_object("name:s width:i height:i alt:s class:s wide:b svg:o*", entry->name, entry->width,
                          entry->height, entry->alt, class, entry->width > NARROW,
                          report->single_file && entry->svg != NULL ? ms_json_text(entry->svg) : NULL);
}

static json_t *tables_json(const ms_report *report, const ms_report_entry *entry)
{
    json_t *tables = json_array(), *rows;
    const char *title;
    json_object_foreach (json_object_get(entry->answer, "tables"), title, rows) {
        ms_json_append(&tables, ms_table_json(title, rows, NULL, report->single_file ? 0 : ROWS_MOST));
    }
    return tables;
}

static json_t *neighbour_json(const ms_report *report, int k)
{
    char label[64];
    if (k < 0 || k >= report->n)
        return json_null();
    ms_report_label(report->entries[k].figure->id, label, sizeof label);
    return ms_json_object("name:s label:s", report->entries[k].name, label);
}

json_t *ms_report_figure(const ms_report *report, int place)
{
    const ms_report_entry *entry = &report->entries[place];
    const ms_figure *figure = entry->figure;
    const bool answered = entry->answer != NULL;
    const char *status = answered ? ms_report_text(entry->answer, "status") : NULL;
    char label[64], command[1024];
    json_t *files = json_array(), *checks = checks_json(entry);
    ms_report_label(figure->id, label, sizeof label);
    snprintf(command, sizeof command, "macrostep figure %s",
             figure->path != NULL ? figure->path : figure->id);
    add_files(entry, false, &files);
    add_files(entry, true, &files);
    return ms_json_object(
        "name:s label:s title:s source:s? fault:o answered:b status:s badge:o verdict:s reproduced:b "
        "picture:o files:o command:s tables:o checked:b checks:o held:o older:o remarks:O? runs:o "
        "previous:o next:o",
        entry->name, label, figure->title, figure->source,
        entry->fault != NULL ? ms_json_text(entry->fault) : json_null(), answered,
        answered ? status : "missing", ms_badge_json(status), ms_report_text(entry->answer, "verdict"),
        ms_report_status(entry) == MS_REPRODUCED, ms_report_picture(report, entry), files, command,
        tables_json(report, entry), json_array_size(checks) > 0, checks, held_json(entry), older_json(entry),
        json_object_get(entry->answer, "remarks"),
        runs_json(report, json_object_get(entry->answer, "commands")), neighbour_json(report, place - 1),
        neighbour_json(report, place + 1));
}
