/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_tools.c - the masters of six tools on one model: error over work, and what each fault of theirs costs.
 *
 * Known beforehand of dual-mass-oscillator, whose second subsystem answers to its inputs at once and whose first one does not, so
 * that there is no algebraic loop. All of the tools hold inputs, hence
 *
 *     - fixed steps have order 1, whatever the start and the exchange are;
 *     - oms-ma hands over y(T_n), late by H/2 on average, and passes without end hand over y(T_n + H), early by as much: to first
 *       order their errors are opposite, each as large as the other, and half the sum of both has order 2;
 *     - fmpy is libcosim but for the first step, which has no force: an impulse F(0) H is missing, and what is left of that at the end
 *       has order 1;
 *     - maestro accepts the first pass where outputs move by less than its tolerance within a step: at short steps it is
 *       libcosim, whatever the error is;
 *     - oms-mav holds H |y'| at 0.81 of the tolerance: steps, and the error, are proportional to it;
 *     - so are those of pyfmi, as its outputs carry the inputs of before: its estimate is of order H and not H^2;
 *     - with work in proportion to 1/H a scheme of order 2 needs fewer integrations by a factor that grows as the square root of
 *       1/error: more than ten at an error of 1e-3, where an error of 1 is one of H = 1 s. */
#include <math.h>

#include "figure.h"
#include "macrostep_work_precision.h"

enum { OMS_MA, LIBCOSIM, FMPY, MAESTRO, LOOSE, OMS_MAV, PYFMI, ORDER_ONE, IFOSMONDI, MEMBERS, POSITIONS = 2 };

static const struct {
    const char *name, *options;
    const char *setting; /* NULL: the macro-step; else the options that are the tolerance */
} members[MEMBERS] = {
    [OMS_MA] = {"oms-ma", "--as oms-ma", NULL},
    [LIBCOSIM] = {"libcosim", "--as libcosim", NULL},
    [FMPY] = {"fmpy", "--as fmpy", NULL},
    [MAESTRO] = {"maestro, five passes", "--as maestro --rtol 1e-12 --atol 1e-12", NULL},
    [LOOSE] = {"maestro, 0.01", "--as maestro --rtol 0.01 --atol 0.01", NULL},
    [OMS_MAV] = {"oms-mav", "--as oms-mav", "tolerance"},
    [PYFMI] = {"pyfmi", "--as pyfmi", "tolerance"},
    [ORDER_ONE] = {"jacobi, order 1", "--extrapolation-order 1 --outputs consistent", NULL},
    [IFOSMONDI] = {"ifosmondi", "--scheme ifosmondi --epsilon 1e-10", NULL},
};

static const double largest = 0.1; /* step [s], or tolerance; then a quarter of the one before */
/* Positions at 10 s, by the matrix exponential of the whole [m]. */
static const double exact[POSITIONS] = {0.051040814056552, 0.0316413383731974};

typedef struct results {
    ms_work_curve curve[MEMBERS];
    double position[MEMBERS][MS_SETTINGS][POSITIONS];
} results;

/* Runs --------------------------------------------------------------------------------------------------- */

static int run_point(ms_drawing *drawing, int member, int k, results *r, ms_error *error)
{
    static const ms_simulation_options both = {.errors = true, .trajectory = true};
    ms_study study;
    double *position = r->position[member][k];
    const double setting = ldexp(largest, -2 * k);
    const char *options =
        members[member].setting == NULL
            ? ms_drawing_text(drawing, "%s --step-size %.17g", members[member].options, setting)
            : ms_drawing_text(drawing, "%s --rtol %.17g --atol %.17g", members[member].options, setting,
                              setting);
    const int status = ms_study_run(drawing, &both, &study, error, "run dual-mass-oscillator %s", options);
    r->curve[member].point[k] = ms_work_point_of(setting, &study.simulation);
    position[0] = ms_study_last(&study, "system1.x.x");
    position[1] = ms_study_last(&study, "system2.x.x");
    ms_study_destroy(&study);
    return status;
}

/* Findings ----------------------------------------------------------------------------------------------- */

/* The power of the setting by which a quantity falls from setting k to k + 1. */
static double power(double before, double after)
{
    return ms_observed_order(before, after, 4.0, 1.0);
}

static double order(const results *r, int member, int k)
{
    return power(r->curve[member].point[k].error, r->curve[member].point[k + 1].error);
}

/* The larger one of the two positions of: one half of the sum of two members' errors, or their difference. */
static double apart(const results *r, int one, int other, int k, bool half_sum)
{
    double most = 0.0;
    for (int j = 0; j < POSITIONS; j++) {
        const double a = r->position[one][k][j], b = r->position[other][k][j];
        most = fmax(most, fabs(half_sum ? 0.5 * (a + b) - exact[j] : a - b));
    }
    return most;
}

static void check_orders(ms_drawing *drawing, const results *r)
{
    static const int fixed[] = {OMS_MA, LIBCOSIM, FMPY, MAESTRO};
    for (int m = 0; m < MS_COUNT(fixed); m++)
        ms_drawing_check_number(drawing, ms_drawing_text(drawing, "order of %s", members[fixed[m]].name), 1.0,
                                order(r, fixed[m], MS_SETTINGS - 2), 0.1,
                                "Between the two shortest macro-steps, of the mean relative L2 error.");
    for (int m = OMS_MAV; m <= PYFMI; m++) {
        const ms_work_point *p = r->curve[m].point;
        ms_drawing_check_number(
            drawing, ms_drawing_text(drawing, "%s: power of the tolerance in the error", members[m].name),
            1.0, order(r, m, MS_SETTINGS - 2), 0.2, "Between the two smallest tolerances.");
        ms_drawing_check_number(
            drawing, ms_drawing_text(drawing, "%s: power of the tolerance in 1/steps", members[m].name), 1.0,
            power(p[MS_SETTINGS - 1].steps, p[MS_SETTINGS - 2].steps), 0.2,
            "Between the two smallest tolerances; a controller that knows its order would have 1/2.");
    }
}

static void check_faults(ms_drawing *drawing, const results *r)
{
    const int finest = MS_SETTINGS - 1;
    const ms_work_point *loose = &r->curve[LOOSE].point[finest], *plain = &r->curve[LIBCOSIM].point[finest];
    ms_drawing_check_number(drawing, "error of maestro with passes without end over that of oms-ma", 1.0,
                            r->curve[MAESTRO].point[finest].error / r->curve[OMS_MA].point[finest].error,
                            0.02, "At the shortest macro-step: as early as the other one is late.");
    ms_drawing_check_number(drawing, "order of half the sum of both", 2.0,
                            power(apart(r, OMS_MA, MAESTRO, 2, true), apart(r, OMS_MA, MAESTRO, 3, true)),
                            0.2, "Positions at 10 s; the errors of order 1 cancel.");
    ms_drawing_check_number(
        drawing, "order of what fmpy has less than libcosim", 1.0,
        power(apart(r, FMPY, LIBCOSIM, finest - 1, false), apart(r, FMPY, LIBCOSIM, finest, false)), 0.05,
        "Positions at 10 s: the impulse of the force in the first macro-step.");
    ms_drawing_check_claim(
        drawing, "maestro with a tolerance of 0.01 is libcosim at the shortest macro-step",
        "the same positions and integrations",
        MS_REALS({"difference of positions", apart(r, LOOSE, LIBCOSIM, finest, false)},
                 {"integrations", loose->evaluations}, {"integrations of libcosim", plain->evaluations}),
        apart(r, LOOSE, LIBCOSIM, finest, false) == 0.0 && loose->evaluations == plain->evaluations,
        "Each first pass is accepted: outputs move by less than 0.01 in %.3g s.", loose->setting);
}

static void check_work(ms_drawing *drawing, const results *r)
{
    static const double error = 1e-3;
    const double other = ms_work_at(&r->curve[ORDER_ONE], error);
    double least = INFINITY;
    json_t *measured = json_object();
    for (int m = OMS_MA; m <= PYFMI; m++) {
        const double work = ms_work_at(&r->curve[m], error);
        least = isnan(work) ? least : fmin(least, work);
        json_object_set_new(measured, members[m].name, ms_json_real(round(work)));
    }
    json_object_set_new(measured, members[ORDER_ONE].name, ms_json_real(round(other)));
    ms_drawing_check_claim(drawing,
                           "integrations to an error of 1e-3: the cheapest tool over jacobi of order 1",
                           "more than 10", measured, least > 10.0 * other,
                           "Between points on double logarithmic scales; %.0f times as many.", least / other);
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_all(ms_drawing *drawing, const results *r)
{
    ms_data *data = ms_drawing_data(drawing, "", "member,setting,steps,integrations,error");
    ms_data *ratios = ms_drawing_data(drawing, "ratios", "step,libcosim,fmpy,maestro,loose");
    ms_table *table = ms_drawing_table(drawing, "runs", "Masters of tools: errors and work",
                                       "master|macro-step or tolerance|macro-steps|integrations|error|order");
    for (int m = 0; m < MEMBERS; m++) {
        ms_work_write(data, 1, (const double[]){m}, &r->curve[m], 1.0);
        for (int k = 0; k < MS_SETTINGS; k++) {
            const ms_work_point *p = &r->curve[m].point[k];
            ms_table_add(table, "srrrrr", members[m].name, p->setting, p->steps, p->evaluations, p->error,
                         k > 0 ? order(r, m, k - 1) : NAN);
        }
    }
    for (int k = 0; k < MS_SETTINGS; k++) {
        const double of = r->curve[OMS_MA].point[k].error;
        MS_ROW(ratios, r->curve[OMS_MA].point[k].setting, r->curve[LIBCOSIM].point[k].error / of,
               r->curve[FMPY].point[k].error / of, r->curve[MAESTRO].point[k].error / of,
               r->curve[LOOSE].point[k].error / of);
    }
}

static void draw_picture(ms_drawing *drawing)
{
    static const struct {
        int line, point;
        const char *dash;
        double width;
    } style[MEMBERS] = {{2, 7, "1", 2.0},  {3, 5, "1", 2.0},  {5, 9, "1", 2.0},
                        {4, 13, "1", 2.0}, {4, 12, "2", 2.0}, {6, 11, "1", 2.0},
                        {7, 15, "1", 2.0}, {9, 6, "2", 1.5},  {9, 4, "3", 1.5}};
    static const int faults[] = {LIBCOSIM, FMPY, MAESTRO, LOOSE};
    static const char *const columns[] = {"libcosim", "fmpy", "maestro", "loose"};
    ms_drawing_picture(drawing, 1100, 520, "set multiplot\nset logscale xy\nset format xy powers\n");
    ms_drawing_panel(drawing, 0.075, 0.55, 0.80, 0.13, "(a) error over work");
    ms_drawing_script(drawing,
                      "set xlabel 'integrations of subsystems'\nset ylabel 'mean relative L_2 error'\n"
                      "set xrange [100:2e6]\nset yrange [1e-7:1]\n"
                      "set key at screen 0.5,0.985 center top vertical maxrows 3\n");
    for (int m = 0; m < MEMBERS; m++)
        ms_drawing_curve(drawing,
                         "csv using (column('member')==%d ? column('integrations') : NaN):'error' with "
                         "linespoints lt %d lw %g dashtype %s pt %d ps 0.9 title '%s'",
                         m, style[m].line, style[m].width, style[m].dash, style[m].point, members[m].name);
    ms_drawing_panel(drawing, 0.64, 0.985, 0.80, 0.13, "(b) over that of oms-ma at the same macro-step");
    ms_drawing_script(drawing, "set xlabel 'macro-step H / s'\nset ylabel 'error over that of oms-ma'\n"
                               "set xrange [7e-5:0.14]\nset yrange [0.5:8]\nset format y '%%g'\n"
                               "set ytics (0.5, 1, 2, 4, 8)\nunset key\n");
    ms_drawing_curve(drawing, "1 with lines lt 2 lw 2 notitle");
    for (int f = 0; f < MS_COUNT(faults); f++)
        ms_drawing_curve(drawing,
                         "part('ratios') using 'step':'%s' with linespoints lt %d lw %g dashtype %s pt %d ps "
                         "0.9 title '%s'",
                         columns[f], style[faults[f]].line, style[faults[f]].width, style[faults[f]].dash,
                         style[faults[f]].point, members[faults[f]].name);
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *r = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int m = 0; m < MEMBERS; m++)
        for (int k = 0; k < MS_SETTINGS && status == MS_OK; k++)
            status = run_point(drawing, m, k, r, error);
    if (status != MS_OK)
        return status;
    write_all(drawing, r);
    check_orders(drawing, r);
    check_faults(drawing, r);
    check_work(drawing, r);
    draw_picture(drawing);
    ms_drawing_remark(drawing,
                      "Model dual-mass-oscillator to 10 s, exact subsystems. Macro-steps from %g s, each a "
                      "quarter of the one before; tolerances (rtol = atol) of oms-mav and pyfmi the same "
                      "numbers. An integration is one subsystem over one macro-step, rejected ones and "
                      "passes included. Grey: what the program has besides.",
                      largest);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_tools = {
    "macrostep:tools", "Masters of other tools on one model: error over work, and what their faults cost",
    "this project; masters of OMSimulator, libcosim, maestro, FMPy, PyFMI", .draw = draw,
    .memory = sizeof(results)};
