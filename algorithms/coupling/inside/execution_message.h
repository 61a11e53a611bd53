/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_message.h - what orchestrator and workers say to each other: orders to all, steps to one,
 * answers. Messages are bytes between processes of one program; nobody but execution_mpi.c and
 * execution_worker.c includes it. */
#ifndef MS_EXECUTION_MESSAGE_H
#define MS_EXECUTION_MESSAGE_H

#include "execution_workers.h"
#include "plugin_mpi.h"

enum { MS_TASK_CREATE, MS_TASK_ADVANCE, MS_TASK_DESTROY, MS_TASK_END };

/* What all workers are told. */
typedef struct ms_worker_task {
    int task, status; /* status: of the end */
    int reading, n_samples;
    long micro_steps_max;
    bool derivatives; /* y' is wanted */
    double sample_at[MS_SAMPLES_MAX];
} ms_worker_task;

/* What a co-simulation is of: the system's name and numbers of subsystems, states, inputs and outputs, and
 * the micro-solver with what it is told, and the room of inputs. */
typedef struct ms_job {
    char model[64], solver[32];
    int shape[4];
    ms_solver_options options;
    ms_input_room room;
} ms_job;

ms_job ms_message_job(const ms_system *system, const char *solver, const ms_solver_options *options,
                      ms_input_room room);

/* A worker's report on its creation. */
typedef struct ms_report {
    int status;
    ms_error error;
} ms_report;

/* A step: t, h, input, laws, state, and u (nu) and y (ny), which stay where a step fails. take returns
 * whether it is meant to be taken. */
size_t ms_message_step_bytes(const ms_instance *instance);
void ms_message_put_step(char *to, const ms_instance *instance, bool meant, const double *u, const double *y);
bool ms_message_take_step(const char *from, ms_instance *instance, double *u, double *y);

/* An answer: outcome, work and events of the step, u, y, y', state, integrals, the start of the first piece,
 * samples. take adds the work, and leaves dy (ny) alone where it is NULL. */
size_t ms_message_answer_bytes(const ms_instance *instance, int n_samples);
void ms_message_put_answer(char *to, const ms_instance *instance, ms_outcome outcome, const double *u,
                           const double *y, const double *dy);
ms_outcome ms_message_take_answer(const char *from, ms_instance *instance, double *u, double *y, double *dy);

/* What a rank other than 0 does from MPI's begin to its end; see ms_execution_mpi_serve. */
int ms_worker_serve(const ms_plugin_mpi *mpi, int rank, const ms_system *system);

#endif
