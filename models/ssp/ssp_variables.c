/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_variables.c - units of connectors, and of variables without one: what an .ssd omits is taken from the FMU (SSP 1.0,
 * 5.3.1.2). */
#include <string.h>

#include "fmu_description_read.h"
#include "ssp_read.h"
#include "structure.h"

static void free_description(void *object)
{
    ms_fmu_description *description = object;
    ms_fmu_description_free(&description);
}

/* That of component k, once it is asked for; NULL where it cannot be read, which will be said when its FMU is opened. Errors: MS_NO_MEMORY. */
static int describe(ms_ssp_reading *r, int k, const ms_fmu_description **description)
{
    ms_ssp_component *c = &r->ssp->components[k];
    ms_error why;
    int status = MS_OK;
    if (!c->described) {
        ms_fmu_description *read = NULL;
        status = ms_fmu_description_peek(c->path, &read, &why);
        if (read != NULL && ms_structure_own(&r->ssp->memory, free_description, read) != MS_OK)
            status = MS_NO_MEMORY;
        c->described = true;
        c->description = status == MS_OK ? read : NULL;
    }
    *description = c->description;
    return status == MS_NO_MEMORY ? ms_xml_no_memory(&r->xml, r->error) : MS_OK;
}

/* Makes the FMU's unit available for conversion, under a name that includes the FMU's. */
static int adopt(ms_ssp_reading *r, const ms_ssp_component *c, const char *name, const char **unit)
{
    ms_unit is;
    if (!ms_fmu_description_unit(c->description, name, &is)) {
        *unit = ms_ssp_find_unit(r, name) != NULL ? name : NULL;
        return MS_OK;
    }
    *unit = ms_structure_name(&r->ssp->memory, "%s of %s", name, c->name);
    if (*unit != NULL && ms_ssp_find_unit(r, *unit) != NULL)
        return MS_OK;
    ms_ssp_fmu_unit *u = ms_structure_alloc(&r->ssp->memory, 1, sizeof *u);
    MS_TRY_MEMORY_OR(*unit != NULL && u != NULL, ms_xml_no_memory(&r->xml, r->error));
    *u = (ms_ssp_fmu_unit){{*unit, is}, r->fmu_units};
    r->fmu_units = u;
    return MS_OK;
}

int ms_ssp_unit_of(ms_ssp_reading *r, int component, const char *name, const char **unit)
{
    const ms_ssp_component *c = &r->ssp->components[component];
    const ms_fmu_description *d;
    *unit = NULL;
    for (int k = 0; k < c->n_connectors && *unit == NULL; k++)
        if (strcmp(c->connectors[k].name, name) == 0)
            *unit = c->connectors[k].unit;
    if (*unit != NULL)
        return MS_OK;
    const int status = describe(r, component, &d), variable = d != NULL ? ms_fmu_variable_index(d, name) : -1;
    return status == MS_OK && variable >= 0 ? adopt(r, c, d->variables[variable].unit, unit) : status;
}
