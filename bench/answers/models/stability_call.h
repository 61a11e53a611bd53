/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability_call.h - one call of the command stability, and its answers. */
#pragma once

#include <macrostep/stability.h>
#include "answer.h"
#include "arguments.h"
#include "certificate.h"

/* Up to where limits on the axes are searched. */
#define MS_AXIS_LIMIT_END 100.0

typedef struct ms_stability_call {
    ms_arguments *arguments; /* the caller's; their two ranges are the axes */
    const ms_system *system; /* the caller's, with the settings; NULL for a map over lambda */
    ms_stability stability;
    ms_limit limit;
    ms_field field;
    const char *by; /* "formula", "probe" or "limit" */
    double end;     /* --critical: the largest step size [s] */
    double *value;  /* (ny x nx); NULL with --boundary-only */
    ms_boundary boundary;
    ms_critical critical; /* of a line: its stable intervals alone */
    double axis_limit
        [2]; /* --test-equation: the first unstable -H lambda and H lambda / i; NaN: there is none */
    ms_certifier *certifier;     /* --certify; NULL: none */
    ms_certificate *certificate; /* (critical.n) */
} ms_stability_call;

/* Is it over one axis alone, without --y? */
static inline bool ms_stability_is_line(const ms_stability_call *call)
{
    return !call->arguments->critical && call->arguments->range[1].n == 0;
}

void ms_stability_call_destroy(ms_stability_call *call);

/* Where a map is stable: "everywhere", "nowhere" or "in part"; NULL with --boundary-only, which does not know. */
const char *ms_stability_extent(const ms_stability_call *call);

/* A map with everything, for programs; with a row for each curve, for tables. NULL without memory. */
json_t *ms_stability_answer_map(const ms_stability_call *call);
json_t *ms_stability_answer_curves(const ms_stability_call *call);
extern const ms_column ms_stability_curve_columns[];

/* The radii of a line and its stable intervals. NULL without memory. */
json_t *ms_stability_answer_line(const ms_stability_call *call);

/* The rows of a variant in a table or CSV, if there are several schemes, each with the variant's name; table: curves instead of
 * points. An array; NULL: no memory. */
json_t *ms_stability_rows(const ms_stability_call *call, const char *variant, bool table);

/* A scheme that does not fit, in the shape of a variant. NULL without memory. */
json_t *ms_stability_answer_incompatible(const ms_stability_call *call, const char *why);

/* The step sizes of --critical. NULL without memory. */
json_t *ms_stability_answer_critical(const ms_stability_call *call);

/* A map as CSV, without closing: a row for each node; or, without nodes, for each point of the boundary, its
 * curve, counted from 0, in front. provenance is stolen; NULL: there was no memory for it. Errors: MS_NO_MEMORY. */
int ms_stability_write_csv(const ms_stability_call *call, json_t *provenance, FILE *file, ms_error *error);
