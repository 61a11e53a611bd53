/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml_write.h - attributes of XML, written. */
#ifndef MS_XML_WRITE_H
#define MS_XML_WRITE_H

#include <stdio.h>

enum { MS_XML_NUMBER = 32 };

/* The shortest decimals, of 15 digits at least, that read back to the same number, whatever the locale; INF, -INF and NaN for what
 * is not finite. Returns text. */
const char *ms_xml_number_text(double value, char text[MS_XML_NUMBER]);

/* ' NAME="VALUE"', escaped. */
void ms_xml_write_attribute(FILE *file, const char *name, const char *value);
void ms_xml_write_number(FILE *file, const char *name, double value);

#endif
