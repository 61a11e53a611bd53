/* SPDX-License-Identifier: GPL-3.0-or-later */
/* description_structure.c - ModelStructure: outputs, derivatives of states, event indicators, and what they depend on. */
#include <string.h>

#include "description_parts.h"

static int count(const char *list)
{
    int n = 0;
    unsigned number;
    while (ms_xml_unsigned(&list, &number))
        n++;
    return n;
}

static int find(const ms_description_read *d, const ms_xml_element *e, unsigned number, int *variable,
                ms_error *error)
{
    *variable = ms_description_variable(d, number);
    if (*variable >= 0)
        return MS_OK;
    return ms_xml_fail(&d->xml, e, error, "<%.60s> names variable %u, but there is none of that %s", e->name,
                       number, d->description.fmi == 2 ? "index" : "value reference");
}

static int read_dependencies(ms_description_read *d, const ms_xml_element *e, const char *list,
                             ms_fmu_unknown *unknown, ms_error *error)
{
    const int n = count(list);
    int *to = ms_structure_alloc(&d->xml.memory, (size_t)n + 1, sizeof *to), status = MS_OK;
    unsigned number = 0;
    MS_TRY_MEMORY_OR(to != NULL, ms_xml_no_memory(&d->xml, error));
    for (int k = 0; k < n && status == MS_OK; k++) {
        (void)ms_xml_unsigned(&list, &number);
        status = find(d, e, number, &to[k], error);
    }
    if (status == MS_OK && list[strspn(list, " \t\r\n")] != '\0')
        status = ms_xml_fail(&d->xml, e, error, "dependencies of <%.60s>: numbers are expected, not %.60s",
                             e->name, list);
    unknown->n_dependencies = n;
    unknown->dependencies = to;
    return status;
}

static int read_unknown(ms_description_read *d, const ms_xml_element *e, ms_fmu_unknown *unknown,
                        ms_error *error)
{
    const char *attribute = d->description.fmi == 2 ? "index" : "valueReference", *text = NULL;
    unsigned number = 0;
    MS_TRY(ms_xml_text(&d->xml, e, attribute, &text, error));
    const char *end = text;
    if (!ms_xml_unsigned(&end, &number) || end[strspn(end, " \t\r\n")] != '\0')
        return ms_xml_fail(&d->xml, e, error,
                           "%s of <%.60s> is %.60s, but a number without a sign is expected", attribute,
                           e->name, text);
    int status = find(d, e, number, &unknown->variable, error);
    const char *list = ms_xml_attribute(e, "dependencies");
    unknown->n_dependencies = -1;
    return status == MS_OK && list != NULL ? read_dependencies(d, e, list, unknown, error) : status;
}

/* The elements of that name within `list`, which may be NULL. */
static int read_unknowns(ms_description_read *d, const ms_xml_element *list, const char *name, int *n,
                         const ms_fmu_unknown **unknowns, ms_error *error)
{
    *n = 0;
    for (const ms_xml_element *e = ms_xml_child(list, name); e != NULL; e = ms_xml_again(e))
        ++*n;
    ms_fmu_unknown *u = ms_structure_alloc(&d->xml.memory, (size_t)*n + 1, sizeof *u);
    *unknowns = u;
    MS_TRY_MEMORY_OR(u != NULL, ms_xml_no_memory(&d->xml, error));
    for (const ms_xml_element *e = ms_xml_child(list, name); e != NULL; e = ms_xml_again(e))
        MS_TRY(read_unknown(d, e, u++, error));
    return MS_OK;
}

/* Outputs that are not listed follow the listed ones: some tools list none. They depend on everything. */
static int add_unlisted(ms_description_read *d, ms_error *error)
{
    ms_fmu_description *out = &d->description;
    const size_t n = (size_t)out->n_variables;
    ms_fmu_unknown *all = ms_structure_alloc(&d->xml.memory, (size_t)out->n_outputs + n + 1, sizeof *all);
    bool *listed = ms_structure_alloc(&d->xml.memory, n + 1, sizeof *listed);
    MS_TRY_MEMORY_OR(all != NULL && listed != NULL, ms_xml_no_memory(&d->xml, error));
    for (int k = 0; k < out->n_outputs; k++) {
        all[k] = out->outputs[k];
        listed[all[k].variable] = true;
    }
    for (int v = 0; v < out->n_variables; v++)
        if (out->variables[v].causality == MS_FMU_OUTPUT && !listed[v])
            all[out->n_outputs++] = (ms_fmu_unknown){.variable = v, .n_dependencies = -1};
    out->outputs = all;
    return MS_OK;
}

/* A derivative has to say of which state; what does not is none where the FMU has a solver of its own, which alone needs them. */
static int check_derivatives(ms_description_read *d, const ms_xml_element *structure, ms_error *error)
{
    ms_fmu_description *out = &d->description;
    ms_fmu_unknown *said = ms_structure_alloc(&d->xml.memory, (size_t)out->n_derivatives + 1, sizeof *said);
    int n = 0;
    if (said == NULL)
        return ms_xml_no_memory(&d->xml, error);
    for (int k = 0; k < out->n_derivatives; k++) {
        const ms_fmu_variable *v = &out->variables[out->derivatives[k].variable];
        if (v->derivative_of >= 0)
            said[n++] = out->derivatives[k];
        else if (out->flags[MS_FMU_MODEL_EXCHANGE].present)
            return ms_xml_fail(&d->xml, structure, error,
                               "%.100s is listed as a derivative, but does not say of which variable",
                               v->name);
    }
    out->derivatives = said;
    out->n_derivatives = n;
    return MS_OK;
}

/* As many as the variable has values. */
static int indicators_of(const ms_description_read *d, const ms_xml_element *e)
{
    const char *text = ms_xml_attribute(e, "valueReference");
    unsigned number;
    const int k = text != NULL && ms_xml_unsigned(&text, &number) ? ms_description_variable(d, number) : -1;
    return k >= 0 ? d->description.variables[k].size : 1;
}

int ms_description_read_structure(ms_description_read *d, ms_error *error)
{
    ms_fmu_description *out = &d->description;
    const ms_xml_element *structure = ms_xml_child(d->xml.root, "ModelStructure");
    const bool two = out->fmi == 2;
    if (structure == NULL)
        return ms_xml_fail(&d->xml, d->xml.root, error, "<fmiModelDescription> has no <ModelStructure>");
    int status = read_unknowns(d, two ? ms_xml_child(structure, "Outputs") : structure,
                               two ? "Unknown" : "Output", &out->n_outputs, &out->outputs, error);
    MS_THEN(status, add_unlisted(d, error));
    MS_THEN(status, read_unknowns(d, two ? ms_xml_child(structure, "Derivatives") : structure,
                                  two ? "Unknown" : "ContinuousStateDerivative", &out->n_derivatives,
                                  &out->derivatives, error));
    out->n_event_indicators = two ? out->n_event_indicators : 0;
    for (const ms_xml_element *e = two ? NULL : ms_xml_child(structure, "EventIndicator"); e != NULL;
         e = ms_xml_again(e))
        out->n_event_indicators += indicators_of(d, e);
    return status == MS_OK ? check_derivatives(d, structure, error) : status;
}
