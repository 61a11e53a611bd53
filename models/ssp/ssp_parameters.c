/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_parameters.c - parameter bindings. A binding of a component names its variables, one of a system "ELEMENT.VARIABLE" or a
 * connector of the system, which passes its value on along its connections; later ones replace earlier ones, and those of a system
 * replace those of its elements. With a mapping only the names in it are set. Unknown names are ignored, since a set may be for
 * several systems (SSP 1.0, 5.4.3 and 6.2). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ssp_read.h"

/* A parameter on its way from a set to a component. */
typedef struct value {
    const ms_xml *xml; /* document that contains it */
    const ms_xml_element *element;
    ms_ssp_type type;
    const char *text, *unit;
    const char *array; /* "[2]" where it is an element of an array; else "" */
    double number;
    bool converts; /* its unit is converted to that of the connector */
} value;

/* Components --------------------------------------------------------------------------------------------- */

static ms_ssp_setting *find_setting(ms_ssp_reading *r, ms_ssp_component *c, const char *name)
{
    ms_ssp_setting **at = &c->settings;
    while (*at != NULL && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    if (*at == NULL) {
        *at = ms_structure_alloc(&r->ssp->memory, 1, sizeof **at);
        if (*at != NULL)
            (*at)->name = name;
    }
    return *at;
}

/* The name belongs to the XML that it is read from, as does the text. */
static int set(ms_ssp_reading *r, int component, const char *name, const value *v)
{
    ms_ssp_component *c = &r->ssp->components[component];
    const char *unit = NULL;
    double gain = 1.0, offset = 0.0;
    const char *whole =
        v->array[0] == '\0' ? name : ms_structure_name(&r->ssp->memory, "%s%s", name, v->array);
    ms_ssp_setting *s = whole != NULL ? find_setting(r, c, whole) : NULL;
    MS_TRY_MEMORY_OR(s != NULL, ms_xml_no_memory(v->xml, r->error));
    s->type = v->type;
    s->text = v->text;
    if (v->type != MS_SSP_REAL)
        return MS_OK;
    if (v->converts && v->unit != NULL)
        MS_TRY(ms_ssp_unit_of(r, component, name, &unit));
    MS_TRY(ms_ssp_convert(r, v->xml, v->element, v->unit, unit, &gain, &offset));
    s->number = gain * v->number + offset;
    return isfinite(s->number)
               ? MS_OK
               : ms_xml_fail(v->xml, v->element, r->error,
                             "parameter %.100s is %.60s, but a finite number is expected", whole, v->text);
}

static int apply(ms_ssp_reading *r, const ms_xml_element *holder, const char *name, const value *v);

/* The child of `list` that is <of name=..>; NULL: none. */
static const ms_xml_element *find_child(const ms_xml_element *list, const char *of, const char *name)
{
    const ms_xml_element *e = ms_ssp_child(list, of);
    while (e != NULL &&
           (ms_xml_attribute(e, "name") == NULL || strcmp(ms_xml_attribute(e, "name"), name) != 0))
        e = ms_ssp_again(e);
    return e;
}

static bool is_attribute(const ms_xml_element *e, const char *attribute, const char *text)
{
    const char *said = ms_xml_attribute(e, attribute);
    return strcmp(said != NULL ? said : "", text) == 0;
}

/* From that connector of the system to an element within it. */
static int pass_on(ms_ssp_reading *r, const ms_xml_element *system, const ms_xml_element *connector,
                   const ms_xml_element *c, const value *v)
{
    const bool starts = is_attribute(c, "startElement", "") &&
                        is_attribute(c, "startConnector", ms_xml_attribute(connector, "name"));
    const char *element = ms_xml_attribute(c, starts ? "endElement" : "startElement"),
               *name = ms_xml_attribute(c, starts ? "endConnector" : "startConnector");
    const bool ends = is_attribute(c, "endElement", "") &&
                      is_attribute(c, "endConnector", ms_xml_attribute(connector, "name"));
    const ms_xml_element *elements = ms_ssp_child(system, "Elements");
    if ((!starts && !ends) || element == NULL || name == NULL)
        return MS_OK;
    const ms_xml_element *holder = find_child(elements, "Component", element);
    holder = holder != NULL ? holder : find_child(elements, "System", element);
    const ms_xml_element *target = find_child(ms_ssp_child(holder, "Connectors"), "Connector", name), *type;
    const char *unit = NULL;
    ms_ssp_type of;
    bool suppressed = false;
    value passed = *v;
    double gain = 1.0, offset = 0.0;
    if (target != NULL)
        MS_TRY(ms_ssp_read_type(r, &r->xml, target, &of, &type, &unit));
    for (int k = 0; k < r->ssp->n_components && target != NULL && unit == NULL; k++)
        if (r->element[k] == holder)
            MS_TRY(ms_ssp_unit_of(r, k, name, &unit));
    MS_TRY(ms_xml_bool(&r->xml, c, "suppressUnitConversion", &suppressed, r->error));
    if (v->type == MS_SSP_REAL)
        MS_TRY(
            ms_ssp_convert(r, &r->xml, c, suppressed || !v->converts ? NULL : v->unit, unit, &gain, &offset));
    MS_TRY(ms_ssp_transform(r, &r->xml, c, &gain, &offset));
    MS_TRY(ms_ssp_map_text(r, &r->xml, c, v->type, name, &passed.text));
    passed.number = gain * v->number + offset;
    passed.unit = unit;
    return holder != NULL ? apply(r, holder, name, &passed) : MS_OK;
}

/* A connector of a system, into which values flow: in its own unit, along all of its connections. */
static int apply_to_connector(ms_ssp_reading *r, const ms_xml_element *system,
                              const ms_xml_element *connector, const value *v)
{
    const char *kind = ms_xml_attribute(connector, "kind"), *unit = NULL;
    const ms_xml_element *type, *connections = ms_ssp_child(system, "Connections");
    ms_ssp_type of;
    value own = *v;
    double gain = 1.0, offset = 0.0;
    if (kind == NULL || (strcmp(kind, "input") != 0 && strcmp(kind, "parameter") != 0 &&
                         strcmp(kind, "structuralParameter") != 0))
        return MS_OK;
    MS_TRY(ms_ssp_read_type(r, &r->xml, connector, &of, &type, &unit));
    if (v->type == MS_SSP_REAL)
        MS_TRY(ms_ssp_convert(r, v->xml, v->element, v->converts ? v->unit : NULL, unit, &gain, &offset));
    own.number = gain * v->number + offset;
    own.unit = unit != NULL ? unit : v->unit;
    own.converts = unit != NULL || v->converts;
    for (const ms_xml_element *c = ms_ssp_child(connections, "Connection"); c != NULL; c = ms_ssp_again(c))
        MS_TRY(pass_on(r, system, connector, c, &own));
    return MS_OK;
}

/* NAME of a component, or of a system one of its connectors and "ELEMENT.NAME": all that are called so. */
static int apply(ms_ssp_reading *r, const ms_xml_element *holder, const char *name, const value *v)
{
    for (int k = 0; k < r->ssp->n_components; k++)
        if (r->element[k] == holder)
            return set(r, k, name, v);
    const ms_xml_element *elements = ms_ssp_child(holder, "Elements"),
                         *own = find_child(ms_ssp_child(holder, "Connectors"), "Connector", name);
    if (own != NULL)
        MS_TRY(apply_to_connector(r, holder, own, v));
    for (const ms_xml_element *e = elements != NULL ? elements->first : NULL; e != NULL; e = e->next) {
        const char *element = ms_xml_attribute(e, "name");
        const size_t length = element != NULL ? strlen(element) : 0;
        if (length > 0 && strncmp(name, element, length) == 0 && name[length] == '.')
            MS_TRY(apply(r, e, name + length + 1, v));
    }
    return MS_OK;
}

/* Sets --------------------------------------------------------------------------------------------------- */

static int read_value(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, value *v)
{
    const ms_xml_element *type;
    *v = (value){.xml = xml, .element = e, .array = "", .converts = true};
    MS_TRY(ms_ssp_read_type(r, xml, e, &v->type, &type, &v->unit));
    if (type == NULL)
        return ms_xml_fail(xml, e, r->error, "parameter %.100s has no value: <Real value=\"1\"/> is expected",
                           ms_xml_attribute(e, "name"));
    v->text = ms_xml_attribute(type, "value");
    if (v->text == NULL)
        return ms_xml_fail(xml, e, r->error, "parameter %.100s has no value", ms_xml_attribute(e, "name"));
    const bool one = ms_ssp_child(e, "Dimension") == NULL;
    return v->type == MS_SSP_REAL && one ? ms_xml_double(xml, type, "value", &v->number, r->error) : MS_OK;
}

/* A binding: its target, the prefix of all names of its set, its mapping. */
typedef struct binding {
    const ms_xml_element *holder;
    const char *prefix;
    ms_xml mapping_xml;
    const ms_xml_element *mapping; /* NULL: names are taken as they are */
} binding;

/* Each entry of the mapping whose source it is; the prefix has been put before that. Tools write entries with an empty source, too. */
static int apply_mapped(ms_ssp_reading *r, const binding *b, const char *name, const value *v)
{
    for (const ms_xml_element *e = ms_ssp_child(b->mapping, "MappingEntry"); e != NULL; e = ms_ssp_again(e)) {
        const char *source = ms_xml_attribute(e, "source"), *target;
        bool suppressed = false;
        value mapped = *v;
        double gain = 1.0, offset = 0.0;
        if (source != NULL && source[0] == '\0')
            continue;
        MS_TRY(ms_xml_text(&b->mapping_xml, e, "source", &source, r->error));
        MS_TRY(ms_xml_text(&b->mapping_xml, e, "target", &target, r->error));
        if (strcmp(source, name) != 0)
            continue;
        MS_TRY(ms_xml_bool(&b->mapping_xml, e, "suppressUnitConversion", &suppressed, r->error));
        MS_TRY(ms_ssp_transform(r, &b->mapping_xml, e, &gain, &offset));
        MS_TRY(ms_ssp_map_text(r, &b->mapping_xml, e, v->type, name, &mapped.text));
        mapped.converts = !suppressed;
        mapped.number = gain * v->number + offset;
        MS_TRY(apply(r, b->holder, target, &mapped));
    }
    return MS_OK;
}

static int apply_named(ms_ssp_reading *r, const binding *b, const char *name, const value *v)
{
    return b->mapping != NULL ? apply_mapped(r, b, name, v) : apply(r, b->holder, name, v);
}

enum { DIMENSIONS = 8 };

/* The sizes of an array, and how many entries they make. */
static int read_sizes(const ms_ssp_reading *r, const char *name, const value *v, int *size, int *n,
                      double *all)
{
    *n = 0;
    *all = 1.0;
    for (const ms_xml_element *d = ms_ssp_child(v->element, "Dimension"); d != NULL; d = ms_ssp_again(d)) {
        if (*n == DIMENSIONS)
            return ms_ssp_refuse(v->xml, d, r->error, "parameter %.100s has more than %d dimensions", name,
                                 DIMENSIONS);
        size[*n] = 0;
        MS_TRY(ms_xml_int(v->xml, d, "size", &size[*n], r->error));
        if (size[*n] < 1)
            return ms_xml_fail(v->xml, d, r->error, "size of <Dimension> is %d, but must be positive",
                               size[*n]);
        *all *= size[(*n)++];
    }
    return MS_OK;
}

/* The index of entry k of an array of these dimensions, "[1,3]"; NULL: there is no memory. */
static const char *index_of(ms_ssp_reading *r, const int *size, int n, int k)
{
    char text[12 * DIMENSIONS + 1] = "";
    int at[DIMENSIONS] = {0};
    size_t length = 0;
    for (int j = n; j-- > 0; k /= size[j])
        at[j] = k % size[j] + 1;
    for (int j = 0; j < n; j++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%c%d", j == 0 ? '[' : ',', at[j]);
    return ms_structure_name(&r->ssp->memory, "%s]", text);
}

/* An array of a set, by rows: each of its entries is that of an element. */
static int apply_array(ms_ssp_reading *r, const binding *b, const char *name, const value *v)
{
    int size[DIMENSIONS], n, count = 0;
    double all;
    MS_TRY(read_sizes(r, name, v, size, &n, &all));
    const size_t length = strlen(v->text);
    char *list = ms_structure_alloc(&r->ssp->memory, length + 1, 1), *rest = NULL;
    MS_TRY_MEMORY_OR(list != NULL, ms_xml_no_memory(v->xml, r->error));
    memcpy(list, v->text, length);
    for (char *entry = strtok_r(list, " \t\r\n", &rest); entry != NULL;
         entry = strtok_r(NULL, " \t\r\n", &rest), count++) {
        value one = *v;
        one.text = entry;
        if (count >= all || (v->type == MS_SSP_REAL && !ms_xml_number(entry, &one.number)))
            return ms_xml_fail(v->xml, v->element, r->error,
                               "parameter %.100s: %.60s, but %g numbers are expected, by its dimensions",
                               name, entry, all);
        one.array = index_of(r, size, n, count);
        MS_TRY_MEMORY_OR(one.array != NULL, ms_xml_no_memory(v->xml, r->error));
        MS_TRY(apply_named(r, b, name, &one));
    }
    if (count < all)
        return ms_xml_fail(v->xml, v->element, r->error,
                           "parameter %.100s has %d values, but its dimensions make %g", name, count, all);
    return MS_OK;
}

static int apply_set(ms_ssp_reading *r, const binding *b, const ms_xml *xml, const ms_xml_element *set)
{
    const ms_xml_element *list = ms_ssp_child(set, "Parameters");
    MS_TRY(ms_ssp_read_units(r, xml, ms_ssp_child(set, "Units")));
    for (const ms_xml_element *e = ms_ssp_child(list, "Parameter"); e != NULL; e = ms_ssp_again(e)) {
        const char *name;
        value v;
        MS_TRY(ms_xml_text(xml, e, "name", &name, r->error));
        MS_TRY(read_value(r, xml, e, &v));
        name = ms_structure_name(&r->ssp->memory, "%s%s", b->prefix, name);
        MS_TRY_MEMORY_OR(name != NULL, ms_xml_no_memory(xml, r->error));
        MS_TRY(ms_ssp_child(e, "Dimension") == NULL ? apply_named(r, b, name, &v)
                                                    : apply_array(r, b, name, &v));
    }
    return MS_OK;
}

/* Bindings ----------------------------------------------------------------------------------------------- */

/* An element that either holds <NAME>, or names a file whose root that is. */
static int find_part(ms_ssp_reading *r, const ms_xml_element *holder, const ms_xml_element *inline_part,
                     const char *name, const char *type, ms_xml *xml, const ms_xml_element **part)
{
    const char *source = ms_xml_attribute(holder, "source"), *given = ms_xml_attribute(holder, "type"),
               *why = NULL;
    const char *base = ms_xml_attribute(holder, "sourceBase");
    *xml = r->xml;
    *part = inline_part;
    if (given != NULL && strcmp(given, type) != 0)
        return ms_ssp_refuse(&r->xml, holder, r->error, "type %.100s is not supported; %s is", given, type);
    if (base != NULL && strcmp(base, "SSD") != 0)
        return ms_ssp_refuse(&r->xml, holder, r->error, "sourceBase %.60s is not supported; SSD is", base);
    if (source == NULL)
        return inline_part != NULL ? MS_OK
                                   : ms_xml_fail(&r->xml, holder, r->error,
                                                 "<%s> has neither a source nor a <%s>", holder->name, name);
    const char *path = ms_ssp_path(r, source, &why);
    if (why != NULL)
        return ms_ssp_refuse(&r->xml, holder, r->error, "source %.100s %s", source, why);
    MS_TRY(path != NULL ? ms_ssp_read_xml(r, path, xml) : ms_xml_no_memory(&r->xml, r->error));
    *part = xml->root;
    return ms_ssp_is(xml->root, name)
               ? MS_OK
               : ms_xml_fail(xml, xml->root, r->error, "<%.60s> is not <%s>", xml->root->name, name);
}

static int read_mapping(ms_ssp_reading *r, const ms_xml_element *e, binding *b)
{
    const ms_xml_element *holder = ms_ssp_child(e, "ParameterMapping");
    if (holder == NULL)
        return MS_OK;
    return find_part(r, holder, ms_ssp_child(holder, "ParameterMapping"), "ParameterMapping",
                     "application/x-ssp-parameter-mapping", &b->mapping_xml, &b->mapping);
}

static int read_binding(ms_ssp_reading *r, const ms_xml_element *holder, const ms_xml_element *e)
{
    const char *prefix = ms_xml_attribute(e, "prefix");
    binding b = {.holder = holder, .prefix = prefix != NULL ? prefix : ""};
    ms_xml xml;
    const ms_xml_element *set = NULL;
    MS_TRY(find_part(r, e, ms_ssp_child(ms_ssp_child(e, "ParameterValues"), "ParameterSet"), "ParameterSet",
                     "application/x-ssp-parameter-set", &xml, &set));
    MS_TRY(read_mapping(r, e, &b));
    return apply_set(r, &b, &xml, set);
}

int ms_ssp_read_parameters(ms_ssp_reading *r, const ms_xml_element *holder)
{
    const ms_xml_element *elements = ms_ssp_child(holder, "Elements"),
                         *list = ms_ssp_child(holder, "ParameterBindings");
    for (const ms_xml_element *e = elements != NULL ? elements->first : NULL; e != NULL; e = e->next)
        if (ms_ssp_is(e, "Component") || ms_ssp_is(e, "System"))
            MS_TRY(ms_ssp_read_parameters(r, e));
    for (const ms_xml_element *e = ms_ssp_child(list, "ParameterBinding"); e != NULL; e = ms_ssp_again(e))
        MS_TRY(read_binding(r, holder, e));
    return MS_OK;
}
