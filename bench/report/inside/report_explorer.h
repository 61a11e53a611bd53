/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_explorer.h - what the template of explorer.html needs. */
#ifndef MS_REPORT_EXPLORER_H
#define MS_REPORT_EXPLORER_H

#include <jansson.h>

/* {"computes": true, "offer": a text, the JSON of models and schemes that explorer.js reads, "code": the WebAssembly in base64, left
 * out where it has not been made}, for the caller to release. NULL: no memory. */
json_t *ms_report_explorer(void);

#endif
