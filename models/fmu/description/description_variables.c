/* SPDX-License-Identifier: GPL-3.0-or-later */
/* description_variables.c - ModelVariables, with the types and units that they name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "description_parts.h"
#include "fmu_description_read.h"

/* Sorted lists ------------------------------------------------------------------------------------------- */

/* Of equal names the first in the file comes first. */
static int compare_named(const void *a, const void *b)
{
    const ms_named *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

/* For ms_named_find. */
static void sort_by_name(ms_named *list, int n)
{
    if (n > 1)
        qsort(list, (size_t)n, sizeof *list, compare_named);
}

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, ((const ms_named *)entry)->name);
}

const ms_named *ms_named_find(const ms_named *list, int n, const char *name)
{
    return n > 0 ? bsearch(name, list, (size_t)n, sizeof *list, compare_name) : NULL;
}

static int compare_reference(const void *a, const void *b)
{
    const ms_referred *left = a, *right = b;
    return (left->reference > right->reference) - (left->reference < right->reference);
}

int ms_description_variable(const ms_description_read *d, unsigned number)
{
    if (d->description.fmi == 2)
        return number >= 1 && number <= (unsigned)d->description.n_variables ? (int)number - 1 : -1;
    const ms_referred key = {.reference = number}, *found = NULL;
    if (d->n_references > 0)
        found = bsearch(&key, d->by_reference, (size_t)d->n_references, sizeof key, compare_reference);
    return found != NULL ? found->index : -1;
}

/* The elements within `list` that have a name, by it. */
static int read_names(ms_description_read *d, const ms_xml_element *list, ms_named **names, int *n,
                      ms_error *error)
{
    ms_named *to = *names = ms_structure_alloc(&d->xml.memory, (size_t)ms_xml_children(list) + 1, sizeof *to);
    *n = 0;
    MS_TRY_MEMORY_OR(to != NULL, ms_xml_no_memory(&d->xml, error));
    for (const ms_xml_element *e = list != NULL ? list->first : NULL; e != NULL; e = e->next) {
        const char *name = ms_xml_attribute(e, "name");
        if (name != NULL) {
            to[*n] = (ms_named){.name = name, .index = *n, .element = e};
            ++*n;
        }
    }
    sort_by_name(to, *n);
    return MS_OK;
}

/* One variable ------------------------------------------------------------------------------------------- */

/* The type of a variable by its element; MS_FMU_TYPES: not a type. */
static ms_fmu_type type_of(int fmi, const char *name)
{
    static const struct {
        const char *name;
        ms_fmu_type type;
    } two[] = {{"Real", MS_FMU_FLOAT64},
               {"Integer", MS_FMU_INT32},
               {"Boolean", MS_FMU_BOOLEAN},
               {"String", MS_FMU_STRING},
               {"Enumeration", MS_FMU_ENUMERATION}};
    for (size_t k = 0; k < sizeof two / sizeof *two && fmi == 2; k++)
        if (strcmp(two[k].name, name) == 0)
            return two[k].type;
    int type = fmi == 2 ? MS_FMU_TYPES : 0;
    while (type < MS_FMU_TYPES && strcmp(ms_fmu_type_names[type], name) != 0)
        type++;
    return (ms_fmu_type)type;
}

/* A variable on its way: its element, that with its type (2.0: within it, 3.0: the same), and the type that it declares (2.0:
 * again within <SimpleType>). */
typedef struct variable {
    const ms_xml_element *element, *type, *declared;
} variable;

/* The attribute of the variable, else that of the type it declares, or NULL. */
static const ms_xml_element *holder(const variable *in, const char *name)
{
    return ms_xml_attribute(in->type, name) != NULL ? in->type : in->declared;
}

static int read_reference(const ms_description_read *d, const ms_xml_element *e, unsigned *reference,
                          ms_error *error)
{
    const char *text;
    MS_TRY(ms_xml_text(&d->xml, e, "valueReference", &text, error));
    const char *end = text;
    if (!ms_xml_unsigned(&end, reference) || end[strspn(end, " \t\r\n")] != '\0')
        return ms_xml_fail(
            &d->xml, e, error,
            "valueReference of %.100s is %.60s, but a whole number of 32 bits without a sign is "
            "expected",
            ms_xml_attribute(e, "name"), text);
    return MS_OK;
}

static int read_words(const ms_description_read *d, const variable *in, ms_fmu_variable *v, ms_error *error)
{
    const int fmi = d->description.fmi;
    int causality = MS_FMU_LOCAL, variability = -1, initial = -1;
    int status = ms_xml_word(&d->xml, in->element, "causality", ms_fmu_causality_names, MS_FMU_CAUSALITIES,
                             &causality, error);
    MS_THEN(status, ms_xml_word(&d->xml, in->element, "variability", ms_fmu_variability_names,
                                MS_FMU_VARIABILITIES, &variability, error));
    MS_THEN(status, ms_xml_word(&d->xml, in->element, "initial", ms_fmu_initial_names, MS_FMU_INITIALS,
                                &initial, error));
    v->causality = (ms_fmu_causality)causality;
    v->variability = variability >= 0 ? (ms_fmu_variability)variability
                                      : ms_fmu_default_variability(v->type, v->causality);
    v->initial =
        initial >= 0 ? (ms_fmu_initial)initial : ms_fmu_default_initial(fmi, v->causality, v->variability);
    return status;
}

/* As a number, where it is one. */
static int read_start_value(const ms_description_read *d, const variable *in, ms_fmu_variable *v,
                            ms_error *error)
{
    bool truth = false;
    if (v->n_dimensions > 0 || v->start == NULL)
        return MS_OK;
    if (v->type == MS_FMU_BOOLEAN) {
        const int status = ms_xml_bool(&d->xml, in->type, "start", &truth, error);
        v->start_value = truth;
        return status;
    }
    if (!ms_fmu_type_is_number(v->type))
        return MS_OK;
    const bool whole = v->type > MS_FMU_FLOAT32;
    if (!ms_xml_number(v->start, &v->start_value) || (whole && v->start_value != floor(v->start_value)))
        return ms_xml_fail(&d->xml, in->element, error, "start of %.100s is %.60s, but a %s is expected",
                           v->name, v->start, whole ? "whole number" : "number");
    return MS_OK;
}

static int read_start(const ms_description_read *d, const variable *in, ms_fmu_variable *v, ms_error *error)
{
    v->start_value = NAN;
    v->start = ms_xml_attribute(in->type, "start");
    if (d->description.fmi == 3 && (v->type == MS_FMU_STRING || v->type == MS_FMU_BINARY))
        v->start = ms_xml_attribute(ms_xml_child(in->type, "Start"), "value");
    return read_start_value(d, in, v, error);
}

static int read_range(const ms_description_read *d, const variable *in, ms_fmu_variable *v, ms_error *error)
{
    v->min = -INFINITY;
    v->max = INFINITY;
    if (!ms_fmu_type_is_number(v->type) || v->type == MS_FMU_BOOLEAN)
        return MS_OK;
    int status = ms_xml_double(&d->xml, holder(in, "min"), "min", &v->min, error);
    MS_THEN(status, ms_xml_double(&d->xml, holder(in, "max"), "max", &v->max, error));
    const char *nominal = ms_xml_attribute(holder(in, "nominal"), "nominal");
    if (nominal == NULL || !ms_xml_number(nominal, &v->nominal) || !(v->nominal > 0.0))
        v->nominal = 0.0; /* `show` reports violations of the standard */
    return status;
}

static const char *text_or(const char *text, const char *otherwise)
{
    return text != NULL && text[0] != '\0'
               ? text
               : otherwise; /* some tools write an empty attribute instead of none */
}

static int count_dimensions(const ms_xml_element *e)
{
    int n = 0;
    for (const ms_xml_element *c = ms_xml_child(e, "Dimension"); c != NULL; c = ms_xml_again(c))
        n++;
    return n;
}

/* Not one that is triggered: then whoever calls the FMU may leave it alone. */
static bool ticks(const variable *in, const ms_fmu_variable *v)
{
    const char *interval = ms_xml_attribute(holder(in, "intervalVariability"), "intervalVariability");
    return v->type == MS_FMU_CLOCK && v->causality == MS_FMU_INPUT && interval != NULL &&
           strcmp(interval, "triggered") != 0;
}

/* Everything but derivative_of, for which all variables have to be there. */
static int read_variable(const ms_description_read *d, const variable *in, ms_fmu_variable *v,
                         ms_error *error)
{
    int status = ms_xml_text(&d->xml, in->element, "name", &v->name, error);
    MS_THEN(status, read_reference(d, in->element, &v->value_reference, error));
    MS_THEN(status, read_words(d, in, v, error));
    v->line = (int)in->element->line;
    v->derivative_of = -1;
    v->description = text_or(ms_xml_attribute(in->element, "description"), "");
    v->unit = text_or(ms_xml_attribute(holder(in, "unit"), "unit"), "1");
    v->n_dimensions = d->description.fmi == 3 ? count_dimensions(in->element) : 0;
    v->clocked = d->description.fmi == 3 && ms_xml_attribute(in->element, "clocks") != NULL;
    v->ticks = ticks(in, v);
    MS_THEN(status, read_start(d, in, v, error));
    MS_THEN(status, read_range(d, in, v, error));
    if (status == MS_OK && d->description.fmi == 3)
        status = ms_xml_bool(&d->xml, in->element, "intermediateUpdate", &v->intermediate_update, error);
    return status;
}

/* All of them -------------------------------------------------------------------------------------------- */

/* The element with the type of a variable of 2.0: the first that is one. */
static const ms_xml_element *type_element(const ms_xml_element *e)
{
    const ms_xml_element *c = e->first;
    while (c != NULL && type_of(2, c->name) == MS_FMU_TYPES)
        c = c->next;
    return c;
}

static int find_type(const ms_description_read *d, variable *in, ms_fmu_type *type, ms_error *error)
{
    const int fmi = d->description.fmi;
    in->type = fmi == 2 ? type_element(in->element) : in->element;
    *type = in->type != NULL ? type_of(fmi, in->type->name) : MS_FMU_TYPES;
    if (*type == MS_FMU_TYPES)
        return ms_xml_fail(&d->xml, in->element, error,
                           "<%.60s> %.100s has a type that FMI %d.0 does not "
                           "have",
                           in->element->name, text_or(ms_xml_attribute(in->element, "name"), ""), fmi);
    const char *name = ms_xml_attribute(in->type, "declaredType");
    const ms_named *found = name != NULL ? ms_named_find(d->types, d->n_types, name) : NULL;
    if (found != NULL)
        in->declared = fmi == 2 ? type_element(found->element) : found->element;
    return MS_OK;
}

const ms_xml_element *ms_description_element(const ms_description_read *d, int k)
{
    const ms_fmu_variable *v = d->description.variables;
    int of = k;
    while (of > 0 && strcmp(d->element[of]->name, "Alias") == 0 &&
           v[of].value_reference == v[k].value_reference)
        of--;
    return d->element[of];
}

/* The items of a variable's enumeration; NULL: none. */
static const ms_xml_element *items_of(const ms_fmu_description *description, int k)
{
    const ms_description_read *d = (const ms_description_read *)description;
    variable in = {.element = ms_description_element(d, k)};
    ms_fmu_type type;
    if (description->variables[k].type != MS_FMU_ENUMERATION || find_type(d, &in, &type, NULL) != MS_OK)
        return NULL;
    return ms_xml_child(in.declared, "Item");
}

static double number_of(const ms_xml_element *item)
{
    double number = NAN;
    return ms_xml_number(text_or(ms_xml_attribute(item, "value"), ""), &number) ? number : NAN;
}

bool ms_fmu_item(const ms_fmu_description *description, int k, const char *item, double *number)
{
    const ms_xml_element *e = items_of(description, k);
    while (e != NULL && strcmp(text_or(ms_xml_attribute(e, "name"), ""), item) != 0)
        e = ms_xml_again(e);
    *number = e != NULL ? number_of(e) : *number;
    return e != NULL && isfinite(*number);
}

bool ms_fmu_items_fit(const ms_fmu_description *from, int y, const ms_fmu_description *to, int u)
{
    const ms_xml_element *all = items_of(to, u), *other = all;
    for (const ms_xml_element *e = items_of(from, y); e != NULL && other != NULL; e = ms_xml_again(e))
        for (other = all; other != NULL && number_of(other) != number_of(e);)
            other = ms_xml_again(other);
    return all == NULL || other != NULL;
}

/* Other names of one variable of 3.0. */
static int add_aliases(ms_description_read *d, ms_fmu_variable *variables, int of, ms_error *error)
{
    for (const ms_xml_element *e = ms_xml_child(d->element[of], "Alias"); e != NULL; e = ms_xml_again(e)) {
        const int k = d->description.n_variables++;
        ms_fmu_variable *v = &variables[k];
        *v = variables[of];
        v->causality =
            v->causality == MS_FMU_INPUT || v->causality == MS_FMU_OUTPUT ? MS_FMU_LOCAL : v->causality;
        v->line = (int)e->line;
        v->description = text_or(ms_xml_attribute(e, "description"), "");
        d->element[k] = e;
        MS_TRY(ms_xml_text(&d->xml, e, "name", &v->name, error));
    }
    return MS_OK;
}

static int read_list(ms_description_read *d, const ms_xml_element *list, ms_fmu_variable *variables,
                     ms_error *error)
{
    for (const ms_xml_element *e = list->first; e != NULL; e = e->next) {
        const int k = d->description.n_variables;
        variable in = {.element = e};
        if (d->description.fmi == 2 && strcmp(e->name, "ScalarVariable") != 0)
            continue;
        int status = find_type(d, &in, &variables[k].type, error);
        MS_THEN(status, read_variable(d, &in, &variables[k], error));
        d->element[k] = e;
        d->description.n_variables++;
        if (status == MS_OK && d->description.fmi == 3)
            status = add_aliases(d, variables, k, error);
        if (status != MS_OK)
            return status;
    }
    return MS_OK;
}

/* Sorts the names, which must be unique. */
static int sort_names(ms_description_read *d, ms_error *error)
{
    const ms_fmu_description *out = &d->description;
    const int n = out->n_variables;
    d->sorted = ms_structure_alloc(&d->xml.memory, (size_t)n + 1, sizeof *d->sorted);
    MS_TRY_MEMORY_OR(d->sorted != NULL, ms_xml_no_memory(&d->xml, error));
    for (int k = 0; k < n; k++)
        d->sorted[k] = (ms_named){.name = out->variables[k].name, .index = k};
    sort_by_name(d->sorted, n);
    for (int k = 1; k < n; k++)
        if (strcmp(d->sorted[k - 1].name, d->sorted[k].name) == 0)
            return ms_xml_fail(&d->xml, d->element[d->sorted[k].index], error,
                               "the name %.100s occurs on line %d already", d->sorted[k].name,
                               out->variables[d->sorted[k - 1].index].line);
    return MS_OK;
}

/* Sorts the references of 3.0, which must be unique except for aliases. */
static int sort_references(ms_description_read *d, ms_error *error)
{
    const ms_fmu_description *out = &d->description;
    d->by_reference =
        ms_structure_alloc(&d->xml.memory, (size_t)out->n_variables + 1, sizeof *d->by_reference);
    MS_TRY_MEMORY_OR(d->by_reference != NULL, ms_xml_no_memory(&d->xml, error));
    for (int k = 0; k < out->n_variables && out->fmi == 3; k++)
        if (strcmp(d->element[k]->name, "Alias") != 0)
            d->by_reference[d->n_references++] = (ms_referred){out->variables[k].value_reference, k};
    if (d->n_references > 1)
        qsort(d->by_reference, (size_t)d->n_references, sizeof *d->by_reference, compare_reference);
    for (int k = 1; k < d->n_references; k++) {
        const ms_fmu_variable *a = &out->variables[d->by_reference[k - 1].index],
                              *b = &out->variables[d->by_reference[k].index];
        if (a->value_reference == b->value_reference)
            return ms_xml_fail(&d->xml, d->element[d->by_reference[k].index], error,
                               "%.100s and %.100s have the same valueReference %u", a->name, b->name,
                               a->value_reference);
    }
    return MS_OK;
}

static int read_derivatives(const ms_description_read *d, ms_fmu_variable *variables, ms_error *error)
{
    for (int k = 0; k < d->description.n_variables; k++) {
        const ms_xml_element *e = d->element[k], *type = d->description.fmi == 2 ? type_element(e) : e;
        const char *text = ms_xml_attribute(type, "derivative"), *end = text;
        unsigned number = 0;
        if (text == NULL)
            continue;
        if (ms_xml_unsigned(&end, &number) && end[strspn(end, " \t\r\n")] == '\0')
            variables[k].derivative_of = ms_description_variable(d, number);
        if (variables[k].derivative_of < 0)
            return ms_xml_fail(&d->xml, e, error,
                               "derivative of %.100s is %.60s, but there is no such variable",
                               variables[k].name, text);
    }
    return MS_OK;
}

/* Appends the variable of each value that can be wired; `inputs` NULL: counts. */
static int add_inputs(const ms_fmu_description *d, bool continuous, int *inputs)
{
    int n = 0;
    for (int k = 0; k < d->n_variables; k++) {
        const ms_fmu_variable *v = &d->variables[k];
        if (v->causality != MS_FMU_INPUT || !ms_fmu_can_be_wired(v) || ms_fmu_is_continuous(v) != continuous)
            continue;
        for (int j = 0; j < v->size; j++, n++)
            if (inputs != NULL)
                inputs[n] = k;
    }
    return n;
}

/* What wires can go to. */
int ms_description_list_inputs(ms_description_read *d, ms_error *error)
{
    ms_fmu_description *out = &d->description;
    out->n_inputs = add_inputs(out, true, NULL);
    out->n_discrete_inputs = add_inputs(out, false, NULL);
    const size_t n = (size_t)(out->n_inputs + out->n_discrete_inputs);
    int *inputs = ms_structure_alloc(&d->xml.memory, n + 1, sizeof *inputs);
    MS_TRY_MEMORY_OR(inputs != NULL, ms_xml_no_memory(&d->xml, error));
    add_inputs(out, true, inputs);
    add_inputs(out, false, inputs + out->n_inputs);
    out->inputs = inputs;
    return MS_OK;
}

static size_t count_variables(const ms_xml_element *list)
{
    size_t n = 0;
    for (const ms_xml_element *e = list->first; e != NULL; e = e->next)
        n += 1 + (size_t)ms_xml_children(e);
    return n;
}

int ms_description_read_variables(ms_description_read *d, ms_error *error)
{
    const ms_xml_element *root = d->xml.root, *list = ms_xml_child(root, "ModelVariables");
    if (list == NULL)
        return ms_xml_fail(&d->xml, root, error, "<fmiModelDescription> has no <ModelVariables>");
    const size_t n = count_variables(list);
    ms_fmu_variable *variables = ms_structure_alloc(&d->xml.memory, n + 1, sizeof *variables);
    d->element = ms_structure_alloc(&d->xml.memory, n + 1, sizeof(void *));
    d->description.variables = variables;
    MS_TRY_MEMORY_OR(variables != NULL && d->element != NULL, ms_xml_no_memory(&d->xml, error));
    MS_TRY(read_names(d, ms_xml_child(root, "TypeDefinitions"), &d->types, &d->n_types, error));
    MS_TRY(read_names(d, ms_xml_child(root, "UnitDefinitions"), &d->units, &d->n_units, error));
    MS_TRY(read_list(d, list, variables, error));
    MS_TRY(sort_names(d, error));
    MS_TRY(sort_references(d, error));
    return read_derivatives(d, variables, error);
}

bool ms_fmu_description_unit(const ms_fmu_description *description, const char *name, ms_unit *unit)
{
    const ms_description_read *d = (const ms_description_read *)description;
    const ms_named *found = ms_named_find(d->units, d->n_units, name);
    const ms_xml_element *base = found != NULL ? ms_xml_child(found->element, "BaseUnit") : NULL;
    return base != NULL && ms_xml_base_unit(&d->xml, base, unit, NULL) == MS_OK && unit->factor > 0.0;
}
