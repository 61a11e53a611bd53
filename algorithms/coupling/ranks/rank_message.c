/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rank_message.h"

#include <stdio.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include "port_work.h"
#include "system_digest.h"

/* Of a step, before ends of pieces, coefficients, laws and state. */
typedef struct step_head {
    double t, h;
    ms_input input; /* without end and c, which follow */
    int n_laws;
    bool meant, watched;
    ms_input_law law[MS_INPUT_LAWS];
} step_head;

/* Of an answer, before values. */
typedef struct answer_head {
    ms_work work;
    ms_outcome outcome;
    bool ended;                                              /* ms_instance_ended */
    int n_events;                                            /* of the last macro-step, ... */
    double last;                                             /* ... and the time of the last of them */
    char failure[sizeof(((ms_events *)NULL)->failure_text)]; /* empty: none is known */
} answer_head;

static char *put(char *to, const void *from, size_t size)
{
    if (size > 0)
        memcpy(to, from, size);
    return to + size;
}

static const char *take(const char *from, void *to, size_t size)
{
    if (size > 0)
        memcpy(to, from, size);
    return from + size;
}

static size_t doubles(int n)
{
    return sizeof(double) * (size_t)n;
}

static int solver_memory(const ms_instance *instance)
{
    return ms_solver_memory(instance->solver, instance->sub->nx);
}

/* x, z and the micro-solver's memory. */
static size_t state_bytes(const ms_instance *instance)
{
    return doubles(instance->sub->nx + ms_subsystem_nz(instance->sub) + solver_memory(instance));
}

static char *put_state(char *to, const ms_instance *instance)
{
    to = put(to, instance->x, doubles(instance->sub->nx));
    to = put(to, instance->z, doubles(ms_subsystem_nz(instance->sub)));
    return put(to, instance->memory, doubles(solver_memory(instance)));
}

static const char *take_state(const char *from, const ms_instance *instance)
{
    from = take(from, instance->x, doubles(instance->sub->nx));
    from = take(from, instance->z, doubles(ms_subsystem_nz(instance->sub)));
    return take(from, instance->memory, doubles(solver_memory(instance)));
}

size_t ms_message_step_bytes(const ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    return sizeof(step_head) + doubles(instance->input.room.pieces + ms_input_size(&instance->input)) +
           state_bytes(instance) + doubles(sub->nu + sub->ny);
}

void ms_message_put_step(char *to, const ms_instance *instance, bool meant, const double *u, const double *y)
{
    step_head head;
    ms_instance_hold(instance);    /* the sending rank does not know it */
    memset(&head, 0, sizeof head); /* padding too */
    head.t = instance->t;
    head.h = instance->h;
    head.input = instance->input;
    head.n_laws = instance->n_laws;
    head.meant = meant;
    head.watched = !instance->unwatched;
    if (instance->n_laws > 0)
        memcpy(head.law, instance->law, sizeof *head.law * (size_t)instance->n_laws);
    to = put(to, &head, sizeof head);
    to = put(to, instance->input.end, doubles(instance->input.room.pieces));
    to = put(to, instance->input.c, doubles(ms_input_size(&instance->input)));
    to = put_state(to, instance);
    to = put(to, u, doubles(instance->sub->nu));
    put(to, y, doubles(instance->sub->ny));
}

bool ms_message_take_step(const char *from, ms_instance *instance, double *u, double *y)
{
    step_head head;
    double *end = instance->input.end, *c = instance->input.c;
    from = take(from, &head, sizeof head);
    instance->t = head.t;
    instance->h = head.h;
    instance->input = head.input;
    instance->input.end = end;
    instance->input.c = c;
    instance->n_laws = head.n_laws;
    ms_instance_watch(instance, head.watched);
    if (head.n_laws > 0)
        memcpy(instance->law, head.law, sizeof *head.law * (size_t)head.n_laws);
    from = take(from, end, doubles(instance->input.room.pieces));
    from = take(from, c, doubles(ms_input_size(&instance->input)));
    from = take_state(from, instance);
    from = take(from, u, doubles(instance->sub->nu));
    take(from, y, doubles(instance->sub->ny));
    return head.meant;
}

/* Through which work is kept. */
static int n_ports(const ms_instance *instance)
{
    return instance->port_work != NULL ? instance->sub->n_ports : 0;
}

size_t ms_message_answer_bytes(const ms_instance *instance, int n_samples)
{
    const ms_subsystem *sub = instance->sub;
    return sizeof(answer_head) + doubles(sub->nu + 2 * sub->ny) + state_bytes(instance) +
           doubles(instance->n_integrals + (1 + n_samples) * instance->n_state + n_ports(instance));
}

void ms_message_put_answer(char *to, const ms_instance *instance, ms_outcome outcome, const double *u,
                           const double *y, const double *dy)
{
    answer_head head;
    memset(&head, 0, sizeof head);
    head.work = instance->work;
    head.outcome = outcome;
    head.ended = ms_instance_ended(instance);
    if (instance->events != NULL) {
        head.n_events = instance->events->n_events;
        head.last = instance->events->last;
        if (instance->events->failure != NULL)
            snprintf(head.failure, sizeof head.failure, "%s", instance->events->failure);
    }
    to = put(to, &head, sizeof head);
    to = put(to, u, doubles(instance->sub->nu));
    to = put(to, y, doubles(instance->sub->ny));
    to = put(to, dy, doubles(instance->sub->ny));
    to = put_state(to, instance);
    to = put(to, instance->state + instance->sub->nx, doubles(instance->n_integrals));
    to = put(to, instance->x_start, doubles(instance->n_state));
    to = put(to, instance->samples, doubles(instance->n_samples * instance->n_state));
    if (n_ports(instance) > 0)
        put(to, ms_port_work_values(instance), doubles(n_ports(instance)));
}

ms_outcome ms_message_take_answer(const char *from, ms_instance *instance, double *u, double *y, double *dy)
{
    const size_t ny = doubles(instance->sub->ny);
    answer_head head;
    from = take(from, &head, sizeof head);
    instance->ended = head.ended;
    instance->work.micro_steps += head.work.micro_steps;
    instance->work.rhs_evaluations += head.work.rhs_evaluations;
    instance->work.jacobian_evaluations += head.work.jacobian_evaluations;
    instance->work.error_test_failures += head.work.error_test_failures;
    instance->work.convergence_failures += head.work.convergence_failures;
    instance->work.events += head.work.events;
    instance->work.switches += head.work.switches;
    instance->work.slides += head.work.slides;
    instance->work.announced += head.work.announced;
    instance->work.served += head.work.served;
    if (instance->events != NULL) {
        instance->events->n_events = head.n_events;
        instance->events->last = head.last;
        memcpy(instance->events->failure_text, head.failure, sizeof head.failure);
        instance->events->failure = head.failure[0] != '\0' ? instance->events->failure_text : NULL;
    }
    from = take(from, u, doubles(instance->sub->nu));
    from = take(from, y, ny);
    from = dy != NULL ? take(from, dy, ny) : from + ny;
    from = take_state(from, instance);
    from = take(from, instance->state + instance->sub->nx, doubles(instance->n_integrals));
    from = take(from, instance->x_start, doubles(instance->n_state));
    from = take(from, instance->samples, doubles(instance->n_samples * instance->n_state));
    if (n_ports(instance) > 0)
        take(from, ms_port_work_values(instance), doubles(n_ports(instance)));
    return head.outcome;
}

int ms_message_job(const ms_system *system, const ms_rank_run *run, ms_job *job, ms_error *error)
{
    memset(job, 0, sizeof *job);
    job->run = *run;
    return ms_system_digest(system, &job->system) == MS_OK
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the start values");
}

int ms_message_same_job(const ms_job *job, const ms_system *system, const ms_rank_run *run, ms_error *error)
{
    ms_job own;
    MS_TRY(ms_message_job(system, run, &own, error));
    if (strcmp(job->run.program, own.run.program) != 0)
        return ms_fail(error, MS_INVALID, "`execution` mpi: the program is %s, but that of rank 0 is %s",
                       run->program, job->run.program);
    if (!ms_digest_same(&job->system, &own.system))
        return ms_fail(error, MS_INVALID,
                       "`execution` mpi: the model differs from that of rank 0 in its name, parameters, "
                       "equations, matrices, start values or inputs");
    if (!ms_digest_same(&job->run.files, &own.run.files))
        return ms_fail(error, MS_INVALID, "`execution` mpi: an FMU of %s differs from that of rank 0",
                       system->model->name);
    if (!ms_digest_same(&job->run.options, &own.run.options))
        return ms_fail(error, MS_INVALID, "`execution` mpi: the options differ from those of rank 0");
    return MS_OK;
}

void ms_message_broadcast(const ms_plugin_mpi *mpi, double *values, size_t n)
{
    enum { BYTES_MAX = 1 << 26 };
    char *bytes = (char *)values;
    for (size_t left = sizeof *values * n, part; left > 0; left -= part, bytes += part) {
        part = left > BYTES_MAX ? BYTES_MAX : left;
        mpi->broadcast(bytes, (int)part);
    }
}
