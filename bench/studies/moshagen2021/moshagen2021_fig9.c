/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moshagen (2021), section 6.1: errors of all schemes over the step size, spring-mass system. Fig. 9.
 *
 * Not printed, chosen: m = 1 kg, c = 1 N/m, start (1 m, 0), dopri5's tolerances (1e-12), the norm (the
 * largest error at communication points), a box as hat, and the fallback of negotiated power (`step`, its
 * default threshold). */
#include <math.h>

#include "figure.h"
#include "moshagen2021_5_9.h"

enum {
    CONSTANT,
    LINEAR,
    CONSTANT_BALANCE,
    LINEAR_BALANCE,
    POWER,
    PAPER, /* so far the paper's; then readings beside it */
    CONSTANT_USED = PAPER,
    LINEAR_USED,
    SCHEMES
};

typedef struct scheme {
    const char *key, *name, *options;
    bool polynomial; /* its inputs are, so that subsystems can be integrated exactly as well */
} scheme;

static const scheme schemes[SCHEMES] = {
    [CONSTANT] = {"constant", "constant extrapolation", "--scheme jacobi " MS_CONSTANT, true},
    [LINEAR] = {"linear", "linear extrapolation", "--scheme jacobi " MS_LINEAR, true},
    [CONSTANT_BALANCE] = {"constant_balance", "constant, balance correction",
                          "--scheme balance --balance-error raw " MS_CONSTANT, true},
    [LINEAR_BALANCE] = {"linear_balance", "linear, balance correction",
                        "--scheme balance --balance-error raw " MS_LINEAR, true},
    [POWER] = {"power", "negotiated power", "--scheme power --extrapolation-order 1 --fallback step", false},
    [CONSTANT_USED] = {"constant_used", "constant, newest (13) alone",
                       "--scheme balance --balance-error used " MS_CONSTANT, true},
    [LINEAR_USED] = {"linear_used", "linear, newest (13) alone",
                     "--scheme balance --balance-error used " MS_LINEAR, true},
};

static const double REDUCTION_TOLERANCE = 0.1; /* of the printed factor, for "approximately" */

typedef struct convergence {
    ms_order_series of[SCHEMES];
    double
        solver[SCHEMES]; /* how much another micro-solver changes an error, relatively, largest over all H */
} convergence;

/* Exact subsystems in place of dopri5, or where there are none Prince and Dormand's method of order 8. */
static int measure(ms_drawing *drawing, double end, convergence *all, ms_error *error)
{
    static const char *const exact = "--solver exact",
                             *const order_8 = "--solver gsl-rk8pd --solver-rtol 1e-12 --solver-atol 1e-12";
    int status = MS_OK;
    for (int s = 0; s < SCHEMES && status == MS_OK; s++) {
        ms_order_series other;
        status = MS_CONVERGE(drawing, &all->of[s], error, "spring-mass %s --stop-time %g %s",
                             schemes[s].options, end, s < PAPER ? MS_DOPRI5 : exact);
        all->solver[s] = s < PAPER ? 0.0 : NAN;
        if (status == MS_OK && s < PAPER)
            status = MS_CONVERGE(drawing, &other, error, "spring-mass %s --stop-time %g %s",
                                 schemes[s].options, end, schemes[s].polynomial ? exact : order_8);
        for (int k = 0; k < HALVINGS && s < PAPER && status == MS_OK; k++)
            all->solver[s] =
                fmax(all->solver[s], fabs(ms_order_quotient(&other, &all->of[s], LARGER, k) - 1.0));
    }
    return status;
}

/* Error at H/2 over error at H. */
typedef struct reduction {
    double first, smallest, largest; /* from 0.2 s to 0.1 s; over the asymptotic range */
} reduction;

static reduction reduction_of(const ms_order_series *curves)
{
    const ms_convergence_row *row = curves->row[LARGER];
    reduction r = {row[1].error / row[0].error, INFINITY, -INFINITY};
    for (int k = 1; k < HALVINGS; k++)
        if (row[k].note == MS_CONVERGENCE_USED && row[k - 1].note == MS_CONVERGENCE_USED)
            ms_widen(&r.smallest, &r.largest, row[k].error / row[k - 1].error);
    return r;
}

static json_t *reduction_json(const reduction *r)
{
    return MS_REALS({"smallest", r->smallest}, {"largest", r->largest}, {"from 0.2 s to 0.1 s", r->first});
}

static bool within(const reduction *r, double published)
{
    return fabs(r->smallest / published - 1.0) <= REDUCTION_TOLERANCE &&
           fabs(r->largest / published - 1.0) <= REDUCTION_TOLERANCE;
}

/* Data and tables ---------------------------------------------------------------------------------------- */

static void write_curves(ms_drawing *drawing, const convergence *all)
{
    ms_data *data = ms_drawing_data(
        drawing, "",
        "step_size,constant,linear,constant_balance,linear_balance,power,constant_used,linear_used");
    ms_order_write(data, SCHEMES, all->of, LARGER);
    ms_table *table = ms_drawing_table(
        drawing, "orders", "Observed orders of convergence, largest error",
        "scheme|order|from H / s|to H / s|reduction by halving H, smallest|largest|order of the error at the "
        "end|error at H = 0.2 s|error at the smallest H|relative change by another micro-solver");
    for (int s = 0; s < SCHEMES; s++) {
        const ms_order_series *of = &all->of[s];
        const reduction r = reduction_of(of);
        ms_table_add(table, "srrrrrrrrr", schemes[s].name, of->order[LARGER].order, of->order[LARGER].first,
                     of->order[LARGER].last, r.smallest, r.largest, of->order[MS_SERIES_END].order,
                     of->row[LARGER][0].error, of->row[LARGER][HALVINGS - 1].error, all->solver[s]);
    }
}

/* Checks ------------------------------------------------------------------------------------------------- */

static void check_orders(ms_drawing *drawing, const convergence *all)
{
    for (int s = 0; s < PAPER; s++) {
        const ms_convergence_order *order = &all->of[s].order[LARGER];
        ms_study_number(drawing, ms_drawing_text(drawing, "%s: order", schemes[s].name),
                        ms_drawing_text(drawing, "orders.%s", schemes[s].key), order->order,
                        MS_ORDER_TOLERANCE, "Fitted from H = %g s to %g s; the error at the end has %.3f.%s",
                        order->first, order->last, all->of[s].order[MS_SERIES_END].order,
                        s == POWER ? " The power is extrapolated with its derivative." : "");
    }
}

static void check_reductions(ms_drawing *drawing, const convergence *all)
{
    static const int balanced[] = {CONSTANT_BALANCE, LINEAR_BALANCE};
    for (int k = 0; k < 2; k++) {
        const double published = ms_drawing_published_number(
            drawing, ms_drawing_text(drawing, "reduction.%s", schemes[balanced[k]].key));
        const reduction r = reduction_of(&all->of[balanced[k]]);
        ms_drawing_check(
            drawing,
            ms_drawing_text(drawing, "%s: reduction of the error in each refinement",
                            schemes[balanced[k]].name),
            json_real(published), reduction_json(&r), json_real(REDUCTION_TOLERANCE * published),
            ms_verdict_of(within(&r, published)),
            "Smallest and largest factor for halved H in the asymptotic range, with the raw error.");
    }
}

/* Finest error of one scheme over that of another. */
static double finest(const convergence *all, int one, int other)
{
    return ms_order_quotient(&all->of[one], &all->of[other], LARGER, HALVINGS - 1);
}

/* The other reading of (13). */
static void remark_newest(ms_drawing *drawing, const convergence *all)
{
    ms_drawing_remark(drawing,
                      "Balance correction: what has accumulated of (13), in which the correction c_n of a "
                      "macro-step counts as part of its input, is fed back, c_{n+1} = c_n + (r_n - c_n) = "
                      "r_n: the error of the extrapolation alone (`raw`). The verdicts rest on this reading. "
                      "Dashed, with exact subsystems: the newest (13) alone (`used`). Then the orders are "
                      "those without balance correction, %.2f and %.2f, and the errors %.2f and %.2f of "
                      "those without: neither the reductions nor the gain of an order are there.",
                      all->of[CONSTANT_USED].order[LARGER].order, all->of[LINEAR_USED].order[LARGER].order,
                      finest(all, CONSTANT_USED, CONSTANT), finest(all, LINEAR_USED, LINEAR));
}

static void check_gain(ms_drawing *drawing, const convergence *all)
{
    const double constant =
                     all->of[CONSTANT_BALANCE].order[LARGER].order - all->of[CONSTANT].order[LARGER].order,
                 linear = all->of[LINEAR_BALANCE].order[LARGER].order - all->of[LINEAR].order[LARGER].order;
    ms_study_claim(drawing, "balance correction gains one in the order of convergence", "gain",
                   MS_REALS({"constant", constant}, {"linear", linear}),
                   fabs(constant - 1.0) <= 2.0 * MS_ORDER_TOLERANCE &&
                       fabs(linear - 1.0) <= 2.0 * MS_ORDER_TOLERANCE,
                   "Differences of the observed orders, raw error; better than theorem 2.2 predicts.");
}

static void check_dominance(ms_drawing *drawing, const convergence *all)
{
    double worst = 0.0;
    for (int s = 0; s < PAPER; s++)
        worst = fmax(worst, all->solver[s]);
    ms_study_claim(drawing, "the extrapolation error dominates that of the subsystems' solver", "dominates",
                   ms_json_real(worst), worst < 0.01,
                   "Measured: the largest relative change of an error, over schemes and step sizes, with "
                   "exact subsystems instead of dopri5 (negotiated power: with a method of order 8).");
}

static const char script[] =
    "set logscale xy\n"
    "set format xy powers\n"
    "set xlabel 'exchange step size H / s'\n"
    "set ylabel 'largest error of the states / m, m s^{-1}'\n"
    "set xrange [5e-4:0.3]\n"
    "set yrange [1e-10:20]\n"
    "set key vertical maxrows 4\n"
    "plot csv using 'step_size':'constant' with linespoints lt 2 title 'constant', \\\n"
    "    '' using 'step_size':'linear' with linespoints lt 3 title 'linear', \\\n"
    "    '' using 'step_size':'constant_balance' with linespoints lt 4 title 'constant, balance', \\\n"
    "    '' using 'step_size':'linear_balance' with linespoints lt 6 title 'linear, balance', \\\n"
    "    '' using 'step_size':'power' with linespoints lt 5 title 'negotiated power', \\\n"
    "    '' using 'step_size':'constant_used' with linespoints lt 4 dashtype 2 pt 6 title 'constant, newest "
    "(13) alone', \\\n"
    "    '' using 'step_size':'linear_used' with linespoints lt 6 dashtype 2 pt 4 title 'linear, newest (13) "
    "alone', \\\n"
    "    (x > 1e-3 && x < 0.1 ? 2.2*x : 1/0) with lines lt 1 lw 1 dashtype 3 title 'orders 1, 2, 3', \\\n"
    "    (x > 1e-3 && x < 0.1 ? 0.7*x**2 : 1/0) with lines lt 1 lw 1 dashtype 3 notitle, \\\n"
    "    (x > 1e-3 && x < 0.1 ? 0.6*x**3 : 1/0) with lines lt 1 lw 1 dashtype 3 notitle\n";

static int draw_fig9(ms_drawing *drawing, ms_error *error)
{
    convergence all;
    const int status = measure(drawing, ms_drawing_published_number(drawing, "end_time"), &all, error);
    if (status != MS_OK)
        return status;
    write_curves(drawing, &all);
    check_orders(drawing, &all);
    check_gain(drawing, &all);
    check_reductions(drawing, &all);
    check_dominance(drawing, &all);
    ms_drawing_remark(
        drawing, "Not printed: m, c, start, norm, dopri5's tolerances, the hat, and how negotiated power "
                 "gets over the zeros of its denominators. Chosen: m = 1 kg, c = 1 N/m, (s, v) = (1 m, 0), "
                 "the largest error at communication points, rtol = atol = 1e-12, a box, and the rule that "
                 "an input is extrapolated linearly in macro-steps at whose start |d| < 1.5 H |d'|.");
    remark_newest(drawing, &all);
    ms_drawing_remark(drawing, "The reasons for a one-step method that 6.1 announces do not follow in the "
                               "text; see the last check of Fig. 5.");
    ms_drawing_picture(drawing, 820, 600, "%s", script);
    return MS_OK;
}

const ms_figure ms_figure_moshagen2021_fig9 = {
    "moshagen2021:fig9", "Spring-mass system: errors over the exchange step size, all schemes",
    "Moshagen (2021), Fig. 9, section 6.1", .draw = draw_fig9};
