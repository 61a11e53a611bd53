/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LENGTH = 32, COUNT_MAX = 1000000, CHOICES_MAX = 16 };

static int no_memory(ms_error *error, const char *what)
{
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for its values", what);
}

bool ms_axis_is_list(const char *text, bool numeric)
{
    return strchr(text, ',') != NULL || (numeric && strchr(text, ':') != NULL);
}

/* A number that fills the text up to one of the terminators. */
static bool read_number(const char *text, char terminator, double *value, const char **rest)
{
    char *end;
    *value = strtod(text, &end);
    *rest = end + 1;
    return end != text && *end == terminator && isfinite(*value);
}

/* "from:to:lin:count". Values: from + k (to - from) / (count - 1), or the same in logarithms. */
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
    if (axis->text == NULL)
        return no_memory(error, what);
    for (int k = 0; k < axis->n; k++) {
        const double s = k / (count - 1.0);
        double value = logarithmic ? from * exp(s * log(to / from)) : from + s * (to - from);
        if (k == 0 || k == axis->n - 1)
            value = k == 0 ? from : to;
        snprintf(axis->text + (size_t)k * axis->stride, axis->stride, "%.17g", value);
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
    if (axis->text == NULL)
        return no_memory(error, what);
    for (int k = 0; k < axis->n; k++) {
        const size_t length = strcspn(text, ",");
        if (length == 0)
            return ms_fail(error, MS_INVALID, "%s: value %d of the list is empty", what, k + 1);
        memcpy(axis->text + (size_t)k * axis->stride, text, length);
        text += length + 1;
    }
    return MS_OK;
}

void ms_axis_destroy(ms_axis *axis)
{
    free(axis->text);
    *axis = (ms_axis){0};
}

bool ms_axis_fits(const ms_option *option)
{
    return option->kind == MS_KIND_CHOICE || option->kind == MS_KIND_INTEGER ||
           option->kind == MS_KIND_REAL || strcmp(option->name, "scheme") == 0 ||
           strcmp(option->name, "solver") == 0;
}

int ms_axis_of_option(const ms_option *option, ms_axis *axis, ms_error *error)
{
    char text[512] = "";
    const bool numbers = option->kind == MS_KIND_INTEGER;
    for (int k = 0; k < CHOICES_MAX; k++) {
        const double number = option->min + k;
        if (numbers ? number > option->max : option->choices[k] == NULL)
            break;
        const size_t length = strlen(text);
        if (numbers)
            snprintf(text + length, sizeof text - length, "%s%g", k > 0 ? "," : "", number);
        else
            snprintf(text + length, sizeof text - length, "%s%s", k > 0 ? "," : "", option->choices[k]);
    }
    return ms_axis_create(option->name, option->name, text, axis, error);
}
