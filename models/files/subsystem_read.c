/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subsystem_read.c - what subsystems of a file have whether they are matrices or equations. */
#include <string.h>

#include "file_model.h"
#include "nearest.h"
#include "switches.h"

/* Names -------------------------------------------------------------------------------------------------- */

int ms_file_check_name(const char *name, const char *what, const ms_json_place *at, ms_error *error)
{
    static const char *const taken[] = {"t",     "pi",   "sin",   "cos",  "tan",   "asin",  "acos",  "atan",
                                        "atan2", "sinh", "cosh",  "tanh", "asinh", "acosh", "atanh", "exp",
                                        "log",   "log2", "log10", "ln",   "sqrt",  "abs",   "sign",  "min",
                                        "max",   "sum",  "avg",   "rint", "cbrt",  "erf"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (strlen(name) > MS_FILE_NAME_MAX)
        return ms_json_fail(at, error, "%s %.20s..: a name of at most %d characters is expected", what, name,
                            MS_FILE_NAME_MAX);
    for (int k = 0; k < MS_COUNT(taken); k++)
        if (strcmp(name, taken[k]) == 0)
            return ms_json_fail(at, error, "%s %s: that name has a meaning in expressions; choose another",
                                what, name);
    const bool digit = name[0] >= '0' && name[0] <= '9';
    if (name[0] != '\0' && !digit && name[strspn(name, letters)] == '\0')
        return MS_OK;
    return ms_json_fail(at, error, "%s '%s': a letter or '_' and then letters, digits and '_' are expected",
                        what, name);
}

const char **ms_file_names(ms_file_model *file, int n, const ms_variable *variables)
{
    const char **names = ms_structure_alloc(&file->structure, (size_t)n + 1, sizeof *names);
    for (int k = 0; k < n && names != NULL; k++)
        names[k] = variables[k].name;
    return names;
}

bool ms_file_name_group(ms_file_model *file, int group, int n, const ms_variable *variables, ms_names *names)
{
    const char **unit = ms_structure_alloc(&file->structure, (size_t)n + 1, sizeof *unit);
    names->n[group] = n;
    names->name[group] = ms_file_names(file, n, variables);
    names->unit[group] = unit;
    for (int k = 0; k < n && unit != NULL; k++)
        unit[k] = variables[k].unit;
    return unit != NULL && names->name[group] != NULL;
}

/* External inputs ---------------------------------------------------------------------------------------- */

/* External inputs given by expressions: a function of time, (9.8) of Andersson (2016). */
static void external(double t, const double *p, const void *data, double *w)
{
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_TIME] = &t, [MS_NAMES_PARAMETERS] = p};
    ms_expressions_evaluate(((const ms_file_data *)data)->external, of, w);
}

/* A non-finite rate is kept; users that need it detect it. */
static void external_rates(double t, const double *p, const void *data, double *dw, double *ddw)
{
    const double one = 1.0;
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_TIME] = &t, [MS_NAMES_PARAMETERS] = p};
    const double *const first[MS_NAME_GROUPS] = {[MS_NAMES_TIME] = &one}, *const second[MS_NAME_GROUPS] = {0};
    ms_expressions_along_curve(((const ms_file_data *)data)->external, of, first, second, dw, ddw);
}

int ms_file_read_external(ms_file_model *file, const json_t *object, const ms_json_place *at,
                          ms_subsystem *sub, ms_file_data *data, ms_error *error)
{
    json_t *list = json_object_get(object, "external"), *value;
    const char *name;
    if (list != NULL && !json_is_object(list))
        return ms_json_fail(at, error, "external is not an object of names and expressions");
    const size_t n = json_object_size(list);
    if (n == 0)
        return MS_OK;
    ms_structure *owner = &file->structure;
    ms_variable *w = ms_structure_alloc(owner, n, sizeof *w);
    ms_expression_text *text = ms_structure_alloc(owner, n, sizeof *text);
    MS_TRY_MEMORY_OR(w != NULL && text != NULL, ms_json_no_memory(at, error));
    json_object_foreach (list, name, value) {
        MS_TRY(ms_file_check_name(name, "external input", at, error));
        if (!json_is_string(value) && !json_is_number(value))
            return ms_json_fail(at, error, "external input %s is not an expression of t and parameters",
                                name);
        w[sub->nw] = (ms_variable){ms_structure_name(owner, "%s", name), "1"};
        text[sub->nw] = (ms_expression_text){ms_expression_of(owner, value),
                                             ms_structure_name(owner, "external input %s", name), NULL};
        MS_TRY_MEMORY_OR(w[sub->nw].name != NULL && text[sub->nw].text != NULL && text[sub->nw].what != NULL,
                         ms_json_no_memory(at, error));
        sub->nw++;
    }
    MS_TRY(ms_file_expressions(file, NULL, sub->nw, text, true, at, &data->external, error));
    sub->w = w;
    sub->external = external;
    sub->external_rates = external_rates;
    sub->external_constant = true;
    for (int k = 0; k < sub->nw; k++)
        sub->external_constant =
            sub->external_constant && !ms_expressions_read(data->external, k, MS_NAMES_TIME, 0);
    return MS_OK;
}

/* Start values ------------------------------------------------------------------------------------------- */

static void start(const double *p, const void *data, double *x)
{
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = p};
    ms_expressions_evaluate(((const ms_file_data *)data)->start, of, x);
}

int ms_file_read_start(ms_file_model *file, const ms_json_matrix *x0, const ms_json_place *at,
                       ms_subsystem *sub, ms_file_data *data, ms_error *error)
{
    ms_structure *owner = &file->structure;
    sub->x0 = x0->value;
    if (x0->text == NULL)
        return MS_OK;
    ms_expression_text *text = ms_structure_alloc(owner, x0->rows, sizeof *text);
    MS_TRY_MEMORY_OR(text != NULL, ms_json_no_memory(at, error));
    for (size_t k = 0; k < x0->rows; k++) {
        text[k].text = x0->text[k] != NULL ? x0->text[k] : ms_structure_name(owner, "%.17g", x0->value[k]);
        text[k].what = ms_structure_name(owner, "start value of %s", sub->x[k].name);
        text[k].unit = sub->x[k].unit;
        MS_TRY_MEMORY_OR(text[k].text != NULL && text[k].what != NULL, ms_json_no_memory(at, error));
    }
    sub->start = start;
    return ms_file_expressions(file, NULL, (int)x0->rows, text, true, at, &data->start, error);
}

/* Switches ------------------------------------------------------------------------------------------------- */

static double next_switch(double t, const double *z, const double *p, const void *data)
{
    return ms_switches_next(((const ms_file_data *)data)->switches, t, p, z);
}

static double switch_round_off(double t, const double *z, const double *p, const void *data)
{
    return ms_switches_round_off(((const ms_file_data *)data)->switches, t, p, z);
}

int ms_file_find_switches(ms_file_model *file, int n, const ms_expressions *const *sets,
                          const ms_json_place *at, ms_subsystem *sub, ms_file_data *data, ms_error *error)
{
    MS_TRY_MEMORY_OR(ms_switches_create(&file->structure, n, sets, data->external, &data->switches) == MS_OK,
                     ms_json_no_memory(at, error));
    if (data->switches != NULL) {
        sub->next_time = next_switch;
        sub->time_round_off = switch_round_off;
    }
    sub->times_are_breakpoints = true;
    return MS_OK;
}

/* Energy ------------------------------------------------------------------------------------------------- */

static double energy(const double *x, const double *p, const void *data)
{
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = p, [MS_NAMES_STATES] = x};
    double value;
    ms_expressions_evaluate(((const ms_file_data *)data)->energy, of, &value);
    return value;
}

int ms_file_read_energy(ms_file_model *file, const json_t *object, const ms_json_place *at, ms_subsystem *sub,
                        ms_file_data *data, ms_error *error)
{
    const json_t *value = json_object_get(object, "energy");
    if (value == NULL)
        return MS_OK;
    const ms_expression_text text = {ms_expression_of(&file->structure, value), "energy", NULL};
    ms_names names = {0};
    ms_file_name_parameters(file, &names);
    if (!json_is_string(value) && !json_is_number(value))
        return ms_json_fail(at, error, "energy is not an expression of states and parameters");
    if (text.text == NULL || !ms_file_name_group(file, MS_NAMES_STATES, sub->nx, sub->x, &names))
        return ms_json_no_memory(at, error);
    sub->energy = energy;
    return ms_file_expressions(file, &names, 1, &text, true, at, &data->energy, error);
}

/* Ports -------------------------------------------------------------------------------------------------- */

/* An input or output by its name, or by its number from 0. */
static int find_variable(const json_t *object, const char *kind, int n, const ms_variable *variables,
                         const ms_json_place *at, int *index, ms_error *error)
{
    const json_t *value = json_object_get(object, kind);
    *index = -1;
    if (json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) < n) {
        *index = (int)json_integer_value(value);
        return MS_OK;
    }
    for (int k = 0; k < n && json_is_string(value); k++)
        if (strcmp(variables[k].name, json_string_value(value)) == 0)
            *index = k;
    if (*index >= 0)
        return MS_OK;
    if (json_is_string(value) && n > 0)
        return ms_json_fail(at, error, "port: there is no %s %.100s; the nearest is %s", kind,
                            json_string_value(value), MS_NEAREST_OF(json_string_value(value), variables, n));
    return ms_json_fail(at, error, "port: %s is not the name of one of %d %ss", kind, n, kind);
}

static int read_port(ms_file_model *file, json_t *object, const ms_json_place *at, const ms_subsystem *sub,
                     ms_port *port, ms_error *error)
{
    static const char *const members[] = {"name", "input", "output", "gain"};
    if (!json_is_object(object))
        return ms_json_fail(at, error, "ports is not a list of objects with name, input, output and gain");
    port->gain = 1.0;
    MS_TRY(ms_json_members(object, members, MS_COUNT(members), at, error));
    MS_TRY(ms_json_string(&file->structure, object, "name", at, &port->name, error));
    if (port->name == NULL)
        MS_TRY(ms_json_fail(at, error, "a port has no name"));
    MS_TRY(find_variable(object, "input", sub->nu, sub->u, at, &port->input, error));
    MS_TRY(find_variable(object, "output", sub->ny, sub->y, at, &port->output, error));
    return ms_json_number(object, "gain", at, &port->gain, error);
}

int ms_file_read_ports(ms_file_model *file, json_t *object, const ms_json_place *at, ms_subsystem *sub,
                       ms_error *error)
{
    const json_t *list = json_object_get(object, "ports");
    const size_t n = json_array_size(list);
    if (list != NULL && !json_is_array(list))
        return ms_json_fail(at, error, "ports is not a list of objects with name, input, output and gain");
    ms_port *ports = ms_structure_alloc(&file->structure, n + 1, sizeof *ports);
    MS_TRY_MEMORY_OR(ports != NULL, ms_json_no_memory(at, error));
    for (size_t k = 0; k < n; k++)
        MS_TRY(read_port(file, json_array_get(list, k), at, sub, &ports[k], error));
    sub->ports = n > 0 ? ports : NULL;
    sub->n_ports = (int)n;
    return MS_OK;
}
