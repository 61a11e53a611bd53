/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each bond of a run with negotiated power produces in each macro-step, and whether its law was held at both ends:
 *
 *     power-bonds run MODEL --scheme power ..      time, bond (from 1), residual (its modulus, in units of the energy at the start),
 *                                                  by_law; bonds */
#include <math.h>
#include <string.h>

#include <macrostep/cosim.h>
#include "macrostep_power.h"
#include "measurement.h"

enum { STEPS_MAX = 800, BONDS_MAX = 8, OUTPUTS_MAX = 16 };

/* An observer: which bonds the law has taken. */
typedef struct bond_log {
    double y[OUTPUTS_MAX]; /* outputs before the macro-step */
    long steps;
    bool by_law[STEPS_MAX][BONDS_MAX];
} bond_log;

static int bond_log_start(void *self, const ms_cosim *cosim, double t)
{
    (void)t;
    bond_log *log = self;
    log->steps = 0;
    if (cosim->system->ny > OUTPUTS_MAX || cosim->system->n_bonds > BONDS_MAX)
        return 1;
    memcpy(log->y, cosim->y, sizeof(double) * (size_t)cosim->system->ny);
    return 0;
}

/* The law of an input, or NULL. */
static const ms_input_law *law_of(const ms_cosim *cosim, int subsystem, int input)
{
    const ms_instance *instance = cosim->instance[subsystem];
    for (int k = 0; k < instance->n_laws; k++)
        if (cosim->system->u_at[subsystem] + instance->law[k].input == input)
            return &instance->law[k];
    return NULL;
}

static int bond_log_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    bond_log *log = self;
    const ms_system *s = cosim->system;
    if (log->steps == STEPS_MAX)
        return 1;
    for (int b = 0; b < s->n_bonds; b++) {
        bool held = true;
        for (int k = 0; k < 2; k++) {
            const ms_bond *bond = &s->bond[b];
            const ms_input_law *law = law_of(cosim, bond->subsystem[k], bond->input[k]);
            held &= law != NULL && ms_power_law_held(law, log->y[bond->output[k]], cosim->y[bond->output[k]]);
        }
        log->by_law[log->steps][b] = held;
    }
    log->steps++;
    memcpy(log->y, cosim->y, sizeof(double) * (size_t)s->ny);
    return 0;
}

static void give_bonds(const ms_energy *energy, const bond_log *log, json_t *answer)
{
    const int bonds = energy->system->n_bonds;
    for (long n = 1; n < energy->rows; n++)
        for (int b = 0; b < bonds; b++) {
            const double *row = ms_energy_row(energy, n),
                         residual = row[ms_energy_bond(energy, b) + MS_ENERGY_RESIDUAL];
            ms_measured_append(answer, "time", row[0]);
            ms_measured_append(answer, "bond", b + 1);
            ms_measured_append(answer, "residual", fabs(residual) / energy->start);
            ms_measured_append(answer, "by_law", log->by_law[n - 1][b]);
        }
    json_object_set_new(answer, "bonds", json_integer(bonds));
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    bond_log log = {.steps = 0};
    const ms_observer observer = {.self = &log, .start = bond_log_start, .step = bond_log_step};
    const ms_simulation_options request = {.energies = true, .observers = &observer, .n_observers = 1};
    ms_study study;
    int status = ms_study_run(drawing, &request, &study, error, "%s", words);
    if (status == MS_OK && study.simulation.result.reason != MS_REASON_END_TIME)
        status =
            ms_fail(error, MS_SOLVER_FAILED, "%s ended early: %s", words, study.simulation.result.message);
    if (status == MS_OK && study.simulation.ledger.system == NULL)
        status =
            ms_fail(error, MS_INVALID, "power-bonds: model %s has no energies", study.system->model->name);
    else if (status == MS_OK)
        give_bonds(&study.simulation.ledger, &log, answer);
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_power_bonds = {"power-bonds", measure, NULL};
