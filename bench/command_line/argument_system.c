/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_system.c - reads a system's file, and checks the requirements of the command before a binary is opened. */
#include "arguments.h"

#include <stdlib.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/series_read.h>

/* What a model is read for. */
typedef struct reader {
    const ms_arguments *arguments;
    const ms_system *outline; /* of --reference: that whose names it is to have; NULL: any */
    bool differs;             /* it has none of them */
} reader;

/* Do units fit? */
static int check_units(void *self, const ms_model *model, ms_error *error)
{
    enum { ON };
    const reader *r = self;
    ms_error why;
    const int status = r->arguments->units == ON ? ms_model_check_units(model, &why) : MS_OK;
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

/* The command's requirements on its system: equations, names that its options give, and steps if it is one run of one scheme. */
static int check_outline(const ms_arguments *arguments, const ms_system *outline, ms_error *error)
{
    const ms_command *command = arguments->command;
    ms_options options = arguments->options;
    ms_error why;
    if (command->needs_equations)
        MS_TRY(ms_system_needs_equations(outline, "a micro-solver", error));
    MS_TRY(ms_cosim_check_names(outline, &options, error));
    if (!command->couples || command->lists)
        return MS_OK;
    MS_TRY(ms_arguments_apply_defaults(arguments, outline->model, &options, error));
    const ms_scheme *scheme = ms_scheme_choose(options.scheme, &why);
    return scheme != NULL ? ms_cosim_check_run(outline, scheme, &options, error) : MS_OK;
}

/* Binds the outline to each value of a list of a parameter; settings is a copy of the arguments' own. */
static int bind_values(ms_arguments *with, const ms_axis *axis, const ms_model *model, ms_error *error)
{
    ms_setting *setting = &with->settings[axis->setting];
    const double first = setting->value;
    int status = MS_OK;
    for (int k = 0; k < axis->n && status == MS_OK; k++) {
        ms_system *system = NULL;
        status = ms_arguments_apply(with, axis, k, &with->options, error);
        MS_THEN(status, ms_arguments_bind(with, model, &system, error));
        ms_system_destroy(&system);
    }
    setting->value = first;
    return status;
}

/* Are all values in lists of parameters right? */
static int check_lists(const ms_arguments *arguments, const ms_model *model, ms_error *error)
{
    const size_t n = (size_t)arguments->n_settings;
    ms_arguments with = *arguments;
    int status = MS_OK;
    with.settings = calloc(n + 1, sizeof *with.settings);
    MS_TRY_MEMORY_FOR(with.settings != NULL, error, "%zu settings", n);
    if (n > 0)
        memcpy(with.settings, arguments->settings, n * sizeof *with.settings);
    for (int a = 0; a < with.n_axes; a++)
        if (with.axes[a].setting >= 0)
            MS_THEN(status, bind_values(&with, &with.axes[a], model, error));
    free(with.settings);
    return status;
}

/* Do units fit, and has it names of the system? */
static int check_reference(void *self, const ms_model *model, ms_error *error)
{
    reader *c = self;
    ms_against against = c->arguments->reference->against;
    against.model = model;
    MS_TRY(check_units(c, model, error));
    const int status = c->outline != NULL ? ms_against_check(c->outline, &against, error) : MS_OK;
    c->differs = status == MS_INVALID;
    return status;
}

static int read_reference_file(reader *c, ms_error *error)
{
    ms_reference_argument *to = c->arguments->reference;
    ms_fmu_reading reading = c->arguments->fmus;
    ms_error why = {0};
    reading.check = check_reference;
    reading.self = c;
    const int status = ms_model_read_with(to->against.name, &reading, &to->model, &why);
    to->against.model = to->model;
    if (status == MS_OK)
        return MS_OK;
    return c->differs ? ms_fail(error, status, "%s", why.text)
                      : ms_fail(error, status, "--reference %s: %s", to->against.name, why.text);
}

int ms_arguments_read_reference(const ms_arguments *arguments, const ms_system *outline, ms_error *error)
{
    ms_reference_argument *to = arguments->reference;
    const char *text = arguments->text[MS_ARGUMENT_REFERENCE];
    ms_error why = {0};
    if (to == NULL || text == NULL || to->against.name != NULL)
        return MS_OK;
    const char *dot = strrchr(text, '.');
    to->against = (ms_against){.name = text, .finer = strcmp(text, "finer") == 0};
    if (to->against.finer)
        return MS_OK;
    if (dot != NULL && strcmp(dot, ".csv") == 0) {
        const int status = ms_series_read(text, &to->series, &why);
        if (status != MS_OK)
            return ms_fail(error, status, "--reference %s: %s", text, why.text);
        to->against.series = to->series;
    } else if ((to->against.model = ms_catalogue_find(text)) == NULL) {
        if (dot != NULL)
            return read_reference_file(&(reader){arguments, outline, false}, error);
        return ms_fail(error, MS_INVALID,
                       "--reference %s: neither finer, nor a FILE.csv or FILE.json, nor a model; the nearest "
                       "is %s (macrostep list models)",
                       text, ms_catalogue_nearest(text));
    }
    return outline != NULL ? ms_against_check(outline, &to->against, error) : MS_OK;
}

/* Everything that the file and the descriptions of its FMUs decide. */
static int check_system(void *self, const ms_model *model, ms_error *error)
{
    const ms_arguments *arguments = ((const reader *)self)->arguments;
    ms_system *outline = NULL;
    int status = check_units(self, model, error);
    MS_THEN(status, check_settings(arguments, model, error));
    MS_THEN(status, ms_arguments_bind(arguments, model, &outline, error));
    MS_THEN(status, check_outline(arguments, outline, error));
    MS_THEN(status, ms_arguments_read_reference(arguments, outline, error));
    if (arguments->of_command.check != NULL)
        MS_THEN(status, arguments->of_command.check(arguments->of_command.self, outline, error));
    ms_system_destroy(&outline);
    MS_THEN(status, check_lists(arguments, model, error));
    return status;
}

int ms_arguments_read_system(const ms_arguments *arguments, const char *path, ms_model **model,
                             ms_error *error)
{
    ms_fmu_reading reading = arguments->fmus;
    reader self = {arguments, NULL, false};
    const char *const *text = arguments->text;
    reading.kind = text[MS_ARGUMENT_KIND];
    reading.driven = text[MS_ARGUMENT_INPUTS] != NULL;
    reading.check = check_units;
    reading.self = &self;
    if (path == text[MS_ARGUMENT_SYSTEM]) {
        reading.check = check_system;
        reading.settings = arguments->settings;
        reading.n_settings = arguments->n_settings;
    }
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
