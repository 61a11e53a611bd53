/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_defaults.h"

#include <stdlib.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>
#include "json_text.h"
#include "provenance.h"

/* What export takes for the FMUs themselves says nothing of a scheme. */
static bool is_of_solver(int k)
{
    return k == MS_OPTION_SOLVER || k == MS_OPTION_SOLVER_RTOL || k == MS_OPTION_SOLVER_ATOL ||
           k == MS_OPTION_MICRO_STEPS;
}

static int try_options(const ms_options *options, const ms_system *system, ms_error *error)
{
    ms_cosim *cosim = NULL;
    bool any = false;
    for (int k = 0; k < MS_OPTIONS; k++)
        any = any || (ms_option_asked(options, k) && !is_of_solver(k));
    const int status = any ? ms_cosim_of_options(system, options, &cosim, error) : MS_OK;
    ms_cosim_destroy(&cosim);
    return status;
}

/* A value as on a command line, owned by the structure: of flags the names, commas between. NULL: there is no memory. */
static const char *value_text(const json_t *value, ms_structure *memory)
{
    const char *text = json_is_array(value) ? "" : json_string_value(value);
    for (size_t k = 0; k < json_array_size(value) && text != NULL; k++)
        text = ms_structure_name(memory, "%s%s%s", text, k > 0 ? "," : "",
                                 json_string_value(json_array_get(value, k)));
    char *line = text == NULL && json_is_number(value) ? ms_json_line(value) : NULL;
    text = line != NULL ? ms_structure_name(memory, "%s", line) : text;
    free(line);
    return text;
}

/* Appends the option with its value; a list is one entry for each of its words. */
static bool append(const char *option, json_t *value, ms_structure *memory, ms_default *list, int *n)
{
    const bool repeats = ms_option_table[ms_option_find(option)].kind == MS_KIND_LIST;
    const size_t words = repeats ? json_array_size(value) : 1;
    bool done = true;
    for (size_t k = 0; k < words && done; k++) {
        const char *text = value_text(repeats ? json_array_get(value, k) : value, memory);
        const char *copy = text != NULL ? ms_structure_name(memory, "%s", text) : NULL;
        list[(*n)++] = (ms_default){.option = option, .value = copy};
        done = copy != NULL;
    }
    return done;
}

static bool append_given(const ms_options *options, ms_structure *memory, ms_default *list, int *n)
{
    json_t *values = ms_options_json(options);
    bool done = values != NULL;
    for (int k = 0; k < MS_OPTIONS && done; k++) {
        const char *name = ms_option_table[k].name;
        json_t *value = ms_options_value(values, name); /* NULL: as if it were not given (--as none) */
        if (options->given[k] && options->set_by[k] == MS_SET_BY_NO_OTHER && value != NULL)
            done = append(name, value, memory, list, n);
    }
    json_decref(values);
    return done;
}

int ms_export_defaults(const ms_arguments *arguments, const ms_system *system, ms_structure *memory,
                       const ms_default **list, int *n, ms_error *error)
{
    const ms_options *o = &arguments->options;
    *n = 0;
    const int status = try_options(o, system, error);
    if (status != MS_OK)
        return status;
    ms_default *all = ms_structure_alloc(memory, MS_OPTIONS + MS_MASKS_MAX, sizeof *all);
    if (all == NULL || !append_given(o, memory, all, n))
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the options of the system structure");
    *list = all;
    return MS_OK;
}
