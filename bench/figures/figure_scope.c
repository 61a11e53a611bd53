/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_scope.c - resolves the names of an expression. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure_parts.h"
#include "nearest.h"

/* Items --------------------------------------------------------------------------------------------------- */

size_t ms_figure_items(const json_t *items)
{
    return json_is_object(items) ? json_object_size(items) : json_array_size(items);
}

const json_t *ms_figure_item(const json_t *items, size_t k)
{
    const char *key;
    json_t *value;
    size_t at = 0;
    if (!json_is_object(items))
        return json_array_get(items, k);
    json_object_foreach ((json_t *)items, key, value)
        if (at++ == k)
            return value;
    return NULL;
}

const char *ms_figure_item_name(const json_t *items, size_t k, char name[MS_FIGURE_ITEM])
{
    const json_t *item = ms_figure_item(items, k);
    const char *key;
    json_t *value;
    size_t at = 0;
    if (json_is_object(items)) {
        json_object_foreach ((json_t *)items, key, value)
            if (at++ == k)
                return key;
    }
    if (json_is_string(item))
        return json_string_value(item);
    snprintf(name, MS_FIGURE_ITEM, "%g", json_number_value(item));
    return name;
}

/* Does the path begin with that word? */
static bool begins(const char *path, const char *word, size_t *length)
{
    *length = strlen(word);
    return strncmp(path, word, *length) == 0 && (path[*length] == '.' || path[*length] == '\0');
}

/* The item at the beginning of the path, by name, or by index from 1; -1: none. *length: its letters. */
static long find_item(const json_t *items, const char *path, bool by_place, size_t *length)
{
    char buffer[MS_FIGURE_ITEM];
    for (size_t k = 0; k < ms_figure_items(items); k++) {
        if (by_place)
            snprintf(buffer, sizeof buffer, "%zu", k + 1);
        if (begins(path, by_place ? buffer : ms_figure_item_name(items, k, buffer), length))
            return (long)k;
    }
    return -1;
}

/* Families ------------------------------------------------------------------------------------------------ */

enum { FREE = -1 };

/* Selects members: the index of an item in each list, or FREE. */
typedef struct filter {
    long item[MS_FIGURE_LISTS];
} filter;

static filter filter_none(void)
{
    filter all;
    for (int j = 0; j < MS_FIGURE_LISTS; j++)
        all.item[j] = FREE;
    return all;
}

static int list_index(const ms_figure_family *family, const char *name)
{
    for (int j = 0; j < family->n_lists; j++)
        if (strcmp(family->list[j], name) == 0)
            return j;
    return -1;
}

static bool has_field(const json_t *items, const char *field)
{
    for (size_t k = 0; k < ms_figure_items(items); k++)
        if (json_object_get(ms_figure_item(items, k), field) != NULL)
            return true;
    return false;
}

bool ms_figure_field(const ms_figure_family *family, const ms_figure_member *member, const char *name,
                     const json_t **says)
{
    for (int j = 0; j < family->n_lists; j++) {
        const size_t n = strlen(family->list[j]);
        if (strncmp(name, family->list[j], n) != 0 || name[n] != '.' ||
            !has_field(family->items[j], name + n + 1))
            continue;
        *says = json_object_get(ms_figure_item(family->items[j], member->item[j]), name + n + 1);
        return true;
    }
    return false;
}

static bool passes(const ms_figure_family *family, const ms_figure_member *member, const filter *only)
{
    for (int j = 0; j < family->n_lists; j++)
        if (only->item[j] != FREE && (size_t)only->item[j] != member->item[j])
            return false;
    return true;
}

static const ms_figure_value *value_of(const ms_figure_member *member, const char *name)
{
    for (size_t k = 0; k < member->n; k++)
        if (strcmp(member->value[k].name, name) == 0)
            return &member->value[k];
    return NULL;
}

/* The value of one member: a value, or the number of an item or of its field. False: there is none of that name. */
static bool own_value(const ms_figure_family *family, const ms_figure_member *member, const char *name,
                      ms_number_column *column, int *status, ms_error *error)
{
    const int j = list_index(family, name);
    const ms_figure_value *value = value_of(member, name);
    const json_t *says = j >= 0 ? ms_figure_item(family->items[j], member->item[j]) : NULL;
    const bool known = value != NULL || j >= 0 || ms_figure_field(family, member, name, &says);
    if (value != NULL)
        *status = ms_number_column_copy(&value->column, column, error);
    else if (known && (j >= 0 || says != NULL) && !json_is_number(says))
        *status = ms_fail(error, MS_INVALID,
                          j >= 0 ? "the items of list %s are texts; %s.ITEM is 1 or 0"
                                 : "%s is a text; {%s} puts it in texts",
                          name, name);
    else if (known)
        *status = ms_number_column_single(says != NULL ? json_number_value(says) : NAN, column, error);
    return known;
}

/* Do the members have a value, a list or a field of that name? Without members: would they? */
static bool has_value(const ms_figure_family *family, const char *name)
{
    const ms_figure_member first = {0};
    const json_t *says;
    const bool named = family->n > 0 ? value_of(&family->member[0], name) != NULL
                                     : json_object_get(json_object_get(family->spec, "values"), name) != NULL;
    return named || list_index(family, name) >= 0 || ms_figure_field(family, &first, name, &says);
}

/* The values of all selected members, concatenated; the value of a single member, with an item of each list, as it is. False: they
 * have none of that name. */
static bool stack(const ms_figure_family *family, const filter *only, const char *name,
                  ms_number_column *column, int *status, ms_error *error)
{
    bool whole = true;
    for (int j = 0; j < family->n_lists; j++)
        whole = whole && only->item[j] != FREE;
    *column = (ms_number_column){0};
    *status = MS_OK;
    if (!has_value(family, name))
        return false;
    for (size_t k = 0; k < family->n && *status == MS_OK; k++) {
        ms_number_column one = {0};
        if (!passes(family, &family->member[k], only))
            continue;
        if (!own_value(family, &family->member[k], name, &one, status, error))
            *status = ms_fail(error, MS_INVALID, "%s of %s is not known yet", name, family->name);
        if (*status == MS_OK && whole) {
            *column = one;
            return true;
        }
        if (*status == MS_OK)
            *status = ms_number_column_append(column, &one, error);
        ms_number_column_free(&one);
    }
    if (*status != MS_OK)
        ms_number_column_free(column);
    return true;
}

const ms_figure_family *ms_figure_family_find(const ms_figure_work *work, const char *name, size_t length)
{
    for (int k = 0; k < work->n; k++)
        if (strlen(work->family[k].name) == length && strncmp(work->family[k].name, name, length) == 0)
            return &work->family[k];
    return NULL;
}

int ms_figure_family_get(const ms_figure_work *work, const json_t *name, const ms_passage *at,
                         const ms_figure_family **family, ms_error *error)
{
    const char *word = json_string_value(name);
    *family = ms_figure_family_find(work, word, strlen(word));
    if (*family != NULL)
        return MS_OK;
    if (work->n == 0)
        return ms_passage_fail(at, error, "unknown run %s; there are none", word);
    return ms_passage_fail(at, error, "unknown run %s; the nearest is %s", word,
                           MS_NEAREST_OF(word, work->family, work->n));
}

/* Takes an item off the path, of a list that is still free. False: the path does not begin with one. */
static bool pass_item(const ms_figure_family *family, bool by_place, filter *only, const char **path)
{
    size_t length;
    for (int j = 0; j < family->n_lists; j++) {
        const long item =
            only->item[j] == FREE ? find_item(family->items[j], *path, by_place, &length) : FREE;
        if (item == FREE)
            continue;
        only->item[j] = item;
        *path += length + ((*path)[length] == '.');
        return true;
    }
    return false;
}

/* Selects the members underlying the group: those with the same items. */
static filter filter_same(const ms_figure_family *group, const ms_figure_member *member)
{
    filter only = filter_none();
    for (int j = 0; j < group->of->n_lists; j++) {
        const int same = list_index(group, group->of->list[j]);
        if (same >= 0)
            only.item[j] = (long)member->item[same];
    }
    return only;
}

/* In a group, the name of its family without an item selects the rows of the group's member. */
static void complete(const ms_figure_scope *scope, const ms_figure_family *family, filter *only)
{
    bool named = false;
    for (int j = 0; j < family->n_lists; j++)
        named = named || only->item[j] != FREE;
    if (!named && scope->family != NULL && scope->family->of == family)
        *only = filter_same(scope->family, scope->member);
}

/* FAMILY.ITEM.VALUE of a known family: items in any order, by name if possible, otherwise by index. */
static int find_in_family(const ms_figure_scope *scope, const ms_figure_family *family, const char *path,
                          const char *name, ms_number_column *column, ms_error *error)
{
    filter only = filter_none();
    while (pass_item(family, false, &only, &path) || pass_item(family, true, &only, &path))
        continue;
    complete(scope, family, &only);
    int status;
    if (stack(family, &only, path, column, &status, error) || status != MS_OK)
        return status;
    const char *names[256];
    int n = 0;
    for (size_t k = 0; family->n > 0 && k < family->member[0].n && n < 250; k++)
        names[n++] = family->member[0].value[k].name;
    for (int j = 0; j < family->n_lists; j++)
        names[n++] = family->list[j];
    if (n == 0)
        return ms_fail(error, MS_INVALID, "unknown column %s: %s has none", name, family->name);
    return ms_fail(error, MS_INVALID, "unknown column %s: %s has none of that name; the nearest is %s", name,
                   family->name, ms_nearest(path, names, n));
}

/* Names of a scope ---------------------------------------------------------------------------------------- */

/* LIST.ITEM */
static bool find_item_test(const ms_figure_scope *scope, const char *name, double *value)
{
    size_t length;
    for (int j = 0; scope->family != NULL && j < scope->family->n_lists; j++) {
        const char *list = scope->family->list[j];
        const size_t n = strlen(list);
        if (strncmp(name, list, n) != 0 || name[n] != '.')
            continue;
        long item = find_item(scope->family->items[j], name + n + 1, false, &length);
        if (item < 0)
            item = find_item(scope->family->items[j], name + n + 1, true, &length);
        if (item < 0 || name[n + 1 + length] != '\0')
            return false;
        *value = (size_t)item == scope->member->item[j];
        return true;
    }
    return false;
}

bool ms_figure_member_has_rows(const ms_figure_family *family, const ms_figure_member *member)
{
    if (family->of == NULL)
        return true;
    const filter only = filter_same(family, member);
    for (size_t k = 0; k < family->of->n; k++)
        if (passes(family->of, &family->of->member[k], &only))
            return true;
    return false;
}

bool ms_figure_scope_fits(const ms_figure_scope *scope, const ms_figure_family *family,
                          const ms_figure_member *member)
{
    bool fits = true;
    for (int j = 0; scope->family != NULL && j < scope->family->n_lists; j++) {
        const int same = list_index(family, scope->family->list[j]);
        fits = fits && (same < 0 || member->item[same] == scope->member->item[j]);
    }
    return fits;
}

/* The values of the members underlying the group. */
static bool find_in_source(const ms_figure_scope *scope, const char *name, ms_number_column *column,
                           int *status, ms_error *error)
{
    const ms_figure_family *of = scope->family != NULL ? scope->family->of : NULL;
    if (of == NULL)
        return false;
    const filter only = filter_same(scope->family, scope->member);
    return stack(of, &only, name, column, status, error);
}

static int find_published(const ms_figure_scope *scope, const char *name, ms_number_column *column,
                          ms_error *error)
{
    const char *path = name + strlen("published.");
    const json_t *value = ms_json_at(scope->work->published, path);
    if (json_is_number(value))
        return ms_number_column_single(json_number_value(value), column, error);
    if (!json_is_array(value))
        return ms_fail(error, MS_INVALID, "%s: no such number was published", name);
    int status = ms_number_column_create(json_array_size(value), false, column, error);
    for (size_t k = 0; k < column->n && status == MS_OK; k++) {
        const json_t *one = json_array_get(value, k);
        column->value[k] = json_is_number(one) ? json_number_value(one) : NAN;
    }
    return status;
}

static int unknown(const ms_figure_scope *scope, const char *name, ms_error *error)
{
    const char *names[256];
    int n = 0;
    for (size_t k = 0; scope->member != NULL && k < scope->member->n && n < 100; k++)
        names[n++] = scope->member->value[k].name;
    for (int j = 0; scope->family != NULL && j < scope->family->n_lists; j++)
        names[n++] = scope->family->list[j];
    const ms_figure_family *of = scope->family != NULL ? scope->family->of : NULL;
    for (size_t k = 0; of != NULL && of->n > 0 && k < of->member[0].n && n < 150; k++)
        names[n++] = of->member[0].value[k].name;
    for (int j = 0; of != NULL && j < of->n_lists; j++)
        names[n++] = of->list[j];
    for (size_t k = 0; k < scope->work->whole.n && n < 200; k++)
        names[n++] = scope->work->whole.value[k].name;
    for (int k = 0; k < scope->work->n && n < 256; k++)
        names[n++] = scope->work->family[k].name;
    if (n == 0)
        return ms_fail(error, MS_INVALID, "unknown name %s", name);
    const char *nearest = ms_nearest(name, names, n);
    if (strcmp(nearest, name) == 0)
        return ms_fail(
            error, MS_INVALID,
            "%s is no number; a name with other letters is `%s.NAME` as a whole, between backquotes", name,
            name);
    return ms_fail(error, MS_INVALID, "unknown name %s; the nearest is %s", name, nearest);
}

/* Does the name belong to that group of names? By the sum of its letters: the last group has those of odd ones. */
static bool is_in_group(int group, const char *name)
{
    int sum = 0;
    while (*name != '\0')
        sum += (unsigned char)*name++;
    return group < MS_FIGURE_GROUPS - 1 ? sum % (MS_FIGURE_GROUPS - 1) == group : sum % 2 == 1;
}

/* A value larger or smaller than any tolerance, nothing, or unknown; or one of these for the names of a group, another for all others. */
static double move(int way, const char *name, double x)
{
    const double far = 1e6 * (1.0 + fabs(x)), to[MS_FIGURE_ALIKE] = {x + far, x - far, 0.0, NAN};
    const double apart[MS_FIGURE_APART][2] = {
        {x + far, x - far}, {x - far, x + far}, {0.0, x + far}, {x + far, 0.0}};
    const int k = way - 1 - MS_FIGURE_ALIKE;
    return k < 0 ? to[way - 1] : apart[k % MS_FIGURE_APART][!is_in_group(k / MS_FIGURE_APART, name)];
}

/* Neither a published value nor an item of a list or its field. */
static bool is_measured(const ms_figure_scope *scope, const char *name)
{
    const json_t *says;
    double is_item;
    return strncmp(name, "published.", 10) != 0 && !find_item_test(scope, name, &is_item) &&
           (scope->family == NULL || (list_index(scope->family, name) < 0 &&
                                      !ms_figure_field(scope->family, scope->member, name, &says)));
}

static int find_as_it_is(void *self, const char *name, ms_number_column *column, ms_error *error)
{
    const ms_figure_scope *scope = self;
    const size_t first = strcspn(name, ".");
    double is_item;
    int status = MS_OK;
    if (scope->family != NULL && own_value(scope->family, scope->member, name, column, &status, error))
        return status;
    if (find_item_test(scope, name, &is_item))
        return ms_number_column_single(is_item, column, error);
    if (find_in_source(scope, name, column, &status, error) || status != MS_OK)
        return status;
    const ms_figure_value *value = value_of(&scope->work->whole, name);
    if (value != NULL)
        return ms_number_column_copy(&value->column, column, error);
    if (strncmp(name, "published.", 10) == 0)
        return find_published(scope, name, column, error);
    const bool runs = scope->family != NULL && scope->family->of == NULL;
    if (runs && ms_figure_source_has(name))
        return ms_figure_source_find(scope, name, column, error);
    const ms_figure_family *family = ms_figure_family_find(scope->work, name, first);
    if (family != NULL && name[first] == '.')
        return find_in_family(scope, family, name + first + 1, name, column, error);
    return unknown(scope, name, error);
}

static int find(void *self, const char *name, ms_number_column *column, ms_error *error)
{
    const ms_figure_scope *scope = self;
    const int status = find_as_it_is(self, name, column, error);
    if (status == MS_OK && scope->moved > 0 && scope->moved <= MS_FIGURE_MOVES && is_measured(scope, name))
        for (size_t k = 0; k < column->n; k++)
            column->value[k] = move(scope->moved, name, column->value[k]);
    return status;
}

ms_figure_names ms_figure_names_of(ms_figure_scope *scope)
{
    return (ms_figure_names){.self = scope, .find = find};
}
