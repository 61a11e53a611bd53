/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml_write.h - attributes of XML, written. */
#pragma once

#include <stdio.h>

enum { MS_XML_NUMBER = 32 };

/* The shortest decimal number, with at least 15 digits, that reads back to the same value, independent of the locale; INF, -INF and NaN for
 * nonfinite values. Returns text. */
const char *ms_xml_number_text(double value, char text[MS_XML_NUMBER]);

/* ' NAME="VALUE"', escaped. */
void ms_xml_write_attribute(FILE *file, const char *name, const char *value);
void ms_xml_write_number(FILE *file, const char *name, double value);
