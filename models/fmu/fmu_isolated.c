/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_isolated.c - both versions of FMI in a separate process, behind the table of fmu_parts.h: each function is a call over a
 * channel, which fmu_serve.c carries out. */
#include <string.h>

#include "fmu_process.h"

/* Arrays: doubles come before numbers of 4 bytes, so that all are aligned on arrival. */
#define DOUBLES(pointer, n)                                                                                  \
    {                                                                                                        \
        (void *)(pointer), sizeof(double) * (size_t)(n)                                                      \
    }
#define NUMBERS(pointer, n)                                                                                  \
    {                                                                                                        \
        (void *)(pointer), sizeof(int) * (size_t)(n)                                                         \
    }
#define PARTS(...)                                                                                           \
    (struct iovec[]) __VA_ARGS__, (int)(sizeof((struct iovec[])__VA_ARGS__) / sizeof(struct iovec))
#define REQUEST(name, ...) (&(ms_fmu_request){.call = MS_FMU_##name, __VA_ARGS__})

/* A call without arrays. */
static int call(ms_fmu_component *c, ms_fmu_request *request, ms_fmu_reply *reply)
{
    return ms_fmu_process_call(c, request, NULL, 0, reply, NULL, 0);
}

static int plain(ms_fmu_component *c, ms_fmu_call which)
{
    ms_fmu_reply reply;
    return call(c, &(ms_fmu_request){.call = which}, &reply);
}

/* Life --------------------------------------------------------------------------------------------------- */

/* The process takes the place of an instance. */
static int instantiate(ms_fmu_component *c, const ms_fmu_setup *setup)
{
    ms_fmu_reply reply;
    if (c->process == NULL)
        c->process = ms_fmu_process_take(c);
    if (c->process == NULL)
        return MS_FMI_FATAL;
    const int status = ms_fmu_process_call(
        c,
        REQUEST(INSTANTIATE, .a = c->start_time, .b = c->stop_time, .c = c->tolerance,
                .flag = setup->intermediate_update),
        PARTS({{(void *)setup->instance_name, strlen(setup->instance_name) + 1}}), &reply, NULL, 0);
    c->instance = status <= MS_FMI_WARNING ? c->process : NULL;
    return status;
}

static void free_instance(ms_fmu_component *c)
{
    (void)plain(c, MS_FMU_FREE);
}

static int configure(ms_fmu_component *c, bool begins)
{
    ms_fmu_reply reply;
    return ms_fmu_process_call(c, REQUEST(CONFIGURE, .flag = begins), NULL, 0, &reply, NULL, 0);
}

static int enter_initialisation(ms_fmu_component *c)
{
    return plain(c, MS_FMU_ENTER_INITIALISATION);
}

static int exit_initialisation(ms_fmu_component *c)
{
    return plain(c, MS_FMU_EXIT_INITIALISATION);
}

static int terminate(ms_fmu_component *c)
{
    return plain(c, MS_FMU_TERMINATE);
}

/* Values ------------------------------------------------------------------------------------------------- */

static int get(ms_fmu_component *c, const ms_fmu_group *g, double *value)
{
    return ms_fmu_process_get(c, g, value);
}

static int set(ms_fmu_component *c, const ms_fmu_group *g, const double *value)
{
    return ms_fmu_process_post(c, REQUEST(SET, .type = g->type, .n = g->n, .m = g->n_values),
                               PARTS({DOUBLES(value, g->n_values), NUMBERS(g->reference, g->n)}));
}

static int set_text(ms_fmu_component *c, unsigned reference, const char *value)
{
    ms_fmu_reply reply;
    return ms_fmu_process_call(c, REQUEST(SET_TEXT, .reference = reference),
                               PARTS({{(void *)value, strlen(value) + 1}}), &reply, NULL, 0);
}

static int directional(ms_fmu_component *c, int n_unknowns, const unsigned *unknown, int n_knowns,
                       const unsigned *known, const double *seed, double *sensitivity)
{
    ms_fmu_reply reply;
    return ms_fmu_process_call(
        c, REQUEST(DIRECTIONAL, .n = n_unknowns, .m = n_knowns),
        PARTS({DOUBLES(seed, n_knowns), NUMBERS(unknown, n_unknowns), NUMBERS(known, n_knowns)}), &reply,
        PARTS({DOUBLES(sensitivity, n_unknowns)}));
}

/* States ------------------------------------------------------------------------------------------------- */

static int save(ms_fmu_component *c, ms_fmu_state *state)
{
    ms_fmu_reply reply;
    const int status = call(c, REQUEST(SAVE, .state = *state), &reply);
    if (status <= MS_FMI_WARNING)
        *state = reply.state;
    return status;
}

static int restore(ms_fmu_component *c, ms_fmu_state state)
{
    ms_fmu_reply reply;
    return call(c, REQUEST(RESTORE, .state = state), &reply);
}

static int free_state(ms_fmu_component *c, ms_fmu_state *state)
{
    ms_fmu_reply reply;
    const int status = call(c, REQUEST(FREE_STATE, .state = *state), &reply);
    *state = NULL;
    return status;
}

static int copy(ms_fmu_component *c, ms_fmu_state state, ms_fmu_state *made)
{
    ms_fmu_reply reply;
    const int status = call(c, REQUEST(COPY_STATE, .state = state), &reply);
    if (status <= MS_FMI_WARNING)
        *made = reply.state;
    return status;
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

static int step(ms_fmu_component *c, double t, double h, bool keep, double *reached)
{
    ms_fmu_reply reply = {.value = t};
    const int status = ms_fmu_process_step(
        c, REQUEST(STEP, .a = t, .b = h, .flag = keep, .n = c->intermediate != NULL), &reply);
    *reached = status != MS_FMI_FATAL ? reply.value : t;
    return status;
}

static int set_input_derivatives(ms_fmu_component *c, int n, const unsigned *reference, const int *order,
                                 const double *value)
{
    return ms_fmu_process_post(c, REQUEST(SET_INPUT_DERIVATIVES, .n = n),
                               PARTS({DOUBLES(value, n), NUMBERS(reference, n), NUMBERS(order, n)}));
}

static int get_output_derivatives(ms_fmu_component *c, int n, const unsigned *reference, const int *order,
                                  double *value)
{
    ms_fmu_reply reply;
    return ms_fmu_process_call(c, REQUEST(GET_OUTPUT_DERIVATIVES, .n = n),
                               PARTS({NUMBERS(reference, n), NUMBERS(order, n)}), &reply,
                               PARTS({DOUBLES(value, n)}));
}

/* Model exchange ----------------------------------------------------------------------------------------- */

static int set_time(ms_fmu_component *c, double t)
{
    return ms_fmu_process_post(c, REQUEST(SET_TIME, .a = t), NULL, 0);
}

static int set_states(ms_fmu_component *c, int nx, const double *x)
{
    return ms_fmu_process_post(c, REQUEST(SET_STATES, .n = nx), PARTS({DOUBLES(x, nx)}));
}

static int read(ms_fmu_component *c, ms_fmu_call which, int n, double *value)
{
    ms_fmu_reply reply;
    return ms_fmu_process_call(c, &(ms_fmu_request){.call = which, .n = n}, NULL, 0, &reply,
                               PARTS({DOUBLES(value, n)}));
}

static int get_states(ms_fmu_component *c, int nx, double *x)
{
    return read(c, MS_FMU_GET_STATES, nx, x);
}

static int get_derivatives(ms_fmu_component *c, int nx, double *dx)
{
    return read(c, MS_FMU_GET_DERIVATIVES, nx, dx);
}

static int get_indicators(ms_fmu_component *c, int n, double *r)
{
    return read(c, MS_FMU_GET_INDICATORS, n, r);
}

static int completed_step(ms_fmu_component *c, bool keep, bool *event_mode, bool *terminated)
{
    ms_fmu_reply reply = {0};
    const int status = call(c, REQUEST(COMPLETED_STEP, .flag = keep), &reply);
    *event_mode = reply.first;
    *terminated = reply.second;
    return status;
}

static int enter_event_mode(ms_fmu_component *c)
{
    return plain(c, MS_FMU_ENTER_EVENT_MODE);
}

static int update_discrete(ms_fmu_component *c, ms_fmi_update *update)
{
    ms_fmu_reply reply = {0};
    const int status = call(c, REQUEST(UPDATE_DISCRETE, .flag = false), &reply);
    *update = reply.update;
    return status;
}

static int enter_continuous(ms_fmu_component *c)
{
    return plain(c, MS_FMU_ENTER_CONTINUOUS);
}

const ms_fmi ms_fmi_isolated = {.instantiate = instantiate,
                                .free_instance = free_instance,
                                .configure = configure,
                                .enter_initialisation = enter_initialisation,
                                .exit_initialisation = exit_initialisation,
                                .terminate = terminate,
                                .get = get,
                                .set = set,
                                .set_text = set_text,
                                .directional = directional,
                                .save = save,
                                .restore = restore,
                                .free_state = free_state,
                                .copy = copy,
                                .step = step,
                                .set_input_derivatives = set_input_derivatives,
                                .get_output_derivatives = get_output_derivatives,
                                .set_time = set_time,
                                .set_states = set_states,
                                .get_states = get_states,
                                .get_derivatives = get_derivatives,
                                .get_indicators = get_indicators,
                                .completed_step = completed_step,
                                .enter_event_mode = enter_event_mode,
                                .update_discrete = update_discrete,
                                .enter_continuous = enter_continuous};
