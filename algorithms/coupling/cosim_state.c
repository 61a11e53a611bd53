/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_state.c - the state of a co-simulation as one block: saved, restored. */
#include <macrostep/cosim_state.h>

#include <string.h>

#include <macrostep/cosim.h>
#include <macrostep/execution.h>
#include <macrostep/instance_step.h>

size_t ms_cosim_state_size(const ms_cosim *cosim)
{
    return (size_t)(cosim->lin_size + cosim->aux_size);
}

void ms_cosim_save(const ms_cosim *cosim, double *state)
{
    memcpy(state, cosim->lin, sizeof(double) * (size_t)cosim->lin_size);
    memcpy(state + cosim->lin_size, cosim->aux, sizeof(double) * (size_t)cosim->aux_size);
    for (int i = 0; i < cosim->system->n; i++)
        (void)ms_instance_keep(
            cosim->instance[i]); /* one that fails will say so where it is asked to go back */
    if (cosim->distribution != NULL)
        ms_distribution_save(cosim);
}

void ms_cosim_restore(ms_cosim *cosim, const double *state)
{
    memcpy(cosim->lin, state, sizeof(double) * (size_t)cosim->lin_size);
    memcpy(cosim->aux, state + cosim->lin_size, sizeof(double) * (size_t)cosim->aux_size);
    if (cosim->distribution != NULL)
        ms_distribution_restore(cosim);
}

bool ms_cosim_can_roll_back(const ms_cosim *cosim, const char **who)
{
    for (int i = 0; i < cosim->system->n; i++)
        if (!cosim->instance[i]->can.rollback) {
            if (who != NULL)
                *who = cosim->instance[i]->sub->name;
            return false;
        }
    return true;
}
