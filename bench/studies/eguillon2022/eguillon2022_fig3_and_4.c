/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon, Lacabanne, Tromeur-Dervout (2022), 3.1.1 and 3.1.2: the degree of an estimate, and estimated
 * outputs. Figs 3, 4.
 *
 * The printed figures are sketches without numbers. Here they show steps of a run: the velocity of the left
 * mass of 4.2, an output. Everything is judged over all steps, on values that were communicated and inputs
 * that were used. */
#include <math.h>

#include "eguillon2022_3_1.h"
#include "figure.h"

double ms_tic_spacing(double span)
{
    const double rough = span / 3.0, power = pow(10.0, floor(log10(rough))), times = rough / power;
    return power * (times <= 2.0 ? 2.0 : times <= 5.0 ? 5.0 : 10.0);
}

enum { DEGREES = MS_LOG_DEGREE + 1, SAMPLES = 60 };

static const double ROUND_OFF = 1e-10; /* of an input, in units of its largest value */
static const double DISTINCT = 1e-6;   /* so much another degree must change an input to be told apart */

/* The order function over a run ------------------------------------------------------------------------ */

/* What the degrees of all estimates were that a run used. */
typedef struct degree_count {
    long estimates, of[DEGREES]; /* of communications with a full choice of degrees */
    long told_apart;             /* those for which every other degree gives another input */
    long early;                  /* estimates before a choice, of degree 0 */
    long too_high;               /* inputs of another degree than recomputed */
} degree_count;

/* Would every other degree give another value at the end of step n, for input l of the right mass? */
static bool is_told_apart(const ms_run_log *log, int l, long n, int degree)
{
    const ms_clock_log *feeder = &log->clock[MS_LEFT], *reader = &log->clock[MS_RIGHT];
    const double t = ms_clock_time(reader, n + 1), scale = ms_clock_input_scale(reader, l);
    const double used = ms_clock_extrapolation(feeder, l, n, degree, t);
    bool apart = true;
    for (int q = 0; q < DEGREES; q++)
        apart = apart &&
                (q == degree || fabs(ms_clock_extrapolation(feeder, l, n, q, t) - used) > DISTINCT * scale);
    return apart;
}

/* The outputs of the left mass, which are the inputs of the right one, on one clock. */
static degree_count count_degrees(const ms_run_log *log)
{
    const ms_clock_log *left = &log->clock[MS_LEFT], *right = &log->clock[MS_RIGHT];
    degree_count count = {0};
    for (int l = 0; l < left->ny; l++)
        for (long n = 0; n < left->steps; n++) {
            int candidates;
            const int degree = ms_clock_degree(left, l, n, NULL, &candidates);
            count.too_high += ms_clock_input_degree(right, n, l) > degree;
            if (candidates < 2) {
                count.early += degree == 0;
                continue;
            }
            if (candidates < DEGREES)
                continue;
            count.estimates++;
            count.of[degree]++;
            count.told_apart += is_told_apart(log, l, n, degree);
        }
    return count;
}

static json_t *shares(const degree_count *count)
{
    return MS_COUNTS({"degree 0", count->of[0]}, {"degree 1", count->of[1]}, {"degree 2", count->of[2]});
}

static void check_match(ms_drawing *drawing, const ms_run_log *log, const degree_count *count)
{
    const ms_input_match match = ms_run_log_match(log);
    ms_study_claim(drawing,
                   "each estimate has the degree whose extrapolation comes nearest to the newest value",
                   "argmin",
                   json_pack("{s:f, s:I, s:I}", "largest difference of an input", match.difference,
                             "inputs compared", (json_int_t)match.steps, "of which another degree would show",
                             (json_int_t)count->told_apart),
                   ms_judge_at_most(drawing, match.difference, ROUND_OFF) &&
                       ms_judge_at_least(drawing, (double)count->told_apart, 0.5 * (double)count->estimates),
                   "The errors (18) of degrees 0, 1, 2 and the extrapolation of the best one, recomputed "
                   "from the communicated values by Neville's scheme, against the inputs that the subsystems "
                   "got, in units of the largest input; at both ends and in the middle of every step. In %ld "
                   "of %ld steps of the right mass every other degree changes the input by more than %g.",
                   count->told_apart, count->estimates, DISTINCT);
}

static void check_degrees(ms_drawing *drawing, const degree_count *count)
{
    ms_study_claim(
        drawing, "degrees 0, 1 and 2 are chosen", "degrees", shares(count),
        ms_judge_at_least(drawing, (double)count->of[0], 1) &&
            ms_judge_at_least(drawing, (double)count->of[1], 1) &&
            ms_judge_at_least(drawing, (double)count->of[2], 1),
        "Estimates of both outputs of the left mass over 200 s, from the fourth communication on.");
}

static void remark_on_run(ms_drawing *drawing, const char *tolerances)
{
    ms_drawing_remark(
        drawing,
        "The printed figure is a sketch without numbers. This one shows a run of the two masses of 4.2 (case "
        "sine, damped amplitude, %s, largest step 1 s, which are not printed). Silent points: the first step "
        "has degree 0, and ties take the lowest degree.",
        tolerances);
}

/* Figure 3 --------------------------------------------------------------------------------------------- */

/* How clearly the step shows its choice: the smallest error of another degree, relative to the drawn
 * range. */
static double visibility(const ms_clock_log *clock, int j, long m)
{
    double errors[DEGREES], low = INFINITY, high = -INFINITY, second = INFINITY;
    const int degree = ms_clock_degree(clock, j, m, errors, NULL);
    for (int q = 0; q < DEGREES; q++) {
        const double value = ms_clock_extrapolation(clock, j, m - 1, q, ms_clock_time(clock, m));
        if (q != degree)
            second = fmin(second, errors[q]);
        ms_widen(&low, &high, value);
    }
    for (int r = 0; r <= DEGREES; r++)
        ms_widen(&low, &high, ms_clock_output(clock, m - r, j));
    return (second - errors[degree]) / (high - low);
}

/* Curves, points and errors of communication m; its degree is `degree`. */
static void write_choice(ms_drawing *drawing, const ms_clock_log *clock, int j, long m, int degree)
{
    double errors[DEGREES];
    const double from = ms_clock_time(clock, m - DEGREES), to = ms_clock_time(clock, m);
    ms_clock_degree(clock, j, m, errors, NULL);
    ms_data *curves = ms_drawing_data(drawing, ms_drawing_text(drawing, "curves%d", degree),
                                      "time,degree0,degree1,degree2");
    for (int k = 0; k <= SAMPLES; k++) {
        const double t = from + (to - from) * k / SAMPLES;
        ms_data_cell(curves, t);
        for (int q = 0; q < DEGREES; q++)
            ms_data_cell(curves, t >= ms_clock_time(clock, m - 1 - q) - 1e-12
                                     ? ms_clock_extrapolation(clock, j, m - 1, q, t)
                                     : NAN);
    }
    ms_data *points =
        ms_drawing_data(drawing, ms_drawing_text(drawing, "points%d", degree), "time,past,newest");
    for (int r = DEGREES; r >= 0; r--) {
        const double y = ms_clock_output(clock, m - r, j);
        MS_ROW(points, ms_clock_time(clock, m - r), r > 0 ? y : NAN, r > 0 ? NAN : y);
    }
    ms_data *bars = ms_drawing_data(drawing, ms_drawing_text(drawing, "errors%d", degree),
                                    "time,extrapolated,newest,error");
    for (int q = 0; q < DEGREES; q++)
        MS_ROW(bars, to, ms_clock_extrapolation(clock, j, m - 1, q, to), ms_clock_output(clock, m, j),
               errors[q]);
    ms_drawing_script(drawing, "when[%d] = 't_{n+1} = %.2f s'\ntic[%d] = %g\n", degree + 1, to, degree + 1,
                      ms_tic_spacing(to - from));
    for (int q = 0; q < DEGREES; q++)
        ms_drawing_script(drawing, "error[%d] = 'degree %d, error %.1e'\n", DEGREES * degree + q + 1, q,
                          errors[q]);
}

static void tabulate_choices(ms_drawing *drawing, const ms_clock_log *clock, int j, const long step[DEGREES])
{
    ms_table *table = ms_drawing_table(
        drawing, "choices", "Errors (18) of the three steps drawn",
        "time of the newest value / s|newest value / (m/s)|degree 0|degree 1|degree 2|chosen");
    for (int k = 0; k < DEGREES; k++) {
        double e[DEGREES];
        const int degree = ms_clock_degree(clock, j, step[k], e, NULL);
        ms_table_add(table, "rrrrri", ms_clock_time(clock, step[k]), ms_clock_output(clock, step[k], j), e[0],
                     e[1], e[2], degree);
    }
}

static int draw_fig3(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    int status = ms_run_log_create(drawing, NULL, &log, error, TWO_MASSES_RUN);
    if (status == MS_OK) {
        const ms_clock_log *left = &log.clock[MS_LEFT];
        const degree_count count = count_degrees(&log);
        long step[DEGREES];
        ms_drawing_script(drawing, "array when[3]\narray tic[3]\narray error[9]\n");
        for (int q = 0; q < DEGREES && status == MS_OK; q++) {
            step[q] = ms_clock_find_step(left, MS_LEFT_V, q, visibility);
            if (step[q] < 0)
                status = ms_fail(error, MS_SOLVER_FAILED, "no estimate of degree %d in the run", q);
            else
                write_choice(drawing, left, MS_LEFT_V, step[q], q);
        }
        if (status == MS_OK)
            tabulate_choices(drawing, left, MS_LEFT_V, step);
        check_match(drawing, &log, &count);
        check_degrees(drawing, &count);
    }
    remark_on_run(drawing, "rtol 1e-2, atol 1e-4");
    ms_drawing_commands_of(drawing, "eguillon2022_fig3.gp", 1080, 430);
    ms_run_log_destroy(&log);
    return status;
}

const ms_figure ms_figure_eguillon2022_fig3 = {
    "eguillon2022:fig3", "F3ORNITS: which degree would have foretold the newest value best",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 3, section 3.1.1", .draw = draw_fig3};

/* Figure 4 --------------------------------------------------------------------------------------------- */

static const double FROM = 100.0, TO = 108.0; /* [s]: from the change of the right mass on */

/* Loose tolerances, for estimates that can be seen to miss. */
#define LOOSE "--rtol 0.1 --atol 1e-3"

static void write_orders(ms_drawing *drawing, const ms_clock_log *clock, int j)
{
    ms_data *values = ms_drawing_data(drawing, "values", "time,value,degree");
    ms_data *parts[DEGREES];
    ms_data_keep_all(values);
    for (int q = 0; q < DEGREES; q++) {
        parts[q] = ms_drawing_data(drawing, ms_drawing_text(drawing, "degree%d", q), "time,estimate");
        ms_data_keep_all(parts[q]);
    }
    for (long m = 0; m < clock->steps; m++) {
        const double from = ms_clock_time(clock, m), to = ms_clock_time(clock, m + 1);
        if (to < FROM || from > TO)
            continue;
        const int degree = ms_clock_degree(clock, j, m, NULL, NULL);
        MS_ROW(values, from, ms_clock_output(clock, m, j), degree);
        for (int k = 0; k <= 12; k++) {
            const double t = from + (to - from) * k / 12.0;
            MS_ROW(parts[degree], t, ms_clock_extrapolation(clock, j, m, degree, t));
        }
        ms_data_break(parts[degree]);
        if (to > TO) /* the order function holds to the next communication */
            MS_ROW(values, to, NAN, degree);
    }
}

static void check_estimates(ms_drawing *drawing, const ms_run_log *log, const degree_count *count)
{
    const ms_clock_log *left = &log->clock[MS_LEFT], *right = &log->clock[MS_RIGHT];
    double jump = 0.0;
    for (int l = 0; l < right->nu; l++)
        for (long n = 0; n < right->steps; n++)
            jump = fmax(jump, fabs(ms_clock_input(right, n, l)[0] - ms_clock_output(left, n, l)) /
                                  ms_clock_input_scale(right, l));
    ms_study_claim(drawing, "an estimate begins with the value that was communicated", "newest",
                   json_real(jump), ms_judge_at_most(drawing, jump, ROUND_OFF),
                   "Largest difference of an input of the right mass at the beginning of a step and the "
                   "output that feeds it, in units of the largest input.");
    ms_study_claim(drawing, "the degree of an estimate is given by the order function", "degree",
                   json_integer(count->too_high), ms_judge_is(drawing, (double)count->too_high, 0),
                   "Inputs of the right mass with a higher degree than the order function, recomputed.");
    ms_study_claim(drawing, "with fewer values the choice is smaller: degree 0 until two steps were taken",
                   "early", json_integer(count->early), ms_judge_is(drawing, (double)count->early, 4),
                   "Estimates of degree 0 among the first two of both outputs. That the first step, of which "
                   "the paper says nothing, has degree 0 is a reading.");
}

static int draw_fig4(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    const int status = ms_run_log_create(drawing, NULL, &log, error, TWO_MASSES_RUN " " LOOSE);
    if (status == MS_OK) {
        const degree_count count = count_degrees(&log);
        write_orders(drawing, &log.clock[MS_LEFT], MS_LEFT_V);
        check_estimates(drawing, &log, &count);
        check_degrees(drawing, &count);
        check_match(drawing, &log, &count);
    }
    remark_on_run(drawing, "loose tolerances rtol 0.1, atol 1e-3 for estimates that can be seen to miss");
    ms_drawing_commands_of(drawing, "eguillon2022_fig4.gp", 860, 620);
    ms_run_log_destroy(&log);
    return status;
}

const ms_figure ms_figure_eguillon2022_fig4 = {
    "eguillon2022:fig4", "F3ORNITS: order function of an output, and its estimates of that degree",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 4, section 3.1.2", .draw = draw_fig4};
