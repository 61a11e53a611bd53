/* SPDX-License-Identifier: GPL-3.0-or-later */
/* euler_units.h - units as masters of other tools see them: values are set and got, and each steps by Euler's method. With them a test
 * writes a tool's loop down a second time, from its source. */
#pragma once

#include "random_system.h"

enum { SUPPORT_UNITS_MOST = SUPPORT_RANDOM_SYSTEM_TOTAL };

/* All units of a linear system. */
typedef struct support_units {
    const ms_system *s;
    double x[SUPPORT_UNITS_MOST], u[SUPPORT_UNITS_MOST]; /* states, and the inputs that have been set */
    double y[SUPPORT_UNITS_MOST];                        /* what has been got last */
} support_units;

support_units support_units_of(const ms_system *s);

/* y = C x + D u of unit i, with the inputs that it has; of all. */
void support_units_get(support_units *t, int i);
void support_units_get_all(support_units *t);

/* u = L y of what has been got. */
void support_units_set_all(support_units *t);

/* A step of length h [s] of unit i; of all. */
void support_units_step(support_units *t, int i, double h);
void support_units_step_all(support_units *t, double h);

/* Inputs := outputs as often as the longest chain of feed-through needs; there is no loop. */
void support_units_update_inputs(support_units *t);

/* Is D L not nilpotent? */
bool support_units_have_loop(const ms_system *s);

/* Fails where the states are not those of x (1e-11). */
void support_units_near(const support_units *t, const double *x, const char *what);

/* check(system, h, seed) on random systems, with loops and without. */
void support_units_over_systems(void (*check)(const ms_system *system, double h, unsigned long long *seed));
