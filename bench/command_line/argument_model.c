/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_model.c - the model that arguments name, and its parameter values. */
#include "arguments.h"

#include <unistd.h>

#include <macrostep/catalogue.h>

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
