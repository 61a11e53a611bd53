/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_workers.h - what the files of the execution share: execution.c advances subsystems here, on one thread or several,
 * execution_mpi.c on other ranks. Nobody else includes it. */
#ifndef MS_EXECUTION_WORKERS_H
#define MS_EXECUTION_WORKERS_H

#include <macrostep/cosim.h>

/* What became of one subsystem. */
typedef enum ms_outcome { MS_ADVANCED, MS_STEP_FAILED, MS_OUTPUTS_FAILED } ms_outcome;

/* Those who advance subsystems in place of the calling thread. */
typedef struct ms_workers {
    /* REQUIRED. As ms_execution_advance; outcome[i] for those that are meant. */
    void (*advance)(ms_cosim *cosim, const bool *which, double *dy);
    void (*destroy)(struct ms_workers *workers); /* REQUIRED */
    ms_outcome *outcome;                         /* (n) */
    int threads;
    /* OPTIONAL. The same for subsystem i alone; NULL: the calling thread takes it itself. */
    void (*advance_one)(ms_cosim *cosim, int i, double *dy);
} ms_workers;

/* Reads an instance that has been integrated: left limits u (nu), outputs y (ny) and, where dy is not NULL, y' (ny). The second
 * one does for every way of reading what the first does for the most frequent. */
ms_outcome ms_execution_read_all(ms_instance *instance, ms_reading reading, double *u, double *y, double *dy);

static inline ms_outcome ms_execution_read(ms_instance *instance, ms_reading reading, double *u, double *y,
                                           double *dy)
{
    if (dy != NULL || reading != MS_READING_LEFT || instance->sub->uses_du)
        return ms_execution_read_all(instance, reading, u, y, dy);
    ms_input_left(&instance->input, u);
    return ms_instance_outputs(instance, instance->t + instance->h, u, NULL, y) == 0 ? MS_ADVANCED
                                                                                     : MS_OUTPUTS_FAILED;
}

/* A subsystem here and now. */
ms_outcome ms_execution_advance_here(const ms_cosim *cosim, int i, double *dy);

/* Other ranks, see execution_mpi.c. place: before there are instances, who keeps the state and which subsystems are integrated
 * here. create: the ranks make their instances. start: they learn what is sampled. Errors: MS_UNSUPPORTED (MPI was not started,
 * or is at work), MS_NO_MEMORY, and what a rank reports. */
int ms_execution_mpi_place(ms_cosim *cosim, ms_error *error);
int ms_execution_mpi_create(ms_cosim *cosim, ms_error *error);
int ms_execution_mpi_prepare(ms_cosim *cosim);
void ms_execution_mpi_destroy(ms_cosim *cosim);

#endif
