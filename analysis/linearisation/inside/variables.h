/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variables.h - the equations of a subsystem at a point as functions of one vector v = (x, u, w): states,
 * coupling inputs and external inputs, one behind the other. Time, u' and z stay as they are. */
#pragma once

#include <macrostep/system.h>

typedef struct ms_variables {
    const ms_system *system;
    const ms_subsystem *sub;
    int index;            /* of the subsystem in the system */
    int n;                /* nx + nu + nw */
    double t;             /* [s] */
    const double *du, *z; /* of the point */
    double *v;            /* (n): x and u of the point, and w at t */
    /* (n): their sizes: their scale (ms_system) or |v|; for w |v|, or the smallest scale of x and u below
     * 1 */
    double *size;
} ms_variables;

/* At a point whose t, x, u, z (and du, where the subsystem reads it) are set; du and z are kept as
 * pointers. Errors: MS_NO_MEMORY. */
int ms_variables_create(const ms_system *system, int i, const ms_point *at, ms_variables **variables);
void ms_variables_destroy(ms_variables **variables); /* NULL-safe */

/* x' (nx) and y (ny) at v; self is an ms_variables. What f and g return. */
int ms_variables_f(void *self, const double *v, double *dx);
int ms_variables_g(void *self, const double *v, double *y);
