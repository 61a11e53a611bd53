/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region_scan.h"

#include <stdlib.h>

int ms_scan_add(ms_scan *s, double x, double value, ms_error *error)
{
    if (s->more == s->size) {
        const int size = s->size > 0 ? 2 * s->size : 256;
        ms_scan_point *grown = realloc(s->added, sizeof *grown * (size_t)size);
        if (grown == NULL)
            return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d step sizes", size);
        s->added = grown;
        s->size = size;
    }
    s->added[s->more++] = (ms_scan_point){x, value};
    return MS_OK;
}
