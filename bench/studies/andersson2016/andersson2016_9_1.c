/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 9.1.2: van der Pol's oscillator with μ = 20, without and with a force. Figs 9.2
 * and 9.3. x2 of (9.1) is the model's x. */
#include <math.h>

#include "figure.h"
#include "study_integrate.h"

static const char *const columns[] = {"oscillator.x.x", "oscillator.w.u"};

/* What can be said of a curve without numbers in print. */
static void note(ms_drawing *drawing, const ms_integration *run)
{
    double low = INFINITY, high = -INFINITY;
    for (long n = 0; n < run->trajectory.rows; n++) {
        low = fmin(low, ms_run_series_row(&run->trajectory, n)[2]);
        high = fmax(high, ms_run_series_row(&run->trajectory, n)[2]);
    }
    ms_study_undetermined(
        drawing, "range of x2 and error", "shows",
        json_pack("{s:o, s:o, s:o, s:I, s:I}", "least", ms_json_real(low), "largest", ms_json_real(high),
                  "largest error of x2", ms_json_real(run->error[0].max), "steps",
                  (json_int_t)run->work.micro_steps, "f evaluations", (json_int_t)run->work.rhs_evaluations),
        "The text prints no number that could be compared. Solver and tolerances are not printed: CVODE's "
        "BDF at 1e-6, 500 output points (ncp of Example 9.1.5).");
}

static int draw(ms_drawing *drawing, const char *name, ms_error *error)
{
    ms_integrate_study study;
    const int status =
        ms_study_integrate(drawing, true, &study, error, "integrate van-der-pol --case %s --stop-time %g",
                           name, ms_drawing_published_number(drawing, "stop_time"));
    if (status == MS_OK) {
        ms_study_integrate_curves(&study, columns, 2, ms_drawing_data(drawing, "", "time,x2,u"));
        note(drawing, &study.run);
    }
    ms_study_integrate_destroy(&study);
    return status;
}

static int draw_fig9_2(ms_drawing *drawing, ms_error *error)
{
    const int status = draw(drawing, "mild", error);
    ms_drawing_script(drawing, "set xlabel 'time t / s'\n"
                               "set ylabel 'x_2'\n"
                               "plot csv using 'time':'x2' with lines lt 2 lw 2 title 'x_2, u = 0'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_2 = {"andersson2016:fig9.2", "Van der Pol's oscillator, μ = 20",
                                                  "Andersson (2016), Fig. 9.2, Example 9.1.3",
                                                  .draw = draw_fig9_2};

static int draw_fig9_3(ms_drawing *drawing, ms_error *error)
{
    const int status = draw(drawing, "forced", error);
    ms_drawing_size(drawing, 900, 420);
    ms_drawing_script(drawing, "set multiplot layout 1,2\n"
                               "set xlabel 'time t / s'\n"
                               "set ylabel 'x_2'\n"
                               "plot csv using 'time':'x2' with lines lt 2 lw 2 title 'x_2'\n"
                               "set ylabel 'input u'\n"
                               "set yrange [-120:120]\n"
                               "plot csv using 'time':'u' with lines lt 3 lw 2 title 'u = 100 sin(30 t)'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_3 = {
    "andersson2016:fig9.3", "Van der Pol's oscillator, μ = 20, with a periodic input",
    "Andersson (2016), Fig. 9.3, Example 9.1.4", .draw = draw_fig9_3};
