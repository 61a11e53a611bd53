/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro_step.c - what the framework costs: macro-steps of the engine against hand-written loops.
 *
 * The same scheme (Jacobi, inconsistent, extrapolation of order 0 and 1 from past values) on the same linear model of
 * two subsystems with exact solves and nothing recorded:
 *
 *   engine      the code that `macrostep run` uses
 *   dense       a minimal loop with run-time sizes: x = E x + G0 u0 + G1 u1, y = C x + D u, u = L y
 *   unrolled    the same with the sizes known at compile time, for this model alone
 *
 * All are timed in turn within one run. The ratios are medians over the rounds, so that a machine that slows down
 * slows both; the final states are compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "cosim.h"
#include "exponential.h"
#include "options.h"
#include "run.h"
#include "scheme_registry.h"
#include "timing.h"

enum { STEPS = 200000, ROUNDS = 15, SIZE_MAX_X = 8 };

static double seconds(void)
{
    return ms_clock_seconds(CLOCK_MONOTONIC);
}

/* One subsystem of the hand-written loops: maps over a step of length h, output matrices. */
typedef struct part {
    int nx, nu, ny, x_at, u_at, y_at;
    const double *C, *D;
    double E[64], G0[64], G1[64]; /* x = E x + G0 c0 + G1 c1 */
} part;

typedef struct pair {
    int n, nx, nu, ny, order;
    double h;
    double L[256];
    part part[4];
} pair;

/* E, G0 = h phi_1 B, G1 = h^2 phi_2 B. */
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
    double *memory = malloc(sizeof(double) * ms_exponential_size(q->nx, q->nu)), W[128];
    ms_exponential e;
    ms_exponential_prepare(&e, q->nx, q->nu, m->A, m->B, memory);
    ms_exponential_evaluate(&e, h, 2, q->E, W);
    for (int k = 0; k < size; k++) {
        q->G0[k] = h * W[k];
        q->G1[k] = h * h * W[size + k];
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

/* Dense loops with run-time sizes. x (nx); y, before (ny): outputs at T_n and T_{n-1}. */
static __attribute__((noinline)) void run_dense(const pair *q, long steps, double *x, double *y,
                                                double *before)
{
    double u0[16] = {0.0}, u1[16] = {0.0}, ahead[16] = {0.0}, slope[16] = {0.0}, next[16] = {0.0};
    for (long n = 0; n < steps; n++) {
        for (int i = 0; i < q->nu; i++) {
            double sum0 = 0.0, sum1 = 0.0;
            for (int j = 0; j < q->ny; j++)
                sum0 += q->L[i * q->ny + j] * y[j];
            if (q->order > 0)
                for (int j = 0; j < q->ny; j++)
                    sum1 += q->L[i * q->ny + j] * before[j];
            u0[i] = sum0;
            slope[i] = q->order > 0 ? (sum0 - sum1) / q->h : 0.0;
            u1[i] = u0[i] + q->h * slope[i];
        }
        for (int k = 0; k < q->n; k++) {
            const part *p = &q->part[k];
            double *xk = x + p->x_at, *uk = u0 + p->u_at, *sk = slope + p->u_at, *vk = u1 + p->u_at;
            for (int i = 0; i < p->nx; i++) {
                double sum = 0.0;
                for (int j = 0; j < p->nx; j++)
                    sum += p->E[i * p->nx + j] * xk[j];
                for (int j = 0; j < p->nu; j++)
                    sum += p->G0[i * p->nu + j] * uk[j];
                if (q->order > 0)
                    for (int j = 0; j < p->nu; j++)
                        sum += p->G1[i * p->nu + j] * sk[j];
                next[i] = sum;
            }
            for (int i = 0; i < p->nx; i++)
                xk[i] = next[i];
            for (int i = 0; i < p->ny; i++) {
                double sum = 0.0;
                for (int j = 0; j < p->nx; j++)
                    sum += p->C[i * p->nx + j] * xk[j];
                for (int j = 0; j < p->nu; j++)
                    sum += p->D[i * p->nu + j] * vk[j];
                ahead[p->y_at + i] = sum;
            }
        }
        for (int j = 0; j < q->ny; j++) {
            before[j] = y[j];
            y[j] = ahead[j];
        }
    }
}

/* The same for two subsystems with two states, inputs and outputs each, wired crosswise one to one. */
static __attribute__((noinline)) void run_unrolled(const pair *q, long steps, double *x, double *y,
                                                   double *before)
{
    const part *a = &q->part[0], *b = &q->part[1];
    for (long n = 0; n < steps; n++) {
        double u0[4] = {y[2], y[3], y[0], y[1]}, slope[4] = {0.0, 0.0, 0.0, 0.0}, v[4], z[4];
        if (q->order > 0) {
            const double r = 1.0 / q->h;
            slope[0] = (y[2] - before[2]) * r;
            slope[1] = (y[3] - before[3]) * r;
            slope[2] = (y[0] - before[0]) * r;
            slope[3] = (y[1] - before[1]) * r;
        }
        for (int i = 0; i < 4; i++)
            v[i] = u0[i] + q->h * slope[i];
        for (int i = 0; i < 2; i++) {
            z[i] =
                a->E[2 * i] * x[0] + a->E[2 * i + 1] * x[1] + a->G0[2 * i] * u0[0] + a->G0[2 * i + 1] * u0[1];
            z[2 + i] =
                b->E[2 * i] * x[2] + b->E[2 * i + 1] * x[3] + b->G0[2 * i] * u0[2] + b->G0[2 * i + 1] * u0[3];
            if (q->order > 0) {
                z[i] += a->G1[2 * i] * slope[0] + a->G1[2 * i + 1] * slope[1];
                z[2 + i] += b->G1[2 * i] * slope[2] + b->G1[2 * i + 1] * slope[3];
            }
        }
        memcpy(x, z, sizeof z);
        memcpy(before, y, sizeof z);
        for (int i = 0; i < 2; i++) {
            y[i] = a->C[2 * i] * x[0] + a->C[2 * i + 1] * x[1] + a->D[2 * i] * v[0] + a->D[2 * i + 1] * v[1];
            y[2 + i] =
                b->C[2 * i] * x[2] + b->C[2 * i + 1] * x[3] + b->D[2 * i] * v[2] + b->D[2 * i + 1] * v[3];
        }
    }
}

typedef void run_loop(const pair *, long, double *, double *, double *);

static double time_loop(run_loop *loop, const pair *q, const double *start, double *x)
{
    double y[16], before[16];
    memcpy(x, start, sizeof(double) * (size_t)q->nx);
    memcpy(y, start + q->nx, sizeof(double) * (size_t)q->ny);
    memcpy(before, start + q->nx + q->ny, sizeof(double) * (size_t)q->ny);
    const double begin = seconds();
    loop(q, STEPS, x, y, before);
    return seconds() - begin;
}

static double time_engine(ms_cosim *cosim, double *x)
{
    ms_run_result result;
    ms_run(cosim, NULL, 0, NULL, NULL, &result, NULL);
    memcpy(x, cosim->x, sizeof(double) * (size_t)cosim->system->nx);
    return result.wall_seconds;
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

static int measure(const char *name, int order, double h)
{
    ms_error error;
    ms_system *system = NULL;
    ms_cosim *cosim = NULL;
    ms_options options;
    ms_options_default(&options);
    options.extrapolation_order = order;
    options.step_size = h;
    options.stop_time = h * STEPS;
    options.given[MS_OPTION_STOP_TIME] = true;
    int status = ms_system_create(ms_catalogue_find(name), NULL, NULL, 0, &system, &error);
    if (status == MS_OK)
        status = ms_cosim_of_options(system, &options, &cosim, &error);
    if (status == MS_OK) {
        pair q;
        make_pair(system, order, h, &q);
        ms_cosim_start(cosim);
        double start[64], x[3][SIZE_MAX_X] = {{0.0}}, times[3][ROUNDS];
        memcpy(start, cosim->lin, sizeof(double) * (size_t)cosim->lin_size);
        for (int r = 0; r < ROUNDS; r++) {
            times[0][r] = time_engine(cosim, x[0]);
            times[1][r] = time_loop(run_dense, &q, start, x[1]);
            times[2][r] = time_loop(run_unrolled, &q, start, x[2]);
        }
        double to_dense[ROUNDS], to_unrolled[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            to_dense[r] = times[0][r] / times[1][r];
            to_unrolled[r] = times[0][r] / times[2][r];
        }
        const double engine = ms_median(ROUNDS, times[0]), dense = ms_median(ROUNDS, times[1]),
                     unrolled = ms_median(ROUNDS, times[2]);
        printf("%-20s order %d  engine %6.1f ns  dense %6.1f ns  unrolled %6.1f ns a macro-step  "
               "engine/dense %.2f  "
               "engine/unrolled %.2f  relative difference %.1e %.1e\n",
               name, order, 1e9 * engine / STEPS, 1e9 * dense / STEPS, 1e9 * unrolled / STEPS,
               ms_median(ROUNDS, to_dense), ms_median(ROUNDS, to_unrolled),
               difference(system->nx, x[0], x[1]), difference(system->nx, x[0], x[2]));
    } else {
        fprintf(stderr, "macro_step: %s\n", error.text);
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
    return status == MS_OK ? 0 : 1;
}

int main(void)
{
    int failed = 0;
    for (int order = 0; order <= 1; order++)
        failed |= measure("mass-spring-damper", order, 1e-4);
    return failed;
}
