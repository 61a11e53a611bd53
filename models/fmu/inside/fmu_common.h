/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_common.h - what FMI 2.0 and 3.0 share behind the table of fmu_parts.h, for the version whose names these macros give: FUNCTIONS
 * its list, TEXT(name) a name as it is exported and TYPE(name) its type, STATE(before, behind), DESERIALISE and DERIVATIVES names that both spell in their way. */
#pragma once

#include <stdlib.h>

#include "fmu_parts.h"

#define MEMBER(need, name) TYPE(name) * name;
typedef struct functions {
    FUNCTIONS(MEMBER)
} functions;

#define SYMBOL(need, name) {TEXT(name), need, offsetof(functions, name)},
static const ms_fmi_symbol symbols[] = {FUNCTIONS(SYMBOL){NULL, MS_NEED_NOT, 0}};

static const functions *of(const ms_fmu_component *c)
{
    return c->fmu->functions;
}

static void free_instance(ms_fmu_component *c)
{
    of(c)->FreeInstance(c->instance);
}

static int terminate(ms_fmu_component *c)
{
    return of(c)->Terminate(c->instance);
}

static int save(ms_fmu_component *c, ms_fmu_state *state)
{
    return of(c)->STATE(Get, ) == NULL ? MS_FMI_DISCARD : of(c)->STATE(Get, )(c->instance, state);
}

static int restore(ms_fmu_component *c, ms_fmu_state state)
{
    return of(c)->STATE(Set, ) == NULL ? MS_FMI_DISCARD : of(c)->STATE(Set, )(c->instance, state);
}

static int free_state(ms_fmu_component *c, ms_fmu_state *state)
{
    return of(c)->STATE(Free, ) == NULL ? MS_FMI_DISCARD : of(c)->STATE(Free, )(c->instance, state);
}

static int copy(ms_fmu_component *c, ms_fmu_state state, ms_fmu_state *made)
{
    size_t size = 0;
    if (of(c)->STATE(Serialized, Size) == NULL || of(c)->STATE(Serialize, ) == NULL ||
        of(c)->DESERIALISE == NULL)
        return MS_FMI_DISCARD;
    int status = of(c)->STATE(Serialized, Size)(c->instance, state, &size);
    void *bytes = status <= MS_FMI_WARNING ? calloc(size + 1, 1) : NULL;
    if (bytes == NULL)
        return status <= MS_FMI_WARNING ? MS_FMI_DISCARD : status;
    status = of(c)->STATE(Serialize, )(c->instance, state, bytes, size);
    if (status <= MS_FMI_WARNING)
        status = of(c)->DESERIALISE(c->instance, bytes, size, made);
    free(bytes);
    return status;
}

static int set_time(ms_fmu_component *c, double t)
{
    return of(c)->SetTime(c->instance, t);
}

static int set_states(ms_fmu_component *c, int nx, const double *x)
{
    return of(c)->SetContinuousStates(c->instance, x, (size_t)nx);
}

static int get_states(ms_fmu_component *c, int nx, double *x)
{
    return of(c)->GetContinuousStates(c->instance, x, (size_t)nx);
}

static int get_derivatives(ms_fmu_component *c, int nx, double *dx)
{
    return of(c)->DERIVATIVES(c->instance, dx, (size_t)nx);
}

static int get_indicators(ms_fmu_component *c, int n, double *r)
{
    return of(c)->GetEventIndicators(c->instance, r, (size_t)n);
}

/* The members of the table, each called as its function: those above, and what the version has for itself. */
#define COMMON                                                                                               \
    .symbol = symbols, .size = sizeof(functions), .free_instance = free_instance, .terminate = terminate,    \
    .save = save, .restore = restore, .free_state = free_state, .copy = copy, .set_time = set_time,          \
    .set_states = set_states, .get_states = get_states, .get_derivatives = get_derivatives,                  \
    .get_indicators = get_indicators, .instantiate = instantiate,                                            \
    .enter_initialisation = enter_initialisation, .exit_initialisation = exit_initialisation, .get = get,    \
    .set = set, .set_text = set_text, .directional = directional, .step = step,                              \
    .get_output_derivatives = get_output_derivatives, .completed_step = completed_step,                      \
    .enter_event_mode = enter_event_mode, .update_discrete = update_discrete,                                \
    .enter_continuous = enter_continuous
