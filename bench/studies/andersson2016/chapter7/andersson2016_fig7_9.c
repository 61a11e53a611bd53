/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 7.4.2: CVODE's prediction after an input change, before and after the correction. Figure
 * 7.9.
 *
 * The original polynomial has the derivatives of CVODE's Nordsieck array at T_i. In the corrected one x'
 * = f and, for the second order, x'' = (df/dx) x' take their places, both under the new (constant) input;
 * the others stay. */
#include <math.h>
#include <string.h>

#include "andersson2016_7.h"
#include "cvode_polynomial.h"
#include "figure.h"

enum { STATES = 2, ORDERS = MS_CVODE_ORDER_MAX + 1, POINTS = 60 };

/* The polynomials at one input change, and the solution that is accepted next. */
typedef struct prediction {
    int segment; /* where it is noted */
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

/* x' and, if wanted, x'' under the input of the segment that begins, which is constant. */
static int correct(prediction *p, bool second)
{
    ms_instance *instance = p->instance;
    double dx[STATES], A[STATES * STATES];
    ms_point at = {.t = p->t, .x = instance->x, .u = ms_input_coefficients(&instance->input, 0, 0)};
    memcpy(p->corrected, p->original, sizeof p->corrected);
    int status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, dx);
    memcpy(p->corrected[1], dx, sizeof dx);
    if (status != 0 || !second || p->order < 2)
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
static void begin_corrected_once(void *self, ms_instance *instance, int segment)
{
    prediction *p = self;
    begin(self, instance, segment);
    if (segment == p->segment && p->status == MS_OK && correct(p, false) != 0)
        p->status = MS_SOLVER_FAILED;
}

static void begin_corrected_twice(void *self, ms_instance *instance, int segment)
{
    prediction *p = self;
    begin(self, instance, segment);
    if (segment == p->segment && p->status == MS_OK && correct(p, true) != 0)
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

static int predict(const ms_modes *modes, int mode, double t, prediction *p, ms_error *error)
{
    ms_open_loop_result result;
    ms_options options = modes->study.arguments->options;
    *p = (prediction){.segment = segment_at(modes->open_loop, t)};
    p->t = modes->open_loop->time[p->segment];
    options.input_change = mode;
    const ms_open_loop_options request = {
        .begin = mode == MS_INPUT_CORRECT_1 ? begin_corrected_once : begin_corrected_twice, .self = p};
    const int status = ms_open_loop_run(modes->open_loop, &options, &request, &result, error);
    if (status == MS_OK)
        ms_open_loop_result_destroy(&result);
    if (status == MS_OK && (p->status != MS_OK || !(p->next > p->t)))
        return ms_fail(error, MS_SOLVER_FAILED, "CVODE gives no polynomial at %g s", p->t);
    return status;
}

/* Motion ----------------------------------------------------------------------------------------------- */

/* x' under the constant input of the segment. */
static void derivative(const ms_modes *modes, const prediction *p, const double x[STATES], double dx[STATES])
{
    const ms_open_loop *d = modes->open_loop;
    double w[1];
    ms_point at = {.t = p->t, .x = x, .u = d->value + (size_t)(p->segment * d->nu)};
    ms_subsystem_f(d->system, d->subsystem, &at, w, dx);
}

/* One step of the classical Runge-Kutta method; its error at POINTS steps a micro-step is below 1e-10. */
static void move(const ms_modes *modes, const prediction *p, double h, double x[STATES])
{
    static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[STATES] = {0.0}, sum[STATES] = {0.0}, stage[STATES];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < STATES; i++)
            stage[i] = x[i] + share[s] * h * k[i];
        derivative(modes, p, stage, k);
        for (int i = 0; i < STATES; i++)
            sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < STATES; i++)
        x[i] += h / 6.0 * sum[i];
}

/* Data, checks ----------------------------------------------------------------------------------------- */

static void write_polynomials(ms_drawing *drawing, const ms_modes *modes, int mode, const prediction *p)
{
    ms_data *data = ms_drawing_data(drawing, ms_mode_names[mode],
                                    "time,omega_original,omega_corrected,omega,theta_original_off,theta_"
                                    "corrected_off,omega_original_off,omega_corrected_off");
    double x[STATES] = {p->original[0][0], p->original[0][1]};
    for (int k = 0; k <= POINTS; k++) {
        const double tau = (p->next - p->t) * k / POINTS;
        const double original[STATES] = {evaluate(p, p->original, 0, tau), evaluate(p, p->original, 1, tau)},
                     corrected[STATES] = {evaluate(p, p->corrected, 0, tau),
                                          evaluate(p, p->corrected, 1, tau)};
        MS_ROW(data, p->t + tau, original[1], corrected[1], x[1], fabs(original[0] - x[0]),
               fabs(corrected[0] - x[0]), fabs(original[1] - x[1]), fabs(corrected[1] - x[1]));
        move(modes, p, (p->next - p->t) / POINTS, x);
    }
    data = ms_drawing_data(drawing, ms_drawing_text(drawing, "%s-accepted", ms_mode_names[mode]),
                           "time,theta,omega");
    MS_ROW(data, p->t, p->original[0][0], p->original[0][1]);
    MS_ROW(data, p->next, p->accepted[0], p->accepted[1]);
}

/* Distances of the two polynomials from the solution that is accepted next. */
static void distances(const prediction *p, double original[STATES], double corrected[STATES])
{
    const double h = p->next - p->t;
    for (int i = 0; i < STATES; i++) {
        original[i] = fabs(evaluate(p, p->original, i, h) - p->accepted[i]);
        corrected[i] = fabs(evaluate(p, p->corrected, i, h) - p->accepted[i]);
    }
}

/* all: of nine starts that differ by round-off. */
static void check_prediction(ms_drawing *drawing, int mode, const prediction all[MS_ENSEMBLE])
{
    const prediction *p = &all[MS_ENSEMBLE_MIDDLE];
    double original[STATES], corrected[STATES], left[MS_ENSEMBLE]; /* of both distances, the larger part */
    bool holds[MS_ENSEMBLE];
    for (int k = 0; k < MS_ENSEMBLE; k++) {
        distances(&all[k], original, corrected);
        left[k] = fmax(corrected[0] / original[0], corrected[1] / original[1]);
    }
    ms_judge_nine(drawing, left, 0.0, 1.0, holds);
    distances(p, original, corrected);
    ms_drawing_check_ensemble_claim(
        drawing,
        ms_drawing_text(drawing, "prediction %s against the solution accepted next", ms_mode_titles[mode]),
        ms_drawing_published_text(drawing, "claim"),
        json_pack("{s:[f, f], s:[f, f]}", "original", original[0], original[1], "corrected", corrected[0],
                  corrected[1]),
        holds, NULL,
        "Differences of angle [rad] and angular velocity [rad/s] at %.5f s, %.3g s behind the change, order "
        "%d. The correction divides them by %.3g and %.3g.",
        p->next, p->next - p->t, p->order, original[0] / corrected[0], original[1] / corrected[1]);
}

/* Both corrections from a start that differs by round-off. */
static int predict_nearby(ms_drawing *drawing, int k, double t, prediction of[2][MS_ENSEMBLE],
                          ms_error *error)
{
    ms_modes modes;
    int status = ms_modes_run(drawing, false,
                              ms_drawing_text(drawing, "%s%s", MS_PENDULUM_OPEN_LOOP, ms_ensemble_words[k]),
                              &modes, error);
    for (int c = 0; c < 2 && status == MS_OK; c++)
        status = predict(&modes, MS_INPUT_CORRECT_1 + c, t, &of[c][k], error);
    if (k == MS_ENSEMBLE_MIDDLE)
        for (int c = 0; c < 2 && status == MS_OK; c++) {
            ms_modes_note(drawing, &modes, MS_INPUT_CORRECT_1 + c);
            write_polynomials(drawing, &modes, MS_INPUT_CORRECT_1 + c, &of[c][k]);
        }
    ms_modes_destroy(&modes);
    return status;
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    const double t = ms_drawing_published_number(drawing, "time");
    prediction p[2][MS_ENSEMBLE];
    for (int k = 0; k < MS_ENSEMBLE; k++)
        MS_TRY(predict_nearby(drawing, k, t, p, error));
    for (int c = 0; c < 2; c++)
        check_prediction(drawing, MS_INPUT_CORRECT_1 + c, p[c]);
    ms_drawing_script(drawing, "array T[2] = [%.17g, %.17g]\n", p[0][MS_ENSEMBLE_MIDDLE].t,
                      p[1][MS_ENSEMBLE_MIDDLE].t);
    ms_drawing_commands_of(drawing, "andersson2016_fig7.9.gp", 1000, 780);
    ms_drawing_remark(drawing,
                      "The input changes at %g s and holds. The original polynomials are those of the "
                      "corrected runs right before the correction. Each is drawn over the micro-step that "
                      "CVODE accepts next, which it may have shortened first.",
                      p[0][MS_ENSEMBLE_MIDDLE].t);
    return MS_OK;
}

const ms_figure ms_figure_andersson2016_fig7_9 = {
    "andersson2016:fig7.9",
    "Left pendulum: the predictor's polynomial behind an input change, original and corrected",
    "Andersson (2016), Fig. 7.9, section 7.4.2", .draw = draw};
