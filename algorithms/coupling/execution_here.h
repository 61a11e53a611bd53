/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_here.h - shared by executors: advances subsystems in this process. */
#pragma once

#include <macrostep/execution.h>
#include <macrostep/instance_step.h>

/* Outcome of the step of one subsystem. */
typedef enum ms_outcome { MS_ADVANCED, MS_STEP_FAILED, MS_OUTPUTS_FAILED } ms_outcome;

/* Reads an integrated instance: left limits u (nu), outputs y (ny) and, if dy is not NULL, y' (ny). The second
 * function is the fast path of the first. */
ms_outcome ms_execution_read_all(ms_instance *instance, ms_reading reading, double *u, double *y, double *dy);

static inline ms_outcome ms_execution_read(ms_instance *instance, ms_reading reading, double *u, double *y,
                                           double *dy)
{
    if (dy != NULL || reading != MS_READING_LEFT || instance->sub->uses_du)
        return ms_execution_read_all(instance, reading, u, y, dy);
    ms_input_left(&instance->input, u);
    return ms_instance_outputs(instance, instance->t + instance->h, u, NULL, y) == 0 ? MS_ADVANCED
                                                                                     : MS_OUTPUTS_FAILED;
}

/* Advances subsystem i over the step stored in its instance. */
ms_outcome ms_execution_advance_here(const ms_cosim *cosim, int i, double *dy);

static inline bool ms_execution_is_meant(const bool *which, int i)
{
    return which == NULL || which[i];
}

/* The step of all instances. */
static inline void ms_execution_set_step(ms_cosim *cosim, double t, double h)
{
    for (int i = 0; i < cosim->system->n; i++) {
        cosim->instance[i]->t = t;
        cosim->instance[i]->h = h;
    }
}

/* MS_OK, or the status of a subsystem that failed, with its message in cosim->error: of subsystem i; of the first
 * failed one among the selected subsystems (which; NULL: all). */
int ms_execution_one_outcome(ms_cosim *cosim, int i, ms_outcome outcome);
int ms_execution_outcome(ms_cosim *cosim, const bool *which, const ms_outcome *outcome);

/* Slots of the serial executor: the first cosim->own subsystems; one. */
int ms_execution_all_here(ms_cosim *cosim, double t, double h, double *dy);
int ms_execution_one_here(ms_cosim *cosim, int i, double *dy);
