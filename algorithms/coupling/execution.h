/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.h - where the subsystems of a co-simulation are advanced, for all schemes in one place.
 *
 * A scheme fills the inputs of instances and has them advanced:
 *
 *     serial     one after the other
 *     parallel   on OpenMP threads of this process, each instance by one thread at a time. Within a parallel region of the
 *                caller's it is serial.
 *     mpi        on other ranks: rank 0 is the orchestrator, which keeps the scheme and all state, and rank k works for
 *                subsystem k - 1 (Eguillon et al. 2021, section 4)
 *
 * All of them do the same arithmetic for each subsystem, so that results have the same bits, and so do counts of work. Subsystems
 * of gauss-seidel wait for each other: it runs everywhere, and gains nothing. */
#ifndef MS_EXECUTION_H
#define MS_EXECUTION_H

#include "cosim.h"

/* Integrates all subsystems from t over h under their inputs, and reads left limits of the inputs into cosim->u_left, outputs as
 * they come into cosim->y_raw and, where dy (ny) is not NULL, their derivatives (Andersson 6.43c). All are integrated even where
 * one fails. Allocates nothing. Returns MS_OK, or MS_SOLVER_FAILED with the line of the first that failed in cosim->error. */
int ms_execution_advance(ms_cosim *cosim, double t, double h, double *dy);

/* The same for those that are meant, which (n), each from its own instance->t over its own instance->h. Others are left alone. */
int ms_execution_advance_some(ms_cosim *cosim, const bool *which, double *dy);

/* The same for subsystem i alone. */
int ms_execution_advance_one(ms_cosim *cosim, int i, double *dy);

/* Of ms_cosim_create and ms_cosim_destroy. Errors of options.execution mpi: MS_UNSUPPORTED (MPI was not started), MS_INVALID
 * (wrong number of ranks), what a worker reports; MS_NO_MEMORY. */
int ms_execution_create(ms_cosim *cosim, ms_error *error);
void ms_execution_destroy(ms_cosim *cosim);

/* MPI, which the program starts where it wants it. begin: opens and starts it; *rank of this process. Errors: MS_UNSUPPORTED
 * (not built with MPI, its shared object does not open, or it does not start).
 * serve: on each rank but 0, works for the co-simulations of this system that rank 0 creates, one at a time, until it ends.
 * Returns what it ended with.
 * end: rank 0 ends the others with a status; every rank stops MPI. Does nothing where it was not begun. */
int ms_execution_mpi_begin(int *rank, ms_error *error);
int ms_execution_mpi_serve(const ms_system *system);
void ms_execution_mpi_end(int status);

#endif
