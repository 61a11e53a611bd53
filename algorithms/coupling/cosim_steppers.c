/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_steppers.c - limitations of a co-simulation whose subsystems bring their own solvers, and messages about them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/cosim.h>
#include <macrostep/options.h>
#include <macrostep/scheme.h>
#include "cosim_steppers.h"

int ms_cosim_degrade(ms_cosim *cosim, const char *format, ...)
{
    const size_t n = (size_t)cosim->n_degraded + 1;
    char(*lines)[MS_DEGRADED_SIZE] = realloc(cosim->degraded, n * sizeof *lines);
    ms_error line; /* which names options as its caller spells them */
    va_list arguments;
    MS_TRY_MEMORY(lines);
    cosim->degraded = lines;
    va_start(arguments, format);
    vsnprintf(lines[n - 1], sizeof *lines, format, arguments);
    va_end(arguments);
    (void)ms_fail(&line, MS_OK, "%s", lines[n - 1]);
    snprintf(lines[n - 1], sizeof *lines, "%.255s", line.text);
    cosim->n_degraded++;
    return MS_OK;
}

/* Integrals are refused when the instance is created. */
static int refuse(const ms_cosim *cosim, const ms_subsystem *sub, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    if (cosim->scheme->laws)
        return ms_fail(error, MS_UNSUPPORTED,
                       "scheme %s computes inputs from outputs inside a step, but %s is %s, which has no "
                       "outputs there",
                       cosim->scheme->name, sub->name, sub->stepper->kind);
    if (cosim->scheme->room != NULL && cosim->scheme->room(o).pieces > 1)
        return ms_fail(error, MS_UNSUPPORTED,
                       "scheme %s gives inputs in several pieces per step, but %s is %s, which takes one "
                       "piece",
                       cosim->scheme->name, sub->name, sub->stepper->kind);
    return MS_OK;
}

/* The order of output derivatives that a history at the start is made from. */
static int order_at_start(const ms_cosim *cosim)
{
    const ms_variant *o = &cosim->variant;
    if (o->initial.history != MS_START_DERIVATIVES || !ms_scheme_knows(cosim->scheme, MS_OPTION_START) ||
        o->initial.inputs != MS_INITIAL_CONSISTENT)
        return 0;
    if (ms_scheme_knows(cosim->scheme, MS_OPTION_EXTRAPOLATION_ORDER))
        return o->extrapolation.order > 0 ? o->extrapolation.order
                                          : o->extrapolation.smooth_coupling == MS_SMOOTHING_C1;
    return 1;
}

/* y'' at the start would need u' there, which is not passed to a component: its inputs are held. */
static int hold_start(ms_cosim *cosim)
{
    const int wanted = order_at_start(cosim);
    for (int i = 0; i < cosim->system->n; i++) {
        const ms_instance *instance = cosim->instance[i];
        const int given = instance->can.output_derivatives < 1 ? 0 : 1;
        if (instance->sub->stepper == NULL || wanted <= given)
            continue;
        cosim->options->initial.history = MS_START_HOLD;
        cosim->variant.initial.history = MS_START_HOLD;
        return ms_cosim_degrade(cosim, "%.40s: no output derivatives of order %d at the start: start hold",
                                instance->sub->name, wanted);
    }
    return MS_OK;
}

static int take_remarks(ms_cosim *cosim, const ms_subsystem *sub)
{
    int status = MS_OK;
    const char *line;
    if (sub->stepper->remark == NULL)
        return MS_OK;
    for (int k = 0; status == MS_OK && (line = sub->stepper->remark(sub, k)) != NULL; k++)
        status = ms_cosim_degrade(cosim, "%.40s: %.200s", sub->name, line);
    return status;
}

int ms_cosim_check_steppers(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_subsystem *first = ms_system_own_stepper(s);
    int status = first != NULL ? refuse(cosim, first, error) : MS_OK;
    if (first == NULL || status != MS_OK)
        return status;
    for (int i = 0; i < s->n && status == MS_OK; i++)
        if (s->sub[i].stepper != NULL)
            status = take_remarks(cosim, &s->sub[i]);
    MS_THEN(status, hold_start(cosim));
    return status == MS_OK ? MS_OK : ms_fail(error, status, "not enough memory for a co-simulation");
}
