/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moshagen (2021), section 6.3.1: the energy of the spring-mass system with negotiated power, H = 0.375 s and
 * smaller, and what happens where an output passes zero. Fig. 12.
 *
 * Printed are H = 0.375, 0.1825, 0.09125. Halving 0.375 gives 0.1875 and 0.09375; halving 0.1825 gives
 * 0.09125: both sequences are drawn. The time that the figure covers is not printed: 75 s, as in Figs 10 and
 * 11. */
#include <math.h>

#include "figure.h"
#include "macrostep_power.h"
#include "study.h"

enum { RUNS = 5, POINTWISE = 4, TOLERANCES = 3, FREE = 4 };

/* As printed, and halved. */
static const struct {
    double step;
    const char *part;
} runs[RUNS] = {{0.375, "0"}, {0.1825, "1"}, {0.09125, "2"}, {0.1875, "halved-1"}, {0.09375, "halved-2"}};

/* A change of the energy counts as none where it is this much smaller than those at the zeros of the same
 * run. */
static const double negligible = 1e-4;

typedef struct results {
    ms_power_monitor run[RUNS];
    ms_run_result end[RUNS];
    double by_tolerance[TOLERANCES]; /* largest |change| by the law at H = 0.1825 s */
    ms_power_monitor pointwise[POINTWISE];
    ms_run_result pointwise_end[POINTWISE];
    double free[FREE]; /* |E/E(0) - 1| without zeros */
} results;

static const double tolerances[TOLERANCES] = {1e-7, 1e-9, 1e-11};
static const double thresholds[POINTWISE] = {0.01, 0.03, 0.1, 0.2};
static const double free_limit = 1e-10; /* ten times the relative tolerance of the micro-solver */
static const double free_steps[FREE] = {0.1, 0.05, 0.025, 0.0125};

/* Measuring ---------------------------------------------------------------------------------------------- */

static int measure_runs(ms_drawing *drawing, results *r, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < RUNS && status == MS_OK; k++) {
        r->run[k].data = ms_drawing_data(drawing, runs[k].part, "time,energy,law,fallback");
        status = ms_power_study(drawing, &r->run[k], &r->end[k], error,
                                ms_drawing_text(drawing, "run spring-mass " MS_POWER_SCHEME " --step-size %g",
                                                "step", 1.5, runs[k].step));
    }
    for (int k = 0; k < POINTWISE && status == MS_OK; k++)
        status = ms_power_study(drawing, &r->pointwise[k], &r->pointwise_end[k], error,
                                ms_drawing_text(drawing, "run spring-mass " MS_POWER_SCHEME " --step-size %g",
                                                "pointwise", thresholds[k], runs[0].step));
    return status;
}

/* The solver's tolerance at H = 0.1825 s, and a stretch of motion without zeros: one mass from s = 1 m, v = 1
 * m/s reaches v = 0 at pi/4 s. */
static int measure_away(ms_drawing *drawing, results *r, ms_error *error)
{
    ms_power_monitor monitor = {0};
    ms_run_result result;
    int status = MS_OK;
    for (int k = 0; k < TOLERANCES && status == MS_OK; k++) {
        status = ms_power_study(
            drawing, &monitor, &result, error,
            ms_drawing_text(drawing,
                            "run spring-mass --scheme power --extrapolation-order 1 --fallback step "
                            "--fallback-threshold 1.5 "
                            "--solver gsl-rk8pd --solver-rtol %g --solver-atol %g --step-size %g",
                            tolerances[k], 0.1 * tolerances[k], runs[1].step));
        r->by_tolerance[k] = monitor.largest[MS_POWER_LAW];
    }
    for (int k = 0; k < FREE && status == MS_OK; k++) {
        status = ms_power_study(drawing, &monitor, &result, error,
                                ms_drawing_text(drawing,
                                                "run oscillator-chain --set masses=1 " MS_POWER_SCHEME
                                                " --step-size %g --stop-time 0.6",
                                                "step", 1.5, free_steps[k]));
        r->free[k] = monitor.steps[MS_POWER_FALLBACK] == 0 ? ms_power_deviation(&monitor) : NAN;
    }
    return status;
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* The largest change by the law against the largest one elsewhere, over all runs. */
static double largest_share(const results *r)
{
    double share = 0.0;
    for (int k = 0; k < RUNS; k++)
        share = fmax(share, r->run[k].largest[MS_POWER_LAW] / r->run[k].largest[MS_POWER_FALLBACK]);
    return share;
}

/* One object a run. */
static json_t *per_run(ms_drawing *drawing, const results *r,
                       json_t *(*describe)(const ms_power_monitor *monitor))
{
    json_t *all = json_object();
    for (int k = 0; k < RUNS; k++)
        json_object_set_new(all, ms_drawing_text(drawing, "H = %g s", runs[k].step), describe(&r->run[k]));
    return all;
}

static json_t *describe_crossings(const ms_power_monitor *w)
{
    return json_pack("{s:i, s:f, s:f, s:f}", "macro-steps", (int)w->steps[MS_POWER_FALLBACK],
                     "largest |change| / E(0)", w->largest[MS_POWER_FALLBACK], "produced / E(0)",
                     w->gain[MS_POWER_FALLBACK], "consumed / E(0)", -w->loss[MS_POWER_FALLBACK]);
}

static json_t *describe_law(const ms_power_monitor *w)
{
    return json_pack("{s:i, s:f, s:f}", "macro-steps", (int)w->steps[MS_POWER_LAW], "largest |change| / E(0)",
                     w->largest[MS_POWER_LAW], "sum of changes / E(0)",
                     w->gain[MS_POWER_LAW] + w->loss[MS_POWER_LAW]);
}

static json_t *describe_end(const ms_power_monitor *w)
{
    return MS_REALS({"E(75 s)/E(0)", w->end}, {"largest |E/E(0) - 1|", ms_power_deviation(w)});
}

static void check_crossings(ms_drawing *drawing, const results *r)
{
    bool both = true;
    for (int k = 0; k < RUNS; k++) {
        const double none = negligible * r->run[k].largest[MS_POWER_FALLBACK];
        both &= r->run[k].gain[MS_POWER_FALLBACK] > none && r->run[k].loss[MS_POWER_FALLBACK] < -none;
    }
    ms_study_claim(drawing, "macro-steps near zeros of a denominator produce or consume energy", "crossings",
                   per_run(drawing, r, describe_crossings), both && largest_share(r) < negligible,
                   "Macro-steps with an extrapolated end (|y| < 1.5 H |y'|) or with a zero inside; some "
                   "produce, some consume.");
    ms_study_check(drawing, "macro-steps away from them conserve it", "away",
                   per_run(drawing, r, describe_law),
                   json_pack("s", "at most 1e-4 of the largest change at a zero in the same run"),
                   largest_share(r) < negligible,
                   "Macro-steps with the law at both ends. What is left belongs to the micro-solver, "
                   "relative tolerance 1e-11, see the next check.");
}

static void check_away(ms_drawing *drawing, const results *r)
{
    const double ratio = r->by_tolerance[0] / r->by_tolerance[TOLERANCES - 1];
    double free = 0.0;
    for (int k = 0; k < FREE; k++)
        free = r->free[k] <= free ? free : r->free[k];
    ms_study_claim(drawing, "what remains away from the zeros is the error of the micro-solver", "without",
                   json_pack("{s:o, s:o}", "relative tolerances", ms_json_of_vector(TOLERANCES, tolerances),
                             "largest |change| / E(0)", ms_json_of_vector(TOLERANCES, r->by_tolerance)),
                   ratio > 100.0, "H = %g s; the changes follow the tolerance, not the step size.",
                   runs[1].step);
    ms_study_check(drawing, "motion without zeros has no sources", "no_division",
                   json_pack("{s:o, s:o}", "step sizes [s]", ms_json_of_vector(FREE, free_steps),
                             "largest |E/E(0) - 1|", ms_json_of_vector(FREE, r->free)),
                   json_real(free_limit), free <= free_limit,
                   "Tried on a stretch of motion that ends before a zero: one mass and one spring from s = 1 "
                   "m, v = 1 m/s, 0.6 s. There is no model here whose outputs never pass zero.");
}

static void check_source(ms_drawing *drawing, const results *r)
{
    json_t *hopital = json_object();
    bool rises = true;
    int ended = 0;
    for (int k = 0; k < POINTWISE; k++) {
        const ms_power_monitor *w = &r->pointwise[k];
        const bool to_end = r->pointwise_end[k].reason == MS_REASON_END_TIME;
        ended += to_end;
        rises &= w->end > 1.05 || !to_end;
        json_object_set_new(hopital, ms_drawing_text(drawing, "threshold %g", thresholds[k]),
                            json_pack("{s:s, s:f, s:f}", "ends", ms_reason_name(r->pointwise_end[k].reason),
                                      "at [s]", r->pointwise_end[k].end_time, "last E/E(0)", w->end));
    }
    const double large = ms_power_deviation(&r->run[0]);
    ms_study_claim(drawing, "for bigger step sizes the zeros are a source of energy", "source",
                   per_run(drawing, r, describe_end),
                   r->run[0].end > 1.05 && large > 10.0 * ms_power_deviation(&r->run[1]) &&
                       large > 10.0 * ms_power_deviation(&r->run[3]),
                   "At H = 0.375 s more is produced than consumed. At the smaller step sizes shown the "
                   "balance has no fixed sign.");
    ms_study_claim(
        drawing, "they are one with d'Hopital's rule as well", "hopital", hopital, rises && ended > 0,
        "The rule taken pointwise, below a threshold of |y| (s c or v), H = 0.375 s: runs that reach their "
        "end have more than 1.05 E(0); others end early because the inverse has no solution.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(
        drawing, 1180, 780,
        "set multiplot\n"
        "array titles[3] = ['H = 0.375 s', 'H = 0.1825 s', 'H = 0.09125 s']\n"
        "array halved[3] = ['', 'H = 0.1875 s', 'H = 0.09375 s']\n"
        "array colours[3] = [1, 2, 4]\narray lighter[3] = [0, 5, 7]\n"
        "array left[3] = [0.075, 0.405, 0.735]\n"
        "set xlabel 'time t / s'\n"
        "do for [k = 1:3] {\n"
        "    column = sprintf('%%d', k - 1)\n"
        "    set lmargin at screen left[k]\nset rmargin at screen left[k] + 0.250\n"
        "    set tmargin at screen 0.90\nset bmargin at screen 0.60\n"
        "    set xrange [0:75]\nset yrange [*:*]\nunset logscale y\nset format y '%%.6g'\n"
        "    set ylabel k == 1 ? 'energy E / E(0)' : ''\n"
        "    set key at screen left[k] + 0.125,0.985 center top vertical maxrows 1\n"
        "    if (k == 1) {\n"
        "        plot part(column) using 'time':'energy' with lines lt colours[k] lw 1.4 title titles[k]\n"
        "    } else {\n"
        "        plot part(column) using 'time':'energy' with lines lt colours[k] lw 1.4 title titles[k], "
        "\\\n"
        "            part('halved-'.column) using 'time':'energy' with lines lt lighter[k] lw 1.2 title "
        "halved[k]\n"
        "    }\n"
        "    set tmargin at screen 0.44\nset bmargin at screen 0.09\n"
        "    set xrange [0:20]\nset logscale y\nset yrange [1e-15:1]\nset format y powers\n"
        "    set ylabel k == 1 ? '|change of E| / E(0) in a macro-step' : ''\n"
        "    if (k == 2) { set key at screen 0.53,0.515 center top vertical maxrows 1 } else { unset key }\n"
        "    plot part(column) using 'time':'law' with points lt 2 pt 7 ps 0.4 title 'law at both ends', \\\n"
        "        part(column) using 'time':'fallback' with points lt 3 pt 7 ps 0.4 \\\n"
        "            title 'an end extrapolated, or a zero inside', \\\n"
        "        1e-11 with lines lt 9 lw 1.2 dashtype 2 title 'tolerance of the micro-solver'\n"
        "}\n");
}

static int draw_fig12(ms_drawing *drawing, ms_error *error)
{
    results r = {0};
    int status = measure_runs(drawing, &r, error);
    if (status == MS_OK)
        status = measure_away(drawing, &r, error);
    if (status != MS_OK)
        return status;
    check_crossings(drawing, &r);
    check_away(drawing, &r);
    check_source(drawing, &r);
    draw_picture(drawing);
    ms_drawing_remark(
        drawing,
        "0.1825 s is not half of 0.375 s, but 0.09125 s is half of 0.1825 s: printed steps and halved ones "
        "(0.1875 s, 0.09375 s) are both shown. The rule `step` extrapolates an end for a macro-step where "
        "|y| < theta H |y'|, theta = 1.5. On this model y(tau)^2 = (y + y' tau)^2 - (omega y tau)^2 under "
        "the law, which stays positive over a macro-step for all |y| >= theta H |y'| only if theta >= 1/(1 - "
        "omega H): 1.6 for H = 0.375 s. That this run ends is luck (see macrostep:power-fallback).");
    return MS_OK;
}

const ms_figure ms_figure_moshagen2021_fig12 = {
    "moshagen2021:fig12",
    "Spring-mass with negotiated power: energy where a denominator passes zero, and away from there",
    "Moshagen (2021), Fig. 12, section 6.3.1", .draw = draw_fig12};
