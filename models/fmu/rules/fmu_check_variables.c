/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_check_variables.c - attributes of variables: FMI 2.0.x, 2.2.7; FMI 3.0.x, 2.4.7. */
#include <string.h>

#include "fmu_check_parts.h"

/* Causality, variability, initial, start ----------------------------------------------------------------- */

enum {
    E = 1 << MS_FMU_EXACT,
    A = 1 << MS_FMU_APPROX,
    C = 1 << MS_FMU_CALCULATED,
    N = 1 << MS_FMU_INITIAL_NONE
};

/* Which `initial` a combination may have; 0: the combination is not allowed. */
static const unsigned char allowed[MS_FMU_CAUSALITIES][MS_FMU_VARIABILITIES] = {
    [MS_FMU_PARAMETER] = {[MS_FMU_FIXED] = E, [MS_FMU_TUNABLE] = E},
    [MS_FMU_STRUCTURAL_PARAMETER] = {[MS_FMU_FIXED] = E, [MS_FMU_TUNABLE] = E},
    [MS_FMU_CALCULATED_PARAMETER] = {[MS_FMU_FIXED] = C | A, [MS_FMU_TUNABLE] = C | A},
    [MS_FMU_INPUT] = {[MS_FMU_DISCRETE] = N | E, [MS_FMU_CONTINUOUS] = N | E},
    [MS_FMU_OUTPUT] = {[MS_FMU_CONSTANT] = E, [MS_FMU_DISCRETE] = C | E | A, [MS_FMU_CONTINUOUS] = C | E | A},
    [MS_FMU_LOCAL] = {[MS_FMU_CONSTANT] = E,
                      [MS_FMU_FIXED] = C | A,
                      [MS_FMU_TUNABLE] = C | A,
                      [MS_FMU_DISCRETE] = C | E | A,
                      [MS_FMU_CONTINUOUS] = C | E | A},
    [MS_FMU_INDEPENDENT] = {[MS_FMU_CONTINUOUS] = N},
};

static bool is_parameter(const ms_fmu_variable *v)
{
    return v->causality == MS_FMU_PARAMETER || v->causality == MS_FMU_CALCULATED_PARAMETER ||
           v->causality == MS_FMU_STRUCTURAL_PARAMETER;
}

static void check_combination(ms_fmu_checker *c, const ms_fmu_variable *v, const ms_xml_element *e)
{
    const char *causality = ms_fmu_causality_names[v->causality];
    const bool silent = ms_xml_attribute(e, "initial") == NULL;
    const unsigned may = allowed[v->causality][v->variability];
    if (is_parameter(v) && ms_xml_attribute(e, "variability") == NULL)
        ms_fmu_found(c, true, v->line, "%.100s: a %s must be declared fixed or tunable", v->name, causality);
    else if (may == 0)
        ms_fmu_found(c, true, v->line, "%.100s: causality %s and variability %s cannot be combined", v->name,
                     causality, ms_fmu_variability_names[v->variability]);
    else if (!silent &&
             (!(may & 1u << v->initial) || (c->description->fmi == 2 && v->causality == MS_FMU_INPUT)))
        ms_fmu_found(c, true, v->line,
                     "%.100s: causality %s and variability %s cannot be combined with "
                     "initial %s",
                     v->name, causality, ms_fmu_variability_names[v->variability],
                     ms_fmu_initial_names[v->initial]);
    if (v->variability == MS_FMU_CONTINUOUS && !ms_fmu_is_float(v->type))
        ms_fmu_found(c, true, v->line, "%.100s: a variable of type %s cannot be continuous", v->name,
                     ms_fmu_type_names[v->type]);
}

static void check_start(ms_fmu_checker *c, const ms_fmu_variable *v)
{
    const bool needs = v->initial == MS_FMU_EXACT || v->initial == MS_FMU_APPROX ||
                       v->causality == MS_FMU_INPUT || v->variability == MS_FMU_CONSTANT;
    if (v->type == MS_FMU_CLOCK)
        return;
    if (needs && v->start == NULL && v->causality != MS_FMU_INDEPENDENT)
        ms_fmu_found(c, true, v->line, "%.100s has no start value, but needs one", v->name);
    if (!needs && v->start != NULL)
        ms_fmu_found(c, true, v->line, "%.100s has a start value, but is %s", v->name,
                     v->causality == MS_FMU_INDEPENDENT ? "independent" : "calculated");
    if (v->start_value < v->min || v->start_value > v->max)
        ms_fmu_found(c, true, v->line, "start of %.100s is %.40s, but its range is [%g, %g]", v->name,
                     v->start, v->min, v->max);
    if (v->min > v->max)
        ms_fmu_found(c, true, v->line, "min %g of %.100s is above its max %g", v->min, v->name, v->max);
}

/* Units and types ---------------------------------------------------------------------------------------- */

/* The element with the attributes of a type: 2.0 has it within <ScalarVariable> or <SimpleType>. */
static const ms_xml_element *type_of(const ms_fmu_checker *c, const ms_xml_element *e)
{
    const ms_xml_element *t = c->description->fmi == 2 ? e->first : e;
    while (t != NULL && strcmp(t->name, "Annotations") == 0)
        t = t->next;
    return t;
}

static bool has_display_unit(const ms_xml_element *unit, const char *name)
{
    for (const ms_xml_element *e = ms_xml_child(unit, "DisplayUnit"); e != NULL; e = ms_xml_again(e)) {
        const char *known = ms_xml_attribute(e, "name");
        if (known != NULL && strcmp(known, name) == 0)
            return true;
    }
    return false;
}

/* Of a variable, or of a type (which name is NULL of none). */
static void check_unit(ms_fmu_checker *c, const ms_xml_element *type, const char *unit, const char *name)
{
    const char *display = ms_xml_attribute(type, "displayUnit");
    const ms_named *found = unit != NULL ? ms_named_find(c->d->units, c->d->n_units, unit) : NULL;
    if (unit != NULL && found == NULL)
        ms_fmu_found(c, true, type->line, "unit %.60s of %.100s is not defined", unit, name);
    if (display != NULL && unit == NULL)
        ms_fmu_found(c, true, type->line, "%.100s has a displayUnit, but no unit", name);
    else if (display != NULL && found != NULL && strcmp(display, unit) != 0 &&
             !has_display_unit(found->element, display))
        ms_fmu_found(c, true, type->line, "displayUnit %.60s of %.100s is not defined for %.60s", display,
                     name, unit);
}

static void check_type(ms_fmu_checker *c, const ms_fmu_variable *v, const ms_xml_element *type)
{
    const char *name = ms_xml_attribute(type, "declaredType"), *unit = ms_xml_attribute(type, "unit");
    const ms_named *found = name != NULL ? ms_named_find(c->d->types, c->d->n_types, name) : NULL;
    const ms_xml_element *declared = found != NULL ? type_of(c, found->element) : NULL;
    const size_t length = strlen(type->name);
    if (name != NULL && found == NULL)
        ms_fmu_found(c, true, v->line, "declaredType %.60s of %.100s is not defined", name, v->name);
    if (declared != NULL && strncmp(declared->name, type->name, length) != 0)
        ms_fmu_found(c, true, v->line, "declaredType %.60s of %.100s is of type %.60s", name, v->name,
                     declared->name);
    check_unit(c, type, unit != NULL ? unit : ms_xml_attribute(declared, "unit"), v->name);
}

static void check_types(ms_fmu_checker *c)
{
    for (int k = 0; k < c->d->n_types; k++) {
        const ms_xml_element *type = type_of(c, c->d->types[k].element);
        if (type != NULL)
            check_unit(c, type, ms_xml_attribute(type, "unit"), c->d->types[k].name);
    }
}

/* Names, derivatives, aliases ---------------------------------------------------------------------------- */

static void check_name(ms_fmu_checker *c, const ms_fmu_variable *v)
{
    if (strpbrk(v->name, "\t\r\n") != NULL)
        ms_fmu_found(c, true, v->line, "the name of %.100s has more than one line, or tabulators", v->name);
    else if (c->description->structured_names && !ms_fmu_is_structured(v->name))
        ms_fmu_found(c, true, v->line,
                     "%.100s is not a structured name, which variableNamingConvention "
                     "requires",
                     v->name);
}

static void check_derivative(ms_fmu_checker *c, int k)
{
    const ms_fmu_variable *v = &c->description->variables[k];
    if (v->derivative_of < 0)
        return;
    const ms_fmu_variable *of = &c->description->variables[v->derivative_of];
    if (of == v)
        ms_fmu_found(c, true, v->line, "%.100s is its own derivative", v->name);
    if (!ms_fmu_is_float(of->type) || of->variability != MS_FMU_CONTINUOUS)
        ms_fmu_found(c, true, v->line, "%.100s is the derivative of %.100s, which is not continuous", v->name,
                     of->name);
    if (v->variability != MS_FMU_CONTINUOUS)
        ms_fmu_found(c, true, v->line, "%.100s is a derivative, but not continuous", v->name);
}

/* Of variables that share a value in 2.0 no more than one says where it starts, and all have one unit. */
static void check_aliases(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    for (int k = 0; k < d->n_variables; k++)
        c->mark[k] = 0;
    for (int k = 0; k < d->n_variables && d->fmi == 2; k++) {
        const ms_fmu_variable *v = &d->variables[k], *first = &d->variables[c->alias_of[k]];
        const bool starts = v->start != NULL && v->variability != MS_FMU_CONSTANT;
        if (starts && c->mark[c->alias_of[k]])
            ms_fmu_found(c, true, v->line,
                         "%.100s shares its value with others, of which one has a start value already",
                         v->name);
        c->mark[c->alias_of[k]] |= starts;
        if (strcmp(v->unit, first->unit) != 0 && ms_fmu_is_float(v->type))
            ms_fmu_found(c, true, v->line, "%.100s [%.40s] shares its value with %.100s [%.40s]", v->name,
                         v->unit, first->name, first->unit);
    }
}

static void check_independent(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    const ms_xml_element *list = ms_xml_child(c->d->xml.root, "ModelVariables");
    int n = 0;
    for (int k = 0; k < d->n_variables; k++) {
        const ms_fmu_variable *v = &d->variables[k];
        if (v->causality != MS_FMU_INDEPENDENT || strcmp(c->d->element[k]->name, "Alias") == 0)
            continue;
        n++;
        if (!ms_fmu_is_float(v->type))
            ms_fmu_found(c, true, v->line, "%.100s is independent, but of type %s", v->name,
                         ms_fmu_type_names[v->type]);
    }
    if (n > 1)
        ms_fmu_found(c, true, list->line, "%d variables are independent; at most one may be", n);
    if (n == 0 && d->fmi == 3)
        ms_fmu_found(c, true, list->line, "no variable is independent (time); there must be one");
}

/* One variable ------------------------------------------------------------------------------------------- */

static void check_marks(ms_fmu_checker *c, int k, const ms_xml_element *e, const ms_xml_element *type)
{
    const ms_fmu_variable *v = &c->description->variables[k];
    double nominal = 1.0;
    const char *text = ms_xml_attribute(type, "nominal");
    if (text != NULL && (!ms_xml_number(text, &nominal) || !(nominal > 0.0)))
        ms_fmu_found(c, true, v->line, "nominal of %.100s is %.60s, but must be positive", v->name, text);
    if (ms_xml_attribute(type, "reinit") != NULL && !c->state[k])
        ms_fmu_found(c, true, v->line, "%.100s has reinit, but is not a continuous state", v->name);
    if (ms_xml_attribute(e, "canHandleMultipleSetPerTimeInstant") != NULL && v->causality != MS_FMU_INPUT)
        ms_fmu_found(c, false, v->line, "%.100s has canHandleMultipleSetPerTimeInstant, but is not an input",
                     v->name);
    if (v->intermediate_update && is_parameter(v))
        ms_fmu_found(c, true, v->line, "%.100s is a parameter, but has intermediateUpdate", v->name);
    if (v->type == MS_FMU_CLOCK && (is_parameter(v) || v->causality == MS_FMU_INDEPENDENT))
        ms_fmu_found(c, true, v->line, "%.100s: a clock is an input, an output or local", v->name);
    if (v->n_dimensions > 0 && v->causality == MS_FMU_STRUCTURAL_PARAMETER)
        ms_fmu_found(c, true, v->line, "%.100s: a structural parameter must not be an array", v->name);
}

static void check_variable(ms_fmu_checker *c, int k)
{
    const ms_fmu_variable *v = &c->description->variables[k];
    const ms_xml_element *e = c->d->element[k], *type = type_of(c, e);
    check_name(c, v);
    if (strcmp(e->name, "Alias") == 0)
        return;
    check_combination(c, v, e);
    check_start(c, v);
    check_derivative(c, k);
    check_type(c, v, type);
    check_marks(c, k, e, type);
}

void ms_fmu_check_variables(ms_fmu_checker *c)
{
    for (int k = 0; k < c->description->n_variables; k++)
        check_variable(c, k);
    check_types(c);
    check_aliases(c);
    check_independent(c);
}
