/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rank_parts.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>

/* A rank's subsystems where rank 0 keeps the state. */
typedef struct subsystems {
    int first, n;
    const ms_solver *solver;
    ms_instance **instance; /* (n) */
    double *state;          /* x, z, memory of each; then u, y, dy of the largest */
    double *u, *y, *dy;
    char *in, *out;
} subsystems;

typedef struct worker {
    const ms_worker_place *place;
    subsystems own;  /* where rank 0 keeps the state */
    ms_block *block; /* where ranks do */
} worker;

static void worker_destroy(worker *w)
{
    ms_block_destroy(&w->block);
    for (int i = 0; i < w->own.n && w->own.instance != NULL; i++)
        ms_instance_destroy(&w->own.instance[i]);
    MS_FREE(w->own.instance, w->own.state, w->own.in);
    w->own = (subsystems){0};
}

/* Creation ----------------------------------------------------------------------------------------------- */

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int allocate_own(subsystems *c, const ms_system *s)
{
    const int last = c->first + c->n;
    size_t nu = 0, ny = 0;
    for (int i = c->first; i < last; i++) {
        nu = (size_t)most((int)nu, s->sub[i].nu);
        ny = (size_t)most((int)ny, s->sub[i].ny);
    }
    const size_t own = (size_t)(s->x_at[last] - s->x_at[c->first] + s->z_at[last] - s->z_at[c->first] +
                                ms_system_solver_memory(s, c->solver, c->first, last));
    c->state = calloc(own + nu + 2 * ny + 1, sizeof *c->state);
    c->instance = calloc((size_t)c->n + 1, sizeof(ms_instance *));
    MS_TRY_MEMORY(c->state != NULL && c->instance != NULL);
    c->u = c->state + own;
    c->y = c->u + nu;
    c->dy = c->y + ny;
    return MS_OK;
}

static int create_own(worker *w, const ms_partition *p, const ms_job *wanted, ms_error *error)
{
    const ms_system *s = w->place->system;
    subsystems *c = &w->own;
    c->first = p->first[w->place->rank];
    c->n = p->first[w->place->rank + 1] - c->first;
    c->solver = ms_solver_find(wanted->options.solver);
    int status = allocate_own(c, s);
    double *at = c->state;
    ms_variant variant;
    ms_variant_set(&variant, w->place->find_scheme(wanted->options.scheme), c->solver, &wanted->options);
    for (int i = 0; i < c->n && status == MS_OK; i++) {
        ms_input_law feedback[MS_INPUT_LAWS];
        const int index = c->first + i, nx = s->sub[index].nx, nz = ms_subsystem_nz(&s->sub[index]);
        const ms_instance_parts parts = {.system = s,
                                         .index = index,
                                         .solver = c->solver,
                                         .options = &wanted->micro,
                                         .x = at,
                                         .z = at + nx,
                                         .memory = at + nx + nz,
                                         .room = wanted->room,
                                         .feedback = feedback,
                                         .n_feedback = ms_variant_feedback(&variant, s, index, feedback)};
        at += nx + nz + ms_solver_memory(c->solver, nx);
        status = ms_instance_create(&parts, &c->instance[i], error);
        MS_THEN(status, ms_instance_allow_laws(c->instance[i]));
    }
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for %d subsystems", c->n);
    return status;
}

static int create_block(worker *w, const ms_partition *p, const ms_job *wanted, ms_error *error)
{
    const ms_worker_place *place = w->place;
    return ms_block_create(&(ms_block_parts){place->mpi, place->system, p, place->rank,
                                             place->find_scheme(wanted->options.scheme), &wanted->options},
                           &w->block, error);
}

static int worker_create(worker *w, const ms_job *wanted, ms_error *error)
{
    const ms_worker_place *place = w->place;
    ms_partition partition;
    if (place->system == NULL)
        return ms_fail(error, MS_INVALID, "%s", place->failure);
    MS_TRY(ms_message_same_job(wanted, place->system, place->run, error));
    const bool together = wanted->blocks && wanted->options.extrapolation.outputs != MS_OUTPUTS_INCONSISTENT;
    int status = ms_partition_create(place->system, place->ranks, together, &partition, error);
    MS_THEN(status, wanted->blocks ? create_block(w, &partition, wanted, error)
                                   : create_own(w, &partition, wanted, error));
    ms_partition_destroy(&partition);
    return status;
}

static void report(const worker *w, const ms_report *own)
{
    w->place->mpi->collect(own, (int)sizeof *own, NULL);
}

static void create(worker *w)
{
    ms_job wanted;
    ms_report own;
    memset(&own, 0, sizeof own);
    w->place->mpi->broadcast(&wanted, (int)sizeof wanted);
    worker_destroy(w);
    own.status = worker_create(w, &wanted, &own.error);
    report(w, &own);
}

/* Room for messages and samples of all. */
static int prepare_own(subsystems *c, const ms_samples *samples)
{
    size_t in = 0, out = 0;
    int status = MS_OK;
    for (int i = 0; i < c->n && status == MS_OK; i++) {
        status = ms_instance_observe(c->instance[i], samples->n, samples->at, samples->work);
        in += ms_message_step_bytes(c->instance[i]);
        out += ms_message_answer_bytes(c->instance[i], samples->n);
    }
    free(c->in);
    c->in = malloc(in + out + 1);
    c->out = c->in + in;
    return c->in != NULL ? status : MS_NO_MEMORY;
}

static int prepare_block(ms_block *block, const ms_samples *samples)
{
    const int status = ms_block_prepare(block, samples);
    MS_FREE(block->start, block->out);
    block->start_size = samples->start;
    block->start = malloc(sizeof *block->start * (samples->start + 1));
    block->out = malloc(ms_block_state_bytes(block->cosim, 0, block->last - block->first) + 1);
    return block->start != NULL && block->out != NULL ? status : MS_NO_MEMORY;
}

static void prepare(worker *w)
{
    ms_samples samples;
    ms_report own;
    memset(&own, 0, sizeof own);
    w->place->mpi->broadcast(&samples, (int)sizeof samples);
    own.status = w->block != NULL ? prepare_block(w->block, &samples) : prepare_own(&w->own, &samples);
    if (own.status != MS_OK)
        ms_fail(&own.error, own.status, "not enough memory for the messages of a rank");
    report(w, &own);
}

/* As rank 0 says ----------------------------------------------------------------------------------------- */

static ms_outcome step(const subsystems *c, ms_instance *instance, const ms_rank_task *task)
{
    if (ms_instance_step(instance, instance->t, instance->h) != MS_OK)
        return MS_STEP_FAILED;
    return ms_execution_read(instance, (ms_reading)task->reading, c->u, c->y,
                             task->derivatives ? c->dy : NULL);
}

/* One subsystem: from its message to its answer. Messages keep their size even if there is nothing to do. */
static void advance_one(const subsystems *c, ms_instance *instance, const ms_rank_task *task, const char *in,
                        char *out)
{
    instance->work = (ms_work){0};
    instance->micro_steps_max = task->micro_steps_max;
    const bool meant = ms_message_take_step(in, instance, c->u, c->y);
    const ms_outcome outcome = meant ? step(c, instance, task) : MS_ADVANCED;
    ms_message_put_answer(out, instance, outcome, c->u, c->y, c->dy);
}

static size_t step_bytes(const subsystems *c, int first, int last)
{
    size_t bytes = 0;
    for (int i = first; i < last; i++)
        bytes += ms_message_step_bytes(c->instance[i]);
    return bytes;
}

/* Advances all subsystems, or a single one, which may belong to another rank. */
static void advance(const worker *w, const ms_rank_task *task)
{
    const ms_plugin_mpi *mpi = w->place->mpi;
    const subsystems *c = &w->own;
    const int one = task->only - c->first;
    const bool is_own = one >= 0 && one < c->n, all = task->only < 0;
    const int first = all || !is_own ? 0 : one, last = all ? c->n : is_own ? one + 1 : 0;
    const char *in = c->in;
    char *out = c->out;
    mpi->scatter(NULL, NULL, NULL, c->in, (int)step_bytes(c, first, last));
    for (int i = first; i < last; i++) {
        advance_one(c, c->instance[i], task, in, out);
        in += ms_message_step_bytes(c->instance[i]);
        out += ms_message_answer_bytes(c->instance[i], c->instance[i]->n_samples);
    }
    mpi->gather(c->out, (int)(out - c->out), NULL, NULL, NULL);
}

static void start(const worker *w)
{
    ms_message_broadcast(w->place->mpi, w->block->start, w->block->start_size);
    ms_block_start(w->block, w->block->start);
}

static void take_macro_step(const worker *w, const ms_rank_task *task)
{
    double verdict[MS_VERDICTS];
    ms_block_bound_micro_steps(w->block, task->micro_steps_max);
    ms_block_step(w->block, task->t, task->h, task->share, w->place->ranks - w->place->rank, verdict);
    w->place->mpi->largest(verdict, MS_VERDICTS, NULL);
}

/* Passes the sum from the rank before to the next one, at the end to rank 0. */
static void add_errors(const worker *w, const ms_rank_task *task)
{
    const ms_worker_place *place = w->place;
    const double sum = ms_block_add_errors(w->block, &task->errors, place->mpi->take_over(place->rank - 1));
    place->mpi->hand_on((place->rank + 1) % place->ranks, sum);
}

static void show(const worker *w)
{
    const ms_block *block = w->block;
    const size_t bytes = ms_block_state_bytes(block->cosim, 0, block->last - block->first);
    ms_block_put_state(w->block, block->out);
    w->place->mpi->gather(block->out, (int)bytes, NULL, NULL, NULL);
}

static void say_why(const worker *w)
{
    const ms_report own = ms_block_report(w->block);
    report(w, &own);
}

static void obey(worker *w, const ms_rank_task *task)
{
    if (task->kind >= MS_TASK_START && w->block == NULL)
        return; /* rank 0 does not say so */
    switch (task->kind) {
    case MS_TASK_CREATE:
        create(w);
        break;
    case MS_TASK_PREPARE:
        prepare(w);
        break;
    case MS_TASK_ADVANCE:
        advance(w, task);
        break;
    case MS_TASK_START:
        start(w);
        break;
    case MS_TASK_STEP:
        take_macro_step(w, task);
        break;
    case MS_TASK_SAVE:
        ms_block_save(w->block);
        break;
    case MS_TASK_RESTORE:
        ms_block_restore(w->block);
        break;
    case MS_TASK_KEEP:
        ms_block_keep(w->block, task->errors.outputs);
        break;
    case MS_TASK_SUM:
        add_errors(w, task);
        break;
    case MS_TASK_SHOW:
        show(w);
        break;
    case MS_TASK_WHY:
        say_why(w);
        break;
    case MS_TASK_DESTROY:
    case MS_TASK_END:
        worker_destroy(w);
        break;
    }
}

int ms_worker_serve(const ms_worker_place *place)
{
    worker w = {.place = place};
    ms_rank_task task = {.kind = MS_TASK_DESTROY};
    while (task.kind != MS_TASK_END) {
        place->mpi->broadcast(&task, (int)sizeof task);
        obey(&w, &task);
    }
    return task.status;
}
