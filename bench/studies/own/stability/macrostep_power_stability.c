/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step sizes with which each scheme keeps the energy of the spring-mass system (omega = 1/s) within [1/2,
 * 2] times that at the start, at all communication points up to 75 s.
 *
 * Known beforehand: a macro-step multiplies the energy by 1 + (omega H)^2 with constant extrapolation, by 1 +
 * (omega H)^4/4 with linear extrapolation from value and derivative; Gauss-Seidel with held values is the
 * symplectic Euler method, which keeps s^2 + v^2 - H s v, so that E/E(0) <= 1/(1 - omega H/2), equal to 2 at
 * omega H = 1. */
#include <math.h>

#include "arguments.h"
#include "figure.h"
#include "macrostep_power.h"
#include "study.h"

enum {
    CONSTANT,
    LINEAR,
    CONSTANT_BALANCE,
    LINEAR_BALANCE,
    OTHERS
}; /* the methods that the paper discusses before its own */
enum {
    CONSTANT_USED = OTHERS,
    LINEAR_USED,
    HELD_SEIDEL,
    LINEAR_SEIDEL,
    STEP_15,
    STEP_2,
    STEP_LEAST,
    POINTWISE,
    SCHEMES
};
enum { GRID_MAX = 160, BISECTIONS = 14, EXPLICIT = STEP_15 };

#define STEP_RULE "--scheme power --extrapolation-order 1 --fallback step " MS_POWER_SOLVER

static const struct {
    const char *name, *options;
    double least, largest; /* step sizes of the scan [s] */
} schemes[SCHEMES] = {
    [CONSTANT] = {"constant", "--scheme jacobi --extrapolation-order 0", 0.005, 2.0},
    [LINEAR] = {"linear", "--scheme jacobi " MS_POWER_LINEAR, 0.005, 2.0},
    [CONSTANT_BALANCE] = {"constant, balance correction (raw)", "--scheme balance --extrapolation-order 0",
                          0.005, 2.0},
    [LINEAR_BALANCE] = {"linear, balance correction (raw)", "--scheme balance " MS_POWER_LINEAR, 0.005, 2.0},
    [CONSTANT_USED] = {"constant, balance correction (used)",
                       "--scheme balance --extrapolation-order 0 --balance-error used", 0.005, 2.0},
    [LINEAR_USED] = {"linear, balance correction (used)",
                     "--scheme balance --balance-error used " MS_POWER_LINEAR, 0.005, 2.0},
    [HELD_SEIDEL] = {"Gauss-Seidel, constant", "--scheme gauss-seidel --extrapolation-order 0", 0.005, 2.0},
    [LINEAR_SEIDEL] = {"Gauss-Seidel, linear", "--scheme gauss-seidel " MS_POWER_LINEAR, 0.005, 2.0},
    [STEP_15] = {"power, step, θ = 1.5", STEP_RULE " --fallback-threshold 1.5", 0.05, 2.0},
    [STEP_2] = {"power, step, θ = 2", STEP_RULE " --fallback-threshold 2", 0.05, 2.0},
    [STEP_LEAST] = {"power, step, θ = 1/(1 - ωH)", STEP_RULE " --fallback-threshold 1", 0.05, 0.99},
    [POINTWISE] = {"power, pointwise, |y| < 0.1",
                   "--scheme power --extrapolation-order 1 --fallback pointwise --fallback-threshold "
                   "0.1 " MS_POWER_SOLVER,
                   0.05, 1.0},
};

static const double lower = 0.5, upper = 2.0; /* E/E(0) */
static const double spacing = 1.04;           /* of the step sizes */

typedef enum fate { KEPT, LEFT, UNSOLVED } fate;

typedef struct scan {
    int n;
    double step[GRID_MAX]; /* [s] */
    fate fate[GRID_MAX];
    double limit;   /* the largest step below which all are kept [s] */
    double again;   /* the largest step that is kept beyond, or NaN [s] */
    int kept_again; /* how many */
    ms_study study;
} scan;

/* Measuring ---------------------------------------------------------------------------------------------- */

static int try_step(int scheme, const scan *s, const volatile sig_atomic_t *stop, double h, fate *f,
                    ms_error *error)
{
    ms_options options = s->study.arguments->options;
    ms_power_range range = {.lower = lower, .upper = upper};
    ms_run_result result = {0};
    options.step_size = h;
    if (scheme == STEP_LEAST)
        options.extrapolation.fallback_threshold = 1.0 / (1.0 - h);
    const int status = ms_power_run(s->study.system, &options, stop, &range, &result, error);
    *f = !isnan(range.left_at) || result.reason == MS_REASON_DIVERGED ? LEFT
         : result.reason == MS_REASON_END_TIME                        ? KEPT
                                                                      : UNSOLVED;
    return status;
}

/* *good: between a step that is kept and one that is not. */
static int bisect(int scheme, const scan *s, const volatile sig_atomic_t *stop, double *good, double bad,
                  ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < BISECTIONS && status == MS_OK; k++) {
        fate f = UNSOLVED;
        const double middle = sqrt(*good * bad);
        status = try_step(scheme, s, stop, middle, &f, error);
        *(f == KEPT ? good : &bad) = middle;
    }
    return status;
}

static int scan_steps(void *self, int scheme, const volatile sig_atomic_t *stop, ms_error *error)
{
    scan *s = (scan *)self + scheme;
    int first = -1;
    s->again = NAN;
    for (int n = 0; n < GRID_MAX; n++) {
        const double h = schemes[scheme].least * pow(spacing, n);
        fate f = UNSOLVED;
        if (h > schemes[scheme].largest)
            break;
        const int status = try_step(scheme, s, stop, h, &f, error);
        if (status != MS_OK)
            return status;
        first = f != KEPT && first < 0 ? s->n : first;
        if (f == KEPT && first >= 0) {
            s->again = h;
            s->kept_again++;
        }
        s->step[s->n] = h;
        s->fate[s->n++] = f;
    }
    s->limit = first == 0 ? NAN : s->step[first > 0 ? first - 1 : s->n - 1];
    return first > 0 ? bisect(scheme, s, stop, &s->limit, s->step[first], error) : MS_OK;
}

static int measure(ms_drawing *drawing, scan *scans, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < SCHEMES && status == MS_OK; k++)
        status = ms_study_bind(drawing, &scans[k].study, error, "run spring-mass %s%s", schemes[k].options,
                               k < EXPLICIT ? " --solver exact" : "");
    if (status == MS_OK)
        status = ms_study_parallel(drawing, SCHEMES, scan_steps, scans, error);
    for (int k = 0; k < SCHEMES; k++)
        ms_study_destroy(&scans[k].study);
    return status;
}

/* Data, checks ------------------------------------------------------------------------------------------- */

static void write_scans(ms_drawing *drawing, const scan *scans)
{
    ms_data *data = ms_drawing_data(drawing, "", "step,kept,left,unsolved"),
            *limits = ms_drawing_data(drawing, "limits", "step,row");
    ms_data_keep_all(data);
    for (int k = 0; k < SCHEMES; k++) {
        const double row = SCHEMES - k;
        for (int n = 0; n < scans[k].n; n++) {
            const fate f = scans[k].fate[n];
            MS_ROW(data, scans[k].step[n], f == KEPT ? row : NAN, f == LEFT ? row : NAN,
                   f == UNSOLVED ? row : NAN);
        }
        MS_ROW(limits, scans[k].limit, row);
    }
}

static void tabulate(ms_drawing *drawing, const scan *scans)
{
    ms_table *table =
        ms_drawing_table(drawing, "table", "Step sizes that keep the energy within [1/2, 2] for 75 s",
                         "scheme|all H up to / s|then|largest H kept beyond / s|kept beyond|of");
    for (int k = 0; k < SCHEMES; k++) {
        const scan *s = &scans[k];
        int first = 0;
        while (first < s->n && s->fate[first] == KEPT)
            first++;
        ms_table_add(table, "srsrii", schemes[k].name, s->limit,
                     first == s->n            ? "all kept"
                     : s->fate[first] == LEFT ? "the energy leaves the interval"
                                              : "no solution",
                     s->again, s->kept_again, s->n - first);
    }
}

/* The scheme of the largest limit among [from, to). */
static int best(const scan *scans, int from, int to)
{
    int k = from;
    for (int m = from; m < to; m++)
        k = scans[m].limit > scans[k].limit || isnan(scans[k].limit) ? m : k;
    return k;
}

static json_t *limits(const scan *scans, int from, int to)
{
    json_t *all = json_object();
    for (int k = from; k < to; k++)
        json_object_set_new(all, schemes[k].name, ms_json_real(scans[k].limit));
    return all;
}

static json_t *both(json_t *power, json_t *others)
{
    return json_pack("{s:o, s:o}", "negotiated power, H / s", power, "others, H / s", others);
}

/* The step size at which the energy doubles within 75 s if a macro-step multiplies it by growth(H). */
static double doubling(double (*growth)(double h))
{
    double good = 1e-3, bad = 1.0;
    while (bad - good > 1e-12) {
        const double middle = 0.5 * (good + bad);
        *(75.0 / middle * log(growth(middle)) < log(upper) ? &good : &bad) = middle;
    }
    return good;
}

static double constant_growth(double h)
{
    return 1.0 + h * h;
}

static double linear_growth(double h)
{
    return 1.0 + 0.25 * h * h * h * h;
}

static void check_known(ms_drawing *drawing, const scan *scans)
{
    static const char note[] = "1 % for the last macro-step, which is cut.";
    ms_drawing_check_number(drawing, "constant extrapolation doubles the energy within 75 s from H / s",
                            doubling(constant_growth), scans[CONSTANT].limit,
                            0.01 * doubling(constant_growth), "%s", note);
    ms_drawing_check_number(drawing, "linear extrapolation does so from H / s", doubling(linear_growth),
                            scans[LINEAR].limit, 0.01 * doubling(linear_growth), "%s", note);
    ms_drawing_check_number(drawing, "Gauss-Seidel with held values reaches E = 2 E(0) at H / s", 1.0,
                            scans[HELD_SEIDEL].limit, 0.001,
                            "E/E(0) <= 1/(1 - omega H/2): it is the symplectic Euler method on this model.");
}

static void check_claims(ms_drawing *drawing, const scan *scans)
{
    const int power = best(scans, STEP_15, SCHEMES), other = best(scans, 0, OTHERS),
              any = best(scans, 0, STEP_15);
    const double p = scans[power].limit;
    int finite = 0;
    for (int k = STEP_15; k < SCHEMES; k++)
        finite += scans[k].limit < 1.0;
    ms_drawing_check_claim(drawing, "negotiated power is not stable for all step sizes",
                           "stability in practice is not global (section 6.2)",
                           limits(scans, STEP_15, SCHEMES), finite == SCHEMES - STEP_15,
                           "It ends where the inverse of the power has no solution, or where zeros of the "
                           "outputs have produced too much energy.");
    ms_drawing_check_claim(
        drawing, "it is stable for larger H than the methods discussed before it in the paper",
        "stability is given for bigger H than for all other coupled methods (section 6.2)",
        both(limits(scans, STEP_15, SCHEMES), limits(scans, 0, OTHERS)), p > scans[other].limit,
        "Best of power: %s, %.3g s; best of the others: %s, %.3g s. With theta = 1.5 it is %.3g s: the "
        "fallback decides, and the paper does not print its own.",
        schemes[power].name, p, schemes[other].name, scans[other].limit, scans[STEP_15].limit);
    ms_drawing_check_claim(drawing, "and this by far", "stable for much bigger step sizes (section 6.3.1)",
                           MS_REALS({"ratio of both step sizes", p / scans[other].limit}),
                           p > 2.0 * scans[other].limit, "Judged by a factor of 2.");
    ms_drawing_check_claim(
        drawing, "it is stable for larger H than all other explicit schemes here",
        "stability is given for bigger H than for all other coupled methods (section 6.2)",
        both(limits(scans, STEP_15, SCHEMES), limits(scans, OTHERS, STEP_15)), p > scans[any].limit,
        "Best of the others: %s, %.3g s. The paper does not try Gauss-Seidel without iteration.",
        schemes[any].name, scans[any].limit);
}

/* Picture ------------------------------------------------------------------------------------------------ */

static void draw_picture(ms_drawing *drawing)
{
    ms_drawing_picture(drawing, 1040, 620,
                       "set logscale x\nset xrange [0.0045:2.2]\nset yrange [0.4:%d.6]\n"
                       "set xtics (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)\nset lmargin 34\n"
                       "set xlabel 'step size H / s'\nunset ytics\nset ytics scale 0 noenhanced (",
                       SCHEMES);
    for (int k = 0; k < SCHEMES; k++)
        ms_drawing_script(drawing, "%s'%s' %d", k > 0 ? ", " : "", schemes[k].name, SCHEMES - k);
    ms_drawing_script(
        drawing,
        ")\n"
        "plot csv using 'step':'kept' with points lt 2 pt 5 ps 0.55 title 'E stays within [1/2, 2] E(0) for "
        "75 s', \\\n"
        "    csv using 'step':'left' with points lt 5 pt 7 ps 0.4 title 'leaves it', \\\n"
        "    csv using 'step':'unsolved' with points lt 3 pt 2 ps 0.5 title 'no solution', \\\n"
        "    part('limits') using 'step':'row':(0):(0.38) with vectors nohead lt 1 lw 2 notitle, \\\n"
        "    part('limits') using 'step':'row':(0):(-0.38) with vectors nohead lt 1 lw 2 title 'first H that "
        "does not keep it'\n");
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    scan *scans = ms_drawing_memory(drawing);
    const int status = measure(drawing, scans, error);
    if (status == MS_OK) {
        write_scans(drawing, scans);
        tabulate(drawing, scans);
        check_known(drawing, scans);
        check_claims(drawing, scans);
        draw_picture(drawing);
        ms_drawing_remark(
            drawing,
            "Step sizes 4 %% apart; the first one that fails is found by bisection. Explicit schemes with "
            "exact subsystems, power from H = 0.05 s on. Balance errors: of the extrapolation alone (raw), "
            "which is (13) accumulated, or the newest (13) alone (used). With the rule `step` no run without "
            "solution is possible for theta >= 1/(1 - omega H), and the row with that theta has the fewest "
            "extrapolated ends; from omega H = 1/2 on it extrapolates at least one end in each macro-step, "
            "and nothing is left of the exchange of power.");
    }
    return status;
}

const ms_figure ms_figure_macrostep_power_stability = {
    "macrostep:power-stability",
    "Step sizes with which each scheme keeps the energy of the oscillator within [1/2, 2] for 75 s",
    "this project; schemes and model of Moshagen (2021), sections 6.2, 6.3.1", .draw = draw,
    .memory = SCHEMES * sizeof(scan)};
