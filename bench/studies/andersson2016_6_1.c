/* Andersson (2016), section 6.1, Example 6.1.1: coupling stability with the inconsistent approach. Figs 6.1, 6.3, 6.5, 6.6.
 *
 * Above: output y1 of three co-simulations with H = 0.01 s beside the reference. Below: growth per macro-step as H -> 0,
 * predicted and observed from perturbed starts (andersson2016_6_1.h says what is chosen). */
#include "andersson2016_6_1.h"

#include <math.h>
#include <stdio.h>

#include "figure.h"

enum { PANELS = 3, READINGS_MAX = 4, LIMITS_MAX = PANELS * MS_CURVES_MAX, SCAN = 14 };

static const double step_size = 0.01, limit_step = 1e-12; /* [s] */

/* Largest difference of observed from predicted growth: the fit over few steps, and H of the limit. */
static const double growth_tolerance = 2e-3;

typedef struct pair_panel {
    double rho;
    int n, extrapolation[MS_CURVES_MAX];
} pair_panel;

typedef struct pair_figure {
    bool by_rho; /* colours and titles: by panel, or by extrapolation */
    pair_panel panel[PANELS];
    int readings, reading[READINGS_MAX]; /* extrapolations in the growth panel */
    double rho_max, growth_max;          /* of the growth panel */
} pair_figure;

/* One curve of a panel, with what was measured. */
typedef struct pair_curve {
    const ms_extrapolation *extrapolation;
    int panel, colour;
    double rho, d1, d2, predicted;
    ms_pair_run run;
    ms_pair_perturbed limit;
} pair_curve;

typedef struct pair_results {
    int n;
    pair_curve curve[LIMITS_MAX];
    double low[PANELS], high[PANELS]; /* drawn ranges of y1 */
} pair_results;

static int colour_of(const pair_figure *figure, int panel, int extrapolation)
{
    for (int k = 0; k < figure->readings && !figure->by_rho; k++)
        if (figure->reading[k] == extrapolation)
            return 2 + k;
    return 2 + panel;
}

/* Runs ----------------------------------------------------------------------------------------------------------- */

static int run_panel(ms_drawing *drawing, const pair_figure *figure, int panel, pair_results *results, ms_error *error)
{
    const pair_panel *what = &figure->panel[panel];
    const double d1 = 0.25 * what->rho, d2 = -4.0 * what->rho;
    pair_curve *curve = &results->curve[results->n];
    ms_pair_run runs[MS_CURVES_MAX];
    char part[16];
    int status = MS_OK;
    for (int k = 0; k < what->n && status == MS_OK; k++) {
        const ms_extrapolation *extrapolation = &ms_extrapolations[what->extrapolation[k]];
        curve[k] = (pair_curve){.extrapolation = extrapolation, .panel = panel, .rho = what->rho, .d1 = d1, .d2 = d2,
                                .colour = colour_of(figure, panel, what->extrapolation[k]),
                                .predicted = ms_pair_growth(extrapolation, d1, d2)};
        runs[k] = (ms_pair_run){.options = extrapolation->options};
        status = ms_pair_perturb(drawing, extrapolation, d1, d2, limit_step, &curve[k].limit, error);
    }
    snprintf(part, sizeof part, "%d", panel + 1);
    if (status == MS_OK)
        status = ms_pair_compare(drawing, d1, d2, step_size, what->n, runs,
                                 ms_drawing_data(drawing, part, "time,y1_ref,y1_0,error_0,y1_1,error_1"),
                                 &results->low[panel], &results->high[panel], error);
    for (int k = 0; k < what->n && status == MS_OK; k++)
        curve[k].run = runs[k];
    results->n += what->n;
    return status;
}

/* Rows of step, then distance and predicted distance of each curve; the prediction goes through the last step in use. */
static void write_limits(ms_drawing *drawing, const pair_results *results)
{
    ms_data *data = ms_drawing_data(drawing, "limit",
                                    "step,distance_0,predicted_0,distance_1,predicted_1,distance_2,predicted_2,"
                                    "distance_3,predicted_3,distance_4,predicted_4,distance_5,predicted_5");
    for (int n = 0; n < MS_DISTANCES; n++) {
        double row[1 + 2 * LIMITS_MAX] = {n};
        for (int k = 0; k < LIMITS_MAX; k++) {
            const pair_curve *curve = &results->curve[k];
            const ms_pair_perturbed *limit = &curve->limit;
            const bool used = k < results->n && n <= limit->n;
            row[1 + 2 * k] = used ? limit->distance[n] : NAN;
            row[2 + 2 * k] = used ? limit->distance[limit->n] * pow(curve->predicted, n - limit->n) : NAN;
        }
        ms_data_row(data, row);
    }
}

/* Growth over rho: a dense prediction, and observations at fewer places. */
static int scan_growth(ms_drawing *drawing, const pair_figure *figure, double *worst, ms_error *error)
{
    const char *const columns = "rho,growth_0,growth_1,growth_2,growth_3";
    ms_data *predicted = ms_drawing_data(drawing, "predicted", columns);
    ms_data *observed = ms_drawing_data(drawing, "observed", columns);
    int status = MS_OK;
    for (int n = 1; n <= 20 * SCAN && status == MS_OK; n++) {
        const double rho = figure->rho_max * n / (20 * SCAN);
        double row[1 + READINGS_MAX] = {rho, NAN, NAN, NAN, NAN}, seen[1 + READINGS_MAX] = {rho, NAN, NAN, NAN, NAN};
        for (int k = 0; k < figure->readings && status == MS_OK; k++) {
            const ms_extrapolation *extrapolation = &ms_extrapolations[figure->reading[k]];
            ms_pair_perturbed limit;
            row[1 + k] = ms_pair_growth(extrapolation, 0.25 * rho, -4.0 * rho);
            if (n % 20 != 0)
                continue;
            status = ms_pair_perturb(drawing, extrapolation, 0.25 * rho, -4.0 * rho, limit_step, &limit, error);
            seen[1 + k] = limit.observed;
            *worst = fmax(*worst, fabs(limit.observed - row[1 + k]));
        }
        ms_data_row(predicted, row);
        if (n % 20 == 0)
            ms_data_row(observed, seen);
    }
    return status;
}

/* Checks --------------------------------------------------------------------------------------------------------- */

/* "unstable" by definition 6.1.1, from what was observed. */
static bool grows(const pair_curve *curve)
{
    return curve->limit.observed > 1.0 + growth_tolerance;
}

/* A claim on one curve, stable or not; prediction and observation stand in the answer. */
static void check_curve(ms_drawing *drawing, const pair_curve *curve, const char *published, bool stable)
{
    char what[128], left[64] = "never";
    snprintf(what, sizeof what, "rho(DL) = %g, %s extrapolation", curve->rho, curve->extrapolation->name);
    if (!isnan(curve->run.left_at))
        snprintf(left, sizeof left, "at %g s", curve->run.left_at);
    ms_drawing_check_claim(
        drawing, what, published,
        json_pack("{s:f, s:f, s:f, s:s}", "growth per step, H -> 0, predicted", curve->predicted, "observed",
                  curve->limit.observed, "largest error of the states with H = 0.01 s", curve->run.largest_error,
                  "y1 leaves the drawn range", left),
        stable != grows(curve), "Judged by the observed growth (limit: 1 + %g). With H = 0.01 s the run %s.",
        growth_tolerance, curve->run.diverged ? "diverges" : "reaches its end");
}

static void check_scan(ms_drawing *drawing, double worst)
{
    ms_drawing_check(drawing, "growth per step over rho(DL): observed against the eigenvalues of the limit H -> 0",
                     json_string("eigenvalues of the limit of Psi(H)"),
                     json_pack("{s:f}", "largest difference", worst), json_real(growth_tolerance),
                     worst <= growth_tolerance ? MS_REPRODUCED : MS_DEVIATES,
                     "Perturbed starts with H = 1e-12 s; least squares over the second half of at most %d steps.",
                     MS_DISTANCES - 1);
}

static void tabulate(ms_drawing *drawing, const pair_results *results)
{
    ms_table *table = ms_drawing_table(drawing, "runs", "Growth per macro-step, and the runs that are drawn",
                                       "extrapolation|d1|d2|rho(DL)|predicted|observed|H = 0.01 s|largest error");
    for (int k = 0; k < results->n; k++) {
        const pair_curve *curve = &results->curve[k];
        char end[64] = "reaches 1 s";
        if (curve->run.diverged)
            snprintf(end, sizeof end, "diverges, %g s", curve->run.end);
        ms_table_row(table, json_pack("[s, f, f, f, f, f, s, f]", curve->extrapolation->name, curve->d1, curve->d2,
                                      curve->rho, curve->predicted, curve->limit.observed, end,
                                      curve->run.largest_error));
    }
}

static void remark_on_choices(ms_drawing *drawing)
{
    ms_drawing_remark(drawing,
                      "Not printed, chosen: d1 = rho / 4, d2 = -4 rho, H = 0.01 s, 1 s, x(0) = (1, 1). With d1 d2 > 0 the "
                      "case rho(DL) = 1 has no solution (I - DL is singular), so d1 d2 < 0: DL has the eigenvalues "
                      "+-i rho. y1 is drawn because feed-through shows in the outputs first; the published curves are "
                      "lost, so judged is what text and caption say.");
}

/* Script --------------------------------------------------------------------------------------------------------- */

static void draw_panel(ms_drawing *drawing, const pair_results *results, const char *title, int panel)
{
    ms_drawing_script(drawing,
                      "set origin %g,0.5\nset size 0.3333,0.47\nset title '%s'\nset yrange [%g:%g]\nunset label\n",
                      panel / 3.0, title, results->low[panel], results->high[panel]);
    for (int k = 0, row = 0; k < results->n; k++) {
        const pair_curve *curve = &results->curve[k];
        if (curve->panel == panel && curve->run.diverged)
            ms_drawing_script(drawing,
                              "set label %d 'diverges: beyond 10^{12} at %.2f s' at graph 0.97,%g right front "
                              "textcolor lt %d\n", 1 + row, curve->run.end, 0.93 - 0.09 * row, curve->colour);
        else if (curve->panel == panel && !isnan(curve->run.left_at))
            ms_drawing_script(drawing, "set label %d 'leaves the range at %.2f s' at graph 0.97,%g right front textcolor lt %d\n",
                              1 + row, curve->run.left_at, 0.93 - 0.09 * row, curve->colour);
        row += curve->panel == panel;
    }
    ms_drawing_script(drawing, "plot ");
    for (int k = 0, row = 0; k < results->n; k++)
        if (results->curve[k].panel == panel)
            ms_drawing_script(drawing, "part('%d') using 'time':'y1_%d' with lines lt %d lw 2.6 title 'y_1', \\\n    ",
                              panel + 1, row++, results->curve[k].colour);
    ms_drawing_script(drawing, "part('%d') using 'time':'y1_ref' with lines lt 1 lw 1 title 'reference'\nunset label\n",
                      panel + 1);
}

static void draw_limits(ms_drawing *drawing, const pair_figure *figure, const pair_results *results)
{
    ms_drawing_script(drawing,
                      "set origin 0,0\nset size 0.5,0.5\nset title 'perturbed start, H = 10^{-12} s'\n"
                      "set xlabel 'macro-step n'\nset ylabel '|r_n| / |r_0|'\nset xrange [0:%d]\nset yrange [1e-9:1e9]\n"
                      "set logscale y\nset format y powers\n",
                      MS_DISTANCES - 1);
    bool seen[EXTRAPOLATIONS] = {false};
    ms_drawing_script(drawing, "plot ");
    for (int k = 0; k < results->n; k++) {
        const pair_curve *curve = &results->curve[k];
        const long which = curve->extrapolation - ms_extrapolations;
        char title[96];
        if (figure->by_rho)
            snprintf(title, sizeof title, "title 'ρ(DL) = %g'", curve->rho);
        else if (seen[which])
            snprintf(title, sizeof title, "notitle");
        else
            snprintf(title, sizeof title, "title '%s'", curve->extrapolation->title);
        seen[which] = true;
        ms_drawing_script(drawing, "part('limit') using 'step':'distance_%d' every 2 with points lt %d %s, \\\n    ", k,
                          curve->colour, title);
        ms_drawing_script(drawing, "part('limit') using 'step':'predicted_%d' with lines lt %d lw 1 notitle, \\\n    ", k,
                          curve->colour);
    }
    ms_drawing_script(drawing, "1/0 with lines lt 9 title 'predicted'\nunset label\nunset logscale y\nset format y '%%.6g'\n");
}

static void draw_growth(ms_drawing *drawing, const pair_figure *figure)
{
    ms_drawing_script(drawing,
                      "set origin 0.5,0\nset size 0.5,0.5\nset title 'H → 0'\nset xlabel 'ρ(DL)'\n"
                      "set ylabel 'growth per macro-step'\nset xrange [0:%g]\nset yrange [0:%g]\nunset label\n"
                      "plot 1 with lines lt 1 lw 1 dashtype 2 notitle", figure->rho_max, figure->growth_max);
    for (int k = 0; k < figure->readings; k++)
        ms_drawing_script(drawing,
                          ", \\\n    part('predicted') using 'rho':'growth_%d' with lines lt %d lw 1.4 title '%s'"
                          ", \\\n    part('observed') using 'rho':'growth_%d' with points lt %d ps 0.9 notitle",
                          k, 2 + k, ms_extrapolations[figure->reading[k]].title, k, 2 + k);
    ms_drawing_script(drawing, "\n");
}

static int draw_pairs(ms_drawing *drawing, const pair_figure *figure, pair_results *results, ms_error *error)
{
    double worst = 0.0;
    int status = MS_OK;
    for (int panel = 0; panel < PANELS && status == MS_OK; panel++)
        status = run_panel(drawing, figure, panel, results, error);
    if (status == MS_OK)
        status = scan_growth(drawing, figure, &worst, error);
    if (status != MS_OK)
        return status;
    write_limits(drawing, results);
    tabulate(drawing, results);
    check_scan(drawing, worst);
    remark_on_choices(drawing);
    ms_drawing_size(drawing, 1020, 680);
    ms_drawing_script(drawing, "set multiplot\nset lmargin 8\nset rmargin 2\nset xlabel 'time t / s'\nset xrange [0:1]\n"
                               "set ylabel 'output y_1'\n");
    for (int panel = 0; panel < PANELS; panel++) {
        char title[96];
        snprintf(title, sizeof title, "ρ(DL) = %g", figure->panel[panel].rho);
        draw_panel(drawing, results, title, panel);
    }
    draw_limits(drawing, figure, results);
    draw_growth(drawing, figure);
    return MS_OK;
}

/* Figures -------------------------------------------------------------------------------------------------------- */

/* On the boundary the limit H -> 0 says nothing on a given H: (6.14) does. */
static int check_boundary(ms_drawing *drawing, ms_error *error)
{
    ms_pair_perturbed perturbed;
    const int status =
        ms_pair_perturb(drawing, &ms_extrapolations[CONSTANT], 0.25, -4.0, step_size, &perturbed, error);
    if (status == MS_OK)
        ms_drawing_check_number(drawing, "rho(DL) = 1, H = 0.01 s: growth per step, rho(Psi(H)) of (6.14) against the run",
                                ms_pair_psi_radius(0.25, -4.0, step_size), perturbed.observed, 5e-3,
                                "Not 1: to first order in H it is exp(c H) with c = (15 d1 - d2) / 4 = 1.94 / s.");
    ms_drawing_remark(drawing,
                      "rho(DL) = 1 is stable in the sense of definition 6.1.1, in the limit H -> 0. For H > 0 an "
                      "oscillation of the outputs grows like exp(c t), c = (15 d1 - d2) / 4 for d1 d2 = -1, which is at "
                      "least 1.94 / s for every such pair whose monolithic model is stable. As it starts with amplitude O(H), "
                      "it stays invisible within 1 s.");
    return status;
}

static int draw_fig6_1(ms_drawing *drawing, ms_error *error)
{
    static const pair_figure figure = {
        .by_rho = true,
        .panel = {{0.9, 1, {CONSTANT}}, {1.0, 1, {CONSTANT}}, {1.1, 1, {CONSTANT}}},
        .readings = 1, .reading = {CONSTANT}, .rho_max = 1.4, .growth_max = 1.5,
    };
    pair_results results = {0};
    int status = draw_pairs(drawing, &figure, &results, error);
    for (int k = 0; k < results.n && status == MS_OK; k++) {
        const bool stable = results.curve[k].rho <= 1.0;
        char text[96];
        snprintf(text, sizeof text, "%s for %s", stable ? "stable" : "unstable",
                 ms_drawing_published_text(drawing, stable ? "stable" : "unstable"));
        check_curve(drawing, &results.curve[k], text, stable);
    }
    return status == MS_OK ? check_boundary(drawing, error) : status;
}

const ms_figure ms_figure_andersson2016_fig6_1 = {
    .id = "andersson2016:fig6.1",
    .title = "Linear pair: constant extrapolation, inconsistent, for three feed-throughs",
    .source = "Andersson (2016), Fig. 6.1, section 6.1",
    .draw = draw_fig6_1,
};

static int draw_fig6_3(ms_drawing *drawing, ms_error *error)
{
    static const pair_figure figure = {
        .panel = {{1.0, 1, {CONSTANT}}, {1.0, 1, {LINEAR}}, {1.0, 2, {PARABOLA, QUADRATIC_AS_PRINTED}}},
        .readings = 4, .reading = {CONSTANT, LINEAR, PARABOLA, QUADRATIC_AS_PRINTED},
        .rho_max = 1.4, .growth_max = 4.5,
    };
    pair_results results = {0};
    const int status = draw_pairs(drawing, &figure, &results, error);
    for (int k = 0; k < results.n && status == MS_OK; k++) {
        const bool stable = results.curve[k].extrapolation == &ms_extrapolations[CONSTANT];
        char text[96];
        snprintf(text, sizeof text, "%s with %s", stable ? "stable" : "unstable",
                 ms_drawing_published_text(drawing, stable ? "stable" : "unstable"));
        check_curve(drawing, &results.curve[k], text, stable);
    }
    return status;
}

const ms_figure ms_figure_andersson2016_fig6_3 = {
    .id = "andersson2016:fig6.3",
    .title = "Linear pair: constant, linear and quadratic extrapolation from past values at rho(DL) = 1",
    .source = "Andersson (2016), Fig. 6.3, section 6.1",
    .draw = draw_fig6_3,
};

/* The conditions that text and table state decide on each curve; bounds for both kinds of eigenvalues. */
static int draw_conditions(ms_drawing *drawing, const pair_figure *figure, const char *condition, ms_error *error)
{
    pair_results results = {0};
    const int status = draw_pairs(drawing, figure, &results, error);
    for (int k = 0; k < results.n && status == MS_OK; k++) {
        char text[160];
        const bool stable = results.curve[k].predicted <= 1.0;
        snprintf(text, sizeof text, "%s by %s", stable ? "stable" : "unstable", condition);
        check_curve(drawing, &results.curve[k], text, stable);
    }
    ms_table *table = ms_drawing_table(drawing, "bounds", "rho(DL) at which the growth passes 1",
                                       "extrapolation|d1 d2 < 0 (eigenvalues +-i rho)|d1 d2 > 0 (+-rho)");
    for (int k = 0; k < figure->readings; k++) {
        const ms_extrapolation *extrapolation = &ms_extrapolations[figure->reading[k]];
        ms_table_row(table, json_pack("[s, f, f]", extrapolation->name, ms_pair_critical_rho(extrapolation, true),
                                      ms_pair_critical_rho(extrapolation, false)));
    }
    return status;
}

static int draw_fig6_5(ms_drawing *drawing, ms_error *error)
{
    static const pair_figure figure = {
        .by_rho = true,
        .panel = {{0.2, 1, {LINEAR}}, {0.35, 1, {LINEAR}}, {0.45, 1, {LINEAR}}},
        .readings = 1, .reading = {LINEAR}, .rho_max = 0.7, .growth_max = 1.7,
    };
    return draw_conditions(drawing, &figure, "(6.41), |lambda +- sqrt(lambda^2 - lambda)| <= 1", error);
}

const ms_figure ms_figure_andersson2016_fig6_5 = {
    .id = "andersson2016:fig6.5",
    .title = "Linear pair: linear extrapolation from past values, inconsistent, for three feed-throughs",
    .source = "Andersson (2016), Fig. 6.5, section 6.1.1",
    .draw = draw_fig6_5,
};

static int draw_fig6_6(ms_drawing *drawing, ms_error *error)
{
    static const pair_figure figure = {
        .panel = {{0.15, 2, {PARABOLA, QUADRATIC_AS_PRINTED}}, {0.22, 2, {PARABOLA, QUADRATIC_AS_PRINTED}},
                  {0.3, 2, {PARABOLA, QUADRATIC_AS_PRINTED}}},
        .readings = 2, .reading = {PARABOLA, QUADRATIC_AS_PRINTED}, .rho_max = 0.56, .growth_max = 2.2,
    };
    const int status = draw_conditions(drawing, &figure, "the eigenvalues of the limit H -> 0 of order 2", error);
    ms_drawing_remark(drawing,
                      "Two readings: the parabola through three past values (weights 3, -3, 1) and (6.30) as printed "
                      "(weights 5/2, -2, 1/2), which has order 2 only. The printed one is stable for larger rho(DL); the "
                      "text gives no bound that would tell which one was run.");
    return status;
}

const ms_figure ms_figure_andersson2016_fig6_6 = {
    .id = "andersson2016:fig6.6",
    .title = "Linear pair: quadratic extrapolation from past values, inconsistent, for three feed-throughs",
    .source = "Andersson (2016), Fig. 6.6, section 6.1.1",
    .draw = draw_fig6_6,
};
