/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines_read.c - the transmission lines of a system file, springs between two ports that take forces and give velocities:
 *
 *     "lines": [{"a": "SUB.PORT", "b": "SUB.PORT", "stiffness": k, "elongation": s}, ..]
 *
 * Stiffness [N/m] and the initial elongation (0) [m] are numbers or expressions in parameters. Each line is an additional
 * subsystem, line1, line2, .., after all others. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "file_model.h"
#include "nearest.h"

enum { STIFFNESS, ELONGATION, VALUES };
static const char *const value_names[VALUES] = {"stiffness", "elongation"};

struct ms_file_line {
    ms_line line;
    double number[VALUES];
    const ms_expressions *expression[VALUES]; /* NULL: the number applies */
};

/* Reading ------------------------------------------------------------------------------------------------ */

static int unknown_port(size_t l, const ms_subsystem *sub, const char *name, const ms_json_place *at,
                        ms_error *error)
{
    if (sub->n_ports == 0)
        return ms_json_fail(at, error, "lines[%zu]: subsystem %s has no ports", l, sub->name);
    return ms_json_fail(at, error, "lines[%zu]: subsystem %s has no port %.100s; the nearest is %s", l,
                        sub->name, name, MS_NEAREST_OF(name, sub->ports, sub->n_ports));
}

/* One end, "SUBSYSTEM.PORT". */
static int read_end(ms_file_model *file, size_t l, const json_t *object, int end, const ms_json_place *at,
                    ms_line *line, ms_error *error)
{
    const char *which = end == 0 ? "a" : "b", *name = json_string_value(json_object_get(object, which));
    const char *dot = name != NULL ? strchr(name, '.') : NULL;
    if (dot == NULL)
        return ms_json_fail(at, error, "lines[%zu]: %s is not of the form \"SUBSYSTEM.PORT\"", l, which);
    int i = 0, k = 0;
    const ms_structure *s = &file->structure;
    while (i < s->n_subsystems && (strlen(s->subsystems[i].name) != (size_t)(dot - name) ||
                                   strncmp(s->subsystems[i].name, name, (size_t)(dot - name)) != 0))
        i++;
    if (i == s->n_subsystems)
        return ms_json_fail(at, error, "lines[%zu]: %.100s belongs to no subsystem; the first is %s", l, name,
                            s->subsystems[0].name);
    const ms_subsystem *sub = &s->subsystems[i];
    while (k < sub->n_ports && strcmp(sub->ports[k].name, dot + 1) != 0)
        k++;
    if (k == sub->n_ports)
        return unknown_port(l, sub, dot + 1, at, error);
    if (sub->ports[k].gain == 0.0)
        return ms_json_fail(at, error, "lines[%zu]: the gain of port %s of subsystem %s is 0", l,
                            sub->ports[k].name, sub->name);
    line->subsystem[end] = i;
    line->port[end] = k;
    return MS_OK;
}

static int read_value(ms_file_model *file, size_t l, const json_t *object, int which, const ms_json_place *at,
                      ms_file_line *line, ms_error *error)
{
    const json_t *value = json_object_get(object, value_names[which]);
    if (value == NULL && which == ELONGATION)
        return MS_OK;
    if (!json_is_string(value) && !json_is_number(value))
        return ms_json_fail(at, error, "lines[%zu]: %s is not a number or an expression in parameters", l,
                            value_names[which]);
    line->number[which] = json_number_value(value);
    if (json_is_number(value))
        return MS_OK;
    const ms_expression_text text = {ms_expression_of(&file->structure, value), value_names[which], NULL};
    MS_TRY_MEMORY_OR(text.text != NULL, ms_json_no_memory(at, error));
    const int status = ms_file_expressions(file, NULL, 1, &text, true, at, &line->expression[which], error);
    return status == MS_OK && ms_expressions_read(line->expression[which], 0, MS_NAMES_TIME, 0)
               ? ms_json_fail(at, error, "lines[%zu]: %s does not depend on t", l, value_names[which])
               : status;
}

static int read_line(ms_file_model *file, size_t l, json_t *object, const ms_json_place *at,
                     ms_file_line *line, ms_error *error)
{
    static const char *const members[] = {"a", "b", "stiffness", "elongation"};
    if (!json_is_object(object))
        return ms_json_fail(at, error, "lines[%zu] is not an object with a, b and stiffness", l);
    int status = ms_json_members(object, members, MS_COUNT(members), at, error);
    for (int k = 0; k < 2 && status == MS_OK; k++)
        status = read_end(file, l, object, k, at, &line->line, error);
    for (int k = 0; k < VALUES && status == MS_OK; k++)
        status = read_value(file, l, object, k, at, line, error);
    return status;
}

/* Does a subsystem have a name reserved for lines? */
static const char *taken(const ms_structure *s, size_t lines)
{
    for (int i = 0; i < s->n_subsystems; i++) {
        unsigned long number = 0;
        int end = 0;
        if (sscanf(s->subsystems[i].name, "line%lu%n", &number, &end) == 1 && number >= 1 &&
            number <= lines && s->subsystems[i].name[end] == '\0')
            return s->subsystems[i].name;
    }
    return NULL;
}

int ms_file_read_lines(ms_file_model *file, const json_t *root, const ms_json_place *at, ms_error *error)
{
    const json_t *list = json_object_get(root, "lines");
    const size_t n = json_array_size(list);
    if (list == NULL)
        return MS_OK;
    if (!json_is_array(list) || n > INT_MAX / 8)
        return ms_json_fail(at, error, "lines is not a list of objects with a, b and stiffness");
    if (taken(&file->structure, n) != NULL)
        return ms_json_fail(at, error,
                            "each line makes a subsystem, line1, line2, ..: rename the existing %s",
                            taken(&file->structure, n));
    file->lines = ms_structure_alloc(&file->structure, n + 1, sizeof *file->lines);
    MS_TRY_MEMORY_OR(file->lines != NULL, ms_json_no_memory(at, error));
    int status = MS_OK;
    for (size_t l = 0; l < n && status == MS_OK; l++)
        status = read_line(file, l, json_array_get(list, l), at, &file->lines[l], error);
    file->n_lines = (int)n;
    return status;
}

/* Binding ------------------------------------------------------------------------------------------------ */

int ms_file_bind_lines(const ms_file_model *file, const double *p, ms_structure *structure, ms_error *error)
{
    const double *const of[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = p};
    structure->lines = ms_structure_alloc(structure, (size_t)file->n_lines + 1, sizeof *structure->lines);
    MS_TRY_MEMORY_FOR(structure->lines != NULL, error, "model %s", file->model.name);
    for (int l = 0; l < file->n_lines; l++) {
        const ms_file_line *from = &file->lines[l];
        double value[VALUES];
        for (int k = 0; k < VALUES; k++) {
            value[k] = from->number[k];
            if (from->expression[k] != NULL &&
                ms_expressions_evaluate(from->expression[k], of, &value[k]) != 0)
                return ms_fail(error, MS_INVALID, "lines[%d] of model %s: %s is not finite", l,
                               file->model.name, value_names[k]);
        }
        ms_line line = from->line;
        line.stiffness = value[STIFFNESS];
        MS_TRY_MEMORY_FOR(ms_structure_add_spring(structure, &line, 0.0, value[ELONGATION]) == MS_OK, error,
                          "model %s", file->model.name);
    }
    return MS_OK;
}
