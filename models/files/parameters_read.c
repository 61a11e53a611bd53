/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parameters_read.c - the parameters of a system file: {"k": 1, "m": {"value": 1, "unit": "kg", "min": 0, "max": 10,
 * "summary": "mass", "integer": false}}. */
#include <math.h>
#include <string.h>

#include "file_model.h"
#include "structure.h"

static int read_parameter(ms_file_model *file, const char *name, json_t *value, const ms_json_place *at,
                          ms_parameter *p, ms_error *error)
{
    static const char *const members[] = {"value", "unit", "min", "max", "summary", "integer"};
    ms_structure *owner = &file->structure;
    *p = (ms_parameter){.name = ms_structure_name(owner, "%s", name),
                        .unit = "1",
                        .summary = "",
                        .min = -INFINITY,
                        .max = INFINITY};
    MS_TRY(ms_file_check_name(name, "parameter", at, error));
    MS_TRY_MEMORY_OR(p->name != NULL, ms_json_no_memory(at, error));
    if (json_is_number(value)) {
        p->value = json_number_value(value);
        return MS_OK;
    }
    if (!json_is_object(value) || json_object_get(value, "value") == NULL)
        return ms_json_fail(at, error, "parameter %s is neither a number nor an object with a value", name);
    int status = ms_json_members(value, members, MS_COUNT(members), at, error);
    MS_THEN(status, ms_json_number(value, "value", at, &p->value, error));
    MS_THEN(status, ms_json_number(value, "min", at, &p->min, error));
    MS_THEN(status, ms_json_number(value, "max", at, &p->max, error));
    MS_THEN(status, ms_json_string(owner, value, "unit", at, &p->unit, error));
    MS_THEN(status, ms_json_string(owner, value, "summary", at, &p->summary, error));
    const json_t *integer = json_object_get(value, "integer");
    if (status == MS_OK && integer != NULL && !json_is_boolean(integer))
        status = ms_json_fail(at, error, "parameter %s: integer is neither true nor false", name);
    p->integer = json_is_true(integer);
    if (status == MS_OK && !(p->min <= p->value && p->value <= p->max))
        status = ms_json_fail(at, error, "parameter %s is %g, but its range is [%g, %g]", name, p->value,
                              p->min, p->max);
    if (status == MS_OK && p->integer && p->value != floor(p->value))
        status = ms_json_fail(at, error, "parameter %s is %g, but integer requires a whole number", name,
                              p->value);
    return status;
}

int ms_file_read_parameters(ms_file_model *file, json_t *root, const ms_json_place *at, ms_error *error)
{
    json_t *list = json_object_get(root, "parameters"), *value;
    const char *name;
    const size_t n = json_object_size(list);
    if (list != NULL && !json_is_object(list))
        return ms_json_fail(at, error, "parameters is not an object with a member for each name");
    ms_parameter *p = ms_structure_alloc(&file->structure, n + 1, sizeof *p);
    file->parameter_name = ms_structure_alloc(&file->structure, n + 1, sizeof *file->parameter_name);
    file->parameter_unit = ms_structure_alloc(&file->structure, n + 1, sizeof *file->parameter_unit);
    MS_TRY_MEMORY_OR(p != NULL && file->parameter_name != NULL && file->parameter_unit != NULL,
                     ms_json_no_memory(at, error));
    json_object_foreach (list, name, value) {
        const int k = file->model.n_parameters;
        MS_TRY(read_parameter(file, name, value, at, &p[k], error));
        file->parameter_name[k] = p[k].name;
        file->parameter_unit[k] = p[k].unit;
        file->model.n_parameters++;
    }
    file->model.parameters = p;
    return MS_OK;
}

const double *ms_file_parameters(ms_file_model *file)
{
    const ms_model *model = &file->model;
    const ms_fmu_reading *reading = &file->reading;
    double *p = file->p != NULL
                    ? NULL
                    : ms_structure_alloc(&file->structure, (size_t)model->n_parameters + 1, sizeof *p);
    if (p == NULL)
        return file->p;
    for (int k = 0; k < model->n_parameters; k++) {
        p[k] = model->parameters[k].value;
        for (int s = 0; s < reading->n_settings; s++)
            if (strcmp(model->parameters[k].name, reading->settings[s].parameter) == 0)
                p[k] = reading->settings[s].value;
    }
    return file->p = p;
}
