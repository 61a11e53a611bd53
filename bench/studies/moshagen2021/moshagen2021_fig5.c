/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moshagen (2021), section 2.2: the linear problem (15) with one-directional and mutual coupling. Fig. 5.
 *
 * Not printed, chosen: the matrices, start and end of the model's cases (moshagen_2x2.c), the norm (the
 * largest error at communication points), and dopri5's relative tolerance 1e-12; that of SciPy's defaults,
 * 1e-6, stands beside it. */
#include <math.h>

#include "figure.h"
#include "moshagen2021_5_9.h"

enum { ONE_DIRECTIONAL, MUTUAL, COUPLINGS };
enum { CONSTANT, LINEAR, EXTRAPOLATIONS };

static const char *const couplings[COUPLINGS] = {"one-directional", "mutual"};
static const char *const extrapolations[EXTRAPOLATIONS] = {"constant", "linear"};
static const char *const options[EXTRAPOLATIONS] = {MS_CONSTANT, MS_LINEAR};

/* SciPy's defaults for dopri5 and vode, of which the text names the absolute one. */
#define LOOSE "--solver-rtol 1e-6 --solver-atol 1e-12"
#define TIGHT "--solver-rtol 1e-12 --solver-atol 1e-12"
#define SMALL "--set a12=0.25 --set a21=-0.25" /* a mutual coupling weaker than the one-directional one */

typedef struct convergence {
    ms_order_series of[COUPLINGS][EXTRAPOLATIONS]; /* dopri5, tight */
    ms_order_series loose, multistep,
        multistep_tight;   /* linear: dopri5 on the first case, Adams on the second */
    ms_order_series small; /* linear, dopri5, mutual with small entries */
} convergence;

static int measure_one(ms_drawing *drawing, int coupling, int extrapolation, const char *solver,
                       ms_order_series *series, ms_error *error)
{
    return MS_CONVERGE(drawing, series, error, "moshagen-2x2 --case %s %s %s", couplings[coupling],
                       options[extrapolation], solver);
}

static int measure(ms_drawing *drawing, convergence *all, ms_error *error)
{
    int status = MS_OK;
    for (int c = 0; c < COUPLINGS; c++)
        for (int e = 0; e < EXTRAPOLATIONS && status == MS_OK; e++)
            status = measure_one(drawing, c, e, MS_DOPRI5, &all->of[c][e], error);
    const struct {
        int coupling;
        const char *solver;
        ms_order_series *series;
    } others[] = {
        {ONE_DIRECTIONAL, "--solver arkode-erk " LOOSE, &all->loose},
        {MUTUAL, "--solver cvode-adams " LOOSE, &all->multistep},
        {MUTUAL, "--solver cvode-adams " TIGHT, &all->multistep_tight},
        {MUTUAL, SMALL " " MS_DOPRI5, &all->small},
    };
    for (size_t k = 0; k < MS_COUNT(others) && status == MS_OK; k++)
        status = measure_one(drawing, others[k].coupling, LINEAR, others[k].solver, others[k].series, error);
    return status;
}

/* Data and tables ---------------------------------------------------------------------------------------- */

static void write_curves(ms_drawing *drawing, const convergence *all)
{
    ms_table *table = ms_drawing_table(drawing, "orders", "Observed orders of convergence",
                                       "coupling|extrapolation|component|order|from H / s|to H / s|error at "
                                       "the largest H|error at the smallest H");
    for (int c = 0; c < COUPLINGS; c++)
        for (int e = 0; e < EXTRAPOLATIONS; e++) {
            const ms_order_series *of = &all->of[c][e];
            ms_data *data =
                ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-%s", couplings[c], extrapolations[e]),
                                "step_size,first,second");
            for (int k = 0; k < HALVINGS; k++)
                MS_ROW(data, of->row[FIRST][k].step_size, of->row[FIRST][k].error, of->row[SECOND][k].error);
            for (int j = FIRST; j <= SECOND; j++)
                ms_table_add(table, "ssirrrrr", couplings[c], extrapolations[e], j + 1, of->order[j].order,
                             of->order[j].first, of->order[j].last, of->row[j][0].error,
                             of->row[j][HALVINGS - 1].error);
        }
}

/* Checks ------------------------------------------------------------------------------------------------- */

static void check_orders(ms_drawing *drawing, const convergence *all)
{
    for (int e = 0; e < EXTRAPOLATIONS; e++) {
        const double published =
            ms_drawing_published_number(drawing, ms_drawing_text(drawing, "orders.%s", extrapolations[e]));
        for (int c = 0; c < COUPLINGS; c++)
            for (int j = c == MUTUAL ? FIRST : SECOND; j <= SECOND; j++) {
                const ms_convergence_order *order = &all->of[c][e].order[j];
                ms_drawing_check_number(drawing,
                                        ms_drawing_text(drawing,
                                                        "%s extrapolation, %s coupling, component %d: order",
                                                        extrapolations[e], couplings[c], j + 1),
                                        published, order->order, MS_ORDER_TOLERANCE,
                                        "Fitted from H = %g s to %g s.", order->first, order->last);
            }
    }
}

static void check_circular(ms_drawing *drawing, const convergence *all)
{
    const double single = all->of[ONE_DIRECTIONAL][LINEAR].order[SECOND].order,
                 circular = all->of[MUTUAL][LINEAR].order[LARGER].order;
    ms_study_claim(drawing, "linear extrapolation: no order is lost with a circular dependency", "circular",
                   MS_REALS({couplings[ONE_DIRECTIONAL], single}, {couplings[MUTUAL], circular}),
                   circular >= single - MS_ORDER_TOLERANCE, "Measured: the observed orders; at most %g less.",
                   MS_ORDER_TOLERANCE);
}

/* Errors of both couplings at the smallest H: the first component has none with one-directional coupling. */
static void check_height(ms_drawing *drawing, const convergence *all)
{
    const int k = HALVINGS - 1;
    double ratio[EXTRAPOLATIONS], gain[COUPLINGS];
    for (int e = 0; e < EXTRAPOLATIONS; e++)
        ratio[e] = ms_order_quotient(&all->of[MUTUAL][e], &all->of[ONE_DIRECTIONAL][e], LARGER, k);
    for (int c = 0; c < COUPLINGS; c++)
        gain[c] = ms_order_quotient(&all->of[c][LINEAR], &all->of[c][CONSTANT], LARGER, k);
    const double small = ms_order_quotient(&all->small, &all->of[ONE_DIRECTIONAL][LINEAR], LARGER, k);
    ms_study_undetermined(
        drawing, "linear extrapolation: the error is not higher with a circular dependency", "not_higher",
        MS_REALS({"mutual / one-directional", ratio[LINEAR]},
                 {"the same, constant extrapolation", ratio[CONSTANT]},
                 {"the same, linear, a12 = -a21 = 0.25 1/s", small},
                 {"linear / constant, mutual", gain[MUTUAL]},
                 {"linear / constant, one-directional", gain[ONE_DIRECTIONAL]}),
        "Which error is higher is a matter of the matrices, which are not printed: with those chosen here "
        "the mutual coupling has the higher one, with entries of 0.25 1/s in it the lower one. What linear "
        "extrapolation gains over constant extrapolation is %s with the circular dependency (H = %g s).",
        gain[MUTUAL] <= gain[ONE_DIRECTIONAL] ? "no less" : "less",
        all->of[MUTUAL][LINEAR].row[LARGER][k].step_size);
}

static double largest(const ms_order_series *curves, int component)
{
    double value = 0.0;
    for (int k = 0; k < HALVINGS; k++)
        value = fmax(value, curves->row[component][k].error);
    return value;
}

static void check_first_component(ms_drawing *drawing, const convergence *all)
{
    const ms_order_series *constant = &all->of[ONE_DIRECTIONAL][CONSTANT],
                          *linear = &all->of[ONE_DIRECTIONAL][LINEAR];
    const double worst = fmax(largest(constant, FIRST), largest(linear, FIRST)),
                 bound = ms_drawing_published_number(drawing, "absolute_tolerance"),
                 smallest = linear->row[SECOND][HALVINGS - 1].error;
    double floor = 0.0, apart = 0.0;
    for (int k = 0; k < HALVINGS; k++) {
        floor = fmax(floor, linear->row[FIRST][k].floor);
        apart = fmax(apart, fabs(all->loose.row[SECOND][k].error / linear->row[SECOND][k].error - 1.0));
    }
    ms_study_claim(drawing,
                   "one-directional coupling: the first component has no share of the extrapolation error",
                   "first_component",
                   MS_REALS({"largest error over all H, component 1", worst},
                            {"smallest error of component 2", smallest},
                            {"largest error of component 1, rtol 1e-6", largest(&all->loose, FIRST)}),
                   worst <= bound && worst < 1e-3 * smallest,
                   "Below dopri5's tolerance of %g and a thousandth of any extrapolation error; nothing can "
                   "be said below %.1e, 50 times the reference's own error. With SciPy's default relative "
                   "tolerance of 1e-6 the second component's error changes by %.1e of itself at most.",
                   bound, floor, apart);
}

static void check_one_step(ms_drawing *drawing, const convergence *all)
{
    const int k = HALVINGS - 1;
    const double one_step = all->of[MUTUAL][LINEAR].row[LARGER][k].error,
                 loose = all->multistep.row[LARGER][k].error,
                 tight = all->multistep_tight.row[LARGER][k].error;
    ms_study_claim(drawing,
                   "with a multistep method its restarts at communication points would become visible",
                   "one_step",
                   MS_REALS({"dopri5", one_step}, {"Adams, rtol 1e-6", loose}, {"Adams, rtol 1e-12", tight},
                            {"H / s", all->multistep.row[LARGER][k].step_size}),
                   loose > 2.0 * one_step,
                   "Mutual coupling, linear extrapolation, errors at the smallest H; CVODE's Adams method "
                   "stands for vode. With SciPy's default tolerances (1e-6, 1e-12; the text does not print "
                   "vode's) the error rises again as H falls, because more restarts add up. With a relative "
                   "tolerance of 1e-12 it is that of dopri5 within %.1e.",
                   fabs(tight / one_step - 1.0));
}

static int draw_fig5(ms_drawing *drawing, ms_error *error)
{
    convergence all;
    const int status = measure(drawing, &all, error);
    if (status != MS_OK)
        return status;
    write_curves(drawing, &all);
    check_orders(drawing, &all);
    check_circular(drawing, &all);
    check_height(drawing, &all);
    check_first_component(drawing, &all);
    check_one_step(drawing, &all);
    ms_drawing_remark(
        drawing, "Matrices, start, end and norm are not printed. Chosen: A = [[-1, 0], [1, -2]] and [[0, 1], "
                 "[-1, 0]] (1/s), start (1, 0.5), 2 s, the largest error at communication points against the "
                 "matrix exponential. Subsystems: ARKODE's Dormand-Prince 5(4), rtol = atol = 1e-12.");
    ms_drawing_picture(
        drawing, 960, 820,
        "array couplings[2] = ['one-directional', 'mutual']\n"
        "array extrapolations[2] = ['constant', 'linear']\n"
        "array scale[4] = [0.3, 0.1, 2.5, 0.7]\n"
        "set multiplot layout 2,2\n"
        "set lmargin 11\n"
        "set rmargin 3\n"
        "set logscale xy\n"
        "set format x powers\n"
        "set format y powers\n"
        "set xlabel 'exchange step size H / s'\n"
        "set ylabel 'largest error of the component'\n"
        "set xrange [5e-4:0.3]\n"
        "do for [c = 1:2] {\n"
        "    set yrange [(c == 1 ? 1e-16 : 1e-8):1]\n"
        "    do for [e = 1:2] {\n"
        "        set title couplings[c].' coupling, '.extrapolations[e].' extrapolation' offset 0,0.2\n"
        "        data = part(couplings[c].'-'.extrapolations[e])\n"
        "        plot scale[2*c + e - 2]*x**e with lines lt 1 lw 1 dashtype 3 title sprintf('order %%d', e), "
        "\\\n"
        "            data using 'step_size':'first' with linespoints lt 2 title 'x_1', \\\n"
        "            '' using 'step_size':'second' with linespoints lt 3 title 'x_2'\n"
        "    }\n"
        "}\n");
    return MS_OK;
}

const ms_figure ms_figure_moshagen2021_fig5 = {
    "moshagen2021:fig5",
    "Linear system (15): errors over the exchange step size, two couplings, two extrapolations",
    "Moshagen (2021), Fig. 5, section 2.2", .draw = draw_fig5};
