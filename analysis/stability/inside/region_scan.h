/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_scan.h - what the files of the search for stable intervals share: region_critical.c scans and bisects,
 * region_resonance.c looks for what the scan steps over. Included by these alone. */
#ifndef MS_REGION_SCAN_H
#define MS_REGION_SCAN_H

#include <math.h>
#include <stdbool.h>

#include "region_field.h"

typedef struct ms_scan_point {
    double x, value;
} ms_scan_point;

typedef struct ms_scan {
    const ms_field *field;
    int n;                /* points, ascending */
    ms_scan_point *point; /* (n); owned */
    int more;
    size_t size;
    ms_scan_point *added; /* (more) in no order, to be merged; owned */
    long evaluations;
    bool follows;     /* are there eigenvalues? */
    double crossings; /* of them, see ms_critical */
    long looked_into;
} ms_scan;

static inline bool ms_scan_stable(double value)
{
    return value <= MS_REGION_LEVEL;
}

/* Errors: MS_NO_MEMORY. */
int ms_scan_add(ms_scan *scan, double x, double value, ms_error *error);

/* At 0, where there is no limit, the radius is that of the next point. */
static inline void ms_scan_begin(ms_scan *scan)
{
    if (isnan(scan->point[0].value))
        scan->point[0].value = scan->point[1].value;
}

/* Of a field with eigenvalues: the radii at all points, and further points where eigenvalues meet, if the radius there is on
 * another side than at the neighbours. Errors: as ms_region_critical. */
int ms_scan_resonances(ms_scan *scan, const ms_thread_pool *pool, ms_error *error);

#endif
