/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_power.h - shared by studies on negotiated power: runs that end when the energy leaves a range, and
 * whether the inputs of ports came from the agreed power or from a fallback. */
#pragma once

#include <macrostep/input_law.h>
#include <macrostep/options.h>
#include <macrostep/run.h>
#include <macrostep/system.h>

/* Energies in units of the energy at the start. */
typedef struct ms_power_range {
    double lower, upper; /* wanted: ends the run where the energy leaves them at a communication point */
    double left_at;      /* where that was [s], or NaN */
    double start;        /* [J] */
} ms_power_range;

/* A run that has left the range has the reason `interrupted`, and left_at is a number. Errors: those of
 * ms_cosim_create and ms_run. */
int ms_power_run(const ms_system *system, const ms_options *options, const volatile sig_atomic_t *stop,
                 ms_power_range *range, ms_run_result *result, ms_error *error);

/* Has the law of an end held all over the macro-step? Its output before and after. */
bool ms_power_law_held(const ms_input_law *law, double before, double after);
