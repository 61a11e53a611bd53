/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro_step.c - what the framework costs: macro-steps of the engine against a hand-written loop.
 *
 * Jacobi, inconsistent, extrapolation of order 0, 1 and 2 from past values, on a linear model of two subsystems with exact
 * solves and nothing recorded:
 *
 *   engine      the code that `macrostep run` uses
 *   dense       a minimal loop with run-time sizes: x = E x + G0 c0 + G1 c1 + G2 c2, y = C x + D u, u = L y
 *
 * Times are processor time. The loop must end in the engine's states. Other schemes are measured against the dense loop of their order, which does
 * less than they do: what Gauss-Seidel, corrected outputs, smooth coupling and the balance cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/options.h>
#include <macrostep/options_set.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "benchmark.h"
#include "exponential.h"

enum { STEPS = 200000, FEW_STEPS = 1000, ROUNDS = 15, ORDERS = 3, WIDTH = 16 };

/* One subsystem of the hand-written loop: maps over a step of length h, output matrices. */
typedef struct part {
    int nx, nu, ny, x_at, u_at, y_at;
    const double *C, *D;
    double E[64], G[ORDERS][64]; /* x = E x + sum_k G_k c_k */
} part;

typedef struct pair {
    int n, nx, nu, ny, order;
    double h;
    double L[256];
    part part[4];
} pair;

/* E = exp(A h), G_k = k! h^{k+1} phi_{k+1}(A h) B. */
static void make_part(const ms_system *s, int i, double h, part *q)
{
    const ms_blocks *m = &s->blocks[i];
    *q = (part){.nx = s->sub[i].nx,
                .nu = s->sub[i].nu,
                .ny = s->sub[i].ny,
                .x_at = s->x_at[i],
                .u_at = s->u_at[i],
                .y_at = s->y_at[i],
                .C = m->C,
                .D = m->D};
    const int size = q->nx * q->nu;
    double *memory = malloc(sizeof(double) * ms_exponential_size(q->nx, q->nu)), W[192], factor = h;
    ms_exponential e;
    ms_exponential_prepare(&e, q->nx, q->nu, m->A, m->B, memory);
    ms_exponential_evaluate(&e, h, ORDERS, q->E, W);
    for (int k = 0; k < ORDERS; k++) {
        for (int j = 0; j < size; j++)
            q->G[k][j] = factor * W[k * size + j];
        factor *= (k + 1) * h;
    }
    free(memory);
}

static void make_pair(const ms_system *s, int order, double h, pair *q)
{
    *q = (pair){.n = s->n, .nx = s->nx, .nu = s->nu, .ny = s->ny, .order = order, .h = h};
    for (int i = 0; i < s->nu; i++)
        for (int w = s->row_at[i]; w < s->row_at[i + 1]; w++)
            q->L[i * s->ny + s->wire_output[w]] = s->wire_gain[w];
    for (int i = 0; i < s->n; i++)
        make_part(s, i, h, &q->part[i]);
}

/* The loop, with run-time sizes ------------------------------------------------------------------------ */

/* sum += M v, a row of M. */
static inline double add_row(double sum, int n, const double *row, const double *v)
{
    for (int j = 0; j < n; j++)
        sum += row[j] * v[j];
    return sum;
}

/* c (order + 1) x nu: u(tau) = c0 + c1 tau + c2 tau^2 from the outputs y[0], y[1], .. at T_n, T_{n-1}, ..; v: u(h). */
static inline void extrapolate(const pair *q, double y[ORDERS][WIDTH], double c[ORDERS][WIDTH], double *v)
{
    const double h = q->h;
    for (int i = 0; i < q->nu; i++) {
        const double *row = q->L + i * q->ny;
        const double u0 = add_row(0.0, q->ny, row, y[0]);
        const double u1 = q->order > 0 ? add_row(0.0, q->ny, row, y[1]) : u0;
        c[0][i] = v[i] = u0;
        if (q->order == 0)
            continue;
        c[1][i] = (u0 - u1) / h;
        if (q->order > 1) {
            const double u2 = add_row(0.0, q->ny, row, y[2]);
            c[2][i] = (u0 - 2.0 * u1 + u2) / (2.0 * h * h);
            c[1][i] += h * c[2][i];
            v[i] += h * h * c[2][i];
        }
        v[i] += h * c[1][i];
    }
}

static inline void move(const pair *q, const part *p, double c[ORDERS][WIDTH], double *x)
{
    double next[WIDTH];
    for (int i = 0; i < p->nx; i++) {
        double sum = add_row(0.0, p->nx, p->E + i * p->nx, x);
        for (int k = 0; k <= q->order; k++)
            sum = add_row(sum, p->nu, p->G[k] + i * p->nu, c[k] + p->u_at);
        next[i] = sum;
    }
    for (int i = 0; i < p->nx; i++)
        x[i] = next[i];
}

static inline void put_out(const part *p, const double *x, const double *u, double *y)
{
    for (int i = 0; i < p->ny; i++) {
        const double sum = add_row(0.0, p->nx, p->C + i * p->nx, x);
        y[i] = add_row(sum, p->nu, p->D + i * p->nu, u);
    }
}

/* x (nx); y: outputs at T_n, T_{n-1}, T_{n-2}. */
static __attribute__((noinline)) void run_dense(const pair *q, long steps, double *x, double y[ORDERS][WIDTH])
{
    double c[ORDERS][WIDTH] = {{0.0}}, v[WIDTH], ahead[WIDTH] = {0.0};
    for (long n = 0; n < steps; n++) {
        extrapolate(q, y, c, v);
        for (int k = 0; k < q->n; k++) {
            const part *p = &q->part[k];
            move(q, p, c, x + p->x_at);
            put_out(p, x + p->x_at, v + p->u_at, ahead + p->y_at);
        }
        for (int j = 0; j < q->ny; j++) {
            for (int k = q->order; k > 0; k--)
                y[k][j] = y[k - 1][j];
            y[0][j] = ahead[j];
        }
    }
}

/* Timings ------------------------------------------------------------------------------------------------- */

/* The loop (pair) or the engine (cosim), and the states that it came to. */
typedef struct subject {
    const pair *pair;
    ms_cosim *cosim;
    const double *start; /* x, then the outputs at T_n, T_{n-1}, .. as the engine starts with them */
    long steps;
    double x[WIDTH];
} subject;

static double take_loop(void *self, ms_error *error)
{
    subject *s = self;
    const pair *q = s->pair;
    double y[ORDERS][WIDTH] = {{0.0}};
    (void)error;
    memcpy(s->x, s->start, sizeof(double) * (size_t)q->nx);
    for (int k = 0; k <= q->order; k++)
        memcpy(y[k], s->start + q->nx + k * q->ny, sizeof(double) * (size_t)q->ny);
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    run_dense(q, s->steps, s->x, y);
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static double take_engine(void *self, ms_error *error)
{
    subject *s = self;
    ms_run_result result;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    if (ms_run(s->cosim, NULL, 0, NULL, NULL, &result, error) != MS_OK)
        return NAN;
    const double seconds = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
    memcpy(s->x, s->cosim->x, sizeof(double) * (size_t)s->cosim->system->nx);
    return seconds;
}

static double difference(int n, const double *a, const double *b)
{
    double largest = 0.0, scale = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(a[i]));
    }
    return scale > 0.0 ? largest / scale : largest;
}

/* options: pairs of names and values, beyond order and step size. */
static int create(const ms_system *system, const char *const *options, int order, double h, long steps,
                  ms_cosim **cosim, ms_error *error)
{
    ms_options all;
    int status = MS_OK;
    ms_options_default(&all);
    for (; *options != NULL && status == MS_OK; options += 2)
        status = ms_options_set(&all, options[0], options[1], error);
    all.extrapolation.order = order;
    all.step_size = h;
    all.stop_time = h * (double)steps;
    all.given[MS_OPTION_STOP_TIME] = true;
    return status == MS_OK ? ms_cosim_of_options(system, &all, cosim, error) : status;
}

typedef struct member {
    const char *name, *options[5];
    int order;
} member;

static const member jacobi[ORDERS] = {{"order 0", {NULL}, 0}, {"order 1", {NULL}, 1}, {"order 2", {NULL}, 2}};
static const member others[] = {
    {"Gauss-Seidel, order 1", {"scheme", "gauss-seidel"}, 1},
    {"corrected, order 1", {"outputs", "corrected"}, 1},
    {"C1, order 1", {"smooth-coupling", "c1"}, 1},
    {"balance, order 1", {"scheme", "balance"}, 1},
};

static const double STEP_SIZE = 1e-4;

/* The engine's and the loop's timings. */
typedef struct loops {
    pair pair;
    double start[64];
    subject engine, dense;
    ms_timing timing[2];
} loops;

static void make_loops(const ms_system *system, ms_cosim *cosim, int order, long steps, loops *l)
{
    make_pair(system, order, STEP_SIZE, &l->pair);
    l->engine = (subject){.cosim = cosim};
    l->dense = (subject){.pair = &l->pair, .start = l->start, .steps = steps};
    l->timing[0] = (ms_timing){"engine", take_engine, &l->engine, (double)steps, "macro-step", false, {0.0}};
    l->timing[1] = (ms_timing){"dense loop", take_loop, &l->dense, (double)steps, "macro-step", false, {0.0}};
}

/* same: of Jacobi, of which the loop does the same. */
static void compare(ms_benchmark *b, const char *about, const member *m, bool same, loops *l)
{
    ms_timing *const timings[] = {&l->timing[0], &l->timing[1]};
    const ms_ratio ratio = {.name = same ? "engine / dense loop" : "engine / dense loop of Jacobi",
                            .work = timings[0],
                            .peer = timings[1],
                            .wanted = same ? MS_WANTED_AT_MOST : MS_WANTED_NOTHING,
                            .bound = 1.5};
    if (!ms_benchmark_measure(b, about, ROUNDS, 2, timings, 1, &ratio) || !same)
        return;
    const double apart = difference(l->pair.nx, l->engine.x, l->dense.x);
    if (!(apart <= 1e-9))
        ms_benchmark_fail(b, "%s: engine and hand-written loop end %.1e apart", m->name, apart);
}

static void measure(ms_benchmark *b, const ms_system *system, const member *m, bool same)
{
    static loops l;
    ms_error error;
    ms_cosim *cosim = NULL, *plain = NULL;
    const long steps = ms_benchmark_count(b, STEPS, FEW_STEPS);
    char name[128];
    snprintf(name, sizeof name, "%s, %s", system->model->name, m->name);
    int status = create(system, m->options, m->order, STEP_SIZE, steps, &cosim, &error);
    MS_THEN(status, create(system, jacobi[0].options, m->order, STEP_SIZE, steps, &plain, &error));
    if (status == MS_OK) {
        make_loops(system, cosim, m->order, steps, &l);
        ms_cosim_start(plain);
        memcpy(l.start, plain->lin, sizeof(double) * (size_t)plain->lin_size);
        compare(b, name, m, same, &l);
    } else {
        ms_benchmark_fail(b, "%s", error.text);
    }
    ms_cosim_destroy(&plain);
    ms_cosim_destroy(&cosim);
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    ms_error error;
    ms_system *system = NULL;
    if (!ms_benchmark_begin(&b, "macro_step", &argc, argv))
        return (int)b.exit;
    if (ms_system_create(ms_catalogue_find("mass-spring-damper"), NULL, NULL, 0, &system, &error) == MS_OK) {
        for (int k = 0; k < ORDERS; k++)
            measure(&b, system, &jacobi[k], true);
        for (int k = 0; k < MS_COUNT(others); k++)
            measure(&b, system, &others[k], false);
    } else {
        ms_benchmark_fail(&b, "%s", error.text);
    }
    ms_system_destroy(&system);
    return ms_benchmark_end(&b);
}
