/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "observation.h"

#include <macrostep/cosim_state.h>
#include <macrostep/instance_step.h>

static void watch(const ms_cosim *cosim, bool watched)
{
    for (int i = 0; i < cosim->system->n; i++)
        ms_instance_watch(cosim->instance[i], watched);
}

static bool is_paused(const ms_cosim *cosim)
{
    return cosim->system->n > 0 && cosim->instance[0]->unwatched;
}

/* Is sampling more expensive than a sum? Multistep methods have a polynomial available. */
static bool is_dear(const ms_cosim *cosim)
{
    const bool any = cosim->n_samples > 0 || cosim->port_at != NULL;
    bool dear = false;
    for (int i = 0; i < cosim->system->n && any && !dear; i++)
        dear = !cosim->instance[i]->solver->multistep;
    return dear;
}

void ms_observation_pause(ms_cosim *cosim)
{
    if (ms_cosim_records(cosim) && ms_system_own_stepper(cosim->system) == NULL && is_dear(cosim))
        watch(cosim, false);
}

void ms_observation_resume(ms_cosim *cosim)
{
    if (is_paused(cosim))
        watch(cosim, true);
}

int ms_observation_repeat(ms_cosim *cosim, const double *before, double t, double h)
{
    const int n = cosim->system->n;
    if (!is_paused(cosim))
        return MS_OK;
    ms_observation_resume(cosim);
    for (int i = 0; i < n; i++)
        cosim->saved_work[i] = cosim->instance[i]->work;
    ms_cosim_restore(cosim, before);
    const int status = ms_execution_advance(cosim, t, h, NULL);
    for (int i = 0; i < n; i++)
        cosim->instance[i]->work = cosim->saved_work[i];
    return status;
}
