/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 9.3.2: a quarter car with controlled macro-steps. Figs 9.15 and 9.16, Table 9.4.
 *
 * The equations are those of models/vehicles/quarter_car.c with physical signs: (9.11b) as printed is unstable.
 * Horizon 1 s, first step 0.001 s, rtol = atol = 1e-4, exact subsystems, PyFMI's controller
 * (algorithms/schemes/step_richardson.c). */
#include <math.h>

#include "figure.h"
#include "study.h"

/* Fig. 9.15: fixed steps --------------------------------------------------------------------------------- */

/* What the printed sign of the suspension's force does. */
static int remark_on_signs(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    const int status =
        ms_study_run(drawing, &ms_simulation_trajectory, &study, error, "run quarter-car --case as-printed");
    if (status == MS_OK) {
        const ms_trajectory *t = &study.simulation.trajectory;
        const double *last = t->row + (size_t)(t->rows - 1) * (size_t)t->columns;
        ms_drawing_remark(drawing,
                          "Equation (9.11b) prints the force of the suspension on the wheel with the sign of "
                          "the force on the chassis. With it the motion grows: after %.3g s the wheel stands "
                          "at %.3g m. The figure is drawn with the physical sign.",
                          last[0], last[3]);
    }
    ms_study_destroy(&study);
    return status;
}

static int draw_fig9_15(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    double apart[4] = {0.0}; /* of xc, vc, xw, vw */
    int status = ms_study_run(drawing, &(ms_simulation_options){.errors = true, .trajectory = true}, &study,
                              error, "run quarter-car --extrapolation-order 0 --step-size %g",
                              ms_drawing_published_number(drawing, "step_size"));
    if (status == MS_OK)
        status = ms_study_beside(
            &study, MS_BESIDE_REFERENCE,
            ms_drawing_data(drawing, "", "time,x_c,v_c,x_w,v_w,x_c_ref,v_c_ref,x_w_ref,v_w_ref"), apart,
            error);
    if (status == MS_OK) {
        ms_study_undetermined(drawing, "distance of the co-simulation from the reference", "shows",
                              MS_REALS({"largest in position [m]", fmax(apart[0], apart[2])},
                                       {"largest in velocity [m/s]", fmax(apart[1], apart[3])}),
                              "The text prints no number that could be compared. Both co-simulated masses "
                              "follow the reference; the lag of held inputs shows in the velocities.");
        status = remark_on_signs(drawing, error);
    }
    ms_study_destroy(&study);
    ms_drawing_picture(drawing, 900, 400,
                       "set multiplot layout 1,2\n"
                       "set xlabel 'time t / s'\n"
                       "set ylabel 'position x / m'\n"
                       "plot csv using 'time':'x_w' with lines lt 2 lw 3.5 title 'wheel', \\\n"
                       "    '' using 'time':'x_c' with lines lt 5 lw 3.5 title 'chassis', \\\n"
                       "    '' using 'time':'x_w_ref' with lines lt 1 lw 1 title 'reference', \\\n"
                       "    '' using 'time':'x_c_ref' with lines lt 1 lw 1 notitle\n"
                       "set ylabel 'velocity v / (m/s)'\n"
                       "plot csv using 'time':'v_w' with lines lt 2 lw 3.5 title 'wheel', \\\n"
                       "    '' using 'time':'v_c' with lines lt 5 lw 3.5 title 'chassis', \\\n"
                       "    '' using 'time':'v_w_ref' with lines lt 1 lw 1 title 'reference', \\\n"
                       "    '' using 'time':'v_c_ref' with lines lt 1 lw 1 notitle\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_15 = {
    "andersson2016:fig9.15",
    "Quarter car: position and velocity with constant extrapolation, and the reference",
    "Andersson (2016), Fig. 9.15, section 9.3.2", .draw = draw_fig9_15};

/* Fig. 9.16: estimated error, step size, rejections ------------------------------------------------------ */

typedef struct attempts {
    ms_data *accepted, *rejected; /* time, step size, estimate */
    double largest_accepted, smallest_step, largest_step;
} attempts;

static int note_attempt(void *self, double t, double h, double estimate, bool accepted)
{
    attempts *all = self;
    MS_ROW(accepted ? all->accepted : all->rejected, accepted ? t + h : t, h, estimate);
    if (accepted) {
        all->largest_accepted = fmax(all->largest_accepted, estimate);
        ms_widen(&all->smallest_step, &all->largest_step, h);
    }
    return 0;
}

static int draw_fig9_16(ms_drawing *drawing, ms_error *error)
{
    attempts all = {.accepted = ms_drawing_data(drawing, "", "time,step_size,estimate"),
                    .rejected = ms_drawing_data(drawing, "rejected", "time,step_size,estimate"),
                    .smallest_step = INFINITY};
    const ms_observer observer = {.self = &all, .attempt = note_attempt};
    ms_study study;
    const int status = ms_study_run(
        drawing, &(ms_simulation_options){.observers = &observer, .n_observers = 1}, &study, error,
        "run quarter-car --error-controlled pyfmi --rtol 1e-4 --atol 1e-4 --step-size 0.001");
    if (status == MS_OK) {
        ms_study_number(drawing, "times at which a step was rejected", "rejections",
                        (double)study.simulation.result.rejected_steps, 0.0,
                        "The figure marks them; their number is printed in Table 9.4.");
        ms_study_number(drawing, "global steps", "steps", (double)study.simulation.result.macro_steps, 0.0,
                        "The number is printed in Table 9.4.");
        ms_drawing_remark(
            drawing,
            "Accepted estimates reach %.3g, as PyFMI accepts below 1.1; macro-steps lie between %.3g s and "
            "%.3g s. An estimate is drawn at the end of its step, a rejection where the step began. "
            "Trajectories of the lost figure cannot be compared.",
            all.largest_accepted, all.smallest_step, all.largest_step);
    }
    ms_study_destroy(&study);
    ms_drawing_picture(
        drawing, 760, 540,
        "set multiplot layout 2,1\n"
        "set lmargin 9\n"
        "set rmargin 3\n"
        "set xrange [0:1]\n"
        "set ylabel 'error estimate / tolerance'\n"
        "set yrange [0:1.4]\n"
        "plot 1.1 with lines lt 9 dashtype 3 title 'limit of acceptance', \\\n"
        "    csv using 'time':'estimate' with fsteps lt 2 title 'accepted step', \\\n"
        "    part('rejected') using 'time':'estimate' with points lt 3 pt 2 ps 0.9 lw 2 \\\n"
        "    title 'rejected step'\n"
        "set xlabel 'time t / s'\n"
        "set ylabel 'global step size H / ms'\n"
        "set yrange [0:20]\n"
        "plot csv using 'time':(1e3*column('step_size')) with fsteps lt 4 title 'accepted step', \\\n"
        "    part('rejected') using 'time':(1e3*column('step_size')) with points lt 3 pt 2 ps 0.9 lw 2 \\\n"
        "    title 'rejected step'\n");
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_16 = {
    "andersson2016:fig9.16",
    "Quarter car: error estimate, step size and rejected steps with constant extrapolation",
    "Andersson (2016), Fig. 9.16, section 9.3.2", .draw = draw_fig9_16};

/* Table 9.4: steps and rejections over the extrapolation order ------------------------------------------- */

/* What the text leaves open beyond order 0: where the derivatives of the inputs come from, and the first
 * step. */
static const struct {
    const char *controller, *derivatives, *first_step, *options;
    bool printed_control; /* the controller that the table was made with */
} readings[] = {
    {"PyFMI", "past values", "exact history", "--error-controlled pyfmi", true},
    {"PyFMI", "past values", "hold", "--error-controlled pyfmi --start hold", true},
    {"PyFMI", "exact output derivatives", "exact history", "--error-controlled pyfmi --derivatives analytic",
     true},
    {"PyFMI", "exact output derivatives", "hold",
     "--error-controlled pyfmi --derivatives analytic --start hold", true},
    {"PyFMI", "differences of outputs", "hold",
     "--error-controlled pyfmi --derivatives analytic --output-derivatives differences --start hold", true},
    {"textbook", "past values", "exact history", "--error-controlled richardson", false},
    {"textbook", "exact output derivatives", "exact history",
     "--error-controlled richardson --derivatives analytic", false},
};

enum { READINGS = MS_COUNT(readings), ORDERS = 3 };

typedef struct counts {
    long steps[READINGS][ORDERS], rejections[READINGS][ORDERS]; /* -1: the options do not fit */
} counts;

static int count(ms_drawing *drawing, counts *measured, ms_error *error)
{
    int status = MS_OK;
    for (int r = 0; r < READINGS; r++)
        for (int order = 0; order < ORDERS && status == MS_OK; order++) {
            ms_study study;
            status = ms_study_run(
                drawing, NULL, &study, error,
                "run quarter-car %s --extrapolation-order %d --rtol 1e-4 --atol 1e-4 --step-size 0.001",
                readings[r].options, order);
            const bool fits = status != MS_UNSUPPORTED && status != MS_INVALID;
            measured->steps[r][order] = fits ? study.simulation.result.macro_steps : -1;
            measured->rejections[r][order] = fits ? study.simulation.result.rejected_steps : -1;
            status = fits ? status : MS_OK;
            ms_study_destroy(&study);
        }
    return status;
}

static json_t *cell(long steps, long rejections)
{
    return steps >= 0 ? json_sprintf("%ld / %ld", steps, rejections) : json_null();
}

/* A check of one printed count over the readings of the printed controller. */
typedef struct printed_count {
    const char *what, *key;
    const long (*measured)[ORDERS];
    const long (*steps)[ORDERS]; /* of the same runs */
} printed_count;

/* Reproduced: by past values; a count of failures only where the run has the printed steps as well, of which
 * they are failures: in another run the same number is a coincidence. Not determined: the print lies between
 * readings that the text permits. The start is at rest, so that start values times 1 + k eps are the same
 * run; no count moves with the round-off of other kernels. */
static void check_cell(ms_drawing *drawing, const printed_count *count, int order)
{
    double printed[ORDERS], printed_steps[ORDERS];
    ms_study_published(drawing, count->key, ORDERS, printed);
    ms_study_published(drawing, "steps", ORDERS, printed_steps);
    const double published = printed[order], steps = printed_steps[order];
    const long first = count->measured[0][order];
    long low = first, high = first;
    for (int r = 0; r < READINGS; r++)
        if (readings[r].printed_control && count->measured[r][order] >= 0) {
            low = count->measured[r][order] < low ? count->measured[r][order] : low;
            high = count->measured[r][order] > high ? count->measured[r][order] : high;
        }
    const bool same = (double)first == published, same_run = (double)count->steps[0][order] == steps;
    const bool between = (double)low <= published && published <= (double)high;
    const char *coincidence = "";
    if (same && !same_run)
        coincidence = ms_drawing_text(
            drawing, " The same number comes from a run of %ld steps, not %.0f: a coincidence.",
            count->steps[0][order], steps);
    ms_drawing_check(drawing, ms_drawing_text(drawing, "%s, extrapolation order %d", count->what, order),
                     json_integer((json_int_t)published), json_integer(first),
                     json_string("reproduced where past values give it in a run of the printed steps, "
                                 "undecided where readings lie on both sides"),
                     same && same_run ? MS_REPRODUCED
                     : between        ? MS_NOT_DETERMINED
                                      : MS_DEVIATES,
                     order == 0
                         ? "No derivative enters, and nothing is left open: all readings give %ld to %ld.%s"
                         : "The text does not say where the derivatives of the inputs come from, nor how the "
                           "first step is extrapolated: the readings give %ld to %ld.%s",
                     low, high, coincidence);
}

/* The reading with PyFMI's controller whose number of steps comes nearest to the print. */
static int nearest_reading(const counts *measured, int order, double published)
{
    int nearest = 0;
    for (int r = 1; r < READINGS; r++)
        if (readings[r].printed_control && measured->steps[r][order] >= 0 &&
            fabs((double)measured->steps[r][order] - published) <
                fabs((double)measured->steps[nearest][order] - published))
            nearest = r;
    return nearest;
}

static void remark_on_nearest(ms_drawing *drawing, const counts *measured)
{
    const int one = nearest_reading(measured, 1, ms_drawing_published_number(drawing, "steps.1"));
    const int two = nearest_reading(measured, 2, ms_drawing_published_number(drawing, "steps.2"));
    ms_drawing_remark(
        drawing,
        "Nearest to the printed orders 1 and 2 come %s with the first step by %s (%ld / %ld) and %s with the "
        "first step by %s (%ld / %ld). That would be a master that takes first derivatives from its units "
        "where they have them, and differences for what they lack; the text does not say so.",
        readings[one].derivatives, readings[one].first_step, measured->steps[one][1],
        measured->rejections[one][1], readings[two].derivatives, readings[two].first_step,
        measured->steps[two][2], measured->rejections[two][2]);
    ms_drawing_remark(
        drawing,
        "PyFMI's controller takes the root of the mean of |delta| / (atol + rtol |y|) without a square, and "
        "the exponent -1/2 at every order. The textbook controller, with squares and the scheme's order, "
        "takes more steps and rejections at order 0 and fewer steps at orders 1 and 2.");
}

static void write_table(ms_drawing *drawing, const counts *measured)
{
    ms_table *table = ms_drawing_table(drawing, "", "Global steps / error test failures",
                                       "controller|input derivatives|first step|order 0|order 1|order 2");
    json_t *printed[ORDERS];
    double steps_printed[ORDERS], rejections_printed[ORDERS];
    ms_study_published(drawing, "steps", ORDERS, steps_printed);
    ms_study_published(drawing, "rejections", ORDERS, rejections_printed);
    for (int order = 0; order < ORDERS; order++)
        printed[order] = cell((long)steps_printed[order], (long)rejections_printed[order]);
    ms_table_add(table, "snnooo", "published", printed[0], printed[1], printed[2]);
    for (int r = 0; r < READINGS; r++) {
        const long *steps = measured->steps[r], *rejections = measured->rejections[r];
        ms_table_add(table, "sssooo", readings[r].controller, readings[r].derivatives, readings[r].first_step,
                     cell(steps[0], rejections[0]), cell(steps[1], rejections[1]),
                     cell(steps[2], rejections[2]));
    }
}

static int draw_table9_4(ms_drawing *drawing, ms_error *error)
{
    counts measured;
    const int status = count(drawing, &measured, error);
    if (status != MS_OK)
        return status;
    write_table(drawing, &measured);
    const long(*steps)[ORDERS] = (const long(*)[ORDERS])measured.steps;
    const printed_count printed[] = {
        {"global steps", "steps", steps, steps},
        {"error test failures", "rejections", (const long(*)[ORDERS])measured.rejections, steps}};
    for (int order = 0; order < ORDERS; order++)
        for (int k = 0; k < MS_COUNT(printed); k++)
            check_cell(drawing, &printed[k], order);
    remark_on_nearest(drawing, &measured);
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_table9_4 = {
    "andersson2016:table9.4",
    "Quarter car: global steps and error test failures over the extrapolation order",
    "Andersson (2016), Table 9.4, section 9.3.2", .draw = draw_table9_4};
