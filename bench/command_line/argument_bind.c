/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_bind.c - a model is bound to what arguments give it: a case, values of parameters, external inputs. */
#include "arguments.h"

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
