#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme_registry.h"

enum { OWN_OBSERVERS = 4 };

/* What a trial's run needs beside its results. */
typedef struct witness {
    ms_trial *trial;
    bool against_reference;
    double drift; /* [J] */
    double *u;    /* L y (nu) */
    ms_observer *observers;
    int n_observers;
} witness;

/* Coupling residual and energy --------------------------------------------------------------------------- */

static int witness_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    witness *w = self;
    ms_trial *trial = w->trial;
    ms_system_couple(cosim->system, cosim->y_raw, w->u);
    for (int i = 0; i < cosim->system->nu; i++)
        trial->coupling_residual = fmax(trial->coupling_residual, fabs(cosim->u_left[i] - w->u[i]));
    if (!trial->energy.known)
        return 0;
    const double expected = w->against_reference
                                ? ms_system_energy(cosim->system, ms_reference_state(trial->errors.reference))
                                : trial->ledger.start;
    w->drift = fmax(w->drift, fabs(trial->ledger.end - expected));
    return 0;
}

static void witness_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)t, (void)reason;
    const witness *w = self;
    ms_trial_energy *energy = &w->trial->energy;
    energy->known = w->trial->ledger.rows > 0; /* of no run that did not start */
    if (!energy->known)
        return;
    energy->start = w->trial->ledger.start;
    energy->end = w->trial->ledger.end;
    energy->residual = w->trial->ledger.drift;
    const double start = fabs(energy->start);
    if (w->against_reference && w->trial->errors.status != MS_OK)
        energy->drift = NAN;
    else
        energy->drift = start > 0.0 ? w->drift / start : w->drift;
}

/* Trials ------------------------------------------------------------------------------------------------- */

/* Errors and ledger first: the energy is compared with that of the reference at the same time. */
static int observe(witness *w, ms_cosim *cosim, const ms_trial_wants *wants, ms_error *error)
{
    ms_trial *trial = w->trial;
    int status = MS_OK;
    w->u = malloc(sizeof *w->u * ((size_t)cosim->system->nu + 1));
    w->observers = malloc(sizeof *w->observers * (size_t)(OWN_OBSERVERS + wants->n_observers));
    if (w->u == NULL || w->observers == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the observers of a run");
    if (wants->errors)
        status = ms_errors_create(cosim, 0, &trial->errors, &w->observers[w->n_observers++], error);
    w->against_reference = wants->errors;
    if (status == MS_OK && trial->energy.known)
        status = ms_energy_create(cosim, wants->energies, &trial->ledger, &w->observers[w->n_observers++],
                                  error);
    w->observers[w->n_observers++] = (ms_observer){.self = w, .step = witness_step, .end = witness_end};
    if (status == MS_OK && wants->trajectory)
        status = ms_trajectory_create(cosim, &trial->trajectory, &w->observers[w->n_observers++], error);
    for (int k = 0; k < wants->n_observers; k++)
        w->observers[w->n_observers++] = wants->observers[k];
    return status;
}

static void conclude(ms_trial *trial, const ms_cosim *cosim, const ms_trial_wants *wants)
{
    trial->options = cosim->options;
    trial->expected_order = ms_scheme_order(&cosim->options);
    for (int i = 0; i < cosim->system->n; i++)
        trial->work[i] = cosim->instance[i]->work;
    trial->errors_valid =
        wants->errors && trial->errors.status == MS_OK && trial->result.reason == MS_REASON_END_TIME;
}

/* The same run again, sampled on a finer level, for the integrals alone. */
static int sample_again(ms_trial *trial, ms_cosim *cosim, const ms_trial_wants *wants, ms_error *error)
{
    ms_errors finer;
    ms_observer observer;
    ms_run_result result;
    int status = ms_errors_create(cosim, trial->errors.level + 1, &finer, &observer, error);
    if (status != MS_OK)
        return status;
    status = ms_run(cosim, &observer, 1, &finer.reference_scale, wants->stop, &result, error);
    if (status == MS_OK && result.reason == MS_REASON_END_TIME && finer.status == MS_OK)
        ms_errors_take_integrals(&trial->errors, &finer);
    else
        trial->errors.level = MS_ERROR_LEVELS; /* as far as they are known */
    if (status == MS_OK && result.reason == MS_REASON_INTERRUPTED) {
        trial->result.reason = MS_REASON_INTERRUPTED;
        trial->errors_valid = false;
    }
    ms_errors_destroy(&finer);
    return status;
}

int ms_trial_run(const ms_system *system, const ms_options *options, const ms_trial_wants *wants,
                 ms_trial *trial, ms_error *error)
{
    ms_cosim *cosim = NULL;
    witness w = {.trial = trial};
    *trial = (ms_trial){.system = system,
                        .has_trajectory = wants->trajectory,
                        .energy = {.known = ms_energy_declared(system)}};
    trial->work = calloc((size_t)system->n + 1, sizeof *trial->work);
    int status = MS_OK;
    if (trial->work == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a run");
    if (status == MS_OK)
        status = ms_cosim_of_options(system, options, &cosim, error);
    if (status == MS_OK)
        status = observe(&w, cosim, wants, error);
    if (status == MS_OK)
        status = ms_run(cosim, w.observers, w.n_observers,
                        wants->errors ? &trial->errors.reference_scale : NULL, wants->stop, &trial->result,
                        error);
    if (status == MS_OK && trial->trajectory.status != MS_OK)
        status = ms_fail(error, trial->trajectory.status, "not enough memory for a trajectory of %ld rows",
                         trial->trajectory.rows);
    if (status == MS_OK && trial->ledger.status != MS_OK)
        status = ms_fail(error, trial->ledger.status, "not enough memory for an energy ledger of %ld rows",
                         trial->ledger.rows);
    if (status == MS_OK)
        conclude(trial, cosim, wants);
    while (status == MS_OK && trial->errors_valid && !trial->errors.resolved &&
           trial->errors.level < MS_ERROR_LEVELS - 1)
        status = sample_again(trial, cosim, wants, error);
    if (status != MS_OK)
        ms_trial_destroy(trial);
    free(w.observers);
    free(w.u);
    ms_cosim_destroy(&cosim);
    return status;
}

void ms_trial_destroy(ms_trial *trial)
{
    ms_errors_destroy(&trial->errors);
    ms_trajectory_destroy(&trial->trajectory);
    ms_energy_destroy(&trial->ledger);
    free(trial->work);
    trial->work = NULL;
}
