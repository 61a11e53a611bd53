/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "call.h"
#include "plots.h"
#include "progress.h"
#include "row_names.h"
#include "run_variants.h"
#include "stability_setup.h"

typedef struct stability_call {
    ms_call base;
    bool lists;
    ms_run_variants variants;
    stability_variant *variant; /* (variants.n) */
    int done;                   /* of these variants */
} stability_call;

/* The model and the plane of --test-equation, unless others are given. */
static int take_test_equation(ms_arguments *a, ms_error *error)
{
    static const char *const plane[2] = {"re=-4:1:lin:61", "im=-3:3:lin:61"};
    int status = MS_OK;
    if (a->operand != NULL || a->text[MS_ARGUMENT_SYSTEM] != NULL)
        return ms_fail(error, MS_INVALID, "--test-equation: has its own model; leave out %s",
                       a->operand != NULL ? a->operand : a->text[MS_ARGUMENT_SYSTEM]);
    a->operand = "test-equation";
    if (a->critical || a->range[0].n > 0 || a->range[1].n > 0)
        return MS_OK;
    for (int k = 0; k < 2 && status == MS_OK; k++)
        status = ms_range_create(k == 0 ? "x" : "y", plane[k], &a->range[k], error);
    return status;
}

/* Checks options that concern all variants. */
static int check_call(stability_call *self, ms_error *error)
{
    const ms_stability_call whole = {.arguments = &self->base.arguments};
    const int status =
        whole.arguments->test_equation ? take_test_equation(&self->base.arguments, error) : MS_OK;
    if (status != MS_OK)
        return status;
    if (whole.arguments->critical && whole.arguments->order_star)
        return ms_fail(error, MS_INVALID,
                       "--order-star: --critical searches the step sizes of stability itself");
    if (whole.arguments->certify && !whole.arguments->critical)
        return ms_fail(error, MS_INVALID, "--certify: requires --critical, whose stable intervals it proves");
    return whole.arguments->critical ? MS_OK : ms_stability_check_axes(&whole, error);
}

static int find_model(stability_call *self, ms_error *error)
{
    const ms_arguments *a = &self->base.arguments;
    const bool lambda = a->range[0].n > 0 && ms_stability_is_lambda(a->range[0].name);
    return lambda ? MS_OK : ms_arguments_model(a, &self->base.model, &self->base.owned, error);
}

/* With --critical, --max-step is not an option of the schemes: it ends the search, also for schemes that do not
 * know it. */
static void keep_end(const ms_arguments *whole, ms_options *options)
{
    if (!whole->critical)
        return;
    options->control.max_step = whole->options.control.max_step;
    options->given[MS_OPTION_MAX_STEP] = whole->options.given[MS_OPTION_MAX_STEP];
}

/* In a list, variants that do not fit become rows with the reason, unless none fits. */
static int prepare_members(stability_call *self, ms_error *error)
{
    bool one = false;
    int status = MS_OK;
    for (int k = 0; k < self->variants.n && status == MS_OK; k++) {
        stability_variant *variant = &self->variant[k];
        variant->arguments = self->base.arguments;
        variant->arguments.options = self->variants.variant[k].options;
        variant->arguments.settings = self->variants.variant[k].settings;
        keep_end(&self->base.arguments, &variant->arguments.options);
        variant->map.arguments = &variant->arguments;
        const int fitted = ms_stability_prepare_variant(self->base.model, variant, &variant->why);
        variant->fits = fitted == MS_OK;
        one = one || variant->fits;
        if (fitted != MS_OK && (!self->lists || (fitted != MS_INVALID && fitted != MS_UNSUPPORTED)))
            status = ms_fail(error, fitted, "%s", variant->why.text);
    }
    return status == MS_OK && !one ? ms_fail(error, MS_INVALID, "%s", self->variant[0].why.text) : status;
}

static int prepare(void *of, ms_error *error)
{
    stability_call *self = of;
    ms_arguments *a = &self->base.arguments;
    self->lists = a->n_axes > 0;
    self->base.serial = a->critical || a->boundary_only || self->lists;
    self->base.why_serial =
        self->lists ? "lists of schemes have no rows that could be shared"
                    : "--critical and --boundary-only compute each point from the last one, and have no "
                      "rows that could be shared";
    MS_TRY(check_call(self, error));
    MS_TRY(find_model(self, error));
    MS_TRY(ms_run_variants_of_lists(a, MS_NO_OPTION, &self->variants, error));
    self->variant = calloc((size_t)self->variants.n + 1, sizeof *self->variant);
    return self->variant != NULL
               ? prepare_members(self, error)
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for %d schemes", self->variants.n);
}

static ms_region_grid grid_of(const ms_stability_call *call)
{
    const ms_range *x = &call->arguments->range[0], *y = &call->arguments->range[1];
    static const double nowhere[1] = {0.0}; /* a line has no second axis */
    return y->n > 0 ? (ms_region_grid){x->n, y->n, x->value, y->value}
                    : (ms_region_grid){x->n, 1, x->value, nowhere};
}

/* The spectral radii of a piece of the map, as a row that can be shared. */
static int map_piece(void *of, void *context, long k, json_t **record, ms_error *error)
{
    const stability_call *self = of;
    const ms_stability_call *call = &self->variant[self->done].map;
    const ms_region_grid grid = grid_of(call);
    int i, j;
    const int n = ms_region_piece(&grid, (int)k, &i, &j);
    double *radius = malloc(sizeof *radius * (size_t)n);
    MS_TRY_MEMORY_FOR(radius != NULL, error, "a row of the map");
    const int status = ms_region_map_piece(&call->field, context, &grid, (int)k, radius, error);
    json_t *radii = status == MS_OK ? json_array() : NULL;
    for (int m = 0; m < n && status == MS_OK; m++)
        ms_json_append(&radii, ms_json_exact(radius[m]));
    *record = status == MS_OK ? ms_json_object("radii:o", radii) : NULL;
    free(radius);
    return status;
}

static int place_piece(void *of, long k, json_t *record, ms_error *error)
{
    const stability_call *self = of;
    const ms_stability_call *call = &self->variant[self->done].map;
    const ms_region_grid grid = grid_of(call);
    const json_t *radii = json_object_get(record, "radii");
    int i, j;
    const int n = ms_region_piece(&grid, (int)k, &i, &j);
    if (json_array_size(radii) != (size_t)n)
        return ms_fail(error, MS_INVALID, "row %ld of the map: %d radii are needed", k, n);
    for (int m = 0; m < n; m++)
        call->value[(size_t)j * (size_t)grid.nx + (size_t)(i + m)] =
            ms_json_exact_value(json_array_get(radii, (size_t)m));
    return MS_OK;
}

/* The spectral radii at all points. */
static int map_all(stability_call *self, ms_stability_call *call, ms_error *error)
{
    const ms_region_grid grid = grid_of(call);
    const ms_field *field = &call->field;
    call->value = calloc((size_t)grid.nx * (size_t)grid.ny, sizeof *call->value);
    MS_TRY_MEMORY_FOR(call->value != NULL, error, "a map of %d x %d points", grid.nx, grid.ny);
    ms_row_job job = {.what = "stability",
                      .n = ms_region_pieces(&grid),
                      .threads = ms_arguments_threads(call->arguments),
                      .contexts = {field->self, field->open, field->close},
                      .self = self,
                      .compute = map_piece,
                      .deliver = place_piece};
    return ms_call_rows(&self->base, &job, error);
}

/* Without --y: the spectral radii, and the intervals between their crossings of the level. */
static int line(stability_call *self, ms_stability_call *call, const ms_effort *effort, ms_error *error)
{
    const int status = map_all(self, call, error);
    const ms_range *x = &call->arguments->range[0];
    return status != MS_OK || self->base.written
               ? status
               : ms_region_intervals(&call->field, x->n, x->value, call->value, effort, &call->critical,
                                     error);
}

static int map(stability_call *self, ms_stability_call *call, const ms_effort *effort, ms_error *error)
{
    const ms_region_grid grid = grid_of(call);
    int status = call->arguments->boundary_only ? MS_OK : map_all(self, call, error);
    if (status != MS_OK || self->base.written)
        return status;
    status = ms_region_trace(&call->field, &grid, MS_REGION_LEVEL, call->arguments->boundary_tolerance,
                             call->value, effort, &call->boundary, error);
    return status == MS_OK && call->arguments->test_equation ? ms_stability_find_limits(call, effort, error)
                                                             : status;
}

/* Answers ------------------------------------------------------------------------------------------------- */

static json_t *answer_of(const ms_stability_call *call)
{
    return call->arguments->critical    ? ms_stability_answer_critical(call)
           : ms_stability_is_line(call) ? ms_stability_answer_line(call)
                                        : ms_stability_answer_map(call);
}

/* Rows of answers. */
static json_t *member_answers(const stability_call *self)
{
    json_t *rows = json_array();
    for (int k = 0; k < self->variants.n; k++) {
        const stability_variant *variant = &self->variant[k];
        ms_json_append(&rows, variant->fits
                                  ? answer_of(&variant->map)
                                  : ms_stability_answer_incompatible(&variant->map, variant->why.text));
    }
    return rows != NULL && ms_row_names_set(rows, NULL) == MS_OK ? rows : NULL;
}

static json_t *row_without(const stability_call *self, const char *name, const char *why)
{
    json_t *row = ms_json_object("member:s critical_step_size:n stable_intervals:s", name, "");
    if (self->base.arguments.certify)
        ms_json_set(&row, "certify", json_string(""));
    ms_json_set(&row, "message", ms_json_text(why));
    return json_pack("[o]", row);
}

/* The same as rows of one shape, for tables and CSV; maps list variants that do not fit only in the remarks. */
static json_t *member_rows(const stability_call *self, const json_t *answers, bool table)
{
    json_t *rows = json_array(), *left_out = json_object();
    for (int k = 0; k < self->variants.n; k++) {
        const stability_variant *variant = &self->variant[k];
        const char *name = json_string_value(json_object_get(json_array_get(answers, (size_t)k), "member"));
        if (variant->fits)
            ms_json_join(&rows, ms_stability_rows(&variant->map, name, table));
        else if (self->base.arguments.critical)
            ms_json_join(&rows, row_without(self, name, variant->why.text));
        else
            ms_json_set(&left_out, name, ms_json_text(variant->why.text));
    }
    json_t *value = ms_json_object("rows:o", rows);
    if (json_object_size(left_out) > 0)
        ms_json_set(&value, "incompatible", json_incref(left_out));
    json_decref(left_out);
    return value;
}

static void answer_lists(stability_call *self)
{
    static const ms_column critical[] = {{"member", "member"},
                                         {"critical_step_size", "critical step size"},
                                         {"stable_intervals", "stable intervals"},
                                         {"message", "message"},
                                         {0}};
    static const ms_column certified[] = {{"member", "member"},
                                          {"critical_step_size", "critical step size"},
                                          {"stable_intervals", "stable intervals"},
                                          {"certify", "certificate"},
                                          {"message", "message"},
                                          {0}};
    ms_call *base = &self->base;
    const ms_format format = base->arguments.format;
    const bool flat = format == MS_FORMAT_TABLE || format == MS_FORMAT_CSV;
    json_t *answers = member_answers(self);
    base->plotted = ms_json_object("rows:o", answers);
    base->answer.columns = base->arguments.certify ? certified : base->arguments.critical ? critical : NULL;
    base->answer.value = base->plotted == NULL ? NULL
                         : flat                ? member_rows(self, answers, format == MS_FORMAT_TABLE)
                                               : json_incref(base->plotted);
}

static int write_csv(stability_call *self, const ms_stability_call *call, ms_error *error)
{
    const int status =
        ms_stability_write_csv(call, ms_call_provenance(&self->base), self->base.output.file, error);
    self->base.written = true;
    return status == MS_OK ? ms_output_close(&self->base.output, error) : status;
}

/* The answer of one scheme in the format asked for. */
static int answer_one(stability_call *self, ms_error *error)
{
    const ms_stability_call *call = &self->variant[0].map;
    ms_answer *answer = &self->base.answer;
    const ms_format format = call->arguments->format;
    const bool maps = !call->arguments->critical && !ms_stability_is_line(call);
    if (maps && call->arguments->text[MS_ARGUMENT_PLOT] != NULL)
        self->base.plotted = ms_stability_answer_map(call);
    if (maps && format == MS_FORMAT_CSV)
        return write_csv(self, call, error);
    if (maps && format == MS_FORMAT_TABLE) {
        answer->columns = ms_stability_curve_columns;
        answer->value = ms_stability_answer_curves(call);
    } else if (ms_stability_is_line(call) && (format == MS_FORMAT_TABLE || format == MS_FORMAT_CSV)) {
        answer->value =
            ms_json_object("rows:o", ms_stability_rows(call, call->arguments->options.scheme, false));
        self->base.plotted = ms_stability_answer_line(call);
    } else {
        answer->value = answer_of(call);
    }
    return MS_OK;
}

static int compute_member(stability_call *self, ms_error *error)
{
    ms_stability_call *call = &self->variant[self->done].map;
    ms_progress progress;
    const ms_effort effort = {.threads = ms_arguments_threads(call->arguments),
                              .stop = &ms_interrupted,
                              .progress = ms_progress_follow,
                              .self = &progress};
    ms_progress_begin(&progress, "stability", self->variants.n);
    ms_progress_part(&progress, (double)self->done, 1.0);
    const int status = call->arguments->critical    ? ms_stability_search_critical(call, &effort, error)
                       : ms_stability_is_line(call) ? line(self, call, &effort, error)
                                                    : map(self, call, &effort, error);
    ms_progress_end(&progress);
    return status;
}

static int compute(void *of, ms_error *error)
{
    stability_call *self = of;
    int status = MS_OK;
    for (; self->done < self->variants.n && status == MS_OK; self->done++)
        if (self->variant[self->done].fits)
            status = compute_member(self, error);
    if (status != MS_OK || self->base.written)
        return status;
    if (!self->lists)
        return answer_one(self, error);
    answer_lists(self);
    return MS_OK;
}

static void destroy(void *of)
{
    stability_call *self = of;
    for (int k = 0; k < self->variants.n && self->variant != NULL; k++) {
        ms_stability_call_destroy(&self->variant[k].map);
        ms_system_destroy(&self->variant[k].system);
    }
    free(self->variant);
    ms_run_variants_destroy(&self->variants);
}

const ms_call_steps ms_command_stability = {.size = sizeof(stability_call),
                                            .read = prepare,
                                            .compute = compute,
                                            .plot_answer = ms_plot_stability,
                                            .destroy = destroy};
