/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error over work of all micro-solvers by themselves, on van der Pol's oscillator (stiff and mild), the bell,
 * the woodpecker and the double pendulum: no coupling, no communication points. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "macrostep_work_precision.h"
#include "solver_registry.h"
#include "study_integrate.h"

typedef struct problem {
    const char *part, *command, *title;
    int state; /* whose root-mean-square error counts */
    const char *ylabel;
    double atol;    /* over rtol */
    double largest; /* step of solvers with fixed steps [s] */
    bool events;
} problem;

static const problem problems[] = {
    {"stiff", "van-der-pol --case stiff", "van der Pol, μ = 2000", 0, "error of x", 1.0, 2e-4, false},
    {"mild", "van-der-pol --case mild", "van der Pol, μ = 20", 0, "error of x", 1.0, 0.02, false},
    {"pendulum", "double-pendulum", "double pendulum, as a whole", 0, "error of α_1 / rad", 1.0, 0.02, false},
    {"bell", "bell", "bell: 4 impacts, 3 step events", 0, "error of θ / rad", 1.0, 0.02, true},
    {"woodpecker", "woodpecker-explicit", "woodpecker: 11 hits", 2, "error of φ_B / rad", 1e-2, 5e-4, true},
    {"dae", "woodpecker", "woodpecker as a DAE", 2, "error of φ_B / rad", 1e-2, 0.0, true},
};

enum { PROBLEMS = MS_COUNT(problems), ROWS = PROBLEMS - 1, SOLVERS_MAX = 32 }; /* ROWS: of the picture */

typedef struct results {
    int n;
    const ms_solver *solver[SOLVERS_MAX];
    ms_work_curve curve[PROBLEMS][SOLVERS_MAX]; /* NaN: it does not fit, or did not reach the end */
} results;

/* Settings of methods of low order end earlier: their work would grow beyond all bounds. */
static int settings(const ms_solver *solver)
{
    if (strcmp(solver->name, "gsl-rk1imp") == 0)
        return 2;
    if (strcmp(solver->name, "gsl-rk2") == 0 || strcmp(solver->name, "gsl-rk2imp") == 0)
        return 4;
    return MS_SETTINGS;
}

/* rtol from 1e-3 to 1e-10, or steps of which each is half of the one before. */
static double setting_of(const ms_solver *solver, const problem *p, int k)
{
    return solver->order > 0 ? ldexp(p->largest, -k) : pow(10.0, -3.0 - 1.4 * k);
}

static int run_point(ms_drawing *drawing, const ms_solver *solver, const problem *p, int k,
                     ms_work_point *point, ms_error *error)
{
    ms_integrate_study study;
    const double setting = setting_of(solver, p, k);
    *point = (ms_work_point){setting, NAN, NAN, NAN};
    const char *options =
        solver->order > 0
            ? ms_drawing_text(drawing, "--step-size %.17g", setting)
            : ms_drawing_text(drawing, "--solver-rtol %.3g --solver-atol %.3g", setting, p->atol * setting);
    const int status =
        ms_study_integrate(drawing, true, &study, error, "integrate %s --solver %s %s --output-points 200",
                           p->command, solver->name, options);
    if (status == MS_OK && study.run.errors_valid) {
        point->steps = (double)study.run.work.micro_steps;
        point->evaluations = (double)study.run.work.rhs_evaluations;
        point->error = study.run.error[p->state].rms;
    }
    ms_study_integrate_destroy(&study);
    return status;
}

/* Does the solver fit the problem? ida alone integrates differential-algebraic models, and no linear one is
 * here. */
static bool fits(const ms_solver *solver, const problem *p)
{
    return strcmp(p->part, "dae") == 0 ? solver->residuals : !solver->linear_only;
}

static int run_all(ms_drawing *drawing, results *all, ms_error *error)
{
    int status = MS_OK;
    for (all->n = 0; ms_solvers[all->n] != NULL; all->n++) {
        if (all->n == SOLVERS_MAX)
            return ms_fail(error, MS_INVALID, "there are more solvers than %d", SOLVERS_MAX);
        all->solver[all->n] = ms_solvers[all->n];
    }
    for (int p = 0; p < PROBLEMS; p++)
        for (int s = 0; s < all->n; s++)
            for (int k = 0; k < MS_SETTINGS && status == MS_OK; k++) {
                ms_work_point *point = &all->curve[p][s].point[k];
                *point = (ms_work_point){NAN, NAN, NAN, NAN};
                if (fits(all->solver[s], &problems[p]) && k < settings(all->solver[s]))
                    status = run_point(drawing, all->solver[s], &problems[p], k, point, error);
            }
    return status;
}

/* Data --------------------------------------------------------------------------------------------------- */

static void write_data(ms_drawing *drawing, const results *all)
{
    ms_table *table =
        ms_drawing_table(drawing, "evaluations", "Evaluations of f for an error of 1e-5",
                         "solver|van der Pol, μ = 2000|μ = 20|double pendulum|bell|woodpecker|as a DAE");
    for (int p = 0; p < PROBLEMS; p++) {
        ms_data *data = ms_drawing_data(drawing, problems[p].part, "solver,setting,steps,evaluations,error");
        for (int s = 0; s < all->n; s++)
            ms_work_write(data, 1, (const double[]){s}, &all->curve[p][s], DBL_MAX);
    }
    for (int s = 0; s < all->n; s++) {
        json_t *cells = json_pack("[s]", all->solver[s]->name);
        for (int p = 0; p < PROBLEMS; p++)
            json_array_append_new(cells, ms_json_real(round(ms_curve_work_at(&all->curve[p][s], 1e-5))));
        if (!all->solver[s]->linear_only)
            ms_table_row(table, cells);
        else
            json_decref(cells);
    }
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* The exponent with which the error falls with the setting, from the coarsest to the finest that reached the
 * end; NaN: fewer than two did. */
static double exponent_of(const ms_work_curve *curve)
{
    const ms_work_point *first = NULL, *last = NULL;
    for (int k = 0; k < MS_SETTINGS; k++)
        if (isfinite(curve->point[k].error)) {
            first = first == NULL ? &curve->point[k] : first;
            last = &curve->point[k];
        }
    return first == last ? NAN : ms_observed_order(last->error, first->error, last->setting, first->setting);
}

/* Of a method of order p with steps controlled by the error of a step the global error goes with the
 * tolerance to the power p / (p + 1), or p where that is the error of order p - 1; of fixed steps with p. */
static const double EXPONENT_MIN = 0.45;

static void check_exponents(ms_drawing *drawing, const results *all, bool events)
{
    json_t *bad = json_object();
    double least = INFINITY;
    int n = 0;
    for (int p = 0; p < PROBLEMS; p++)
        for (int s = 0; s < all->n && problems[p].events == events; s++) {
            const double exponent = exponent_of(&all->curve[p][s]);
            if (exponent < EXPONENT_MIN)
                json_object_set_new(
                    bad, ms_drawing_text(drawing, "%s, %s", all->solver[s]->name, problems[p].title),
                    ms_json_real(exponent));
            if (isfinite(exponent)) {
                least = fmin(least, exponent);
                n++;
            }
        }
    const bool holds = json_object_size(bad) == 0;
    ms_drawing_check(
        drawing,
        events ? "errors fall with tolerance or step, problems with events"
               : "errors fall with tolerance or step, smooth problems",
        json_string("errors fall at least with the square root of the tolerance"),
        json_pack("{s:i, s:o, s:o}", "curves", n, "least exponent", ms_json_real(least), "below the bound",
                  bad),
        json_string("error ~ setting^q from the coarsest to the finest setting, q at least 0.45 for each"),
        ms_verdict_of(holds),
        "Tolerances from 1e-3 to 1e-10 (GSL's methods of first order: to 4e-5, of second: to 6e-8), fixed "
        "steps down by 32. Order 1 makes q = 1/2 of a tolerance.%s",
        !events ? ""
                : " Two events within one micro-step hide each other: a method with long steps, gsl-bsimp "
                  "first of all, passes through the wall at any tolerance.");
}

/* Errors above `visible` are those of a solution that has come off, below `fine` that of the reference and round-off begin to count:
 * no order can be seen there. */
static const double visible = 0.1, fine = 5e-12;

/* The order over the last halving whose errors are between them; NaN: there is none. */
static double order_of(const ms_work_curve *curve)
{
    double order = NAN;
    for (int k = 1; k < MS_SETTINGS; k++)
        if (curve->point[k - 1].error < visible && curve->point[k].error > fine)
            order = ms_observed_order(curve->point[k - 1].error, curve->point[k].error, 2.0, 1.0);
    return order;
}

/* Of fixed steps the orders themselves. */
static void check_fixed_steps(ms_drawing *drawing, const results *all)
{
    json_t *measured = json_object();
    char names[256] = "";
    double off = 0.0;
    for (int s = 0; s < all->n; s++) {
        const size_t length = strlen(names);
        if (all->solver[s]->order > 0)
            snprintf(names + length, sizeof names - length, "%s%s %d", length > 0 ? ", " : "",
                     all->solver[s]->name, all->solver[s]->order);
        for (int p = 0; p < PROBLEMS && all->solver[s]->order > 0; p++) {
            const double order = order_of(&all->curve[p][s]);
            if (problems[p].events || isnan(order))
                continue;
            json_object_set_new(measured,
                                ms_drawing_text(drawing, "%s, %s", all->solver[s]->name, problems[p].title),
                                ms_json_real(order));
            off = fmax(off, fabs(order - all->solver[s]->order));
        }
    }
    const bool holds = json_object_size(measured) > 0 && off <= 0.3;
    ms_drawing_check(drawing, "fixed steps reach their order, smooth problems", json_string(names), measured,
                     json_real(0.3), ms_verdict_of(holds),
                     "Over the last halving of the step with errors between %g and %g.", fine, visible);
}

/* The cheapest solver for an error of 1e-5. */
static void remark_best(ms_drawing *drawing, const results *all)
{
    for (int p = 0; p < PROBLEMS; p++) {
        int best = -1;
        double least = INFINITY;
        for (int s = 0; s < all->n; s++) {
            const double work = ms_curve_work_at(&all->curve[p][s], 1e-5);
            if (work < least) {
                least = work;
                best = s;
            }
        }
        if (best >= 0)
            ms_drawing_remark(drawing, "%s: an error of 1e-5 takes the fewest evaluations, %.0f, with %s.",
                              problems[p].title, least, all->solver[best]->name);
    }
}

/* Picture ------------------------------------------------------------------------------------------------ */

static int index_of(const results *all, const char *name)
{
    int s = 0;
    while (s < all->n && strcmp(all->solver[s]->name, name) != 0)
        s++;
    return s;
}

static const struct {
    const char *solver;
    int line, dash;
} drawn[] = {{"cvode-bdf", 2, 1},   {"cvode-adams", 7, 1}, {"ida", 9, 1},         {"arkode-erk", 3, 1},
             {"arkode-dirk", 4, 1}, {"gsl-rk8pd", 6, 1},   {"gsl-msadams", 7, 2}, {"gsl-msbdf", 2, 2},
             {"gsl-rk4imp", 4, 2},  {"gsl-bsimp", 5, 1},   {"rk4", 1, 1},         {"euler", 1, 2},
             {"trapezoidal", 5, 2}, {"radau-iia", 6, 1}};

/* How the curves of drawn[k] look. */
static const char *look_of(ms_drawing *drawing, int k)
{
    return ms_drawing_text(drawing, "linespoints lt %d lw 1.5 dashtype %d pt %d ps 0.7", drawn[k].line,
                           drawn[k].dash, drawn[k].dash == 1 ? 7 : 6);
}

/* GSL's stand in a column of their own. */
static bool is_gsl(int k)
{
    return strncmp(drawn[k].solver, "gsl-", 4) == 0;
}

/* The curves of one column, those of the other in grey behind them. */
static void plot(ms_drawing *drawing, const results *all, const problem *p, bool gsl, bool keyed)
{
    ms_drawing_script(drawing, "set ylabel '%s'\n", gsl ? "" : p->ylabel);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < MS_COUNT(drawn); k++) {
            const bool front = is_gsl(k) == gsl;
            if (front != (pass == 1))
                continue;
            const char *look = !front ? "lines lc rgb '#d0d0d0' lw 1.2" : look_of(drawing, k);
            ms_drawing_curve(
                drawing,
                "part('%s') using (column('solver')==%d ? column('evaluations') : NaN):'error' with %s %s",
                p->part, index_of(all, drawn[k].solver), look,
                keyed && front ? ms_drawing_text(drawing, "title '%s'", drawn[k].solver) : "notitle");
        }
    if (strcmp(p->part, "woodpecker") == 0 && !gsl)
        ms_drawing_curve(drawing, "part('dae') using 'evaluations':'error' with linespoints lt 9 "
                                  "lw 1.5 dashtype 2 pt 6 ps 0.7 title 'ida, woodpecker as DAE'");
}

static void plot_panel(ms_drawing *drawing, const results *all, int p, int row, bool gsl)
{
    const double top = 0.93 - 0.184 * row, left = gsl ? 0.57 : 0.095;
    ms_drawing_panel(
        drawing, left, left + 0.41, top, top - 0.128,
        ms_drawing_text(drawing, "%s: %s", problems[p].title, gsl ? "GSL" : "SUNDIALS, fixed steps"));
    const bool keyed = row == 0, lone = strcmp(problems[p].part, "woodpecker") == 0 && !gsl;
    ms_drawing_script(drawing, "set xlabel '%s'\n", row == ROWS - 1 ? "evaluations of f" : "");
    if (keyed)
        ms_drawing_script(drawing, "set key at screen %g,0.997 center top vertical maxrows 3 noenhanced\n",
                          left + 0.205);
    else
        ms_drawing_script(drawing, lone ? "set key inside left bottom vertical\n" : "unset key\n");
    plot(drawing, all, &problems[p], gsl, keyed);
}

static void draw_picture(ms_drawing *drawing, const results *all)
{
    int row = 0;
    ms_drawing_picture(drawing, 1060, 1500,
                       "set multiplot\n"
                       "set logscale xy; set format xy powers\n"
                       "set yrange [1e-12:10]\n");
    for (int p = 0; p < PROBLEMS; p++)
        if (strcmp(problems[p].part, "dae") != 0) {
            plot_panel(drawing, all, p, row, false);
            plot_panel(drawing, all, p, row, true);
            row++;
        }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *all = ms_drawing_memory(drawing);
    const int status = run_all(drawing, all, error);
    if (status != MS_OK)
        return status;
    write_data(drawing, all);
    check_exponents(drawing, all, false);
    check_exponents(drawing, all, true);
    check_fixed_steps(drawing, all);
    remark_best(drawing, all);
    ms_drawing_remark(drawing,
                      "Drawn are fourteen solvers, those of the other column in grey; checks and table "
                      "have all of them. Errors are root mean squares at 200 output points, whose "
                      "evaluations do not count. Those of finding events do: GSL's one-step methods "
                      "have no dense output and take a step of order 8 for each look inside it.");
    draw_picture(drawing, all);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_integrators = {
    "macrostep:integrators", "Integrators by themselves: error over work",
    "macrostep; after Andersson (2016), Tables 8.1 and 8.3", .draw = draw, .memory = sizeof(results)};
