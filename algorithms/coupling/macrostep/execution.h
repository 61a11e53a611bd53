/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.h - where the subsystems of a co-simulation are advanced, for all schemes in one place.
 *
 * A scheme fills the inputs of instances and has them advanced:
 *
 *     serial     one after the other
 *     parallel   on OpenMP threads of this process, each instance by one thread at a time. Where the caller is one of several
 *                threads (threads.h) it is serial.
 *     mpi        on the ranks of one program, each of which has a block of subsystems (partition.h). Where the scheme can work
 *                on blocks (has_blocks) each rank keeps the state of its own, and exchanges with its neighbours the outputs
 *                that wires carry between them, nothing else (execution_block.c). For other schemes rank 0 is the
 *                orchestrator, which keeps the scheme and all state (Eguillon et al. 2021, section 4)
 *
 * All of them do the same arithmetic for each subsystem, so that results have the same bits, and so do counts of work. Subsystems
 * of gauss-seidel wait for each other: it runs everywhere, and gains nothing. */
#ifndef MS_EXECUTION_H
#define MS_EXECUTION_H

#include <macrostep/c_linkage.h>
#include <macrostep/cosim.h>
#include <macrostep/digest.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_error_sum ms_error_sum; /* error_sum.h */

/* Integrates all subsystems from t over h under their inputs, and reads left limits of the inputs into cosim->u_left, outputs as
 * they come into cosim->y_raw and, where dy (ny) is not NULL, their derivatives (Andersson 6.43c). All are integrated even where
 * one fails. Allocates nothing. Returns MS_OK, or MS_SOLVER_FAILED with the line of the first that failed in cosim->error. */
int ms_execution_advance(ms_cosim *cosim, double t, double h, double *dy);

/* The same for those that are meant, which (n), each from its own instance->t over its own instance->h. Others are left alone. */
int ms_execution_advance_some(ms_cosim *cosim, const bool *which, double *dy);

/* The same for subsystem i alone. */
int ms_execution_advance_one(ms_cosim *cosim, int i, double *dy);

/* For schemes with blocks: outputs y (ny) that have been solved at the end of a macro-step, from and to the neighbours. Nothing
 * where there are none. */
void ms_execution_share(ms_cosim *cosim, double *y);

/* Of ms_cosim_create, _start and _destroy. place: before instances are made, which of them work here (cosim->own). Errors of
 * options.execution mpi: MS_UNSUPPORTED (MPI was not started), MS_NO_MEMORY, what a rank reports. */
int ms_execution_place(ms_cosim *cosim, ms_error *error);
int ms_execution_create(ms_cosim *cosim, ms_error *error);
int ms_execution_prepare(ms_cosim *cosim);
void ms_execution_destroy(ms_cosim *cosim);

/* Where other ranks hold the state (cosim->distribution): what has been started, stepped, saved or restored here goes to them. */
void ms_distribution_start(ms_cosim *cosim);
int ms_distribution_step(ms_cosim *cosim, double t, double h); /* as the scheme's step() */
void ms_distribution_save(const ms_cosim *cosim);
void ms_distribution_restore(const ms_cosim *cosim);

/* There, too, for step control: the ranks keep their states, or outputs, as they are now; the sum over all of them and what was kept
 * last, in the order of the subsystems: it goes from rank to rank, with the bits of a serial sum. */
void ms_distribution_keep(const ms_cosim *cosim, bool outputs);
double ms_distribution_error_sum(const ms_cosim *cosim, const ms_error_sum *errors);

/* There, too. observed: from now on it is shown after each macro-step; otherwise by
 * show(), and what follows holds at any time. Of the last macro-step: the largest |x|, |y|, |u|, infinite where one is not finite,
 * and the largest |u - L y|, of numbers. */
void ms_distribution_observe(ms_cosim *cosim, bool observed);
void ms_distribution_show(ms_cosim *cosim);
double ms_distribution_largest(const ms_cosim *cosim);
double ms_distribution_residual(const ms_cosim *cosim);

/* What decides the answer of a run beside the system, as each process has read it: the program (its version), options, and the FMUs
 * that the system names. All ranks have the same. */
typedef struct ms_rank_run {
    char program[64];
    ms_digest options, files;
} ms_rank_run;

/* MPI, which the program starts where it wants it. begin: opens and starts it where a launcher has started this process with
 * others (launched), else this one is the only rank, without MPI; *rank of this process, whose run is this one. Errors: MS_UNSUPPORTED
 * (not built with MPI, its shared object does not open, or it does not start).
 * serve: on each rank but 0, works for the co-simulations of this system that rank 0 creates, one at a time, until it ends; where
 * rank 0 has another system or run it is refused (MS_INVALID).
 * find_scheme: the scheme of a name. Returns what it ended with.
 * refuse: the same of a rank that cannot work, for the reason of the line: it begins MPI where it must, so that rank 0 does not
 * wait for it, and hands the line to rank 0.
 * end: rank 0 ends the others with a status; every rank stops MPI. Does nothing where it was not begun. */
int ms_execution_mpi_begin(bool launched, const ms_rank_run *run, int *rank, ms_error *error);
int ms_execution_mpi_serve(const ms_system *system, const ms_scheme *(*find_scheme)(const char *name));
int ms_execution_mpi_refuse(const char *line);
void ms_execution_mpi_end(int status);

MS_C_LINKAGE_END

#endif
