/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f3ornits_inputs.c - inputs from the newest estimates, with smooth continuation if that is on. */
#include <string.h>

#include "f3ornits_parts.h"

/* u = L y of the newest estimates, local to t. */
static void couple_estimates(const ms_cosim *cosim, const f3_data *data, int l, double t,
                             double c[F3_INPUT_DEGREE + 1])
{
    const ms_system *s = cosim->system;
    memset(c, 0, sizeof(double) * (F3_INPUT_DEGREE + 1));
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++) {
        const int j = s->wire_output[w];
        const double *p = data->output[j].c, gain = s->wire_gain[w];
        const double late = t - data->clock[s->owner[j]].t[0];
        c[0] += gain * ms_f3_value(p, late);
        c[1] += gain * (p[1] + 2.0 * late * p[2]);
        c[2] += gain * p[2];
    }
}

/* The cubic with the given limits at the left end and value and slope of c at the right one (28). */
static void continue_smoothly(double left, double slope, double h, double c[F3_INPUT_DEGREE + 1])
{
    const double jump = left - c[0], turn = slope - c[1];
    c[0] = left; /* jump (1 - 3 z^2 + 2 z^3) + h turn (z - 2 z^2 + z^3), z = tau/h */
    c[1] = slope;
    c[2] += (-3.0 * jump / h - 2.0 * turn) / h;
    c[3] += (2.0 * jump / h + turn) / (h * h);
}

/* Has a subsystem that feeds i dropped its history in a step that ends now? */
static bool begins_anew(const f3_data *data, int i)
{
    bool any = false;
    for (int k = data->feeder_at[i]; k < data->feeder_at[i + 1]; k++) {
        const f3_clock *feeder = &data->clock[data->feeder[k]];
        any |= feeder->dropped != 0.0 && feeder->reached == data->clock[i].reached;
    }
    return any;
}

void ms_f3_prepare_inputs(const ms_cosim *cosim, const f3_data *data, int i)
{
    const ms_system *s = cosim->system;
    const f3_clock *clock = &data->clock[i];
    const double h = clock->next - clock->reached;
    for (int l = s->u_at[i]; l < s->u_at[i + 1]; l++) {
        f3_input *input = &data->input[l];
        couple_estimates(cosim, data, l, clock->reached, input->c);
        ms_f3_degrade(cosim->instance[i]->can.input_degree, h, input->c);
        if (data->smooth[i] && clock->steps > 0.0 && !begins_anew(data, i))
            continue_smoothly(input->left, input->left_slope, clock->whole, input->c);
    }
}
