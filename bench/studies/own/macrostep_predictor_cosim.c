/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictor correction inside co-simulations: what each way to treat an input change costs CVODE's BDF
 * under every smoothing and order of extrapolation, and what it does to the error. Andersson (2016), ch.
 * 7, drives one subsystem alone by known inputs. */
#include <math.h>

#include "andersson2016_7.h"
#include "arguments.h"
#include "figure.h"

enum { MODELS = 3, STEPS = 2, SMOOTHINGS = 3, ORDERS = 3 };

static const struct {
    const char *title, *command;
    double step[STEPS]; /* macro-steps [s] */
} models[MODELS] = {
    {"quarter car", "quarter-car", {0.01, 0.0025}},
    {"mass-spring-damper", "mass-spring-damper --stop-time 5", {0.02, 0.005}},
    {"coupled pendula", "coupled-pendula --case soft", {0.01, 0.0025}},
};

static const char *const smoothings[SMOOTHINGS] = {"none", "c0", "c1"};

/* Work: evaluations of f, with a Jacobian of a subsystem of nx states counted as the nx evaluations that
 * differences take. */
typedef struct outcome {
    double work, steps, error; /* steps: micro-steps a macro-step and subsystem */
} outcome;

enum { RUNS = MODELS * STEPS * SMOOTHINGS * ORDERS * MS_MODES };

typedef struct results {
    outcome of[MODELS][STEPS][SMOOTHINGS][ORDERS][MS_MODES];
    ms_study study[RUNS]; /* bound, in that order */
} results;

/* Runs ------------------------------------------------------------------------------------------------- */

/* The place of run k in the order of the indices. */
typedef struct place {
    int model, step, smoothing, order, mode;
} place;

static place place_of(int k)
{
    return (place){k / (MS_MODES * ORDERS * SMOOTHINGS * STEPS), k / (MS_MODES * ORDERS * SMOOTHINGS) % STEPS,
                   k / (MS_MODES * ORDERS) % SMOOTHINGS, k / MS_MODES % ORDERS, k % MS_MODES};
}

static int run_one(void *self, int k, const volatile sig_atomic_t *stop, ms_error *error)
{
    results *all = self;
    const place at = place_of(k);
    const ms_system *system = all->study[k].system;
    outcome *o = &all->of[at.model][at.step][at.smoothing][at.order][at.mode];
    ms_simulation simulation;
    *o = (outcome){NAN, NAN, NAN};
    const int status =
        ms_simulation_run(system, &all->study[k].arguments->options,
                          &(ms_simulation_options){.errors = true, .stop = stop}, &simulation, error);
    if (status == MS_OK && simulation.result.reason == MS_REASON_END_TIME && simulation.errors_valid) {
        *o = (outcome){.error = simulation.errors.l2_normalized_mean};
        for (int i = 0; i < system->n; i++) {
            const ms_work *work = &simulation.work[i];
            o->steps += (double)work->micro_steps / (double)(system->n * simulation.result.macro_steps);
            o->work += (double)(work->rhs_evaluations + system->sub[i].nx * work->jacobian_evaluations);
        }
    }
    ms_simulation_destroy(&simulation);
    return status;
}

static int bind(ms_drawing *drawing, int k, ms_study *study, ms_error *error)
{
    const place at = place_of(k);
    return ms_study_bind(drawing, study, error,
                         "run %s --step-size %g --smooth-coupling %s --extrapolation-order %d --solver "
                         "cvode-bdf --solver-rtol 1e-6 --solver-atol 1e-8 --input-change %s",
                         models[at.model].command, models[at.model].step[at.step], smoothings[at.smoothing],
                         at.order, ms_mode_names[at.mode]);
}

static int run_all(ms_drawing *drawing, results *all, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < RUNS && status == MS_OK; k++)
        status = bind(drawing, k, &all->study[k], error);
    if (status == MS_OK)
        status = ms_study_parallel(drawing, RUNS, run_one, all, error);
    for (int k = 0; k < RUNS; k++)
        ms_study_destroy(&all->study[k]);
    return status;
}

/* Tables ----------------------------------------------------------------------------------------------- */

static double ratio(const outcome of[MS_MODES], int mode)
{
    return of[mode].work / of[MS_INPUT_RESTART].work;
}

static int cheapest(const outcome of[MS_MODES])
{
    int best = 0;
    for (int m = 1; m < MS_MODES; m++)
        if (of[m].work < of[best].work)
            best = m;
    return best;
}

static json_t *rounded(double value)
{
    return isfinite(value) ? json_sprintf("%.2f", value) : json_null();
}

static void tabulate(ms_drawing *drawing, const results *all)
{
    ms_table *table = ms_drawing_table(
        drawing, "work", "Work relative to restarting (f, and nx for a Jacobian), and errors relative to it",
        "model|H / s|smoothing|order|micro-steps a macro-step, x', x''|work, restart|proceed|x'|x', "
        "x''|cheapest|error, restart|error, proceed|error, x'|error, x', x''");
    ms_data *data = ms_drawing_data(drawing, "", "model,step,smoothing,order,place,mode,work,error");
    ms_data_keep_all(data);
    for (int i = 0; i < MODELS; i++)
        for (int h = 0; h < STEPS; h++)
            for (int s = 0; s < SMOOTHINGS; s++)
                for (int order = 0; order < ORDERS; order++) {
                    const outcome *of = all->of[i][h][s][order];
                    const double error = of[MS_INPUT_RESTART].error;
                    for (int m = MS_INPUT_PROCEED; m < MS_MODES; m++)
                        MS_ROW(data, i, h, s, order, 4 * s + order, m, ratio(of, m), of[m].error / error);
                    ms_table_add(table, "srsiorooosoooo", models[i].title, models[i].step[h], smoothings[s],
                                 order, rounded(of[3].steps), of[MS_INPUT_RESTART].work,
                                 rounded(ratio(of, 1)), rounded(ratio(of, 2)), rounded(ratio(of, 3)),
                                 ms_mode_names[cheapest(of)], json_sprintf("%.2e", error),
                                 rounded(of[1].error / error), rounded(of[2].error / error),
                                 rounded(of[3].error / error));
                }
}

/* Findings --------------------------------------------------------------------------------------------- */

/* Micro-steps that a subsystem takes in a macro-step above which a setting has an inside: the input
 * changes only every so often. */
static const double SEVERAL = 1.5;

/* Over the settings (model, macro-step, order) with a smoothing. */
typedef struct summary {
    int n, several, wins[MS_MODES], wins_several[MS_MODES];
    double low[MS_MODES], high[MS_MODES]; /* of the ratios to restarting */
    double error_low[MS_MODES], error_high[MS_MODES];
} summary;

static void include(summary *sum, const outcome of[MS_MODES])
{
    const bool several = of[MS_INPUT_CORRECT_2].steps > SEVERAL;
    const int best = cheapest(of);
    for (int m = 0; m < MS_MODES; m++)
        if (!isfinite(of[m].work))
            return;
    sum->n++;
    sum->several += several;
    sum->wins[best]++;
    sum->wins_several[best] += several;
    for (int m = 0; m < MS_MODES; m++) {
        const double error = of[m].error / of[MS_INPUT_RESTART].error;
        ms_widen(&sum->low[m], &sum->high[m], ratio(of, m));
        ms_widen(&sum->error_low[m], &sum->error_high[m], error);
    }
}

static summary summarise(const results *all, int from_smoothing, int to_smoothing, int from_order,
                         int to_order)
{
    summary sum = {0};
    for (int m = 0; m < MS_MODES; m++)
        sum.low[m] = sum.error_low[m] = INFINITY;
    for (int i = 0; i < MODELS; i++)
        for (int h = 0; h < STEPS; h++)
            for (int s = from_smoothing; s <= to_smoothing; s++)
                for (int order = from_order; order <= to_order; order++)
                    include(&sum, all->of[i][h][s][order]);
    return sum;
}

static json_t *describe(const summary *sum)
{
    json_t *all = MS_COUNTS({"settings", sum->n}, {"with several micro-steps", sum->several});
    for (int m = 0; m < MS_MODES; m++)
        json_object_set_new(
            all, ms_mode_names[m],
            json_sprintf("cheapest in %d, of those with several micro-steps in %d; work %.2f to %.2f",
                         sum->wins[m], sum->wins_several[m], sum->low[m], sum->high[m]));
    return all;
}

static void check_work(ms_drawing *drawing, const results *all)
{
    const summary every = summarise(all, 0, 2, 0, 2), held = summarise(all, 0, 0, 0, 0),
                  rest = summarise(all, 0, 2, 1, 2), jumps = summarise(all, 0, 1, 0, 1),
                  smooth = summarise(all, 2, 2, 0, 2);
    ms_drawing_check_claim(drawing, "corrected in x' and x'' costs less than restarting",
                           "a correction in both derivatives is beneficial", describe(&every),
                           every.high[MS_INPUT_CORRECT_2] < 1.0, "In every setting.");
    ms_drawing_check_claim(
        drawing, "held inputs without smoothing: to proceed is dearest", "the worst choice is to proceed",
        describe(&held), held.low[MS_INPUT_PROCEED] >= 1.0,
        "In every setting. Where it fails the macro-steps are short, and so are the jumps.");
    ms_drawing_check_claim(
        drawing, "linear and quadratic extrapolation: to proceed is dearest",
        "the worst choice is to proceed", describe(&rest), rest.low[MS_INPUT_PROCEED] >= 1.0,
        "In every setting, with any smoothing. The dearest is to restart, nearly everywhere: in a "
        "co-simulation inputs jump by an extrapolation's error, and less the higher its order.");
    ms_drawing_check_claim(
        drawing,
        "orders 0 and 1, not smoothed or C0, several micro-steps: corrected in x' and x'' is cheapest",
        "a correction in both derivatives is beneficial", describe(&jumps),
        10 * jumps.wins_several[MS_INPUT_CORRECT_2] >= 9 * jumps.several,
        "In nine of ten settings at least whose subsystems take more than %g micro-steps a macro-step. Where "
        "about one does, and behind a parabola, its Jacobian costs more than it saves.",
        SEVERAL);
    ms_drawing_check_claim(drawing, "C1 smoothing: corrected in x' and x'' is cheapest",
                           "a correction in both derivatives is beneficial", describe(&smooth),
                           10 * smooth.wins[MS_INPUT_CORRECT_2] >= 9 * smooth.n,
                           "x' and x'' hardly jump, nothing is left to correct, and to proceed is cheapest "
                           "in %d of %d settings.",
                           smooth.wins[MS_INPUT_PROCEED], smooth.n);
}

static void check_errors(ms_drawing *drawing, const results *all)
{
    const summary every = summarise(all, 0, 2, 0, 2);
    json_t *measured = json_object();
    double high = 0.0, low = INFINITY;
    for (int m = MS_INPUT_PROCEED; m < MS_MODES; m++) {
        high = fmax(high, every.error_high[m]);
        low = fmin(low, every.error_low[m]);
        json_object_set_new(measured, ms_mode_names[m],
                            json_pack("[f, f]", every.error_low[m], every.error_high[m]));
    }
    ms_drawing_check_claim(drawing, "no mode errs more than restarting",
                           "the error is not impacted by the correction", measured, high <= 1.25,
                           "Least and largest error relative to restarting; 25 %% more pass. The coupling's "
                           "error covers that of the micro-solver where macro-steps are long; where they are "
                           "short it is restarting that errs, up to %.0f times as much as others.",
                           1.0 / low);
}

/* Picture ---------------------------------------------------------------------------------------------- */

static void draw_panels(ms_drawing *drawing)
{
    ms_drawing_picture(
        drawing, 1200, 760,
        "set multiplot\n"
        "set logscale y\n"
        "set xrange [-1:11]\n"
        "set xtics ('0' 0, \"1\\nnone\" 1, '2' 2, '0' 4, \"1\\nC0\" 5, '2' 6, '0' 8, \"1\\nC1\" 9, '2' 10)\n"
        "unset key\n"
        "set label 10 '● larger   ○ smaller macro-steps' at screen 0.72,0.965\n");
    for (int m = MS_INPUT_PROCEED; m < MS_MODES; m++)
        ms_drawing_script(drawing, "set label %d '● %s' at screen %g,0.965 textcolor lt %d\n", m,
                          ms_mode_titles[m], 0.07 + 0.2 * (m - 1), m + 1);
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < MODELS; i++) {
            const double left = 0.085 + 0.31 * i, top = row == 0 ? 0.87 : 0.45;
            ms_drawing_panel(drawing, left, left + 0.275, top, top - 0.34, row == 0 ? models[i].title : "");
            ms_drawing_script(
                drawing, "set ylabel '%s'\nset xlabel '%s' offset 0,-0.8\n%s\n",
                i > 0      ? ""
                : row == 0 ? "work / restarting"
                           : "error / restarting",
                row == 0 ? "" : "extrapolation order and smoothing",
                row == 0 ? "set yrange [0.04:2]\nset ytics (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2)"
                         : "set yrange [0.01:2]\nset ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)");
            ms_drawing_curve(drawing, "1 with lines lt 9");
            for (int m = MS_INPUT_PROCEED; m < MS_MODES; m++)
                for (int h = 0; h < STEPS; h++)
                    ms_drawing_curve(
                        drawing,
                        "csv using (column('model')==%d && column('step')==%d && column('mode')==%d ? "
                        "column('place')+%g : NaN):'%s' with points lt %d pt %d ps 1.1 lw 1.5",
                        i, h, m, 0.2 * (m - 2), row == 0 ? "work" : "error", m + 1, h == 0 ? 7 : 6);
            ms_drawing_script(drawing, "unset label\n");
        }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *all = ms_drawing_memory(drawing);
    const int status = run_all(drawing, all, error);
    if (status == MS_OK) {
        tabulate(drawing, all);
        check_work(drawing, all);
        check_errors(drawing, all);
        draw_panels(drawing);
        ms_drawing_remark(
            drawing,
            "Jacobi, extrapolation from past values, outputs as they come; CVODE's BDF with rtol 1e-6 and "
            "atol 1e-8. Work is the evaluations of f of all subsystems, a Jacobian counted as nx of them. "
            "Macro-steps %g and %g s (quarter car), %g and %g s (mass-spring-damper), %g and %g s (pendula, "
            "case soft). Errors are mean relative L_2 errors of the states.",
            models[0].step[0], models[0].step[1], models[1].step[0], models[1].step[1], models[2].step[0],
            models[2].step[1]);
        ms_drawing_remark(
            drawing,
            "Which settings the last two claims of the work speak of, and the 25 %% of the errors, were "
            "chosen after a first run had shown the pattern: they describe it, and test nothing.");
    }
    return status;
}

const ms_figure ms_figure_macrostep_predictor_cosim = {
    "macrostep:predictor-cosim",
    "Predictor correction inside co-simulations: work and error over smoothing and extrapolation",
    "this project; Andersson (2016), chapter 7, in co-simulations", .draw = draw, .memory = sizeof(results)};
