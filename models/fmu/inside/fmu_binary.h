/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_binary.h - the shared object of an FMU: found, opened, closed. */
#pragma once

#include "fmu_parts.h"

/* Its path (PATH_MAX); it is compiled where it is not there and that is wanted. Errors: MS_UNSUPPORTED (with what there is), those of
 * ms_fmu_compile. */
int ms_fmu_binary_find(const ms_fmu *fmu, char *path, ms_error *error);

/* Errors: MS_UNSUPPORTED (it is of another machine, or lacks something), MS_NO_MEMORY. */
int ms_fmu_binary_open(ms_fmu *fmu, const char *path, ms_error *error);

/* Is it gone? It stays, and may call back, where an FMU has ended in a fatal error, or has started a thread that still runs. */
bool ms_fmu_binary_close(ms_fmu *fmu);
