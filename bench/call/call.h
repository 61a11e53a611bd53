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
#ifndef MS_CALL_H
#define MS_CALL_H

#include "answer.h"
#include "arguments.h"
#include "canvas.h"
#include "parts.h"
#include "ranks.h"
#include "row_work.h"
#include "sweep_file.h"

enum { MS_CALL_FILES = 3 };

typedef struct ms_call_steps ms_call_steps;

/* What every call owns. */
typedef struct ms_call {
    const ms_call_steps *steps; /* of its command */
    ms_arguments arguments;
    const ms_model *model;
    ms_model *owned;   /* the model of --system; else NULL */
    ms_system *system; /* the model with --case, --set and --inputs */
    ms_output output;  /* --output */
    ms_output file[MS_CALL_FILES];
    ms_answer answer;
    ms_canvas canvas; /* --plot */
    /* the answer that is drawn where it is not `answer`, whose value is a table alone; owned */
    json_t *plotted;
    ms_ranks ranks;  /* those that share the rows; this process alone where nothing is shared */
    ms_parts *given; /* merge: rows are not computed but read from there; NULL: they are computed */
    /* for `read` and `bind` to set: the rows of this call cannot be shared, rank 0 does them all, */
    bool alone;
    const char *why_alone; /* because .. */
    bool written;          /* the answer is in `output` already: compute has closed it */
    int exit_status;       /* where nothing has failed: done, or interrupted, or broken */
} ms_call;

typedef enum ms_call_binding { MS_BINDS_NOTHING, MS_BINDS_MODEL, MS_BINDS_SYSTEM } ms_call_binding;

/* What sets one command apart. `call` is the structure that begins with the ms_call. Each returns a status, with
 * the error filled where it is not MS_OK. */
struct ms_call_steps {
    size_t size;                         /* REQUIRED: of the structure that begins with an ms_call */
    void (*begin)(void *call);           /* OPTIONAL: what does not begin as zero */
    ms_call_binding binds;               /* the operand is a model's name, and what is made of it */
    bool opens_itself;                   /* --output is opened by compute */
    ms_argument files[MS_CALL_FILES];    /* options that name files of rows, opened into ms_call.file; */
    int n_files;                         /* their number */
    int (*read)(void *call, ms_error *); /* OPTIONAL: what the arguments say without a model */
    int (*bind)(void *call, ms_error *); /* OPTIONAL: what they say of the model */
    /* OPTIONAL. On a rank but 0: the call was refused here before the ranks met, while rank 0 may wait for this one. */
    void (*refuse)(const ms_error *error);

    /* OPTIONAL: what is done instead of ms_call_work, which it calls where it may. */
    int (*around)(const ms_call_steps *steps, void *call, ms_error *);
    /* REQUIRED: does the work and makes answer.value. With MS_INTERRUPTED a value is still answered. Of a command that
     * shares its rows (ms_command_shares) it is called on all ranks; files and answer are rank 0's. */
    int (*compute)(void *call, ms_error *);
    /* OPTIONAL: fills the picture of --plot; the call is ms_drawing_subject. */
    int (*plot)(ms_drawing *drawing, ms_error *);
    /* OPTIONAL, in place of plot: the picture of the answer (ms_call.plotted where that is given). */
    int (*plot_answer)(ms_drawing *drawing, const json_t *answer);
    void (*destroy)(void *call); /* OPTIONAL: frees what the ms_call does not own; safe after any step */
};

/* Carries out all steps, with the rows of `given` where it is not NULL (ms_call); returns the exit status, after one line on standard error where something failed. */
int ms_call_run(const ms_call_steps *steps, ms_parts *given, int argc, char **argv);

/* Calls of this thread are made for another call (or no longer) that has progress, cache and ranks already. Returns what it was. */
bool ms_call_within(bool another);

/* Opens the files, before the work is done, so that a folder that is missing costs none; computes, answers. */
int ms_call_work(const ms_call_steps *steps, ms_call *call, ms_error *error);

/* MS_INVALID where an option is given of which the micro-solver of that name makes nothing: tolerances, --micro-steps,
 * --input-change. */
int ms_call_check_solver(const ms_call *call, const char *solver, ms_error *error);

/* The rows of a call: computed by threads and ranks, or with --shard a part of them into its file, or read from given
 * parts. Where all have been delivered here call->written is false, and the answer can be made; otherwise there is
 * none. Errors: those of the rows, MS_INTERRUPTED, MS_INVALID, MS_IO, MS_NO_MEMORY. */
int ms_call_rows(ms_call *call, ms_row_job *job, ms_error *error);

/* The file of --output; NULL: standard output. */
const char *ms_call_output(const ms_call *call);

/* Of a file of rows: of a part its shard, and what file names hide. format: of the answer, where it is not that of the file; or NULL.
 * Errors: MS_NO_MEMORY, MS_IO. Owned by the caller also after errors. */
int ms_call_rows_provenance(const ms_call *call, const char *format, json_t **provenance, ms_error *error);

/* By which ranks know that they share the same call. */
uint64_t ms_call_digest(const ms_call *call, const json_t *provenance, long rows);

/* On rank 0 opens a file of rows as the call wants it, whose keys have n, shape and self; what --repair has dropped is said on
 * standard error. Then closes it: of rows that were interrupted the error says how many there are. Errors: those of ms_sweep_file_open
 * and close. */
int ms_call_open_rows(const ms_call *call, ms_row_keys *keys, ms_sweep_file *file, ms_error *error);
int ms_call_close_rows(int status, const ms_row_keys *keys, ms_sweep_file *file, ms_error *error);

/* Of the answer: that of this call, or of the one that made the given parts. NULL without memory. */
json_t *ms_call_provenance(const ms_call *call);

#endif
