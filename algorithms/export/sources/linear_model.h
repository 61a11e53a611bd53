/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_model.h - the data of a linear subsystem in the source form of its FMU; the export writes them (linear_model_data.c).
 *
 *     x' = A x + B u + f,     y = C x + D u + g,     x(0) = x0 */
#ifndef MS_LINEAR_MODEL_H
#define MS_LINEAR_MODEL_H

typedef struct ms_linear_model {
    const char *token;                 /* guid or instantiationToken */
    int nx, nu, ny, np;                /* states, inputs, outputs, parameters */
    int degree;                        /* the highest derivative of an input that may be set */
    int output_derivatives;            /* the highest of an output that can be read */
    double step;                       /* the only macro-step that it takes; 0: any [s] */
    const double *A, *B, *C, *D;       /* by rows */
    const double *f, *g, *x0, *u0, *p; /* (nx), (ny), (nx), (nu), (np) */
} ms_linear_model;

extern const ms_linear_model ms_linear_model_data;

#endif
