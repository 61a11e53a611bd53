/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_families.c - runs and groups of a figure file, member by member. */
#include <stdlib.h>
#include <string.h>

#include "figure_parts.h"
#include "nearest.h"

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
}

/* Lists --------------------------------------------------------------------------------------------------- */

static int add_list(const ms_figure_work *work, ms_figure_family *family, const json_t *word,
                    const ms_passage *at, ms_error *error)
{
    json_t *lists = json_object_get(work->file->spec, "lists");
    const char *name = json_string_value(word), *names[64], *key;
    json_t *value;
    int n = 0;
    if (name == NULL)
        return ms_passage_fail(at, error, "the name of a list is expected");
    json_object_foreach (lists, key, value)
        if (n < 64)
            names[n++] = key;
    const json_t *items = json_object_get(lists, name);
    if (items == NULL)
        return n > 0 ? ms_passage_fail(at, error, "unknown list %s; the nearest is %s", name,
                                       ms_nearest(name, names, n))
                     : ms_passage_fail(at, error, "unknown list %s; the file has no lists", name);
    if (family->n_lists == MS_FIGURE_LISTS)
        return ms_passage_fail(at, error, "a run goes over more than %d lists", MS_FIGURE_LISTS);
    family->list[family->n_lists] = name;
    family->items[family->n_lists++] = items;
    return MS_OK;
}

/* A member for each combination; the last list varies fastest. */
static int make_members(ms_figure_family *family, const ms_passage *at, ms_error *error)
{
    family->n = 1;
    for (int j = 0; j < family->n_lists; j++)
        if ((family->n *= ms_figure_items(family->items[j])) > MS_FIGURE_MEMBERS)
            return ms_passage_fail(at, error, "more than %d combinations", MS_FIGURE_MEMBERS);
    family->member = calloc(family->n + 1, sizeof *family->member);
    MS_TRY_MEMORY_OR(family->member != NULL, no_memory(error));
    for (size_t k = 0; k < family->n; k++) {
        size_t rest = k;
        for (int j = family->n_lists - 1; j >= 0; j--) {
            family->member[k].item[j] = rest % ms_figure_items(family->items[j]);
            rest /= ms_figure_items(family->items[j]);
        }
    }
    return MS_OK;
}

/* Keeps members for which "where" holds, and in a group those that have rows. */
static int choose_members(const ms_figure_work *work, ms_figure_family *family, const ms_passage *at,
                          ms_error *error)
{
    const json_t *where = json_object_get(family->spec, "where");
    const ms_passage here = ms_passage_member(at, "where");
    size_t kept = 0;
    int status = MS_OK;
    for (size_t k = 0; k < family->n && status == MS_OK; k++) {
        ms_figure_scope scope = {.work = work, .family = family, .member = &family->member[k]};
        double wanted = ms_figure_member_has_rows(family, &family->member[k]);
        if (where != NULL && wanted != 0.0)
            status = ms_figure_one(&scope, where, &here, &wanted, error);
        if (status == MS_OK && wanted != 0.0)
            family->member[kept++] = family->member[k];
    }
    family->n = kept;
    return status;
}

static int begin(ms_figure_work *work, const char *name, json_t *spec, const ms_figure_family *of,
                 const ms_passage *at, ms_figure_family *family, ms_error *error)
{
    json_t *over = json_object_get(spec, "over");
    const ms_passage over_at = ms_passage_member(at, "over");
    *family = (ms_figure_family){.name = name, .spec = spec, .of = of};
    int status = MS_OK;
    for (size_t k = 0; k < json_array_size(over) && status == MS_OK; k++) {
        const ms_passage here = ms_passage_element(&over_at, k);
        status = add_list(work, family, json_array_get(over, k), &here, error);
    }
    MS_THEN(status, make_members(family, &over_at, error));
    MS_THEN(status, choose_members(work, family, at, error));
    if (status != MS_OK)
        free(family->member);
    return status;
}

/* Values -------------------------------------------------------------------------------------------------- */

/* Each value may use those before it. */
static int make_values(ms_figure_scope *scope, ms_figure_member *member, json_t *values, const ms_passage *at,
                       ms_error *error)
{
    const char *name;
    json_t *text;
    int status = MS_OK;
    member->value = calloc(json_object_size(values) + 1, sizeof *member->value);
    MS_TRY_MEMORY_OR(member->value != NULL, no_memory(error));
    json_object_foreach (values, name, text) {
        const ms_passage here = ms_passage_member(at, name);
        status = ms_figure_column(scope, text, &here, &member->value[member->n].column, error);
        if (status != MS_OK)
            return status;
        member->value[member->n++].name = name;
    }
    return status;
}

/* Fills in "command" and "shown" of this member, and runs it. */
static int run_member(ms_figure_scope *scope, const ms_passage *at, ms_figure_source *source, ms_error *error)
{
    json_t *spec = scope->family->spec;
    const char *typed = json_string_value(json_object_get(spec, "command")),
               *given = json_string_value(json_object_get(spec, "shown")),
               *shown_as = given != NULL || scope->work->systems.folder == NULL ? given : typed,
               *command = NULL, *shown = NULL;
    const ms_passage here = ms_passage_member(at, "command");
    int status = ms_figure_text(scope, typed, true, &command, error);
    scope->shown = true;
    if (status == MS_OK && shown_as != NULL)
        status = ms_figure_text(scope, shown_as, true, &shown, error);
    scope->shown = false;
    if (status == MS_OK && shown != NULL)
        shown = ms_drawing_text(scope->work->drawing, "macrostep %s", shown);
    MS_THEN(status, ms_figure_source_run(scope, command, shown, source, error));
    if (status == MS_UNSUPPORTED && json_is_true(json_object_get(spec, "optional"))) {
        source->answer = json_null();
        status = MS_OK;
    }
    return ms_passage_locate(&here, status, error);
}

static int make_member(ms_figure_work *work, ms_figure_family *family, ms_figure_member *member,
                       const ms_passage *at, ms_error *error)
{
    ms_figure_source source = {0};
    ms_figure_scope scope = {.work = work, .family = family, .member = member};
    const ms_passage values = ms_passage_member(at, "values");
    int status = MS_OK;
    if (family->of == NULL) {
        scope.source = &source;
        status = run_member(&scope, at, &source, error);
    }
    MS_THEN(status, make_values(&scope, member, json_object_get(family->spec, "values"), &values, error));
    member->answer = json_incref(source.answer);
    ms_figure_source_free(&source);
    return status;
}

/* A family uses only families before it, which exist already. */
static int make_family(ms_figure_work *work, const char *name, json_t *spec, bool group, const ms_passage *at,
                       ms_error *error)
{
    const ms_passage here = ms_passage_member(at, name), of = ms_passage_member(&here, "of");
    const ms_figure_family *source = NULL;
    int status = MS_OK;
    if (ms_figure_family_find(work, name, strlen(name)) != NULL)
        return ms_passage_fail(&here, error, "a run and a group have the same name");
    if (group)
        status = ms_figure_family_get(work, json_object_get(spec, "of"), &of, &source, error);
    ms_figure_family *family = &work->family[work->n];
    MS_THEN(status, begin(work, name, spec, source, &here, family, error));
    if (status != MS_OK)
        return status;
    work->n++;
    for (size_t k = 0; k < family->n && status == MS_OK; k++)
        status = make_member(work, family, &family->member[k], &here, error);
    return status;
}

static int make_kind(ms_figure_work *work, const char *kind, ms_error *error)
{
    const ms_passage file = ms_figure_whole(work), at = ms_passage_member(&file, kind);
    const char *name;
    json_t *spec;
    int status = MS_OK;
    json_object_foreach (json_object_get(work->file->spec, kind), name, spec) {
        status = make_family(work, name, spec, strcmp(kind, "groups") == 0, &at, error);
        if (status != MS_OK)
            return status;
    }
    return MS_OK;
}

int ms_figure_families_make(ms_figure_work *work, ms_error *error)
{
    json_t *spec = work->file->spec;
    const ms_passage file = ms_figure_whole(work), at = ms_passage_member(&file, "values");
    ms_figure_scope scope = {.work = work};
    work->family = calloc(json_object_size(json_object_get(spec, "runs")) +
                              json_object_size(json_object_get(spec, "groups")) + 1,
                          sizeof *work->family);
    MS_TRY_MEMORY_OR(work->family != NULL, no_memory(error));
    MS_TRY(make_kind(work, "runs", error));
    MS_TRY(make_kind(work, "groups", error));
    return make_values(&scope, &work->whole, json_object_get(spec, "values"), &at, error);
}

static void free_member(ms_figure_member *member)
{
    for (size_t k = 0; k < member->n; k++)
        ms_number_column_free(&member->value[k].column);
    free(member->value);
    json_decref(member->answer);
    *member = (ms_figure_member){0};
}

void ms_figure_families_free(ms_figure_work *work)
{
    for (int k = 0; k < work->n; k++) {
        for (size_t i = 0; i < work->family[k].n; i++)
            free_member(&work->family[k].member[i]);
        free(work->family[k].member);
    }
    free(work->family);
    free_member(&work->whole);
    work->family = NULL;
    work->n = 0;
}
