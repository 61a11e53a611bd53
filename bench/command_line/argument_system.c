/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_system.c - reads a system's file, and checks the requirements of the command before a binary is opened. */
#include "arguments.h"

#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>

/* Do units fit? */
static int check_units(const void *self, const ms_model *model, ms_error *error)
{
    enum { ON };
    const ms_arguments *arguments = self;
    ms_error why;
    const int status = arguments->units == ON ? ms_model_check_units(model, &why) : MS_OK;
    return status == MS_OK ? MS_OK
                           : ms_fail(error, status, "%s; --units off leaves this check out", why.text);
}

/* Are the names of settings those of parameters? */
static int check_settings(const ms_arguments *arguments, const ms_model *model, ms_error *error)
{
    ms_error why;
    for (int k = 0; k < arguments->n_settings; k++) {
        const char *name = arguments->settings[k].parameter;
        if (ms_model_check_parameter(model, name, &why) != MS_OK)
            return ms_fail(error, MS_INVALID, "--set %s=%s: %s", name,
                           ms_arguments_setting_text(arguments, k), why.text);
    }
    return MS_OK;
}

/* Also checks the command's requirements on its system: equations, or steps if it is one run of one scheme. */
static int check_system(const void *self, const ms_model *model, ms_error *error)
{
    const ms_arguments *arguments = self;
    const ms_system outline = {.model = model, .n = model->n_subsystems, .sub = model->subsystems};
    int status = check_units(self, model, error);
    MS_THEN(status, check_settings(arguments, model, error));
    if (status == MS_OK && arguments->command->needs_equations)
        status = ms_system_needs_equations(&outline, "a micro-solver", error);
    if (status != MS_OK || !arguments->command->couples || arguments->command->lists)
        return status;
    ms_options options = arguments->options;
    ms_error why;
    const int said = ms_arguments_apply_defaults(arguments, model, &options, error);
    const ms_scheme *scheme = said == MS_OK ? ms_scheme_choose(options.scheme, &why) : NULL;
    return scheme != NULL ? ms_cosim_check_model(model, scheme, &options, error) : said;
}

int ms_arguments_read_system(const ms_arguments *arguments, const char *path, ms_model **model,
                             ms_error *error)
{
    ms_fmu_reading reading = arguments->fmus;
    const char *const *text = arguments->text;
    reading.kind = text[MS_ARGUMENT_KIND];
    reading.driven = text[MS_ARGUMENT_INPUTS] != NULL;
    reading.check = path == text[MS_ARGUMENT_SYSTEM] ? check_system : check_units;
    reading.self = arguments;
    return ms_model_read_with(path, &reading, model, error);
}

/* Can the file give options that the command takes? A system structure gives any of them, other files a start time. */
static bool gives_defaults(const ms_command *command, const char *file)
{
    return ms_arguments_ends_with(file, ".ssd") || ms_arguments_ends_with(file, ".ssp") ||
           ms_command_takes_option(command, MS_OPTION_START_TIME);
}

int ms_arguments_read_defaults(ms_arguments *arguments, ms_error *error)
{
    const char *file = arguments->text[MS_ARGUMENT_SYSTEM];
    if (file == NULL || arguments->operand != NULL || !gives_defaults(arguments->command, file))
        return MS_OK;
    const int status = ms_arguments_read_system(arguments, file, &arguments->system_model, error);
    return status == MS_OK
               ? ms_arguments_apply_defaults(arguments, arguments->system_model, &arguments->options, error)
               : status;
}
