/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_create.h - a co-simulation is made, and goes. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/execution.h>

MS_C_LINKAGE_BEGIN

/* Resolves the options against system and scheme and makes everything ready for ms_cosim_start. Scheme and executor are
 * those that the options name: ms_cosim_of_options (scheme_registry.h) finds them.
 * Errors: MS_INVALID (unknown solver, option that the scheme does not know, bad value), MS_UNSUPPORTED
 * (capabilities), MS_NO_MEMORY. */
int ms_cosim_create(const ms_system *system, const ms_scheme *scheme, const ms_executor *executor,
                    const ms_options *options, ms_cosim **cosim, ms_error *error);

/* Are the subsystems and inputs that options name those of the system, and are the steps of the run compatible with its subsystems? Both
 * create nothing, so that binaries of FMUs are not needed yet. Errors: MS_UNSUPPORTED and MS_INVALID as above, MS_NO_MEMORY. */
int ms_cosim_check_names(const ms_system *system, const ms_options *options, ms_error *error);
int ms_cosim_check_run(const ms_system *system, const ms_scheme *scheme, const ms_options *options,
                       ms_error *error);

void ms_cosim_destroy(ms_cosim **cosim); /* NULL-safe */

MS_C_LINKAGE_END
