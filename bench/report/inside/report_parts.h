/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_parts.h - what the files of the report share. */
#pragma once

#include <macrostep/status.h>
#include "report.h"

/* report_entry.c: what the report says of one figure, from the files that ms_figure_draw has left. */

/* Reads DIRECTORY/figures/NAME.json of entry->figure, what its commands run, and its picture: size and a sentence that says
 * what is seen; embed: the picture itself as well. What is not there, or not whole, stays as it is in an empty
 * entry. Errors: MS_NO_MEMORY. */
int ms_report_entry_read(const char *directory, bool embed, ms_report_entry *entry, ms_error *error);
void ms_report_entry_clear(ms_report_entry *entry);

/* report_explorer.c: what the template of explorer.html needs. */

/* {"computes": true, "offer": a text, the JSON of models and schemes that explorer.js reads, "code": the WebAssembly in base64, left
 * out where it has not been made}, for the caller to release. Errors: MS_IO, MS_NO_MEMORY. */
int ms_report_explorer(json_t **explorer, ms_error *error);

/* report_figure.c: what the pages say of one figure, by the names of inside/pages/. All of it is for the caller to release. NULL: no
 * memory. */

/* The text of a member; empty where there is none. */
static inline const char *ms_report_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The figure at that place. */
json_t *ms_report_figure(const ms_report *report, int place);

/* Its picture; null where it has none. */
json_t *ms_report_picture(const ms_report *report, const ms_report_entry *entry);

/* A verdict on its colour. What is none of the verdicts, or NULL, is shown in grey. */
json_t *ms_badge_json(const char *status);

/* A table of an answer: rows are objects with the columns of the first. by (may be NULL): a column that is left out, as are the rows
 * in which it is not the title. What comes after `most` rows (0: nothing) is marked "beyond". */
json_t *ms_table_json(const char *title, json_t *rows, const char *by, size_t most);
