/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_strang.c - there and back over halves of the macro-step beside the explicit schemes: error over work, without and with
 * feed-through, and energy without damping.
 *
 * Known beforehand. A subsystem that sees a held value from the middle of an interval of length H misses H^2 y''/24 of its mean,
 * one that extrapolates a line through y(T_n), y(T_n - H) misses 5 H^2 y''/12: ten times as much. So
 *
 *     - strang has order 2 where outputs do not answer to inputs, with about a tenth of the error of first-order extrapolation at the
 *       same macro-step, for three integrations of two subsystems and not two: cheaper by sqrt(10)/1.5 at the same error. What inputs
 *       do inside a macro-step counts as well: a factor of 2 either way;
 *     - where they do it has order 1, as the exchanged value is one of a held input;
 *     - on spring-mass it is the leapfrog: v^2 + s^2 (1 - H^2/4), or with s and v exchanged, stays what it is, and the energy within
 *       H^2/4/(1 - H^2/4) of its start for all times; of Gauss-Seidel s^2 + v^2 - H s v stays (symplectic Euler), or with + H s v, and
 *       the energy within (H/2)/(1 - H/2); that of Jacobi's order 0 grows by 1 + H^2 a macro-step. */
#include <math.h>

#include "figure.h"
#include "macrostep_work_precision.h"

enum { HELD, LINEAR, PARABOLA, SEIDEL, STRANG, MEMBERS, MODELS = 2, STEPS = 375 };

static const struct {
    const char *name, *options;
    int order; /* without feed-through */
    int line, point;
} members[MEMBERS] = {
    [HELD] = {"Jacobi, order 0", "--scheme jacobi", 1, 2, 7},
    [LINEAR] = {"Jacobi, order 1", "--scheme jacobi --extrapolation-order 1", 2, 6, 9},
    [PARABOLA] = {"Jacobi, order 2", "--scheme jacobi --extrapolation-order 2", 3, 5, 11},
    [SEIDEL] = {"Gauss-Seidel, order 0", "--scheme gauss-seidel", 1, 7, 13},
    [STRANG] = {"Strang", "--scheme strang", 2, 3, 5},
};

static const struct {
    const char *name, *title;
    double largest; /* macro-step, then halved [s] */
} models[MODELS] = {{"precice-oscillator --stop-time 0.7", "no feed-through", 0.014},
                    {"lim-oscillator --stop-time 1", "feed-through on one side", 0.005}};

static const double chosen = 0.2; /* macro-step on spring-mass, whose frequency is 1 rad/s [s] */

typedef struct results {
    ms_work_curve curve[MODELS][MEMBERS];
    double energy[MEMBERS][STEPS + 1], time[STEPS + 1]; /* E/E(0) */
    double largest[MEMBERS];                            /* max |E/E(0) - 1| */
} results;

/* Runs --------------------------------------------------------------------------------------------------- */

static int run_point(ms_drawing *drawing, int model, int member, int k, results *r, ms_error *error)
{
    ms_study study;
    const double step = ldexp(models[model].largest, -k);
    const int status =
        ms_study_run(drawing, &ms_simulation_errors, &study, error, "run %s %s --step-size %.17g",
                     models[model].name, members[member].options, step);
    r->curve[model][member].point[k] = ms_work_point_of(step, &study.simulation);
    ms_study_destroy(&study);
    return status;
}

/* E = (s^2 + v^2)/2 of the oscillator, whatever the ledger says. */
static int run_energy(ms_drawing *drawing, int member, results *r, ms_error *error)
{
    ms_study study;
    const int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                                    "run spring-mass %s --step-size %.17g --stop-time %.17g",
                                    members[member].options, chosen, chosen * STEPS);
    const ms_trajectory *t = &study.simulation.trajectory;
    for (long n = 0; status == MS_OK && n <= STEPS && n < t->rows; n++) {
        const double *row = t->row + n * t->columns, s = row[1], v = row[2];
        r->time[n] = row[0];
        r->energy[member][n] = s * s + v * v;
        r->largest[member] = fmax(r->largest[member], fabs(r->energy[member][n] - 1.0));
    }
    ms_study_destroy(&study);
    return status;
}

/* Findings ----------------------------------------------------------------------------------------------- */

static double order(const results *r, int model, int member)
{
    const ms_work_point *a = &r->curve[model][member].point[MS_SETTINGS - 2], *b = a + 1;
    return ms_observed_order(a->error, b->error, a->setting, b->setting);
}

static void check_orders(ms_drawing *drawing, const results *r)
{
    const ms_work_curve *linear = &r->curve[0][LINEAR], *strang = &r->curve[0][STRANG];
    const double error = strang->point[MS_SETTINGS / 2 - 1].error;
    for (int m = 0; m < MEMBERS; m++)
        ms_drawing_check_number(
            drawing, ms_drawing_text(drawing, "order of %s, without feed-through", members[m].name),
            members[m].order, order(r, 0, m), 0.1, "Between the two shortest macro-steps.");
    ms_drawing_check_number(drawing, "order of Strang, with feed-through", 1.0, order(r, 1, STRANG), 0.15,
                            "Between the two shortest macro-steps.");
    ms_drawing_check_number(
        drawing, "log_2 of the error of first-order extrapolation over that of Strang at the same macro-step",
        log2(10.0), log2(linear->point[MS_SETTINGS - 1].error / strang->point[MS_SETTINGS - 1].error), 1.0,
        "Ten, or half or twice as much, at the shortest macro-step.");
    ms_drawing_check_number(drawing, "log_2 of its integrations over those of Strang at the same error",
                            log2(sqrt(10.0) / 1.5),
                            log2(ms_work_at(linear, error) / ms_work_at(strang, error)), 0.5,
                            "sqrt(10)/1.5 = 2.1, or a factor sqrt(2) either way.");
}

static void check_energy(ms_drawing *drawing, const results *r)
{
    const double H = chosen, quarter = 0.25 * H * H;
    ms_drawing_check(drawing, "energy of Strang over 75 s", json_real(quarter / (1.0 - quarter)),
                     MS_REALS({"largest |E/E(0) - 1|", r->largest[STRANG]}),
                     json_string("at most that, and 0.99 of it at least"),
                     ms_verdict_of(r->largest[STRANG] <= quarter / (1.0 - quarter) * (1.0 + 1e-9) &&
                                   r->largest[STRANG] >= 0.99 * quarter),
                     "The extreme is met between communication points.");
    ms_drawing_check(drawing, "energy of Gauss-Seidel", json_real(0.5 * H / (1.0 - 0.5 * H)),
                     MS_REALS({"largest |E/E(0) - 1|", r->largest[SEIDEL]}), json_string("at most that"),
                     ms_verdict_of(r->largest[SEIDEL] <= 0.5 * H / (1.0 - 0.5 * H) * (1.0 + 1e-9)),
                     "Order 1, and no drift.");
    ms_drawing_check_number(drawing, "log(E/E(0)) of Jacobi of order 0 after 75 s", STEPS * log(1.0 + H * H),
                            log(r->energy[HELD][STEPS]), 1e-9, "(1 + H^2)^n, exact; the width is round-off.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_all(ms_drawing *drawing, const results *r)
{
    ms_data *data = ms_drawing_data(drawing, "", "model,member,step,steps,integrations,error");
    ms_data *energy = ms_drawing_data(drawing, "energy", "time,held,linear,parabola,seidel,strang");
    ms_table *table = ms_drawing_table(drawing, "runs", "Strang and the explicit schemes",
                                       "model|scheme|macro-step|integrations|error");
    for (int k = 0; k < MODELS; k++)
        for (int m = 0; m < MEMBERS; m++) {
            ms_work_write(data, 2, (const double[]){k, m}, &r->curve[k][m], 1.0);
            for (int n = 0; n < MS_SETTINGS; n++) {
                const ms_work_point *p = &r->curve[k][m].point[n];
                ms_table_add(table, "ssrrr", models[k].title, members[m].name, p->setting, p->evaluations,
                             p->error);
            }
        }
    for (int n = 0; n <= STEPS; n++) {
        ms_data_cell(energy, r->time[n]);
        for (int m = 0; m < MEMBERS; m++)
            ms_data_cell(energy, r->energy[m][n]);
    }
}

static void draw_picture(ms_drawing *drawing)
{
    static const char *const columns[MEMBERS] = {"held", "linear", "parabola", "seidel", "strang"};
    ms_drawing_picture(drawing, 1180, 460, "set multiplot\nset logscale xy\nset format xy powers\n");
    for (int k = 0; k < MODELS; k++) {
        ms_drawing_panel(drawing, 0.07 + 0.335 * k, 0.33 + 0.335 * k, 0.80, 0.14,
                         ms_drawing_text(drawing, "(%c) %s", 'a' + k, models[k].title));
        ms_drawing_script(
            drawing, "set xlabel 'integrations of subsystems'\nset ylabel '%s'\nset xrange [%g:%g]\n%s\n",
            k == 0 ? "mean relative L_2 error" : "", k == 0 ? 80.0 : 300.0, k == 0 ? 8e3 : 3e4,
            k == 0 ? "set key at screen 0.5,0.98 center top vertical maxrows 2" : "unset key");
        for (int m = 0; m < MEMBERS; m++)
            ms_drawing_curve(
                drawing,
                "csv using (column('model')==%d && column('member')==%d ? column('integrations') : "
                "NaN):'error' with linespoints lt %d lw 2 pt %d ps 0.9 title '%s'",
                k, m, members[m].line, members[m].point, members[m].name);
    }
    ms_drawing_panel(drawing, 0.74, 0.99, 0.80, 0.14, "(c) spring-mass, H = 0.2 s");
    ms_drawing_script(
        drawing, "unset logscale\nset format '%%g'\nset xlabel 'time t / s'\nset ylabel 'energy E / E(0)'\n"
                 "set xrange [0:75]\nset yrange [0.8:1.2]\n");
    for (int m = 0; m < MEMBERS; m++)
        ms_drawing_curve(drawing, "part('energy') using 'time':'%s' with lines lt %d lw 1.5 title '%s'",
                         columns[m], members[m].line, members[m].name);
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *r = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int m = 0; m < MEMBERS && status == MS_OK; m++) {
        for (int k = 0; k < MODELS * MS_SETTINGS && status == MS_OK; k++)
            status = run_point(drawing, k / MS_SETTINGS, m, k % MS_SETTINGS, r, error);
        if (status == MS_OK)
            status = run_energy(drawing, m, r, error);
    }
    if (status != MS_OK)
        return status;
    write_all(drawing, r);
    check_orders(drawing, r);
    check_energy(drawing, r);
    draw_picture(drawing);
    ms_drawing_remark(
        drawing,
        "(a) precice-oscillator to 0.7 s, (b) lim-oscillator, force-state, to 1 s: exact subsystems, "
        "macro-steps halved from %g s and %g s. An integration is one subsystem over one stretch: three a "
        "macro-step of Strang's exchange of two, two of the others. Errors above 1 are left out.",
        models[0].largest, models[1].largest);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_strang = {
    "macrostep:strang", "There and back over halves beside explicit schemes: error over work, and energy",
    "this project; after Strang (1968)", .draw = draw, .memory = sizeof(results)};
