/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_message.h - messages between rank 0 and the others: tasks for all, steps and answers of subsystems, concatenated.
 * Messages are bytes between processes of one program. */
#pragma once

#include <macrostep/options.h>
#include <macrostep/rank_run.h>
#include "error_sum.h"
#include "execution_here.h"
#include "plugin_mpi.h"

typedef enum ms_task {
    MS_TASK_CREATE,  /* followed by a job; answered by reports */
    MS_TASK_PREPARE, /* followed by samples; answered by reports */
    MS_TASK_DESTROY,
    MS_TASK_END,
    /* where rank 0 keeps the state: */
    MS_TASK_ADVANCE,
    /* where ranks keep that of their blocks (rank_block.h): */
    MS_TASK_START, /* followed by start values */
    MS_TASK_STEP,  /* answered by verdicts */
    MS_TASK_SAVE,
    MS_TASK_RESTORE,
    MS_TASK_KEEP,
    MS_TASK_SUM,  /* handed on from rank to rank */
    MS_TASK_SHOW, /* answered by states */
    MS_TASK_WHY   /* answered by reports */
} ms_task;

/* A task for all ranks. */
typedef struct ms_rank_task {
    ms_task kind;
    int status;       /* of the end */
    int only;         /* a single subsystem; -1: those selected in their messages */
    int reading;      /* ms_reading */
    bool derivatives; /* y' is wanted */
    long micro_steps_max;
    double t, h, share; /* of a macro-step */
    ms_error_sum errors;
} ms_rank_task;

/* Samples of states in macro-steps, whether segments are recorded and the work through ports is computed, and the size in doubles of a
 * start. */
typedef struct ms_samples {
    size_t start;
    bool recorded, work;
    int n;
    double at[MS_SAMPLES_MAX];
} ms_samples;

/* Description of a co-simulation: the system and the run, which every rank has read itself; the options, the capacity of inputs, and which
 * process holds the state. */
typedef struct ms_job {
    ms_digest system;
    ms_rank_run run;
    bool blocks; /* each rank that of its block, else rank 0 all */
    ms_options options;
    ms_solver_options micro;
    ms_input_room room;
} ms_job;

/* Of the system and the run of this rank. Returns MS_OK or MS_NO_MEMORY. */
int ms_message_job(const ms_system *system, const ms_rank_run *run, ms_job *job, ms_error *error);
/* Has this rank the same? Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_message_same_job(const ms_job *job, const ms_system *system, const ms_rank_run *run, ms_error *error);

/* n values of rank 0 to all, in messages of a size that MPI counts. */
void ms_message_broadcast(const ms_plugin_mpi *mpi, double *values, size_t n);

/* A rank's report on a task. */
typedef struct ms_report {
    int status;
    int ended; /* 1 + the subsystem that asked for the end of the run; 0: none */
    ms_error error;
} ms_report;

/* A step: t, h, input, laws, state, and u (nu) and y (ny), which are unchanged if a step fails. take returns
 * whether the step should be taken. */
size_t ms_message_step_bytes(const ms_instance *instance);
void ms_message_put_step(char *to, const ms_instance *instance, bool meant, const double *u, const double *y);
bool ms_message_take_step(const char *from, ms_instance *instance, double *u, double *y);

/* An answer: outcome, whether it asks for the end of the run, work and events of the step, u, y, y', state, integrals, the start of the first
 * piece, samples, work through ports. take adds the work, and does not write dy (ny) if it is NULL. */
size_t ms_message_answer_bytes(const ms_instance *instance, int n_samples);
void ms_message_put_answer(char *to, const ms_instance *instance, ms_outcome outcome, const double *u,
                           const double *y, const double *dy);
ms_outcome ms_message_take_answer(const char *from, ms_instance *instance, double *u, double *y, double *dy);
