/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What inputs do where macro-steps meet, (17), (18), and how long these are:
 *
 *     input-joints run MODEL --scheme ifosmondi ..      time, step of each macro-step; value, slope by which inputs jump at its start;
 *                                                       left, right: residual of u = L y at its end and at its start
 *
 * Of all inputs the largest, in units of 1 + |u|, 1 + |u'|; at the start of the run nothing jumps. reached: the end; rejected: steps. */
#include <math.h>

#include <macrostep/cosim.h>
#include "measurement.h"

enum { INPUTS_MAX = 16 };

/* An observer. */
typedef struct joints {
    json_t *answer;
    double u[INPUTS_MAX], du[INPUTS_MAX]; /* left limits at the end of the last macro-step */
    double Ly[INPUTS_MAX];                /* inputs given by the outputs there */
} joints;

static int start(void *self, const ms_cosim *cosim, double t)
{
    joints *j = self;
    (void)t;
    if (cosim->system->nu > INPUTS_MAX)
        return 1;
    ms_system_couple(cosim->system, cosim->y, j->Ly);
    return 0;
}

static double apart(int n, const double *u, const double *v)
{
    double largest = 0.0;
    for (int l = 0; l < n; l++)
        largest = fmax(largest, fabs(u[l] - v[l]) / (1.0 + fabs(v[l])));
    return largest;
}

static int step(void *self, const ms_cosim *cosim, double t, double h)
{
    joints *j = self;
    const ms_system *s = cosim->system;
    const bool first = t == cosim->variant.start_time;
    double u[INPUTS_MAX] = {0.0}, du[INPUTS_MAX] = {0.0};
    for (int i = 0; i < s->n; i++) {
        ms_input_evaluate(&cosim->instance[i]->input, 0, 0, 0.0, u + s->u_at[i]);
        ms_input_evaluate(&cosim->instance[i]->input, 0, 1, 0.0, du + s->u_at[i]);
    }
    ms_measured_append(j->answer, "time", t);
    ms_measured_append(j->answer, "step", h);
    ms_measured_append(j->answer, "value", first ? 0.0 : apart(s->nu, u, j->u));
    ms_measured_append(j->answer, "slope", first ? 0.0 : apart(s->nu, du, j->du));
    ms_measured_append(j->answer, "right", apart(s->nu, u, j->Ly));
    for (int i = 0; i < s->n; i++) {
        ms_input_left(&cosim->instance[i]->input, j->u + s->u_at[i]);
        ms_input_left_derivative(&cosim->instance[i]->input, 1, j->du + s->u_at[i]);
    }
    ms_system_couple(s, cosim->y_raw, j->Ly);
    ms_measured_append(j->answer, "left", apart(s->nu, j->u, j->Ly));
    return 0;
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    joints j = {.answer = answer};
    const ms_observer observer = {.self = &j, .start = start, .step = step};
    const ms_simulation_options request = {.observers = &observer, .n_observers = 1};
    ms_study study;
    const int status = ms_study_run(drawing, &request, &study, error, "%s", words);
    const ms_run_result *result = &study.simulation.result;
    if (status == MS_OK)
        ms_measured_members(answer, MS_REALS({"reached", result->reason == MS_REASON_END_TIME},
                                             {"rejected", (double)result->rejected_steps}));
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_input_joints = {"input-joints", measure, "damping-reaction"};
