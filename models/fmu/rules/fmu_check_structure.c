/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_check_structure.c - ModelStructure: all that has to be listed, and nothing else; dependencies. FMI 2.0.x, 2.2.8; FMI 3.0.x,
 * 2.4.8. */
#include <string.h>

#include "fmu_check_parts.h"

/* The lists of ModelStructure, as both versions have them: the element that holds the list, and that of each unknown. */
typedef struct list {
    const ms_xml_element *first; /* of the unknowns, or NULL */
    long line;                   /* of what holds them */
    const char *what;
    bool initial; /* InitialUnknowns */
} list;

static list find_list(const ms_fmu_checker *c, const char *two, const char *three, const char *what)
{
    const ms_xml_element *holder = ms_xml_child(c->d->xml.root, "ModelStructure");
    long line = holder != NULL ? holder->line : 0;
    if (c->description->fmi == 2) {
        holder = ms_xml_child(holder, two);
        line = holder != NULL ? holder->line : line;
    }
    return (list){ms_xml_child(holder, c->description->fmi == 2 ? "Unknown" : three), line, what,
                  strcmp(what, "an initial unknown") == 0};
}

/* The variable of an unknown; -1: none. */
static int variable_of(const ms_fmu_checker *c, const ms_xml_element *e)
{
    const char *text = ms_xml_attribute(e, c->description->fmi == 2 ? "index" : "valueReference");
    unsigned number = 0;
    return text != NULL && ms_xml_unsigned(&text, &number) ? ms_description_variable(c->d, number) : -1;
}

/* A variable is listed itself, or one that shares its value with it, whose first is marked. */
enum { ITSELF = 1, ITS_VALUE = 2 };

/* Marks listed entries, and reports duplicates. */
static void mark_list(ms_fmu_checker *c, const list *l)
{
    for (int k = 0; k < c->description->n_variables; k++)
        c->mark[k] = 0;
    for (const ms_xml_element *e = l->first; e != NULL; e = ms_xml_again(e)) {
        const int k = variable_of(c, e);
        if (k < 0)
            continue;
        if (c->mark[k] & ITSELF)
            ms_fmu_found(c, true, e->line, "%.100s is listed twice as %s", c->description->variables[k].name,
                         l->what);
        c->mark[k] |= ITSELF;
        c->mark[c->alias_of[k]] |= ITS_VALUE;
    }
}

/* Dependencies ------------------------------------------------------------------------------------------- */

static bool is_known(const ms_fmu_checker *c, const list *l, int k)
{
    const ms_fmu_variable *v = &c->description->variables[k];
    if (v->causality == MS_FMU_INPUT || v->causality == MS_FMU_INDEPENDENT || v->initial == MS_FMU_EXACT)
        return true;
    return !l->initial && (c->state[k] || (v->variability == MS_FMU_DISCRETE && c->description->fmi == 3));
}

static int check_dependencies(ms_fmu_checker *c, const list *l, const ms_xml_element *e, const char *numbers)
{
    unsigned number = 0, last = 0;
    int n = 0;
    for (; ms_xml_unsigned(&numbers, &number); n++) {
        const int k = ms_description_variable(c->d, number);
        if (k >= 0 && !is_known(c, l, k))
            ms_fmu_found(c, true, e->line, "%.80s depends on %.80s, which is not a known of %s",
                         c->description->variables[variable_of(c, e)].name, c->description->variables[k].name,
                         l->what);
        if (c->description->fmi == 2 && n > 0 && number <= last)
            ms_fmu_found(c, true, e->line, "dependencies of %.100s are not in ascending order",
                         c->description->variables[variable_of(c, e)].name);
        last = number;
    }
    return n;
}

static void check_kinds(ms_fmu_checker *c, const list *l, const ms_xml_element *e, int n)
{
    const char *kinds = ms_xml_attribute(e, "dependenciesKind");
    const ms_fmu_variable *v = &c->description->variables[variable_of(c, e)];
    const char *may = l->initial ? "dependent constant" : "dependent constant fixed tunable discrete";
    int count = 0;
    while (kinds != NULL && kinds[strspn(kinds, " \t\r\n")] != '\0') {
        char word[32] = "";
        kinds += strspn(kinds, " \t\r\n");
        const size_t length = strcspn(kinds, " \t\r\n");
        if (length < sizeof word)
            memcpy(word, kinds, length);
        if (!ms_fmu_is_listed(may, word))
            ms_fmu_found(c, true, e->line, "dependenciesKind of %.100s has %.*s; there are: %s", v->name,
                         (int)length, kinds, may);
        else if (!ms_fmu_is_float(v->type) && strcmp(word, "dependent") != 0)
            ms_fmu_found(c, true, e->line, "dependenciesKind of %.100s, of type %s, must be dependent",
                         v->name, ms_fmu_type_names[v->type]);
        kinds += length;
        count++;
    }
    if (kinds != NULL && n < 0)
        ms_fmu_found(c, true, e->line, "%.100s has dependenciesKind without dependencies", v->name);
    else if (kinds != NULL && count != n)
        ms_fmu_found(c, true, e->line, "%.100s has %d dependencies, but %d dependenciesKind", v->name, n,
                     count);
}

static void check_unknowns(ms_fmu_checker *c, const list *l)
{
    for (const ms_xml_element *e = l->first; e != NULL; e = ms_xml_again(e)) {
        const char *numbers = ms_xml_attribute(e, "dependencies");
        if (variable_of(c, e) < 0)
            ms_fmu_found(c, true, e->line, "%s is no variable", l->what);
        else
            check_kinds(c, l, e, numbers != NULL ? check_dependencies(c, l, e, numbers) : -1);
    }
}

/* Lists -------------------------------------------------------------------------------------------------- */

static bool is_alias(const ms_fmu_checker *c, int k)
{
    return strcmp(c->d->element[k]->name, "Alias") == 0;
}

static void check_outputs(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    const list l = find_list(c, "Outputs", "Output", "an output");
    mark_list(c, &l);
    check_unknowns(c, &l);
    for (int k = 0; k < d->n_outputs; k++)
        if (d->variables[d->outputs[k].variable].causality != MS_FMU_OUTPUT)
            ms_fmu_found(c, true, l.line, "%.100s is listed as output, but its causality is %s",
                         d->variables[d->outputs[k].variable].name,
                         ms_fmu_causality_names[d->variables[d->outputs[k].variable].causality]);
    for (int k = 0; k < d->n_variables; k++)
        if (d->variables[k].causality == MS_FMU_OUTPUT && !is_alias(c, k) &&
            !(c->mark[c->alias_of[k]] & ITS_VALUE))
            ms_fmu_found(c, true, l.line, "output %.100s is not listed in <ModelStructure>",
                         d->variables[k].name);
}

static void check_derivatives(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    const list l = find_list(c, "Derivatives", "ContinuousStateDerivative", "a derivative");
    mark_list(c, &l);
    check_unknowns(c, &l);
    for (int k = 0; k < d->n_variables; k++)
        c->mark[k] = 0;
    for (int k = 0; k < d->n_derivatives; k++) {
        const int at = c->alias_of[d->variables[d->derivatives[k].variable].derivative_of];
        const ms_fmu_variable *state = &d->variables[d->variables[d->derivatives[k].variable].derivative_of];
        if (c->mark[at])
            ms_fmu_found(c, true, l.line, "two derivatives of %.100s are listed", state->name);
        c->mark[at] = 1;
        if (state->causality != MS_FMU_LOCAL && state->causality != MS_FMU_OUTPUT)
            ms_fmu_found(c, true, state->line, "%.100s is a state, but its causality is %s", state->name,
                         ms_fmu_causality_names[state->causality]);
    }
}

/* Has variable k to be listed as an initial unknown? */
static bool is_initial_unknown(const ms_fmu_checker *c, int k)
{
    const ms_fmu_variable *v = &c->description->variables[k];
    const bool unknown = v->initial == MS_FMU_APPROX || v->initial == MS_FMU_CALCULATED;
    if (v->causality == MS_FMU_CALCULATED_PARAMETER)
        return true;
    return unknown && (v->causality == MS_FMU_OUTPUT || c->state[k] || c->derivative[c->alias_of[k]]);
}

static bool is_clocked(const ms_fmu_checker *c, int k)
{
    return ms_xml_attribute(c->d->element[k], "clocks") != NULL ||
           c->description->variables[k].type == MS_FMU_CLOCK;
}

static void check_initial(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    const list l = find_list(c, "InitialUnknowns", "InitialUnknown", "an initial unknown");
    mark_list(c, &l);
    check_unknowns(c, &l);
    for (int k = 0; k < d->n_variables; k++)
        if (!is_alias(c, k) && !is_clocked(c, k) && is_initial_unknown(c, k) &&
            !(c->mark[c->alias_of[k]] & ITS_VALUE))
            ms_fmu_found(c, true, l.line, "%.100s is not listed as an initial unknown", d->variables[k].name);
    for (const ms_xml_element *e = l.first; e != NULL; e = ms_xml_again(e)) {
        const int k = variable_of(c, e);
        if (k >= 0 && !is_clocked(c, k) && !is_initial_unknown(c, k))
            ms_fmu_found(c, true, e->line, "%.100s is listed as an initial unknown, but is none",
                         d->variables[k].name);
    }
}

static void check_indicators(ms_fmu_checker *c)
{
    const list l = find_list(c, "none", "EventIndicator", "an event indicator");
    mark_list(c, &l);
    check_unknowns(c, &l);
    for (const ms_xml_element *e = l.first; e != NULL; e = ms_xml_again(e)) {
        const int k = variable_of(c, e);
        const ms_fmu_variable *v = &c->description->variables[k >= 0 ? k : 0];
        if (k >= 0 && (!ms_fmu_is_float(v->type) || v->variability != MS_FMU_CONTINUOUS))
            ms_fmu_found(c, true, e->line, "%.100s is an event indicator, but not continuous", v->name);
    }
}

void ms_fmu_check_structure(ms_fmu_checker *c)
{
    check_outputs(c);
    check_derivatives(c);
    check_initial(c);
    check_indicators(c);
}
