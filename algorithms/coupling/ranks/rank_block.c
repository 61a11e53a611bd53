/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_block.c - one rank's block of a co-simulation, and its exchange with neighbours.
 *
 * The scheme works on the block as on any system. Values from other ranks are outputs of an additional subsystem after its own ones,
 * which is never integrated: when the others' outputs are known (ms_execution_advance), they are received in place. Outputs that are
 * solved are exchanged again (ms_execution_share); those that are solved together are on one rank (partition.h). So every number is
 * computed by one rank, in the order of a serial run. */
#include "rank_block.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_state.h>
#include "equal_rows.h"

/* Exchange ----------------------------------------------------------------------------------------------- */

/* The largest |v|, infinite if one is not finite. */
static double largest_of(double largest, int n, const double *v)
{
    double most[4] = {largest, 0.0, 0.0, 0.0}, nothing = 0.0;
    int j = 0;
    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; k++) {
            const double size = fabs(v[j + k]);
            most[k] = size > most[k] ? size : most[k];
            nothing += 0.0 * size;
        }
    for (; j < n; j++) {
        most[0] = fmax(most[0], fabs(v[j]));
        nothing += 0.0 * v[j];
    }
    return isnan(nothing) ? INFINITY : fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

/* Over the block's states, outputs and inputs, which precede those of the neighbours. */
static double largest_value(const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const double largest = largest_of(0.0, s->nx + s->y_at[cosim->own], cosim->x);
    return largest_of(largest, s->nu, cosim->u_left);
}

static void pack(const ms_block *block, const double *y)
{
    for (int k = 0; k < block->exchange.n_send; k++)
        block->send[k] = y[block->exchange.send[k]];
}

/* Copies the neighbours' outputs after those of the block. */
static void unpack(const ms_cosim *cosim, double *y)
{
    const ms_block *block = cosim->executor_data;
    if (block->exchange.n_receive > 0)
        memcpy(y + cosim->system->y_at[cosim->own], block->receive,
               sizeof *y * (size_t)block->exchange.n_receive);
}

static int advance(ms_cosim *cosim, double t, double h, double *dy)
{
    ms_block *block = cosim->executor_data;
    block->mpi->exchange_expect(block->all);
    const int status = ms_execution_all_here(cosim, t, h, dy);
    pack(block, cosim->y_raw);
    block->mpi->exchange_swap(block->all);
    unpack(cosim, cosim->y_raw);
    block->failed = status != MS_OK;
    block->largest = largest_value(cosim);
    return status;
}

static void share_outputs(ms_cosim *cosim, double *y)
{
    ms_block *block = cosim->executor_data;
    pack(block, y);
    block->mpi->exchange_expect(block->solved);
    block->mpi->exchange_swap(block->solved);
    unpack(cosim, y);
    block->shared = true;
}

static const ms_executor executor = {.advance = advance, .share = share_outputs, .part = true};

/* Creation ----------------------------------------------------------------------------------------------- */

/* One exchange of the given outputs of each neighbour: all of them, or the last ones, which are solved. */
static int create_exchange(ms_block *block, bool solved, void **out)
{
    const ms_exchange *e = &block->exchange;
    ms_plugin_mpi_link *link = calloc((size_t)e->n + 1, sizeof *link);
    MS_TRY_MEMORY(link);
    for (int k = 0; k < e->n; k++) {
        const ms_neighbour *of = &e->neighbour[k];
        const int skip_send = solved ? of->n_send - of->solved_send : 0,
                  skip_receive = solved ? of->n_receive - of->solved_receive : 0;
        link[k] = (ms_plugin_mpi_link){.rank = of->rank,
                                       .n_send = of->n_send - skip_send,
                                       .n_receive = of->n_receive - skip_receive,
                                       .send = block->send + (of->send - e->send) + skip_send,
                                       .receive = block->receive + (of->receive - e->receive) + skip_receive};
    }
    const int status = block->mpi->exchange_create(e->n, link, out);
    free(link);
    return status;
}

/* Everything that has subsystems. */
static int create_cosim(ms_block *block, const ms_block_parts *parts, ms_error *error)
{
    const ms_exchange *e = &block->exchange;
    MS_TRY(ms_system_part(block->whole, block->first, block->last, e->n_receive, e->receive, block->receive,
                          &block->part, error));
    MS_TRY(ms_cosim_create(block->part, parts->scheme, &executor, parts->options, &block->cosim, error));
    block->cosim->executor_data = block;
    block->solves = block->cosim->variant.extrapolation.outputs != MS_OUTPUTS_INCONSISTENT;
    const size_t state = ms_cosim_state_size(block->cosim),
                 values = (size_t)(block->part->nx + block->part->ny);
    block->saved = calloc(state + values + 1, sizeof *block->saved);
    block->kept = block->saved + state;
    for (int k = 0; k < e->n_send; k++) /* from now on places in the block */
        e->send[k] -= block->whole->y_at[block->first];
    return block->saved != NULL ? MS_OK : MS_NO_MEMORY;
}

int ms_block_create(const ms_block_parts *parts, ms_block **out, ms_error *error)
{
    ms_block *block = calloc(1, sizeof *block);
    *out = block;
    MS_TRY_MEMORY_FOR(block != NULL, error, "a block of subsystems");
    block->mpi = parts->mpi;
    block->whole = parts->whole;
    block->first = parts->partition->first[parts->rank];
    block->last = parts->partition->first[parts->rank + 1];
    if (block->first == block->last)
        return MS_OK;
    int status = ms_exchange_create(parts->whole, parts->partition, parts->rank, &block->exchange, error);
    if (status == MS_OK) {
        block->receive =
            calloc((size_t)(block->exchange.n_receive + block->exchange.n_send) + 1, sizeof(double));
        status = block->receive != NULL ? MS_OK : MS_NO_MEMORY;
    }
    if (status == MS_OK) {
        block->send = block->receive + block->exchange.n_receive;
        status = create_cosim(block, parts, error);
    }
    MS_THEN(status, create_exchange(block, false, &block->all));
    MS_THEN(status, create_exchange(block, true, &block->solved));
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for a block of %d subsystems", block->last - block->first);
    if (status != MS_OK)
        ms_block_destroy(out);
    return status;
}

void ms_block_destroy(ms_block **out)
{
    ms_block *block = *out;
    if (block == NULL)
        return;
    if (block->all != NULL)
        block->mpi->exchange_destroy(&block->all);
    if (block->solved != NULL)
        block->mpi->exchange_destroy(&block->solved);
    ms_cosim_destroy(&block->cosim);
    ms_system_destroy(&block->part);
    ms_exchange_destroy(&block->exchange);
    MS_FREE(block->receive, block->saved, block->start, block->out, block);
    *out = NULL;
}

/* Macro-steps -------------------------------------------------------------------------------------------- */

int ms_block_prepare(ms_block *block, const ms_samples *samples)
{
    if (block->cosim == NULL) /* a rank without a subsystem */
        return MS_OK;
    block->cosim->recorded_elsewhere = samples->recorded;
    for (int i = block->first; i < block->last; i++)
        MS_TRY(ms_instance_observe(block->cosim->instance[i - block->first], samples->n, samples->at,
                                   samples->work));
    return MS_OK;
}

size_t ms_block_start_size(const ms_cosim *whole)
{
    return (size_t)whole->lin_size + (size_t)whole->aux_size + (size_t)whole->system->ny;
}

ms_samples ms_block_samples(const ms_cosim *cosim)
{
    ms_samples samples;
    memset(&samples, 0, sizeof samples);
    samples.start = ms_block_start_size(cosim);
    samples.recorded = ms_cosim_records(cosim);
    samples.work = cosim->port_at != NULL;
    samples.n = cosim->n_samples;
    memcpy(samples.at, cosim->sample_at, sizeof samples.at);
    return samples;
}

/* Outputs of the whole, own ones and then the neighbours'. */
static void take_outputs(const ms_block *block, const double *whole, double *y)
{
    const int begin = block->whole->y_at[block->first], own = block->whole->y_at[block->last] - begin;
    memcpy(y, whole + begin, sizeof *y * (size_t)own);
    for (int k = 0; k < block->exchange.n_receive; k++)
        y[own + k] = whole[block->exchange.receive[k]];
}

void ms_block_start(ms_block *block, const double *values)
{
    const ms_system *whole = block->whole, *part = block->part;
    ms_cosim *cosim = block->cosim;
    if (cosim == NULL)
        return;
    const ms_solver *solver = cosim->solver;
    const int slots = (cosim->lin_size - part->nx) / (part->ny > 0 ? part->ny : 1),
              head = cosim->aux_size - part->nz -
                     ms_system_solver_memory(part, solver, 0, part->n); /* of aux: the scheme's */
    const double *lin = values + whole->nx, *aux = lin + slots * whole->ny, *z = aux + head,
                 *solvers = z + whole->nz,
                 *y_raw = solvers + ms_system_solver_memory(whole, solver, 0, whole->n);
    memcpy(cosim->x, values + whole->x_at[block->first], sizeof(double) * (size_t)part->nx);
    for (int s = 0; s < slots; s++)
        take_outputs(block, lin + s * whole->ny, cosim->scheme_lin + s * part->ny);
    memcpy(cosim->aux, aux, sizeof(double) * (size_t)head);
    memcpy(cosim->aux + head, z + whole->z_at[block->first], sizeof(double) * (size_t)part->nz);
    memcpy(cosim->aux + head + part->nz, solvers + ms_system_solver_memory(whole, solver, 0, block->first),
           sizeof(double) * (size_t)ms_system_solver_memory(part, solver, 0, cosim->own));
    take_outputs(block, y_raw, cosim->y_raw);
    if (cosim->y_raw == cosim->y) /* one place */
        take_outputs(block, lin, cosim->y);
    ms_system_couple(part, cosim->y, cosim->u_left);
    ms_equal_rows_settle(cosim);
    for (int i = 0; i < cosim->own; i++)
        cosim->instance[i]->work = (ms_work){0};
}

void ms_block_step(ms_block *block, double t, double h, double share, int code, double verdict[MS_VERDICTS])
{
    ms_cosim *cosim = block->cosim;
    memset(verdict, 0, sizeof *verdict * MS_VERDICTS);
    if (cosim == NULL)
        return;
    cosim->share = share;
    block->failed = block->shared = false;
    block->status = ms_cosim_step(cosim, t, h);
    if (block->solves && !block->shared) /* the others wait for them */
        share_outputs(cosim, cosim->y_raw);
    verdict[MS_VERDICT_INTEGRATED] = block->largest;
    verdict[MS_VERDICT_LARGEST] = block->solves ? largest_value(cosim) : block->largest;
    verdict[MS_VERDICT_RESIDUAL] = ms_system_coupling_residual(cosim->system, cosim->u_left, cosim->y_raw);
    if (block->status != MS_OK)
        verdict[block->failed ? MS_VERDICT_STEP_FAILED : MS_VERDICT_OUTPUTS_FAILED] = code;
}

/* 1 + the first of its subsystems that asks for the end of the run; 0: none does. */
static int ended(const ms_block *block)
{
    for (int i = 0; i < block->last - block->first; i++)
        if (ms_instance_ended(block->cosim->instance[i]))
            return 1 + block->first + i;
    return 0;
}

ms_report ms_block_report(const ms_block *block)
{
    ms_report report;
    memset(&report, 0, sizeof report);
    if (block->cosim != NULL && block->status != MS_OK)
        report = (ms_report){block->status, ended(block), block->cosim->error};
    return report;
}

void ms_block_bound_micro_steps(ms_block *block, long most)
{
    if (block->cosim != NULL && block->cosim->own > 0 && block->cosim->instance[0]->micro_steps_max != most)
        ms_cosim_bound_micro_steps(block->cosim, most);
}

void ms_block_save(ms_block *block)
{
    if (block->cosim != NULL)
        ms_cosim_save(block->cosim, block->saved);
}

void ms_block_restore(ms_block *block)
{
    if (block->cosim != NULL)
        ms_cosim_restore(block->cosim, block->saved);
}

void ms_block_keep(ms_block *block, bool outputs)
{
    if (block->cosim != NULL)
        ms_error_sum_keep(block->cosim, outputs, block->kept);
}

double ms_block_add_errors(const ms_block *block, const ms_error_sum *errors, double sum)
{
    return block->cosim != NULL ? ms_error_sum_add(block->cosim, errors, sum, block->kept) : sum;
}

/* What rank 0 shows -------------------------------------------------------------------------------------- */

static size_t instance_bytes(const ms_instance *instance)
{
    return ms_message_step_bytes(instance) + ms_message_answer_bytes(instance, instance->n_samples);
}

size_t ms_block_state_bytes(const ms_cosim *whole, int first, int last)
{
    size_t bytes = 0;
    for (int i = first; i < last; i++)
        bytes += instance_bytes(whole->instance[i]);
    return bytes;
}

/* The outputs y are sent in the place of an answer's derivatives. */
void ms_block_put_state(ms_block *block, char *to)
{
    ms_cosim *cosim = block->cosim;
    if (cosim != NULL)
        ms_equal_rows_settle(cosim);
    for (int i = 0; cosim != NULL && i < cosim->own; i++) {
        ms_instance *instance = cosim->instance[i];
        const double *u = cosim->u_left + cosim->system->u_at[i], *y = cosim->y_raw + cosim->system->y_at[i];
        ms_message_put_step(to, instance, true, u, y);
        to += ms_message_step_bytes(instance);
        ms_message_put_answer(to, instance, MS_ADVANCED, u, y, cosim->y + cosim->system->y_at[i]);
        to += ms_message_answer_bytes(instance, instance->n_samples);
        instance->work = (ms_work){0}; /* rank 0 adds it up */
    }
}

void ms_block_take_state(ms_cosim *whole, int first, int last, const char *from)
{
    const ms_system *s = whole->system;
    for (int i = first; i < last; i++) {
        ms_instance *instance = whole->instance[i];
        double *u = whole->u_left + s->u_at[i], *y = whole->y_raw + s->y_at[i];
        ms_message_take_step(from, instance, u, y);
        from += ms_message_step_bytes(instance);
        ms_message_take_answer(from, instance, u, y, whole->y + s->y_at[i]);
        from += ms_message_answer_bytes(instance, instance->n_samples);
    }
}
