/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explicit_events.c - the effect of events in a macro-step on the memory of the explicit schemes with --at-events
 * drop.
 *
 * Outputs of subsystem i at T_{n+1} are right limits: if i reported an event, their history belongs to another
 * solution. An output that depends directly on the input of its subsystem jumps with it. So the history is dropped
 * for
 *
 *     subsystems that report an event, or have announced one for T_{n+1} at which all communicate
 *     (time_events.h);
 *     subsystems with feed-through from an output of those, and so on, at most n subsystems far: in the same
 *     macro-step if outputs are solved or corrected and if Gauss-Seidel steps the reader later, otherwise
 *     in the next one, whose inputs are the first to know of the event.
 *
 * It is replaced as at the start of a run:
 *
 *     --start derivatives  past values on the tangent, y(-s) = y - s y' with y' as in (6.43c). The missing
 *                          y'' costs O(H^3) once, no order of a scheme that has at most order 3
 *     --start hold, and    past values of the polynomial of lower degree through those that are known: y,
 *     where derivatives    then the line, ..; derivatives from differences are zero until there are as many
 *     are differences      values
 *
 * Exact derivatives have no past and are correct already. Smoothing restarts: inputs jump at T_{n+1}. Errors of a
 * balance are not history but the impulse missed in the event's macro-step, and are kept.
 *
 * Everything is in aux, so that it is undone with the macro-step. Source: macrostep. */

#include "explicit.h"
#include "time_events.h"

/* Does an output of `reader` depend directly on an output of `feeder`? */
static bool reads_through(const ms_system *s, int reader, int feeder)
{
    bool reads = false;
    for (int l = 0; l < s->sub[reader].nu; l++)
        for (int w = s->row_at[s->u_at[reader] + l]; w < s->row_at[s->u_at[reader] + l + 1]; w++) {
            const int output = s->wire_output[w];
            if (output < s->y_at[feeder] || output >= s->y_at[feeder + 1])
                continue;
            for (int j = 0; j < s->sub[reader].ny; j++)
                reads |= ms_subsystem_feeds_through(s, reader, j, l);
        }
    return reads;
}

int ms_explicit_events_create(ms_cosim *cosim, explicit_data *data)
{
    const ms_system *s = cosim->system;
    const size_t n = (size_t)s->n;
    data->events.distance = ms_explicit_history(cosim)->of_events;
    data->events.known = data->events.distance + n;
    data->events.reads = ms_cosim_alloc(cosim, n * n, sizeof *data->events.reads);
    data->events.jumped = ms_cosim_alloc(cosim, n, sizeof *data->events.jumped);
    MS_TRY_MEMORY(data->events.reads != NULL && data->events.jumped != NULL);
    for (int reader = 0; reader < s->n; reader++)
        for (int feeder = 0; feeder < s->n; feeder++)
            data->events.reads[reader * s->n + feeder] = reader != feeder && reads_through(s, reader, feeder);
    return MS_OK;
}

void ms_explicit_events_start(const ms_cosim *cosim, const explicit_data *data)
{
    for (int i = 0; i < cosim->system->n; i++) {
        data->events.distance[i] = 0.0;
        data->events.known[i] = data->config.order;
    }
}

/* Whose outputs jump ------------------------------------------------------------------------------------- */

/* Does an output that jumps at the end of a macro-step take that of its reader with it at once? */
static bool at_once(const explicit_data *data, int reader, int feeder)
{
    return data->config.outputs != MS_OUTPUTS_INCONSISTENT ||
           (data->config.gauss_seidel && data->config.rank[feeder] < data->config.rank[reader]);
}

/* From subsystem i, `jumped` wires away from an event, to its readers. Returns whether a reader is new. */
static bool pass_on(const explicit_data *data, int n, int i)
{
    const int wires_away = data->events.jumped[i] + 1;
    bool news = false;
    for (int r = 0; r < n && wires_away <= n; r++) {
        if (!data->events.reads[r * n + i])
            continue;
        if (!at_once(data, r, i)) {
            data->events.distance[r] = wires_away;
        } else if (data->events.jumped[r] == 0) {
            data->events.jumped[r] = wires_away;
            news = true;
        }
    }
    return news;
}

/* Fills `jumped` for the macro-step that is over at t, and `distance` for the coming one. */
static bool find_jumps(const ms_cosim *cosim, const explicit_data *data, double t)
{
    const int n = cosim->system->n;
    bool any = false;
    for (int i = 0; i < n; i++) {
        data->events.jumped[i] = ms_time_events_had(cosim, i, t) ? 1 : (int)data->events.distance[i];
        data->events.distance[i] = 0.0;
        any |= data->events.jumped[i] > 0;
    }
    for (bool news = any; news;) {
        news = false;
        for (int i = 0; i < n; i++)
            if (data->events.jumped[i] > 0)
                news |= pass_on(data, n, i);
    }
    return any;
}

/* What takes the place of the past ----------------------------------------------------------------------- */

/* Does the past come from derivatives? */
static bool by_tangent(const ms_cosim *cosim)
{
    return cosim->variant.initial.history == MS_START_DERIVATIVES &&
           cosim->variant.initial.output_derivatives == MS_YDOT_EXACT;
}

/* Past values of output j on its tangent, h1 and h1 + h2 ago. */
static void extend_by_tangent(const explicit_data *data, const explicit_history *past, int j)
{
    double *const *slot = data->slot[0];
    for (int s = 1; s <= data->config.order; s++)
        slot[s][j] = slot[0][j] - (s == 1 ? past->h1 : past->h1 + past->h2) * data->dy[j];
}

/* Past values that are not known, on the polynomial through the known ones; derivatives are zero. */
static void extend_by_lower_degree(const explicit_data *data, const explicit_history *past, int known, int j)
{
    double *const *slot = data->slot[0];
    for (int s = known + 1; s <= data->config.order; s++) {
        if (data->config.analytic)
            slot[s][j] = 0.0;
        else if (known == 0)
            slot[s][j] = slot[0][j];
        else
            slot[s][j] = slot[1][j] - past->h2 / past->h1 * (slot[0][j] - slot[1][j]);
    }
}

/* Inputs restart at T_n + H: no smoothing. */
static void forget_left(const explicit_data *data, bool slopes, int j)
{
    for (int kind = 0; kind < SECOND_PIECE; kind++) {
        if (data->slot[kind][MS_SLOT_LEFT] != NULL)
            data->slot[kind][MS_SLOT_LEFT][j] = data->slot[0][MS_SLOT_Y0][j];
        if (data->slot[kind][MS_SLOT_LEFT_SLOPE] != NULL)
            data->slot[kind][MS_SLOT_LEFT_SLOPE][j] = slopes ? data->dy[j] : 0.0;
    }
}

int ms_explicit_drop(ms_cosim *cosim, explicit_data *data, double t, double h)
{
    const ms_system *s = cosim->system;
    const explicit_history *past = ms_explicit_history(cosim);
    const bool any = find_jumps(cosim, data, t), tangent = by_tangent(cosim);
    const bool known = data->config.analytic && !data->config.differences; /* y' is there */
    const bool wants_slopes = data->config.order > 0 || data->config.smoothing == MS_SMOOTHING_C1;
    if (any && tangent && !known && wants_slopes) {
        MS_TRY(ms_explicit_derivatives(cosim, data, t, h, 1));
    }
    for (int i = 0; i < s->n; i++) {
        const bool jumps = data->events.jumped[i] > 0;
        if (jumps)
            data->events.known[i] = 0.0;
        else if (data->events.known[i] < data->config.order && !data->joins)
            data->events.known[i] += 1.0;
        if (known || (jumps && tangent))
            data->events.known[i] = data->config.order;
        for (int j = s->y_at[i]; j < s->y_at[i + 1]; j++) {
            if (jumps)
                forget_left(data, known || tangent, j);
            if (jumps && tangent && !known)
                extend_by_tangent(data, past, j);
            else
                extend_by_lower_degree(data, past, (int)data->events.known[i], j);
        }
    }
    return MS_OK;
}
