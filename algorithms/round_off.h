/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round_off.h - does a run's round-off depend on which kernels the BLAS library has chosen for the processor? */
#pragma once

#include <macrostep/choices.h>
#include <macrostep/system.h>

/* True if only our own code computes the trajectory: linear subsystems with a micro-solver that maps them
 * linearly, and matrices of at most MS_DENSE_SIZE_MAX. Then it has the same bits under all kernels. Otherwise why
 * names, in a clause, the exception. options are resolved. */
bool ms_round_off_is_ours(const ms_system *system, const ms_options *options, char *why, size_t size);
