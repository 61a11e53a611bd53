/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_units.c - units, and linear transformations between values. */
#include <math.h>
#include <string.h>

#include "ssp_read.h"

static int read_unit(const ms_xml *xml, const ms_xml_element *e, ms_ssp_unit *unit, ms_error *error)
{
    const ms_xml_element *base = ms_ssp_child(e, "BaseUnit");
    MS_TRY(ms_xml_text(xml, e, "name", &unit->name, error));
    MS_TRY(ms_xml_base_unit(xml, base, &unit->is, error));
    if (unit->is.factor == 0.0)
        MS_TRY(ms_xml_fail(xml, base, error, "the factor of unit %.60s is zero", unit->name));
    return MS_OK;
}

static const ms_ssp_unit *find_own(const ms_ssp *ssp, const char *name)
{
    for (int k = 0; k < ssp->n_units; k++)
        if (strcmp(ssp->units[k].name, name) == 0)
            return &ssp->units[k];
    return NULL;
}

const ms_ssp_unit *ms_ssp_find_unit(const ms_ssp_reading *r, const char *name)
{
    const ms_ssp_fmu_unit *u = r->fmu_units;
    while (u != NULL && strcmp(u->unit.name, name) != 0)
        u = u->next;
    return u != NULL ? &u->unit : find_own(r->ssp, name);
}

/* Whoever leaves units to FMUs leaves radians to them, which some count and others do not: a radian is one. */
static bool convert(const ms_ssp_reading *r, const ms_ssp_unit *from, const ms_ssp_unit *to, double *gain,
                    double *offset)
{
    const bool own = find_own(r->ssp, from->name) == from && find_own(r->ssp, to->name) == to;
    ms_unit a = from->is, b = to->is;
    if (!own)
        a.power[MS_UNIT_RADIAN] = b.power[MS_UNIT_RADIAN] = 0;
    return ms_unit_convert(&a, &b, gain, offset);
}

/* Adds to the existing units; of equal names the first counts. */
int ms_ssp_read_units(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *units)
{
    ms_ssp *ssp = r->ssp;
    const size_t n = (size_t)ssp->n_units + (size_t)ms_xml_children(units);
    ms_ssp_unit *all = ms_structure_alloc(&ssp->memory, n + 1, sizeof *all);
    MS_TRY_MEMORY_OR(all != NULL, ms_xml_no_memory(xml, r->error));
    if (ssp->n_units > 0)
        memcpy(all, ssp->units, (size_t)ssp->n_units * sizeof *all);
    ssp->units = all;
    for (const ms_xml_element *e = ms_ssp_child(units, "Unit"); e != NULL; e = ms_ssp_again(e)) {
        ms_ssp_unit unit;
        MS_TRY(read_unit(xml, e, &unit, r->error));
        if (find_own(ssp, unit.name) == NULL)
            all[ssp->n_units++] = unit;
    }
    return MS_OK;
}

int ms_ssp_convert(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *at, const char *a,
                   const char *b, double *gain, double *offset)
{
    *gain = 1.0;
    *offset = 0.0;
    if (a == NULL || b == NULL || strcmp(a, b) == 0)
        return MS_OK;
    const ms_ssp_unit *from = ms_ssp_find_unit(r, a), *to = ms_ssp_find_unit(r, b);
    if (from == NULL || to == NULL)
        return ms_xml_fail(xml, at, r->error,
                           "unit %.60s is to be converted to %.60s, but %.60s is not defined", a, b,
                           from == NULL ? a : b);
    if (!convert(r, from, to, gain, offset))
        return ms_xml_fail(xml, at, r->error,
                           "unit %.60s cannot be converted to %.60s: they measure different things", a, b);
    return MS_OK;
}

int ms_ssp_transform(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, double *gain,
                     double *offset)
{
    const ms_xml_element *linear = ms_ssp_child(e, "LinearTransformation");
    double factor = 1.0, more = 0.0;
    MS_TRY(ms_xml_double(xml, linear, "factor", &factor, r->error));
    MS_TRY(ms_xml_double(xml, linear, "offset", &more, r->error));
    if (!isfinite(factor) || !isfinite(more))
        return ms_xml_fail(xml, linear, r->error, "factor and offset must be finite");
    *gain *= factor;
    *offset = factor * *offset + more;
    return MS_OK;
}
