/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_checks.c - checks and remarks of a figure file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure_parts.h"

/* What was published -------------------------------------------------------------------------------------- */

/* A path in the published values, in which {LIST} is filled in. */
static int find_path(ms_figure_scope *scope, const char *text, const ms_passage *at, const json_t **value,
                     ms_error *error)
{
    const char *path;
    const int status = ms_figure_text(scope, text, false, &path, error);
    if (status != MS_OK)
        return ms_passage_locate(at, status, error);
    *value = ms_json_at(scope->work->published, path);
    return *value != NULL ? MS_OK : ms_passage_fail(at, error, "nothing was published as %s", path);
}

/* What was measured --------------------------------------------------------------------------------------- */

static int measure(ms_figure_scope *scope, json_t *spec, const ms_passage *at, json_t **value,
                   ms_error *error);

static json_t *column_json(const ms_number_column *column)
{
    if (column->single)
        return ms_check_value(column->value[0]);
    json_t *list = json_array();
    for (size_t k = 0; k < column->n; k++)
        ms_json_append(&list, ms_check_value(column->value[k]));
    return list;
}

/* {"each": FAMILY, "as": KEY, "value": ..}: a member for each member of the family (only those with the same items if the check itself
 * belongs to a member), followed by those of "and"; without "as" a list. */
static int measure_each(const ms_figure_scope *scope, json_t *spec, const ms_passage *at, json_t **value,
                        ms_error *error)
{
    const char *as = json_string_value(json_object_get(spec, "as")), *key = "";
    const ms_passage each_at = ms_passage_member(at, "each"), as_at = ms_passage_member(at, "as"),
                     value_at = ms_passage_member(at, "value");
    const ms_figure_family *family;
    int status = ms_figure_family_get(scope->work, json_object_get(spec, "each"), &each_at, &family, error);
    *value = as != NULL ? json_object() : json_array();
    for (size_t k = 0; status == MS_OK && k < family->n; k++) {
        ms_figure_scope here = {
            .work = scope->work, .family = family, .member = &family->member[k], .moved = scope->moved};
        json_t *one = NULL;
        if (!ms_figure_scope_fits(scope, family, &family->member[k]))
            continue;
        if (as != NULL)
            status = ms_passage_locate(&as_at, ms_figure_text(&here, as, false, &key, error), error);
        MS_THEN(status, measure(&here, json_object_get(spec, "value"), &value_at, &one, error));
        if (status == MS_OK && as != NULL)
            ms_json_set(value, key, one);
        else if (status == MS_OK)
            ms_json_append(value, one);
    }
    return status;
}

/* Appends the members of spec to those present. */
static int measure_members(ms_figure_scope *scope, json_t *spec, const ms_passage *at, json_t **value,
                           ms_error *error)
{
    const char *key, *filled;
    json_t *inner;
    json_object_foreach (spec, key, inner) {
        const ms_passage here = ms_passage_member(at, key);
        json_t *one = NULL;
        int status = ms_passage_locate(&here, ms_figure_text(scope, key, false, &filled, error), error);
        MS_THEN(status, measure(scope, inner, &here, &one, error));
        if (status != MS_OK)
            return status;
        ms_json_set(value, filled, one);
    }
    return MS_OK;
}

static int measure_list(ms_figure_scope *scope, json_t *spec, const ms_passage *at, json_t **value,
                        ms_error *error)
{
    *value = json_array();
    for (size_t k = 0; k < json_array_size(spec); k++) {
        const ms_passage here = ms_passage_element(at, k);
        json_t *one = NULL;
        MS_TRY(measure(scope, json_array_get(spec, k), &here, &one, error));
        ms_json_append(value, one);
    }
    return MS_OK;
}

/* {"text": ..} */
static int measure_text(ms_figure_scope *scope, const json_t *text, const ms_passage *at, json_t **value,
                        ms_error *error)
{
    const char *filled;
    if (!json_is_string(text))
        return ms_passage_fail(at, error, "a text is expected");
    const int status = ms_figure_text(scope, json_string_value(text), false, &filled, error);
    if (status == MS_OK)
        *value = ms_json_text(filled);
    return ms_passage_locate(at, status, error);
}

/* Evaluates a number, a list of an expression, or objects and lists of these. *value may be set even on failure. */
static int measure(ms_figure_scope *scope, json_t *spec, const ms_passage *at, json_t **value,
                   ms_error *error)
{
    ms_number_column column;
    if (json_is_object(spec) && json_object_get(spec, "each") != NULL) {
        const ms_passage and_at = ms_passage_member(at, "and");
        if (json_object_get(spec, "and") != NULL && json_object_get(spec, "as") == NULL)
            return ms_passage_fail(&and_at, error, "needs as");
        const int status = measure_each(scope, spec, at, value, error);
        return status == MS_OK ? measure_members(scope, json_object_get(spec, "and"), &and_at, value, error)
                               : status;
    }
    if (json_is_object(spec) && json_object_get(spec, "text") != NULL)
        return measure_text(scope, json_object_get(spec, "text"), at, value, error);
    if (json_is_object(spec))
        *value = json_object();
    if (json_is_object(spec))
        return measure_members(scope, spec, at, value, error);
    if (json_is_array(spec))
        return measure_list(scope, spec, at, value, error);
    if (spec == NULL)
        return MS_OK;
    const int status = ms_figure_column(scope, spec, at, &column, error);
    if (status == MS_OK)
        *value = column_json(&column);
    ms_number_column_free(&column);
    return status;
}

/* "published" is a number, a path, {"text": ..}, or {"measured": ..}, which is itself measured and owned by *made. *value is
 * borrowed; NULL: nothing was published. */
static int find_published(ms_figure_scope *scope, const json_t *spec, const ms_passage *at,
                          const json_t **value, json_t **made, ms_error *error)
{
    const ms_passage here = ms_passage_member(at, "published"),
                     measured_at = ms_passage_member(&here, "measured");
    *value = json_object_get(spec, "published");
    json_t *measured = json_object_get(*value, "measured");
    if (json_is_string(*value))
        return find_path(scope, json_string_value(*value), &here, value, error);
    if (json_object_get(*value, "text") != NULL)
        *value = json_object_get(*value, "text");
    if (measured == NULL)
        return MS_OK;
    const int status = measure(scope, measured, &measured_at, made, error);
    *value = *made;
    return status;
}

/* Checks -------------------------------------------------------------------------------------------------- */

static const ms_figure_check_kind *kind_of(const json_t *spec)
{
    const char *name = json_string_value(json_object_get(spec, "kind"));
    const ms_figure_check_kind *kind = ms_figure_check_kinds;
    while (kind->name != NULL && strcmp(kind->name, name) != 0)
        kind++;
    return kind;
}

static int fill_text(ms_figure_scope *scope, const json_t *spec, const char *key, const ms_passage *at,
                     const char **text, ms_error *error)
{
    const json_t *given = json_object_get(spec, key);
    const ms_passage here = ms_passage_member(at, key);
    *text = "";
    return given != NULL
               ? ms_passage_locate(&here, ms_figure_text(scope, json_string_value(given), false, text, error),
                                   error)
               : MS_OK;
}

static int fill_number(ms_figure_scope *scope, const json_t *spec, const char *key, const ms_passage *at,
                       double *value, ms_error *error)
{
    const json_t *given = json_object_get(spec, key);
    const ms_passage here = ms_passage_member(at, key);
    return given != NULL ? ms_figure_one(scope, given, &here, value, error) : MS_OK;
}

/* "runs" and "range". */
static int fill_ensemble(ms_figure_scope *scope, json_t *spec, const ms_passage *at, ms_filled_check *check,
                         ms_error *error)
{
    const ms_passage runs = ms_passage_member(at, "runs"), range = ms_passage_member(at, "range");
    MS_TRY(measure(scope, json_object_get(spec, "runs"), &runs, &check->runs, error));
    if (!scope->work->dry && kind_of(spec)->of_nine && json_array_size(check->runs) != MS_ENSEMBLE)
        MS_TRY(ms_passage_fail(&runs, error, "the numbers of nine runs are expected, not of %zu",
                               json_array_size(check->runs)));
    return measure(scope, json_object_get(spec, "range"), &range, &check->range, error);
}

static int fill(ms_figure_scope *scope, json_t *spec, const ms_passage *at, ms_filled_check *check,
                ms_error *error)
{
    const ms_passage measured = ms_passage_member(at, "measured"),
                     tolerance = ms_passage_member(at, "tolerance");
    MS_TRY(fill_text(scope, spec, "what", at, &check->what, error));
    MS_TRY(fill_text(scope, spec, "note", at, &check->note, error));
    MS_TRY(fill_text(scope, spec, "expected", at, &check->expected, error));
    MS_TRY(find_published(scope, spec, at, &check->published, &check->made, error));
    MS_TRY(measure(scope, json_object_get(spec, "measured"), &measured, &check->measured, error));
    if (kind_of(spec)->of_a_number && !json_is_number(check->measured) && !json_is_null(check->measured))
        MS_TRY(ms_passage_fail(&measured, error, "one number is expected"));
    MS_TRY(measure(scope, json_object_get(spec, "tolerance"), &tolerance, &check->tolerance, error));
    MS_TRY(fill_number(scope, spec, "holds", at, &check->holds, error));
    MS_TRY(fill_ensemble(scope, spec, at, check, error));
    return fill_number(scope, spec, "determined", at, &check->determined, error);
}

/* " 15 of 15 runs of motion ended as diverged.": for each family with runs that ended early, with the reason of the first. */
static void tell_ends(const ms_figure_work *work, char *text, size_t size)
{
    for (int k = 0; k < work->n; k++) {
        const ms_figure_family *family = &work->family[k];
        const char *why = NULL;
        size_t runs = 0, ended = 0;
        for (size_t j = 0; j < family->n; j++) {
            const char *reason = json_string_value(json_object_get(family->member[j].answer, "reason"));
            runs += reason != NULL;
            if (reason == NULL || strcmp(reason, "end-time") == 0 ||
                (why != NULL && strcmp(why, reason) != 0))
                continue;
            why = reason;
            ended++;
        }
        const size_t used = strlen(text);
        if (why != NULL)
            snprintf(text + used, size - used, " %zu of %zu runs of %s ended as %s.", ended, runs,
                     family->name, why);
    }
}

/* The note of a check whose value is not a number. */
static int tell_no_number(const ms_figure_scope *scope, ms_filled_check *check, ms_error *error)
{
    char ends[512] = "";
    tell_ends(scope->work, ends, sizeof ends);
    check->note = ms_drawing_text(scope->work->drawing, "%s%sThe measured value is not a number.%s",
                                  check->note, *check->note != '\0' ? " " : "", ends);
    return check->note != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
}

static bool is_true(double value)
{
    return value != 0.0 && !isnan(value);
}

static void release(ms_filled_check *check)
{
    json_decref(check->runs);
    json_decref(check->range);
    json_decref(check->made);
}

/* Moved values -------------------------------------------------------------------------------------------- */

/* A number is measured as it was published, and so are all nine of an ensemble. */
static void take_published(const ms_figure_check_kind *kind, ms_filled_check *check)
{
    const json_t *published =
        json_is_array(check->published) ? json_array_get(check->published, 0) : check->published;
    if (!json_is_number(published))
        return;
    if (kind->of_a_number) {
        json_decref(check->measured);
        check->measured = json_real(json_number_value(published));
    }
    for (size_t k = 0; kind->of_nine && k < json_array_size(check->runs); k++)
        json_array_set_new(check->runs, k, json_real(json_number_value(published)));
}

/* The verdict alone; "" if the check cannot be filled in. */
static int verdict_of(ms_figure_scope *scope, json_t *spec, const ms_passage *at, char verdict[32],
                      ms_error *error)
{
    ms_filled_check check = {.determined = 1.0};
    ms_drawing *alone = NULL;
    ms_error refused;
    int status = ms_drawing_create(&scope->work->file->figure, NULL, &alone, error);
    verdict[0] = '\0';
    if (status == MS_OK && fill(scope, spec, at, &check, &refused) == MS_OK) {
        if (scope->moved == MS_FIGURE_AS_PUBLISHED)
            take_published(kind_of(spec), &check);
        kind_of(spec)->give(alone, &check);
        json_t *answer = ms_drawing_answer(alone);
        const char *word = json_string_value(ms_json_at(answer, "checks.0.verdict"));
        snprintf(verdict, 32, "%s", word != NULL ? word : "");
        json_decref(answer);
    }
    release(&check);
    ms_drawing_destroy(&alone);
    return status;
}

/* From another verdict than reproduced or not determined, only to reproduced. */
static bool is_change(const char *verdict, const char *other)
{
    const bool open = strcmp(verdict, "not-determined") == 0 || strcmp(verdict, "reproduced") == 0;
    return other[0] != '\0' && (strcmp(other, open ? verdict : "reproduced") != 0) == open;
}

/* A passed check is refused if no change of the measured values changes its verdict: it could not have failed. Others are remembered for a
 * test: what would be reproduced may lie between the moves. */
static int try_moves(const ms_figure_scope *scope, json_t *spec, const ms_passage *at, const char *what,
                     ms_error *error)
{
    char verdict[32], other[32] = "";
    ms_figure_scope moved = *scope;
    int status = verdict_of(&moved, spec, at, verdict, error);
    bool changed = false;
    for (moved.moved = 1; moved.moved <= MS_FIGURE_AS_PUBLISHED && !changed && status == MS_OK;
         moved.moved++) {
        status = verdict_of(&moved, spec, at, other, error);
        changed = is_change(verdict, other);
    }
    if (status == MS_OK && !changed && strcmp(verdict, "reproduced") == 0)
        return ms_passage_fail(
            at, error, "a check that can fail is expected; this one is reproduced whatever is measured");
    if (!changed)
        ms_judge_stuck(scope->work->drawing, what);
    return status;
}

/* One check ----------------------------------------------------------------------------------------------- */

static int make_check(ms_figure_scope *scope, json_t *spec, const ms_passage *at, ms_error *error)
{
    ms_filled_check check = {.determined = 1.0};
    double wanted = 1.0;
    int status = fill_number(scope, spec, "where", at, &wanted, error);
    if (status == MS_OK && is_true(wanted))
        status = fill(scope, spec, at, &check, error);
    if (status == MS_OK && is_true(wanted) && !scope->work->dry && kind_of(spec)->of_a_number &&
        json_is_null(check.measured))
        status = tell_no_number(scope, &check, error);
    if (status == MS_OK && is_true(wanted) && !scope->work->dry) {
        kind_of(spec)->give(scope->work->drawing, &check);
    } else {
        json_decref(check.measured);
        json_decref(check.tolerance);
    }
    release(&check);
    const bool judged = strcmp(kind_of(spec)->name, "undetermined") != 0;
    if (status == MS_OK && is_true(wanted) && !scope->work->dry && judged)
        status = try_moves(scope, spec, at, check.what, error);
    return status;
}

/* One check, or the list of "checks". */
static int make_all(ms_figure_scope *scope, json_t *spec, const ms_passage *at, ms_error *error)
{
    json_t *checks = json_object_get(spec, "checks");
    const ms_passage list = ms_passage_member(at, "checks");
    int status = checks == NULL ? make_check(scope, spec, at, error) : MS_OK;
    for (size_t k = 0; k < json_array_size(checks) && status == MS_OK; k++) {
        const ms_passage here = ms_passage_element(&list, k);
        status = make_check(scope, json_array_get(checks, k), &here, error);
    }
    return status;
}

/* Once, or once per member of "each". */
static int make_checks(ms_figure_work *work, json_t *spec, const ms_passage *at, ms_error *error)
{
    const json_t *each = json_object_get(spec, "each");
    const ms_passage each_at = ms_passage_member(at, "each");
    const ms_figure_family *family = NULL;
    int status = each != NULL ? ms_figure_family_get(work, each, &each_at, &family, error) : MS_OK;
    for (size_t k = 0; k < (family != NULL ? family->n : 1) && status == MS_OK; k++) {
        ms_figure_scope scope = {
            .work = work, .family = family, .member = family != NULL ? &family->member[k] : NULL};
        status = make_all(&scope, spec, at, error);
    }
    return status;
}

/* A text, or {"each": FAMILY, "text": ..}: one per member. */
static int make_remark(ms_figure_work *work, const json_t *spec, const ms_passage *at, ms_error *error)
{
    const json_t *each = json_object_get(spec, "each"),
                 *text = each != NULL ? json_object_get(spec, "text") : spec;
    const ms_passage each_at = ms_passage_member(at, "each");
    const ms_figure_family *family = NULL;
    int status = each != NULL ? ms_figure_family_get(work, each, &each_at, &family, error) : MS_OK;
    for (size_t k = 0; k < (family != NULL ? family->n : 1) && status == MS_OK; k++) {
        ms_figure_scope scope = {
            .work = work, .family = family, .member = family != NULL ? &family->member[k] : NULL};
        const char *filled;
        status = ms_passage_locate(at, ms_figure_text(&scope, json_string_value(text), false, &filled, error),
                                   error);
        if (status == MS_OK && !work->dry && *filled != '\0')
            ms_drawing_remark(work->drawing, "%s", filled);
    }
    return status;
}

static int make_remarks(ms_figure_work *work, const char *member, const ms_passage *file, ms_error *error)
{
    const json_t *remarks = json_object_get(work->file->spec, member);
    const ms_passage at = ms_passage_member(file, member);
    int status = MS_OK;
    for (size_t k = 0; k < json_array_size(remarks) && status == MS_OK; k++) {
        const ms_passage here = ms_passage_element(&at, k);
        status = make_remark(work, json_array_get(remarks, k), &here, error);
    }
    return status;
}

int ms_figure_checks_make(ms_figure_work *work, ms_error *error)
{
    const json_t *checks = json_object_get(work->file->spec, "checks");
    const ms_passage file = ms_figure_whole(work), at = ms_passage_member(&file, "checks");
    for (size_t k = 0; k < json_array_size(checks); k++) {
        const ms_passage here = ms_passage_element(&at, k);
        MS_TRY(make_checks(work, json_array_get(checks, k), &here, error));
    }
    for (int k = 0; k < MS_FIGURE_REMARKS; k++)
        MS_TRY(make_remarks(work, ms_figure_remarks[k], &file, error));
    return MS_OK;
}
