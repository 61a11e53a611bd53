/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 7.4: what CVODE's BDF does over 2 s for each way to treat an input that changes.
 * Tables 7.2, 7.3.
 *
 * Evaluations are those that CVODE and the correction ask for, without Jacobians, which are analytic;
 * Jacobians are counted with those of the correction. */
#include <math.h>
#include <stdlib.h>

#include "arguments.h"
#include "figure.h"
#include "macrostep_predictor.h"

enum { STEPS, FEVALS, JACOBIANS, FAILURES, COUNTS, READINGS_MAX = 12 };

static const char *const count_keys[COUNTS] = {"steps", "fevals", "jacobians", "error_failures"};
static const char *const count_titles[COUNTS] = {"steps", "evaluations of f", "Jacobians",
                                                 "error test failures"};

typedef struct reading {
    const char *name, *words;
} reading;

/* What the text leaves open, and the problem of macrostep:predictor-ratios with its random starts; the first
 * reading is compared with the print, and its tolerances are varied. */
typedef struct case_study {
    const char *subject;
    reading readings[READINGS_MAX];
    int n;
    const char *unprinted; /* what the text leaves open */
    int as_printed[2];     /* readings with the printed tolerances: segments and grid points counted */
    const char *tolerances;
    int problem;
} case_study;

#define MASS "mass-spring-damper --subsystem right --stop-time 2 --solver-rtol 1e-6 "

static const case_study mass = {
    "right mass",
    {{"19 linear segments, atol 1e-8", MS_MASS_OPEN_LOOP},
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
    MS_MASS_TOLERANCES,
    0};

#define PENDULUM                                                                                             \
    "coupled-pendula --case stiff --subsystem left --stop-time 2 --input-shape constant --solver-rtol 1e-6 "

static const case_study pendulum = {
    "left pendulum",
    {{"39 segments, 1000 N/m, pivots 0.5 m, spring 1 m, start (0.5, 0, 0.5, 0)", MS_PENDULUM_OPEN_LOOP},
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
     {"10 N/m", PENDULUM "--segments 39 --solver-atol 1e-6 --set k=10"},
     {"5000 N/m", PENDULUM "--segments 39 --solver-atol 1e-6 --set k=5000"},
     {"10000 N/m", PENDULUM "--segments 39 --solver-atol 1e-6 --set k=10000"}},
    11,
    "geometry, stiffness, masses, start values and excitation",
    {0, 2},
    "",
    3};

/* Counts ----------------------------------------------------------------------------------------------- */

typedef struct counts {
    double of[COUNTS][MS_MODES];
    double own[MS_MODES], coupled[MS_MODES]; /* largest errors */
} counts;

static void take(const ms_open_loop_result *result, int mode, counts *c)
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
        for (int m = 0; m < MS_MODES; m++)
            ms_widen(&range->low.of[k][m], &range->high.of[k][m], c->of[k][m]);
}

enum { NEARBY = 9 }; /* tolerances within a quarter of the first reading's */

static int vary_tolerance(const ms_modes *modes, spread *range, ms_error *error)
{
    const ms_options *options = &modes->study.arguments->options;
    int status = MS_OK;
    for (int k = 0; k < NEARBY && status == MS_OK; k++) {
        const double factor = pow(1.25, 2.0 * k / (NEARBY - 1) - 1.0);
        counts c = {0};
        for (int m = 0; m < MS_MODES && status == MS_OK; m++) {
            ms_open_loop_result result;
            status = ms_modes_repeat(modes, m, factor * options->solver_rtol, factor * options->solver_atol,
                                     false, &result, error);
            if (status == MS_OK) {
                take(&result, m, &c);
                ms_open_loop_result_destroy(&result);
            }
        }
        if (status == MS_OK)
            widen(range, &c);
    }
    return status;
}

/* All counts of a case study; the readings that are compared with the print run from nine starts that differ
 * by round-off, the others from one. */
typedef struct measured {
    counts of[READINGS_MAX][MS_ENSEMBLE];
    spread range; /* over readings, tolerances and starts */
} measured;

static bool is_compared(const case_study *study, int r)
{
    return r == 0 || r == study->as_printed[0] || r == study->as_printed[1];
}

/* One run of a reading, and where it is the first one's own start also tolerances near by. */
static int count_one(ms_drawing *drawing, const case_study *study, int r, int k, measured *all,
                     ms_error *error)
{
    ms_modes modes;
    counts *c = &all->of[r][k];
    int status = ms_modes_run(
        drawing, false, ms_drawing_text(drawing, "%s%s", study->readings[r].words, ms_ensemble_words[k]),
        &modes, error);
    for (int m = 0; m < MS_MODES && status == MS_OK; m++)
        take(&modes.result[m], m, c);
    if (status == MS_OK)
        widen(&all->range, c);
    if (r == 0 && k == MS_ENSEMBLE_MIDDLE && status == MS_OK)
        status = vary_tolerance(&modes, &all->range, error);
    ms_modes_destroy(&modes);
    return status;
}

/* The random starts of macrostep:predictor-ratios at the printed rtol. */
static int vary_start(ms_drawing *drawing, const case_study *study, spread *range, ms_error *error)
{
    results *starts = calloc(1, sizeof *starts);
    if (starts == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a table");
    const int status = ms_starts_run(drawing, study->problem, PRINTED, PRINTED, starts, error);
    for (int s = 0; s < STARTS && status == MS_OK; s++) {
        counts c = {0};
        for (int m = 0; m < MS_MODES; m++) {
            const outcome *o = &starts->of[study->problem][s][PRINTED][m];
            const double of[COUNTS] = {o->steps, o->evaluations, o->jacobians, o->failures};
            for (int k = 0; k < COUNTS; k++)
                c.of[k][m] = of[k]; /* NaN, of a run that did not end, widens nothing */
        }
        widen(range, &c);
    }
    free(starts);
    return status;
}

static int count_all(ms_drawing *drawing, const case_study *study, measured *all, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < COUNTS; k++)
        for (int m = 0; m < MS_MODES; m++) {
            all->range.low.of[k][m] = INFINITY;
            all->range.high.of[k][m] = 0.0;
        }
    for (int r = 0; r < study->n && status == MS_OK; r++)
        for (int k = 0; k < MS_ENSEMBLE && status == MS_OK; k++)
            if (k == MS_ENSEMBLE_MIDDLE || is_compared(study, r))
                status = count_one(drawing, study, r, k, all, error);
    return status == MS_OK ? vary_start(drawing, study, &all->range, error) : status;
}

/* Least and most of a count of the first reading over its nine starts. */
static spread over_round_off(const measured *all)
{
    spread range = {all->of[0][0], all->of[0][0]};
    for (int k = 1; k < MS_ENSEMBLE; k++)
        widen(&range, &all->of[0][k]);
    return range;
}

/* Tables ----------------------------------------------------------------------------------------------- */

static void add_steps(ms_table *table, const char *name, const double steps[MS_MODES])
{
    ms_table_add(table, "srrrrrrr", name, steps[0], steps[1], steps[2], steps[3],
                 round(100.0 * steps[1] / steps[0]) / 100.0, round(100.0 * steps[2] / steps[0]) / 100.0,
                 round(100.0 * steps[3] / steps[0]) / 100.0);
}

static void add_four(ms_table *table, const char *first, const char *second, const double v[MS_MODES])
{
    ms_table_add(table, "ssrrrr", first, second, v[0], v[1], v[2], v[3]);
}

static void add_ranges(ms_table *table, const char *count, const char *of, const double low[MS_MODES],
                       const double high[MS_MODES])
{
    json_t *row = json_pack("[s, s]", count, of);
    for (int m = 0; m < MS_MODES; m++)
        json_array_append_new(row, json_sprintf("%.0f to %.0f", low[m], high[m]));
    ms_table_row(table, row);
}

static void tabulate(ms_drawing *drawing, const case_study *study, const measured *all)
{
    const spread *range = &all->range, near = over_round_off(all);
    double printed[MS_MODES];
    ms_table *statistics = ms_drawing_table(
        drawing, "",
        "Statistics: published, first reading, least to most of it over nine starts that differ by "
        "round-off, and of all readings, nine tolerances within a quarter and sixty random starts",
        "count|of|restart|proceed|corrected in x'|corrected in x', x''");
    ms_table *readings = ms_drawing_table(drawing, "readings", "Micro-steps over what the text leaves open",
                                          "reading|restart|proceed|corrected in x'|corrected in x', "
                                          "x''|proceed / restart|x' / restart|x', x'' / restart");
    for (int k = 0; k < COUNTS; k++) {
        ms_study_published(drawing, count_keys[k], MS_MODES, printed);
        if (k == STEPS)
            add_steps(readings, "published", printed);
        add_four(statistics, count_titles[k], "published", printed);
        add_four(statistics, count_titles[k], "first reading", all->of[0][MS_ENSEMBLE_MIDDLE].of[k]);
        add_ranges(statistics, count_titles[k], "over round-off", near.low.of[k], near.high.of[k]);
        add_ranges(statistics, count_titles[k], "least to most", range->low.of[k], range->high.of[k]);
    }
    ms_table *errors =
        ms_drawing_table(drawing, "errors", "Largest errors at the ends of segments",
                         "reading|against|restart|proceed|corrected in x'|corrected in x', x''");
    for (int r = 0; r < study->n; r++) {
        const counts *c = &all->of[r][MS_ENSEMBLE_MIDDLE];
        add_steps(readings, study->readings[r].name, c->of[STEPS]);
        add_four(errors, study->readings[r].name, "open-loop problem", c->own);
        add_four(errors, study->readings[r].name, "coupled model", c->coupled);
    }
}

/* Checks ----------------------------------------------------------------------------------------------- */

static json_t *four(const double v[MS_MODES])
{
    return ms_json_of_vector(MS_MODES, v);
}

/* Within 10 % in all readings: reproduced. Not determined where their range, widened by 10 % of the print,
 * holds it: start values and geometry are not printed. The first reading was chosen by looking at the print,
 * and decides nothing. */
static void check_count(ms_drawing *drawing, const case_study *study, int k, const measured *all)
{
    const spread *range = &all->range, near = over_round_off(all);
    const double *first = all->of[0][MS_ENSEMBLE_MIDDLE].of[k];
    double printed[MS_MODES], worst = 0.0;
    bool inside = true, every = true;
    ms_study_published(drawing, count_keys[k], MS_MODES, printed);
    for (int m = 0; m < MS_MODES; m++) {
        const double low = range->low.of[k][m], high = range->high.of[k][m];
        worst = fmax(worst, fmax(fabs(near.low.of[k][m] / printed[m] - 1.0),
                                 fabs(near.high.of[k][m] / printed[m] - 1.0)));
        inside = inside && low <= 1.1 * printed[m] && 0.9 * printed[m] <= high;
        every = every && low >= 0.9 * printed[m] && high <= 1.1 * printed[m];
    }
    ms_drawing_check(
        drawing, count_titles[k], four(printed),
        json_pack("{s:o, s:[o, o], s:o, s:o}", "first reading", four(first), "over round-off",
                  four(near.low.of[k]), four(near.high.of[k]), "least", four(range->low.of[k]), "most",
                  four(range->high.of[k])),
        json_string(
            "10 % in all readings: reproduced; their range, widened by 10 %, holds the print: undecided"),
        every    ? MS_REPRODUCED
        : inside ? MS_NOT_DETERMINED
                 : MS_DEVIATES,
        "Restarted, proceeding, corrected in x', in x' and x''. The first reading, chosen by looking at the "
        "print, is off by up to %.0f %% over nine starts that differ by round-off. The text leaves open "
        "%s.%s",
        100.0 * worst, study->unprinted,
        k == JACOBIANS
            ? " Corrected in x', x'' there is one Jacobian at the start and one at each change, so that the "
              "print counts segments: one less than the text says, which then counts grid points."
            : "");
}

/* Steps of a mode relative to restarting, over the nine starts of a reading. */
static void relative_steps(const measured *all, int r, int mode, double value[MS_ENSEMBLE])
{
    for (int k = 0; k < MS_ENSEMBLE; k++)
        value[k] = all->of[r][k].of[STEPS][mode] / all->of[r][k].of[STEPS][0];
}

/* Appends [[least, most], ..] of the modes; returns the largest of their verdicts. */
static ms_verdict pattern_verdict(const measured *all, int r, const double printed[MS_MODES], json_t *ends)
{
    ms_verdict verdict = MS_REPRODUCED;
    for (int m = 1; m < MS_MODES; m++) {
        double value[MS_ENSEMBLE], low, high;
        relative_steps(all, r, m, value);
        const ms_verdict one = ms_ensemble_verdict(printed[m], value, 0.1 * printed[m], &low, &high);
        verdict = one > verdict ? one : verdict;
        json_array_append_new(ends, json_pack("[f, f]", low, high));
    }
    return verdict;
}

/* The pattern of the steps, relative to restarting, with the printed tolerances. */
static void check_pattern(ms_drawing *drawing, const case_study *study, const measured *all)
{
    double printed[MS_MODES], low[MS_MODES], high[MS_MODES];
    ms_verdict verdict = MS_REPRODUCED;
    json_t *ratios = json_object(), *over = json_object();
    ms_study_published(drawing, count_keys[STEPS], MS_MODES, printed);
    for (int m = 1; m < MS_MODES; m++) {
        printed[m] /= printed[0];
        low[m] = INFINITY;
        high[m] = 0.0;
        for (int r = 0; r < study->n; r++) {
            const counts *c = &all->of[r][MS_ENSEMBLE_MIDDLE];
            ms_widen(&low[m], &high[m], c->of[STEPS][m] / c->of[STEPS][0]);
        }
    }
    for (int k = 0; k < 2; k++) {
        const int r = study->as_printed[k];
        const double *steps = all->of[r][MS_ENSEMBLE_MIDDLE].of[STEPS];
        json_t *ends = json_array();
        const ms_verdict one = pattern_verdict(all, r, printed, ends);
        verdict = one > verdict ? one : verdict;
        json_object_set_new(over, study->readings[r].name, ends);
        json_object_set_new(
            ratios, study->readings[r].name,
            json_pack("[f, f, f]", steps[1] / steps[0], steps[2] / steps[0], steps[3] / steps[0]));
    }
    json_object_set_new(ratios, "over round-off", over);
    ms_drawing_check(
        drawing, "steps relative to restarting, with the printed tolerances",
        json_pack("[f, f, f]", printed[1], printed[2], printed[3]), ratios,
        json_string("10 % beside the range over round-off: reproduced; else undecided, with so much open"),
        verdict == MS_REPRODUCED ? MS_REPRODUCED : MS_NOT_DETERMINED,
        "Proceeding, corrected in x', in x' and x''. Over nine starts that differ by round-off each ratio "
        "has the range beside it. Over all readings the ratios are %.2f to %.2f, %.2f to %.2f and %.2f to "
        "%.2f.",
        low[1], high[1], low[2], high[2], low[3], high[3]);
}

/* Has the mode fewer (sign -1) or more (1) steps and evaluations than every other? */
static bool is_extreme(const counts *c, int mode, double sign)
{
    for (int m = 0; m < MS_MODES; m++)
        for (int k = STEPS; k <= FEVALS; k++)
            if (m != mode && sign * c->of[k][m] >= sign * c->of[k][mode])
                return false;
    return true;
}

static const struct extreme {
    int mode;
    double sign;
    const char *what, *key, *so, *otherwise;
} extremes[] = {
    {MS_INPUT_CORRECT_2, -1.0, "corrected in x' and x'' takes the fewest steps and evaluations", "fewest",
     "So do", ""},
    {MS_INPUT_PROCEED, 1.0, "to proceed takes the most steps and evaluations", "worst", "So it does in",
     " It does not where segments join continuously."},
};

/* The claim that it does, which is judged by the starts of the first reading. */
static void check_extreme(ms_drawing *drawing, const case_study *study, const measured *all,
                          const struct extreme *claim)
{
    const counts *first = &all->of[0][MS_ENSEMBLE_MIDDLE];
    int readings = 0;
    bool holds[MS_ENSEMBLE];
    for (int r = 0; r < study->n; r++)
        readings += is_extreme(&all->of[r][MS_ENSEMBLE_MIDDLE], claim->mode, claim->sign);
    for (int k = 0; k < MS_ENSEMBLE; k++)
        holds[k] = is_extreme(&all->of[0][k], claim->mode, claim->sign);
    ms_drawing_check_ensemble_claim(
        drawing, claim->what, ms_drawing_published_text(drawing, claim->key),
        json_pack("{s:o, s:o}", "steps", four(first->of[STEPS]), "evaluations", four(first->of[FEVALS])),
        holds, NULL, "%s %d of %d readings.%s", claim->so, readings, study->n,
        readings < study->n ? claim->otherwise : "");
}

static double ratio(const double v[MS_MODES])
{
    double low, high;
    ms_extremes(MS_MODES, v, &low, &high);
    return high / low;
}

/* One claim, judged once: the thesis takes the tight solution of the coupled model for its reference. Nearly
 * equal: within 10 %. */
static void check_errors(ms_drawing *drawing, const counts *c)
{
    double sampling = c->coupled[0], largest = 0.0;
    for (int m = 0; m < MS_MODES; m++) {
        sampling = fmin(sampling, c->coupled[m]);
        largest = fmax(largest, c->own[m]);
    }
    ms_study_claim(drawing, "errors against the coupled model are nearly equal in all four cases", "errors",
                   json_pack("{s:o, s:f, s:o}", "errors", four(c->coupled), "largest / least",
                             ratio(c->coupled), "of the micro-solver itself", four(c->own)),
                   ratio(c->coupled) <= 1.1,
                   "Within 10 %%, against the coupled model's tight solution, which is the reference of "
                   "7.4.1. The sampled inputs make this error, at least %.0f times that of any micro-solver, "
                   "so that it does not tell the four cases apart: against the tight solution of the driven "
                   "problem itself the largest is %.1f times the least.",
                   sampling / largest, ratio(c->own));
}

static int draw_table(ms_drawing *drawing, ms_error *error)
{
    const case_study *study = ms_drawing_subject(drawing);
    measured *all = ms_drawing_memory(drawing);
    const int status = count_all(drawing, study, all, error);
    if (status == MS_OK) {
        tabulate(drawing, study, all);
        for (int k = 0; k < COUNTS; k++)
            check_count(drawing, study, k, all);
        check_pattern(drawing, study, all);
        for (int k = 0; k < MS_COUNT(extremes); k++)
            check_extreme(drawing, study, all, &extremes[k]);
        check_errors(drawing, &all->of[0][MS_ENSEMBLE_MIDDLE]);
        if (study->tolerances[0] != '\0')
            ms_drawing_remark(drawing, "%s", study->tolerances);
        ms_drawing_remark(drawing,
                          "Elapsed times are left out: they depend on the machine and on what a call of the "
                          "model costs. The micro-solver never steps over the end of a segment; the thesis "
                          "does not say, nor which version of SUNDIALS it used. The first reading was chosen "
                          "by looking at the print: that it comes near is consistency, not validation; the "
                          "distribution over starts and tolerances is macrostep:predictor-ratios.");
    }
    return status;
}

const ms_figure ms_figure_andersson2016_table7_2 = {
    "andersson2016:table7.2",
    "Right mass with linear input segments: work of CVODE over four ways to cross them",
    "Andersson (2016), Table 7.2, section 7.4.1",
    .draw = draw_table,
    .memory = sizeof(measured),
    .subject = &mass};

const ms_figure ms_figure_andersson2016_table7_3 = {
    "andersson2016:table7.3",
    "Left pendulum with constant input segments: work of CVODE over four ways to cross them",
    "Andersson (2016), Table 7.3, section 7.4.2",
    .draw = draw_table,
    .memory = sizeof(measured),
    .subject = &pendulum};
