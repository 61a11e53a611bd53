/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), chapter 8 and section 9.1.2, one model and one solver: the bell (Fig. 8.4) and van der Pol's
 * oscillator (Figs 8.11, 9.2, 9.3). */
#include <math.h>
#include <stdlib.h>

#include "figure.h"
#include "study_integrate.h"

/* Fig. 8.4 ----------------------------------------------------------------------------------------------- */

/* With the wall acting always. */
static int check_stuck(ms_drawing *drawing, ms_error *error)
{
    ms_integrate_study study;
    const int status = ms_study_integrate(drawing, false, &study, error,
                                          "integrate bell --set armed-always=1 --solver cvode-bdf");
    if (status == MS_OK) {
        const ms_integration *run = &study.run;
        const double *first = run->events.rows > 0 ? ms_run_series_row(&run->events, 0) : NULL;
        ms_study_claim(
            drawing, "without the step event the integrator gets stuck at the wall", "without_step_event",
            json_pack("{s:s, s:o, s:o, s:I}", "reason", ms_reason_name(run->reason), "first impact [s]",
                      ms_json_real(first != NULL ? first[0] : NAN), "end [s]", ms_json_real(run->end_time),
                      "events", (json_int_t)run->events.rows),
            run->reason == MS_REASON_SUBSYSTEM_FAILED && first != NULL && run->end_time - first[0] < 1e-6,
            "The pendulum passes back and forth through the wall's angle within units in the last place. "
            "More than 1000 events without progress count as chattering, with which the run ends.");
    }
    ms_study_integrate_destroy(&study);
    return status;
}

static int draw_fig8_4(ms_drawing *drawing, ms_error *error)
{
    static const char *const names[] = {"bell.x.theta", "bell.x.omega"};
    ms_integrate_study study;
    int status = ms_study_integrate(drawing, true, &study, error, "integrate bell --solver cvode-bdf");
    if (status == MS_OK) {
        const ms_integration *run = &study.run;
        status = ms_study_integrate_curves(&study, names, 2, ms_drawing_data(drawing, "", "time,theta,omega"),
                                           error);
        ms_study_claim(
            drawing, "impacts alternate with step events that arm the wall again", "with_step_event",
            json_pack("{s:I, s:I, s:s}", "state events", (json_int_t)run->state_events, "step events",
                      (json_int_t)run->step_events, "reason", ms_reason_name(run->reason)),
            run->reason == MS_REASON_END_TIME && run->state_events > 0 &&
                labs(run->state_events - run->step_events) <= 1,
            "Each impact disarms the wall; the first micro-step at whose end ω is negative again arms it.");
        ms_drawing_check(
            drawing, "energy and error", json_string("no numbers are printed"),
            MS_REALS({"relative drift of the energy", run->energy_drift},
                     {"largest error against the reference", run->max},
                     {"of the reference itself", run->reference_error}),
            NULL, MS_NOT_DETERMINED,
            "Length, start and tolerances are not printed: l = 1 m, θ(0) = π/2, ω(0) = -4 rad/s, and the "
            "default tolerances of 8.6.2, 1e-6, were chosen. An impact keeps the energy.");
    }
    ms_study_integrate_destroy(&study);
    if (status == MS_OK)
        status = check_stuck(drawing, error);
    ms_drawing_picture(drawing, 900, 420,
                       "set multiplot layout 1,2\n"
                       "set xlabel 'time t / s'\n"
                       "set ylabel 'angle θ / rad'\n"
                       "plot csv using 'time':'theta' with lines lt 2 lw 2 title 'angle of the bell', \\\n"
                       "    -0.75*pi with lines lt 9 dashtype 2 title 'wall, -3π/4'\n"
                       "set ylabel 'angular velocity ω / (rad/s)'\n"
                       "set yrange [-8:8]\n"
                       "plot csv using 'time':'omega' with lines lt 3 lw 2 title 'its angular velocity'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig8_4 = {
    "andersson2016:fig8.4", "A bell: pendulum with a wall, state events and step events",
    "Andersson (2016), Fig. 8.4, section 8.3", .draw = draw_fig8_4};

/* Fig. 8.11 ---------------------------------------------------------------------------------------------- */

enum { CVODE, DORMAND_PRINCE, RUNS };

static const struct {
    const char *solver, *name;
} runs[RUNS] = {{"cvode-bdf", "CVODE"}, {"arkode-erk", "Dormand and Prince 5(4)"}};

typedef struct statistics {
    double max[RUNS]; /* of |x - reference| */
    ms_work work[RUNS];
    double own; /* the distance of the two references */
} statistics;

/* Rows of time, solution of both, their errors, and the reference. All have the same output points. */
static void tabulate(ms_drawing *drawing, const ms_integrate_study *of, const ms_integrate_study *reference,
                     statistics *s)
{
    ms_data *data =
        ms_drawing_data(drawing, "", "time,cvode,dormand_prince,e_cvode,e_dormand_prince,reference");
    for (long n = 0; n < reference->run.trajectory.rows; n++) {
        const double *exact = ms_run_series_row(&reference->run.trajectory, n);
        double values[6] = {exact[0], 0.0, 0.0, 0.0, 0.0, exact[2]};
        for (int k = 0; k < RUNS; k++) {
            values[1 + k] = ms_run_series_row(&of[k].run.trajectory, n)[2];
            values[3 + k] = fabs(values[1 + k] - exact[2]);
            s->max[k] = fmax(s->max[k], values[3 + k]);
        }
        ms_data_row(data, values);
    }
}

static void judge_fig8_11(ms_drawing *drawing, const statistics *s)
{
    ms_table *table =
        ms_drawing_table(drawing, "statistics", "Statistics",
                         "solver|steps|f evaluations|Jacobians|error test failures|largest error of x1");
    for (int k = 0; k < RUNS; k++)
        ms_table_add(table, "sIIIIr", runs[k].name, (json_int_t)s->work[k].micro_steps,
                     (json_int_t)s->work[k].rhs_evaluations, (json_int_t)s->work[k].jacobian_evaluations,
                     (json_int_t)s->work[k].error_test_failures, s->max[k]);
    ms_drawing_check(
        drawing, "errors against the reference", json_string("drawn, without numbers"),
        MS_REALS({runs[CVODE].name, s->max[CVODE]}, {runs[DORMAND_PRINCE].name, s->max[DORMAND_PRINCE]}),
        NULL, MS_NOT_DETERMINED,
        "Tolerances of the two runs are not printed; the default of 8.6.2, 1e-6, is taken. Errors are "
        "largest where x1 jumps, as an error in time.");
    ms_drawing_check_claim(drawing, "the reference is better than what it measures",
                           "calculated with atol = rtol = 1e-12, an extreme requirement",
                           MS_REALS({"distance from another reference", s->own}),
                           s->own < 1e-2 * fmin(s->max[CVODE], s->max[DORMAND_PRINCE]),
                           "The thesis takes Radau5 at 1e-12. Here it is ARKODE's diagonally implicit method "
                           "of order 5 at 1e-12, and the distance is that from the explicit method of order "
                           "8 at 1e-13, in x1 and over all output points.");
    ms_drawing_remark(
        drawing,
        "In s = sqrt(μ) t the oscillator has the stiffness m = %.4g. The explicit method is bound by "
        "stability where the solution is slow: it takes %.2g times as many steps as CVODE.",
        sqrt(2000.0), (double)s->work[DORMAND_PRINCE].micro_steps / (double)s->work[CVODE].micro_steps);
}

static int draw_fig8_11(ms_drawing *drawing, ms_error *error)
{
    ms_integrate_study of[RUNS] = {0}, reference = {0};
    statistics s = {0};
    const int points = (int)ms_drawing_published_number(drawing, "output_points");
    int status = ms_study_integrate(drawing, true, &reference, error,
                                    "integrate van-der-pol --output-points %d --solver arkode-dirk "
                                    "--solver-rtol 1e-12 --solver-atol 1e-12",
                                    points);
    for (int k = 0; k < RUNS && status == MS_OK; k++) {
        status = ms_study_integrate(drawing, false, &of[k], error,
                                    "integrate van-der-pol --output-points %d --solver %s", points,
                                    runs[k].solver);
        s.work[k] = of[k].run.work;
    }
    if (status == MS_OK) {
        s.own = reference.run.error[0].max;
        tabulate(drawing, of, &reference, &s);
        judge_fig8_11(drawing, &s);
    }
    for (int k = 0; k < RUNS; k++)
        ms_study_integrate_destroy(&of[k]);
    ms_study_integrate_destroy(&reference);
    ms_drawing_picture(
        drawing, 900, 420,
        "set multiplot layout 1,2\n"
        "set xlabel 'time t / s'\n"
        "set tmargin 5\n"
        "set ylabel 'x_1'\n"
        "plot csv using 'time':'dormand_prince' with lines lt 3 lw 5 title 'Dormand-Prince', \\\n"
        "    '' using 'time':'cvode' with lines lt 2 lw 2.5 title 'CVODE', \\\n"
        "    '' using 'time':'reference' with lines lt 1 lw 1 title 'reference'\n"
        "set ylabel 'error |x_1 - reference|'\n"
        "set logscale y; set format y powers\n"
        "plot csv using 'time':'e_dormand_prince' with lines lt 3 lw 1.5 title 'Dormand-Prince', \\\n"
        "    '' using 'time':'e_cvode' with lines lt 2 lw 1.5 title 'CVODE'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig8_11 = {
    "andersson2016:fig8.11",
    "Van der Pol's oscillator, μ = 2000: solution and errors of CVODE and Dormand-Prince 5(4)",
    "Andersson (2016), Fig. 8.11, section 8.6.1", .draw = draw_fig8_11};

/* Andersson (2016), section 9.1.2: van der Pol's oscillator with μ = 20, without and with a force. Figs 9.2
 * and 9.3. x2 of (9.1) is the model's x. */

static const char *const columns[] = {"oscillator.x.x", "oscillator.w.u"};

/* What can be said of a curve without numbers in print. */
static void note(ms_drawing *drawing, const ms_integration *run)
{
    double low = INFINITY, high = -INFINITY;
    for (long n = 0; n < run->trajectory.rows; n++)
        ms_widen(&low, &high, ms_run_series_row(&run->trajectory, n)[2]);
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
    int status =
        ms_study_integrate(drawing, true, &study, error, "integrate van-der-pol --case %s --stop-time %g",
                           name, ms_drawing_published_number(drawing, "stop_time"));
    if (status == MS_OK) {
        status =
            ms_study_integrate_curves(&study, columns, 2, ms_drawing_data(drawing, "", "time,x2,u"), error);
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
    ms_drawing_picture(drawing, 900, 420,
                       "set multiplot layout 1,2\n"
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
