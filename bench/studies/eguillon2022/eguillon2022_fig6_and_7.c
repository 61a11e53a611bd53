/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon, Lacabanne, Tromeur-Dervout (2022), 3.1.3: estimated inputs, past the feeder's next
 * communication and in lower degrees. Fig. 6 and the table of Fig. 7.
 *
 * Fig. 6: both masses of 4.2 impose their steps, 0.2 s and 0.5 s, so that the right one must use the estimate of the
 * left one's velocity beyond the next communication; for comparison, the right mass free to choose.
 *
 * Fig. 7: its picture is lost. The rule here: a subsystem that does not take the degree of an estimate gets
 * the polynomial of the degree that it takes which is nearest in the mean square over its step. With tau =
 * s/h in [0, 1] and P_0 = 1, P_1 = 2 tau - 1, P_2 = 6 tau^2 - 6 tau + 1 orthogonal there, that leaves out
 * the terms of higher degree: the error has no part in P_0 (the integral over the step is kept), and none
 * in P_1 where degree 1 is taken. */
#include <math.h>
#include <string.h>

#include "eguillon2022_3_1.h"
#include "figure.h"

enum { DEGREES = MS_LOG_DEGREE + 1, SAMPLES = 40 };

static const double ROUND_OFF = 1e-10; /* in units of the largest input */

/* Figure 6 --------------------------------------------------------------------------------------------- */

#define MASSES                                                                                               \
    "run two-masses-springs-dampers --case constant --scheme f3ornits --scheduler asynchronous "             \
    "--stop-time 20 "

enum { IMPOSED, READER_FREE, BOTH_FREE, RUNS };

static const struct {
    const char *name, *options;
} runs[RUNS] = {
    [IMPOSED] = {"left 0.2 s, right 0.5 s", "--mask left:step=0.2 --mask right:step=0.5"},
    [READER_FREE] = {"left 0.2 s, right free", "--mask left:step=0.2 --step-size 0.1 --max-step 0.5"},
    [BOTH_FREE] = {"both free", "--step-size 0.05 --max-step 0.5"},
};

static const double FROM = 3.0, TO = 6.0; /* [s] */

/* Estimates of the left mass, each to its next communication. */
static void write_estimates(ms_drawing *drawing, const ms_run_log *log, const char *part)
{
    const ms_clock_log *left = &log->clock[MS_LEFT];
    ms_data *data = ms_drawing_data(drawing, part, "time,estimate");
    ms_data_keep_all(data);
    for (long m = ms_clock_latest(left, FROM + 1e-9); m <= ms_clock_latest(left, TO - 1e-9); m++) {
        const double from = ms_clock_time(left, m), to = ms_clock_time(left, m + 1);
        const int degree = ms_clock_degree(left, MS_LEFT_V, m, NULL, NULL);
        for (int k = 0; k <= SAMPLES; k++) {
            const double t = from + (to - from) * k / SAMPLES;
            MS_ROW(data, t, ms_clock_extrapolation(left, MS_LEFT_V, m, degree, t));
        }
        ms_data_break(data);
    }
}

/* Communicated values, the estimates to the next communication, and the inputs of the right mass within and
 * past them. */
static void write_inputs(ms_drawing *drawing, const ms_run_log *log, const char *name)
{
    const ms_clock_log *left = &log->clock[MS_LEFT], *right = &log->clock[MS_RIGHT];
    ms_data *values = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-values", name), "time,value");
    for (long m = 0; m <= left->steps; m++)
        if (ms_clock_time(left, m) >= FROM - 1e-9 && ms_clock_time(left, m) <= TO + 1e-9)
            MS_ROW(values, ms_clock_time(left, m), ms_clock_output(left, m, MS_LEFT_V));
    write_estimates(drawing, log, ms_drawing_text(drawing, "%s-estimates", name));
    ms_data *inputs =
        ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-inputs", name), "time,within,past");
    ms_data_keep_all(inputs);
    for (long n = 0; n < right->steps; n++) {
        const double from = ms_clock_time(right, n), to = ms_clock_time(right, n + 1);
        if (to <= FROM + 1e-9 || from >= TO - 1e-9)
            continue;
        const long m = ms_clock_latest(left, from);
        const double limit = m < left->steps ? ms_clock_time(left, m + 1) : to;
        for (int past = 0; past < 2; past++)
            for (int k = 0; k <= SAMPLES; k++) {
                const double a = past ? fmin(limit, to) : from, b = past ? to : fmin(limit, to);
                const double t = a + (b - a) * k / SAMPLES, u = ms_clock_input_at(right, n, MS_LEFT_V, 0, t);
                MS_ROW(inputs, t, past ? NAN : u, past && b > a ? u : NAN);
            }
        ms_data_break(inputs);
    }
}

static void check_overruns(ms_drawing *drawing, const ms_run_log log[RUNS])
{
    double off = 0.0;
    long inputs = 0;
    for (int k = 0; k < RUNS; k++) {
        const ms_input_match match = ms_run_log_match(&log[k]);
        off = fmax(off, match.difference);
        inputs += match.steps;
    }
    ms_study_claim(drawing, "an input extends the estimate of the last communication before its step",
                   "extension",
                   json_pack("{s:f, s:I}", "largest difference", off, "inputs compared", (json_int_t)inputs),
                   ms_judge_at_most(drawing, off, ROUND_OFF),
                   "Inputs of all steps of the three runs against (24), (25), recomputed from the "
                   "communicated values, in units of the largest input.");
    const ms_overrun forced = ms_run_log_overrun(&log[IMPOSED], MS_RIGHT);
    const ms_overrun none = ms_run_log_overrun(&log[READER_FREE], MS_RIGHT);
    const long both = ms_run_log_overrun(&log[BOTH_FREE], MS_LEFT).steps +
                      ms_run_log_overrun(&log[BOTH_FREE], MS_RIGHT).steps;
    ms_study_claim(
        drawing, "estimates are used past the feeder's next communication only where that cannot be avoided",
        "avoid",
        json_pack("{s:I, s:f, s:I, s:I}", "steps, both imposed", (json_int_t)forced.steps, "longest / s",
                  forced.longest, "steps, the right mass free", (json_int_t)none.steps,
                  "steps of either, both free", (json_int_t)both),
        ms_judge_at_least(drawing, (double)forced.steps, 1) && ms_judge_is(drawing, (double)none.steps, 0) &&
            ms_judge_is(drawing, (double)both, 0),
        "Steps of the right mass that run past the next communication of the left one: %ld of %ld where 0.5 "
        "s and 0.2 s are imposed, none of %ld where the right mass is free; and of both where both are. The "
        "paper leaves the rule of the scheduler open; the one here is to step no further than the next "
        "communication of each feeder.",
        forced.steps, log[IMPOSED].clock[MS_RIGHT].steps, log[READER_FREE].clock[MS_RIGHT].steps);
}

static void compare_errors(ms_drawing *drawing, const ms_run_log log[RUNS])
{
    ms_table *table = ms_drawing_table(
        drawing, "errors", "The three runs, over 20 s",
        "steps imposed|steps of left|steps of right|past the estimate|rmse, largest of all states");
    for (int k = 0; k < RUNS; k++) {
        const ms_clock_log *clock = log[k].clock;
        const ms_overrun over = ms_run_log_overrun(&log[k], MS_RIGHT);
        ms_table_add(table, "sIIIr", runs[k].name, (json_int_t)clock[MS_LEFT].steps,
                     (json_int_t)clock[MS_RIGHT].steps, (json_int_t)over.steps,
                     log[k].study.simulation.errors.rmse);
    }
}

static int draw_fig6(ms_drawing *drawing, ms_error *error)
{
    const ms_simulation_options request = {.errors = true};
    ms_run_log log[RUNS];
    int status = MS_OK;
    memset(log, 0, sizeof log);
    for (int k = 0; k < RUNS && status == MS_OK; k++)
        status = ms_run_log_create(drawing, &request, &log[k], error,
                                   ms_drawing_text(drawing, MASSES "%s", runs[k].options));
    if (status == MS_OK) {
        write_inputs(drawing, &log[IMPOSED], "imposed");
        write_inputs(drawing, &log[READER_FREE], "free");
        check_overruns(drawing, log);
        compare_errors(drawing, log);
    }
    ms_drawing_remark(drawing, "The printed figure is a sketch without numbers. This one shows a run of the "
                               "two masses of 4.2 with chosen steps; nothing changes in the right mass.");
    ms_drawing_commands_of(drawing, "eguillon2022_fig6.gp", 900, 680);
    for (int k = 0; k < RUNS; k++)
        ms_run_log_destroy(&log[k]);
    return status;
}

const ms_figure ms_figure_eguillon2022_fig6 = {
    "eguillon2022:fig6", "F3ORNITS: an input that extends an estimate past the feeder's next communication",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 6, section 3.1.3", .draw = draw_fig6};

/* Figure 7 --------------------------------------------------------------------------------------------- */

enum { POINTS = 21, ESTIMATE = 0, GIVEN = 1 };

/* What the right mass got where the estimate had a degree and it took another, over a run. */
typedef struct degraded {
    long inputs;             /* of that case */
    double mean, moment;     /* largest part of the error in P_0 and P_1, in units of the largest input */
    double change;           /* largest difference at an end of a step, in the same units */
    int degree;              /* highest that was given */
    double curve[POINTS][2]; /* estimate and input over the step of the largest change, in the same units */
} degraded;

typedef struct nine_cases {
    degraded of[DEGREES][DEGREES]; /* [degree of the estimate][degree that is taken] */
    double error[DEGREES];         /* largest rmse of a state */
} nine_cases;

/* Gauss-Legendre on [0, 1], exact to degree 5. */
static const double weight[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

static double node(int k)
{
    return 0.5 + 0.5 * (k - 1) * sqrt(0.6);
}

static void judge_step(const ms_run_log *log, int l, long n, int taken, nine_cases *all)
{
    const ms_clock_log *right = &log->clock[MS_RIGHT];
    const long m = ms_clock_latest(&log->clock[MS_LEFT], ms_clock_time(right, n));
    degraded *d = &all->of[ms_clock_degree(&log->clock[MS_LEFT], l, m, NULL, NULL)][taken];
    const double scale = ms_clock_input_scale(right, l);
    const double from = ms_clock_time(right, n), to = ms_clock_time(right, n + 1);
    double mean = 0.0, moment = 0.0;
    for (int k = 0; k < 3; k++) {
        const double t = from + node(k) * (to - from);
        const double e =
            (ms_clock_input_at(right, n, l, 0, t) - ms_run_log_input(log, MS_RIGHT, l, n, t)) / scale;
        mean += weight[k] * e;
        moment += weight[k] * e * (2.0 * node(k) - 1.0);
    }
    const double before = d->change;
    for (int k = 0; k < 2; k++) {
        const double t = k == 0 ? from : to;
        const double e = ms_clock_input_at(right, n, l, 0, t) - ms_run_log_input(log, MS_RIGHT, l, n, t);
        d->change = fmax(d->change, fabs(e) / scale);
    }
    const bool shown = d->inputs == 0 || d->change > before;
    for (int k = 0; k < POINTS && shown; k++) {
        const double t = from + (to - from) * k / (POINTS - 1);
        d->curve[k][ESTIMATE] = ms_run_log_input(log, MS_RIGHT, l, n, t) / scale;
        d->curve[k][GIVEN] = ms_clock_input_at(right, n, l, 0, t) / scale;
    }
    d->inputs++;
    d->mean = fmax(d->mean, fabs(mean));
    d->moment = fmax(d->moment, fabs(moment));
    const int degree = ms_clock_input_degree(right, n, l);
    d->degree = degree > d->degree ? degree : d->degree;
}

static int measure_cases(ms_drawing *drawing, nine_cases *all, ms_error *error)
{
    const ms_simulation_options request = {.errors = true};
    int status = MS_OK;
    for (int taken = 0; taken < DEGREES && status == MS_OK; taken++) {
        ms_run_log log;
        status = ms_run_log_create(
            drawing, &request, &log, error,
            ms_drawing_text(drawing, TWO_MASSES_RUN " --mask right:input-degree=%d", taken));
        for (int l = 0; status == MS_OK && l < log.clock[MS_RIGHT].nu; l++)
            for (long n = 0; n < log.clock[MS_RIGHT].steps; n++)
                judge_step(&log, l, n, taken, all);
        if (status == MS_OK)
            all->error[taken] = log.study.simulation.errors.rmse;
        ms_run_log_destroy(&log);
    }
    return status;
}

static void tabulate_cases(ms_drawing *drawing, const nine_cases *all)
{
    static const char *const given[DEGREES][DEGREES] = {
        {"the estimate", "the estimate", "the estimate"},
        {"c_0 + c_1 h/2", "the estimate", "the estimate"},
        {"c_0 + c_1 h/2 + c_2 h^2/3", "c_0 - c_2 h^2/6 + (c_1 + c_2 h) s", "the estimate"}};
    ms_table *table = ms_drawing_table(
        drawing, "cases",
        "The nine cases, for an estimate c_0 + c_1 s + c_2 s^2 on a step of length h, s from its beginning",
        "degree of the estimate|highest degree taken|given here|inputs|degree given|largest change|integral "
        "kept to|first moment kept to");
    for (int p = 0; p < DEGREES; p++)
        for (int taken = 0; taken < DEGREES; taken++) {
            const degraded *d = &all->of[p][taken];
            ms_table_add(table, "iisIirro", p, taken, given[p][taken], (json_int_t)d->inputs, d->degree,
                         d->change, d->mean, taken > 0 ? json_real(d->moment) : json_null());
        }
    ms_table *errors =
        ms_drawing_table(drawing, "errors", "What it costs: the two masses, inputs of the right one",
                         "highest degree taken|rmse, largest of all states");
    for (int taken = 0; taken < DEGREES; taken++)
        ms_table_add(errors, "ir", taken, all->error[taken]);
}

static void check_cases(ms_drawing *drawing, const nine_cases *all)
{
    double mean = 0.0, moment = 0.0, same = 0.0;
    int above = 0;
    long least = all->of[0][0].inputs;
    for (int p = 0; p < DEGREES; p++)
        for (int taken = 0; taken < DEGREES; taken++) {
            const degraded *d = &all->of[p][taken];
            above += d->degree > taken;
            least = d->inputs < least ? d->inputs : least;
            mean = fmax(mean, d->mean);
            if (taken > 0)
                moment = fmax(moment, d->moment);
            if (p <= taken)
                same = fmax(same, d->change);
        }
    ms_study_claim(
        drawing, "no subsystem gets an input of a higher degree than it takes", "never",
        MS_COUNTS({"cases with a higher degree", above}, {"fewest inputs in a case", least}),
        ms_judge_is(drawing, above, 0) && ms_judge_at_least(drawing, (double)least, 1),
        "Inputs of the right mass in three runs that let it take degrees 0, 1 and 2. All nine cases occur.");
    ms_study_check(drawing, "where the degree of the estimate is taken, the estimate is given unchanged",
                   NULL, MS_REALS({"largest difference", same}), json_real(ROUND_OFF),
                   ms_judge_at_most(drawing, same, ROUND_OFF),
                   "Not printed, but (24) with (17) leave no other way in six of the nine cases. In units of "
                   "the largest input.");
    ms_drawing_check(
        drawing, "the rules of the printed table", json_string(ms_drawing_published_text(drawing, "lost")),
        MS_REALS({"integral changed by", mean}, {"first moment changed by", moment}), json_real(ROUND_OFF),
        ms_judge_at_most(drawing, mean, ROUND_OFF) && ms_judge_at_most(drawing, moment, ROUND_OFF)
            ? MS_NOT_DETERMINED
            : MS_DEVIATES,
        "The text has the caption alone. The rule here is ours: the nearest polynomial in the mean square "
        "over the step. Measured is that it is followed: integrals of inputs over all steps, and first "
        "moments where degree 1 is taken, are those of the estimates, in units of the largest input.");
}

/* A panel for each case: the step on which the input differs most from the estimate, both less the estimate's mean. */
static void draw_cases(ms_drawing *drawing, const nine_cases *all)
{
    for (int p = 0; p < DEGREES; p++)
        for (int taken = 0; taken < DEGREES; taken++) {
            const degraded *d = &all->of[p][taken];
            ms_data *data = ms_drawing_data(drawing, ms_drawing_text(drawing, "case-%d-%d", p, taken),
                                            "part,estimate,given");
            double mean = 0.0, size = ROUND_OFF;
            for (int k = 0; k < POINTS; k++)
                mean += d->curve[k][ESTIMATE] / POINTS;
            for (int k = 0; k < POINTS; k++)
                size = fmax(size, fmax(fabs(d->curve[k][ESTIMATE] - mean), fabs(d->curve[k][GIVEN] - mean)));
            for (int k = 0; k < POINTS; k++)
                MS_ROW(data, k / (POINTS - 1.0), (d->curve[k][ESTIMATE] - mean) / size,
                       (d->curve[k][GIVEN] - mean) / size);
        }
    ms_drawing_commands_of(drawing, "eguillon2022_fig7.gp", 900, 860);
}

static int draw_fig7(ms_drawing *drawing, ms_error *error)
{
    nine_cases all = {0};
    MS_TRY(measure_cases(drawing, &all, error));
    tabulate_cases(drawing, &all);
    draw_cases(drawing, &all);
    check_cases(drawing, &all);
    return MS_OK;
}

const ms_figure ms_figure_eguillon2022_fig7 = {
    "eguillon2022:fig7",
    "F3ORNITS: inputs of lower degree for subsystems with limited capabilities, nine cases",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 7, section 3.1.3", .draw = draw_fig7};
