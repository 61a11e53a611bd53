/* SPDX-License-Identifier: GPL-3.0-or-later */
/* natural_steps.h - macro-steps as fractions of natural frequencies: --step-size 0.1/omega1. */
#pragma once

#include <macrostep/status.h>

/* *words: argv, or if --step-size contains omega1, omega2, .. a copy in which each fraction is replaced by a number: NUMBER / omega_k,
 * omega_k [rad/s] being the k-th smallest modulus of the pairs of complex eigenvalues of the coupled model, linearised at its start with
 * --case and --set. Errors: MS_INVALID with the valid form, those of ms_arguments_read, of the model and of its linearisation. */
int ms_natural_steps_resolve(int argc, char **argv, char ***words, ms_error *error);

/* Releases the copy, from which the arguments have their texts. */
void ms_natural_steps_free(int argc, char **argv, char ***words);
