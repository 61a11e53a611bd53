/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon, Lacabanne, Tromeur-Dervout (2022), 3.1.4: inputs that are continued smoothly. Fig. 8.
 *
 * The input of step n before smoothing, recomputed from the communicated values, is a polynomial p of
 * degree 0, 1 or 2 on [a, b] with p'(b) = (3 p(b) - 4 p((a + b)/2) + p(a))/(b - a), without round-off. */
#include <math.h>

#include "eguillon2022_3_1.h"
#include "figure.h"

enum { SAMPLES = 40, STEPS = 3 };

static const double ROUND_OFF = 1e-10; /* of values and slopes, in units of the largest */

/* Loose tolerances, for jumps that can be seen; the picture alone. */
#define LOOSE "--rtol 0.1 --atol 1e-3"

/* Value (order 0) or slope of the input before smoothing at z in [0, 1] of step n. */
static double before_smoothing(const ms_run_log *log, int i, int l, long n, int order, double z)
{
    const ms_clock_log *clock = &log->clock[i];
    const double a = ms_clock_time(clock, n), h = ms_clock_time(clock, n + 1) - a;
    if (order == 0)
        return ms_run_log_input(log, i, l, n, a + z * h);
    const double p0 = ms_run_log_input(log, i, l, n, a), p1 = ms_run_log_input(log, i, l, n, a + 0.5 * h);
    const double p2 = ms_run_log_input(log, i, l, n, a + h);
    return ((4.0 * z - 3.0) * p0 + (4.0 - 8.0 * z) * p1 + (4.0 * z - 1.0) * p2) / h;
}

/* Over all inputs and steps from the second on, in units of the largest value or slope of the input. */
typedef struct smoothness {
    double jump[2];  /* at the beginning of a step: of the value, of the slope */
    double right[2]; /* at its end: away from the input before smoothing */
    double left;     /* the value at its beginning: away from what was communicated */
    double rough[2]; /* the jumps that there were without smoothing */
    long steps;
} smoothness;

static double largest_slope(const ms_clock_log *clock, int l)
{
    double slope = 0.0;
    for (long n = 0; n < clock->steps; n++)
        slope = fmax(slope, fabs(ms_clock_input_at(clock, n, l, 1, ms_clock_time(clock, n + 1))));
    return slope;
}

static void judge(const ms_run_log *log, int i, int l, smoothness *s)
{
    const ms_clock_log *clock = &log->clock[i];
    const double scale[2] = {ms_clock_input_scale(clock, l), largest_slope(clock, l)};
    for (long n = 1; n < clock->steps; n++, s->steps++) {
        const double a = ms_clock_time(clock, n), b = ms_clock_time(clock, n + 1);
        for (int order = 0; order < 2; order++) {
            const double jump =
                ms_clock_input_at(clock, n, l, order, a) - ms_clock_input_at(clock, n - 1, l, order, a);
            const double off =
                ms_clock_input_at(clock, n, l, order, b) - before_smoothing(log, i, l, n, order, 1.0);
            const double rough =
                before_smoothing(log, i, l, n, order, 0.0) - before_smoothing(log, i, l, n - 1, order, 1.0);
            s->jump[order] = fmax(s->jump[order], fabs(jump) / scale[order]);
            s->right[order] = fmax(s->right[order], fabs(off) / scale[order]);
            s->rough[order] = fmax(s->rough[order], fabs(rough) / scale[order]);
        }
        const double missed = ms_clock_input_at(clock, n, l, 0, a) - before_smoothing(log, i, l, n, 0, 0.0);
        s->left = fmax(s->left, fabs(missed) / scale[0]);
    }
}

static smoothness judge_all(const ms_run_log *log)
{
    smoothness s = {0};
    for (int i = 0; i < log->study.system->n; i++)
        for (int l = 0; l < log->clock[i].nu; l++)
            judge(log, i, l, &s);
    return s;
}

static void check_smoothness(ms_drawing *drawing, const smoothness *s)
{
    ms_study_claim(drawing, "inputs are C1 over the whole run", "c1",
                   json_pack("{s:f, s:f, s:I}", "largest jump of a value", s->jump[0], "of a slope",
                             s->jump[1], "communications", (json_int_t)s->steps),
                   ms_judge_at_most(drawing, fmax(s->jump[0], s->jump[1]), ROUND_OFF),
                   "Of all inputs of both masses, in units of the largest value and slope of each. Without "
                   "smoothing the same estimates would jump by %.1e and %.1e.",
                   s->rough[0], s->rough[1]);
    ms_study_claim(
        drawing, "a smoothed input ends with value and slope of the input before smoothing", "right",
        MS_REALS({"value", s->right[0]}, {"slope", s->right[1]}),
        ms_judge_at_most(drawing, fmax(s->right[0], s->right[1]), ROUND_OFF),
        "Largest differences; the input before smoothing is recomputed from the communicated values.");
    ms_study_claim(drawing, "at the beginning of a step it is not what the feeder gave", "left",
                   json_real(s->left), ms_judge_at_least(drawing, s->left, 1e3 * ROUND_OFF),
                   "Largest difference, in units of the largest input: what smoothing costs.");
}

/* Subsystems that take degree 2 at most keep their inputs without smoothing. */
static int check_capability(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    const int status = ms_run_log_create(drawing, NULL, &log, error,
                                         TWO_MASSES_RUN " --smooth-coupling c1 --mask right:input-degree=2");
    if (status == MS_OK) {
        const ms_clock_log *left = &log.clock[MS_LEFT], *right = &log.clock[MS_RIGHT];
        long cubic[2] = {0, 0};
        for (long n = 0; n < right->steps; n++) {
            cubic[0] += ms_clock_input_degree(left, n, 0) == 3;
            cubic[1] += ms_clock_input_degree(right, n, 0) == 3 || ms_clock_input_degree(right, n, 1) == 3;
        }
        ms_study_claim(drawing, "smoothing needs subsystems that take inputs of degree 3", "third",
                       MS_COUNTS({"cubic inputs of the left mass", cubic[0]},
                                 {"of the right mass, which takes degree 2", cubic[1]},
                                 {"lines of the answer that say so", log.degraded}),
                       ms_judge_at_least(drawing, (double)cubic[0], 1) &&
                           ms_judge_is(drawing, (double)cubic[1], 0) &&
                           ms_judge_is(drawing, (double)log.degraded, 1),
                       "The right mass goes on without smoothing, and the answer of the run lists it.");
    }
    ms_run_log_destroy(&log);
    return status;
}

/* The picture ------------------------------------------------------------------------------------------ */

/* The communication at which value and slope would jump most, in relation to what they do in the steps
 * about it. */
static long find_step(const ms_run_log *log, int i, int l)
{
    long best = -1;
    double most = 0.0;
    for (long n = 2; n + 2 < log->clock[i].steps; n++) {
        double range = 0.0, jump[2];
        for (int order = 0; order < 2; order++)
            jump[order] = fabs(before_smoothing(log, i, l, n, order, 0.0) -
                               before_smoothing(log, i, l, n - 1, order, 1.0));
        for (long m = n - 1; m <= n + 1; m++)
            range = fmax(
                range, fabs(before_smoothing(log, i, l, m, 0, 1.0) - before_smoothing(log, i, l, n, 0, 0.0)));
        const double h = ms_clock_time(&log->clock[i], n + 1) - ms_clock_time(&log->clock[i], n);
        const double visible = fmin(jump[0], h * jump[1]) / (range + h * jump[1]);
        if (visible > most) {
            most = visible;
            best = n;
        }
    }
    return best;
}

static void write_steps(ms_drawing *drawing, const ms_run_log *log, int i, int l, long n)
{
    const ms_clock_log *clock = &log->clock[i];
    ms_data *smooth = ms_drawing_data(drawing, "smooth", "time,value,slope");
    ms_data *rough = ms_drawing_data(drawing, "before", "time,value,slope");
    ms_data *ends = ms_drawing_data(drawing, "ends", "time,value,slope");
    for (long m = n - 1; m < n - 1 + STEPS; m++) {
        const double a = ms_clock_time(clock, m), h = ms_clock_time(clock, m + 1) - a;
        for (int k = 0; k <= SAMPLES; k++) {
            const double z = (double)k / SAMPLES, t = a + z * h;
            MS_ROW(smooth, t, ms_clock_input_at(clock, m, l, 0, t), ms_clock_input_at(clock, m, l, 1, t));
            MS_ROW(rough, t, before_smoothing(log, i, l, m, 0, z), before_smoothing(log, i, l, m, 1, z));
        }
        ms_data_break(rough);
        MS_ROW(ends, a + h, before_smoothing(log, i, l, m, 0, 1.0), before_smoothing(log, i, l, m, 1, 1.0));
    }
    ms_drawing_script(drawing, "first = %.17g\nsecond = %.17g\n", ms_clock_time(clock, n),
                      ms_clock_time(clock, n + 1));
}

static int draw_steps(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    int status = ms_run_log_create(drawing, NULL, &log, error, TWO_MASSES_RUN " --smooth-coupling c1 " LOOSE);
    if (status == MS_OK) {
        const long n = find_step(&log, MS_RIGHT, MS_LEFT_V);
        if (n < 0)
            status = ms_fail(error, MS_SOLVER_FAILED, "no input of the run would jump");
        else
            write_steps(drawing, &log, MS_RIGHT, MS_LEFT_V, n);
    }
    ms_run_log_destroy(&log);
    return status;
}

static int draw_fig8(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    int status = ms_run_log_create(drawing, NULL, &log, error, TWO_MASSES_RUN " --smooth-coupling c1");
    if (status == MS_OK) {
        const smoothness s = judge_all(&log);
        check_smoothness(drawing, &s);
        status = check_capability(drawing, error);
    }
    ms_run_log_destroy(&log);
    MS_THEN(status, draw_steps(drawing, error));
    if (status != MS_OK)
        return status;
    ms_drawing_remark(
        drawing,
        "The printed figure is a sketch without numbers. This one shows three steps of the right mass of "
        "4.2, in a run with loose tolerances (rtol 0.1, atol 1e-3); the checks are of a run with 1e-2 and "
        "1e-4. Smoothing begins with the second step: the first has no left constraints (26).");
    ms_drawing_commands_of(drawing, "eguillon2022_fig8.gp", 980, 480);
    return MS_OK;
}

const ms_figure ms_figure_eguillon2022_fig8 = {
    "eguillon2022:fig8", "F3ORNITS: an input before and after smoothing, value and slope",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 8, section 3.1.4", .draw = draw_fig8};
