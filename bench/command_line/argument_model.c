/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_model.c - the model that arguments name, and its parameter values. */
#include "arguments.h"

#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/series_read.h>

int ms_arguments_model(const ms_arguments *arguments, const ms_model **model, ms_model **owned,
                       ms_error *error)
{
    const char *name = arguments->operand, *file = arguments->text[MS_ARGUMENT_SYSTEM];
    *model = *owned = NULL;
    if (name != NULL && file != NULL)
        return ms_fail(error, MS_INVALID, "--system %s: takes the place of the model %s; give one of them",
                       file, name);
    if (name == NULL && file == NULL)
        return ms_fail(error, MS_INVALID,
                       "%s: the name of a model or --system FILE is missing; macrostep list models",
                       arguments->command->name);
    if (file != NULL && arguments->system_model != NULL) {
        *model = arguments->system_model;
        return MS_OK;
    }
    if (file != NULL) {
        const int status = ms_arguments_read_system(arguments, file, owned, error);
        *model = *owned;
        return status;
    }
    *model = ms_catalogue_find(name);
    if (*model != NULL)
        return MS_OK;
    if (access(name, R_OK) == 0)
        return ms_fail(error, MS_INVALID,
                       "unknown model %s; there is a file of that name, which --system %s reads (names that "
                       "end in .json, .ssd, .ssp or .fmu are files)",
                       name, name);
    return ms_fail(error, MS_INVALID, "unknown model %s%s; the nearest is %s (macrostep list models)", name,
                   strpbrk(name, "./") != NULL ? ", and there is no file of that name" : "",
                   ms_catalogue_nearest(name));
}

int ms_arguments_read_reference(ms_arguments *arguments, ms_error *error)
{
    const char *text = arguments->text[MS_ARGUMENT_REFERENCE], *dot = strrchr(text, '.');
    ms_error why = {0};
    int status = MS_OK;
    if (arguments->options.errors == MS_AGAINST_NONE)
        return ms_fail(error, MS_INVALID, "--reference %s: requires --errors reference", text);
    if (strcmp(text, "finer") == 0)
        arguments->reference_finer = true;
    else if (dot != NULL && strcmp(dot, ".csv") == 0)
        status = ms_series_read(text, &arguments->reference_series, &why);
    else if ((arguments->reference_model = ms_catalogue_find(text)) == NULL && dot == NULL)
        status = ms_fail(&why, MS_INVALID,
                         "neither finer, nor a FILE.csv or FILE.json, nor a model; the nearest is %s "
                         "(macrostep list models)",
                         ms_catalogue_nearest(text));
    else if (arguments->reference_model == NULL) {
        status = ms_arguments_read_system(arguments, text, &arguments->reference_owned, &why);
        arguments->reference_model = arguments->reference_owned;
    }
    return status == MS_OK ? MS_OK : ms_fail(error, status, "--reference %s: %s", text, why.text);
}
