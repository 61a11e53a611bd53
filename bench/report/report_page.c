/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_page.c - values of a report for the templates of inside/pages/, by the names used there. */

#include <string.h>

#include "json.h"
#include "report_parts.h"
#include "templates.h"
#include "version.h"

static const char measured[] = "macrostep:field";

/* Of all figures ------------------------------------------------------------------------------------------ */

/* A row of the table of all figures, by which report.js sorts and chooses. */
static json_t *index_row(const ms_report_entry *entry, int place, int rank)
{
    const json_t *held = json_object_get(entry->answer, "checks_held");
    const json_int_t made = json_integer_value(json_array_get(held, 1)),
                     kept = json_integer_value(json_array_get(held, 0));
    const ms_verdict verdict = ms_report_status(entry);
    const char *known = verdict < MS_VERDICTS ? ms_verdict_name(verdict) : NULL;
    char label[64];
    ms_report_label(entry->figure->id, label, sizeof label);
    return ms_json_object(
        "place:i rank:i missed:I name:s paper:s known:s title:s models:s* schemes:s* badge:o label:s "
        "held:o",
        place, rank, made - kept, entry->name, entry->paper_short, known != NULL ? known : "missing",
        entry->figure->title, entry->models, entry->schemes, ms_badge_json(known), label,
        json_array_size(held) == 2
            ? json_sprintf("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT, kept, made)
            : json_string(""));
}

/* Deviations first, what has not been drawn last. */
static json_t *index_rows(const ms_report *report)
{
    static const ms_verdict order[] = {MS_DEVIATES, MS_EXPECTATION_MISSED, MS_NOT_DETERMINED,
                                       MS_DRAWN,    MS_REPRODUCED,         MS_VERDICTS};
    json_t *rows = json_array();
    for (int rank = 0; rank < (int)(sizeof order / sizeof order[0]); rank++)
        for (int k = 0; k < report->n; k++)
            if (ms_report_status(&report->entries[k]) == order[rank])
                ms_json_append(&rows, index_row(&report->entries[k], k, rank));
    return rows;
}

/* The number of each verdict that occurs, the worst first. */
static json_t *count_list(const ms_report *report)
{
    json_t *list = json_array();
    for (int k = MS_VERDICTS - 1; k >= 0; k--)
        if (report->counts[k] > 0)
            ms_json_append(&list, ms_json_object("n:i badge:o", report->counts[k],
                                                 ms_badge_json(ms_verdict_name((ms_verdict)k))));
    if (report->missing > 0)
        ms_json_append(&list, ms_json_object("n:i badge:o", report->missing, ms_badge_json(NULL)));
    return list;
}

static json_t *count_by_name(const ms_report *report)
{
    json_t *counts = ms_json_object("missing:i", report->missing);
    for (int k = 0; k < MS_VERDICTS; k++)
        ms_json_set(&counts, ms_verdict_name((ms_verdict)k), json_integer(report->counts[k]));
    return counts;
}

/* Of one paper -------------------------------------------------------------------------------------------- */

enum { DEVIATIONS_MOST = 8 };

/* Does the check count for the verdict of its figure? */
static bool counts(const ms_report_entry *entry, const json_t *check)
{
    return ms_figure_is_own(entry->figure) || !json_is_true(json_object_get(check, "own"));
}

static bool holds(const json_t *check)
{
    return strcmp(ms_report_text(check, "verdict"), ms_verdict_name(MS_DEVIATES)) != 0;
}

/* "kinds": [{"mark": ":" of the first, else ";", "kind": "number", "held": 3, "made": 4}, ..] of the checks that count, kinds as they come. */
static void add_checks(const ms_report_entry *entry, json_t **kinds)
{
    json_t *check, *row;
    size_t k, i;
    json_array_foreach (json_object_get(entry->answer, "checks"), k, check) {
        if (!counts(entry, check))
            continue;
        json_t *found = NULL;
        json_array_foreach (*kinds, i, row) {
            if (strcmp(ms_report_text(row, "kind"), ms_report_text(check, "kind")) == 0)
                found = row;
        }
        if (found == NULL) {
            found = ms_json_object("mark:s kind:s held:i made:i", json_array_size(*kinds) > 0 ? ";" : ":",
                                   ms_report_text(check, "kind"), 0, 0);
            ms_json_append(kinds, found);
        }
        if (found == NULL)
            return;
        json_object_set_new(found, "made",
                            json_integer(json_integer_value(json_object_get(found, "made")) + 1));
        if (holds(check))
            json_object_set_new(found, "held",
                                json_integer(json_integer_value(json_object_get(found, "held")) + 1));
    }
}

/* The figure and the first of its checks that does not hold. */
static json_t *deviation(const ms_report_entry *entry)
{
    char label[64];
    json_t *check, *first = NULL;
    size_t k;
    ms_report_label(entry->figure->id, label, sizeof label);
    json_array_foreach (json_object_get(entry->answer, "checks"), k, check) {
        if (first == NULL && counts(entry, check) && !holds(check))
            first = check;
    }
    return ms_json_object("name:s label:s what:s", entry->name, label,
                          first != NULL ? ms_report_text(first, "what") : entry->figure->title);
}

/* What a reader of the paper wants to know first: which paper it is, how many of its figures and checks hold, and what deviates. */
static json_t *summary(const ms_report *report, const char *paper)
{
    json_t *kinds = json_array(), *deviations = json_array(), *verdicts = json_array();
    int n = 0, deviating = 0, of[MS_VERDICTS + 1] = {0};
    const char *citation = "", *address = "";
    for (int k = 0; k < report->n; k++) {
        const ms_report_entry *entry = &report->entries[k];
        if (strcmp(entry->paper, paper) != 0)
            continue;
        const ms_verdict verdict = ms_report_status(entry);
        citation = ms_report_citation(entry->figure->id, &address);
        n++;
        of[verdict]++;
        add_checks(entry, &kinds);
        if (verdict == MS_DEVIATES && deviating++ < DEVIATIONS_MOST)
            ms_json_append(&deviations, deviation(entry));
    }
    for (int k = 0; k <= MS_VERDICTS; k++)
        if (of[k] > 0)
            ms_json_append(
                &verdicts,
                ms_json_object("n:i badge:o", of[k],
                               ms_badge_json(k < MS_VERDICTS ? ms_verdict_name((ms_verdict)k) : NULL)));
    return ms_json_object("citation:s* address:s* figures:i verdicts:o checked:b kinds:o deviations:o more:i",
                          citation[0] != 0 ? citation : NULL, address[0] != '\0' ? address : NULL, n,
                          verdicts, json_array_size(kinds) > 0, kinds, deviations,
                          deviating > DEVIATIONS_MOST ? deviating - DEVIATIONS_MOST : 0);
}

/* Rows by paper ------------------------------------------------------------------------------------------- */

/* Adds to the last group if that is of the same paper, otherwise to a new one. */
static void add_to_group(json_t **groups, const char *paper, json_t *row)
{
    const size_t n = json_array_size(*groups);
    json_t *last = json_array_get(*groups, n > 0 ? n - 1 : 0);
    if (last != NULL && strcmp(ms_report_text(last, "paper"), paper) == 0)
        json_array_append_new(json_object_get(last, "rows"), row);
    else
        ms_json_append(groups, ms_json_object("paper:s rows:o", paper, json_pack("[o]", row)));
}

static json_t *figure_groups(const ms_report *report)
{
    json_t *groups = json_array();
    for (int k = 0; k < report->n; k++)
        add_to_group(&groups, report->entries[k].paper, ms_report_figure(report, k));
    json_t *group;
    size_t k;
    json_array_foreach (groups, k, group) {
        ms_json_set(&group, "summary", summary(report, ms_report_text(group, "paper")));
    }
    return groups;
}

/* Rows of the errata or the ledger, with the figure that each is about, and its verdict. */
static json_t *row_groups(const ms_report *report, const json_t *rows)
{
    json_t *groups = json_array(), *row;
    size_t k;
    json_array_foreach (rows, k, row) {
        const ms_report_entry *entry = ms_report_find(report, ms_report_text(row, "figure"));
        const char *verdict = json_string_value(json_object_get(row, "verdict"));
        char paper[96];
        json_t *told = json_copy(row);
        if (entry != NULL)
            ms_json_set(&told, "see", ms_json_object("id:s name:s", entry->figure->id, entry->name));
        if (verdict != NULL)
            ms_json_set(&told, "badge", ms_badge_json(verdict));
        ms_report_paper(ms_report_text(row, "paper"), paper, sizeof paper);
        add_to_group(&groups, paper, told);
    }
    return groups;
}

static json_t *ledger_counts(const json_t *ledger)
{
    json_t *list = json_array(), *n;
    const char *status;
    json_object_foreach (json_object_get(ledger, "counts"), status, n) {
        if (json_integer_value(n) > 0)
            ms_json_append(&list, ms_json_object("n:O status:s", n, status));
    }
    return list;
}

/* Those equations that a file, a test or a command names. */
static json_t *named_equations(const json_t *equations)
{
    json_t *list = json_array(), *row;
    size_t k;
    json_array_foreach (json_object_get(equations, "rows"), k, row) {
        char paper[32];
        if (json_array_size(json_object_get(row, "files")) + json_array_size(json_object_get(row, "tests")) +
                json_array_size(json_object_get(row, "commands")) ==
            0)
            continue;
        json_t *told = json_copy(row);
        ms_report_paper_short(ms_report_text(row, "paper"), paper, sizeof paper);
        ms_json_set(&told, "paper_short", json_string(paper));
        ms_json_append(&list, told);
    }
    return list;
}

/* The field ----------------------------------------------------------------------------------------------- */

/* Text with `code` in backquotes, in pieces. */
static json_t *marked(const char *text, size_t length)
{
    json_t *pieces = json_array();
    bool code = false;
    for (const char *c = text, *end = text + length; c <= end; code = !code) {
        const char *mark = memchr(c, '`', (size_t)(end - c));
        const size_t n = mark != NULL ? (size_t)(mark - c) : (size_t)(end - c);
        ms_json_append(&pieces, json_pack("{s:s%, s:b}", "text", c, n, "code", code));
        c += n + 1;
    }
    return ms_json_object("pieces:o", pieces);
}

/* | one | other | as cells. */
static json_t *guide_cells(const char *line, size_t length)
{
    json_t *cells = json_array();
    const char *end = line + length, *bar;
    for (const char *c = line + 1; (bar = memchr(c, '|', (size_t)(end - c))) != NULL; c = bar + 1)
        ms_json_append(&cells, marked(c, (size_t)(bar - c)));
    return cells;
}

/* The table below a heading of the README, whose second line is a rule. */
static json_t *guide(void)
{
    const char *c = strstr(ms_template("README.md"), "\n## Which scheme for what");
    json_t *columns = NULL, *rows = json_array();
    c = c != NULL ? strstr(c, "\n|") : NULL;
    for (int row = 0; c != NULL && c[0] == '\n' && c[1] == '|'; row++) {
        const size_t length = strcspn(c + 1, "\n");
        if (row == 0)
            columns = guide_cells(c + 1, length);
        else if (row > 1)
            ms_json_append(&rows, guide_cells(c + 1, length));
        c += length + 1;
    }
    json_t *lines = json_array(), *cells;
    size_t k;
    json_array_foreach (rows, k, cells) {
        ms_json_append(&lines, ms_json_object("cells:O", cells));
    }
    json_decref(rows);
    return ms_json_object("columns:o rows:o", columns, lines);
}

/* One table a model, in the order of the rows; rows of none are left out. */
static void add_models(json_t *rows, json_t **tables)
{
    const char *before = "";
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row) {
        const char *model = ms_report_text(row, "model");
        if (strcmp(model, before) != 0)
            ms_json_append(tables, ms_table_json(model, rows, "model", 0));
        before = model;
    }
}

/* What each family's best member costs, model by model, as a figure has measured it. */
static json_t *field(const ms_report *report)
{
    const ms_report_entry *entry = ms_report_find(report, measured);
    json_t *answered = entry != NULL ? json_object_get(entry->answer, "tables") : NULL, *rows,
           *tables = json_array(), *remarks = NULL;
    const char *title;
    json_object_foreach (answered, title, rows) {
        add_models(rows, &tables);
    }
    if (answered != NULL)
        remarks = json_object_get(entry->answer, "remarks");
    return ms_json_object("drawn:b picture:o? tables:o remarks:O? command:o", answered != NULL,
                          answered != NULL ? ms_report_picture(report, entry) : NULL, tables, remarks,
                          json_sprintf("macrostep figure %s", measured));
}

/* FMUs and systems of other tools ------------------------------------------------------------------------ */

/* The page shows these members of an item; the answer has them all. */
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

static json_t *foreign(const json_t *answer)
{
    json_t *rows = told(json_object_get(answer, "rows")), *tolerance = json_object_get(answer, "tolerance");
    json_t *page = ms_json_object(
        "tolerance:O* command:s tables:o", tolerance, "make foreign FOLDER=..",
        json_pack("[o, o]", ms_table_json("By folder", json_object_get(answer, "totals"), NULL, 0),
                  ms_table_json("Each of them", rows, NULL, 0)));
    json_decref(rows);
    return page;
}

/* The whole ----------------------------------------------------------------------------------------------- */

json_t *ms_report_page(const ms_report *report)
{
    return ms_json_object(
        "single:b chosen:b appended:b n:i checks_held:l checks_made:l count:o counts:o index:o groups:o "
        "errata:o ledger:o ledger_counts:o ledger_sentences:O? equations:o equation_counts:O? field:o guide:o foreign:o? "
        "explorer:O? program:o",
        report->single_file, report->chosen, report->single_file && !report->chosen, report->n, report->held,
        report->checks, count_by_name(report), count_list(report), index_rows(report), figure_groups(report),
        row_groups(report, report->errata), row_groups(report, json_object_get(report->ledger, "rows")),
        ledger_counts(report->ledger), json_object_get(report->ledger, "sentences"),
        named_equations(report->equations), json_object_get(report->equations, "counts"), field(report),
        guide(), report->foreign != NULL ? foreign(report->foreign) : NULL, report->explorer,
        json_sprintf("macrostep %s, commit %s; %s; %s", ms_version(), ms_commit(), ms_compiler(),
                     ms_library_versions()));
}
