/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Oscillator of preCICE's tutorial: both masses by the time steppers that it offers, each in four sub-steps of a window whose samples
 * are handed on as a spline of degree 3. The tutorial says which of them keep the energy; what coupling makes of their orders follows
 * from theory: the least of the steppers' and of the spline's, which is 4. */
#include <math.h>

#include "figure.h"
#include "study.h"
#include "study_orders.h"

enum { STEPPERS = 4, PAIRS = STEPPERS * (STEPPERS + 1) / 2, STEPS = 6, SPLINE_ORDER = 4 };

static const struct stepper {
    const char *name, *solver;
    int order;
} steppers[STEPPERS] = {{"Newmark", "trapezoidal", 2},
                        {"generalised alpha", "generalised-alpha", 2},
                        {"Runge-Kutta 4", "rk4", 4},
                        {"Radau IIA", "radau-iia", 5}};

static const double coarsest = 0.07, end = 20.0, kept = 1e-9;

/* What all runs have in common: two pieces of a spline through five samples, two micro-steps on each. */
#define COUPLED                                                                                              \
    "precice-oscillator --scheme waveform --samples 4 --spline-degree 3 --micro-steps 2 --epsilon 1e-13 "    \
    "--max-iterations 200 "

typedef struct pair {
    int left, right;
    ms_order_series series;
} pair;

typedef struct measures {
    pair pair[PAIRS];
    double drift[STEPPERS],
        lost[STEPPERS]; /* of the energy: the largest, and at the end, in parts of that at the start */
} measures;

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int measure_orders(ms_drawing *drawing, measures *all, ms_error *error)
{
    int status = MS_OK;
    pair *p = all->pair;
    for (int left = 0; left < STEPPERS; left++)
        for (int right = left; right < STEPPERS && status == MS_OK; right++, p++) {
            p->left = left;
            p->right = right;
            status = ms_order_measure(drawing, STEPS, coarsest, &p->series, error,
                                      "converge " COUPLED "--stop-time 0.7 --solver-of left=%s,right=%s",
                                      steppers[left].solver, steppers[right].solver);
        }
    return status;
}

/* Of both masses and all three springs, from x1, v1, x2, v2. */
static double energy_of(const ms_system *system, const double *x)
{
    const double *p = system->p, between = x[2] - x[0];
    enum { M1, M2, K_LEFT, K_MIDDLE, K_RIGHT };
    return 0.5 * (p[M1] * x[1] * x[1] + p[M2] * x[3] * x[3] + p[K_LEFT] * x[0] * x[0] +
                  p[K_MIDDLE] * between * between + p[K_RIGHT] * x[2] * x[2]);
}

/* Rows of the stepper, the time, and how much of the energy is gone. */
static int measure_energy(ms_drawing *drawing, int k, ms_data *data, measures *all, ms_error *error)
{
    ms_study study;
    const int status =
        ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                     "run " COUPLED "--step-size 0.04 --stop-time %g --solver %s", end, steppers[k].solver);
    const ms_trajectory *t = &study.simulation.trajectory;
    const double start = status == MS_OK ? energy_of(study.system, t->row + 1) : NAN;
    for (long row = 0; status == MS_OK && row < t->rows; row++) {
        const double *at = t->row + row * t->columns;
        all->lost[k] = 1.0 - energy_of(study.system, at + 1) / start;
        all->drift[k] = fmax(all->drift[k], fabs(all->lost[k]));
        MS_ROW(data, k, at[0], all->lost[k], fabs(all->lost[k]));
    }
    ms_data_break(data);
    ms_study_destroy(&study);
    return status;
}

/* Expectations ------------------------------------------------------------------------------------------- */

static int expected_order(const pair *p)
{
    return least(SPLINE_ORDER, least(steppers[p->left].order, steppers[p->right].order));
}

static void check_orders(ms_drawing *drawing, const measures *all)
{
    ms_table *table =
        ms_drawing_table(drawing, "orders", "Orders of pairs of time steppers",
                         "left|right|expected|fitted|largest error / SI units at the third window");
    for (int k = 0; k < PAIRS; k++) {
        const pair *p = &all->pair[k];
        const int expected = expected_order(p);
        const double order = p->series.order[MS_SERIES_LARGEST].order;
        ms_table_add(table, "ssirr", steppers[p->left].name, steppers[p->right].name, expected, order,
                     p->series.row[MS_SERIES_LARGEST][2].error);
        ms_study_check(
            drawing,
            ms_drawing_text(drawing, "order of %s and %s", steppers[p->left].name, steppers[p->right].name),
            NULL, json_real(order), json_real(0.2), fabs(order - expected) <= 0.2,
            "%d is the least of the steppers' orders and of the spline's, which is 4.", expected);
    }
}

static void check_energy(ms_drawing *drawing, const measures *all)
{
    ms_study_claim(drawing, "Newmark's method conserves the energy", "newmark_conserves_energy",
                   MS_REALS({"largest relative deviation in 20 s", all->drift[0]}), all->drift[0] < kept,
                   "Samples at the end of all sub-steps make it the trapezoidal rule of the coupled system, "
                   "up to where iterations end.");
    ms_study_claim(drawing, "generalised alpha does not conserve the energy",
                   "generalised_alpha_loses_energy", MS_REALS({"lost in 20 s", all->lost[1]}),
                   all->lost[1] > 1e3 * kept,
                   "It damps what is fast. So do, less, the methods of orders 4 and 5.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_orders(ms_drawing *drawing, const measures *all)
{
    ms_data *data = ms_drawing_data(drawing, "", "pair,left,right,step_size,error");
    for (int k = 0; k < PAIRS; k++) {
        const pair *p = &all->pair[k];
        ms_order_curve(data, 3, (const double[]){k, p->left, p->right}, &p->series, MS_SERIES_LARGEST);
    }
}

static void draw_picture(ms_drawing *drawing, const measures *all)
{
    ms_drawing_picture(drawing, 1160, 470, "set multiplot\n");
    ms_drawing_panel(drawing, 0.07, 0.36, 0.90, 0.14, "orders of pairs of time steppers");
    ms_drawing_script(
        drawing, "set logscale xy\nset format y powers\nset xlabel 'window H / s'\n"
                 "set ylabel 'largest error to 0.7 s / SI units'\nset xrange [0.0018:0.085]\n"
                 "set yrange [1e-10:1e1]\nset xtics (\"0.002\" 0.002, \"0.01\" 0.01, \"0.05\" 0.05)\n"
                 "set key at screen 0.37, screen 0.88 left top Left reverse vertical maxrows 10 samplen 2\n");
    for (int k = 0; k < PAIRS; k++) {
        const pair *p = &all->pair[k];
        ms_drawing_curve(drawing,
                         "csv using (column('pair')==%d ? column('step_size') : NaN):'error' with "
                         "linespoints lt %d lw 1.5 pt %d ps 0.8 title '%s, %s'",
                         k, p->left + 1, p->right + 4, steppers[p->left].name, steppers[p->right].name);
    }
    ms_drawing_panel(drawing, 0.72, 0.985, 0.90, 0.14, "energy, the same on both sides, H = 0.04 s");
    ms_drawing_script(drawing,
                      "unset logscale x\nset xlabel 'time / s'\nset ylabel '|E(t)/E(0) − 1|'\n"
                      "set xrange [0:%g]\nset yrange [1e-16:1e4]\nset xtics autofreq\n"
                      "set key inside left top Left reverse\n",
                      end);
    for (int k = 0; k < STEPPERS; k++)
        ms_drawing_curve(drawing,
                         "part('energy') using (column('stepper')==%d ? column('time') : NaN):'deviation' "
                         "with lines lt %d lw 1.5 title '%s'",
                         k, k + 1, steppers[k].name);
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    measures *all = ms_drawing_memory(drawing);
    int status = measure_orders(drawing, all, error);
    if (status != MS_OK)
        return status;
    write_orders(drawing, all);
    ms_data *energy = ms_drawing_data(drawing, "energy", "stepper,time,lost,deviation");
    for (int k = 0; k < STEPPERS && status == MS_OK; k++)
        status = measure_energy(drawing, k, energy, all, error);
    if (status != MS_OK)
        return status;
    check_orders(drawing, all);
    check_energy(drawing, all);
    draw_picture(drawing, all);
    ms_drawing_remark(drawing,
                      "Windows of four sub-steps, splines of degree 3 through their ends, iterated to "
                      "round-off, as the tutorial has it; its Radau IIA chooses sub-steps of its own, which "
                      "are equal here, and its generalised alpha has another beta (see the errata).");
    return MS_OK;
}

const ms_figure ms_figure_libraries_precice_oscillator = {
    "libraries:precice-oscillator", "Oscillator of preCICE: orders and energies of its time steppers",
    "preCICE (tutorials, oscillator)", .draw = draw, .memory = sizeof(measures)};
