/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), sections 6.3 and 6.4: measurements for Figs 6.13, 6.17, 6.18 that no command gives.
 *
 *     envelope H run MODEL ..              growth: the factor a macro-step at H, from a run of 2000 of them, the slope of log max |x|
 *                                          over windows of 40 in their second half; critical: the step size at which it passes 1 [s],
 *                                          found between steps 8 % apart, then by bisection; null: none up to 0.4 s
 *     reference-motion H END run MODEL ..  the monolithic solution, time, x1, x2, ..; growth: its own over H; error: its own
 *     input-limits run MODEL ..            both limits of input 1 of the first subsystem at communication points, time, u; largest and
 *                                          mean jump inside the run, and their number */
#include <math.h>
#include <stdio.h>

#include <macrostep/cosim.h>
#include "arguments.h"
#include "measurement.h"

/* Growth ------------------------------------------------------------------------------------------------- */

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
    MS_TRY(ms_study_repeat(drawing, study, &options, &request, &simulation, error));
    *growth = envelope_growth(&e);
    int status = ms_study_ended(&simulation, error);
    ms_simulation_destroy(&simulation);
    return status;
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

static int measure_envelope(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double h, growth = NAN, critical = NAN;
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 1, &h));
    MS_THEN(status, measure_growth(drawing, &study, h, &growth, error));
    MS_THEN(status, find_critical_step(drawing, &study, &critical, error));
    json_object_set_new(answer, "growth", ms_json_real(growth));
    json_object_set_new(answer, "critical", ms_json_real(critical));
    ms_study_destroy(&study);
    return status;
}

/* The monolithic solution -------------------------------------------------------------------------------- */

typedef struct motion {
    json_t *answer;
    int nx;
    double h;
    envelope e;
} motion;

static void note_state(void *self, long n, const double *x)
{
    motion *m = self;
    char key[16];
    ms_measured_append(m->answer, "time", (double)n * m->h);
    for (int j = 0; j < m->nx; j++) {
        snprintf(key, sizeof key, "x%d", j + 1);
        ms_measured_append(m->answer, key, x[j]);
    }
    if (n > 0)
        envelope_add(&m->e, m->nx, x);
}

static int measure_motion(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[2]; /* H, end */
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 2, number));
    if (status == MS_OK) {
        motion m = {.answer = answer, .nx = study.system->nx, .h = number[0]};
        double own = NAN;
        status = ms_study_follow_reference(study.system, lround(number[1] / number[0]), number[0], note_state,
                                           &m, &own, error);
        json_object_set_new(answer, "error", ms_json_real(own));
        json_object_set_new(answer, "growth", ms_json_real(envelope_growth(&m.e)));
    }
    ms_study_destroy(&study);
    return status;
}

/* Inputs ------------------------------------------------------------------------------------------------- */

/* Monitors the one input of subsystem 1. */
typedef struct input_monitor {
    json_t *answer;
    double left; /* u at the end of the macro-step before */
    double largest, sum;
    long jumps;
    bool refused; /* there is not one input */
} input_monitor;

static int monitor_start(void *self, const ms_cosim *cosim, double t)
{
    input_monitor *monitor = self;
    (void)t;
    monitor->refused = cosim->system->sub[0].nu != 1;
    return monitor->refused;
}

static int monitor_step(void *self, const ms_cosim *cosim, double t, double h)
{
    input_monitor *monitor = self;
    const ms_input *input = &cosim->instance[0]->input;
    double right;
    ms_input_evaluate(input, 0, 0, 0.0, &right);
    if (t > 0.0) {
        const double jump = fabs(right - monitor->left);
        monitor->largest = fmax(monitor->largest, jump);
        monitor->sum += jump;
        monitor->jumps++;
    }
    ms_input_left(input, &monitor->left);
    ms_measured_append(monitor->answer, "time", t);
    ms_measured_append(monitor->answer, "u", right);
    ms_measured_append(monitor->answer, "time", t + h);
    ms_measured_append(monitor->answer, "u", monitor->left);
    return 0;
}

static int measure_input(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    input_monitor monitor = {.answer = answer};
    const ms_observer observer = {.self = &monitor, .start = monitor_start, .step = monitor_step};
    const ms_simulation_options request = {.observers = &observer, .n_observers = 1};
    ms_study study;
    int status = ms_study_run(drawing, &request, &study, error, "%s", words);
    if (monitor.refused)
        status = ms_fail(error, MS_INVALID, "input-limits: a first subsystem with one input is expected");
    json_object_set_new(answer, "largest", json_real(monitor.largest));
    json_object_set_new(answer, "mean", ms_json_real(monitor.sum / (double)monitor.jumps));
    json_object_set_new(answer, "jumps", json_integer(monitor.jumps));
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_envelope = {"envelope", measure_envelope, NULL};
const ms_measurement ms_measurement_reference_motion = {"reference-motion", measure_motion, NULL};
const ms_measurement ms_measurement_input_limits = {"input-limits", measure_input, NULL};
