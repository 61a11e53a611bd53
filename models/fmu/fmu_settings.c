/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_settings.c - values of variables of any type as given in a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_description_read.h"
#include "fmu_parts.h"
#include "number.h"

/* Reads the text in a file as a number of that type, for enumerations also names of items; false: it is not one. */
static bool read_number(const ms_fmu_description *d, const ms_fmu_variable *v, const char *text,
                        double *value)
{
    char *end;
    if (ms_fmu_item(d, (int)(v - d->variables), text, value))
        return true;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = text[0] == 't';
        return v->type == MS_FMU_BOOLEAN;
    }
    *value = ms_number_read(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value))
        return false;
    return !ms_fmu_is_no_double(v->type, text, *value) && ms_fmu_is_value(v->type, *value);
}

static bool may_be_set(const ms_fmu_variable *v)
{
    const bool starts = v->initial == MS_FMU_EXACT || v->initial == MS_FMU_APPROX;
    return v->variability != MS_FMU_CONSTANT && v->type != MS_FMU_BINARY && v->type != MS_FMU_CLOCK &&
           (v->type != MS_FMU_STRING || v->n_dimensions == 0) &&
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

static int check_value(const ms_fmu *fmu, const ms_fmu_variable *v, const char *text, double *value,
                       ms_error *error)
{
    if (!read_number(fmu->description, v, text, value))
        return ms_fail(error, MS_INVALID, "%s: %s: '%.60s' is not a value of type %s%s", fmu->path, v->name,
                       text, ms_fmu_type_names[v->type],
                       fabs(*value) >= 0x1p53 ? " that can be passed: values are passed as doubles, whole "
                                                "up to 2^53"
                                              : "");
    if (!(v->min <= *value && *value <= v->max))
        return ms_fail(error, MS_INVALID, "%s: %s: %g is outside of its range [%g, %g]", fmu->path, v->name,
                       *value, v->min, v->max);
    return MS_OK;
}

int ms_fmu_check_settings(const ms_fmu *fmu, const ms_fmu_setup *setup, ms_error *error)
{
    const ms_fmu_description *d = fmu->description;
    for (int k = 0; k < setup->n_settings; k++) {
        const ms_fmu_variable *v = &d->variables[ms_fmu_variable_of(d, setup->setting[k])];
        double value;
        if (!may_be_set(v))
            return refuse(fmu, v, error);
        if (v->type != MS_FMU_STRING)
            MS_TRY(check_value(fmu, v, setup->value[k], &value, error));
    }
    return MS_OK;
}

static bool is_of(const ms_fmu_variable *v, int setting)
{
    return setting >= v->first && setting < v->first + v->size;
}

/* An array is set as a whole: the given values of elements, and start values of the others. k: the first element. */
static int set_numbers(ms_fmu_component *c, const ms_fmu_setup *setup, int k, const ms_fmu_variable *v,
                       double *value, ms_error *error)
{
    const int end = v->n_dimensions == 0 ? k + 1 : setup->n_settings;
    const ms_fmu_group group = {
        .type = v->type, .n = 1, .n_values = v->size, .reference = &v->value_reference};
    int status = MS_OK;
    ms_fmu_start_values(v, value);
    for (int j = k; j < end && status == MS_OK; j++)
        if (is_of(v, setup->setting[j]))
            status = check_value(c->fmu, v, setup->value[j], &value[setup->setting[j] - v->first], error);
    return status == MS_OK ? ms_fmu_write(c, &(ms_fmu_values){1, &group}, value) : status;
}

static int apply_numbers(ms_fmu_component *c, const ms_fmu_setup *setup, int k, const ms_fmu_variable *v,
                         ms_error *error)
{
    double *value = calloc((size_t)v->size + 1, sizeof *value);
    const int status =
        value != NULL ? set_numbers(c, setup, k, v, value, error)
                      : ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for a component", c->fmu->path);
    free(value);
    return status;
}

static int apply(ms_fmu_component *c, const ms_fmu_setup *setup, int k, ms_error *error)
{
    const ms_fmu_description *d = c->fmu->description;
    const ms_fmu_variable *v = &d->variables[ms_fmu_variable_of(d, setup->setting[k])];
    for (int before = k - 1; before >= 0 && v->n_dimensions > 0; before--)
        if (is_of(v, setup->setting[before]))
            return MS_OK; /* already set with another element */
    const int status = v->type == MS_FMU_STRING
                           ? ms_fmu_status(c, MS_FMU_CALL(c, set_text, v->value_reference, setup->value[k]))
                           : apply_numbers(c, setup, k, v, error);
    if (status != MS_FMU_DISCARD && status != MS_SOLVER_FAILED)
        return status;
    return ms_fail(error, status == MS_FMU_DISCARD ? MS_INVALID : MS_SOLVER_FAILED,
                   "%s: %s does not take %.60s: %s", c->fmu->path, v->name, setup->value[k], c->voice->said);
}

static int check_size(const ms_fmu *fmu, const ms_fmu_variable *v, double value, ms_error *error)
{
    if (v->causality != MS_FMU_STRUCTURAL_PARAMETER)
        return ms_fail(error, MS_INVALID, "%s: %s is not a structural parameter", fmu->path, v->name);
    if (!ms_fmu_is_value(v->type, value) || !(v->min <= value && value <= v->max))
        return ms_fail(error, MS_INVALID,
                       "%s: structural parameter %s cannot be %g: it is of type %s, within [%g, %g]",
                       fmu->path, v->name, value, ms_fmu_type_names[v->type], v->min, v->max);
    return MS_OK;
}

int ms_fmu_resize(ms_fmu *fmu, int n, const int *variable, const double *value, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < n && status == MS_OK; k++)
        status = check_size(fmu, &fmu->description->variables[variable[k]], value[k], error);
    if (status != MS_OK || n == 0)
        return status;
    fmu->resized = true;
    return ms_fmu_description_resize(fmu->description, n, variable, value, error);
}

int ms_fmu_apply_settings(ms_fmu_component *component, const ms_fmu_setup *setup, ms_error *error)
{
    MS_TRY(ms_fmu_check_settings(component->fmu, setup, error));
    for (int k = 0; k < setup->n_settings; k++)
        MS_TRY(apply(component, setup, k, error));
    return MS_OK;
}

void ms_fmu_start_inputs(const ms_fmu *fmu, int n_settings, const int *setting, const char *const *value,
                         double *u)
{
    const ms_fmu_description *d = fmu->description;
    const int n = d->n_inputs + d->n_discrete_inputs;
    for (int i = 0; i < n; i += d->variables[d->inputs[i]].size) {
        const ms_fmu_variable *v = &d->variables[d->inputs[i]];
        double set;
        ms_fmu_start_values(v, u + i);
        for (int k = 0; k < n_settings; k++)
            if (is_of(v, setting[k]) && read_number(d, v, value[k], &set))
                u[i + setting[k] - v->first] = set;
    }
}
