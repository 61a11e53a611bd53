/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability_call.h - one call of the command stability, and its answers. */
#ifndef MS_STABILITY_CALL_H
#define MS_STABILITY_CALL_H

#include "answer.h"
#include "stability.h"

/* Everything that one call owns. */
typedef struct ms_stability_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system; /* with the settings; NULL for a map over lambda */
    ms_stability stability;
    ms_limit limit;
    ms_field field;
    const char *by; /* "formula", "probe" or "limit" */
    double end;     /* --critical: the largest step size [s] */
    double *value;  /* (ny x nx); NULL with --boundary-only */
    ms_boundary boundary;
    ms_critical critical;
    ms_output output;
} ms_stability_call;

/* Writes the answer in the format that was asked for. Errors: MS_NO_MEMORY, MS_IO. */
int ms_stability_answer_map(ms_stability_call *call, ms_error *error);
int ms_stability_answer_critical(ms_stability_call *call, ms_error *error);

#endif
