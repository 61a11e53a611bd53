/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_gsl.h - shared by the solvers of GSL's odeiv2. */
#pragma once

#include <gsl/gsl_odeiv2.h>

#include "micro_step.h"

/* The GSL stepper of a solver (ms_solver.own). */
typedef struct ms_gsl_method {
    const gsl_odeiv2_step_type *const *type;
    int order; /* for the rule of its first step */
} ms_gsl_method;

/* Points interpolated by gsl-msbdf at its highest order, 5. */
enum { MS_GSL_PAST = 6 };

typedef struct ms_gsl {
    ms_history history; /* of multistep methods */
    ms_instance *instance;
    int piece;
    double begin, end; /* of the piece, or between two events [s] */
    double rtol, atol;
    bool implicit;
    /* the driver's: x, followed by the integrals q if the method is explicit and one-step */
    gsl_odeiv2_system system;
    gsl_odeiv2_system within; /* within a micro-step: x, followed by q if the method is explicit */
    gsl_odeiv2_driver *driver;
    gsl_odeiv2_control control; /* the driver's control, restricted to x */
    gsl_odeiv2_step *sampler;   /* NULL: interpolates */
    double *past,
        past_t[MS_GSL_PAST]; /* (MS_GSL_PAST x nx) the last points since the last start, newest first */
    int n_past;
    double from;                     /* start of the micro-step [s] */
    double step;                     /* proposed by a multistep method */
    double *start, *error, *scratch; /* n_state: before the micro-step; n_state; 2 n_state */
} ms_gsl;

/* create and destroy of the solver (ms_solver), whose data is a ms_gsl. */
int ms_gsl_create(ms_instance *instance, const ms_solver_options *options, ms_error *error);
void ms_gsl_destroy(ms_instance *instance);

/* Called before each piece; and if the method cannot continue from its present state: MS_OK or MS_SOLVER_FAILED. */
void ms_gsl_begin(ms_gsl *data, int piece, double t0, double h);
int ms_gsl_restart(ms_gsl *data);

/* ms_chosen_first_step of the piece. */
double ms_gsl_first_step(ms_gsl *data);

/* Micro-steps over the piece, counted as work; *step is the first and then GSL's last proposal. Returns
 * MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
int ms_gsl_advance(ms_gsl *data, double *step);

/* In solver_gsl_within.c: stores the point at t; the state (x, with q if the method is explicit) within
 * the last micro-step (ms_micro_dense), or always with q; integrals at its end t if the driver omits them. */
void ms_gsl_remember(ms_gsl *data, double t);
int ms_gsl_dense(void *solver, double t, double *state);
int ms_gsl_whole(void *solver, double t, double *state);
int ms_gsl_integrate(ms_gsl *data, double t);
