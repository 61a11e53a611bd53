/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.2, Example 6.2.1: the double pendulum with constant extrapolation, without
 * and with linear correction, H = 0.01 s. Fig. 6.8.
 *
 * Drawn: models/double_pendulum.c, case `damped`, the physical pendulum; (6.57) as printed lacks the
 * damping term of the outputs. Chosen where nothing is printed: omega(0) = 0, g = 9.81 m/s^2, 5 s. */
#include <math.h>
#include <stdlib.h>

#include "andersson2016_6_2.h"
#include "figure.h"

/* Growth where rho > 1, for inputs that begin with the outputs for zero inputs. */
static int check_growth(ms_drawing *drawing, double m1, double m2, ms_data *data, ms_error *error)
{
    ms_study study;
    ms_pendulum_run run = {.m1 = m1, .m2 = m2};
    int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                              "run double-pendulum %s --initial-inputs zero --step-size %g",
                              ms_pendulum_tight, ms_drawing_published_number(drawing, "step_size"));
    if (status == MS_OK)
        status = ms_pendulum_follow(&study, &run, data, error);
    ms_study_destroy(&study);
    if (status != MS_OK)
        return status;
    ms_study_check(drawing,
                   "eigenvalues of DL along the motion: 0, 0, +-i sqrt(m2/m1) |sin(alpha2 - alpha1)|", NULL,
                   MS_REALS({"largest difference", run.formula}), json_real(1e-6), run.formula <= 1e-6,
                   "Not printed; derived from (6.57) and (6.59). Beside it LAPACK's eigenvalues of the "
                   "model's own matrices, every tenth macro-step.");
    ms_drawing_check(drawing,
                     "without correction: not coupling stable at the start; growth of the outputs' distance "
                     "from the solved loop per step while rho(DL) > 1",
                     json_string("unstable"),
                     MS_REALS({"observed", run.observed}, {"predicted, mean of rho(DL)", run.predicted},
                              {"until [s]", run.until}, {"grown by a factor of", run.largest / run.first}),
                     json_string("observed > 1, and 0.02 from the prediction"),
                     ms_verdict_of(run.observed > 1.0 && fabs(run.observed - run.predicted) <= 0.02),
                     "Inputs begin with the outputs for zero inputs, so that there is something to grow.");
    return MS_OK;
}

/* The largest difference of a state from the reference, given (nx a row) at every `parts`-th communication
 * point. */
static double error_at(const ms_trajectory *trajectory, const double *exact, long points, int parts)
{
    double largest = trajectory->rows > points * parts ? 0.0 : NAN;
    for (long n = 0; n <= points && !isnan(largest); n++)
        for (int j = 0; j < trajectory->nx; j++)
            largest = fmax(largest, fabs(ms_trajectory_row(trajectory, n * parts)[1 + j] -
                                         exact[n * trajectory->nx + j]));
    return largest;
}

/* One row of the table of starts. *exact: the reference at multiples of 0.01 s, made by the first call of
 * a case. */
static int try_start(ms_drawing *drawing, const char *model_case, const char *start, int parts,
                     double **exact, ms_table *table, ms_error *error)
{
    const double h = 0.01;
    const long points = 500;
    double largest[2] = {NAN, NAN};
    ms_pendulum_run run = {.m1 = 1.0, .m2 = 1.5};
    for (int corrected = 0; corrected < 2; corrected++) {
        ms_study study;
        int status =
            ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                         "run double-pendulum --case %s %s --initial-inputs %s --step-size %g%s", model_case,
                         ms_pendulum_loose, start, h / parts, corrected ? " --linear-correction" : "");
        if (status == MS_OK)
            status = ms_study_reference_once(&study, exact, error);
        if (status == MS_OK && !corrected)
            status = ms_pendulum_follow(&study, &run, NULL, error);
        if (status == MS_OK)
            largest[corrected] = error_at(&study.simulation.trajectory, *exact, points, parts);
        ms_study_destroy(&study);
        if (status != MS_OK)
            return status;
    }
    ms_table_add(table, "ssrrrr", model_case, start, h / parts, largest[0], run.largest, largest[1]);
    return MS_OK;
}

/* Does the verdict depend on the case, the start, the step size? */
static int tabulate_starts(ms_drawing *drawing, ms_error *error)
{
    static const char *const names[] = {"damped", "as-printed"}, *const starts[] = {"consistent", "zero"};
    ms_table *table = ms_drawing_table(
        drawing, "starts", "Constant extrapolation without and with correction (empty: diverged)",
        "case|inputs at the start|H [s]|largest error without|largest distance r without|largest error with");
    int status = MS_OK;
    for (int c = 0; c < MS_COUNT(names); c++) {
        double *exact = NULL;
        for (int s = 0; s < MS_COUNT(starts); s++)
            for (int parts = 1; parts <= 8 && status == MS_OK; parts *= 2)
                status = try_start(drawing, names[c], starts[s], parts, &exact, table, error);
        free(exact);
    }
    return status;
}

/* The claim that the text cites from [41]: m1 < m2 is not coupling stable. */
static int study_masses(ms_drawing *drawing, ms_error *error)
{
    static const struct {
        double m2, alpha1, alpha2;
    } simulations[] = {{0.5, -1.0, 0.3}, {0.9, -1.0, 0.3},  {1.1, -1.0, 0.3}, {1.5, -1.0, 0.3},
                       {3.0, -1.0, 0.3}, {1.5, -0.3, -0.2}, {3.0, -0.3, -0.2}};
    const double h = 0.0025;
    ms_table *table = ms_drawing_table(
        drawing, "masses", "Constant extrapolation without correction, H = 0.0025 s, m1 = 1 kg",
        "m2 [kg]|alpha1(0)|alpha2(0)|sqrt(m2/m1)|largest rho(DL) of the motion|largest distance r over r_1");
    bool lighter = true, by_rho = true, heavier = true;
    for (int k = 0; k < MS_COUNT(simulations); k++) {
        ms_study study;
        ms_pendulum_run run = {.m1 = 1.0, .m2 = simulations[k].m2};
        double rho = NAN;
        int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                                  "run double-pendulum --set m2=%g --set alpha1=%g --set alpha2=%g %s "
                                  "--initial-inputs zero --step-size %g",
                                  simulations[k].m2, simulations[k].alpha1, simulations[k].alpha2,
                                  ms_pendulum_loose, h);
        if (status == MS_OK)
            status = ms_pendulum_follow(&study, &run, NULL, error);
        if (status == MS_OK)
            status = ms_pendulum_reference(&study, 1.0, simulations[k].m2, NULL, &rho, error);
        ms_study_destroy(&study);
        if (status != MS_OK)
            return status;
        const bool grows = run.largest > 1.01 * run.first;
        lighter &= simulations[k].m2 > 1.0 || !grows;
        heavier &= simulations[k].m2 < 1.0 || grows;
        by_rho &= grows == (rho > 1.0);
        ms_table_add(table, "rrrrrr", simulations[k].m2, simulations[k].alpha1, simulations[k].alpha2,
                     sqrt(simulations[k].m2), rho, run.largest / run.first);
    }
    ms_study_check(drawing, "not coupling stable if m1 < m2 (cited from [41])", "cited",
                   json_pack("{s:b, s:b, s:b}", "every motion with m2 < m1 is stable", lighter,
                             "every motion with m2 > m1 is unstable", heavier,
                             "unstable exactly where rho(DL) > 1 somewhere on the motion", by_rho),
                   json_string("grows: beyond 1.01 times its start"), lighter && by_rho,
                   "As a statement on the worst position, |sin(alpha2 - alpha1)| = 1. On a motion it is "
                   "rho(DL) = sqrt(m2/m1) |sin(alpha2 - alpha1)| > 1 that decides: with m1 < m2 and nearly "
                   "parallel pendulums nothing grows (table of masses).");
    return MS_OK;
}

/* The drawn runs, and what the caption says of them. */
static int check_constant(ms_drawing *drawing, double m1, double m2, ms_error *error)
{
    const double h = ms_drawing_published_number(drawing, "step_size");
    double errors[2] = {NAN, NAN}, largest_rho = NAN, unused;
    ms_pendulum_run run = {.m1 = m1, .m2 = m2};
    bool ended[2] = {false, false};
    for (int corrected = 0; corrected < 2; corrected++) {
        ms_study study;
        int status = ms_study_run(drawing, &(ms_simulation_options){.trajectory = true, .errors = true},
                                  &study, error, "run double-pendulum %s --step-size %g%s", ms_pendulum_tight,
                                  h, corrected ? " --linear-correction" : "");
        ended[corrected] = status == MS_OK && study.simulation.result.reason == MS_REASON_END_TIME;
        errors[corrected] = study.simulation.errors.max;
        if (status == MS_OK && corrected) {
            ms_pendulum_motion(&study, INFINITY, &unused,
                               ms_drawing_data(drawing, "corrected", "time,omega1,omega2,fx"));
            status = ms_pendulum_reference(&study, m1, m2,
                                           ms_drawing_data(drawing, "reference", "time,omega1,omega2,rho"),
                                           &largest_rho, error);
        } else if (status == MS_OK) {
            status = ms_pendulum_follow(
                &study, &run, ms_drawing_data(drawing, "", "time,omega1,omega2,fx,rho,distance,predicted"),
                error);
        }
        ms_study_destroy(&study);
        if (status != MS_OK)
            return status;
    }
    ms_drawing_check(
        drawing, "without correction: unstable at H = 0.01 s",
        json_string(ms_drawing_published_text(drawing, "inconsistent")),
        json_pack("{s:s, s:o, s:o, s:f}", "ends", ended[0] ? "at 5 s" : "early", "largest error (rad, rad/s)",
                  ms_json_real(errors[0]), "with correction", ms_json_real(errors[1]),
                  "largest rho(DL) of the motion", largest_rho),
        NULL, ended[0] ? MS_NOT_DETERMINED : MS_REPRODUCED,
        "rho(DL) > 1 on stretches of the motion only. Oscillations grow there and fade where rho(DL) < 1, so "
        "that with H = 0.01 s the run reaches its end in both cases and for both starts; with smaller H "
        "there are more steps on a stretch, and the error no longer falls with H (table of starts). The "
        "caption has no measure of `unstable`, and the published curves are lost.");
    ms_study_claim(drawing, "with correction: stable at H = 0.01 s", "corrected",
                   json_pack("{s:s, s:o}", "ends", ended[1] ? "at 5 s" : "early",
                             "largest error (rad, rad/s)", ms_json_real(errors[1])),
                   ended[1],
                   "The outputs are solved in every step; what remains is the coupling error of Fig. 6.9.");
    return MS_OK;
}

static int draw_fig6_8(ms_drawing *drawing, ms_error *error)
{
    const double m1 = ms_drawing_published_number(drawing, "masses.0"),
                 m2 = ms_drawing_published_number(drawing, "masses.1");
    int status = check_constant(drawing, m1, m2, error);
    if (status == MS_OK)
        status = check_growth(
            drawing, m1, m2, ms_drawing_data(drawing, "zero", "time,omega1,omega2,fx,rho,distance,predicted"),
            error);
    if (status == MS_OK)
        status = study_masses(drawing, error);
    if (status == MS_OK)
        status = tabulate_starts(drawing, error);
    ms_drawing_remark(
        drawing,
        "Drawn is the case `damped`, because (6.57) as printed is not the pendulum of the text: it lacks the "
        "damping term. The table of starts has both; no verdict depends on it. Zero inputs: the inputs of "
        "the first step are the outputs for zero inputs, the usual start where a tool cannot solve the loop. "
        "|r|: distance of the outputs from the solved loop, sqrt(|a|^2 + |f|^2 / (m1 m2)); dashed: |r_1| "
        "times the product of rho(DL) so far. f_x: force on the upper tip.");
    ms_drawing_picture(
        drawing, 960, 1060,
        "set multiplot layout 3,2\n"
        "set lmargin 9\nset rmargin 3\n"
        "set xlabel 'time t / s'\nset xrange [0:5]\n"
        "set ylabel 'ω / (rad/s)'\nset yrange [-6:6]\n"
        "set title 'without correction'\n"
        "plot csv using 'time':'omega1' with lines lt 2 lw 2.6 title 'ω_1', \\\n"
        "    csv using 'time':'omega2' with lines lt 5 lw 2.6 title 'ω_2', \\\n"
        "    part('reference') using 'time':'omega1' with lines lt 1 lw 1 title 'reference', \\\n"
        "    '' using 'time':'omega2' with lines lt 1 lw 1 notitle\n"
        "set title 'with linear correction'\n"
        "plot part('corrected') using 'time':'omega1' with lines lt 2 lw 2.6 title 'ω_1', \\\n"
        "    '' using 'time':'omega2' with lines lt 5 lw 2.6 title 'ω_2', \\\n"
        "    part('reference') using 'time':'omega1' with lines lt 1 lw 1 title 'reference', \\\n"
        "    '' using 'time':'omega2' with lines lt 1 lw 1 notitle\n"
        "set ylabel 'force f_x / N'\nset yrange [-45:45]\n"
        "set title 'without correction'\n"
        "plot part('zero') using 'time':'fx' with lines lt 3 lw 1.2 title 'zero inputs', \\\n"
        "    csv using 'time':'fx' with lines lt 2 lw 1.6 title 'consistent'\n"
        "set title 'with linear correction'\n"
        "plot part('corrected') using 'time':'fx' with lines lt 2 lw 1.6 title 'consistent'\n"
        "set title 'without correction'\n"
        "set ylabel '|r| / (m/s^2)'\nset logscale y\nset format y powers\nset yrange [1e-2:1e3]\n"
        "plot part('zero') using 'time':'distance' with lines lt 3 title 'zero inputs', \\\n"
        "    csv using 'time':'distance' with lines lt 2 title 'consistent', \\\n"
        "    part('zero') using 'time':'predicted' with lines lt 1 lw 1 dashtype 2 title '|r_1| times all "
        "ρ(DL) since'\n"
        "unset logscale y\nset format y '%%.6g'\nset yrange [0:1.4]\n"
        "set title 'on the reference'\n"
        "set ylabel 'ρ(DL)'\n"
        "plot 1 with lines lt 1 lw 1 dashtype 2 notitle, \\\n"
        "    part('reference') using 'time':'rho' with lines lt 4 lw 2 title 'ρ(DL)'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig6_8 = {
    "andersson2016:fig6.8", "Double pendulum: constant extrapolation without and with linear correction",
    "Andersson (2016), Fig. 6.8, Example 6.2.1", .draw = draw_fig6_8};

/* Andersson (2016), section 6.2.1, Example 6.2.2: the double pendulum with linear extrapolation, without
 * and with linear correction, H = 0.01 s. Fig. 6.10.
 *
 * Drawn: models/double_pendulum.c, case `damped`, with what Example 6.2.1 leaves open chosen as in Fig.
 * 6.8. */

enum { CASES = 2, READINGS = 2 };

static const struct {
    const char *name, *options;
} readings[READINGS] = {
    {"exact output derivatives", "--derivatives analytic"},
    {"past values", "--derivatives differences"},
};

static const char *const cases[CASES] = {"damped", "as-printed"};

/* Force beyond which a curve leaves the axes [N]. */
static const double drawn_force = 60.0;

static int check_linear(ms_drawing *drawing, int c, int reading, bool corrected, double *end, ms_error *error)
{
    ms_study study;
    double left_at = NAN, unused;
    int status = ms_study_run(
        drawing, &(ms_simulation_options){.trajectory = true, .errors = true}, &study, error,
        "run double-pendulum --case %s --extrapolation-order 1 %s %s --step-size %g%s", cases[c],
        readings[reading].options, corrected ? ms_pendulum_tight : ms_pendulum_loose,
        ms_drawing_published_number(drawing, "step_size"), corrected ? " --linear-correction" : "");
    const char *key = corrected ? "corrected" : "inconsistent";
    const ms_simulation *simulation = &study.simulation;
    if (status == MS_OK) {
        ms_pendulum_motion(&study, drawn_force, &left_at,
                           c == 0 ? ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-%d", key, reading),
                                                    "time,omega1,omega2,fx")
                                  : NULL);
        if (c == 0 && reading == 0 && corrected)
            status = ms_pendulum_reference(&study, 1.0, 1.5,
                                           ms_drawing_data(drawing, "reference", "time,omega1,omega2,rho"),
                                           &unused, error);
        const bool ended = simulation->result.reason == MS_REASON_END_TIME;
        *end = simulation->result.end_time;
        ms_study_claim(drawing,
                       ms_drawing_text(drawing, "%s correction, %s, case %s", corrected ? "with" : "without",
                                       readings[reading].name, cases[c]),
                       key,
                       json_pack("{s:s, s:f, s:o, s:o}", "ends", ms_reason_name(simulation->result.reason),
                                 "at [s]", simulation->result.end_time, "|fx| > 60 N from [s]",
                                 ms_json_real(left_at), "largest error (rad, rad/s)",
                                 ms_json_real(simulation->errors.max)),
                       ended == corrected,
                       corrected ? "What remains is the coupling error of Fig. 6.11."
                                 : "Diverged: a value beyond 1e12 times the start's.");
    }
    ms_study_destroy(&study);
    return status;
}

static int draw_fig6_10(ms_drawing *drawing, ms_error *error)
{
    double end[CASES][READINGS][2];
    for (int c = 0; c < CASES; c++)
        for (int reading = 0; reading < READINGS; reading++)
            for (int corrected = 0; corrected < 2; corrected++) {
                const int status =
                    check_linear(drawing, c, reading, corrected != 0, &end[c][reading][corrected], error);
                if (status != MS_OK)
                    return status;
            }
    ms_drawing_remark(
        drawing,
        "Drawn is the case `damped`; as printed, without the damping term of (6.57), all verdicts are the "
        "same. Algorithm 6 takes output derivatives from the subsystems; beside them stands extrapolation "
        "through past values. Curves end where they leave the axes; f_x is the force on the upper tip.");
    ms_drawing_picture(
        drawing, 960, 760,
        "names = 'inconsistent corrected'\n"
        "array titles[2] = [\"without correction\\nbeyond 10^{12} at %.2g s and %.2g s\", \"with linear "
        "correction\\nall lie on each other\"]\n"
        "keep(value, limit) = abs(value) < limit ? value : NaN\n"
        "set multiplot layout 2,2\nset lmargin 9\nset rmargin 3\n"
        "set xlabel 'time t / s'\nset xrange [0:5]\n"
        "set ylabel 'ω_1 / (rad/s)'\nset yrange [-8:8]\n"
        "do for [k = 1:2] {\n"
        "    set title titles[k]\n"
        "    plot part(word(names, k).'-0') using 'time':(keep(column('omega1'), 24)) with lines lt 2 lw 2 "
        "\\\n"
        "        title 'exact derivatives', \\\n"
        "        part(word(names, k).'-1') using 'time':(keep(column('omega1'), 24)) with lines lt 3 lw 1.2 "
        "\\\n"
        "        title 'past values', \\\n"
        "        part('reference') using 'time':'omega1' with lines lt 1 lw 1 title 'reference'\n"
        "}\n"
        "set ylabel 'force f_x / N'\nset yrange [-%g:%g]\n"
        "do for [k = 1:2] {\n"
        "    set title titles[k]\n"
        "    plot part(word(names, k).'-0') using 'time':(keep(column('fx'), 600)) with lines lt 2 lw 2 \\\n"
        "        title 'exact derivatives', \\\n"
        "        part(word(names, k).'-1') using 'time':(keep(column('fx'), 600)) with lines lt 3 lw 1.2 \\\n"
        "        title 'past values'\n"
        "}\n",
        end[0][0][0], end[0][1][0], drawn_force, drawn_force);
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig6_10 = {
    "andersson2016:fig6.10", "Double pendulum: linear extrapolation without and with linear correction",
    "Andersson (2016), Fig. 6.10, Example 6.2.2", .draw = draw_fig6_10};
