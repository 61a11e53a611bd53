/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro_step.c - the overhead of the framework: macro-steps of the engine relative to hand-written loops.
 *
 * Jacobi with extrapolation of order 0, 1 and 2 from past values, Gauss-Seidel, corrected outputs, smooth coupling (C1) and the balance
 * correction, all of order 1, on a linear model of two subsystems with exact solves and nothing recorded:
 *
 *     engine      the code that `macrostep run` uses
 *     loop        a minimal loop of the same scheme with run-time sizes: x = E x + G0 c0 + G1 c1 + .., y = C x + D u, u = L y
 *
 * Limit: by instructions the ratios are 1.55 of Gauss-Seidel, 1.69 corrected, 1.26 of C1 and 1.90 of the balance. Gauss-Seidel finds
 * the polynomial that each wire has by now (a third of its instructions) and sums those of one subsystem at a time (a fifth). Corrected
 * outputs spend 46 % of theirs at the end of the macro-step: D u twice, the coupling, and a solution with I - D L by subsystems. The loop
 * multiplies by one inverse instead. The balance integrates outputs as states of the micro-solver, and combines each polynomial a second
 * time over the macro-step.
 *
 * Times are processor time. The loop must end in the engine's states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include "benchmark.h"
#include "engine.h"
#include "exponential.h"

enum { STEPS = 200000, FEW_STEPS = 1000, ROUNDS = 15, ORDERS = 3, DEGREES = 4, WIDTH = 16 };

/* One subsystem of a hand-written loop: maps over a step of length h, output matrices. */
typedef struct part {
    int nx, nu, ny, x_at, u_at, y_at;
    const double *C, *D;
    double E[64], G[DEGREES][64]; /* x = E x + sum_k G_k c_k, and behind it the integrals of the outputs */
} part;

typedef struct pair {
    int n, nx, nu, ny, order;
    double h;
    double L[256], solved[256]; /* (nu x ny); (ny x ny): (I - D L)^-1 */
    part part[4];
} pair;

/* A and B of x' = A x + B u, q' = C x + D u. */
static void join_integrals(const part *p, const ms_blocks *m, double *A, double *B)
{
    const int n = p->nx + p->ny;
    for (int i = 0; i < n; i++) {
        const int row = i < p->nx ? i : i - p->nx;
        for (int j = 0; j < p->nx; j++)
            A[i * n + j] = (i < p->nx ? m->A : m->C)[row * p->nx + j];
        for (int j = 0; j < p->nu; j++)
            B[i * p->nu + j] = (i < p->nx ? m->B : m->D)[row * p->nu + j];
    }
}

/* E = exp(A h), of which q needs no columns, G_k = k! h^{k+1} phi_{k+1}(A h) B. */
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
    const int n = q->nx + q->ny, size = n * q->nu;
    double *memory = malloc(sizeof(double) * ms_exponential_size(n, q->nu)), W[256], factor = h;
    double A[64] = {0.0}, B[64], E[64];
    ms_exponential e;
    join_integrals(q, m, A, B);
    ms_exponential_prepare(&e, n, q->nu, A, B, memory);
    ms_exponential_evaluate(&e, h, DEGREES, E, W);
    for (int r = 0; r < n; r++)
        memcpy(q->E + r * q->nx, E + r * n, sizeof(double) * (size_t)q->nx);
    for (int k = 0; k < DEGREES; k++) {
        for (int j = 0; j < size; j++)
            q->G[k][j] = factor * W[k * size + j];
        factor *= (k + 1) * h;
    }
    free(memory);
}

/* (I - D L)^-1, by the series that ends where no loop is closed. */
static void make_solved(const ms_system *s, pair *q)
{
    const int ny = q->ny;
    double DL[256] = {0.0}, next[256];
    for (int i = 0; i < s->n; i++)
        for (int r = 0; r < s->sub[i].ny; r++)
            for (int l = 0; l < s->sub[i].nu; l++)
                for (int j = 0; j < ny; j++)
                    DL[(s->y_at[i] + r) * ny + j] +=
                        s->blocks[i].D[r * s->sub[i].nu + l] * q->L[(s->u_at[i] + l) * ny + j];
    for (int k = 0; k <= ny; k++) { /* S = I + DL S */
        for (int i = 0; i < ny; i++)
            for (int j = 0; j < ny; j++) {
                next[i * ny + j] = i == j;
                for (int l = 0; l < ny; l++)
                    next[i * ny + j] += DL[i * ny + l] * q->solved[l * ny + j];
            }
        memcpy(q->solved, next, sizeof next);
    }
}

static void make_pair(const ms_system *s, int order, double h, pair *q)
{
    *q = (pair){.n = s->n, .nx = s->nx, .nu = s->nu, .ny = s->ny, .order = order, .h = h};
    for (int i = 0; i < s->nu; i++)
        for (int w = s->row_at[i]; w < s->row_at[i + 1]; w++)
            q->L[i * s->ny + s->wire_output[w]] = s->wire_gain[w];
    for (int i = 0; i < s->n; i++)
        make_part(s, i, h, &q->part[i]);
    make_solved(s, q);
}

/* Loops, with run-time sizes -------------------------------------------------------------------------- */

/* sum += M v, a row of M. */
static inline double add_row(double sum, int n, const double *row, const double *v)
{
    for (int j = 0; j < n; j++)
        sum += row[j] * v[j];
    return sum;
}

/* c (order + 1) x nu: u(tau) = c0 + c1 tau + c2 tau^2 from the outputs y[0], y[1], .. at T_n, T_{n-1}, ..; v: u(h). */
static inline void extrapolate(const pair *q, double y[ORDERS][WIDTH], double c[DEGREES][WIDTH], double *v)
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

/* The first `rows` rows of x = E x + sum_k G_k c_k. */
static inline void map_rows(const part *p, int rows, int degree, double c[DEGREES][WIDTH], const double *x,
                            double *next)
{
    for (int i = 0; i < rows; i++) {
        double sum = add_row(0.0, p->nx, p->E + i * p->nx, x);
        for (int k = 0; k <= degree; k++)
            sum = add_row(sum, p->nu, p->G[k] + i * p->nu, c[k] + p->u_at);
        next[i] = sum;
    }
}

static inline void move(const part *p, int degree, double c[DEGREES][WIDTH], double *x)
{
    double next[WIDTH];
    map_rows(p, p->nx, degree, c, x, next);
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
    double c[DEGREES][WIDTH] = {{0.0}}, v[WIDTH], ahead[WIDTH] = {0.0};
    for (long n = 0; n < steps; n++) {
        extrapolate(q, y, c, v);
        for (int k = 0; k < q->n; k++) {
            const part *p = &q->part[k];
            move(p, q->order, c, x + p->x_at);
            put_out(p, x + p->x_at, v + p->u_at, ahead + p->y_at);
        }
        for (int j = 0; j < q->ny; j++) {
            for (int k = q->order; k > 0; k--)
                y[k][j] = y[k - 1][j];
            y[0][j] = ahead[j];
        }
    }
}

/* Order 1: the inputs of part p, c_k = L p_k, from polynomials of outputs; v: u(h). */
static inline void couple(const pair *q, const part *p, int degree, double poly[DEGREES][WIDTH],
                          double c[DEGREES][WIDTH], double *v)
{
    for (int i = p->u_at; i < p->u_at + p->nu; i++) {
        v[i] = 0.0;
        for (int k = degree; k >= 0; k--) {
            c[k][i] = add_row(0.0, q->ny, q->L + i * q->ny, poly[k]);
            v[i] = v[i] * q->h + c[k][i];
        }
    }
}

/* The line through the outputs at T_{n-1}, y[1], and T_n, y[0]; then shifts these by one step. */
static inline void line(const pair *q, double y[ORDERS][WIDTH], double poly[DEGREES][WIDTH])
{
    for (int j = 0; j < q->ny; j++) {
        poly[0][j] = y[0][j];
        poly[1][j] = (y[0][j] - y[1][j]) / q->h;
        y[1][j] = y[0][j];
    }
}

/* Who has stepped follows the line to its newest outputs. */
static __attribute__((noinline)) void run_gauss_seidel(const pair *q, long steps, double *x,
                                                       double y[ORDERS][WIDTH])
{
    double poly[DEGREES][WIDTH], c[DEGREES][WIDTH], v[WIDTH];
    for (long n = 0; n < steps; n++) {
        line(q, y, poly);
        for (int k = 0; k < q->n; k++) {
            const part *p = &q->part[k];
            couple(q, p, 1, poly, c, v);
            move(p, 1, c, x + p->x_at);
            put_out(p, x + p->x_at, v + p->u_at, y[0] + p->y_at);
            for (int j = p->y_at; j < p->y_at + p->ny; j++)
                poly[1][j] = (y[0][j] - y[1][j]) / q->h;
        }
    }
}

/* Outputs (I - D L) y = C x. */
static __attribute__((noinline)) void run_corrected(const pair *q, long steps, double *x,
                                                    double y[ORDERS][WIDTH])
{
    double poly[DEGREES][WIDTH], c[DEGREES][WIDTH], v[WIDTH], direct[WIDTH];
    for (long n = 0; n < steps; n++) {
        line(q, y, poly);
        for (int k = 0; k < q->n; k++) {
            const part *p = &q->part[k];
            couple(q, p, 1, poly, c, v);
            move(p, 1, c, x + p->x_at);
            for (int i = 0; i < p->ny; i++)
                direct[p->y_at + i] = add_row(0.0, p->nx, p->C + i * p->nx, x + p->x_at);
        }
        for (int j = 0; j < q->ny; j++)
            y[0][j] = add_row(0.0, q->ny, q->solved + j * q->ny, direct);
    }
}

/* Hermite's cubic from where the last one has ended, value and slope, to the end of the line. */
static __attribute__((noinline)) void run_c1(const pair *q, long steps, double *x, double y[ORDERS][WIDTH])
{
    double poly[DEGREES][WIDTH], c[DEGREES][WIDTH], v[WIDTH], left[WIDTH], left_slope[WIDTH];
    const double h = q->h;
    for (int j = 0; j < q->ny; j++) {
        left[j] = y[0][j];
        left_slope[j] = (y[0][j] - y[1][j]) / h;
    }
    for (long n = 0; n < steps; n++) {
        line(q, y, poly);
        for (int j = 0; j < q->ny; j++) {
            const double y0 = poly[0][j], slope = poly[1][j], jump = left[j] - y0,
                         turn = left_slope[j] - slope;
            poly[0][j] = left[j];
            poly[1][j] = left_slope[j];
            poly[2][j] = (-3.0 * jump / h - 2.0 * turn) / h;
            poly[3][j] = (2.0 * jump / h + turn) / (h * h);
            left[j] = y0 + h * slope;
            left_slope[j] = slope;
        }
        for (int k = 0; k < q->n; k++) {
            const part *p = &q->part[k];
            couple(q, p, 3, poly, c, v);
            move(p, 3, c, x + p->x_at);
            put_out(p, x + p->x_at, v + p->u_at, y[0] + p->y_at);
        }
    }
}

/* What the line has missed of the integral of an output is added to it in the next step. */
static __attribute__((noinline)) void run_balance(const pair *q, long steps, double *x,
                                                  double y[ORDERS][WIDTH])
{
    double poly[DEGREES][WIDTH], c[DEGREES][WIDTH], v[WIDTH], next[WIDTH] = {0.0}, missed[WIDTH] = {0.0},
                                                              of_line[WIDTH];
    const double h = q->h;
    for (long n = 0; n < steps; n++) {
        line(q, y, poly);
        for (int j = 0; j < q->ny; j++) {
            of_line[j] = h * (poly[0][j] + 0.5 * h * poly[1][j]);
            poly[0][j] += missed[j] / h;
        }
        for (int k = 0; k < q->n; k++) {
            const part *p = &q->part[k];
            couple(q, p, 1, poly, c, v);
            map_rows(p, p->nx + p->ny, 1, c, x + p->x_at, next);
            for (int i = 0; i < p->nx; i++)
                x[p->x_at + i] = next[i];
            for (int i = 0; i < p->ny; i++)
                missed[p->y_at + i] = next[p->nx + i] - of_line[p->y_at + i];
            put_out(p, x + p->x_at, v + p->u_at, y[0] + p->y_at);
        }
    }
}

/* Timings ------------------------------------------------------------------------------------------------- */

typedef void run_loop(const pair *q, long steps, double *x, double y[ORDERS][WIDTH]);

/* The loop (pair) or the engine (cosim), and the states that it came to. */
typedef struct subject {
    const pair *pair;
    run_loop *loop;
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
    s->loop(q, s->steps, s->x, y);
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static double take_engine(void *self, ms_error *error)
{
    subject *s = self;
    const double seconds = ms_engine_seconds(s->cosim, error);
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

typedef struct member {
    const char *name, *options; /* beyond order and step size */
    int order;
    run_loop *loop;
} member;

static const member members[] = {
    {"order 0", "", 0, run_dense},
    {"order 1", "", 1, run_dense},
    {"order 2", "", 2, run_dense},
    {"Gauss-Seidel, order 1", "scheme gauss-seidel", 1, run_gauss_seidel},
    {"corrected, order 1", "outputs corrected", 1, run_corrected},
    {"C1, order 1", "smooth-coupling c1", 1, run_c1},
    {"balance, order 1", "scheme balance", 1, run_balance},
};

static const double STEP_SIZE = 1e-4;

/* The engine's and the loop's timings. */
typedef struct loops {
    pair pair;
    double start[64];
    subject engine, loop;
    ms_timing timing[2];
} loops;

static void make_loops(const ms_system *system, ms_cosim *cosim, const member *m, long steps, loops *l)
{
    make_pair(system, m->order, STEP_SIZE, &l->pair);
    l->engine = (subject){.cosim = cosim};
    l->loop = (subject){.pair = &l->pair, .loop = m->loop, .start = l->start, .steps = steps};
    l->timing[0] = (ms_timing){"engine", take_engine, &l->engine, (double)steps, "macro-step", false, {0.0}};
    l->timing[1] = (ms_timing){"loop", take_loop, &l->loop, (double)steps, "macro-step", false, {0.0}};
}

static void compare(ms_benchmark *b, const char *about, loops *l)
{
    if (!ms_benchmark_compare(b, about, ROUNDS, &l->timing[0], &l->timing[1], "engine / loop by hand", 1.5))
        return;
    const double apart = difference(l->pair.nx, l->engine.x, l->loop.x);
    if (!(apart <= 1e-9))
        ms_benchmark_fail(b, "%s: engine and hand-written loop end %.1e apart", about, apart);
}

static void measure_member(ms_benchmark *b, const ms_system *system, const member *m)
{
    static loops l;
    ms_error error;
    ms_cosim *cosim = NULL;
    const long steps = ms_benchmark_count(b, STEPS, FEW_STEPS);
    char name[128], options[128];
    snprintf(name, sizeof name, "%s, %s", system->model->name, m->name);
    snprintf(options, sizeof options, "%s extrapolation-order %d", m->options, m->order);
    if (ms_engine_create(system, options, STEP_SIZE, (double)steps, &cosim, &error) == MS_OK) {
        make_loops(system, cosim, m, steps, &l);
        ms_cosim_start(cosim);
        memcpy(l.start, cosim->lin, sizeof(double) * (size_t)(system->nx + (m->order + 1) * system->ny));
        compare(b, name, &l);
    } else {
        ms_benchmark_fail(b, "%s", error.text);
    }
    ms_cosim_destroy(&cosim);
}

static void measure(ms_benchmark *b, const ms_system *system)
{
    for (int k = 0; k < MS_COUNT(members); k++)
        measure_member(b, system, &members[k]);
}

int main(int argc, char **argv)
{
    return ms_benchmark_of_model("macro_step", "mass-spring-damper", measure, argc, argv);
}
