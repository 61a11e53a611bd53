/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_values.c - values of variables of any type as doubles. */
#include <math.h>
#include <stdio.h>

#include "fmu_parts.h"

/* Bits of whole numbers without the sign; 0: not a whole number. */
static const int bits[MS_FMU_TYPES] = {
    [MS_FMU_INT8] = 7,    [MS_FMU_UINT8] = 8,       [MS_FMU_INT16] = 15, [MS_FMU_UINT16] = 16,
    [MS_FMU_INT32] = 31,  [MS_FMU_UINT32] = 32,     [MS_FMU_INT64] = 63, [MS_FMU_UINT64] = 64,
    [MS_FMU_BOOLEAN] = 1, [MS_FMU_ENUMERATION] = 31};

static bool has_sign(ms_fmu_type type)
{
    return type != MS_FMU_UINT8 && type != MS_FMU_UINT16 && type != MS_FMU_UINT32 && type != MS_FMU_UINT64 &&
           type != MS_FMU_BOOLEAN;
}

bool ms_fmu_is_value(ms_fmu_type type, double value)
{
    const double most = exp2(bits[type]);
    if (ms_fmu_type_is_real(type))
        return true;
    return value == floor(value) && value < most && value >= (has_sign(type) ? -most : 0.0);
}

/* The variable that value k of a group belongs to. */
static const ms_fmu_variable *variable_of(const ms_fmu_description *d, const ms_fmu_group *group, int k)
{
    const ms_fmu_variable *v = NULL;
    for (int i = 0; i < group->n && k >= 0; i++) {
        v = d->variables;
        while (v < d->variables + d->n_variables - 1 &&
               (v->value_reference != group->reference[i] || v->type != group->type))
            v++;
        k -= v->size;
    }
    return v;
}

int ms_fmu_no_value(ms_fmu_component *component, const ms_fmu_group *group, int k, long double value)
{
    char line[300];
    const ms_fmu_variable *v = variable_of(component->fmu->description, group, k);
    snprintf(line, sizeof line, "%.150s cannot be %.*Lg: it is of type %s%s",
             v != NULL ? v->name : "a variable", value == floorl(value) ? 20 : 17, value,
             ms_fmu_type_names[group->type],
             fabsl(value) > exp2(53.0) ? ", and values are passed as doubles, whole up to 2^53" : "");
    ms_fmu_voice_say(component->voice, MS_FMI_DISCARD, line);
    return MS_FMI_DISCARD;
}

size_t ms_fmu_most_values(const ms_fmu_description *description)
{
    size_t most = (size_t)(description->n_inputs + description->n_discrete_inputs), states = 0;
    for (int k = 0; k < description->n_derivatives; k++)
        states += (size_t)description->variables[description->derivatives[k].variable].size;
    most = states > most ? states : most;
    for (int k = 0; k < description->n_variables; k++)
        if ((size_t)description->variables[k].size > most)
            most = (size_t)description->variables[k].size;
    return most;
}

/* Maps ------------------------------------------------------------------------------------------------------ */

/* The index of a value in the map, or -1. */
static int place_of(const ms_fmu_map *map, double value)
{
    int k = 0;
    while (k < map->n && map->value[k] != value)
        k++;
    return k < map->n ? k : -1;
}

static int not_mapped(ms_fmu_component *c, const ms_fmu_group *group, int k, double value)
{
    char line[300];
    const ms_fmu_variable *v = variable_of(c->fmu->description, group, k);
    snprintf(line, sizeof line, "the map of the wire to %.150s has no entry for %.17g",
             v != NULL ? v->name : "a variable", value);
    ms_fmu_voice_say(c->voice, MS_FMI_DISCARD, line);
    return MS_FMI_DISCARD;
}

static int set_mapped(ms_fmu_component *c, const ms_fmu_group *group, const double *value)
{
    double *image = c->work + ms_fmu_most_values(c->fmu->description);
    for (int k = 0; k < group->n_values; k++) {
        const int place = group->map[k] != NULL ? place_of(group->map[k], value[k]) : -1;
        if (group->map[k] != NULL && place < 0)
            return not_mapped(c, group, k, value[k]);
        image[k] = place >= 0 ? group->map[k]->image[place] : value[k];
    }
    return MS_FMU_CALL(c, set, group, image);
}

bool ms_fmu_is_written(const ms_fmu_values *values, const double *value, const double *read)
{
    bool same = true;
    for (int g = 0; g < values->n_groups && same; g++) {
        const ms_fmu_group *group = &values->group[g];
        for (int k = 0; k < group->n_values && same; k++, value++, read++) {
            const ms_fmu_map *map = group->map != NULL ? group->map[k] : NULL;
            const int place = map != NULL ? place_of(map, *value) : -1;
            same = map == NULL ? *value == *read : place >= 0 && map->image[place] == *read;
        }
    }
    return same;
}

/* All ------------------------------------------------------------------------------------------------------- */

static int transfer(ms_fmu_component *c, const ms_fmu_values *values, double *to, const double *from)
{
    int status = c->stage >= MS_FMU_LOST ? MS_SOLVER_FAILED : MS_OK;
    for (int k = 0, at = 0; k < values->n_groups && status == MS_OK; at += values->group[k++].n_values) {
        const ms_fmu_group *group = &values->group[k];
        status = ms_fmu_status(c, to != NULL           ? MS_FMU_CALL(c, get, group, to + at)
                                  : group->map != NULL ? set_mapped(c, group, from + at)
                                                       : MS_FMU_CALL(c, set, group, from + at));
    }
    return status;
}

int ms_fmu_read(ms_fmu_component *component, const ms_fmu_values *values, double *value)
{
    return transfer(component, values, value, NULL);
}

int ms_fmu_write(ms_fmu_component *component, const ms_fmu_values *values, const double *value)
{
    return transfer(component, values, NULL, value);
}

int ms_fmu_get(ms_fmu_component *component, int n, const unsigned *reference, double *value)
{
    const ms_fmu_group group = {.type = MS_FMU_FLOAT64, .n = n, .n_values = n, .reference = reference};
    return ms_fmu_read(component, &(ms_fmu_values){n > 0, &group}, value);
}

int ms_fmu_set(ms_fmu_component *component, int n, const unsigned *reference, const double *value)
{
    const ms_fmu_group group = {.type = MS_FMU_FLOAT64, .n = n, .n_values = n, .reference = reference};
    return ms_fmu_write(component, &(ms_fmu_values){n > 0, &group}, value);
}
