/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series_errors.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/energy.h>
#include "coupled_outputs.h"
#include "error_squares.h"

/* Where the longest step is this many times the first one, the reference takes the steps as chosen by step size control. */
static const double UNEVEN = 10.0;

typedef struct measurement {
    const ms_system *system;
    const ms_series *series;
    ms_series_errors *errors;
    ms_reference *reference;
    ms_coupled_outputs outputs; /* where inputs or outputs are compared */
    bool solves;                /* they are */
    ms_error_squares *sums;     /* (errors->variables.n), and behind them as they were kept */
    ms_state_errors *kept;    /* (errors->variables.n) of the last point at which the reference was of use */
    double kept_error, until; /* its own error there, and when [s] */
    double *x;                /* (nx): of the series, where all states are columns */
} measurement;

/* Preparation -------------------------------------------------------------------------------------------- */

static double longest_step(const ms_series *series)
{
    double longest = NAN;
    for (long r = 1; r < series->rows; r++)
        longest = fmax(longest, series->time[r] - series->time[r - 1]);
    return longest;
}

static bool is_uneven(const ms_series *series, double longest)
{
    return series->rows > 1 && longest > UNEVEN * (series->time[1] - series->time[0]);
}

static int check_times(const ms_system *system, const ms_series *series, double start, ms_error *error)
{
    if (series->time[0] < start)
        return ms_fail(error, MS_INVALID,
                       "%s, line %ld: time %.15g is before the start at %.15g s (`start-time`)", series->path,
                       series->name_line + 1, series->time[0], start);
    return ms_system_check_inputs(system, start, series->time[series->rows - 1], error);
}

/* What the errors of the series as a whole are over, and what else its columns ask for. */
static void choose(measurement *m)
{
    ms_series_errors *errors = m->errors;
    int count[] = {[MS_VARIABLE_STATE] = 0, [MS_VARIABLE_INPUT] = 0, [MS_VARIABLE_OUTPUT] = 0};
    for (int k = 0; k < errors->variables.n; k++)
        count[ms_series_variable_kind(m->system, errors->variables.variable[k])]++;
    errors->over = count[MS_VARIABLE_STATE] > 0    ? MS_VARIABLE_STATE
                   : count[MS_VARIABLE_OUTPUT] > 0 ? MS_VARIABLE_OUTPUT
                                                   : MS_VARIABLE_INPUT;
    errors->compared = count[errors->over];
    errors->of = errors->over == MS_VARIABLE_STATE    ? m->system->nx
                 : errors->over == MS_VARIABLE_OUTPUT ? m->system->ny
                                                      : m->system->nu;
    errors->energy.known = count[MS_VARIABLE_STATE] == m->system->nx && ms_energy_declared(m->system);
    m->solves = count[MS_VARIABLE_INPUT] + count[MS_VARIABLE_OUTPUT] > 0;
}

static int prepare(measurement *m, ms_shared_reference *shared, ms_error *error)
{
    const size_t n = (size_t)m->errors->variables.n;
    const ms_reference_reading reading = {.uneven_steps = is_uneven(m->series, m->errors->largest_step),
                                          .shared = shared};
    m->errors->each = calloc(2 * n, sizeof *m->errors->each);
    m->kept = m->errors->each + n;
    m->sums = calloc(2 * n, sizeof *m->sums);
    m->x = calloc((size_t)m->system->nx + 1, sizeof *m->x);
    MS_TRY_MEMORY_FOR(m->errors->each != NULL && m->sums != NULL && m->x != NULL, error,
                      "the errors of %d columns", m->errors->variables.n);
    const int status = m->solves ? ms_coupled_outputs_create(m->system, &m->outputs, error) : MS_OK;
    return status == MS_OK ? ms_reference_create_reading(m->system, &reading, &m->reference, error) : status;
}

/* Points ------------------------------------------------------------------------------------------------- */

/* The reference at the time of row r, with its outputs and inputs. */
static int follow(measurement *m, long r, double start, ms_error *error)
{
    const double from = r > 0 ? m->series->time[r - 1] : start, to = m->series->time[r];
    if (to > from && ms_reference_step(m->reference, from, to - from) != MS_OK)
        return ms_fail(error, MS_INVALID,
                       "%s, line %ld: time %.15g: the reference of model %s does not reach beyond %.15g s",
                       m->series->path, m->series->name_line + 1 + r, to, m->system->model->name, from);
    if (!m->solves)
        return MS_OK;
    return ms_coupled_outputs_at(&m->outputs, to, ms_reference_state(m->reference),
                                 ms_reference_discrete(m->reference), error);
}

static double reference_of(const measurement *m, int variable)
{
    const int nx = m->system->nx, nu = m->system->nu;
    if (variable < nx)
        return ms_reference_state(m->reference)[variable];
    return variable < nx + nu ? m->outputs.u[variable - nx] : m->outputs.y[variable - nx - nu];
}

static bool is_usable(const measurement *m)
{
    const double own = m->errors->reference_scale;
    return ms_reference_usable(
        ms_reference_error(m->reference),
        m->errors->over == MS_VARIABLE_STATE ? fmax(own, ms_reference_largest(m->reference)) : own);
}

static void add_energy(measurement *m, bool first)
{
    ms_series_energy *energy = &m->errors->energy;
    energy->end = ms_system_energy(m->system, m->x);
    if (first)
        energy->start = energy->end;
    const double expected = ms_system_energy(m->system, ms_reference_state(m->reference));
    if (is_usable(m))
        energy->drift = fmax(energy->drift, fabs(energy->end - expected));
}

static void add_point(measurement *m, long r)
{
    ms_series_errors *errors = m->errors;
    const ms_series_variables *v = &errors->variables;
    const double *value = m->series->value + (size_t)r * (size_t)m->series->columns;
    const double h = r > 0 ? m->series->time[r] - m->series->time[r - 1] : 0.0;
    for (int k = 0; k < v->n; k++) {
        const int variable = v->variable[k];
        const double reference = reference_of(m, variable);
        ms_error_squares_add(&errors->each[k], &m->sums[k], h, value[v->column[k]] - reference, reference);
        ms_error_scale_see(&errors->scale, k, reference);
        if (ms_series_variable_kind(m->system, variable) == errors->over)
            errors->reference_scale = fmax(errors->reference_scale, fabs(reference));
        if (variable < m->system->nx)
            m->x[variable] = value[v->column[k]];
    }
    if (errors->energy.known)
        add_energy(m, r == 0);
}

/* Keeps the known values at a point; known_until becomes its time. */
static void keep(measurement *m, long r)
{
    ms_series_errors *errors = m->errors;
    const size_t n = (size_t)errors->variables.n;
    const double own = ms_reference_error(m->reference);
    if (r > 0 && !is_usable(m))
        return;
    memcpy(m->kept, errors->each, sizeof *errors->each * n);
    memcpy(m->sums + n, m->sums, sizeof *m->sums * n);
    m->kept_error = own;
    m->until = m->series->time[r];
}

/* Results ------------------------------------------------------------------------------------------------ */

static void conclude(const measurement *m)
{
    ms_series_errors *errors = m->errors;
    const ms_series *series = m->series;
    double sum = 0.0;
    int counted = 0;
    errors->reference_error = m->kept_error;
    errors->known_until = m->until < series->time[series->rows - 1] ? m->until : NAN;
    errors->total = (ms_state_errors){NAN, NAN, NAN, NAN};
    ms_error_scale_conclude(&errors->scale, errors->reference_error);
    memcpy(errors->each, m->kept, sizeof *errors->each * (size_t)errors->variables.n);
    memcpy(m->sums, m->sums + errors->variables.n, sizeof *m->sums * (size_t)errors->variables.n);
    for (int k = 0; k < errors->variables.n; k++) {
        const ms_state_errors *e = &errors->each[k];
        ms_error_squares_conclude(&errors->each[k], &m->sums[k], m->until - series->time[0],
                                  errors->reference_error);
        (void)ms_error_scale_apply(&errors->scale, k, &errors->each[k]);
        if (ms_series_variable_kind(m->system, errors->variables.variable[k]) != errors->over)
            continue;
        errors->total.max = fmax(errors->total.max, e->max); /* NaN alone stays */
        errors->total.rmse = fmax(errors->total.rmse, e->rmse);
        errors->total.end = fmax(errors->total.end, e->end);
        sum += isnan(e->l2) ? 0.0 : e->l2;
        counted += !isnan(e->l2);
    }
    errors->total.l2 = counted > 0 ? sum / counted : NAN;
    if (fabs(errors->energy.start) > 0.0)
        errors->energy.drift /= fabs(errors->energy.start);
}

static int measure(measurement *m, double start, const volatile sig_atomic_t *stop, ms_error *error)
{
    int status = MS_OK;
    for (long r = 0; r < m->series->rows && status == MS_OK; r++) {
        status = stop != NULL && *stop != 0 ? ms_fail(error, MS_INTERRUPTED, "interrupted")
                                            : follow(m, r, start, error);
        if (status == MS_OK) {
            add_point(m, r);
            keep(m, r);
        }
    }
    if (status == MS_OK)
        conclude(m);
    return status;
}

int ms_series_errors_measure(const ms_system *system, const ms_series *series, double start_time, int scaling,
                             ms_shared_reference *shared, const volatile sig_atomic_t *stop,
                             ms_series_errors *errors, ms_error *error)
{
    measurement m = {.system = system, .series = series, .errors = errors};
    *errors = (ms_series_errors){.system = system, .series = series, .largest_step = longest_step(series)};
    int status = check_times(system, series, start_time, error);
    MS_THEN(status, ms_series_variables_find(system, series, &errors->variables, error));
    MS_THEN(status, ms_error_scale_of_columns(system, errors->variables.n, errors->variables.variable,
                                              scaling, &errors->scale, error));
    if (status != MS_OK) {
        ms_series_variables_destroy(&errors->variables);
        return status;
    }
    ms_error_scale_start(&errors->scale);
    choose(&m);
    status = prepare(&m, shared, error);
    MS_THEN(status, measure(&m, start_time, stop, error));
    ms_reference_destroy(&m.reference);
    ms_coupled_outputs_destroy(&m.outputs);
    free(m.sums);
    free(m.x);
    if (status != MS_OK)
        ms_series_errors_destroy(errors);
    return status;
}

int ms_series_errors_check(const ms_system *system, const ms_series *series, double start_time,
                           ms_error *error)
{
    ms_series_variables variables = {0};
    int status = check_times(system, series, start_time, error);
    MS_THEN(status, ms_series_variables_find(system, series, &variables, error));
    ms_series_variables_destroy(&variables);
    return status;
}

void ms_series_errors_destroy(ms_series_errors *errors)
{
    ms_series_variables_destroy(&errors->variables);
    ms_error_scale_destroy(&errors->scale);
    free(errors->each);
    *errors = (ms_series_errors){0};
}
