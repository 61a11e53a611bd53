/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/model.h>

#include <string.h>

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
