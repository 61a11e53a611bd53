/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f3ornits_schedule.c - which subsystems communicate when (40). The paper leaves the scheduler as a black box; these
 * are its rules here.
 *
 * synchronous: all subsystems take the smallest of the proposed steps, or the step that one of them imposes.
 *
 * asynchronous, for the subsystems that communicate now:
 *   1. A subsystem that imposes its step H communicates only at t_0 + n H. Its n-th time and the time of
 *      another that differ by round-off are made the same double.
 *   2. A variable is not used beyond the time for which it was estimated, if that can be avoided: a free
 *      subsystem steps at most to the next communication of each subsystem that feeds it. In a loop of
 *      free subsystems that makes one common step of it. Letting steps run past that time was less accurate
 *      than the synchronous scheduler in every variant tried.
 *   3. If such a time, set by a subsystem that does not communicate now or imposes its step, lies further
 *      away than the proposed step, the way to it is divided in equal parts no longer than that: no sliver is
 *      left before it, from which steps, growing by 5 % each, would take long to recover. So that shortened
 *      steps do not hold the proposals down, the largest ratio counts from the length that was proposed,
 *      where it was longer than the step taken; (38) counts from the step taken, and so does the synchronous
 *      scheduler.
 *   4. No exchange without effect: a subsystem without inputs that feeds only imposed steps communicates when
 *      the first of them does. One without outputs proposes the end of the run (39) and is stopped by rule 2
 *      alone.
 *   5. The end of the run is a communication of all, at the same double on every clock.
 *
 * In both cases all subsystems communicate at the earliest announced time event if requested (time_events.h), at the
 * same double: steps beyond it are cut, also steps in progress when it is announced. The next step may be as long as
 * without the cut. */
#include <float.h>
#include <math.h>

#include "f3ornits_parts.h"
#include "time_events.h"

static double imposed_step(const ms_cosim *cosim, int i)
{
    return cosim->instance[i]->can.step;
}

/* The time of the next imposed communication (rule 1); infinite where none is imposed. */
static double imposed_time(const ms_cosim *cosim, const f3_data *data, int i)
{
    const double H = imposed_step(cosim, i), end = cosim->variant.stop_time;
    if (H == 0.0)
        return INFINITY;
    const double n = data->clock[i].steps + 1.0, t = cosim->variant.start_time + n * H;
    return t > end - 2.0 * ms_cosim_round_off(n) * H ? end : t;
}

/* Does the subsystem communicate at t? */
static bool communicates(const f3_data *data, int i, double t)
{
    return data->clock[i].reached == t;
}

static bool is_free(const ms_cosim *cosim, const f3_data *data, int i, double t)
{
    return communicates(data, i, t) && imposed_step(cosim, i) == 0.0;
}

/* The smallest step that advances the time safely. */
static double smallest_step(const ms_cosim *cosim, double t)
{
    return 16.0 * DBL_EPSILON * fmax(fabs(t), fabs(cosim->variant.stop_time));
}

/* A proposal, large enough to advance the time and at most up to the end. */
static double proposal(const ms_cosim *cosim, const f3_data *data, int i, double t)
{
    const double end = cosim->variant.stop_time, smallest = smallest_step(cosim, t);
    const double next = fmax(data->clock[i].estimate, t + smallest);
    return next >= end - smallest ? end : next;
}

static void schedule_together(const ms_cosim *cosim, const f3_data *data, double t)
{
    const int n = cosim->system->n;
    double next = cosim->variant.stop_time, imposed = INFINITY;
    for (int i = 0; i < n; i++) {
        next = fmin(next, proposal(cosim, data, i, t));
        imposed = fmin(imposed, imposed_time(cosim, data, i));
    }
    for (int i = 0; i < n; i++)
        data->clock[i].next = isfinite(imposed) ? imposed : next;
}

/* Rule 1. */
static void schedule_imposed(const ms_cosim *cosim, const f3_data *data, int i, double t)
{
    const double next = imposed_time(cosim, data, i), close = 1e-12 * fmax(fabs(next), next - t);
    data->clock[i].next = next;
    for (int j = 0; j < cosim->system->n; j++)
        if (j != i && data->clock[j].next > t && fabs(data->clock[j].next - next) <= close)
            data->clock[i].next = data->clock[j].next;
}

/* Rules 2 and 3 against feeders whose next times are settled. */
static double settled_limit(const ms_cosim *cosim, const f3_data *data, int i, double t)
{
    double limit = cosim->variant.stop_time;
    for (int k = data->feeder_at[i]; k < data->feeder_at[i + 1]; k++)
        if (!is_free(cosim, data, data->feeder[k], t))
            limit = fmin(limit, data->clock[data->feeder[k]].next);
    const double next = proposal(cosim, data, i, t);
    if (next >= limit)
        return limit;
    const double parts = ceil((limit - t) / (next - t) * (1.0 - 1e-9));
    return limit < cosim->variant.stop_time ? t + (limit - t) / parts : next;
}

/* Rule 4: the first imposed communication that reads subsystem i; infinite if a subsystem reads it at other
 * times. */
static double first_reader(const ms_cosim *cosim, const f3_data *data, int i)
{
    double first = INFINITY;
    if (cosim->system->sub[i].nu > 0)
        return INFINITY;
    for (int k = data->reader_at[i]; k < data->reader_at[i + 1]; k++) {
        if (imposed_step(cosim, data->reader[k]) == 0.0)
            return INFINITY;
        first = fmin(first, data->clock[data->reader[k]].next);
    }
    return first;
}

/* Rule 2 among free subsystems: propagates the smallest time to all subsystems that it feeds. */
static void settle(const ms_cosim *cosim, const f3_data *data, double t)
{
    const int n = cosim->system->n;
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < n; i++)
            for (int k = data->feeder_at[i]; k < data->feeder_at[i + 1] && is_free(cosim, data, i, t); k++) {
                const double next = data->clock[data->feeder[k]].next;
                if (next < data->clock[i].next) {
                    data->clock[i].next = next;
                    changes = true;
                }
            }
    }
}

static void schedule_asynchronous(const ms_cosim *cosim, const f3_data *data, double t)
{
    const int n = cosim->system->n;
    for (int i = 0; i < n; i++)
        if (communicates(data, i, t) && imposed_step(cosim, i) != 0.0)
            schedule_imposed(cosim, data, i, t);
    for (int i = 0; i < n; i++)
        if (is_free(cosim, data, i, t)) {
            const double reader = first_reader(cosim, data, i);
            data->clock[i].next = isfinite(reader) ? reader : settled_limit(cosim, data, i, t);
        }
    settle(cosim, data, t);
}

/* Announced time events ---------------------------------------------------------------------------------- */

/* The earliest time event announced by the subsystems; infinite if there is none before the end, or none is
 * requested. */
static double announced(const ms_cosim *cosim, const f3_data *data)
{
    const double end = cosim->variant.stop_time;
    double first = INFINITY;
    for (int i = 0; i < cosim->system->n && cosim->variant.at_time_events != MS_TIME_EVENTS_IGNORE; i++) {
        f3_clock *clock = &data->clock[i];
        clock->due = ms_instance_next_time(cosim->instance[i], clock->reached);
        first = fmin(first, clock->due);
    }
    return first < end && !ms_time_events_coincide(end, first) ? first : INFINITY;
}

/* Cuts the steps that would pass the event; t: now. */
static void communicate_event(const ms_cosim *cosim, const f3_data *data, double t)
{
    const double event = announced(cosim, data);
    for (int i = 0; i < cosim->system->n; i++) {
        f3_clock *clock = &data->clock[i];
        if (communicates(data, i, t))
            clock->whole = clock->next - clock->reached;
        if (clock->next >= event - ms_time_events_slack(clock->next - clock->reached))
            clock->next = event;
    }
}

/* Does a subsystem that communicates now propose, and get, a step too small to advance the time? */
static bool underflows(const ms_cosim *cosim, const f3_data *data, double t)
{
    const double smallest = smallest_step(cosim, t);
    bool any = false;
    for (int i = 0; i < cosim->system->n; i++) {
        const f3_clock *clock = &data->clock[i];
        any |= is_free(cosim, data, i, t) && clock->next < cosim->variant.stop_time &&
               clock->proposed_step < smallest && clock->next <= t + 2.0 * smallest;
    }
    return any;
}

int ms_f3_schedule(const ms_cosim *cosim, const f3_data *data, double t)
{
    if (data->one_step)
        schedule_together(cosim, data, t);
    else
        schedule_asynchronous(cosim, data, t);
    communicate_event(cosim, data, t);
    *data->communication_time = INFINITY;
    for (int i = 0; i < cosim->system->n; i++)
        *data->communication_time = fmin(*data->communication_time, data->clock[i].next);
    return underflows(cosim, data, t) ? MS_STEP_REJECTED : MS_OK;
}
