/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f3ornits_setup.c - F3ORNITS before its first step: checks, memory, and the values it starts from. */
#include <math.h>
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/options.h>
#include "cosim_capabilities.h"
#include "f3ornits_parts.h"
#include "number.h"

static int doubles(size_t bytes)
{
    return (int)(bytes / sizeof(double));
}

void ms_f3_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    const ms_system *s = cosim->system;
    *lin = s->ny;
    *aux = F3_HEAD + s->n * doubles(sizeof(f3_clock)) + s->ny * doubles(sizeof(f3_output)) +
           s->nu * doubles(sizeof(f3_input));
}

/* Checks ------------------------------------------------------------------------------------------------- */

/* Defaults of the scheme. The tolerances come close to the step counts of Table 1. */
void ms_f3_defaults(ms_options *o)
{
    if (!o->given[MS_OPTION_RTOL])
        o->control.rtol = 1e-2;
    if (!o->given[MS_OPTION_ATOL])
        o->control.atol = 1e-4;
    if (!o->given[MS_OPTION_MIN_STEP]) /* the first step is also the smallest (4.2) */
        o->control.min_step = fmin(o->step_size, o->control.max_step);
}

static int check_options(const ms_options *o, ms_error *error)
{
    if (o->extrapolation.smooth_coupling == MS_SMOOTHING_C0)
        return ms_fail(error, MS_INVALID, "`smooth-coupling` c0: scheme f3ornits takes none or c1");
    if (o->extrapolation.outputs == MS_OUTPUTS_CORRECTED ||
        (o->extrapolation.outputs == MS_OUTPUTS_CONSISTENT &&
         o->f3ornits.scheduler == MS_SCHEDULER_ASYNCHRONOUS))
        return ms_fail(
            error, MS_INVALID,
            "`outputs` %s: scheme f3ornits takes inconsistent, or with `scheduler` synchronous consistent",
            ms_option_choice(o, MS_OPTION_OUTPUTS));
    if (o->extrapolation.smooth_coupling == MS_SMOOTHING_NONE && o->f3ornits.smooth_subsystems[0] != '\0')
        return ms_fail(error, MS_INVALID, "`smooth-subsystems` %s: requires `smooth-coupling` c1",
                       o->f3ornits.smooth_subsystems);
    if (o->control.min_step > o->control.max_step)
        return ms_fail(error, MS_INVALID, "`min-step` %g: must be at most the largest step %g",
                       o->control.min_step, o->control.max_step);
    if (o->f3ornits.ratio_min > 1.0 || o->f3ornits.ratio_max < 1.0)
        return ms_fail(error, MS_INVALID,
                       "`ratio-min` %g, `ratio-max` %g: steps must be able to shrink and to grow, from "
                       "(0, 1] to [1, ..)",
                       o->f3ornits.ratio_min, o->f3ornits.ratio_max);
    return MS_OK;
}

/* The first before subsystem i that imposes a step; NULL: none does. */
static const ms_instance *first_imposing(const ms_cosim *cosim, int i)
{
    int k = 0;
    while (k < i && cosim->instance[k]->can.step == 0.0)
        k++;
    return k < i ? cosim->instance[k] : NULL;
}

/* Imposed steps divide the run, and together they are one. */
int ms_f3_check_steps(const ms_cosim *cosim, int i, ms_error *error)
{
    const ms_instance *instance = cosim->instance[i], *first = first_imposing(cosim, i);
    const double step = instance->can.step;
    if (instance->can.constant_step)
        return ms_cosim_refuse_step(
            instance, "scheme f3ornits chooses its own; an explicit scheme without step control fits", error);
    const int status = ms_cosim_check_division(cosim, instance, error);
    if (status != MS_OK || step == 0.0 || first == NULL || first->can.step == step ||
        cosim->variant.f3ornits.scheduler != MS_SCHEDULER_SYNCHRONOUS)
        return status;
    char texts[2][MS_NUMBER_SIZE];
    ms_number_text(first->can.step, texts[0]);
    ms_number_text(step, texts[1]);
    return ms_fail(
        error, MS_UNSUPPORTED,
        "subsystems %s and %s impose steps of %s s and %s s, which cannot be combined; use `scheduler` "
        "asynchronous",
        first->sub->name, instance->sub->name, texts[0], texts[1]);
}

/* Checks that outputs can be evaluated again if requested. */
static int check_outputs(const ms_cosim *cosim, ms_error *error)
{
    for (int i = 0; i < cosim->system->n; i++)
        if (cosim->variant.extrapolation.outputs == MS_OUTPUTS_CONSISTENT &&
            !cosim->instance[i]->can.reevaluate_outputs)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s cannot re-evaluate outputs, which `outputs` consistent needs",
                           cosim->instance[i]->sub->name);
    return MS_OK;
}

/* Whose inputs are smoothed; `list` is room for the subsystems that are named. */
static int choose_smooth(const ms_cosim *cosim, f3_data *data, int *list, ms_error *error)
{
    const ms_options *o = cosim->options;
    int n, twice;
    for (int i = 0; i < cosim->system->n && o->extrapolation.smooth_coupling == MS_SMOOTHING_C1; i++)
        data->smooth[i] = o->f3ornits.smooth_subsystems[0] == '\0';
    MS_TRY(ms_variant_subsystems(cosim->system, "`smooth-subsystems`", o->f3ornits.smooth_subsystems, list,
                                 &n, &twice, error));
    for (int k = 0; k < n; k++)
        data->smooth[list[k]] = true;
    return MS_OK;
}

/* Reductions due to missing capabilities, as lines of the answer. */
static void degrade(ms_cosim *cosim, f3_data *data)
{
    for (int i = 0; i < cosim->system->n; i++) {
        const int degree = cosim->instance[i]->can.input_degree;
        const char *name = cosim->system->sub[i].name;
        if (cosim->system->sub[i].nu == 0)
            continue;
        if (degree < MS_F3_DEGREE)
            (void)ms_cosim_degrade(cosim, "%.40s: inputs of degree 2 reduced to %d", name, degree);
        if (data->smooth[i] && degree < F3_INPUT_DEGREE) {
            (void)ms_cosim_degrade(cosim, "%.40s: inputs not smooth, degree %d of 3", name, degree);
            data->smooth[i] = false;
        }
    }
}

/* Creation ----------------------------------------------------------------------------------------------- */

static void place_memory(const ms_cosim *cosim, f3_data *data)
{
    const ms_system *s = cosim->system;
    data->communication_time = cosim->scheme_aux;
    data->clock = (f3_clock *)(void *)(data->communication_time + F3_HEAD);
    data->output = (f3_output *)(void *)(data->clock + s->n);
    data->input = (f3_input *)(void *)(data->output + s->ny);
}

/* Lists both ways, each neighbour as often as wires join them. */
static void list_neighbours(const ms_system *s, f3_data *data)
{
    int feeders = 0, readers = 0;
    for (int i = 0; i < s->n; i++) {
        for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++) {
            data->feeder[feeders++] = s->owner[s->wire_output[w]];
            data->reader_at[s->owner[s->wire_output[w]] + 1]++;
        }
        data->feeder_at[i + 1] = feeders;
    }
    for (int i = 0; i < s->n; i++) {
        readers += data->reader_at[i + 1];
        data->reader_at[i + 1] = readers;
    }
    for (int i = s->n - 1; i >= 0; i--) /* fills each list from its end, leaving its beginning in reader_at */
        for (int k = data->feeder_at[i]; k < data->feeder_at[i + 1]; k++)
            data->reader[--data->reader_at[data->feeder[k] + 1]] = i;
    for (int i = 0; i < s->n; i++)
        data->reader_at[i] = data->reader_at[i + 1];
    data->reader_at[s->n] = readers;
}

static int allocate(ms_cosim *cosim, f3_data *data)
{
    const ms_system *s = cosim->system;
    const size_t n = (size_t)s->n, ny = (size_t)s->ny, nu = (size_t)s->nu, wires = (size_t)s->row_at[s->nu];
    data->smooth = ms_cosim_alloc(cosim, n, sizeof *data->smooth);
    data->feeder_at = ms_cosim_alloc(cosim, 2 * (n + 1) + 2 * wires, sizeof *data->feeder_at);
    data->y = ms_cosim_alloc(cosim, 2 * ny + nu, sizeof *data->y);
    MS_TRY_MEMORY(data->smooth != NULL && data->feeder_at != NULL && data->y != NULL);
    data->reader_at = data->feeder_at + n + 1;
    data->feeder = data->reader_at + n + 1;
    data->reader = data->feeder + wires;
    data->dy = data->y + ny;
    data->u = data->dy + ny;
    list_neighbours(s, data);
    return MS_OK;
}

int ms_f3_create(ms_cosim *cosim, ms_error *error)
{
    MS_TRY(check_options(cosim->options, error));
    MS_TRY(check_outputs(cosim, error));
    f3_data *data = cosim->scheme_data;
    data->one_step = cosim->variant.f3ornits.scheduler == MS_SCHEDULER_SYNCHRONOUS;
    cosim->asynchronous = !data->one_step;
    MS_TRY(allocate(cosim, data));
    MS_TRY(choose_smooth(cosim, data, data->reader_at, error));
    place_memory(cosim, data);
    degrade(cosim, data);
    return MS_OK;
}

/* The start ---------------------------------------------------------------------------------------------- */

int ms_f3_start(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    const f3_data *data = cosim->scheme_data;
    const double t = o->start_time, first = fmin(o->step_size, o->control.max_step);
    MS_TRY(ms_cosim_start_outputs(cosim, t, data->u));
    memcpy(cosim->y_raw, cosim->y, sizeof(double) * (size_t)s->ny);
    for (int i = 0; i < s->n; i++) {
        f3_clock *clock = &data->clock[i];
        clock->reached = clock->t[0] = t;
        clock->proposed_step = first;
        clock->due = INFINITY;
        clock->estimate = s->sub[i].ny > 0 ? t + first : o->stop_time;
        cosim->communicates[i] = true;
    }
    for (int j = 0; j < s->ny; j++) {
        f3_output *output = &data->output[j];
        output->y[0] = output->c[0] = cosim->y[j];
        ms_f3_extremes_start(&output->extremes, cosim->y[j]);
    }
    (void)ms_f3_schedule(cosim, data, t); /* nothing has been proposed yet */
    for (int i = 0; i < s->n; i++)
        ms_f3_prepare_inputs(cosim, data, i);
    return MS_OK;
}
