/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon, Lacabanne, Tromeur-Dervout (2022), 3.1.2: estimates by extrapolation and by constrained least
 * squares. Fig. 5.
 *
 * Least squares are judged by their definition: the polynomial has the chosen degree q, passes through the newest
 * value, and leaves residuals at the q + 1 values before it that are orthogonal to s, .., s^q, s the time from the
 * newest value; (12). */
#include <math.h>

#include "eguillon2022_3_1.h"
#include "f3ornits.h"
#include "figure.h"

enum { SAMPLES = 60, DEGREES = MS_LOG_DEGREE + 1 };

static const double ROUND_OFF = 1e-9; /* in units of the largest input */

/* How far estimates that the right mass got are from their definitions, in units of its largest inputs. */
typedef struct calibration {
    double newest, others, orthogonality; /* at the newest value; at the q values before it; see above */
    double oldest;                        /* largest miss of the value before those */
    long estimates, constants;            /* judged; of degree 0 */
    long higher;                          /* inputs of a degree above the chosen one */
    long improved;                        /* sum of squares not larger than with extrapolation */
} calibration;

static double residual(const ms_run_log *log, int l, long n, long m)
{
    const ms_clock_log *left = &log->clock[MS_LEFT];
    return ms_clock_output(left, m, l) -
           ms_clock_input_at(&log->clock[MS_RIGHT], n, l, 0, ms_clock_time(left, m));
}

/* Does the input leave no larger sum of squares at the q + 1 values before the newest than extrapolation? */
static bool is_better(const ms_run_log *log, int l, long n, int q)
{
    const ms_clock_log *left = &log->clock[MS_LEFT];
    double used = 0.0, extrapolated = 0.0;
    for (long m = n - 1; m >= n - 1 - q; m--) {
        used += pow(residual(log, l, n, m), 2);
        extrapolated += pow(
            ms_clock_output(left, m, l) - ms_clock_extrapolation(left, l, n, q, ms_clock_time(left, m)), 2);
    }
    return used <=
           extrapolated * (1.0 + 1e-12) + pow(ROUND_OFF * ms_clock_input_scale(&log->clock[MS_RIGHT], l), 2);
}

static void judge(const ms_run_log *log, int l, long n, calibration *c)
{
    const ms_clock_log *left = &log->clock[MS_LEFT];
    const double scale = ms_clock_input_scale(&log->clock[MS_RIGHT], l);
    const int q = ms_clock_degree(left, l, n, NULL, NULL);
    const double span = ms_clock_time(left, n) - ms_clock_time(left, n - 1 - q);
    c->estimates++;
    c->constants += q == 0;
    c->higher += ms_clock_input_degree(&log->clock[MS_RIGHT], n, l) > q;
    c->improved += is_better(log, l, n, q);
    c->newest = fmax(c->newest, fabs(residual(log, l, n, n)) / scale);
    c->oldest = fmax(c->oldest, fabs(residual(log, l, n, n - 1 - q)) / scale);
    for (int r = 1; r <= q; r++)
        c->others = fmax(c->others, fabs(residual(log, l, n, n - r)) / scale);
    for (int k = 1; k <= q; k++) {
        double product = 0.0;
        for (int r = 1; r <= q + 1; r++)
            product += residual(log, l, n, n - r) *
                       pow((ms_clock_time(left, n - r) - ms_clock_time(left, n)) / span, k);
        c->orthogonality = fmax(c->orthogonality, fabs(product) / scale);
    }
}

/* All estimates with as many values before them as least squares want. */
static calibration calibrate(const ms_run_log *log)
{
    calibration c = {0};
    for (int l = 0; l < log->clock[MS_LEFT].ny; l++)
        for (long n = DEGREES; n < log->clock[MS_LEFT].steps; n++)
            judge(log, l, n, &c);
    return c;
}

static void check_extrapolation(ms_drawing *drawing, const ms_run_log *log)
{
    const calibration c = calibrate(log);
    ms_study_claim(drawing, "extrapolation of degree q passes through the q + 1 newest values",
                   "extrapolation",
                   json_pack("{s:f, s:I, s:I}", "largest miss", fmax(c.newest, c.others), "estimates",
                             (json_int_t)c.estimates, "degree too high", (json_int_t)c.higher),
                   ms_judge_at_most(drawing, fmax(c.newest, c.others), ROUND_OFF) &&
                       ms_judge_is(drawing, (double)c.higher, 0),
                   "Inputs that the right mass got, evaluated at past communications of the left one, in "
                   "units of the largest input.");
    ms_study_claim(drawing, "in extrapolation mode the oldest value has no influence", "forgets",
                   json_real(c.oldest), ms_judge_at_least(drawing, c.oldest, 1e3 * ROUND_OFF),
                   "Largest miss of the value before those q + 1, which the choice of the degree had used: "
                   "it is not on the polynomial.");
}

static void check_least_squares(ms_drawing *drawing, const ms_run_log *log)
{
    const calibration c = calibrate(log);
    const double off = fmax(c.newest, c.orthogonality);
    ms_study_claim(
        drawing, "CLS passes through the newest value and fits the q + 1 values before it best", "cls",
        json_pack("{s:f, s:f, s:I, s:I}", "largest miss of the newest value", c.newest,
                  "largest residual against powers of time", c.orthogonality, "estimates",
                  (json_int_t)c.estimates, "degree too high", (json_int_t)c.higher),
        ms_judge_at_most(drawing, off, ROUND_OFF) && ms_judge_is(drawing, (double)c.higher, 0),
        "A run in CLS mode. The degree is that of the smallest extrapolation error in this mode, too: so "
        "these polynomials have the degree that (18)-(20) give. Residuals at the q + 1 values before the "
        "newest, times (s / span)^k, k = 1 .. q, summed: zero for the best fit.");
    ms_study_check(drawing, "CLS leaves no larger sum of squares there than extrapolation", NULL,
                   MS_COUNTS({"so in", c.improved}, {"of", c.estimates}), NULL,
                   ms_judge_is(drawing, (double)c.improved, (double)c.estimates),
                   "Follows from (12). For degree 0 (%ld estimates) the constraint leaves nothing to fit: "
                   "both modes hold the newest value.",
                   c.constants);
}

/* The picture ------------------------------------------------------------------------------------------ */

/* Both polynomials of communication m. */
static void calibrate_both(const ms_clock_log *clock, int j, long m, double ex[DEGREES], double cls[DEGREES])
{
    ms_clock_estimate(clock, j, m, false, ex);
    ms_clock_estimate(clock, j, m, true, cls);
}

/* How far both are apart at the end of the step, in units of the range of the values. */
static double separation(const ms_clock_log *clock, int j, long m)
{
    double ex[DEGREES], cls[DEGREES], low = INFINITY, high = -INFINITY;
    const double h = ms_clock_time(clock, m + 1) - ms_clock_time(clock, m);
    calibrate_both(clock, j, m, ex, cls);
    for (long r = m - DEGREES; r <= m + 1; r++)
        ms_widen(&low, &high, ms_clock_output(clock, r, j));
    return fabs(ms_f3_value(ex, h) - ms_f3_value(cls, h)) / (high - low);
}

static void write_step(ms_drawing *drawing, const ms_clock_log *clock, int j, long m, int degree)
{
    double ex[DEGREES], cls[DEGREES];
    const double now = ms_clock_time(clock, m), to = ms_clock_time(clock, m + 1);
    const double from = ms_clock_time(clock, m - 1 - degree);
    calibrate_both(clock, j, m, ex, cls);
    ms_data *curves = ms_drawing_data(drawing, ms_drawing_text(drawing, "curves%d", degree),
                                      "time,extrapolation,cls,extrapolation_next,cls_next");
    for (int k = 0; k <= 2 * SAMPLES; k++) {
        const bool past = k <= SAMPLES;
        const double t =
            past ? from + (now - from) * k / SAMPLES : now + (to - now) * (k - SAMPLES) / SAMPLES;
        const double e = ms_f3_value(ex, t - now), c = ms_f3_value(cls, t - now);
        MS_ROW(curves, t, past ? e : NAN, past ? c : NAN, k >= SAMPLES ? e : NAN, k >= SAMPLES ? c : NAN);
    }
    ms_data *points = ms_drawing_data(drawing, ms_drawing_text(drawing, "points%d", degree),
                                      "time,used,oldest,newest,next");
    for (long r = m - 1 - degree; r <= m + 1; r++) {
        const double y = ms_clock_output(clock, r, j);
        MS_ROW(points, ms_clock_time(clock, r), r > m - 1 - degree && r < m ? y : NAN,
               r == m - 1 - degree ? y : NAN, r == m ? y : NAN, r == m + 1 ? y : NAN);
    }
    ms_drawing_script(drawing, "when[%d] = 't_{n+1} = %.2f s'\ntic[%d] = %g\n", degree, now, degree,
                      ms_tic_spacing(to - from));
}

static int draw_steps(ms_drawing *drawing, const ms_run_log *log, ms_error *error)
{
    const ms_clock_log *left = &log->clock[MS_LEFT];
    ms_drawing_script(drawing, "array when[2]\narray tic[2]\n");
    for (int q = 1; q < DEGREES; q++) {
        const long step = ms_clock_find_step(left, MS_LEFT_V, q, separation);
        if (step < 0)
            return ms_fail(error, MS_SOLVER_FAILED, "no estimate of degree %d in the run", q);
        write_step(drawing, left, MS_LEFT_V, step, q);
    }
    return MS_OK;
}

static int draw_fig5(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log, squares = {0};
    int status = ms_run_log_create(drawing, NULL, &log, error, TWO_MASSES_RUN);
    MS_THEN(status, ms_run_log_create(drawing, NULL, &squares, error, TWO_MASSES_RUN " --calibration cls"));
    MS_THEN(status, draw_steps(drawing, &log, error));
    if (status == MS_OK) {
        check_extrapolation(drawing, &log);
        check_least_squares(drawing, &squares);
    }
    ms_drawing_remark(
        drawing,
        "The printed figure is a sketch without numbers. This one shows, of a run of the two masses of 4.2, "
        "the steps on which both modes differ most in relation to the values, for degrees 1 and 2.");
    ms_drawing_commands_of(drawing, "eguillon2022_fig5.gp", 980, 480);
    ms_run_log_destroy(&squares);
    ms_run_log_destroy(&log);
    return status;
}

const ms_figure ms_figure_eguillon2022_fig5 = {
    "eguillon2022:fig5", "F3ORNITS: extrapolation and constrained least squares on the next step",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 5, section 3.1.2", .draw = draw_fig5};
