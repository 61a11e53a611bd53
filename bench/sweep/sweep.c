/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "nearest.h"

/* Gives up early on runs whose step size collapses. */
enum { WORK_FACTOR = 10 };

/* Models and cases --------------------------------------------------------------------------------------- */

static bool has_case_of(const ms_sweep *sweep, const ms_model *model)
{
    for (int k = 0; k < sweep->cases.n; k++)
        if (ms_model_case(model, ms_axis_value(&sweep->cases, k)) >= 0)
            return true;
    return sweep->cases.n == 0;
}

static bool is_first_only(const ms_sweep *sweep)
{
    const char *text = sweep->arguments->text[MS_ARGUMENT_CASES];
    return text != NULL && strcmp(text, "first") == 0;
}

/* Case `place` among the cases asked for, or NULL after the last one. */
static const char *case_at(const ms_sweep *sweep, const ms_model *model, int place)
{
    if (is_first_only(sweep))
        return place == 0 ? model->cases[0].name : NULL;
    if (sweep->cases.n == 0)
        return place < model->n_cases ? model->cases[place].name : NULL;
    for (int k = 0; k < sweep->cases.n; k++)
        if (ms_model_case(model, ms_axis_value(&sweep->cases, k)) >= 0 && place-- == 0)
            return ms_axis_value(&sweep->cases, k);
    return NULL;
}

static int stands_alone(const char *option, const char *name, ms_error *error)
{
    return ms_fail(error, MS_INVALID, "--%s %s: cannot be part of a list", option, name);
}

static int unknown_model(const char *name, ms_error *error)
{
    if (strcmp(name, "all") == 0)
        return stands_alone("models", name, error);
    if (access(name, R_OK) == 0)
        return ms_fail(error, MS_INVALID,
                       "--models %s: these are names of models; a file is swept by --system %s", name, name);
    return ms_fail(error, MS_INVALID, "--models %s: unknown model; the nearest is %s (macrostep list models)",
                   name, ms_catalogue_nearest(name));
}

/* Does it belong to a sweep over all models? A single subsystem without connections is the same in every scheme, and a model with slow runs takes
 * hours: these are swept only if named. */
static bool is_usual(const ms_model *model)
{
    const bool coupled = model->build != NULL || model->n_subsystems > 1 || model->n_wires > 0;
    return coupled && !model->slow;
}

static int choose_models(ms_sweep *sweep, ms_error *error)
{
    const char *names = sweep->arguments->text[MS_ARGUMENT_MODELS],
               *file = sweep->arguments->text[MS_ARGUMENT_SYSTEM];
    ms_axis list = {0};
    const ms_model *given = NULL;
    int n = 0, status = MS_OK;
    if (names != NULL && file != NULL)
        return ms_fail(error, MS_INVALID, "--system %s: takes the place of --models; give one of them", file);
    const bool all = file == NULL && (names == NULL || strcmp(names, "all") == 0);
    if (file != NULL)
        n = 1;
    else if (all)
        for (int k = 0; ms_catalogue[k] != NULL; k++)
            n += is_usual(ms_catalogue[k]);
    else
        status = ms_axis_create("--models", "models", names, &list, error);
    n = n > 0 ? n : list.n;
    sweep->models = calloc((size_t)n + 1, sizeof(const ms_model *));
    if (status == MS_OK && sweep->models == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for %d models", n);
    if (status == MS_OK && file != NULL)
        status = ms_arguments_model(sweep->arguments, &given, &sweep->owned, error);
    int next = 0; /* index in the catalogue */
    for (int k = 0; k < n && status == MS_OK && sweep->models != NULL; k++) {
        while (all && !is_usual(ms_catalogue[next]))
            next++;
        sweep->models[k] = file != NULL ? given
                           : all        ? ms_catalogue[next++]
                                        : ms_catalogue_find(ms_axis_value(&list, k));
        if (sweep->models[k] == NULL)
            status = unknown_model(ms_axis_value(&list, k), error);
    }
    sweep->n_models = status == MS_OK ? n : 0;
    ms_axis_destroy(&list);
    return status;
}

/* Every name must belong to a model, and every model must have a case. */
static int choose_cases(ms_sweep *sweep, ms_error *error)
{
    const char *names = sweep->arguments->text[MS_ARGUMENT_CASES];
    if (names == NULL || strcmp(names, "all") == 0 || is_first_only(sweep))
        return MS_OK;
    MS_TRY(ms_axis_create("--cases", "cases", names, &sweep->cases, error));
    for (int k = 0; k < sweep->cases.n; k++) {
        const char *name = ms_axis_value(&sweep->cases, k);
        bool known = false;
        for (int m = 0; m < sweep->n_models; m++)
            known |= ms_model_case(sweep->models[m], name) >= 0;
        if (!known && (strcmp(name, "all") == 0 || strcmp(name, "first") == 0))
            return stands_alone("cases", name, error);
        if (!known)
            return ms_fail(error, MS_INVALID,
                           "--cases %s: no model of this sweep has it; the first one of %s is %s", name,
                           sweep->models[0]->name, sweep->models[0]->cases[0].name);
    }
    for (int m = 0; m < sweep->n_models; m++)
        if (!has_case_of(sweep, sweep->models[m]))
            return ms_fail(error, MS_INVALID, "--cases %s: model %s has none of these; its first one is %s",
                           names, sweep->models[m]->name, sweep->models[m]->cases[0].name);
    return MS_OK;
}

static int try_value(const ms_model *model, const char *case_name, const char *parameter, double value,
                     ms_error *why)
{
    ms_system *system = NULL;
    const int status = ms_system_create(model, case_name, &(ms_setting){parameter, value}, 1, &system, why);
    ms_system_destroy(&system);
    return status;
}

/* Checks a number, or the values of a list (NULL: none), with every model. */
static int check_values(const ms_sweep *sweep, const ms_setting *setting, const ms_axis *axis,
                        ms_error *error)
{
    for (int m = 0; m < sweep->n_models; m++)
        for (int v = 0; v < (axis != NULL ? axis->n : 1); v++) {
            double value = setting->value;
            ms_error why;
            if (axis != NULL)
                (void)ms_axis_number(axis, v, &value); /* checked before */
            const int status = try_value(sweep->models[m], case_at(sweep, sweep->models[m], 0),
                                         setting->parameter, value, &why);
            if (status != MS_OK)
                return ms_fail(error, status, "--set %s=%g: %s", setting->parameter, value, why.text);
        }
    return MS_OK;
}

/* Ranges are intervals: if the least and the largest draw are inside, all are. Other errors show at the median. */
static int check_draws(const ms_sweep *sweep, int setting, int dimension, ms_error *error)
{
    static const char *const which[] = {"its median: ", "its least draw: ", "its largest draw: "};
    const ms_setting *random = &sweep->arguments->settings[setting];
    double value[3] = {random->value};
    ms_sample_range(&sweep->sample, dimension, value + 1);
    for (int m = 0; m < sweep->n_models; m++)
        for (int k = 0; k < 3; k++) {
            ms_error why;
            const int status = try_value(sweep->models[m], case_at(sweep, sweep->models[m], 0),
                                         random->parameter, value[k], &why);
            if (status != MS_OK)
                return ms_fail(error, status, "--set %s=%s: %s%s%s", random->parameter,
                               ms_arguments_setting_text(sweep->arguments, setting), which[k], why.text,
                               k > 0 ? "; a smaller spread, uniform(A,B) or loguniform(A,B) stays inside"
                                     : "");
        }
    return MS_OK;
}

/* Checks every setting alone with every model: a value that is invalid for one model is an error of the call. */
static int check_settings(const ms_sweep *sweep, ms_error *error)
{
    const ms_arguments *arguments = sweep->arguments;
    for (int k = 0, dimension = 0; k < arguments->n_settings; k++) {
        const ms_axis *axis = NULL;
        for (int a = 0; a < arguments->n_axes; a++)
            if (arguments->axes[a].setting == k)
                axis = &arguments->axes[a];
        MS_TRY(arguments->distributions[k].kind != MS_DISTRIBUTION_NONE
                   ? check_draws(sweep, k, dimension++, error)
                   : check_values(sweep, &arguments->settings[k], axis, error));
    }
    return MS_OK;
}

/* Is every value of a list one of the names? */
static int check_names(const ms_axis *list, const char *const *names, int n, ms_error *error)
{
    for (int k = 0; k < list->n; k++) {
        const char *name = ms_axis_value(list, k);
        int found = 0;
        while (found < n && strcmp(names[found], name) != 0)
            found++;
        if (found == n)
            return ms_fail(error, MS_INVALID, "--%s %s: unknown; the nearest is %s", list->name, name,
                           ms_nearest(name, names, n));
    }
    return MS_OK;
}

/* An invalid name is an error of the call, even if others in its list are valid. */
static int check_lists(const ms_sweep *sweep, ms_error *error)
{
    const ms_arguments *arguments = sweep->arguments;
    const ms_axis *list = ms_arguments_list(arguments, MS_OPTION_SOLVER);
    const char *solvers[64];
    int m = 0;
    for (; m < MS_COUNT(solvers) && ms_solvers[m] != NULL; m++)
        solvers[m] = ms_solvers[m]->name;
    MS_TRY(ms_scheme_variants_check(arguments, &sweep->variants.schemes, error));
    return list != NULL ? check_names(list, solvers, m, error) : MS_OK;
}

int ms_sweep_create(ms_arguments *arguments, ms_sweep *sweep, ms_error *error)
{
    *sweep = (ms_sweep){.arguments = arguments};
    MS_TRY(choose_models(sweep, error));
    MS_TRY(choose_cases(sweep, error));
    MS_TRY(ms_sample_create(arguments, &sweep->sample, error));
    sweep->draws = (ms_axis){.name = "sample", .setting = -1, .n = sweep->sample.n};
    MS_TRY(check_settings(sweep, error));
    MS_TRY(ms_scheme_variants_create(arguments, &sweep->variants, error));
    return check_lists(sweep, error);
}

void ms_sweep_destroy(ms_sweep *sweep)
{
    ms_axis_destroy(&sweep->cases);
    ms_scheme_variants_destroy(&sweep->variants);
    ms_sample_destroy(&sweep->sample);
    ms_model_destroy(&sweep->owned);
    free(sweep->models);
    *sweep = (ms_sweep){0};
}

/* The grid ----------------------------------------------------------------------------------------------- */

/* The case's step size and half of it. */
static int default_steps(ms_sweep_cursor *cursor, const ms_model *model, const char *case_name,
                         ms_error *error)
{
    ms_system *system = NULL;
    char text[96];
    MS_TRY(ms_system_create(model, case_name, NULL, 0, &system, error));
    const int length = snprintf(text, sizeof text, "%.17g", system->step_size);
    if (!cursor->sweep->own_step_only)
        snprintf(text + length, sizeof text - (size_t)length, ",%.17g", 0.5 * system->step_size);
    ms_system_destroy(&system);
    ms_axis_destroy(&cursor->steps);
    return ms_axis_create("--step-size", "step-size", text, &cursor->steps, error);
}

/* After the lists of parameters, so that rows of one draw share a reference. */
static void insert_draws(const ms_sweep *sweep, ms_grid *grid)
{
    int at = 0;
    if (sweep->sample.n == 0)
        return;
    while (at < grid->n && grid->axis[at]->setting >= 0)
        at++;
    for (int k = grid->n; k > at; k--)
        grid->axis[k] = grid->axis[k - 1];
    grid->axis[at] = &sweep->draws;
    grid->n++;
}

static int open_grid(ms_sweep_cursor *cursor, const ms_model *model, const char *case_name, ms_error *error)
{
    const ms_sweep *sweep = cursor->sweep;
    const char *scheme = ms_axis_value(&sweep->variants.schemes, cursor->family);
    int status = ms_scheme_variants_grid(&sweep->variants, sweep->arguments, scheme, &cursor->grid, error);
    if (status == MS_OK && !sweep->arguments->options.given[MS_OPTION_STEP_SIZE]) {
        status = default_steps(cursor, model, case_name, error);
        cursor->grid.axis[cursor->grid.n++] = &cursor->steps;
    }
    if (status == MS_OK)
        insert_draws(sweep, &cursor->grid);
    cursor->open = status == MS_OK;
    return status;
}

/* Advances the cursor. */
static void move_on(ms_sweep_cursor *cursor)
{
    const ms_sweep *sweep = cursor->sweep;
    if (ms_grid_advance(&cursor->grid))
        return;
    cursor->open = false;
    if (++cursor->family < sweep->variants.schemes.n)
        return;
    cursor->family = 0;
    if (case_at(sweep, sweep->models[cursor->model], ++cursor->place) != NULL)
        return;
    cursor->place = 0;
    cursor->model++;
}

/* Applies the current value of an axis. Threads share the arguments, so a parameter is stored in the point. */
static int apply(const ms_sweep *sweep, const ms_axis *axis, int at, ms_sweep_point *point, ms_error *error)
{
    if (axis->setting >= 0)
        (void)ms_axis_number(axis, at, &point->settings[axis->setting].value); /* checked before */
    else if (axis == &sweep->draws)
        ms_sample_apply(&sweep->sample, sweep->arguments, point->draw = at, point->settings);
    else
        return ms_arguments_apply(sweep->arguments, axis, at, &point->options, error);
    return MS_OK;
}

static int fill_point(const ms_sweep_cursor *cursor, const char *case_name, ms_sweep_point *point,
                      ms_error *error)
{
    const ms_sweep *sweep = cursor->sweep;
    ms_arguments *arguments = sweep->arguments;
    const size_t n = (size_t)arguments->n_settings;
    if (point->settings == NULL)
        point->settings = malloc(sizeof *point->settings * (n + 1));
    MS_TRY_MEMORY_FOR(point->settings != NULL, error, "the settings");
    point->row = cursor->row;
    point->model = sweep->models[cursor->model];
    point->case_name = case_name;
    point->n_settings = arguments->n_settings;
    int status =
        ms_scheme_variants_options(arguments, ms_axis_value(&sweep->variants.schemes, cursor->family),
                                   sweep->variants.schemes.n > 1, &point->options, error);
    for (size_t k = 0; k < n; k++)
        point->settings[k] = arguments->settings[k];
    for (int k = 0; k < cursor->grid.n && status == MS_OK; k++)
        status = apply(sweep, cursor->grid.axis[k], cursor->grid.at[k], point, error);
    if (point->options.control.error_controlled ==
        MS_CONTROL_NONE) /* with step-size control the steps are not the planned ones */
        point->options.work_factor = WORK_FACTOR;
    return status;
}

int ms_sweep_next(ms_sweep_cursor *cursor, ms_sweep_point *point, bool *more, ms_error *error)
{
    const ms_sweep *sweep = cursor->sweep;
    int status = MS_OK;
    bool found = false;
    while (status == MS_OK && !found && cursor->model < sweep->n_models) {
        if (ms_interrupted)
            return ms_fail(error, MS_INTERRUPTED, "interrupted");
        const ms_model *model = sweep->models[cursor->model];
        const char *case_name = case_at(sweep, model, cursor->place);
        if (!cursor->open)
            status = open_grid(cursor, model, case_name, error);
        MS_THEN(status, fill_point(cursor, case_name, point, error));
        if (status != MS_OK)
            break;
        found = !ms_scheme_variants_skip(sweep->arguments, &point->options);
        move_on(cursor);
    }
    cursor->row += found;
    *more = found;
    return status;
}

void ms_sweep_cursor_destroy(ms_sweep_cursor *cursor)
{
    const ms_sweep *sweep = cursor->sweep;
    ms_axis_destroy(&cursor->steps);
    *cursor = (ms_sweep_cursor){.sweep = sweep};
}

int ms_sweep_seek(ms_sweep_cursor *cursor, long row, ms_sweep_point *point, ms_error *error)
{
    bool more = true;
    int status = MS_OK;
    if (cursor->row > row)
        ms_sweep_cursor_destroy(cursor);
    while (status == MS_OK && more && cursor->row <= row)
        status = ms_sweep_next(cursor, point, &more, error);
    return status;
}

void ms_sweep_point_destroy(ms_sweep_point *point)
{
    free(point->settings);
    point->settings = NULL;
}

/* Does the variant fit the model at all? */
static int try_point(const ms_sweep_point *point, ms_error *error)
{
    ms_system *system = NULL;
    ms_cosim *cosim = NULL;
    int status =
        ms_system_create(point->model, point->case_name, point->settings, point->n_settings, &system, error);
    MS_THEN(status, ms_cosim_of_options(system, &point->options, &cosim, error));
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
    return status;
}

int ms_sweep_count(const ms_sweep *sweep, long *rows, ms_error *error)
{
    ms_sweep_cursor cursor = {.sweep = sweep};
    ms_sweep_point point = {0};
    ms_error why = {0};
    bool more = true, fits = false;
    int status = MS_OK;
    while (status == MS_OK && more) {
        status = ms_sweep_next(&cursor, &point, &more, error);
        if (status == MS_OK && more && !fits)
            fits = try_point(&point, &why) != MS_INVALID;
    }
    *rows = cursor.row;
    ms_sweep_point_destroy(&point);
    ms_sweep_cursor_destroy(&cursor);
    if (status == MS_OK && !fits)
        return ms_fail(error, MS_INVALID, "%s", why.text);
    return status;
}
