/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/catalogue.h>
#include <macrostep/reference.h>
#include "arguments.h"
#include "shared_reference.h"

/* References that the runs of one figure share ----------------------------------------------------------- */

/* Number of systems kept (nine runs of an ensemble and one more), and the largest size kept. */
enum { KEPT = 10, KEPT_BYTES = 16 << 20 };

typedef struct one_reference {
    ms_system *system; /* of its own, bound to the same values; NULL: none yet */
    ms_shared_reference *shared;
} one_reference;

typedef struct references {
    one_reference of[KEPT];
    int next; /* whose place is taken */
} references;

static void let_one_go(one_reference *one)
{
    ms_shared_reference_destroy(&one->shared);
    ms_system_destroy(&one->system);
}

static void let_go(void *object)
{
    references *all = object;
    for (int k = 0; k < KEPT; k++)
        let_one_go(&all->of[k]);
    free(all);
}

/* Empty where it failed, or where another system is more than values of parameters. */
static void make(one_reference *one, const ms_system *system, double start_time)
{
    if (ms_system_again(system, &one->system, NULL) != MS_OK)
        return;
    if (ms_shared_reference_create(one->system, start_time, KEPT_BYTES, &one->shared, NULL) != MS_OK ||
        !ms_shared_reference_fits(one->shared, system, start_time))
        let_one_go(one);
}

/* For runs of the system from start_time on; it is kept until the drawing is destroyed or others replace it, before which
 * no run that reads it may end: one run at a time. NULL: there is none, and a run has its own (a model of a file, which may end
 * before the drawing; inputs of a file; no memory). */
static ms_shared_reference *reference_of(ms_drawing *drawing, const ms_system *system, double start_time)
{
    references *all = ms_drawing_kept(drawing, sizeof(references), let_go);
    if (all == NULL || system->inputs != NULL || ms_catalogue_find(system->model->name) != system->model)
        return NULL;
    for (int k = 0; k < KEPT; k++)
        if (all->of[k].shared != NULL && ms_shared_reference_fits(all->of[k].shared, system, start_time))
            return all->of[k].shared;
    one_reference *one = &all->of[all->next];
    all->next = (all->next + 1) % KEPT;
    let_one_go(one);
    make(one, system, start_time);
    return one->shared;
}

enum { WORDS_MAX = 128 };

const ms_simulation_options ms_simulation_trajectory = {.trajectory = true},
                            ms_simulation_errors = {.errors = true};

enum { COMMAND_MAX = 1024 };

/* The text of a command. Errors: MS_INVALID (it is too long). */
static int write_command(char line[COMMAND_MAX], ms_error *error, const char *format, va_list arguments)
{
    const int length = vsnprintf(line, COMMAND_MAX, format, arguments);
    if (length < 0 || length >= COMMAND_MAX)
        return ms_fail(error, MS_INVALID, "a command of %d characters is too long: %.60s ..", length, line);
    return MS_OK;
}

/* In a function of `command, ..`: declares that text and the status. */
#define WRITE_COMMAND(line, status, command, error)                                                          \
    char line[COMMAND_MAX];                                                                                  \
    va_list arguments;                                                                                       \
    va_start(arguments, command);                                                                            \
    int status = write_command(line, error, command, arguments);                                             \
    va_end(arguments)

/* Splits the command at its spaces; study->words owns the one copy that the words point into. */
static int split(const char *command, ms_study *study, int *n, ms_error *error)
{
    study->words = calloc(WORDS_MAX, sizeof *study->words);
    char *copy = study->words != NULL ? strdup(command) : NULL;
    MS_TRY_MEMORY_FOR(copy != NULL, error, "a run");
    study->words[0] = copy; /* the command begins with a word, not with a space */
    *n = 0;
    char *rest = NULL, *word = strtok_r(copy, " ", &rest);
    for (; word != NULL && *n + 1 < WORDS_MAX; word = strtok_r(NULL, " ", &rest))
        study->words[(*n)++] = word;
    return word == NULL ? MS_OK
                        : ms_fail(error, MS_INVALID, "a command has more than %d words: %.60s ..",
                                  WORDS_MAX - 1, command);
}

/* The words as options of their command. */
static int read_words(const char *command, ms_study *study, ms_error *error)
{
    int n = 0;
    MS_TRY(split(command, study, &n, error));
    if (ms_command_find(study->words[0]) == NULL)
        return ms_fail(error, MS_INVALID, "unknown command %s", study->words[0]);
    study->arguments = malloc(sizeof *study->arguments);
    return study->arguments != NULL ? ms_arguments_read(n, study->words, study->arguments, error)
                                    : ms_fail(error, MS_NO_MEMORY, "not enough memory for a run");
}

/* shown: the line that is listed instead of the command; NULL: the command. */
static int bind(ms_drawing *drawing, ms_study *study, const char *command, const char *shown, ms_error *error)
{
    const ms_model *model = NULL;
    MS_TRY(read_words(command, study, error));
    MS_TRY(ms_arguments_model(study->arguments, &model, &study->owned, error));
    MS_TRY(ms_arguments_bind(study->arguments, model, &study->system, error));
    ms_drawing_note_command(drawing, shown != NULL ? shown : study->arguments->line);
    return MS_OK;
}

int ms_study_bind(ms_drawing *drawing, ms_study *study, ms_error *error, const char *command, ...)
{
    WRITE_COMMAND(line, status, command, error);
    *study = (ms_study){0};
    return status == MS_OK ? bind(drawing, study, line, NULL, error) : status;
}

int ms_study_interrupted(const ms_drawing *drawing, ms_error *error)
{
    const volatile sig_atomic_t *stop = ms_drawing_stop(drawing);
    return stop != NULL && *stop != 0 ? ms_fail(error, MS_INTERRUPTED, "interrupted") : MS_OK;
}

/* What was asked for, and the reference that runs of the figure have in common. */
static ms_simulation_options complete(ms_drawing *drawing, const ms_simulation_options *request,
                                      const ms_system *system, const ms_options *options)
{
    ms_simulation_options all = request != NULL ? *request : (ms_simulation_options){0};
    all.stop = ms_drawing_stop(drawing);
    if (all.errors && all.reference == NULL && options->errors == MS_AGAINST_REFERENCE)
        all.reference = reference_of(drawing, system, options->start_time);
    return all;
}

int ms_study_run_shown(ms_drawing *drawing, const ms_simulation_options *request, ms_study *study,
                       ms_error *error, const char *shown, const char *command)
{
    *study = (ms_study){0};
    MS_TRY(bind(drawing, study, command, shown, error));
    MS_TRY(ms_arguments_refuse_lists(study->arguments, error));
    const ms_options *options = &study->arguments->options;
    const ms_simulation_options all = complete(drawing, request, study->system, options);
    MS_TRY(ms_simulation_run(study->system, options, &all, &study->simulation, error));
    return ms_study_interrupted(drawing, error);
}

int ms_study_ended(const ms_simulation *run, ms_error *error)
{
    const ms_run_result *result = &run->result;
    if (result->reason == MS_REASON_END_TIME || result->reason == MS_REASON_DIVERGED ||
        result->reason == MS_REASON_TERMINATED)
        return MS_OK;
    return ms_fail(error, MS_SOLVER_FAILED, "the run ended at %.9g s, %s: %s", result->end_time,
                   ms_reason_name(result->reason), result->message);
}

int ms_study_run(ms_drawing *drawing, const ms_simulation_options *request, ms_study *study, ms_error *error,
                 const char *command, ...)
{
    WRITE_COMMAND(line, status, command, error);
    *study = (ms_study){0};
    MS_THEN(status, ms_study_run_shown(drawing, request, study, error, NULL, line));
    return status == MS_OK ? ms_study_ended(&study->simulation, error) : status;
}

int ms_study_repeat(ms_drawing *drawing, const ms_study *study, const ms_options *options,
                    const ms_simulation_options *request, ms_simulation *simulation, ms_error *error)
{
    const ms_simulation_options all = complete(drawing, request, study->system, options);
    const int status = ms_simulation_run(study->system, options, &all, simulation, error);
    if (status != MS_OK || simulation->result.reason != MS_REASON_INTERRUPTED)
        return status;
    ms_simulation_destroy(simulation);
    return ms_fail(error, MS_INTERRUPTED, "interrupted");
}

int ms_study_parallel(ms_drawing *drawing, int n,
                      int (*run)(void *self, int k, const volatile sig_atomic_t *stop, ms_error *error),
                      void *self, ms_error *error)
{
    const volatile sig_atomic_t *stop = ms_drawing_stop(drawing);
    int status = MS_OK, failed = n;
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
    for (int k = n - 1; k >= 0; k--) {
        ms_error own = {0};
        const int one = stop != NULL && *stop != 0 ? MS_OK : run(self, k, stop, &own);
#pragma omp critical(ms_study_parallel)
        if (one != MS_OK && k < failed) {
            failed = k;
            status = one;
            *error = own;
        }
    }
    return status == MS_OK ? ms_study_interrupted(drawing, error) : status;
}

void ms_study_destroy(ms_study *study)
{
    ms_simulation_destroy(&study->simulation);
    ms_system_destroy(&study->system);
    ms_model_destroy(&study->owned);
    if (study->arguments != NULL)
        ms_arguments_destroy(study->arguments);
    free(study->arguments);
    if (study->words != NULL)
        free(study->words[0]);
    MS_FREE(study->words, study->exact);
    *study = (ms_study){0};
}

int ms_study_column(const ms_study *study, const char *name)
{
    char column[256];
    for (int k = 0; k < study->simulation.trajectory.columns; k++) {
        ms_trajectory_name(&study->simulation.trajectory, k, column, sizeof column);
        if (strcmp(column, name) == 0)
            return k;
    }
    return -1;
}

int ms_study_follow_reference(const ms_system *system, long steps, double h,
                              void (*visit)(void *self, long n, const double *x), void *self,
                              double *own_error, ms_error *error)
{
    ms_reference *reference = NULL;
    int status = ms_reference_create(system, 0, NULL, &reference, error);
    for (long n = 0; n <= steps && status == MS_OK; n++) {
        if (n > 0 && ms_reference_step(reference, (double)(n - 1) * h, h) != MS_OK)
            status = ms_fail(error, MS_SOLVER_FAILED, "the reference failed at %g s", (double)n * h);
        else
            visit(self, n, ms_reference_state(reference));
    }
    if (status == MS_OK && own_error != NULL)
        *own_error = ms_reference_error(reference);
    ms_reference_destroy(&reference);
    return status;
}

int ms_study_reference(ms_study *study, ms_error *error)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    const size_t nx = (size_t)study->system->nx;
    ms_reference *reference = NULL;
    free(study->exact);
    study->exact = calloc((size_t)trajectory->rows * nx + 1, sizeof *study->exact);
    MS_TRY_MEMORY_FOR(study->exact != NULL, error, "a reference");
    int status = ms_reference_create(study->system, 0, NULL, &reference, error);
    for (long i = 0; i < trajectory->rows && status == MS_OK; i++) {
        const double t = ms_trajectory_row(trajectory, i)[0],
                     before = i > 0 ? ms_trajectory_row(trajectory, i - 1)[0] : t;
        if (i > 0 && ms_reference_step(reference, before, t - before) != MS_OK)
            status = ms_fail(error, MS_SOLVER_FAILED, "the reference failed at %g s", t);
        else
            memcpy(study->exact + (size_t)i * nx, ms_reference_state(reference), nx * sizeof *study->exact);
    }
    ms_reference_destroy(&reference);
    return status;
}
