/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_check_parts.h"

#include <stdarg.h>
#include <stdio.h>

void ms_fmu_found(ms_fmu_checker *c, bool error, long line, const char *format, ...)
{
    ms_fmu_findings *f = c->findings;
    f->n_errors += error;
    if (f->n == MS_FMU_FINDINGS)
        return;
    ms_fmu_finding *next = &f->finding[f->n++];
    next->error = error;
    next->line = line;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(next->text, sizeof next->text, format, arguments);
    va_end(arguments);
}

bool ms_fmu_is_float(ms_fmu_type type)
{
    return type == MS_FMU_FLOAT64 || type == MS_FMU_FLOAT32;
}
