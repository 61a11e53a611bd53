/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals_fmu.h - an FMU whose variables are of all types. */
#pragma once

#include <stddef.h>

/* Compiles tests/support/fmu/signals_fmu.c for version 2 or 3 and packs it, for both kinds, as an FMU at a new path, which the caller removes. define: for
 * the compiler, or "". Inputs u (real), n (2.0: Integer, 3.0: Int8), on (Boolean), way (items 1 and 2), v (3.0: two reals); outputs y, m and ticks (3.0: Int64), off,
 * other, w; parameter gain (3.0: two reals). */
void support_signals_fmu(int fmi, const char *define, char *path, size_t size);
