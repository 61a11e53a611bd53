/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.3, Example 6.3.1: what smoothing does to inputs and errors. Figs 6.13 to 6.15.
 *
 * Chosen: see andersson2016_6_3.h. The figures show output derivatives by backward differences, as Tables 6.3
 * and 6.4 do first; tables give the exact ones beside them. */
#include "andersson2016_6_3.h"

#include <math.h>
#include <stdio.h>

#include "arguments.h"
#include "cosim.h"
#include "figure.h"

/* What the figures and tables of Andersson's sections 6.3 and 6.4 share; see andersson2016_6_3.h. */

const ms_source ms_derivative_sources[SOURCES] = {
    [BY_DIFFERENCES] = {"differences", "--derivatives analytic --output-derivatives differences"},
    [EXACT] = {"exact", "--derivatives analytic"},
};

typedef struct reference_rows {
    int nx;
    double h; /* [s] */
    ms_data *data;
} reference_rows;

static void write_state(void *self, long n, const double *x)
{
    const reference_rows *rows = self;
    ms_data_cell(rows->data, (double)n * rows->h);
    ms_data_cells(rows->data, rows->nx, x);
}

int ms_system_write_reference(const ms_system *system, double h, double end, ms_data *data, ms_error *error)
{
    reference_rows rows = {system->nx, h, data};
    return ms_study_follow_reference(system, lround(end / h), h, write_state, &rows, NULL, error);
}

const char *const ms_measure_names[MEASURES] = {"largest error of x1", "largest error of x2",
                                                "rms error of x1",     "rms error of x2",
                                                "relative L2, mean",   "error at the end"};

void ms_measure_errors(const ms_errors *errors, double measure[MEASURES])
{
    const double values[MEASURES] = {errors->state[0].max,  errors->state[1].max,       errors->state[0].rmse,
                                     errors->state[1].rmse, errors->l2_normalized_mean, errors->end};
    for (int m = 0; m < MEASURES; m++)
        measure[m] = values[m];
}

/* The measures of the study's system with step size h. */
static int measure_at(ms_drawing *drawing, const ms_study *study, double h, double measure[MEASURES],
                      ms_error *error)
{
    ms_options options = study->arguments->options;
    ms_simulation simulation;
    options.step_size = h;
    const int status = ms_study_repeat(drawing, study, &options, &ms_simulation_errors, &simulation, error);
    if (status != MS_OK)
        return status;
    if (simulation.errors_valid)
        ms_measure_errors(&simulation.errors, measure);
    for (int m = 0; m < MEASURES && !simulation.errors_valid; m++)
        measure[m] = NAN;
    ms_simulation_destroy(&simulation);
    return MS_OK;
}

/* Steps divide the 2 s, so that no run ends with a shorter one. */
enum { STEPS_FIRST = 100, STEPS_LAST = 200, STEPS_BETWEEN = 5 };

int ms_measure_equal_step(ms_drawing *drawing, const char *options, const double target[MEASURES],
                          double step[MEASURES], ms_data *curve, ms_error *error)
{
    ms_study study;
    double before[MEASURES], h_before = NAN;
    int status = ms_study_bind(drawing, &study, error, EXAMPLE_6_3_1 "%s", options);
    for (int m = 0; m < MEASURES; m++)
        step[m] = before[m] = NAN;
    for (int n = STEPS_FIRST; n <= STEPS_LAST && status == MS_OK; n += STEPS_BETWEEN) {
        const double h = study.system->stop_time / n;
        double relative[MEASURES];
        status = measure_at(drawing, &study, h, relative, error);
        for (int m = 0; m < MEASURES; m++) {
            relative[m] /= target[m];
            if (isnan(step[m]) && before[m] > 1.0 && relative[m] <= 1.0) /* log h is linear in log relative */
                step[m] = h_before * exp(log(h / h_before) * log(before[m]) / log(before[m] / relative[m]));
            before[m] = relative[m];
        }
        h_before = h;
        ms_data_cell(curve, h);
        ms_data_cells(curve, MEASURES, relative);
    }
    ms_study_destroy(&study);
    return status;
}

/* Fig. 6.13: inputs -------------------------------------------------------------------------------------- */

/* Monitors the one input of subsystem 1. */
typedef struct input_monitor {
    ms_data *data; /* time, u: both limits at every communication point */
    double left;   /* u at the end of the macro-step before */
    double largest, sum;
    long jumps;
} input_monitor;

static int monitor_step(void *self, const ms_cosim *cosim, double t, double h)
{
    input_monitor *monitor = self;
    const ms_input *input = &cosim->instance[0]->input;
    double right;
    ms_input_evaluate(input, 0, 0, 0.0, &right);
    if (t > 0.0) {
        const double jump = fabs(right - monitor->left);
        monitor->largest = fmax(monitor->largest, jump);
        monitor->sum += jump;
        monitor->jumps++;
    }
    ms_input_left(input, &monitor->left);
    MS_ROW(monitor->data, t, right);
    MS_ROW(monitor->data, t + h, monitor->left);
    return 0;
}

static int draw_fig6_13(ms_drawing *drawing, ms_error *error)
{
    const double h = ms_drawing_published_number(drawing, "step_size");
    static const char *const smoothing[] = {"none", "c0"}, *const parts[] = {"", "smoothed"};
    input_monitor monitor[2] = {{0}};
    int status = MS_OK;
    for (int k = 0; k < 2 && status == MS_OK; k++) {
        ms_study study;
        monitor[k].data = ms_drawing_data(drawing, parts[k], "time,u1");
        const ms_observer observer = {.self = &monitor[k], .step = monitor_step};
        status = ms_study_run(drawing, &(ms_simulation_options){.observers = &observer, .n_observers = 1},
                              &study, error, EXAMPLE_6_3_1 "%s --step-size %g --smooth-coupling %s",
                              ms_derivative_sources[BY_DIFFERENCES].options, h, smoothing[k]);
        if (status == MS_OK && k == 0)
            status = ms_system_write_reference(study.system, h / 4.0, study.system->stop_time,
                                               ms_drawing_data(drawing, "reference", "time,x1,x2"), error);
        ms_study_destroy(&study);
    }
    if (status != MS_OK)
        return status;
    ms_study_claim(drawing, "linear extrapolation alone: the input of subsystem 1 jumps", "without",
                   MS_REALS({"largest jump", monitor[0].largest},
                            {"mean jump", monitor[0].sum / (double)monitor[0].jumps}),
                   monitor[0].largest > 1e-3, "Jumps at the %ld communication points inside the run.",
                   monitor[0].jumps);
    ms_study_claim(drawing, "with smoothing: the input of subsystem 1 is continuous", "with",
                   MS_REALS({"largest jump", monitor[1].largest},
                            {"mean jump", monitor[1].sum / (double)monitor[1].jumps}),
                   monitor[1].largest < 1e-12, "To round-off.");
    ms_drawing_remark(
        drawing, "Start values, horizon, tolerances and the source of the output derivatives are not "
                 "printed; chosen: x(0) = (2, 2), 2 s, CVODE's BDF with rtol = atol = 1e-6 that goes on over "
                 "communication points, backward differences. So only jumps and continuity can be compared, "
                 "not the curves. The reference input is x2 + sin(x1) of the monolithic solution.");
    ms_drawing_picture(
        drawing, 900, 560,
        "array parts[2] = [csv, part('smoothed')]\n"
        "array titles[2] = ['linear extrapolation', 'linear extrapolation with smoothing']\n"
        "set multiplot layout 2,2\n"
        "set lmargin 9\n"
        "set rmargin 3\n"
        "set ylabel 'input u_1'\n"
        "set xlabel 'time t / s'\n"
        "do for [row = 1:2] {\n"
        "    do for [k = 1:2] {\n"
        "        if (row == 1) {\n"
        "            set title titles[k]\n"
        "            set xrange [0:2]\n"
        "            set yrange [0:3.5]\n"
        "            unset key\n"
        "        } else {\n"
        "            unset title\n"
        "            set xrange [0:0.16]\n"
        "            set yrange [2.35:3.15]\n"
        "            set key\n"
        "        }\n"
        "        plot parts[k] using 'time':'u1' with lines lt (k + 1) lw 2.5 title 'input', \\\n"
        "            part('reference') using 'time':(column('x2') + sin(column('x1'))) with lines "
        "lt 1 lw 1 \\\n"
        "            title 'reference'\n"
        "    }\n"
        "}\n");
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig6_13 = {
    "andersson2016:fig6.13", "Example 6.3.1: the input of subsystem 1 without and with smoothing",
    "Andersson (2016), Fig. 6.13, section 6.3", .draw = draw_fig6_13};

/* Errors: Figs 6.14 and 6.15 ----------------------------------------------------------------------------- */

/* A run of Example 6.3.1: measures, and rows of time, states, errors where data is not NULL. */
static int follow(ms_drawing *drawing, int source, double h, const char *smoothing, ms_data *data,
                  double measure[MEASURES], ms_error *error)
{
    ms_study study;
    int status = ms_study_run(drawing, &(ms_simulation_options){.errors = true, .trajectory = data != NULL},
                              &study, error, EXAMPLE_6_3_1 "%s --step-size %g --smooth-coupling %s",
                              ms_derivative_sources[source].options, h, smoothing);
    if (status == MS_OK && !study.simulation.errors_valid)
        status = ms_fail(error, MS_SOLVER_FAILED, "Example 6.3.1 did not reach its end");
    if (status == MS_OK)
        ms_measure_errors(&study.simulation.errors, measure);
    if (status == MS_OK && data != NULL)
        status = ms_study_beside(&study, MS_BESIDE_ERRORS, data, NULL, error);
    ms_study_destroy(&study);
    return status;
}

static const char columns[] = "time,x1,x2,e1,e2";

/* Two panels of errors over time, known at communication points only: marks, and straight lines between them;
 * a, b: the titles of both curves. */
static void draw_errors(ms_drawing *drawing, const char *a, const char *b)
{
    ms_drawing_script(
        drawing,
        "set xlabel 'time t / s'\n"
        "set xrange [0:2]\n"
        "do for [j = 1:2] {\n"
        "    set ylabel sprintf('error of x_%%d, in 10^{-3}', j)\n"
        "    plot 0 with lines lt 9 lw 0.6 notitle, \\\n"
        "        csv using 'time':(1e3*column(sprintf('e%%d', j))) with linespoints lt 2 lw 1 ps 0.4 \\\n"
        "            title '%s', \\\n"
        "        part('smoothed') using 'time':(1e3*column(sprintf('e%%d', j))) with linespoints lt 3 lw 1 "
        "\\\n"
        "            ps 0.5 title '%s'\n"
        "}\n",
        a, b);
}

static int draw_fig6_14(ms_drawing *drawing, ms_error *error)
{
    static const char *const smoothing[] = {"none", "c0", "c1"}, *const parts[] = {"", "smoothed", "c1"};
    const double h = ms_drawing_published_number(drawing, "step_size");
    double measure[SOURCES][3][MEASURES], smallest = INFINITY, largest = 0.0;
    for (int s = 0; s < SOURCES; s++)
        for (int k = 0; k < 3; k++) {
            ms_data *data = s == BY_DIFFERENCES && k < 2 ? ms_drawing_data(drawing, parts[k], columns) : NULL;
            const int status = follow(drawing, s, h, smoothing[k], data, measure[s][k], error);
            if (status != MS_OK)
                return status;
        }
    ms_table *table = ms_drawing_table(
        drawing, "errors", "Errors at H = 0.02 s; C1 smoothing is not in the paper",
        "output derivatives|measure|no smoothing|smoothing|C1 smoothing|smoothing / none|C1 / none");
    for (int s = 0; s < SOURCES; s++)
        for (int m = 0; m < MEASURES; m++) {
            const double none = measure[s][0][m], c0 = measure[s][1][m], c1 = measure[s][2][m];
            ms_widen(&smallest, &largest, c0 / none);
            ms_table_add(table, "ssrrrrr", ms_derivative_sources[s].name, ms_measure_names[m], none, c0, c1,
                         c0 / none, c1 / none);
        }
    ms_study_claim(drawing, "equal steps: the error with smoothing is the larger one", "claim",
                   MS_REALS({"smallest ratio", smallest}, {"largest ratio", largest}), smallest > 1.0,
                   "In all %d measures, with output derivatives by differences and with exact ones.",
                   MEASURES);
    ms_drawing_remark(
        drawing,
        "Errors are co-simulation minus monolithic reference at communication points (marks), drawn with "
        "output derivatives by differences; lines only connect them. Choices as for Fig. 6.13. Both schemes "
        "have order 2, so the ratios do not vanish with H: smoothing trades accuracy for continuity at every "
        "step size. The measures are ours, the text names none. At single times the error with smoothing can "
        "be the smaller one: that of x1 around 0.3 s, because its sign changes later.");
    ms_drawing_picture(drawing, 900, 400, "set multiplot layout 1,2\n");
    draw_errors(drawing, ms_drawing_text(drawing, "H = %g s, no smoothing", h),
                ms_drawing_text(drawing, "H = %g s, smoothing", h));
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig6_14 = {
    "andersson2016:fig6.14", "Example 6.3.1: errors of the states without and with smoothing, equal steps",
    "Andersson (2016), Fig. 6.14, section 6.3", .draw = draw_fig6_14};

typedef struct equal_errors {
    double target[MEASURES], shortened[MEASURES]; /* no smoothing at 0.02 s, smoothing at 0.0145 s */
    double step_c0[MEASURES], step_c1[MEASURES];  /* where the errors are equal [s] */
} equal_errors;

static int find_equal_errors(ms_drawing *drawing, int source, equal_errors *found, ms_error *error)
{
    static const char *const curves[SOURCES] = {"steps-differences", "steps-exact"};
    const double without = ms_drawing_published_number(drawing, "step_size_without");
    const double with = ms_drawing_published_number(drawing, "step_size_with");
    const bool drawn = source == BY_DIFFERENCES;
    int status = follow(drawing, source, without, "none",
                        drawn ? ms_drawing_data(drawing, "", columns) : NULL, found->target, error);
    if (status == MS_OK)
        status =
            follow(drawing, source, with, "c0", drawn ? ms_drawing_data(drawing, "smoothed", columns) : NULL,
                   found->shortened, error);
    for (int k = 0; k < 2 && status == MS_OK; k++) {
        status = ms_measure_equal_step(
            drawing,
            ms_drawing_text(drawing, "%s --smooth-coupling c%d", ms_derivative_sources[source].options, k),
            found->target, k == 0 ? found->step_c0 : found->step_c1,
            k == 0 ? ms_drawing_data(drawing, curves[source], "step_size,m1,m2,m3,m4,m5,m6") : NULL, error);
    }
    return status;
}

static int draw_fig6_15(ms_drawing *drawing, ms_error *error)
{
    equal_errors found[SOURCES];
    double step[2] = {INFINITY, -INFINITY}, ratio[2] = {INFINITY, -INFINITY};
    bool all = true;
    const double printed = ms_drawing_published_number(drawing, "step_size_with");
    ms_table *table =
        ms_drawing_table(drawing, "equal", "Where the error with smoothing equals that of H = 0.02 s without",
                         "output derivatives|measure|error without|error with, smaller H|with / without|H of "
                         "equal error / s|with C1 smoothing / s");
    for (int s = 0; s < SOURCES; s++) {
        const int status = find_equal_errors(drawing, s, &found[s], error);
        if (status != MS_OK)
            return status;
        for (int m = 0; m < MEASURES; m++) {
            const equal_errors *f = &found[s];
            ms_widen(&step[0], &step[1], f->step_c0[m]);
            ms_widen(&ratio[0], &ratio[1], f->shortened[m] / f->target[m]);
            all = all && !isnan(f->step_c0[m]);
            ms_table_add(table, "ssrrrrr", ms_derivative_sources[s].name, ms_measure_names[m], f->target[m],
                         f->shortened[m], f->shortened[m] / f->target[m], f->step_c0[m], f->step_c1[m]);
        }
    }
    const bool inside = step[0] <= printed && printed <= step[1];
    ms_drawing_check(
        drawing, "step size with smoothing that gives the error of H = 0.02 s without [s]",
        json_real(printed), MS_REALS({"smallest", step[0]}, {"largest", step[1]}),
        json_string("within the range over measures and sources of derivatives"),
        inside ? MS_NOT_DETERMINED : MS_DEVIATES,
        "The text does not say which norm is equal: %d measures and two sources of output derivatives give "
        "this range. At H = 0.0145 s the errors have %.3g to %.3g times the size.",
        MEASURES, ratio[0], ratio[1]);
    ms_study_claim(drawing, "a smaller step makes up for the error of smoothing", "claim",
                   MS_REALS({"smallest step [s]", step[0]}), all && step[0] > 0.0,
                   "In every measure such a step lies between 0.01 s and 0.02 s.");
    ms_drawing_remark(drawing,
                      "Upper panels: the errors that the paper draws, with output derivatives by "
                      "differences. Lower panels: errors with smoothing over H in units of the error without "
                      "smoothing at H = 0.02 s, where the curves meet 1 they are equal; the printed 0.0145 s "
                      "is marked. Curves from %d step sizes, log-linear between them.",
                      21);
    ms_drawing_picture(drawing, 960, 680, "set multiplot layout 2,2\nset lmargin 9\nset rmargin 3\n");
    draw_errors(drawing, "H = 0.02 s, no smoothing", "H = 0.0145 s, smoothing");
    ms_drawing_script(
        drawing,
        "array curves[2] = ['steps-differences', 'steps-exact']\n"
        "array names[2] = ['output derivatives by differences', 'exact output derivatives']\n"
        "array measures[4] = ['largest, x_1', 'largest, x_2', 'rms, x_1', 'rms, x_2']\n"
        "set xlabel 'step size H with smoothing / ms'\n"
        "set xrange [10:20]\n"
        "set yrange [0:3]\n"
        "set arrow 1 from 14.5, graph 0 to 14.5, graph 1 nohead lt 9 dashtype 2\n"
        "do for [k = 1:2] {\n"
        "    set ylabel 'error / error without'\n"
        "    set title names[k] offset 0,0.2\n"
        "    plot 1 with lines lt 9 notitle, \\\n"
        "        for [m = 1:4] part(curves[k]) using (1e3*column('step_size')):sprintf('m%%d', m) \\\n"
        "        with lines lt (m + 1) title measures[m]\n"
        "}\n");
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig6_15 = {
    "andersson2016:fig6.15", "Example 6.3.1: errors of the states, smaller steps with smoothing",
    "Andersson (2016), Fig. 6.15, section 6.3", .draw = draw_fig6_15};
