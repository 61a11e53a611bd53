/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_oms.c - step-size control by the error of held inputs, as in OMSimulator's oms-mav.
 *
 * After a macro-step of length h with held inputs u each of them is compared with its next value, L y of the outputs at the end of
 * that macro-step (not evaluated again):
 *
 *     e = max_l |u_l - (L y)_l| / (atol + rtol |(L y)_l|),     q = e^(-1/2)
 *
 *     q < 1 and h > min-step    rolled back, h := max(0.9 q, 0.5) h
 *     otherwise                 accepted, h := min(0.9 q, 1.5) h, with no lower limit
 *
 * h is limited to [min-step, max-step], and cut at the end of the run.
 *
 * Faults of the tool that are reproduced: e is proportional to h and not to h^2, so that the square root is too weak and steps settle
 * at e = 0.81; the quantity kept at the tolerance is the jump of an input, an error of order h in each macro-step; a macro-step of
 * length min-step is accepted with any error; at rest e = 0 and steps grow by 1.5 without limit.
 *
 * Subsystems that cannot roll back step, with their inputs unchanged, after the others have been accepted; their inputs, and inputs
 * that they feed, are not judged.
 *
 * Departures: inputs are judged, not wires; the tool's inputs have one wire each, without gain, for which this is equivalent.
 * Algebraic loops are refused; the tool does not detect them. A macro-step in which a subsystem fails is rejected; the tool ends
 * there. The tool's double step (oms-mav2) takes all its passes over the same interval, and is not implemented.
 *
 * Source: OMSimulator, SystemWC.cpp. */
#include <stdlib.h>

#include <macrostep/cosim_state.h>
#include "cosim_segments.h"
#include "evaluation_order.h"
#include "explicit_parts.h"
#include "step_control_method.h"

static const double safety = 0.9, shortest = 0.5, longest = 1.5;

/* Are there outputs that answer to themselves over wires? */
static int find_loop(const ms_system *system, bool *found)
{
    ms_dependency_graph graph;
    ms_evaluation_order order = {0};
    int status = ms_dependency_graph_create(system, &graph);
    MS_THEN(status, ms_evaluation_order_create(&graph, &order));
    *found = false;
    for (int k = 0; k < order.n_groups && status == MS_OK; k++)
        *found = *found || order.loop[k];
    ms_evaluation_order_destroy(&order);
    ms_dependency_graph_destroy(&graph);
    return status;
}

static int first_of(int n, const bool *which)
{
    int i = 0;
    while (i < n - 1 && !which[i])
        i++;
    return i;
}

/* Decides which subsystems roll back; reports nothing if all do. */
static int divide(ms_step_control *control, ms_error *error)
{
    const ms_cosim *cosim = control->cosim;
    const int n = cosim->system->n;
    int count = 0;
    control->able = calloc(2 * (size_t)n + 1, sizeof *control->able);
    MS_TRY_MEMORY_FOR(control->able != NULL, error, "step size control");
    control->others = control->able + n;
    for (int i = 0; i < n; i++) {
        control->able[i] = cosim->instance[i]->can.rollback;
        control->others[i] = !control->able[i];
        count += control->able[i];
    }
    if (count == 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`error-controlled` oms: no subsystem can roll back, and at least one must; use `as` "
                       "oms-ma");
    if (cosim->variant.balance.passivity || cosim->variant.scheme->integrals ||
        cosim->executor->advance_some == NULL)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`error-controlled` oms: subsystem %s cannot roll back and steps after the others, "
                       "which requires scheme jacobi, `passivity` off and `execution` serial or parallel",
                       cosim->system->sub[first_of(n, control->others)].name);
    return MS_OK;
}

static int oms_create(ms_step_control *control, ms_error *error)
{
    const ms_cosim *cosim = control->cosim;
    const ms_variant *o = &cosim->variant;
    bool loop;
    if (o->scheme->form != MS_FORM_EXTRAPOLATED || o->scheme->sequential || o->extrapolation.order > 0 ||
        o->extrapolation.smooth_coupling != MS_SMOOTHING_NONE)
        return ms_fail(
            error, MS_UNSUPPORTED,
            "`error-controlled` oms: compares held inputs; use jacobi with `extrapolation-order` 0, as `as` "
            "oms-mav does");
    const int status = find_loop(cosim->system, &loop);
    if (status != MS_OK)
        return ms_fail(error, status, "not enough memory for the evaluation order");
    if (loop)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`error-controlled` oms: model %s has an algebraic loop, for which OMSimulator has no "
                       "error; `as` oms-ma solves it at fixed steps",
                       cosim->system->model->name);
    const int divided = ms_cosim_can_roll_back(cosim, NULL) ? MS_OK : divide(control, error);
    return divided == MS_OK ? ms_step_trials_allocate(control, (size_t)cosim->system->nu, error) : divided;
}

/* Does input l count: do all ends of its wires roll back? */
static bool is_controlled(const ms_step_control *control, int l)
{
    const ms_system *s = control->cosim->system;
    if (s->u_held != NULL && s->u_held[l])
        return false; /* a jump has the same size for any step */
    if (control->able == NULL)
        return true;
    bool all = control->able[ms_owner_of(s->u_at, s->n, l)];
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
        all = all && control->able[ms_system_owner(s, s->wire_output[w])];
    return all;
}

/* e, infinite if it is not a number. */
static double missed(ms_step_control *control)
{
    const ms_cosim *cosim = control->cosim;
    const ms_variant *o = &cosim->variant;
    double *now = control->full, largest = 0.0;
    ms_system_couple(cosim->system, cosim->y_raw, now);
    for (int l = 0; l < cosim->system->nu; l++) {
        const double e = fabs(cosim->u_left[l] - now[l]) / (o->control.atol + o->control.rtol * fabs(now[l]));
        if (is_controlled(control, l))
            largest = e <= largest ? largest : isnan(e) ? INFINITY : e;
    }
    return largest;
}

static int try(ms_step_control *control, ms_step_attempt *attempt, double *proposed)
{
    ms_cosim *cosim = control->cosim;
    const double h = attempt->h, smallest = ms_step_smallest(cosim, attempt->t);
    ms_cosim_save(cosim, control->before);
    const int status = control->able == NULL ? ms_cosim_step(cosim, attempt->t, h)
                                             : ms_explicit_try(cosim, attempt->t, h, control->able);
    attempt->estimate = status == MS_OK ? missed(control) : INFINITY;
    const double q = sqrt(1.0 / attempt->estimate);
    if (status != MS_OK || (q < 1.0 && h > smallest)) {
        *proposed = fmax(smallest, fmax(safety * q, shortest) * h);
        ms_cosim_restore(cosim, control->before);
        return MS_STEP_REJECTED;
    }
    cosim->held += q < 1.0;
    *proposed = fmin(cosim->variant.control.max_step, fmin(safety * q, longest) * h);
    return MS_OK;
}

static int oms_attempt(ms_step_control *control, ms_step_attempt *attempt)
{
    ms_cosim *cosim = control->cosim;
    int status = ms_step_by_trial(control, attempt);
    if (status == MS_OK && control->able != NULL)
        status = ms_explicit_complete(cosim, attempt->t, attempt->h, control->others);
    if (status == MS_OK && ms_cosim_records(cosim))
        ms_cosim_record_segment(cosim, 0, attempt->t, attempt->h);
    return status;
}

const ms_step_method ms_step_oms = {
    .watches = true, .create = oms_create, .attempt = oms_attempt, .trial = try};
