/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file_defaults.h"

#include <string.h>

#include <macrostep/options_set.h>

static int fail(const ms_default *of, ms_error *error, const char *why)
{
    return ms_fail(error, MS_INVALID, "%s: line %ld: %s", of->path, of->line, why);
}

int ms_file_defaults_fail(const ms_model *model, int k, ms_error *error, const char *why)
{
    const ms_default *of = model->defaults;
    while (ms_option_find(of->option) != k && of + 1 < model->defaults + model->n_defaults)
        of++;
    return fail(of, error, why);
}

int ms_file_defaults_read(const ms_model *model, ms_options *said, ms_error *error)
{
    ms_options_default(said);
    for (int i = 0; i < model->n_defaults; i++) {
        const ms_default *of = &model->defaults[i];
        const int k = ms_option_find(of->option);
        ms_error why = {{0}};
        int status = MS_OK;
        if (k >= 0 && said->given[k] && said->set_by[k] == MS_SET_BY_NO_OTHER &&
            ms_option_table[k].kind != MS_KIND_LIST)
            status = ms_fail(&why, MS_INVALID, "`%s`: given twice", of->option);
        MS_THEN(status, ms_options_set(said, of->option, of->value[0] != '\0' ? of->value : NULL, &why));
        if (status != MS_OK)
            return fail(of, error, why.text);
    }
    return MS_OK;
}

void ms_file_defaults_apply(const ms_options *said, ms_options *options)
{
    for (int k = 0; k < MS_OPTIONS; k++) {
        const ms_option *option = &ms_option_table[k];
        const bool of_file = said->given[k] || said->set_by[k] != MS_SET_BY_NO_OTHER;
        if (!of_file || options->given[k] || options->set_by[k] != MS_SET_BY_NO_OTHER || k == MS_OPTION_AS ||
            (k == MS_OPTION_STEP_SIZE && said->given[k]))
            continue;
        memcpy((char *)options + option->offset, (const char *)said + option->offset, option->size);
        options->given[k] = true;
        options->set_by[k] = MS_SET_BY_FILE;
    }
    if (options->set_by[MS_OPTION_MASK] == MS_SET_BY_FILE)
        options->n_masks = said->n_masks;
}
