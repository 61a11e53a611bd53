/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made_fmu.h - FMUs that are compiled for a test. */
#ifndef MS_MADE_FMU_H
#define MS_MADE_FMU_H

#include <stdbool.h>
#include <stddef.h>

/* Compiles tests/support/flawed_fmu.c and packs it as an FMU at a new path, which the caller removes. It says of itself that steps may be
 * of any length, or not. Variable 3 of its description is the parameter that chooses the flaw. */
void support_flawed_fmu(bool variable_step, char *path, size_t size);

#endif
