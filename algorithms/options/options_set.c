/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_set.c - sets one option from text, unless a preset determines it. */

#include <macrostep/options_set.h>
#include "nearest.h"
#include "preset.h"

static int set(ms_options *options, ms_option_id k, const char *value, ms_error *error)
{
    ms_options wanted = *options;
    int status = ms_option_read(&ms_option_table[k], value, &wanted, error);
    if (status == MS_OK && options->set_by[k] == MS_FIXED_BY_PRESET)
        return ms_preset_keeps(options, k, &wanted, value, error);
    if (status == MS_OK && k == MS_OPTION_AS)
        status = ms_preset_apply(&wanted, error);
    if (status != MS_OK)
        return status;
    wanted.given[k] = true;
    wanted.set_by[k] = MS_SET_BY_NO_OTHER;
    *options = wanted;
    return MS_OK;
}

int ms_options_set(ms_options *options, const char *name, const char *value, ms_error *error)
{
    const int alias = ms_option_find_alias(name), k = alias >= 0 ? alias : ms_option_find(name);
    if (alias >= 0 && value != NULL)
        return ms_fail(error, MS_INVALID, "`%s` takes no value; it means `%s` %s", name,
                       ms_option_table[k].name, ms_option_table[k].alias_value);
    if (alias >= 0)
        value = ms_option_table[k].alias_value;
    if (k < 0)
        return ms_fail(error, MS_INVALID, "unknown option `%s`; did you mean `%s`?", name,
                       MS_NEAREST_OF(name, ms_option_table, MS_OPTIONS));
    return set(options, (ms_option_id)k, value, error);
}
