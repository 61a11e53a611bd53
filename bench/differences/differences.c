/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "differences.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

enum { PATH_SIZE = 512 };

static const char *const kinds[] = {"missing", "verdict", "check", "number", "text"};

/* What two results of the same do not have in common. */
static const char *const always_ignored[] = {"provenance", "wall_seconds"};

static const char *const verdicts[] = {"verdict", "status", "reason", "agree", "stable"};

const char *ms_difference_kind_name(ms_difference_kind kind)
{
    return kinds[kind];
}

/* Where one is. `exact` has the places of elements, `general` a star for each. */
typedef struct place {
    const char *file;
    bool in_check;
    char exact[PATH_SIZE], general[PATH_SIZE];
} place;

static void append(char *path, const char *name)
{
    const size_t length = strlen(path);
    snprintf(path + length, PATH_SIZE - length, "%s%s", length > 0 ? "." : "", name);
}

/* The member, or the element, of that name. */
static place inside(const place *at, const char *name, const char *general)
{
    place in = *at;
    append(in.exact, name);
    append(in.general, general);
    return in;
}

void ms_differences_begin(const ms_tolerances *tolerances, const char *ignored, ms_differences *d)
{
    *d = (ms_differences){.tolerances = *tolerances, .ignored = json_object(), .group = json_object()};
    for (int k = 0; k < MS_COUNT(always_ignored); k++)
        ms_json_set(&d->ignored, always_ignored[k], json_true());
    for (const char *word = ignored; word != NULL;) {
        const size_t length = strcspn(word, ",");
        json_t *name = json_stringn(word, length);
        if (name != NULL)
            ms_json_set(&d->ignored, json_string_value(name), json_true());
        json_decref(name);
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
}

void ms_differences_end(ms_differences *d)
{
    json_decref(d->ignored);
    json_decref(d->group);
    *d = (ms_differences){0};
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* An object or an array is too much to show. */
static json_t *shown(const json_t *value)
{
    return value == NULL                                   ? json_null()
           : json_is_object(value) || json_is_array(value) ? json_string("there")
                                                           : json_incref((json_t *)value);
}

/* The group that the difference belongs to has it as its example where it is the largest so far. */
static void add(ms_differences *d, ms_difference_kind kind, const place *at, const json_t *a, const json_t *b,
                double distance)
{
    char key[PATH_SIZE + 256];
    snprintf(key, sizeof key, "%d %s %s", (int)kind, at->file, at->general);
    const json_t *before = json_object_get(d->group, key);
    const json_int_t count = json_integer_value(json_object_get(before, "count"));
    const json_t *apart = json_object_get(before, "difference");
    d->differences++;
    d->of_kind[kind]++;
    if (before != NULL && !(json_is_number(apart) && distance > json_number_value(apart))) {
        if (json_object_set_new((json_t *)before, "count", json_integer(count + 1)) != 0)
            ms_json_set(&d->group, key, NULL);
        return;
    }
    ms_json_set(&d->group, key,
                ms_json_object("kind:s file:s where:s a:o b:o difference:r count:I", kinds[kind], at->file,
                               at->exact, shown(a), shown(b), distance, count + 1));
}

json_t *ms_differences_rows(const ms_differences *d)
{
    json_t *rows = json_array();
    for (int kind = 0; kind < MS_DIFFERENCE_KINDS; kind++) {
        const char *key;
        json_t *row;
        json_object_foreach (d->group, key, row) {
            if (key[0] - '0' == kind)
                ms_json_append(&rows, json_incref(row));
        }
    }
    if (d->group == NULL || d->ignored == NULL)
        ms_json_append(&rows, NULL);
    return rows;
}

/* Comparing ---------------------------------------------------------------------------------------------- */

static ms_difference_kind kind_of(const place *at, const char *name, const json_t *a, const json_t *b)
{
    for (int k = 0; k < MS_COUNT(verdicts); k++)
        if (strcmp(name, verdicts[k]) == 0)
            return MS_DIFFERENCE_VERDICT;
    return at->in_check                             ? MS_DIFFERENCE_CHECK
           : json_is_number(a) || json_is_number(b) ? MS_DIFFERENCE_NUMBER
                                                    : MS_DIFFERENCE_TEXT;
}

/* Relative to the larger one; NaN where one of them is no number. */
static double distance_of(const json_t *a, const json_t *b)
{
    if (!json_is_number(a) || !json_is_number(b))
        return NAN;
    const double x = json_number_value(a), y = json_number_value(b);
    return fabs(x - y) / fmax(fabs(x), fabs(y));
}

static bool are_same(ms_differences *d, const json_t *a, const json_t *b)
{
    if (!json_is_number(a) || !json_is_number(b))
        return json_equal((json_t *)a, (json_t *)b) != 0;
    const double x = json_number_value(a), y = json_number_value(b);
    d->numbers++;
    return fabs(x - y) <= d->tolerances.absolute + d->tolerances.relative * fmax(fabs(x), fabs(y));
}

static void compare(ms_differences *d, const place *at, const char *name, const json_t *a, const json_t *b);

/* The member of that name. A state N is called x.N by the FMU that its subsystem was exported to, so S.x.N and S.x.x.N are one. */
static const json_t *counterpart(const json_t *object, const char *name)
{
    char other[PATH_SIZE];
    const json_t *same = json_object_get(object, name);
    const char *twice = strstr(name, ".x.x."), *once = strstr(name, ".x.");
    if (same != NULL || once == NULL)
        return same;
    if (twice != NULL)
        snprintf(other, sizeof other, "%.*s%s", (int)(twice - name), name, twice + strlen(".x"));
    else
        snprintf(other, sizeof other, "%.*s.x%s", (int)(once - name), name, once);
    return json_object_get(object, other);
}

static void compare_objects(ms_differences *d, const place *at, const json_t *a, const json_t *b)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)a, key, value) {
        const place in = inside(at, key, key);
        if (json_object_get(d->ignored, key) == NULL)
            compare(d, &in, key, value, counterpart(b, key));
    }
    json_object_foreach ((json_t *)b, key, value) {
        const place in = inside(at, key, key);
        if (json_object_get(d->ignored, key) == NULL && counterpart(a, key) == NULL)
            compare(d, &in, key, NULL, value);
    }
}

/* The member by which all elements of both arrays can be told apart, or NULL. */
static const char *name_of_elements(const json_t *a, const json_t *b)
{
    static const char *const members[] = {"what", "id"};
    for (int k = 0; k < MS_COUNT(members); k++) {
        json_t *seen[] = {json_object(), json_object()};
        bool unique = json_array_size(a) > 0 && json_array_size(b) > 0;
        for (size_t i = 0; unique && i < json_array_size(a) + json_array_size(b); i++) {
            const bool of_a = i < json_array_size(a);
            const json_t *element = of_a ? json_array_get(a, i) : json_array_get(b, i - json_array_size(a));
            const char *name = json_string_value(json_object_get(element, members[k]));
            unique = name != NULL && json_object_get(seen[of_a], name) == NULL &&
                     json_object_set_new(seen[of_a], name, json_true()) == 0;
        }
        json_decref(seen[0]);
        json_decref(seen[1]);
        if (unique)
            return members[k];
    }
    return NULL;
}

static const json_t *find_element(const json_t *array, const char *member, const char *name)
{
    for (size_t k = 0; k < json_array_size(array); k++) {
        const json_t *element = json_array_get(array, k);
        const char *other = json_string_value(json_object_get(element, member));
        if (other != NULL && strcmp(other, name) == 0)
            return element;
    }
    return NULL;
}

static void compare_named(ms_differences *d, const place *at, const char *member, const json_t *a,
                          const json_t *b)
{
    for (size_t k = 0; k < json_array_size(a) + json_array_size(b); k++) {
        const bool of_a = k < json_array_size(a);
        const json_t *element = of_a ? json_array_get(a, k) : json_array_get(b, k - json_array_size(a));
        const char *name = json_string_value(json_object_get(element, member));
        const json_t *other = find_element(of_a ? b : a, member, name);
        place in = inside(at, name, name);
        in.in_check = in.in_check || strcmp(member, "what") == 0;
        if (of_a)
            compare(d, &in, name, element, other);
        else if (other == NULL)
            compare(d, &in, name, NULL, element);
    }
}

static void compare_arrays(ms_differences *d, const place *at, const char *name, const json_t *a,
                           const json_t *b)
{
    const char *member = name_of_elements(a, b);
    const size_t n = json_array_size(a), m = json_array_size(b);
    if (member != NULL) {
        compare_named(d, at, member, a, b);
        return;
    }
    for (size_t k = 0; k < (n > m ? n : m); k++) {
        char index[32];
        snprintf(index, sizeof index, "%zu", k);
        const place in = inside(at, index, "*");
        compare(d, &in, name, json_array_get(a, k), json_array_get(b, k));
    }
}

/* name: of the member that the values are, or that holds the array that they are in. */
static void compare(ms_differences *d, const place *at, const char *name, const json_t *a, const json_t *b)
{
    if (a == NULL || b == NULL)
        add(d, MS_DIFFERENCE_MISSING, at, a, b, NAN);
    else if (json_is_object(a) && json_is_object(b))
        compare_objects(d, at, a, b);
    else if (json_is_array(a) && json_is_array(b))
        compare_arrays(d, at, name, a, b);
    else if (!are_same(d, a, b))
        add(d, kind_of(at, name, a, b), at, a, b, distance_of(a, b));
}

void ms_differences_compare(ms_differences *d, const char *file, const json_t *a, const json_t *b)
{
    const place at = {.file = file};
    d->files++;
    compare(d, &at, "", a, b);
}

void ms_differences_missing(ms_differences *d, const char *file, bool in_a)
{
    const place at = {.file = file};
    json_t *there = json_string("there");
    add(d, MS_DIFFERENCE_MISSING, &at, in_a ? there : NULL, in_a ? NULL : there, NAN);
    json_decref(there);
}
