/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_capabilities.h - capabilities that schemes need of subsystems, and the message if one is missing. */
#pragma once

#include <macrostep/cosim.h>

/* The message about a subsystem that imposes a step, or accepts only one step length, followed by `instead`, the remedy. Returns
 * MS_UNSUPPORTED, or MS_OK if it does neither. */
int ms_cosim_refuse_step(const ms_instance *instance, const char *instead, ms_error *error);

/* Does the step that a subsystem imposes, if it does, divide the run? Otherwise MS_UNSUPPORTED. */
int ms_cosim_check_division(const ms_cosim *cosim, const ms_instance *instance, ms_error *error);

/* Can every subsystem roll back, as `what` ("`scheme` ijcsa") needs? Otherwise MS_UNSUPPORTED. */
int ms_cosim_check_rollback(const ms_cosim *cosim, const char *what, ms_error *error);

/* Do macro-steps of the chosen length, or of lengths that change, fit the step that subsystem i imposes? Otherwise MS_UNSUPPORTED. */
int ms_cosim_check_steps(const ms_cosim *cosim, int i, ms_error *error);

/* The same, and all other requirements on the steps of subsystems: of time events, of the scheme, or the above. */
int ms_cosim_check_all_steps(const ms_cosim *cosim, ms_error *error);

/* Does a subsystem take the inputs of that degree that this scheme gives? Otherwise MS_UNSUPPORTED; `lower`: the options that lower it. */
int ms_cosim_check_degree(const ms_instance *instance, int degree, const char *lower, ms_error *error);

/* Are derivatives known at the start of a variant that needs them there? Of a differential-algebraic subsystem they are not:
 * MS_UNSUPPORTED. */
int ms_cosim_check_start(const ms_instance *instance, const ms_variant *variant, ms_error *error);

/* Does every subsystem have the capabilities that the scheme declares? Called by ms_cosim_create before the scheme's create(). Otherwise
 * MS_UNSUPPORTED. */
int ms_cosim_check_capabilities(const ms_cosim *cosim, ms_error *error);
