/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_dop853.h - an instance's data under dop853, for the solver that may pass its subsystem to another one. */
#pragma once

#include <macrostep/instance.h>

/* Micro-steps of a piece between two stiffness tests. */
enum { MS_DOP853_LOOK = 16 };

typedef struct ms_dop853 {
    ms_instance *instance;
    double rtol, atol;
    int n; /* n_state */
    int piece;
    double begin, end;        /* of the piece [s] */
    double from, taken;       /* start and length of the last micro-step [s] */
    double *start, *stage;    /* (n): state at its start; one block with the following */
    double *f, *coefficients; /* (stages x n); of the continuous extension (n x 7) */
    bool extended;            /* the coefficients belong to the last micro-step */
    /* OPTIONAL. Asked after each MS_DOP853_LOOK micro-steps of a piece: should another solver continue from t, where the next step is `step`? */
    bool (*hands_over)(void *self, double t, double step);
    void *self;
    double
        resumes; /* where another solver can continue with instance->state after a failure; NAN: nowhere [s] */
} ms_dop853;

extern const ms_solver ms_solver_dop853;
