/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many_subsystems.c - the cost of a mass of a long mass-chain in a macro-step of Jacobi, held inputs, `exact`, and in memory.
 *
 * The runs are those of `macrostep run mass-chain --set masses=N --errors none`, and of a tenth of the length with errors against
 * the reference; times are processor time of the macro-steps. A peer that needs no framework is the same by hand: one loop over the masses
 * that knows what a mass is (E, G, forces to both neighbours). Where that takes HAND_SECONDS a mass and step, the ratio wanted of
 * the engine is 12 ns at N = 100 and 25 ns at larger N.
 *
 * Between any two N a mass may cost twice as much at most: `dearest` and `cheapest` are the largest and smallest of all N of a
 * round. Memory is the growth of the process from before the model was created to the end of the run, per mass.
 *
 * Limit: a mass takes 1,745 bytes, wanted are 512. The description of a subsystem takes 440, mostly pointers to functions that equal
 * subsystems share; its instance 540, half of which is for observers, events and nonlinear solvers; names, wires, matrices and scales 310,
 * extrapolation and inputs 270, counts and the loop 150. Errors add 2,430 (2,048 wanted in all): Taylor's terms 400, samples, polynomials and states of the
 * reference 800, segments with samples of the run 390, sums and scales of errors 340, the matrix and names of the whole 230. At N = 100 the companion
 * keeps exponentials of order 200: room for 128 of them, of which few are touched.
 *
 *     many_subsystems [LARGEST]      the largest N, a power of ten; 1e6 unless given, with errors 1e5, or 1e6 with --effort long */
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/options.h>
#include <macrostep/simulation.h>
#include "benchmark.h"
#include "engine.h"

/* Memory that is allocated [B]: exact, of one thread. */
static double allocated(void)
{
    const struct mallinfo2 held = mallinfo2();
    return (double)held.uordblks + (double)held.hblkhd;
}

enum { ROUNDS = 3, SIZES_MAX = 5, STEPS_MIN = 20 };

static const double MASS_STEPS = 2e6; /* masses times macro-steps of one run */
static const double STEP_SIZE = 0.01, BYTES_WANTED = 512.0, BYTES_WANTED_WITH_ERRORS = 2048.0;
static const double HAND_SECONDS =
    1.7e-9; /* of the loop by hand, in a quiet moment of the machine of the 12 ns */

/* By hand ------------------------------------------------------------------------------------------------ */

typedef struct chain {
    long masses, steps;
    double E[4], G[4]; /* x = E x + G (xl + xr) */
    double *x, *next;  /* (masses + 2) x 2: the walls at both ends */
} chain;

/* E = exp(A h) and G = (int_0^h exp(A s) ds) B by their series, for m = 1, k = 10, d = 0.2; ||A|| h < 1. */
static void make_maps(chain *c)
{
    const double A[4] = {0.0, 1.0, -20.0, -0.4}, B[4] = {0.0, 0.0, 10.0, 0.2};
    double term[4] = {1.0, 0.0, 0.0, 1.0}, sum[4] = {0.0}, factor = STEP_SIZE;
    for (int k = 1; k < 20; k++) { /* term = A^(k-1), factor = h^k / k! */
        const double product[4] = {term[0] * A[0] + term[1] * A[2], term[0] * A[1] + term[1] * A[3],
                                   term[2] * A[0] + term[3] * A[2], term[2] * A[1] + term[3] * A[3]};
        for (int i = 0; i < 4; i++) {
            sum[i] += factor * term[i];
            term[i] = product[i];
        }
        factor *= STEP_SIZE / (k + 1);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) { /* exp(A h) = I + A S, S = int_0^h exp(A s) ds */
            c->E[2 * i + j] = (i == j) + A[2 * i] * sum[j] + A[2 * i + 1] * sum[2 + j];
            c->G[2 * i + j] = sum[2 * i] * B[j] + sum[2 * i + 1] * B[2 + j];
        }
}

static __attribute__((noinline)) void step(chain *c)
{
    const double *E = c->E, *G = c->G;
    for (long i = 1; i <= c->masses; i++) {
        const double *x = c->x + 2 * i;
        const double u = x[-2] + x[2], v = x[-1] + x[3];
        c->next[2 * i] = E[0] * x[0] + E[1] * x[1] + G[0] * u + G[1] * v;
        c->next[2 * i + 1] = E[2] * x[0] + E[3] * x[1] + G[2] * u + G[3] * v;
    }
    double *swap = c->x;
    c->x = c->next;
    c->next = swap;
}

/* Sizes -------------------------------------------------------------------------------------------------- */

enum { HEAD = 4 }; /* states that engine and loop are compared by */

typedef struct size {
    double masses, steps;
    double bytes, bytes_errors; /* of all masses */
    double engine[HEAD], hand[HEAD];
    ms_timing bare, errors, loop;
} size;

/* What a run is asked for: processor time of its macro-steps, memory at its end, and the first states. */
typedef struct stopwatch {
    double *bytes, *head;
    double before, begin, seconds;
} stopwatch;

static int note_start(void *self, const ms_cosim *cosim, double t)
{
    (void)cosim, (void)t;
    ((stopwatch *)self)->begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    return 0;
}

static void note_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    stopwatch *end = self;
    (void)t, (void)reason;
    end->seconds = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - end->begin;
    *end->bytes = allocated() - end->before;
    memcpy(end->head, ms_run_states(cosim), sizeof(double) * HEAD);
}

static double run(const size *s, double steps, bool errors, stopwatch *end, ms_error *error)
{
    const ms_setting setting = {"masses", s->masses};
    end->before = allocated();
    const ms_observer at_end = {.self = end, .start = note_start, .end = note_end};
    const ms_simulation_options request = {.errors = errors, .observers = &at_end, .n_observers = 1};
    ms_system *system = NULL;
    ms_simulation simulation;
    ms_options options;
    double seconds = NAN;
    int status = ms_engine_options("", STEP_SIZE, steps, &options, error);
    MS_THEN(status, ms_system_create(ms_catalogue_find("mass-chain"), NULL, &setting, 1, &system, error));
    MS_THEN(status, ms_simulation_run(system, &options, &request, &simulation, error));
    if (status == MS_OK) {
        seconds = end->seconds;
        ms_simulation_destroy(&simulation);
    }
    ms_system_destroy(&system);
    return seconds;
}

static double take_bare(void *self, ms_error *error)
{
    size *s = self;
    return run(s, s->steps, false, &(stopwatch){.bytes = &s->bytes, .head = s->engine}, error);
}

static double steps_with_errors(const size *s)
{
    return fmax(fmin(STEPS_MIN, s->steps), s->steps / 10.0);
}

static double take_errors(void *self, ms_error *error)
{
    size *s = self;
    double head[HEAD];
    return run(s, steps_with_errors(s), true, &(stopwatch){.bytes = &s->bytes_errors, .head = head}, error);
}

static double take_loop(void *self, ms_error *error)
{
    size *s = self;
    double seconds = NAN;
    chain c = {.masses = (long)s->masses, .steps = (long)s->steps};
    make_maps(&c);
    c.x = calloc(2 * ((size_t)c.masses + 2), sizeof *c.x);
    c.next = calloc(2 * ((size_t)c.masses + 2), sizeof *c.next);
    if (c.x != NULL && c.next != NULL) {
        c.x[2] = 1.0;
        const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (long n = 0; n < c.steps; n++)
            step(&c);
        seconds = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
        memcpy(s->hand, c.x + 2, sizeof s->hand);
    } else {
        ms_fail(error, MS_NO_MEMORY, "not enough memory for %ld masses", c.masses);
    }
    MS_FREE(c.x, c.next);
    return seconds;
}

static void make_size(double masses, double steps, bool errors, size *s)
{
    static const char unit[] = "mass and macro-step";
    *s = (size){.masses = masses, .steps = steps};
    s->bare = ms_timing_of("engine", take_bare, s, masses * steps, unit);
    s->loop = ms_timing_of("by hand", take_loop, s, masses * steps, unit);
    s->errors =
        ms_timing_of("with errors", errors ? take_errors : NULL, s, masses * steps_with_errors(s), unit);
}

/* Ratios ------------------------------------------------------------------------------------------------- */

static void add_bytes(ms_benchmark *b, const char *name, double bytes, const char *of, double wanted)
{
    const ms_timing held = {.name = "held", .bytes = true, .unit = "mass", .taken = {bytes}};
    const ms_ratio ratio = {of, &held, NULL, .wanted = MS_WANTED_AT_MOST, .bound = wanted};
    ms_benchmark_add(b, name, 1, 1, &ratio);
}

static void add_size(ms_benchmark *b, int rounds, const size *s, const size *smallest)
{
    char name[64];
    const ms_ratio ratios[] = {
        {"engine / by hand at N = 100", &s->bare, &smallest->loop, .wanted = MS_WANTED_AT_MOST,
         .bound = (s == smallest ? 12e-9 : 25e-9) / HAND_SECONDS},
        {"engine / engine at N = 100", &s->bare, &smallest->bare, .wanted = MS_WANTED_NOTHING},
        {"with errors / engine", &s->errors, &s->bare, .wanted = MS_WANTED_AT_MOST, .bound = 10.0}};
    snprintf(name, sizeof name, "mass-chain, N = %g", s->masses);
    ms_benchmark_add(b, name, rounds, s->errors.take != NULL ? 3 : 2, ratios);
    add_bytes(b, name, s->bytes / s->masses, "bytes of a mass", BYTES_WANTED);
    if (s->errors.take != NULL)
        add_bytes(b, name, s->bytes_errors / s->masses, "bytes of a mass with errors",
                  BYTES_WANTED_WITH_ERRORS);
    for (int k = 0; k < HEAD; k++)
        if (!(fabs(s->engine[k] - s->hand[k]) <= 1e-12))
            ms_benchmark_fail(b, "%s: state %d is %g, by hand %g", name, k, s->engine[k], s->hand[k]);
}

/* The dearest and the cheapest of all N. */
static void add_spread(ms_benchmark *b, int rounds, int n, const size *s)
{
    ms_timing dearest = {.name = "dearest", .unit = s->bare.unit},
              cheapest = {.name = "cheapest", .unit = s->bare.unit};
    const ms_ratio ratio = {"dearest N / cheapest N", &dearest, &cheapest, .wanted = MS_WANTED_AT_MOST,
                            .bound = 2.0};
    for (int r = 0; r < rounds; r++) {
        cheapest.taken[r] = INFINITY;
        for (int k = 0; k < n; k++) {
            const double taken = s[k].bare.taken[r] / s[k].bare.per;
            dearest.taken[r] = fmax(dearest.taken[r], taken);
            cheapest.taken[r] = fmin(cheapest.taken[r], taken);
        }
    }
    ms_benchmark_add(b, "mass-chain", rounds, 1, &ratio);
}

int main(int argc, char **argv)
{
    static size s[SIZES_MAX];
    ms_timing *timings[3 * SIZES_MAX];
    ms_error error;
    ms_benchmark b;
    int n = 0;
    if (!ms_benchmark_begin(&b, "many_subsystems", &argc, argv))
        return (int)b.exit;
    const double largest = argc > 1 ? strtod(argv[1], NULL) : ms_benchmark_count(&b, 1000000, 1000);
    const double largest_errors = b.effort == MS_BENCH_LONG ? 1e6 : 1e5;
    const int rounds = ms_benchmark_count(&b, ROUNDS, 1);
    for (double masses = 100.0; n < SIZES_MAX && masses <= largest; masses *= 10.0, n++) {
        const double steps = b.effort == MS_BENCH_SHORT ? 2.0 : fmax(STEPS_MIN, MASS_STEPS / masses);
        make_size(masses, steps, masses <= largest_errors, &s[n]);
        timings[3 * n] = &s[n].bare;
        timings[3 * n + 1] = &s[n].errors;
        timings[3 * n + 2] = &s[n].loop;
    }
    if (ms_rounds_take(rounds, 3 * n, timings, &error) == MS_OK) {
        for (int k = 0; k < n; k++)
            add_size(&b, rounds, &s[k], s);
        add_spread(&b, rounds, n, s);
    } else {
        ms_benchmark_fail(&b, "%s", error.text);
    }
    return ms_benchmark_end(&b);
}
