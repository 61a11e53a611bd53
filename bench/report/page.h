/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - creates a page from a template (inside/pages/) and a value. The pages use these tags of Mustache:
 *
 *   {{name}}            the value at that dotted path (ms_value_line), escaped for HTML or, in a .md, for Markdown; {{.}} the value
 *                       itself. Nothing where there is none
 *   {{&name}} {{%name}} {{|name}} the same as it is; as a part of an address; in a cell of Markdown's tables
 *   {{#name}}..{{/}}    once for each element of an array, or for an object, whose members are then the names; once where another
 *                       value holds something: it is not null, false, 0 or ""
 *   {{^name}}..{{/}}    once where there is no such value, or it holds nothing
 *   {{>file}}           that template here
 *
 * A name that the value does not have is looked up in the page's value. A tag #, ^, / or > alone on its line is removed with the
 * line. Values may be untrusted: in a page all of their texts are escaped except with &. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The template of that name, which is there; its ending says in which language it is. */
void ms_page_write(const char *name, const json_t *value, FILE *file);

/* The same for a text that is a template. */
void ms_page_write_text(const char *text, bool markdown, const json_t *value, FILE *file);
