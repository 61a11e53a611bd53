/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source_model.h - a subsystem in the source form of its FMU: data written by the export (source_model_data.c), and its solver.
 *
 *     x' = A x + B u + f,     y = C x + D u + g         solve_linear.c
 *     x' = f(t, x, u, p),     y = g(t, x, u, p)         solve_equations.c
 *
 * with x(0) = x0. The form of the data determines the solver. */
#pragma once

#include <macrostep/status.h>

enum { MS_SOURCE_DEGREE = 4 };

typedef void ms_source_function(double t, const double *p, const double *x, const double *u, double *value);

typedef struct ms_source_model {
    const char *token;                         /* guid or instantiationToken */
    int nx, nu, ny, np;                        /* states, inputs, outputs, parameters */
    int degree;                                /* the highest derivative of an input that may be set */
    int output_derivatives;                    /* the highest of an output that can be read */
    double step;                               /* the only macro-step that it takes; 0: any [s] */
    const double *x0, *u0, *p;                 /* (nx), (nu), (np) */
    const double *A, *B, *C, *D;               /* linear: by rows */
    const double *f, *g;                       /* linear: (nx), (ny) */
    ms_source_function *derivatives, *outputs; /* equations: (nx), (ny) */
    double rtol, atol;                         /* equations: of a micro-step */
} ms_source_model;

extern const ms_source_model ms_source_model_data;

/* The present point. */
typedef struct ms_source {
    const ms_source_model *m;
    double t;
    double micro_step; /* the last one, with which the next macro-step begins; 0: none yet [s] */
    int degree;        /* the highest derivative of inputs that is not zero */
    double *x, *u;     /* (nx), (MS_SOURCE_DEGREE + 1, nu): inputs, then their derivatives */
    double *work;      /* (ms_source_work) */
} ms_source;

/* Room for work [doubles]. */
int ms_source_work(const ms_source_model *m);

/* dx (nx), y (ny) at the present point. */
void ms_source_derivatives(const ms_source *s, double *dx);
void ms_source_outputs(const ms_source *s, double *y);

/* dx, dy: derivatives of x' and y along the directions of x and u. */
void ms_source_product(const ms_source *s, const double *of_x, const double *of_u, double *dx, double *dy);

/* The derivative of that order of all outputs (ny), with the present derivatives of inputs. */
void ms_source_output_derivative(const ms_source *s, int order, double *y);

/* Advances x by h, under the present inputs. Errors: MS_STEP_REJECTED. */
int ms_source_advance(ms_source *s, double h, ms_error *error);

/* The derivative of that order of all inputs, `since` after the start of the step. */
static inline void ms_source_inputs(const ms_source *s, int order, double since, double *u)
{
    const int nu = s->m->nu;
    for (int i = 0; i < nu; i++) {
        double sum = 0.0;
        for (int k = s->degree; k >= order; k--) /* sum_k u^(k) since^(k - order) / (k - order)! */
            sum = sum * since / (double)(k - order + 1) + s->u[k * nu + i];
        u[i] = sum;
    }
}
