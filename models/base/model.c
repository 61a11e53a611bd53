/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/model.h>

#include <string.h>

#include "nearest.h"

const char *const ms_signal_names[MS_SIGNALS] = {[MS_SIGNAL_CONTINUOUS] = "continuous real",
                                                 [MS_SIGNAL_DISCRETE] = "discrete real",
                                                 [MS_SIGNAL_INTEGER] = "integer",
                                                 [MS_SIGNAL_BOOLEAN] = "boolean",
                                                 [MS_SIGNAL_ENUMERATION] = "enumeration"};

int ms_model_case(const ms_model *model, const char *name)
{
    for (int i = 0; i < model->n_cases; i++)
        if (strcmp(model->cases[i].name, name) == 0)
            return i;
    return -1;
}

int ms_model_parameter(const ms_model *model, const char *name)
{
    for (int i = 0; i < model->n_parameters; i++)
        if (strcmp(model->parameters[i].name, name) == 0)
            return i;
    return -1;
}

int ms_model_check_parameter(const ms_model *model, const char *name, ms_error *error)
{
    if (ms_model_parameter(model, name) >= 0)
        return MS_OK;
    if (model->n_parameters == 0)
        return ms_fail(error, MS_INVALID, "model %s has no parameter %s: it has none", model->name, name);
    return ms_fail(error, MS_INVALID, "model %s has no parameter %s; the nearest is %s", model->name, name,
                   MS_NEAREST_OF(name, model->parameters, model->n_parameters));
}
