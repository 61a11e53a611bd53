/* SPDX-License-Identifier: GPL-3.0-or-later */
/* description_parts.h - a modelDescription.xml being read into an ms_fmu_description, and data kept with it; for this room
 * and the rules that check it. */
#pragma once

#include "fmu_description.h"
#include "xml.h"

/* Something by its name, and by its value reference. */
typedef struct ms_named {
    const char *name;
    int index;
    const ms_xml_element *element;
} ms_named;

typedef struct ms_referred {
    unsigned reference;
    int index;
} ms_referred;

/* The description first, so that a pointer to it is one to the whole. */
typedef struct ms_description_read {
    ms_fmu_description description;
    ms_xml xml;                     /* owns all of it */
    const ms_xml_element **element; /* (n_variables) that of each variable; aliases: <Alias> */
    ms_named *sorted;               /* (n_variables) variables by name */
    int n_types, n_units,
        n_references;          /* n_references: variables without aliases; 2.0: 0, as indices are used */
    ms_named *types, *units;   /* (n_types), (n_units) by name */
    ms_referred *by_reference; /* (n_references) by value reference */
    bool resized;              /* structural parameters have other values than in the file */
} ms_description_read;

/* Finds a name in a sorted list; NULL: none. */
const ms_named *ms_named_find(const ms_named *list, int n, const char *name);

/* The parts of the file in their order; each sets its part of the description. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_description_read_variables(ms_description_read *d, ms_error *error);
int ms_description_read_sizes(ms_description_read *d, ms_error *error); /* values of each variable */
int ms_description_list_inputs(ms_description_read *d, ms_error *error);
int ms_description_read_structure(ms_description_read *d, ms_error *error);

/* The element with the type of a variable, or of that which it is another name of. */
const ms_xml_element *ms_description_element(const ms_description_read *d, int k);

/* The variable with that number in the file: its index from 1 (2.0), or its value reference (3.0). -1: none. */
int ms_description_variable(const ms_description_read *d, unsigned number);
