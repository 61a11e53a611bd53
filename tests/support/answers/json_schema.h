/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_schema.h - validates JSON values against the schemas of a folder (JSON Schema, draft 2020-12).
 *
 * Known are the keywords that the schemas use; any other is an error. Objects are closed, as if
 * unevaluatedProperties were false everywhere: a member that no schema describes is one that has been forgotten
 * there. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the value fit the schema in folder/file? Otherwise why says where and what: "/rows/0/error: must be number
 * or null". */
bool support_schema_fits(const char *folder, const char *file, const json_t *value, char *why, size_t size);

/* Are all keywords of the file known, and do all references lead somewhere? */
bool support_schema_sound(const char *folder, const char *file, char *why, size_t size);
