/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure_parts.h"

#include <ctype.h>
#include <string.h>

#include "nearest.h"

enum { MEMBERS_MAX = 32, KINDS_MAX = 8 };

typedef enum member_type {
    TEXT,
    TEXTS,
    REMARKS,
    NUMBERS,
    EXPRESSION,
    MEASURED,
    OBJECT,
    LIST,
    SWITCH
} member_type;

typedef struct member {
    const char *name;
    member_type type;
    bool required;
} member;

static const member of_file[] = {
    {"$schema", TEXT, false},  {"$comment", TEXTS, false}, {"like", TEXT, false},
    {"id", TEXT, true},        {"title", TEXT, true},      {"source", TEXT, true},
    {"read", REMARKS, false},  {"chosen", REMARKS, false}, {"picture", SWITCH, false},
    {"size", NUMBERS, false},  {"width", TEXT, false},     {"published", OBJECT, false},
    {"words", OBJECT, false},  {"lists", OBJECT, false},   {"runs", OBJECT, true},
    {"groups", OBJECT, false}, {"values", OBJECT, false},  {"data", OBJECT, false},
    {"tables", OBJECT, false}, {"checks", LIST, false},    {"remarks", REMARKS, false},
    {"script", OBJECT, false}, {"systems", OBJECT, false}, {0}};
static const member of_run[] = {{"command", TEXT, true},
                                {"shown", TEXT, false},
                                {"over", TEXTS, false},
                                {"where", EXPRESSION, false},
                                {"values", OBJECT, false},
                                {"optional", SWITCH, false},
                                {0}};
static const member of_group[] = {
    {"of", TEXT, true}, {"over", TEXTS, false}, {"where", EXPRESSION, false}, {"values", OBJECT, true}, {0}};
static const member of_data[] = {{"each", TEXT, false},     {"of", TEXT, false},
                                 {"columns", OBJECT, true}, {"break", EXPRESSION, false},
                                 {"thin", SWITCH, false},   {0}};
static const member of_table[] = {{"each", TEXT, false},     {"title", TEXT, true},   {"of", TEXT, true},
                                  {"columns", OBJECT, true}, {"then", OBJECT, false}, {0}};
static const member of_rows[] = {{"of", TEXT, true}, {"columns", OBJECT, true}, {"then", OBJECT, false}, {0}};
static const member of_remark[] = {{"each", TEXT, true}, {"text", TEXT, true}, {0}};
static const member of_check[] = {{"kind", TEXT, true},
                                  {"what", TEXT, true},
                                  {"each", TEXT, false},
                                  {"where", EXPRESSION, false},
                                  {"published", MEASURED, false},
                                  {"expected", TEXT, false},
                                  {"measured", MEASURED, false},
                                  {"runs", EXPRESSION, false},
                                  {"range", EXPRESSION, false},
                                  {"holds", EXPRESSION, false},
                                  {"determined", EXPRESSION, false},
                                  {"tolerance", MEASURED, false},
                                  {"note", TEXT, false},
                                  {0}};

static const member of_checks[] = {{"each", TEXT, true}, {"checks", LIST, true}, {0}};

static bool all_are(const json_t *list, bool numbers)
{
    for (size_t k = 0; k < json_array_size(list); k++)
        if (numbers ? !json_is_number(json_array_get(list, k)) : !json_is_string(json_array_get(list, k)))
            return false;
    return json_is_array(list);
}

/* The type expected; NULL: the value has it. */
static const char *misfit(member_type type, const json_t *value)
{
    switch (type) {
    case TEXT:
        return json_is_string(value) ? NULL : "a text";
    case TEXTS:
        return all_are(value, false) ? NULL : "a list of texts";
    case REMARKS:
        return json_is_array(value) ? NULL : "a list";
    case NUMBERS:
        return all_are(value, true) ? NULL : "a list of numbers";
    case EXPRESSION:
        return json_is_string(value) || json_is_number(value) ? NULL : "an expression or a number";
    case OBJECT:
        return json_is_object(value) ? NULL : "an object";
    case LIST:
        return json_is_array(value) ? NULL : "a list";
    case SWITCH:
        return json_is_boolean(value) ? NULL : "true or false";
    default:
        return NULL;
    }
}

static int check(const ms_passage *at, json_t *object, const member *members, ms_error *error)
{
    const char *names[MEMBERS_MAX] = {NULL};
    int n = 0;
    for (; n < MEMBERS_MAX && members[n].name != NULL; n++)
        names[n] = members[n].name;
    int status = ms_passage_members(at, object, names, n, error);
    for (int k = 0; k < n && status == MS_OK; k++) {
        const json_t *value = json_object_get(object, names[k]);
        const ms_passage here = ms_passage_member(at, names[k]);
        const char *expected = value != NULL ? misfit(members[k].type, value) : NULL;
        if (value == NULL && members[k].required)
            return ms_passage_fail(at, error, "member %s is missing", names[k]);
        if (expected != NULL)
            return ms_passage_fail(&here, error, "%s is expected", expected);
    }
    return status;
}

/* The members of a member, all of the same type. */
static int check_each(const ms_passage *file, json_t *spec, const char *kind, const member *members,
                      ms_error *error)
{
    const ms_passage at = ms_passage_member(file, kind);
    const char *name;
    json_t *one;
    json_object_foreach (json_object_get(spec, kind), name, one) {
        const ms_passage here = ms_passage_member(&at, name);
        MS_TRY(check(&here, one, members, error));
    }
    return MS_OK;
}

/* Checks "then" of a table: further rows. */
static int check_then(const ms_passage *at, json_t *spec, ms_error *error)
{
    json_t *then = json_object_get(spec, "then");
    const ms_passage here = ms_passage_member(at, "then");
    const int status = then != NULL ? check(&here, then, of_rows, error) : MS_OK;
    return status == MS_OK && then != NULL ? check_then(&here, then, error) : status;
}

static int check_tables(const ms_passage *file, json_t *spec, ms_error *error)
{
    const ms_passage at = ms_passage_member(file, "tables");
    const char *name;
    json_t *one;
    int status = check_each(file, spec, "tables", of_table, error);
    json_object_foreach (json_object_get(spec, "tables"), name, one) {
        const ms_passage here = ms_passage_member(&at, name);
        MS_THEN(status, check_then(&here, one, error));
    }
    return status;
}

/* Texts, and objects that give texts for the members of a run. */
static int check_remarks(const ms_passage *file, const json_t *spec, const char *name, ms_error *error)
{
    const json_t *remarks = json_object_get(spec, name);
    const ms_passage at = ms_passage_member(file, name);
    int status = MS_OK;
    for (size_t k = 0; k < json_array_size(remarks) && status == MS_OK; k++) {
        json_t *one = json_array_get(remarks, k);
        const ms_passage here = ms_passage_element(&at, k);
        if (json_is_object(one))
            status = check(&here, one, of_remark, error);
        else if (!json_is_string(one))
            status = ms_passage_fail(&here, error, "a text, or an object with each and text is expected");
    }
    return status;
}

static int check_kind(const ms_passage *at, const json_t *spec, ms_error *error)
{
    const ms_passage here = ms_passage_member(at, "kind");
    const char *name = json_string_value(json_object_get(spec, "kind")), *names[KINDS_MAX];
    int n = 0;
    for (; ms_figure_check_kinds[n].name != NULL; n++) {
        const ms_figure_check_kind *kind = &ms_figure_check_kinds[n];
        names[n] = kind->name;
        if (strcmp(name, kind->name) != 0)
            continue;
        for (int k = 0; k < MS_FIGURE_CHECK_NEEDS && kind->needs[k] != NULL; k++)
            if (json_object_get(spec, kind->needs[k]) == NULL)
                return ms_passage_fail(at, error, "member %s is missing: a check of kind %s needs it",
                                       kind->needs[k], name);
        return MS_OK;
    }
    return ms_passage_fail(&here, error, "unknown kind %s; the nearest is %s", name,
                           ms_nearest(name, names, n));
}

/* Checks and, if allowed here, lists of checks for the members of a run. */
static int check_checks(const ms_passage *file, const json_t *spec, bool lists, ms_error *error)
{
    const json_t *checks = json_object_get(spec, "checks");
    const ms_passage at = ms_passage_member(file, "checks");
    int status = MS_OK;
    for (size_t k = 0; k < json_array_size(checks) && status == MS_OK; k++) {
        json_t *one = json_array_get(checks, k);
        const ms_passage here = ms_passage_element(&at, k);
        const bool is_list = lists && json_object_get(one, "checks") != NULL;
        status = check(&here, one, is_list ? of_checks : of_check, error);
        MS_THEN(status, is_list ? check_checks(&here, one, false, error) : check_kind(&here, one, error));
    }
    return status;
}

static bool is_plain(const json_t *item)
{
    return json_is_number(item) || json_is_string(item);
}

/* Numbers or texts; items with names may have fields, which are numbers or texts too. */
static bool is_list(json_t *items)
{
    const char *key, *field;
    json_t *item, *says;
    size_t k;
    bool fits = json_array_size(items) + json_object_size(items) > 0;
    json_array_foreach (items, k, item)
        fits = fits && is_plain(item);
    json_object_foreach (items, key, item) {
        fits = fits && (is_plain(item) || json_is_object(item));
        json_object_foreach (item, field, says)
            fits = fits && is_plain(says);
    }
    return fits;
}

/* Does one of the lists have this item? */
static bool is_item(const json_t *spec, const char *name)
{
    const char *list;
    json_t *items;
    char buffer[MS_FIGURE_ITEM];
    json_object_foreach (json_object_get(spec, "lists"), list, items)
        for (size_t k = 0; k < ms_figure_items(items); k++)
            if (strcmp(ms_figure_item_name(items, k, buffer), name) == 0)
                return true;
    return false;
}

/* A text, or texts by items. */
static int check_word(const ms_passage *at, const json_t *spec, json_t *word, ms_error *error)
{
    const char *key;
    json_t *text;
    if (!json_is_string(word) && !json_is_object(word))
        return ms_passage_fail(at, error, "a text is expected, or an object of texts by the items of a list");
    json_object_foreach (word, key, text) {
        const ms_passage here = ms_passage_member(at, key);
        if (!is_item(spec, key))
            return ms_passage_fail(&here, error, "no list has an item of that name");
        if (!json_is_string(text))
            return ms_passage_fail(&here, error, "a text is expected");
    }
    return MS_OK;
}

static int check_lists(const ms_passage *file, const json_t *spec, ms_error *error)
{
    const ms_passage lists = ms_passage_member(file, "lists"), words = ms_passage_member(file, "words");
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(spec, "lists"), name, value) {
        const ms_passage here = ms_passage_member(&lists, name);
        if (!is_list(value))
            return ms_passage_fail(
                &here, error, "a list of numbers or texts is expected, or an object of such, or of objects");
    }
    json_object_foreach (json_object_get(spec, "words"), name, value) {
        const ms_passage here = ms_passage_member(&words, name);
        MS_TRY(check_word(&here, spec, value, error));
    }
    return MS_OK;
}

/* PAPER:NAME */
static int check_id(const ms_passage *file, const json_t *spec, ms_error *error)
{
    const ms_passage at = ms_passage_member(file, "id");
    const char *id = json_string_value(json_object_get(spec, "id")), *colon = strchr(id, ':');
    bool fits = colon != NULL && colon > id && colon[1] != '\0' && strlen(id) < 100;
    for (const char *c = id; *c != '\0'; c++)
        fits = fits && (isalnum((unsigned char)*c) || strchr("._-", *c) != NULL || c == colon);
    return fits ? MS_OK
                : ms_passage_fail(&at, error,
                                  "PAPER:NAME is expected, letters, digits and ._-, as smith2020:fig3");
}

static int check_size(const ms_passage *file, const json_t *spec, ms_error *error)
{
    const ms_passage at = ms_passage_member(file, "size");
    const json_t *size = json_object_get(spec, "size");
    bool fits = size == NULL || json_array_size(size) == 2;
    for (size_t k = 0; k < json_array_size(size); k++) {
        const double value = json_number_value(json_array_get(size, k));
        fits = fits && value >= 50.0 && value <= 5000.0;
    }
    return fits ? MS_OK
                : ms_passage_fail(&at, error, "width and height are expected, 50 to 5000 points each");
}

int ms_figure_members_check(const ms_passage *file, json_t *spec, ms_error *error)
{
    MS_TRY(check(file, spec, of_file, error));
    MS_TRY(check_id(file, spec, error));
    MS_TRY(check_size(file, spec, error));
    MS_TRY(check_lists(file, spec, error));
    MS_TRY(check_each(file, spec, "runs", of_run, error));
    MS_TRY(check_each(file, spec, "groups", of_group, error));
    MS_TRY(check_each(file, spec, "data", of_data, error));
    MS_TRY(check_tables(file, spec, error));
    for (int k = 0; k < MS_FIGURE_REMARKS; k++)
        MS_TRY(check_remarks(file, spec, ms_figure_remarks[k], error));
    return check_checks(file, spec, true, error);
}
