/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), chapter 7: four ways to treat an input that changes, for figures and tables of their own, and Figure 7.3. */
#include <math.h>
#include <string.h>

#include "andersson2016_7.h"
#include "arguments.h"
#include "figure.h"
#include "measurement.h"

const char *const ms_mode_names[MS_MODES] = {"restart", "proceed", "correct-1", "correct-2"};
const int ms_mode_lines[MS_MODES] = {1, 2, 3, 4};
const char *const ms_mode_titles[MS_MODES] = {"restarted", "proceeding", "corrected in x′",
                                              "corrected in x′ and x″"};

int ms_modes_repeat(const ms_modes *modes, int mode, double rtol, double atol, bool steps,
                    ms_open_loop_result *result, ms_error *error)
{
    ms_options options = modes->study.arguments->options;
    options.input_change = mode;
    options.solver_rtol = rtol;
    options.solver_atol = atol;
    int status =
        ms_open_loop_run(modes->open_loop, &options, &(ms_open_loop_options){.steps = steps}, result, error);
    if (status == MS_OK && result->reason != MS_REASON_END_TIME) {
        status = ms_fail(error, MS_SOLVER_FAILED, "%s: %s", ms_mode_names[mode], result->message);
        ms_open_loop_result_destroy(result);
    }
    return status;
}

int ms_modes_run(ms_drawing *drawing, bool steps, const char *words, ms_modes *modes, ms_error *error)
{
    ms_drive_call call;
    *modes = (ms_modes){0};
    int status = ms_study_bind(drawing, &modes->study, error, "drive %s --input-change restart", words);
    const ms_options *options = &modes->study.arguments->options;
    if (status == MS_OK)
        status = ms_drive_read(modes->study.arguments, modes->study.system, &call, error);
    if (status == MS_OK)
        status = ms_drive_create(&call, modes->study.system, &modes->open_loop, error);
    for (int m = 0; m < MS_MODES && status == MS_OK; m++)
        status = ms_modes_repeat(modes, m, options->solver_rtol, options->solver_atol, steps,
                                 &modes->result[m], error);
    return status == MS_OK ? ms_study_interrupted(drawing, error) : status;
}

void ms_modes_note(ms_drawing *drawing, const ms_modes *modes, int mode)
{
    const char *line = modes->study.arguments->line, *last = strrchr(line, ' ');
    ms_drawing_note_command(
        drawing, ms_drawing_text(drawing, "%.*s %s", (int)(last - line), line, ms_mode_names[mode]));
}

void ms_modes_destroy(ms_modes *modes)
{
    for (int m = 0; m < MS_MODES; m++)
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
    return json_pack("{s:o, s:o, s:o}", "time", time, "step", step, "order", order);
}

/* Micro-steps, and what they say. */
static void give_history(const ms_modes *modes, int m, json_t *answer)
{
    const history h = examine(modes->open_loop, &modes->result[m]);
    json_object_set_new(json_object_get(answer, "history"), ms_mode_names[m],
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
    ms_measured_append(answer, "own", result->own_largest.max);
    ms_measured_append(answer, "coupled", result->coupled_largest.max);
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
    ms_modes modes;
    words = ms_measurement_numbers(words, MS_COUNT(number), number);
    words += strncmp(words, "drive ", 6) == 0 ? 6 : 0;
    const int status = ms_modes_run(drawing, number[0] > 0.0, words, &modes, error);
    json_object_set_new(answer, "history", json_object());
    for (int m = 0; m < MS_MODES && status == MS_OK; m++) {
        give_counts(&modes.result[m], m, answer);
        if (number[0] > 0.0)
            give_history(&modes, m, answer);
        if (m > 0 && m < (int)number[1])
            ms_modes_note(drawing, &modes, m);
    }
    if (status == MS_OK)
        give_grid(modes.open_loop, answer);
    ms_modes_destroy(&modes);
    return status;
}

const ms_measurement ms_measurement_modes = {"modes", measure};

/* Figure 7.3 -------------------------------------------------------------------------------------------- */

/* The inputs of the right mass, and those of the coupled model that they stand for. */
static int draw_fig7_3(ms_drawing *drawing, ms_error *error)
{
    ms_modes modes;
    const int status = ms_modes_run(drawing, false, MS_MASS_OPEN_LOOP, &modes, error);
    ms_data *data = ms_drawing_data(drawing, "", "time,position,velocity"),
            *grid = ms_drawing_data(drawing, "coupled", "time,position,velocity");
    double jump = 0.0;
    for (int i = 0; status == MS_OK && i < modes.open_loop->segments; i++) {
        const ms_open_loop *d = modes.open_loop;
        const double *u = d->value + (size_t)i * 2, *slope = d->slope + (size_t)i * 2,
                     h = d->time[i + 1] - d->time[i];
        MS_ROW(data, d->time[i], u[0], u[1]);
        MS_ROW(data, d->time[i + 1], u[0] + h * slope[0], u[1] + h * slope[1]);
        ms_data_break(data);
        MS_ROW(grid, d->time[i], u[0], u[1]);
        jump = fmax(jump, fabs(u[0] + h * slope[0] - u[2]));
    }
    if (status == MS_OK) {
        ms_study_undetermined(
            drawing, "piecewise linear inputs", "shows",
            json_pack("{s:i, s:f}", "segments", modes.open_loop->segments, "largest jump of u_21 / m", jump),
            "The curves of the lost figure cannot be compared; start values are not printed.");
        ms_drawing_script(
            drawing, "set xlabel 'time t / s'\n"
                     "set ylabel 'u_{21} / m, u_{22} / (m/s)'\n"
                     "plot csv using 'time':'velocity' with lines lt 3 lw 2 title 'u_{22}, velocity', \\\n"
                     "    csv using 'time':'position' with lines lt 2 lw 2 title 'u_{21}, position', \\\n"
                     "    part('coupled') using 'time':'velocity' with points lt 1 pt 7 ps 0.5 title "
                     "'coupled model', \\\n"
                     "    '' using 'time':'position' with points lt 1 pt 7 ps 0.5 notitle\n");
    }
    ms_modes_destroy(&modes);
    return status;
}

const ms_figure ms_figure_andersson2016_fig7_3 = {
    "andersson2016:fig7.3", "Right mass: the piecewise linear inputs that drive it",
    "Andersson (2016), Fig. 7.3, section 7.4.1", .draw = draw_fig7_3};
