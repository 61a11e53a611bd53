/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_entry.h - what the report says of one figure, from the files that ms_figure_draw has left. */
#ifndef MS_REPORT_ENTRY_H
#define MS_REPORT_ENTRY_H

#include "report.h"

/* Reads DIRECTORY/figures/NAME.json of entry->figure, what its commands run, and its picture: size and a sentence that says
 * what is seen; embed: the picture itself as well. What is not there, or not whole, stays as it is in an empty
 * entry. Errors: MS_NO_MEMORY. */
int ms_report_entry_read(const char *directory, bool embed, ms_report_entry *entry, ms_error *error);
void ms_report_entry_clear(ms_report_entry *entry);

#endif
