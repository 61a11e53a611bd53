/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_waveform.c - waveform iteration on the oscillator of preCICE's tutorial: what samples and the degree of the spline
 * through them make of the error. What is expected follows from the header of scheme_waveform.c. */
#include <math.h>

#include "drawing.h"
#include "study.h"
#include "study_orders.h"

enum { STEPS = 6, MEMBERS = 7, SOLVED = 6, DEGREES = 3, COUNTS = 5 };

/* Members of the family: samples, degree, the order that is expected. */
typedef struct member {
    int samples, degree, order;
    const char *solver;
    int solver_order; /* 0: exact */
} member;

static const member members[MEMBERS] = {{1, 0, 1, "exact", 0}, {1, 1, 2, "exact", 0}, {4, 1, 2, "exact", 0},
                                        {2, 2, 4, "exact", 0}, {4, 2, 4, "exact", 0}, {3, 3, 4, "exact", 0},
                                        {6, 3, 4, "exact", 0}};
static const member solved[SOLVED] = {{1, 1, 2, "euler", 1}, {2, 2, 4, "euler", 1}, {1, 1, 2, "rk4", 4},
                                      {4, 1, 2, "rk4", 4},   {2, 2, 4, "rk4", 4},   {3, 3, 4, "rk4", 4}};
static const int counts[COUNTS] = {1, 2, 4, 8, 16};

static const double coarsest = 0.07, window = 0.07;

typedef struct measures {
    ms_order_series exact[MEMBERS], solved[SOLVED];
    double over_samples[DEGREES][COUNTS];
} measures;

static int expected_order(const member *m)
{
    return m->solver_order > 0 && m->solver_order < m->order ? m->solver_order : m->order;
}

static int measure_orders(ms_drawing *drawing, int n, const member *list, ms_order_series *series,
                          ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < n && status == MS_OK; k++)
        status =
            ms_order_measure(drawing, STEPS, coarsest, &series[k], error,
                             "converge precice-oscillator --scheme waveform --samples %d --spline-degree %d "
                             "--solver %s --stop-time 0.7 --epsilon 0 --max-iterations 200",
                             list[k].samples, list[k].degree, list[k].solver);
    return status;
}

static int measure_samples(ms_drawing *drawing, measures *all, ms_error *error)
{
    int status = MS_OK;
    for (int p = 0; p < DEGREES; p++)
        for (int c = 0; c < COUNTS && status == MS_OK; c++) {
            ms_study study;
            status = ms_study_run(drawing, &ms_simulation_errors, &study, error,
                                  "run precice-oscillator --scheme waveform --samples %d --spline-degree %d "
                                  "--step-size %g --stop-time 0.7 --epsilon 0 --max-iterations 200",
                                  counts[c], p + 1, window);
            all->over_samples[p][c] =
                status == MS_OK && study.simulation.errors_valid ? study.simulation.errors.end : NAN;
            ms_study_destroy(&study);
        }
    return status;
}

/* Expectations ------------------------------------------------------------------------------------------- */

static void check_orders(ms_drawing *drawing, int n, const member *list, const ms_order_series *series)
{
    for (int k = 0; k < n; k++) {
        const double order = series[k].order[MS_SERIES_END].order;
        const int expected = expected_order(&list[k]);
        ms_drawing_check(
            drawing,
            ms_drawing_text(drawing, "order of %d samples, degree %d, subsystems by %s", list[k].samples,
                            list[k].degree, list[k].solver),
            json_integer(expected), json_real(order), json_real(0.2),
            ms_verdict_of(fabs(order - expected) <= 0.2),
            list[k].solver_order == 0
                ? "Fitted to the error at 0.7 s. At whole seconds positions have twice the order."
                : "The smaller one of those of the spline and of the micro-solver.");
    }
}

/* Lines through m samples are one sample in macro-steps of H/m, where subsystems are exact. */
static void check_identity(ms_drawing *drawing, const measures *all)
{
    double largest = 0.0;
    for (int k = 0; k + 2 < STEPS; k++)
        largest = fmax(largest, fabs(all->exact[2].row[MS_SERIES_END][k].error /
                                         all->exact[1].row[MS_SERIES_END][k + 2].error -
                                     1.0));
    ms_drawing_check(
        drawing, "4 samples, degree 1, against one sample in a fourth of the macro-step",
        json_string("the same errors"), MS_REALS({"largest relative difference", largest}), json_real(1e-6),
        ms_verdict_of(largest <= 1e-6),
        "An identity; the width is that of round-off in an error that is small beside its states.");
}

static void check_samples(ms_drawing *drawing, const measures *all)
{
    static const double least[DEGREES] = {1.9, 3.5, 3.5};
    for (int p = 0; p < DEGREES; p++) {
        const double slope =
            ms_observed_order(all->over_samples[p][3], all->over_samples[p][4], counts[4], counts[3]);
        ms_drawing_check(
            drawing, ms_drawing_text(drawing, "degree %d: the error falls from 8 to 16 samples like", p + 1),
            json_string(p == 0 ? "m^-2" : "m^-3.5 at least"), MS_REALS({"exponent", slope}), json_real(0.1),
            ms_verdict_of(slope >= least[p]),
            "At a macro-step of 0.07 s; splines of degree 2 and 3 leave (H/m)^4 inside the macro-step, and "
            "more of it near its ends.");
    }
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_data(ms_drawing *drawing, const measures *all)
{
    ms_data *data = ms_drawing_data(drawing, "", "panel,curve,x,error");
    ms_table *table = ms_drawing_table(drawing, "orders", "Orders of waveform iteration",
                                       "samples|degree|micro-solver|expected|fitted");
    for (int panel = 0; panel < 2; panel++)
        for (int c = 0; c < (panel == 0 ? MEMBERS : SOLVED); c++) {
            const member *m = panel == 0 ? &members[c] : &solved[c];
            const ms_order_series *series = panel == 0 ? &all->exact[c] : &all->solved[c];
            ms_order_curve(data, 2, (const double[]){panel, c}, series, MS_SERIES_END);
            ms_table_add(table, "iisir", m->samples, m->degree, m->solver, expected_order(m),
                         series->order[MS_SERIES_END].order);
        }
    for (int p = 0; p < DEGREES; p++) {
        for (int c = 0; c < COUNTS; c++)
            MS_ROW(data, 2, p, counts[c], all->over_samples[p][c]);
        ms_data_break(data);
    }
}

static void plot_curve(ms_drawing *drawing, int panel, int c, const char *title)
{
    ms_drawing_curve(drawing,
                     "csv using (column('panel')==%d && column('curve')==%d ? column('x') : NaN):'error' "
                     "with linespoints lt %d lw 1.5 dashtype %d pt %d ps 0.8 title '%s'",
                     panel, c, c + 1, c % 2 + 1, c + 4, title);
}

static void plot_members(ms_drawing *drawing, int panel, int n, const member *list)
{
    for (int c = 0; c < n; c++)
        plot_curve(drawing, panel, c,
                   ms_drawing_text(drawing, "%s%sm = %d, p = %d", panel == 0 ? "" : list[c].solver,
                                   panel == 0 ? "" : ", ", list[c].samples, list[c].degree));
}

static void draw_picture(ms_drawing *drawing)
{
    static const char *const degrees[DEGREES] = {"p = 1", "p = 2", "p = 3"};
    ms_drawing_picture(drawing, 1180, 460, "set multiplot\nset logscale xy\nset format y powers\n");
    ms_drawing_panel(drawing, 0.07, 0.34, 0.90, 0.14, "exact subsystems");
    ms_drawing_script(drawing, "set xlabel 'macro-step H / s'\nset ylabel 'error at 0.7 s / SI units'\n"
                               "set xrange [0.0018:0.085]\nset yrange [1e-16:1e3]\n"
                               "set xtics (\"0.002\" 0.002, \"0.01\" 0.01, \"0.05\" 0.05)\n"
                               "set key inside right bottom\n");
    plot_members(drawing, 0, MEMBERS, members);
    ms_drawing_panel(drawing, 0.40, 0.67, 0.90, 0.14, "subsystems by one micro-step a piece");
    ms_drawing_script(drawing, "set ylabel ''\n");
    plot_members(drawing, 1, SOLVED, solved);
    ms_drawing_panel(drawing, 0.73, 0.99, 0.90, 0.14, "exact, H = 0.07 s");
    ms_drawing_script(drawing, "set xlabel 'samples m'\nset xrange [0.9:18]\nset yrange [1e-9:1e2]\n"
                               "set xtics (1, 2, 4, 8, 16)\nset key inside left bottom\n");
    for (int p = 0; p < DEGREES; p++)
        plot_curve(drawing, 2, p, degrees[p]);
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    measures *all = ms_drawing_memory(drawing);
    int status = measure_orders(drawing, MEMBERS, members, all->exact, error);
    if (status == MS_OK)
        status = measure_orders(drawing, SOLVED, solved, all->solved, error);
    if (status == MS_OK)
        status = measure_samples(drawing, all, error);
    if (status != MS_OK)
        return status;
    write_data(drawing, all);
    check_orders(drawing, MEMBERS, members, all->exact);
    check_orders(drawing, SOLVED, solved, all->solved);
    check_identity(drawing, all);
    check_samples(drawing, all);
    draw_picture(drawing);
    ms_drawing_remark(drawing, "Model precice-oscillator to 0.7 s, iterated to round-off. m: samples of each "
                               "subsystem in a macro-step, p: degree of the B-splines through them. The time "
                               "steppers of preCICE's tutorial are in libraries:precice-oscillator.");
    return MS_OK;
}

const ms_figure ms_figure_macrostep_waveform = {
    "macrostep:waveform", "Waveform iteration: errors over macro-step, samples and degree",
    "this project; model precice-oscillator", .draw = draw, .memory = sizeof(measures)};
