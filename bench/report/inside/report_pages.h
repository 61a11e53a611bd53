/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_pages.h - what the pages of the report have in them. */
#ifndef MS_REPORT_PAGES_H
#define MS_REPORT_PAGES_H

#include <stdio.h>

#include "report.h"

/* The text of a member; empty where there is none. */
static inline const char *ms_report_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The picture of a figure, loaded when it comes into view, or embedded. Without one nothing is written. */
void ms_html_picture(const ms_report *report, const ms_report_entry *entry, FILE *file);

/* The table of all figures, deviations first, with its filters. */
void ms_html_index(const ms_report *report, FILE *file);

/* Contents of the pages beside the report, which has them in it where it is a single file. */
void ms_html_field(const ms_report *report, FILE *file);
void ms_html_errata(const ms_report *report, FILE *file);
void ms_html_ledger(const ms_report *report, FILE *file);

#endif
