#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_OBSERVERS = 3 };

/* What a trial's run needs beside its results. */
typedef struct ledger {
    ms_trial *trial;
    bool against_reference;
    double drift; /* [J] */
    double *u;    /* L y (nu) */
    ms_observer *observers;
    int n_observers;
} ledger;

/* Coupling residual and energy --------------------------------------------------------------------------- */

static int ledger_start(void *self, const ms_cosim *cosim, double t)
{
    (void)t;
    ledger *l = self;
    ms_trial_energy *energy = &l->trial->energy;
    energy->start = energy->end = ms_system_energy(cosim->system, cosim->x);
    energy->known = !isnan(energy->start);
    return 0;
}

static int ledger_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    ledger *l = self;
    ms_trial *trial = l->trial;
    ms_system_couple(cosim->system, cosim->y_raw, l->u);
    for (int i = 0; i < cosim->system->nu; i++)
        trial->coupling_residual = fmax(trial->coupling_residual, fabs(cosim->u_left[i] - l->u[i]));
    if (!trial->energy.known)
        return 0;
    trial->energy.end = ms_system_energy(cosim->system, cosim->x);
    const double expected = l->against_reference
                                ? ms_system_energy(cosim->system, ms_reference_state(trial->errors.reference))
                                : trial->energy.start;
    l->drift = fmax(l->drift, fabs(trial->energy.end - expected));
    return 0;
}

static void ledger_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)t, (void)reason;
    const ledger *l = self;
    ms_trial_energy *energy = &l->trial->energy;
    const double start = fabs(energy->start);
    if (l->against_reference && l->trial->errors.status != MS_OK)
        energy->drift = NAN;
    else
        energy->drift = start > 0.0 ? l->drift / start : l->drift;
}

/* Trials ------------------------------------------------------------------------------------------------- */

/* Errors first: the energy is compared with that of the reference at the same time. */
static int observe(ledger *l, ms_cosim *cosim, const ms_trial_wants *wants, ms_error *error)
{
    ms_trial *trial = l->trial;
    int status = MS_OK;
    l->u = malloc(sizeof *l->u * ((size_t)cosim->system->nu + 1));
    l->observers = malloc(sizeof *l->observers * (size_t)(OWN_OBSERVERS + wants->n_observers));
    if (l->u == NULL || l->observers == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the observers of a run");
    if (wants->errors)
        status = ms_errors_create(cosim, &trial->errors, &l->observers[l->n_observers++], error);
    l->against_reference = wants->errors;
    l->observers[l->n_observers++] =
        (ms_observer){.self = l, .start = ledger_start, .step = ledger_step, .end = ledger_end};
    if (status == MS_OK && wants->trajectory)
        status = ms_trajectory_create(cosim, &trial->trajectory, &l->observers[l->n_observers++], error);
    for (int k = 0; k < wants->n_observers; k++)
        l->observers[l->n_observers++] = wants->observers[k];
    return status;
}

static void conclude(ms_trial *trial, const ms_cosim *cosim, const ms_trial_wants *wants)
{
    trial->options = cosim->options;
    trial->expected_order = cosim->scheme->order(&cosim->options);
    for (int i = 0; i < cosim->system->n; i++)
        trial->work[i] = cosim->instance[i]->work;
    trial->errors_valid =
        wants->errors && trial->errors.status == MS_OK && trial->result.reason == MS_REASON_END_TIME;
}

int ms_trial_run(const ms_system *system, const ms_options *options, const ms_trial_wants *wants,
                 ms_trial *trial, ms_error *error)
{
    ms_cosim *cosim = NULL;
    ledger l = {.trial = trial};
    *trial = (ms_trial){.system = system, .has_trajectory = wants->trajectory};
    trial->work = calloc((size_t)system->n + 1, sizeof *trial->work);
    int status = MS_OK;
    if (trial->work == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a run");
    if (status == MS_OK)
        status = ms_cosim_create(system, options, &cosim, error);
    if (status == MS_OK)
        status = observe(&l, cosim, wants, error);
    if (status == MS_OK)
        status = ms_run(cosim, l.observers, l.n_observers, wants->errors ? &trial->errors.reference_scale : NULL, wants->stop, &trial->result, error);
    if (status == MS_OK && trial->trajectory.status != MS_OK)
        status = ms_fail(error, trial->trajectory.status, "not enough memory for a trajectory of %ld rows",
                         trial->trajectory.rows);
    if (status == MS_OK)
        conclude(trial, cosim, wants);
    else
        ms_trial_destroy(trial);
    free(l.observers);
    free(l.u);
    ms_cosim_destroy(&cosim);
    return status;
}

void ms_trial_destroy(ms_trial *trial)
{
    ms_errors_destroy(&trial->errors);
    ms_trajectory_destroy(&trial->trajectory);
    free(trial->work);
    trial->work = NULL;
}
