/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "axis.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "text_stream.h"

enum { NUMBER_LENGTH = 32, COUNT_MAX = 1000000, WHOLE_NUMBERS_MAX = 16, MEANT_DIGITS = 10 };

static int no_memory(ms_error *error, const char *what)
{
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for its values", what);
}

bool ms_axis_is_list(const char *text, bool numeric)
{
    return strchr(text, ',') != NULL || (numeric && strchr(text, ':') != NULL);
}

/* The number before the terminator; *rest is what comes after that. */
static bool read_number(const char *text, char terminator, double *value, const char **rest)
{
    char word[64];
    const char *end = strchr(text, terminator);
    const size_t length = end != NULL ? (size_t)(end - text) : sizeof word;
    if (length >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    *rest = end + 1;
    return ms_option_number(word, value);
}

/* A point of a range, which round-off moves from the decimal that is meant, 0.04 to 0.039999999999999994: the decimal of few
 * digits that is as near as that, or else the value. */
static void write_point(double value, double round_off, char *text, size_t size)
{
    if (fabs(value) <= round_off)
        value = 0.0;
    for (int digits = 1; digits <= MEANT_DIGITS; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (fabs(strtod(text, NULL) - value) <= round_off)
            return;
    }
    snprintf(text, size, "%.17g", value);
}

/* "from:to:lin:count". Values: from + k (to - from) / (count - 1), or the same in logarithms, their round-off taken back. */
static int create_range(const char *what, const char *text, ms_axis *axis, ms_error *error)
{
    double from, to, count;
    const char *rest;
    bool right = read_number(text, ':', &from, &rest) && read_number(rest, ':', &to, &rest);
    const bool logarithmic = right && strncmp(rest, "log:", 4) == 0;
    right =
        right && (logarithmic || strncmp(rest, "lin:", 4) == 0) && read_number(rest + 4, '\0', &count, &rest);
    if (!right)
        return ms_fail(error, MS_INVALID, "%s %s: a range must be from:to:log:count or from:to:lin:count",
                       what, text);
    if (count != floor(count) || count < 2 || count > COUNT_MAX)
        return ms_fail(error, MS_INVALID, "%s %s: the count must be a whole number in [2, %d]", what, text,
                       COUNT_MAX);
    if (logarithmic && (from <= 0.0 || to <= 0.0))
        return ms_fail(error, MS_INVALID, "%s %s: the ends of a log range must be greater than 0", what,
                       text);
    axis->n = (int)count;
    axis->stride = NUMBER_LENGTH;
    axis->text = calloc((size_t)axis->n, axis->stride);
    MS_TRY_MEMORY_OR(axis->text != NULL, no_memory(error, what));
    for (int k = 0; k < axis->n; k++) {
        const double s = k / (count - 1.0);
        double value = logarithmic ? from * exp(s * log(to / from)) : from + s * (to - from);
        double round_off = 8.0 * DBL_EPSILON * (logarithmic ? value : fmax(fabs(from), fabs(to)));
        if (k == 0 || k == axis->n - 1) {
            value = k == 0 ? from : to;
            round_off = 0.0;
        }
        write_point(value, round_off, axis->text + (size_t)k * axis->stride, axis->stride);
    }
    return MS_OK;
}

int ms_axis_create(const char *what, const char *name, const char *text, ms_axis *axis, ms_error *error)
{
    *axis = (ms_axis){.name = name, .setting = -1, .n = 1};
    if (strchr(text, ':') != NULL && strchr(text, ',') == NULL)
        return create_range(what, text, axis, error);
    for (const char *c = text; *c != '\0'; c++)
        axis->n += *c == ',';
    axis->stride = strlen(text) + 1;
    axis->text = calloc((size_t)axis->n, axis->stride);
    MS_TRY_MEMORY_OR(axis->text != NULL, no_memory(error, what));
    for (int k = 0; k < axis->n; k++) {
        const size_t length = strcspn(text, ",");
        if (length == 0)
            return ms_fail(error, MS_INVALID, "%s: value %d of the list is empty", what, k + 1);
        memcpy(axis->text + (size_t)k * axis->stride, text, length);
        text += length + 1;
    }
    return MS_OK;
}

int ms_axis_copy(const ms_axis *from, ms_axis *axis, ms_error *error)
{
    const size_t size = (size_t)from->n * from->stride;
    *axis = *from;
    axis->text = malloc(size);
    if (axis->text != NULL)
        memcpy(axis->text, from->text, size);
    else
        *axis = (ms_axis){0};
    return axis->text != NULL ? MS_OK : no_memory(error, from->name);
}

void ms_axis_destroy(ms_axis *axis)
{
    free(axis->text);
    *axis = (ms_axis){0};
}

bool ms_axis_is(const ms_axis *axis, ms_option_id option)
{
    return axis->setting < 0 && strcmp(axis->name, ms_option_table[option].name) == 0;
}

bool ms_axis_number(const ms_axis *axis, int k, double *value)
{
    return ms_option_number(ms_axis_value(axis, k), value);
}

/* Ranges with a name -------------------------------------------------------------------------------------- */

static int copy_numbers(const char *what, const ms_axis *list, ms_range *range, ms_error *error)
{
    range->value = calloc((size_t)list->n, sizeof *range->value);
    MS_TRY_MEMORY_OR(range->value != NULL, no_memory(error, what));
    for (; range->n < list->n; range->n++)
        if (!ms_axis_number(list, range->n, &range->value[range->n]))
            return ms_fail(error, MS_INVALID, "%s: %s must be a finite number", what,
                           ms_axis_value(list, range->n));
    return MS_OK;
}

int ms_range_create(const char *option, const char *text, ms_range *range, ms_error *error)
{
    char what[96];
    ms_axis list;
    const char *equals = strchr(text, '=');
    *range = (ms_range){0};
    if (equals == NULL || equals == text || equals[1] == '\0')
        return ms_fail(error, MS_INVALID, "--%s %s: must be NAME=RANGE, as step-size=0.001:0.1:lin:101",
                       option, text);
    range->name = strndup(text, (size_t)(equals - text));
    MS_TRY_MEMORY_FOR(range->name != NULL, error, "the command line");
    snprintf(what, sizeof what, "--%s %s", option, range->name);
    int status = ms_axis_create(what, range->name, equals + 1, &list, error);
    if (status == MS_OK && list.n < 2)
        status = ms_fail(error, MS_INVALID,
                         "%s=%s: a range is needed, from:to:lin:count, from:to:log:count or a,b,..", what,
                         equals + 1);
    MS_THEN(status, copy_numbers(what, &list, range, error));
    ms_axis_destroy(&list);
    return status;
}

void ms_range_destroy(ms_range *range)
{
    MS_FREE(range->name, range->value);
    *range = (ms_range){0};
}

/* Options ------------------------------------------------------------------------------------------------- */

bool ms_axis_fits(const ms_option *option)
{
    return option->kind == MS_KIND_CHOICE || option->kind == MS_KIND_INTEGER ||
           option->kind == MS_KIND_REAL || option == &ms_option_table[MS_OPTION_SCHEME] ||
           option == &ms_option_table[MS_OPTION_SOLVER];
}

/* The name of value k of an option of few values, or NULL behind the last one. */
static const char *value_at(const ms_option *option, int k, char number[NUMBER_LENGTH])
{
    if (option == &ms_option_table[MS_OPTION_SCHEME])
        return ms_schemes[k] != NULL ? ms_schemes[k]->name : NULL;
    if (option == &ms_option_table[MS_OPTION_SOLVER])
        return ms_solvers[k] != NULL ? ms_solvers[k]->name : NULL;
    if (option->kind != MS_KIND_INTEGER)
        return ms_option_choice_at(option, k);
    snprintf(number, NUMBER_LENGTH, "%g", option->min + k);
    return option->min + k <= option->max && k < WHOLE_NUMBERS_MAX ? number : NULL;
}

int ms_axis_of_option(const ms_option *option, ms_axis *axis, ms_error *error)
{
    char number[NUMBER_LENGTH];
    ms_text_stream text;
    FILE *file = ms_text_open(&text);
    const char *value;
    for (int k = 0; file != NULL && (value = value_at(option, k, number)) != NULL; k++)
        fprintf(file, "%s%s", k > 0 ? "," : "", value);
    char *list = ms_text_close(&text);
    *axis = (ms_axis){0};
    const int status = list != NULL ? ms_axis_create(option->name, option->name, list, axis, error)
                                    : no_memory(error, option->name);
    free(list);
    return status;
}
