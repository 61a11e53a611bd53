/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_parts.h - shared by the files of the formula: analytic_propagation_setup.c computes weights and memory,
 * analytic_propagation.c composes the matrix of explicit schemes, analytic_propagation_iterated.c and analytic_propagation_sampled.c
 * those of iterated ones, analytic_propagation_compare.c compares it with the probe. Private to these files. */
#pragma once

#include <macrostep/analytic_propagation.h>
#include <macrostep/variant.h>
#include "polynomial.h"
#include "step_map.h"
#include "structure.h"

enum { PAST, NEWEST, KINDS, COEFFICIENTS = MS_STEP_MAP_DEGREE + 1, PIECES = 2 };
enum {
    Y0 = MS_SLOT_Y0,
    Y1 = MS_SLOT_Y1,
    Y2 = MS_SLOT_Y2,
    LEFT = MS_SLOT_LEFT,
    SLOPE = MS_SLOT_LEFT_SLOPE,
    NEW = MS_SLOT_NEW,
    BALANCE = MS_SLOT_BALANCE
};

/* p(theta): weights of theta^k; and those of p, p', p'' at the end of the macro-step. On a piece theta runs
 * from 0 to 1, too, but p' and p'' are derivatives by tau/h. */
typedef struct propagation_weights {
    int degree;
    double w[COEFFICIENTS][MS_WEIGHT_SLOTS];
    double end[3][MS_WEIGHT_SLOTS];
} propagation_weights;

struct ms_analytic_propagation {
    const ms_system *system;
    int n, order, smoothing, outputs, degree, micro_steps;
    const ms_runge_kutta *method; /* of the subsystems; NULL: they are solved exactly */
    bool gauss_seidel, analytic, differences, printed_quadratic, printed_smoothing, remembers_raw;
    bool plain_limit; /* h = 0 without scaling */
    double end;       /* theta at the end: 1, and 0 in the plain limit */
    propagation_weights weights[KINDS];
    int column[KINDS][MS_WEIGHT_SLOTS]; /* where a slot's ny values begin in the memory; -1: nowhere */
    int raw_column;
    int *sequence, *rank; /* (n) each */
    double *R;            /* (I - D L)^-1 (ny x ny) */
    double *E, *G, *map_work;
    double *c;            /* coefficients of a subsystem's input: pieces x (degree + 1) x nu_i rows */
    double *u[3];         /* the same at the end: values, first and second derivatives (nu_i rows) */
    double *raw, *solved; /* ny rows */
    double *dy, *ddy;     /* ny rows, where derivatives are remembered */
    double *dx;           /* nx rows, then as many for ddx */
    int *pivots;
    ms_structure owned; /* all memory of it */

    /* balance correction */
    bool balance, trapezoid; /* trapezoid: errors by the outputs at both ends */
    double alpha;            /* part of an error that is fed back */
    bool *held;              /* (nu): inputs without correction */
    int pieces;              /* of the inputs; 1 without */
    int errors,
        error_column; /* macro-steps whose errors e/h are remembered, newest first, and their first column */
    propagation_weights piece[PIECES]; /* what inputs follow: extrapolation and hat */
    double counted[MS_WEIGHT_SLOTS];   /* int_0^1 dtheta of the polynomial compared with outputs */
    double mean[COEFFICIENTS];         /* int_0^1 theta^k dtheta as the subsystem integrates it */
    double *S, *T;                     /* of mean states, see step_map.h; NULL without */
    double *x_start, *x_mean, *u_mean; /* pieces x nx_i, nx_i, nu_i rows */

    bool split;   /* subsystems there and back over halves */
    int twice;    /* the first subsystems of the order, that many, step twice */
    double *next; /* the states of one subsystem: nx_i rows; NULL without */

    struct propagation_iterated *iterated;   /* of schemes that iterate; NULL without */
    int slope_column;                        /* of these: where slopes of inputs are remembered, or -1 */
    struct propagation_multirate *multirate; /* of subsystems in sub-steps of their own; NULL without */
    struct propagation_common *common;       /* and wires that move at common points; NULL without */
    struct propagation_delayed *delayed;     /* of forces that answer to velocities at lines; NULL without */
    struct propagation_sampled *sampled;     /* on samples inside the macro-step; NULL without */
};

/* Row i of n columns. */
static inline double *propagation_row(double *rows, int i, int n)
{
    return rows + (size_t)i * (size_t)n;
}

/* Those of the variant, and the degree of the inputs. */
void ms_analytic_propagation_set_weights(ms_analytic_propagation *f, const ms_variant *v);

/* The weights at theta = end. */
void ms_analytic_propagation_set_end(ms_analytic_propagation *f, double end);

/* to += factor from, n columns: two neighbours at a time, each with the bits of a plain loop. */
typedef double propagation_lane __attribute__((vector_size(16), aligned(8), may_alias));

static inline void ms_analytic_propagation_add_row(int n, double factor, const double *from, double *to)
{
    int c = 0;
    for (; c + 2 <= n; c += 2)
        *(propagation_lane *)(to + c) += factor * *(const propagation_lane *)(from + c);
    if (c < n)
        to[c] += factor * from[c];
}

/* The same, where the factor may be zero. */
static inline void propagation_add(int n, double factor, const double *from, double *to)
{
    if (factor != 0.0)
        ms_analytic_propagation_add_row(n, factor, from, to);
}

/* to += factor M from, M (rows x inner), over n columns. Matrices of subsystems are small and hold zeros. */
static inline void ms_analytic_propagation_add_product(int rows, int inner, int n, double factor,
                                                       const double *M, const double *from, double *to)
{
    for (int i = 0; i < rows; i++, to += n)
        for (int j = 0; j < inner; j++)
            propagation_add(n, factor * M[i * inner + j], from + (size_t)j * (size_t)n, to);
}

/* E, G and, for means, S, T of subsystem i over the length h. */
int ms_analytic_propagation_subsystem(const ms_analytic_propagation *f, int i, double h);

/* *x = E *x + G c of subsystem i over the length h, over n columns; *next becomes the old *x. Returns as above. */
int ms_analytic_propagation_march(const ms_analytic_propagation *f, int i, double h, int n, const double *c,
                                  double **x, double **next);

/* to = L from, rows of the inputs of subsystem i. */
void ms_analytic_propagation_couple(const ms_analytic_propagation *f, int i, const double *from, double *to);

/* The states and outputs of subsystem i in psi after the length h under held inputs u; next: scratch for its states. Returns as above. */
int ms_analytic_propagation_hold(const ms_analytic_propagation *f, int i, double h, const double *u,
                                 double *next, double *psi);

/* `count` values of the memory from `column` on are stored inside multiplied by `factor`: derivatives of order j as
 * h^j y^(j), errors of balances as e/h. */
typedef struct propagation_scale {
    int column, count;
    double factor;
} propagation_scale;

enum { SCALES_MAX = 4 + MS_BALANCE_STEPS_MAX };

/* The scales of a macro-step h > 0. Returns how many there are. */
int ms_analytic_propagation_scales(const ms_analytic_propagation *f, double h,
                                   propagation_scale scale[SCALES_MAX]);

/* Takes them out of the rows and columns of psi; with h = 0 they stay. */
void ms_analytic_propagation_unscale(const ms_analytic_propagation *f, double h, double *psi);

/* Scheme strang: as ms_analytic_propagation_evaluate; and how many of the order step twice. */
int ms_analytic_propagation_split_evaluate(ms_analytic_propagation *f, double h, double *psi);
int ms_analytic_propagation_split_twice(const ms_analytic_propagation *f);

/* Iterated schemes. create: n, degree and workspace where the variant is one, else nothing; MS_OK or
 * MS_NO_MEMORY. evaluate: as ms_analytic_propagation_evaluate. inverse: the Frobenius norm of the inverse of the equations that were evaluated last, each in units
 * of its largest coefficient. */
int ms_analytic_propagation_iterated_create(ms_analytic_propagation *f, const ms_variant *variant);
int ms_analytic_propagation_iterated_evaluate(ms_analytic_propagation *f, double h, double *psi);
double ms_analytic_propagation_iterated_inverse(const ms_analytic_propagation *f);

/* The same of schemes that iterate on samples, whose memory has no scales. */
int ms_analytic_propagation_sampled_create(ms_analytic_propagation *f, const ms_variant *variant,
                                           const ms_options *options, ms_error *error);
int ms_analytic_propagation_sampled_evaluate(ms_analytic_propagation *f, double h, double *psi);
double ms_analytic_propagation_sampled_inverse(const ms_analytic_propagation *f);

/* The same of sub-steps; arrange: the sequence, once the formula has room for it. */
int ms_analytic_propagation_multirate_create(ms_analytic_propagation *f, const ms_variant *variant,
                                             const ms_options *options, ms_error *error);
void ms_analytic_propagation_multirate_arrange(ms_analytic_propagation *f, const ms_variant *variant);
int ms_analytic_propagation_multirate_evaluate(ms_analytic_propagation *f, double h, double *psi);

/* The same of sub-steps whose wires move at common points. */
int ms_analytic_propagation_common_create(ms_analytic_propagation *f, const ms_variant *variant,
                                          const ms_options *options, ms_error *error);
int ms_analytic_propagation_common_evaluate(ms_analytic_propagation *f, double h, double *psi);

/* The same of lines; create: MS_UNSUPPORTED where the model has none. */
int ms_analytic_propagation_delayed_create(ms_analytic_propagation *f, const ms_variant *variant,
                                           ms_error *error);
int ms_analytic_propagation_delayed_evaluate(ms_analytic_propagation *f, double h, double *psi);
