/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_sources.h - the source form of an exported FMU: plain C that needs libm alone. */
#pragma once

#include "component.h"

/* A source that is compiled in as a text. */
typedef struct ms_export_source {
    const char *name;          /* without its folder */
    const unsigned char *data; /* its bytes, and a zero byte after them */
    size_t size;
} ms_export_source;

extern const ms_export_source ms_export_sources[]; /* ends with a NULL name */

/* The files to be compiled, fmi2.c or fmi3.c first; ends with NULL. */
const char *const *ms_export_sources_compiled(const ms_component *component, int fmi);

/* Why the component has no source form, as the end of a sentence; NULL: it has one. */
const char *ms_export_sources_lack(const ms_component *component);

/* The highest order of derivatives of outputs that the sources give: of equations they have no second one. */
int ms_export_sources_output_derivatives(const ms_component *component);

/* Writes them into a folder that is there. Errors: MS_IO. */
int ms_export_sources_write(const ms_component *component, int fmi, const char *folder, ms_error *error);
