/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ifosmondi_data.h - what the files of ifosmondi share: scheme_ifosmondi.c has the formulas and takes macro-steps,
 * ifosmondi_callback.c makes inputs of unknowns and calls gamma, ifosmondi_setup.c has checks and memory. Private to these files. */
#ifndef MS_IFOSMONDI_DATA_H
#define MS_IFOSMONDI_DATA_H

#include <macrostep/cosim.h>
#include "iteration.h"
#include "output_estimate.h"

typedef struct ifosmondi_data {
    bool smooth;                  /* ifosmondi */
    int full;                     /* 2 nu or nu: values and slopes of all inputs */
    int *unknown;                 /* where the unknowns of the iteration are in (full) */
    int *datum;                   /* of each unknown */
    bool *fed;                    /* (nu) Gauss-Seidel: inputs that only earlier subsystems feed */
    int *sequence, *rank;         /* (subsystems) Gauss-Seidel; NULL: Jacobi */
    double *given;                /* (full) values and slopes of the inputs of the last call */
    double *image;                /* (full) L y, L y' of it */
    double *left;                 /* values and slopes at the start of the macro-step (full), in lin */
    double *steps;                /* accepted macro-steps, in aux */
    double *dy;                   /* (ny) */
    double *before;               /* state of the co-simulation at T_n */
    double t, h;                  /* of the macro-step */
    ms_iteration iteration;       /* its method is NULL where the equations are solved at once */
    ms_output_estimate *estimate; /* instead of rollback; NULL: none */
    double *estimated;            /* outputs of the last one (ny) */
} ifosmondi_data;

/* Callback ----------------------------------------------------------------------------------------------- */

/* All subsystems over the macro-step under the inputs of z (NULL: the first call); `image`, which may be z, becomes what
 * (L y, L y') has for the unknowns. */
int ms_ifosmondi_call(ms_cosim *cosim, ifosmondi_data *data, const double *z, double *image);

/* gamma for the methods. A subsystem that cannot be integrated under z leaves gamma without a value there. */
int ms_ifosmondi_residual(void *context, const double *z, double *r);

/* A step of all subsystems under the inputs that they have; dy NULL: without output derivatives. */
int ms_ifosmondi_advance(ms_cosim *cosim, const ifosmondi_data *data, double *dy);

/* Setup -------------------------------------------------------------------------------------------------- */

bool ms_ifosmondi_is_estimated(const ms_variant *variant); /* without rollback? */

void ms_ifosmondi_memory(const ms_cosim *cosim, int *lin, int *aux);
int ms_ifosmondi_create(ms_cosim *cosim, ms_error *error);

#endif
