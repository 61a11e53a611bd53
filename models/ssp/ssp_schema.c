/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_schema.c - elements of SSP and their attributes. */
#include <stdarg.h>
#include <string.h>

#include "ssp_read.h"

/* The children allowed in an element; its contents are not checked if `children` is NULL. */
typedef struct form {
    const char *name, *attributes, *children;
} form;

#define BASE "id description "
#define META "version name author fileversion copyright license generationTool generationDateAndTime " BASE
#define TYPES                                                                                                \
    "Real Integer Boolean String Enumeration Binary Float64 Float32 Int8 UInt8 Int16 UInt16 Int32 UInt32 "   \
    "Int64 UInt64 Clock "
#define TRANSFORM                                                                                            \
    "LinearTransformation BooleanMappingTransformation IntegerMappingTransformation "                        \
    "EnumerationMappingTransformation "

static const form forms[] = {
    {"SystemStructureDescription", META,
     "System Enumerations Units DefaultExperiment Annotations MetaData Signature"},
    {"System", "name " BASE,
     "Connectors ElementGeometry ParameterBindings Elements Connections SignalDictionaries SystemGeometry "
     "GraphicalElements Annotations SimulationInformation MetaData Signature"},
    {"Elements", "", "Component System SignalDictionaryReference"},
    {"Component", "name type source implementation " BASE,
     "Connectors ElementGeometry ParameterBindings Annotations SimulationInformation MetaData Signature"},
    {"SignalDictionaryReference", "name dictionary " BASE,
     "Connectors ElementGeometry ParameterBindings Annotations SimulationInformation MetaData Signature"},
    {"Connectors", "", "Connector"},
    {"Connector", "name kind " BASE, "ConnectorGeometry Dimension Annotations MetaData Signature " TYPES},
    {"Connections", "", "Connection"},
    {"Connection",
     "startElement startConnector startIndices endElement endConnector endIndices "
     "suppressUnitConversion " BASE,
     "ConnectionGeometry Annotations MetaData Signature " TRANSFORM},
    {"LinearTransformation", "factor offset", ""},
    {"BooleanMappingTransformation", "", "MapEntry"},
    {"IntegerMappingTransformation", "", "MapEntry"},
    {"EnumerationMappingTransformation", "", "MapEntry"},
    {"MapEntry", "source target", ""},
    {"ParameterBindings", "", "ParameterBinding"},
    {"ParameterBinding", "type source sourceBase prefix " BASE,
     "ParameterValues ParameterMapping Annotations MetaData Signature"},
    {"ParameterValues", "", "ParameterSet"},
    {"ParameterSet", META, "Parameters Enumerations Units Annotations MetaData Signature"},
    {"Parameters", "", "Parameter"},
    {"Parameter", "name " BASE, "Dimension Annotations " TYPES},
    {"ParameterMapping", "type source sourceBase " META,
     "ParameterMapping MappingEntry Annotations MetaData Signature"},
    {"MappingEntry", "source target suppressUnitConversion " BASE, "Annotations " TRANSFORM},
    {"DefaultExperiment", "startTime stopTime " BASE, "Annotations MetaData Signature"},
    {"Units", "", "Unit"},
    {"Unit", "name " BASE, "BaseUnit Annotations"},
    {"BaseUnit", "kg m s A K mol cd rad factor offset", ""},
    {"Real", "unit value", ""},
    {"Integer", "value", ""},
    {"Boolean", "value", ""},
    {"String", "value", ""},
    {"Enumeration", "name value", ""},
};

static const form *form_of(const char *name)
{
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (strcmp(forms[k].name, name) == 0)
            return &forms[k];
    return NULL;
}

static bool is_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *c = list + strspn(list, " "); *c != '\0'; c += strspn(c, " ")) {
        const size_t size = strcspn(c, " ");
        if (size == length && strncmp(c, word, length) == 0)
            return true;
        c += size;
    }
    return false;
}

/* SSP 2.0 has the namespaces of 1.0. */
static bool is_of_ssp(const ms_xml_element *e)
{
    return strncmp(e->space, "http://ssp-standard.org/SSP", 27) == 0;
}

bool ms_ssp_is(const ms_xml_element *e, const char *name)
{
    return is_of_ssp(e) && strcmp(e->name, name) == 0;
}

static const ms_xml_element *first_of(const ms_xml_element *e, const char *name)
{
    while (e != NULL && !ms_ssp_is(e, name))
        e = e->next;
    return e;
}

const ms_xml_element *ms_ssp_child(const ms_xml_element *e, const char *name)
{
    return e != NULL ? first_of(e->first, name) : NULL;
}

const ms_xml_element *ms_ssp_again(const ms_xml_element *e)
{
    return first_of(e->next, e->name);
}

int ms_ssp_refuse(const ms_xml *xml, const ms_xml_element *e, ms_error *error, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return ms_fail(error, MS_UNSUPPORTED, "%s: line %ld: %s", xml->path, e->line, what);
}

int ms_ssp_check_schema(const ms_xml *xml, const ms_xml_element *e, ms_error *error)
{
    const form *f = form_of(e->name);
    if (f == NULL)
        return MS_OK;
    for (const char *const *a = e->attribute; *a != NULL; a += 2)
        if (strchr(*a, ' ') == NULL && !is_listed(f->attributes, *a)) /* else of another namespace */
            return ms_xml_fail(xml, e, error,
                               "<%.60s> has an attribute %.60s, which is unknown; there are: %s", e->name, *a,
                               f->attributes);
    for (const ms_xml_element *c = e->first; c != NULL; c = c->next) {
        if (!is_of_ssp(c))
            continue;
        if (!is_listed(f->children, c->name))
            return ms_xml_fail(xml, c, error, "<%.60s> within <%.60s> is unknown; there are: %s", c->name,
                               e->name, f->children);
        MS_TRY(ms_ssp_check_schema(xml, c, error));
    }
    return MS_OK;
}
