/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.3, Example 6.3.1: what smoothing does to an input. Fig. 6.13.
 *
 * Chosen: x(0) = (2, 2) and 2 s (the model's), BDF with rtol = atol = 1e-6 that goes on over communication points, output
 * derivatives by backward differences, as Figs 6.14, 6.15 and Tables 6.3, 6.4 take first. */
#include "andersson2016_6_3.h"

#include <math.h>
#include <stdio.h>

#include <macrostep/cosim.h>
#include "arguments.h"
#include "figure.h"

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
                              &study, error,
                              "run example-6.3.1 --solver cvode-bdf --solver-rtol 1e-6 --solver-atol 1e-6 "
                              "--input-change proceed "
                              "--extrapolation-order 1 %s --step-size %g --smooth-coupling %s",
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
