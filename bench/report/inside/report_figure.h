/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_figure.h - what the pages say of one figure, by the names of inside/pages/. All of it is for the caller to release. NULL: no
 * memory. */
#ifndef MS_REPORT_FIGURE_H
#define MS_REPORT_FIGURE_H

#include "report.h"

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

#endif
