/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "length.h"

#include <stdlib.h>
#include <string.h>

int ms_length_read(const char *name, const char *text, double least, double most, double *length,
                   ms_error *error)
{
    char *unit;
    *length = strtod(text, &unit);
    if (unit != text && strcmp(unit, "cm") == 0 && *length >= least && *length <= most)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--%s %s: must be a length in [%gcm, %gcm], as 8cm or 17cm", name, text,
                   least, most);
}
