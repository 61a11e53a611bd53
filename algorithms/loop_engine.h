/* loop_engine.h - what the files of the algebraic loop share: loop.c solves for outputs, loop_derivative.c
 * for their time derivatives. Nobody else includes it. */
#ifndef MS_LOOP_ENGINE_H
#define MS_LOOP_ENGINE_H

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "loop.h"

struct ms_loop {
    const ms_system *system;
    ms_instance *const *instance;
    int n;         /* unknowns: outputs that may depend on inputs or their derivatives */
    int *unknown;  /* (n): their indices in y */
    int *position; /* (ny): index among the unknowns, or -1 */
    double **D;    /* (system->n): D of each subsystem (ny_i x nu_i); NULL without feed-through */
    double *D_memory;
    double *factors; /* of I - D L among the unknowns (n x n) */
    int *pivots;
    bool constant;          /* D does not change: linear systems */
    double *y, *u, *r, *du; /* scratch: ny, nu, n, nu */
    /* Of systems in which g of a subsystem reads u'; NULL in others */
    double *slope;                 /* (nu): u' of the inputs of such subsystems */
    double *y_slope;               /* (ny): y' of the outputs that feed them */
    bool *feeds;                   /* (system->n): does an output of the subsystem feed one of them? */
    double *near, *u_near, *pair;  /* scratch of differences: ny, nu, 2 ny */
    /* KINSOL, for nonlinear systems with unknowns */
    double t;
    SUNContext context;
    void *kinsol;
    N_Vector guess, scale;
    SUNMatrix matrix;
    SUNLinearSolver linear_solver;
};

/* u' = L y' at inputs u into loop->slope, for the subsystems whose g reads it. The outputs that feed them
 * have no feed-through, so that y' = g_t + g_x f there. Returns MS_OK or a negative status. */
int ms_loop_slopes(ms_loop *loop, double t, const double *u);

#endif
