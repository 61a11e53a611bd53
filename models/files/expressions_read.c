/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file_model.h"

#include <stdio.h>
#include <stdlib.h>

#include "units.h"

const char *ms_expression_of(ms_structure *owner, const json_t *value)
{
    if (json_is_string(value))
        return ms_structure_name(owner, "%s", json_string_value(value));
    if (json_is_integer(value)) /* all its digits */
        return ms_structure_name(owner, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return json_is_number(value) ? ms_structure_name(owner, "%.17g", json_number_value(value)) : NULL;
}

/* The known names, "t, x, v, k", as many as fit into the text. */
static void list_names(const ms_names *names, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "t");
    for (int group = MS_NAMES_PARAMETERS; group < MS_NAME_GROUPS; group++)
        for (int k = 0; k < names->n[group] && at < size; k++)
            at += (size_t)snprintf(text + at, size - at, ", %s", names->name[group][k]);
    if (at >= size)
        snprintf(text + size - 4, 4, "...");
}

static int fail(const ms_names *names, const ms_expression_text *text, const ms_expression_fault *fault,
                const ms_json_place *at, ms_error *error)
{
    char there_are[200];
    list_names(names, there_are, sizeof there_are);
    return ms_json_fail(at, error, "%s: %s (%.100s); there are: %s, pi", text[fault->index].what, fault->text,
                        text[fault->index].text, there_are);
}

/* Stores the line for ms_model_check_units. Errors: MS_NO_MEMORY. */
static int check_units(ms_file_model *file, const ms_names *names, int n, const ms_expression_text *text,
                       const ms_expressions *e, const ms_json_place *at)
{
    const char **expected = malloc(((size_t)n + 1) * sizeof *expected);
    ms_expression_fault fault;
    MS_TRY_MEMORY(expected);
    for (int k = 0; k < n; k++)
        expected[k] = text[k].unit;
    const int status = ms_expressions_check_units(e, names, expected, &fault);
    free(expected);
    if (status == MS_INVALID)
        ms_json_fail(at, &file->units, "%s: %s (%.100s)", text[fault.index].what, fault.text,
                     text[fault.index].text);
    return status == MS_NO_MEMORY ? MS_NO_MEMORY : MS_OK;
}

void ms_file_name_parameters(const ms_file_model *file, ms_names *names)
{
    names->n[MS_NAMES_PARAMETERS] = file->model.n_parameters;
    names->name[MS_NAMES_PARAMETERS] = file->parameter_name;
    names->unit[MS_NAMES_PARAMETERS] = file->parameter_unit;
}

int ms_file_expressions(ms_file_model *file, const ms_names *names, int n, const ms_expression_text *text,
                        bool together, const ms_json_place *at, const ms_expressions **e, ms_error *error)
{
    const char **only_text = calloc((size_t)n + 1, sizeof *only_text);
    ms_expression_fault fault = {0};
    ms_names parameters = {0};
    int status = MS_NO_MEMORY;
    ms_file_name_parameters(file, &parameters);
    names = names != NULL ? names : &parameters;
    for (int k = 0; k < n && only_text != NULL; k++)
        only_text[k] = text[k].text;
    if (only_text != NULL)
        status = ms_expressions_create(&file->structure, names, n, only_text, together, e, &fault);
    free(only_text);
    if (status == MS_OK && file->units.text[0] == '\0')
        status = check_units(file, names, n, text, *e, at);
    if (status == MS_NO_MEMORY)
        return ms_json_no_memory(at, error);
    return status == MS_OK ? MS_OK : fail(names, text, &fault, at, error);
}
