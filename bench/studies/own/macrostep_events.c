/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an event inside a subsystem leaves of each scheme's order.
 *
 * An event at t_e = T_n + theta H in a subsystem is not seen by the others before T_n + H: over (1 - theta)
 * H their inputs follow the old solution. Let derivative j of the exchanged variables be the first that
 * jumps, by D. The input is then wrong by up to D (1 - theta)^j H^j / j! over a time of order H, once in the
 * run: an error of order H^{j+1} in the states. So of order p
 *
 *     min(p, j + 1)
 *
 * is left, and min(p, j + 2) with balance correction, which pays back what was missed. The factor depends on
 * theta. For a jump (j = 0) the integral that is missed is
 *
 *     (1 - theta) H D      inputs held, extrapolated with derivatives, or with a history that is dropped
 *     (1/2 - theta) H D    past values, order 1 and 2: the steps that follow extrapolate across the jump and
 *                          overshoot, by half of H D together; the line and the parabola through the newest
 *                          values (Gauss-Seidel) have the same
 *
 * with root mean squares over theta of 0.577 and 0.289. So every error here is the root mean square of those
 * of eight runs with N, .., N + 7 macro-steps, which shift the event within its macro-step. */
#include <math.h>
#include <string.h>

#include "arguments.h"
#include "cosim.h"
#include "figure.h"
#include "study_orders.h"

enum { SCHEMES = 13, CASES = 6, GRIDS = 4, OFFSETS = 8, COARSEST = 48, STATES = 8, SMOOTH = 9 };

#define MICRO " --solver arkode-erk --solver-rtol 1e-12 --solver-atol 1e-12"

static const struct {
    const char *name, *options;
    int order;
    bool balance;
    int line;
    const char *dash;
    int point;
} schemes[SCHEMES] = {
    {"Jacobi, order 0", "--extrapolation-order 0", 1, false, 9, "1", 7},
    {"Jacobi, order 1", "--extrapolation-order 1", 2, false, 2, "1", 7},
    {"Jacobi, order 1, dropped", "--extrapolation-order 1 --at-events drop", 2, false, 2, "'-'", 6},
    {"Jacobi, order 2", "--extrapolation-order 2", 3, false, 3, "1", 7},
    {"Jacobi, order 2, dropped", "--extrapolation-order 2 --at-events drop", 3, false, 3, "'-'", 6},
    {"Jacobi, order 1, derivatives", "--extrapolation-order 1 --derivatives analytic", 2, false, 7, "1", 9},
    {"Jacobi, order 1, C0 smoothing", "--extrapolation-order 1 --smooth-coupling c0", 2, false, 7, "'-'", 8},
    {"Gauss-Seidel, order 1", "--scheme gauss-seidel --extrapolation-order 1", 2, false, 4, "1", 5},
    {"Gauss-Seidel, order 2", "--scheme gauss-seidel --extrapolation-order 2", 3, false, 4, "'-'", 4},
    {"balance, order 1", "--scheme balance --extrapolation-order 1", 3, true, 6, "1", 13},
    {"ifosmondi", "--scheme ifosmondi --epsilon 1e-11", 4, false, 1, "1", 11},
    {"zoh-iterative", "--scheme zoh-iterative --epsilon 1e-11", 1, false, 5, "1", 1},
    {"f3ornits, equal steps", "--scheme f3ornits --rtol 1e-13 --atol 1e-13", 2, false, 1, "'-'", 2},
};
enum {
    JACOBI_1 = 1,
    JACOBI_1_DROPPED,
    JACOBI_2,
    JACOBI_2_DROPPED,
    DERIVATIVES_1,
    SMOOTH_1,
    GAUSS_SEIDEL_1,
    GAUSS_SEIDEL_2,
    BALANCE_1,
    IFOSMONDI
};

static const struct {
    const char *title, *options;
    int jumps; /* the first derivative of the exchanged variables that jumps; SMOOTH: none */
} cases[CASES] = {
    {"no event", "--case none", SMOOTH},
    {"impact; spring and damper (j = 0)", "--case impact", 0},
    {"impact; spring, displacements exchanged (j = 1)", "--case impact --set d2=0", 1},
    {"impact; spring, velocities exchanged (j = 0)", "--case impact --set d2=0 --set exchange=1", 0},
    {"force from t_e on; spring and damper (j = 1)", "--case time --set force=50", 1},
    {"preloaded stop; spring (j = 2)", "--case switch --set d2=0", 2},
};
enum { NO_EVENT, JUMP, KINK, JUMP_BY_VELOCITY };

typedef struct curve {
    double step[GRIDS], error[GRIDS];
    double slope; /* over the last two halvings */
    int expected;
} curve;

/* Runs --------------------------------------------------------------------------------------------------- */

typedef struct end_state {
    double x[STATES];
} end_state;

static void take_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)t, (void)reason;
    end_state *end = self;
    memcpy(end->x, cosim->x, sizeof(double) * (size_t)cosim->system->nx);
}

/* The monolithic solution at the end of the run. */
static int exact_end(ms_drawing *drawing, int c, end_state *exact, ms_error *error)
{
    ms_study study;
    ms_reference *reference = NULL;
    int status = ms_study_bind(drawing, &study, error, "run impact-oscillator %s", cases[c].options);
    if (status == MS_OK)
        status = ms_reference_create(study.system, 0, NULL, &reference, error);
    if (status == MS_OK) {
        status = ms_reference_step(reference, 0.0, study.system->stop_time);
        if (status != MS_OK)
            ms_fail(error, status, "the reference of %s failed", cases[c].title);
    }
    if (status == MS_OK)
        memcpy(exact->x, ms_reference_state(reference), sizeof(double) * (size_t)study.system->nx);
    ms_reference_destroy(&reference);
    ms_study_destroy(&study);
    return status;
}

/* The largest error of a state at the end. */
static int run_once(ms_drawing *drawing, const ms_study *study, double step, const end_state *exact,
                    double *worst, ms_error *error)
{
    ms_simulation simulation;
    end_state end = {{0.0}};
    const ms_observer observer = {.self = &end, .end = take_end};
    const ms_simulation_options request = {.observers = &observer, .n_observers = 1};
    ms_options options = study->arguments->options;
    options.step_size = step;
    const int status = ms_study_repeat(drawing, study, &options, &request, &simulation, error);
    if (status != MS_OK)
        return status;
    *worst = simulation.result.reason == MS_REASON_END_TIME ? 0.0 : NAN;
    for (int j = 0; j < study->system->nx; j++)
        *worst += fmax(0.0, fabs(end.x[j] - exact->x[j]) - *worst);
    ms_simulation_destroy(&simulation);
    return MS_OK;
}

static int run_curve(ms_drawing *drawing, int c, int s, const end_state *exact, curve *one, ms_error *error)
{
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "run impact-oscillator %s %s" MICRO, cases[c].options,
                               schemes[s].options);
    for (int g = 0; g < GRIDS && status == MS_OK; g++) {
        double sum = 0.0, logarithm = 0.0, worst = NAN;
        for (int k = 0; k < OFFSETS && status == MS_OK; k++) {
            const double step = study.system->stop_time / ((COARSEST << g) + k);
            status = run_once(drawing, &study, step, exact, &worst, error);
            sum += worst * worst;
            logarithm += log(step);
        }
        one->step[g] = exp(logarithm / OFFSETS);
        one->error[g] = sqrt(sum / OFFSETS);
    }
    ms_study_destroy(&study);
    if (status != MS_OK)
        return status;
    const int left = cases[c].jumps + (schemes[s].balance ? 2 : 1);
    one->expected = left < schemes[s].order ? left : schemes[s].order;
    one->slope = ms_observed_order(one->error[GRIDS - 3], one->error[GRIDS - 1], one->step[GRIDS - 3],
                                   one->step[GRIDS - 1]);
    return MS_OK;
}

/* Checks ------------------------------------------------------------------------------------------------- */

static void check_orders(ms_drawing *drawing, curve all[CASES][SCHEMES])
{
    double least = INFINITY, most = -INFINITY;
    const char *higher = "";
    json_t *measured = json_object();
    for (int c = 0; c < CASES; c++) {
        json_t *of = json_object();
        for (int s = 0; s < SCHEMES; s++) {
            const double above = all[c][s].slope - all[c][s].expected;
            json_object_set_new(of, schemes[s].name,
                                json_sprintf("%.2f (%d)", all[c][s].slope, all[c][s].expected));
            ms_widen(&least, &most, above);
            if (above > 0.3)
                higher = ms_drawing_text(drawing, "%s%s%s in case %d", higher, higher[0] != '\0' ? "; " : "",
                                         schemes[s].name, c + 1);
        }
        json_object_set_new(measured, cases[c].title, of);
    }
    ms_drawing_check(drawing, "an event leaves order min(p, j + 1), with balance correction min(p, j + 2)",
                     json_string("expected from the local error"), measured,
                     json_string("slopes 0.3 below at most"), ms_verdict_of(least >= -0.3),
                     "Slopes over the last two halvings of H, expected order in brackets. They differ from "
                     "it by %.2f to %.2f. By more than 0.3 above it: %s. There the event's error, whose "
                     "factor is small where past values pay it back, has not yet overtaken the smooth one.",
                     least, most, higher[0] != '\0' ? higher : "none");
}

/* Errors of past values over each other, at the smallest H and a jump. */
static void check_compensation(ms_drawing *drawing, curve all[CASES][SCHEMES])
{
    static const int same[] = {JACOBI_1, JACOBI_2, SMOOTH_1, GAUSS_SEIDEL_1, GAUSS_SEIDEL_2};
    double least = INFINITY, most = 0.0;
    json_t *measured = json_object();
    for (size_t k = 0; k < MS_COUNT(same); k++) {
        const double error = all[JUMP][same[k]].error[GRIDS - 1];
        ms_widen(&least, &most, error);
        json_object_set_new(measured, schemes[same[k]].name, ms_json_real(error));
    }
    ms_drawing_check(
        drawing, "past values, order 1 and 2, miss (1/2 - theta) H D of a jump D, whoever extrapolates",
        json_string("the same error"), measured, json_string("10 %"), ms_verdict_of(most <= 1.1 * least),
        "Impact with spring and damper, H = %.3g s. The macro-steps behind the event extrapolate across the "
        "jump; what they overshoot pays half a macro-step of it back.",
        all[JUMP][JACOBI_1].step[GRIDS - 1]);
}

static void check_dropping(ms_drawing *drawing, curve all[CASES][SCHEMES])
{
    static const int pair[][2] = {{JACOBI_1, JACOBI_1_DROPPED}, {JACOBI_2, JACOBI_2_DROPPED}};
    double best = INFINITY, worst = 0.0;
    json_t *measured = json_object();
    for (int c = NO_EVENT + 1; c < CASES; c++) {
        const double first = all[c][pair[0][1]].error[GRIDS - 1] / all[c][pair[0][0]].error[GRIDS - 1],
                     second = all[c][pair[1][1]].error[GRIDS - 1] / all[c][pair[1][0]].error[GRIDS - 1];
        json_object_set_new(measured, cases[c].title,
                            json_sprintf("order 1: %.2f, order 2: %.2f", first, second));
        best = fmin(best, fmin(first, second));
        worst = fmax(worst, fmax(first, second));
    }
    ms_drawing_check(
        drawing, "a scheme that drops its history at an event is more accurate", json_string("supposed"),
        measured, json_string("error dropped / kept below 1 in every case"), ms_verdict_of(worst < 1.0),
        "At the smallest H; from %.2f to %.2f. The order is the same. What is missed in the event's own "
        "macro-step is beyond reach, and past values across the event pay part of it back, which a dropped "
        "history does not: nor for the force, which is read with the inputs from before the event and so "
        "learns of it one macro-step later. A quotient below 1: a kink, and order 1.",
        best, worst);
}

static void check_exchange(ms_drawing *drawing, curve all[CASES][SCHEMES])
{
    const curve *by_place = &all[KINK][JACOBI_2], *by_speed = &all[JUMP_BY_VELOCITY][JACOBI_2];
    ms_drawing_check(
        drawing, "the same impact costs an order more where velocities are exchanged, not displacements",
        json_string("expected: j is one less"),
        MS_REALS({"slope, displacements", by_place->slope}, {"slope, velocities", by_speed->slope},
                 {"error, displacements", by_place->error[GRIDS - 1]},
                 {"error, velocities", by_speed->error[GRIDS - 1]}),
        json_string("slopes 0.7 apart at least"), ms_verdict_of(by_place->slope - by_speed->slope >= 0.7),
        "Jacobi, order 2, on one and the same monolithic model, without the damper.");
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void tabulate(ms_drawing *drawing, curve all[CASES][SCHEMES])
{
    ms_data *data = ms_drawing_data(drawing, "", "case,curve,step,error");
    ms_table *table =
        ms_drawing_table(drawing, "orders", "Orders left by an event",
                         "case|scheme|order without events|expected|slope|error at the smallest step");
    for (int c = 0; c < CASES; c++)
        for (int s = 0; s < SCHEMES; s++) {
            const curve *one = &all[c][s];
            for (int g = 0; g < GRIDS; g++)
                MS_ROW(data, c, s, one->step[g], one->error[g]);
            ms_data_break(data);
            ms_table_add(table, "ssiirr", cases[c].title, schemes[s].name, schemes[s].order, one->expected,
                         one->slope, one->error[GRIDS - 1]);
        }
}

/* A line of the slope that is left, above the curves of Jacobi's first order. */
static void draw_slope(ms_drawing *drawing, const curve *near, int order)
{
    const double from = near->step[GRIDS - 1], to = near->step[0], top = 2.5 * near->error[0];
    ms_drawing_curve(drawing, "[%g:%g] %g*(x/%g)**%d with lines lt 9 lw 1.5 dashtype '.' title 'H^{j+1}'",
                     from, to, top, to, order);
}

/* Jacobi and what is made of it, or all others with Jacobi of order 1 for comparison. */
static bool is_shown(int scheme, int group)
{
    const bool jacobi = strncmp(schemes[scheme].name, "Jacobi", 6) == 0;
    return group == 0 ? jacobi : !jacobi || scheme == JACOBI_1;
}

static void plot_group(ms_drawing *drawing, int at, int group)
{
    for (int s = 0; s < SCHEMES; s++)
        if (is_shown(s, group))
            ms_drawing_curve(drawing,
                             "csv using (column('case')==%d && column('curve')==%d ? column('step') : "
                             "NaN):'error' with linespoints lt %d lw 1.5 dashtype %s pt %d ps 0.8 title '%s'",
                             at, s, schemes[s].line, schemes[s].dash, schemes[s].point, schemes[s].name);
}

static void draw_picture(ms_drawing *drawing, curve all[CASES][SCHEMES])
{
    static const double floor[CASES] = {1e-11, 1e-6, 1e-7, 1e-6, 1e-7, 1e-10};
    ms_drawing_picture(drawing, 1180, 1560,
                       "set multiplot\nset logscale xy\nset format xy powers\nset xrange [1.2e-3:1.6e-2]\n"
                       "set xtics (\"10^{-2}\" 1e-2, \"2×10^{-3}\" 2e-3, \"5×10^{-3}\" 5e-3)\n");
    for (int panel = 0; panel < 2 * CASES; panel++) {
        const int group = panel / CASES, c = panel % CASES, row = c / 3, column = c % 3;
        const double top = 0.93 - 0.485 * group - 0.222 * row;
        ms_drawing_panel(drawing, 0.07 + 0.32 * column, 0.33 + 0.32 * column, top, top - 0.165,
                         cases[c].title);
        ms_drawing_script(drawing, "set xlabel '%s'\nset ylabel '%s'\nset yrange [%g:%g]\n%s\n",
                          row == 0 ? "" : "macro-step H / s",
                          column == 0 ? "error at the end, r.m.s. / SI units" : "", floor[c], 1.0,
                          c == 2 && group == 0 ? "set key at screen 0.53,0.999 center top vertical maxrows 3"
                          : c == 2 && group == 1
                              ? "set key at screen 0.53,0.507 center top vertical maxrows 2"
                              : "unset key");
        plot_group(drawing, c, group);
        if (cases[c].jumps != SMOOTH)
            draw_slope(drawing, &all[c][cases[c].jumps == 2 ? JACOBI_2 : JACOBI_1], cases[c].jumps + 1);
    }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    curve all[CASES][SCHEMES];
    int status = MS_OK;
    for (int c = 0; c < CASES && status == MS_OK; c++) {
        end_state exact = {{0.0}};
        status = exact_end(drawing, c, &exact, error);
        for (int s = 0; s < SCHEMES && status == MS_OK; s++)
            status = run_curve(drawing, c, s, &exact, &all[c][s], error);
    }
    if (status != MS_OK)
        return status;
    tabulate(drawing, all);
    check_orders(drawing, all);
    check_compensation(drawing, all);
    check_dropping(drawing, all);
    check_exchange(drawing, all);
    draw_picture(drawing, all);
    ms_drawing_remark(
        drawing,
        "Model impact-oscillator, one event in each run, never at a communication point. Error: the largest "
        "of the states at the end, root mean square of %d runs with N, .., N + %d macro-steps, so that the "
        "event lies at different places of its macro-step; N = %d, doubled %d times; --step-size is the "
        "length of the run, 0.8 s, over them. j: the first derivative of the exchanged variables that jumps "
        "at the event; dotted: the slope j + 1. Dropped: --at-events drop, past values from the tangent "
        "behind the event. f3ornits stays at its smallest step by tolerances that it cannot reach, and "
        "chooses the order itself: expected of it is what it has without events; power exchange has no "
        "curve, because the model has no bond. Upper half: Jacobi and its kin; lower half: the others, "
        "beside Jacobi of order 1.",
        OFFSETS, OFFSETS - 1, COARSEST, GRIDS - 1);
    return MS_OK;
}

const ms_figure ms_figure_macrostep_events_order = {
    "macrostep:events-order", "What an event inside a subsystem leaves of each scheme's order",
    "this project; model impact-oscillator", .draw = draw};
