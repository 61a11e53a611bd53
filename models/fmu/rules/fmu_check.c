/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_check.h"

#include <stdlib.h>
#include <string.h>

#include "fmu_check_parts.h"

/* Aliases and states ------------------------------------------------------------------------------------- */

/* Integers and enumerations share their references in 2.0. */
static ms_fmu_type stored_as(ms_fmu_type type)
{
    return type == MS_FMU_ENUMERATION ? MS_FMU_INT32 : type;
}

typedef struct stored {
    ms_fmu_type type;
    unsigned reference;
    int index;
} stored;

static int compare_stored(const void *a, const void *b)
{
    const stored *left = a, *right = b;
    if (left->type != right->type)
        return left->type < right->type ? -1 : 1;
    if (left->reference != right->reference)
        return left->reference < right->reference ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

static bool find_aliases(ms_fmu_checker *c)
{
    const int n = c->description->n_variables;
    const ms_fmu_variable *v = c->description->variables;
    stored *list = calloc((size_t)n + 1, sizeof *list);
    if (list == NULL)
        return false;
    for (int k = 0; k < n; k++)
        list[k] =
            (stored){c->description->fmi == 2 ? stored_as(v[k].type) : v[k].type, v[k].value_reference, k};
    if (n > 1)
        qsort(list, (size_t)n, sizeof *list, compare_stored);
    for (int k = 0; k < n; k++) {
        const bool same =
            k > 0 && list[k].type == list[k - 1].type && list[k].reference == list[k - 1].reference;
        c->alias_of[list[k].index] = same ? c->alias_of[list[k - 1].index] : list[k].index;
    }
    free(list);
    return true;
}

static void find_states(ms_fmu_checker *c)
{
    const ms_fmu_description *d = c->description;
    for (int k = 0; k < d->n_derivatives; k++) {
        c->derivative[c->alias_of[d->derivatives[k].variable]] = true;
        c->state[c->alias_of[d->variables[d->derivatives[k].variable].derivative_of]] = true;
    }
    for (int k = 0; k < d->n_variables; k++)
        c->state[k] = c->state[c->alias_of[k]];
}

/* All ---------------------------------------------------------------------------------------------------- */

static int compare_findings(const void *a, const void *b)
{
    const ms_fmu_finding *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return strcmp(left->text, right->text);
}

static void check_all(ms_fmu_checker *c)
{
    find_states(c);
    ms_fmu_check_schema(c);
    ms_fmu_check_head(c);
    ms_fmu_check_variables(c);
    ms_fmu_check_structure(c);
    if (c->findings->n > 1)
        qsort(c->findings->finding, (size_t)c->findings->n, sizeof *c->findings->finding, compare_findings);
}

int ms_fmu_check(const ms_fmu_description *description, ms_fmu_findings *findings, ms_error *error)
{
    const ms_description_read *d = (const ms_description_read *)description;
    const size_t n = (size_t)description->n_variables + 1;
    ms_fmu_checker c = {.d = d, .description = description, .findings = findings};
    *findings = (ms_fmu_findings){.finding = calloc(MS_FMU_FINDINGS, sizeof *findings->finding)};
    c.alias_of = calloc(n, sizeof *c.alias_of);
    c.state = calloc(n, sizeof *c.state);
    c.derivative = calloc(n, sizeof *c.derivative);
    c.mark = calloc(n, sizeof *c.mark);
    const bool possible = findings->finding != NULL && c.alias_of != NULL && c.state != NULL &&
                          c.derivative != NULL && c.mark != NULL && find_aliases(&c);
    if (possible)
        check_all(&c);
    MS_FREE(c.alias_of, c.state, c.derivative, c.mark);
    return possible ? MS_OK : ms_xml_no_memory(&d->xml, error);
}

void ms_fmu_findings_free(ms_fmu_findings *findings)
{
    free(findings->finding);
    *findings = (ms_fmu_findings){0};
}
