/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error against work for explicit schemes, Richardson control and F3ORNITS on four models: does C1
 * smoothing pay for itself, as Eguillon et al. (2022), 4.2 and 5, suppose and do not measure? */
#include "macrostep_work_precision.h"

#include <math.h>

typedef enum sweep { BY_STEP, BY_RICHARDSON, BY_F3ORNITS } sweep;

enum {
    HELD,
    LINEAR,
    LINEAR_C1,
    PARABOLA,
    PARABOLA_C1,
    ANALYTIC,
    ANALYTIC_C1,
    SEIDEL,
    SEIDEL_C1,
    RICHARDSON,
    RICHARDSON_C1,
    DAMPED,
    DAMPED_C1,
    CLS,
    CLS_C1,
    AMPLITUDE,
    AMPLITUDE_C1,
    MAGNITUDE,
    MAGNITUDE_C1,
    SCHEMES
};

static const struct {
    const char *name, *options;
    sweep by;
} schemes[SCHEMES] = {
    [HELD] = {"Jacobi, order 0", "--extrapolation-order 0", BY_STEP},
    [LINEAR] = {"Jacobi, order 1", "--extrapolation-order 1", BY_STEP},
    [LINEAR_C1] = {"Jacobi, order 1, C1", "--extrapolation-order 1 --smooth-coupling c1", BY_STEP},
    [PARABOLA] = {"Jacobi, order 2", "--extrapolation-order 2", BY_STEP},
    [PARABOLA_C1] = {"Jacobi, order 2, C1", "--extrapolation-order 2 --smooth-coupling c1", BY_STEP},
    [ANALYTIC] = {"Jacobi, order 1, derivatives", "--extrapolation-order 1 --derivatives analytic", BY_STEP},
    [ANALYTIC_C1] = {"Jacobi, order 1, derivatives, C1",
                     "--extrapolation-order 1 --derivatives analytic --smooth-coupling c1", BY_STEP},
    [SEIDEL] = {"Gauss-Seidel, order 1", "--scheme gauss-seidel --extrapolation-order 1", BY_STEP},
    [SEIDEL_C1] = {"Gauss-Seidel, order 1, C1",
                   "--scheme gauss-seidel --extrapolation-order 1 --smooth-coupling c1", BY_STEP},
    [RICHARDSON] = {"Richardson, order 1", "--error-controlled richardson --extrapolation-order 1",
                    BY_RICHARDSON},
    [RICHARDSON_C1] = {"Richardson, order 1, C1",
                       "--error-controlled richardson --extrapolation-order 1 --smooth-coupling c1",
                       BY_RICHARDSON},
    [DAMPED] = {"F3ORNITS", "--error-normalization damped-amplitude", BY_F3ORNITS},
    [DAMPED_C1] = {"F3ORNITS, C1", "--error-normalization damped-amplitude --smooth-coupling c1",
                   BY_F3ORNITS},
    [CLS] = {"F3ORNITS, CLS", "--error-normalization damped-amplitude --calibration cls", BY_F3ORNITS},
    [CLS_C1] = {"F3ORNITS, CLS, C1",
                "--error-normalization damped-amplitude --calibration cls --smooth-coupling c1", BY_F3ORNITS},
    [AMPLITUDE] = {"F3ORNITS, amplitude", "--error-normalization amplitude", BY_F3ORNITS},
    [AMPLITUDE_C1] = {"F3ORNITS, amplitude, C1", "--error-normalization amplitude --smooth-coupling c1",
                      BY_F3ORNITS},
    [MAGNITUDE] = {"F3ORNITS, magnitude", "--error-normalization magnitude", BY_F3ORNITS},
    [MAGNITUDE_C1] = {"F3ORNITS, magnitude, C1", "--error-normalization magnitude --smooth-coupling c1",
                      BY_F3ORNITS},
};

/* Pairs without and with smoothing; from FIRST_F3ORNITS on those of F3ORNITS. */
static const int pairs[][2] = {{LINEAR, LINEAR_C1}, {PARABOLA, PARABOLA_C1},     {ANALYTIC, ANALYTIC_C1},
                               {SEIDEL, SEIDEL_C1}, {RICHARDSON, RICHARDSON_C1}, {DAMPED, DAMPED_C1},
                               {CLS, CLS_C1},       {AMPLITUDE, AMPLITUDE_C1},   {MAGNITUDE, MAGNITUDE_C1}};

enum { PAIRS = MS_COUNT(pairs), FIRST_F3ORNITS = 5 };

static const double SOLVER_RTOL = 1e-8; /* its absolute tolerance is a hundredth of it */

static const char *const changes[MS_INPUT_CHANGES] = {"restart", "proceed"};

/* Runs --------------------------------------------------------------------------------------------------- */

typedef struct results {
    ms_work_curve curve[MS_INPUT_CHANGES][SCHEMES];
} results;

/* *setting: the step size, or the tolerance. */
static const char *options_of(ms_drawing *drawing, const ms_work_bench *b, int scheme, int k, double *setting)
{
    const double finest = ldexp(b->largest, 1 - MS_SETTINGS);
    switch (schemes[scheme].by) {
    case BY_STEP:
        *setting = ldexp(b->largest, -k);
        return ms_drawing_text(drawing, "--step-size %.17g", *setting);
    case BY_RICHARDSON:
        *setting = pow(10.0, -1.5 - 0.75 * k);
        return ms_drawing_text(drawing, "--rtol %.6g --atol %.6g --step-size %.17g --max-step %.17g",
                               *setting, 1e-2 * *setting, finest, b->largest);
    default: /* F3ORNITS */
        *setting = pow(10.0, -1.0 - 0.6 * k);
        return ms_drawing_text(
            drawing,
            "--scheme f3ornits --rtol %.6g --atol %.6g --step-size %.17g --min-step %.17g --max-step %.17g",
            *setting, 1e-2 * *setting, 0.1 * finest, 0.1 * finest, b->largest);
    }
}

static int run_point(ms_drawing *drawing, const ms_work_bench *b, const char *change, int scheme, int k,
                     double solver_rtol, ms_work_point *point, ms_error *error)
{
    ms_study study;
    double setting = NAN;
    const char *text = options_of(drawing, b, scheme, k, &setting);
    int status =
        ms_study_run(drawing, &ms_simulation_errors, &study, error,
                     "run %s %s %s --solver cvode-bdf --solver-rtol %g --solver-atol %g --input-change %s",
                     b->model, schemes[scheme].options, text, solver_rtol, 1e-2 * solver_rtol, change);
    *point = ms_work_point_of(setting, &study.simulation);
    point->evaluations = study.simulation.errors_valid ? 0.0 : NAN;
    for (int i = 0; study.simulation.errors_valid && i < study.system->n; i++)
        point->evaluations += (double)study.simulation.work[i].rhs_evaluations;
    ms_study_destroy(&study);
    return status == MS_UNSUPPORTED ? MS_OK : status; /* a multistep solver that proceeds cannot roll back */
}

static int run_all(ms_drawing *drawing, const ms_work_bench *b, results *all, ms_error *error)
{
    int status = MS_OK;
    for (int change = 0; change < MS_INPUT_CHANGES; change++)
        for (int s = 0; s < SCHEMES; s++)
            for (int k = 0; k < MS_SETTINGS && status == MS_OK; k++) {
                ms_work_point *point = &all->curve[change][s].point[k];
                status = run_point(drawing, b, changes[change], s, k, SOLVER_RTOL, point, error);
            }
    return status;
}

/* Data --------------------------------------------------------------------------------------------------- */

static void write_curves(ms_drawing *drawing, const results *all)
{
    for (int change = 0; change < MS_INPUT_CHANGES; change++) {
        ms_data *data = ms_drawing_data(drawing, change == MS_RESTART ? "" : changes[change],
                                        "curve,setting,macro_steps,evaluations,error");
        for (int s = 0; s < SCHEMES; s++)
            ms_work_write(data, 1, (const double[]){s}, &all->curve[change][s], 1.0);
    }
    ms_table *table =
        ms_drawing_table(drawing, "curves", "Curves",
                         "curve|scheme|options|evaluations for an error of 1e-3, restart|proceed");
    for (int s = 0; s < SCHEMES; s++)
        ms_table_add(table, "issrr", s, schemes[s].name, schemes[s].options,
                     round(ms_curve_work_at(&all->curve[MS_RESTART][s], 1e-3)),
                     round(ms_curve_work_at(&all->curve[MS_PROCEED][s], 1e-3)));
}

static json_t *cell(const double of[3])
{
    return isfinite(of[1]) ? json_sprintf("%.2f (%.2f to %.2f)", of[1], of[0], of[2]) : json_null();
}

static void write_effects(ms_drawing *drawing, ms_smoothing_effect effects[MS_INPUT_CHANGES][PAIRS])
{
    ms_table *table = ms_drawing_table(drawing, "smoothing",
                                       "C1 smoothing: with over without; geometric mean (least to largest)",
                                       "scheme|input change|evaluations, same setting|error, same "
                                       "setting|evaluations, same error|errors from|to");
    for (int p = 0; p < PAIRS; p++)
        for (int change = 0; change < MS_INPUT_CHANGES; change++) {
            const ms_smoothing_effect *e = &effects[change][p];
            ms_table_add(table, "ssooorr", schemes[pairs[p][0]].name, changes[change], cell(e->work),
                         cell(e->error), cell(e->equal), e->levels[0], e->levels[1]);
        }
}

/* The effect on F3ORNITS with other tolerances of the micro-solver. */
static int write_tolerances(ms_drawing *drawing, const ms_work_bench *b, ms_error *error)
{
    static const double tolerances[] = {1e-4, 1e-6};
    ms_table *table =
        ms_drawing_table(drawing, "solver", "F3ORNITS, where the micro-solver proceeds, over its tolerance",
                         "solver-rtol|evaluations, same setting|error, same setting|evaluations, same error");
    int status = MS_OK;
    for (int j = 0; j < MS_COUNT(tolerances) && status == MS_OK; j++) {
        ms_work_curve curve[2];
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < MS_SETTINGS && status == MS_OK; k++)
                status = run_point(drawing, b, changes[MS_PROCEED], s == 0 ? DAMPED : DAMPED_C1, k,
                                   tolerances[j], &curve[s].point[k], error);
        if (status != MS_OK)
            break;
        const ms_smoothing_effect effect = ms_smoothing_effect_of(&curve[0], &curve[1]);
        if (j == 0)
            ms_drawing_remark(drawing,
                              "The looser the micro-solver, the less there is to save: one micro-step a "
                              "macro-step is the least. With solver-rtol = %g smoothing makes %.2f times as "
                              "many evaluations at the same error (F3ORNITS, last table).",
                              tolerances[j], effect.equal[1]);
        ms_table_add(table, "rooo", tolerances[j], cell(effect.work), cell(effect.error), cell(effect.equal));
    }
    return status;
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* Middle values of a member of the effects, by scheme, for both input changes. */
static json_t *effects_json(ms_smoothing_effect effects[MS_INPUT_CHANGES][PAIRS], size_t member)
{
    json_t *all = json_object();
    for (int change = 0; change < MS_INPUT_CHANGES; change++) {
        json_t *of = json_object();
        for (int p = 0; p < PAIRS; p++) {
            const double *values = (const double *)(const void *)((const char *)&effects[change][p] + member);
            if (isfinite(values[1]))
                json_object_set_new(of, schemes[pairs[p][0]].name, json_real(values[1]));
        }
        json_object_set_new(all, changes[change], of);
    }
    return all;
}

/* Least and largest middle value over the F3ORNITS pairs that have one. */
static void range_of(const ms_smoothing_effect effects[PAIRS], size_t member, double range[2])
{
    range[0] = range[1] = NAN;
    for (int p = FIRST_F3ORNITS; p < PAIRS; p++) {
        const double *values = (const double *)(const void *)((const char *)&effects[p] + member);
        ms_widen(&range[0], &range[1], values[1]);
    }
}

/* Below 1 for all, for some, for none. */
static ms_verdict verdict_of(const double range[2])
{
    return range[1] < 1.0 ? MS_REPRODUCED : range[0] >= 1.0 ? MS_DEVIATES : MS_NOT_DETERMINED;
}

static void check_effects(ms_drawing *drawing, ms_smoothing_effect effects[MS_INPUT_CHANGES][PAIRS])
{
    double work[2], equal[2], restart[2];
    range_of(effects[MS_PROCEED], offsetof(ms_smoothing_effect, work), work);
    range_of(effects[MS_PROCEED], offsetof(ms_smoothing_effect, equal), equal);
    range_of(effects[MS_RESTART], offsetof(ms_smoothing_effect, equal), restart);
    ms_drawing_check(
        drawing,
        "F3ORNITS: C1 smoothing saves evaluations at the same tolerance, where the micro-solver proceeds",
        json_string(
            "the consequence would be a faster run for the same number of steps (Eguillon et al. 2022, 4.2)"),
        effects_json(effects, offsetof(ms_smoothing_effect, work)),
        json_string("with proceed, below 1 for each variant of F3ORNITS"), verdict_of(work),
        "Evaluations with smoothing over those without, geometric means over the settings. A solver that "
        "restarts at communication points anyhow cannot profit.");
    ms_drawing_check(drawing,
                     "F3ORNITS: C1 smoothing pays at the same error, where the micro-solver proceeds",
                     json_string("supposed, not measured (Eguillon et al. 2022, 4.2, 5)"),
                     effects_json(effects, offsetof(ms_smoothing_effect, equal)),
                     json_string("with proceed, below 1 for each variant of F3ORNITS"), verdict_of(equal),
                     "The same where both have the same error, geometric means over %d errors in the common "
                     "range: %.2f to %.2f over the variants where the solver proceeds, %.2f to %.2f where it "
                     "restarts. Above 1 the loss in accuracy costs more than smoothing saves.",
                     MS_LEVELS, equal[0], equal[1], restart[0], restart[1]);
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void plot_curves(ms_drawing *drawing, const char *file, const char *column)
{
    static const struct {
        int scheme, line, dash;
    } drawn[] = {{HELD, 9, 1},        {LINEAR, 2, 1},    {LINEAR_C1, 2, 2},  {PARABOLA, 7, 1},
                 {PARABOLA_C1, 7, 2}, {SEIDEL, 6, 1},    {RICHARDSON, 5, 1}, {RICHARDSON_C1, 5, 2},
                 {DAMPED, 3, 1},      {DAMPED_C1, 3, 2}, {MAGNITUDE, 4, 1},  {MAGNITUDE_C1, 4, 2}};
    for (int k = 0; k < MS_COUNT(drawn); k++)
        ms_drawing_curve(drawing,
                         "%s using (column('curve')==%d ? column('%s') : NaN):'error' with linespoints lt "
                         "%d lw 2 dashtype %d pt %d ps 0.8 title '%s'",
                         file, drawn[k].scheme, column, drawn[k].line, drawn[k].dash,
                         drawn[k].dash == 1 ? 7 : 6, schemes[drawn[k].scheme].name);
}

static void draw_picture(ms_drawing *drawing, const ms_work_bench *b)
{
    ms_drawing_picture(drawing, 1000, 820,
                       "set multiplot layout 2,2\n"
                       "set logscale xy\n"
                       "set format xy powers\n"
                       "set ylabel 'mean relative L_2 error of the states'\n"
                       "unset key\n"
                       "set tmargin 3\n"
                       "set xlabel 'macro-steps'\n"
                       "set title '%s'\n",
                       b->title);
    plot_curves(drawing, "csv", "macro_steps");
    ms_drawing_script(drawing, "set xlabel 'right-hand-side evaluations'\n"
                               "set title 'micro-solver restarts'\n");
    plot_curves(drawing, "csv", "evaluations");
    ms_drawing_script(drawing, "set title 'micro-solver proceeds'\n");
    plot_curves(drawing, "part('proceed')", "evaluations");
    /* The fourth place holds the key. */
    ms_drawing_script(drawing, "unset title\n"
                               "unset border\n"
                               "unset tics\n"
                               "unset xlabel\n"
                               "unset ylabel\n"
                               "set key inside center center vertical\n"
                               "set xrange [1:2]\n"
                               "set yrange [1e-30:2e-30]\n");
    plot_curves(drawing, "csv", "evaluations");
}

int ms_work_draw(ms_drawing *drawing, ms_error *error)
{
    const ms_work_bench *b = ms_drawing_subject(drawing);
    results all = {0};
    ms_smoothing_effect effects[MS_INPUT_CHANGES][PAIRS];
    int status = run_all(drawing, b, &all, error);
    if (status == MS_OK)
        status = write_tolerances(drawing, b, error);
    if (status != MS_OK)
        return status;
    for (int change = 0; change < MS_INPUT_CHANGES; change++)
        for (int p = 0; p < PAIRS; p++)
            effects[change][p] =
                ms_smoothing_effect_of(&all.curve[change][pairs[p][0]], &all.curve[change][pairs[p][1]]);
    write_curves(drawing, &all);
    write_effects(drawing, effects);
    check_effects(drawing, effects);
    draw_picture(drawing, b);
    ms_drawing_remark(drawing,
                      "%s. Step sizes are halved from %g s, tolerances go from 0.1 to 1e-4 (Richardson: 0.03 "
                      "to 6e-6) with atol = 0.01 rtol; CVODE's BDF has rtol 1e-8, atol 1e-10. Evaluations "
                      "are those of all subsystems, rejected macro-steps included, Jacobians not. A solver "
                      "that proceeds cannot roll back, so Richardson control has no such curve. Errors above "
                      "1 are left out: a car that does not see its speed, for one.",
                      b->title, b->largest);
    ms_drawing_remark(drawing,
                      "F3ORNITS can neither repeat its first macro-step nor look back at it: its inputs are "
                      "held, and that error stays however small the tolerance. Here the first step, which is "
                      "also the smallest, is %g s, a tenth of the finest of the fixed ones.",
                      0.1 * ldexp(b->largest, 1 - MS_SETTINGS));
    return MS_OK;
}
