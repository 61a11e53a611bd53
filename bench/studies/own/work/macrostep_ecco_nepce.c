/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_ecco_nepce.c - energy-controlled steps and energy-preserving inputs on the bonded quarter car: error, and energy that
 * the coupling has produced, over macro-steps.
 *
 * Known beforehand, for held inputs F of the chassis and v of the wheel, whose ledgers have F_n v(t) and F(t) v_n:
 *
 *     - errors have order 1, and so has the energy, (H/2) int (F v' - F' v) dt; with exact integrals of what inputs missed both have
 *       order 2, by the trapezoidal rule errors have order 1 again, as F jumps with v at communication points;
 *     - ECCO estimates |F_n v_{n+1} - F_{n+1} v_n| h, which falls as h^2, and settles where that is 0.99^(1/0.15) of the
 *       tolerance: steps are as the square root of it, as are errors of order 1. The estimate has zeros t_0, around which steps are as
 *       |t - t_0|^(-1/2): errors of order 1, int h dt, do not mind, those of order 2, int h^2 dt, are as the tolerance times its
 *       logarithm, a power of 1/steps that is less than 2 by some tenths. (2 was supposed at first.)
 *     - where the motion has the amplitude A(t) the estimate is as A^2 h^2, hence steps as c/A. Errors of held inputs are as int A h dt:
 *       c T, with int A/c dt steps; of equal steps h int A dt, with T/h. Error times steps is T int A dt for both: ECCO gains
 *       nothing there that a constant would not hide. (Supposed at first was that it gains where a motion decays; runs said
 *       otherwise, and the sum why.)
 *
 * The papers claim up to 93 % less error of ECCO and up to 98 % of NEPCE on a quarter car, linear and with a damper of power 1/2; the
 * runs behind that are not known here. */
#include <math.h>

#include "figure.h"
#include "macrostep_work_precision.h"

enum { HELD, TRAPEZOID, EXACT, ECCO, BOTH, MEMBERS, DAMPERS = 2, FINE = 2 };

static const struct {
    const char *name, *options;
    bool controlled;
} members[MEMBERS] = {
    [HELD] = {"held", "--scheme jacobi", false},
    [TRAPEZOID] = {"nepce, trapezoidal rule", "--scheme nepce", false},
    [EXACT] = {"nepce, exact integrals", "--scheme nepce --balance-integral exact", false},
    [ECCO] = {"held, ecco", "--scheme jacobi", true},
    [BOTH] = {"nepce, exact integrals, ecco", "--scheme nepce --balance-integral exact", true},
};

static const struct {
    const char *name, *options;
} dampers[DAMPERS] = {{"linear damper", ""}, {"damper of power 1/2", " --set damper_exponent=0.5"}};

static const double longest = 0.008;                              /* equal steps [s], then halved */
static const double finest[FINE] = {1.0 / 8000.0, 1.0 / 32000.0}; /* [s] */
static const double loosest = 0.5; /* tolerance [J], then a quarter of the one before */

typedef struct results {
    ms_work_curve error[MEMBERS],
        energy[MEMBERS]; /* evaluations: macro-steps; error: that, or |energy| [J] */
    double fine[FINE];   /* energy of exact integrals at short steps [J] */
} results;

/* Runs --------------------------------------------------------------------------------------------------- */

static int run_point(ms_drawing *drawing, int damper, int member, int k, results *r, ms_error *error)
{
    ms_study study;
    const bool controlled = members[member].controlled;
    const double setting = controlled ? ldexp(loosest, -2 * k) : ldexp(longest, -k);
    const char *step = controlled
                           ? ms_drawing_text(drawing,
                                             "--error-controlled ecco --safety 0.99 --rtol 1e-6 --atol %.17g "
                                             "--step-size %.17g --min-step 1e-6 --max-step 0.02",
                                             setting, 1e-3 * ldexp(1.0, -k))
                           : ms_drawing_text(drawing, "--step-size %.17g", setting);
    const int status =
        ms_study_run(drawing, &ms_simulation_errors, &study, error, "run quarter-car --case bonded%s %s %s",
                     dampers[damper].options, members[member].options, step);
    ms_work_point *point = &r->error[member].point[k], *energy = &r->energy[member].point[k];
    *point = ms_work_point_of(setting, &study.simulation);
    point->evaluations = point->steps;
    *energy = *point;
    energy->error = isfinite(point->error) ? fabs(study.simulation.energy.residual) : NAN;
    ms_study_destroy(&study);
    return status;
}

static int run_fine(ms_drawing *drawing, results *r, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < FINE && status == MS_OK; k++) {
        ms_study study;
        status = ms_study_run(drawing, NULL, &study, error,
                              "run quarter-car --case bonded %s --errors none --step-size %.17g",
                              members[EXACT].options, finest[k]);
        r->fine[k] = status == MS_OK ? study.simulation.energy.residual : NAN;
        ms_study_destroy(&study);
    }
    return status;
}

/* Findings ----------------------------------------------------------------------------------------------- */

/* The power of the number of macro-steps in what a curve shows, over its last half. */
static double power_of(const ms_work_curve *curve)
{
    const ms_work_point *a = &curve->point[MS_SETTINGS / 2 - 1], *b = &curve->point[MS_SETTINGS - 1];
    return ms_observed_order(a->error, b->error, b->steps, a->steps);
}

/* What equal steps of the same number have, between points on double logarithmic scales; NaN outside. */
static double at_steps(const ms_work_curve *curve, double steps)
{
    for (int k = 0; k + 1 < MS_SETTINGS; k++) {
        const ms_work_point *a = &curve->point[k], *b = &curve->point[k + 1];
        if (a->steps <= steps && steps <= b->steps)
            return a->error * pow(b->error / a->error, log(steps / a->steps) / log(b->steps / a->steps));
    }
    return NAN;
}

/* Least and largest error times macro-steps of a member over that of held inputs and as many equal steps. */
static void compare(const results *r, int member, double ratio[2])
{
    ratio[0] = INFINITY;
    ratio[1] = -INFINITY;
    for (int k = 0; k < MS_SETTINGS; k++) {
        const ms_work_point *p = &r->error[member].point[k];
        ms_widen(&ratio[0], &ratio[1], p->error / at_steps(&r->error[HELD], p->steps));
    }
}

static void check_orders(ms_drawing *drawing, const results *linear)
{
    static const struct {
        int member;
        double order, energy; /* NaN: nothing is expected */
    } expected[] = {
        {HELD, 1.0, 1.0}, {TRAPEZOID, 1.0, NAN}, {EXACT, 2.0, NAN}, {ECCO, 1.0, NAN}, {BOTH, 1.8, NAN}};
    for (int e = 0; e < MS_COUNT(expected); e++) {
        const int m = expected[e].member;
        ms_drawing_check_number(
            drawing, ms_drawing_text(drawing, "%s: power of 1/steps in the error", members[m].name),
            expected[e].order, power_of(&linear->error[m]), 0.2, "Linear damper.");
        if (isfinite(expected[e].energy))
            ms_drawing_check_number(
                drawing, ms_drawing_text(drawing, "%s: power of 1/steps in the energy", members[m].name),
                expected[e].energy, power_of(&linear->energy[m]), 0.2, "Linear damper.");
    }
    ms_drawing_check_number(
        drawing, ms_drawing_text(drawing, "%s: power of 1/steps in the energy", members[EXACT].name), 2.0,
        ms_observed_order(linear->fine[0], linear->fine[1], finest[0], finest[1]), 0.2,
        "Linear damper, steps of 1/8000 s and 1/32000 s: at about 0.8 ms the energy passes zero.");
    for (int m = ECCO; m <= BOTH; m++) {
        const ms_work_point *a = &linear->error[m].point[MS_SETTINGS / 2 - 1],
                            *b = &linear->error[m].point[MS_SETTINGS - 1];
        ms_drawing_check_number(
            drawing, ms_drawing_text(drawing, "%s: power of the tolerance in 1/steps", members[m].name), 0.5,
            ms_observed_order(b->steps, a->steps, a->setting, b->setting), 0.1, "Linear damper.");
    }
}

static void check_papers(ms_drawing *drawing, const results *all)
{
    static const struct {
        int member;
        double published;
    } claims[] = {{ECCO, 0.93}, {BOTH, 0.98}};
    for (int c = 0; c < MS_COUNT(claims); c++) {
        const char *name = members[claims[c].member].name;
        double ratio[DAMPERS][2];
        for (int d = 0; d < DAMPERS; d++)
            compare(&all[d], claims[c].member, ratio[d]);
        json_t *measured = MS_REALS({"linear, least", ratio[0][0]}, {"linear, largest", ratio[0][1]},
                                    {"power 1/2, least", ratio[1][0]}, {"power 1/2, largest", ratio[1][1]});
        if (claims[c].member == ECCO)
            ms_drawing_check(
                drawing, ms_drawing_text(drawing, "%s: error over that of as many equal steps", name),
                json_real(1.0), measured, json_real(0.25),
                ms_verdict_of(ratio[0][0] >= 0.75 && ratio[0][1] <= 1.25 && ratio[1][0] >= 0.75 &&
                              ratio[1][1] <= 1.25),
                "At each number of steps, with both dampers; the amplitude is no exact measure.");
        else
            ms_drawing_check_claim(
                drawing,
                ms_drawing_text(drawing, "%s: error over that of held inputs and as many equal steps", name),
                "less than 1 at each number of steps, with both dampers", measured,
                ratio[0][1] < 1.0 && ratio[1][1] < 1.0, "Order 2 against order 1.");
        ms_drawing_check(drawing, ms_drawing_text(drawing, "%s: largest reduction of the error", name),
                         json_real(claims[c].published),
                         MS_REALS({"linear", 1.0 - ratio[0][0]}, {"power 1/2", 1.0 - ratio[1][0]}),
                         json_string("up to that"), MS_NOT_DETERMINED,
                         "Parameters, road, steps, tolerances and the error that is meant are not known "
                         "here; the model has the values of Andersson (2016).");
    }
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_all(ms_drawing *drawing, const results *all)
{
    ms_table *table =
        ms_drawing_table(drawing, "runs", "Energy-controlled steps and energy-preserving inputs",
                         "damper|member|step or tolerance|macro-steps|error|energy produced / J");
    for (int kind = 0; kind < 2; kind++) {
        ms_data *data = ms_drawing_data(drawing, kind == 0 ? "error" : "energy",
                                        "damper,member,setting,steps,work,value");
        for (int d = 0; d < DAMPERS; d++)
            for (int m = 0; m < MEMBERS; m++)
                ms_work_write(data, 2, (const double[]){d, m},
                              kind == 0 ? &all[d].error[m] : &all[d].energy[m], INFINITY);
    }
    for (int d = 0; d < DAMPERS; d++)
        for (int m = 0; m < MEMBERS; m++)
            for (int k = 0; k < MS_SETTINGS; k++) {
                const ms_work_point *p = &all[d].error[m].point[k];
                ms_table_add(table, "ssrrrr", dampers[d].name, members[m].name, p->setting, p->steps,
                             p->error, all[d].energy[m].point[k].error);
            }
}

static void plot_curves(ms_drawing *drawing, const char *part, int damper)
{
    static const struct {
        int line, point;
        const char *dash;
    } style[MEMBERS] = {{2, 7, "1"}, {5, 9, "1"}, {4, 5, "1"}, {2, 6, "2"}, {4, 4, "2"}};
    for (int m = 0; m < MEMBERS; m++)
        ms_drawing_curve(drawing,
                         "part('%s') using (column('damper')==%d && column('member')==%d ? column('steps') : "
                         "NaN):'value' with linespoints lt %d lw 2 dashtype %s pt %d ps 0.9 title '%s'",
                         part, damper, m, style[m].line, style[m].dash, style[m].point, members[m].name);
}

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(drawing, 1060, 860,
                       "set multiplot\nset logscale xy\nset format y powers\nset xrange [60:12000]\n");
    for (int d = 0; d < DAMPERS; d++)
        for (int kind = 0; kind < 2; kind++) {
            const double left = 0.085 + 0.49 * d, top = 0.875 - 0.42 * kind;
            ms_drawing_panel(drawing, left, left + 0.41, top, top - 0.33,
                             ms_drawing_text(drawing, "(%c) %s", 'a' + 2 * kind + d, dampers[d].name));
            ms_drawing_script(
                drawing, "set xlabel '%s'\nset ylabel '%s'\n%s\n", kind == 1 ? "macro-steps" : "",
                d == 1      ? ""
                : kind == 0 ? "mean relative L_2 error"
                            : "|energy from the coupling| / J",
                d + kind == 0 ? "set key at screen 0.5,0.99 center top vertical maxrows 2" : "unset key");
            plot_curves(drawing, kind == 0 ? "error" : "energy", d);
        }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *all = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int d = 0; d < DAMPERS; d++)
        for (int m = 0; m < MEMBERS; m++)
            for (int k = 0; k < MS_SETTINGS && status == MS_OK; k++)
                status = run_point(drawing, d, m, k, &all[d], error);
    if (status == MS_OK)
        status = run_fine(drawing, &all[0], error);
    if (status != MS_OK)
        return status;
    write_all(drawing, all);
    check_orders(drawing, &all[0]);
    check_papers(drawing, all);
    draw_picture(drawing);
    ms_drawing_remark(drawing,
                      "Model quarter-car, case bonded, to 1 s, at rest on a step of the road. Equal steps "
                      "from %g s, halved; tolerances of ECCO from %g J, each a quarter of the one before. "
                      "Energy: what the ledger of the bond sums up to.",
                      longest, loosest);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_ecco_nepce = {
    "macrostep:ecco-nepce",
    "Energy-controlled steps and energy-preserving inputs: error and energy over macro-steps",
    "this project; schemes of Sadjina et al. (2017), Sadjina and Pedersen (2020)", .draw = draw,
    .memory = DAMPERS * sizeof(results)};
