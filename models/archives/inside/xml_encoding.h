/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml_encoding.h - an XML text of any encoding in UTF-8. */
#pragma once

#include "xml.h"

/* What a text of `size` bytes is encoded in, by its first bytes, then by its declaration; "UTF-8" where neither says it. A text that is
 * declared as UTF-16, with characters of one byte in its declaration, is in UTF-8. */
void ms_xml_encoding_find(const char *text, size_t size, char name[MS_XML_ENCODING]);

/* The text in UTF-8, to be freed, and its size in *size. NULL: the encoding is not known, or the text is not in it (MS_INVALID, one line
 * with path and line), or there is no memory (MS_NO_MEMORY); *status. */
char *ms_xml_convert(const char *path, const char *encoding, const char *text, size_t *size, int *status,
                     ms_error *error);
