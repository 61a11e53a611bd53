/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stability_call.h"

#include <math.h>
#include <stdlib.h>

#include "certificate_answer.h"
#include "linearise_answer.h"
#include "provenance.h"

const ms_column ms_stability_curve_columns[] = {
    {"curve", "curve"}, {"points", "points"}, {"closed", "closed"}, {"x_min", "x from"},
    {"x_max", "to"},    {"y_min", "y from"},  {"y_max", "to"},      {0}};

/* n rows, `row` makes each of them. */
static json_t *rows_of(int n, const ms_stability_call *call, json_t *row(const ms_stability_call *, int))
{
    json_t *array = json_array();
    for (int k = 0; k < n; k++)
        ms_json_append(&array, row(call, k));
    return array;
}

/* The unit of a parameter; "1" if it has none. */
static const char *unit_of(const ms_stability_call *call, const char *name)
{
    if (strcmp(name, "step-size") == 0)
        return "s";
    const ms_model *model = call->system != NULL ? call->system->model : NULL;
    const int p = model != NULL ? ms_model_parameter(model, name) : -1;
    const char *unit = p >= 0 ? model->parameters[p].unit : NULL;
    return unit != NULL && unit[0] != '\0' ? unit : "1";
}

/* The summary of the parameter; "" if it is not one. */
static const char *summary_of(const ms_stability_call *call, const char *name)
{
    const ms_model *model = call->system != NULL ? call->system->model : NULL;
    const int p = model != NULL ? ms_model_parameter(model, name) : -1;
    const char *summary = p >= 0 ? model->parameters[p].summary : NULL;
    return summary != NULL ? summary : "";
}

static json_t *axis_json(const ms_stability_call *call, int k)
{
    const ms_range *axis = &call->arguments->range[k];
    return ms_json_object("name:s unit:s summary:s values:o", axis->name, unit_of(call, axis->name),
                          summary_of(call, axis->name), ms_json_of_vector(axis->n, axis->value));
}

static json_t *curve_json(const ms_stability_call *call, int k)
{
    const ms_boundary *b = &call->boundary;
    return ms_json_of_pairs(b->begin[k + 1] - b->begin[k], b->points + 2 * b->begin[k]);
}

static json_t *interval_json(const ms_stability_call *call, int k)
{
    return ms_json_of_vector(2, call->critical.interval[k]);
}

/* Where a nonlinear model was linearised: "start", "equilibrium" or the time [s]; null of a linear one. */
static json_t *point_json(const ms_stability_call *call)
{
    const ms_linearisation_point *linearised_at = &call->stability.linearised_at;
    if (call->system == NULL || call->system->linear)
        return json_null();
    if (linearised_at->kind == MS_LINEARISE_AT_TIME)
        return json_real(linearised_at->t);
    return json_string(linearised_at->kind == MS_LINEARISE_AT_START ? "start" : "equilibrium");
}

/* What both answers begin with. */
static json_t *head(const ms_stability_call *call)
{
    const ms_system *system = call->system;
    json_t *scheme = ms_options_json(&call->arguments->options);
    static const char *const open[] = {"step_size", "start_time", "stop_time",
                                       "min_step",  "max_step",   "norm"};
    for (int k = 0; k < MS_COUNT(open); k++)
        json_object_del(scheme, open[k]);
    if (call->arguments->options.solver[0] == '\0') /* of a linear model exact, of the limit none */
        json_object_del(scheme, "solver");
    json_t *value = system == NULL ? ms_json_object("model:n")
                                   : ms_json_object("model:s case:s parameters:o", system->model->name,
                                                    system->case_name, ms_parameters_json(system));
    ms_json_join(&value, ms_json_object("scheme:o by:s linearised:o tolerance:f", scheme, call->by,
                                        point_json(call), MS_REGION_TOLERANCE));
    if (call->arguments->order_star)
        ms_json_set(&value, "order_star", json_true());
    if (call->arguments->test_equation && !call->arguments->critical && !ms_stability_is_line(call))
        ms_json_set(&value, "axis_limits",
                    ms_json_object("real:r imaginary:r searched:f", call->axis_limit[0], call->axis_limit[1],
                                   MS_AXIS_LIMIT_END));
    if (system != NULL && !system->linear)
        ms_partials_say(&value, system, call->stability.partials_error);
    return value;
}

/* The same with more variants (stolen). */
static json_t *with(json_t *value, json_t *more)
{
    ms_json_join(&value, more);
    return value;
}

static json_t *step_json(const ms_stability_call *call)
{
    const int *axis = call->stability.axis;
    const bool fixed = call->system != NULL && axis[0] != MS_AXIS_STEP_SIZE && axis[1] != MS_AXIS_STEP_SIZE;
    return fixed ? json_real(call->stability.step_size) : json_null();
}

/* Number of points by the kind of their crossing, without regular ones. */
static json_t *kinds_json(const ms_boundary *b)
{
    json_t *kinds = json_object();
    for (int k = MS_CROSSING_FLAT; k < MS_CROSSING_KINDS; k++)
        ms_json_set(&kinds, ms_crossing_names[k], json_integer(b->kinds[k]));
    return kinds;
}

/* How near the points lie to the curve. */
static json_t *accuracy(const ms_stability_call *call)
{
    const ms_boundary *b = &call->boundary;
    return ms_json_object("boundary_tolerance:f boundary_width:f boundary_residual:f irregular:o",
                          call->arguments->boundary_tolerance, b->width, b->residual, kinds_json(b));
}

/* Point i of curve k, unless its crossing is regular. */
static void append_irregular(const ms_boundary *b, int k, int i, json_t **array)
{
    if (b->kind[i] != MS_CROSSING_REGULAR)
        ms_json_append(array, ms_json_object("curve:i x:f y:f kind:s", k, b->points[2 * i],
                                             b->points[2 * i + 1], ms_crossing_names[b->kind[i]]));
}

static json_t *irregular_json(const ms_boundary *b)
{
    json_t *array = json_array();
    for (int k = 0; k < b->n; k++)
        for (int i = b->begin[k]; i < b->begin[k + 1]; i++)
            append_irregular(b, k, i, &array);
    return array;
}

const char *ms_stability_extent(const ms_stability_call *call)
{
    const int nodes = call->arguments->range[0].n * call->arguments->range[1].n;
    int stable = 0;
    for (int k = 0; k < nodes && call->value != NULL; k++)
        stable += call->value[k] <= MS_REGION_LEVEL;
    const bool whole = call->boundary.n == 0 && (stable == 0 || stable == nodes);
    return call->value == NULL ? NULL : !whole ? "in part" : stable > 0 ? "everywhere" : "nowhere";
}

static json_t *counts(const ms_stability_call *call)
{
    const json_int_t nodes = (json_int_t)call->arguments->range[0].n * call->arguments->range[1].n;
    json_t *value =
        ms_json_object("step_size:o stable:s? evaluations:l raster_evaluations:I coarse_spacing:i islands:i",
                       step_json(call), ms_stability_extent(call), call->boundary.evaluations,
                       call->value != NULL ? nodes : 0, call->boundary.spacing, call->boundary.islands);
    return with(value, accuracy(call));
}

json_t *ms_stability_answer_map(const ms_stability_call *call)
{
    const int nx = call->arguments->range[0].n, ny = call->arguments->range[1].n;
    json_t *radius = call->value != NULL ? ms_json_of_matrix(ny, nx, nx, call->value) : json_null();
    json_t *maps =
        ms_json_object("axes:o spectral_radius:o boundary:o irregular_points:o", rows_of(2, call, axis_json),
                       radius, rows_of(call->boundary.n, call, curve_json), irregular_json(&call->boundary));
    return with(with(head(call), maps), counts(call));
}

/* Table: a row for each curve. */
static json_t *curve_row(const ms_stability_call *call, int k)
{
    const ms_boundary *b = &call->boundary;
    const double *p = b->points + 2 * b->begin[k], *last = b->points + 2 * (b->begin[k + 1] - 1);
    double low[2] = {p[0], p[1]}, high[2] = {p[0], p[1]};
    const bool closed = p[0] == last[0] && p[1] == last[1];
    for (; p <= last; p += 2)
        for (int i = 0; i < 2; i++) {
            low[i] = p[i] < low[i] ? p[i] : low[i];
            high[i] = p[i] > high[i] ? p[i] : high[i];
        }
    return ms_json_object("curve:i points:i closed:b x_min:f x_max:f y_min:f y_max:f", k,
                          b->begin[k + 1] - b->begin[k], closed, low[0], high[0], low[1], high[1]);
}

json_t *ms_stability_answer_curves(const ms_stability_call *call)
{
    json_t *maps = ms_json_object("x:s y:s rows:o", call->arguments->range[0].name,
                                  call->arguments->range[1].name, rows_of(call->boundary.n, call, curve_row));
    return with(with(head(call), counts(call)), maps);
}

int ms_stability_write_csv(const ms_stability_call *call, json_t *provenance, FILE *file, ms_error *error)
{
    const ms_range *x = &call->arguments->range[0], *y = &call->arguments->range[1];
    const ms_boundary *b = &call->boundary;
    json_t *remarks = with(provenance, with(head(call), counts(call)));
    fprintf(file, call->value != NULL ? "%s,%s,spectral_radius\n" : "curve,%s,%s\n", x->name, y->name);
    const int status = remarks != NULL ? ms_answer_remarks(remarks, file) : MS_NO_MEMORY;
    json_decref(remarks);
    if (status != MS_OK)
        return ms_fail(error, status, "not enough memory for the answer");
    for (int j = 0; j < y->n && call->value != NULL; j++)
        for (int i = 0; i < x->n; i++) {
            const double radius = call->value[(size_t)j * (size_t)x->n + (size_t)i];
            ms_csv_numbers(3, (const double[]){x->value[i], y->value[j], radius}, file);
        }
    for (int k = 0; k < b->n && call->value == NULL; k++)
        for (int i = b->begin[k]; i < b->begin[k + 1]; i++)
            ms_csv_numbers(3, (const double[]){k, b->points[2 * i], b->points[2 * i + 1]}, file);
    return MS_OK;
}

json_t *ms_stability_answer_line(const ms_stability_call *call)
{
    const int n = call->arguments->range[0].n;
    return with(head(call),
                ms_json_object("axes:o spectral_radius:o stable_intervals:o step_size:o evaluations:i",
                               rows_of(1, call, axis_json), ms_json_of_matrix(1, n, n, call->value),
                               rows_of(call->critical.n, call, interval_json), step_json(call), n));
}

/* What a variant is that has no map, in both shapes. */
json_t *ms_stability_answer_incompatible(const ms_stability_call *call, const char *why)
{
    json_t *scheme = ms_options_json(&call->arguments->options);
    return call->arguments->critical
               ? ms_json_object("scheme:o critical_step_size:n stable_intervals:o reason:s message:s", scheme,
                                json_array(), "incompatible", why)
               : ms_json_object("scheme:o spectral_radius:n boundary:o reason:s message:s", scheme,
                                json_array(), "incompatible", why);
}

/* How often eigenvalues meet, and where it was looked into; null of matrices whose eigenvalues are not followed. */
static json_t *resonances_json(const ms_critical *critical)
{
    return isnan(critical->crossings)
               ? json_null()
               : ms_json_object("crossings:f looked_into:l", critical->crossings, critical->looked_into);
}

json_t *ms_stability_answer_critical(const ms_stability_call *call)
{
    const ms_critical *critical = &call->critical;
    json_t *steps = ms_json_object(
        "critical_step_size:r stable_intervals:o largest_step_size:f evaluations:l resonances:o",
        critical->first, rows_of(critical->n, call, interval_json), call->end, critical->evaluations,
        resonances_json(critical));
    if (call->certificate != NULL)
        ms_json_set(&steps, "certify", ms_certificates_json(critical->n, call->certificate));
    return with(head(call), steps);
}

void ms_stability_call_destroy(ms_stability_call *call)
{
    for (int k = 0; k < call->critical.n && call->certificate != NULL; k++)
        ms_certificate_destroy(&call->certificate[k]);
    free(call->certificate);
    call->certificate = NULL;
    ms_certifier_destroy(&call->certifier);
    ms_boundary_destroy(&call->boundary);
    ms_critical_destroy(&call->critical);
    free(call->value);
    call->value = NULL;
}
