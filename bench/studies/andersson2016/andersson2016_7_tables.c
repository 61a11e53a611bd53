/* Andersson (2016), section 7.4: what CVODE's BDF does over 2 s for each way to treat an input that changes.
 * Tables 7.2, 7.3.
 *
 * Evaluations are those that CVODE and the correction ask for, without Jacobians, which are analytic;
 * Jacobians are counted with those of the correction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "andersson2016_7.h"
#include "figure.h"

enum { STEPS, FEVALS, JACOBIANS, FAILURES, COUNTS, READINGS_MAX = 10 };

static const char *const count_keys[COUNTS] = {"steps", "fevals", "jacobians", "error_failures"};
static const char *const count_titles[COUNTS] = {"steps", "evaluations of f", "Jacobians",
                                                 "error test failures"};

typedef struct reading {
    const char *name, *words;
} reading;

/* What the text leaves open; the first one is compared with the print, and its tolerances are varied. */
typedef struct case_study {
    const char *subject;
    reading readings[READINGS_MAX];
    int n;
    const char *unprinted; /* what the text leaves open */
    int as_printed[2];     /* readings with the printed tolerances: segments and grid points counted */
    const char *tolerances;
} case_study;

#define MASS "mass-spring-damper --subsystem right --stop-time 2 --solver-rtol 1e-6 "

static const case_study mass = {
    "right mass",
    {{"19 linear segments, atol 1e-8", MS_MASS_DRIVEN},
     {"19 linear segments, atol 1e-6", MASS "--segments 19 --input-shape linear --solver-atol 1e-6"},
     {"20 linear segments, atol 1e-8", MASS "--segments 20 --input-shape linear --solver-atol 1e-8"},
     {"20 linear segments, atol 1e-6", MASS "--segments 20 --input-shape linear --solver-atol 1e-6"},
     {"19, atol 1e-8, start x = (1, 0), v = (1, 0)", MASS
      "--segments 19 --input-shape linear --solver-atol 1e-8 --set x1=1 --set v1=1 --set x2=0 --set v2=0"},
     {"20, atol 1e-6, start x = (1, 0), v = (1, 0)", MASS
      "--segments 20 --input-shape linear --solver-atol 1e-6 --set x1=1 --set v1=1 --set x2=0 --set v2=0"},
     {"19 interpolated (continuous), atol 1e-8",
      MASS "--segments 19 --input-shape interpolated --solver-atol 1e-8"},
     {"20 interpolated (continuous), atol 1e-6",
      MASS "--segments 20 --input-shape interpolated --solver-atol 1e-6"},
     {"19 linear segments, atol 1e-6, start x = (100, 100)",
      MASS "--segments 19 --input-shape linear --solver-atol 1e-6 --set x1=100 --set x2=100"}},
    9,
    "start values, whether twenty counts segments or grid points, and whether a segment is the line of value "
    "and slope at its start (7.3) or that through both its ends",
    {1, 3},
    MS_MASS_TOLERANCES};

#define PENDULUM                                                                                             \
    "coupled-pendula --case stiff --subsystem left --stop-time 2 --input-shape constant --solver-rtol 1e-6 "

static const case_study pendulum = {
    "left pendulum",
    {{"39 segments, 1000 N/m, pivots 0.5 m, spring 1 m, start (0.5, 0, 0.5, 0)", MS_PENDULUM_DRIVEN},
     {"the same, atol 1e-8", PENDULUM "--segments 39 --solver-atol 1e-8"},
     {"the same, 40 segments", PENDULUM "--segments 40 --solver-atol 1e-6"},
     {"pivots 1 m, start (0.5, 0, 0, 0)",
      PENDULUM "--segments 39 --solver-atol 1e-6 --set distance=1 --set theta2=0"},
     {"pivots 1 m, start (0.5, 0, -0.5, 0)",
      PENDULUM "--segments 39 --solver-atol 1e-6 --set distance=1 --set theta2=-0.5"},
     {"spring 0.5 m, start (0.5, 0, 0, 0)",
      PENDULUM "--segments 39 --solver-atol 1e-6 --set rest_length=0.5 --set theta2=0"},
     {"spring 0.5 m, start (0.5, 0, -0.5, 0)",
      PENDULUM "--segments 39 --solver-atol 1e-6 --set rest_length=0.5 --set theta2=-0.5"},
     {"100 N/m", PENDULUM "--segments 39 --solver-atol 1e-6 --set k=100"},
     {"10 N/m", PENDULUM "--segments 39 --solver-atol 1e-6 --set k=10"}},
    9,
    "geometry, stiffness, masses, start values and excitation",
    {0, 2},
    ""};

/* Counts ----------------------------------------------------------------------------------------------- */

typedef struct counts {
    double of[COUNTS][MS_MODES];
    double own[MS_MODES], coupled[MS_MODES]; /* largest errors */
} counts;

static void take(const ms_driven_result *result, int mode, counts *c)
{
    c->of[STEPS][mode] = (double)result->work.micro_steps;
    c->of[FEVALS][mode] = (double)result->work.rhs_evaluations;
    c->of[JACOBIANS][mode] = (double)result->work.jacobian_evaluations;
    c->of[FAILURES][mode] = (double)result->work.error_test_failures;
    c->own[mode] = result->own_largest.max;
    c->coupled[mode] = result->coupled_largest.max;
}

/* Lowest and highest counts. */
typedef struct spread {
    counts low, high;
} spread;

static void widen(spread *range, const counts *c)
{
    for (int k = 0; k < COUNTS; k++)
        for (int m = 0; m < MS_MODES; m++) {
            range->low.of[k][m] = fmin(range->low.of[k][m], c->of[k][m]);
            range->high.of[k][m] = fmax(range->high.of[k][m], c->of[k][m]);
        }
}

enum { NEARBY = 9 }; /* tolerances within a quarter of the first reading's */

static int vary_tolerance(const ms_modes *modes, spread *range, ms_error *error)
{
    const ms_options *options = &modes->study.arguments.options;
    int status = MS_OK;
    for (int k = 0; k < NEARBY && status == MS_OK; k++) {
        const double factor = pow(1.25, 2.0 * k / (NEARBY - 1) - 1.0);
        counts c = {0};
        for (int m = 0; m < MS_MODES && status == MS_OK; m++) {
            ms_driven_result result;
            status = ms_modes_repeat(modes, m, factor * options->solver_rtol, factor * options->solver_atol,
                                     false, &result, error);
            if (status == MS_OK) {
                take(&result, m, &c);
                ms_driven_result_destroy(&result);
            }
        }
        if (status == MS_OK)
            widen(range, &c);
    }
    return status;
}

static int count_all(ms_drawing *drawing, const case_study *study, counts c[READINGS_MAX], spread *range,
                     ms_error *error)
{
    int status = MS_OK;
    for (int r = 0; r < study->n && status == MS_OK; r++) {
        ms_modes modes;
        status = ms_modes_run(drawing, false, study->readings[r].words, &modes, error);
        for (int m = 0; m < MS_MODES && status == MS_OK; m++)
            take(&modes.result[m], m, &c[r]);
        if (r == 0)
            *range = (spread){c[0], c[0]};
        widen(range, &c[r]);
        if (r == 0 && status == MS_OK)
            status = vary_tolerance(&modes, range, error);
        ms_modes_destroy(&modes);
    }
    return status;
}

/* Tables ----------------------------------------------------------------------------------------------- */

static void add_steps(ms_table *table, const char *name, const double steps[MS_MODES])
{
    ms_table_row(table, json_pack("[s, f, f, f, f, f, f, f]", name, steps[0], steps[1], steps[2], steps[3],
                                  round(100.0 * steps[1] / steps[0]) / 100.0,
                                  round(100.0 * steps[2] / steps[0]) / 100.0,
                                  round(100.0 * steps[3] / steps[0]) / 100.0));
}

static void read_published(ms_drawing *drawing, int count, double values[MS_MODES])
{
    for (int m = 0; m < MS_MODES; m++) {
        char key[40];
        snprintf(key, sizeof key, "%s.%d", count_keys[count], m);
        values[m] = ms_drawing_published_number(drawing, key);
    }
}

static void tabulate(ms_drawing *drawing, const case_study *study, const counts *c, const spread *range)
{
    double printed[MS_MODES];
    ms_table *statistics =
        ms_drawing_table(drawing, "",
                         "Statistics: published, first reading, and least to most of all readings "
                         "and of nine tolerances within a quarter",
                         "count|of|restart|proceed|corrected in x'|corrected in x', x''");
    ms_table *readings =
        ms_drawing_table(drawing, "readings", "Micro-steps over what the text leaves open",
                         "reading|restart|proceed|corrected in x'|corrected in x', x''|proceed / "
                         "restart|x' / restart|x', x'' / restart");
    for (int k = 0; k < COUNTS; k++) {
        const double *first = c[0].of[k], *low = range->low.of[k], *high = range->high.of[k];
        read_published(drawing, k, printed);
        if (k == STEPS)
            add_steps(readings, "published", printed);
        ms_table_row(statistics, json_pack("[s, s, f, f, f, f]", count_titles[k], "published", printed[0],
                                           printed[1], printed[2], printed[3]));
        ms_table_row(statistics, json_pack("[s, s, f, f, f, f]", count_titles[k], "first reading", first[0],
                                           first[1], first[2], first[3]));
        json_t *row = json_pack("[s, s]", count_titles[k], "least to most");
        for (int m = 0; m < MS_MODES; m++)
            json_array_append_new(row, json_sprintf("%.0f to %.0f", low[m], high[m]));
        ms_table_row(statistics, row);
    }
    ms_table *errors =
        ms_drawing_table(drawing, "errors", "Largest errors at the ends of segments",
                         "reading|against|restart|proceed|corrected in x'|corrected in x', x''");
    for (int r = 0; r < study->n; r++) {
        const double *own = c[r].own, *coupled = c[r].coupled;
        add_steps(readings, study->readings[r].name, c[r].of[STEPS]);
        ms_table_row(errors, json_pack("[s, s, f, f, f, f]", study->readings[r].name, "driven problem",
                                       own[0], own[1], own[2], own[3]));
        ms_table_row(errors, json_pack("[s, s, f, f, f, f]", study->readings[r].name, "coupled model",
                                       coupled[0], coupled[1], coupled[2], coupled[3]));
    }
}

/* Checks ----------------------------------------------------------------------------------------------- */

static json_t *four(const double v[MS_MODES])
{
    return json_pack("[f, f, f, f]", v[0], v[1], v[2], v[3]);
}

/* Within 10 % in all readings: reproduced; else not determined where the first one, which was chosen, is, or
 * the readings lie on both sides of the print. */
static void check_count(ms_drawing *drawing, const case_study *study, int k, const counts *first,
                        const spread *range)
{
    double printed[MS_MODES], worst = 0.0;
    bool between = true, all = true;
    read_published(drawing, k, printed);
    for (int m = 0; m < MS_MODES; m++) {
        worst = fmax(worst, fabs(first->of[k][m] / printed[m] - 1.0));
        between = between && range->low.of[k][m] <= printed[m] && printed[m] <= range->high.of[k][m];
        all = all && range->low.of[k][m] >= 0.9 * printed[m] && range->high.of[k][m] <= 1.1 * printed[m];
    }
    char distance[64];
    snprintf(distance, sizeof distance, worst < 0.005 ? "agrees" : "is off by up to %.0f %%", 100.0 * worst);
    ms_drawing_check(
        drawing, count_titles[k], four(printed),
        json_pack("{s:o, s:o, s:o}", "first reading", four(first->of[k]), "least", four(range->low.of[k]),
                  "most", four(range->high.of[k])),
        json_string(
            "10 % in all readings: reproduced; in the first one, or readings on both sides: undecided"),
        all                       ? MS_REPRODUCED
        : worst <= 0.1 || between ? MS_NOT_DETERMINED
                                  : MS_DEVIATES,
        "Restarted, proceeding, corrected in x', in x' and x''. The first reading, chosen by looking at the "
        "print, %s. The text leaves open %s.%s",
        distance, study->unprinted,
        k == JACOBIANS
            ? " Corrected in x', x'' there is one Jacobian at the start and one at each change, so that the "
              "print counts segments: one less than the text says, which then counts grid points."
            : "");
}

/* The pattern of the steps, relative to restarting, with the printed tolerances. */
static void check_pattern(ms_drawing *drawing, const case_study *study, const counts *c)
{
    double printed[MS_MODES], worst = 0.0, low[MS_MODES], high[MS_MODES];
    json_t *measured = json_object();
    read_published(drawing, STEPS, printed);
    for (int m = 0; m < MS_MODES; m++) {
        printed[m] /= m > 0 ? printed[0] : 1.0;
        low[m] = INFINITY;
        high[m] = 0.0;
        for (int r = 0; r < study->n; r++) {
            low[m] = fmin(low[m], c[r].of[STEPS][m] / c[r].of[STEPS][0]);
            high[m] = fmax(high[m], c[r].of[STEPS][m] / c[r].of[STEPS][0]);
        }
    }
    for (int k = 0; k < 2; k++) {
        const double *steps = c[study->as_printed[k]].of[STEPS];
        for (int m = 1; m < MS_MODES; m++)
            worst = fmax(worst, fabs(steps[m] / steps[0] / printed[m] - 1.0));
        json_object_set_new(
            measured, study->readings[study->as_printed[k]].name,
            json_pack("[f, f, f]", steps[1] / steps[0], steps[2] / steps[0], steps[3] / steps[0]));
    }
    ms_drawing_check(
        drawing, "steps relative to restarting, with the printed tolerances",
        json_pack("[f, f, f]", printed[1], printed[2], printed[3]), measured,
        json_string("10 %: reproduced; else undecided, with so much open"),
        worst <= 0.1 ? MS_REPRODUCED : MS_NOT_DETERMINED,
        "Proceeding, corrected in x', in x' and x''. Off by up to %.0f %%. Over all readings the "
        "ratios are %.2f to %.2f, %.2f to %.2f and %.2f to %.2f.",
        100.0 * worst, low[1], high[1], low[2], high[2], low[3], high[3]);
}

static bool fewest_is_second(const counts *c)
{
    for (int m = 0; m < MS_INPUT_CORRECT_2; m++)
        if (c->of[STEPS][m] <= c->of[STEPS][MS_INPUT_CORRECT_2] ||
            c->of[FEVALS][m] <= c->of[FEVALS][MS_INPUT_CORRECT_2])
            return false;
    return true;
}

static bool worst_is_proceed(const counts *c)
{
    for (int m = 0; m < MS_MODES; m++)
        if (m != MS_INPUT_PROCEED && (c->of[STEPS][m] >= c->of[STEPS][MS_INPUT_PROCEED] ||
                                      c->of[FEVALS][m] >= c->of[FEVALS][MS_INPUT_PROCEED]))
            return false;
    return true;
}

static void check_orders(ms_drawing *drawing, const case_study *study, const counts *c)
{
    int fewest = 0, worst = 0;
    for (int r = 0; r < study->n; r++) {
        fewest += fewest_is_second(&c[r]);
        worst += worst_is_proceed(&c[r]);
    }
    ms_drawing_check_claim(
        drawing, "corrected in x' and x'' takes the fewest steps and evaluations",
        ms_drawing_published_text(drawing, "fewest"),
        json_pack("{s:o, s:o}", "steps", four(c[0].of[STEPS]), "evaluations", four(c[0].of[FEVALS])),
        fewest_is_second(&c[0]), "So do %d of %d readings.", fewest, study->n);
    ms_drawing_check_claim(
        drawing, "to proceed takes the most steps and evaluations",
        ms_drawing_published_text(drawing, "worst"),
        json_pack("{s:o, s:o}", "steps", four(c[0].of[STEPS]), "evaluations", four(c[0].of[FEVALS])),
        worst_is_proceed(&c[0]), "So it does in %d of %d readings.%s", worst, study->n,
        worst < study->n ? " It does not where segments join continuously." : "");
}

static double ratio(const double v[MS_MODES])
{
    double low = v[0], high = v[0];
    for (int m = 1; m < MS_MODES; m++) {
        low = fmin(low, v[m]);
        high = fmax(high, v[m]);
    }
    return high / low;
}

/* Nearly equal: within 10 %. On the same magnitude: within a factor 10. */
static void check_errors(ms_drawing *drawing, const counts *c)
{
    double sampling = c->coupled[0], largest = 0.0;
    for (int m = 0; m < MS_MODES; m++) {
        sampling = fmin(sampling, c->coupled[m]);
        largest = fmax(largest, c->own[m]);
    }
    ms_drawing_check_claim(
        drawing, "errors against the coupled model are nearly equal in all four cases",
        ms_drawing_published_text(drawing, "errors"),
        json_pack("{s:o, s:f}", "errors", four(c->coupled), "largest / least", ratio(c->coupled)),
        ratio(c->coupled) <= 1.1,
        "Within 10 %%. The sampled inputs make this error, and it is at least %.0f times that of "
        "any micro-solver, so that it does not tell the four cases apart.",
        sampling / largest);
    ms_drawing_check_claim(
        drawing, "errors of the micro-solver itself are nearly equal in all four cases",
        ms_drawing_published_text(drawing, "errors"),
        json_pack("{s:o, s:f}", "errors", four(c->own), "largest / least", ratio(c->own)),
        ratio(c->own) <= 1.1,
        "Against the tight solution of the same driven problem; nearly equal would be within "
        "10 %%, on the same magnitude within a factor of 10. Proceeding errs %.1f times as much "
        "as restarting, corrected in x' %.1f, in x' and x'' %.1f times.",
        c->own[1] / c->own[0], c->own[2] / c->own[0], c->own[3] / c->own[0]);
}

static int draw_table(ms_drawing *drawing, const case_study *study, ms_error *error)
{
    counts *c = calloc(READINGS_MAX, sizeof *c);
    spread range;
    if (c == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a table");
    const int status = count_all(drawing, study, c, &range, error);
    if (status == MS_OK) {
        tabulate(drawing, study, c, &range);
        for (int k = 0; k < COUNTS; k++)
            check_count(drawing, study, k, &c[0], &range);
        check_pattern(drawing, study, c);
        check_orders(drawing, study, c);
        check_errors(drawing, &c[0]);
        if (study->tolerances[0] != '\0')
            ms_drawing_remark(drawing, "%s", study->tolerances);
        ms_drawing_remark(
            drawing,
            "Elapsed times are left out: they depend on the machine and on what a call of the model "
            "costs. The micro-solver never steps over the end of a segment; the thesis does not say, nor "
            "which version of SUNDIALS it used. The first reading was "
            "chosen by looking at the print: that it comes near is consistency, not validation; "
            "the distribution over starts and tolerances is macrostep:predictor-ratios.");
    }
    free(c);
    return status;
}

static int draw_table7_2(ms_drawing *drawing, ms_error *error)
{
    return draw_table(drawing, &mass, error);
}

static int draw_table7_3(ms_drawing *drawing, ms_error *error)
{
    return draw_table(drawing, &pendulum, error);
}

const ms_figure ms_figure_andersson2016_table7_2 = {
    .id = "andersson2016:table7.2",
    .title = "Right mass with linear input segments: work of CVODE over four ways to cross them",
    .source = "Andersson (2016), Table 7.2, section 7.4.1",
    .draw = draw_table7_2,
};

const ms_figure ms_figure_andersson2016_table7_3 = {
    .id = "andersson2016:table7.3",
    .title = "Left pendulum with constant input segments: work of CVODE over four ways to cross them",
    .source = "Andersson (2016), Table 7.3, section 7.4.2",
    .draw = draw_table7_3,
};
