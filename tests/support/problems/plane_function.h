/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plane_function.h - functions of two parameters as fields, for the tests of regions and critical steps. */
#pragma once

#include <macrostep/region.h>

typedef double support_plane_function(double x, double y);

static inline int support_plane_value(void *context, double x, double y, double *value, ms_error *error)
{
    support_plane_function *const *f = context;
    (void)error;
    *value = (*f)(x, y);
    return MS_OK;
}
