/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.1: runs, checks and script of figures with the inconsistent approach. */
#include "andersson2016_6_1.h"

#include <math.h>

enum { SCAN = 14, DENSE = 20 }; /* observations, and predictions for each of them */

static const double limit_step = 1e-12; /* [s] */

/* Largest difference of observed from predicted growth: the fit over few steps, and H of the limit. */
static const double growth_tolerance = 2e-3;

static int colour_of(const ms_pair_figure *figure, int panel, int extrapolation)
{
    for (int k = 0; k < figure->readings && !figure->by_rho; k++)
        if (figure->reading[k] == extrapolation)
            return 2 + k;
    return 2 + panel;
}

/* Runs --------------------------------------------------------------------------------------------------- */

static int run_panel(ms_drawing *drawing, const ms_pair_figure *figure, int panel, ms_pair_results *results,
                     ms_error *error)
{
    const ms_pair_panel *what = &figure->panel[panel];
    const double d1 = 0.25 * what->rho, d2 = -4.0 * what->rho;
    ms_pair_curve *curve = &results->curve[results->n];
    ms_pair_run runs[MS_CURVES_MAX] = {0};
    int status = MS_OK;
    for (int k = 0; k < what->n && status == MS_OK; k++) {
        const ms_extrapolation *extrapolation = &ms_extrapolations[what->extrapolation[k]];
        curve[k] = (ms_pair_curve){.extrapolation = extrapolation,
                                   .panel = panel,
                                   .rho = what->rho,
                                   .d1 = d1,
                                   .d2 = d2,
                                   .colour = colour_of(figure, panel, what->extrapolation[k]),
                                   .predicted = ms_pair_growth(extrapolation, d1, d2)};
        runs[k] = (ms_pair_run){.options = extrapolation->options};
        status = ms_pair_perturb(drawing, extrapolation, d1, d2, limit_step, &curve[k].limit, error);
    }
    ms_pair_comparison comparison = {.d1 = d1,
                                     .d2 = d2,
                                     .h = figure->step_size,
                                     .n = what->n,
                                     .runs = runs,
                                     .low = figure->low,
                                     .high = figure->high};
    if (status == MS_OK) {
        comparison.data = ms_drawing_data(drawing, ms_drawing_text(drawing, "%d", panel + 1),
                                          "time,y1_ref,y1_0,error_0,y1_1,error_1");
        status = ms_pair_compare(drawing, &comparison, error);
    }
    for (int k = 0; k < what->n && status == MS_OK; k++)
        curve[k].run = runs[k];
    results->n += what->n;
    return status;
}

/* Rows of step, then distance and predicted distance of each curve; the prediction goes through the last
 * step in use. */
static void write_limits(ms_drawing *drawing, const ms_pair_results *results)
{
    ms_data *data = ms_drawing_data(drawing, "limit",
                                    "step,distance_0,predicted_0,distance_1,predicted_1,distance_2,predicted_"
                                    "2,distance_3,predicted_3,distance_4,predicted_4,distance_5,predicted_5");
    for (int n = 0; n < MS_DISTANCES; n++) {
        ms_data_cell(data, n);
        for (int k = 0; k < MS_LIMITS_MAX; k++) {
            const ms_pair_curve *curve = &results->curve[k];
            const ms_pair_perturbed *limit = &curve->limit;
            const bool used = k < results->n && n <= limit->n;
            ms_data_cell(data, used ? limit->distance[n] : NAN);
            ms_data_cell(data, used ? limit->distance[limit->n] * pow(curve->predicted, n - limit->n) : NAN);
        }
    }
}

/* Growth over rho: a dense prediction, and observations at fewer places. */
static int scan_growth(ms_drawing *drawing, const ms_pair_figure *figure, double *worst, ms_error *error)
{
    const char *const columns = "rho,growth_0,growth_1,growth_2,growth_3";
    ms_data *predicted = ms_drawing_data(drawing, "predicted", columns);
    ms_data *observed = ms_drawing_data(drawing, "observed", columns);
    int status = MS_OK;
    for (int n = 1; n <= DENSE * SCAN && status == MS_OK; n++) {
        const double rho = figure->rho_max * n / (DENSE * SCAN);
        double row[1 + MS_READINGS_MAX] = {rho, NAN, NAN, NAN, NAN},
                       seen[1 + MS_READINGS_MAX] = {rho, NAN, NAN, NAN, NAN};
        for (int k = 0; k < figure->readings && status == MS_OK; k++) {
            const ms_extrapolation *extrapolation = &ms_extrapolations[figure->reading[k]];
            ms_pair_perturbed limit;
            row[1 + k] = ms_pair_growth(extrapolation, 0.25 * rho, -4.0 * rho);
            if (n % DENSE != 0)
                continue;
            status =
                ms_pair_perturb(drawing, extrapolation, 0.25 * rho, -4.0 * rho, limit_step, &limit, error);
            seen[1 + k] = limit.observed;
            *worst = isnan(limit.observed) ? INFINITY : fmax(*worst, fabs(limit.observed - row[1 + k]));
        }
        ms_data_row(predicted, row);
        if (n % DENSE == 0)
            ms_data_row(observed, seen);
    }
    return status;
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* "unstable" by definition 6.1.1, from what was observed. */
static bool grows(const ms_pair_curve *curve)
{
    return curve->limit.observed > 1.0 + growth_tolerance;
}

void ms_pair_check(ms_drawing *drawing, const ms_pair_figure *figure, const ms_pair_curve *curve,
                   const char *published, bool stable)
{
    const char *left =
        isnan(curve->run.left_at) ? "never" : ms_drawing_text(drawing, "at %g s", curve->run.left_at);
    const char *what =
        ms_drawing_text(drawing, "rho(DL) = %g, extrapolation: %s", curve->rho, curve->extrapolation->name);
    const bool holds = !isnan(curve->limit.observed) && stable != grows(curve);
    const char *note = ms_drawing_text(
        drawing, "Judged by the observed growth (limit: 1 + %g). The drawn run with H = %g s %s.",
        growth_tolerance, figure->step_size, curve->run.diverged ? "diverges" : "reaches its end");
    json_t *measured =
        json_pack("{s:f, s:o, s:o, s:s}", "growth per step, H -> 0, predicted", curve->predicted, "observed",
                  ms_json_real(curve->limit.observed), "largest error of the states in the drawn run",
                  ms_json_real(curve->run.largest_error), "y1 leaves the drawn range", left);
    if (published != NULL)
        ms_drawing_check_claim(drawing, what, published, measured, holds, "%s", note);
    else
        ms_drawing_check_own(drawing, what, stable ? "stable by our limit" : "unstable by our limit",
                             measured, NULL, holds, "%s", note);
}

static void check_scan(ms_drawing *drawing, double worst)
{
    ms_drawing_check_own(
        drawing, "growth per step over rho(DL): observed against the eigenvalues of the limit H -> 0",
        "eigenvalues of the limit of Psi(H)", MS_REALS({"largest difference", worst}),
        json_real(growth_tolerance), worst <= growth_tolerance,
        "Perturbed starts with H = 1e-12 s; least squares over the second half of at most %d steps.",
        MS_DISTANCES - 1);
}

static void tabulate(ms_drawing *drawing, const ms_pair_results *results)
{
    ms_table *table =
        ms_drawing_table(drawing, "runs", "Growth per macro-step, and the runs that are drawn",
                         "extrapolation|d1|d2|rho(DL)|predicted|observed|drawn run|largest error");
    for (int k = 0; k < results->n; k++) {
        const ms_pair_curve *curve = &results->curve[k];
        const char *end =
            curve->run.diverged ? ms_drawing_text(drawing, "diverges, %g s", curve->run.end) : "reaches 1 s";
        ms_table_add(table, "srrrrrsr", curve->extrapolation->name, curve->d1, curve->d2, curve->rho,
                     curve->predicted, curve->limit.observed, end, curve->run.largest_error);
    }
}

static void remark_on_choices(ms_drawing *drawing, const ms_pair_figure *figure)
{
    ms_drawing_remark(
        drawing,
        "Not printed, chosen: d1 = rho / 4, d2 = -4 rho, H = %g s, 1 s, x(0) = (1, 1). With d1 d2 > 0 the "
        "case rho(DL) = 1 has no solution (I - DL is singular), so d1 d2 < 0: DL has the eigenvalues +-i "
        "rho. y1 is drawn because feed-through shows in the outputs first; the published curves are lost, so "
        "judged is what text and caption say. A curve of y1 ends where it first leaves its panel. r, below: "
        "distance of the outputs from the solved loop. Its start holds parts that die out within a few "
        "steps, and only then it grows by the largest eigenvalue: lines of that growth go through the last "
        "point, and miss the first ones. It is followed until it falls below 1e-9 of its start.",
        figure->step_size);
}

/* Script ------------------------------------------------------------------------------------------------- */

/* Second line of a title: which curves leave the panel, and when. */
static const char *describe(ms_drawing *drawing, const ms_pair_figure *figure, const ms_pair_results *results,
                            int panel)
{
    const char *text = "";
    for (int k = 0; k < results->n; k++) {
        const ms_pair_curve *curve = &results->curve[k];
        const bool first = text[0] == '\0';
        if (curve->panel == panel && !isnan(curve->run.left_at))
            text = ms_drawing_text(drawing, "%s%s%s %s %.2g s", text, first ? "" : ", ",
                                   figure->by_rho ? "y_1" : curve->extrapolation->title,
                                   first ? "leaves at" : "at", curve->run.left_at);
    }
    return text;
}

/* A curve ends with its first point outside the panel; the second one is narrower, and the reference dashed,
 * so that curves that coincide are seen. */
static void draw_panel(ms_drawing *drawing, const ms_pair_figure *figure, const ms_pair_results *results,
                       int panel)
{
    const ms_pair_panel *what = &figure->panel[panel];
    int drawn = 0;
    ms_drawing_script(
        drawing,
        "set origin %g,0.51\nset size 0.3333,0.49\nset title \"ρ(DL) = %g, H = %g s\\n{/*0.85 %s }\"\n"
        "set xrange [0:%g]\nset yrange [%g:%g]\n",
        panel / 3.0, what->rho, figure->step_size, describe(drawing, figure, results, panel), what->end,
        figure->low, figure->high);
    for (int k = 0; k < results->n; k++) {
        const ms_pair_curve *curve = &results->curve[k];
        if (curve->panel != panel)
            continue;
        const double until = isnan(curve->run.left_at) ? what->end : curve->run.left_at;
        ms_drawing_curve(drawing,
                         "part('%d') using 'time':(column('time') < %.12g ? column('y1_%d') : NaN) with "
                         "lines lt %d lw %g title '%s'",
                         panel + 1, until + 0.5 * figure->step_size, drawn, curve->colour,
                         what->n == 1 ? 1.8 : 2.8 - 1.6 * drawn,
                         figure->by_rho ? "y_1" : curve->extrapolation->title);
        drawn++;
    }
    ms_drawing_curve(
        drawing, "part('%d') using 'time':'y1_ref' with lines lt 1 lw 1 dashtype (9,12) title 'reference'",
        panel + 1);
}

/* Heights of the labels beside the last points, as powers of ten: those of neighbours are moved apart. */
static void place_labels(const ms_pair_figure *figure, const ms_pair_results *results, double *height)
{
    const double room = (figure->highest - figure->lowest) / 20.0;
    for (int k = 0; k < results->n; k++) {
        const ms_pair_perturbed *limit = &results->curve[k].limit;
        height[k] = log10(limit->distance[limit->n]);
    }
    for (int k = 0; k < results->n; k++)
        for (int j = 0; j < k; j++) {
            const double gap = height[k] - height[j], missing = room - fabs(gap);
            if (missing > 0.0) {
                height[k] += copysign(0.5 * missing, gap);
                height[j] -= copysign(0.5 * missing, gap);
            }
        }
}

/* Two curves a panel: rho beside the last point. */
static void label_limits(ms_drawing *drawing, const ms_pair_figure *figure, const ms_pair_results *results)
{
    double height[MS_LIMITS_MAX];
    place_labels(figure, results, height);
    ms_drawing_script(drawing, "set rmargin 10\n");
    for (int k = 0; k < results->n; k++)
        ms_drawing_script(drawing, "set label 'ρ = %g' at graph 1.02, first %g textcolor lt %d\n",
                          results->curve[k].rho, pow(10.0, height[k]), results->curve[k].colour);
}

static void draw_limits(ms_drawing *drawing, const ms_pair_figure *figure, const ms_pair_results *results)
{
    ms_drawing_script(
        drawing,
        "set origin 0,0\nset size 0.5,0.49\nset title \"perturbed start, H = 10^{-12} s; marks: observed\\n"
        "lines: predicted growth, through the last point\"\n"
        "set xlabel 'macro-step n'\nset ylabel '|r_n| / |r_0|'\nset xrange [0:%d]\nset yrange [1e%d:1e%d]\n"
        "set logscale y\nset format y powers\nset key maxcols 4 samplen 1.6\nset tmargin 6.6\nunset label\n",
        MS_DISTANCES - 1, figure->lowest, figure->highest);
    if (!figure->by_rho && figure->readings == 2)
        label_limits(drawing, figure, results);
    bool seen[EXTRAPOLATIONS] = {false};
    for (int k = 0; k < results->n; k++)
        ms_drawing_curve(drawing, "part('limit') using 'step':'predicted_%d' with lines lt 9 lw 1.2 notitle",
                         k);
    for (int k = 0; k < results->n; k++) {
        const ms_pair_curve *curve = &results->curve[k];
        const long which = curve->extrapolation - ms_extrapolations;
        const char *title = figure->by_rho ? ms_drawing_text(drawing, "title 'ρ = %g'", curve->rho)
                            : seen[which]
                                ? "notitle"
                                : ms_drawing_text(drawing, "title '%s'", curve->extrapolation->title);
        seen[which] = true;
        ms_drawing_curve(drawing, "part('limit') using 'step':'distance_%d' every 2 with points lt %d %s", k,
                         curve->colour, title);
    }
    ms_drawing_script(drawing, "unset label\nunset logscale y\nset format y '%%.6g'\nset rmargin 2\n");
}

static void draw_growth(ms_drawing *drawing, const ms_pair_figure *figure)
{
    ms_drawing_script(
        drawing,
        "set origin 0.5,0\nset size 0.5,0.49\nset title \"H → 0; marks: observed\\nlines: predicted\"\n"
        "set xlabel 'ρ(DL)'\nset ylabel 'growth per macro-step'\nset xrange [0:%g]\nset yrange [0:%g]\n"
        "set label 'stable up to 1' at graph 0.99, first 1 right offset 0,-0.6\n"
        "plot 1 with lines lt 1 lw 1 dashtype 2 notitle",
        figure->rho_max, figure->growth_max);
    for (int k = 0; k < figure->readings; k++) {
        const int colour = (figure->by_rho ? 6 : 2) + k; /* panels have colours 2 to 4 */
        ms_drawing_script(drawing,
                          ", \\\n    part('predicted') using 'rho':'growth_%d' with lines lt %d lw 1.4 "
                          "notitle, \\\n    part('observed') using 'rho':'growth_%d' with points lt %d ps "
                          "0.9 notitle, \\\n    NaN with linespoints lt %d lw 1.4 ps 0.9 title '%s'",
                          k, colour, k, colour, colour, ms_extrapolations[figure->reading[k]].title);
    }
    ms_drawing_script(drawing, "\n");
}

int ms_pair_draw(ms_drawing *drawing, const ms_pair_figure *figure, ms_pair_results *results, ms_error *error)
{
    double worst = 0.0;
    int status = MS_OK;
    for (int panel = 0; panel < MS_PANELS && status == MS_OK; panel++)
        status = run_panel(drawing, figure, panel, results, error);
    if (status == MS_OK)
        status = scan_growth(drawing, figure, &worst, error);
    if (status != MS_OK)
        return status;
    write_limits(drawing, results);
    tabulate(drawing, results);
    check_scan(drawing, worst);
    remark_on_choices(drawing, figure);
    ms_drawing_picture(
        drawing, 1060, 840,
        "set multiplot\nset lmargin 9\nset rmargin 2\nset xlabel 'time t / s'\nset xrange [0:1]\n"
        "set ylabel 'output y_1'\nset key maxcols 2 samplen 2\nset tmargin 6.6\n");
    for (int panel = 0; panel < MS_PANELS; panel++)
        draw_panel(drawing, figure, results, panel);
    draw_limits(drawing, figure, results);
    draw_growth(drawing, figure);
    return MS_OK;
}
