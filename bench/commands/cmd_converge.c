/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "converge_settle.h"
#include "plots.h"
#include "row_names.h"
#include "run_variants.h"

/* A study for each variant of the lists, with consecutive rows. */
typedef struct converge_call {
    ms_call base;
    bool lists; /* the answer has rows of answers */
    ms_run_variants variants;
    ms_converge_study *study; /* (variants.n) */
    /* (variants.n) if lists of parameters differ; NULL: all studies are of base.system */
    ms_system **system;
    ms_shared_reference *reference; /* of base.system */
    bool fits;                      /* at least one row fits; otherwise: */
    ms_error why;                   /* why the last one does not */
    bool interrupted;
} converge_call;

/* The call ----------------------------------------------------------------------------------------------- */

static int check(void *self, ms_error *error)
{
    const ms_arguments *arguments = &((converge_call *)self)->base.arguments;
    if (arguments->options.control.error_controlled != MS_CONTROL_NONE)
        return ms_fail(error, MS_INVALID, "--error-controlled %s: converge needs macro-steps of equal length",
                       ms_option_choice(&arguments->options, MS_OPTION_ERROR_CONTROLLED));
    return MS_OK;
}

static bool has_settings(const ms_arguments *arguments)
{
    for (int k = 0; k < arguments->n_axes; k++)
        if (arguments->axes[k].setting >= 0)
            return true;
    return false;
}

static int create_study(converge_call *call, int k, ms_error *error)
{
    const ms_arguments *arguments = &call->base.arguments;
    const ms_run_variant *variant = &call->variants.variant[k];
    int status = MS_OK;
    if (call->system != NULL)
        status = ms_run_variant_bind(arguments, variant, call->base.model, &call->system[k], error);
    MS_THEN(status,
            ms_converge_study_create(arguments, call->system != NULL ? call->system[k] : call->base.system,
                                     &variant->options, ms_arguments_list(arguments, MS_OPTION_STEP_SIZE),
                                     &call->study[k], error));
    call->base.serial = call->base.serial || call->study[k].iteration.iterates;
    return status;
}

static int bind(void *self, ms_error *error)
{
    converge_call *call = self;
    ms_arguments *arguments = &call->base.arguments;
    call->lists = arguments->n_axes > (ms_arguments_list(arguments, MS_OPTION_STEP_SIZE) != NULL);
    int status = ms_run_variants_of_lists(arguments, MS_OPTION_STEP_SIZE, &call->variants, error);
    const size_t n = (size_t)call->variants.n;
    call->study = calloc(n + 1, sizeof *call->study);
    call->system = has_settings(arguments) ? calloc(n + 1, sizeof(ms_system *)) : NULL;
    if (status != MS_OK)
        return status;
    if (call->study == NULL || (has_settings(arguments) && call->system == NULL))
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %zu schemes", n);
    for (int k = 0; k < call->variants.n && status == MS_OK; k++)
        status = create_study(call, k, error);
    call->base.why_serial = "a scheme that iterates passes epsilon from one step size to the next, so that "
                            "its rows cannot be shared";
    return status;
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* All studies have the same number of rows. */
static ms_converge_study *study_of(const converge_call *call, long row, int *k)
{
    *k = (int)(row % call->study[0].n);
    return &call->study[row / call->study[0].n];
}

static int run_row(void *self, void *context, long row, json_t **record, ms_error *error)
{
    const converge_call *call = self;
    int k;
    (void)context;
    ms_converge_study *study = study_of(call, row, &k);
    const int status = ms_converge_study_run(study, k, record, error);
    if (!call->lists || (status != MS_INVALID && status != MS_UNSUPPORTED))
        return status;
    *record = ms_converge_study_refused(study, k, error->text);
    return MS_OK;
}

/* A refused row has no expected order. */
static int take_row(void *self, long row, json_t *record, ms_error *error)
{
    static const char refused[] = "incompatible: ";
    converge_call *call = self;
    int k;
    (void)error;
    const char *message = json_string_value(json_object_get(record, "message"));
    const bool fits = message == NULL || strncmp(message, refused, sizeof refused - 1) != 0;
    call->fits = call->fits || fits;
    if (!fits)
        ms_fail(&call->why, MS_INVALID, "%s", message + sizeof refused - 1);
    ms_converge_study_take(study_of(call, row, &k), record);
    return MS_OK;
}

static bool has_rows(const converge_call *call)
{
    for (int k = 0; k < call->variants.n; k++)
        if (call->study[k].done > 0)
            return true;
    return false;
}

static int run_all(converge_call *call, ms_error *error)
{
    ms_row_job job = {.what = "converge",
                      .n = (long)call->variants.n * call->study[0].n,
                      .serial = call->base.serial,
                      .costly_last = !call->lists,
                      .threads = ms_arguments_threads(&call->base.arguments),
                      .self = call,
                      .compute = run_row,
                      .deliver = take_row};
    const int status = ms_call_rows(&call->base, &job, error);
    call->interrupted = status == MS_INTERRUPTED && !call->base.written && has_rows(call);
    if ((status != MS_OK && !call->interrupted) || call->base.written)
        return status;
    return call->fits || call->study[0].done == 0 ? MS_OK : ms_fail(error, MS_INVALID, "%s", call->why.text);
}

/* The answer --------------------------------------------------------------------------------------------- */

/* The studies that have a row. */
static json_t *answers(converge_call *call)
{
    json_t *rows = json_array();
    for (int k = 0; k < call->variants.n; k++)
        if (call->study[k].done > 0)
            ms_json_append(&rows, ms_converge_study_answer(&call->study[k]));
    return rows != NULL && ms_row_names_set(rows, NULL) == MS_OK ? rows : NULL;
}

/* Gives the rows of a study its order. */
static void add_order(json_t *answer)
{
    json_t *rows = json_object_get(answer, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++)
        json_object_set(json_array_get(rows, i), "order", json_object_get(answer, "order"));
}

/* A row for each step size of each variant, and the orders, for tables and CSV. */
static json_t *flatten(const json_t *answers)
{
    json_t *rows = json_array(), *orders = json_object();
    for (size_t k = 0; k < json_array_size(answers); k++) {
        const json_t *answer = json_array_get(answers, k), *its = json_object_get(answer, "rows");
        json_t *variant = json_object_get(answer, "member");
        for (size_t i = 0; i < json_array_size(its); i++) {
            json_t *row = ms_json_object("member:O", variant);
            ms_json_join(&row, json_copy(json_array_get(its, i)));
            ms_json_append(&rows, row);
        }
        ms_json_set(&orders, json_string_value(variant), json_incref(json_object_get(answer, "order")));
    }
    const json_t *first = json_array_get(answers, 0);
    return ms_json_object("norm:O? error_scale:O? rows:o orders:o", json_object_get(first, "norm"),
                          json_object_get(first, "error_scale"), rows, orders);
}

/* Settles the studies that have a row. */
static int settle(converge_call *call, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < call->variants.n && status == MS_OK; k++)
        if (call->study[k].done > 0 || !call->lists)
            status = ms_converge_study_settle(&call->study[k], !call->interrupted, error);
    call->interrupted = call->interrupted || status == MS_INTERRUPTED;
    return status == MS_INTERRUPTED ? MS_OK : status;
}

#define COLUMNS                                                                                              \
    {"step_size", "step size"}, {"error", "error"}, {"slope", "slope"}, {"note", "note"},                    \
        {"message", "message"},                                                                              \
    {                                                                                                        \
        0                                                                                                    \
    }

/* Pages have the orders beside the rows, the terminal below them. */
static const ms_column *columns_of(const converge_call *call, bool page)
{
    static const ms_column plain[] = {{"member", "member"}, COLUMNS},
                           ordered[] = {{"member", "member"}, {"order", "order"}, COLUMNS};
    return (page ? ordered : plain) + (call->lists ? 0 : 1);
}

static void answer(converge_call *call)
{
    ms_call *base = &call->base;
    const bool page = base->arguments.markup != MS_MARKUP_NONE;
    base->answer.columns = columns_of(call, page);
    if (!call->lists) {
        base->answer.value = ms_converge_study_answer(&call->study[0]);
        if (page)
            add_order(base->answer.value);
        return;
    }
    const bool flat = base->arguments.format == MS_FORMAT_TABLE || base->arguments.format == MS_FORMAT_CSV;
    json_t *rows = answers(call);
    for (size_t k = 0; page && k < json_array_size(rows); k++)
        add_order(json_array_get(rows, k));
    base->plotted = ms_json_object("rows:o", rows);
    base->answer.value = base->plotted == NULL ? NULL : flat ? flatten(rows) : json_incref(base->plotted);
}

static int share_reference(converge_call *call, ms_error *error)
{
    if (call->base.given != NULL || call->system != NULL || call->study[0].against.name != NULL)
        return MS_OK;
    const int status = ms_shared_reference_create(call->base.system, call->base.arguments.options.start_time,
                                                  MS_SHARED_REFERENCE_BYTES, &call->reference, error);
    for (int k = 0; k < call->variants.n; k++)
        call->study[k].reference = call->reference;
    return status;
}

static int compute(void *self, ms_error *error)
{
    converge_call *call = self;
    int status = share_reference(call, error);
    MS_THEN(status, run_all(call, error));
    if (status == MS_OK && !call->base.written)
        status = settle(call, error);
    if (status == MS_OK && !call->base.written)
        answer(call);
    call->base.exit_status = call->interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
    return status;
}

static void destroy(void *self)
{
    converge_call *call = self;
    for (int k = 0; k < call->variants.n; k++) {
        if (call->study != NULL)
            ms_converge_study_destroy(&call->study[k]);
        if (call->system != NULL)
            ms_system_destroy(&call->system[k]);
    }
    MS_FREE(call->study, call->system);
    ms_shared_reference_destroy(&call->reference);
    ms_run_variants_destroy(&call->variants);
}

const ms_call_steps ms_command_converge = {.size = sizeof(converge_call),
                                           .binds = MS_BINDS_SYSTEM,
                                           .read = check,
                                           .bind = bind,
                                           .compute = compute,
                                           .plot_answer = ms_plot_converge,
                                           .destroy = destroy};
