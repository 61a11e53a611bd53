/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_dop853.h - an instance's data under dop853, for the solver that hands its subsystem over to another one. */
#ifndef MS_SOLVER_DOP853_H
#define MS_SOLVER_DOP853_H

#include <macrostep/instance.h>

/* Micro-steps of a piece between two questions whether another solver is to go on. */
enum { MS_DOP853_LOOK = 16 };

typedef struct ms_dop853 {
    ms_instance *instance;
    double rtol, atol;
    int n; /* n_state */
    int piece;
    double begin, end;        /* of the piece [s] */
    double from, taken;       /* where the last micro-step began and how long it was [s] */
    double *start, *stage;    /* (n): its start; one block with what follows */
    double *f, *coefficients; /* (stages x n); of the continuous extension (n x 7) */
    bool extended;            /* these are those of the last micro-step */
    /* OPTIONAL. Asked after each MS_DOP853_LOOK micro-steps of a piece: is another solver to go on from t, whose next step is `step`? */
    bool (*hands_over)(void *self, double t, double step);
    void *self;
    double
        resumes; /* where another solver can go on with instance->state after a failure; NAN: nowhere [s] */
} ms_dop853;

extern const ms_solver ms_solver_dop853;

#endif
