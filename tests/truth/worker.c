/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.c - runs and integrations of problems, and what is said of them: lines in, lines out, for judge.py.
 *
 * A line is of words between tabs:
 *
 *     SYSTEM  INPUTS|-  SETTINGS|-  MIDDLE  JOB  JOB ..
 *
 * SYSTEM is a system file, or `dae` (dae.h); INPUTS a CSV file; SETTINGS are "NAME=VALUE .."; a job is `run` or `integrate` and options
 * "NAME=VALUE .."; MIDDLE is a communication point [s]. Each job is answered by a line
 *
 *     JOB  reason|refused  SECONDS  KNOWN  STATED  X  E  R  M  MESSAGE
 *
 * KNOWN: 1 where there are errors, STATED the reference's own; X the states at the end, E their errors there, R the reference's states
 * there (a run), M those at MIDDLE: numbers between blanks. A line `end` follows the last job. A job that takes more than JOB_SECONDS of
 * a processor ends the program. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <macrostep/cosim.h>
#include <macrostep/integrate.h>
#include <macrostep/options_set.h>
#include <macrostep/series_read.h>
#include <macrostep/simulation.h>
#include <macrostep/solver_registry.h>
#include <macrostep/system_file.h>
#include "dae.h"

enum { WORDS = 80, SETTINGS = 16, OUTPUT_POINTS = 20, JOB_SECONDS = 10 };

/* What a line asks for. */
typedef struct question {
    ms_model *file; /* NULL: a model of ours */
    ms_system *system;
    ms_series *inputs;
    double middle;
} question;

/* What an observer keeps of a run. */
typedef struct midpoint_record {
    const ms_simulation *simulation;
    double middle;
    double *x, *at_middle; /* (nx) */
    bool met;              /* the middle was a communication point */
} midpoint_record;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* From now on. */
static void limit_seconds(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = (rlim_t)processor_seconds() + JOB_SECONDS;
    setrlimit(RLIMIT_CPU, &limit);
}

/* Reading ------------------------------------------------------------------------------------------------ */

/* Splits at every such character; words (n). Returns how many there are, at most n. */
static int split(char *text, char at, char **words, int n)
{
    int found = 0;
    for (char *next = text; next != NULL && found < n;) {
        words[found++] = next;
        next = strchr(next, at);
        if (next != NULL)
            *next++ = '\0';
    }
    return found;
}

/* "NAME=VALUE" in two. */
static char *value_of(char *word)
{
    char *value = strchr(word, '=');
    if (value != NULL)
        *value++ = '\0';
    return value;
}

static int read_settings(char *text, ms_setting *settings)
{
    char *words[SETTINGS];
    const int n = strcmp(text, "-") == 0 ? 0 : split(text, ' ', words, SETTINGS);
    for (int k = 0; k < n; k++) {
        const char *value = value_of(words[k]);
        settings[k] = (ms_setting){words[k], value != NULL ? strtod(value, NULL) : NAN};
    }
    return n;
}

static int read_options(char *text, ms_options *options, ms_error *error)
{
    char *words[SETTINGS];
    const int n = *text == '\0' ? 0 : split(text, ' ', words, SETTINGS);
    int status = MS_OK;
    ms_options_default(options);
    for (int k = 0; k < n && status == MS_OK; k++) {
        const char *value = value_of(words[k]);
        status = ms_options_set(options, words[k], value, error);
    }
    return status;
}

static void close_question(question *q)
{
    ms_system_destroy(&q->system);
    ms_series_destroy(&q->inputs);
    ms_model_destroy(&q->file);
}

static int open_question(char *const *words, question *q, ms_error *error)
{
    ms_setting settings[SETTINGS];
    int status = MS_OK;
    *q = (question){.middle = strtod(words[3], NULL)};
    if (strcmp(words[0], "dae") != 0)
        status = ms_model_read(words[0], &q->file, error);
    const int n = read_settings(words[2], settings);
    if (status == MS_OK)
        status =
            ms_system_create(q->file != NULL ? q->file : &truth_dae, NULL, settings, n, &q->system, error);
    if (status == MS_OK && strcmp(words[1], "-") != 0)
        status = ms_series_read(words[1], &q->inputs, error);
    if (status == MS_OK && q->inputs != NULL)
        status = ms_system_bind_inputs(q->system, q->inputs, error);
    return status;
}

/* Answers ------------------------------------------------------------------------------------------------ */

static void print_states(int n, const double *x)
{
    putchar('\t');
    for (int j = 0; j < n; j++)
        printf("%s%.17g", j > 0 ? " " : "", x[j]);
}

static void begin_answer(const char *job, const char *reason, double began, bool known, double stated)
{
    printf("%s\t%s\t%.3f\t%d\t%.17g", job, reason, processor_seconds() - began, known, stated);
}

static void print_refusal(const char *job, const char *line)
{
    printf("%s\trefused\t0\t0\tnan\t\t\t\t\t%s\n", job, line);
}

/* Runs --------------------------------------------------------------------------------------------------- */

static int midpoint_step(void *self, const ms_cosim *cosim, double t, double h)
{
    midpoint_record *w = self;
    const size_t size = sizeof(double) * (size_t)cosim->system->nx;
    memcpy(w->x, cosim->x, size);
    if (t + h == w->middle && w->simulation->errors.status == MS_OK) {
        memcpy(w->at_middle, ms_reference_state(w->simulation->errors.reference), size);
        w->met = true;
    }
    return 0;
}

static void print_run(const char *job, const midpoint_record *w, double began)
{
    const ms_simulation *s = w->simulation;
    const int nx = s->system->nx;
    const bool known = s->errors_valid && isnan(s->errors.known_until); /* up to the end */
    begin_answer(job, ms_reason_name(s->result.reason), began, known, s->errors.reference_error);
    print_states(nx, w->x);
    putchar('\t');
    for (int j = 0; j < nx && known; j++)
        printf("%.17g ", s->errors.state[j].end);
    print_states(known ? nx : 0, ms_reference_state(s->errors.reference));
    print_states(w->met ? nx : 0, w->at_middle);
    const char *why = s->result.message[0] != '\0' ? s->result.message : s->note;
    printf("\t%s\n", why[0] == '\0' && s->n_degraded > 0 ? s->degraded[0] : why);
}

static void run(const question *q, const char *job, const ms_options *options)
{
    double x[TRUTH_STATES] = {0}, middle[TRUTH_STATES];
    ms_simulation simulation;
    midpoint_record w = {.simulation = &simulation, .middle = q->middle, .x = x, .at_middle = middle};
    const ms_observer observer = {.self = &w, .step = midpoint_step};
    const ms_simulation_options request = {.errors = true, .observers = &observer, .n_observers = 1};
    const double began = processor_seconds();
    ms_error error = {""};
    if (ms_simulation_run(q->system, options, &request, &simulation, &error) != MS_OK) {
        print_refusal(job, error.text);
        return;
    }
    print_run(job, &w, began);
    ms_simulation_destroy(&simulation);
}

/* Integrations ------------------------------------------------------------------------------------------- */

static void print_integration(const char *job, const ms_integration *run, double began)
{
    const int nx = run->system->nx;
    const long rows = run->trajectory.rows;
    const bool known = run->errors_valid && run->message[0] == '\0'; /* up to the end */
    begin_answer(job, ms_reason_name(run->reason), began, known, run->reference_error);
    print_states(rows > 0 ? nx : 0, rows > 0 ? ms_run_series_row(&run->trajectory, rows - 1) + 2 : NULL);
    putchar('\t');
    for (int j = 0; j < nx && known; j++)
        printf("%.17g ", run->error[j].end);
    printf("\t\t\t%s\n", run->message);
}

/* Solvers that choose their steps take no step size. */
static void integrate(const question *q, const char *job, ms_options *options)
{
    ms_integration integration;
    ms_error error = {""};
    const ms_solver *solver = ms_solver_find(options->solver);
    const double began = processor_seconds();
    if (solver != NULL && (solver->adaptive || solver->order == 0))
        options->given[MS_OPTION_STEP_SIZE] = false;
    const ms_integrate_options request = {.errors = options->errors == MS_AGAINST_REFERENCE};
    if (ms_integrate(q->system, options, OUTPUT_POINTS, &request, &integration, &error) != MS_OK) {
        print_refusal(job, error.text);
        return;
    }
    print_integration(job, &integration, began);
    ms_integration_destroy(&integration);
}

/* Lines -------------------------------------------------------------------------------------------------- */

static void answer_job(const question *q, char *word)
{
    char job[MS_TEXT_MAX];
    ms_options options;
    ms_error error = {""};
    snprintf(job, sizeof job, "%s", word);
    limit_seconds();
    char *text = strchr(word, ' ');
    if (read_options(text != NULL ? text + 1 : "", &options, &error) != MS_OK)
        print_refusal(job, error.text);
    else if (strncmp(job, "run", 3) == 0)
        run(q, job, &options);
    else
        integrate(q, job, &options);
    fflush(stdout);
}

static void answer(char *line)
{
    char *words[WORDS];
    question q;
    ms_error error = {""};
    const int n = split(line, '\t', words, WORDS);
    const bool opened = n > 4 && open_question(words, &q, &error) == MS_OK;
    for (int k = 4; k < n; k++) {
        if (opened)
            answer_job(&q, words[k]);
        else
            print_refusal(words[k], error.text);
    }
    if (n > 4)
        close_question(&q);
    puts("end");
    fflush(stdout);
}

int main(void)
{
    static char line[1 << 16];
    openblas_set_num_threads(1); /* as the command does */
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        answer(line);
    }
    return 0;
}
