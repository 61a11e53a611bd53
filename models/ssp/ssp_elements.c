/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_elements.c - components with their connectors, of a system and of those within it. */
#include <stdio.h>
#include <string.h>

#include "ssp_read.h"

/* Connectors --------------------------------------------------------------------------------------------- */

int ms_ssp_read_type(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, ms_ssp_type *type,
                     const ms_xml_element **element, const char **unit)
{
    static const struct {
        const char *name;
        ms_ssp_type type;
    } known[] = {
        {"Real", MS_SSP_REAL},       {"Float64", MS_SSP_REAL},   {"Float32", MS_SSP_REAL},
        {"Integer", MS_SSP_INTEGER}, {"Int32", MS_SSP_INTEGER},  {"UInt32", MS_SSP_INTEGER},
        {"Int64", MS_SSP_INTEGER},   {"UInt64", MS_SSP_INTEGER}, {"Int16", MS_SSP_INTEGER},
        {"UInt16", MS_SSP_INTEGER},  {"Int8", MS_SSP_INTEGER},   {"UInt8", MS_SSP_INTEGER},
        {"Boolean", MS_SSP_BOOLEAN}, {"String", MS_SSP_STRING},  {"Enumeration", MS_SSP_ENUMERATION}};
    *type = MS_SSP_REAL;
    *element = NULL;
    *unit = NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const ms_xml_element *found = ms_ssp_child(e, known[k].name);
        if (found == NULL)
            continue;
        *type = known[k].type;
        *element = found;
        *unit = ms_xml_attribute(found, "unit");
        if (*unit != NULL && (*unit)[0] == '\0') /* as tools write what has none */
            *unit = NULL;
        return MS_OK;
    }
    for (const char *const *name = (const char *const[]){"Binary", "Clock", NULL}; *name != NULL; name++)
        if (ms_ssp_child(e, *name) != NULL)
            return ms_ssp_refuse(xml, e, r->error, "%.100s is of type %s, which is not supported",
                                 ms_xml_attribute(e, "name"), *name);
    return MS_OK;
}

/* Which kinds of connectors there are in SSP; those that are no wire's and no parameter's are passed over. */
static bool kind_of(const ms_xml_element *e, ms_ssp_kind *kind)
{
    static const char *const names[MS_SSP_KINDS] = {"input", "output", "parameter"};
    const char *text = ms_xml_attribute(e, "kind");
    for (int k = 0; k < MS_SSP_KINDS && text != NULL; k++)
        if (strcmp(text, names[k]) == 0) {
            *kind = (ms_ssp_kind)k;
            return true;
        }
    return false;
}

static int read_dimensions(ms_ssp_reading *r, const ms_xml_element *connector, ms_ssp_connector *to)
{
    int n = 0;
    for (const ms_xml_element *d = ms_ssp_child(connector, "Dimension"); d != NULL; d = ms_ssp_again(d))
        n++;
    int *size = n > 0 ? ms_structure_alloc(&r->ssp->memory, (size_t)n, sizeof *size) : NULL;
    MS_TRY_MEMORY_OR(n == 0 || size != NULL, ms_xml_no_memory(&r->xml, r->error));
    to->dimension = size;
    for (const ms_xml_element *d = ms_ssp_child(connector, "Dimension"); d != NULL; d = ms_ssp_again(d))
        MS_TRY(ms_xml_int(&r->xml, d, "size", &size[to->n_dimensions++], r->error));
    return MS_OK;
}

static int read_connectors(ms_ssp_reading *r, const ms_xml_element *component, ms_ssp_component *c)
{
    const ms_xml_element *list = ms_ssp_child(component, "Connectors"), *type;
    c->connectors =
        ms_structure_alloc(&r->ssp->memory, (size_t)ms_xml_children(list) + 1, sizeof *c->connectors);
    MS_TRY_MEMORY_OR(c->connectors != NULL, ms_xml_no_memory(&r->xml, r->error));
    for (const ms_xml_element *e = ms_ssp_child(list, "Connector"); e != NULL; e = ms_ssp_again(e)) {
        ms_ssp_connector *to = &c->connectors[c->n_connectors];
        to->line = e->line;
        MS_TRY(ms_xml_text(&r->xml, e, "name", &to->name, r->error));
        if (!kind_of(e, &to->kind))
            continue;
        MS_TRY(ms_ssp_read_type(r, &r->xml, e, &to->type, &type, &to->unit));
        MS_TRY(read_dimensions(r, e, to));
        c->n_connectors++;
    }
    return MS_OK;
}

/* Components --------------------------------------------------------------------------------------------- */

/* Has a component of another title that name? */
static bool is_taken(const ms_ssp_reading *r, const char *name, const char *title)
{
    for (int k = 0; k < r->ssp->n_components - 1; k++)
        if (strcmp(r->ssp->components[k].name, name) == 0 && strcmp(r->ssp->components[k].title, title) != 0)
            return true;
    return false;
}

/* A name that a subsystem may have: others' letters become '_', and what is alike then is numbered. NULL: no memory. */
static const char *subsystem_name(ms_ssp_reading *r, const char *title)
{
    const char *name = NULL;
    char *text = ms_structure_alloc(&r->ssp->memory, strlen(title) + 1, 1);
    if (text == NULL)
        return NULL;
    for (size_t k = 0; title[k] != '\0'; k++)
        text[k] = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", title[k]) != NULL
                      ? title[k]
                      : '_';
    name = text;
    for (int n = 2; name != NULL && is_taken(r, name, title); n++)
        name = ms_structure_name(&r->ssp->memory, "%s_%d", text, n);
    return name;
}

static int check_component(const ms_ssp_reading *r, const ms_xml_element *e)
{
    const char *type = ms_xml_attribute(e, "type"), *source = ms_xml_attribute(e, "source");
    if (type != NULL && strcmp(type, "application/x-fmu-sharedlibrary") != 0)
        return ms_ssp_refuse(&r->xml, e, r->error,
                             "component %.60s is of type %.100s; only FMUs are supported",
                             ms_xml_attribute(e, "name"), type);
    if (source == NULL || source[0] == '\0')
        return ms_ssp_refuse(&r->xml, e, r->error, "component %.60s has no source, so nothing can be run",
                             ms_xml_attribute(e, "name"));
    return MS_OK;
}

static int read_source(ms_ssp_reading *r, const ms_xml_element *e, ms_ssp_component *c)
{
    static const char *const words[MS_SSP_IMPLEMENTATIONS] = {"any", "CoSimulation", "ModelExchange"};
    const char *why = NULL;
    int implementation = MS_SSP_ANY;
    c->source = ms_xml_attribute(e, "source");
    c->path = ms_ssp_path(r, c->source, &why);
    if (why != NULL)
        return ms_ssp_refuse(&r->xml, e, r->error, "source %.100s of component %.60s %s", c->source, c->name,
                             why);
    MS_TRY_MEMORY_OR(c->path != NULL, ms_xml_no_memory(&r->xml, r->error));
    const int status =
        ms_xml_word(&r->xml, e, "implementation", words, MS_SSP_IMPLEMENTATIONS, &implementation, r->error);
    c->implementation = (ms_ssp_implementation)implementation;
    return status;
}

static bool make_room(ms_ssp_reading *r)
{
    ms_structure *memory = &r->ssp->memory;
    const int n = r->ssp->n_components, capacity = 2 * n + 8;
    if (n < r->capacity)
        return true;
    ms_ssp_component *components = ms_structure_alloc(memory, (size_t)capacity, sizeof *components);
    const ms_xml_element **element = ms_structure_alloc(memory, (size_t)capacity, sizeof(void *));
    if (components == NULL || element == NULL)
        return false;
    for (int k = 0; k < n; k++) {
        components[k] = r->ssp->components[k];
        element[k] = r->element[k];
    }
    r->ssp->components = components;
    r->element = element;
    r->capacity = capacity;
    return true;
}

static int read_component(ms_ssp_reading *r, const ms_xml_element *e, const char *prefix)
{
    const char *name;
    MS_TRY(ms_xml_text(&r->xml, e, "name", &name, r->error));
    MS_TRY(check_component(r, e));
    if (!make_room(r))
        return ms_xml_no_memory(&r->xml, r->error);
    ms_ssp_component *c = &r->ssp->components[r->ssp->n_components];
    r->element[r->ssp->n_components++] = e;
    c->line = e->line;
    c->title = ms_structure_name(&r->ssp->memory, "%s%s", prefix, name);
    c->name = c->title != NULL ? subsystem_name(r, c->title) : NULL;
    MS_TRY_MEMORY_OR(c->name != NULL, ms_xml_no_memory(&r->xml, r->error));
    MS_TRY(read_source(r, e, c));
    return read_connectors(r, e, c);
}

static int read_system(ms_ssp_reading *r, const ms_xml_element *e, const char *prefix)
{
    const char *name;
    MS_TRY(ms_xml_text(&r->xml, e, "name", &name, r->error));
    const char *longer = ms_structure_name(&r->ssp->memory, "%s%s-", prefix, name);
    MS_TRY_MEMORY_OR(longer != NULL, ms_xml_no_memory(&r->xml, r->error));
    return ms_ssp_read_elements(r, e, longer);
}

int ms_ssp_read_elements(ms_ssp_reading *r, const ms_xml_element *system, const char *prefix)
{
    const ms_xml_element *list = ms_ssp_child(system, "Elements");
    for (const ms_xml_element *e = list != NULL ? list->first : NULL; e != NULL; e = e->next) {
        if (ms_ssp_is(e, "Component"))
            MS_TRY(read_component(r, e, prefix));
        else if (ms_ssp_is(e, "System"))
            MS_TRY(read_system(r, e, prefix));
    }
    return MS_OK;
}
