/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample_rows.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "row_names.h"

/* A measured quantity: its name, and its path in a row. */
enum { MEASURES = 5 };

static const struct {
    const char *name, *path;
} measures[MEASURES] = {{"error", "error"},
                        {"growth_predicted", "growth_predicted"},
                        {"growth_observed", "growth_observed"},
                        {"energy_residual", "energy.residual"},
                        {"integrations", "integrations"}};

struct ms_sample_group {
    int known; /* number of rows present */
    int ended; /* of which those that reached their end */
    json_t *head, *reasons;
    double *value[MEASURES]; /* (draws); infinite if unknown */
};

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the sample");
}

static int draws_of(const ms_sample_rows *rows)
{
    return rows->sweep->sample.n;
}

/* Groups ------------------------------------------------------------------------------------------------- */

/* The first draw determines the number of groups; later draws have the same order. */
static int find_places(ms_sample_rows *rows, ms_error *error)
{
    ms_sweep_cursor cursor = {.sweep = rows->sweep};
    ms_sweep_point point = {0};
    long base = 0, next = 0; /* first group of this draw, and group of the next row */
    int last = -1, status = MS_OK;
    bool more = true;
    for (long k = 0; k < rows->n_rows && more && status == MS_OK; k++) {
        status = ms_sweep_next(&cursor, &point, &more, error);
        if (point.draw == 0 && last != 0)
            base = next = rows->n;
        else if (point.draw != last)
            next = base;
        rows->n += point.draw == 0;
        rows->place[k] = next++ * draws_of(rows) + point.draw;
        last = point.draw;
    }
    ms_sweep_point_destroy(&point);
    ms_sweep_cursor_destroy(&cursor);
    return status;
}

static int create_group(ms_sample_group *group, int draws, ms_error *error)
{
    group->reasons = json_object();
    bool whole = group->reasons != NULL;
    for (int m = 0; m < MEASURES; m++) {
        group->value[m] = malloc(sizeof *group->value[m] * (size_t)draws);
        whole = whole && group->value[m] != NULL;
    }
    return whole ? MS_OK : no_memory(error);
}

int ms_sample_rows_create(const ms_sweep *sweep, long n_rows, ms_sample_rows *rows, ms_error *error)
{
    *rows = (ms_sample_rows){.sweep = sweep, .n_rows = n_rows};
    rows->place = malloc(sizeof *rows->place * ((size_t)n_rows + 1));
    int status = rows->place != NULL ? find_places(rows, error) : no_memory(error);
    if (status != MS_OK)
        return status;
    rows->group = calloc((size_t)rows->n + 1, sizeof *rows->group);
    MS_TRY_MEMORY_OR(rows->group != NULL, no_memory(error));
    for (long g = 0; g < rows->n && status == MS_OK; g++)
        status = create_group(&rows->group[g], draws_of(rows), error);
    return status;
}

void ms_sample_rows_destroy(ms_sample_rows *rows)
{
    for (long g = 0; g < rows->n && rows->group != NULL; g++) {
        json_decref(rows->group[g].head);
        json_decref(rows->group[g].reasons);
        for (int m = 0; m < MEASURES; m++)
            free(rows->group[g].value[m]);
    }
    MS_FREE(rows->group, rows->place);
    *rows = (ms_sample_rows){0};
}

/* Rows --------------------------------------------------------------------------------------------------- */

static bool says_nothing(const json_t *text)
{
    return json_string_length(text) == 0;
}

/* Members common to all rows of a group, except measured ones; of texts the first nonempty one is kept. */
static void take_head(ms_sample_group *group, const ms_arguments *arguments, const json_t *row)
{
    static const char *const common[] = {"model", "case", "parameters", "scheme", "message", "note"};
    const bool first = group->head == NULL;
    json_t *head = first ? json_object() : group->head;
    for (int k = 0; k < MS_COUNT(common); k++)
        if (first || (k >= 4 && says_nothing(json_object_get(head, common[k]))))
            ms_json_set(&head, common[k], json_copy(json_object_get(row, common[k])));
    for (int s = 0; s < arguments->n_settings && first; s++)
        if (arguments->distributions[s].kind != MS_DISTRIBUTION_NONE)
            (void)json_object_del(json_object_get(head, "parameters"), arguments->settings[s].parameter);
    group->head = head;
}

static int count_reason(ms_sample_group *group, const json_t *row)
{
    const char *reason = json_string_value(json_object_get(row, "reason"));
    const json_int_t before = json_integer_value(json_object_get(group->reasons, reason));
    group->ended += reason != NULL && strcmp(reason, "end-time") == 0;
    return json_object_set_new(group->reasons, reason, json_integer(before + 1));
}

int ms_sample_rows_take(ms_sample_rows *rows, long k, json_t *row, ms_error *error)
{
    ms_sample_group *group = &rows->group[rows->place[k] / draws_of(rows)];
    const long draw = rows->place[k] % draws_of(rows);
    take_head(group, rows->sweep->arguments, row);
    for (int m = 0; m < MEASURES; m++) {
        const json_t *value = ms_json_at(row, measures[m].path);
        group->value[m][draw] = json_is_number(value) ? json_number_value(value) : INFINITY;
    }
    group->known++;
    return group->head != NULL && count_reason(group, row) == 0 ? MS_OK : no_memory(error);
}

/* The answer --------------------------------------------------------------------------------------------- */

/* The values are sorted. */
static json_t *quantiles_of(int n, double *value)
{
    static const struct {
        const char *name;
        double at;
    } wanted[] = {{"min", 0.0},  {"q05", 0.05}, {"q25", 0.25}, {"median", 0.5},
                  {"q75", 0.75}, {"q95", 0.95}, {"max", 1.0}};
    json_t *quantiles = json_object();
    gsl_sort(value, 1, (size_t)n);
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
        ms_json_set(&quantiles, wanted[k].name, ms_json_real(ms_sample_quantile(n, value, wanted[k].at)));
    return quantiles;
}

static json_t *row_of(const ms_sample_rows *rows, ms_sample_group *group, bool with_values)
{
    json_t *row = ms_json_object(
               "model:O case:O member:n parameters:O scheme:O ended:i reasons:O message:O note:O",
               json_object_get(group->head, "model"), json_object_get(group->head, "case"),
               json_object_get(group->head, "parameters"), json_object_get(group->head, "scheme"),
               group->ended, group->reasons, json_object_get(group->head, "message"),
               json_object_get(group->head, "note")),
           *values = with_values ? json_object() : NULL;
    for (int m = 0; m < MEASURES && with_values; m++)
        ms_json_set(&values, measures[m].name, ms_json_of_vector(draws_of(rows), group->value[m]));
    for (int m = 0; m < MEASURES; m++) /* sorts them */
        ms_json_set(&row, measures[m].name, quantiles_of(draws_of(rows), group->value[m]));
    if (with_values)
        ms_json_set(&row, "values", values);
    return row;
}

/* Names rows separately for each model and case. */
static int name_rows(const json_t *rows)
{
    int status = MS_OK;
    for (size_t k = 0, n = json_array_size(rows), end; k < n && status == MS_OK; k = end) {
        const json_t *first = json_array_get(rows, k);
        json_t *kin = json_array();
        for (end = k; end < n; end++) {
            json_t *row = json_array_get(rows, end);
            if (!json_equal(json_object_get(row, "model"), json_object_get(first, "model")) ||
                !json_equal(json_object_get(row, "case"), json_object_get(first, "case")))
                break;
            ms_json_append(&kin, json_incref(row));
        }
        status = kin != NULL ? ms_row_names_set(kin, NULL) : MS_NO_MEMORY;
        json_decref(kin);
    }
    return status;
}

json_t *ms_sample_rows_answer(ms_sample_rows *rows, bool values)
{
    json_t *answer = json_array();
    for (long g = 0; g < rows->n; g++)
        if (rows->group[g].known == draws_of(rows))
            ms_json_append(&answer, row_of(rows, &rows->group[g], values));
    if (answer != NULL && name_rows(answer) == MS_OK)
        return answer;
    json_decref(answer);
    return NULL;
}

json_t *ms_sample_draws(const ms_sweep *sweep)
{
    const ms_arguments *arguments = sweep->arguments;
    const ms_sample *sample = &sweep->sample;
    json_t *draws = json_object();
    for (int s = 0, d = 0; s < arguments->n_settings; s++) {
        if (arguments->distributions[s].kind == MS_DISTRIBUTION_NONE)
            continue;
        json_t *list = json_array();
        for (int k = 0; k < sample->n; k++)
            ms_json_append(&list, json_real(sample->value[k * sample->dimensions + d]));
        ms_json_set(&draws, arguments->settings[s].parameter, list);
        d++;
    }
    return draws;
}
