/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monolithic_parts.h - the inside of the monolithic model: its equations, from those of the subsystems. */
#pragma once

#include "loop.h"

/* For events of all subsystems. */
typedef struct ms_monolithic_events {
    int n;                  /* indicators of all subsystems, one behind the other */
    int n_switches;         /* of all subsystems */
    double *sides;          /* (n_switches) where they are taken */
    int *r_at;              /* (subsystems + 1) */
    int *crossed;           /* (n) */
    bool *concerned, *step; /* (subsystems) by the event that is being handled; by a step event */
    double *before, *after; /* (n) */
    double *due;            /* (subsystems) */
    double *w;              /* (largest nw) */
} ms_monolithic_events;

/* What the one subsystem works with. */
typedef struct ms_monolith {
    const ms_system *system;
    bool dense;             /* one matrix */
    ms_instance **instance; /* (n) with states and discrete variables in x, z */
    ms_loop *loop;
    ms_blocks *blocks; /* (n): A, B, C of the subsystems at the last point; the system's where linear */
    double *x, *z;     /* (nx), (nz) */
    double *y, *u;     /* (ny), (nu): the last solution of the loop, the guess for the next one */
    bool solved;       /* is there one? */
    double *v, *dv;    /* (nx + ny), (nu): a column on its way through the coupling */
    double *A, *E;     /* (nx x nx), (nx x nw) of a linear system */
    double *memory, *solver_memory;
    const double *bias; /* (nx) added to x'; NULL: nothing */
    ms_monolithic_events events;
} ms_monolith;

/* What the subsystem's const data hold: a pointer to what is not. */
typedef struct ms_monolith_handle {
    ms_monolith *m;
} ms_monolith_handle;

static inline ms_monolith *ms_monolith_of(const void *data)
{
    const ms_monolith_handle *handle = data;
    return handle->m;
}

/* The matrices A, E of a linear system, with the factors of the loop's last linearisation. */
void ms_monolithic_couple(ms_monolith *m);

/* The functions of the one subsystem, as in ms_subsystem. */
void ms_monolithic_start(const double *p, const void *data, double *x);
double ms_monolithic_energy(const double *x, const double *p, const void *data);
void ms_monolithic_external(double t, const double *p, const void *data, double *w);
void ms_monolithic_matrices(const double *p, const void *data, const ms_blocks *blocks);
int ms_monolithic_f(const ms_point *at, double *dx);
int ms_monolithic_jacobian(const ms_point *at, const ms_blocks *blocks);
int ms_monolithic_residual(const ms_point *at, const double *dx, double *r);

/* Takes over states, discrete variables and sides of switches and solves y = g(t, x, L y). Returns 0, or 1 without a
 * solution. */
int ms_monolithic_solve(ms_monolith *m, const ms_point *at);

/* The point of subsystem i at that solution. */
ms_point ms_monolithic_point(const ms_monolith *m, int i, double t);

/* Sizes and memory for events. Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_monolithic_events_create(ms_monolith *m);
void ms_monolithic_events_destroy(ms_monolith *m);

/* As in ms_subsystem. The handlers of those concerned are called. What they change may change the inputs of
 * others and with them the signs of their indicators: then these are called too, and so on. */
int ms_monolithic_indicators(const ms_point *at, double *r);
int ms_monolithic_switches(const ms_point *at, double *r);
int ms_monolithic_switch_rates(const ms_point *at, const ms_rates *r, double *dr); /* where all have rates */
double ms_monolithic_next_time(double t, const double *z, const double *p, const void *data);
double ms_monolithic_time_round_off(double t, const double *z, const double *p, const void *data);
bool ms_monolithic_step_event(const ms_point *at);
int ms_monolithic_handle(const ms_point *at, const ms_event *event);
