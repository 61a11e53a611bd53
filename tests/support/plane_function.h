/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plane_function.h - functions of two parameters as fields, for the tests of regions and critical steps. */
#ifndef MS_PLANE_FUNCTION_H
#define MS_PLANE_FUNCTION_H

#include "region.h"

typedef double function(double x, double y);

static inline int support_plane_value(void *context, double x, double y, double *value, ms_error *error)
{
    function *const *f = context;
    (void)error;
    *value = (*f)(x, y);
    return MS_OK;
}

#endif
