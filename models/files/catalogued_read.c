/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalogued_read.c - a subsystem of a model of the catalogue, in a system file:
 *
 *     {"model": "quarter-car", "subsystem": "wheel", "case": "physical", "set": {"kc": "k"}}
 *
 * It has the parameters of its own model, and is bound again for each set of the file's parameters. */
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/system.h>
#include "file_model.h"
#include "nearest.h"
#include "structure.h"

struct ms_catalogued {
    ms_catalogued *next;
    int index; /* index among the file's subsystems */
    const ms_model *model;
    const char *name, *subsystem, *case_name; /* name: its name in the file */
    int n;
    ms_setting *setting;         /* (n) values are set by each binding */
    const ms_expressions *value; /* (n); NULL if n is 0 */
};

static int no_subsystem(const ms_catalogued *c, const ms_system *system, ms_error *error)
{
    return ms_fail(error, MS_INVALID, "model %s has no subsystem %.100s; the nearest is %s", c->model->name,
                   c->subsystem, MS_NEAREST_OF(c->subsystem, system->sub, system->n));
}

/* The subsystem at the parameters p of the file; the structure owns its memory. */
static int bind(const ms_catalogued *c, const double *p, ms_structure *structure, ms_subsystem *sub,
                ms_error *error)
{
    ms_system *system;
    const double *const values[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = p};
    ms_setting *setting = ms_structure_alloc(structure, (size_t)c->n + 1, sizeof *setting);
    MS_TRY_MEMORY_FOR(setting != NULL, error, "subsystem %s", c->name);
    for (int k = 0; k < c->n; k++) {
        setting[k] = c->setting[k];
        ms_expressions_evaluate_some(c->value, k, 1, values, &setting[k].value);
    }
    MS_TRY(ms_system_create(c->model, c->case_name, setting, c->n, &system, error));
    const int i = ms_system_find(system, c->subsystem);
    const int status = i < 0 ? no_subsystem(c, system, error) : MS_OK;
    if (status == MS_OK) {
        *sub = system->sub[i];
        sub->name = c->name;
        sub->p = system->p;
        sub->loose_ports = true; /* it may be connected differently than in its own model */
        ms_structure_adopt(structure, &system->structure);
    }
    ms_system_destroy(&system);
    return status;
}

int ms_catalogued_bind(const ms_catalogued *list, const double *p, ms_structure *structure, ms_error *error)
{
    for (const ms_catalogued *c = list; c != NULL; c = c->next)
        MS_TRY(bind(c, p, structure, &structure->subsystems[c->index], error));
    return MS_OK;
}

/* Reading ------------------------------------------------------------------------------------------------ */

/* The unit of a parameter of the model; NULL: there is no such parameter, which binding reports. */
static const char *unit_of(const ms_model *model, const char *parameter)
{
    for (int k = 0; k < model->n_parameters; k++)
        if (strcmp(model->parameters[k].name, parameter) == 0)
            return model->parameters[k].unit;
    return NULL;
}

static int read_settings(ms_file_model *file, json_t *object, const ms_json_place *at, ms_catalogued *c,
                         ms_error *error)
{
    json_t *set = json_object_get(object, "set"), *value;
    const char *name;
    ms_structure *owner = &file->structure;
    const size_t n = json_object_size(set);
    if (set != NULL && !json_is_object(set))
        return ms_json_fail(at, error, "set is not an object of parameters and values");
    ms_expression_text *text = ms_structure_alloc(owner, n + 1, sizeof *text);
    c->setting = ms_structure_alloc(owner, n + 1, sizeof *c->setting);
    MS_TRY_MEMORY_OR(text != NULL && c->setting != NULL, ms_json_no_memory(at, error));
    json_object_foreach (set, name, value) {
        if (!json_is_string(value) && !json_is_number(value))
            return ms_json_fail(at, error, "set: the value of %.100s is neither a number nor an expression",
                                name);
        c->setting[c->n].parameter = ms_structure_name(owner, "%s", name);
        text[c->n] = (ms_expression_text){ms_expression_of(owner, value), c->setting[c->n].parameter,
                                          unit_of(c->model, name)};
        MS_TRY_MEMORY_OR(text[c->n].text != NULL && text[c->n].what != NULL, ms_json_no_memory(at, error));
        c->n++;
    }
    return c->n > 0 ? ms_file_expressions(file, NULL, c->n, text, false, at, &c->value, error) : MS_OK;
}

static int find_model(const char *name, const ms_json_place *at, const ms_model **model, ms_error *error)
{
    *model = name != NULL ? ms_catalogue_find(name) : NULL;
    if (*model != NULL)
        return MS_OK;
    return ms_json_fail(at, error, "unknown model %.100s; the nearest is %s", name != NULL ? name : "''",
                        ms_catalogue_nearest(name != NULL ? name : ""));
}

int ms_file_read_catalogued(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                            ms_error *error)
{
    static const char *const members[] = {"name", "model", "subsystem", "case", "set"};
    ms_structure *owner = &file->structure;
    ms_catalogued *c = ms_structure_alloc(owner, 1, sizeof *c);
    const char *model = NULL;
    ms_error why = {0};
    MS_TRY_MEMORY_OR(c != NULL, ms_json_no_memory(at, error));
    c->name = sub->name;
    c->subsystem = at->name;
    c->index = (int)(sub - owner->subsystems);
    MS_TRY(ms_json_members(object, members, MS_COUNT(members), at, error));
    MS_TRY(ms_json_string(owner, object, "model", at, &model, error));
    MS_TRY(find_model(model, at, &c->model, error));
    MS_TRY(ms_json_string(owner, object, "subsystem", at, &c->subsystem, error));
    MS_TRY(ms_json_string(owner, object, "case", at, &c->case_name, error));
    MS_TRY(read_settings(file, object, at, c, error));
    c->next = file->catalogued;
    file->catalogued = c;
    /* Errors are reported while the file is read, and wires need the names. */
    const double *p = ms_file_parameters(file);
    MS_TRY_MEMORY_OR(p != NULL, ms_json_no_memory(at, error));
    int status = bind(c, p, owner, sub, &why);
    return status == MS_INVALID ? ms_json_fail(at, error, "%s", why.text)
           : status != MS_OK    ? ms_fail(error, status, "%s: %s", at->path, why.text)
                                : MS_OK;
}
