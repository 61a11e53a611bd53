/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_read.h - an .ssd on its way into an ms_ssp. */
#pragma once

#include "ssp.h"
#include "xml.h"

/* A unit that an FMU has, for what the .ssd leaves out. */
typedef struct ms_ssp_fmu_unit {
    ms_ssp_unit unit;
    struct ms_ssp_fmu_unit *next;
} ms_ssp_fmu_unit;

/* Components of an .ssd as elements, and as what becomes of them. */
typedef struct ms_ssp_reading {
    ms_ssp *ssp;
    ms_xml xml;                     /* the .ssd */
    const char *folder;             /* folder that contains it */
    const ms_xml_element **element; /* (n_components) <Component> */
    int capacity;
    ms_ssp_fmu_unit *fmu_units; /* the first one */
    ms_error *error;
} ms_ssp_reading;

/* MS_UNSUPPORTED with "PATH: line N: " before the message. */
int ms_ssp_refuse(const ms_xml *xml, const ms_xml_element *e, ms_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Are all elements of SSP, and their attributes, known? MS_OK or MS_INVALID. */
int ms_ssp_check_schema(const ms_xml *xml, const ms_xml_element *e, ms_error *error);
/* Is it one of the names of an element of SSP, not of another namespace? */
bool ms_ssp_is(const ms_xml_element *e, const char *name);
/* The first such child, the next such sibling. */
const ms_xml_element *ms_ssp_child(const ms_xml_element *e, const char *name);
const ms_xml_element *ms_ssp_again(const ms_xml_element *e);

/* Start, stop and step size, and the options of a run. */
int ms_ssp_read_experiment(ms_ssp_reading *r);
/* The units of a <Units>, which may be NULL. */
int ms_ssp_read_units(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *units);
/* The unit of this name, of the .ssd or of an FMU; NULL: none. */
const ms_ssp_unit *ms_ssp_find_unit(const ms_ssp_reading *r, const char *name);
/* The unit of a variable of a component: that of its connector, otherwise that of the FMU; NULL: neither has one, or it is undefined.
 * Errors: MS_NO_MEMORY. */
int ms_ssp_unit_of(ms_ssp_reading *r, int component, const char *name, const char **unit);
/* b = *gain * a + *offset, for values in the units a and b (NULL: not said, so that nothing is converted). */
int ms_ssp_convert(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *at, const char *a,
                   const char *b, double *gain, double *offset);
/* <LinearTransformation> within e, applied after the present gain and offset. */
int ms_ssp_transform(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, double *gain,
                     double *offset);

/* The mapping transformation within e; *map NULL: none. */
int ms_ssp_read_map(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, const ms_ssp_map **map);
/* Does `name` have a type for which the map (NULL: any) is valid? MS_OK or MS_INVALID. */
int ms_ssp_check_mapped(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e,
                        const ms_ssp_map *map, ms_ssp_type type, const char *name);
/* The composition of two maps, either of which may be NULL; also NULL without memory. */
const ms_ssp_map *ms_ssp_map_join(ms_ssp_reading *r, const ms_ssp_map *first, const ms_ssp_map *then);
/* What the value *text of `name` becomes by the mapping transformation within e, if there is one. */
int ms_ssp_map_text(ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, ms_ssp_type type,
                    const char *name, const char **text);

/* Components, and wires between them, of the system and those within it. */
int ms_ssp_read_elements(ms_ssp_reading *r, const ms_xml_element *system, const char *prefix);
int ms_ssp_read_wires(ms_ssp_reading *r, const ms_xml_element *system);
/* The type of a connector, parameter or mapping: <Real>, .. MS_SSP_REAL where nothing is said; *unit: NULL where none is. */
int ms_ssp_read_type(const ms_ssp_reading *r, const ms_xml *xml, const ms_xml_element *e, ms_ssp_type *type,
                     const ms_xml_element **element, const char **unit);

/* Parameters of the system and of all within it: those of inner systems first, which outer ones replace. */
int ms_ssp_read_parameters(ms_ssp_reading *r, const ms_xml_element *system);

/* The path of a file named by `source`, relative to the folder of the .ssd; NULL: no memory. *refused: why it is invalid. */
const char *ms_ssp_path(ms_ssp_reading *r, const char *source, const char **refused);
/* Reads an XML file of the system, whose elements are checked; its memory becomes that of ssp. */
int ms_ssp_read_xml(ms_ssp_reading *r, const char *path, ms_xml *xml);
