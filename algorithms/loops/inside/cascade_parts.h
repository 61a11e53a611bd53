/* cascade_parts.h - what the files of the cascade share: cascade.c evaluates and solves, cascade_setup.c
 * makes the steps. Nobody else includes it. */
#ifndef MS_CASCADE_PARTS_H
#define MS_CASCADE_PARTS_H

#include "cascade.h"

/* What is done with input, subsystem, output or loop number `index`. */
typedef enum ms_cascade_action {
    MS_CASCADE_SET,      /* u = L y of one input */
    MS_CASCADE_EVALUATE, /* g of one subsystem */
    MS_CASCADE_READ,     /* one output of that evaluation */
    MS_CASCADE_SOLVE     /* one loop */
} ms_cascade_action;

typedef struct ms_cascade_step {
    ms_cascade_action action;
    int index;
} ms_cascade_step;

typedef struct ms_cascade_loop {
    ms_cascade *cascade;
    int number;
    int n, n_inputs, n_subsystems;
    int *output, *input, *subsystem; /* indices in y, in u, subsystems */
    bool slopes;                     /* does one of them read u'? */
    double *v;                       /* (n) */
    double *near, *pair;             /* (n), (2 n): scratch of differences */
    ms_newton *newton;
} ms_cascade_loop;

struct ms_cascade {
    const ms_system *system;
    ms_instance *const *instance;
    int n_steps, n_loops;
    ms_cascade_step *step;
    ms_cascade_loop *loop;
    int *loop_of, *position; /* (ny): loop of each output (or -1) and its index there */
    int *feeder_at, *feeder; /* of each subsystem that reads u': those that feed it */
    double *raw;             /* (ny): outputs as they were evaluated last */
    double *D;               /* the largest ny_i x nu_i */
    double *y_slope, *slope; /* (ny), (nu): y' of feeders, u' */
    double t, *y, *u;        /* of the solve that is going on */
    long evaluations;
    /* why the last solve failed */
    int failed_subsystem, failed_output, failed_loop; /* -1: not that */
    int *integers;
    double *reals;
};

/* The residual v - g(x, L v) of a loop and its matrix, for ms_newton. */
int ms_cascade_residual(void *loop, const double *v, double *r);
int ms_cascade_matrix(void *loop, const double *v, double *M);

#endif
