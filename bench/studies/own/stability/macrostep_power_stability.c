/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step sizes with which a scheme keeps the energy of the spring-mass system (omega = 1/s) within [1/2, 2]
 * times that at the start, at all communication points up to 75 s:
 *
 *     energy-range LEAST LARGEST LEAST_THRESHOLD run spring-mass ..
 *
 * Step sizes 4 % apart from LEAST to LARGEST, and what becomes of each: 0 kept, 1 left, 2 without a solution. limit: the largest below
 * which all are kept, found by bisection; behind the first that fails, of `beyond`, `kept_again` are kept, `again` the largest. ends:
 * of the first that fails, 1 more; 1 where none does. LEAST_THRESHOLD 1: --fallback-threshold 1/(1 - H). constant, linear: where 1 + H^2
 * and 1 + H^4/4, the growth of the energy in a macro-step with constant and linear extrapolation, double it. */
#include <math.h>

#include "arguments.h"
#include "macrostep_power.h"
#include "measurement.h"

enum { GRID_MAX = 160, BISECTIONS = 14 };

static const double lower = 0.5, upper = 2.0; /* E/E(0) */
static const double spacing = 1.04;           /* of the step sizes */

typedef enum fate { KEPT, LEFT, UNSOLVED } fate;

typedef struct scan {
    int n, first; /* step sizes; the first that is not kept, -1: none */
    double step[GRID_MAX], fate[GRID_MAX];
    double limit, again; /* [s] */
    int kept_again;
    bool least_threshold;
    ms_study study;
} scan;

/* Measuring ---------------------------------------------------------------------------------------------- */

static int try_step(const scan *s, const volatile sig_atomic_t *stop, double h, fate *f, ms_error *error)
{
    ms_options options = s->study.arguments->options;
    ms_power_range range = {.lower = lower, .upper = upper};
    ms_run_result result = {0};
    options.step_size = h;
    if (s->least_threshold)
        options.extrapolation.fallback_threshold = 1.0 / (1.0 - h);
    const int status = ms_power_run(s->study.system, &options, stop, &range, &result, error);
    *f = !isnan(range.left_at) || result.reason == MS_REASON_DIVERGED ? LEFT
         : result.reason == MS_REASON_END_TIME                        ? KEPT
                                                                      : UNSOLVED;
    return status;
}

/* *good: between a step that is kept and one that is not. */
static int bisect(const scan *s, const volatile sig_atomic_t *stop, double *good, double bad, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < BISECTIONS && status == MS_OK; k++) {
        fate f = UNSOLVED;
        const double middle = sqrt(*good * bad);
        status = try_step(s, stop, middle, &f, error);
        *(f == KEPT ? good : &bad) = middle;
    }
    return status;
}

static int scan_steps(scan *s, const volatile sig_atomic_t *stop, const double range[2], ms_error *error)
{
    s->first = -1;
    s->again = NAN;
    for (int n = 0; n < GRID_MAX; n++) {
        const double h = range[0] * pow(spacing, n);
        fate f = UNSOLVED;
        if (h > range[1])
            break;
        MS_TRY(try_step(s, stop, h, &f, error));
        s->first = f != KEPT && s->first < 0 ? s->n : s->first;
        if (f == KEPT && s->first >= 0) {
            s->again = h;
            s->kept_again++;
        }
        s->step[s->n] = h;
        s->fate[s->n++] = f;
    }
    s->limit = s->first == 0 ? NAN : s->step[s->first > 0 ? s->first - 1 : s->n - 1];
    return s->first > 0 ? bisect(s, stop, &s->limit, s->step[s->first], error) : MS_OK;
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

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[3];
    scan s = {0};
    int status = ms_study_bind(drawing, &s.study, error, "%s", ms_measurement_numbers(words, 3, number));
    s.least_threshold = number[2] > 0.0;
    MS_THEN(status, scan_steps(&s, ms_drawing_stop(drawing), number, error));
    MS_THEN(status, ms_study_interrupted(drawing, error));
    ms_measured_members(answer, MS_REALS({"limit", s.limit}, {"again", s.again}, {"kept_again", s.kept_again},
                                         {"beyond", s.first < 0 ? 0.0 : s.n - s.first},
                                         {"ends", s.first < 0 ? 1.0 : 1.0 + s.fate[s.first]},
                                         {"constant", doubling(constant_growth)},
                                         {"linear", doubling(linear_growth)}));
    json_object_set_new(answer, "step", ms_json_of_vector(s.n, s.step));
    json_object_set_new(answer, "fate", ms_json_of_vector(s.n, s.fate));
    ms_study_destroy(&s.study);
    return status;
}

const ms_measurement ms_measurement_energy_range = {"energy-range", measure, NULL};
