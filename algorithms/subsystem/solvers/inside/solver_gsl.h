/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_gsl.h - what the solvers from GSL's odeiv2 share. */
#ifndef MS_SOLVER_GSL_H
#define MS_SOLVER_GSL_H

#include <gsl/gsl_odeiv2.h>

#include <macrostep/instance.h>

/* A stepper of GSL's behind one line of the table of solvers. */
typedef struct ms_gsl_method {
    const ms_solver *solver;
    const gsl_odeiv2_step_type *const *type;
    int order;     /* of the rule for its first step */
    bool implicit; /* solves with the Jacobian */
} ms_gsl_method;

/* Points that the highest order of gsl-msbdf, 5, interpolates. */
enum { MS_GSL_PAST = 6 };

typedef struct ms_gsl {
    ms_instance *instance;
    int piece;
    double begin, end; /* of the piece, or of what lies between two events [s] */
    ms_input_change input_change;
    double rtol, atol;
    int order; /* of the rule for the first step */
    bool implicit;
    /* the driver's: x, with the integrals q where the method is explicit and one-step */
    gsl_odeiv2_system system;
    gsl_odeiv2_system within; /* within a micro-step: x, with q where the method is explicit */
    gsl_odeiv2_driver *driver;
    gsl_odeiv2_control control; /* that of the driver, for x alone */
    gsl_odeiv2_step *sampler;   /* NULL: interpolates */
    double *past,
        past_t[MS_GSL_PAST]; /* (MS_GSL_PAST x nx) the last points since the last start, newest first */
    int n_past;
    double from; /* start of the micro-step [s] */
    bool stands; /* at t_stands with x_stands and proposed step, ready to go on */
    double t_stands, step_stands;
    double *x_stands, *start, *error, *scratch; /* nx; n_state: before the micro-step; n_state; 2 n_state */
} ms_gsl;

/* Finds the method of instance->solver among n of them and sets instance->solver_data to a ms_gsl, or to NULL
 * where there are no states. Returns MS_OK or MS_NO_MEMORY. */
int ms_gsl_create(ms_instance *instance, const ms_solver_options *options, const ms_gsl_method *methods,
                  int n);
void ms_gsl_destroy(ms_instance *instance);

/* Before each piece; and where the method does not go on from where it stands: MS_OK or MS_SOLVER_FAILED. */
void ms_gsl_begin(ms_gsl *data, int piece, double t0, double h);
int ms_gsl_restart(ms_gsl *data);

/* ms_chosen_first_step of the piece. */
double ms_gsl_first_step(ms_gsl *data);

/* Micro-steps over the piece, counted as work; *step is the first and then GSL's last proposal. Returns
 * MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
int ms_gsl_advance(ms_gsl *data, double *step);

/* Of solver_gsl_within.c: keeps the point at t; the state (x, with q where the method is explicit) within
 * the last micro-step (ms_micro_dense); integrals at its end t where the driver leaves them; the samples
 * up to t. */
void ms_gsl_remember(ms_gsl *data, double t);
int ms_gsl_dense(void *solver, double t, double *state);
int ms_gsl_integrate(ms_gsl *data, double t);
int ms_gsl_sample(ms_gsl *data, double t, int *next, int last);

#endif
