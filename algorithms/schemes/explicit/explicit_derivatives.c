/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explicit_derivatives.c - time derivatives of the outputs at the end of a macro-step of the explicit
 * schemes. */
#include "explicit.h"
#include "loop.h"

/* y' and y'' by backward differences of raw outputs; `corrected` and `consistent` subtract D u'- and
 * solve. The differences are exact at the midpoints of their intervals. */
static int difference_derivatives(ms_cosim *cosim, explicit_data *data, double t, double h)
{
    const int ny = cosim->system->ny;
    const explicit_history *past = ms_explicit_history(cosim);
    const double distance = h + past->gap, between = 0.5 * (distance + (past->h1 - past->gap));
    if (data->config.outputs == MS_OUTPUTS_CONSISTENT &&
        ms_loop_linearise(cosim->loop, t, data->u_new) != MS_OK)
        return MS_NO_SOLUTION;
    for (int j = 0; j < ny; j++)
        data->dy[j] = (cosim->y_raw[j] - data->raw_before[j]) / distance;
    if (data->config.outputs != MS_OUTPUTS_INCONSISTENT) {
        ms_loop_feed_through(cosim->loop, -1.0, data->du, data->dy);
        ms_loop_solve(cosim->loop, data->dy);
    }
    for (int j = 0; j < ny && data->config.order > 1; j++)
        data->ddy[j] = (data->dy[j] - data->slot[0][MS_SLOT_Y1][j]) / between;
    return MS_OK;
}

/* Exact ones have the terms D u'- and D u''- only where outputs stay inconsistent; consistent ones are taken at the solved inputs. */
static int exact_first(ms_cosim *cosim, explicit_data *data, double t)
{
    const ms_system *s = cosim->system;
    const bool raw = data->config.outputs == MS_OUTPUTS_INCONSISTENT;
    if (data->config.outputs == MS_OUTPUTS_CONSISTENT)
        return ms_loop_derivative(cosim->loop, t, data->u_new, data->dy);
    for (int i = 0; i < s->n; i++)
        MS_TRY(ms_instance_output_derivative(cosim->instance[i], t, data->u_new + s->u_at[i],
                                             raw ? data->du + s->u_at[i] : NULL, data->dy + s->y_at[i]));
    if (!raw)
        ms_loop_solve(cosim->loop, data->dy);
    return MS_OK;
}

static int exact_second(ms_cosim *cosim, explicit_data *data, double t)
{
    const ms_system *s = cosim->system;
    const bool raw = data->config.outputs == MS_OUTPUTS_INCONSISTENT;
    if (data->config.outputs == MS_OUTPUTS_CONSISTENT) {
        ms_system_couple(s, data->dy, data->du);
        return ms_loop_second_derivative(cosim->loop, t, data->u_new, data->du, data->ddy);
    }
    for (int i = 0; i < s->n; i++) {
        const int at = s->u_at[i];
        MS_TRY(ms_instance_output_second_derivative(cosim->instance[i], t, data->u_new + at, data->du + at,
                                                    raw ? data->ddu + at : NULL, data->ddy + s->y_at[i]));
    }
    if (!raw)
        ms_loop_solve(cosim->loop, data->ddy);
    return MS_OK;
}

int ms_explicit_derivatives(ms_cosim *cosim, explicit_data *data, double t, double h, int orders)
{
    const ms_system *s = cosim->system;
    const bool mixed = cosim->variant.initial.output_derivatives == MS_YDOT_MIXED;
    for (int i = 0; i < s->n; i++) {
        ms_input_left_derivative(&cosim->instance[i]->input, 1, data->du + s->u_at[i]);
        ms_input_left_derivative(&cosim->instance[i]->input, 2, data->ddu + s->u_at[i]);
    }
    int status =
        data->config.differences ? difference_derivatives(cosim, data, t, h) : exact_first(cosim, data, t);
    if (orders > 1 && (mixed || !data->config.differences))
        MS_THEN(status, exact_second(cosim, data, t));
    return status;
}
