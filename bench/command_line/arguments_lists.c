/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments_lists.c - lists where one value stands. */
#include "arguments_parts.h"

#include <macrostep/options_set.h>
#include <macrostep/scheme_registry.h>

/* Checks all values. The first one is kept as the single value. */
static int try_values(ms_arguments *arguments, const ms_axis *axis, ms_error *error)
{
    for (int k = axis->n - 1; k >= 0; k--)
        MS_TRY(ms_arguments_apply(arguments, axis, k, &arguments->options, error));
    return MS_OK;
}

int ms_arguments_add_list(ms_arguments *arguments, const char *what, const char *name, const char *text,
                          int setting, ms_error *error)
{
    ms_axis *axis = &arguments->axes[arguments->n_axes++];
    const int status = ms_axis_create(what, name, text, axis, error);
    axis->setting = setting;
    return status == MS_OK ? try_values(arguments, axis, error) : status;
}

int ms_arguments_apply(ms_arguments *arguments, const ms_axis *axis, int k, ms_options *options,
                       ms_error *error)
{
    const char *text = ms_axis_value(axis, k);
    if (axis->setting < 0)
        return ms_options_set(options, axis->name, text, error);
    if (!ms_axis_number(axis, k, &arguments->settings[axis->setting].value))
        return ms_fail(error, MS_INVALID, "--set %s=%s: the value must be a finite number%s", axis->name,
                       text, ms_option_has_unit(text) ? ", without its unit, which `show` lists" : "");
    return MS_OK;
}

const ms_axis *ms_arguments_list(const ms_arguments *arguments, ms_option_id option)
{
    for (int k = 0; k < arguments->n_axes; k++)
        if (ms_axis_is(&arguments->axes[k], option))
            return &arguments->axes[k];
    return NULL;
}

static bool takes_lists(const ms_command *command)
{
    return command->lists;
}

int ms_arguments_refuse_lists(const ms_arguments *arguments, ms_error *error)
{
    if (arguments->n_axes == 0)
        return MS_OK;
    char commands[256];
    return ms_fail(error, MS_INVALID, "--%s%s: %s takes one value; lists are for %s",
                   arguments->axes[0].setting >= 0 ? "set " : "", arguments->axes[0].name,
                   arguments->command->name, ms_command_names(takes_lists, commands, sizeof commands));
}

int ms_arguments_add_all_schemes(ms_arguments *arguments, ms_error *error)
{
    arguments->axes[arguments->n_axes++] = (ms_axis){.setting = -1, .name = "scheme"};
    return ms_options_set(&arguments->options, "scheme", ms_schemes[0]->name, error);
}

int ms_arguments_fill_all_schemes(ms_arguments *arguments, ms_error *error)
{
    int k = 0;
    while (k < arguments->n_axes && arguments->axes[k].n > 0)
        k++;
    if (k == arguments->n_axes)
        return MS_OK;
    const int status = ms_axis_of_option(&ms_option_table[MS_OPTION_SCHEME], &arguments->axes[k], error);
    return status == MS_OK ? try_values(arguments, &arguments->axes[k], error) : status;
}

int ms_arguments_check_schemes(const ms_arguments *arguments, ms_error *error)
{
    bool known = ms_scheme_choose(arguments->options.scheme, error) != NULL;
    for (int k = 0; k < arguments->n_axes; k++) {
        const ms_axis *axis = &arguments->axes[k];
        for (int j = 0; j < axis->n && known && ms_axis_is(axis, MS_OPTION_SCHEME); j++)
            known = ms_scheme_choose(ms_axis_value(axis, j), error) != NULL;
    }
    return known ? MS_OK : MS_INVALID;
}
