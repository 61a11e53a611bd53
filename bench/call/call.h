/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.h - the skeleton of a command: read, bind, open, compute, answer, destroy.
 *
 *     typedef struct show_call {
 *         ms_call base; // first
 *         ..            // what the command alone has
 *     } show_call;
 *
 *     const ms_call_steps ms_command_show = {.size = sizeof(show_call), .binds = MS_BINDS_SYSTEM, .compute = compute};
 */
#pragma once

#include "answer.h"
#include "arguments.h"
#include "canvas.h"
#include "parts.h"
#include "row_work.h"
#include "sweep_file.h"

enum { MS_CALL_FILES = 3 };

typedef struct ms_call_steps ms_call_steps;

/* What every call owns. */
typedef struct ms_call {
    const ms_call_steps *steps; /* of its command */
    int argc;                   /* its words, */
    char **argv;                /* without the program */
    ms_arguments arguments;
    const ms_model *model;
    ms_model *owned;   /* model of --system, otherwise NULL */
    ms_system *system; /* the model with --case, --set and --inputs */
    ms_output output;  /* --output */
    ms_output file[MS_CALL_FILES];
    ms_answer answer;
    ms_canvas canvas; /* --plot */
    /* the answer to draw if it is not `answer` (whose value is only a table); owned */
    json_t *plotted;
    ms_ranks ranks;  /* ranks that share the rows; only this process if nothing is shared */
    ms_parts *given; /* merge: rows are read from these parts; NULL: rows are computed */
    /* set by `read` and `bind`: rows of this call cannot be shared, rank 0 computes them all, */
    bool serial;
    const char *why_serial; /* and the reason */
    bool was_read, checked; /* `read` and `check` have been called */
    bool written;           /* compute has written and closed the answer in `output` */
    int exit_status;        /* of a call that has not failed: done, interrupted or broken */
} ms_call;

typedef enum ms_call_binding { MS_BINDS_NOTHING, MS_BINDS_MODEL, MS_BINDS_SYSTEM } ms_call_binding;

/* What sets one command apart. `call` is the structure that begins with the ms_call. Each returns a status, with
 * the error filled where it is not MS_OK. */
struct ms_call_steps {
    size_t size;                         /* REQUIRED: size of the structure that begins with an ms_call */
    void (*begin)(void *call);           /* OPTIONAL: sets members that do not begin as zero */
    ms_call_binding binds;               /* whether the operand is a model's name, and what it is bound to */
    bool opens_itself;                   /* compute opens --output itself */
    ms_argument files[MS_CALL_FILES];    /* options that name files of rows, opened into ms_call.file */
    int n_files;                         /* their number */
    int (*read)(void *call, ms_error *); /* OPTIONAL: reads arguments that need no model */
    /* OPTIONAL: checks arguments that name something of the system. Called once: of a file before a binary is opened, when `system` has
     * names and start values but FMUs in it no functions. */
    int (*check)(void *call, ms_error *);
    int (*bind)(void *call, ms_error *); /* OPTIONAL: reads arguments that need the model */
    /* OPTIONAL, on ranks other than 0: this rank refused the call before the ranks met; rank 0 may be waiting for
     * it. */
    void (*refuse)(const ms_error *error);

    /* OPTIONAL: runs instead of ms_call_work and calls it when ready. */
    int (*around)(const ms_call_steps *steps, void *call, ms_error *);
    /* REQUIRED: does the work and makes answer.value. With MS_INTERRUPTED a value is still answered. Of a command that
     * shares its rows (ms_command_shares) all ranks call it; rank 0 writes files and answer. */
    int (*compute)(void *call, ms_error *);
    /* OPTIONAL: fills the picture of --plot; the call is ms_drawing_subject. */
    int (*plot)(ms_drawing *drawing, ms_error *);
    /* OPTIONAL, in place of plot: draws the answer (ms_call.plotted if set). */
    int (*plot_answer)(ms_drawing *drawing, const json_t *answer);
    void (*destroy)(void *call); /* OPTIONAL: frees what the ms_call does not own; safe after any step */
};

/* Carries out all steps, with the rows of `given` unless it is NULL (ms_call). Prints one line to standard error on
 * failure. Returns the exit status. */
int ms_call_run(const ms_call_steps *steps, ms_parts *given, int argc, char **argv);

/* Says whether calls of this thread are made from inside another call, which has progress, cache and ranks already. Returns the previous value. */
bool ms_call_within(bool another);

/* Opens the files before any work, so that a missing folder fails at once; computes, answers. */
int ms_call_work(const ms_call_steps *steps, ms_call *call, ms_error *error);

/* MS_INVALID if an option is given that this micro-solver does not use: tolerances, --micro-steps, --input-change. */
int ms_call_check_solver(const ms_call *call, const char *solver, ms_error *error);

/* The rows of a call: computed by threads and ranks, or with --shard one part of them into its file, or read from
 * given parts. If all have been delivered here, call->written is false and the answer can be made; otherwise there
 * is none. Errors: those of the rows, MS_INTERRUPTED, MS_INVALID, MS_IO, MS_NO_MEMORY. */
int ms_call_rows(ms_call *call, ms_row_job *job, ms_error *error);

/* The file of --output; NULL: standard output. */
const char *ms_call_output(const ms_call *call);

/* Provenance of a file of rows: a part adds its shard and what file names hide. format: the answer's, if it differs from that of the file, or NULL.
 * Errors: MS_NO_MEMORY, MS_IO. Owned by the caller, also after errors. */
int ms_call_rows_provenance(const ms_call *call, const char *format, json_t **provenance, ms_error *error);

/* Ranks compare it to check that they share the same call. */
uint64_t ms_call_digest(const ms_call *call, const json_t *provenance, long rows);

/* On rank 0 opens the file of rows for this call, whose keys have n, shape and self, and reports to standard error what --repair has dropped.
 * Then closes it; the error of interrupted rows gives their number. Errors: those of ms_sweep_file_open and close. */
int ms_call_open_rows(const ms_call *call, ms_row_keys *keys, ms_sweep_file *file, ms_error *error);
int ms_call_close_rows(int status, const ms_row_keys *keys, ms_sweep_file *file, ms_error *error);

/* Provenance of the answer: that of this call, or of the call that made the given parts. NULL: no memory. */
json_t *ms_call_provenance(const ms_call *call);
