/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_wires.c - connections of all systems, followed from each input of a component back to the output that drives it.
 *
 * A connector of a system is the same inside and outside, and a signal of a dictionary the same for all references to that; so
 * connections are edges between connectors, each with a gain and an offset, and a path over several of them is their composition. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "nearest.h"
#include "ssp_read.h"

/* A connector of a component, or of a system or a dictionary (component -1). */
typedef struct node {
    const ms_xml_element *connector;
    int component;
    const char *element; /* "[2]" of an array; "": all of it */
} node;

typedef struct edge {
    const ms_xml_element *connection;
    node from, to;
    double gain, offset;
    const ms_ssp_map *map; /* NULL: none */
    bool converts;         /* units */
    const char *unit[2];   /* of both ends; NULL: not said */
} edge;

typedef struct wiring {
    ms_ssp_reading *r;
    const ms_xml_element *top; /* the system that all others are in */
    int n;
    size_t capacity;
    edge *edges; /* (n) sorted by where they go to, once all are there */
} wiring;

/* Ends --------------------------------------------------------------------------------------------------- */

static const ms_xml_element *find_named(const ms_xml_element *list, const char *name)
{
    for (const ms_xml_element *e = list != NULL ? list->first : NULL; e != NULL; e = e->next) {
        const char *known = ms_xml_attribute(e, "name");
        if (known != NULL && strcmp(known, name) == 0)
            return e;
    }
    return NULL;
}

/* MS_INVALID, with the most similar existing name. */
static int unknown(const wiring *w, const ms_xml_element *at, const ms_xml_element *list, const char *what,
                   const char *name)
{
    const char *known[200];
    int n = 0;
    for (const ms_xml_element *e = list != NULL ? list->first : NULL; e != NULL && n < 200; e = e->next)
        if (ms_xml_attribute(e, "name") != NULL)
            known[n++] = ms_xml_attribute(e, "name");
    return ms_xml_fail(&w->r->xml, at, w->r->error, "there is no %s %.100s%s%.100s", what, name,
                       n > 0 ? "; the nearest is " : ": there is none at all",
                       n > 0 ? ms_nearest(name, known, n) : "");
}

static int index_of(const ms_ssp_reading *r, const ms_xml_element *component)
{
    for (int k = 0; k < r->ssp->n_components; k++)
        if (r->element[k] == component)
            return k;
    return -1;
}

/* The connector for a signal of a dictionary; several systems may refer to it. NULL: none. */
static const ms_xml_element *find_signal(const ms_xml_element *system, const char *dictionary,
                                         const char *name)
{
    const ms_xml_element *elements = ms_ssp_child(system, "Elements"), *found = NULL;
    for (const ms_xml_element *e = elements != NULL ? elements->first : NULL; e != NULL && found == NULL;
         e = e->next) {
        const char *of = ms_xml_attribute(e, "dictionary");
        if (ms_ssp_is(e, "System"))
            found = find_signal(e, dictionary, name);
        else if (ms_ssp_is(e, "SignalDictionaryReference") && of != NULL && strcmp(of, dictionary) == 0)
            found = find_named(ms_ssp_child(e, "Connectors"), name);
    }
    return found;
}

/* What a connector is to the connections of a system: of the system itself it is seen from inside. Signals of dictionaries are EITHER. */
typedef enum role { SOURCE, SINK, CONSTANT_SOURCE, OUTSIDE, OTHER, EITHER } role;

static role role_of(const ms_xml_element *connector, bool of_system)
{
    static const struct {
        const char *kind;
        role of_system, of_element;
    } roles[] = {{"input", SOURCE, SINK},
                 {"output", SINK, SOURCE},
                 {"parameter", CONSTANT_SOURCE, OTHER},
                 {"structuralParameter", CONSTANT_SOURCE, OTHER},
                 {"calculatedParameter", OUTSIDE, OTHER},
                 {"constant", OUTSIDE, OTHER},
                 {"local", OUTSIDE, OTHER}};
    const char *kind = ms_xml_attribute(connector, "kind");
    for (size_t k = 0; k < sizeof roles / sizeof *roles && kind != NULL; k++)
        if (strcmp(kind, roles[k].kind) == 0)
            return of_system ? roles[k].of_system : roles[k].of_element;
    return OTHER;
}

static int refuse_kind(const wiring *w, const ms_xml_element *at, const ms_xml_element *connector)
{
    const char *kind = ms_xml_attribute(connector, "kind");
    return ms_ssp_refuse(&w->r->xml, at, w->r->error,
                         "connector %.100s is of kind %.40s; a connection must go from an output to an "
                         "input, or from a parameter of a system to one within it",
                         ms_xml_attribute(connector, "name"), kind != NULL ? kind : "(none)");
}

/* The element of an array that startIndices or endIndices name, counted from 1. */
static int read_indices(const wiring *w, const ms_xml_element *c, const char *attribute, const char **element)
{
    const char *text = ms_xml_attribute(c, attribute), *at = text;
    char list[200] = "";
    unsigned number;
    size_t n = 0;
    *element = "";
    if (text == NULL)
        return MS_OK;
    while (n < sizeof list - 16 && ms_xml_unsigned(&at, &number) && number > 0)
        n += (size_t)snprintf(list + n, sizeof list - n, "%c%u", n > 0 ? ',' : '[', number);
    if (n == 0 || at[strspn(at, " \t\r\n")] != '\0')
        return ms_xml_fail(&w->r->xml, c, w->r->error,
                           "%s is %.60s; the indices of one element, counted from 1, are expected", attribute,
                           text);
    *element = ms_structure_name(&w->r->ssp->memory, "%s]", list);
    return *element != NULL ? MS_OK : ms_xml_no_memory(&w->r->xml, w->r->error);
}

static int find_end(const wiring *w, const ms_xml_element *system, const ms_xml_element *c, bool start,
                    node *end, role *is)
{
    const char *element = ms_xml_attribute(c, start ? "startElement" : "endElement"), *name;
    const ms_xml_element *holder = system, *elements = ms_ssp_child(system, "Elements");
    MS_TRY(ms_xml_text(&w->r->xml, c, start ? "startConnector" : "endConnector", &name, w->r->error));
    MS_TRY(read_indices(w, c, start ? "startIndices" : "endIndices", &end->element));
    if (element != NULL && element[0] != '\0') {
        holder = find_named(elements, element);
        if (holder == NULL)
            return unknown(w, c, elements, "element", element);
    }
    const ms_xml_element *connectors = ms_ssp_child(holder, "Connectors");
    end->connector = find_named(connectors, name);
    if (end->connector == NULL)
        return unknown(w, c, connectors, "connector", name);
    end->component = index_of(w->r, holder);
    *is = role_of(end->connector, holder == system);
    const char *dictionary =
        ms_ssp_is(holder, "SignalDictionaryReference") ? ms_xml_attribute(holder, "dictionary") : NULL;
    if (dictionary == NULL)
        return MS_OK;
    const char *kind = ms_xml_attribute(end->connector, "kind");
    *is = kind == NULL || strcmp(kind, "inout") == 0 ? EITHER : *is;
    end->connector = find_signal(w->top, dictionary, name);
    return MS_OK;
}

/* Both ends in the direction of the flow: the name `start` does not determine it. *flows: false if the connection
 * is constant, or leaves the system. */
static int find_ends(const wiring *w, const ms_xml_element *system, edge *e, bool *flows)
{
    role from = OTHER, to = OTHER;
    MS_TRY(find_end(w, system, e->connection, true, &e->from, &from));
    MS_TRY(find_end(w, system, e->connection, false, &e->to, &to));
    from = from != EITHER ? from : to == SOURCE ? SINK : SOURCE;
    to = to != EITHER ? to : from == SOURCE ? SINK : SOURCE;
    *flows = from != CONSTANT_SOURCE && to != CONSTANT_SOURCE && from != OUTSIDE && to != OUTSIDE;
    if (*flows && to == SOURCE && from == SINK) {
        const node end = e->from;
        e->from = e->to;
        e->to = end;
    } else if (*flows && (from != SOURCE || to != SINK))
        return refuse_kind(w, e->connection, (from != SOURCE ? &e->from : &e->to)->connector);
    return MS_OK;
}

/* Edges -------------------------------------------------------------------------------------------------- */

static int read_transformation(const wiring *w, edge *e)
{
    const ms_xml *xml = &w->r->xml;
    const ms_xml_element *c = e->connection, *element;
    const char **unit = e->unit;
    bool suppressed = false, real = true;
    MS_TRY(ms_ssp_read_map(w->r, xml, c, &e->map));
    for (int end = 0; end < 2; end++) {
        const node *at = end == 0 ? &e->from : &e->to;
        const ms_xml_element *connector = at->connector;
        ms_ssp_type type;
        MS_TRY(ms_ssp_read_type(w->r, xml, connector, &type, &element, &unit[end]));
        if (type == MS_SSP_REAL && unit[end] == NULL && at->component >= 0)
            MS_TRY(ms_ssp_unit_of(w->r, at->component, ms_xml_attribute(connector, "name"), &unit[end]));
        if (element != NULL)
            MS_TRY(ms_ssp_check_mapped(w->r, xml, c, e->map, type, ms_xml_attribute(connector, "name")));
        real = real && type == MS_SSP_REAL;
        if (type == MS_SSP_STRING && element != NULL)
            return ms_ssp_refuse(
                xml, c, w->r->error,
                "connector %.100s is a %.40s; reals, integers, booleans and enumerations can be wired",
                ms_xml_attribute(connector, "name"), element->name);
    }
    MS_TRY(ms_xml_bool(xml, c, "suppressUnitConversion", &suppressed, w->r->error));
    e->converts = real && !suppressed;
    MS_TRY(ms_ssp_convert(w->r, xml, c, e->converts ? e->unit[0] : NULL, e->unit[1], &e->gain, &e->offset));
    return ms_ssp_transform(w->r, xml, c, &e->gain, &e->offset);
}

static int add_edge(wiring *w, const ms_xml_element *system, const ms_xml_element *connection)
{
    edge e = {.connection = connection};
    bool flows = false;
    MS_TRY(find_ends(w, system, &e, &flows));
    if (!flows)
        return MS_OK;
    MS_TRY(read_transformation(w, &e));
    MS_TRY_MEMORY_OR(ms_grow(&w->edges, &w->capacity, (size_t)w->n + 1, sizeof e),
                     ms_xml_no_memory(&w->r->xml, w->r->error));
    w->edges[w->n++] = e;
    return MS_OK;
}

static int collect(wiring *w, const ms_xml_element *system)
{
    const ms_xml_element *connections = ms_ssp_child(system, "Connections"),
                         *elements = ms_ssp_child(system, "Elements");
    for (const ms_xml_element *c = ms_ssp_child(connections, "Connection"); c != NULL; c = ms_ssp_again(c))
        MS_TRY(add_edge(w, system, c));
    for (const ms_xml_element *inner = ms_ssp_child(elements, "System"); inner != NULL;
         inner = ms_ssp_again(inner))
        MS_TRY(collect(w, inner));
    return MS_OK;
}

/* Wires -------------------------------------------------------------------------------------------------- */

static int compare_ends(const void *a, const void *b)
{
    const edge *left = a, *right = b;
    if (left->to.connector != right->to.connector)
        return left->to.connector < right->to.connector ? -1 : 1;
    return strcmp(left->to.element, right->to.element);
}

/* In the order of the file. */
static int compare_lines(const void *a, const void *b)
{
    const ms_ssp_wire *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    return strcmp(left->input, right->input);
}

/* The edge that ends there, or, for an element, in the whole array; NULL: none. */
static const edge *find_driver(const wiring *w, const ms_xml_element *connector, const char *element)
{
    const edge key = {.to = {.connector = connector, .element = element}};
    const edge *whole = element[0] != '\0' ? find_driver(w, connector, "") : NULL;
    if (whole != NULL)
        return whole;
    return w->n > 0 ? bsearch(&key, w->edges, (size_t)w->n, sizeof key, compare_ends) : NULL;
}

static int check_drivers(const wiring *w)
{
    for (int k = 1; k < w->n; k++)
        if (w->edges[k].to.connector == w->edges[k - 1].to.connector &&
            (w->edges[k - 1].to.element[0] == '\0' || compare_ends(&w->edges[k], &w->edges[k - 1]) == 0))
            return ms_xml_fail(&w->r->xml, w->edges[k].connection, w->r->error,
                               "two connections end in %.100s; at most one may",
                               ms_xml_attribute(w->edges[k].to.connector, "name"));
    return MS_OK;
}

/* The unit of the values that an edge starts with: that of its connector, or, where a system's has none, of what drives it. */
static const char *unit_of_start(const wiring *w, const edge *e)
{
    for (int passed = 0;
         e != NULL && e->converts && e->unit[0] == NULL && e->from.component < 0 && passed < w->n; passed++)
        e = find_driver(w, e->from.connector, e->from.element);
    return e != NULL && e->converts ? e->unit[0] : NULL;
}

/* Converts where a connector of a system without a unit is passed. */
static int convert_passed(const wiring *w, edge *e)
{
    double gain = 1.0, offset = 0.0;
    if (!e->converts || e->unit[0] != NULL)
        return MS_OK;
    MS_TRY(ms_ssp_convert(w->r, &w->r->xml, e->connection, unit_of_start(w, e), e->unit[1], &gain, &offset));
    e->offset += e->gain * offset;
    e->gain *= gain;
    return MS_OK;
}

/* NULL: there is no memory. */
static const char *end_of(const wiring *w, const ms_xml_element *connector, const char *element)
{
    const char *name = ms_xml_attribute(connector, "name");
    return element[0] == '\0' ? name : ms_structure_name(&w->r->ssp->memory, "%s%s", name, element);
}

/* The wire that ends with that edge, if an output of a component drives it. */
static int add_wire(wiring *w, const edge *last)
{
    double gain = last->gain, offset = last->offset;
    const ms_ssp_map *map = last->map;
    const edge *e = last;
    const char *element = e->from.element;
    for (int passed = 0; e->from.component < 0 && passed < w->n; passed++) {
        e = find_driver(w, e->from.connector, element);
        if (e == NULL)
            return MS_OK; /* a connector of the whole system, to which nothing is connected */
        element = e->to.element[0] == '\0' && element[0] != '\0' ? element : e->from.element;
        offset += gain * e->offset;
        gain *= e->gain;
        if (e->map != NULL && (map = ms_ssp_map_join(w->r, e->map, map)) == NULL)
            return ms_xml_no_memory(&w->r->xml, w->r->error);
    }
    if (e->from.component < 0)
        return MS_OK;
    const char *output = end_of(w, e->from.connector, element),
               *input = end_of(w, last->to.connector, last->to.element);
    MS_TRY_MEMORY_OR(output != NULL && input != NULL, ms_xml_no_memory(&w->r->xml, w->r->error));
    w->r->ssp->wires[w->r->ssp->n_wires++] = (ms_ssp_wire){.from = e->from.component,
                                                           .to = last->to.component,
                                                           .output = output,
                                                           .input = input,
                                                           .gain = gain,
                                                           .offset = offset,
                                                           .map = map,
                                                           .line = last->connection->line};
    return MS_OK;
}

/* Wires of the connections, in the order of the file. */
static int add_all(wiring *w)
{
    ms_ssp *ssp = w->r->ssp;
    ssp->wires = ms_structure_alloc(&ssp->memory, (size_t)w->n + 1, sizeof *ssp->wires);
    MS_TRY_MEMORY_OR(ssp->wires != NULL, ms_xml_no_memory(&w->r->xml, w->r->error));
    if (w->edges == NULL)
        return MS_OK;
    qsort(w->edges, (size_t)w->n, sizeof *w->edges, compare_ends);
    MS_TRY(check_drivers(w));
    for (int k = 0; k < w->n; k++)
        MS_TRY(convert_passed(w, &w->edges[k]));
    for (int k = 0; k < w->n; k++)
        if (w->edges[k].to.component >= 0)
            MS_TRY(add_wire(w, &w->edges[k]));
    qsort(ssp->wires, (size_t)ssp->n_wires, sizeof *ssp->wires, compare_lines);
    return MS_OK;
}

int ms_ssp_read_wires(ms_ssp_reading *r, const ms_xml_element *system)
{
    wiring w = {.r = r, .top = system};
    int status = collect(&w, system);
    MS_THEN(status, add_all(&w));
    free(w.edges);
    return status;
}
