/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_capabilities.h - what schemes need of subsystems, and one line for each that lacks it. */
#ifndef MS_COSIM_CAPABILITIES_H
#define MS_COSIM_CAPABILITIES_H

#include <macrostep/cosim.h>

/* The line of a subsystem that imposes a step, or takes steps of one length only, and `instead`, what would be right. Returns
 * MS_UNSUPPORTED, or MS_OK where it does neither. */
int ms_cosim_refuse_step(const ms_instance *instance, const char *instead, ms_error *error);

/* Does the step that a subsystem imposes, if it does, divide the run? Otherwise MS_UNSUPPORTED. */
int ms_cosim_check_division(const ms_cosim *cosim, const ms_instance *instance, ms_error *error);

/* Does every subsystem roll back, as `what` ("`scheme` ijcsa") needs? Otherwise MS_UNSUPPORTED. */
int ms_cosim_check_rollback(const ms_cosim *cosim, const char *what, ms_error *error);

/* Do macro-steps of the chosen length, or of lengths that change, fit the step that subsystem i imposes? Otherwise MS_UNSUPPORTED. */
int ms_cosim_check_steps(const ms_cosim *cosim, int i, ms_error *error);

/* The same, and all else that is asked of the steps of subsystems, by whoever has to say: time events, the scheme, or the above. */
int ms_cosim_check_all_steps(const ms_cosim *cosim, ms_error *error);

/* Has every subsystem what the scheme says that it needs? ms_cosim_create asks, before the scheme's own create(). Otherwise
 * MS_UNSUPPORTED. */
int ms_cosim_check_capabilities(const ms_cosim *cosim, ms_error *error);

#endif
