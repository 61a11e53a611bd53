/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json_schema.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One validation. `why` holds the first complaint; what is wrong with the schemas themselves is never forgiven,
 * not even in one alternative of several. */
typedef struct validation {
    const char *folder;
    json_t *files; /* name -> schema, those read so far */
    char why[512];
    bool broken;
} validation;

/* A schema, and the root of the file that it stands in, which "#/.." refers to. */
typedef struct place {
    const json_t *root, *schema;
} place;

static bool failed(const validation *v)
{
    return v->why[0] != '\0';
}

static void complain(validation *v, const char *path, const char *what, const char *detail)
{
    if (!failed(v))
        snprintf(v->why, sizeof v->why, "%s: %s%s", path[0] != '\0' ? path : "/", what, detail);
}

static void complain_of_schema(validation *v, const char *what, const char *detail)
{
    complain(v, "schema", what, detail);
    v->broken = true;
}

/* References --------------------------------------------------------------------------------------------- */

static const json_t *load(validation *v, const char *file)
{
    char path[512];
    json_error_t error;
    if (json_object_get(v->files, file) == NULL) {
        snprintf(path, sizeof path, "%s/%s", v->folder, file);
        json_object_set_new(v->files, file, json_load_file(path, JSON_REJECT_DUPLICATES, &error));
    }
    if (json_object_get(v->files, file) == NULL)
        complain_of_schema(v, "cannot be read: ", file);
    return json_object_get(v->files, file);
}

/* What "FILE", "FILE#/a/b" or "#/a/b" refers to. */
static place resolve(validation *v, const char *reference, place from)
{
    char file[256];
    const char *hash = strchr(reference, '#');
    const size_t length = hash != NULL ? (size_t)(hash - reference) : strlen(reference);
    snprintf(file, sizeof file, "%.*s", (int)length, reference);
    place to = {.root = length > 0 ? load(v, file) : from.root};
    to.schema = to.root;
    for (const char *at = hash != NULL ? hash + 1 : ""; *at == '/';) {
        char name[256];
        const size_t n = strcspn(++at, "/");
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        to.schema = json_object_get(to.schema, name);
        at += n;
    }
    if (to.schema == NULL)
        complain_of_schema(v, "leads nowhere: ", reference);
    return to;
}

/* Keywords ----------------------------------------------------------------------------------------------- */

/* What a keyword is told: its own value, the schema around it, and the instance at the path. Members that it
 * describes are noted in seen. */
typedef struct instance {
    const json_t *keyword, *value;
    place at;
    const char *path;
    json_t *seen;
} instance;

static void check(validation *v, place at, const json_t *value, const char *path);
static void check_in_place(validation *v, place at, const json_t *value, const char *path, json_t *seen);

static bool has_type(const json_t *value, const char *type)
{
    static const struct {
        const char *name;
        json_type types[2];
    } types[] = {{"object", {JSON_OBJECT, JSON_OBJECT}}, {"array", {JSON_ARRAY, JSON_ARRAY}},
                 {"string", {JSON_STRING, JSON_STRING}}, {"number", {JSON_INTEGER, JSON_REAL}},
                 {"boolean", {JSON_TRUE, JSON_FALSE}},   {"integer", {JSON_INTEGER, JSON_INTEGER}},
                 {"null", {JSON_NULL, JSON_NULL}}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, type) == 0)
            return json_typeof(value) == types[k].types[0] || json_typeof(value) == types[k].types[1];
    return false;
}

static void check_type(validation *v, const instance *i)
{
    bool fits = json_is_string(i->keyword) && has_type(i->value, json_string_value(i->keyword));
    for (size_t k = 0; k < json_array_size(i->keyword); k++)
        fits = fits || has_type(i->value, json_string_value(json_array_get(i->keyword, k)));
    char *types = json_dumps(i->keyword, JSON_ENCODE_ANY | JSON_COMPACT);
    if (!fits)
        complain(v, i->path, "must be of type ", types != NULL ? types : "");
    free(types);
}

static void check_enum(validation *v, const instance *i)
{
    bool found = false;
    for (size_t k = 0; k < json_array_size(i->keyword); k++)
        found = found || json_equal(i->value, json_array_get(i->keyword, k)) == 1;
    char *text = json_dumps(i->value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (!found)
        complain(v, i->path, "is none of the values that are allowed: ", text != NULL ? text : "");
    free(text);
}

static void check_minimum(validation *v, const instance *i)
{
    char limit[32];
    snprintf(limit, sizeof limit, "%g", json_number_value(i->keyword));
    if (json_is_number(i->value) && json_number_value(i->value) < json_number_value(i->keyword))
        complain(v, i->path, "must be at least ", limit);
}

static void check_maximum(validation *v, const instance *i)
{
    char limit[32];
    snprintf(limit, sizeof limit, "%g", json_number_value(i->keyword));
    if (json_is_number(i->value) && json_number_value(i->value) > json_number_value(i->keyword))
        complain(v, i->path, "must be at most ", limit);
}

static void check_above(validation *v, const instance *i)
{
    char limit[32];
    snprintf(limit, sizeof limit, "%g", json_number_value(i->keyword));
    if (json_is_number(i->value) && json_number_value(i->value) <= json_number_value(i->keyword))
        complain(v, i->path, "must be more than ", limit);
}

static void check_length(validation *v, const instance *i)
{
    if (json_is_string(i->value) && (json_int_t)json_string_length(i->value) < json_integer_value(i->keyword))
        complain(v, i->path, "is too short: ", json_string_value(i->value));
}

static void check_length_most(validation *v, const instance *i)
{
    if (json_is_string(i->value) && (json_int_t)json_string_length(i->value) > json_integer_value(i->keyword))
        complain(v, i->path, "is too long: ", json_string_value(i->value));
}

static void check_pattern(validation *v, const instance *i)
{
    regex_t pattern;
    if (!json_is_string(i->value))
        return;
    if (regcomp(&pattern, json_string_value(i->keyword), REG_EXTENDED | REG_NOSUB) != 0) {
        complain_of_schema(v, "no pattern: ", json_string_value(i->keyword));
        return;
    }
    if (regexec(&pattern, json_string_value(i->value), 0, NULL, 0) != 0)
        complain(v, i->path, "does not match ", json_string_value(i->keyword));
    regfree(&pattern);
}

static void check_items_least(validation *v, const instance *i)
{
    if (json_is_array(i->value) && (json_int_t)json_array_size(i->value) < json_integer_value(i->keyword))
        complain(v, i->path, "has too few elements", "");
}

static void check_items_most(validation *v, const instance *i)
{
    if (json_is_array(i->value) && (json_int_t)json_array_size(i->value) > json_integer_value(i->keyword))
        complain(v, i->path, "has too many elements", "");
}

static void check_members_least(validation *v, const instance *i)
{
    if (json_is_object(i->value) && (json_int_t)json_object_size(i->value) < json_integer_value(i->keyword))
        complain(v, i->path, "has too few members", "");
}

static void check_required(validation *v, const instance *i)
{
    for (size_t k = 0; k < json_array_size(i->keyword) && json_is_object(i->value); k++) {
        const char *name = json_string_value(json_array_get(i->keyword, k));
        if (json_object_get(i->value, name) == NULL)
            complain(v, i->path, "has no member ", name);
    }
}

static void check_member(validation *v, const instance *i, const char *name, const json_t *schema,
                         const json_t *value)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", i->path, name);
    json_object_set_new(i->seen, name, json_true());
    check(v, (place){i->at.root, schema}, value, path);
}

static void check_properties(validation *v, const instance *i)
{
    for (void *at = json_object_iter((json_t *)i->keyword); at != NULL;
         at = json_object_iter_next((json_t *)i->keyword, at)) {
        const json_t *value = json_object_get(i->value, json_object_iter_key(at));
        if (value != NULL)
            check_member(v, i, json_object_iter_key(at), json_object_iter_value(at), value);
    }
}

static void check_additional(validation *v, const instance *i)
{
    const json_t *properties = json_object_get(i->at.schema, "properties");
    for (void *at = json_object_iter((json_t *)i->value); at != NULL;
         at = json_object_iter_next((json_t *)i->value, at)) {
        const char *name = json_object_iter_key(at);
        if (json_object_get(properties, name) != NULL)
            continue;
        if (json_is_false(i->keyword))
            complain(v, i->path, "has a member too many: ", name);
        else
            check_member(v, i, name, i->keyword, json_object_iter_value(at));
    }
}

static void check_items(validation *v, const instance *i)
{
    for (size_t k = 0; k < json_array_size(i->value); k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%zu", i->path, k);
        check(v, (place){i->at.root, i->keyword}, json_array_get(i->value, k), path);
    }
}

/* The first elements, one by one. */
static void check_first_items(validation *v, const instance *i)
{
    for (size_t k = 0; k < json_array_size(i->value) && k < json_array_size(i->keyword); k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%zu", i->path, k);
        check(v, (place){i->at.root, json_array_get(i->keyword, k)}, json_array_get(i->value, k), path);
    }
}

static void check_reference(validation *v, const instance *i)
{
    const place to = resolve(v, json_string_value(i->keyword), i->at);
    if (to.schema != NULL)
        check_in_place(v, to, i->value, i->path, i->seen);
}

/* The complaint is that of the last alternative. */
static void check_any(validation *v, const instance *i)
{
    bool any = false;
    validation last = *v;
    for (size_t k = 0; k < json_array_size(i->keyword) && !any && !v->broken; k++) {
        validation one = *v;
        json_t *seen = json_object();
        check_in_place(&one, (place){i->at.root, json_array_get(i->keyword, k)}, i->value, i->path, seen);
        any = !failed(&one);
        if (any)
            json_object_update(i->seen, seen);
        json_decref(seen);
        last = one;
        v->broken = one.broken;
    }
    if (!any)
        *v = last;
}

static void check_not(validation *v, const instance *i)
{
    validation one = *v;
    json_t *seen = json_object();
    check_in_place(&one, (place){i->at.root, i->keyword}, i->value, i->path, seen);
    json_decref(seen);
    v->broken = one.broken;
    if (!failed(&one))
        complain(v, i->path, "has what is excluded", "");
}

static const struct {
    const char *name;
    void (*check)(validation *v, const instance *i); /* NULL: says nothing of values */
} keywords[] = {{"$schema", NULL},
                {"$id", NULL},
                {"$defs", NULL},
                {"title", NULL},
                {"description", NULL},
                {"type", check_type},
                {"enum", check_enum},
                {"minimum", check_minimum},
                {"maximum", check_maximum},
                {"exclusiveMinimum", check_above},
                {"minLength", check_length},
                {"maxLength", check_length_most},
                {"pattern", check_pattern},
                {"minItems", check_items_least},
                {"maxItems", check_items_most},
                {"minProperties", check_members_least},
                {"required", check_required},
                {"properties", check_properties},
                {"additionalProperties", check_additional},
                {"items", check_items},
                {"prefixItems", check_first_items},
                {"$ref", check_reference},
                {"anyOf", check_any},
                {"not", check_not}};

enum { KEYWORDS = sizeof keywords / sizeof *keywords };

static int find_keyword(const char *name)
{
    int k = 0;
    while (k < KEYWORDS && strcmp(keywords[k].name, name) != 0)
        k++;
    return k;
}

static void check_in_place(validation *v, place at, const json_t *value, const char *path, json_t *seen)
{
    for (void *it = json_object_iter((json_t *)at.schema); it != NULL && !failed(v);
         it = json_object_iter_next((json_t *)at.schema, it)) {
        const int k = find_keyword(json_object_iter_key(it));
        const instance i = {json_object_iter_value(it), value, at, path, seen};
        if (k == KEYWORDS)
            complain_of_schema(v, "unknown keyword ", json_object_iter_key(it));
        else if (keywords[k].check != NULL)
            keywords[k].check(v, &i);
    }
}

static void check(validation *v, place at, const json_t *value, const char *path)
{
    json_t *seen = json_object();
    if (!failed(v))
        check_in_place(v, at, value, path, seen);
    for (void *it = json_object_iter((json_t *)value); it != NULL;
         it = json_object_iter_next((json_t *)value, it))
        if (json_object_get(seen, json_object_iter_key(it)) == NULL)
            complain(v, path, "no schema describes the member ", json_object_iter_key(it));
    json_decref(seen);
}

/* Files -------------------------------------------------------------------------------------------------- */

static bool end(validation *v, char *why, size_t size)
{
    snprintf(why, size, "%s", v->why);
    json_decref(v->files);
    return !failed(v);
}

bool support_schema_fits(const char *folder, const char *file, const json_t *value, char *why, size_t size)
{
    validation v = {.folder = folder, .files = json_object()};
    const json_t *root = load(&v, file);
    if (root != NULL)
        check(&v, (place){root, root}, value, "");
    return end(&v, why, size);
}

/* All schemas below this one. */
static void visit(validation *v, place at)
{
    static const char *const maps[] = {"properties", "$defs"};
    static const char *const one[] = {"items", "additionalProperties"};
    static const char *const lists[] = {"anyOf", "prefixItems"};
    if (!json_is_object(at.schema))
        return;
    for (void *it = json_object_iter((json_t *)at.schema); it != NULL;
         it = json_object_iter_next((json_t *)at.schema, it))
        if (find_keyword(json_object_iter_key(it)) == KEYWORDS)
            complain_of_schema(v, "unknown keyword ", json_object_iter_key(it));
    const json_t *reference = json_object_get(at.schema, "$ref");
    if (reference != NULL)
        resolve(v, json_string_value(reference), at);
    for (size_t k = 0; k < 2; k++) {
        json_t *map = json_object_get(at.schema, maps[k]);
        for (void *it = json_object_iter(map); it != NULL; it = json_object_iter_next(map, it))
            visit(v, (place){at.root, json_object_iter_value(it)});
        visit(v, (place){at.root, json_object_get(at.schema, one[k])});
    }
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        const json_t *list = json_object_get(at.schema, lists[l]);
        for (size_t k = 0; k < json_array_size(list); k++)
            visit(v, (place){at.root, json_array_get(list, k)});
    }
}

bool support_schema_sound(const char *folder, const char *file, char *why, size_t size)
{
    validation v = {.folder = folder, .files = json_object()};
    const json_t *root = load(&v, file);
    if (root != NULL)
        visit(&v, (place){root, root});
    return end(&v, why, size);
}
