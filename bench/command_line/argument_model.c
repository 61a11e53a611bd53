/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_model.c - the model that arguments name, and its parameter values. */
#include "arguments.h"

#include <stdlib.h>
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

/* Arguments that concern a system besides its parameters. */
static int bind_more(const ms_arguments *arguments, ms_system **system, ms_error *error)
{
    int status = MS_OK;
    (*system)->start_eps = arguments->perturb_start;
    if (arguments->inputs != NULL)
        status = ms_system_bind_inputs(*system, arguments->inputs, error);
    if (status != MS_OK)
        ms_system_destroy(system);
    return status;
}

/* Is that what is wrong with n of the settings alone? */
static bool is_fault_of(const ms_model *model, const char *case_name, const ms_setting *settings, int n,
                        const ms_error *why)
{
    ms_system *alone = NULL;
    ms_error own;
    const int status = ms_system_create(model, case_name, settings, n, &alone, &own);
    ms_system_destroy(&alone);
    return status != MS_OK && strcmp(own.text, why->text) == 0;
}

int ms_arguments_bind(const ms_arguments *arguments, const ms_model *model, ms_system **system,
                      ms_error *error)
{
    const char *case_name = arguments->text[MS_ARGUMENT_CASE];
    ms_error why = {0};
    int status = ms_system_create(model, case_name, arguments->settings, arguments->n_settings, system, &why);
    if (status == MS_OK)
        return bind_more(arguments, system, error);
    if (status != MS_INVALID)
        return ms_fail(error, status, "%s", why.text);
    if (case_name != NULL && ms_model_case(model, case_name) < 0)
        return ms_fail(error, status, "--case %s: %s", case_name, why.text);
    const bool without = is_fault_of(model, case_name, NULL, 0, &why);
    for (int i = 0; i < arguments->n_settings && !without; i++) { /* which of the settings is wrong? */
        const ms_setting *setting = &arguments->settings[i];
        if (is_fault_of(model, case_name, setting, 1, &why))
            return ms_fail(error, status, "--set %s=%g: %s", setting->parameter, setting->value, why.text);
    }
    return ms_fail(error, MS_INVALID, "%s", why.text);
}
