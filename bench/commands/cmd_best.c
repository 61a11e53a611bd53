/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_best.c - work to reach an error: which schemes reach it, with which steps, at the lowest cost.
 *
 * All variants are refined together, level by level, so that variants already too expensive are not refined further. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/simulation.h>
#include "call.h"
#include "pareto.h"
#include "plots.h"
#include "progress.h"
#include "row_names.h"
#include "run_variant_simulate.h"
#include "work_points.h"

enum { LEVELS = 13, REFINEMENTS = 2, COARSEST = 32, LEAST_STEPS = 2 };

static const double dearest = 2.0;       /* times the cheapest cost: more expensive candidates are dropped */
static const double loosest = 0.1;       /* tolerance of level 0 */
static const double tolerances = 0.3162; /* factor from one level to the next */

typedef struct candidate {
    ms_run_variant variant; /* with the step size or tolerance of the next run */
    bool controlled;        /* it controls its step size */
    bool fixed;             /* its tolerance was given: one run is enough */
    bool off;               /* dropped: it does not fit, or is too expensive */
    double fails, reaches;  /* levels; reaches is NaN until a run reaches the error */
    json_t *row;            /* of the cheapest run that reaches the error, otherwise of the last one */
    double cost;            /* of that row */
    int runs, given_up;     /* runs includes those stopped early */
    json_t *tried;          /* all runs, as points of the picture */
} candidate;

typedef struct best_call {
    ms_call base;
    ms_scheme_variants variants;
    ms_run_variants runs;
    ms_system *system; /* of the case, for its times and those of the reference */
    ms_shared_reference *reference;
    ms_system *times;
    candidate *candidate; /* (runs.n) */
    int *active;          /* (n_active) indices of the candidates of the next runs, at these levels: */
    double *level;
    int n_active;
    bool fits;
    ms_error why;
    ms_progress progress;
} best_call;

/* The call ----------------------------------------------------------------------------------------------- */

static int check(void *self, ms_error *error)
{
    const ms_arguments *arguments = &((best_call *)self)->base.arguments;
    if (arguments->text[MS_ARGUMENT_ERROR] == NULL)
        return ms_fail(error, MS_INVALID,
                       "--error is missing: the error that must be reached, for example --error 1e-3");
    if (ms_arguments_list(arguments, MS_OPTION_STEP_SIZE) != NULL)
        return ms_fail(error, MS_INVALID,
                       "--step-size: best takes one value, the largest step size that is tried");
    return MS_OK;
}

static candidate candidate_of(const ms_run_variant *variant)
{
    const bool controlled = ms_run_variant_is_controlled(variant);
    return (candidate){.variant = *variant,
                       .controlled = controlled,
                       .fixed = controlled && ms_option_asked(&variant->options, MS_OPTION_RTOL),
                       .tried = json_array(),
                       .fails = -1.0,
                       .reaches = NAN,
                       .cost = NAN};
}

static int bind(void *self, ms_error *error)
{
    best_call *call = self;
    ms_arguments *arguments = &call->base.arguments;
    int status = ms_scheme_variants_create(arguments, &call->variants, error);
    MS_THEN(status, ms_run_variants_of_schemes(arguments, &call->variants, &call->runs, error));
    MS_THEN(status, ms_arguments_bind(arguments, call->base.model, &call->times, error));
    const size_t n = (size_t)call->runs.n + 1;
    call->candidate = calloc(n, sizeof *call->candidate);
    call->active = calloc(n, sizeof *call->active);
    call->level = calloc(n, sizeof *call->level);
    if (status != MS_OK)
        return status;
    MS_TRY_MEMORY_FOR(call->candidate != NULL && call->active != NULL && call->level != NULL, error,
                      "the rows");
    for (int k = 0; k < call->runs.n; k++)
        call->candidate[k] = candidate_of(&call->runs.variant[k]);
    return status;
}

/* Runs --------------------------------------------------------------------------------------------------- */

/* Macro-steps at a level. */
static double steps_at(const best_call *call, double level)
{
    const ms_options *o = &call->base.arguments.options;
    const double length = ms_options_stop_time(o, call->times->stop_time) - o->start_time;
    const double largest = o->step_size > 0.0 ? o->step_size : COARSEST * call->times->step_size;
    return fmax(LEAST_STEPS,
                round(fmax(LEAST_STEPS, ceil(length / largest * (1.0 - 1e-12))) * pow(2.0, level)));
}

/* Options of a candidate at a level: steps that divide the run, or a tolerance. */
static void set_level(const best_call *call, candidate *c, double level)
{
    const ms_options *o = &c->variant.options;
    const double length = ms_options_stop_time(o, call->times->stop_time) - o->start_time;
    if (!c->controlled)
        ms_run_variant_set_step(&c->variant, length / steps_at(call, level));
    else if (!c->fixed)
        ms_run_variant_set_tolerance(&c->variant, loosest * pow(tolerances, level),
                                     call->base.arguments.options.given[MS_OPTION_ATOL]);
}

/* The error at which a run is stopped early because it misses it by far; 0: never. A largest error only grows. */
static double wanted(const ms_arguments *arguments)
{
    const ms_options *o = &arguments->options;
    return o->norm == MS_NORM_MAX && o->error_scale == MS_SCALE_NONE ? arguments->error : 0.0;
}

static int run_row(void *self, void *context, long k, json_t **record, ms_error *error)
{
    const best_call *call = self;
    (void)context;
    return ms_run_variant_simulate(&call->base.arguments, call->base.model,
                                   &call->candidate[call->active[k]].variant, call->reference,
                                   wanted(&call->base.arguments), record, error);
}

static void keep(candidate *c, json_t *row, double cost)
{
    json_decref(c->row);
    c->row = json_incref(row);
    c->cost = cost;
}

/* Infinite unless it is known up to the end: the error of a part says nothing about the run. */
static double error_of(const json_t *row)
{
    const json_t *measured = json_object_get(row, "error");
    const bool whole = !json_is_number(json_object_get(row, "reference_known_until"));
    return json_is_number(measured) && whole ? json_number_value(measured) : (double)INFINITY;
}

/* Was the run ended early? */
static bool is_given_up(const json_t *row)
{
    return strcmp(json_string_value(json_object_get(row, "reason")), "interrupted") == 0;
}

/* Cost of the whole run if it is known. */
static double cost_of(const best_call *call, const json_t *row)
{
    const ms_options *o = &call->base.arguments.options;
    const double length = ms_options_stop_time(o, call->times->stop_time) - o->start_time,
                 done = json_number_value(json_object_get(row, "end_time")) - o->start_time;
    return ms_pareto_cost(row) * (is_given_up(row) && done > 0.0 ? length / done : 1.0);
}

static int take_row(void *self, long k, json_t *record, ms_error *error)
{
    best_call *call = self;
    candidate *c = &call->candidate[call->active[k]];
    const double level = call->level[k];
    json_t *row = json_object_get(record, "answer");
    const double off = error_of(row), cost = cost_of(call, row);
    const bool ran = strcmp(json_string_value(json_object_get(row, "reason")), "incompatible") != 0;
    (void)error;
    c->runs++;
    ms_json_append(&c->tried, ms_work_point(row, ""));
    c->given_up += is_given_up(row);
    call->fits = call->fits || json_is_true(json_object_get(record, "fits"));
    if (!ran)
        ms_fail(&call->why, MS_INVALID, "%s", json_string_value(json_object_get(record, "why")));
    c->off = c->off || !ran || (c->fixed && off > call->base.arguments.error);
    if (ran && off <= call->base.arguments.error) {
        if (isnan(c->reaches) || cost <= c->cost)
            keep(c, row, cost);
        c->reaches = isnan(c->reaches) ? level : fmin(c->reaches, level);
    } else {
        c->fails = fmax(c->fails, level);
        if (isnan(c->reaches))
            keep(c, row, cost);
    }
    return MS_OK;
}

/* Runs the candidates at the chosen levels. */
static int run_chosen(best_call *call, ms_error *error)
{
    ms_row_job job = {.what = "best",
                      .n = call->n_active,
                      .threads = ms_arguments_threads(&call->base.arguments),
                      .self = call,
                      .compute = run_row,
                      .deliver = take_row};
    const ms_row_plan plan = {.stop = &ms_interrupted};
    for (int k = 0; k < call->n_active; k++)
        set_level(call, &call->candidate[call->active[k]], call->level[k]);
    return call->n_active > 0 ? ms_row_work(&job, &plan, error) : MS_OK;
}

/* Levels ------------------------------------------------------------------------------------------------- */

static double cheapest(const best_call *call)
{
    double least = INFINITY;
    for (int k = 0; k < call->runs.n; k++)
        if (!isnan(call->candidate[k].reaches))
            least = fmin(least, call->candidate[k].cost);
    return least;
}

/* A lower bound of the cost at that level, extrapolated from the last run. */
static double expected_cost(const best_call *call, const candidate *c, double level)
{
    if (c->controlled || c->row == NULL)
        return isnan(c->cost) ? 0.0 : c->cost;
    return fmax(isnan(c->cost) ? 0.0 : c->cost, steps_at(call, level) * call->times->n);
}

static void choose_level(best_call *call, int level)
{
    const double most = dearest * cheapest(call);
    call->n_active = 0;
    for (int k = 0; k < call->runs.n; k++) {
        candidate *c = &call->candidate[k];
        if (c->off || !isnan(c->reaches) || (level > 0 && c->fixed))
            continue;
        c->off = level > 0 && expected_cost(call, c, level) > most;
        if (c->off)
            continue;
        call->level[call->n_active] = level;
        call->active[call->n_active++] = k;
    }
}

/* Bisects between the level that fails and the one that reaches the error. */
static void choose_between(best_call *call)
{
    const double most = 2.0 * dearest * cheapest(call);
    call->n_active = 0;
    for (int k = 0; k < call->runs.n; k++) {
        candidate *c = &call->candidate[k];
        if (c->fixed || isnan(c->reaches) || c->fails < 0.0 || c->fails >= c->reaches || c->cost > most)
            continue;
        call->level[call->n_active] = 0.5 * (c->fails + c->reaches);
        call->active[call->n_active++] = k;
    }
}

static int search(best_call *call, ms_error *error)
{
    int status = MS_OK;
    for (int level = 0; level < LEVELS && status == MS_OK; level++) {
        choose_level(call, level);
        status = run_chosen(call, error);
        ms_progress_part(&call->progress, level + 1.0, 0.0);
        ms_progress_update(&call->progress, 0.0);
    }
    for (int k = 0; k < REFINEMENTS && status == MS_OK; k++) {
        choose_between(call);
        status = run_chosen(call, error);
    }
    return status == MS_OK && !call->fits ? ms_fail(error, MS_INVALID, "%s", call->why.text) : status;
}

/* The answer --------------------------------------------------------------------------------------------- */

/* Names distinguish all variants, including those that do not reach the error. */
static int name_all(const best_call *call)
{
    json_t *rows = json_array();
    for (int k = 0; k < call->runs.n; k++)
        if (call->candidate[k].row != NULL)
            ms_json_append(&rows, json_incref(call->candidate[k].row));
    const int status = rows != NULL ? ms_row_names_set(rows, "step_size rtol atol") : MS_NO_MEMORY;
    json_decref(rows);
    return status;
}

/* Adds its settings and its number of runs. */
static void describe(const candidate *c)
{
    const json_t *scheme = json_object_get(c->row, "scheme");
    json_t *step = json_object_get(scheme, "step_size"), *rtol = json_object_get(scheme, "rtol");
    (void)json_object_set_new(c->row, "step_size",
                              c->controlled || step == NULL ? json_null() : json_incref(step));
    (void)json_object_set_new(c->row, "tolerance",
                              !c->controlled || rtol == NULL ? json_null() : json_incref(rtol));
    (void)json_object_set_new(c->row, "runs", json_integer(c->runs));
}

static json_t *reached_rows(const best_call *call)
{
    const double most = dearest * cheapest(call);
    json_t *rows = json_array();
    for (int k = 0; k < call->runs.n; k++) {
        const candidate *c = &call->candidate[k];
        if (isnan(c->reaches) || c->cost > most)
            continue;
        ms_json_append(&rows, json_incref(c->row));
        describe(c);
    }
    return rows;
}

/* In words, the smallest error if none reaches the one asked for; null if one does. */
static json_t *closest(const best_call *call)
{
    const json_t *best = NULL, *note = NULL;
    double least = INFINITY;
    int given_up = 0, runs = 0;
    for (int k = 0; k < call->runs.n; k++) {
        given_up += call->candidate[k].given_up;
        runs += call->candidate[k].runs;
        const double off = error_of(call->candidate[k].row);
        if (!isnan(call->candidate[k].reaches))
            return json_null();
        if (off < least) {
            least = off;
            best = json_object_get(call->candidate[k].row, "scheme");
            note = json_object_get(call->candidate[k].row, "message");
        }
    }
    const char *name = json_string_value(json_object_get(best, "scheme"));
    if (name != NULL)
        return json_sprintf("no scheme reaches it; the closest is %s with %.3g%s%s", name, least,
                            json_string_length(note) > 0 ? "; " : "",
                            json_string_length(note) > 0 ? json_string_value(note) : "");
    if (given_up > 0 && given_up == runs)
        return json_sprintf("no scheme reaches it; each run has an error of more than %d times as much",
                            MS_GIVEN_UP);
    if (given_up > 0)
        return json_sprintf(
            "no scheme reaches it, and none has an error that is known up to the end; %d of %d "
            "runs have one of more than %d times as much",
            given_up, runs, MS_GIVEN_UP);
    return json_string("no scheme reaches it, and none has an error that is known up to the end");
}

static json_int_t rank_of(const json_t *row)
{
    return json_integer_value(json_object_get(row, "rank"));
}

/* Sorted by rank; the order within a rank is kept. */
static json_t *sorted(json_t *rows)
{
    json_t *ordered = json_array();
    for (size_t k = 0; k < json_array_size(rows); k++) {
        json_t *row = json_array_get(rows, k);
        size_t at = json_array_size(ordered);
        while (at > 0 && rank_of(json_array_get(ordered, at - 1)) > rank_of(row))
            at--;
        if (json_array_insert(ordered, at, row) != 0)
            ms_json_append(&ordered, NULL);
    }
    json_decref(rows);
    return ordered;
}

/* The picture -------------------------------------------------------------------------------------------- */

static void add_tried(const candidate *c, json_t **points)
{
    const char *member = json_string_value(json_object_get(c->row, "member"));
    json_t *point;
    size_t k;
    json_array_foreach (c->tried, k, point) {
        if (json_object_set_new(point, "curve", json_string(member)) == 0)
            ms_json_append(points, json_incref(point));
    }
}

/* The runs of the candidates in the answer, or of all if none reaches the error. The cheapest is marked. */
static json_t *points_of(const best_call *call, const json_t *rows)
{
    const double most = dearest * cheapest(call);
    const json_t *choice = json_array_get(rows, 0);
    json_t *points = json_array();
    for (int k = 0; k < call->runs.n; k++) {
        const candidate *c = &call->candidate[k];
        if (c->row != NULL && (choice == NULL || (!isnan(c->reaches) && c->cost <= most)))
            add_tried(c, &points);
    }
    const ms_options *options = &call->base.arguments.options;
    json_t *value = ms_json_object("points:o wanted:f norm:s error_scale:s", points,
                                   call->base.arguments.error, ms_option_choice(options, MS_OPTION_NORM),
                                   ms_option_choice(options, MS_OPTION_ERROR_SCALE));
    if (choice != NULL)
        ms_json_set(&value, "choice",
                    json_pack("[O, O]", json_object_get(choice, "cost"), json_object_get(choice, "error")));
    return value;
}

/* In a table one line says how much has been tried. */
static void sum_up(json_t *value, int variants, int runs, int given_up)
{
    (void)json_object_set_new(value, "tried",
                              json_sprintf("%d variants in %d runs, of which %d were ended early because of "
                                           "large errors",
                                           variants, runs, given_up));
    (void)json_object_del(value, "runs");
    (void)json_object_del(value, "given_up");
}

static void answer(best_call *call)
{
    static const ms_column columns[] = {
        {"rank", "rank"},           {"member", "member"}, {"step_size", "step size"},
        {"tolerance", "tolerance"}, {"cost", "cost"},     {"error", "error"},
        {"macro_steps", "steps"},   {"runs", "runs"},     {0}};
    const ms_arguments *arguments = &call->base.arguments;
    json_t *rows = name_all(call) == MS_OK ? reached_rows(call) : NULL;
    int reached = 0, tries = 0, given_up = 0;
    for (int k = 0; k < call->runs.n; k++) {
        reached += !isnan(call->candidate[k].reaches);
        tries += call->candidate[k].runs;
        given_up += call->candidate[k].given_up;
    }
    call->base.answer.columns = columns;
    if (rows == NULL || ms_pareto_rank(rows, MS_RANK_WORK) != MS_OK)
        return;
    rows = sorted(rows);
    call->base.plotted = points_of(call, rows);
    call->base.answer.value = ms_json_object(
        "model:s norm:s error_scale:s wanted:f message:o rows:o reached:i tried:i runs:i given_up:i",
        call->base.model->name, ms_option_choice(&arguments->options, MS_OPTION_NORM),
        ms_option_choice(&arguments->options, MS_OPTION_ERROR_SCALE), arguments->error, closest(call), rows,
        reached, call->runs.n, tries, given_up);
    if (arguments->format == MS_FORMAT_TABLE)
        sum_up(call->base.answer.value, call->runs.n, tries, given_up);
}

static int compute(void *self, ms_error *error)
{
    best_call *call = self;
    ms_run_variant_reference(&call->base.arguments, call->base.model, &call->system, &call->reference);
    ms_progress_begin(&call->progress, "best", LEVELS);
    const int status = search(call, error);
    ms_progress_end(&call->progress);
    if (status == MS_OK)
        answer(call);
    return status;
}

static void destroy(void *self)
{
    best_call *call = self;
    for (int k = 0; k < call->runs.n && call->candidate != NULL; k++) {
        json_decref(call->candidate[k].row);
        json_decref(call->candidate[k].tried);
    }
    MS_FREE(call->candidate, call->active, call->level);
    ms_shared_reference_destroy(&call->reference);
    ms_system_destroy(&call->system);
    ms_system_destroy(&call->times);
    ms_run_variants_destroy(&call->runs);
    ms_scheme_variants_destroy(&call->variants);
}

const ms_call_steps ms_command_best = {.size = sizeof(best_call),
                                       .binds = MS_BINDS_MODEL,
                                       .read = check,
                                       .bind = bind,
                                       .compute = compute,
                                       .plot_answer = ms_plot_work,
                                       .destroy = destroy};
