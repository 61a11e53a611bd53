/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability_setup.c - the quantity computed at a point of a map or a step size, for the axes of the call and one scheme; and the
 * search for critical step sizes, which has no axes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "stability_setup.h"

static const char *const lambda_axes[] = {"re-lambda", "im-lambda"};

/* Axes --------------------------------------------------------------------------------------------------- */

bool ms_stability_is_lambda(const char *name)
{
    return strcmp(name, lambda_axes[0]) == 0 || strcmp(name, lambda_axes[1]) == 0;
}

/* Checks a call with one axis. */
static int check_line(const ms_stability_call *call, ms_error *error)
{
    const ms_range *x = &call->arguments->range[0];
    if (ms_stability_is_lambda(x->name))
        return ms_fail(error, MS_INVALID, "--x %s: re-lambda and im-lambda are used together; --y is missing",
                       x->name);
    if (call->arguments->boundary_only)
        return ms_fail(error, MS_INVALID, "--boundary-only: requires two axes; --y is missing");
    if (call->arguments->text[MS_ARGUMENT_BOUNDARY_TOLERANCE] != NULL)
        return ms_fail(error, MS_INVALID, "--boundary-tolerance: requires two axes; --y is missing");
    return ms_region_monotonic(x->n, x->value)
               ? MS_OK
               : ms_fail(error, MS_INVALID, "--x %s: the values must ascend or descend", x->name);
}

int ms_stability_check_axes(const ms_stability_call *call, ms_error *error)
{
    const ms_range *x = &call->arguments->range[0], *y = &call->arguments->range[1];
    if (x->n == 0)
        return ms_fail(error, MS_INVALID,
                       "--x is missing: give --x NAME=RANGE, with --y NAME=RANGE for a map, or --critical");
    if (y->n == 0)
        return check_line(call, error);
    if (strcmp(x->name, y->name) == 0)
        return ms_fail(error, MS_INVALID, "--x %s and --y %s: two different names are needed", x->name,
                       y->name);
    if (ms_stability_is_lambda(x->name) != ms_stability_is_lambda(y->name))
        return ms_fail(error, MS_INVALID,
                       "--x %s --y %s: re-lambda and im-lambda are used together, and with no other axis",
                       x->name, y->name);
    for (int k = 0; k < 2; k++)
        if (!ms_region_monotonic(call->arguments->range[k].n, call->arguments->range[k].value))
            return ms_fail(error, MS_INVALID, "--%c %s: the values must ascend or descend", 'x' + k,
                           call->arguments->range[k].name);
    if (x->n > MS_REGION_GRID_MAX / y->n)
        return ms_fail(error, MS_INVALID, "--x %s --y %s: %d x %d points; at most %d in all", x->name,
                       y->name, x->n, y->n, MS_REGION_GRID_MAX);
    return MS_OK;
}

/* Maps over lambda --------------------------------------------------------------------------------------- */

/* Does an option of a run affect the limit? */
static bool shapes_limit(const char *option)
{
    const ms_modelled *known = ms_modelled_find(ms_stability_limit_models, option);
    return known != NULL && known->values != NULL;
}

/* Refuses options without effect. */
static int prepare_lambda(ms_stability_call *call, ms_error *error)
{
    ms_arguments *a = call->arguments;
    if (a->operand != NULL || a->text[MS_ARGUMENT_SYSTEM] != NULL || a->text[MS_ARGUMENT_CASE] != NULL ||
        a->n_settings > 0)
        return ms_fail(error, MS_INVALID,
                       "--x %s --y %s: the eigenvalue lambda of D L takes no model, case or parameter",
                       call->arguments->range[0].name, call->arguments->range[1].name);
    if (a->text[MS_ARGUMENT_AT] != NULL)
        return ms_fail(error, MS_INVALID,
                       "--at %s: re-lambda and im-lambda take no model that could be linearised",
                       a->text[MS_ARGUMENT_AT]);
    if (a->order_star)
        return ms_fail(error, MS_INVALID,
                       "--order-star: the limit H -> 0 has no exact solution to compare with");
    const int status = ms_stability_limit_check(&a->options, error);
    for (int k = 0; ms_option_table[k].name != NULL && status == MS_OK; k++)
        if (ms_option_asked(&a->options, k) && !shapes_limit(ms_option_table[k].name))
            return ms_fail(error, MS_INVALID,
                           "--%s: has no effect on the limit H -> 0 over re-lambda and im-lambda",
                           ms_option_table[k].name);
    call->limit =
        (ms_limit){&a->options, .swapped = strcmp(call->arguments->range[0].name, lambda_axes[0]) != 0};
    call->field = ms_stability_limit_field(&call->limit);
    call->by = "limit";
    return status;
}

/* Maps of models ----------------------------------------------------------------------------------------- */

/* The meaning of a coordinate: MS_AXIS_STEP_SIZE or a parameter of the model. */
static int find_axis(const ms_stability_call *call, int k, int *parameter, ms_error *error)
{
    const ms_model *model = call->stability.model;
    const ms_range *axis = &call->arguments->range[k];
    *parameter =
        strcmp(axis->name, "step-size") == 0 ? MS_AXIS_STEP_SIZE : ms_model_parameter(model, axis->name);
    if (*parameter == MS_AXIS_STEP_SIZE) {
        const double least = fmin(axis->value[0], axis->value[axis->n - 1]);
        if (least < 0.0)
            return ms_fail(error, MS_INVALID, "--%c step-size: %g must be at least 0", 'x' + k, least);
        if (call->arguments->options.given[MS_OPTION_STEP_SIZE])
            return ms_fail(error, MS_INVALID, "--step-size: is an axis of the map already");
        return MS_OK;
    }
    for (int i = 0; i < call->arguments->n_settings; i++)
        if (strcmp(call->arguments->settings[i].parameter, axis->name) == 0)
            return ms_fail(error, MS_INVALID, "--set %s: is an axis of the map already", axis->name);
    for (int i = 0; i < axis->n && *parameter >= 0; i++)
        if (model->parameters[*parameter].integer && axis->value[i] != floor(axis->value[i]))
            return ms_fail(error, MS_INVALID, "--%c %s: %.15g must be a whole number", 'x' + k, axis->name,
                           axis->value[i]);
    if (*parameter >= 0)
        return MS_OK;
    const char *names[256] = {"step-size", "re-lambda", "im-lambda"};
    int n = 3;
    for (int i = 0; i < model->n_parameters && n < MS_COUNT(names); i++)
        names[n++] = model->parameters[i].name;
    return ms_fail(error, MS_INVALID, "--%c %s: model %s has no such parameter; the nearest name is %s",
                   'x' + k, axis->name, model->name, ms_nearest(axis->name, names, n));
}

/* Binds the model; its coordinates are chosen later. */
static int bind_model(const ms_model *model, stability_variant *variant, ms_error *error)
{
    ms_stability_call *call = &variant->map;
    ms_arguments *a = call->arguments;
    int status = ms_arguments_bind(a, model, &variant->system, error);
    call->system = variant->system;
    ms_linearisation_point linearised_at;
    MS_THEN(status, ms_linearisation_point_read(a->text[MS_ARGUMENT_AT], call->system, &a->options,
                                                &linearised_at, error));
    if (status != MS_OK)
        return status;
    call->stability = (ms_stability){.model = model,
                                     .case_name = a->text[MS_ARGUMENT_CASE],
                                     .settings = a->settings,
                                     .n_settings = a->n_settings,
                                     .options = &a->options,
                                     .linearised_at = linearised_at,
                                     .axis = {MS_AXIS_STEP_SIZE, MS_AXIS_NONE},
                                     .order_star = a->order_star,
                                     .stop = &ms_interrupted};
    call->stability.step_size = a->options.step_size > 0.0 ? a->options.step_size : call->system->step_size;
    call->field = ms_stability_field(&call->stability);
    return MS_OK;
}

/* Can the point be evaluated? If the system cannot be solved, the call is at fault. */
static int check_point(ms_stability_call *call, double x, double y, ms_error *error)
{
    bool by_formula = true;
    const int status = ms_stability_check(&call->stability, x, y, &by_formula, error);
    call->by = by_formula ? "formula" : "probe";
    return status == MS_SOLVER_FAILED ? MS_INVALID : status;
}

/* If one of these two parameter values is at fault, the error names it. */
static int blame(const ms_stability_call *call, const double value[2], int status, ms_error *error)
{
    const ms_model *model = call->stability.model;
    for (int k = 0; k < 2 && status == MS_INVALID; k++) {
        ms_setting alone = {call->arguments->range[k].name, value[k]};
        ms_system *system = NULL;
        ms_error why;
        const bool wrong =
            call->stability.axis[k] >= 0 &&
            ms_system_create(model, call->stability.case_name, &alone, 1, &system, &why) == MS_INVALID;
        ms_system_destroy(&system);
        if (wrong)
            return ms_fail(error, status, "--%c %s: %s", 'x' + k, alone.parameter, why.text);
    }
    return status;
}

static int prepare_model(const ms_model *model, stability_variant *variant, ms_error *error)
{
    ms_stability_call *call = &variant->map;
    const int axes = ms_stability_is_line(call) ? 1 : 2;
    int status = bind_model(model, variant, error);
    for (int k = 0; k < axes && status == MS_OK; k++)
        status = find_axis(call, k, &call->stability.axis[k], error);
    for (int k = 0; k < (axes == 2 ? 9 : 3) && status == MS_OK;
         k++) { /* begin, middle and end of each axis */
        const ms_range *x = &call->arguments->range[0], *y = &call->arguments->range[1];
        const double at[] = {x->value[(x->n - 1) * (k % 3) / 2],
                             axes == 2 ? y->value[(y->n - 1) * (k / 3) / 2] : 0.0};
        status = blame(call, at, check_point(call, at[0], at[1], error), error);
    }
    return status;
}

/* Stability from 0 to --max-step, or to the duration of the run. */
static int prepare_critical(const ms_model *model, stability_variant *variant, ms_error *error)
{
    ms_stability_call *call = &variant->map;
    ms_options *options = &call->arguments->options;
    static const int beside[] = {MS_ARGUMENT_X, MS_ARGUMENT_Y, MS_ARGUMENT_BOUNDARY_ONLY,
                                 MS_ARGUMENT_BOUNDARY_TOLERANCE};
    for (int k = 0; k < MS_COUNT(beside); k++) {
        if (call->arguments->text[beside[k]] != NULL)
            return ms_fail(error, MS_INVALID, "--critical: excludes --%s; --max-step ends the search",
                           ms_argument_table[beside[k]].option.name);
    }
    if (options->given[MS_OPTION_STEP_SIZE])
        return ms_fail(error, MS_INVALID,
                       "--step-size: --critical searches all step sizes; --max-step ends the search");
    MS_TRY(bind_model(model, variant, error));
    call->end = options->given[MS_OPTION_MAX_STEP] ? options->control.max_step
                                                   : ms_options_length(options, call->system->stop_time);
    options->given[MS_OPTION_MAX_STEP] = false; /* for schemes it means step-size control */
    options->control.max_step = INFINITY;
    int status = check_point(call, call->end, 0.0, error);
    if (status == MS_OK && call->arguments->certify)
        status = ms_certifier_create(call->system, options, &call->certifier, error);
    return status;
}

/* What is proved on each stable interval. */
static int certify(ms_stability_call *call, const ms_effort *effort, ms_error *error)
{
    const ms_critical *critical = &call->critical;
    call->certificate = calloc((size_t)critical->n + 1, sizeof *call->certificate);
    MS_TRY_MEMORY_FOR(call->certificate != NULL, error, "%d certificates", critical->n);
    for (int k = 0; k < critical->n; k++)
        MS_TRY(ms_certifier_interval(call->certifier, critical->interval[k], call->end, effort->stop,
                                     &call->certificate[k], error));
    return MS_OK;
}

/* The probed matrix must confirm the result at the ends of the stable intervals. */
int ms_stability_search_critical(ms_stability_call *call, const ms_effort *effort, ms_error *error)
{
    int status = ms_region_critical(&call->field, call->end, effort, &call->critical, error);
    for (int k = 0; k < call->critical.n && status == MS_OK; k++)
        status = ms_stability_check(&call->stability, call->critical.interval[k][1], 0.0, NULL, error);
    return status == MS_OK && call->certifier != NULL ? certify(call, effort, error) : status;
}

/* lambda is -1 or i, so that the step size is the distance along the axis. */
int ms_stability_find_limits(ms_stability_call *call, const ms_effort *effort, ms_error *error)
{
    const ms_arguments *a = call->arguments;
    ms_setting *settings = calloc((size_t)a->n_settings + 2, sizeof *settings);
    MS_TRY_MEMORY_FOR(settings != NULL, error, "the limits of stability");
    int status = MS_OK;
    for (int axis = 0; axis < MS_COUNT(call->axis_limit) && status == MS_OK; axis++) {
        ms_stability along = call->stability;
        ms_critical found = {0};
        int n = 0;
        for (int k = 0; k < a->n_settings; k++)
            if (strcmp(a->settings[k].parameter, "re") != 0 && strcmp(a->settings[k].parameter, "im") != 0)
                settings[n++] = a->settings[k];
        settings[n++] = (ms_setting){"re", axis == 0 ? -1.0 : 0.0};
        settings[n++] = (ms_setting){"im", axis == 0 ? 0.0 : 1.0};
        along.settings = settings;
        along.n_settings = n;
        along.axis[0] = MS_AXIS_STEP_SIZE;
        along.axis[1] = MS_AXIS_NONE;
        along.order_star = false;
        const ms_field field = ms_stability_field(&along);
        status = ms_region_critical(&field, MS_AXIS_LIMIT_END, effort, &found, error);
        call->axis_limit[axis] = found.first;
        ms_critical_destroy(&found);
    }
    free(settings);
    return status;
}

/* Variants ------------------------------------------------------------------------------------------------ */

int ms_stability_prepare_variant(const ms_model *model, stability_variant *variant, ms_error *error)
{
    ms_stability_call *call = &variant->map;
    if (call->arguments->critical)
        return prepare_critical(model, variant, error);
    return ms_stability_is_lambda(call->arguments->range[0].name) ? prepare_lambda(call, error)
                                                                  : prepare_model(model, variant, error);
}
