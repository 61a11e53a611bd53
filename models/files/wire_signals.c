/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file_model.h"

#include <math.h>
#include <string.h>

#include "fmu.h"
#include "fmu_description_read.h"
#include "number.h"

ms_signal ms_file_signal(const ms_signal *signal, int k)
{
    return signal != NULL ? signal[k] : MS_SIGNAL_CONTINUOUS;
}

static const char *word_of(ms_signal signal)
{
    return signal > MS_SIGNAL_DISCRETE && signal < MS_SIGNALS ? ms_signal_names[signal] : "real";
}

/* The FMU variable to which a value of subsystem i belongs, or -1. */
static int variable_of(const ms_file_model *file, int i, const char *name)
{
    int n;
    const ms_fmu_description *d = ms_file_fmu_description(file, i);
    const int value = d != NULL ? ms_fmu_value_find(d, name, &n) : -1;
    return value >= 0 ? ms_fmu_variable_of(d, value) : -1;
}

/* Is each item of one enumeration an item of the other? */
static bool items_fit(const ms_file_model *file, const ms_wire *wire)
{
    const ms_subsystem *to = &file->structure.subsystems[wire->to],
                       *from = &file->structure.subsystems[wire->from];
    const int u = variable_of(file, wire->to, to->u[wire->input].name),
              y = variable_of(file, wire->from, from->y[wire->output].name);
    return u < 0 || y < 0 ||
           ms_fmu_items_fit(ms_file_fmu_description(file, wire->from), y,
                            ms_file_fmu_description(file, wire->to), u);
}

int ms_file_check_signals(const ms_file_model *file, const ms_wire *wire, double offset,
                          const ms_json_place *at, ms_error *error)
{
    const ms_subsystem *to = &file->structure.subsystems[wire->to],
                       *from = &file->structure.subsystems[wire->from];
    const char *u = to->u[wire->input].name, *y = from->y[wire->output].name;
    const ms_signal takes = ms_file_signal(to->u_signal, wire->input),
                    gives = ms_file_signal(from->y_signal, wire->output);
    const bool whole = takes >= MS_SIGNAL_INTEGER, number = takes == MS_SIGNAL_INTEGER;
    if (whole ? takes != gives : gives > MS_SIGNAL_INTEGER)
        return ms_json_fail(
            at, error,
            "wire %.100s.%.100s to %.100s.%.100s: %s is of type %s and %s of type %s, which takes %s",
            from->name, y, to->name, u, y, word_of(gives), u, word_of(takes),
            whole ? "that type alone" : "reals and integers");
    if (whole && (number ? wire->gain != floor(wire->gain) || offset != floor(offset)
                         : wire->gain != 1.0 || offset != 0.0))
        return ms_json_fail(
            at, error,
            "wire %.100s.%.100s to %.100s.%.100s: a gain of %.9g and an offset of %.9g, but %s is of "
            "type %s: %s are expected",
            from->name, y, to->name, u, wire->gain, offset, u, word_of(takes),
            number ? "whole numbers" : "1 and 0");
    if (takes == MS_SIGNAL_ENUMERATION && !items_fit(file, wire))
        return ms_json_fail(
            at, error,
            "wire %.100s.%.100s to %.100s.%.100s: %s has items that the enumeration of %s does not have",
            from->name, y, to->name, u, y, u);
    return MS_OK;
}

/* Maps --------------------------------------------------------------------------------------------------- */

/* One end of a mapped wire. */
typedef struct end {
    const ms_subsystem *sub;
    const ms_fmu_description *fmu;
    int variable;
    const char *name;
} end;

static end end_of(const ms_file_model *file, int i, bool is_input, int k)
{
    const ms_subsystem *sub = &file->structure.subsystems[i];
    const char *name = is_input ? sub->u[k].name : sub->y[k].name;
    return (end){sub, ms_file_fmu_description(file, i), variable_of(file, i, name), name};
}

/* Reads a value of the variable from its text; false: it is not one. */
static bool read_text(const end *of, const char *text, double *value)
{
    char *behind;
    if (ms_fmu_item(of->fmu, of->variable, text, value))
        return true;
    if (of->fmu->variables[of->variable].type == MS_FMU_BOOLEAN) {
        *value = strcmp(text, "true") == 0;
        return *value != 0.0 || strcmp(text, "false") == 0;
    }
    *value = ms_number_read(text, &behind);
    return behind != text && *behind == '\0' && isfinite(*value) && *value == floor(*value);
}

static bool read_image(const end *of, const json_t *image, double *value)
{
    if (json_is_string(image))
        return read_text(of, json_string_value(image), value);
    *value = json_is_true(image) ? 1.0 : json_number_value(image);
    return of->fmu->variables[of->variable].type == MS_FMU_BOOLEAN
               ? json_is_boolean(image)
               : json_is_number(image) && *value == floor(*value);
}

/* Entry `text` of the map; MS_INVALID with the line. */
static int read_entry(const end *from, const end *to, const char *text, const json_t *image, ms_fmu_map *map,
                      double *value, double *becomes, const ms_json_place *at, ms_error *error)
{
    const int k = map->n++;
    const end *wrong = !read_text(from, text, &value[k])     ? from
                       : !read_image(to, image, &becomes[k]) ? to
                                                             : NULL;
    if (wrong != NULL)
        return ms_json_fail(
            at, error,
            "map of a wire to %.100s.%.100s: %s\"%.60s\" is not a value of %.100s.%.100s, which is of type "
            "%s",
            to->sub->name, to->name, wrong == to ? "the value for " : "", text, wrong->sub->name, wrong->name,
            ms_fmu_type_names[wrong->fmu->variables[wrong->variable].type]);
    for (int before = 0; before < k; before++)
        if (value[before] == value[k])
            return ms_json_fail(at, error, "map of a wire to %.100s.%.100s: \"%.60s\" occurs twice",
                                to->sub->name, to->name, text);
    return MS_OK;
}

/* Neither a real variable nor one outside FMUs. */
static bool can_be_mapped(const end *of, const ms_signal *signal, int k)
{
    return of->variable >= 0 && ms_file_signal(signal, k) >= MS_SIGNAL_INTEGER;
}

int ms_file_map_wire(ms_file_model *file, const json_t *object, const ms_wire *wire, double offset,
                     const ms_json_place *at, ms_error *error)
{
    ms_structure *owner = &file->structure;
    const end from = end_of(file, wire->from, false, wire->output),
              to = end_of(file, wire->to, true, wire->input);
    const size_t n = json_object_size(object);
    if (n == 0 || wire->gain != 1.0 || offset != 0.0)
        return ms_json_fail(
            at, error,
            "wire %.100s.%.100s to %.100s.%.100s: map must be an object of values, without a gain and an "
            "offset",
            from.sub->name, from.name, to.sub->name, to.name);
    if (!can_be_mapped(&from, from.sub->y_signal, wire->output) ||
        !can_be_mapped(&to, to.sub->u_signal, wire->input))
        return ms_json_fail(
            at, error,
            "wire %.100s.%.100s to %.100s.%.100s: integers, booleans and enumerations of FMUs can be mapped",
            from.sub->name, from.name, to.sub->name, to.name);
    ms_fmu_map *map = ms_structure_alloc(owner, 1, sizeof *map);
    double *value = ms_structure_alloc(owner, 2 * n, sizeof *value);
    MS_TRY_MEMORY_OR(map != NULL && value != NULL &&
                         ms_file_fmu_map(file, wire->to, wire->input, map) == MS_OK,
                     ms_json_no_memory(at, error));
    *map = (ms_fmu_map){.value = value, .image = value + n};
    int status = MS_OK;
    const char *text;
    json_t *image;
    json_object_foreach ((json_t *)object, text, image)
        MS_THEN(status, read_entry(&from, &to, text, image, map, value, value + n, at, error));
    return status;
}
