/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation_alone.c - a run and its results, without errors against something else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include "simulation_parts.h"

enum { OWN_OBSERVERS = 4 };

/* A run at work: what is measured while it runs. */
typedef struct run_record {
    ms_simulation *simulation;
    bool errors;  /* are measured, against the reference */
    double most;  /* [unit of a state]: a run with a larger error is ended */
    double drift; /* [J] */
    ms_observer *observers;
    int n_observers;
} run_record;

/* Coupling residual and energy --------------------------------------------------------------------------- */

/* Does the run miss what is wanted by far? */
static bool gives_up(const run_record *w)
{
    const ms_error_norms *errors = &w->simulation->errors;
    for (int j = 0; j < errors->nx && errors->known; j++)
        w->simulation->given_up |= errors->state[j].max > w->most;
    return w->simulation->given_up;
}

static int run_record_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    run_record *w = self;
    ms_simulation *simulation = w->simulation;
    const double residual = ms_cosim_coupling_residual(cosim);
    if (residual > simulation->coupling_residual)
        simulation->coupling_residual = residual;
    if (w->errors && isfinite(w->most) && gives_up(w))
        return 1;
    if (!simulation->energy.known || (w->errors && !simulation->errors.known))
        return 0;
    const double expected =
        w->errors ? ms_system_energy(cosim->system, ms_reference_state(simulation->errors.reference))
                  : simulation->ledger.start;
    w->drift = fmax(w->drift, fabs(simulation->ledger.end - expected));
    return 0;
}

static void run_record_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)t, (void)reason;
    const run_record *w = self;
    ms_simulation_energy *energy = &w->simulation->energy;
    energy->known = w->simulation->ledger.rows > 0; /* of no run that did not start */
    if (!energy->known)
        return;
    energy->start = w->simulation->ledger.start;
    energy->end = w->simulation->ledger.end;
    energy->residual = w->simulation->ledger.drift;
    const double start = fabs(energy->start);
    if (w->errors && w->simulation->errors.status != MS_OK)
        energy->drift = NAN;
    else
        energy->drift = start > 0.0 ? w->drift / start : w->drift;
}

/* Simulations ------------------------------------------------------------------------------------------------- */

/* Where micro-solvers take many steps for a macro-step of their own accord, a few samples more cost less than the same run again. A range
 * is that of samples, too. */
static int first_level(const ms_cosim *cosim, const ms_simulation_options *request)
{
    const ms_options *options = cosim->options;
    const bool integral = options->norm == MS_NORM_RMSE || options->norm == MS_NORM_L2;
    if (request->norm_only && !integral && options->error_scale != MS_SCALE_RANGE)
        return MS_ERROR_AT_POINTS;
    return cosim->solver->adaptive ? 1 : 0;
}

/* Errors and ledger first: the energy is compared with that of the reference at the same time. */
static int observe(run_record *w, ms_cosim *cosim, const ms_simulation_options *request, ms_error *error)
{
    ms_simulation *simulation = w->simulation;
    int status = MS_OK;
    w->observers = malloc(sizeof *w->observers * (size_t)(OWN_OBSERVERS + request->n_observers));
    MS_TRY_MEMORY_FOR(w->observers != NULL, error, "the observers of a run");
    if (w->errors)
        status = ms_error_norms_create(cosim, first_level(cosim, request), request->reference,
                                       &simulation->errors, &w->observers[w->n_observers++], error);
    if (status == MS_OK && simulation->energy.known)
        status = ms_energy_create(cosim, request->energies, &simulation->ledger,
                                  &w->observers[w->n_observers++], error);
    w->observers[w->n_observers++] =
        (ms_observer){.self = w, .of_times = true, .step = run_record_step, .end = run_record_end};
    if (status == MS_OK && simulation->has_trajectory)
        status = ms_trajectory_create(cosim, &simulation->trajectory, &w->observers[w->n_observers++], error);
    simulation->ledger.sink = request->energies ? request->energies_sink : NULL;
    simulation->trajectory.sink = request->against == NULL ? request->trajectory_sink : NULL;
    for (int k = 0; k < request->n_observers; k++)
        w->observers[w->n_observers++] = request->observers[k];
    return status;
}

/* Does a subsystem have an event, a switch or a breakpoint that is met inside macro-steps, or that past values are kept over? */
static bool has_corners(const ms_cosim *cosim)
{
    const bool met = cosim->variant.at_time_events == MS_TIME_EVENTS_COMMUNICATE &&
                     cosim->options->extrapolation.at_events == MS_EVENTS_DROP;
    const double start = cosim->variant.start_time, stop = cosim->variant.stop_time;
    bool found = false;
    for (int i = 0; i < cosim->system->n && !found; i++) {
        const ms_instance *own = cosim->instance[i];
        const long inside = own->work.events - (met ? own->work.served : 0);
        const double due = ms_subsystem_next_time(cosim->system, i, start + 1e-12 * (stop - start), own->z);
        found = inside > 0 || own->work.switches > 0 || (!met && due < stop);
    }
    return found;
}

/* Where paths of the outputs have corners, inputs that follow them with more than a slope are no better for it. */
static int claim(const ms_cosim *cosim)
{
    const int order = ms_scheme_order_on(cosim->system, cosim->options);
    return order > 1 && has_corners(cosim) ? 0 : order;
}

/* The lines of `degraded` become the simulation's. */
static int conclude(const run_record *w, ms_cosim *cosim, ms_error *error)
{
    ms_simulation *simulation = w->simulation;
    *simulation->options = *cosim->options;
    const int order = claim(cosim);
    simulation->expected_order = order > 0 ? order : 0;
    for (int i = 0; i < cosim->system->n; i++)
        simulation->work[i] = cosim->instance[i]->work;
    simulation->degraded = cosim->degraded;
    simulation->n_degraded = cosim->n_degraded;
    cosim->degraded = NULL;
    cosim->n_degraded = 0;
    const ms_error_norms *errors = &simulation->errors;
    simulation->errors_valid = w->errors && simulation->result.reason == MS_REASON_END_TIME &&
                               (isnan(errors->known_until) || errors->elapsed > 0.0);
    return order >= 0 ? MS_OK : ms_fail(error, order, "not enough memory for a claimed order");
}

/* The same run again, sampled on a finer level, for the integrals alone. One reference is there at a time: those of many states are large. */
static int sample_again(ms_simulation *simulation, ms_cosim *cosim, const ms_simulation_options *request,
                        ms_error *error)
{
    ms_error_norms finer;
    ms_observer observer;
    ms_run_result result;
    ms_reference_destroy(&simulation->errors.reference);
    MS_TRY(ms_error_norms_create(cosim, simulation->errors.level + 1, request->reference, &finer, &observer,
                                 error));
    int status = ms_run(cosim, &observer, 1, &finer.reference_scale, request->stop, &result, error);
    if (status == MS_OK && finer.status == MS_NO_MEMORY)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference");
    if (status == MS_OK && result.reason == MS_REASON_END_TIME && finer.status == MS_OK)
        ms_error_norms_take_integrals(&simulation->errors, &finer);
    else
        simulation->errors.level = MS_ERROR_LEVELS; /* as far as they are known */
    if (status == MS_OK && result.reason == MS_REASON_INTERRUPTED) {
        simulation->result.reason = MS_REASON_INTERRUPTED;
        simulation->errors_valid = false;
    }
    simulation->errors.reference = finer.reference;
    finer.reference = NULL;
    ms_error_norms_destroy(&finer);
    return status;
}

/* Are the integrals to be known better? */
static bool samples_again(const ms_simulation *simulation, const ms_simulation_options *request)
{
    const ms_error_norms *errors = &simulation->errors;
    return simulation->errors_valid && !errors->resolved && errors->level < MS_ERROR_LEVELS - 1 &&
           (request->wanted == 0.0 || errors->max <= request->wanted);
}

/* There is none if a subsystem has no equations. */
static bool has_reference(ms_cosim *cosim)
{
    const ms_subsystem *sub = ms_system_own_stepper(cosim->system);
    if (sub != NULL)
        (void)ms_cosim_degrade(
            cosim, "no errors: %.40s is %.60s, so that there is no monolithic form; `reference` gives one",
            sub->name, sub->stepper->kind);
    return sub == NULL;
}

static int no_rows(int status, const char *what, long rows, ms_error *error)
{
    return status == MS_NO_MEMORY ? ms_fail(error, status, "not enough memory for %s of %ld rows", what, rows)
                                  : ms_fail(error, status, "%s could not be written", what);
}

/* Can its options be compared? */
static int check_comparable(const ms_variant *variant, const ms_against *against, ms_error *error)
{
    if (!against->finer)
        return MS_OK;
    if (variant->control.error_controlled != MS_CONTROL_NONE || variant->scheme->next_time != NULL)
        return ms_fail(
            error, MS_INVALID,
            "`reference` finer: only equal macro-steps have a sixteenth; give a model or a FILE.csv");
    return MS_OK;
}

void ms_simulation_add_note(ms_simulation *simulation, const char *text)
{
    const size_t length = strlen(simulation->note), room = sizeof simulation->note - length;
    snprintf(simulation->note + length, room, "%s%s", length > 0 ? "; " : "", text);
}

/* Errors do not follow the tolerance where the smallest step ends what a step control could do. */
static void note_held(ms_simulation *simulation)
{
    enum { RARE = 10 }; /* the message keeps silent where fewer than one macro-step in 10 is held */
    const ms_run_result *result = &simulation->result;
    ms_error line;
    if (result->reason != MS_REASON_END_TIME || result->held * RARE < result->macro_steps ||
        result->held == 0)
        return;
    ms_fail(&line, MS_OK, "the tolerance asked for less than `min-step` %g in %ld of %ld macro-steps",
            simulation->options->control.min_step, result->held, result->macro_steps);
    ms_simulation_add_note(simulation, line.text);
}

void ms_simulation_note_horizon(ms_simulation *simulation)
{
    const ms_error_norms *errors = &simulation->errors;
    if (simulation->result.reason != MS_REASON_END_TIME || isnan(errors->known_until))
        return;
    char ends[256];
    ms_reference_explain(errors->status, simulation->errors_valid ? errors->known_until : NAN, ends,
                         sizeof ends);
    ms_simulation_add_note(simulation, ends);
}

void ms_simulation_destroy(ms_simulation *simulation)
{
    ms_error_norms_destroy(&simulation->errors);
    ms_trajectory_destroy(&simulation->trajectory);
    ms_energy_destroy(&simulation->ledger);
    MS_FREE(simulation->options, simulation->work, simulation->degraded);
    simulation->degraded = NULL;
    simulation->options = NULL;
    simulation->work = NULL;
}

int ms_simulation_end(ms_simulation *simulation, int status)
{
    if (status == MS_INTERRUPTED) {
        simulation->result.reason = MS_REASON_INTERRUPTED;
        return MS_OK;
    }
    if (status != MS_OK)
        ms_simulation_destroy(simulation);
    return status;
}

int ms_simulation_alone(const ms_system *system, const ms_options *options,
                        const ms_simulation_options *request, ms_simulation *simulation, ms_error *error)
{
    ms_cosim *cosim = NULL;
    const bool wanted = request->errors && options->errors == MS_AGAINST_REFERENCE;
    const bool compares = wanted && request->against != NULL;
    const bool keeps = request->trajectory || compares;
    run_record w = {.simulation = simulation,
                    .errors = wanted && !compares,
                    .most = request->wanted > 0.0 ? MS_GIVEN_UP * request->wanted : INFINITY};
    *simulation = (ms_simulation){.system = system,
                                  .has_trajectory = keeps,
                                  .energy = {.known = !request->norm_only && ms_energy_declared(system)}};
    simulation->work = calloc((size_t)system->n + 1, sizeof *simulation->work);
    simulation->options = malloc(sizeof *simulation->options);
    int status = MS_OK;
    if (simulation->work == NULL || simulation->options == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a run");
    MS_THEN(status, ms_cosim_of_options(system, options, &cosim, error));
    if (status == MS_OK && compares)
        status = check_comparable(&cosim->variant, request->against, error);
    if (status == MS_OK && w.errors)
        w.errors = has_reference(cosim);
    simulation->without_reference = wanted && !compares && !w.errors;
    MS_THEN(status, observe(&w, cosim, request, error));
    MS_THEN(status,
            ms_run(cosim, w.observers, w.n_observers, w.errors ? &simulation->errors.reference_scale : NULL,
                   request->stop, &simulation->result, error));
    if (status == MS_OK && simulation->trajectory.status != MS_OK)
        status = no_rows(simulation->trajectory.status, "a trajectory", simulation->trajectory.rows, error);
    if (status == MS_OK && simulation->ledger.status != MS_OK)
        status = no_rows(simulation->ledger.status, "an energy ledger", simulation->ledger.rows, error);
    if (status == MS_OK && w.errors && simulation->errors.status == MS_NO_MEMORY)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference");
    MS_THEN(status, conclude(&w, cosim, error));
    while (status == MS_OK && samples_again(simulation, request))
        status = sample_again(simulation, cosim, request, error);
    ms_cosim_destroy(&cosim); /* of some FMUs there may be one component at a time */
    if (status == MS_OK)
        note_held(simulation);
    if (status == MS_OK && w.errors)
        ms_simulation_note_horizon(simulation);
    free(w.observers);
    return ms_simulation_end(simulation, status);
}
