/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 7.4.2: CVODE's prediction after an input change, before and after the correction:
 *
 *     prediction T drive coupled-pendula .. --input-change correct-1|correct-2
 *
 * Of the change nearest to T: begins, ends (of the micro-step that is accepted next), order; theta_original, theta_corrected,
 * omega_original, omega_corrected: distances of both polynomials from what is accepted at its end. At its 61 points: time, omega; of the
 * polynomials original and corrected, and their distances off_theta_original, .., from the motion. accepted_time, accepted_theta,
 * accepted_omega: at both ends.
 *
 * The original polynomial has the derivatives of CVODE's Nordsieck array at T_i. In the corrected one x'
 * = f and, for the second order, x'' = (df/dx) x' take their places, both under the new (constant) input;
 * the others stay. */
#include <math.h>
#include <string.h>

#include <macrostep/solver.h>
#include "cvode_polynomial.h"
#include "drive.h"
#include "measurement.h"

enum { STATES = 2, ORDERS = MS_CVODE_ORDER_MAX + 1, POINTS = 60 };

/* The polynomials at one input change, and the solution that is accepted next. */
typedef struct prediction {
    int segment; /* where it is noted */
    bool second; /* x'' is corrected, too */
    ms_instance *instance;
    int status, order;
    double t, original[ORDERS][STATES], corrected[ORDERS][STATES]; /* derivatives at t */
    double next, accepted[STATES];                                 /* 0: not known yet */
} prediction;

static void note_accepted(void *self, double from, double to, int order)
{
    prediction *p = self;
    (void)order;
    if (p->next > 0.0 || from < p->t - 1e-9)
        return;
    p->next = to;
    memcpy(p->accepted, p->instance->state, sizeof p->accepted);
}

/* x' and, for correct-2, x'' under the input of the segment that begins, which is constant. */
static int correct(prediction *p)
{
    ms_instance *instance = p->instance;
    double dx[STATES], A[STATES * STATES];
    ms_point at = {.t = p->t, .x = instance->x, .u = ms_input_coefficients(&instance->input, 0, 0)};
    memcpy(p->corrected, p->original, sizeof p->corrected);
    int status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, dx);
    memcpy(p->corrected[1], dx, sizeof dx);
    if (status != 0 || !p->second || p->order < 2)
        return status;
    status = ms_subsystem_jacobian(instance->system, instance->index, &at, instance->w, instance->scratch,
                                   &(ms_blocks){.A = A}, NULL);
    for (int i = 0; i < STATES; i++)
        p->corrected[2][i] = A[STATES * i] * dx[0] + A[STATES * i + 1] * dx[1];
    return status;
}

static void begin(void *self, ms_instance *instance, int segment)
{
    prediction *p = self;
    if (segment != p->segment)
        return;
    p->instance = instance;
    p->status = ms_cvode_polynomial(instance, &p->order, p->original[0]);
    instance->monitor = (ms_monitor){.self = p, .micro_step = note_accepted};
}

/* sum_j x^(j) (t - t0)^j / j! */
static double evaluate(const prediction *p, const double (*derivative)[STATES], int state, double tau)
{
    double sum = 0.0;
    for (int j = p->order; j >= 0; j--)
        sum = sum * tau / (j + 1) + derivative[j][state];
    return sum;
}

/* ms_open_loop_run begins a segment with its input set, so that the correction can be formed right then. */
static void begin_corrected(void *self, ms_instance *instance, int segment)
{
    prediction *p = self;
    begin(self, instance, segment);
    if (segment == p->segment && p->status == MS_OK && correct(p) != 0)
        p->status = MS_SOLVER_FAILED;
}

/* The grid point at the printed time. */
static int segment_at(const ms_open_loop *open_loop, double t)
{
    int nearest = 0;
    for (int i = 0; i < open_loop->segments; i++)
        if (fabs(open_loop->time[i] - t) < fabs(open_loop->time[nearest] - t))
            nearest = i;
    return nearest;
}

static int predict(const ms_open_loop *open_loop, const ms_options *options, double t, prediction *p,
                   ms_error *error)
{
    ms_open_loop_result result;
    *p = (prediction){.segment = segment_at(open_loop, t),
                      .second = options->input_change == MS_INPUT_CORRECT_2};
    p->t = open_loop->time[p->segment];
    const ms_open_loop_options request = {.begin = begin_corrected, .self = p};
    MS_TRY(ms_open_loop_run(open_loop, options, &request, &result, error));
    ms_open_loop_result_destroy(&result);
    if (p->status != MS_OK || !(p->next > p->t))
        return ms_fail(error, MS_SOLVER_FAILED, "CVODE gives no polynomial at %g s", p->t);
    return MS_OK;
}

/* Motion ----------------------------------------------------------------------------------------------- */

/* x' under the constant input of the segment. */
static void derivative(const ms_open_loop *d, const prediction *p, const double x[STATES], double dx[STATES])
{
    double w[1];
    ms_point at = {.t = p->t, .x = x, .u = d->value + (size_t)(p->segment * d->nu)};
    ms_subsystem_f(d->system, d->subsystem, &at, w, dx);
}

/* One step of the classical Runge-Kutta method; its error at POINTS steps a micro-step is below 1e-10. */
static void move(const ms_open_loop *d, const prediction *p, double h, double x[STATES])
{
    static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[STATES] = {0.0}, sum[STATES] = {0.0}, stage[STATES];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < STATES; i++)
            stage[i] = x[i] + share[s] * h * k[i];
        derivative(d, p, stage, k);
        for (int i = 0; i < STATES; i++)
            sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < STATES; i++)
        x[i] += h / 6.0 * sum[i];
}

/* The measurement ---------------------------------------------------------------------------------------- */

static int check(const ms_open_loop *open_loop, ms_error *error)
{
    const ms_subsystem *sub = &open_loop->system->sub[open_loop->subsystem];
    return sub->nx == STATES && sub->nw <= 1
               ? MS_OK
               : ms_fail(error, MS_INVALID, "prediction: a subsystem of %d states is expected, not %s",
                         STATES, sub->name);
}

static void give_points(const ms_open_loop *d, const prediction *p, json_t *answer)
{
    double x[STATES] = {p->original[0][0], p->original[0][1]};
    for (int k = 0; k <= POINTS; k++) {
        const double tau = (p->next - p->t) * k / POINTS;
        const double original[STATES] = {evaluate(p, p->original, 0, tau), evaluate(p, p->original, 1, tau)},
                     corrected[STATES] = {evaluate(p, p->corrected, 0, tau),
                                          evaluate(p, p->corrected, 1, tau)};
        ms_measured_append(answer, "time", p->t + tau);
        ms_measured_append(answer, "omega", x[1]);
        ms_measured_append(answer, "original", original[1]);
        ms_measured_append(answer, "corrected", corrected[1]);
        ms_measured_append(answer, "off_theta_original", fabs(original[0] - x[0]));
        ms_measured_append(answer, "off_theta_corrected", fabs(corrected[0] - x[0]));
        ms_measured_append(answer, "off_omega_original", fabs(original[1] - x[1]));
        ms_measured_append(answer, "off_omega_corrected", fabs(corrected[1] - x[1]));
        move(d, p, (p->next - p->t) / POINTS, x);
    }
}

static void give_end(const prediction *p, json_t *answer)
{
    const double h = p->next - p->t;
    for (int end = 0; end < 2; end++) {
        ms_measured_append(answer, "accepted_time", end == 0 ? p->t : p->next);
        ms_measured_append(answer, "accepted_theta", end == 0 ? p->original[0][0] : p->accepted[0]);
        ms_measured_append(answer, "accepted_omega", end == 0 ? p->original[0][1] : p->accepted[1]);
    }
    ms_measured_members(
        answer, MS_REALS({"begins", p->t}, {"ends", p->next}, {"order", p->order},
                         {"theta_original", fabs(evaluate(p, p->original, 0, h) - p->accepted[0])},
                         {"theta_corrected", fabs(evaluate(p, p->corrected, 0, h) - p->accepted[0])},
                         {"omega_original", fabs(evaluate(p, p->original, 1, h) - p->accepted[1])},
                         {"omega_corrected", fabs(evaluate(p, p->corrected, 1, h) - p->accepted[1])}));
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double t;
    ms_study study;
    ms_drive_call call;
    ms_open_loop *open_loop = NULL;
    prediction p;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 1, &t));
    MS_THEN(status, ms_drive_read(study.arguments, study.system, &call, error));
    MS_THEN(status, ms_drive_create(&call, study.system, &open_loop, error));
    MS_THEN(status, check(open_loop, error));
    MS_THEN(status, predict(open_loop, &study.arguments->options, t, &p, error));
    if (status == MS_OK) {
        give_points(open_loop, &p, answer);
        give_end(&p, answer);
    }
    ms_open_loop_destroy(&open_loop);
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_prediction = {"prediction", measure, NULL};
