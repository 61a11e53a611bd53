/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps, lines and critical steps of several schemes as rows, for tables and CSV. */
#include <stdlib.h>
#include <string.h>

#include "certificate_answer.h"
#include "stability_call.h"
#include "text_stream.h"

/* {"member", X: x, Y: y}; Y is left out of a line. */
static json_t *point_row(const ms_stability_call *call, const char *variant, double x, double y)
{
    const ms_range *range = call->arguments->range;
    json_t *row = ms_json_object("member:s", variant);
    ms_json_set(&row, range[0].name, ms_json_real(x));
    if (range[1].n > 0)
        ms_json_set(&row, range[1].name, ms_json_real(y));
    return row;
}

static json_t *node_rows(const ms_stability_call *call, const char *variant)
{
    const ms_range *x = &call->arguments->range[0], *y = &call->arguments->range[1];
    json_t *rows = json_array();
    for (int j = 0; j < (y->n > 0 ? y->n : 1); j++)
        for (int i = 0; i < x->n; i++) {
            json_t *row = point_row(call, variant, x->value[i], y->n > 0 ? y->value[j] : 0.0);
            ms_json_set(&row, "spectral_radius",
                        ms_json_real(call->value[(size_t)j * (size_t)x->n + (size_t)i]));
            ms_json_append(&rows, row);
        }
    return rows;
}

static json_t *boundary_rows(const ms_stability_call *call, const char *variant)
{
    const ms_boundary *b = &call->boundary;
    json_t *rows = json_array();
    for (int k = 0; k < b->n; k++)
        for (int i = b->begin[k]; i < b->begin[k + 1]; i++) {
            json_t *row = point_row(call, variant, b->points[2 * i], b->points[2 * i + 1]);
            ms_json_set(&row, "curve", json_integer(k));
            ms_json_append(&rows, row);
        }
    return rows;
}

/* "0 to 0.0577, 0.08 to 0.1" */
static json_t *intervals_text(const ms_stability_call *call)
{
    const ms_critical *critical = &call->critical;
    const int digits = call->arguments->digits > 0 ? call->arguments->digits : 6;
    ms_text_stream stream;
    FILE *file = ms_text_open(&stream);
    for (int k = 0; k < critical->n && file != NULL; k++)
        fprintf(file, "%s%.*g to %.*g", k > 0 ? ", " : "", digits, critical->interval[k][0], digits,
                critical->interval[k][1]);
    char *text = ms_text_close(&stream);
    json_t *value = text != NULL ? ms_json_text(text) : NULL;
    free(text);
    return value;
}

static json_t *critical_rows(const ms_stability_call *call, const char *variant)
{
    json_t *row = ms_json_object("member:s critical_step_size:r stable_intervals:o", variant,
                                 call->critical.first, intervals_text(call));
    if (call->certificate != NULL)
        ms_json_set(&row, "certify",
                    json_string(ms_certificates_verdict(call->critical.n, call->certificate)));
    ms_json_set(&row, "message", json_string(""));
    return json_pack("[o]", row);
}

/* In place of the curves of a map that has none. */
static json_t *row_without_curve(const ms_stability_call *call, const char *variant)
{
    const char *extent = ms_stability_extent(call);
    json_t *row = ms_json_object("member:s", variant);
    ms_json_set(&row, "curve",
                json_string(extent == NULL                      ? "none"
                            : strcmp(extent, "everywhere") == 0 ? "stable everywhere"
                                                                : "unstable everywhere"));
    for (const ms_column *column = &ms_stability_curve_columns[1]; column->path != NULL; column++)
        ms_json_set(&row, column->path, json_null());
    return row;
}

/* The curves of a map as in the table of one scheme. */
static json_t *curve_rows(const ms_stability_call *call, const char *variant)
{
    json_t *answer = ms_stability_answer_curves(call), *rows = json_array(), *row;
    size_t k;
    json_array_foreach (json_object_get(answer, "rows"), k, row) {
        json_t *named = ms_json_object("member:s", variant);
        ms_json_join(&named, json_incref(row));
        ms_json_append(&rows, named);
    }
    json_decref(answer);
    if (call->boundary.n == 0)
        ms_json_append(&rows, row_without_curve(call, variant));
    return rows;
}

json_t *ms_stability_rows(const ms_stability_call *call, const char *variant, bool table)
{
    if (call->arguments->critical)
        return critical_rows(call, variant);
    if (ms_stability_is_line(call))
        return node_rows(call, variant);
    if (table)
        return curve_rows(call, variant);
    return call->value != NULL ? node_rows(call, variant) : boundary_rows(call, variant);
}
