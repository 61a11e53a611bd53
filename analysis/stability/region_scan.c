/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region_parts.h"

#include "growing.h"

int ms_scan_add(ms_scan *s, double x, double value, ms_error *error)
{
    MS_TRY_MEMORY_FOR(ms_grow(&s->added, &s->size, (size_t)s->more + 1, sizeof *s->added), error,
                      "%d step sizes", s->more + 1);
    s->added[s->more++] = (ms_scan_point){x, value};
    return MS_OK;
}
