/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.4.1: mass-spring-damper with linear extrapolation. Figs 6.17, 6.18.
 *
 * Not printed, chosen: parameters of Table 7.1, both masses displaced by 1 m at rest, 20 s, exact subsystems.
 * Where output derivatives come from decides whether H = 0.085 s is stable, so both sources are shown. */
#include <math.h>

#include <macrostep/cosim.h>
#include "andersson2016_6_3.h"
#include "arguments.h"
#include "figure.h"

#define MASSES "run mass-spring-damper --extrapolation-order 1 "

const ms_approach ms_approaches[ALL_APPROACHES] = {
    [INCONSISTENT] = {"inconsistent", ""},
    [SMOOTHED] = {"smoothing", "--smooth-coupling c0"},
    [CORRECTED] = {"smoothing, linear correction", "--smooth-coupling c0 --outputs corrected"},
    [SMOOTHED_AS_PRINTED] = {"smoothing as printed, (6.73c)", "--smooth-coupling c0 --as-printed"},
    [SMOOTHED_C1] = {"C1 smoothing (not in the paper)", "--smooth-coupling c1"},
};

static const double HORIZON = 20.0; /* [s] */

/* Growth factors ----------------------------------------------------------------------------------------- */

enum { WINDOW = 40, WINDOWS_MAX = 50 };

/* log of max |x| over windows of WINDOW macro-steps. */
typedef struct envelope {
    long steps;
    double largest, level[WINDOWS_MAX];
} envelope;

static void envelope_add(envelope *e, int nx, const double *x)
{
    for (int j = 0; j < nx; j++)
        e->largest = fmax(e->largest, fabs(x[j]));
    e->steps++;
    if (e->steps % WINDOW == 0) {
        if (e->steps <= (long)WINDOW * WINDOWS_MAX)
            e->level[e->steps / WINDOW - 1] = log(e->largest);
        e->largest = 0.0;
    }
}

static int envelope_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    envelope_add(self, cosim->system->nx, cosim->x);
    return 0;
}

/* Factor a macro-step, from the least-squares line through the second half of the levels; NaN: too few. */
static double envelope_growth(const envelope *e)
{
    const int n = e->steps / WINDOW < WINDOWS_MAX ? (int)(e->steps / WINDOW) : WINDOWS_MAX, first = n / 2;
    double k_mean = 0.5 * (first + n - 1), level_mean = 0.0, covariance = 0.0, variance = 0.0;
    if (n - first < 3)
        return NAN;
    for (int k = first; k < n; k++)
        level_mean += e->level[k] / (n - first);
    for (int k = first; k < n; k++) {
        covariance += (k - k_mean) * (e->level[k] - level_mean);
        variance += (k - k_mean) * (k - k_mean);
    }
    return exp(covariance / variance / WINDOW);
}

/* Of the study's scheme with step size h. */
static int measure_growth(ms_drawing *drawing, const ms_study *study, double h, double *growth,
                          ms_error *error)
{
    envelope e = {0};
    const ms_observer observer = {.self = &e, .step = envelope_step};
    const ms_simulation_options request = {.observers = &observer, .n_observers = 1};
    ms_options options = study->arguments->options;
    ms_simulation simulation;
    options.step_size = h;
    options.stop_time = (double)(WINDOW * WINDOWS_MAX) * h;
    options.given[MS_OPTION_STOP_TIME] = true;
    const int status = ms_study_repeat(drawing, study, &options, &request, &simulation, error);
    if (status != MS_OK)
        return status;
    *growth = envelope_growth(&e);
    ms_simulation_destroy(&simulation);
    return MS_OK;
}

/* The smallest step size [s] at which the growth factor passes 1: found between steps 8 % apart, then by
 * bisection. NaN: none up to 0.4 s. */
static int find_critical_step(ms_drawing *drawing, const ms_study *study, double *critical, ms_error *error)
{
    double low = 0.02, high = low, growth = 0.0;
    int status = MS_OK;
    *critical = NAN;
    while (status == MS_OK && !(growth > 1.0) && high < 0.4) {
        low = high;
        high *= 1.08;
        status = measure_growth(drawing, study, high, &growth, error);
    }
    if (!(growth > 1.0))
        return status;
    for (int k = 0; k < 10 && status == MS_OK; k++) {
        const double middle = 0.5 * (low + high);
        status = measure_growth(drawing, study, middle, &growth, error);
        if (growth > 1.0)
            high = middle;
        else
            low = middle;
    }
    *critical = 0.5 * (low + high);
    return status;
}

static void envelope_reference(void *self, long n, const double *x)
{
    enum { STATES = 4 }; /* of the two masses */
    if (n > 0)
        envelope_add(self, STATES, x);
}

/* The monolithic solution's factor over h. */
static int reference_growth(ms_drawing *drawing, double h, double *growth, ms_error *error)
{
    ms_study study;
    envelope e = {0};
    int status = ms_study_bind(drawing, &study, error, MASSES);
    if (status == MS_OK)
        status = ms_study_follow_reference(study.system, (long)WINDOW * WINDOWS_MAX, h, envelope_reference,
                                           &e, NULL, error);
    *growth = envelope_growth(&e);
    ms_study_destroy(&study);
    return status;
}

typedef struct stability {
    double growth[ALL_APPROACHES][SOURCES], critical[ALL_APPROACHES][SOURCES]; /* [-], [s] */
    double reference;
} stability;

static int measure_stability(ms_drawing *drawing, double h, stability *all, ms_error *error)
{
    int status = reference_growth(drawing, h, &all->reference, error);
    for (int a = 0; a < ALL_APPROACHES && status == MS_OK; a++)
        for (int s = 0; s < SOURCES && status == MS_OK; s++) {
            ms_study study;
            status = ms_study_bind(drawing, &study, error, MASSES "%s %s", ms_derivative_sources[s].options,
                                   ms_approaches[a].options);
            if (status == MS_OK)
                status = measure_growth(drawing, &study, h, &all->growth[a][s], error);
            if (status == MS_OK)
                status = find_critical_step(drawing, &study, &all->critical[a][s], error);
            ms_study_destroy(&study);
        }
    return status;
}

static void tabulate_stability(ms_drawing *drawing, const stability *all)
{
    ms_table *table = ms_drawing_table(
        drawing, "stability", "Factor a macro-step at H = 0.085 s, and the step size at which it passes 1",
        "approach|output derivatives|factor|stable below H / s");
    for (int a = 0; a < ALL_APPROACHES; a++)
        for (int s = 0; s < SOURCES; s++)
            ms_table_add(table, "ssrr", ms_approaches[a].name, ms_derivative_sources[s].name,
                         all->growth[a][s], all->critical[a][s]);
    ms_table_add(table, "snrn", "monolithic solution", all->reference);
}

/* {"differences": .., "exact": ..} */
static json_t *sources_json(const double value[SOURCES])
{
    return MS_REALS({ms_derivative_sources[BY_DIFFERENCES].name, value[BY_DIFFERENCES]},
                    {ms_derivative_sources[EXACT].name, value[EXACT]});
}

/* Figs 6.17 and 6.18: motion ----------------------------------------------------------------------------- */

static int write_motion(ms_drawing *drawing, int approach, int source, const char *part, double h,
                        ms_error *error)
{
    ms_study study;
    int status = ms_study_run(
        drawing, &ms_simulation_trajectory, &study, error, MASSES "%s %s --step-size %g --stop-time %g",
        ms_derivative_sources[source].options, ms_approaches[approach].options, h, HORIZON);
    ms_data *data = ms_drawing_data(drawing, part, "time,x1,v1,x2,v2,e1,e2,e3,e4");
    if (status == MS_OK)
        status = ms_study_beside(&study, MS_BESIDE_ERRORS, data, NULL, error);
    ms_study_destroy(&study);
    return status;
}

static int write_reference(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, MASSES);
    if (status == MS_OK)
        status = ms_system_write_reference(study.system, 0.0125, HORIZON,
                                           ms_drawing_data(drawing, "reference", "time,x1,v1,x2,v2"), error);
    ms_study_destroy(&study);
    return status;
}

static void remark_on_choices(ms_drawing *drawing)
{
    ms_drawing_remark(drawing,
                      "Not printed; chosen: parameters of Table 7.1, x1 = x2 = 1 m at rest, %g s, exact "
                      "subsystems. Factors a macro-step: from runs of %d macro-steps, the slope of log max "
                      "|x| over windows of %d in their second half.",
                      HORIZON, WINDOW * WINDOWS_MAX, WINDOW);
}

static int draw_fig6_17(ms_drawing *drawing, ms_error *error)
{
    const double h = ms_drawing_published_number(drawing, "step_size");
    stability all;
    int status = write_motion(drawing, INCONSISTENT, BY_DIFFERENCES, "", h, error);
    if (status == MS_OK)
        status = write_motion(drawing, INCONSISTENT, EXACT, "exact", h, error);
    if (status == MS_OK)
        status = write_reference(drawing, error);
    if (status == MS_OK)
        status = measure_stability(drawing, h, &all, error);
    if (status != MS_OK)
        return status;
    tabulate_stability(drawing, &all);
    ms_study_undetermined(
        drawing, "inconsistent approach at H = 0.085 s: factor a macro-step", "claim",
        sources_json(all.growth[INCONSISTENT]),
        "Text and caption do not say whether the motion decays or grows in this figure. Here it decays with "
        "either source of output derivatives (the monolithic solution by %.4g), and the approach becomes "
        "unstable above H = %.3g s (differences) and %.3g s (exact).",
        all.reference, all.critical[INCONSISTENT][BY_DIFFERENCES], all.critical[INCONSISTENT][EXACT]);
    remark_on_choices(drawing);
    ms_drawing_picture(
        drawing, 900, 560,
        "set multiplot layout 2,1\n"
        "set lmargin 9\n"
        "set rmargin 3\n"
        "set xrange [0:10]\n"
        "set yrange [-1.2:1.2]\n"
        "do for [j = 1:2] {\n"
        "    set xlabel (j == 2 ? 'time t / s' : '')\n"
        "    set ylabel sprintf('position x_%%d / m', j)\n"
        "    x = sprintf('x%%d', j)\n"
        "    plot csv using 'time':x with linespoints lt 3 lw 2 title 'derivatives by differences', \\\n"
        "        part('exact') using 'time':x with linespoints lt 2 lw 2 title 'exact derivatives', \\\n"
        "        part('reference') using 'time':x with lines lt 1 lw 1 title 'reference'\n"
        "}\n");
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig6_17 = {
    "andersson2016:fig6.17",
    "Mass-spring-damper: inconsistent approach with linear extrapolation, H = 0.085 s",
    "Andersson (2016), Fig. 6.17, section 6.4.1", .draw = draw_fig6_17};

/* Do the three approaches differ in stability with derivatives from this source? */
static bool differ(const stability *all, int source)
{
    int stable = 0;
    for (int a = 0; a < APPROACHES; a++)
        stable += all->growth[a][source] <= 1.0;
    return stable != 0 && stable != APPROACHES;
}

static void check_stability(ms_drawing *drawing, const stability *all)
{
    json_t *measured = json_object();
    bool ranked = true;
    for (int a = 0; a < APPROACHES; a++)
        json_object_set_new(measured, ms_approaches[a].name, sources_json(all->growth[a]));
    const bool differences = differ(all, BY_DIFFERENCES), exact = differ(all, EXACT);
    ms_drawing_check(drawing, "at H = 0.085 s some of the three approaches are stable and others are not",
                     json_string(ms_drawing_published_text(drawing, "claim")), measured,
                     json_string("factor a macro-step above or below 1"),
                     differences == exact ? (exact ? MS_REPRODUCED : MS_DEVIATES) : MS_NOT_DETERMINED,
                     "Output derivatives by differences: %s. Exact ones: %s. The text does not say which "
                     "were used; the statement fits the former.",
                     differences ? "smoothing alone grows and the other two decay"
                                 : "no difference in stability",
                     exact ? "smoothing alone grows and the other two decay" : "all three decay");
    for (int s = 0; s < SOURCES; s++)
        ranked = ranked && all->growth[SMOOTHED][s] > all->growth[INCONSISTENT][s] &&
                 all->growth[SMOOTHED][s] > all->growth[CORRECTED][s] &&
                 all->critical[SMOOTHED][s] < all->critical[INCONSISTENT][s] &&
                 all->critical[SMOOTHED][s] < all->critical[CORRECTED][s];
    ms_study_claim(
        drawing, "smoothing alone is the least stable of the three, linear correction restores it", "claim",
        sources_json(all->critical[SMOOTHED]), ranked,
        "Measured: below which H smoothing is stable [s]. Its factor at H = 0.085 s is the largest and its "
        "stable range of H the shortest of the three, with either source of output derivatives.");
}

static int draw_fig6_18(ms_drawing *drawing, ms_error *error)
{
    static const char *const parts[2][SOURCES] = {{"", "exact"}, {"corrected", "corrected-exact"}};
    const double h = ms_drawing_published_number(drawing, "step_size");
    stability all;
    int status = MS_OK;
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < SOURCES && status == MS_OK; s++)
            status = write_motion(drawing, k == 0 ? SMOOTHED : CORRECTED, s, parts[k][s], h, error);
    if (status == MS_OK)
        status = write_reference(drawing, error);
    if (status == MS_OK)
        status = measure_stability(drawing, h, &all, error);
    if (status != MS_OK)
        return status;
    check_stability(drawing, &all);
    tabulate_stability(drawing, &all);
    remark_on_choices(drawing);
    ms_drawing_remark(
        drawing,
        "As printed, (6.73c) leaves out D L H y' of (6.71b): with it smoothing grows with exact derivatives, "
        "too (factor %.4g). Left panels: smoothing; right: with linear correction, as in the paper.",
        all.growth[SMOOTHED_AS_PRINTED][EXACT]);
    ms_drawing_picture(
        drawing, 960, 640,
        "array parts[4] = [csv, part('corrected'), part('exact'), part('corrected-exact')]\n"
        "array titles[4] = ['smoothing, derivatives by differences', 'with linear correction, by "
        "differences', \\\n"
        "    'smoothing, exact derivatives', 'with linear correction, exact']\n"
        "set multiplot layout 2,2\n"
        "set lmargin 9\n"
        "set rmargin 3\n"
        "set xlabel 'time t / s'\n"
        "set ylabel 'position x / m'\n"
        "do for [k = 1:4] {\n"
        "    set title titles[k] offset 0,0.2\n"
        "    if (k == 1) { set xrange [0:20]; set yrange [*:*] } else { set xrange [0:10]; set "
        "yrange [-1.2:1.2] }\n"
        "    plot parts[k] using 'time':'x1' with lines lt 2 lw 2.5 title 'x_1', \\\n"
        "        '' using 'time':'x2' with lines lt 5 lw 2.5 title 'x_2', \\\n"
        "        part('reference') using 'time':'x1' with lines lt 1 lw 0.8 title 'reference', \\\n"
        "        '' using 'time':'x2' with lines lt 1 lw 0.8 notitle\n"
        "}\n");
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig6_18 = {
    "andersson2016:fig6.18", "Mass-spring-damper: smoothing without and with linear correction, H = 0.085 s",
    "Andersson (2016), Fig. 6.18, section 6.4.1", .draw = draw_fig6_18};
