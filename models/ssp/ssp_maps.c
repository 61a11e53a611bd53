/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_maps.c - transformations by a table: booleans, whole numbers, and items of enumerations by their names (SSP 1.0, 4.4). Values
 * are compared as texts, of which each has one form. */
#include <stdlib.h>
#include <string.h>

#include "ssp_read.h"

static const struct {
    const char *element;
    ms_ssp_type type;
} kinds[] = {{"BooleanMappingTransformation", MS_SSP_BOOLEAN},
             {"IntegerMappingTransformation", MS_SSP_INTEGER},
             {"EnumerationMappingTransformation", MS_SSP_ENUMERATION}};

/* The canonical form of a value; NULL: it is invalid for the type. */
static const char *form_of(ms_ssp_reading *r, ms_ssp_type type, const char *text)
{
    char *end;
    if (type == MS_SSP_BOOLEAN)
        return strcmp(text, "true") == 0 || strcmp(text, "1") == 0    ? "true"
               : strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ? "false"
                                                                      : NULL;
    if (type != MS_SSP_INTEGER)
        return text;
    const long long number = strtoll(text, &end, 10);
    return end != text && *end == '\0' ? ms_structure_name(&r->ssp->memory, "%lld", number) : NULL;
}

static int read_side(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *entry, const char *side,
                     ms_ssp_type type, const char **value)
{
    const char *text;
    MS_TRY(ms_xml_text(xml, entry, side, &text, r->error));
    *value = form_of(r, type, text);
    return *value != NULL ? MS_OK
                          : ms_xml_fail(xml, entry, r->error, "%s is %.60s; a %s is expected", side, text,
                                        type == MS_SSP_BOOLEAN ? "boolean" : "whole number");
}

/* What a value becomes; NULL: the map has nothing for it. */
static const char *find(const ms_ssp_map *map, const char *text)
{
    for (int k = 0; k < map->n; k++)
        if (strcmp(map->source[k], text) == 0)
            return map->target[k];
    return NULL;
}

static int read_entries(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, ms_ssp_map *map)
{
    for (const ms_xml_element *entry = ms_ssp_child(e, "MapEntry"); entry != NULL;
         entry = ms_ssp_again(entry), map->n++) {
        MS_TRY(read_side(r, xml, entry, "source", map->type, &map->source[map->n]));
        MS_TRY(read_side(r, xml, entry, "target", map->type, &map->target[map->n]));
        if (find(map, map->source[map->n]) != NULL)
            return ms_xml_fail(xml, entry, r->error, "source %.60s occurs twice", map->source[map->n]);
    }
    return map->n > 0 ? MS_OK : ms_xml_fail(xml, e, r->error, "<%s> has no <MapEntry>", e->name);
}

static ms_ssp_map *new_map(ms_ssp_reading *r, ms_ssp_type type, int n)
{
    ms_structure *memory = &r->ssp->memory;
    ms_ssp_map *map = ms_structure_alloc(memory, 1, sizeof *map);
    if (map == NULL)
        return NULL;
    map->type = type;
    map->source = ms_structure_alloc(memory, (size_t)n + 1, sizeof *map->source);
    map->target = ms_structure_alloc(memory, (size_t)n + 1, sizeof *map->target);
    return map->source != NULL && map->target != NULL ? map : NULL;
}

int ms_ssp_read_map(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, const ms_ssp_map **map)
{
    *map = NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const ms_xml_element *found = ms_ssp_child(e, kinds[k].element);
        if (found == NULL)
            continue;
        ms_ssp_map *made = new_map(r, kinds[k].type, ms_xml_children(found));
        *map = made;
        return made != NULL ? read_entries(r, xml, found, made) : ms_xml_no_memory(xml, r->error);
    }
    return MS_OK;
}

int ms_ssp_check_mapped(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e,
                        const ms_ssp_map *map, ms_ssp_type type, const char *name)
{
    static const char *const words[MS_SSP_TYPES] = {"Real", "Integer", "Boolean", "String", "Enumeration"};
    if (map == NULL || map->type == type || (map->type == MS_SSP_INTEGER && type == MS_SSP_ENUMERATION))
        return MS_OK;
    return ms_xml_fail(xml, e, r->error, "<%sMappingTransformation>, but %.100s is of type %s",
                       words[map->type], name, words[type]);
}

const ms_ssp_map *ms_ssp_map_join(ms_ssp_reading *r, const ms_ssp_map *first, const ms_ssp_map *then)
{
    if (first == NULL || then == NULL)
        return first != NULL ? first : then;
    ms_ssp_map *both = new_map(r, first->type, first->n);
    for (int k = 0; k < first->n && both != NULL; k++) {
        both->source[both->n] = first->source[k];
        both->target[both->n] = find(then, first->target[k]);
        both->n += both->target[both->n] != NULL;
    }
    return both;
}

int ms_ssp_map_text(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, ms_ssp_type type,
                    const char *name, const char **text)
{
    const ms_ssp_map *map;
    MS_TRY(ms_ssp_read_map(r, xml, e, &map));
    if (map == NULL)
        return MS_OK;
    MS_TRY(ms_ssp_check_mapped(r, xml, e, map, type, name));
    const char *form = form_of(r, map->type, *text), *target = form != NULL ? find(map, form) : NULL;
    if (target == NULL)
        return ms_xml_fail(xml, e, r->error, "%.100s is %.60s, for which the map has no entry", name, *text);
    *text = target;
    return MS_OK;
}
