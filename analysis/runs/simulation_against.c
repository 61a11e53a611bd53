/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation_against.c - the errors of a run against something other than its own monolithic form: another model, a time series,
 * or itself in finer steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/options.h>
#include "coupled_outputs.h"
#include "error_squares.h"
#include "series_variables.h"
#include "simulation_parts.h"

enum { FINER = 16, FINEST = 1 << 20 };

/* The variables of a run that are compared, numbered as in x, u, y of its system, and where the other side has them. */
typedef struct compared {
    int n, *variable, *other;
    bool outputs;
} compared;

/* Rows of values (rows x n) that the run is compared with. */
typedef struct compared_values {
    compared of;
    double *value;
    double error; /* its own error if known; NaN: unknown */
    double scale; /* the largest value so far */
    long known;   /* number of rows for which it is accurate */
} compared_values;

/* Row r of the values has been filled; error: so far. */
static void note_row(compared_values *y, long r, double error)
{
    for (int k = 0; k < y->of.n; k++)
        y->scale = fmax(y->scale, fabs(y->value[r * y->of.n + k]));
    if (r == 0 || isnan(error) || ms_reference_usable(error, y->scale)) {
        y->known = r + 1;
        y->error = error;
    }
}

static int no_memory(const ms_simulation *simulation, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory to compare %ld rows", simulation->trajectory.rows);
}

/* What is compared --------------------------------------------------------------------------------------- */

static bool is_state(const ms_system *s, int variable)
{
    return variable < s->nx;
}

static bool is_output(const ms_system *s, int variable)
{
    return variable >= s->nx + s->nu;
}

/* `place`: where the other side has each of the nx + nu + ny variables, -1: nowhere. States, else outputs. */
static int choose(const ms_system *s, const int *place, const ms_against *against, compared *c,
                  ms_error *error)
{
    const int all = s->nx + s->nu + s->ny;
    c->variable = calloc(2 * (size_t)all + 1, sizeof *c->variable);
    if (c->variable == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory to compare %d variables", all);
    c->other = c->variable + all;
    for (int pass = 0; pass < 2 && c->n == 0; pass++) {
        c->outputs = pass == 1;
        for (int j = 0; j < all; j++)
            if (place[j] >= 0 && (c->outputs ? is_output(s, j) : is_state(s, j))) {
                c->variable[c->n] = j;
                c->other[c->n++] = place[j];
            }
    }
    if (c->n > 0)
        return MS_OK;
    return ms_fail(error, MS_INVALID,
                   "`reference` %s: it has neither a state nor an output of model %s by name", against->name,
                   s->model->name);
}

/* Where the other side has each variable. */
static int places_in_system(const ms_system *s, const ms_system *other, int *place)
{
    const int n = s->nx + s->nu + s->ny, m = other->nx + other->nu + other->ny;
    char name[MS_VARIABLE_NAME_SIZE], (*names)[MS_VARIABLE_NAME_SIZE] = calloc((size_t)m + 1, sizeof *names);
    MS_TRY_MEMORY(names);
    for (int k = 0; k < m; k++)
        ms_series_variable_name(other, k, names[k]);
    for (int j = 0; j < n; j++) {
        ms_series_variable_name(s, j, name);
        for (int k = 0; k < m && place[j] < 0; k++)
            if (strcmp(name, names[k]) == 0)
                place[j] = k;
    }
    free(names);
    return MS_OK;
}

static int places_in_series(const ms_system *s, const ms_series *series, int *place, ms_error *error)
{
    ms_series_variables v;
    MS_TRY(ms_series_variables_find(s, series, &v, error));
    for (int k = 0; k < v.n; k++)
        place[v.variable[k]] = v.column[k];
    ms_series_variables_destroy(&v);
    return MS_OK;
}

/* What both have. other: the system of another model, NULL for a series and for the same scheme with finer steps. */
static int match(const ms_system *s, const ms_against *against, const ms_system *other, compared *c,
                 ms_error *error)
{
    const int all = s->nx + s->nu + s->ny;
    int *place = calloc((size_t)all + 1, sizeof *place), status = MS_OK;
    MS_TRY_MEMORY_FOR(place != NULL, error, "%d variables that are compared", all);
    for (int j = 0; j < all; j++)
        place[j] = against->finer ? j : -1;
    if (against->series != NULL)
        status = places_in_series(s, against->series, place, error);
    else if (other != NULL && places_in_system(s, other, place) != MS_OK)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory to compare %d variables", all);
    MS_THEN(status, choose(s, place, against, c, error));
    free(place);
    return status;
}

/* Another model ------------------------------------------------------------------------------------------ */

/* With the values of parameters that both have, and the case where it has one of that name. */
static int bind(const ms_system *s, const ms_against *against, ms_system **other, ms_error *error)
{
    const ms_model *model = against->model;
    ms_setting *settings = calloc((size_t)model->n_parameters + 1, sizeof *settings);
    int n = 0;
    MS_TRY_MEMORY_FOR(settings != NULL, error, "model %s", model->name);
    for (int k = 0; k < model->n_parameters; k++) {
        const int own = ms_model_parameter(s->model, model->parameters[k].name);
        if (own >= 0)
            settings[n++] = (ms_setting){model->parameters[k].name, s->p[own]};
    }
    const char *of_case = ms_model_case(model, s->case_name) >= 0 ? s->case_name : NULL;
    ms_error why = {""};
    const int status = ms_system_create(model, of_case, settings, n, other, &why);
    free(settings);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "`reference` %s: %s", against->name, why.text);
}

typedef struct follower {
    const ms_system *system;
    ms_reference *reference;
    ms_coupled_outputs outputs;
} follower;

static int follow(follower *f, const ms_simulation *simulation, compared_values *y, ms_error *error)
{
    const ms_trajectory *run = &simulation->trajectory;
    const ms_system *s = f->system;
    int status = MS_OK;
    for (long r = 0; r < run->rows && status == MS_OK; r++) {
        const double t = ms_trajectory_row(run, r)[0], from = r > 0 ? ms_trajectory_row(run, r - 1)[0] : t;
        if (t > from && ms_reference_step(f->reference, from, t - from) != MS_OK)
            return ms_fail(error, MS_SOLVER_FAILED,
                           "`reference`: the solution of model %s does not reach beyond %.15g s",
                           s->model->name, from);
        if (y->of.outputs)
            status = ms_coupled_outputs_at(&f->outputs, t, ms_reference_state(f->reference),
                                           ms_reference_discrete(f->reference), error);
        for (int k = 0; k < y->of.n && status == MS_OK; k++)
            y->value[r * y->of.n + k] = y->of.outputs ? f->outputs.y[y->of.other[k] - s->nx - s->nu]
                                                      : ms_reference_state(f->reference)[y->of.other[k]];
        note_row(y, r, ms_reference_error(f->reference));
    }
    return status;
}

static int allocate(const ms_simulation *simulation, compared_values *y, ms_error *error)
{
    y->value = calloc((size_t)simulation->trajectory.rows * (size_t)y->of.n + 1, sizeof *y->value);
    return y->value != NULL ? MS_OK : no_memory(simulation, error);
}

static int by_model(const ms_simulation *simulation, const ms_against *against, compared_values *y,
                    ms_error *error)
{
    ms_system *other = NULL;
    follower f = {0};
    int status = bind(simulation->system, against, &other, error);
    if (other == NULL)
        return status;
    f.system = other;
    other->start_eps = simulation->system->start_eps;
    status = match(simulation->system, against, other, &y->of, error);
    MS_THEN(status, allocate(simulation, y, error));
    if (status == MS_OK && y->of.outputs)
        status = ms_coupled_outputs_create(other, &f.outputs, error);
    MS_THEN(status, ms_reference_create(other, 0, NULL, &f.reference, error));
    MS_THEN(status, follow(&f, simulation, y, error));
    ms_reference_destroy(&f.reference);
    if (f.outputs.system != NULL)
        ms_coupled_outputs_destroy(&f.outputs);
    ms_system_destroy(&other);
    return status;
}

/* A time series ------------------------------------------------------------------------------------------ */

static int check_span(const ms_simulation *simulation, const ms_against *against, ms_error *error)
{
    const ms_series *series = against->series;
    const ms_trajectory *run = &simulation->trajectory;
    const double first = series->time[0], last = series->time[series->rows - 1];
    const double from = ms_trajectory_row(run, 0)[0], to = ms_trajectory_row(run, run->rows - 1)[0];
    const double slack = 1e-9 * (to - from);
    if (first <= from + slack && last >= to - slack)
        return MS_OK;
    return ms_fail(error, MS_INVALID,
                   "`reference` %s: its times are [%.9g, %.9g], and the run goes from %.9g to %.9g s",
                   against->name, first, last, from, to);
}

static int by_series(const ms_simulation *simulation, const ms_against *against, compared_values *y,
                     ms_error *error)
{
    int status = check_span(simulation, against, error);
    MS_THEN(status, match(simulation->system, against, NULL, &y->of, error));
    MS_THEN(status, allocate(simulation, y, error));
    for (long r = 0; r < simulation->trajectory.rows && status == MS_OK; r++) {
        ms_series_interpolate(against->series, ms_trajectory_row(&simulation->trajectory, r)[0], y->of.n,
                              y->of.other, y->value + r * y->of.n);
        note_row(y, r, NAN);
    }
    return status;
}

/* Finer steps -------------------------------------------------------------------------------------------- */

/* The values of a run with this many times the steps, at the times of this run. */
static int run_finer(const ms_simulation *simulation, const ms_simulation_options *request, int times,
                     const compared *of, double *value, ms_error *error)
{
    const ms_simulation_options plain = {.trajectory = true, .stop = request->stop};
    const ms_trajectory *run = &simulation->trajectory;
    ms_options options = *simulation->options;
    ms_simulation finer;
    options.step_size /= times;
    options.max_steps *= times;
    int status = ms_simulation_alone(simulation->system, &options, &plain, &finer, error);
    if (status != MS_OK)
        return status;
    const ms_run_result *result = &finer.result;
    if (result->reason == MS_REASON_INTERRUPTED)
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    else if (result->reason != MS_REASON_END_TIME)
        status = ms_fail(error, MS_SOLVER_FAILED,
                         "`reference` finer: the run with steps of %g s ends with %s: %.300s",
                         options.step_size, ms_reason_name(result->reason), result->message);
    long at = 0;
    for (long r = 0; r < run->rows && status == MS_OK; r++) {
        const double t = ms_trajectory_row(run, r)[0], slack = 1e-9 * options.step_size;
        while (at + 1 < finer.trajectory.rows && ms_trajectory_row(&finer.trajectory, at)[0] < t - slack)
            at++;
        const double *row = ms_trajectory_row(&finer.trajectory, at);
        if (fabs(row[0] - t) > slack)
            status = ms_fail(
                error, MS_SOLVER_FAILED,
                "`reference` finer: steps were not of equal length, so that %.9g s is not a time of both", t);
        for (int k = 0; k < of->n && status == MS_OK; k++)
            value[r * of->n + k] = row[1 + of->variable[k]];
    }
    ms_simulation_destroy(&finer);
    return status;
}

/* How many of the finer steps go into one: those of the given length, where a whole even number of them does. */
static int finer_times(double h, double step)
{
    const double times = step > 0.0 ? h / step : FINER;
    const bool fits = times <= FINEST && fabs(times - 2.0 * round(0.5 * times)) <= 1e-9 * times;
    return fits ? (int)round(times) : FINER;
}

static int by_finer(const ms_simulation *simulation, const ms_simulation_options *request, compared_values *y,
                    ms_error *error)
{
    int status = match(simulation->system, request->against, NULL, &y->of, error);
    const size_t size = (size_t)simulation->trajectory.rows * (size_t)y->of.n;
    if (status != MS_OK || allocate(simulation, y, error) != MS_OK)
        return status != MS_OK ? status : MS_NO_MEMORY;
    double *coarser = calloc(size + 1, sizeof *coarser);
    MS_TRY_MEMORY_OR(coarser != NULL, no_memory(simulation, error));
    const int times = finer_times(simulation->options->step_size, request->against->step);
    status = run_finer(simulation, request, times, &y->of, y->value, error);
    MS_THEN(status, run_finer(simulation, request, times / 2, &y->of, coarser, error));
    double apart = 0.0;
    for (long r = 0; r < simulation->trajectory.rows && status == MS_OK; r++) {
        for (int k = 0; k < y->of.n; k++)
            apart = fmax(apart, fabs(y->value[r * y->of.n + k] - coarser[r * y->of.n + k]));
        note_row(y, r, apart);
    }
    free(coarser);
    return status;
}

/* Errors ------------------------------------------------------------------------------------------------- */

/* Of states and outputs in the order of the system; those that are not compared are NaN. */
static void measure(const ms_simulation *simulation, const compared_values *y, ms_error_norms *errors,
                    ms_error_squares *sums)
{
    const ms_trajectory *run = &simulation->trajectory;
    const int base = y->of.outputs ? run->nx + run->nu : 0;
    double before = ms_trajectory_row(run, 0)[0];
    for (long r = 0; r < y->known; r++) {
        const double *row = ms_trajectory_row(run, r);
        for (int k = 0; k < y->of.n; k++) {
            const double reference = y->value[r * y->of.n + k], x = row[1 + y->of.variable[k]];
            if (isnan(x)) /* of a clock that does not communicate now */
                continue;
            ms_error_squares_add(&errors->state[y->of.variable[k] - base], &sums[k], row[0] - before,
                                 x - reference, reference);
            errors->reference_scale = fmax(errors->reference_scale, fabs(reference));
            ms_error_scale_see(&errors->scale, y->of.variable[k] - base, reference);
        }
        before = row[0];
    }
}

static void conclude(const ms_simulation *simulation, const compared_values *y, ms_error_norms *errors,
                     const ms_error_squares *sums)
{
    const ms_trajectory *run = &simulation->trajectory;
    const int base = y->of.outputs ? run->nx + run->nu : 0;
    const double until = ms_trajectory_row(run, y->known - 1)[0],
                 elapsed = until - ms_trajectory_row(run, 0)[0];
    double sum = 0.0;
    int counted = 0, scaled = 0;
    errors->reference_error = y->error;
    errors->known_until = y->known < run->rows ? until : NAN;
    ms_error_scale_conclude(&errors->scale, y->error);
    for (int k = 0; k < y->of.n; k++) {
        ms_state_errors *e = &errors->state[y->of.variable[k] - base];
        ms_error_squares_conclude(e, &sums[k], elapsed, y->error);
        scaled += ms_error_scale_apply(&errors->scale, y->of.variable[k] - base, e);
        errors->max = fmax(errors->max, e->max);
        errors->rmse = fmax(errors->rmse, e->rmse);
        errors->end = fmax(errors->end, e->end);
        sum += isnan(e->l2) ? 0.0 : e->l2;
        counted += !isnan(e->l2);
    }
    errors->l2_normalized_mean = counted > 0 ? sum / counted : NAN;
    if (scaled == 0)
        errors->max = errors->rmse = errors->end = NAN;
}

static int create_scale(const ms_simulation *simulation, const compared_values *y, ms_error_scale *scale,
                        ms_error *error)
{
    const ms_system *s = simulation->system;
    const int by = simulation->options->error_scale;
    MS_TRY(y->of.outputs ? ms_error_scale_of_variables(s->ny, "outputs", by, scale, error)
                         : ms_error_scale_create(s, by, scale, error));
    ms_error_scale_start(scale);
    return MS_OK;
}

/* Of how many, where some have no counterpart. */
static void note_missing(ms_simulation *simulation, const ms_against *against, int base)
{
    const ms_error_norms *errors = &simulation->errors;
    char name[MS_VARIABLE_NAME_SIZE], line[sizeof simulation->note];
    int first = 0;
    if (errors->compared == errors->nx)
        return;
    while (!isnan(errors->state[first].max))
        first++;
    ms_series_variable_name(simulation->system, base + first, name);
    snprintf(line, sizeof line,
             "errors are those of %d of %d %s: %.80s is the first that has no counterpart in %.80s",
             errors->compared, errors->nx, simulation->of_outputs ? "outputs" : "states", name,
             against->name);
    ms_simulation_add_note(simulation, line);
}

static int fill_errors(ms_simulation *simulation, const compared_values *y, const ms_against *against,
                       ms_error *error)
{
    const ms_system *s = simulation->system;
    const int n = y->of.outputs ? s->ny : s->nx, base = y->of.outputs ? s->nx + s->nu : 0;
    ms_error_norms *errors = &simulation->errors;
    ms_error_squares *sums = calloc((size_t)y->of.n + 1, sizeof *sums);
    errors->state = calloc((size_t)n + 1, sizeof *errors->state);
    if (sums == NULL || errors->state == NULL) {
        free(sums);
        return no_memory(simulation, error);
    }
    const int status = create_scale(simulation, y, &errors->scale, error);
    if (status != MS_OK) {
        free(sums);
        return status;
    }
    for (int j = 0; j < n; j++)
        errors->state[j] = (ms_state_errors){NAN, NAN, NAN, NAN};
    for (int k = 0; k < y->of.n; k++)
        errors->state[y->of.variable[k] - base] = (ms_state_errors){0};
    measure(simulation, y, errors, sums);
    conclude(simulation, y, errors, sums);
    free(sums);
    errors->nx = n;
    errors->compared = y->of.n;
    errors->resolved = true;
    simulation->of_outputs = y->of.outputs;
    simulation->errors_valid = true;
    note_missing(simulation, against, base);
    return MS_OK;
}

int ms_simulation_compare(ms_simulation *simulation, const ms_simulation_options *request, ms_error *error)
{
    const ms_against *against = request->against;
    compared_values y = {0};
    int status = against->finer            ? by_finer(simulation, request, &y, error)
                 : against->series != NULL ? by_series(simulation, against, &y, error)
                                           : by_model(simulation, against, &y, error);
    MS_THEN(status, fill_errors(simulation, &y, against, error));
    MS_FREE(y.of.variable, y.value);
    return status;
}

int ms_against_check(const ms_system *system, const ms_against *against, ms_error *error)
{
    ms_system *other = NULL;
    compared c = {0};
    int status = against->model != NULL ? bind(system, against, &other, error) : MS_OK;
    MS_THEN(status, match(system, against, other, &c, error));
    free(c.variable);
    ms_system_destroy(&other);
    return status;
}
