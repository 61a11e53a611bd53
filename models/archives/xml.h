/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.h - an XML text as a tree of elements, with values of attributes by type and error lines that name file and line.
 *
 * No document types, so no entities of one's own; any encoding that the system knows, given in UTF-8; at most MS_XML_DEPTH elements within each other. Text between elements
 * is not kept. */
#pragma once

#include <macrostep/model.h>
#include "unit_powers.h"

enum { MS_XML_DEPTH = 100, MS_XML_ELEMENTS = 2000000, MS_XML_ENCODING = 40 };

typedef struct ms_xml_element {
    const char *name;  /* without prefix */
    const char *space; /* its namespace, "" where it has none */
    long line;
    const char *const *attribute;              /* name, value, name, value, .., NULL */
    const struct ms_xml_element *first, *next; /* first child, next sibling */
} ms_xml_element;

typedef struct ms_xml {
    const char *path;               /* what error lines name */
    char encoding[MS_XML_ENCODING]; /* of the text, as it calls it */
    const ms_xml_element *root;
    ms_structure memory; /* owns all of it */
} ms_xml;

/* Parses a text of `size` bytes into a tree. Errors: MS_INVALID (path, line, and the fault), MS_UNSUPPORTED (no
 * Expat), MS_NO_MEMORY. In any case ms_xml_free frees it. */
int ms_xml_read(const char *path, const char *text, size_t size, ms_xml *xml, ms_error *error);
void ms_xml_free(ms_xml *xml);

/* The same of a file, which error lines call `shown`. Errors: MS_IO as well. */
int ms_xml_read_file(const char *path, const char *shown, ms_xml *xml, ms_error *error);

/* MS_INVALID with "PATH: line N: " before the message. */
int ms_xml_fail(const ms_xml *xml, const ms_xml_element *e, ms_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int ms_xml_no_memory(const ms_xml *xml, ms_error *error);

/* The first element of that name within e, whatever its namespace, or NULL; the next one of the same name and namespace; how
 * many there are within e. e may be NULL. */
const ms_xml_element *ms_xml_child(const ms_xml_element *e, const char *name);
const ms_xml_element *ms_xml_again(const ms_xml_element *e);
int ms_xml_children(const ms_xml_element *e);

/* The value of the attribute, which is the tree's, or NULL. e may be NULL. */
const char *ms_xml_attribute(const ms_xml_element *e, const char *name);

/* The value of an attribute by its type; a missing one leaves *value as it is. MS_OK or MS_INVALID. */
int ms_xml_text(const ms_xml *xml, const ms_xml_element *e, const char *name, const char **value,
                ms_error *error); /* required: a missing one, and an empty one, is an error */
int ms_xml_bool(const ms_xml *xml, const ms_xml_element *e, const char *name, bool *value, ms_error *error);
int ms_xml_int(const ms_xml *xml, const ms_xml_element *e, const char *name, int *value, ms_error *error);
int ms_xml_double(const ms_xml *xml, const ms_xml_element *e, const char *name, double *value,
                  ms_error *error);
/* <BaseUnit> of FMI and SSP; NULL: the default of its attributes. */
int ms_xml_base_unit(const ms_xml *xml, const ms_xml_element *base, ms_unit *unit, ms_error *error);
/* One of n words (NULL: none, to be passed over), as its index. */
int ms_xml_word(const ms_xml *xml, const ms_xml_element *e, const char *name, const char *const *words, int n,
                int *value, ms_error *error);

/* A number in the format of XML Schema's double (no hexadecimals; INF, -INF, NaN), independent of the locale. false: not a number, or too large
 * for a double. */
bool ms_xml_number(const char *text, double *value);

/* An unsigned whole number at *at, after blanks; *at moves behind it. False: there is none, or it exceeds an
 * unsigned int. */
bool ms_xml_unsigned(const char **at, unsigned *value);
