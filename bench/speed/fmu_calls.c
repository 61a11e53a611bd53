/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_calls.c - the overhead of the project in calls of FMUs. The two FMUs are the quarter car's subsystems, exported for FMI 2.0
 * with one step of RK4 a macro-step, which are quick: slower ones have smaller ratios.
 *
 *   co-simulation    a macro-step of the engine, inputs held / a plain loop: inputs set, a step done, outputs read
 *   isolated         a call of that loop with FMUs in processes of their own / a byte there and back over a socket between two
 *                    processes; both by the clock
 *   model exchange   an evaluation of f through the subsystem / time, states, inputs set and derivatives read
 *
 * Limit: a macro-step takes 5,600 instructions, the loop 3,900, which is 1.44. Of the difference 250 read states beside outputs: a run is
 * ended where they diverge. 1,000 take components to their states, keep what they were told and pass numbers on; 450 are coupling and the
 * run. They do not grow with the FMU: where the loop takes 5,700 instructions the ratio is 1.3. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/run.h>
#include <macrostep/solver_registry.h>
#include <macrostep/system_file.h>
#include "benchmark.h"
#include "engine.h"
#include "fmu.h"
#include "fmu_export.h"
#include "scratch.h"

enum { ROUNDS = 9, N = 2, VARIABLES = 2, CALLS = 3 * N, ISOLATED = 20 };

static const double H = 1e-3;

typedef struct subject {
    char folder[MS_SCRATCH_PATH];
    long steps;
    ms_model *model;
    ms_system *system;
    ms_cosim *cosim;
    ms_fmu *fmu[N], *isolated[N], *equations;
    ms_fmu_component *component[N], *exchange;
    unsigned u[N][VARIABLES], y[N][VARIABLES];
    double x[N * VARIABLES]; /* outputs at the end, of the engine and of the loop */
} subject;

/* Making ------------------------------------------------------------------------------------------------- */

static void references(const ms_fmu *fmu, unsigned u[VARIABLES], unsigned y[VARIABLES])
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    for (int k = 0; k < VARIABLES; k++) {
        u[k] = d->variables[d->inputs[k]].value_reference;
        y[k] = d->variables[d->outputs[k].variable].value_reference;
    }
}

static int export_fmus(const subject *s, ms_error *error)
{
    char path[MS_SCRATCH_PATH + 16];
    ms_system *system = NULL;
    int status = ms_system_create(ms_catalogue_find("quarter-car"), NULL, NULL, 0, &system, error);
    for (int i = 0; i < N && status == MS_OK; i++) {
        ms_fmu_exported exported;
        const ms_fmu_export what = {
            .system = system,
            .subsystem = system->sub[i].name,
            .fmi = 2,
            .solver = {.solver = ms_solver_find("rk4"), .rtol = 1e-10, .atol = 1e-10, .micro_steps = 1}};
        snprintf(path, sizeof path, "%s/%d.fmu", s->folder, i);
        status = ms_fmu_export_write(&what, path, &exported, error);
    }
    ms_system_destroy(&system);
    return status;
}

/* The coupled FMUs, as a user has them. */
static int read_system(subject *s, ms_error *error)
{
    char path[MS_SCRATCH_PATH + 16];
    snprintf(path, sizeof path, "%s/pair.json", s->folder);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return ms_fail(error, MS_IO, "%s cannot be written", path);
    fprintf(file, "{\"subsystems\": [{\"fmu\": \"0.fmu\", \"kind\": \"co-simulation\"}, {\"fmu\": \"1.fmu\", "
                  "\"kind\": \"co-simulation\"}], \"wires\": [[0, 2, 1], [1, 3, 1], [2, 0, 1], [3, 1, 1]]}");
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return ms_fail(error, MS_IO, "%s cannot be written: %s", path, strerror(errno));
    const int status = ms_model_read(path, &s->model, error);
    return status == MS_OK ? ms_system_create(s->model, NULL, NULL, 0, &s->system, error) : status;
}

static int open_fmus(subject *s, ms_error *error)
{
    static const ms_fmu_setup setup = {.instance_name = "fmu", .stop_time = INFINITY};
    char path[MS_SCRATCH_PATH + 16];
    int status = MS_OK;
    for (int i = 0; i < N && status == MS_OK; i++) {
        snprintf(path, sizeof path, "%s/%d.fmu", s->folder, i);
        status = ms_fmu_open(path, MS_FMU_CO_SIMULATION, NULL, &s->fmu[i], error);
        if (status == MS_OK)
            references(s->fmu[i], s->u[i], s->y[i]);
        MS_THEN(status, ms_fmu_open(path, MS_FMU_CO_SIMULATION, &(ms_fmu_use){.isolate = true},
                                    &s->isolated[i], error));
    }
    MS_THEN(status, ms_fmu_open(path, MS_FMU_MODEL_EXCHANGE, NULL, &s->equations, error));
    MS_THEN(status, ms_fmu_component_create(s->equations, &setup, &s->exchange, error));
    return status == MS_OK ? ms_fmu_component_initialise(s->exchange, NULL, NULL) : status;
}

static void destroy(subject *s)
{
    ms_cosim_destroy(&s->cosim);
    ms_system_destroy(&s->system);
    ms_model_destroy(&s->model);
    ms_fmu_component_destroy(&s->exchange);
    ms_fmu_close(&s->equations);
    for (int i = 0; i < N; i++) {
        ms_fmu_close(&s->fmu[i]);
        ms_fmu_close(&s->isolated[i]);
    }
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

static double take_engine(void *self, ms_error *error)
{
    subject *s = self;
    ms_run_result result;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    if (ms_run(s->cosim, NULL, 0, NULL, NULL, &result, error) != MS_OK || result.reason != MS_REASON_END_TIME)
        return NAN;
    memcpy(s->x, s->cosim->y, sizeof s->x);
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* The outputs of one are the inputs of the other. */
static int loop(subject *s, long steps, double y[N][VARIABLES])
{
    int status = MS_OK;
    double reached;
    for (long k = 0; k < steps && status == MS_OK; k++) {
        for (int i = 0; i < N; i++)
            status |= ms_fmu_set(s->component[i], VARIABLES, s->u[i], y[1 - i]);
        for (int i = 0; i < N; i++)
            status |= ms_fmu_step(s->component[i], H * (double)k, H, true, &reached);
        for (int i = 0; i < N; i++)
            status |= ms_fmu_get(s->component[i], VARIABLES, s->y[i], y[i]);
    }
    return status;
}

typedef struct calls {
    subject *of;
    ms_fmu **fmu;
    long steps;
    clockid_t clock;
} calls;

/* With components of its own, as the engine's start makes them. */
static double take_loop(void *self, ms_error *error)
{
    static const ms_fmu_setup setup = {.instance_name = "fmu", .stop_time = INFINITY};
    const calls *what = self;
    subject *s = what->of;
    double y[N][VARIABLES] = {{0.0}};
    const double begin = ms_clock_seconds(what->clock);
    int status = MS_OK;
    for (int i = 0; i < N && status == MS_OK; i++) {
        status = ms_fmu_component_create(what->fmu[i], &setup, &s->component[i], error);
        MS_THEN(status,
                ms_fmu_component_initialise(
                    s->component[i],
                    &(ms_fmu_values){1, &(ms_fmu_group){MS_FMU_FLOAT64, VARIABLES, VARIABLES, s->u[i], NULL}},
                    y[1 - i]));
    }
    MS_THEN(status, loop(s, what->steps, y));
    const double seconds = ms_clock_seconds(what->clock) - begin;
    for (int i = 0; i < N; i++)
        ms_fmu_component_destroy(&s->component[i]);
    if (status == MS_OK && (what->steps != s->steps || memcmp(s->x, y, sizeof s->x) == 0))
        return seconds;
    ms_fail(error, MS_DISAGREE, "the loop's outputs are %.17g, the engine's %.17g", y[0][0], s->x[0]);
    return NAN;
}

/* A byte there and back. */
static double take_round_trips(void *self, ms_error *error)
{
    const long n = *(long *)self;
    int ends[2];
    char byte = 0;
    long k = 0;
    (void)error;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return NAN;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        while (read(ends[1], &byte, 1) == 1 && write(ends[1], &byte, 1) == 1)
            continue;
        _exit(0);
    }
    close(ends[1]);
    const double begin = ms_clock_seconds(CLOCK_MONOTONIC);
    while (child > 0 && k < n && write(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1)
        k++;
    const double seconds = ms_clock_seconds(CLOCK_MONOTONIC) - begin;
    close(ends[0]);
    return child > 0 && waitpid(child, NULL, 0) == child && k == n ? seconds : NAN;
}

static void measure_isolated(ms_benchmark *b, subject *s)
{
    const long steps = s->steps / ISOLATED;
    long trips = CALLS * steps;
    calls what = {s, s->isolated, steps, CLOCK_MONOTONIC};
    ms_timing work = ms_timing_of("isolated", take_loop, &what, (double)(CALLS * steps), "call"),
              peer = ms_timing_of("socket", take_round_trips, &trips, (double)trips, "round trip");
    ms_benchmark_compare(b, "isolated", ROUNDS, &work, &peer, "a call / a round trip", 1.0);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

typedef struct evaluation {
    subject *of;
    ms_system *system; /* NULL: the component itself */
} evaluation;

static double take_evaluations(void *self, ms_error *error)
{
    const evaluation *e = self;
    subject *s = e->of;
    double x[VARIABLES] = {0.1, 0.2}, u[VARIABLES] = {0.3, 0.4}, dx[VARIABLES];
    ms_point at = {.x = x, .u = u};
    int status = MS_OK;
    (void)error;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (long k = 0; k < s->steps; k++) {
        at.t = H * (double)k;
        if (e->system != NULL) {
            status |= ms_subsystem_f(e->system, 0, &at, NULL, dx);
            continue;
        }
        status |= ms_fmu_set_time(s->exchange, at.t);
        status |= ms_fmu_set_states(s->exchange, VARIABLES, x);
        status |= ms_fmu_set(s->exchange, VARIABLES, s->u[1], u);
        status |= ms_fmu_get_derivatives(s->exchange, VARIABLES, dx);
    }
    return status == MS_OK ? ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin : NAN;
}

static void measure_exchange(ms_benchmark *b, subject *s)
{
    char path[MS_SCRATCH_PATH + 16];
    ms_model *model = NULL;
    ms_system *system = NULL;
    ms_error error = {""};
    snprintf(path, sizeof path, "%s/1.fmu", s->folder);
    if (ms_model_read(path, &model, &error) == MS_OK &&
        ms_system_create(model, NULL, NULL, 0, &system, &error) == MS_OK) {
        evaluation own = {s, system}, plain = {s, NULL};
        ms_timing work = ms_timing_of("subsystem", take_evaluations, &own, (double)s->steps, "evaluation"),
                  peer = ms_timing_of("component", take_evaluations, &plain, (double)s->steps, "evaluation");
        ms_benchmark_compare(b, "model exchange", ROUNDS, &work, &peer, "f / its calls", 2.0);
    } else {
        ms_benchmark_fail(b, "%s", error.text);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

static void measure_co_simulation(ms_benchmark *b, subject *s)
{
    calls plain = {s, s->fmu, s->steps, CLOCK_THREAD_CPUTIME_ID};
    ms_timing work = ms_timing_of("engine", take_engine, s, (double)s->steps, "macro-step"),
              peer = ms_timing_of("loop", take_loop, &plain, (double)s->steps, "macro-step");
    ms_error error = {""};
    if (!isfinite(take_engine(s, &error))) /* its outputs, which those of the loop are */
        ms_benchmark_fail(b, "%s", error.text);
    else
        ms_benchmark_compare(b, "co-simulation", ROUNDS, &work, &peer, "engine / loop", 1.3);
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    ms_error error = {""};
    subject s = {.steps = 0};
    if (!ms_benchmark_begin(&b, "fmu_calls", &argc, argv))
        return (int)b.exit;
    s.steps = ms_benchmark_count(&b, 100000, 100);
    if (!ms_scratch_folder(s.folder)) {
        ms_benchmark_fail(&b, "there is no place for a folder");
        return ms_benchmark_end(&b);
    }
    int status = export_fmus(&s, &error);
    MS_THEN(status, read_system(&s, &error));
    MS_THEN(status, ms_engine_create(s.system, "", H, (double)s.steps, &s.cosim, &error));
    MS_THEN(status, open_fmus(&s, &error));
    if (status == MS_OK) {
        measure_co_simulation(&b, &s);
        measure_isolated(&b, &s);
        measure_exchange(&b, &s);
    } else {
        ms_benchmark_fail(&b, "%s", error.text);
    }
    destroy(&s);
    ms_scratch_remove(s.folder);
    return ms_benchmark_end(&b);
}
