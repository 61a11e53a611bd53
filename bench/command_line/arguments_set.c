/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The comma from there on that is in no parentheses or brackets; else the end. */
static const char *find_comma(const char *text)
{
    int depth = 0;
    for (; *text != '\0' && (*text != ',' || depth > 0); text++)
        depth += *text == '(' || *text == '[' ? 1 : (*text == ')' || *text == ']') && depth > 0 ? -1 : 0;
    return text;
}

/* Where the setting ends: at the comma before the next NAME=, or at the end. */
static const char *end_of_setting(const char *text)
{
    const char *equals = strchr(text, '='), *comma = find_comma(equals != NULL ? equals : text);
    while (*comma == ',') {
        const char *next = find_comma(comma + 1);
        equals = strchr(comma, '=');
        if (equals != NULL && equals < next)
            return comma;
        comma = next;
    }
    return comma;
}

static int read_value(ms_arguments *arguments, const char *text, const char *value, int at, ms_error *error)
{
    char what[160];
    ms_distribution *distribution = &arguments->distributions[at];
    snprintf(what, sizeof what, "--set %s", text);
    if (ms_distribution_is(value)) {
        MS_TRY(ms_distribution_read(what, value, distribution, error));
        arguments->settings[at].value = ms_distribution_quantile(distribution, 0.5);
        return MS_OK;
    }
    if (ms_axis_is_list(value, true))
        return ms_arguments_add_list(arguments, "--set", arguments->settings[at].parameter, value, at, error);
    return ms_option_number(value, &arguments->settings[at].value)
               ? MS_OK
               : ms_fail(error, MS_INVALID, "%s: the value must be a finite number%s", what,
                         ms_option_has_unit(value) ? ", without its unit, which `show` lists" : "");
}

/* "PARAMETER=VALUE". */
static int read_setting(ms_arguments *arguments, const char *text, ms_error *error)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0')
        return ms_fail(error, MS_INVALID, "--set %s: must be PARAMETER=VALUE", text[0] != '\0' ? text : "''");
    char *copy = strdup(text);
    MS_TRY_MEMORY_FOR(copy != NULL, error, "the command line");
    const int at = arguments->n_settings++;
    arguments->setting_text[at] = copy;
    copy[equals - text] = '\0';
    arguments->settings[at] = (ms_setting){copy, 0.0};
    for (int i = 0; i < at; i++)
        if (strcmp(arguments->settings[i].parameter, copy) == 0)
            return ms_fail(error, MS_INVALID, "--set %s: %s is set twice", text, copy);
    return read_value(arguments, text, equals + 1, at, error);
}

int ms_arguments_read_settings(ms_arguments *arguments, const char *text, ms_error *error)
{
    int status = MS_OK;
    for (bool more = true; more && status == MS_OK;) {
        const char *end = end_of_setting(text);
        char *one = strndup(text, (size_t)(end - text));
        status = one != NULL ? read_setting(arguments, one, error)
                             : ms_fail(error, MS_NO_MEMORY, "not enough memory for the command line");
        free(one);
        more = *end == ',';
        text = end + more;
    }
    return status;
}

/* Random parameters ---------------------------------------------------------------------------------------- */

int ms_arguments_check_sample(const ms_arguments *arguments, ms_error *error)
{
    static const ms_argument of_sample[] = {MS_ARGUMENT_SEED, MS_ARGUMENT_SAMPLING};
    const bool taken = ms_argument_taken(arguments->command, MS_ARGUMENT_SAMPLE);
    int random = 0;
    for (int k = 0; k < arguments->n_settings; k++) {
        if (arguments->distributions[k].kind == MS_DISTRIBUTION_NONE)
            continue;
        random++;
        if (!taken || arguments->sample == 0)
            return ms_fail(error, MS_INVALID, "--set %s=%s: a distribution needs %s",
                           arguments->settings[k].parameter, ms_arguments_setting_text(arguments, k),
                           taken ? "--sample N, the number of draws" : "macrostep sweep --sample N");
    }
    if (arguments->sample > 0 && random == 0)
        return ms_fail(error, MS_INVALID,
                       "--sample %d: no parameter is random; --set 'NAME=normal(MEAN,SD)' makes one random",
                       arguments->sample);
    for (int k = 0; k < 2; k++)
        if (arguments->text[of_sample[k]] != NULL && arguments->sample == 0)
            return ms_fail(error, MS_INVALID, "--%s %s: requires --sample N",
                           ms_argument_table[of_sample[k]].option.name, arguments->text[of_sample[k]]);
    if (random > MS_SOBOL_DIMENSIONS && arguments->sampling == MS_SAMPLING_SOBOL)
        return ms_fail(error, MS_INVALID,
                       "--sampling sobol: has at most %d random parameters; latin-hypercube has any number",
                       MS_SOBOL_DIMENSIONS);
    return MS_OK;
}
