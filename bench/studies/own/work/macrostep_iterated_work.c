/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error over integrations: iterated coupling beside explicit schemes. An integration is one subsystem over
 * one macro-step, tried ones included. */
#include <math.h>

#include "figure.h"
#include "macrostep_work_precision.h"

enum { EXPLICIT = 10, ITERATED = 9, SCHEMES = EXPLICIT + ITERATED, MODELS = 4, ERRORS = 7 };

static const struct {
    const char *name, *options;
} schemes[SCHEMES] = {
    {"Jacobi, order 0", "--extrapolation-order 0"},
    {"Jacobi, order 1", "--extrapolation-order 1"},
    {"Jacobi, order 2", "--extrapolation-order 2"},
    {"Jacobi corrected, order 0", "--extrapolation-order 0 --outputs corrected"},
    {"Jacobi corrected, order 1", "--extrapolation-order 1 --outputs corrected"},
    {"Jacobi corrected, order 2", "--extrapolation-order 2 --outputs corrected"},
    {"Jacobi corrected, order 1, derivatives",
     "--extrapolation-order 1 --outputs corrected --derivatives analytic"},
    {"Gauss-Seidel, order 0", "--scheme gauss-seidel --extrapolation-order 0"},
    {"Gauss-Seidel, order 1", "--scheme gauss-seidel --extrapolation-order 1"},
    {"Gauss-Seidel, order 2", "--scheme gauss-seidel --extrapolation-order 2"},
    {"ifosmondi, fixed point, 1e-4", "--scheme ifosmondi --solver-nonlinear fixed-point --epsilon 1e-4"},
    {"ifosmondi, newtonls, 1e-4", "--scheme ifosmondi --solver-nonlinear newtonls --epsilon 1e-4"},
    {"ifosmondi, anderson, 1e-4", "--scheme ifosmondi --solver-nonlinear anderson --epsilon 1e-4"},
    {"ifosmondi, ngmres, 1e-4", "--scheme ifosmondi --solver-nonlinear ngmres --epsilon 1e-4"},
    {"ifosmondi, fixed point, 1e-8", "--scheme ifosmondi --solver-nonlinear fixed-point --epsilon 1e-8"},
    {"ifosmondi, newtonls, 1e-8", "--scheme ifosmondi --solver-nonlinear newtonls --epsilon 1e-8"},
    {"ifosmondi, anderson, 1e-8", "--scheme ifosmondi --solver-nonlinear anderson --epsilon 1e-8"},
    {"ifosmondi, ngmres, 1e-8", "--scheme ifosmondi --solver-nonlinear ngmres --epsilon 1e-8"},
    {"zoh-iterative, anderson, 1e-8", "--scheme zoh-iterative --solver-nonlinear anderson --epsilon 1e-8"},
};

static const struct {
    const char *name, *title;
    double largest; /* step size of iterated schemes, ten times that of explicit ones; then halved [s] */
} models[MODELS] = {{"mass-spring-damper", "mass-spring-damper", 1.0},
                    {"spring-mass", "spring-mass", 3.0},
                    {"damping-reaction --case contractive", "damping-reaction, D_D = 4", 1.0},
                    {"damping-reaction --case non-contractive", "damping-reaction, D_D = 0.64", 1.0}};

static const double errors[ERRORS] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

typedef struct results {
    ms_work_curve curve[SCHEMES];
    const char *failed[SCHEMES]; /* why the run with the largest step size ended early */
} results;

/* Runs --------------------------------------------------------------------------------------------------- */

static int run_point(ms_drawing *drawing, int model, int scheme, int k, results *r, ms_error *error)
{
    ms_study study;
    const double largest = scheme < EXPLICIT ? 0.1 * models[model].largest : models[model].largest,
                 step = ldexp(largest, -k);
    const int status =
        ms_study_run(drawing, &ms_simulation_errors, &study, error, "run %s %s --step-size %.17g",
                     models[model].name, schemes[scheme].options, step);
    const ms_run_result *result = &study.simulation.result;
    if (status == MS_OK && result->reason != MS_REASON_END_TIME)
        r->failed[scheme] = ms_reason_name(result->reason);
    r->curve[scheme].point[k] = ms_work_point_of(step, &study.simulation);
    ms_study_destroy(&study);
    return status;
}

/* Who is cheapest ---------------------------------------------------------------------------------------- */

typedef struct cheapest {
    int scheme; /* -1: none reaches the error within the step sizes tried */
    double integrations;
} cheapest;

static cheapest find_cheapest(const results *r, int first, int last, double error)
{
    cheapest best = {-1, INFINITY};
    for (int s = first; s < last; s++) {
        const double integrations = ms_curve_work_at(&r->curve[s], error);
        if (integrations < best.integrations)
            best = (cheapest){s, integrations};
    }
    return best;
}

static json_t *count_json(cheapest c)
{
    return ms_json_real(c.scheme >= 0 ? round(c.integrations) : NAN);
}

static const char *name_of(cheapest c)
{
    return c.scheme >= 0 ? schemes[c.scheme].name : "-";
}

static void tabulate(ms_drawing *drawing, const results *all)
{
    ms_table *table = ms_drawing_table(
        drawing, "cheapest", "Fewest integrations for an error",
        "model|error|explicit|integrations, explicit|iterated|integrations, iterated|iterated over explicit");
    for (int m = 0; m < MODELS; m++)
        for (int e = 0; e < ERRORS; e++) {
            const cheapest one = find_cheapest(&all[m], 0, EXPLICIT, errors[e]),
                           other = find_cheapest(&all[m], EXPLICIT, SCHEMES, errors[e]);
            ms_table_add(table, "srsosor", models[m].title, errors[e], name_of(one), count_json(one),
                         name_of(other), count_json(other),
                         one.scheme >= 0 && other.scheme >= 0 ? other.integrations / one.integrations : NAN);
        }
    ms_table *runs = ms_drawing_table(
        drawing, "runs", "Each scheme at its smallest step size",
        "model|scheme|curve|error|integrations|integrations a macro-step|ended early at some step size");
    for (int m = 0; m < MODELS; m++)
        for (int s = 0; s < SCHEMES; s++) {
            const ms_work_point *p = &all[m].curve[s].point[MS_SETTINGS - 1];
            ms_table_add(runs, "ssirrrs", models[m].title, schemes[s].name, s, p->error, p->evaluations,
                         p->evaluations / p->steps, all[m].failed[s] != NULL ? all[m].failed[s] : "no");
        }
}

/* From this error down to the smallest that both reach, an iterated scheme needs fewer integrations than
 * every explicit one; NaN: not even there. */
static double crossover(const results *r)
{
    double from = NAN;
    for (int k = 160; k >= 0; k--) {
        const double error = pow(10.0, -1.0 - 0.05 * k);
        const cheapest one = find_cheapest(r, 0, EXPLICIT, error),
                       other = find_cheapest(r, EXPLICIT, SCHEMES, error);
        if (one.scheme < 0 || other.scheme < 0)
            continue;
        if (!(other.integrations < one.integrations))
            break;
        from = error;
    }
    return from;
}

/* Where is an explicit scheme cheaper than every iterated one? */
static void check(ms_drawing *drawing, const results *all)
{
    json_t *measured = json_object();
    int compared = 0, beaten = 0;
    for (int m = 0; m < MODELS; m++) {
        json_t *of = json_object();
        for (int e = 0; e < ERRORS; e++) {
            const cheapest one = find_cheapest(&all[m], 0, EXPLICIT, errors[e]),
                           other = find_cheapest(&all[m], EXPLICIT, SCHEMES, errors[e]);
            if (one.scheme < 0 || other.scheme < 0)
                continue;
            compared++;
            beaten += one.integrations < other.integrations;
            json_object_set_new(of, ms_drawing_text(drawing, "%.0e", errors[e]),
                                json_sprintf("%s %.0f, %s %.0f", name_of(one), one.integrations,
                                             name_of(other), other.integrations));
        }
        json_object_set_new(of, "iterated is cheaper below", ms_json_real(crossover(&all[m])));
        json_object_set_new(measured, models[m].title, of);
    }
    json_object_set_new(measured, "compared", json_integer(compared));
    json_object_set_new(measured, "explicit is cheaper", json_integer(beaten));
    ms_drawing_check(
        drawing, "iterated coupling needs fewer integrations than every explicit scheme for the same error",
        json_string("supposed, not measured"), measured, json_string("fewer at each error that both reach"),
        beaten == 0          ? MS_REPRODUCED
        : beaten == compared ? MS_DEVIATES
                             : MS_NOT_DETERMINED,
        "Cheapest of %d explicit and of %d iterated schemes at each error, between points on double "
        "logarithmic scales.",
        EXPLICIT, ITERATED);
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void write_curves(ms_drawing *drawing, const results *all)
{
    ms_data *data = ms_drawing_data(drawing, "", "model,curve,step,macro_steps,integrations,error");
    for (int m = 0; m < MODELS; m++)
        for (int s = 0; s < SCHEMES; s++)
            ms_work_write(data, 2, (const double[]){m, s}, &all[m].curve[s], 1.0);
}

/* Which column shows a scheme: Jacobi, corrected Jacobi, Gauss-Seidel, or iterated ones. */
static int group_of(int scheme)
{
    return scheme < 3 ? 0 : scheme < 7 ? 1 : scheme < 10 ? 0 : 2;
}

/* The schemes of one column, all others in grey behind them. */
static void plot_curves(ms_drawing *drawing, int model, int group, bool keyed)
{
    static const struct {
        int line;
        const char *dash;
        int point;
        double width;
    } style[SCHEMES] = {{2, "1", 7, 1.5},   {3, "1", 7, 1.5},   {4, "1", 7, 1.5},   {2, "1", 7, 1.5},
                        {3, "1", 7, 1.5},   {4, "1", 7, 1.5},   {9, "1", 6, 1.5},   {2, "'-'", 4, 1.5},
                        {3, "'-'", 4, 1.5}, {4, "'-'", 4, 1.5}, {1, "'-'", 8, 1.5}, {6, "'-'", 8, 1.5},
                        {5, "'-'", 8, 1.5}, {7, "'-'", 8, 1.5}, {1, "1", 9, 2.0},   {6, "1", 9, 2.0},
                        {5, "1", 9, 2.0},   {7, "1", 9, 2.0},   {8, "1", 13, 2.0}};
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < SCHEMES; s++) {
            const bool front = group_of(s) == group;
            if (front != (pass == 1))
                continue;
            const char *look =
                !front
                    ? "lines lc rgb '#d0d0d0' lw 1.2 notitle"
                    : ms_drawing_text(drawing, "linespoints lt %d lw %g dashtype %s pt %d ps 0.7 title '%s'",
                                      style[s].line, style[s].width, style[s].dash, style[s].point,
                                      keyed ? schemes[s].name : "");
            ms_drawing_curve(drawing,
                             "csv using (column('model')==%d && column('curve')==%d ? column('integrations') "
                             ": NaN):'error' with %s",
                             model, s, look);
        }
}

static void draw_picture(ms_drawing *drawing)
{
    static const char *const groups[] = {"explicit", "Jacobi corrected", "iterated"};
    enum { GROUPS = 3 };
    ms_drawing_picture(drawing, 1180, 1440,
                       "set multiplot\n"
                       "set logscale xy\n"
                       "set format xy powers\n");
    for (int panel = 0; panel < MODELS * GROUPS; panel++) {
        const int m = panel / GROUPS, column = panel % GROUPS;
        const double left = 0.075 + 0.315 * column, top = 0.83 - 0.208 * m;
        ms_drawing_panel(drawing, left, left + 0.265, top, top - 0.155,
                         ms_drawing_text(drawing, "%s: %s", models[m].title, groups[column]));
        ms_drawing_script(drawing, "set xlabel '%s'\nset ylabel '%s'\nset yrange [%g:1]\n",
                          m < MODELS - 1 ? "" : "integrations of subsystems",
                          column == 0 ? "mean relative L_2 error" : "", m < 2 ? 1e-6 : 1e-9);
        if (m == 0)
            ms_drawing_script(drawing,
                              "set key at screen %g,0.997 center top vertical maxrows %d samplen 2\n",
                              left + 0.13, column == 2 ? 9 : 7);
        else
            ms_drawing_script(drawing, "unset key\n");
        plot_curves(drawing, m, column, m == 0);
    }
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    results *all = ms_drawing_memory(drawing);
    int status = MS_OK;
    for (int m = 0; m < MODELS && status == MS_OK; m++)
        for (int s = 0; s < SCHEMES && status == MS_OK; s++)
            for (int k = 0; k < MS_SETTINGS && status == MS_OK; k++)
                status = run_point(drawing, m, s, k, &all[m], error);
    if (status == MS_OK) {
        write_curves(drawing, all);
        tabulate(drawing, all);
        check(drawing, all);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing,
            "Exact subsystems, exact output derivatives, native methods. An integration is one subsystem "
            "over one macro-step; first calls, last calls and rejected macro-steps count. Corrected outputs "
            "and derivatives cost evaluations, not integrations. Step sizes are halved %d times, those of "
            "iterated schemes from %g s (spring-mass: %g s), those of explicit ones from a tenth of that. "
            "Runs that end early and errors above 1 are left out. Grey: the curves of the other columns.",
            MS_SETTINGS - 1, models[0].largest, models[1].largest);
    }
    return status;
}

const ms_figure ms_figure_macrostep_iterated_work = {
    "macrostep:iterated-work", "Error over integrations: iterated coupling beside explicit schemes",
    "this project; schemes of Eguillon et al. (2021), Andersson (2016)", .draw = draw,
    .memory = MODELS * sizeof(results)};
