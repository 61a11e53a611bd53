/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_explorer.h - what the template of explorer.html needs. */
#ifndef MS_REPORT_EXPLORER_H
#define MS_REPORT_EXPLORER_H

#include <jansson.h>

#include <macrostep/status.h>

/* {"computes": true, "offer": a text, the JSON of models and schemes that explorer.js reads, "code": the WebAssembly in base64, left
 * out where it has not been made}, for the caller to release. Errors: MS_IO, MS_NO_MEMORY. */
int ms_report_explorer(json_t **explorer, ms_error *error);

#endif
