/* execution_mpi.c - orchestrator and workers (Eguillon et al. 2021, section 4).
 *
 * Rank 0 is the orchestrator: scheme, nonlinear solves, state and observers are there. Rank k works for subsystem k - 1 and keeps
 * nothing from one step to the next but its configuration and what a micro-solver proceeds from. Every exchange begins with a
 * broadcast of an order:
 *
 *     create     options; workers make their instances and report
 *     advance    scatter: t, h, input, laws, state, last u and y; gather: outcome, work, u, y, y', state, samples. As the
 *                state travels with each step, rollback needs no order of its own
 *     destroy    of the instances
 *     end        of the workers, with a status
 *
 * The paper scatters inputs and gathers outputs in two messages each; here each worker has one of each, and times go with
 * the scattered ones, as asynchronous subsystems have their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "execution.h"
#include "execution_engine.h"

#ifdef MS_HAVE_MPI
#include <mpi.h>

enum { ORDER_CREATE, ORDER_ADVANCE, ORDER_DESTROY, ORDER_END };

/* What all workers are told. */
typedef struct order {
    int order, status;           /* status: of the end */
    int reading, n_samples;
    bool derivatives;            /* y' is wanted */
    double sample_at[MS_SAMPLES_MAX];
} order;

/* What one worker is told, before coefficients, laws and state. */
typedef struct step_head {
    double t, h;
    ms_input input; /* without c */
    int n_laws;
    bool meant;
    ms_input_law law[MS_INPUT_LAWS];
} step_head;

/* What it answers, before values. */
typedef struct answer_head {
    ms_work work;
    ms_outcome outcome;
} answer_head;

/* What a co-simulation is of: the system's name and numbers of subsystems, states, inputs and outputs, and the resolved
 * options. */
typedef struct job {
    char model[64];
    int shape[4];
    ms_options options;
} job;

/* A worker's report on its creation. */
typedef struct report {
    int status;
    ms_error error;
} report;

typedef struct mpi_workers {
    ms_workers base;
    const ms_system *system;
    char *out, *in;                         /* scattered, gathered */
    int *out_count, *out_at, *in_count, *in_at; /* (n + 1) [bytes], rank by rank */
} mpi_workers;

static int begun_rank = -1; /* -1: MPI does not run */
static bool at_work;        /* there is a co-simulation: workers serve one at a time */

/* Messages -------------------------------------------------------------------------------------------------- */

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

/* x, z and the micro-solver's memory. */
static size_t state_bytes(const ms_instance *instance)
{
    return doubles(instance->sub->nx + instance->sub->nz + instance->solver->memory);
}

static char *put_state(char *to, const ms_instance *instance)
{
    to = put(to, instance->x, doubles(instance->sub->nx));
    to = put(to, instance->z, doubles(instance->sub->nz));
    return put(to, instance->memory, doubles(instance->solver->memory));
}

static const char *take_state(const char *from, const ms_instance *instance)
{
    from = take(from, instance->x, doubles(instance->sub->nx));
    from = take(from, instance->z, doubles(instance->sub->nz));
    return take(from, instance->memory, doubles(instance->solver->memory));
}

/* A step: head, coefficients of the input, state, and u and y, which stay where a step fails. */
static size_t step_bytes(const ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    return sizeof(step_head) + doubles(ms_input_size(sub->nu)) + state_bytes(instance) + doubles(sub->nu + sub->ny);
}

static void put_step(char *to, const ms_instance *instance, bool meant, const double *u, const double *y)
{
    step_head head;
    memset(&head, 0, sizeof head); /* padding too */
    head.t = instance->t;
    head.h = instance->h;
    head.input = instance->input;
    head.n_laws = instance->n_laws;
    head.meant = meant;
    memcpy(head.law, instance->law, sizeof head.law);
    to = put(to, &head, sizeof head);
    to = put(to, instance->input.c, doubles(ms_input_size(instance->sub->nu)));
    to = put_state(to, instance);
    to = put(to, u, doubles(instance->sub->nu));
    put(to, y, doubles(instance->sub->ny));
}

static bool take_step(const char *from, ms_instance *instance, double *u, double *y)
{
    step_head head;
    double *c = instance->input.c;
    from = take(from, &head, sizeof head);
    instance->t = head.t;
    instance->h = head.h;
    instance->input = head.input;
    instance->input.c = c;
    instance->n_laws = head.n_laws;
    memcpy(instance->law, head.law, sizeof head.law);
    from = take(from, c, doubles(ms_input_size(instance->sub->nu)));
    from = take_state(from, instance);
    from = take(from, u, doubles(instance->sub->nu));
    take(from, y, doubles(instance->sub->ny));
    return head.meant;
}

/* An answer: head, u, y, y', state, integrals, the start of the first piece, samples. */
static size_t answer_bytes(const ms_instance *instance, int n_samples)
{
    const ms_subsystem *sub = instance->sub;
    return sizeof(answer_head) + doubles(sub->nu + 2 * sub->ny) + state_bytes(instance) +
           doubles(instance->n_integrals + (1 + n_samples) * instance->n_state);
}

static char *put_values(char *to, const ms_instance *instance)
{
    to = put_state(to, instance);
    to = put(to, instance->state + instance->sub->nx, doubles(instance->n_integrals));
    to = put(to, instance->x_start, doubles(instance->n_state));
    return put(to, instance->samples, doubles(instance->n_samples * instance->n_state));
}

static void take_values(const char *from, ms_instance *instance)
{
    from = take_state(from, instance);
    from = take(from, instance->state + instance->sub->nx, doubles(instance->n_integrals));
    from = take(from, instance->x_start, doubles(instance->n_state));
    take(from, instance->samples, doubles(instance->n_samples * instance->n_state));
}

static job job_of(const ms_system *s, const ms_options *options)
{
    job j;
    memset(&j, 0, sizeof j);
    snprintf(j.model, sizeof j.model, "%s", s->model->name);
    j.shape[0] = s->n;
    j.shape[1] = s->nx;
    j.shape[2] = s->nu;
    j.shape[3] = s->ny;
    j.options = *options;
    return j;
}

static void give_order(order *what)
{
    MPI_Bcast(what, (int)sizeof *what, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Orchestrator ---------------------------------------------------------------------------------------------- */

static void place_messages(mpi_workers *workers, const ms_cosim *cosim, int n_samples)
{
    for (int i = 0; i < cosim->system->n; i++) {
        workers->out_count[i + 1] = (int)step_bytes(cosim->instance[i]);
        workers->in_count[i + 1] = (int)answer_bytes(cosim->instance[i], n_samples);
        workers->out_at[i + 1] = workers->out_at[i] + workers->out_count[i];
        workers->in_at[i + 1] = workers->in_at[i] + workers->in_count[i];
    }
}

static void take_answer(ms_cosim *cosim, const mpi_workers *workers, int i, double *dy)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    const int ny = s->sub[i].ny;
    answer_head head;
    const char *from = take(workers->in + workers->in_at[i + 1], &head, sizeof head);
    workers->base.outcome[i] = head.outcome;
    instance->work.micro_steps += head.work.micro_steps;
    instance->work.rhs_evaluations += head.work.rhs_evaluations;
    instance->work.jacobian_evaluations += head.work.jacobian_evaluations;
    instance->work.error_test_failures += head.work.error_test_failures;
    from = take(from, cosim->u_left + s->u_at[i], doubles(s->sub[i].nu));
    from = take(from, cosim->y_raw + s->y_at[i], doubles(ny));
    if (dy != NULL)
        take(from, dy + s->y_at[i], doubles(ny));
    take_values(from + doubles(ny), instance);
}

static void mpi_advance(ms_cosim *cosim, const bool *which, double *dy)
{
    mpi_workers *workers = (mpi_workers *)(void *)cosim->workers;
    const ms_system *s = cosim->system;
    order what = {.order = ORDER_ADVANCE,
                  .reading = (int)cosim->reading,
                  .n_samples = cosim->n_samples,
                  .derivatives = dy != NULL};
    memcpy(what.sample_at, cosim->sample_at, sizeof what.sample_at);
    give_order(&what);
    place_messages(workers, cosim, cosim->n_samples);
    for (int i = 0; i < s->n; i++) {
        char *to = workers->out + workers->out_at[i + 1];
        put_step(to, cosim->instance[i], which == NULL || which[i], cosim->u_left + s->u_at[i], cosim->y_raw + s->y_at[i]);
    }
    MPI_Scatterv(workers->out, workers->out_count, workers->out_at, MPI_BYTE, MPI_IN_PLACE, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Gatherv(MPI_IN_PLACE, 0, MPI_BYTE, workers->in, workers->in_count, workers->in_at, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < s->n; i++)
        if (which == NULL || which[i])
            take_answer(cosim, workers, i, dy);
}

static void mpi_destroy(ms_workers *base)
{
    mpi_workers *workers = (mpi_workers *)(void *)base;
    if (at_work)
        give_order(&(order){.order = ORDER_DESTROY});
    at_work = false;
    free(base->outcome);
    free(base->only);
    free(workers->out);
    free(workers->out_count);
    free(workers);
}

/* Room for messages with all samples. */
static int allocate(const ms_cosim *cosim, mpi_workers *workers)
{
    const size_t n = (size_t)cosim->system->n;
    size_t out = 0, in = 0;
    for (size_t i = 0; i < n; i++) {
        out += step_bytes(cosim->instance[i]);
        in += answer_bytes(cosim->instance[i], MS_SAMPLES_MAX);
    }
    workers->base.outcome = calloc(n, sizeof *workers->base.outcome);
    workers->base.only = calloc(n, sizeof *workers->base.only);
    workers->out = calloc(out + in, 1);
    workers->out_count = calloc(4 * (n + 1), sizeof *workers->out_count);
    if (workers->base.outcome == NULL || workers->base.only == NULL || workers->out == NULL || workers->out_count == NULL)
        return MS_NO_MEMORY;
    workers->in = workers->out + out;
    workers->out_at = workers->out_count + n + 1;
    workers->in_count = workers->out_at + n + 1;
    workers->in_at = workers->in_count + n + 1;
    return MS_OK;
}

/* Has the workers make their instances; the first that cannot gives the line. */
static int hire(ms_cosim *cosim, ms_error *error)
{
    const int ranks = cosim->system->n + 1;
    job wanted = job_of(cosim->system, &cosim->options);
    report own = {0}, *all = calloc((size_t)ranks, sizeof *all);
    if (all == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d ranks", ranks);
    at_work = true;
    give_order(&(order){.order = ORDER_CREATE});
    MPI_Bcast(&wanted, (int)sizeof wanted, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Gather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    int status = MS_OK;
    for (int k = 1; k < ranks && status == MS_OK; k++)
        if (all[k].status != MS_OK)
            status = ms_fail(error, all[k].status, "rank %d: %s", k, all[k].error.text);
    free(all);
    return status;
}

static int check_ranks(const ms_system *s, ms_error *error)
{
    int ranks = 0;
    if (begun_rank != 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "--execution mpi: MPI does not run here; mpirun -n %d macrostep run .. --execution mpi", s->n + 1);
    if (at_work)
        return ms_fail(error, MS_UNSUPPORTED, "--execution mpi: the ranks work for another co-simulation");
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != s->n + 1)
        return ms_fail(error, MS_INVALID,
                       "--execution mpi: %d rank%s, but model %s takes %d: one that orchestrates and one for each of %d "
                       "subsystem%s (mpirun -n %d)",
                       ranks, ranks == 1 ? "" : "s", s->model->name, s->n + 1, s->n, s->n == 1 ? "" : "s", s->n + 1);
    return MS_OK;
}

int ms_execution_mpi_create(ms_cosim *cosim, ms_workers **out, ms_error *error)
{
    int status = check_ranks(cosim->system, error);
    if (status != MS_OK)
        return status;
    mpi_workers *workers = calloc(1, sizeof *workers);
    *out = workers != NULL ? &workers->base : NULL;
    if (workers == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the messages of %d ranks", cosim->system->n + 1);
    workers->base.advance = mpi_advance;
    workers->base.destroy = mpi_destroy;
    if (allocate(cosim, workers) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the messages of %d ranks", cosim->system->n + 1);
    return hire(cosim, error);
}

/* A worker -------------------------------------------------------------------------------------------------- */

typedef struct worker {
    const ms_system *system;
    int index; /* of the subsystem; -1: there is none for this rank */
    ms_instance *instance;
    double *state;    /* x, z, memory; then u, y, dy */
    double *u, *y, *dy;
    char *in, *out;
} worker;

static void worker_destroy(worker *w)
{
    ms_instance_destroy(&w->instance);
    free(w->state);
    free(w->in);
    w->state = NULL;
    w->in = NULL;
}

static int worker_allocate(worker *w, const ms_solver *solver)
{
    const ms_subsystem *sub = &w->system->sub[w->index];
    const int own = sub->nx + sub->nz + solver->memory;
    w->state = calloc((size_t)(own + sub->nu + 2 * sub->ny) + 1, sizeof *w->state);
    if (w->state == NULL)
        return MS_NO_MEMORY;
    w->u = w->state + own;
    w->y = w->u + sub->nu;
    w->dy = w->y + sub->ny;
    return MS_OK;
}

static int worker_create(worker *w, const job *wanted, ms_error *error)
{
    const ms_options *options = &wanted->options;
    const ms_solver *solver = ms_solver_find(options->solver);
    const ms_scheme *scheme = ms_scheme_find(options->scheme);
    const job own = job_of(w->system, options);
    const bool same = strcmp(own.model, wanted->model) == 0 && memcmp(own.shape, wanted->shape, sizeof own.shape) == 0;
    if (w->index < 0 || solver == NULL || scheme == NULL || !same)
        return ms_fail(error, MS_INVALID, "--execution mpi: the model is another one than that of rank 0");
    if (worker_allocate(w, solver) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a worker");
    const ms_subsystem *sub = &w->system->sub[w->index];
    const ms_solver_options o = ms_cosim_solver_options(options, scheme);
    double *z = w->state + sub->nx, *memory = z + sub->nz;
    const int status = ms_instance_create(w->system, w->index, solver, &o, w->state, z, memory, &w->instance, error);
    if (status != MS_OK)
        return status;
    const size_t in = step_bytes(w->instance), out = answer_bytes(w->instance, MS_SAMPLES_MAX);
    w->in = calloc(in + out, 1);
    w->out = w->in + in;
    return w->in != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the messages of a worker");
}

static void worker_hired(worker *w)
{
    job wanted;
    report own;
    memset(&own, 0, sizeof own);
    MPI_Bcast(&wanted, (int)sizeof wanted, MPI_BYTE, 0, MPI_COMM_WORLD);
    worker_destroy(w);
    own.status = worker_create(w, &wanted, &own.error);
    MPI_Gather(&own, (int)sizeof own, MPI_BYTE, NULL, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static ms_outcome worker_step(worker *w, const order *what)
{
    ms_instance *instance = w->instance;
    if (ms_instance_step(instance, instance->t, instance->h) != MS_OK)
        return MS_STEP_FAILED;
    return ms_execution_read(instance, (ms_reading)what->reading, w->u, w->y, what->derivatives ? w->dy : NULL);
}

/* Messages keep their size where there is nothing to do. */
static void worker_advance(worker *w, const order *what)
{
    ms_instance *instance = w->instance;
    MPI_Scatterv(NULL, NULL, NULL, MPI_BYTE, w->in, (int)step_bytes(instance), MPI_BYTE, 0, MPI_COMM_WORLD);
    answer_head head;
    memset(&head, 0, sizeof head);
    instance->work = (ms_work){0};
    instance->n_samples = what->n_samples;
    memcpy(instance->sample_at, what->sample_at, sizeof instance->sample_at);
    if (take_step(w->in, instance, w->u, w->y))
        head.outcome = worker_step(w, what);
    head.work = instance->work;
    char *to = put(w->out, &head, sizeof head);
    to = put(to, w->u, doubles(instance->sub->nu));
    to = put(to, w->y, doubles(instance->sub->ny));
    to = put(to, w->dy, doubles(instance->sub->ny));
    put_values(to, instance);
    MPI_Gatherv(w->out, (int)answer_bytes(instance, what->n_samples), MPI_BYTE, NULL, NULL, NULL, MPI_BYTE, 0,
                MPI_COMM_WORLD);
}

/* MPI itself ------------------------------------------------------------------------------------------------ */

int ms_execution_mpi_begin(int *rank, ms_error *error)
{
    int provided = 0;
    if (begun_rank < 0 && (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
                           MPI_Comm_rank(MPI_COMM_WORLD, &begun_rank) != MPI_SUCCESS))
        return ms_fail(error, MS_UNSUPPORTED, "--execution mpi: MPI does not start");
    *rank = begun_rank;
    return MS_OK;
}

int ms_execution_mpi_serve(const ms_system *system)
{
    worker w = {.system = system, .index = begun_rank <= system->n ? begun_rank - 1 : -1};
    order what;
    for (give_order(&what); what.order != ORDER_END; give_order(&what)) {
        if (what.order == ORDER_CREATE)
            worker_hired(&w);
        else if (what.order == ORDER_ADVANCE)
            worker_advance(&w, &what);
        else
            worker_destroy(&w);
    }
    worker_destroy(&w);
    return what.status;
}

void ms_execution_mpi_end(int status)
{
    if (begun_rank < 0)
        return;
    if (begun_rank == 0)
        give_order(&(order){.order = ORDER_END, .status = status});
    MPI_Finalize();
    begun_rank = -1;
}

#else

static int no_mpi(ms_error *error)
{
    return ms_fail(error, MS_UNSUPPORTED,
                   "--execution mpi: this program was built without MPI; with Open MPI or MPICH in place `make` builds one "
                   "with it, and --execution parallel takes threads");
}

int ms_execution_mpi_create(ms_cosim *cosim, ms_workers **workers, ms_error *error)
{
    (void)cosim, (void)workers;
    return no_mpi(error);
}

int ms_execution_mpi_begin(int *rank, ms_error *error)
{
    *rank = 0;
    return no_mpi(error);
}

int ms_execution_mpi_serve(const ms_system *system)
{
    (void)system;
    return MS_UNSUPPORTED;
}

void ms_execution_mpi_end(int status)
{
    (void)status;
}

#endif
