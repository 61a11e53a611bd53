/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), chapter 7: four ways to treat an input that changes, for figures and tables of their own. */
#include <math.h>
#include <string.h>

#include <macrostep/solver.h>
#include "drive.h"
#include "measurement.h"

enum { MODES = 4 }; /* the values of ms_input_change */

static const char *const mode_names[MODES] = {"restart", "proceed", "correct-1", "correct-2"};

typedef struct mode_runs {
    ms_study study;          /* of the mode that is listed among the commands: restart */
    ms_open_loop *open_loop; /* one problem for all modes */
    ms_open_loop_result result[MODES];
} mode_runs;

static int run_mode(mode_runs *modes, int mode, bool steps, ms_error *error)
{
    ms_options options = modes->study.arguments->options;
    ms_open_loop_result *result = &modes->result[mode];
    options.input_change = mode;
    int status =
        ms_open_loop_run(modes->open_loop, &options, &(ms_open_loop_options){.steps = steps}, result, error);
    if (status == MS_OK && result->reason != MS_REASON_END_TIME) {
        status = ms_fail(error, MS_SOLVER_FAILED, "%s: %s", mode_names[mode], result->message);
        ms_open_loop_result_destroy(result);
    }
    return status;
}

/* Runs "drive WORDS" with each mode. steps: keeps the micro-steps. Errors: those of the command, and
 * MS_SOLVER_FAILED for a run that does not reach its end. close_modes is safe after all of them. */
static int run_modes(ms_drawing *drawing, bool steps, const char *words, mode_runs *modes, ms_error *error)
{
    ms_drive_call call;
    *modes = (mode_runs){0};
    MS_TRY(ms_study_bind(drawing, &modes->study, error, "drive %s --input-change restart", words));
    MS_TRY(ms_drive_read(modes->study.arguments, modes->study.system, &call, error));
    MS_TRY(ms_drive_create(&call, modes->study.system, &modes->open_loop, error));
    for (int m = 0; m < MODES; m++)
        MS_TRY(run_mode(modes, m, steps, error));
    return ms_study_interrupted(drawing, error);
}

/* The command of this mode, for the list of commands. */
static void note_mode(ms_drawing *drawing, const mode_runs *modes, int mode)
{
    const char *line = modes->study.arguments->line, *last = strrchr(line, ' ');
    ms_drawing_note_command(drawing,
                            ms_drawing_text(drawing, "%.*s %s", (int)(last - line), line, mode_names[mode]));
}

static void close_modes(mode_runs *modes)
{
    for (int m = 0; m < MODES; m++)
        ms_open_loop_result_destroy(&modes->result[m]);
    ms_open_loop_destroy(&modes->open_loop);
    ms_study_destroy(&modes->study);
}

enum { HIGH_ORDER = 3 }; /* of 5 */

/* What the histories say ------------------------------------------------------------------------------- */

typedef struct history {
    double mean_order, high_share; /* over the micro-steps behind the first segment */
    int least_order;
    double reduced_share; /* of the changes: order lower and micro-step shorter than half of before */
} history;

/* Of the micro-steps of a segment but the last one, which the stop time cuts. */
typedef struct range {
    double shortest, longest;
    int least, most;
} range;

static range look(const ms_open_loop_result *result, double from, double to)
{
    range r = {INFINITY, 0.0, 99, 0};
    const double eps = 1e-9;
    for (long k = 0; k < result->n_steps; k++) {
        const ms_open_loop_step *s = &result->step[k];
        if (s->from < from - eps || s->to > to - eps)
            continue;
        ms_widen(&r.shortest, &r.longest, s->to - s->from);
        r.least = s->order < r.least ? s->order : r.least;
        r.most = s->order > r.most ? s->order : r.most;
    }
    return r;
}

static history examine(const ms_open_loop *open_loop, const ms_open_loop_result *result)
{
    history h = {.least_order = 99};
    const double *T = open_loop->time;
    long n = 0;
    for (long k = 0; k < result->n_steps; k++) {
        const ms_open_loop_step *s = &result->step[k];
        if (s->from < T[1] - 1e-9)
            continue;
        n++;
        h.mean_order += s->order;
        h.high_share += s->order >= HIGH_ORDER;
        h.least_order = s->order < h.least_order ? s->order : h.least_order;
    }
    h.mean_order /= (double)n;
    h.high_share /= (double)n;
    for (int i = 1; i < open_loop->segments; i++) {
        const range before = look(result, 0.5 * (T[i - 1] + T[i]), T[i]),
                    after = look(result, T[i], T[i + 1]);
        h.reduced_share += after.least < before.most && after.shortest < 0.5 * before.longest;
    }
    h.reduced_share /= open_loop->segments - 1;
    return h;
}

/* What figure files get of the four ways, "modes STEPS NOTED drive .." --------------------------------------- */

static json_t *json_of_history(const ms_open_loop_result *result)
{
    json_t *time = json_array(), *step = json_array(), *order = json_array();
    for (long k = 0; k <= result->n_steps && result->n_steps > 0; k++) { /* the last one to its end */
        const bool ends = k == result->n_steps;
        const ms_open_loop_step *s = &result->step[ends ? k - 1 : k];
        json_array_append_new(time, ms_json_real(ends ? s->to : s->from));
        json_array_append_new(step, ms_json_real(s->to - s->from));
        json_array_append_new(order, json_integer(s->order));
    }
    return ms_json_object("time:o step:o order:o", time, step, order);
}

/* Micro-steps and their data. */
static void give_history(const mode_runs *modes, int m, json_t *answer)
{
    const history h = examine(modes->open_loop, &modes->result[m]);
    json_object_set_new(json_object_get(answer, "history"), mode_names[m],
                        json_of_history(&modes->result[m]));
    ms_measured_append(answer, "accepted", (double)modes->result[m].n_steps);
    ms_measured_append(answer, "mean_order", h.mean_order);
    ms_measured_append(answer, "least_order", h.least_order);
    ms_measured_append(answer, "high_share", h.high_share);
    ms_measured_append(answer, "reduced_share", h.reduced_share);
}

static void give_counts(const ms_open_loop_result *result, int m, json_t *answer)
{
    ms_measured_append(answer, "mode", m);
    ms_measured_append(answer, "steps", (double)result->work.micro_steps);
    ms_measured_append(answer, "fevals", (double)result->work.rhs_evaluations);
    ms_measured_append(answer, "jacobians", (double)result->work.jacobian_evaluations);
    ms_measured_append(answer, "error_failures", (double)result->work.error_test_failures);
    ms_measured_append(answer, "convergence_failures", (double)result->work.convergence_failures);
    ms_measured_append(answer, "own", result->own_largest.max);
    ms_measured_append(answer, "coupled", result->coupled_largest.max);
}

/* The inputs at both ends of each segment: u1, u2, .. */
static void give_inputs(ms_drawing *drawing, const ms_open_loop *open_loop, json_t *answer)
{
    for (int i = 0; i < open_loop->segments; i++)
        for (int end = 0; end < 2; end++) {
            const double *T = open_loop->time + i;
            ms_measured_append(answer, "segment", i);
            ms_measured_append(answer, "segment_end", end);
            ms_measured_append(answer, "segment_time", T[end]);
            for (int k = 0, nu = open_loop->nu; k < nu; k++)
                ms_measured_append(answer, ms_drawing_text(drawing, "u%d", k + 1),
                                   open_loop->value[i * nu + k] +
                                       end * (T[1] - T[0]) * open_loop->slope[i * nu + k]);
        }
}

/* Both ends of a line at each change of the input. */
static void give_grid(const ms_open_loop *open_loop, json_t *answer)
{
    for (int k = 0; k <= open_loop->segments; k++)
        for (int end = 0; end < 2; end++) {
            ms_measured_append(answer, "grid_time", open_loop->time[k]);
            ms_measured_append(answer, "grid_end", end);
            ms_measured_append(answer, "grid_line", k);
        }
    json_object_set_new(answer, "segments", json_integer(open_loop->segments));
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[2]; /* are micro-steps wanted; of how many modes the command is listed */
    mode_runs modes;
    words = ms_measurement_numbers(words, MS_COUNT(number), number);
    words += strncmp(words, "drive ", 6) == 0 ? 6 : 0;
    const int status = run_modes(drawing, number[0] > 0.0, words, &modes, error);
    json_object_set_new(answer, "history", json_object());
    for (int m = 0; m < MODES && status == MS_OK; m++) {
        give_counts(&modes.result[m], m, answer);
        if (number[0] > 0.0)
            give_history(&modes, m, answer);
        if (m > 0 && m < (int)number[1])
            note_mode(drawing, &modes, m);
    }
    if (status == MS_OK) {
        give_grid(modes.open_loop, answer);
        give_inputs(drawing, modes.open_loop, answer);
    }
    close_modes(&modes);
    return status;
}

const ms_measurement ms_measurement_modes = {"modes", measure, NULL};
