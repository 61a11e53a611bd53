/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_f3ornits.c - F3ORNITS: flexible order, flexible time-stepper, flexible scheduler; no rollback,
 * nothing repeated.
 *
 *     1. Every output follows an estimate of degree 0, 1 or 2 from its communicated values: the degree whose
 *        extrapolation to the newest value would have been best (18)-(20); through that many points
 *        (extrapolation), or through the newest point and the best fit to one more (CLS) (8)-(12), (21)-(23).
 *     2. An input is u = L y of the newest estimates that were communicated when its step begins (24), (25),
 *        with the degree that its subsystem accepts (15)-(17) (Figure 7), and continued with value and slope by a
 *        Hermite cubic (13), (14) if smoothing is on (26)-(28).
 *     3. Each subsystem proposes its next step: the error of its estimates, in units of the tolerance, sets
 *        the ratio of new to last step (32)-(38), bounded; the scheduler makes communication times of the
 *        proposals (f3ornits_schedule.c).
 *
 * Subsystems are (6), (7). With a single one that is the monolithic ODE (4), (5), whose solution (3) is the reference.
 *
 * A macro-step of the co-simulation runs to the next communication of any subsystem. Subsystems that do not
 * communicate then are inside their steps and remain at the time reached; a step is integrated as a whole when its
 * end is reached.
 *
 * Order of convergence: the literature claims none. With equal steps the estimates have order 3 on smooth
 * signals.
 *
 * Outputs are used as computed, or, if all subsystems communicate every time, consistent with each other: evaluated
 * again with the newest outputs as inputs. The paper does not specify this; the fixed-step rows of its Table 1 fit
 * the second.
 *
 * Capabilities: none is needed, re-evaluation of outputs for consistent ones. Inputs of degree 0 or 1 only,
 * or below 3 with smoothing, change the scheme for that subsystem, which the answer lists.
 *
 * Departures and readings: (33) with |y| in the denominator; the first step has degree 0; the degree is
 * chosen by extrapolation in CLS mode, too, while the time-stepper uses the error of the mode's own
 * polynomial; bounds at m in (36) use span, bounds and step of m - 1; smoothing begins with the second step.
 * Degraded inputs keep integrals (f3ornits.h): Figure 7 is not available.
 *
 * --at-events drop: after a step with events inside its subsystem an output restarts, with degree 0 and without
 * earlier values; smoothing does not continue into inputs that it feeds. The paper has no events. The time-stepper
 * sees the estimate missed either way, and shortens the next step.
 *
 * Source: Eguillon, Lacabanne, Tromeur-Dervout (2022). */
#include <math.h>
#include <string.h>

#include <macrostep/execution.h>
#include "events.h"
#include "f3ornits_parts.h"
#include "loop.h"
#include "time_events.h"

/* Inputs ------------------------------------------------------------------------------------------------- */

/* The step that subsystem i is in, which ends now, and its prepared inputs into the instance. */
static void give_step(const ms_cosim *cosim, const f3_data *data, int i)
{
    ms_instance *instance = cosim->instance[i];
    ms_input *input = &instance->input;
    const f3_input *from = data->input + cosim->system->u_at[i];
    instance->t = data->clock[i].reached;
    instance->h = data->clock[i].next - data->clock[i].reached;
    ms_input_set_single(input, data->smooth[i] ? F3_INPUT_DEGREE : MS_F3_DEGREE, instance->h);
    for (int k = 0; k <= input->degree; k++)
        for (int l = 0; l < input->n; l++)
            ms_input_coefficients(input, 0, k)[l] = from[l].c[k];
}

/* Outputs ------------------------------------------------------------------------------------------------ */

/* A new value; joined: it takes the place of the last one. */
static void push(double *newest_first, double value, bool joined)
{
    if (!joined)
        memmove(newest_first + 1, newest_first, sizeof(double) * (MS_F3_POINTS - 1));
    newest_first[0] = value;
}

/* The highest degree whose extrapolation could be judged after `steps` remembered steps (20). */
static int highest_degree(double steps)
{
    return steps > MS_F3_DEGREE ? MS_F3_DEGREE : (int)steps - 1;
}

/* The degree of the next estimate: the best one (18)-(20), or the given one as soon as it could be judged. */
static int next_degree(const ms_variant *o, const f3_clock *clock, const f3_output *output)
{
    double errors[MS_F3_DEGREE + 1];
    const int highest = highest_degree(clock->known), given = (int)o->f3ornits.degree - MS_DEGREE_0;
    if (o->f3ornits.degree == MS_DEGREE_FLEXIBLE)
        return ms_f3_degree(highest, clock->t, output->y, errors);
    return given < highest ? given : highest;
}

/* Takes the new value of an output: the ratio of steps that its estimate allows, then the new estimate. */
static double take_output(const ms_variant *o, const f3_clock *clock, f3_output *output, double y)
{
    const int p = (int)output->order;
    const double miss = y - ms_f3_value(output->c, clock->step);
    ms_f3_extremes_update(&output->extremes, y, o->f3ornits.damping, clock->step);
    push(output->y, y, clock->joined != 0.0);
    const int q = next_degree(o, clock, output);
    output->order = q;
    if (o->f3ornits.calibration == MS_CALIBRATION_CLS)
        ms_f3_least_squares(q, clock->t, output->y, output->c);
    else
        ms_f3_extrapolation(q, clock->t, output->y, output->c);
    return ms_f3_ratio(ms_f3_error(miss, y, &output->extremes, o->f3ornits.error_normalization,
                                   o->control.rtol, o->control.atol),
                       p);
}

/* The time-stepper's proposal (37)-(39). Would it be shorter than the smallest step? */
static bool propose(const ms_cosim *cosim, const f3_data *data, int i)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    f3_clock *clock = &data->clock[i];
    double ratio = INFINITY;
    for (int j = s->y_at[i]; j < s->y_at[i + 1]; j++)
        ratio = fmin(ratio, take_output(o, clock, &data->output[j], cosim->y[j]));
    /* schedule, rule 3, and the length cut by an event */
    const double from = fmax(clock->step, data->one_step ? clock->whole : clock->proposed_step);
    const double step =
        fmin(fmax(ratio * clock->step, o->f3ornits.ratio_min * clock->step), o->f3ornits.ratio_max * from);
    clock->proposed_step = fmin(fmax(step, o->control.min_step), o->control.max_step);
    clock->estimate = s->sub[i].ny > 0 ? clock->reached + clock->proposed_step : o->stop_time;
    return step < o->control.min_step;
}

/* A step ------------------------------------------------------------------------------------------------- */

/* Shall the end of the step take the place of the last point? */
static bool joins(const f3_clock *clock)
{
    return clock->known > 0.0 && ms_time_events_join(clock->step / clock->whole, clock->step,
                                                     clock->t[0] - clock->t[1], clock->joined != 0.0);
}

/* Stores the results of subsystem i at the end of its step. */
static void conclude_step(const ms_cosim *cosim, const f3_data *data, int i)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    f3_clock *clock = &data->clock[i];
    ms_input_left_derivative(&instance->input, 1, instance->du);
    for (int l = 0; l < s->sub[i].nu; l++) {
        f3_input *input = &data->input[s->u_at[i] + l];
        input->left = cosim->u_left[s->u_at[i] + l];
        input->left_slope = instance->du[l];
    }
    memcpy(cosim->y + s->y_at[i], cosim->y_raw + s->y_at[i], sizeof(double) * (size_t)s->sub[i].ny);
    clock->reached = clock->next;
    clock->step = instance->h;
    clock->steps += 1.0;
    clock->dropped = cosim->variant.extrapolation.at_events == MS_EVENTS_DROP &&
                     (ms_events_handled(instance) > 0 || ms_time_events_coincide(clock->next, clock->due));
    clock->joined = joins(clock);
    clock->known = clock->dropped != 0.0 ? 1.0 : clock->known + (clock->joined != 0.0 ? 0.0 : 1.0);
    push(clock->t, clock->next, clock->joined != 0.0);
}

static double f3_next_time(const ms_cosim *cosim)
{
    const f3_data *data = cosim->scheme_data;
    return *data->communication_time;
}

static int f3_step(ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h; /* the scheme keeps the time itself */
    const f3_data *data = cosim->scheme_data;
    const double now = *data->communication_time;
    const int n = cosim->system->n;
    for (int i = 0; i < n; i++) {
        cosim->communicates[i] = data->clock[i].next == now;
        cosim->integrations += cosim->communicates[i];
        if (cosim->communicates[i])
            give_step(cosim, data, i);
    }
    MS_TRY(ms_execution_advance_some(cosim, cosim->communicates, NULL));
    for (int i = 0; i < n; i++)
        if (cosim->communicates[i])
            conclude_step(cosim, data, i);
    if (cosim->variant.extrapolation.outputs == MS_OUTPUTS_CONSISTENT &&
        ms_loop_outputs(cosim->loop, now, cosim->y, data->u) != MS_OK)
        return ms_cosim_loop_failed(cosim, MS_NO_SOLUTION, now);
    bool held = false;
    for (int i = 0; i < n; i++)
        if (cosim->communicates[i])
            held |= propose(cosim, data, i);
    cosim->held += held;
    if (ms_f3_schedule(cosim, data, now) != MS_OK)
        return ms_fail(&cosim->error, MS_STEP_REJECTED,
                       "step size control requires steps that hardly advance the time at %.6g s; a larger "
                       "`min-step` prevents this",
                       now);
    for (int i = 0; i < n; i++)
        if (cosim->communicates[i])
            ms_f3_prepare_inputs(cosim, data, i);
    return MS_OK;
}

static bool f3_has_variant(const ms_variant *variant)
{
    return variant->extrapolation.smooth_coupling != MS_SMOOTHING_C0 &&
           variant->extrapolation.outputs != MS_OUTPUTS_CORRECTED &&
           (variant->extrapolation.outputs == MS_OUTPUTS_INCONSISTENT ||
            variant->f3ornits.scheduler == MS_SCHEDULER_SYNCHRONOUS);
}

const ms_scheme ms_scheme_f3ornits = {
    .name = "f3ornits",
    .summary = "flexible order, time-stepper and scheduler, without rollback",
    .source = "Eguillon et al. 2022",
    .nonlinear = true,
    .knows =
        (const ms_option_id[]){MS_OPTION_CALIBRATION, MS_OPTION_ESTIMATE_DEGREE, MS_OPTION_OUTPUTS,
                               MS_OPTION_SMOOTH_COUPLING, MS_OPTION_SMOOTH_SUBSYSTEMS,
                               MS_OPTION_ERROR_NORMALIZATION, MS_OPTION_DAMPING, MS_OPTION_SCHEDULER,
                               MS_OPTION_RTOL, MS_OPTION_ATOL, MS_OPTION_MIN_STEP, MS_OPTION_MAX_STEP,
                               MS_OPTION_RATIO_MIN, MS_OPTION_RATIO_MAX, MS_OPTION_AT_EVENTS, MS_OPTIONS},
    .defaults = ms_f3_defaults,
    .memory = ms_f3_memory,
    .check_steps = ms_f3_check_steps,
    .create = ms_f3_create,
    .data = sizeof(f3_data),
    .start = ms_f3_start,
    .step = f3_step,
    .next_time = f3_next_time,
    .has_variant = f3_has_variant};
