/* SPDX-License-Identifier: GPL-3.0-or-later */
/* description_values.c - values of variables: arrays of 3.0 have several, by rows, which are called NAME[2] or NAME[1,3], counted
 * from 1 as in FMI's naming conventions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "description_parts.h"
#include "fmu_description_read.h"

enum { VALUES_MAX = 1 << 24 }; /* of all variables */

/* Sizes and start values --------------------------------------------------------------------------------- */

/* Dimension of an array: a number, or the start value of a structural parameter; -1 where it is none. */
static int length_of(const ms_description_read *d, const ms_xml_element *dimension)
{
    const char *text = ms_xml_attribute(dimension, "start"),
               *of = ms_xml_attribute(dimension, "valueReference");
    unsigned number = 0;
    if (text == NULL && of != NULL && ms_xml_unsigned(&of, &number)) {
        const int k = ms_description_variable(d, number);
        text = k >= 0 ? d->description.variables[k].start : NULL;
    }
    return text != NULL && ms_xml_unsigned(&text, &number) && number <= VALUES_MAX ? (int)number : -1;
}

enum { ENTRY_MAX = 64 };

/* The next entry of a list of numbers, true and false; false: there is none, or it is invalid. */
static bool next_entry(const char **list, char entry[ENTRY_MAX], double *value)
{
    size_t n = 0;
    const char *c = *list;
    while (*c == ' ' || *c == '\t' || *c == '\r' || *c == '\n')
        c++;
    for (; *c != '\0' && *c != ' ' && *c != '\t' && *c != '\r' && *c != '\n' && n + 1 < ENTRY_MAX; c++)
        entry[n++] = *c;
    entry[n] = '\0';
    *list = c;
    if (strcmp(entry, "true") == 0 || strcmp(entry, "false") == 0) {
        *value = entry[0] == 't';
        return true;
    }
    return n > 0 && ms_xml_number(entry, value);
}

bool ms_fmu_is_no_double(ms_fmu_type type, const char *text, double value)
{
    char same[400];
    if (ms_fmu_type_is_real(type) || fabs(value) < 0x1p53)
        return false;
    snprintf(same, sizeof same, "%.0f", value);
    return strcmp(same, text) != 0;
}

bool ms_fmu_starts_at_no_double(const ms_fmu_variable *v)
{
    const char *list = v->start != NULL ? v->start : "";
    char entry[ENTRY_MAX];
    double value;
    while (next_entry(&list, entry, &value))
        if (ms_fmu_is_no_double(v->type, entry, value))
            return true;
    return false;
}

void ms_fmu_start_values(const ms_fmu_variable *v, double *value)
{
    char text[ENTRY_MAX];
    const char *list = v->start != NULL ? v->start : "";
    double entry = isfinite(v->start_value) ? v->start_value : 0.0;
    bool more = v->n_dimensions > 0;
    if (v->start == NULL && v->type == MS_FMU_ENUMERATION)
        entry = v->min > 1.0 && isfinite(v->min) ? v->min : 1.0;
    for (int k = 0; k < v->size; k++) { /* one entry is that of all */
        double next;
        more = more && next_entry(&list, text, &next);
        value[k] = entry = more ? next : entry;
    }
}

/* Does the list have one entry, or one for each value? */
static int check_start_list(const ms_description_read *d, int k, ms_fmu_variable *v, ms_error *error)
{
    const char *list = v->start;
    char text[ENTRY_MAX];
    int n = 0;
    if (v->start == NULL || v->n_dimensions == 0 || !ms_fmu_type_is_number(v->type))
        return MS_OK;
    for (double entry; next_entry(&list, text, &entry); n++)
        ;
    if (n == 1 || n == v->size)
        return MS_OK;
    if (d->resized) { /* it has the former sizes */
        v->start = NULL;
        return MS_OK;
    }
    return ms_xml_fail(&d->xml, d->element[k], error,
                       "start of %.100s has %d numbers, but its dimensions make %d", v->name, n, v->size);
}

/* Its dimensions, and how many values they make. */
static int read_dimensions(ms_description_read *d, int k, ms_fmu_variable *v, double *size, ms_error *error)
{
    int *length = ms_structure_alloc(&d->xml.memory, (size_t)v->n_dimensions + 1, sizeof *length);
    const ms_xml_element *e = ms_xml_child(ms_description_element(d, k), "Dimension");
    *size = 1.0;
    if (length == NULL)
        return ms_xml_no_memory(&d->xml, error);
    for (int j = 0; j < v->n_dimensions; j++, e = ms_xml_again(e)) {
        length[j] = length_of(d, e);
        if (length[j] < 0)
            return ms_xml_fail(&d->xml, e, error,
                               "dimension %d of %.100s is neither a number nor the start value of a variable",
                               j + 1, v->name);
        *size *= length[j];
    }
    v->dimension = length;
    return MS_OK;
}

int ms_description_read_sizes(ms_description_read *d, ms_error *error)
{
    ms_fmu_variable *variables =
        (ms_fmu_variable *)d->description.variables; /* made by ms_description_read_variables */
    int n = 0;
    for (int k = 0; k < d->description.n_variables; k++) {
        ms_fmu_variable *v = &variables[k];
        double size = 1.0;
        if (v->n_dimensions > 0)
            MS_TRY(read_dimensions(d, k, v, &size, error));
        if (size > VALUES_MAX - n)
            return ms_xml_fail(&d->xml, d->element[k], error, "%.100s makes over %d values", v->name,
                               VALUES_MAX);
        v->size = (int)size;
        v->first = n;
        n += v->size;
        MS_TRY(check_start_list(d, k, v, error));
    }
    return MS_OK;
}

int ms_fmu_description_resize(ms_fmu_description *description, int n, const int *variable,
                              const double *value, ms_error *error)
{
    ms_description_read *d = (ms_description_read *)description;
    ms_fmu_variable *variables = (ms_fmu_variable *)description->variables;
    d->resized = true;
    for (int k = 0; k < n; k++) {
        ms_fmu_variable *v = &variables[variable[k]];
        v->start = ms_structure_name(&d->xml.memory, "%.0f", value[k]);
        v->start_value = value[k];
        v->is_resized = true;
        MS_TRY_MEMORY_OR(v->start != NULL, ms_xml_no_memory(&d->xml, error));
    }
    MS_TRY(ms_description_read_sizes(d, error));
    MS_TRY(ms_description_list_inputs(d, error));
    return ms_description_read_structure(d, error);
}

/* Numbers and names -------------------------------------------------------------------------------------- */

int ms_fmu_variable_of(const ms_fmu_description *d, int value)
{
    int low = 0, high = d->n_variables; /* it is one of [low, high) */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (d->variables[middle].first <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const char *ms_fmu_value_name(const ms_fmu_variable *v, int element, ms_structure *memory)
{
    char index[256] = "";
    size_t n = sizeof index - 1; /* from the end */
    if (v->n_dimensions == 0)
        return v->name;
    index[n] = '\0';
    for (int j = v->n_dimensions - 1; j >= 0 && n > 16; j--) {
        char number[16];
        const int length = snprintf(number, sizeof number, "%d%c", element % v->dimension[j] + 1,
                                    j == v->n_dimensions - 1 ? ']' : ',');
        n -= (size_t)length;
        memcpy(index + n, number, (size_t)length);
        element /= v->dimension[j];
    }
    return ms_structure_name(memory, "%s[%s", v->name, index + n);
}

/* "1,3]" of an array; false: it has no such element. */
static bool read_index(const ms_fmu_variable *v, const char *text, int *element)
{
    *element = 0;
    if (v->size == 0) /* else its values are few enough for an int */
        return false;
    for (int j = 0; j < v->n_dimensions; j++) {
        unsigned number;
        if (!ms_xml_unsigned(&text, &number) || number < 1 || number > (unsigned)v->dimension[j] ||
            *text++ != (j < v->n_dimensions - 1 ? ',' : ']'))
            return false;
        *element = *element * v->dimension[j] + (int)number - 1;
    }
    return *text == '\0';
}

int ms_fmu_variable_index(const ms_fmu_description *description, const char *name)
{
    const ms_description_read *d = (const ms_description_read *)description;
    const ms_named *found = ms_named_find(d->sorted, description->n_variables, name);
    return found != NULL ? found->index : -1;
}

int ms_fmu_value_find(const ms_fmu_description *d, const char *name, int *n)
{
    int k = ms_fmu_variable_index(d, name), element = 0;
    const char *bracket = k < 0 ? strrchr(name, '[') : NULL;
    char array[1000];
    if (k >= 0) {
        *n = d->variables[k].size;
        return d->variables[k].first;
    }
    if (bracket == NULL || (size_t)(bracket - name) >= sizeof array)
        return -1;
    snprintf(array, sizeof array, "%.*s", (int)(bracket - name), name);
    k = ms_fmu_variable_index(d, array);
    if (k < 0 || d->variables[k].n_dimensions == 0 || !read_index(&d->variables[k], bracket + 1, &element))
        return -1;
    *n = 1;
    return d->variables[k].first + element;
}
