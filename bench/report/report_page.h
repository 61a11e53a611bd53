/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MS_REPORT_PAGE_H
#define MS_REPORT_PAGE_H

#include "report.h"

/* What the pages say of the report, for ms_page_write but for its "title"; for the caller to release. NULL: no memory. */
json_t *ms_report_page(const ms_report *report);

#endif
