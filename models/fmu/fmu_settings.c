/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_settings.c - values of variables of any type, as a file gives them and as numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_description_read.h"
#include "fmu_parts.h"

/* The smallest and largest whole numbers of a type; a 64-bit one as far as doubles are whole. */
static void bounds_of(ms_fmu_type type, double *least, double *most)
{
    static const double bits[MS_FMU_TYPES] = {
        [MS_FMU_INT8] = 7,    [MS_FMU_UINT8] = 8,   [MS_FMU_INT16] = 15,
        [MS_FMU_UINT16] = 16, [MS_FMU_INT32] = 31,  [MS_FMU_UINT32] = 32,
        [MS_FMU_INT64] = 53,  [MS_FMU_UINT64] = 53, [MS_FMU_ENUMERATION] = 31};
    const bool is_unsigned =
        type == MS_FMU_UINT8 || type == MS_FMU_UINT16 || type == MS_FMU_UINT32 || type == MS_FMU_UINT64;
    *most = type == MS_FMU_BOOLEAN ? 1.0 : exp2(bits[type]) - 1.0;
    *least = type == MS_FMU_BOOLEAN || is_unsigned ? 0.0 : -exp2(bits[type]);
}

static bool is_real(ms_fmu_type type)
{
    return type == MS_FMU_FLOAT64 || type == MS_FMU_FLOAT32;
}

/* What stands in a file as a number of that type, items of enumerations by their names; false: it is none. */
static bool read_number(const ms_fmu_description *d, const ms_fmu_variable *v, const char *text,
                        double *value)
{
    char *end;
    double least, most;
    if (ms_fmu_item(d, (int)(v - d->variables), text, value))
        return true;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = text[0] == 't';
        return v->type == MS_FMU_BOOLEAN;
    }
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value))
        return false;
    if (is_real(v->type))
        return true;
    bounds_of(v->type, &least, &most);
    return *value == floor(*value) && least <= *value && *value <= most;
}

static bool may_be_set(const ms_fmu_variable *v)
{
    const bool starts = v->initial == MS_FMU_EXACT || v->initial == MS_FMU_APPROX;
    return v->variability != MS_FMU_CONSTANT && v->n_dimensions == 0 && v->type != MS_FMU_BINARY &&
           v->type != MS_FMU_CLOCK &&
           (v->causality == MS_FMU_PARAMETER || v->causality == MS_FMU_INPUT ||
            ((v->causality == MS_FMU_LOCAL || v->causality == MS_FMU_OUTPUT) && starts));
}

static int refuse(const ms_fmu *fmu, const ms_fmu_variable *v, ms_error *error)
{
    return ms_fail(error, MS_INVALID,
                   "%s: %s cannot be set: it is %s%s %s (%s); parameters, inputs and start values can",
                   fmu->path, v->name, v->n_dimensions > 0 ? "an array, " : "",
                   ms_fmu_variability_names[v->variability], ms_fmu_causality_names[v->causality],
                   ms_fmu_type_names[v->type]);
}

static int set_number(ms_fmu_component *c, const ms_fmu_variable *v, double value)
{
    const int status = v->type == MS_FMU_FLOAT64 ? c->fmi->set(c, 1, &v->value_reference, &value)
                                                 : c->fmi->set_number(c, v->type, v->value_reference, value);
    return ms_fmu_status(c, status);
}

static int apply(ms_fmu_component *c, const ms_fmu_variable *v, const char *text, ms_error *error)
{
    double value = 0.0;
    int status;
    if (!may_be_set(v))
        return refuse(c->fmu, v, error);
    if (v->type == MS_FMU_STRING) {
        status = ms_fmu_status(c, c->fmi->set_text(c, v->value_reference, text));
    } else {
        if (!read_number(c->fmu->description, v, text, &value))
            return ms_fail(error, MS_INVALID, "%s: %s: '%.60s' is not a value of type %s", c->fmu->path,
                           v->name, text, ms_fmu_type_names[v->type]);
        if (!(v->min <= value && value <= v->max))
            return ms_fail(error, MS_INVALID, "%s: %s: %g is outside of its range [%g, %g]", c->fmu->path,
                           v->name, value, v->min, v->max);
        status = set_number(c, v, value);
    }
    if (status == MS_OK)
        return MS_OK;
    return ms_fail(error, status == MS_FMU_DISCARD ? MS_INVALID : MS_SOLVER_FAILED,
                   "%s: %s does not take %.60s: %s", c->fmu->path, v->name, text, c->voice->said);
}

int ms_fmu_apply_settings(ms_fmu_component *component, const ms_fmu_setup *setup, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < setup->n_settings && status == MS_OK; k++)
        status = apply(component, &component->fmu->description->variables[setup->setting[k]], setup->value[k],
                       error);
    return status;
}

void ms_fmu_start_inputs(const ms_fmu *fmu, int n_settings, const int *setting, const char *const *value,
                         double *u)
{
    const ms_fmu_description *d = fmu->description;
    for (int i = 0; i < ms_fmu_n_inputs(fmu); i++) {
        const ms_fmu_variable *v = &d->variables[d->inputs[i]];
        double set;
        u[i] = isfinite(v->start_value) ? v->start_value : 0.0;
        for (int k = 0; k < n_settings; k++)
            if (setting[k] == d->inputs[i] && read_number(d, v, value[k], &set))
                u[i] = set;
    }
}

int ms_fmu_get_number(ms_fmu_component *component, int variable, double *value)
{
    const ms_fmu_variable *v = &component->fmu->description->variables[variable];
    if (component->stage >= MS_FMU_LOST)
        return MS_SOLVER_FAILED;
    if (v->n_dimensions > 0)
        return MS_FMU_DISCARD;
    return ms_fmu_status(component,
                         v->type == MS_FMU_FLOAT64
                             ? component->fmi->get(component, 1, &v->value_reference, value)
                             : component->fmi->get_number(component, v->type, v->value_reference, value));
}
