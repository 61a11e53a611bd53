/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon, Lacabanne, Tromeur-Dervout (2022), sections 1 and 3.1: what each subsystem of a run did on its clock, beside what the
 * formulas of the paper make of the communicated values (eguillon2022_log.h):
 *
 *     clocks SAMPLES FROM TO run MODEL ..
 *
 *     NAME              of a subsystem: its `steps`; `idle`: communications of others at which it was inside a step; `unused`: its own
 *                       before the end of the run that no step of any reader used; `ends`: it reaches the end of the run exactly
 *     communications    communication, time, and the time that each subsystem had reached, by its name
 *     steps             subsystem (its place, from 1), step, begin, end; past: how far it ran past a communication of a feeder [s]
 *     uses              reader, feeder (places), begin of the reader's step, used: the communication whose data it takes
 *     outputs           output (its place among all, from 1), communication, time, next, value, next_value; of the estimate that begins
 *                       there: degree, choice (number of degrees to choose from), error0 .. error2 (18), to0 .. to2: extrapolations
 *                       (11) to the next communication; x0 .. x2, cls0 .. cls2: coefficients of the estimate by extrapolation and by
 *                       least squares, from that time on
 *     inputs            input (its place among all, from 1), reader, step, begin, end; scale: its largest value; c0 .. c3, given:
 *                       coefficients from the beginning on, and their degree; value0 .. value2: at the beginning, in the middle and
 *                       at the end; slope0, slope2; estimate0 .. estimate2: what (24), (25) make of these values
 *     estimates, used   SAMPLES + 1 equally distant times of steps that overlap with FROM .. TO: output, communication, degree, time,
 *                       estimate; and input, step, time, value, past: first up to the next communication of a feeder, past = 0,
 *                       then behind it, past = 1; its end is repeated where the step does not go on
 *
 *     sample            0 .. SAMPLES
 *
 * What does not exist is not a number. Other values: integrations, degraded (lines on capabilities in the run's answer). */
#include <math.h>

#include "eguillon2022_log.h"
#include "measurement.h"

enum { DEGREES = MS_LOG_DEGREE + 1 };

/* What a run is looked at with. */
typedef struct view {
    const ms_run_log *log;
    const ms_system *system;
    int samples;
    double from, to;
} view;

static void add_row(json_t *rows, int n, const ms_named_real *cell)
{
    for (int k = 0; k < n; k++)
        ms_measured_append(rows, cell[k].name, cell[k].value);
}

#define ROW(rows, ...)                                                                                       \
    add_row(rows, MS_COUNT(((const ms_named_real[]){__VA_ARGS__})), (const ms_named_real[]){__VA_ARGS__})

/* The time of communication m, NaN behind the last. */
static double time_of(const ms_clock_log *clock, long m)
{
    return m <= clock->steps ? ms_clock_time(clock, m) : (double)NAN;
}

static bool is_shown(const view *v, double begin, double end)
{
    return end > v->from + 1e-9 && begin < v->to - 1e-9;
}

/* Clocks ------------------------------------------------------------------------------------------------- */

static bool feeds(const ms_system *s, int from, int to)
{
    for (int w = s->row_at[s->u_at[to]]; w < s->row_at[s->u_at[to + 1]]; w++)
        if (ms_output_owner(s, s->wire_output[w]) == from)
            return true;
    return false;
}

/* Communications of subsystem i before the end of the run that no step of any reader used; used: space for all, false. */
static long count_unused(const view *v, int i, bool *used)
{
    const ms_clock_log *clock = v->log->clock;
    long unused = clock[i].steps;
    for (int k = 0; k < v->system->n; k++)
        for (long r = 0; feeds(v->system, i, k) && r < clock[k].steps; r++) {
            const long m = ms_clock_latest(&clock[i], ms_clock_time(&clock[k], r));
            unused -= m < clock[i].steps && !used[m];
            used[m] = true;
        }
    return unused;
}

static void give_subsystem(const view *v, int i, json_t *answer)
{
    const ms_clock_log *clock = &v->log->clock[i];
    bool *used = calloc((size_t)clock->steps + 1, sizeof *used);
    if (used == NULL)
        json_object_set_new(answer, MS_MEASURED_IN_PART, json_true());
    else
        json_object_set_new(answer, v->system->sub[i].name,
                            MS_COUNTS({"steps", clock->steps}, {"idle", clock->idle},
                                      {"unused", count_unused(v, i, used)}, {"ends", clock->ends_exactly}));
    free(used);
}

static void give_communications(const view *v, json_t *rows)
{
    const int n = v->system->n;
    for (long k = 0; k < v->log->communications; k++) {
        const double *reached = v->log->communication + (size_t)k * (size_t)(n + 1);
        ROW(rows, {"communication", (double)k}, {"time", reached[0]});
        for (int i = 0; i < n; i++)
            ms_measured_append(rows, v->system->sub[i].name, reached[1 + i]);
    }
}

static void give_steps(const view *v, int i, json_t *steps, json_t *uses)
{
    const ms_clock_log *clock = &v->log->clock[i];
    for (long n = 0; n < clock->steps; n++) {
        const double begin = ms_clock_time(clock, n), end = ms_clock_time(clock, n + 1);
        double past = 0.0;
        for (int k = 0; k < v->system->n; k++) {
            const ms_clock_log *feeder = &v->log->clock[k];
            const long m = ms_clock_latest(feeder, begin);
            if (!feeds(v->system, k, i))
                continue;
            past = fmax(past, end - time_of(feeder, m + 1));
            ROW(uses, {"reader", i + 1}, {"feeder", k + 1}, {"begin", begin},
                {"used", ms_clock_time(feeder, m)});
        }
        ROW(steps, {"subsystem", i + 1}, {"step", (double)n}, {"begin", begin}, {"end", end}, {"past", past});
    }
}

/* Outputs ------------------------------------------------------------------------------------------------ */

static void give_estimate(const view *v, int i, int j, long m, int degree, json_t *rows)
{
    const ms_clock_log *clock = &v->log->clock[i];
    const double begin = ms_clock_time(clock, m), end = time_of(clock, m + 1);
    for (int k = 0; k <= v->samples && is_shown(v, begin, end); k++) {
        const double t = begin + (end - begin) * k / v->samples;
        ROW(rows, {"output", v->system->y_at[i] + j + 1}, {"communication", (double)m}, {"degree", degree},
            {"time", t}, {"estimate", ms_clock_extrapolation(clock, j, m, degree, t)});
    }
}

static void give_output(const view *v, int i, int j, json_t *outputs, json_t *estimates)
{
    const ms_clock_log *clock = &v->log->clock[i];
    for (long m = 0; m <= clock->steps; m++) {
        double off[DEGREES] = {NAN, NAN, NAN}, to[DEGREES] = {NAN, NAN, NAN}, x[DEGREES] = {0.0},
               cls[DEGREES] = {0.0};
        int choice = 0;
        const int degree = ms_clock_degree(clock, j, m, off, &choice);
        for (int q = 0; q < DEGREES && q <= m && m < clock->steps; q++)
            to[q] = ms_clock_extrapolation(clock, j, m, q, ms_clock_time(clock, m + 1));
        ms_clock_estimate(clock, j, m, false, x);
        ms_clock_estimate(clock, j, m, true, cls);
        ROW(outputs, {"output", v->system->y_at[i] + j + 1}, {"communication", (double)m},
            {"time", time_of(clock, m)}, {"next", time_of(clock, m + 1)},
            {"value", ms_clock_output(clock, m, j)},
            {"next_value", m < clock->steps ? ms_clock_output(clock, m + 1, j) : NAN}, {"degree", degree},
            {"choice", choice}, {"error0", off[0]}, {"error1", off[1]}, {"error2", off[2]}, {"to0", to[0]},
            {"to1", to[1]}, {"to2", to[2]}, {"x0", x[0]}, {"x1", x[1]}, {"x2", x[2]}, {"cls0", cls[0]},
            {"cls1", cls[1]}, {"cls2", cls[2]});
        give_estimate(v, i, j, m, degree, estimates);
    }
}

/* Inputs ------------------------------------------------------------------------------------------------- */

/* The next communication of a feeder of input l of subsystem i after the beginning of its step n; NaN: nothing feeds it, or none. */
static double next_of(const view *v, int i, int l, long n)
{
    const ms_system *s = v->system;
    const int input = s->u_at[i] + l;
    const double begin = ms_clock_time(&v->log->clock[i], n);
    double next = NAN;
    for (int w = s->row_at[input]; w < s->row_at[input + 1]; w++) {
        const ms_clock_log *feeder = &v->log->clock[ms_output_owner(s, s->wire_output[w])];
        next = fmin(next, time_of(feeder, ms_clock_latest(feeder, begin) + 1));
    }
    return next;
}

static void give_used(const view *v, int i, int l, long n, json_t *rows)
{
    const ms_clock_log *clock = &v->log->clock[i];
    const double begin = ms_clock_time(clock, n), end = ms_clock_time(clock, n + 1),
                 limit = fmin(next_of(v, i, l, n), end);
    for (int past = 0; past < 2 && is_shown(v, begin, end); past++)
        for (int k = 0; k <= v->samples; k++) {
            const double a = past ? limit : begin, b = past ? end : limit, t = a + (b - a) * k / v->samples;
            ROW(rows, {"input", v->system->u_at[i] + l + 1}, {"step", (double)n}, {"time", t},
                {"value", past && !(b > a) ? NAN : ms_clock_input_at(clock, n, l, 0, t)}, {"past", past});
        }
}

static void give_input(const view *v, int i, int l, json_t *inputs, json_t *used)
{
    const ms_clock_log *clock = &v->log->clock[i];
    const double scale = ms_clock_input_scale(clock, l);
    for (long n = 0; n < clock->steps; n++) {
        const double begin = ms_clock_time(clock, n), end = ms_clock_time(clock, n + 1),
                     middle = begin + 0.5 * (end - begin), *c = ms_clock_input(clock, n, l);
        ROW(inputs, {"input", v->system->u_at[i] + l + 1}, {"reader", i + 1}, {"step", (double)n},
            {"begin", begin}, {"end", end}, {"scale", scale}, {"c0", c[0]}, {"c1", c[1]}, {"c2", c[2]},
            {"c3", c[3]}, {"given", ms_clock_input_degree(clock, n, l)},
            {"value0", ms_clock_input_at(clock, n, l, 0, begin)},
            {"value1", ms_clock_input_at(clock, n, l, 0, middle)},
            {"value2", ms_clock_input_at(clock, n, l, 0, end)},
            {"slope0", ms_clock_input_at(clock, n, l, 1, begin)},
            {"slope2", ms_clock_input_at(clock, n, l, 1, end)},
            {"estimate0", ms_run_log_input(v->log, i, l, n, begin)},
            {"estimate1", ms_run_log_input(v->log, i, l, n, middle)},
            {"estimate2", ms_run_log_input(v->log, i, l, n, end)});
        give_used(v, i, l, n, used);
    }
}

/* The measurement ---------------------------------------------------------------------------------------- */

enum { COMMUNICATIONS, PERFORMED, USES, OUTPUTS, ESTIMATES, INPUTS, USED, TABLES };

static void give_all(const view *v, json_t *answer)
{
    static const char *const names[TABLES] = {"communications", "steps",  "uses", "outputs",
                                              "estimates",      "inputs", "used"};
    json_t *rows[TABLES];
    for (int k = 0; k < TABLES; k++)
        rows[k] = json_object();
    for (int k = 0; k <= v->samples; k++)
        ms_measured_append(answer, "sample", k);
    give_communications(v, rows[COMMUNICATIONS]);
    for (int i = 0; i < v->system->n; i++) {
        give_subsystem(v, i, answer);
        give_steps(v, i, rows[PERFORMED], rows[USES]);
        for (int j = 0; j < v->system->sub[i].ny; j++)
            give_output(v, i, j, rows[OUTPUTS], rows[ESTIMATES]);
        for (int l = 0; l < v->system->sub[i].nu; l++)
            give_input(v, i, l, rows[INPUTS], rows[USED]);
    }
    for (int k = 0; k < TABLES; k++) {
        if (json_object_get(rows[k], MS_MEASURED_IN_PART) != NULL)
            json_object_set_new(answer, MS_MEASURED_IN_PART, json_true());
        json_object_set_new(answer, names[k], rows[k]);
    }
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[3];
    ms_run_log log;
    const char *command = ms_measurement_numbers(words, 3, number);
    const int status = ms_run_log_create(drawing, NULL, &log, error, command);
    if (status == MS_OK) {
        const view v = {&log, log.study.system, (int)number[0], number[1], number[2]};
        give_all(&v, answer);
        ms_measured_members(answer, MS_COUNTS({"integrations", log.study.simulation.result.integrations},
                                              {"degraded", log.degraded}));
    }
    ms_run_log_destroy(&log);
    return status;
}

const ms_measurement ms_measurement_clocks = {"clocks", measure, NULL};
