/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ledger.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "drawing.h"
#include "figure_registry.h"
#include "json.h"
#include "nearest.h"
#include "published.h"

enum { PATH_LENGTH = 4096, NAME_LENGTH = 128, PAPERS_MAX = 32 };

static const char ending[] = "_ledger.json";

static const char *const statuses[] = {"fair",    "deviates", "too-kind", "too-strict",
                                       "missing", "no-check", "not-drawn"};
enum { FAIR, DEVIATES, TOO_KIND, TOO_STRICT, MISSING, NO_CHECK, NOT_DRAWN, STATUSES };

/* Answers by ID as they are read, null if there is none. */
typedef struct reader {
    const char *directory;
    json_t *answers;
} reader;

/* What is found of an item. */
typedef struct finding {
    int status;
    const char *verdict, *why; /* NULL: none */
    json_t *checks;            /* names of its checks; owned */
} finding;

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static const json_t *answer_of(reader *read, const char *id)
{
    const json_t *known = json_object_get(read->answers, id);
    if (known != NULL)
        return known;
    const ms_figure *figure = ms_figure_find(id);
    char name[NAME_LENGTH], path[PATH_LENGTH];
    json_t *answer = NULL;
    if (figure != NULL) {
        ms_figure_name(figure, name, sizeof name);
        snprintf(path, sizeof path, "%s/figures/%s.json", read->directory, name);
        answer = json_load_file(path, 0, NULL);
    }
    json_object_set_new(read->answers, id, answer != NULL ? answer : json_null());
    return json_object_get(read->answers, id);
}

/* Verdicts ------------------------------------------------------------------------------------------------ */

static int weight_of(const char *verdict)
{
    int k = MS_VERDICTS - 1;
    while (k >= 0 && (verdict == NULL || strcmp(verdict, ms_verdict_name((ms_verdict)k)) != 0))
        k--;
    return k;
}

/* Does the name have the part, from the beginning of a word? */
static bool has_part(const char *name, const char *part)
{
    for (const char *c = strstr(name, part); c != NULL; c = strstr(c + 1, part))
        if (c == name || !isalpha((unsigned char)c[-1]))
            return true;
    return false;
}

/* Is it of that name; where no check is, does it have the part? */
static bool is_called(const json_t *check, const char *part, bool whole)
{
    const char *what = text_of(check, "what");
    return what != NULL && (whole ? strcmp(what, part) == 0 : has_part(what, part));
}

static bool take_checks(const json_t *checks, const char *part, bool whole, finding *found)
{
    size_t k;
    json_t *check;
    bool any = false;
    json_array_foreach (checks, k, check) {
        if (!is_called(check, part, whole))
            continue;
        const char *verdict = text_of(check, "verdict");
        any = true;
        ms_json_append(&found->checks, json_incref(json_object_get(check, "what")));
        if (weight_of(verdict) > weight_of(found->verdict))
            found->verdict = verdict;
    }
    return any;
}

static void judge(const json_t *item, const json_t *answer, finding *found)
{
    const json_t *parts = json_object_get(item, "checks"), *checks = json_object_get(answer, "checks");
    size_t k;
    json_t *part;
    found->verdict = parts == NULL ? text_of(answer, "status") : NULL;
    json_array_foreach (parts, k, part) {
        const char *name = json_string_value(part);
        if (!take_checks(checks, name, true, found) && !take_checks(checks, name, false, found)) {
            found->status = MISSING;
            found->why = "the figure has no such check";
            return;
        }
    }
    const int weight = weight_of(found->verdict);
    const char *unfair = text_of(item, "unfair");
    found->status = unfair != NULL ? (strcmp(unfair, "too kind") == 0 ? TOO_KIND : TOO_STRICT)
                    : weight >= MS_EXPECTATION_MISSED ? DEVIATES
                                                      : FAIR;
}

static void find(reader *read, const json_t *item, finding *found)
{
    const char *figure = text_of(item, "figure");
    const json_t *answer = figure != NULL ? answer_of(read, figure) : NULL;
    *found = (finding){.status = MISSING, .why = text_of(item, "why"), .checks = json_array()};
    if (text_of(item, "no_check") != NULL) {
        found->status = NO_CHECK;
        found->why = text_of(item, "no_check");
    } else if (figure == NULL) {
        found->why = text_of(item, "missing");
    } else if (!json_is_object(answer)) {
        found->status = NOT_DRAWN;
    } else {
        judge(item, answer, found);
    }
}

/* Rows ---------------------------------------------------------------------------------------------------- */

json_t *ms_ledger_command(const json_t *item)
{
    const char *figure = text_of(item, "figure"), *command = text_of(item, "command");
    return figure != NULL    ? json_sprintf("macrostep figure %s", figure)
           : command != NULL ? json_string(command)
                             : json_null();
}

static void add_item(reader *read, const char *paper, size_t place, const json_t *item, json_t **rows,
                     int counts[STATUSES])
{
    finding found;
    find(read, item, &found);
    counts[found.status]++;
    ms_json_append(
        rows, ms_json_object(
                  "paper:s item:I place:O printed:O command:o figure:s? check:O? verdict:s? status:s why:s? "
                  "readings:O? settled:O?",
                  paper, (json_int_t)place, json_object_get(item, "place"), json_object_get(item, "printed"),
                  ms_ledger_command(item), text_of(item, "figure"), found.checks, found.verdict,
                  statuses[found.status], found.why, json_object_get(item, "readings"),
                  json_object_get(item, "settled")));
    json_decref(found.checks);
}

static bool is_ledger(const ms_published *file)
{
    const size_t length = strlen(file->name), size = sizeof ending - 1;
    return length > size && strcmp(file->name + length - size, ending) == 0;
}

static int unknown(const char *paper, ms_error *error)
{
    static char names[PAPERS_MAX][NAME_LENGTH];
    const char *name[PAPERS_MAX];
    int n = 0;
    for (const ms_published *file = ms_published_files; file->name != NULL && n < PAPERS_MAX; file++)
        if (is_ledger(file)) {
            snprintf(names[n], NAME_LENGTH, "%.*s", (int)(strlen(file->name) - (sizeof ending - 1)),
                     file->name);
            name[n] = names[n];
            n++;
        }
    return ms_fail(error, MS_INVALID, "ledger: unknown paper %s; the nearest is %s", paper,
                   ms_nearest(paper, name, n));
}

int ms_ledger_items(const char *paper, json_t **items, ms_error *error)
{
    *items = json_object();
    for (const ms_published *file = ms_published_files; file->name != NULL; file++) {
        const size_t length = strlen(file->name) - (sizeof ending - 1);
        char name[NAME_LENGTH];
        if (!is_ledger(file) ||
            (paper != NULL && (strlen(paper) != length || strncmp(file->name, paper, length) != 0)))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, file->name);
        ms_json_set(items, name, json_loadb((const char *)file->data, file->size, 0, NULL));
    }
    const int status = *items == NULL ? MS_NO_MEMORY : json_object_size(*items) == 0 ? MS_INVALID : MS_OK;
    if (status == MS_OK)
        return MS_OK;
    json_decref(*items);
    *items = NULL;
    return status == MS_INVALID ? unknown(paper, error)
                                : ms_fail(error, MS_NO_MEMORY, "not enough memory for the ledger");
}

static json_t *counts_json(const int counts[STATUSES])
{
    json_t *object = json_object();
    for (int k = 0; k < STATUSES; k++)
        ms_json_set(&object, statuses[k], json_integer(counts[k]));
    return object;
}

/* How many items have sentences, by what says how they hang on a reading of the text. */
static json_t *sentences_json(const json_t *rows)
{
    json_int_t readings = 0, settled = 0;
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row) {
        readings += json_is_array(json_object_get(row, "readings"));
        settled += json_is_string(json_object_get(row, "settled"));
    }
    return json_pack("{s:I, s:I}", "readings", readings, "settled", settled);
}

int ms_ledger(const char *directory, const char *paper, json_t **ledger, ms_error *error)
{
    reader read = {.directory = directory, .answers = json_object()};
    json_t *rows = json_array(), *papers, *items, *item;
    int counts[STATUSES] = {0};
    const char *name;
    size_t k;
    const int status = ms_ledger_items(paper, &papers, error);
    json_object_foreach (papers, name, items) {
        json_array_foreach (items, k, item) {
            add_item(&read, name, k + 1, item, &rows, counts);
        }
    }
    json_decref(read.answers);
    json_decref(papers);
    if (status != MS_OK) {
        json_decref(rows);
        return status;
    }
    *ledger = ms_json_object("rows:o sentences:o counts:o", rows, sentences_json(rows), counts_json(counts));
    return *ledger != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the ledger");
}
