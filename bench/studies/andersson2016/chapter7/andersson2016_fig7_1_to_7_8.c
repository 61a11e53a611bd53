/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), chapter 7: inputs, and histories of step size and order. Figures 7.1, 7.3, 7.4, 7.5, 7.7
 * and 7.8. */
#include <math.h>
#include <string.h>

#include "andersson2016_7.h"
#include "arguments.h"
#include "figure.h"

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

/* Example of Figure 7.1, which names no model: few and long segments. */
#define EXAMPLE_OPEN_LOOP                                                                                    \
    "mass-spring-damper --subsystem right --stop-time 2 --segments 5 --input-shape linear --solver-rtol "    \
    "1e-6 "                                                                                                  \
    "--solver-atol 1e-8"

enum { HIGH_ORDER = 3 }; /* of 5 */
enum { GRID_MAX = 10 };  /* segments */

/* Data and picture ------------------------------------------------------------------------------------- */

static void write_history(ms_drawing *drawing, const char *name, const ms_open_loop_result *result)
{
    ms_data *data = ms_drawing_data(drawing, name, "time,step,order");
    ms_data_keep_all(data);
    for (long k = 0; k < result->n_steps; k++) {
        const ms_open_loop_step *s = &result->step[k];
        MS_ROW(data, s->from, s->to - s->from, s->order);
        if (k + 1 == result->n_steps)
            MS_ROW(data, s->to, s->to - s->from, s->order);
    }
}

/* Where the input changes: a line through the panel, or, where these would hide the curves, a tick at its foot. */
static void write_grid(ms_drawing *drawing, const ms_open_loop *open_loop, bool many)
{
    ms_data *data = ms_drawing_data(drawing, "grid", "time,step,order");
    for (int i = 0; i <= open_loop->segments; i++) {
        MS_ROW(data, open_loop->time[i], 1e-9, 0.0);
        MS_ROW(data, open_loop->time[i], many ? 2.5e-8 : 1.0, many ? 0.3 : 10.0);
        ms_data_break(data);
    }
}

static void draw_panels(ms_drawing *drawing, const char *subject, bool many, const int modes[2])
{
    ms_drawing_picture(drawing, 1000, 620,
                       "set multiplot layout 2,2 title '%s (%s: the input changes)'\n"
                       "set xrange [0:2]\n"
                       "set lmargin 10\n"
                       "set clip two\n"
                       "unset key\n",
                       subject, many ? "ticks at the foot" : "dotted");
    for (int row = 0; row < 2; row++) {
        ms_drawing_script(drawing, row == 0 ? "set logscale y\n"
                                              "set format y powers\n"
                                              "set yrange [1e-8:1e-1]\n"
                                              "set ylabel 'micro-step / s'\n"
                                            : "unset logscale y\n"
                                              "set format y '%%g'\n"
                                              "set yrange [0:6]\n"
                                              "set ytics 1\n"
                                              "set ylabel 'order'\n"
                                              "set xlabel 'time t / s'\n");
        for (int k = 0; k < 2; k++)
            ms_drawing_script(drawing,
                              "set title '%s'\n"
                              "plot part('grid') using 'time':'%s' with lines lt %d lw 0.7 dashtype %d, \\\n"
                              "    part('%s') using 'time':'%s' with steps lt %d lw 1.2\n",
                              row == 0 ? ms_mode_titles[modes[k]] : "", row == 0 ? "step" : "order",
                              many ? 1 : 9, many ? 1 : 3, ms_mode_names[modes[k]],
                              row == 0 ? "step" : "order", ms_mode_lines[modes[k]]);
    }
}

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

/* What the claims look at, of nine starts that differ by round-off. */
typedef struct histories {
    history of[MS_ENSEMBLE][MS_MODES];
} histories;

/* Runs the other starts beside the one in the middle, which is given. */
static int examine_all(ms_drawing *drawing, const char *words, const ms_modes *middle, histories *all,
                       ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < MS_ENSEMBLE && status == MS_OK; k++) {
        ms_modes modes = {0};
        const bool given = k == MS_ENSEMBLE_MIDDLE;
        if (!given)
            status = ms_modes_run(
                drawing, true, ms_drawing_text(drawing, "%s%s", words, ms_ensemble_words[k]), &modes, error);
        for (int m = 0; m < MS_MODES && status == MS_OK; m++)
            all->of[k][m] = examine(given ? middle->open_loop : modes.open_loop,
                                    given ? &middle->result[m] : &modes.result[m]);
        ms_modes_destroy(&modes);
    }
    return status;
}

static json_t *describe(const history of[MS_MODES], const int which[], int n)
{
    json_t *all = json_object();
    for (int k = 0; k < n; k++) {
        const history *h = &of[which[k]];
        json_object_set_new(all, ms_mode_names[which[k]],
                            json_pack("{s:f, s:i, s:f, s:f}", "mean order", h->mean_order, "least order",
                                      h->least_order, "share of order 3 to 5", h->high_share,
                                      "share of changes with reductions", h->reduced_share));
    }
    return all;
}

/* A claim that holds where the share is nine tenths at least, judged over the starts. */
static void check_share(ms_drawing *drawing, const char *what, json_t *measured,
                        const double share[MS_ENSEMBLE], const char *note)
{
    bool holds[MS_ENSEMBLE];
    double ends[2] = {INFINITY, 0.0};
    for (int k = 0; k < MS_ENSEMBLE; k++) {
        holds[k] = share[k] >= 0.9;
        ms_widen(&ends[0], &ends[1], share[k]);
    }
    ms_drawing_check_ensemble_claim(drawing, what, ms_drawing_published_text(drawing, "claim"), measured,
                                    holds, ends, "%s", note);
}

static void check_reductions(ms_drawing *drawing, const histories *all, const int which[2])
{
    double share[MS_ENSEMBLE];
    for (int k = 0; k < MS_ENSEMBLE; k++)
        share[k] = fmin(all->of[k][which[0]].reduced_share, all->of[k][which[1]].reduced_share);
    check_share(drawing, "order and step size fall where the input changes",
                describe(all->of[MS_ENSEMBLE_MIDDLE], which, 2), share,
                "At nine of ten changes at least: the order falls below the highest of the half segment "
                "before, and some micro-step is shorter than half of the longest there.");
}

/* Least share of high orders of the corrected modes, where it is above that of the others; else 0. */
static double share_corrected(const history of[MS_MODES])
{
    const double corrected = fmin(of[MS_INPUT_CORRECT_1].high_share, of[MS_INPUT_CORRECT_2].high_share),
                 other = fmax(of[MS_INPUT_RESTART].high_share, of[MS_INPUT_PROCEED].high_share);
    return corrected > other ? corrected : 0.0;
}

static void check_high_order(ms_drawing *drawing, const histories *all)
{
    static const int every[MS_MODES] = {0, 1, 2, 3};
    double share[MS_ENSEMBLE];
    for (int k = 0; k < MS_ENSEMBLE; k++)
        share[k] = share_corrected(all->of[k]);
    check_share(drawing, "corrected, CVODE stays at high order",
                describe(all->of[MS_ENSEMBLE_MIDDLE], every, MS_MODES), share,
                ms_drawing_text(drawing,
                                "Behind the first segment at least 90 %% of the micro-steps have an order of "
                                "%d to 5, and more of them than without correction. The thesis gives no "
                                "number; that order counts as high was decided when the orders were seen.",
                                HIGH_ORDER));
}

/* One of the figures of histories. */
typedef struct history_subject {
    const char *words, *title; /* of `drive`; of the picture */
    bool corrected;
    const char *remark; /* or NULL */
} history_subject;

static int draw_history(ms_drawing *drawing, ms_error *error)
{
    const history_subject *subject = ms_drawing_subject(drawing);
    static const int uncorrected[2] = {MS_INPUT_RESTART, MS_INPUT_PROCEED},
                     both_corrected[2] = {MS_INPUT_CORRECT_1, MS_INPUT_CORRECT_2};
    const int *which = subject->corrected ? both_corrected : uncorrected;
    ms_modes modes;
    histories all;
    if (subject->remark != NULL)
        ms_drawing_remark(drawing, "%s", subject->remark);
    int status = ms_modes_run(drawing, true, subject->words, &modes, error);
    if (status == MS_OK)
        status = examine_all(drawing, subject->words, &modes, &all, error);
    if (status == MS_OK) {
        for (int k = 0; k < 2; k++)
            write_history(drawing, ms_mode_names[which[k]], &modes.result[which[k]]);
        for (int m = 1; m < MS_MODES; m++)
            if (subject->corrected || m == which[1])
                ms_modes_note(drawing, &modes, m);
        const bool many = modes.open_loop->segments > GRID_MAX;
        write_grid(drawing, modes.open_loop, many);
        draw_panels(drawing, subject->title, many, which);
        if (subject->corrected)
            check_high_order(drawing, &all);
        else
            check_reductions(drawing, &all, which);
        ms_drawing_remark(
            drawing,
            "Accepted micro-steps of CVODE's BDF: %ld %s, %ld %s. Each segment ends at a stop time, which "
            "cuts its last micro-step. The very first one, of some 1e-11 s, lies below the frame.",
            modes.result[which[0]].n_steps, ms_mode_titles[which[0]], modes.result[which[1]].n_steps,
            ms_mode_titles[which[1]]);
    }
    ms_modes_destroy(&modes);
    return status;
}

/* Figures ---------------------------------------------------------------------------------------------- */

/* The inputs of the right mass, and those of the coupled model that they mean. */
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

#define HISTORY(number, heading, section, ...)                                                               \
    const ms_figure ms_figure_andersson2016_fig7_##number = {                                                \
        "andersson2016:fig7." #number, heading, "Andersson (2016), Fig. 7." #number ", " section,            \
        .draw = draw_history, .subject = &(const history_subject){__VA_ARGS__}};

HISTORY(1, "Step size and order over input changes: restarted and proceeding", "chapter 7", EXAMPLE_OPEN_LOOP,
        "Right mass, 5 linear segments", false,
        "The thesis does not say which model this is. Here: the right mass of its first case study with five "
        "segments instead of nineteen, so that each change stands alone.")
HISTORY(4, "Right mass with linear input segments: step size and order, restarted and proceeding",
        "section 7.4.1", MS_MASS_OPEN_LOOP, "Right mass, 19 linear segments", false, MS_MASS_TOLERANCES)
HISTORY(5, "Right mass with linear input segments: step size and order, predictor corrected", "section 7.4.1",
        MS_MASS_OPEN_LOOP, "Right mass, 19 linear segments", true, MS_MASS_TOLERANCES)
HISTORY(7, "Left pendulum with constant input segments: step size and order, restarted and proceeding",
        "section 7.4.2", MS_PENDULUM_OPEN_LOOP, "Left pendulum, 39 constant segments", false, NULL)
HISTORY(8, "Left pendulum with constant input segments: step size and order, predictor corrected",
        "section 7.4.2", MS_PENDULUM_OPEN_LOOP, "Left pendulum, 39 constant segments", true, NULL)
