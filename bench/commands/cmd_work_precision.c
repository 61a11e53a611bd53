/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_work_precision.c - errors over work: each member with several step sizes, or tolerances if it controls its step size. */
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "pareto.h"
#include "plots.h"
#include "row_names.h"
#include "run_variant_simulate.h"
#include "work_points.h"

enum { HALVINGS = 7, DECADES = 6 }; /* defaults without lists */

/* A row of the answer: a member with one step size or tolerance. */
typedef struct point {
    int member;
    double setting;
} point;

typedef struct work_call {
    ms_call base;
    ms_axis steps, tolerances; /* n = 0: not given */
    double step;               /* the largest one without a list */
    ms_run_variants runs;      /* the members */
    point *point;              /* (n) */
    long n;
    json_t **answer;   /* (n * starts) answers of runs, in the order of the points; NULL: not run */
    ms_system *system; /* of the case, for its times and those of the reference */
    ms_shared_reference *reference;
    ms_system *times;
    bool fits; /* at least one run fits; otherwise: */
    ms_error why;
    bool interrupted;
} work_call;

/* Lists -------------------------------------------------------------------------------------------------- */

static int starts_of(const work_call *call)
{
    return call->base.arguments.starts;
}

/* Takes the list of the option, which then makes no variants, or its one value. */
static int take_list(ms_arguments *arguments, ms_option_id option, double value, ms_axis *list,
                     ms_error *error)
{
    char text[32];
    for (int k = 0; k < arguments->n_axes; k++)
        if (ms_axis_is(&arguments->axes[k], option)) {
            *list = arguments->axes[k];
            arguments->n_axes--;
            memmove(&arguments->axes[k], &arguments->axes[k + 1],
                    sizeof arguments->axes[0] * (size_t)(arguments->n_axes - k));
            arguments->options.given[option] = false;
            return MS_OK;
        }
    if (!ms_option_asked(&arguments->options, option))
        return MS_OK;
    arguments->options.given[option] = false;
    snprintf(text, sizeof text, "%.17g", value);
    return ms_axis_create("--work", ms_option_table[option].name, text, list, error);
}

static int read(void *self, ms_error *error)
{
    work_call *call = self;
    ms_arguments *arguments = &call->base.arguments;
    ms_options *o = &arguments->options;
    ms_options defaults;
    ms_options_default(&defaults);
    int status = take_list(arguments, MS_OPTION_STEP_SIZE, o->step_size, &call->steps, error);
    MS_THEN(status, take_list(arguments, MS_OPTION_RTOL, o->control.rtol, &call->tolerances, error));
    o->step_size = defaults.step_size;
    o->control.rtol = defaults.control.rtol;
    if (arguments->work == MS_WORK_TIME && arguments->num_threads > 1)
        return ms_fail(error, MS_INVALID,
                       "--num-threads %d: --work time is measured on one thread; others would disturb it",
                       arguments->num_threads);
    return status;
}

/* Settings ----------------------------------------------------------------------------------------------- */

/* Setting k of a member: from the list, or by default step sizes that halve and divide the run, or decades of
 * tolerances. */
static double setting_of(const work_call *call, bool controlled, int k)
{
    const ms_axis *list = controlled ? &call->tolerances : &call->steps;
    const ms_options *o = &call->base.arguments.options;
    double value = NAN;
    if (list->n > 0) {
        (void)ms_axis_number(list, k, &value); /* checked before */
        return value;
    }
    const double length = ms_options_stop_time(o, call->times->stop_time) - o->start_time;
    return controlled ? pow(10.0, -1 - k)
                      : length / (fmax(1.0, ceil(length / call->times->step_size * (1.0 - 1e-12))) *
                                  (double)(1L << k));
}

static int settings_of(const work_call *call, bool controlled)
{
    const ms_axis *list = controlled ? &call->tolerances : &call->steps;
    return list->n > 0 ? list->n : controlled ? DECADES : HALVINGS;
}

static int list_points(work_call *call, ms_error *error)
{
    for (int m = 0; m < call->runs.n; m++)
        call->n += settings_of(call, ms_run_variant_is_controlled(&call->runs.variant[m]));
    if (call->n * starts_of(call) > MS_RUN_VARIANTS_MAX)
        return ms_fail(
            error, MS_INVALID,
            "lists make more than %d runs, which are held in memory; fewer step sizes, tolerances, "
            "starts or schemes are enough for a picture",
            MS_RUN_VARIANTS_MAX);
    call->point = calloc((size_t)call->n + 1, sizeof *call->point);
    call->answer = calloc((size_t)call->n * (size_t)starts_of(call) + 1, sizeof(json_t *));
    MS_TRY_MEMORY_FOR(call->point != NULL && call->answer != NULL, error, "the rows");
    long n = 0;
    for (int m = 0; m < call->runs.n; m++) {
        const bool controlled = ms_run_variant_is_controlled(&call->runs.variant[m]);
        for (int k = 0; k < settings_of(call, controlled); k++)
            call->point[n++] = (point){m, setting_of(call, controlled, k)};
    }
    return MS_OK;
}

static int unused(const work_call *call, ms_error *error)
{
    int of[2] = {0};
    for (int m = 0; m < call->runs.n; m++)
        of[ms_run_variant_is_controlled(&call->runs.variant[m])]++;
    if (call->steps.n > 0 && of[0] == 0)
        return ms_fail(
            error, MS_INVALID,
            "--step-size: every scheme here chooses its steps itself, by --rtol; a scheme with equal "
            "steps has --error-controlled none");
    if (call->tolerances.n > 0 && of[1] == 0)
        return ms_fail(
            error, MS_INVALID,
            "--rtol: every scheme here has equal steps; --error-controlled none,richardson adds their "
            "variants that choose them");
    return MS_OK;
}

static int bind(void *self, ms_error *error)
{
    work_call *call = self;
    ms_arguments *arguments = &call->base.arguments;
    MS_TRY(ms_run_variants_of_lists(arguments, MS_NO_OPTION, &call->runs, error));
    MS_TRY(unused(call, error));
    MS_TRY(ms_arguments_bind(arguments, call->base.model, &call->times, error));
    return list_points(call, error);
}

/* Runs --------------------------------------------------------------------------------------------------- */

/* 0, 1, -1, 2, -2, .. */
static int perturbation(int start)
{
    return start % 2 == 1 ? (start + 1) / 2 : -start / 2;
}

static int run_row(void *self, void *context, long k, json_t **record, ms_error *error)
{
    const work_call *call = self;
    const point *p = &call->point[k / starts_of(call)];
    ms_run_variant variant = call->runs.variant[p->member];
    ms_arguments arguments = call->base.arguments;
    (void)context;
    arguments.perturb_start += perturbation((int)(k % starts_of(call)));
    if (ms_run_variant_is_controlled(&variant))
        ms_run_variant_set_tolerance(&variant, p->setting, variant.options.given[MS_OPTION_ATOL]);
    else
        ms_run_variant_set_step(&variant, p->setting);
    return ms_run_variant_simulate(&arguments, call->base.model, &variant, call->reference, 0.0, record,
                                   error);
}

static int take_row(void *self, long k, json_t *record, ms_error *error)
{
    work_call *call = self;
    (void)error;
    call->fits = call->fits || json_is_true(json_object_get(record, "fits"));
    ms_fail(&call->why, MS_INVALID, "%s", json_string_value(json_object_get(record, "why")));
    call->answer[k] = json_incref(json_object_get(record, "answer"));
    return MS_OK;
}

static int run_all(work_call *call, ms_error *error)
{
    const ms_arguments *arguments = &call->base.arguments;
    ms_row_job job = {.what = "work-precision",
                      .n = call->n * starts_of(call),
                      .threads = arguments->work == MS_WORK_TIME ? 1 : ms_arguments_threads(arguments),
                      .self = call,
                      .compute = run_row,
                      .deliver = take_row};
    const int status = ms_call_rows(&call->base, &job, error);
    call->interrupted = status == MS_INTERRUPTED;
    if ((status != MS_OK && !call->interrupted) || call->base.written)
        return status;
    return call->fits || call->interrupted ? MS_OK : ms_fail(error, MS_INVALID, "%s", call->why.text);
}

/* The answer --------------------------------------------------------------------------------------------- */

static double evaluations(const json_t *run)
{
    const json_t *work = json_object_get(run, "work");
    double sum = 0.0;
    for (size_t k = 0; k < json_array_size(work); k++)
        sum += json_number_value(json_object_get(json_array_get(work, k), "rhs_evaluations"));
    return sum;
}

static double work_of(const json_t *run, int what)
{
    return what == MS_WORK_TIME          ? json_number_value(json_object_get(run, "wall_seconds"))
           : what == MS_WORK_EVALUATIONS ? evaluations(run)
                                         : ms_pareto_cost(run);
}

/* The median (the lower one for an even number), the least and the largest. */
static void set_range(json_t *row, const char *key, const char *range, int n, double *value, bool whole)
{
    gsl_sort(value, 1, (size_t)n);
    const double middle = value[(n - 1) / 2];
    (void)json_object_set_new(row, key, whole ? json_integer((json_int_t)middle) : ms_json_real(middle));
    (void)json_object_set_new(row, range, json_pack("[f, f]", value[0], value[n - 1]));
}

/* The row of a point: medians over the runs whose error is known, otherwise the values of the first run. */
static json_t *row_of(const work_call *call, const point *p, json_t *const *run)
{
    const int what = call->base.arguments.work;
    const bool controlled = ms_run_variant_is_controlled(&call->runs.variant[p->member]);
    double *error = calloc((size_t)starts_of(call) * 2 + 1, sizeof *error),
           *work = error != NULL ? error + starts_of(call) : NULL;
    int n = 0;
    json_t *row = ms_json_object(
        "member:n step_size:o tolerance:o work:n work_range:n error:n error_range:n macro_steps:O "
        "reason:O message:O",
        controlled ? json_null() : json_real(p->setting), controlled ? json_real(p->setting) : json_null(),
        json_object_get(run[0], "macro_steps"), json_object_get(run[0], "reason"),
        json_object_get(run[0], "message"));
    for (int k = 0; k < starts_of(call) && error != NULL; k++)
        if (json_is_number(json_object_get(run[k], "error"))) {
            error[n] = json_number_value(json_object_get(run[k], "error"));
            work[n++] = work_of(run[k], what);
        }
    if (n > 0) {
        set_range(row, "work", "work_range", n, work, what != MS_WORK_TIME);
        set_range(row, "error", "error_range", n, error, false);
    }
    if (error == NULL || json_object_set_new(row, "runs", json_integer(n)) != 0) {
        json_decref(row);
        row = NULL;
    }
    free(error);
    return row;
}

static bool has_run(const work_call *call, long k)
{
    bool all = true;
    for (int s = 0; s < starts_of(call); s++)
        all = all && call->answer[k * starts_of(call) + s] != NULL;
    return all;
}

/* The name of each member, taken from one of its runs; "" if it has none. */
static json_t *member_names(const work_call *call)
{
    json_t *runs = json_array(), *names = json_array();
    for (long k = 0, last = -1; k < call->n; k++)
        if (has_run(call, k) && call->point[k].member != last) {
            last = call->point[k].member;
            ms_json_append(&runs, json_incref(call->answer[k * starts_of(call)]));
        }
    json_t *found = ms_row_names(runs, "step_size rtol atol");
    for (size_t k = 0, m = 0; m < (size_t)call->runs.n; m++) {
        bool any = false;
        for (long i = 0; i < call->n && !any; i++)
            any = call->point[i].member == (int)m && has_run(call, i);
        ms_json_append(&names, any ? json_incref(json_array_get(found, k++)) : json_string(""));
    }
    json_decref(runs);
    json_decref(found);
    return names;
}

/* Adds a row, and the same values as a point of the picture. */
static void add_row(const work_call *call, const json_t *names, long k, json_t **rows, json_t **points)
{
    static const char *const same[] = {"work", "work_range", "error", "error_range"};
    json_t *const *run = &call->answer[k * starts_of(call)], *row = row_of(call, &call->point[k], run);
    json_t *name = json_array_get(names, (size_t)call->point[k].member),
           *drawn = row != NULL ? ms_work_point(run[0], json_string_value(name)) : NULL;
    for (size_t i = 0; i < sizeof same / sizeof same[0] && drawn != NULL; i++)
        ms_json_set(&drawn, same[i], json_incref(json_object_get(row, same[i])));
    ms_json_set(&row, "member", json_incref(name));
    ms_json_append(rows, row);
    ms_json_append(points, drawn);
}

static void answer(work_call *call)
{
    static const ms_column
        once[] = {{"member", "member"}, {"step_size", "step size"}, {"tolerance", "tolerance"},
                  {"work", "work"},     {"error", "error"},         {"macro_steps", "steps"},
                  {"reason", "reason"}, {"message", "message"},     {0}},
        several[] = {{"member", "member"}, {"step_size", "step size"}, {"tolerance", "tolerance"},
                     {"work", "work"},     {"work_range.0", "from"},   {"work_range.1", "to"},
                     {"error", "error"},   {"error_range.0", "from"},  {"error_range.1", "to"},
                     {"reason", "reason"}, {"message", "message"},     {0}};
    static const char *const labels[] = {"number of integrations", "evaluations of right-hand sides",
                                         "time / s"};
    const ms_arguments *arguments = &call->base.arguments;
    json_t *names = member_names(call), *rows = json_array(), *points = json_array();
    for (long k = 0; k < call->n && names != NULL; k++)
        if (has_run(call, k))
            add_row(call, names, k, &rows, &points);
    json_decref(names);
    call->base.answer.columns = starts_of(call) > 1 ? several : once;
    call->base.plotted =
        ms_json_object("points:o work:s norm:s error_scale:s", points, labels[arguments->work],
                       ms_option_choice(&arguments->options, MS_OPTION_NORM),
                       ms_option_choice(&arguments->options, MS_OPTION_ERROR_SCALE));
    call->base.answer.value = ms_json_object(
        "model:s norm:s error_scale:s work:s starts:i rows:o", call->base.model->name,
        ms_option_choice(&arguments->options, MS_OPTION_NORM),
        ms_option_choice(&arguments->options, MS_OPTION_ERROR_SCALE),
        ms_argument_table[MS_ARGUMENT_WORK].option.choices[arguments->work], starts_of(call), rows);
}

static int compute(void *self, ms_error *error)
{
    work_call *call = self;
    if (call->base.given == NULL)
        ms_run_variant_reference(&call->base.arguments, call->base.model, &call->system, &call->reference);
    const int status = run_all(call, error);
    if (status == MS_OK && !call->base.written)
        answer(call);
    call->base.exit_status = call->interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
    return status;
}

static void destroy(void *self)
{
    work_call *call = self;
    for (long k = 0; k < call->n * starts_of(call) && call->answer != NULL; k++)
        json_decref(call->answer[k]);
    MS_FREE(call->answer, call->point);
    ms_axis_destroy(&call->steps);
    ms_axis_destroy(&call->tolerances);
    ms_shared_reference_destroy(&call->reference);
    ms_system_destroy(&call->system);
    ms_system_destroy(&call->times);
    ms_run_variants_destroy(&call->runs);
}

const ms_call_steps ms_command_work_precision = {.size = sizeof(work_call),
                                                 .binds = MS_BINDS_MODEL,
                                                 .read = read,
                                                 .bind = bind,
                                                 .compute = compute,
                                                 .plot_answer = ms_plot_work,
                                                 .destroy = destroy};
