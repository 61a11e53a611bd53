/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "value_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ms_value_may_lack(const ms_option *option)
{
    return ms_option_has_choices(option) && option->bare >= 0;
}

/* " a|b|c", or "[=a|b|c]" where the value may be left out. */
static void join_choices(const ms_option *option, char *text, size_t size)
{
    const bool bare = ms_value_may_lack(option);
    for (int k = 0; ms_option_choice_at(option, k) != NULL; k++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s",
                 k > 0  ? "|"
                 : bare ? "[="
                        : " ",
                 ms_option_choice_at(option, k));
    }
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", bare ? "]" : "");
}

const char *ms_value_form(const ms_option *option, char text[MS_VALUE_FORM_MAX])
{
    text[0] = '\0';
    if (option->value != NULL)
        snprintf(text, MS_VALUE_FORM_MAX, " %s", option->value);
    else if (ms_option_has_choices(option))
        join_choices(option, text, MS_VALUE_FORM_MAX);
    else if (option->kind == MS_KIND_INTEGER)
        snprintf(text, MS_VALUE_FORM_MAX, " %g..%g", option->min, option->max);
    else if (option->kind != MS_KIND_FLAG)
        snprintf(text, MS_VALUE_FORM_MAX, "%s",
                 option->kind == MS_KIND_REAL   ? " X"
                 : option->kind == MS_KIND_LIST ? " SPEC"
                                                : " NAME");
    return text;
}

int ms_length_read(const char *name, const char *text, double least, double most, double *length,
                   ms_error *error)
{
    char *unit;
    *length = strtod(text, &unit);
    if (unit != text && strcmp(unit, "cm") == 0 && *length >= least && *length <= most)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--%s %s: must be a length in [%gcm, %gcm], as 8cm or 17cm", name, text,
                   least, most);
}
